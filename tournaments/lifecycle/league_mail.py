"""Mails to teams of a league: days proposed, rounds played, and the teams that clubs enter."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, gettext_lazy, gettext_noop
from django.utils.translation import gettext_lazy as _

from clubs.letter_models import OF_ORGANISERS, Topic
from clubs.mail.kinds import LetterKind, LetterObsolete, RenderedLetter, render_letter
from clubs.mail.outbox import Addressed, enqueue_letter, enqueue_letters, is_set_up, language_for
from clubs.models import Letter
from clubs.register import enqueue_for_organisers
from core.errors import NotPossible
from tournaments.changes.log import write_down
from tournaments.models import Entry, Match, Postponement, Round, TeamEntry, TeamEntryLink
from tournaments.models.play import on_own_day
from tournaments.standings.team_text import rankings, rounds_of_matches, when_of
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from clubs.models import Account
    from tournaments.models import Team, TeamEntryRuling, Tournament


GONE = gettext_noop("The match was moved or decided again before it was sent.")


class MatchDayLetter(LetterKind):
    """News about a match's day; read from the match when the letter is sent."""

    code = "match_day"
    name = _("another day for a match")
    topic = Topic.EVENING.value

    def template_context(self, letter: Letter) -> dict[str, Any]:
        found = Match.objects.select_related("round__tournament", "home", "away")
        match = found.filter(pk=letter.facts["match"]).first()
        what, when = letter.facts["what"], letter.facts["when"]
        if match is None or match.is_awarded or [str(match.own_day), str(match.hour), match.where] != when:
            raise LetterObsolete(GONE)
        asked = Postponement.objects.select_related("team").filter(pk=letter.facts["proposal"]).first()
        if what == "proposed" and (asked is None or not asked.is_open):
            raise LetterObsolete(GONE)
        return {
            "what": what,
            "tournament": match.round.tournament,
            "match": str(match),
            "round": match.round.number,
            "when": when_of(match),
            "team": str(asked.team) if asked else "",
            "reason": asked.reason if asked else "",
            "days": [[day.day, day.begins_at] for day in asked.proposed] if asked else [],
            "name": letter.player.name if letter.player else "",
        }


def post_about_match(what: str, match: Match, to: Team, *, proposal: Postponement | None = None) -> int:
    """Queue letters to the players of a team who want them; return how many letters are new."""
    members = to.members.exclude(status=Entry.Status.WITHDRAWN).filter(
        player__agreements__topic=Topic.EVENING
    )
    when = [str(match.own_day), str(match.hour), match.where]
    facts = {"match": match.pk, "what": what, "when": when, "proposal": proposal.pk if proposal else 0}
    asked = f"{proposal.pk}" if proposal else ""
    which = hashlib.sha256(" ".join(when).encode()).hexdigest()[:16]
    letters = [
        Addressed(entry.player, f"match {match.pk} {what} {asked} {which} {entry.pk}", facts)
        for entry in members.exclude(player__email="").select_related("player")
    ]
    return enqueue_letters(MatchDayLetter.code, letters, club=match.round.tournament.host)


CHANGED = gettext_noop("It has changed in the meantime.")


class TeamEntryNews(LetterKind):
    """The letter to a club's organisers when one of its teams was accepted, declined or changed by a ruling."""

    code = "team_entry"
    name = gettext_lazy("news about a team’s entry")
    topic = OF_ORGANISERS

    def template_context(self, letter: Letter) -> dict[str, Any]:
        what = letter.facts["what"]
        found = TeamEntry.objects.select_related("tournament__host", "club", "team")
        entry = found.filter(pk=letter.facts["entry"]).first()
        if entry is None or (what in ("accepted", "declined") and entry.state != what):
            raise LetterObsolete(CHANGED)
        ruling = entry.rulings.filter(pk=letter.facts["ruling"]).first()
        return {
            "what": what,
            "entry": entry,
            "tournament": entry.tournament,
            "union": entry.tournament.host,
            "ruling": ruling,
            "line_up": entry.players.select_related("player"),
        }


class TeamCaptainNews(TeamEntryNews):
    """The same letter for the team's captain, if they want letters about their evenings."""

    code = "team_captain"
    name = gettext_lazy("news about a team’s entry, to its captain")
    topic = Topic.EVENING.value


class TeamEntryInvitation(LetterKind):
    """Sends a club the link by which it enters teams, at an address that the union's organiser has typed."""

    code = "team_link"
    name = gettext_lazy("link to enter teams")

    def template_context(self, letter: Letter) -> dict[str, Any]:
        links = TeamEntryLink.objects.select_related("tournament__host", "club")
        link = links.filter(pk=letter.facts["link"]).first()
        until = link.tournament.teams_until if link else None
        if link is None or until is None:
            raise LetterObsolete(CHANGED)
        return {
            "tournament": link.tournament,
            "union": link.tournament.host,
            "entering": link.club,
            "until": date_format(localtime(until), "DATETIME_FORMAT"),
            "link": f"{settings.PUBLIC_URL}{reverse('team_entries', args=[link.secret])}",
        }


def post_about_entry(what: str, entry: TeamEntry, ruling: TeamEntryRuling | None = None) -> None:
    """Queue letters to the organisers of the club and to the team's captain."""
    facts = {"entry": entry.pk, "what": what, "ruling": ruling.pk if ruling else 0}
    key = f"team entry {entry.pk} {what} {entry.changed_at.timestamp()}"
    enqueue_for_organisers(TeamEntryNews.code, entry.club, facts, key=f"{key} account")
    captains = entry.players.filter(is_captain=True, player__agreements__topic=Topic.EVENING)
    letters = [
        Addressed(one.player, f"{key} player {one.player_id}", facts)
        for one in captains.select_related("player")
    ]
    enqueue_letters(TeamCaptainNews.code, letters, club=entry.club)


def send_link(link: TeamEntryLink, *, to: str, account: Account, now: datetime) -> None:
    """Queue a letter with a club's link. Raises NotPossible at `to` where no mail is sent."""
    del account
    if not is_set_up():
        raise NotPossible(gettext("No mail server is set up: copy the link instead."), "to")
    enqueue_letter(
        TeamEntryInvitation.code,
        to,
        language=language_for(None, link.club),
        facts={"link": link.pk},
        club=link.tournament.host,
        # Pressed twice within a minute it is sent once.
        key=f"team link {link.pk} {link.secret[:8]} {to} {now:%Y%m%d%H%M}",
    )


# A match that was ended by mistake is opened again at once.
ROUND_SETTLED = timedelta(minutes=10)
# Rounds that ended earlier are not written about by the clock: mail was not set up then.
TOLD_FOR = timedelta(days=3)
REOPENED = gettext_noop("The round was opened again before it was sent.")


def is_complete(round_: Round) -> bool:
    """Whether each match of a round has been played to its end, or decided by a ruling."""
    return round_.is_closed and not _waiting(Match.objects.filter(round=round_)).exists()


def _waiting(matches: QuerySet[Match]) -> QuerySet[Match]:
    return matches.filter(on_own_day(), away__isnull=False, ended_at=None, awarded_home=None)


class RoundPlayed(LetterKind):
    """The letter with results of a round, rendered from the current results when it is sent."""

    code = "round_played"
    name = gettext_lazy("results of a round")
    topic = Topic.RESULTS.value

    def template_context(self, letter: Letter) -> dict[str, Any]:
        rounds = Round.objects.select_related("tournament__host")
        round_ = rounds.filter(pk=letter.facts["round"]).first()
        entries = Entry.objects.select_related("team", "player").filter(pk=letter.facts["entry"])
        entry = entries.first()
        if round_ is None or entry is None or entry.team is None or not is_complete(round_):
            raise LetterObsolete(REOPENED)
        tournament = round_.tournament
        table = team_standings(tournament)
        played = next((one for one in rounds_of_matches(table) if one.number == round_.number), None)
        divisions = rankings(tournament, table)
        own = [one for one in divisions if any(row.number == entry.team.number for row in one.rows)]
        coming = next_match_of(entry.team)
        return {
            "tournament": tournament,
            "round": round_.number,
            "name": entry.player.name,
            "team": entry.team,
            "matches": played.matches if played else [],
            "divisions": own or divisions,
            "next": coming,
            "when": when_of(coming) if coming else "",
        }


def next_match_of(team: Team) -> Match | None:
    """The team's next match that has not been started, by its day."""
    own = Match.objects.filter(Q(home=team) | Q(away=team), away__isnull=False, awarded_home=None)
    drawn, later = Q(round__state=Round.State.DRAWN), on_own_day() & Q(started_at=None, ended_at=None)
    found = list(own.filter(drawn | later).select_related("round__tournament", "home", "away"))
    found.sort(key=lambda match: (str(match.own_day or match.round.date or "9999"), match.round.number))
    return found[0] if found else None


def _recipients(round_: Round) -> QuerySet[Entry]:
    """The players of the tournament's teams who want letters with results."""
    entries = Entry.objects.filter(
        tournament=round_.tournament_id, team__withdrawn=False, player__agreements__topic=Topic.RESULTS
    )
    entries = entries.exclude(status=Entry.Status.WITHDRAWN).exclude(player__email="")
    return entries.select_related("player").order_by("pk")


def _enqueue(round_: Round) -> int:
    """Queue a letter to each player who wants one; the same results go to nobody twice."""
    results = [
        [one.pk, one.ended_at, one.awarded_home, one.awarded_away, *_tokens(one)]
        for one in round_.matches.order_by("pk").prefetch_related("tables__seats")
    ]
    digest = hashlib.sha256(repr(results).encode()).hexdigest()[:16]
    letters = [
        Addressed(entry.player, f"round {round_.pk} {digest} {entry.pk}", _facts(round_, entry))
        for entry in _recipients(round_)
    ]
    return enqueue_letters(RoundPlayed.code, letters, club=round_.tournament.host)


def _tokens(match: Match) -> Sequence[int]:
    return [seat.tokens for table in match.tables.all() for seat in table.seats.all()]


def _facts(round_: Round, entry: Entry) -> dict[str, object]:
    return {"round": round_.pk, "entry": entry.pk}


def post_rounds(now: datetime) -> int:
    """Queue letters about rounds of leagues that have just been completed, once a round; returns how many are new.

    A league is played on several days: its rounds have dates, or its matches days of their own.
    """
    lately = (now - TOLD_FOR, now - ROUND_SETTLED)
    closed = Round.objects.filter(
        _since_import("tournament", "closed_at"),
        state=Round.State.CLOSED,
        told_at=None,
        closed_at__range=lately,
    )
    ended = Match.objects.filter(
        _since_import("round__tournament", "ended_at"), ended_at__range=lately, round__told_at=None
    ).values_list("round", flat=True)
    keys = {*closed.order_by().values_list("pk", flat=True), *ended.order_by()}
    own_days = Match.objects.filter(round=OuterRef("pk"), day__isnull=False)
    found = Round.objects.filter(pk__in=keys, tournament__called_off_at=None)
    found = found.filter(Q(date__isnull=False) | Exists(own_days)).select_related("tournament__host")
    posted = 0
    for round_ in found.order_by("pk"):
        with transaction.atomic():
            if is_complete(round_) and _take_turn(round_, now):
                posted += _enqueue(round_)
    return posted


def _since_import(tournament: str, moment: str) -> Q:
    """Limits to what happened here: not before the tournament was imported, if it was."""
    imported_at = f"{tournament}__imported_at"
    return Q(**{imported_at: None}) | Q(**{f"{imported_at}__lt": F(moment)})


def _take_turn(round_: Round, now: datetime) -> bool:
    """Mark the round as written about; False if another process has done so."""
    return bool(Round.objects.filter(pk=round_.pk, told_at=None).update(told_at=now))


@transaction.atomic
def send_round(round_: Round, *, account: Account, now: datetime) -> int:
    """Queue the letters of a round on demand; who has had these results gets none. Returns how many are new."""
    if why := why_not_send(round_):
        raise NotPossible(why)
    Round.objects.filter(pk=round_.pk).update(told_at=now)
    count = _enqueue(round_)
    text = gettext_noop("Round {round}: sent the results by email ({count})")
    write_down(round_.tournament, account, text, now=now, round=round_.number, count=count)
    return count


def why_not_send(round_: Round) -> str:
    """Why a round's results are not sent, in words; "" where they can be."""
    return "" if is_complete(round_) else gettext("Not every match of the round has been played.")


def count_recipients(round_: Round) -> int:
    return _recipients(round_).count()


def preview(tournament: Tournament, round_: Round) -> RenderedLetter | None:
    """The letter to the first player of a team, whether they want letters or not; None where there is nobody."""
    entry = tournament.entries.filter(team__withdrawn=False).order_by("number").first()
    if entry is None:
        return None
    letter = Letter(
        kind=RoundPlayed.code,
        language=language_for(None, tournament.host),
        facts=_facts(round_, entry),
        club=tournament.host,
    )
    return render_letter(letter)
