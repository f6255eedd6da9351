"""A club's history over all years, its records and their names."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache as cache_of_call
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from django.core.cache import cache
from django.db.models import Max, Q
from django.utils.translation import gettext_noop, ngettext_lazy

from clubs.models import Club
from core.caching import memoize
from core.sql import key_set, prepared_query
from tournaments.changes.versions import print_of_versions
from tournaments.domain.outcomes import WON
from tournaments.domain.terms import signed
from tournaments.ledger.deal_sums import parsed_deals
from tournaments.ledger.seating import Sittings
from tournaments.models import EveningResult, FormerSeat, Round, Seat, Table, Tournament
from tournaments.people import visibility
from tournaments.people.club_years import (
    COMEBACK,
    DEAL,
    EVENING,
    FIELDS,
    ROUND,
    SOLOS,
    TOUT,
    AtHost,
    Own,
    Year,
    best_beside,
    years,
)
from tournaments.people.person import bring_up_to_date
from tournaments.people.span import Span
from tournaments.seasons.results import SOLOS as SOLO_CONTRACTS
from tournaments.standings.statistics import Declared

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from tournaments.ledger.deal_sums import ParsedDeal


# The history of a club or a union: its years put together.

RUN, EVENINGS = "run", "evenings"


class Record(NamedTuple):
    """A record: `kind`, amount, holder and the evening's entry (primary key), the earliest that reached it.

    For a run and for the most evenings the entry is the newest one.
    """

    kind: str
    value: int
    player: int
    entry: int
    shared_by: int = 1


class Attendance(NamedTuple):
    """A year: how many evenings, different people, and people an evening."""

    year: int
    evenings: int
    people: int
    each: float


class Fame(NamedTuple):
    """A person in the hall of fame: wins, evenings that are over, tokens and deals at all of them."""

    player: int
    wins: int
    evenings: int
    tokens: int
    deals: int


class Milestone(NamedTuple):
    """A milestone in reach, such as a 500th deal (`what`: DEAL or EVENING) on an evening to come."""

    player: int
    what: str
    number: int
    now: int


# Deals and evenings that are worth a word.
HISTORY_DEAL, HISTORY_EVENING = "deal", "evening"
ROUND_DEALS = (100, 250, 500, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 7500, 10_000)
ROUND_EVENINGS = (10, 25, 50, 75, 100, 150, 200, 250, 300, 400, 500, 750, 1000)


@dataclass(frozen=True, slots=True)
class History:
    """The years in order, and each player over all of them, as far as privacy settings allow."""

    years: Sequence[Year]
    own: Mapping[int, Own]

    def records(self) -> list[Record]:
        """The records in the order of FIELDS, then the longest run and most evenings; empty ones are left out."""
        found = [one for kind in FIELDS if (one := record_in(self.years, kind))]
        runs = {player: own.longest_run for player, own in self.own.items()}
        evenings = {player: own.evenings for player, own in self.own.items()}
        return found + _most(RUN, runs, self.own) + _most(EVENINGS, evenings, self.own)

    def attendance(self) -> list[Attendance]:
        return [
            Attendance(year.year, year.evenings, year.people, year.chairs / year.evenings)
            for year in self.years
        ]

    def hall_of_fame(self, most: int = 20) -> list[Fame]:
        """The people with the most evenings won; equal ones by tokens."""
        won = [
            Fame(player, own.wins, own.finished, own.tokens, own.deals)
            for player, own in self.own.items()
            if own.wins
        ]
        return sorted(won, key=lambda one: (-one.wins, -one.tokens, one.player))[:most]

    def contracts(self) -> dict[str, Declared]:
        """Results by contract, the most played first."""
        return contracts_in(self.years)

    def hosts(self) -> dict[int, dict[int, AtHost]]:
        """Host -> year -> its share of that year."""
        found: dict[int, dict[int, AtHost]] = defaultdict(dict)
        for year in self.years:
            for host, share in year.hosts.items():
                found[host][year.year] = share
        return found

    def milestones(self, players: Iterable[int], deals: int) -> list[Milestone]:
        """The milestones that these players reach on their next evening, of so many deals; the greatest first."""
        found = []
        for player in players:
            own = self.own.get(player)
            if own is None:
                continue
            for what, now, more, numbers in (
                (HISTORY_DEAL, own.deals, deals, ROUND_DEALS),
                (HISTORY_EVENING, own.evenings, 1, ROUND_EVENINGS),
            ):
                found += [
                    Milestone(player, what, number, now) for number in numbers if now < number <= now + more
                ]
        return sorted(found, key=lambda one: (-one.number, one.player, one.what))


def history(around: Club, span: Span | None = None) -> History:
    return History(*years(around, span))


def contracts_in(years: Iterable[Year]) -> dict[str, Declared]:
    """Results of these years by contract, the most played first."""
    found: dict[str, Declared] = {}
    for year in years:
        for name, line in year.contracts.items():
            whole = found.setdefault(name, Declared())
            for field in ("deals", "tokens", "won", "bete", "kodille"):
                setattr(whole, field, getattr(whole, field) + getattr(line, field))
    return dict(sorted(found.items(), key=lambda item: (-item[1].deals, item[0])))


def record_in(years: Sequence[Year], kind: str) -> Record | None:
    """The record of these years; None where nobody has one. `kind` is one of FIELDS."""
    held = [year.best[kind] for year in years if kind in year.best]
    if not held:
        return None
    value = max(best.value for best in held)
    first = next(best for best in held if best.value == value)
    shared = sum(best.shared_by for best in held if best.value == value)
    return Record(kind, value, first.player, first.entry, shared)


def _most(kind: str, values: dict[int, int], own: Mapping[int, Own]) -> list[Record]:
    """The person with the most; of equal ones the one known longest."""
    value, player = max(((value, -player) for player, value in values.items()), default=(0, 0))
    if not value:
        return []
    shared = sum(other == value for other in values.values())
    return [Record(kind, value, -player, own[-player].entry, shared)]


# Records in words: what each is, and how much of what it is.

NAMES = {
    EVENING: gettext_noop("Most tokens in an evening"),
    ROUND: gettext_noop("Most tokens in a round"),
    DEAL: gettext_noop("Most tokens in a deal"),
    SOLOS: gettext_noop("Most solos won in an evening"),
    TOUT: gettext_noop("Highest tout"),
    COMEBACK: gettext_noop("Biggest comeback in an evening"),
    RUN: gettext_noop("Longest run without a bête"),
    EVENINGS: gettext_noop("Most evenings"),
}
COUNTED = {
    SOLOS: ngettext_lazy("%d solo", "%d solos"),
    RUN: ngettext_lazy("%d game", "%d games"),
    EVENINGS: ngettext_lazy("%d evening", "%d evenings"),
}


def record_value_text(kind: str, value: int) -> str:
    """“+38”, “5 solos”."""
    return str(COUNTED[kind] % value) if kind in COUNTED else signed(value)


# A club's records, who has won its evenings, and which records fall while an evening is played.

# Cache lifetime of a version's results: a day.
KEPT = 24 * 3600


def records(around: Club, span: Span | None = None) -> list[Record]:
    """The records, in the order of FIELDS, then the longest run and most evenings; none that is of nothing."""
    return history(around, span).records()


def attendance(around: Club, span: Span | None = None) -> list[Attendance]:
    """The attendance of each year."""
    return history(around, span).attendance()


def hall_of_fame(around: Club, span: Span | None = None, most: int = 20) -> list[Fame]:
    """The people with the most evenings won; equal ones by tokens."""
    return history(around, span).hall_of_fame(most)


def milestones(around: Club, players: Iterable[int], deals: int) -> list[Milestone]:
    """The milestones that these players reach on their next evening there, of so many deals; the greatest first."""
    return history(around).milestones(players, deals)


class Winner(NamedTuple):
    """The winner of an evening (an entry and its player); several, where a place is shared or a pair's."""

    tournament: int
    entry: int
    player: int
    tokens: int


def winners(around: Club, span: Span | None = None, most: int | None = None) -> list[Winner]:
    """The winners of each evening that is over, the newest first; of so many evenings at most."""
    over = visibility.evenings(around, span).filter(state=Tournament.State.FINISHED, results_kept=True)
    return winners_of(around, list(over.order_by("-date", "-pk").values_list("pk", flat=True)[:most]))


def winners_of(around: Club, evenings: Sequence[int]) -> list[Winner]:
    """The winners of these evenings, by primary keys, in their order."""
    first = EveningResult.objects.filter(tournament__in=evenings, place=1, division=1).order_by(
        "entry__number"
    )
    rows = [Winner(*row) for row in first.values_list("tournament", "entry", "entry__player", "tokens")]
    told = visibility.told_of(visibility.entries(around)).filter(pk__in=[one.entry for one in rows])
    may = set(told.values_list("pk", flat=True))
    found = [one for one in rows if one.entry in may]
    order = {evening: place for place, evening in enumerate(evenings)}
    return sorted(found, key=lambda one: order[one.tournament])


@dataclass(frozen=True, slots=True)
class Fallen:
    """A host's record broken at an evening: the old value, and the entry that broke it."""

    kind: str
    value: int
    entry: int
    before: int


def fallen(tournament: Tournament) -> list[Fallen]:
    """The host's records (of one evening) that were broken at this one, finished or running.

    They are compared with earlier evenings; a first evening breaks none. What may still fall counts when it is
    over: a round's tokens with the round, the evening's and a comeback with the evening. Cached by the versions of
    this and of the host's other evenings.
    """
    sealed = tournament.boards and not tournament.is_finished
    if sealed or tournament.is_called_off or tournament.host.statistics == Club.Statistics.NOWHERE:
        return []
    key, others = f"fallen:{tournament.pk}", others_of(tournament)
    kept: tuple[int, int, list[Fallen]] | None = cache.get(key)
    if kept is None or kept[:2] != (tournament.version, others):
        kept = tournament.version, others, _fallen(tournament, others)
        cache.set(key, kept, KEPT)
    return kept[2]


def others_of(tournament: Tournament) -> int:
    """A print of the host's other evenings: what they say now."""
    of, but = tournament.host_id, tournament.pk
    return memoize(("others", of, but), lambda: int(sum(_others(of, but))))


@prepared_query
def _others(host: int, but: int) -> QuerySet[Tournament, int]:
    others = Tournament.objects.filter(host=host).exclude(pk=but).order_by()
    return others.values("host").annotate(all=print_of_versions()).values_list("all", flat=True)


def _fallen(tournament: Tournament, others: int) -> list[Fallen]:
    before = _before(tournament, others)
    if not before:
        return []

    @cache_of_call
    def may() -> set[int]:
        told = visibility.told_of(visibility.entries(tournament.host).filter(tournament=tournament))
        return set(told.values_list("pk", flat=True))

    now = (_best_played if tournament.is_played else best_so_far)(tournament, before, may)
    return [
        Fallen(kind, value, entry, before.get(kind, 0))
        for kind in FIELDS
        for value, entry in [now[kind]]
        if value > before.get(kind, 0)
    ]


def _before(tournament: Tournament, others: int) -> dict[str, int]:
    """The host's records when this evening began; empty for the first evening.

    Cached by `others`, the fingerprint of all other evenings.
    """
    mark = tournament.date, tournament.state, others
    key = f"records-before:{tournament.pk}"
    kept: tuple[object, dict[str, int]] | None = cache.get(key)
    if kept is None or kept[0] != mark:
        kept = mark, _best_before(tournament)
        cache.set(key, kept, KEPT)
    return kept[1]


def _best_before(tournament: Tournament) -> dict[str, int]:
    host = tournament.host
    if not tournament.is_finished:
        return best_beside(host, tournament.pk, tournament.date.year)
    # For an old evening: the records of its day.
    span = Span(club=host.pk, last=tournament.date)
    bring_up_to_date(visibility.evenings(host, span).exclude(pk=tournament.pk))
    entries = visibility.told_of(visibility.entries(host, span)).exclude(tournament=tournament)
    rows = EveningResult.objects.filter(entry__in=entries.values("pk"), tournament__results_kept=True)
    best = rows.aggregate(**{kind: Max(field) for kind, field in FIELDS.items()})
    return {kind: max(value, 0) for kind, value in best.items() if value is not None}


class Bests(dict[str, tuple[int, int]]):
    """By kind the greatest value, if it is greater than `before`, and the first entry that reached it.

    An entry counts only if it `may` be shown, which is asked where a value is great enough: hardly ever.
    """

    def __init__(self, before: Mapping[str, int], may: Callable[[], Collection[int]]) -> None:
        super().__init__({kind: (before.get(kind, 0), 0) for kind in FIELDS})
        self.may = may

    def add(self, kind: str, value: int, entry: int) -> None:
        if value > self[kind][0] and entry in self.may():
            self[kind] = value, entry


def _best_played(
    tournament: Tournament, before: Mapping[str, int], may: Callable[[], Collection[int]]
) -> Bests:
    """The best of an evening that is over."""
    found = Bests(before, may)
    bring_up_to_date(Tournament.objects.filter(pk=tournament.pk))
    for entry, *values in tournament.results.order_by("entry").values_list("entry", *FIELDS.values()):
        for kind, value in zip(FIELDS, values, strict=True):
            found.add(kind, value, entry)
    return found


def best_so_far(
    tournament: Tournament, before: Mapping[str, int], may: Callable[[], Collection[int]]
) -> Bests:
    """The best of an evening in progress: of its deals, and of rounds that are over.

    Seats are read of the tables alone where something may be greater than `before`.
    """
    found, solos = Bests(before, may), Counter[int]()
    tables = Table.objects.filter(round__tournament=tournament, reports_count__gt=0)
    deals_at = parsed_deals(dict(tables.order_by("round__number", "number").values_list("pk", "last_hash")))
    great = {
        table: some
        for table, deals in deals_at.items()
        if (some := [one for one in deals if _is_great(one, before)])
    }
    sittings = Sittings(Q(table__in=key_set(great)))
    for table, deals in great.items():
        own: dict[tuple[str, int], int] = defaultdict(int)
        for deal in deals:
            at = sittings.entries_in_deal(table, deal.number)
            if not deal.is_totals_only:
                for entry, tokens in zip(at, deal.tokens, strict=False):
                    own[DEAL, entry] = max(own[DEAL, entry], tokens)
            if deal.declarer is not None and deal.is_declared:
                declarer = at[deal.declarer]
                own[SOLOS, declarer] += _is_solo_won(deal)
                if deal.tout == "won":
                    own[TOUT, declarer] = max(own[TOUT, declarer], deal.tokens[deal.declarer])
        for (kind, entry), value in sorted(own.items()):
            if kind == SOLOS:
                solos[entry] += value
            found.add(kind, solos[entry] if kind == SOLOS else value, entry)
    for tokens, entry in _rounds_over(tournament, before.get(ROUND, 0)):
        found.add(ROUND, tokens, entry)
    return found


def _is_great(deal: ParsedDeal, before: Mapping[str, int]) -> bool:
    """Whether a record may fall by this deal: by its tokens, a tout, or one solo more."""
    if max(deal.tokens) > before.get(DEAL, 0) or _is_solo_won(deal):
        return True
    return deal.tout == "won" and max(deal.tokens) > before.get(TOUT, 0)


def _is_solo_won(deal: ParsedDeal) -> bool:
    return deal.contract in SOLO_CONTRACTS and deal.outcome in WON and deal.is_declared


def _rounds_over(tournament: Tournament, before: int) -> Iterator[tuple[int, int]]:
    """Tokens and entries of closed rounds, for tables where a player may have won more than `before` tokens."""
    over = Q(round__tournament=tournament, round__state=Round.State.CLOSED)
    # After a substitution the seat has the tokens of both players.
    left = FormerSeat.objects.filter(over).order_by().values_list("table", flat=True)
    won = Seat.objects.filter(over, tokens__gt=before).order_by().values_list("table", flat=True)
    at = set(won.union(left))
    sittings = Sittings(Q(table__in=key_set(at)))
    for sat_there in sittings.at_table.values():
        for sat in sorted(sat_there, key=attrgetter("entry")):
            yield sat.tokens, sat.entry
