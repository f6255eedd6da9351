"""Stages of a championship: their tournaments, standings and who qualifies."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from django.db.models import Q

from tournaments.domain.comparison import Amount
from tournaments.domain.formats import Ranked
from tournaments.models import Championship, Entry, Stage, Team, Tournament
from tournaments.standings.players import standings
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


# Qualification from a stage's groups to the next stage, and the groups there. Plain numbers in and out.

T = TypeVar("T")


class Way(StrEnum):
    """Ways of qualifying: by place in the group, or among the next best of all groups."""

    GROUP = "group"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class Contender:
    """A contender in a group (key of a player or team), with the compared values: the greater tuple is first.

    `lot` is the random tie-break, also at the qualifying line.
    """

    key: int
    score: tuple[Amount, ...]
    rank: int
    lot: int = 0


@dataclass(frozen=True, slots=True)
class Qualified:
    """A qualified contender, with group (counted from 0) and way; `seed` is the seeding position, from 1."""

    contender: Contender
    group: int
    way: Way
    seed: int


def qualified(
    groups: Sequence[Sequence[Contender]], each: int, next_best: int, out: Collection[int] = ()
) -> list[Qualified]:
    """The best `each` of every group and the `next_best` of the others, best seed first.

    Who is `out` (does not take part in the next stage) is passed over: the next in line of the group, or of all,
    moves up.
    Winners of groups are seeded before those in second place, and these before the next best.
    """
    lines = [
        sorted((one for one in group if one.key not in out), key=lambda one: (one.rank, -one.lot))
        for group in groups
    ]
    by_group = [
        (place, one, number, Way.GROUP)
        for number, line in enumerate(lines)
        for place, one in enumerate(line[:each])
    ]
    others = [(one, number) for number, line in enumerate(lines) for one in line[each:]]
    others.sort(key=lambda pair: (pair[0].score, -pair[0].rank, pair[0].lot), reverse=True)
    by_next = [(each, one, number, Way.NEXT) for one, number in others[:next_best]]
    by_group.sort(key=lambda found: (-found[0], found[1].score, found[1].lot), reverse=True)
    return [
        Qualified(one, number, way, seed)
        for seed, (_place, one, number, way) in enumerate([*by_group, *by_next], start=1)
    ]


def snake(line: Sequence[T], groups: int) -> list[list[T]]:
    """A line in groups, there and back: 1 2 3 / 6 5 4 / 7 8 9."""
    dealt: list[list[T]] = [[] for _group in range(groups)]
    for index, one in enumerate(line):
        row, place = divmod(index, groups)
        dealt[groups - 1 - place if row % 2 else place].append(one)
    return dealt


def taken_along(total: Amount, per_cent: int) -> int:
    """A percentage of a total, in hundredths, rounded half away from 0."""
    hundredths = Fraction(total) * per_cent
    rounded = int(abs(hundredths) + Fraction(1, 2))
    return rounded if hundredths >= 0 else -rounded


# A championship's stages: their groups, which are tournaments, and who qualifies (`qualifying`).


@dataclass(frozen=True, slots=True)
class Party:
    """A player or a team of four (a pair) in a group; `key` is the player's or the team's."""

    key: int
    number: int
    name: str
    club: str
    rank: int
    shared: bool
    score: tuple[Amount, ...]
    withdrawn: bool
    lot: int = 0
    # Of the score, what was taken along from the stage before.
    carried: tuple[Amount, ...] = ()

    @property
    def total(self) -> Amount:
        return self.score[0]


@dataclass(frozen=True)
class Group:
    """A group; `letter` is A, B, C… if there are several."""

    tournament: Tournament
    parties: Sequence[Party]
    letter: str

    @property
    def entered(self) -> int:
        """Players, or pairs or teams, who are in it and have not withdrawn, whether or not they are here yet."""
        if self.tournament.in_teams:
            return self.tournament.teams.filter(withdrawn=False).count()
        return self.tournament.entries.exclude(status=Entry.Status.WITHDRAWN).count()

    @property
    def entered_text(self) -> str:
        """Number of entries in words."""
        return self.tournament.format_row.words.entered % {"count": self.entered}

    @property
    def expected(self) -> list[tuple[str, Amount]]:
        """Players entered before any check-in, as the hall may show them, with carried points."""
        entered = self.tournament.entries.exclude(status=Entry.Status.WITHDRAWN).order_by(
            "-carried", "number"
        )
        found = entered.select_related("player", "club")
        return [(entry.shown_name, Fraction(entry.carried, 100)) for entry in found]


def origin_of(tournament: Tournament, number: int) -> str:
    """The key of a team in the stages after `tournament`, independent of its name there."""
    return f"{tournament.code}-{number}"


class StageTable:
    """A stage's current state: its groups, and who qualifies."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        found = list(stage.tournaments.not_called_off().select_related("host").order_by("date", "pk"))
        letters = [chr(ord("A") + number) if len(found) > 1 else "" for number in range(len(found))]
        self.groups = [
            Group(tournament, parties_of(tournament), letter)
            for tournament, letter in zip(found, letters, strict=True)
        ]

    @property
    def of_teams(self) -> bool:
        return any(group.tournament.in_teams for group in self.groups)

    @property
    def is_over(self) -> bool:
        return bool(self.groups) and all(group.tournament.is_finished for group in self.groups)

    @property
    def is_last(self) -> bool:
        return not (self.stage.each or self.stage.next_best)

    @cached_property
    def parties(self) -> dict[int, Party]:
        return {party.key: party for group in self.groups for party in group.parties}

    def line(self, out: Collection[int] = ()) -> list[Qualified]:
        """Qualified contenders, best seed first, without those who are `out` or have withdrawn."""
        gone = {key for key, party in self.parties.items() if party.withdrawn} | set(out)
        contenders = [
            [Contender(party.key, party.score, party.rank, party.lot) for party in group.parties]
            for group in self.groups
        ]
        return qualified(contenders, self.stage.each, self.stage.next_best, gone)

    @property
    def lacking(self) -> int:
        """The number of the stage's missing groups."""
        return max(self.stage.groups - len(self.groups), 0)

    @property
    def winners(self) -> list[str]:
        """The winners of the championship, once its last stage is over; several share the first place."""
        if not (self.is_last and self.is_over and len(self.groups) == 1):
            return []
        return [party.name for party in self.groups[0].parties if party.rank == 1 and not party.withdrawn]

    @cached_property
    def next_stage(self) -> Stage | None:
        later = self.stage.championship.stages.filter(number__gt=self.stage.number)
        return later.order_by("number").first()

    @cached_property
    def entered(self) -> dict[int, bool]:
        """The qualified of this stage who are in the next one; True for those who have not withdrawn from it."""
        if self.next_stage is None:
            return {}
        there_now = Q(tournament__stage=self.next_stage, tournament__called_off_at=None)
        if self.of_teams:
            there = {
                # Teams that an earlier Spadille has sent on are known by their name alone.
                team.origin or team.name: not team.withdrawn
                for team in Team.objects.filter(there_now)
            }
            return {
                party.key: there[name]
                for group in self.groups
                for party in group.parties
                for name in (origin_of(group.tournament, party.number), party.name)
                if name in there
            }
        sent = Entry.objects.filter(there_now).values_list("player", "status")
        return {player: status != Entry.Status.WITHDRAWN for player, status in sent if player in self.parties}

    @cached_property
    def declined(self) -> set[int]:
        """The qualified who were left out when the next stage was made."""
        out: set[int] = set()
        while self.entered:
            missing = {one.contender.key for one in self.line(out)} - self.entered.keys()
            if not missing:
                break
            out |= missing
        return out

    @cached_property
    def going(self) -> dict[int, Qualified]:
        """Current qualifiers by key; once the next stage is made, those it was made with."""
        return {one.contender.key: one for one in self.line(self.declined)}

    @property
    def next_in_line(self) -> list[Qualified]:
        """The next in line for those who have withdrawn from the next stage."""
        if not self.entered:
            return []
        gone = {key for key, there in self.entered.items() if not there}
        return [one for one in self.line(self.declined | gone) if one.contender.key not in self.entered]


def _players(tournament: Tournament) -> list[Party]:
    players = dict(tournament.entries.values_list("pk", "player"))
    parties = [
        Party(
            players[row.entry_id], row.number, row.name, row.club, row.rank, row.shared, (row.total,),
            row.withdrawn, row.lot, (row.carried,),
        )
        for row in standings(tournament).rows
    ]  # fmt: skip
    return sorted(parties, key=lambda party: (party.rank, -party.lot))


def _teams(tournament: Tournament) -> list[Party]:
    keys = {team.number: team.pk for team in tournament.teams.all()}
    return [
        Party(
            keys[row.number], row.number, row.name, row.club, place, row.shared, (row.points, row.tokens),
            row.withdrawn, -row.number, (row.carried_points, row.carried_tokens),
        )
        for place, row in enumerate(team_standings(tournament).rows, start=1)
    ]  # fmt: skip


PARTIES = {Ranked.PLAYERS: _players, Ranked.TEAMS: _teams}


def parties_of(tournament: Tournament) -> list[Party]:
    """The players, or the pairs or teams, of a tournament as they stand."""
    return PARTIES[tournament.format_row.ranked](tournament)


def tables_of(championship: Championship) -> list[StageTable]:
    return [StageTable(stage) for stage in championship.stages.select_related("championship")]


def by_the_place(tournament: Tournament) -> set[int]:
    """Numbers of those who qualify by their place in this group now, and have not withdrawn."""
    if tournament.group_of is None:
        return set()
    table = StageTable(tournament.group_of)
    return {
        party.number
        for group in table.groups
        if group.tournament == tournament
        for party in group.parties
        if party.key in table.going
        and table.going[party.key].way is Way.GROUP
        and table.entered.get(party.key, True)
    }
