"""A deal was played with another folder than was thought: said by the captain, or at the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from core.errors import NotPossible
from core.http.responses import hide_address
from core.http.steps import add_to_form, posted_data
from tournaments.boards.folders import play_other_folder
from tournaments.desk.boards.folders_form import FolderForm
from tournaments.ledger.queries import LinkRevoked, table_by_secret
from tournaments.models import Table, Tournament
from tournaments.web.guards import DeskRequest, desk_view, one_by_one
from tournaments.web.lookup import find_table

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from clubs.models import Account


def _changed(
    request: HttpRequest, form: FolderForm, table: Table, deal: int, account: Account | None
) -> bool:
    """Whether it has been stored; what keeps it from that stands in the form."""
    if request.method != "POST" or not form.is_valid():
        return False
    typed, now = form.cleaned_data, timezone.now()
    try:
        play_other_folder(table, deal, typed["folder"], reason=typed["reason"], account=account, now=now)
    except NotPossible as refusal:
        add_to_form(form, refusal)
        return False
    return True


def _form(request: HttpRequest, table: Table, deal: int) -> FolderForm:
    """The form for a deal that has a folder; raises Http404 for any other."""
    folder = table.folder_of(deal) if 1 <= deal <= table.deals else None
    if folder is None:
        raise Http404
    return FolderForm(posted_data(request), initial={"folder": folder})


@desk_view(helper=True)
def desk_folder(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int, deal: int
) -> HttpResponse:
    table = find_table(tournament, round_number, number)
    form = _form(request, table, deal)
    if _changed(request, form, table, deal, request.user):
        sheet = reverse("desk_table", args=[tournament.code, round_number, number])
        return redirect(f"{sheet}#deal-{deal}")
    changes = table.folder_changes.filter(deal_number=deal)
    context = {"tournament": tournament, "round": table.round, "table": table, "deal": deal, "form": form}
    return render(request, "desk/boards/folder.html", context | {"changes": changes})


@csrf_exempt  # the secret in the address is the credential, there is no session
@never_cache
def captain_folder(request: HttpRequest, secret: str, deal: int) -> HttpResponse:
    table = _open_table(secret)
    if table is None:
        return redirect("captain", secret)  # which says what to do now
    if request.method != "POST":
        return _captains(request, table, deal)
    with one_by_one(table.round.tournament):
        table.refresh_from_db()
        return _captains(request, table, deal)


def _open_table(secret: str) -> Table | None:
    try:
        table = table_by_secret(secret)
    except (Table.DoesNotExist, LinkRevoked):
        return None
    return table if table.is_open else None


def _captains(request: HttpRequest, table: Table, deal: int) -> HttpResponse:
    secret = table.secret
    form = _form(request, table, deal)
    if _changed(request, form, table, deal, None):
        return redirect(f"{reverse('captain', args=[secret])}#sheet")
    context = {"table": table, "deal": deal, "form": form, "secret": secret}
    return hide_address(render(request, "captain/folder.html", context))


urlpatterns = [
    path(
        "desk/t/<str:code>/round/<int:round_number>/table/<int:number>/folder/<int:deal>/",
        desk_folder,
        name="desk_folder",
    ),
    path("c/<str:secret>/folder/<int:deal>/", captain_folder, name="captain_folder"),
]
