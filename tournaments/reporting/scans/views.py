"""Views of sheet pictures, for organisers and for captains."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from django.contrib import messages
from django.db.models import Count, F, Q
from django.http import FileResponse, Http404, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from core.errors import NotPossible
from core.http.responses import hide_address
from core.http.steps import add_to_form, take_step
from core.throttle import by_name, count_attempt, is_throttled
from tournaments.ledger.queries import LinkRevoked, table_by_secret
from tournaments.models import Round, SheetPicture, Table
from tournaments.reporting.reader.layout import UnknownLayout
from tournaments.reporting.reader.reader import is_available
from tournaments.reporting.scans.merging import MOST_AT_ONCE, to_be_taken, why_not_read
from tournaments.reporting.scans.page import ReadPage, pieces
from tournaments.reporting.scans.upload import OF_NO_USE, put_away, read_again, see_to_reading, send
from tournaments.web.fields import SheetForm
from tournaments.web.guards import DESK, TABLE, DeskRequest, desk_view, find_table, number_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament
    from tournaments.models.ledger import SheetPictureQuerySet


# At the desk: photographs of sheets are sent, one or many; what was read of each; and the page of a read table.

# Of what was taken in, and of what was of no use, the newest.
MOST_TOLD = 60


@dataclass(frozen=True)
class ReadTable:
    """A table with pictures to take in: number of lines, and of those in doubt."""

    table: Table
    pictures: int
    played: int
    asked: int


def read_tables(pictures: Iterable[SheetPicture]) -> list[ReadTable]:
    """The tables with pictures, by round and number; of two pictures of a sheet the more certain one counts."""
    by_table: dict[int, list[SheetPicture]] = {}
    for picture in pictures:
        by_table.setdefault(picture.table_id or 0, []).append(picture)
    found = []
    for same in by_table.values():
        pages: dict[int, tuple[int, int]] = {}
        for picture in same:
            told = picture.reading or {}
            page = (told.get("asked", 0), -told.get("played", 0))
            pages[picture.sheet[3]] = min(page, pages.get(picture.sheet[3], page))
        table = same[0].table
        if table is not None:
            played = -sum(played for _asked, played in pages.values())
            found.append(ReadTable(table, len(same), played, sum(asked for asked, _played in pages.values())))
    return sorted(found, key=lambda one: (one.table.round.number, one.table.number))


def _pictures(request: DeskRequest, tournament: Tournament) -> SheetPictureQuerySet:
    """The pictures that a visitor may see: in one hall alone, those of its tables and what they sent themselves."""
    pictures = SheetPicture.objects.filter(tournament=tournament)
    if (hall := request.hall) is None:
        return pictures
    there = Q(table__number__gte=hall.first)
    if not hall.is_last:
        there &= Q(table__number__lte=hall.last)
    return pictures.filter(there | Q(table=None, account=request.user))


@desk_view(helper=True, in_hall=True, one_transaction=False)
def desk_paper(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Upload photographs and list the results; for htmx requests, while pictures wait, only the list."""
    if request.method == "POST" and "away" in request.POST:
        return _all_away(request, tournament)
    if request.method == "POST":
        return _sent(request, tournament)
    page = "slip/sheets.html#list" if request.htmx else "slip/sheets.html"
    return render(
        request, page, {"tournament": tournament, "available": is_available(), **_list(request, tournament)}
    )


def _list(request: DeskRequest, tournament: Tournament) -> dict[str, object]:
    job = see_to_reading(tournament, now=timezone.now())
    all_ = _pictures(request, tournament)
    waiting = all_.filter(state=SheetPicture.State.WAITING).count()
    with_table = all_.select_related("table__round__tournament", "table__match")
    not_taken = read_tables(with_table.filter(state=SheetPicture.State.READ, taken_at=None))
    read = [one for one in not_taken if one.table.is_open]
    of_no_use = all_.filter(state__in=OF_NO_USE)
    done = all_.filter(taken_at__isnull=False)
    newest = done.select_related("table__round").order_by("-taken_at", "-pk")
    return {
        "job": job,
        "waiting": waiting,
        "read": read,
        "against": [(one, why_not_read(one)) for one in of_no_use.order_by("-pk")[:MOST_TOLD]],
        "done": newest[:MOST_TOLD],
        "done_count": done.count(),
        "to_come": [
            table
            for table in _to_come(tournament, {one.table.pk for one in read})
            if request.hall is None or request.hall.has(table.number)
        ],
    }


def _to_come(tournament: Tournament, read: set[int]) -> list[Table]:
    """Tables of running rounds of which deals are missing and no picture is there."""
    running = Table.objects.filter(round__tournament=tournament, round__state=Round.State.RUNNING)
    reported = running.filter(dealt__current__result__isnull=False).annotate(reported=Count("dealt"))
    whole = set(reported.filter(reported__gte=F("deals")).values_list("pk", flat=True))
    tables = running.filter(ended_early_at=None).exclude(pk__in=whole | read).select_related("round")
    return list(tables.order_by("round__number", "number"))


def _sent(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Handle each picture separately: an invalid one does not stop the others. JSON for scripts."""
    uploads = request.FILES.getlist("photograph")
    refused, count = [], 0
    for upload in uploads[:MOST_AT_ONCE]:
        try:
            send(tournament, upload, account=request.user, now=timezone.now())
            count += 1
        except NotPossible as refusal:
            refused.append((upload.name or "", refusal.message))
    if not uploads:
        refused.append(("", _("Choose a photograph first.")))
    many = _("That was too many at once: send this one again.")
    refused += [(left.name or "", many) for left in uploads[MOST_AT_ONCE:]]
    if request.headers.get("Accept") == "application/json":
        return JsonResponse({"refused": " ".join(why for _name, why in refused)})
    for name, why in refused:
        messages.warning(request, f"{name}: {why}" if name else why)
    if count:
        said = ngettext("%(count)d photograph has been sent.", "%(count)d photographs have been sent.", count)
        messages.success(request, said % {"count": count})
    return redirect("desk_paper", tournament.code)


def _all_away(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Discard the useless pictures that the page listed, and no others."""
    shown = [pk for typed in request.POST.getlist("away")[:MOST_TOLD] if (pk := number_in(typed)) is not None]
    found = _pictures(request, tournament).filter(pk__in=shown)
    if count := sum(map(put_away, found)):
        said = ngettext(
            "%(count)d photograph has been deleted.", "%(count)d photographs have been deleted.", count
        )
        messages.success(request, said % {"count": count})
    return redirect("desk_paper", tournament.code)


@desk_view(helper=True, in_hall=True)
@require_POST
def desk_paper_again(request: DeskRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Read a picture once more; with `fills` as the answer to how its ticks are meant."""
    picture = get_object_or_404(_pictures(request, tournament), pk=pk)
    fills = {"yes": True, "no": False}.get(request.POST.get("fills", ""))
    said = _("It is being read again.") if fills is not False else _("It stays as it was read.")
    take_step(request, partial(read_again, picture, fills=fills), said)
    if fills is False and picture.table is not None:
        return redirect("desk_paper_table", tournament.code, picture.table.round.number, picture.table.number)
    return redirect("desk_paper", tournament.code)


@desk_view(helper=True, in_hall=True)
@require_POST
def desk_paper_away(request: DeskRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Put away a picture that was of no use; sent twice it is gone once."""
    for picture in _pictures(request, tournament).filter(pk=pk):
        if put_away(picture):
            messages.success(request, _("The photograph has been deleted."))
    return redirect("desk_paper", tournament.code)


@desk_view(helper=True, in_hall=True)
@require_safe
def desk_paper_pieces(request: DeskRequest, tournament: Tournament, pk: int) -> FileResponse:
    """The lines of a picture, one below the other."""
    return pieces_file(get_object_or_404(_pictures(request, tournament), pk=pk))


def pieces_file(picture: SheetPicture) -> FileResponse:
    """Raises Http404 where there are none."""
    try:
        file = pieces(picture).open("rb")
    except (OSError, UnknownLayout):
        raise Http404 from None
    response = FileResponse(file, content_type="image/webp")
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    return response


# A read table


def _page(request: DeskRequest, tournament: Tournament, table: Table) -> ReadPage:
    def pieces_at(picture: SheetPicture) -> str:
        return reverse("desk_paper_pieces", args=[tournament.code, picture.pk])

    return ReadPage(request, table, request.user, pieces_at)


@desk_view(helper=True, in_hall=True, one_transaction=False)
def desk_paper_table(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    """Every line as text next to its part of the picture; one button imports all of them."""
    table = find_table(tournament, round_number, number)
    page = _page(request, tournament, table)
    if page.is_empty():
        messages.info(request, _("No photograph of this table is waiting to be saved."))
        return redirect("desk_table", tournament.code, round_number, number)
    if request.method == "POST" and page.take():
        return redirect("desk_paper", tournament.code)
    if page.is_empty():
        return redirect("desk_table", tournament.code, round_number, number)
    return page.show(f"{request.path}check/")


@desk_view(helper=True, in_hall=True, one_transaction=False)
@require_POST
def desk_paper_check(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    """Parse and validate the typed lines without storing anything."""
    return _page(request, tournament, find_table(tournament, round_number, number)).checked()


urlpatterns = [
    path(f"{DESK}paper/", desk_paper, name="desk_paper"),
    path(f"{DESK}paper/<int:pk>/again/", desk_paper_again, name="desk_paper_again"),
    path(f"{DESK}paper/<int:pk>/away/", desk_paper_away, name="desk_paper_away"),
    path(f"{DESK}paper/<int:pk>/pieces.webp", desk_paper_pieces, name="desk_paper_pieces"),
    path(f"{TABLE}paper/", desk_paper_table, name="desk_paper_table"),
    path(f"{TABLE}paper/check/", desk_paper_check, name="desk_paper_check"),
]


# With the captain's link: the own table's sheet is photographed, and what was read of it answered and taken in.

LOOK_AGAIN = "2"  # seconds
# So many photographs a minute by one link.
MOST_A_MINUTE = 10


def _open_table(secret: str) -> Table | None:
    """None if the link is not open; the table's own page explains why."""
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
            add_to_form(form, refusal, "photograph")
        else:
            return redirect("captain_paper", secret)
    job = see_to_reading(table.round.tournament, now=timezone.now())
    own = table.captains_pictures.order_by("-pk")
    waiting = own.filter(state=SheetPicture.State.WAITING).exists()
    being_read = waiting and job is not None and job.is_under_way
    # No automatic reload of a page with a form that is being filled in.
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
        # Works without scripts and without user action.
        page["Refresh"] = LOOK_AGAIN
    return hide_address(page)


def _slow_down(secret: str) -> None:
    """Reading takes long, and all evenings here wait for each other. Raises NotPossible."""
    sender = by_name("paper", secret)
    if is_throttled(sender, most=MOST_A_MINUTE):
        text = _("Many photographs are being processed right now. Try again in a minute.")
        raise NotPossible(text, "photograph")
    count_attempt(sender)


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
    """Answer how the ticks of a picture of the captain's table are meant, once."""
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
    return hide_address(pieces_file(get_object_or_404(SheetPicture, table=table, pk=pk)))


def _captains_page(request: HttpRequest, table: Table, secret: str) -> ReadPage:
    def pieces_at(picture: SheetPicture) -> str:
        return reverse("captain_paper_pieces", args=[secret, picture.pk])

    return ReadPage(request, table, None, pieces_at)


@csrf_exempt
@never_cache
def captain_paper_table(request: HttpRequest, secret: str) -> HttpResponse:
    """The captain's page of the reading of the own table's sheet."""
    table = _open_table(secret)
    if table is None:
        return redirect("captain", secret)
    page = _captains_page(request, table, secret)
    if page.is_empty():
        return redirect("captain_paper", secret)
    if request.method == "POST" and page.take():
        return redirect(f"{reverse('captain', args=[secret])}#sheet")
    if page.is_empty():
        return redirect("captain_paper", secret)
    return hide_address(page.show(f"{request.path}/check", secret))


@csrf_exempt
@never_cache
@require_POST
def captain_paper_check(request: HttpRequest, secret: str) -> HttpResponse:
    """Parse and validate the typed lines without storing anything."""
    table = _open_table(secret)
    if table is None:
        return JsonResponse({"error": "unknown"}, status=404)
    return _captains_page(request, table, secret).checked()


urlpatterns += [
    path("c/<str:secret>/paper", captain_paper, name="captain_paper"),
    path("c/<str:secret>/paper/table", captain_paper_table, name="captain_paper_table"),
    path("c/<str:secret>/paper/table/check", captain_paper_check, name="captain_paper_check"),
    path("c/<str:secret>/paper/<int:pk>/away", captain_paper_away, name="captain_paper_away"),
    path("c/<str:secret>/paper/<int:pk>/again", captain_paper_again, name="captain_paper_again"),
    path("c/<str:secret>/paper/<int:pk>/pieces.webp", captain_paper_pieces, name="captain_paper_pieces"),
]
