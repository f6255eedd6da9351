"""A club's records, and which of them fall while an evening is played."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, F, Max, Q, Sum

from tournaments.models import EveningResult, Tournament
from tournaments.people import who
from tournaments.people.person import bring_up_to_date
from tournaments.people.span import Span
from tournaments.seasons.feats import FEATS, feats_of, joined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from clubs.models import Club

EVENING, ROUND, DEAL, SOLOS, TOUT, COMEBACK = "evening", "round", "deal", "solos", "tout", "comeback"
RUN, EVENINGS = "run", "evenings"
# The records of one evening: by which field, the greatest first.
FIELDS = {
    EVENING: "tokens",
    ROUND: "best_round",
    DEAL: "best_deal",
    SOLOS: "solos",
    TOUT: "best_tout",
    COMEBACK: "comeback",
}


class Record(NamedTuple):
    """What somebody holds: `kind`, how much, whose, and at which evening (an entry's primary key), the first who did.

    A run, and most evenings, are over many: their `entry` is the newest.
    """

    kind: str
    value: int
    player: int
    entry: int
    shared_by: int = 1


def kept_of(around: Club, span: Span | None = None) -> QuerySet[EveningResult]:
    """The results of everybody at the club's evenings that may be told of somebody."""
    bring_up_to_date(who.evenings(around, span))
    entries = who.told_of(who.entries(around, span))
    return EveningResult.objects.filter(
        entry__in=entries.values("pk"), tournament__results_kept=True
    ).order_by()


def records(around: Club, span: Span | None = None) -> list[Record]:
    """The club's records, in the order of FIELDS, then the longest run and most evenings; none that is of nothing."""
    rows = kept_of(around, span)
    best = rows.aggregate(**{kind: Max(field) for kind, field in FIELDS.items()})
    held = {kind: value for kind, value in best.items() if value and value > 0}
    if not held:
        return _over_many(rows)
    of_one = reduce(or_, (Q(**{FIELDS[kind]: value}) for kind, value in held.items()))
    first = rows.filter(of_one).order_by("tournament__date", "tournament", "entry")
    told = list(first.values("entry", *FIELDS.values(), player=F("entry__player")))
    found = []
    for kind, value in held.items():
        holders = [row for row in told if row[FIELDS[kind]] == value]
        found.append(Record(kind, value, holders[0]["player"], holders[0]["entry"], len(holders)))
    return found + _over_many(rows)


def version_of(around: Club, span: Span | None = None) -> tuple[int, int]:
    """What changes with anything that a club's history says, and with no deal of an evening that is being played.

    For keeping it: of a union's 144,000 results it takes a second.
    """
    bring_up_to_date(who.evenings(around, span))
    kept = who.evenings(around, span).filter(results_kept=True)
    told = kept.aggregate(evenings=Count("pk"), versions=Sum("version"))
    return told["evenings"], told["versions"] or 0


def _over_many(rows: QuerySet[EveningResult]) -> list[Record]:
    told = rows.order_by("tournament__date", "tournament").values_list(
        "entry__player", "entry", "games", "first_run", "last_run", "longest_run"
    )
    by_player: dict[int, list[tuple[int, ...]]] = {}
    for player, *evening in told:
        by_player.setdefault(player, []).append(tuple(evening))
    runs = [(joined(one[1:] for one in evenings), player) for player, evenings in by_player.items()]
    most = [(len(evenings), player) for player, evenings in by_player.items()]
    found = []
    for kind, of in ((RUN, runs), (EVENINGS, most)):
        value, player = max(of, key=lambda one: (one[0], -one[1]), default=(0, 0))
        if value:
            newest = by_player[player][-1][0]
            found.append(Record(kind, value, player, newest, sum(other == value for other, _who in of)))
    return found


@dataclass(frozen=True, slots=True)
class Fallen:
    """A record of the host's that an evening has broken: what it was before, and by whom (an entry) it is broken."""

    kind: str
    value: int
    entry: int
    before: int


def fallen(tournament: Tournament) -> list[Fallen]:
    """Which of the host's records (of one evening) have fallen at this one, played or being played.

    Those of evenings before it; a first evening breaks none. The fold is of the whole evening: keep it by its version.
    """
    rows = kept_of(tournament.host).filter(tournament__host=tournament.host_id)
    earlier = rows.filter(tournament__date__lte=tournament.date).exclude(tournament=tournament)
    before = earlier.aggregate(**{kind: Max(field) for kind, field in FIELDS.items()})
    if before[EVENING] is None:
        return []
    now = _best_of(tournament)
    return [
        Fallen(kind, now[kind][0], now[kind][1], before[kind])
        for kind in FIELDS
        if kind in now and now[kind][0] > max(before[kind] or 0, 0)
    ]


def _best_of(tournament: Tournament) -> dict[str, tuple[int, int]]:
    """The evening's best by kind: how much, and whose (an entry); an evening's sum is one when it is over."""
    told = who.entries(tournament.host).filter(tournament=tournament)
    may = set(who.told_of(told).values_list("pk", flat=True))
    found: dict[str, tuple[int, int]] = {}

    def better(kind: str, value: int, entry: int) -> None:
        if entry in may and (kind not in found or value > found[kind][0]):
            found[kind] = value, entry

    for entry, feats in sorted(feats_of(tournament).items()):
        for kind, field in FIELDS.items():
            if field in FEATS:
                better(kind, getattr(feats, field), entry)
    if tournament.is_played:
        for entry, tokens in tournament.results.values_list("entry", "tokens").order_by("entry"):
            better(EVENING, tokens, entry)
    return found


class Attendance(NamedTuple):
    """A year: how many evenings, different people, and people an evening."""

    year: int
    evenings: int
    people: int
    each: float


def attendance(around: Club, span: Span | None = None) -> list[Attendance]:
    """By year."""
    rows = kept_of(around, span)
    told = rows.values_list("tournament__date__year").annotate(
        evenings=Count("tournament", distinct=True),
        people=Count("entry__player", distinct=True),
        all=Count("pk"),
    )
    return [
        Attendance(year, evenings, people, all_ / evenings) for year, evenings, people, all_ in sorted(told)
    ]


class Winner(NamedTuple):
    """Who won an evening (an entry and its player); several, where a place is shared or a pair's."""

    tournament: int
    entry: int
    player: int
    tokens: int


def winners(around: Club, span: Span | None = None, most: int | None = None) -> list[Winner]:
    """Those who were first at each evening that is over, the newest first."""
    over = kept_of(around, span).filter(place=1, tournament__state=Tournament.State.FINISHED)
    told = over.order_by("-tournament__date", "-tournament", "entry__number")
    rows = told.values_list("tournament", "entry", "entry__player", "tokens")
    return [Winner(*row) for row in (rows if most is None else rows[:most])]


class Fame(NamedTuple):
    """A person in the hall of fame: wins, evenings, tokens over all of them; `entry` is the newest."""

    player: int
    wins: int
    evenings: int
    tokens: int
    deals: int


def hall_of_fame(around: Club, span: Span | None = None, most: int = 20) -> list[Fame]:
    """Who has won the most evenings; equal ones by tokens."""
    rows = kept_of(around, span).filter(tournament__state=Tournament.State.FINISHED)
    told = rows.values_list("entry__player").annotate(
        wins=Count("pk", filter=Q(place=1)),
        evenings=Count("pk"),
        sum_tokens=Sum("tokens"),
        sum_deals=Sum("deals"),
    )
    return [
        Fame(*row) for row in told.filter(wins__gt=0).order_by("-wins", "-sum_tokens", "entry__player")[:most]
    ]


# Deals and evenings that are worth a word.
ROUND_DEALS = (100, 250, 500, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 7500, 10_000)
ROUND_EVENINGS = (10, 25, 50, 75, 100, 150, 200, 250, 300, 400, 500, 750, 1000)


class Milestone(NamedTuple):
    """What somebody is about to reach: their 500th deal (`what`: DEAL or EVENING) on an evening to come."""

    player: int
    what: str
    number: int
    now: int


def milestones(around: Club, players: Iterable[int], deals: int) -> list[Milestone]:
    """Which round numbers these players reach on their next evening there, of so many deals; the greatest first."""
    rows = kept_of(around).filter(entry__player__in=list(players))
    told = rows.values_list("entry__player").annotate(evenings=Count("pk"), dealt=Sum("deals"))
    found = []
    for player, evenings, dealt in told:
        for what, now, more, numbers in (
            (DEAL, dealt, deals, ROUND_DEALS),
            (EVENING, evenings, 1, ROUND_EVENINGS),
        ):
            found += [
                Milestone(player, what, number, now) for number in numbers if now < number <= now + more
            ]
    return sorted(found, key=lambda one: (-one.number, one.player, one.what))
