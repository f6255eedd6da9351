"""With the captain's link: the own table's sheet is photographed, and what was read of it answered and taken in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import Http404, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from core.errors import NotPossible
from core.http.responses import quiet
from core.http.steps import say_in_form
from core.throttle import by_name, count_try, has_tried_enough
from tournaments.ledger.queries import LinkRevoked, table_by_secret
from tournaments.models import SheetPicture, Table
from tournaments.slip.photographed.merging import to_be_taken
from tournaments.slip.photographed.page import ReadPage
from tournaments.slip.photographed.sending import (
    OF_NO_USE,
    put_away,
    read_again,
    see_to_reading,
    send,
)
from tournaments.slip.photographed.sheets import pieces_file
from tournaments.slip.photographed.words import why_not_read
from tournaments.slip.reading.reader import is_available
from tournaments.web.photograph_form import SheetForm

if TYPE_CHECKING:
    from django.http import FileResponse, HttpRequest, HttpResponse

LOOK_AGAIN = "2"  # seconds
# So many photographs a minute by one link.
MOST_A_MINUTE = 10


def _open_table(secret: str) -> Table | None:
    """None where the link says something else: the table's own page tells what."""
    try:
        table = table_by_secret(secret)
    except (Table.DoesNotExist, LinkRevoked):
        return None
    return table if table.is_open and table.ended_early_at is None else None


@csrf_exempt  # the secret in the address is the credential, there is no session
@never_cache
def captain_paper(request: HttpRequest, secret: str) -> HttpResponse:
    """Photograph the sheet; what was read, or what to do. The page looks again by itself while one is read."""
    table = _open_table(secret)
    if table is None:
        return redirect("captain", secret)
    form = SheetForm(request.POST, request.FILES) if request.method == "POST" else SheetForm()
    if form.is_valid():
        try:
            _slow_down(secret)
            upload = form.cleaned_data["photograph"]
            send(table.round.tournament, upload, account=None, now=timezone.now(), captains=table)
        except NotPossible as refusal:
            say_in_form(form, refusal, "photograph")
        else:
            return redirect("captain_paper", secret)
    job = see_to_reading(table.round.tournament, now=timezone.now())
    own = table.captains_pictures.order_by("-pk")
    waiting = own.filter(state=SheetPicture.State.WAITING).exists()
    being_read = waiting and job is not None and job.is_under_way
    # No page is loaded anew under a form that somebody fills in.
    with_form = not being_read or form.is_bound or "more" in request.GET
    of_no_use = own.filter(state__in=OF_NO_USE)
    context = {
        "table": table,
        "secret": secret,
        "form": form,
        "available": is_available(),
        "with_form": with_form,
        "being_read": being_read,
        "stuck": waiting and not being_read,
        "read": to_be_taken(table).count(),
        "taken": table.sheet_pictures.filter(taken_at__isnull=False).count(),
        "against": [(one, why_not_read(one)) for one in of_no_use],
    }
    page = render(request, "captain/paper.html", context)
    if not with_form:
        # Without a script, and without anybody's doing.
        page["Refresh"] = LOOK_AGAIN
    return quiet(page)


def _slow_down(secret: str) -> None:
    """Reading takes long, and all evenings here wait for each other. Raises NotPossible."""
    sender = by_name("paper", secret)
    if has_tried_enough(sender, most=MOST_A_MINUTE):
        text = _("Many photographs are being processed right now. Try again in a minute.")
        raise NotPossible(text, "photograph")
    count_try(sender)


@csrf_exempt
@never_cache
@require_POST
def captain_paper_away(request: HttpRequest, secret: str, pk: int) -> HttpResponse:
    """Put away a picture of one's own that was of no use."""
    table = _open_table(secret)
    if table is None:
        return redirect("captain", secret)
    for picture in table.captains_pictures.filter(pk=pk):
        if put_away(picture):
            messages.success(request, _("The photograph has been deleted."))
    return redirect("captain_paper", secret)


@csrf_exempt
@never_cache
@require_POST
def captain_paper_again(request: HttpRequest, secret: str, pk: int) -> HttpResponse:
    """How the ticks of a picture of the own table are meant, which is said once."""
    table = _open_table(secret)
    if table is None:
        return redirect("captain", secret)
    picture = get_object_or_404(SheetPicture, table=table, pk=pk)
    fills = {"yes": True, "no": False}.get(request.POST.get("fills", ""))
    if fills is None or picture.state != SheetPicture.State.READ or picture.fills is not None:
        return redirect("captain_paper", secret)
    read_again(picture, account=None, now=timezone.now(), fills=fills)
    return redirect("captain_paper_table" if fills is False else "captain_paper", secret)


@never_cache
@require_safe
def captain_paper_pieces(_request: HttpRequest, secret: str, pk: int) -> FileResponse | HttpResponse:
    """The lines of a picture of the own table, one below the other."""
    table = _open_table(secret)
    if table is None:
        raise Http404
    return quiet(pieces_file(get_object_or_404(SheetPicture, table=table, pk=pk)))


def _page(request: HttpRequest, table: Table, secret: str) -> ReadPage:
    def pieces_at(picture: SheetPicture) -> str:
        return reverse("captain_paper_pieces", args=[secret, picture.pk])

    return ReadPage(request, table, None, pieces_at)


@csrf_exempt
@never_cache
def captain_paper_table(request: HttpRequest, secret: str) -> HttpResponse:
    """What was read of the own table's sheet."""
    table = _open_table(secret)
    if table is None:
        return redirect("captain", secret)
    page = _page(request, table, secret)
    if page.is_empty():
        return redirect("captain_paper", secret)
    if request.method == "POST" and page.take():
        return redirect(f"{reverse('captain', args=[secret])}#sheet")
    if page.is_empty():
        return redirect("captain_paper", secret)
    return quiet(page.show("captain/read.html", secret=secret, check=f"{request.path}/check"))


@csrf_exempt
@never_cache
@require_POST
def captain_paper_check(request: HttpRequest, secret: str) -> HttpResponse:
    """What the lines say, with nothing stored."""
    table = _open_table(secret)
    if table is None:
        return JsonResponse({"error": "unknown"}, status=404)
    return _page(request, table, secret).checked()


urlpatterns = [
    path("c/<str:secret>/paper", captain_paper, name="captain_paper"),
    path("c/<str:secret>/paper/table", captain_paper_table, name="captain_paper_table"),
    path("c/<str:secret>/paper/table/check", captain_paper_check, name="captain_paper_check"),
    path("c/<str:secret>/paper/<int:pk>/away", captain_paper_away, name="captain_paper_away"),
    path("c/<str:secret>/paper/<int:pk>/again", captain_paper_again, name="captain_paper_again"),
    path("c/<str:secret>/paper/<int:pk>/pieces.webp", captain_paper_pieces, name="captain_paper_pieces"),
]
