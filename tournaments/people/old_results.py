"""Old results: stored winners and standings of evenings before the program, and their import."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import lock_club, log_change
from clubs.matching import Doubts, Known, people_like, sure_matches
from clubs.member_rows import MemberRow
from clubs.models import Club, Membership, format_name
from clubs.names import folded
from core.errors import NotPossible
from core.sql import prepared_query
from tournaments.domain.comparison import Amount
from tournaments.models import OldEvent, OldPlace
from tournaments.models.names import NAMELESS
from tournaments.people import visibility
from tournaments.people.old_rows import Problem, Row
from tournaments.people.span import Span

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import date, datetime

    from django.db.models import QuerySet

    from clubs.models import Account, Player


# The plan of an import of old results, row by row: the dry run and the import both compute it.

# The name, the year and the day of an event.
Key = tuple[str, "int | None", "date | None"]
# Choice: no known player; the name is stored alone.
NOBODY = "nobody"


@dataclass(slots=True)
class Line:
    """A row, its player (None: a name alone), and the candidates if a choice is needed."""

    row: Row
    player: Known | None = None
    doubts: Sequence[Known] = ()
    # Key of the choice, the same for each row with this name.
    key: str = ""
    choice: str = ""

    @property
    def is_refused(self) -> bool:
        return bool(self.row.problems)


@dataclass(slots=True)
class Plan:
    """The result of matching: each row, and the events of these rows; of some events rows are refused."""

    lines: list[Line]
    events: dict[Key, list[Line]] = field(default_factory=dict)
    in_part: frozenset[str] = frozenset()
    """The marks of the events of which somebody wants what can be read."""

    @property
    def accepted_lines(self) -> list[Line]:
        return [line for line in self.lines if not line.is_refused]

    @property
    def mark(self) -> str:
        """Fingerprint of the plan, which changes if other rows or players would be stored, or other choices offered."""
        told = [
            [one.player for one in line.doubts] or (line.player and line.player.player)
            for line in self.accepted_lines
        ]
        return f"{crc32(repr(told).encode()):08x}"

    @property
    def refused(self) -> list[Line]:
        return [line for line in self.lines if line.is_refused]

    @property
    def lacking(self) -> list[tuple[str, Key, int, int]]:
        """The events of which not all can be read: mark, event, how many rows can, how many cannot."""
        return [
            (mark_of(key), key, len(lines), lines[0].row.lacks)
            for key, lines in self.events.items()
            if lines[0].row.lacks
        ]

    @property
    def accepted_events(self) -> dict[Key, list[Line]]:
        """The events that are stored; an event with errors only if it is allowed in part."""
        return {
            key: lines
            for key, lines in self.events.items()
            if not lines[0].row.lacks or mark_of(key) in self.in_part
        }


def mark_of(key: Key) -> str:
    """The key of an event in a form."""
    return f"part-{crc32(repr(key).encode()):08x}"


def make_plan(
    club: Club,
    account: Account,
    rows: Sequence[Row],
    choices: Mapping[str, str] | None = None,
    in_part: Collection[str] = (),
) -> Plan:
    """Match rows with players, and validate them. `choices` are a `Known.choice` or NOBODY by key.

    Events in `in_part`, by their marks, are imported without their invalid rows.
    """
    _refuse_twice(rows)
    _refuse_known(club, rows)
    names = list(dict.fromkeys(row.name for row in rows if row.name))
    asked = [MemberRow(row=number, name=name) for number, name in enumerate(names)]
    people = people_like(account, club, asked)
    sure = sure_matches(asked, people)
    doubts = Doubts(
        (one for one in people if one.player not in {known.player for known in sure.values()}), asked
    )
    lines: list[Line] = []
    for row in rows:
        line = Line(row)
        if row.name:
            number = names.index(row.name)
            line.key = f"who-{number}"
            line.player = sure.get(number)
            if line.player is None:
                line.doubts = doubts.about(asked[number]).people
                line.choice = (choices or {}).get(line.key, NOBODY)
                line.player = next((one for one in line.doubts if one.choice == line.choice), None)
        lines.append(line)
    plan = Plan(lines, in_part=frozenset(in_part))
    for line in plan.accepted_lines:
        plan.events.setdefault(line.row.key, []).append(line)
    _count_lacking(plan)
    return plan


def _count_lacking(plan: Plan) -> None:
    """Write at each row how many of its event are refused; one whose year could not be read may be of any year."""
    for key, lines in plan.events.items():
        event, year, _day = key
        lacks = sum(
            line.row.key == key
            or (line.row.event == event and (line.row.year or year) == year and line.row.day is None)
            for line in plan.refused
        )
        for line in lines:
            line.row.lacks = max(line.row.lacks, lacks)


def _refuse_twice(rows: Sequence[Row]) -> None:
    times = Counter((row.key, folded(row.name)) for row in rows if row.name)
    for row in rows:
        if times[row.key, folded(row.name)] > 1:
            row.problems.append(Problem("", _("The same name appears twice at this event.")))


def _refuse_known(club: Club, rows: Sequence[Row]) -> None:
    """Refuse rows that are stored already."""
    there = _known(club, {row.year for row in rows if row.year})
    for row in rows:
        if (folded(row.event), row.year, row.day) in there:
            row.problems.append(
                Problem("", _("This event already exists. Remove it first to enter it again."))
            )


def _known(club: Club, years: Collection[int]) -> set[tuple[str, int, date | None]]:
    """The club's events of these years."""
    found = OldEvent.objects.filter(host=club, year__in=years)
    return {(folded(event.name), event.year, event.date) for event in found}


@transaction.atomic
def take_in(club: Club, plan: Plan, kind: str, *, account: Account, now: datetime) -> int:
    """Store what can be; how many events that is. Raises NotPossible where there is nothing."""
    events = plan.accepted_events
    if not events:
        raise NotPossible(_("There are no results here that can be saved."))
    lock_club(club)
    there = _known(club, {year for _name, year, _day in events if year})
    for name, year, day in events:
        if (folded(name), year, day) in there:
            raise NotPossible(_("“%(event)s” has been entered again in the meantime.") % {"event": name})
    for (name, year, day), lines in events.items():
        event = OldEvent.objects.create(
            host=club,
            kind=kind,
            name=name,
            year=year,
            date=day,
            entered_at=now,
            entered_by=str(account)[:150],
        )
        OldPlace.objects.bulk_create(
            OldPlace(
                event=event,
                place=line.row.place,
                name=line.row.name,
                player_id=line.player.player if line.player else None,
                tokens=line.row.tokens,
            )
            for line in lines
        )
        text = gettext_noop("Entered the results of “{event}” ({year}) from before Spadille")
        log_change(club, account, text, now=now, event=name, year=year)
    return len(events)


LINES = {
    True: gettext_noop("Removed the results of “{event}” ({year}) from before Spadille"),
    False: gettext_noop("Restored the results of “{event}” ({year}) from before Spadille"),
}


@transaction.atomic
def remove(event: OldEvent, *, account: Account, now: datetime) -> None:
    """Let it be shown and counted nowhere; it can be put back."""
    _set(event, now, account=account, now=now)


@transaction.atomic
def put_back(event: OldEvent, *, account: Account, now: datetime) -> None:
    """Restore a deleted event. Raises NotPossible if it has been entered again meanwhile."""
    lock_club(event.host)
    twins = OldEvent.objects.filter(host=event.host_id, year=event.year, date=event.date)
    if any(folded(twin.name) == folded(event.name) for twin in twins):
        raise NotPossible(_("“%(event)s” has been entered again in the meantime.") % {"event": event})
    _set(event, None, account=account, now=now)


def _set(event: OldEvent, removed_at: datetime | None, *, account: Account, now: datetime) -> None:
    event.removed_at = removed_at
    event.save(update_fields=["removed_at"])
    text = LINES[removed_at is not None]
    log_change(event.host, account, text, now=now, event=event.name, year=event.year)


# Results from before the program, for histories: winners, as far as privacy settings allow.


class OldWinner(NamedTuple):
    """A winner, named as on the club's pages; `player` is None for a name alone.

    A player shown by number has no link, which would reveal the name.
    """

    player: int | None
    name: str
    tokens: Amount | None
    is_number: bool = False


@dataclass(slots=True)
class OldHeld:
    """An old event and who was first at it."""

    event: OldEvent
    first: list[OldWinner] = field(default_factory=list)


def old_events(around: Club, span: Span) -> list[OldHeld]:
    """The old events of a club, or of a union and its clubs, the newest first; their dates are known by year only."""
    if span not in (Span(), Span(year=span.year)):
        return []
    found = OldEvent.objects.filter(host__in=visibility.hosts(around)).select_related("host")
    if span.year is not None:
        found = found.filter(year=span.year)
    held = {event.pk: OldHeld(event) for event in found}
    first = list(told_of(OldPlace.objects.filter(event__in=held, place=1)))
    numbers = _numbers({one.player_id for one in first if one.player_id}, held.values())
    for one in first:
        at = held[one.event_id]
        if winner := _visible_winner(one, at.event.host, numbers):
            at.first.append(winner)
    return list(held.values())


def told_of(places: QuerySet[OldPlace]) -> QuerySet[OldPlace]:
    """Filter to places of players who are neither erased nor have objected."""
    found = places.exclude(name=NAMELESS).exclude(player__name=NAMELESS).exclude(player__has_objected=True)
    return found.select_related("player").order_by("place", "pk")


Numbers = dict[tuple[int, int], int | None]


def _numbers(players: Collection[int], held: Iterable[OldHeld]) -> Numbers:
    """The member numbers to be shown, by player and club, at hosts that show numbers."""
    hosts = {one.event.host_id for one in held if one.event.host.name_style == Club.NameStyle.NUMBER}
    found = Membership.objects.filter(player__in=players, club__in=hosts, number__isnull=False)
    return {(player, club): number for player, club, number in found.values_list("player", "club", "number")}


def _visible_winner(one: OldPlace, host: Club, numbers: Numbers) -> OldWinner | None:
    if host.name_style != Club.NameStyle.NUMBER:
        full = one.player.name if one.player else one.name
        return OldWinner(one.player_id, format_name(full, host.name_style, None), one.amount)
    number = numbers.get((one.player_id or 0, host.pk))
    return None if number is None else OldWinner(one.player_id, str(number), one.amount, is_number=True)


def old_wins(held: Iterable[OldHeld]) -> dict[tuple[int, str], int]:
    """The numbers of evenings won: by player without a name, or by 0 and the name. Titles are no evenings."""
    found: dict[tuple[int, str], int] = defaultdict(int)
    names: dict[str, str] = {}
    for one in held:
        for winner in one.first if one.event.kind == OldEvent.Kind.EVENING else ():
            name = names.setdefault(folded(winner.name), winner.name)
            found[(winner.player, "") if winner.player else (0, name)] += 1
    return found


def old_titles(player: Player) -> list[OldPlace]:
    """Seasons and championships from before the program that a player won, for their own page; the newest first."""
    return _won(player.pk)


@prepared_query
def _won(player: int) -> QuerySet[OldPlace]:
    own = Q(event__host__statistics=Club.Statistics.EVERYWHERE) & ~Q(
        event__host__name_style=Club.NameStyle.NUMBER
    )
    won = OldPlace.objects.filter(own, player=player, place=1, event__removed_at=None)
    found = told_of(won.filter(event__kind=OldEvent.Kind.TITLE)).select_related("event__host")
    return found.order_by("-event__year", "-event__date", "pk")
