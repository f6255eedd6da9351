"""Two captains agree to the result of a match at home; who differs calls the organiser."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible
from core.text import clean_text
from tournaments.ledger.queries import count_reported
from tournaments.ledger.table_actions import raise_flag
from tournaments.lifecycle.rulings import end_match, hold_match, log_of_match, touch_tables
from tournaments.models import Flag, Match, MatchConfirmation, Seat, Table
from tournaments.standings.team_ranking import points_of, side_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Team


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
