"""Find a player, a table, an evening or a page from whatever page of the desk: by Ctrl-K, or as a page of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import path, reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from clubs.members import all_memberships
from clubs.names import is_number, matches_search
from clubs.roles import clubs_seen_by
from clubs.views.guards import sign_in_required
from tournaments.changes.permissions import may_help_at, may_organise_tournament, tournaments_of
from tournaments.domain.halls import with_hall
from tournaments.entries.entering import entries_found
from tournaments.ledger.queries import current_round
from tournaments.models import Seat, Tournament
from tournaments.web.guards import DeskRequest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from django.http import HttpResponse

    from clubs.models import Account
    from tournaments.models import Entry

# So many of each are listed; of evenings the newest so many are looked through. One letter finds no member.
LISTED, EVENINGS, LEAST = 8, 300, 2


@dataclass(frozen=True, slots=True)
class Found:
    """A search result: its kind, name, place, and page."""

    kind: str
    name: str
    said: str
    url: str


@sign_in_required
@require_safe
def desk_find(request: DeskRequest) -> HttpResponse:
    """Search for `q`, in the evening `t` first; only what the visitor may open."""
    query = request.GET.get("q", "")[:80].strip()
    tournament = _tournament(request.user, request.GET.get("t", ""))
    found = list(_search_results(request.user, tournament, query)) if query else []
    return render(request, "desk/club/find.html", {"q": query, "evening": tournament, "found": found})


def _tournament(account: Account, code: str) -> Tournament | None:
    """The evening whose desk the visitor has open; None where there is none that they may open."""
    tournament = (
        Tournament.objects.select_related("host", "held_by").filter(code=code).first() if code else None
    )
    if tournament is None or not may_help_at(account, tournament):
        return None
    return tournament


def _search_results(account: Account, tournament: Tournament | None, query: str) -> Iterator[Found]:
    if tournament is not None:
        yield from _tables(tournament, query)
        yield from _players(tournament, query)
    yield from _pages(account, tournament, query)
    yield from _evenings(account, query)
    yield from _members(account, query)


def _tables(tournament: Tournament, query: str) -> Iterator[Found]:
    """The table of a bare number, in the round that is running, or was last."""
    round_ = current_round(tournament) if is_number(query) else None
    if round_ is None:
        return
    for number in round_.tables.filter(number=int(query)).values_list("number", flat=True):
        url = reverse("desk_table", args=[tournament.code, round_.number, number])
        said = _("Round %(number)d") % {"number": round_.number}
        yield Found(_("Table"), _("Table %(number)d") % {"number": number}, said, url)


def _players(tournament: Tournament, query: str) -> Iterator[Found]:
    entries = list(entries_found(tournament, query).order_by("player__sorted_as", "number")[:LISTED])
    round_ = current_round(tournament)
    sat = Seat.objects.filter(round=round_, entry__in=entries).select_related("table") if round_ else ()
    seats = {seat.entry_id: seat for seat in sat}
    for entry in entries:
        url = reverse("desk_entry", args=[tournament.code, entry.number])
        yield Found(
            _("Player"), f"{entry.number} {entry.player.name}", _seat(entry, seats.get(entry.pk)), url
        )


def _seat(entry: Entry, seat: Seat | None) -> str:
    """A player's seat, else their club."""
    if seat is None:
        return str(entry.club or _("guest"))
    said = _("Table %(number)d, seat %(letter)s") % {"number": seat.table.number, "letter": seat.letter}
    return with_hall(entry.tournament.hall_at(seat.table.number), said)


def _pages(account: Account, tournament: Tournament | None, query: str) -> Iterator[Found]:
    pages = [
        ("desk", _("Desk")),
        ("clubs", _("Clubs")),
        ("desk_jobs", _("Background tasks")),
        ("my_account", _("My account")),
    ]
    found = [Found(pgettext("found", "Page"), name, "", reverse(page)) for page, name in pages]
    if tournament is not None:
        of_evening = _of_evening(tournament, organises=may_organise_tournament(account, tournament))
        found[:0] = [
            Found(pgettext("found", "Page"), name, tournament.name, reverse(page, args=[tournament.code]))
            for page, name in of_evening
        ]
    yield from [one for one in found if matches_search(query, one.name)][:LISTED]


def _of_evening(tournament: Tournament, *, organises: bool) -> list[tuple[str, str]]:
    """The pages of an evening's desk, by what they are called."""
    pages = [
        ("desk_tournament", _("Overview")),
        ("desk_entries", _("Players")),
        ("desk_add_members", _("Enter members")),
        ("desk_check_in", _("Check-in")),
        ("desk_draw", _("Draw")),
        ("desk_draw_explained", _("Who meets whom")),
        ("desk_board", _("Tables")),
        ("desk_codes", _("Enter a code")),
        ("desk_late", _("Late reports")),
        ("desk_clock", _("Clock")),
        ("desk_standings", _("Standings")),
        ("projector", _("Projector")),
        ("desk_print", _("Print")),
        ("desk_penalties", _("Penalties")),
        ("desk_money", _("Money")),
        ("desk_log", _("Log")),
    ]
    if "teams" in tournament.format_row.pages:
        pages += [("desk_teams", str(tournament.format_row.words.many)), ("desk_matches", _("Matches"))]
    if tournament.boards:
        pages.append(("desk_boards", _("Boards")))
    if organises:
        pages += [("tournament_setup", _("Set-up")), ("desk_finish", _("Finish"))]
    return pages


def _evenings(account: Account, query: str) -> Iterator[Found]:
    """Tournaments by name or place, the newest first."""
    mine = tournaments_of(account).filter(called_off_at=None)
    newest = mine.select_related("host").order_by("-date", "-pk")[:EVENINGS]
    found = [one for one in newest if matches_search(query, f"{one.name} {one.place}")]
    for one in found[:LISTED]:
        said = f"{date_format(one.date, 'DATE_FORMAT')} · {one.host}"
        yield Found(_("Evening"), one.name, said, reverse("desk_tournament", args=[one.code]))


def _members(account: Account, query: str) -> Iterator[Found]:
    """Members of the visitor's clubs, as many as are listed; where there are fewer, those who have left, too."""
    if len(query) < LEAST or is_number(query):
        return
    mine = all_memberships(clubs_seen_by(account), query=query).order_by()
    now = list(mine.filter(left=None)[:LISTED])
    gone = list(mine.exclude(left=None)[: LISTED - len(now)]) if len(now) < LISTED else []
    for some in (now, gone):
        for one in sorted(some, key=lambda one: one.player.sorted_as):
            page = reverse("member", args=[one.club.slug, one.pk])
            yield Found(_until(one.left) if one.left else _("Member"), one.player.name, str(one.club), page)


def _until(left: date) -> str:
    return _("Member until %(left)s") % {"left": date_format(left, "DATE_FORMAT")}


urlpatterns = [path("desk/find/", desk_find, name="desk_find")]
