"""A player's own page: seats, tokens over the deals, statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from core.pdf.store import a_pdf, for_visitor, pdf_answer
from tournaments.boards.folder_game import seats_to_play
from tournaments.boards.folders import opened_rounds, sealed_rounds
from tournaments.boards.results import Ranked, ranking_of_players
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.outcomes import TOTALS_ONLY, WON
from tournaments.domain.terms import contract_name, loss_names, outcome_name, seat_name
from tournaments.hall.charts import bars, curve
from tournaments.hall.folder_play_text import find_play_addresses
from tournaments.hall.live import HallRequest, find_tournament, listed_where_allowed, live_page
from tournaments.ledger.queries import NAMED_SEATS, rulebook_of
from tournaments.ledger.seating import sittings_of, tables_of
from tournaments.models import Entry, Penalty
from tournaments.paper.evening import evening_pdf
from tournaments.people import visibility
from tournaments.people.evening_cards import shown_cards
from tournaments.standings.players import standings
from tournaments.standings.statistics import PlayedDeal, deals_of, running_totals, statistics
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

    from scoring.rulebook import Rulebook
    from tournaments.models import Tournament


# What deals are to a player, as the statistics call them.
KINDS = {
    "defended": gettext_noop("Defended"),
    "joined": gettext_noop("Joined a nolo"),
    "sat_out": gettext_noop("Sat out"),
    "ruled": gettext_noop("Decided by a ruling"),
    TOTALS_ONLY: gettext_noop("Totals only, without deals"),
    "washed_out": gettext_noop("Passed by all"),
}


@require_safe
def hall_player(request: HallRequest, code: str, number: int) -> HttpResponseBase:
    tournament = find_tournament(code)
    entries = Entry.objects.select_related("player", "club", "team", "tournament__host")
    entry = get_object_or_404(entries, tournament=tournament, number=number)
    return live_page(
        request,
        tournament,
        "player",
        lambda: _evening(tournament, entry),
        part=str(number),
        # Whether it may be listed hangs on all their evenings: of one that is over nothing else brings it up to date.
        everybodys=not tournament.is_finished,
        entry=entry,
        unlisted=not visibility.may_be_found(entry.player),
    )


@a_pdf
@require_safe
def hall_player_pdf(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The player's evening as a one-page PDF; with `deals`, followed by all deals."""
    tournament = find_tournament(code)
    entries = Entry.objects.select_related("player", "club", "team", "tournament__host")
    entry = get_object_or_404(entries, tournament=tournament, number=number)
    with_deals = "deals" in request.GET
    answer = pdf_answer(
        request,
        lambda: evening_pdf(
            tournament, _evening(tournament, entry), with_deals=with_deals, **for_visitor(request)
        ),
        tournament.name,
        entry.shown_name,
        instead=reverse("hall_player", args=[tournament.code, number]),
    )
    return listed_where_allowed(answer, entry.player)


def _evening(tournament: Tournament, entry: Entry) -> dict[str, Any]:
    sealed = sealed_rounds(tournament)
    deals = [deal for deal in deals_of(entry) if deal.round not in sealed]
    rulebook = rulebook_of(tournament)
    counted = statistics(deals, rulebook.contracts)
    rows = standings(tournament).rows
    return _team(tournament, entry) | {
        "entry": entry,
        # Depends on this evening only: others may change without this page being rendered again.
        "has_years": visibility.own_entries(entry.player).filter(pk=entry.pk).exists(),
        "shows_achievements": tournament.host.shows_achievements
        and (entry.club is None or entry.club.shows_achievements),
        "row": next((row for row in rows if row.entry_id == entry.pk), None),
        "of": len(rows),
        "card": next((one for one in shown_cards(tournament) if one.entry == entry.pk), None),
        "same_cards": _on_the_same_cards(tournament, entry),
        "seats": _seats(entry),
        "penalties": Penalty.objects.filter(entry=entry, cancelled_at=None).select_related("round"),
        **_curve(tournament, deals, rulebook),
        "statistics": counted,
        "contracts": zip(bars(counted.contracts), counted.contracts.values(), strict=True),
        "losses": loss_names(rulebook),
        "roles": [(seat_name(rulebook, role), line) for role, line in counted.roles.items()],
    }


def _on_the_same_cards(tournament: Tournament, entry: Entry) -> Ranked | None:
    """The player's line of the duplicate ranking; None where there is none."""
    opened = opened_rounds(tournament)
    ranked = ranking_of_players(tournament, opened) if opened else ()
    return next((row for row in ranked if row.number == entry.number), None)


def _team(tournament: Tournament, entry: Entry) -> dict[str, Any]:
    """The player's pair or team: its place, and the other members."""
    team = entry.team
    if team is None:
        return {}
    others = team.members.select_related("player", "club", "tournament__host").exclude(pk=entry.pk)
    rows = team_standings(tournament).rows
    return {
        "partners": list(others.order_by("reserve", "number")),
        "team_row": next((row for row in rows if row.number == team.number), None),
    }


def _seats(entry: Entry) -> list[dict[str, Any]]:
    """The player's tables round by round, with those who sit there too."""
    tables = tables_of(entry).select_related("round").prefetch_related(NAMED_SEATS).in_bulk()
    return [
        {
            "table": tables[sat.table],
            "round": tables[sat.table].round,
            "letter": SEAT_LETTERS[sat.position],
            "tokens": sat.tokens,
            "others": [seat.entry for seat in tables[sat.table].seats.all() if seat.position != sat.position],
            # With a substitute: the player's own deals.
            "deals": (sat.first, sat.last or tables[sat.table].deals) if sat.in_part else None,
        }
        for sat in sittings_of(entry).seats_of(entry.pk)
    ]


@dataclass(frozen=True, slots=True)
class DealShown:
    """A deal on the player's curve: its text, tokens, and position in per cent."""

    deal: PlayedDeal
    what: str
    sum: int
    position: tuple[float, float]
    sheet: str

    @property
    def round(self) -> int:
        return self.deal.round

    @property
    def number(self) -> int:
        return self.deal.number

    @property
    def tokens(self) -> int:
        return self.deal.tokens

    @property
    def declared(self) -> bool:
        return self.deal.kind == "declared"

    @property
    def won(self) -> bool:
        return self.deal.report.outcome in WON

    @property
    def table(self) -> int:
        return self.deal.table


@dataclass(frozen=True, slots=True)
class Swing:
    """The deal with the player's largest win or loss."""

    title: str
    deal: DealShown
    said: str
    play: str


def _curve(tournament: Tournament, deals: list[PlayedDeal], rulebook: Rulebook) -> dict[str, Any]:
    """The curve, and its deals one by one; nothing where there are none."""
    if not deals:
        return {}
    totals = running_totals(deals)
    drawn = curve(totals, sorted(Counter(deal.round for deal in deals).items()))
    sheet_of = _sheets(tournament)
    shown = [
        DealShown(deal, _what(deal, rulebook), total, drawn.scale.point(step, total), sheet_of(deal))
        for step, (deal, total) in enumerate(zip(deals, totals[1:], strict=True), start=1)
    ]
    return {"curve": drawn, "deals": shown, "swings": list(_best_deals(tournament, shown, rulebook))}


def _best_deals(tournament: Tournament, deals: list[DealShown], rulebook: Rulebook) -> Iterator[Swing]:
    """The best deal, the first of those that brought as much, if it brought something; a table's totals are no deal.

    With the URL where it is played again, in the player's seat if that can be taken. The worst deal is shown
    nowhere: everybody may open the page.
    """
    played = [deal for deal in deals if deal.deal.kind != TOTALS_ONLY]
    best = max(played, key=lambda deal: deal.tokens, default=None)
    if best and best.tokens > 0:
        role = best.deal.role if best.deal.role in seats_to_play(rulebook) else None
        address = find_play_addresses(tournament)(best.round, best.table, best.number, role)
        yield Swing(_("Best deal"), best, _whole(best, rulebook), address)


def _whole(deal: DealShown, rulebook: Rulebook) -> str:
    """The full text of a deal for the player, with the game that another player declared in it."""
    report = deal.deal.report
    if deal.declared or not report.contract:
        return deal.what
    return f"{deal.what}: {contract_name(report.contract)}, {outcome_name(rulebook, report.outcome)}"


def _sheets(tournament: Tournament) -> Callable[[PlayedDeal], str]:
    """URL of a deal on its table's sheet; a table's URL is computed once."""

    @lru_cache
    def sheet(round_: int, table: int) -> str:
        return reverse("hall_table", args=[tournament.code, round_, table])

    return lambda deal: f"{sheet(deal.round, deal.table)}#line-{deal.number}"


def _what(deal: PlayedDeal, rulebook: Rulebook) -> str:
    """The text of a deal for the player; for an own game, its contract and outcome."""
    if deal.kind != "declared":
        return _(KINDS[deal.kind])
    return f"{contract_name(deal.report.contract)}, {outcome_name(rulebook, deal.report.outcome)}"
