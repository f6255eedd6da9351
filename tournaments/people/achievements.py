"""Achievements: a few badges, earned by play alone.

They are not stored but computed from deals and evenings, so a correction revokes what it undoes. Achievements of an
entire evening count when it is over; a tout or a round number of deals at once. Evenings of clubs that have
switched achievements off, and entries played for such a club, are excluded.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry, EveningResult, Seat, Tournament
from tournaments.people import visibility
from tournaments.people.person import evenings_of
from tournaments.people.person_statistics import DECLARED, deals_of
from tournaments.seasons.results import SOLOS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clubs.models import Player
    from tournaments.people.person import Evening
    from tournaments.people.person_statistics import OwnDeal


FIRST_TOUT, SUITS, ODDS, CLEAN, NOUGHT = "first_tout", "suits", "odds", "clean", "nought"
HUNDRED, THOUSAND, HAT_TRICK, SERIES = "hundred", "thousand", "hat_trick", "series"
YEARS, RISEN, EVERYBODY = "years", "risen", "everybody"
# In display order.
KINDS = (
    FIRST_TOUT, SUITS, ODDS, CLEAN, NOUGHT, RISEN, HAT_TRICK, SERIES, EVERYBODY, HUNDRED, THOUSAND, YEARS,
)  # fmt: skip
DEALS = {100: HUNDRED, 1000: THOUSAND}
# Games declared at an evening without a bet; deals of one that ends on nought; games lost before a solo against the
# odds.
LEAST_GAMES, LEAST_DEALS, LOST_BEFORE = 5, 20, 3
WINS, IN_A_ROW, MANY_YEARS = 3, 10, 10
ALL_SUITS = 4
# "Everyone": all who played this often in a year, if there are at least so many.
CAME, AT_LEAST = 3, 8


class Achievement(NamedTuple):
    """An achievement, and the evenings at which it was earned (tournaments by primary key), the first first."""

    kind: str
    evenings: tuple[Evening, ...]

    @property
    def name(self) -> str:
        return str(NAMES[self.kind])

    @property
    def how(self) -> str:
        """The condition of the achievement, as text."""
        return str(WAYS[self.kind])

    @property
    def first(self) -> Evening:
        return self.evenings[0]

    @property
    def times(self) -> int:
        return len(self.evenings)


# Host -> day -> the evening that the person was at.
Own = dict[int, dict[date, int]]


class _Told(NamedTuple):
    """Further data of an evening: its host (by primary key), and whether it is over."""

    host: int
    is_over: bool


def achievements_of(
    player: Player, evenings: Sequence[Evening], deals: Sequence[OwnDeal], today: date
) -> list[Achievement]:
    """A person's achievements at these evenings, with their deals there, both in the order of days."""
    told = _counting_evenings(player, evenings)
    counting = [one for one in evenings if one.tournament in told]
    over = [one for one in counting if told[one.tournament].is_over]
    played = [one for one in deals if one.place.evening in told]
    by_pk = {one.tournament: one for one in counting}
    found: dict[str, list[int]] = defaultdict(list)
    finished = {one.tournament for one in over}
    own: Own = defaultdict(dict)
    for one in over:
        own[told[one.tournament].host][one.day] = one.tournament
    # Clubs where the player played less often cannot qualify.
    held = _finished_evenings(host for host, days in own.items() if len(days) >= CAME)
    for kind, evening in (
        *_of_deals(played, finished),
        *_of_evenings(over),
        *_risen(over),
        *_series(own, held),
        *_everybody(player, own, held, today),
    ):
        found[kind].append(evening)
    return [
        Achievement(kind, tuple(by_pk[evening] for evening in found[kind])) for kind in KINDS if kind in found
    ]


def of_player(player: Player, today: date) -> list[Achievement]:
    """All achievements of a player within the evenings of their own page."""
    entries = visibility.own_entries(player)
    deals = deals_of(entries).deals
    return achievements_of(player, evenings_of(entries, deals), deals, today)


def earned_at(achieved: Iterable[Achievement], tournament: Tournament) -> list[Achievement]:
    """The achievements earned at an evening."""
    return [one for one in achieved if any(at.tournament == tournament.pk for at in one.evenings)]


def _counting_evenings(player: Player, evenings: Sequence[Evening]) -> dict[int, _Told]:
    """The evenings that count, by primary key."""
    entries = Entry.objects.filter(player=player, tournament__in=[one.tournament for one in evenings])
    shown = Q(tournament__host__shows_achievements=True) & (Q(club=None) | Q(club__shows_achievements=True))
    rows = entries.filter(shown).order_by().values_list("tournament", "tournament__host", "tournament__state")
    return {pk: _Told(host, state == Tournament.State.FINISHED) for pk, host, state in rows}


def _of_deals(deals: Sequence[OwnDeal], finished: set[int]) -> Iterator[tuple[str, int]]:
    """Achievements by deals, one by one or over an evening."""
    games = [one for one in deals if one.kind == DECLARED]
    tout = next((one for one in games if one.deal.sort.tout == "won"), None)
    if tout:
        yield FIRST_TOUT, tout.place.evening
    suits: set[str] = set()
    for one in games:
        sort = one.deal.sort
        if sort.contract in SOLOS and sort.is_won and sort.trump and sort.trump not in suits:
            suits.add(sort.trump)
            if len(suits) == ALL_SUITS:
                yield SUITS, one.place.evening
    counted = [one for one in deals if one.is_dealt and not one.deal.is_totals_only]
    for number, kind in DEALS.items():
        if len(counted) >= number:
            yield kind, counted[number - 1].place.evening
    for evening, at in groupby(games, key=lambda one: one.place.evening):
        yield from _of_games(evening, list(at), is_over=evening in finished)


def _of_games(evening: int, games: Sequence[OwnDeal], *, is_over: bool) -> Iterator[tuple[str, int]]:
    """The outcomes of the games declared at an evening, in their order."""
    lost = 0
    for one in games:
        sort = one.deal.sort
        if sort.contract in SOLOS and sort.is_won and lost >= LOST_BEFORE:
            yield ODDS, evening
        lost = lost + 1 if sort.is_bet or sort.is_kodille else 0
    none_lost = not any(one.deal.sort.is_bet or one.deal.sort.is_kodille for one in games)
    if is_over and none_lost and len(games) >= LEAST_GAMES:
        yield CLEAN, evening


def _of_evenings(over: Sequence[Evening]) -> Iterator[tuple[str, int]]:
    """Achievements by evenings that are over."""
    years: set[int] = set()
    wins = 0
    for one in over:
        if one.tokens == 0 and one.deals >= LEAST_DEALS:
            yield NOUGHT, one.tournament
        wins = wins + 1 if one.is_won else 0
        if wins == WINS:
            yield HAT_TRICK, one.tournament
        if one.day.year not in years and len(years) == MANY_YEARS - 1:
            yield YEARS, one.tournament
        years.add(one.day.year)


def _risen(over: Sequence[Evening]) -> Iterator[tuple[str, int]]:
    """Evenings that were won by who was last of all after one of their rounds."""
    won = {one.tournament: one for one in over if one.is_won}
    alone = Seat.objects.filter(round__tournament__teams=None)
    sat = alone.filter(round__tournament__in=won, table__reports_count__gt=0)
    rows = sat.order_by("round__tournament", "round__number").values_list(
        "round__tournament", "round__number", "entry__number", "tokens"
    )
    for evening, seats in groupby(rows, key=lambda row: row[0]):
        totals: dict[int, int] = defaultdict(int)
        mine = won[evening].number
        for _round, at in groupby(seats, key=lambda row: row[1]):
            for _evening, _number, entry, tokens in at:
                totals[entry] += tokens
            if totals.get(mine, 0) < min((total for one, total in totals.items() if one != mine), default=0):
                yield RISEN, evening
                break


def _finished_evenings(hosts: Iterable[int]) -> dict[int, tuple[int, date]]:
    """The evenings of clubs that are over: tournament -> host and day, in the order of days."""
    finished = Tournament.objects.not_called_off().filter(host__in=hosts, state=Tournament.State.FINISHED)
    # In no order of the database's, which would go through all that is finished by day.
    rows = sorted(finished.order_by().values_list("date", "code", "pk", "host"))
    return {pk: (host, day) for day, _code, pk, host in rows}


def _series(own: Own, held: dict[int, tuple[int, date]]) -> Iterator[tuple[str, int]]:
    """Days on which a club had evenings, so many in a row that the person was at."""
    for host, days in own.items():
        going = 0
        for day in dict.fromkeys(day for at, day in held.values() if at == host):
            going = going + 1 if day in days else 0
            if going == IN_A_ROW:
                yield SERIES, days[day]


def _everybody(
    player: Player, own: Own, held: dict[int, tuple[int, date]], today: date
) -> Iterator[tuple[str, int]]:
    """Finished years in which the player sat with all regulars of a club."""
    came = Counter((host, day.year) for host, days in own.items() for day in days if day.year < today.year)
    often = {where for where, times in came.items() if times >= CAME}
    there = {pk: (host, day) for pk, (host, day) in held.items() if (host, day.year) in often}
    if not there:
        return
    times: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    results = EveningResult.objects.filter(tournament__in=there).exclude(entry__player=player).order_by()
    for evening, other in results.values_list("tournament", "entry__player"):
        host, day = there[evening]
        times[host, day.year][other] += 1
    met = _met(player, there)
    for (host, year), others in times.items():
        regulars = [other for other, count in others.items() if count >= CAME]
        if len(regulars) >= AT_LEAST and all((host, year, other) in met for other in regulars):
            yield EVERYBODY, own[host][max(met[host, year, other] for other in regulars)]


def _met(player: Player, there: dict[int, tuple[int, date]]) -> dict[tuple[int, int, int], date]:
    """(Host, year, other player) -> the first day on which the person sat with them at a table there that year."""
    mine = Seat.objects.filter(entry__player=player, round__tournament__in=there, table__reports_count__gt=0)
    beside = Seat.objects.filter(table__in=mine.order_by().values("table")).exclude(entry__player=player)
    met: dict[tuple[int, int, int], date] = {}
    for evening, other in beside.order_by().values_list("round__tournament", "entry__player"):
        host, day = there[evening]
        met[host, day.year, other] = min(day, met.get((host, day.year, other), day))
    return met


# What achievements are called, and what each took.

NAMES = {
    "first_tout": _("The first tout"),
    "suits": _("Solo in every suit"),
    "odds": _("Against the odds"),
    "clean": _("An evening without a bête"),
    "nought": _("Back where it began"),
    "risen": _("From the bottom to the top"),
    "hat_trick": _("Three wins in a row"),
    "series": _("Ten evenings in a row"),
    "everybody": _("Has met everyone"),
    "hundred": _("A hundred deals"),
    "thousand": _("A thousand deals"),
    "years": _("Ten years at the table"),
}
WAYS = {
    "first_tout": _("Took every trick as declarer."),
    "suits": _("Won a solo in each of the four suits."),
    "odds": _("Won a solo after losing three games in a row as declarer."),
    "clean": _("Declared five or more games in an evening and lost none."),
    "nought": _("Played twenty or more deals and ended on 0 tokens."),
    "risen": _("Was last after a round and won the evening."),
    "hat_trick": _("Won three evenings in a row."),
    "series": _("Attended ten of a club’s evenings in a row."),
    "everybody": _("In one year, sat with everyone who came to at least three of the club’s evenings."),
    "hundred": _("Has played a hundred deals."),
    "thousand": _("Has played a thousand deals."),
    "years": _("Has played in ten different years."),
}
