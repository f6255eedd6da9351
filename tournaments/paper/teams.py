"""Pairs and teams on paper: the standings, who met whom, and the schedule with its results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.pdf.fonts import cut, wrap
from core.pdf.page import Page, chunks
from tournaments.domain.amounts import in_kroner
from tournaments.lifecycle.money import in_kind_said, prizes_by_team, reckon
from tournaments.paper.columns import measured, prize_column
from tournaments.paper.names import size_for
from tournaments.paper.pages import Occasion, packed
from tournaments.standings.columns import On, explanations, shown
from tournaments.standings.team_text import (
    TEAMS,
    ranking_in_words,
    rankings,
    rounds_of_matches,
    tables_of_matches,
)
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from tournaments.models import Round, Tournament
    from tournaments.standings.columns import Column
    from tournaments.standings.team_ranking import Row
    from tournaments.standings.team_text import MatchLine, RoundOfMatches
    from tournaments.standings.teams import TeamStandings

ROWS_A_PAGE = 36
# So many have larger letters.
ROOMY = 20
LONGEST_NAME = 48
# Characters of the standings' numbers that leave names their room, and how many the gap between two columns takes.
CHARACTERS, BETWEEN = 76, 2
# Millimetres of the schedule: a page's, of a round's heading, a match, a line of what else is to be said of it.
SCHEDULE, HEADING, MATCH, NOTE = 236.0, 8.5, 7.0, 3.6
# How much a match's line may grow until the page is full; the line to write on lies so much above its foot.
GROWN, WRITTEN_BELOW = 1.6, 1.2
# A round of more matches than this goes on on another page.
MATCHES_A_PAGE = 24
NOTE_EMS, MATCH_ROOM, MATCH_SIZES = 66.0, 98.0, (10.0, 7.0)


def standings_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """The standings after a round, or during it, a division after the other; at the end with the prizes."""
    tournament = round_.tournament
    is_final = occasion.is_final
    prizes = _prizes(tournament) if is_final else {}
    table = team_standings(tournament, through=round_.number)
    parts = [
        (ranking, part)
        for ranking in rankings(tournament, table)
        for part in chunks(ranking.rows, ROWS_A_PAGE)
    ]
    columns = _columns(table, prizes)
    return [
        Page(
            "paper/_team_standings.html",
            name=_("Final standings") if is_final else _("Standings"),
            css="ranking of-teams" + " roomy" * (len(part) <= ROOMY),
            context={
                "occasion": occasion,
                "standings": table,
                "words": tournament.format_row.words,
                "division": ranking.name,
                "is_final": is_final,
                "winners": ranking.winners,
                "has_prizes": bool(prizes),
                "things": in_kind_said(tournament) if is_final else [],
                "columns": columns,
                "lines": [(row, cut(row.name, LONGEST_NAME)) for row in part],
                "explanations": explanations(columns),
                "decided": ranking_in_words(tournament) if number == len(parts) else [],
            },
        )
        for number, (ranking, part) in enumerate(parts, 1)
    ]


def _columns(table: TeamStandings, prizes: Mapping[int, str]) -> list[Column[Row, TeamStandings]]:
    """Those that have room beside the names; the prizes last."""
    columns = shown(TEAMS, On.PAPER, table)
    won: list[Column[Row, TeamStandings]] = [prize_column(prizes)] if prizes else []
    return list(measured([*columns, *won], table.rows, CHARACTERS, between=BETWEEN, wrapped=True))


def _prizes(tournament: Tournament) -> dict[int, str]:
    """Each prize in kroner, by the number of the pair or team."""
    won = prizes_by_team(tournament, reckon(tournament).by_place)
    return {number: in_kroner(amount) for number, amount in won.items() if amount}


@dataclass(frozen=True)
class Meeting:
    """A match on paper: who plays, how it ended, and what else is to be said, in lines; type in points."""

    tables: str
    names: str
    size: float
    score: str
    tokens: str
    notes: Sequence[str]

    @property
    def height(self) -> float:
        return MATCH + NOTE * len(self.notes)


@dataclass(frozen=True)
class Block:
    """A round of the schedule, or a part of one that is too long for a page."""

    number: int
    day: date | None
    meetings: Sequence[Meeting]
    byes: Sequence[str]

    @property
    def height(self) -> float:
        return HEADING + sum(meeting.height for meeting in self.meetings) + NOTE * len(self.byes)


def schedule_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """Every round with its day, its matches and their tables, results or room for them, rulings and byes."""
    table = team_standings(round_.tournament)
    found = rounds_of_matches(table, tables_of_matches(round_.tournament))
    blocks = [block for each in found for block in _blocks(each)]
    parts = packed(blocks, [block.height for block in blocks], SCHEDULE)
    fullest = max((sum(block.height for block in some) for some in parts), default=SCHEDULE)
    line = MATCH * min(GROWN, SCHEDULE / fullest)
    named = f"match-{line * 100:.0f}"
    return [
        Page(
            "paper/_schedule.html",
            name=_("Schedule"),
            css=f"ranking of-teams {named}",
            styles=f".{named} .meeting:not(.titles) > p:first-child"
            f" {{ height: {line:.2f}mm; line-height: {line:.2f}mm; }}"
            f".{named} .meeting .to-write {{ height: {line - WRITTEN_BELOW:.2f}mm; }}",
            context={"occasion": occasion, "rounds": some},
        )
        for some in parts
    ]


def _blocks(found: RoundOfMatches) -> list[Block]:
    meetings = [_meeting(match) for match in found.matches]
    byes = [" ".join((_("Bye:"), ", ".join(found.byes)))] if found.byes else []
    parts = chunks(meetings, MATCHES_A_PAGE) or [[]]
    lines = [line for bye in byes for line in wrap(bye, NOTE_EMS)]
    return [Block(found.number, found.day, part, lines if part is parts[-1] else []) for part in parts]


def _meeting(match: MatchLine) -> Meeting:
    names = f"{cut(match.home, LONGEST_NAME)} – {cut(match.away, LONGEST_NAME)}"
    notes = wrap(match.state, NOTE_EMS) if match.state else []
    tables = "+".join(map(str, match.tables))
    return Meeting(tables, names, size_for(names, MATCH_ROOM, *MATCH_SIZES), match.score, match.tokens, notes)
