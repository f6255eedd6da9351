"""A club or union over the years: champions, attendance, statistics, milestones, records; clubs of a union compared."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from django.core.paginator import Paginator
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs.models import Club
from tournaments.domain.terms import contract_names, people
from tournaments.hall.charts import year_chart
from tournaments.hall.years.links import (
    Asked,
    AtEvening,
    Named,
    asked_of,
    at_evenings,
    page_of,
    pages_of,
    people_of,
)
from tournaments.models import Championship, Entry, OldEvent, Season, Tournament
from tournaments.people import visibility
from tournaments.people.club_years import DEAL, TOUT, champions, day_of, finished_competitions
from tournaments.people.history import EVENINGS, NAMES, RUN, Record, record_value_text, winners_of
from tournaments.people.old_results import OldHeld, old_events, old_wins
from tournaments.people.person_statistics import OwnDeal, deals_of
from tournaments.seasons.rating import Known
from tournaments.seasons.ratings import KNOWN, is_away, newest_ratings, refresh_ratings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    from tournaments.domain.comparison import Amount
    from tournaments.people.club_years import AtHost
    from tournaments.people.history import History, Milestone
    from tournaments.people.span import Span


# Page sizes of evenings, and of seasons and championships; lengths of the hall of fame and the milestones.
EVENINGS_SHOWN, CHAMPIONS, FAME, MILESTONES = 15, 10, 10, 8
# Of more contracts the others are put together.
CONTRACTS = 4
# If more players share the most wins, there is no sentence about them.
SHARE_MOST = 3


class Won(NamedTuple):
    """An evening, and who won it with how many tokens. An old one may have a year alone, and has no page."""

    day: date | None
    name: str
    address: str
    host: str
    first: list[tuple[Named, Amount | None]]
    year: int = 0
    is_old: bool = False


class Held(NamedTuple):
    """A season or championship and its champions; `awards` are titles with who has them."""

    year: int
    name: str
    address: str
    first: list[Named]
    awards: list[tuple[str, Named]]
    is_old: bool = False


class Famous(NamedTuple):
    rank: int
    who: Named
    wins: int
    evenings: int
    tokens: int
    # Of the wins, those from before the program.
    before: int = 0


class Near(NamedTuple):
    """A milestone in reach, of deals or evenings; `day` if known."""

    who: Named
    what: str
    number: int
    left: int


@require_safe
def hall_history(request: HttpRequest, slug: str) -> HttpResponse:
    asked = asked_of(request, slug)
    context = _context(request, asked, asked.history) if asked.history else {}
    return page_of(request, "history", asked, context)


def _context(request: HttpRequest, asked: Asked, told: History) -> dict[str, Any]:
    club, span = asked.club, asked.span_form.span
    old = old_events(club, span)
    evenings = Paginator(_in_order(club, span, old), EVENINGS_SHOWN).get_page(request.GET.get("page"))
    things = Paginator(_titles(club, span, old), CHAMPIONS).get_page(request.GET.get("champions"))
    attendance = told.attendance()
    held = sum(year.evenings for year in told.years)
    before = sum(one.event.kind == OldEvent.Kind.EVENING for one in old)
    fame, winners = _fame(told, old), winners_shown(club, list(evenings))
    return {
        "first_said": winners_text(fame, winners[0] if winners and evenings.number == 1 else None),
        "evenings": held,
        "in_progress": max(0, held - (evenings.paginator.count - before)),
        "people": len(told.own),
        "deals": sum(line.deals for line in told.contracts().values()),
        "since": told.years[0].year if told.years else None,
        "page": evenings,
        "winners": winners,
        "old": old,
        "things": things,
        "champions": _champions(club, list(things)),
        "fame": fame,
        "attendance": attendance[::-1],
        "attended": year_chart([(year.year, [year.people]) for year in attendance]),
        **_contracts(told),
        **(_milestones(club, told) if span.is_all else {}),
    }


def _in_order(
    club: Club, span: Span, old: Sequence[OldHeld]
) -> Sequence[int | OldHeld] | QuerySet[Tournament, int]:
    """The evenings that are over (primary keys) and those from before the program, the newest first.

    Most have none from before: then only the page's rows are queried, of twenty years of them.
    """
    over = visibility.evenings(club, span).filter(state=Tournament.State.FINISHED, results_kept=True)
    over, before = (
        over.order_by("-date", "-pk"),
        [one for one in old if one.event.kind == OldEvent.Kind.EVENING],
    )
    if not before:
        return over.values_list("pk", flat=True)
    found: list[tuple[date, int | OldHeld]] = list(over.values_list("date", "pk"))
    found += [(_day_of(one), one) for one in before]
    return [what for _day, what in sorted(found, key=lambda one: one[0], reverse=True)]


def _day_of(one: OldHeld) -> date:
    return one.event.date or date(one.event.year, 1, 1)


def winners_shown(club: Club, evenings: Sequence[int | OldHeld]) -> list[Won]:
    """The winners of these evenings, in their order."""
    mine = [one for one in evenings if isinstance(one, int)]
    first: dict[int, list[tuple[int, int]]] = {}
    for winner in winners_of(club, mine):
        first.setdefault(winner.tournament, []).append((winner.entry, winner.tokens))
    named = at_evenings([entry for entries in first.values() for entry, _tokens in entries])
    rows = Tournament.objects.select_related("host").in_bulk(mine)
    pages = _pages_of_old(evenings)
    return [
        _old_won(club, one, pages)
        if isinstance(one, OldHeld)
        else Won(
            rows[one].date,
            rows[one].name,
            rows[one].get_absolute_url(),
            "" if rows[one].host_id == club.pk else rows[one].host.name,
            [(named[entry].who, tokens) for entry, tokens in first.get(one, [])],
        )
        for one in evenings
    ]


def _pages_of_old(shown: Sequence[object]) -> dict[int, str]:
    """The pages of those who won what is from before the program."""
    held = (one for one in shown if isinstance(one, OldHeld))
    return pages_of(winner.player for one in held for winner in one.first)


def _old_won(club: Club, one: OldHeld, pages: Mapping[int, str]) -> Won:
    event = one.event
    host = "" if event.host_id == club.pk else event.host.name
    first = [
        (Named(each.name, "" if each.is_number else pages.get(each.player or 0, "")), each.tokens)
        for each in one.first
    ]
    return Won(event.date, event.name, "", host, list(first), event.year, is_old=True)


Title = Season | Championship | OldHeld


def _titles(club: Club, span: Span, old: Sequence[OldHeld]) -> list[Title]:
    """The seasons and championships that are over, and those from before the program, the newest first."""
    found: list[tuple[date, Title]] = []
    if span.is_all:
        found += [(day_of(one), one) for one in finished_competitions(club, timezone.localdate())]
    found += [(_day_of(one), one) for one in old if one.event.kind == OldEvent.Kind.TITLE]
    return [what for _day, what in sorted(found, key=lambda one: one[0], reverse=True)]


def _champions(club: Club, things: Sequence[Title]) -> list[Held]:
    if not things:
        return []
    found = champions(club, [one for one in things if not isinstance(one, OldHeld)])
    named = at_evenings([entry for one in found for entry in one.entries])
    holders = _holders(club, {player for one in found for _title, player in one.awards})
    pages = _pages_of_old(things)
    told = iter(
        Held(
            one.year,
            one.thing.name,
            one.thing.get_absolute_url(),
            [named[entry].who for entry in one.entries],
            [(title, holders[player]) for title, player in one.awards if player in holders],
        )
        for one in found
    )
    return [_old_held(club, one, pages) if isinstance(one, OldHeld) else next(told) for one in things]


def _old_held(club: Club, one: OldHeld, pages: Mapping[int, str]) -> Held:
    won = _old_won(club, one, pages)
    name = f"{won.name} · {won.host}" if won.host else won.name
    return Held(one.event.year, name, "", [each for each, _tokens in won.first], [], is_old=True)


def _holders(club: Club, players: set[int]) -> dict[int, Named]:
    """Holders of these awards, as far as the club's privacy settings allow."""
    if not players:
        return {}
    told = visibility.told_of(visibility.entries(club)).filter(player__in=players)
    return people_of(dict(told.order_by("pk").values_list("player", "pk")).values())


def _fame(told: History, old: Sequence[OldHeld]) -> list[Famous]:
    """The players with the most wins, older results included; equal ones by tokens."""
    before, own = old_wins(old), told.own
    wins: Counter[tuple[int, str]] = Counter({(one, ""): own[one].wins for one in own if own[one].wins})
    wins.update(before)

    def order(key: tuple[int, str]) -> tuple[int, int, int, str]:
        player, name = key
        return -wins[key], -own[player].tokens if player in own else 0, player, name

    first = sorted(wins, key=order)[:FAME]
    named = people_of([own[player].entry for player, _name in first if player in own])
    names = {winner.player: winner.name for one in old for winner in one.first}
    numbers = {winner.player for one in old for winner in one.first if winner.is_number}
    pages = pages_of(player for player, _name in first if player not in named and player not in numbers)
    counts = [wins[key] for key in first]
    return [
        Famous(
            counts.index(wins[player, name]) + 1,
            named.get(player) or Named(name or names[player], pages.get(player, "")),
            wins[player, name],
            own[player].evenings if player in own else 0,
            own[player].tokens if player in own else 0,
            before.get((player, name), 0),
        )
        for player, name in first
    ]


def winners_text(fame: Sequence[Famous], newest: Won | None) -> str:
    """A sentence on who has won most evenings; where many have, on who won the newest one. "" without any."""
    first = [line for line in fame if line.rank == 1]
    if first and len(first) <= SHARE_MOST and first[0].wins > 1:
        words = {"names": people([line.who.name for line in first]), "count": first[0].wins}
        said = ngettext(
            "%(names)s has won most evenings: %(count)d.",
            "%(names)s have won most evenings: %(count)d each.",
            len(first),
        )
        return said % words
    if newest is None or not newest.first:
        return ""
    return _("%(names)s won the newest evening, %(evening)s.") % {
        "names": people([who.name for who, _tokens in newest.first]),
        "evening": newest.name,
    }


def _contracts(told: History) -> dict[str, Any]:
    """The share of each contract in the games of a year; the most played ones as a chart."""
    whole = told.contracts()
    names = contract_names(whole)
    drawn = list(whole)[:CONTRACTS]
    rows = []
    for year in told.years:
        deals = {name: line.deals for name, line in year.contracts.items()}
        if games := sum(deals.values()):
            of_drawn = [deals.get(name, 0) for name in drawn]
            rows.append((year.year, games, [*of_drawn, games - sum(of_drawn)]))
    shares = [(year, [100 * each / games for each in counts]) for year, games, counts in rows]
    return {
        "contracts": [(names[name], line) for name, line in whole.items()],
        "drawn": [names[name] for name in drawn],
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
    """The club's next evening, if announced, and milestones that players may reach there.

    Expected are the entered players, or else those of the last evenings.
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


# Number of recent evenings whose players are expected at the next.
LATELY = 3


def _regulars(club: Club, told: History) -> list[int]:
    over = visibility.evenings(club).filter(host=club, results_kept=True).order_by("-date", "-pk")
    lately = list(over.values_list("pk", flat=True)[:LATELY])
    came = Entry.objects.filter(tournament__in=lately, result__isnull=False).order_by()
    return [player for player in set(came.values_list("player", flat=True)) if player in told.own]


# The records of a club or a union, each with who holds it and where it was made.


class Shown(NamedTuple):
    """A record: what it is, how much, who at which evening, and the URL of what made it.

    `others` is how many hold it too; of what was done over many evenings there is no URL.
    """

    name: str
    amount: str
    at: AtEvening
    address: str
    is_deal: bool
    others: int


@require_safe
def hall_records(request: HttpRequest, slug: str) -> HttpResponse:
    asked = asked_of(request, slug)
    held = records_shown(asked.history.records()) if asked.history else []
    return page_of(request, "records", asked, {"records": held, "first_said": holders_text(held)})


def holders_text(held: Sequence[Shown]) -> str:
    """A sentence on who holds most records, and since when; where nobody has two, on the newest. "" without any."""
    counts = Counter(one.at.who for one in held)
    most = max(counts.values(), default=0)
    first = [who for who, count in counts.items() if count == most]
    # What grows over many evenings has no day of its own.
    dated = [one for one in held if one.address and one.at.who in first]
    newest = max(dated, key=lambda one: one.at.day, default=None)
    words = {
        "names": people([who.name for who in first]),
        "count": most,
        "all": len(held),
        "day": date_format(newest.at.day, "DATE_FORMAT") if newest else "",
    }
    if most > 1 and len(first) > 1:
        return _("%(names)s hold %(count)d of the %(all)d records each.") % words
    if most > 1:
        said = (
            _("%(names)s holds %(count)d of the %(all)d records, the newest since %(day)s.")
            if newest
            else _("%(names)s holds %(count)d of the %(all)d records.")
        )
        return said % words
    if newest is None:
        return ""
    words |= {"name": newest.at.who.name, "record": newest.name, "amount": newest.amount}
    return _("Newest record: %(record)s, %(amount)s, by %(name)s on %(day)s.") % words


def records_shown(found: Sequence[Record]) -> list[Shown]:
    at = at_evenings([one.entry for one in found])
    deals = _deals([one for one in found if one.kind in (DEAL, TOUT)])
    return [
        Shown(
            _(NAMES[one.kind]),
            record_value_text(one.kind, one.value),
            at[one.entry],
            deals.get(one) or ("" if one.kind in (RUN, EVENINGS) else at[one.entry].address),
            one in deals,
            one.shared_by - 1,
        )
        for one in found
    ]


def _deals(found: Sequence[Record]) -> dict[Record, str]:
    """The sheet of the deal that made each of these records."""
    entries = Entry.objects.filter(pk__in={one.entry for one in found})
    addresses = {}
    for one in found:
        for deal in deals_of(entries.filter(pk=one.entry)).deals:
            if deal.tokens == one.value and (one.kind == DEAL or _is_tout(deal)):
                addresses[one] = _sheet(deal)
                break
    return addresses


def _is_tout(deal: OwnDeal) -> bool:
    return deal.deal.sort.tout == "won" and deal.deal.declarer == deal.position


def _sheet(deal: OwnDeal) -> str:
    at = deal.place
    return f"{reverse('hall_table', args=[at.code, at.round, at.table])}#line-{deal.number}"


# Comparison of a union's clubs: evenings, players, strength, growth.

# Minimum number of rated players for a meaningful mean.
LEAST_PLAYERS = 5


class Strength(NamedTuple):
    """The mean rating of a club's players who have not stayed away, and its standard deviation."""

    points: int
    give_or_take: int
    players: int

    @property
    def is_little(self) -> bool:
        return self.players < LEAST_PLAYERS


class Compared(NamedTuple):
    """A club's share of the union's evenings: people of its newest year, `more` than in the year before, and `each`
    evening of all; `columns` draw people by year.
    """

    club: Club
    evenings: int
    people: int
    more: int | None
    each: float
    columns: Sequence[Any]
    strength: Strength | None


@require_safe
def hall_clubs(request: HttpRequest, slug: str) -> HttpResponse:
    """Compare the clubs of a union. For any other club the page has that club alone, and no link leads there."""
    asked = asked_of(request, slug)
    context = {"least": LEAST_PLAYERS}
    if asked.history:
        context |= _compared(asked.club, asked.history)
    return page_of(request, "clubs", asked, context)


def _compared(union: Club, told: History) -> dict[str, Any]:
    recount_since = refresh_ratings(union)
    hosts, strong = told.hosts(), strengths(union)
    clubs = Club.objects.in_bulk(list(hosts))
    years = [year.year for year in told.years]
    most = max((share.people for of in hosts.values() for share in of.values()), default=0)
    rows = [
        Compared(
            clubs[pk],
            sum(share.evenings for share in of.values()),
            of[max(of)].people,
            of[max(of)].people - of[max(of) - 1].people if max(of) - 1 in of else None,
            sum(share.chairs for share in of.values()) / sum(share.evenings for share in of.values()),
            _columns(years, of, most),
            strong.get(pk),
        )
        for pk, of in hosts.items()
    ]
    return {
        "rows": sorted(rows, key=lambda row: (-row.evenings, row.club.name)),
        "recount_since": recount_since,
        "first": years[0] if years else None,
        "last": years[-1] if years else None,
    }


def _columns(years: Sequence[int], of: Mapping[int, AtHost], most: int) -> list[tuple[float, ...]]:
    """People by year: from the left, how wide, from the top, how high, in per cent."""
    each = 100 / max(1, years[-1] - years[0] + 1)
    high = {year: round(100 * share.people / most, 1) for year, share in of.items()}
    return [
        (round((year - years[0]) * each, 2), round(0.8 * each, 2), round(100 - high[year], 1), high[year])
        for year in years
        if year in high
    ]


def strengths(union: Club) -> dict[int, Strength]:
    """Club -> how strong its players are, by the ratings shown; of clubs that show ratings, and are counted there."""
    shown = newest_ratings(union).filter(entry__club__shows_rating=True)
    told = shown.filter(entry__club__in=visibility.hosts(union)).order_by()
    today, of = timezone.localdate(), defaultdict(list)
    for club, *known in told.values_list("entry__club", *KNOWN):
        if not is_away(now := Known(*known), today):
            of[club].append(now)
    return {
        club: Strength(
            round(sum(one.points for one in rated) / len(rated)),
            round(sqrt(sum(one.give_or_take**2 for one in rated)) / len(rated)),
            len(rated),
        )
        for club, rated in of.items()
    }
