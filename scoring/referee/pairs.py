"""Pairs: whose hand the player sitting out takes over, and what each pair has of a deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.referee.rulings import Said, cite
from scoring.seats import WITH_FOURTH, Seating
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.rulebook import Rulebook
    from scoring.seats import Role

_PARAGRAPH = "1.5"


def said_before_exchange(rulebook: Rulebook) -> Said:
    """What becomes of the partner's hand, whoever declares."""
    text = _(
        "Before the exchange the player sitting out takes over the hand of the declarer's partner, "
        "unless the dealer declares."
    )
    return cite(rulebook, _PARAGRAPH, text)


def said_of_take_over(rulebook: Rulebook, declarer: Role, *, over: bool = False) -> Said:
    """Whose hand is taken over when this role declares; `over` when it has been played."""
    (players,) = WITH_FOURTH
    taken = Seating(players, 0, in_pairs=True).declared_by(declarer).taken_over
    if taken is None:
        return cite(rulebook, _PARAGRAPH, _("The dealer declares, whose partner sits out anyway."))
    text = (
        _("The player sitting out has taken over the hand of {seat}, the declarer's partner.")
        if over
        else _("The player sitting out takes over the hand of {seat}, the declarer's partner.")
    )
    return cite(rulebook, _PARAGRAPH, text, seat=taken)


def said_of_pairs(rulebook: Rulebook, declarer: int, tokens: Sequence[int]) -> Said:
    """What the declarer's pair and the other have together, by the position of the declarer."""
    own = sum(tokens[declarer % 2 :: 2])
    text = _("Together the declarer's pair has {tokens}, the other pair {other}.")
    return cite(rulebook, _PARAGRAPH, text, tokens=_signed(own), other=_signed(sum(tokens) - own))


def _signed(tokens: int) -> str:
    return f"{tokens:+}".replace("-", "\N{MINUS SIGN}")
