"""The standings for a newspaper: who won, and everybody by place, as a page and as plain text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.pdf.fonts import plain, wrap
from core.pdf.page import Page
from tournaments.lifecycle.money import in_kind_said
from tournaments.paper.pages import packed
from tournaments.standings.players import winners_in_words
from tournaments.standings.team_text import places_by_total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Tournament
    from tournaments.paper.pages import Occasion

# Lines of print in the two columns of a page, and how wide a column is, in em.
LINES_A_PAGE, COLUMN = 92, 23.0


class Ranked(Protocol):
    """A player, a pair or a team in the standings."""

    @property
    def rank(self) -> int: ...
    @property
    def shared(self) -> bool: ...
    @property
    def name(self) -> str: ...
    @property
    def club(self) -> str: ...


@dataclass(frozen=True)
class Listing:
    """Those who are ranked together: whom, who has won once play is over, and a line for each."""

    name: str
    winners: str
    lines: Sequence[str]


def listings(tournament: Tournament) -> list[Listing]:
    """As pages show the standings just now."""
    groups, total = places_by_total(tournament)
    return [
        Listing(
            plain(group.name),
            winners_in_words([plain(row.name) for row in group.rows if row.rank == 1])
            if tournament.is_played
            else "",
            [_line(row, total.written(row)) for row in group.rows if row.played],
        )
        for group in groups
    ]


def _line(row: Ranked, total: str) -> str:
    """ "3= Anna Lund, Skovby, +12"; without a club that the name has already."""
    name, club = plain(row.name), plain(row.club)
    of_club = f", {club}" if club and club not in name else ""
    return f"{row.rank}{'=' if row.shared else '.'} {name}{of_club}, {total}"


def lead(tournament: Tournament) -> str:
    """What it is, and how many took part."""
    count = tournament.entries.filter(seats__isnull=False).distinct().count()
    took_part = ngettext("%(count)d player took part", "%(count)d players took part", count) % {
        "count": count
    }
    said = [plain(tournament.host.name), plain(tournament.place), date_format(tournament.date), took_part]
    return " · ".join(filter(None, [*said, _state(tournament)]))


def _state(tournament: Tournament) -> str:
    if tournament.objections_said:
        return _("provisional until %(time)s") % {"time": tournament.objections_said}
    return "" if tournament.is_played else _("provisional")


def _things(tournament: Tournament) -> list[str]:
    """Who has won what that is no money, once play is over."""
    return [plain(line) for line in in_kind_said(tournament)] if tournament.is_played else []


def press_text(tournament: Tournament) -> str:
    """The list as it is sent to a newspaper."""
    parts = [plain(tournament.name), lead(tournament)]
    parts += [
        "\n".join(filter(None, [listing.name, listing.winners, *listing.lines]))
        for listing in listings(tournament)
    ]
    parts += ["\n".join(things)] if (things := _things(tournament)) else []
    return "\n\n".join(parts) + "\n"


def press_pages(tournament: Tournament, occasion: Occasion) -> list[Page]:
    """The same on paper, in two columns."""
    listed = listings(tournament)
    return [
        Page(
            "paper/_press.html",
            name=_("List for the press"),
            css="ranking press",
            context={
                "occasion": occasion,
                "lead": lead(tournament),
                "listing": listing,
                "lines": part,
                "is_first": index == 0,
            },
        )
        for listing, lines in zip(listed, [[]] * (len(listed) - 1) + [_things(tournament)], strict=True)
        for index, part in enumerate(_shared_out([*listing.lines, *lines]))
    ]


def _shared_out(lines: Sequence[str]) -> list[list[str]]:
    """As many on each page as its columns have room for, where long ones take two lines of print."""
    return packed(lines, [len(wrap(line, COLUMN)) for line in lines], LINES_A_PAGE) or [[]]
