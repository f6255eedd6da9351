"""E-mails to teams of a league: another day is proposed, agreed or refused for a match."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from clubs.letter_models import Topic
from clubs.mail.kinds import LetterKind, LetterObsolete
from clubs.mail.outbox import Addressed, enqueue_letters
from tournaments.models import Entry, Match, Postponement
from tournaments.standings.team_text import when_of

if TYPE_CHECKING:
    from clubs.models import Letter
    from tournaments.models import Team

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
