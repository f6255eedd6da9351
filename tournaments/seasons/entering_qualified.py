"""Enter the qualified players of a championship's stage in its groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Club, Player
from core.errors import NotPossible
from core.sql import key_set
from tournaments.changes.locks import hold_each
from tournaments.changes.permissions import refuse_to_take_in
from tournaments.domain.formats import RANKING_PLAYERS
from tournaments.entries import entering
from tournaments.models import Championship, Entry, Qualifier, Tournament
from tournaments.seasons.championships import choose_groups, groups_for
from tournaments.seasons.quotas import QualifiedTable, write_about_stage

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account
    from tournaments.models import Stage


def where_to_enter(stage: Stage) -> list[Tournament]:
    """The tournaments that who qualifies can be entered in: the stage's groups, or where it has none, free ones.

    Individual tournaments alone, in which nothing is drawn yet.
    """
    groups = set(stage.tournaments.not_called_off().values_list("pk", flat=True))
    if not groups and stage.number == 1:
        groups = {one.pk for one in groups_for(stage.championship) if one.stage_id is None}
    found = Tournament.objects.filter(pk__in=key_set(groups), state=Tournament.State.SETUP, rounds=None)
    return list(found.filter(format__in=RANKING_PLAYERS).select_related("host").order_by("date", "pk"))


@transaction.atomic
def enter_qualified(
    stage: Stage, *, into: str = "", only_yes: bool = False, account: Account, now: datetime
) -> list[Entry]:
    """Enter who qualifies and is not entered yet, in one step; returns the new entries. Entering twice is once.

    They are entered in the stage's groups, the smallest first; or where it has none, in the tournament with the code
    `into`, which becomes its group if it is to have one. `only_yes` leaves out those who have not answered. Raises
    NotPossible while a tie is undecided, or where there is no tournament to enter them in.
    """
    Championship.objects.select_for_update().get(pk=stage.championship_id)
    has_groups = stage.tournaments.not_called_off().exists()
    open_ones = where_to_enter(stage)
    chosen = open_ones if has_groups else [one for one in open_ones if one.code == into]
    if not chosen:
        raise NotPossible(
            _("Nobody can be entered: the groups of the stage are drawn already.")
            if has_groups
            else _("Choose the tournament to enter them in."),
            "into",
        )
    refuse_to_take_in(account, stage.championship.host, [] if has_groups else chosen)
    hold_each(one.pk for one in chosen)
    table = QualifiedTable(stage)
    if table.is_tied:
        raise NotPossible(_("First decide the order of those with the same place."))
    if not has_groups and stage.groups == 1:
        choose_groups(stage.championship, [into], account=account, now=now)
    here = Entry.objects.filter(tournament__in=chosen).values_list("player", flat=True)
    there = set(here) | table.here.entered
    said_yes = {player for player, one in table.recorded.items() if one.answer == Qualifier.Answer.YES}
    wanted = [
        one for one in table.going if one.player not in there and (not only_yes or one.player in said_yes)
    ]
    players = Player.objects.in_bulk([one.player for one in wanted])
    clubs = Club.objects.in_bulk({one.club for one in wanted})
    sizes = {one.pk: one.entries.exclude(status=Entry.Status.WITHDRAWN).count() for one in chosen}
    made = []
    for one in wanted:
        group = min(chosen, key=lambda found: sizes[found.pk])
        sizes[group.pk] += 1
        made.append(
            entering.enter(group, players[one.player], club=clubs.get(one.club), account=account, now=now)
        )
    if made:
        text = gettext_noop("Entered qualified players ({players}) for “{stage}” of “{championship}”")
        write_about_stage(stage, account, text, now, players=len(made))
    return made
