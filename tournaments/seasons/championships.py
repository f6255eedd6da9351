"""Creating and changing championships and their stages."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING

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
from tournaments.domain.formats import Ranked
from tournaments.entries import entering
from tournaments.entries.teams import Lineup, make_team
from tournaments.models import Championship, Entry, Round, Stage, Team, Tournament
from tournaments.models.events import free_code
from tournaments.seasons.stages import Qualified, StageTable, origin_of, snake, taken_along

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date, datetime

    from clubs.models import Account


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
