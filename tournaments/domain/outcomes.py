"""Outcomes of a declarer for standings and statistics: won, lost, or lost dearly.

The Danish games know bête and kodille; crocodile has more names, of losses that cost the contract's value once
(remis and simple loss) and of such that cost it twice or four times. A declarer who makes the vole has won.
"""

from collections.abc import Mapping
from typing import Any

from scoring.outcomes import Outcome

WON = (Outcome.WON, Outcome.VOLE)
LOST_DEARLY = (Outcome.KODILLE, Outcome.CROCODILE_LUNCH, Outcome.CONTRAPRIMERAS, Outcome.CONTRANOLO)
LOST = tuple(
    outcome for outcome in Outcome if outcome not in (*WON, *LOST_DEARLY) and outcome is not Outcome.WASHOUT
)

# A table's totals entered without its deals, where the slip is lost: the ruling on its first deal carries them.
TOTALS_ONLY = "totals_only"


def is_totals_only(result: Mapping[str, Any] | None) -> bool:
    """Whether a stored or reported result is a table's totals in place of its deals."""
    return bool(result and result.get(TOTALS_ONLY))


def declarer_of(result: Mapping[str, Any] | None) -> int | None:
    """The seat whose game a stored result counts as: the declarer's, or whose who took it over."""
    said = result or {}
    declarer: int | None = said.get("takeover", said.get("declarer"))
    return declarer
