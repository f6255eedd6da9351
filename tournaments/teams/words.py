"""Matches and places of pairs and teams, in the reader's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.domain.terms import signed

if TYPE_CHECKING:
    from tournaments.models import Tournament
    from tournaments.teams.ranking import Result, Row


def division_name(tournament: Tournament, number: int) -> str:
    """Pairs play in groups, teams in divisions."""
    return tournament.format_row.words.numbered_group % {"number": number}


def score(result: Result) -> str:
    """The match points of a match, home first; empty where it does not count yet."""
    return f"{result.points[0]}–{result.points[1]}" if result.points else ""


def tokens(result: Result) -> str:
    """The tokens of a match, home first; empty where there are none."""
    return f"{signed(result.tokens[0])} : {signed(result.tokens[1])}" if result.tokens else ""


def state(result: Result) -> str:
    """What else is to be said of a match; empty where it is simply played or to come."""
    if result.is_bye:
        return _("bye")
    if result.is_awarded:
        return _("by ruling: %(reason)s") % {"reason": result.awarded_reason}
    if result.in_play:
        return _("being played")
    if result.postponed_to and (result.waits or result.is_drawn):
        return _("is played on %(day)s") % {"day": date_format(result.postponed_to, "DATE_FORMAT")}
    return ""


def marked(row: Row) -> str:
    """What a team's place means for the next season."""
    if row.promoted:
        return _("promoted")
    return _("relegated") if row.relegated else ""


def ranking_in_words(tournament: Tournament) -> list[str]:
    """How places are decided: a sentence for each step."""
    won, drawn, lost = tournament.match_points
    points = _("A match won gives %(won)d, drawn %(drawn)d, lost %(lost)d match points.")
    said = [points % {"won": won, "drawn": drawn, "lost": lost}]
    said.append(str(tournament.format_row.words.who_wins))
    if tournament.by_average:
        said.append(_("Places go by average match points per match, then by average tokens."))
    else:
        said.append(_("Places go by match points, then by tokens."))
    said.append(
        _(
            "Ties are broken by the matches between those level: match points, then tokens. Those"
            " still level share the place."
        )
    )
    said.append(
        _(
            "Rulings (penalties) count with the tokens, or with the match points if given in "
            "these, but in no match. A bye earns nothing."
        )
    )
    if tournament.promoted or tournament.relegated:
        said.append(_up_and_down(tournament))
    return said


def _up_and_down(tournament: Tournament) -> str:
    up = ngettext("%(count)d is promoted", "%(count)d are promoted", tournament.promoted)
    down = ngettext("%(count)d is relegated", "%(count)d are relegated", tournament.relegated)
    return _("From each division %(up)s and %(down)s.") % {
        "up": up % {"count": tournament.promoted},
        "down": down % {"count": tournament.relegated},
    }
