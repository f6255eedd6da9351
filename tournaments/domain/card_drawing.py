"""Playing cards as SVG: pips, framed court cards with a letter, a gold edge for the matadors.

On pages the pips are `<use>` of the symbols that `pips` draws, which a page has once; on paper they are drawn in place.
Colours are custom properties of `static/css/cards.css`, so that forced colours and print reach them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.domain.terms import rank_words, suit_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.utils.safestring import SafeString

    Pip = Callable[..., SafeString]

# Each suit's pip: the corner and the size of its view box, and its path, in which M, C, H, c, h and z alone occur.
PIPS = {
    "S": (
        (4, 2, 56, 62),
        "M32 4C23 18 9 25 9 39c0 10 12 15 20 6-1 7-3 11-8 15h22c-5-4-7-8-8-15 8 9 20 4 20-6C55 25 41 18 32 4z",
    ),
    "C": (
        (4, 3, 56, 62),
        (
            "M32 5c8 0 14 6 14 13 0 4-2 7-4 9 3-1 6-1 8 0 6 2 9 7 9 12 0 7-6 12-13 12-5 0-9-3-11-7 0 6 3 11 8 15"
            "H21c5-4 8-9 8-15-2 4-6 7-11 7-7 0-13-5-13-12 0-5 3-10 9-12 2-1 5-1 8 0-2-2-4-5-4-9 0-7 6-13 14-13z"
        ),
    ),
    "H": (
        (3, 3, 58, 58),
        "M32 57C14 43 6 33 6 22 6 13 13 7 20 7c6 0 10 4 12 8 2-4 6-8 12-8 7 0 14 6 14 15 0 11-8 21-26 35z",
    ),
    "D": (
        (5, 2, 54, 60),
        "M32 4c7 11 14 20 22 28-8 8-15 17-22 28-7-11-14-20-22-28 8-8 15-17 22-28z",
    ),
}

# Pips in a face of 100 by 140: the centre, of each rank; those in the lower half are upside down.
_COLUMN, MIDDLE = (37, 63), 50
_ROWS = {"top": 36, "high": 53, "middle": 70, "bottom": 104}
_BOTH_ENDS = [(x, _ROWS[row]) for row in ("top", "bottom") for x in _COLUMN]
PLACES: dict[str, list[tuple[int, int]]] = {
    "2": [(MIDDLE, _ROWS["top"]), (MIDDLE, _ROWS["bottom"])],
    "3": [(MIDDLE, _ROWS["top"]), (MIDDLE, _ROWS["middle"]), (MIDDLE, _ROWS["bottom"])],
    "4": _BOTH_ENDS,
    "5": [*_BOTH_ENDS, (MIDDLE, _ROWS["middle"])],
    "6": [*_BOTH_ENDS, *((x, _ROWS["middle"]) for x in _COLUMN)],
    "7": [*_BOTH_ENDS, *((x, _ROWS["middle"]) for x in _COLUMN), (MIDDLE, _ROWS["high"])],
}
COURT = frozenset("KQJ")
# Of a card on paper, whose maker lets no style sheet of the page into a drawing; without colour it is as good.
RED = "#9c1420"
PAPER = (
    "path, text { fill: %s } text { font-family: 'Spadille Display', 'DejaVu Serif', serif; font-weight: 600;"
    " text-anchor: middle } .face { fill: none; stroke: #000; stroke-width: 1 }"
    " .gold { fill: none; stroke: #a8842a; stroke-width: 2.4 } .frame { fill: none; stroke: #000; stroke-width: .8 }"
    " .ix { font-size: 27px } .court { font-size: 37px } .ix.wide { font-size: 19px } .court.wide { font-size: 27px }"
)

# The cards that one of the first three gets: a gold edge distinguishes them.
MATADORS = frozenset(("SA", "CA", "S2", "C2", "H7", "D7"))
PIP, ACE, INDEX = 21, 46, 17


def card_spoken(card: str) -> str:
    """A card in words, for a voice: king of hearts."""
    return _("%(rank)s of %(suit)s") % {"rank": _rank_spoken(card[1]), "suit": suit_name(card[0])}


def _rank_spoken(rank: str) -> str:
    match rank:
        case "A":
            return pgettext("rank of a card", "ace")
        case "K":
            return pgettext("rank of a card", "king")
        case "Q":
            return pgettext("rank of a card", "queen")
        case "J":
            return pgettext("rank of a card", "jack")
    return rank


def draw_card(card: str, *, gold: bool = False, in_place: bool = False) -> SafeString:
    """The drawing of a card, hidden from screen readers; its index has the rank's letter in the reader's language.

    With `in_place` it needs no symbols of the page that it is on.
    """
    return _draw(card, rank_words(card[1]), gold, in_place)


def pips() -> SafeString:
    """The suits as symbols, for the cards of a page."""
    symbols = format_html_join(
        "",
        '<symbol id="pip-{}" viewBox="{} {} {} {}"><path d="{}"/></symbol>',
        ((suit, *box, path) for suit, (box, path) in PIPS.items()),
    )
    return format_html('<svg class="pips-of-cards" aria-hidden="true">{}</svg>', symbols)


@lru_cache(maxsize=800)
def _draw(card: str, letter: str, gold: bool, in_place: bool) -> SafeString:
    suit, rank = card[0], card[1]
    colour = " red" if suit in "HD" else ""
    edge = '<rect class="gold" x="3" y="3" width="94" height="134" rx="5.5"/>' if gold else ""
    pip = _pip_in_place if in_place else _pip
    # In Swedish the jack has two letters.
    wide = " wide" if len(letter) > 1 else ""
    corner = format_html(
        '<text class="ix{}" x="14" y="28">{}</text>{}',
        wide,
        letter,
        pip(suit, 14, 42, INDEX, turned=False),
    )
    middle = _court(suit, letter, pip) if rank in COURT else _pips(suit, rank, pip)
    style = (
        format_html("<style>{}</style>", mark_safe(PAPER % (RED if colour else "#000")))  # noqa: S308 - constants
        if in_place
        else ""
    )
    return format_html(
        '<svg class="kort{}" viewBox="0 0 100 140" preserveAspectRatio="xMidYMin slice" aria-hidden="true">{}'
        '<rect class="face" x=".75" y=".75" width="98.5" height="138.5" rx="7.5"/>{}{}'
        '<g class="corner">{}</g><g class="corner" transform="rotate(180 50 70)">{}</g></svg>',
        colour,
        style,
        mark_safe(edge),  # noqa: S308 - a constant
        middle,
        corner,
        corner,
    )


def _pip(suit: str, x: float, y: float, size: float, *, turned: bool) -> SafeString:
    """A pip with its centre at this place."""
    turn = format_html(' transform="rotate(180 {} {})"', x, y) if turned else ""
    left, top = x - size / 2, y - size / 2
    return format_html(
        '<use href="#pip-{}" x="{}" y="{}" width="{}" height="{}"{}/>',
        suit, f"{left:g}", f"{top:g}", size, size, turn,
    )  # fmt: skip


def _pip_in_place(suit: str, x: float, y: float, size: float, *, turned: bool) -> SafeString:
    """A pip at its place, as an SVG path."""
    (left, top, width, height), path = PIPS[suit]
    scale = size / max(width, height)
    turn = "rotate(180) " if turned else ""
    return format_html(
        '<path transform="translate({} {}) {}scale({}) translate({} {})" d="{}"/>',
        f"{x:g}", f"{y:g}", turn, f"{scale:.4f}", f"{-left - width / 2:g}", f"{-top - height / 2:g}", path,
    )  # fmt: skip


def _pips(suit: str, rank: str, pip: Pip) -> SafeString:
    if rank == "A":
        return pip(suit, MIDDLE, _ROWS["middle"], ACE, turned=False)
    drawn = [pip(suit, x, y, PIP, turned=y > _ROWS["middle"]) for x, y in PLACES[rank]]
    return format_html_join("", "{}", ((one,) for one in drawn))


def _court(suit: str, letter: str, pip: Pip) -> SafeString:
    half = format_html(
        '<text class="court{}" x="54" y="62">{}</text>{}',
        " wide" if len(letter) > 1 else "",
        letter,
        pip(suit, 36, 36, 13, turned=False),
    )
    return format_html(
        '<rect class="frame" x="27" y="26" width="46" height="88"/><path class="frame" d="M27 80L73 60"/>'
        '{}<g transform="rotate(180 50 70)">{}</g>',
        half,
        half,
    )
