"""Playing cards as SVG: pips, framed court cards with a letter, a gold edge for the matadors.

The pips are `<use>` of the symbols in `templates/hall/_pips.html`, which a page includes once. Colours are custom
properties of `static/css/folder_play.css`, so that forced colours and print reach them.
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
    from django.utils.safestring import SafeString

# Pips in a face of 100 by 140: the centre, of each rank; those in the lower half are upside down.
_COLUMN, _MIDDLE = (37, 63), 50
_ROWS = {"top": 36, "high": 53, "middle": 70, "bottom": 104}
_BOTH_ENDS = [(x, _ROWS[row]) for row in ("top", "bottom") for x in _COLUMN]
_PIPS: dict[str, list[tuple[int, int]]] = {
    "2": [(_MIDDLE, _ROWS["top"]), (_MIDDLE, _ROWS["bottom"])],
    "3": [(_MIDDLE, _ROWS["top"]), (_MIDDLE, _ROWS["middle"]), (_MIDDLE, _ROWS["bottom"])],
    "4": _BOTH_ENDS,
    "5": [*_BOTH_ENDS, (_MIDDLE, _ROWS["middle"])],
    "6": [*_BOTH_ENDS, *((x, _ROWS["middle"]) for x in _COLUMN)],
    "7": [*_BOTH_ENDS, *((x, _ROWS["middle"]) for x in _COLUMN), (_MIDDLE, _ROWS["high"])],
}
_COURT = frozenset("KQJ")
_PIP, _ACE, _INDEX = 21, 46, 17


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


def draw_card(card: str, *, gold: bool = False) -> SafeString:
    """The drawing of a card, hidden from voices; its index has the rank's letter in the reader's language."""
    return _draw(card, rank_words(card[1]), gold)


@lru_cache(maxsize=400)
def _draw(card: str, letter: str, gold: bool) -> SafeString:
    suit, rank = card[0], card[1]
    colour = " red" if suit in "HD" else ""
    edge = '<rect class="gold" x="3" y="3" width="94" height="134" rx="5.5"/>' if gold else ""
    # In Swedish the jack has two letters.
    wide = " wide" if len(letter) > 1 else ""
    corner = format_html(
        '<text class="ix{}" x="14" y="28">{}</text>{}',
        wide,
        letter,
        _pip(suit, 14, 42, _INDEX, turned=False),
    )
    middle = _court(suit, letter) if rank in _COURT else _pips(suit, rank)
    return format_html(
        '<svg class="kort{}" viewBox="0 0 100 140" preserveAspectRatio="xMidYMin slice" aria-hidden="true">'
        '<rect class="face" x=".75" y=".75" width="98.5" height="138.5" rx="7.5"/>{}{}'
        '<g class="corner">{}</g><g class="corner" transform="rotate(180 50 70)">{}</g></svg>',
        colour,
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


def _pips(suit: str, rank: str) -> SafeString:
    if rank == "A":
        return _pip(suit, _MIDDLE, _ROWS["middle"], _ACE, turned=False)
    pips = [_pip(suit, x, y, _PIP, turned=y > _ROWS["middle"]) for x, y in _PIPS[rank]]
    return format_html_join("", "{}", ((pip,) for pip in pips))


def _court(suit: str, letter: str) -> SafeString:
    half = format_html(
        '<text class="court{}" x="54" y="62">{}</text>{}',
        " wide" if len(letter) > 1 else "",
        letter,
        _pip(suit, 36, 36, 13, turned=False),
    )
    return format_html(
        '<rect class="frame" x="27" y="26" width="46" height="88"/><path class="frame" d="M27 80L73 60"/>'
        '{}<g transform="rotate(180 50 70)">{}</g>',
        half,
        half,
    )
