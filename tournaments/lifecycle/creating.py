"""Creating a tournament: alone, as the next of a series, or with a club's own rules."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.clubs import lock_club
from clubs.models import Account, Club, Membership
from clubs.register_models import is_affiliated, unions_with
from core.errors import NotPossible
from core.log_messages import translatable
from tournaments.boards.folders import deal_drawn_rounds
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.domain.log_values import SET_BYES, SET_MEETINGS, SET_PROMOTED, SET_RELEGATED, SET_SETS
from tournaments.entries.bulk import enter_all
from tournaments.lifecycle.drawing import fit_drawn_rounds, laid_out
from tournaments.models import ClubRules, Entry, Round, Tournament
from tournaments.models.events import free_codes, may_have

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models.events import TournamentQuerySet


# A tournament before play: creating, changing, copying from an earlier one.
#
# The rules of the game and the stakes are frozen when the first round starts; the rest may change until the
# tournament is finished. Concurrent changes are detected: a form carries the `mark` (fingerprint) of what it was
# filled in over.

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
    "up_limit",
)
# The schedule depends on these fields: if one changes, drawn rounds are drawn again.
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
# Log messages by field, so that the log shows who changed what when.
CHANGES = {
    "host": gettext_noop("Set-up: the host is now {value}"),
    "rulebook": gettext_noop("Set-up: the rulebook is now {value}"),
    "options": gettext_noop("Set-up: changed options of the rulebook"),
    "rules_name": gettext_noop("Set-up: the rules are now called “{value}”"),
    "deals_per_round": gettext_noop("Set-up: now {value} deals per round"),
    "deals_at_three": gettext_noop("Set-up: now {value} deals at a table of three"),
    "boards": gettext_noop("Set-up: changed whether boards are played"),
    "board_sets": SET_SETS,
    "comparison": gettext_noop("Set-up: changed how places are decided"),
    "three_factor": gettext_noop("Set-up: the factor at a table of three is now {value}"),
    "least_share": gettext_noop("Set-up: the minimum share of the deals is now {value} per cent"),
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
    "up_limit": gettext_noop("Set-up: matches for a higher team that bind a player to it: {value}"),
    "name": gettext_noop("Set-up: the name is now {value}"),
    "date": gettext_noop("Set-up: the date is now {value}"),
    "begins_at": gettext_noop("Set-up: changed the starting time"),
    "place": gettext_noop("Set-up: the venue is now {value}"),
    "held_by": gettext_noop("Set-up: changed the hosting club"),
    "rounds_planned": gettext_noop("Set-up: now {value} rounds"),
    "entry_fee": gettext_noop("Set-up: the entry fee is now {value} øre"),
    "draw_mode": gettext_noop("Set-up: changed how rounds are drawn"),
}


# Fields that a copy takes over from other pages: money, clock, projector, entering from home, teams of clubs.
KEPT = (
    "most_of_club",
    "alike_journeys",
    "prize_shares",
    "prize_amounts",
    "prize_things",
    "round_minutes",
    "projector",
    "entering",
    "shows_same_cards",
    "halls",
)


class ChangedMeanwhile(NotPossible):
    """Another user changed the set-up since it was shown; `tournament` is its current state."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__(_("Someone else has changed this tournament since you opened the page."))
        self.tournament = tournament


class ThrowsSeatsAway(NotPossible):
    """The change would discard drawn seats, and that has not been confirmed."""


def mark(tournament: Tournament) -> str:
    """A short mark of all that the set-up page shows: another mark means that it shows something else now."""
    shown = [tournament.state, tournament.rules_frozen, tournament.host_id]
    shown += [getattr(tournament, name) for name in SETUP_FIELDS if name != "host"]
    return hashlib.sha256(json.dumps(shown, sort_keys=True, default=str).encode()).hexdigest()[:16]


@transaction.atomic
def create(code: str, values: Mapping[str, object], *, account: Account, now: datetime) -> Tournament:
    """Create a tournament under `code`, which the form has reserved: submitting it twice creates one."""
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
    """Store a changed set-up, and update rounds that are drawn but not started.

    Raises ChangedMeanwhile if `seen` is not the current mark, and ThrowsSeatsAway if drawn rounds would be
    discarded, unless `throw_away` confirms that.
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
    if "held_by" in changed:  # what was given to the former hosting club was not given to this one
        tournament.held_by_organises = False
    _refuse(tournament, changed)
    if not throw_away:
        _refuse_to_throw_away(tournament, changed)
    if changed:
        tournament.save(update_fields=[*changed, "held_by_organises"])
        drawn = laid_out(tournament)
        anew = bool(DRAWN_BY & set(changed))
        rulings = fit_drawn_rounds(tournament, anew=anew, account=account, now=now)
        deal_drawn_rounds(tournament, account=account, now=now)
        about = [tournament, *drawn, *laid_out(tournament), *rulings]
        for name in changed:
            value = translatable(tournament.format_row.name) if name == "format" else values[name]
            write_down(tournament, account, CHANGES[name], now=now, about=about, value=value)
            about = []
    return tournament


def _refuse(tournament: Tournament, changed: Collection[str]) -> None:
    """Raise NotPossible where the changed set-up does not go with what there is already."""
    moved = {"host", "held_by"} & set(changed)
    if moved and tournament.held_by and not is_affiliated(tournament.held_by, tournament.host):
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
    # What was played in a union's season stays in it, also where the club has left the union since.
    chosen = {"season", "host"} & set(changed)
    if chosen and tournament.counts_in and not may_have(tournament.counts_in, tournament.host):
        raise NotPossible(_("This season belongs neither to the host nor to its union."), "season")


def _refuse_to_throw_away(tournament: Tournament, changed: Collection[str]) -> None:
    """Raise ThrowsSeatsAway if a drawn round would be dropped or have to be drawn again."""
    drawn_by = sorted(DRAWN_BY & set(changed))
    gone = tournament.rounds.filter(state=Round.State.DRAWN)
    if not drawn_by:
        gone = gone.filter(number__gt=tournament.rounds_planned)
    numbers = list(gone.order_by("number").values_list("number", flat=True))
    if numbers:
        text = ngettext(
            "Round %(rounds)s has been drawn: its seats would be discarded. Tick below to allow that.",
            "Rounds %(rounds)s have been drawn: their seats would be discarded. Tick below to allow that.",
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


# A club's own rules: which may be chosen for a tournament, and whether it still plays by those it names.


def rules_offered(hosts: QuerySet[Club]) -> list[ClubRules]:
    """The own rules of these clubs and of their unions, for the form's choice."""
    found = ClubRules.objects.filter(Q(club__in=hosts) | Q(club__in=unions_with(hosts)))
    return list(found.select_related("club").order_by("club__name", "name"))


def chosen_as(tournament: Tournament, offered: Iterable[ClubRules]) -> str:
    """The value of a tournament's rules in a choice of rulebooks and clubs' own rules."""
    its = tournament.rules_name, tournament.rulebook
    own = [rules for rules in offered if (rules.name, rules.rulebook) == its]
    clubs = tournament.host.itself_and_unions() if own else []
    return next((rules.choice for rules in own if rules.club_id in clubs), tournament.rulebook)


def unlike_their_name(tournament: Tournament) -> list[str]:
    """A warning for the organiser if the club means something else by the name of these rules."""
    clubs = tournament.host.itself_and_unions()
    meant = list(ClubRules.objects.filter(club__in=clubs, name=tournament.rules_name))
    if not meant or any(_is_played(rules, tournament) for rules in meant):
        return []
    said = _("This tournament’s rules differ from what the club has saved as “%(name)s”.")
    return [said % {"name": tournament.rules_name}]


def _is_played(rules: ClubRules, tournament: Tournament) -> bool:
    """Whether the tournament has what is stored; options that the rulebook has got since do not count."""
    return rules.rulebook == tournament.rulebook and rules.options.items() <= tournament.options.items()


# Name and date of a copied evening: the next of a series, judging by earlier ones.

# So many of a club's newest evenings are looked at; an event that has not been held for half a year comes once a year.
LOOKED_AT = 60
A_YEAR, HALF_A_YEAR = timedelta(weeks=52), timedelta(weeks=26)


def next_evening(earlier: Tournament, today: date) -> tuple[str, date]:
    """Name and day to propose for a copy: as long after the last of its kind as that was after the one before."""
    kind = _kind(earlier.name)
    evenings: TournamentQuerySet = Tournament.objects.filter(host=earlier.host_id)
    newest = evenings.not_called_off().order_by("-date", "-pk").values_list("name", "date")[:LOOKED_AT]
    same = [(name, day) for name, day in newest if _kind(name) == kind]
    name, last = max(same, key=lambda evening: evening[1], default=(earlier.name, earlier.date))
    if last.year not in YEARS:
        return name, today  # of a file that was taken in: no evening follows it
    days = sorted({day for _name, day in same}, reverse=True)
    gap = next((later - before for later, before in pairwise(days)), None)
    weeks = max(round((gap or (A_YEAR if today - last > HALF_A_YEAR else WEEK)) / WEEK), 1)
    day = last + weeks * WEEK
    while day < today:
        day += WEEK if weeks * WEEK > HALF_A_YEAR else weeks * WEEK
    return next_name(name, last, day), day


def _kind(name: str) -> str:
    """The common part of the names of recurring evenings: without the number or the year at the end."""
    return NUMBER_AT_END.sub("", name).strip().casefold()


# An evening that repeats: on which days, under which names, and all of them made at once.

MOST_EVENINGS = 60
YEARS = range(1900, 2100)
LONGEST_NAME = Tournament._meta.get_field("name").max_length or 120
WEEK = timedelta(weeks=1)
NUMBER_AT_END = re.compile(r"(?<!\d)(\d{1,4})(\D?)$")


def repeated(first: date, weeks: int, until: date) -> list[date]:
    """The dates of a weekly series, every so many weeks, from the first day until at most the last."""
    return [first + number * weeks * WEEK for number in range(how_many(first, weeks, until))]


def how_many(first: date, weeks: int, until: date) -> int:
    return (until - first) // (weeks * WEEK) + 1


def holiday(day: date) -> str:
    """The name of a Danish holiday on which clubs do not meet; "" for any other day."""
    # By the law on public holidays (lov om helligdage), and the evenings that families have.
    fixed = {
        (1, 1): _("New Year’s Day"),
        (12, 24): _("Christmas Eve"),
        (12, 25): _("Christmas Day"),
        (12, 26): _("Boxing Day"),
        (12, 31): _("New Year’s Eve"),
    }
    moved = {
        -3: _("Maundy Thursday"),
        -2: _("Good Friday"),
        0: _("Easter Sunday"),
        1: _("Easter Monday"),
        39: _("Ascension Day"),
        49: _("Whit Sunday"),
        50: _("Whit Monday"),
    }
    return fixed.get((day.month, day.day)) or moved.get((day - easter(day.year)).days, "")


def easter(year: int) -> date:
    """Easter Sunday, by the rule of Gauss as H. Lichtenberg completed it; for all years of the calendar of 1582."""
    century = year // 100
    moon = 15 + (3 * century + 3) // 4 - (8 * century + 13) // 25
    sun = 2 - (3 * century + 3) // 4
    epact = (19 * (year % 19) + moon) % 30
    full_moon = 21 + epact - (epact + year % 19 // 11) // 29
    first_sunday = 7 - (year + year // 4 + sun) % 7
    return date(year, 3, 1) + timedelta(days=full_moon + 7 - (full_moon - first_sunday) % 7 - 1)


def next_easter(today: date) -> date:
    """The Saturday before the next Easter Sunday: until then a winter's evenings are played."""
    days = (easter(year) - timedelta(days=1) for year in (today.year, today.year + 1))
    return next(day for day in days if day > today)


def next_name(name: str, day: date, after: date, *, steps: int = 1) -> str:
    """The name of the following evening: its number is raised, a year replaced by the new one."""
    found = NUMBER_AT_END.search(name)
    if not found:
        return name
    number = int(found[1])
    new = after.year if number == day.year else number if number in YEARS else number + steps
    following = f"{name[: found.start()]}{new}{found[2]}"
    return following if len(following) <= LONGEST_NAME else name


@transaction.atomic
def make_all(
    code: str,
    values: Mapping[str, object],
    days: Sequence[date],
    *,
    account: Account,
    now: datetime,
) -> list[Tournament]:
    """Create an evening on each of these days, the first under `code`: idempotent.

    A repeated submission returns an empty list.
    """
    host: Any = values["host"]
    lock_club(host)  # serializes a double submission
    if Tournament.objects.filter(code=code).exists():
        return []
    name, first = str(values["name"]), days[0]
    return [
        create(
            code,
            {**values, "date": day, "name": next_name(name, first, day, steps=step)},
            account=account,
            now=now,
        )
        for step, (code, day) in enumerate(
            zip([code, *free_codes(Tournament, len(days) - 1)], days, strict=True)
        )
    ]
