"""Two captains agree on another day or place for a match at home, through their teams' links.

A team proposes up to three days with a reason; the other one chooses a day or refuses. A new place alone needs no
consent: the home team decides it. Both are possible until a day before the match. The desk decides at any time.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible, clean_reason
from core.text import clean_text
from tournaments.lifecycle.home_matches import start_of
from tournaments.lifecycle.league_mail import post_about_match
from tournaments.lifecycle.rulings import announce_days, hold_match, log_of_match, postpone
from tournaments.models import Match, Postponement
from tournaments.standings.team_text import when_and_where

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Team
    from tournaments.models.leagues import ProposedDay

CLOSES_BEFORE = timedelta(hours=24)
LONGEST_AHEAD = timedelta(days=366)


def closes_at(match: Match) -> datetime | None:
    """The time until which captains can move the match; None where it has no day of its own."""
    start = start_of(match)
    return start - CLOSES_BEFORE if start else None


def why_closed(match: Match, now: datetime) -> str:
    """Why captains cannot move the match, in words; "" where they can."""
    if match.round.tournament.is_called_off or match.round.tournament.is_finished:
        return _("The tournament is over.")
    if not match.awaits_start:
        return _("The day and place of this match can no longer be changed here.")
    closes = closes_at(match)
    if closes is None or now >= closes:
        return _("It is less than 24 hours until the match: only the organiser can move it now.")
    return ""


def open_proposal(match: Match) -> Postponement | None:
    return match.postponements.filter(state=Postponement.State.OPEN).select_related("team").first()


def open_proposals(matches: Sequence[Match]) -> set[int]:
    """The primary keys of those of these matches for which another day is proposed."""
    found = Postponement.objects.filter(match__in=matches, state=Postponement.State.OPEN)
    return set(found.values_list("match", flat=True))


def _hold_open(match: Match, now: datetime) -> Match:
    _tournament, match = hold_match(match)
    if why := why_closed(match, now):
        raise NotPossible(why)
    return match


@transaction.atomic
def propose_days(
    match: Match, team: Team, days: Sequence[ProposedDay], *, reason: str, place: str = "", now: datetime
) -> Postponement:
    """Store a team's proposal for a match, instead of its earlier one; asking twice is asking once.

    Raises NotPossible at `day_<n>` or `reason`, and where the other team has proposed days that wait for an answer.
    """
    match = _hold_open(match, now)
    reason, place = clean_reason(reason), clean_text(place)
    _refuse_days(match, days, now)
    before = open_proposal(match)
    stored = [day.to_json() for day in days]
    if before is not None and before.team_id != team.pk:
        text = _("%(team)s has proposed other days in the meantime. Choose one of them, or refuse.")
        raise NotPossible(text % {"team": before.team})
    if before is not None and (before.days, before.reason, before.place) == (stored, reason, place):
        return before
    if before is not None:
        _close(before, Postponement.State.WITHDRAWN, now)
    made = Postponement.objects.create(
        match=match, team=team, days=stored, reason=reason, place=place, asked_at=now
    )
    text = gettext_noop("Round {round}: {team} asks to play {match} on another day: {reason}")
    log_of_match(match.round.tournament, match, None, text, now=now, team=team, reason=reason)
    post_about_match("proposed", match, _other(match, team), proposal=made)
    return made


def _refuse_days(match: Match, days: Sequence[ProposedDay], now: datetime) -> None:
    if not days:
        raise NotPossible(_("Propose at least one day."), "day_1")
    today = timezone.localdate(now)
    busy = _days_taken(match)
    for place, proposed in enumerate(days, 1):
        field = f"day_{place}"
        if proposed.day <= today:
            raise NotPossible(_("Choose a day after today."), field)
        if proposed.day > today + LONGEST_AHEAD:
            raise NotPossible(_("Check the year again."), field)
        if (proposed.day, proposed.begins_at or match.hour) == (match.own_day, match.hour):
            raise NotPossible(_("The match is already on that day."), field)
        if any(proposed == earlier for earlier in days[: place - 1]):
            raise NotPossible(_("That day is proposed twice."), field)
        if team := busy.get(proposed.day):
            text = _("%(team)s has another match on that day.")
            raise NotPossible(text % {"team": team}, field)


def _days_taken(match: Match) -> dict[date, str]:
    """The days on which either team has another match, each with that team's name."""
    teams = {match.home_id: str(match.home), match.away_id: str(match.away)}
    others = Match.objects.filter(Q(home__in=teams) | Q(away__in=teams), ended_at=None, awarded_home=None)
    taken = {}
    for other in others.exclude(pk=match.pk).select_related("round"):
        if (day := other.own_day or other.round.date) is not None:
            whose = other.home_id if other.home_id in teams else other.away_id
            taken[day] = teams[whose]
    return taken


@transaction.atomic
def accept_day(proposal: Postponement, team: Team, day: ProposedDay, *, now: datetime) -> Match:
    """Move the match to one of the days that the other team has proposed. Raises NotPossible at `day`."""
    match, proposal = _hold_answer(proposal, team, now)
    if day not in proposal.proposed:
        raise NotPossible(_("Choose one of the days proposed."), "day")
    if day.day <= timezone.localdate(now):
        raise NotPossible(_("That day has passed. Choose another one, or refuse."), "day")
    if taken := _days_taken(match).get(day.day):
        raise NotPossible(_("%(team)s has another match on that day.") % {"team": taken}, "day")
    _close(proposal, Postponement.State.ACCEPTED, now, chosen=day.day)
    hour = day.begins_at or match.begins_at
    moved = postpone(
        match, day.day, begins_at=hour, place=proposal.place or match.place, account=None, now=now
    )
    for side in (proposal.team, team):
        post_about_match("moved", moved, side, proposal=proposal)
    return moved


@transaction.atomic
def refuse_days(proposal: Postponement, team: Team, *, answer: str = "", now: datetime) -> None:
    """Let the match stay on its day."""
    match, proposal = _hold_answer(proposal, team, now)
    _close(proposal, Postponement.State.REFUSED, now, answer=clean_text(answer)[:200])
    text = gettext_noop("Round {round}: {team} does not agree to another day for {match}")
    log_of_match(match.round.tournament, match, None, text, now=now, team=team)
    post_about_match("refused", match, proposal.team, proposal=proposal)


@transaction.atomic
def withdraw_proposal(proposal: Postponement, team: Team, *, now: datetime) -> None:
    """Take a team's own proposal back while it waits for an answer."""
    _tournament, match = hold_match(proposal.match)
    found = Postponement.objects.filter(pk=proposal.pk, team=team).first()
    if found is not None and found.is_open:
        _close(found, Postponement.State.WITHDRAWN, now)
        text = gettext_noop("Round {round}: {team} no longer asks to play {match} on another day")
        log_of_match(match.round.tournament, match, None, text, now=now, team=team)


def _hold_answer(proposal: Postponement, team: Team, now: datetime) -> tuple[Match, Postponement]:
    match = _hold_open(proposal.match, now)
    found = (
        Postponement.objects.select_related("team__tournament").filter(pk=proposal.pk, match=match).first()
    )
    if found is None or not found.is_open:
        raise NotPossible(_("The proposal has been answered or withdrawn in the meantime."))
    if found.team_id == team.pk or team.pk not in (match.home_id, match.away_id):
        raise NotPossible(_("The other team answers this proposal."))
    return match, found


def _close(
    proposal: Postponement,
    state: Postponement.State,
    now: datetime,
    *,
    chosen: date | None = None,
    answer: str = "",
) -> None:
    proposal.state, proposal.answered_at, proposal.chosen, proposal.answer = state, now, chosen, answer
    proposal.save(update_fields=["state", "answered_at", "chosen", "answer"])


@transaction.atomic
def move_place(match: Match, team: Team, place: str, *, now: datetime) -> Match:
    """Let the home team say where it plays a match; an empty place is where it usually does. Needs no yes."""
    match = _hold_open(match, now)
    if team.pk != match.home_id:
        raise NotPossible(_("The home team says where the match is played."), "place")
    place = clean_text(place)
    if place == match.place:
        return match
    match.place = place
    match.save(update_fields=["place"])
    announce_days(match.round.tournament, now)
    text = gettext_noop("Round {round}: {match} is played at {place}")
    log_of_match(match.round.tournament, match, None, text, now=now, place=match.where)
    post_about_match("moved", match, _other(match, team))
    return match


def _other(match: Match, team: Team) -> Team:
    return match.away if team.pk == match.home_id and match.away else match.home


def day_text(day: ProposedDay) -> str:
    """A proposed day with its hour, in the reader's words."""
    return when_and_where(day.day, day.begins_at, "")
