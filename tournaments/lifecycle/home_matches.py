"""Matches that teams play at home: each has a day of its own and is started alone, by a captain or at the desk.

The first match that is started opens its round, and every round before it, without the others being played: such a
round is stored as closed, each of its matches waits for its own day (`Match.waits`), and `closed_at` is set when the
last of them has been played.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible, clean_reason
from core.text import clean_text
from tournaments.boards.folders import make_boards
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.ledger.queries import count_reported
from tournaments.ledger.table_actions import raise_flag
from tournaments.lifecycle.drawing import draw, rounds_drawn_at_once
from tournaments.lifecycle.fixtures import season_dates
from tournaments.lifecycle.league_mail import post_about_match
from tournaments.lifecycle.line_ups import bound_above, seats_of, stays_above
from tournaments.lifecycle.playing import discard_results, freeze_rules, refuse_called_off
from tournaments.lifecycle.rulings import (
    announce_days,
    end_match,
    hold_match,
    log_of_match,
    postpone,
    touch_tables,
)
from tournaments.models import (
    Entry,
    Flag,
    KeptReport,
    Match,
    MatchConfirmation,
    Postponement,
    Round,
    Seat,
    Table,
)
from tournaments.standings.team_ranking import points_of, side_of
from tournaments.standings.team_text import when_and_where

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from django.db.models import Model

    from clubs.models import Account
    from tournaments.models import Team, Tournament
    from tournaments.models.leagues import ProposedDay


@transaction.atomic
def plan_season(
    tournament: Tournament,
    *,
    first: date,
    weeks: int,
    left_out: Collection[date] = (),
    at_home: bool,
    account: Account,
    now: datetime,
) -> list[Round]:
    """Draw all rounds that have not started by the teams' wishes, one every so many weeks from the first date on.

    With `at_home` each match gets a day of its own. Raises NotPossible.
    """
    tournament = locked(tournament)
    dates = season_dates(first, weeks, left_out, rounds_drawn_at_once(tournament))
    rounds = draw(tournament, seed=None, dates=dates, account=account, now=now)
    announce_days(tournament, now)
    if at_home:
        give_own_days(tournament, account=account, now=now)
    return rounds


@transaction.atomic
def give_own_days(tournament: Tournament, *, account: Account, now: datetime) -> int:
    """Let each match of the drawn rounds have its round's date as a day of its own; return how many have one now.

    Raises NotPossible where a round has no date.
    """
    tournament = locked(tournament)
    if tournament.is_finished:
        raise NotPossible(_("The tournament is finished."))
    drawn = tournament.rounds.filter(state=Round.State.DRAWN)
    if without := drawn.filter(date=None).order_by("number").first():
        raise NotPossible(_("Round %(number)d has no date yet.") % {"number": without.number})
    matches = list(
        Match.objects.filter(round__in=drawn, day=None, away__isnull=False).select_related("round")
    )
    if not matches:
        raise NotPossible(_("Every match in the drawn rounds already has its own day."))
    for match in matches:
        match.day = match.round.date
    Match.objects.bulk_update(matches, ["day"])
    announce_days(tournament, now)
    text = gettext_noop("Each match is played on its own day: {count}")
    write_down(tournament, account, text, now=now, about=matches, count=len(matches))
    return len(matches)


def start_of(match: Match) -> datetime | None:
    """The beginning of a match on a day of its own; at midnight where the hour is not known, None without a day."""
    if match.own_day is None:
        return None
    return timezone.make_aware(datetime.combine(match.own_day, match.hour or time()))


def why_no_start(match: Match, now: datetime) -> str:
    """Why a captain cannot start a match yet, in words; "" where it can be started."""
    if not match.awaits_start or match.own_day is None:
        return _("The match is not waiting to be started.")
    if timezone.localdate(now) < match.own_day:
        text = _("The match is on %(day)s and can be started on that day.")
        return text % {"day": date_format(match.own_day, "DATE_FORMAT")}
    return ""


def matches_at_home(team: Team) -> list[Match]:
    """The team's matches to come that have a day of their own and are started alone, by day."""
    own = Match.objects.filter(Q(home=team) | Q(away=team), away__isnull=False, day__isnull=False)
    to_come = own.filter(started_at=None, ended_at=None, awarded_home=None)
    found = to_come.select_related("round__tournament", "home", "away")
    return sorted(found, key=lambda match: (match.own_day, match.round.number))


def running_alone(team: Team) -> list[Match]:
    """The team's matches that were started alone and have not been ended."""
    own = Match.objects.filter(Q(home=team) | Q(away=team), started_at__isnull=False, ended_at=None)
    return list(own.filter(awarded_home=None).select_related("round__tournament", "home", "away"))


@transaction.atomic
def start_match(match: Match, *, team: Team | None = None, account: Account | None, now: datetime) -> Match:
    """Open the tables of a match that is played alone; a `team` does so by its link, from the match's day on.

    The first start freezes the tournament's rules. Raises NotPossible.
    """
    tournament, match = hold_match(match)
    refuse_called_off(tournament)
    if tournament.is_posted:
        raise NotPossible(_("The final standings have been published. Reopen the tournament first."))
    if match.is_running:
        return match  # the other captain was faster
    if not match.awaits_start:
        raise NotPossible(_("The match is not waiting to be started."))
    if team is not None and (why := why_no_start(match, now)):
        raise NotPossible(why)
    entries: list[Entry] = []
    for side in filter(None, (match.home, match.away)):
        if side.withdrawn:
            text = _("%(team)s has withdrawn: the desk decides the match by a ruling.")
            raise NotPossible(text % {"team": side})
        entries += _check_in(match, side, by_captain=team is not None)
    about = _open_rounds(tournament, match.round, account=account, now=now)
    match.started_at = now
    match.save(update_fields=["started_at"])
    touch_tables(match)
    discard_results(tournament)
    text = gettext_noop("Round {round}: {match} started")
    if team is not None:
        text = gettext_noop("Round {round}: {match} started, by {team}")
    said = {"team": team} if team is not None else {}
    about += [match, *entries, *match.tables.select_related("round")]
    write_down(tournament, account, text, now=now, about=about, round=match.round.number, match=match, **said)
    return match


def _check_in(match: Match, team: Team, *, by_captain: bool) -> list[Entry]:
    """Check in who sits for the team, and return them. Raises NotPossible for who has withdrawn or plays elsewhere."""
    entries = [seat.entry for seat in seats_of(match, team)]
    if gone := next((entry for entry in entries if entry.status == Entry.Status.WITHDRAWN), None):
        text = _("%(name)s has withdrawn: change the line-up first.")
        raise NotPossible(text % {"name": gone})
    bound = bound_above(match, team) if by_captain else set()
    if above := next((entry for entry in entries if entry.pk in bound), None):
        text = _("%(why)s Change the line-up first, or ask the organiser to start the match.")
        raise NotPossible(text % {"why": stays_above(match.round.tournament, above)})
    coming = [entry.pk for entry in entries]
    playing = Seat.objects.filter(entry__in=coming, table__in=Table.open_ones())
    if busy := playing.exclude(table__match=match).select_related("entry__player").first():
        text = _("%(name)s is sitting in another match that is being played.")
        raise NotPossible(text % {"name": busy.entry})
    Entry.objects.filter(pk__in=coming, status=Entry.Status.ENTERED).update(status=Entry.Status.PRESENT)
    return entries


def _open_rounds(
    tournament: Tournament, round_: Round, *, account: Account | None, now: datetime
) -> list[Model]:
    """Open the drawn rounds up to this one for their matches to be played one by one; return what changed."""
    opened = list(tournament.rounds.filter(state=Round.State.DRAWN, number__lte=round_.number))
    if not opened:
        return []
    lacking = Match.objects.filter(round__in=opened, away__isnull=False, day=None, awarded_home=None)
    if match := lacking.select_related("round", "home", "away").order_by("round__number", "number").first():
        text = _("Give every match of round %(number)d its own day first, or start that round.")
        raise NotPossible(text % {"number": match.round.number})
    freeze_rules(tournament, now)
    make_boards(opened, account=account, now=now)
    for one in opened:
        one.state, one.started_at = Round.State.CLOSED, now
    Round.objects.bulk_update(opened, ["state", "started_at"])
    return [tournament, *opened, *Table.objects.filter(round__in=opened).select_related("round")]


@transaction.atomic
def take_match_start_back(match: Match, *, account: Account, now: datetime) -> Match:
    """Let a match that was started too early wait again, while nothing is reported in it."""
    tournament, match = hold_match(match)
    if not match.is_running:
        return match
    tables = match.tables.all()
    if tables.filter(reports_count__gt=0).exists():
        raise NotPossible(_("Deals have been reported in the match."))
    if KeptReport.objects.filter(table__in=tables, state=KeptReport.State.WAITING).exists():
        raise NotPossible(_("A late report is waiting at a table of the match; decide on it first."))
    match.started_at = None
    match.save(update_fields=["started_at"])
    touch_tables(match)
    log_of_match(
        tournament, match, account, gettext_noop("Round {round}: undid the start of {match}"), now=now
    )
    return match


# Two captains agree on another day or place for a match at home, through their teams' links.
#
# A team proposes up to three days with a reason; the other one chooses a day or refuses. A new place alone needs no
# consent: the home team decides it. Both are possible until a day before the match. The desk decides at any time.

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


# Two captains agree to the result of a match at home; who differs calls the organiser.


@dataclass(frozen=True, slots=True)
class TableResult:
    """A table of a match: how far it is, and the tokens of the home and the away side."""

    table: Table
    reported: int
    tokens: tuple[int, int]

    @property
    def is_done(self) -> bool:
        return self.reported >= self.table.deals or self.table.ended_early_at is not None


@dataclass(frozen=True, slots=True)
class MatchScore:
    """A match as it has been reported: by table, in tokens and in match points of home and away."""

    tables: Sequence[TableResult]
    tokens: tuple[int, int]
    points: tuple[int, int]

    @property
    def is_complete(self) -> bool:
        return bool(self.tables) and all(one.is_done for one in self.tables)


def score_of(match: Match) -> MatchScore:
    """Count a match from the seats of its tables."""
    results = []
    tables = list(match.tables.select_related("round__tournament", "match").order_by("number"))
    for place, table in enumerate(tables):
        tokens = [0, 0]
        for position, amount in table.seats.values_list("position", "tokens"):
            tokens[side_of(position, at_second=place > 0)] += amount
        results.append(TableResult(table, count_reported(table), (tokens[0], tokens[1])))
    home, away = (sum(one.tokens[side] for one in results) for side in (0, 1))
    return MatchScore(results, (home, away), points_of(home, away, match.round.tournament.match_points))


def confirmations(match: Match, score: MatchScore) -> dict[int, MatchConfirmation]:
    """The teams' yeses to this score, by the teams' primary keys: one to another score is void."""
    found = match.confirmations.select_related("team")
    return {one.team_id: one for one in found if (one.home_tokens, one.away_tokens) == score.tokens}


@transaction.atomic
def agree_to_result(match: Match, team: Team, *, seen: tuple[int | None, int | None], now: datetime) -> Match:
    """Store a team's yes to the tokens that its page showed; the second team's yes ends the match.

    The captains sign for their players. Raises NotPossible.
    """
    tournament, match = hold_match(match)
    if not match.is_running:
        raise NotPossible(_("The match is not being played."))
    score = score_of(match)
    if not score.is_complete:
        raise NotPossible(_("Not every deal has been reported yet."))
    if score.tokens != seen:
        raise NotPossible(_("The result has changed in the meantime. Check it again."))
    home_tokens, away_tokens = score.tokens
    if team.pk not in confirmations(match, score):
        MatchConfirmation.objects.update_or_create(
            match=match,
            team=team,
            defaults={"home_tokens": home_tokens, "away_tokens": away_tokens, "confirmed_at": now},
        )
        text = gettext_noop("Round {round}: {team} agrees to the result of {match}: {home} : {away}")
        log_of_match(
            tournament,
            match,
            None,
            text,
            now=now,
            team=team,
            home=f"{home_tokens:+d}",
            away=f"{away_tokens:+d}",
        )
    if {match.home_id, match.away_id} <= confirmations(match, score).keys():
        Seat.objects.filter(table__match=match, agreed_at=None).update(agreed_at=now)
        return end_match(match, account=None, now=now)
    touch_tables(match)
    return match


@transaction.atomic
def dispute_result(match: Match, team: Team, *, words: str, now: datetime) -> Flag:
    """Call the organiser to the match's first table, and take the team's yes back. Raises NotPossible at `words`."""
    tournament, match = hold_match(match)
    if not match.is_running:
        raise NotPossible(_("The match is not being played."))
    words = clean_text(words)
    if not words:
        raise NotPossible(_("Say what is wrong, in a few words."), "words")
    table = match.tables.select_related("round__tournament").order_by("number").first()
    if table is None:
        raise NotPossible(_("The match is not being played."))
    flag = raise_flag(table, Flag.Kind.CALL, deal=None, words=f"{team}: {words}", now=now)
    if MatchConfirmation.objects.filter(match=match, team=team).delete()[0]:
        text = gettext_noop("Round {round}: {team} no longer agrees to the result of {match}")
        log_of_match(tournament, match, None, text, now=now, team=team)
    return flag
