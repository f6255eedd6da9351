"""The history of a club or a union: who has won what, who came, what was played, and what is to come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.core.paginator import Paginator
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.hall.years.named import Named, at_evenings, people_of
from tournaments.hall.years.of_club import Asked, asked_of, page_of
from tournaments.hall.years.year_chart import year_chart
from tournaments.models import Entry, Tournament
from tournaments.people import who
from tournaments.people.champions import champions, ended
from tournaments.people.records import winners_of
from tournaments.words.terms import contract_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from django.http import HttpRequest, HttpResponse

    from clubs.models import Club
    from tournaments.people.history import History, Milestone

# Evenings, and seasons and championships, on a page; people in the hall of fame; milestones that are told.
EVENINGS, CHAMPIONS, FAME, MILESTONES = 30, 12, 20, 8
# Of more contracts the others are put together.
CONTRACTS = 4


class Won(NamedTuple):
    """An evening, and who won it with how many tokens; of a place that many share, nobody is named."""

    day: date
    name: str
    address: str
    host: str
    first: list[tuple[Named, int]]


class Held(NamedTuple):
    """A season or championship and its champions; `awards` are titles with who has them."""

    year: int
    name: str
    address: str
    first: list[Named]
    awards: list[tuple[str, Named]]


class Famous(NamedTuple):
    rank: int
    who: Named
    wins: int
    evenings: int
    tokens: int


class Near(NamedTuple):
    """A round number that somebody is about to reach: of deals or of evenings; `day` where it is known."""

    who: Named
    what: str
    number: int
    left: int


@require_safe
def hall_history(request: HttpRequest, slug: str) -> HttpResponse:
    asked = asked_of(request, slug)
    context = _told(request, asked, asked.history) if asked.history else {}
    return page_of(request, "history", asked, context)


def _told(request: HttpRequest, asked: Asked, told: History) -> dict[str, Any]:
    club, span = asked.club, asked.span_form.span
    over = who.evenings(club, span).filter(state=Tournament.State.FINISHED, results_kept=True)
    evenings = Paginator(over.order_by("-date", "-pk").values_list("pk", flat=True), EVENINGS).get_page(
        request.GET.get("page")
    )
    things = Paginator(ended(club, timezone.localdate()) if span.is_all else [], CHAMPIONS).get_page(
        request.GET.get("champions")
    )
    attendance = told.attendance()
    return {
        "evenings": sum(year.evenings for year in told.years),
        "people": len(told.own),
        "deals": sum(line.deals for line in told.contracts().values()),
        "since": told.years[0].year if told.years else None,
        "page": evenings,
        "winners": winners_shown(club, list(evenings)),
        "things": things,
        "champions": _champions(club, list(things)),
        "fame": _fame(told),
        "attendance": attendance[::-1],
        "attended": year_chart([(year.year, [year.people]) for year in attendance]),
        **_contracts(told),
        **(_milestones(club, told) if span.is_all else {}),
    }


def winners_shown(club: Club, evenings: Sequence[int]) -> list[Won]:
    """Who won these evenings (primary keys), in their order."""
    first: dict[int, list[tuple[int, int]]] = {}
    for winner in winners_of(club, evenings):
        first.setdefault(winner.tournament, []).append((winner.entry, winner.tokens))
    named = at_evenings([entry for entries in first.values() for entry, _tokens in entries])
    rows = Tournament.objects.select_related("host").in_bulk(list(evenings))
    return [
        Won(
            rows[pk].date,
            rows[pk].name,
            rows[pk].get_absolute_url(),
            "" if rows[pk].host_id == club.pk else rows[pk].host.name,
            [(named[entry].who, tokens) for entry, tokens in first.get(pk, [])],
        )
        for pk in evenings
    ]


def _champions(club: Club, things: Sequence[Any]) -> list[Held]:
    found = champions(club, things)
    named = at_evenings([entry for one in found for entry in one.entries])
    holders = _holders(club, {player for one in found for _title, player in one.awards})
    return [
        Held(
            one.year,
            one.thing.name,
            one.thing.get_absolute_url(),
            [named[entry].who for entry in one.entries],
            [(title, holders[player]) for title, player in one.awards if player in holders],
        )
        for one in found
    ]


def _holders(club: Club, players: set[int]) -> dict[int, Named]:
    """Who has these awards, as far as the club's evenings tell of them."""
    told = who.told_of(who.entries(club)).filter(player__in=players)
    return people_of(dict(told.order_by("pk").values_list("player", "pk")).values())


def _fame(told: History) -> list[Famous]:
    famous = told.hall_of_fame(FAME)
    named = people_of([told.own[one.player].entry for one in famous])
    wins = [one.wins for one in famous]
    return [
        Famous(wins.index(one.wins) + 1, named[one.player], one.wins, one.evenings, one.tokens)
        for one in famous
    ]


def _contracts(told: History) -> dict[str, Any]:
    """Games of each contract by year, the most played ones drawn: what share of all they were."""
    whole = told.contracts()
    drawn = list(whole)[:CONTRACTS]
    rows = []
    for year in told.years:
        deals = {name: line.deals for name, line in year.contracts.items()}
        if games := sum(deals.values()):
            of_drawn = [deals.get(name, 0) for name in drawn]
            rows.append((year.year, games, [*of_drawn, games - sum(of_drawn)]))
    shares = [(year, [100 * each / games for each in counts]) for year, games, counts in rows]
    return {
        "contracts": [(contract_name(name), line) for name, line in whole.items()],
        "drawn": [contract_name(name) for name in drawn],
        "others": len(whole) > CONTRACTS,
        "by_year": rows[::-1],
        "played": year_chart(shares) if len(shares) > 1 else None,
    }


def _milestones(club: Club, told: History) -> dict[str, Any]:
    evening, near = milestones_near(club, told)
    named = people_of([told.own[one.player].entry for one in near])
    return {
        "next_evening": evening,
        "milestones": [Near(named[one.player], one.what, one.number, one.number - one.now) for one in near],
    }


def milestones_near(club: Club, told: History) -> tuple[Tournament | None, list[Milestone]]:
    """The club's next evening, if one is announced, and what those who are expected there may reach on it.

    Expected are those who are entered, or else whoever came to one of the last evenings.
    """
    mine = Tournament.objects.not_called_off().filter(host=club)
    coming = mine.filter(state=Tournament.State.SETUP, date__gte=timezone.localdate())
    evening = coming.order_by("date", "pk").first()
    model = evening or mine.order_by("-date", "-pk").first()
    if model is None:
        return None, []
    entered = set(evening.entries.values_list("player", flat=True)) if evening else set()
    near = told.milestones(entered or _regulars(club, told), model.rounds_planned * model.deals_per_round)
    return evening, near[:MILESTONES]


# Whoever was at one of so many evenings is expected at the next.
LATELY = 3


def _regulars(club: Club, told: History) -> list[int]:
    over = who.evenings(club).filter(host=club, results_kept=True).order_by("-date", "-pk")
    lately = list(over.values_list("pk", flat=True)[:LATELY])
    came = Entry.objects.filter(tournament__in=lately, result__isnull=False).order_by()
    return [player for player in set(came.values_list("player", flat=True)) if player in told.own]
