"""Championships created and changed; their stages with tournaments, standings and who qualifies."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.clubs import log_change as write_down_in_club
from clubs.models import Club, Player
from clubs.register_models import clubs_in
from core.errors import NotPossible
from tournaments.changes.chain import append
from tournaments.changes.locks import hold_each
from tournaments.changes.log import write_down
from tournaments.changes.permissions import refuse_to_take_in
from tournaments.domain.comparison import Amount
from tournaments.domain.formats import Ranked
from tournaments.entries import entering
from tournaments.entries.teams import Lineup, make_team
from tournaments.models import Championship, Entry, Round, Stage, Team, Tournament
from tournaments.models.events import free_code
from tournaments.standings.players import standings
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date, datetime

    from clubs.models import Account


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


# A club's championship: create, change, choose groups, make the next stage from those who qualify.
#
# Making the next stage enters the qualified players, seeded into its groups, with carried points. A player who
# withdraws before it begins is replaced by the next in line.

A_YEAR = timedelta(days=366)
# What the next stage plays by as the stage before did.
COPIED = (
    "host", "place", "rulebook", "options", "rules_name", "format", "meetings", "match_points", "by_average",
    "takes_over", "deals_at_three", "comparison", "three_factor", "least_share", "boards", "board_sets",
    "tie_breaks", "stake", "draw_mode", "even_threes",
)  # fmt: skip


def groups_for(championship: Championship) -> list[Tournament]:
    """The tournaments that could be groups of the first stage, and those that are; by date.

    Groups are played within a year of the championship's first day.
    """
    hosts = Club.objects.filter(Q(pk=championship.host_id) | Q(pk__in=clubs_in(championship.host_id)))
    in_none = Q(stage=None) | Q(stage__championship__removed_at__isnull=False)
    free = in_none & Q(host__in=hosts, date__range=(championship.date, championship.date + A_YEAR))
    found = Tournament.objects.not_called_off().filter(
        free | Q(stage__championship=championship, stage__number=1)
    )
    return list(found.select_related("host").order_by("date", "pk"))


@transaction.atomic
def store(
    championship: Championship,
    fields: Mapping[str, object],
    stages: Sequence[Mapping[str, object]],
    *,
    account: Account,
    now: datetime,
) -> Championship:
    """Make a championship, or change it. Raises NotPossible where a stage that has groups would be gone."""
    for name, value in fields.items():
        setattr(championship, name, value)
    text = (
        gettext_noop("Changed the championship “{championship}”")
        if championship.pk
        else gettext_noop("Created the championship “{championship}”")
    )
    championship.save()
    gone = championship.stages.filter(number__gt=len(stages))
    if Tournament.objects.filter(stage__in=gone).exists():
        raise NotPossible(_("A stage that has been created can no longer be left out."))
    gone.delete()
    for number, values in enumerate(stages, start=1):
        Stage.objects.update_or_create(championship=championship, number=number, defaults=dict(values))
    write_down_in_club(championship.host, account, text, now=now, championship=championship)
    return championship


@transaction.atomic
def choose_groups(
    championship: Championship, codes: Collection[str], *, account: Account, now: datetime
) -> None:
    """Let exactly these tournaments, by their codes, be the groups of the first stage. Raises NotPossible."""
    could = {tournament.code: tournament for tournament in groups_for(championship)}
    if not set(codes) <= could.keys():
        raise NotPossible(_("One of these tournaments can no longer be a group. Check the list again."))
    if len({could[code].format for code in codes}) > 1:
        raise NotPossible(_("The groups of a stage must all be individual, all pairs or all teams."))
    first = championship.stages.get(number=1)
    if len(set(codes)) > first.groups:
        text = ngettext(
            "“%(stage)s” has %(count)d group; change the stage first.",
            "“%(stage)s” has %(count)d groups; change the stage first.",
            first.groups,
        )
        raise NotPossible(text % {"stage": first, "count": first.groups})
    _refuse_who_is_in_two([could[code] for code in codes])
    changed = [one for code, one in could.items() if (code in codes) != (one.stage_id == first.pk)]
    refuse_to_take_in(account, championship.host, [one for one in changed if one.stage_id != first.pk])
    hold_each(one.pk for one in changed)
    for tournament in changed:
        wanted = None if tournament.stage_id == first.pk else first
        Tournament.objects.filter(pk=tournament.pk).update(stage=wanted, version=F("version") + 1)
    text = gettext_noop("Chose the groups of “{championship}”")
    write_down_in_club(championship.host, account, text, now=now, championship=championship)


def _refuse_who_is_in_two(groups: Collection[Tournament]) -> None:
    """Raise NotPossible if a player is in two groups: no player qualifies twice."""
    playing = Entry.objects.filter(tournament__in=groups).exclude(status=Entry.Status.WITHDRAWN)
    twice = playing.values("player").annotate(times=Count("pk")).filter(times__gt=1)
    names = Player.objects.filter(pk__in=twice.values("player")).values_list("name", flat=True)
    if names:
        text = _("In more than one group: %(names)s. Withdraw them from all but one.")
        raise NotPossible(text % {"names": ", ".join(names)})


@transaction.atomic
def make_next(
    stage: Stage, *, day: date, out: Collection[int], account: Account, now: datetime
) -> list[Tournament]:
    """Create the stage after `stage`: one tournament per group, with the qualified players. Idempotent.

    Players in `out` decline. Raises NotPossible before all of `stage` is finished.
    """
    Championship.objects.select_for_update().get(pk=stage.championship_id)
    table = StageTable(stage)
    coming = table.next_stage
    if coming is None:
        raise NotPossible(_("This is the last stage."))
    made = list(coming.tournaments.not_called_off().order_by("pk"))
    if made:
        return made
    if not table.is_over:
        raise NotPossible(_("Finish all groups first: the qualifiers may still change."))
    if table.lacking:
        text = ngettext(
            "%(count)d group is missing: choose it, or change how many “%(stage)s” has.",
            "%(count)d groups are missing: choose them, or change how many “%(stage)s” has.",
            table.lacking,
        )
        raise NotPossible(text % {"count": table.lacking, "stage": stage})
    if day < max(group.tournament.date for group in table.groups):
        raise NotPossible(_("That is before the stage they come from."), "day")
    _refuse_who_is_in_two([group.tournament for group in table.groups])
    going = table.line(out)
    if not going:
        raise NotPossible(_("Nobody qualifies: enter how many do from each group."))
    model = table.groups[0].tournament
    for number, group in enumerate(snake(going, coming.groups)):
        tournament = make_group(coming, model, number, day)
        write_down(
            tournament,
            account,
            gettext_noop("Created from the qualifiers of “{stage}”"),
            now=now,
            about=[tournament],
            stage=stage,
        )
        for one in group:
            _enter(table, one, tournament, coming.carried, account=account, now=now)
        made.append(tournament)
    text = gettext_noop("Created “{stage}” of “{championship}”")
    championship = stage.championship
    write_down_in_club(championship.host, account, text, now=now, stage=coming, championship=championship)
    return made


def make_group(stage: Stage, model: Tournament, number: int, day: date) -> Tournament:
    """A group of a stage, played as `model` is; `number` counts from 0."""
    name = f"{stage.championship}: {stage}"
    if stage.groups > 1:
        name = f"{name} {chr(ord('A') + number)}"
    copied = {field: getattr(model, field) for field in COPIED}
    rounds = {"rounds_planned": stage.sessions, "deals_per_round": stage.deals}
    code = free_code(Tournament)
    return Tournament.objects.create(code=code, name=name, date=day, stage=stage, **copied, **rounds)


def _enter(
    table: StageTable,
    one: Qualified,
    tournament: Tournament,
    per_cent: int,
    *,
    account: Account,
    now: datetime,
) -> None:
    """Enter a player, or a team with its players, with what is taken along."""
    before = table.groups[one.group].tournament
    along = [taken_along(amount, per_cent) for amount in one.contender.score]
    enter = ENTER[before.format_row.ranked]
    append(tournament.pk, [enter(before, one.contender.key, tournament, along, account, now)], now=now)


def _enter_player(
    before: Tournament,
    key: int,
    tournament: Tournament,
    along: Sequence[int],
    account: Account,
    now: datetime,
) -> Entry:
    old = before.entries.select_related("player", "club").get(player=key)
    entry = entering.enter(tournament, old.player, club=old.club, account=account, now=now)
    Entry.objects.filter(pk=entry.pk).update(carried=along[0])
    return entry


def _enter_team(
    before: Tournament,
    key: int,
    tournament: Tournament,
    along: Sequence[int],
    account: Account,
    now: datetime,
) -> Team:
    team = before.teams.select_related("club").get(pk=key)
    new = copied_team(team, tournament, account=account, now=now)
    # Teams carry whole match points and tokens: their tables have no decimals.
    points, tokens = (100 * taken_along(Fraction(amount, 100), 1) for amount in along)
    Team.objects.filter(pk=new.pk).update(
        carried_points=points, carried_tokens=tokens, origin=origin_of(before, team.number)
    )
    return new


ENTER = {Ranked.PLAYERS: _enter_player, Ranked.TEAMS: _enter_team}


def copied_team(team: Team, tournament: Tournament, *, account: Account, now: datetime) -> Team:
    """Copy a pair or team, with its players who have not withdrawn, to another tournament."""
    members: dict[bool, list[Entry]] = {False: [], True: []}
    for old in team.members.exclude(status=Entry.Status.WITHDRAWN).select_related("player", "club"):
        entry = entering.enter(tournament, old.player, club=old.club, account=account, now=now)
        members[old.reserve].append(entry)
    lineup = Lineup(team.name, team.club, members=members[False], reserves=members[True])
    return make_team(tournament, lineup, account=account, now=now)


@transaction.atomic
def move_up(stage: Stage, *, account: Account, now: datetime) -> list[str]:
    """Enter the next in line for those who have withdrawn from the stage after `stage`; returns their names.

    Raises NotPossible once it has begun: a replacement would have played less.
    """
    Championship.objects.select_for_update().get(pk=stage.championship_id)
    table = StageTable(stage)
    coming = table.next_stage
    if coming is None or not table.entered:
        raise NotPossible(_("The next stage has not been created yet."))
    sitting = Round.objects.filter(tournament__stage=coming, tournament__called_off_at=None)
    if sitting.exclude(state=Round.State.DRAWN).exists():
        raise NotPossible(_("The next stage has begun: find a substitute there."))
    names = []
    for one in table.next_in_line:
        smallest = min(StageTable(coming).groups, key=lambda group: (group.entered, group.letter))
        _enter(table, one, smallest.tournament, coming.carried, account=account, now=now)
        names.append(table.parties[one.contender.key].name)
    return names
