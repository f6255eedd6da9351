"""A championship's stages: its groups as they stand, who goes on, and the next stage made of those who do.

A stage's groups are tournaments. Who goes on is worked out from their standings (`qualifying`); making the next stage
enters them there, seeded into its groups, with what they take along. Who withdraws before it begins is replaced by the
next in line.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.club_log import write_down as write_down_in_club
from clubs.models import Club
from tournaments import entries
from tournaments.comparing import Amount
from tournaments.logbook import write_down
from tournaments.models import Championship, Entry, Round, Stage, Team, Tournament
from tournaments.qualifying import Contender, Qualified, Way, qualified, snake, taken_along
from tournaments.refusals import NotPossible
from tournaments.standings import standings
from tournaments.team_standings import team_standings
from tournaments.teaming import Lineup, make_team

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date, datetime

    from clubs.models import Account

# What the next stage plays by as the stage before did.
COPIED = (
    "host", "place", "rulebook", "options", "rules_name", "format", "meetings", "match_points", "by_average",
    "deals_at_three", "comparison", "three_factor", "tie_breaks", "stake", "draw_mode",
)  # fmt: skip


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
    """A group as it stands; `letter` is A, B, C… where there are several."""

    tournament: Tournament
    parties: Sequence[Party]
    letter: str

    @property
    def entered(self) -> int:
        """Players, or pairs or teams, who are in it and have not withdrawn, whether or not they are here yet."""
        if self.tournament.in_teams:
            return self.tournament.teams.filter(withdrawn=False).count()
        return self.tournament.entries.exclude(status=Entry.Status.WITHDRAWN).count()


class StageTable:
    """A stage as it stands now: its groups, and who goes on from them."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        found = list(stage.tournaments.select_related("host").order_by("date", "pk"))
        letters = [chr(ord("A") + number) if len(found) > 1 else "" for number in range(len(found))]
        self.groups = [
            Group(tournament, parties_of(tournament), letter)
            for tournament, letter in zip(found, letters, strict=True)
        ]

    @property
    def is_over(self) -> bool:
        return bool(self.groups) and all(group.tournament.is_finished for group in self.groups)

    @property
    def has_begun(self) -> bool:
        return any(group.tournament.state != Tournament.State.SETUP for group in self.groups)

    @property
    def is_last(self) -> bool:
        return not (self.stage.each or self.stage.next_best)

    @cached_property
    def parties(self) -> dict[int, Party]:
        return {party.key: party for group in self.groups for party in group.parties}

    def line(self, out: Collection[int] = ()) -> list[Qualified]:
        """Who goes on, best seed first, without those who are `out` or have withdrawn."""
        gone = {key for key, party in self.parties.items() if party.withdrawn} | set(out)
        contenders = [
            [Contender(party.key, party.score, party.rank, party.lot) for party in group.parties]
            for group in self.groups
        ]
        return qualified(contenders, self.stage.each, self.stage.next_best, gone)

    @cached_property
    def next_stage(self) -> Stage | None:
        later = self.stage.championship.stages.filter(number__gt=self.stage.number)
        return later.order_by("number").first()

    @cached_property
    def entered(self) -> dict[int, bool]:
        """Who of this stage is in the next one; True for those who have not withdrawn from it."""
        if self.next_stage is None:
            return {}
        if any(group.tournament.in_teams for group in self.groups):
            teams = Team.objects.filter(tournament__stage=self.next_stage).values_list("name", "withdrawn")
            there = {name: not withdrawn for name, withdrawn in teams}
            return {key: there[party.name] for key, party in self.parties.items() if party.name in there}
        sent = Entry.objects.filter(tournament__stage=self.next_stage).values_list("player", "status")
        return {player: status != Entry.Status.WITHDRAWN for player, status in sent if player in self.parties}

    @cached_property
    def declined(self) -> set[int]:
        """Who would have gone on and was left out when the next stage was made."""
        out: set[int] = set()
        while self.entered:
            missing = {one.contender.key for one in self.line(out)} - self.entered.keys()
            if not missing:
                break
            out |= missing
        return out

    @cached_property
    def going(self) -> dict[int, Qualified]:
        """Who goes on now, by key: as it stands, or, once the next stage is made, as it was made."""
        return {one.contender.key: one for one in self.line(self.declined)}

    @property
    def next_in_line(self) -> list[Qualified]:
        """Who moves up for those who have withdrawn from the next stage."""
        if not self.entered:
            return []
        gone = {key for key, there in self.entered.items() if not there}
        return [one for one in self.line(self.declined | gone) if one.contender.key not in self.entered]


def parties_of(tournament: Tournament) -> list[Party]:
    """The players, or the pairs or teams, of a tournament as they stand."""
    if tournament.in_teams:
        keys = {team.number: team.pk for team in tournament.teams.all()}
        return [
            Party(
                keys[row.number], row.number, row.name, row.club, place, row.shared, (row.points, row.tokens),
                row.withdrawn, -row.number, (row.carried_points, row.carried_tokens),
            )
            for place, row in enumerate(team_standings(tournament).rows, start=1)
        ]  # fmt: skip
    players = dict(tournament.entries.values_list("pk", "player"))
    parties = [
        Party(
            players[row.entry_id], row.number, row.name, row.club, row.rank, row.shared, (row.total,),
            row.withdrawn, row.lot, (row.carried,),
        )
        for row in standings(tournament).rows
    ]  # fmt: skip
    return sorted(parties, key=lambda party: (party.rank, -party.lot))


def tables_of(championship: Championship) -> list[StageTable]:
    return [StageTable(stage) for stage in championship.stages.select_related("championship")]


def by_the_place(tournament: Tournament) -> set[int]:
    """The numbers of those who go on from this group by their place in it, as it stands, and have not withdrawn."""
    if tournament.stage is None:
        return set()
    table = StageTable(tournament.stage)
    return {
        party.number
        for group in table.groups
        if group.tournament == tournament
        for party in group.parties
        if party.key in table.going
        and table.going[party.key].way is Way.GROUP
        and table.entered.get(party.key, True)
    }


# What an organiser does


def groups_for(championship: Championship) -> list[Tournament]:
    """The tournaments that could be groups of the first stage, and those that are; by date."""
    hosts = Club.objects.filter(Q(pk=championship.host_id) | Q(union=championship.host_id))
    free = Q(host__in=hosts, date__gte=championship.date, stage=None)
    found = Tournament.objects.filter(free | Q(stage__championship=championship, stage__number=1))
    return list(found.select_related("host").order_by("date", "pk"))


@transaction.atomic
def store(
    championship: Championship,
    fields: Mapping[str, object],
    stages: Sequence[Mapping[str, object]],
    account: Account,
) -> Championship:
    """Make a championship, or change it. Raises NotPossible where a stage that has groups would be gone."""
    for name, value in fields.items():
        setattr(championship, name, value)
    text = (
        gettext_noop("Changed the championship “{championship}”")
        if championship.pk
        else gettext_noop("Made the championship “{championship}”")
    )
    championship.save()
    gone = championship.stages.filter(number__gt=len(stages))
    if Tournament.objects.filter(stage__in=gone).exists():
        raise NotPossible(_("A stage that has been made cannot be left out any more."))
    gone.delete()
    for number, values in enumerate(stages, start=1):
        Stage.objects.update_or_create(championship=championship, number=number, defaults=dict(values))
    write_down_in_club(championship.host, account, text, championship=championship)
    return championship


@transaction.atomic
def choose_groups(championship: Championship, codes: Collection[str], account: Account) -> None:
    """Let exactly these tournaments, by their codes, be the groups of the first stage. Raises NotPossible."""
    could = {tournament.code: tournament for tournament in groups_for(championship)}
    if not set(codes) <= could.keys():
        raise NotPossible(_("One of these tournaments cannot be a group any more. Look at the list again."))
    if len({could[code].format for code in codes}) > 1:
        raise NotPossible(_("The groups of a stage are all individual, all of pairs or all of teams."))
    first = championship.stages.get(number=1)
    for code, tournament in could.items():
        wanted = first if code in codes else None
        if tournament.stage_id != (wanted.pk if wanted else None):
            Tournament.objects.filter(pk=tournament.pk).update(stage=wanted, version=F("version") + 1)
    text = gettext_noop("Chose the groups of “{championship}”")
    write_down_in_club(championship.host, account, text, championship=championship)


@transaction.atomic
def make_next(
    stage: Stage, *, day: date, out: Collection[int], account: Account, now: datetime
) -> list[Tournament]:
    """Make the stage after `stage`: a tournament a group, with who goes on. Asking twice is asking once.

    Who is `out` does not take part. Raises NotPossible before all of `stage` is finished.
    """
    Championship.objects.select_for_update().get(pk=stage.championship_id)
    table = StageTable(stage)
    coming = table.next_stage
    if coming is None:
        raise NotPossible(_("This is the last stage."))
    made = list(coming.tournaments.order_by("pk"))
    if made:
        return made
    if not table.is_over:
        raise NotPossible(_("Finish all groups first: who goes on may still change."))
    going = table.line(out)
    if not going:
        raise NotPossible(_("Nobody goes on: say how many of each group do."))
    model = table.groups[0].tournament
    for number, group in enumerate(snake(going, coming.groups)):
        tournament = _make_group(coming, model, number, day)
        write_down(
            tournament, account, gettext_noop("Made of who goes on from “{stage}”"), now=now, stage=stage
        )
        for one in group:
            _enter(table, one, tournament, coming.carried, account=account, now=now)
        made.append(tournament)
    text = gettext_noop("Made “{stage}” of “{championship}”")
    write_down_in_club(stage.championship.host, account, text, stage=coming, championship=stage.championship)
    return made


def _make_group(stage: Stage, model: Tournament, number: int, day: date) -> Tournament:
    name = f"{stage.championship}: {stage}"
    if stage.groups > 1:
        name = f"{name} {chr(ord('A') + number)}"
    copied = {field: getattr(model, field) for field in COPIED}
    rounds = {"rounds_planned": stage.sessions, "deals_per_round": stage.deals}
    return Tournament.objects.create(name=name, date=day, stage=stage, **copied, **rounds)


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
    if not before.in_teams:
        old = before.entries.select_related("player", "club").get(player=one.contender.key)
        entry = entries.enter(tournament, old.player, club=old.club, account=account, now=now)
        Entry.objects.filter(pk=entry.pk).update(carried=along[0])
        return
    team = before.teams.select_related("club").get(pk=one.contender.key)
    members: dict[bool, list[Entry]] = {False: [], True: []}
    for old in team.members.exclude(status=Entry.Status.WITHDRAWN).select_related("player", "club"):
        entry = entries.enter(tournament, old.player, club=old.club, account=account, now=now)
        members[old.reserve].append(entry)
    lineup = Lineup(team.name, team.club, members=members[False], reserves=members[True])
    new = make_team(tournament, lineup, account=account, now=now)
    # Teams take whole match points and tokens along: their tables have no decimals.
    points, tokens = (100 * taken_along(Fraction(amount, 100), 1) for amount in along)
    Team.objects.filter(pk=new.pk).update(carried_points=points, carried_tokens=tokens)


@transaction.atomic
def move_up(stage: Stage, *, account: Account, now: datetime) -> list[str]:
    """Enter the next in line for those who have withdrawn from the stage after `stage`; their names.

    Raises NotPossible once it has begun: whoever comes later would have played less.
    """
    Championship.objects.select_for_update().get(pk=stage.championship_id)
    table = StageTable(stage)
    coming = table.next_stage
    if coming is None or not table.entered:
        raise NotPossible(_("The next stage is not made yet."))
    if Round.objects.filter(tournament__stage=coming).exclude(state=Round.State.DRAWN).exists():
        raise NotPossible(_("The next stage has begun: find a substitute there."))
    names = []
    for one in table.next_in_line:
        smallest = min(StageTable(coming).groups, key=lambda group: (group.entered, group.letter))
        _enter(table, one, smallest.tournament, coming.carried, account=account, now=now)
        names.append(table.parties[one.contender.key].name)
    return names


@transaction.atomic
def remove(championship: Championship, account: Account) -> None:
    """Remove a championship; its tournaments stay what they are, each by itself."""
    text = gettext_noop("Removed the championship “{championship}”")
    write_down_in_club(championship.host, account, text, championship=championship)
    championship.delete()
