"""What a tournament is before it is played: made, changed, and copied from an earlier one.

The rules of the game and what is played for are frozen when the first round starts; the rest may change until
the tournament is finished. Two organisers who change at once are told of each other: whoever saves gives back
the `mark` of what they saw.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.models import Account, Membership
from core.errors import NotPossible
from core.log_messages import word
from tournaments import rounds
from tournaments.boards.folders import deal_drawn_rounds
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.domain.log_values import SET_BYES, SET_MEETINGS, SET_PROMOTED, SET_RELEGATED, SET_SETS
from tournaments.entries.bulk import enter_all
from tournaments.models import Entry, Round, Tournament
from tournaments.seasons.season import may_have

FROZEN_AT_START = (
    "host",
    "rulebook",
    "options",
    "rules_name",
    "deals_per_round",
    "deals_at_three",
    "boards",
    "board_sets",
    "comparison",
    "three_factor",
    "least_share",
    "tie_breaks",
    "stake",
    "format",
    "meetings",
    "match_points",
    "by_average",
    "takes_over",
    "bye_teams",
    "promoted",
    "relegated",
)
# Who meets whom hangs on these: what was drawn before they changed is drawn again.
DRAWN_BY = {"format", "meetings", "bye_teams"}
SETUP_FIELDS = (
    *FROZEN_AT_START,
    "name",
    "date",
    "begins_at",
    "place",
    "held_by",
    "season",
    "rounds_planned",
    "entry_fee",
    "draw_mode",
)
# What the log says of each change, so that it can be told who promised what when.
CHANGES = {
    "host": gettext_noop("Set-up: the host is now {value}"),
    "rulebook": gettext_noop("Set-up: the rulebook is now {value}"),
    "options": gettext_noop("Set-up: changed options of the rulebook"),
    "rules_name": gettext_noop("Set-up: the rules are now called “{value}”"),
    "deals_per_round": gettext_noop("Set-up: now {value} deals a round"),
    "deals_at_three": gettext_noop("Set-up: now {value} deals at a table of three"),
    "boards": gettext_noop("Set-up: changed whether boards are played"),
    "board_sets": SET_SETS,
    "comparison": gettext_noop("Set-up: changed how places are decided"),
    "three_factor": gettext_noop("Set-up: the factor at a table of three is now {value}"),
    "least_share": gettext_noop("Set-up: the least share of the deals is now {value} per cent"),
    "season": gettext_noop("Set-up: changed the season"),
    "tie_breaks": gettext_noop("Set-up: changed the tie-breaks"),
    "stake": gettext_noop("Set-up: the stake is now {value} øre"),
    "format": gettext_noop("Set-up: the format is now {value}"),
    "meetings": SET_MEETINGS,
    "match_points": gettext_noop("Set-up: match points for won, drawn, lost are now {value}"),
    "by_average": gettext_noop("Set-up: changed whether places go by the average per match"),
    "takes_over": gettext_noop("Set-up: changed whether the hand of the declarer’s partner is taken over"),
    "bye_teams": SET_BYES,
    "promoted": SET_PROMOTED,
    "relegated": SET_RELEGATED,
    "name": gettext_noop("Set-up: the name is now {value}"),
    "date": gettext_noop("Set-up: the date is now {value}"),
    "begins_at": gettext_noop("Set-up: changed the starting time"),
    "place": gettext_noop("Set-up: the venue is now {value}"),
    "held_by": gettext_noop("Set-up: changed the hosting club"),
    "rounds_planned": gettext_noop("Set-up: now {value} rounds"),
    "entry_fee": gettext_noop("Set-up: the entry fee is now {value} øre"),
    "draw_mode": gettext_noop("Set-up: changed how rounds are drawn"),
}


class ChangedMeanwhile(NotPossible):
    """Somebody else changed the set-up since it was shown; `tournament` is how it stands now."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__(_("Someone else has changed this tournament since you opened the page."))
        self.tournament = tournament


class ThrowsSeatsAway(NotPossible):
    """The change throws away seats that are drawn, which nobody has said that they want."""


def mark(tournament: Tournament) -> str:
    """A short mark of all that the set-up page shows: another mark means that it shows something else now."""
    shown = [tournament.state, tournament.rules_frozen, tournament.host_id]
    shown += [getattr(tournament, name) for name in SETUP_FIELDS if name != "host"]
    return hashlib.sha256(json.dumps(shown, sort_keys=True, default=str).encode()).hexdigest()[:16]


@transaction.atomic
def create(code: str, values: Mapping[str, object], *, account: Account, now: datetime) -> Tournament:
    """Make a tournament under `code`, which the page that asks has chosen: asking twice is asking once."""
    tournament, made = Tournament.objects.get_or_create(code=code, defaults=dict(values))
    if made:
        write_down(tournament, account, gettext_noop("Set up the tournament"), now=now, about=[tournament])
    return tournament


@transaction.atomic
def change(
    tournament: Tournament,
    values: Mapping[str, object],
    *,
    seen: str,
    account: Account,
    now: datetime,
    throw_away: bool = False,
) -> Tournament:
    """Store a changed set-up, and let rounds that are drawn but not started follow it.

    Raises ChangedMeanwhile where `seen` is not the mark of what is stored, and ThrowsSeatsAway where rounds that are
    drawn would be gone, unless `throw_away` says that they may.
    """
    tournament = locked(tournament)
    if tournament.is_finished:
        raise NotPossible(_("The tournament is finished."))
    if seen != mark(tournament):
        raise ChangedMeanwhile(tournament)
    shown = {name: getattr(tournament, name) for name in values} | {"season": tournament.counts_in}
    changed = [name for name, value in values.items() if shown[name] != value]
    if tournament.rules_frozen and set(changed) & set(FROZEN_AT_START):
        raise NotPossible(_("The rules were frozen when the first round started."))
    for name in changed:
        setattr(tournament, name, values[name])
    _refuse(tournament, changed)
    if not throw_away:
        _refuse_to_throw_away(tournament, changed)
    if changed:
        tournament.save(update_fields=changed)
        drawn = rounds.laid_out(tournament)
        anew = bool(DRAWN_BY & set(changed))
        rulings = rounds.fit_drawn_rounds(tournament, anew=anew, account=account, now=now)
        deal_drawn_rounds(tournament, account=account, now=now)
        about = [tournament, *drawn, *rounds.laid_out(tournament), *rulings]
        for name in changed:
            value = word(tournament.format_row.name) if name == "format" else values[name]
            write_down(tournament, account, CHANGES[name], now=now, about=about, value=value)
            about = []
    return tournament


def _refuse(tournament: Tournament, changed: Collection[str]) -> None:
    """Raise NotPossible where the changed set-up does not go with what there is already."""
    moved = {"host", "held_by"} & set(changed)
    if moved and tournament.held_by and tournament.held_by.union_id != tournament.host_id:
        raise NotPossible(_("The hosting club must belong to the union."), "held_by")
    if "format" in changed and tournament.teams.exists():
        raise NotPossible(_("Pairs or teams have already been formed; dissolve them first."), "format")
    started = tournament.rounds.exclude(state=Round.State.DRAWN).count()
    if tournament.rounds_planned < started:
        message = ngettext(
            "%(count)d round has already been started.",
            "%(count)d rounds have already been started.",
            started,
        )
        raise NotPossible(message % {"count": started}, "rounds_planned")
    if tournament.counts_in and not may_have(tournament.counts_in, tournament.host):
        raise NotPossible(_("This season belongs neither to the host nor to its union."), "season")


def _refuse_to_throw_away(tournament: Tournament, changed: Collection[str]) -> None:
    """Raise ThrowsSeatsAway where a drawn round is planned no more, or would have to be drawn anew."""
    drawn_by = sorted(DRAWN_BY & set(changed))
    gone = tournament.rounds.filter(state=Round.State.DRAWN)
    if not drawn_by:
        gone = gone.filter(number__gt=tournament.rounds_planned)
    numbers = list(gone.order_by("number").values_list("number", flat=True))
    if numbers:
        text = ngettext(
            "Round %(rounds)s is drawn: its seats would be discarded. Tick below to allow that.",
            "Rounds %(rounds)s are drawn: their seats would be discarded. Tick below to allow that.",
            len(numbers),
        )
        field = drawn_by[0] if drawn_by else "rounds_planned"
        raise ThrowsSeatsAway(text % {"rounds": ", ".join(map(str, numbers))}, field)


@transaction.atomic
def copy_players(
    earlier: Tournament, tournament: Tournament, *, account: Account, now: datetime
) -> list[Entry]:
    """Enter everybody who did not withdraw from an earlier tournament, by their numbers there."""
    entered = earlier.entries.exclude(status=Entry.Status.WITHDRAWN).select_related("player", "club")
    players = [(old.player, old.club) for old in entered]
    return enter_all(tournament, players, account=account, now=now)


@transaction.atomic
def enter_members(tournament: Tournament, *, account: Account, now: datetime) -> list[Entry]:
    """Enter everybody who is a member of the host now, by their numbers there."""
    members = Membership.objects.on(timezone.localdate(now)).filter(club=tournament.host)
    players = [(member.player, tournament.host) for member in members.select_related("player")]
    return enter_all(tournament, players, account=account, now=now)
