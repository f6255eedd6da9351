"""What fills a line of a tournament's log, besides what fills every log's (`clubs.log_lines`): amounts of money."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clubs import log_lines
from tournaments.values.amounts import to_type

if TYPE_CHECKING:
    from collections.abc import Iterable

KINDS: log_lines.Kinds = {
    **log_lines.KINDS,
    "kroner": lambda amounts: " + ".join(map(to_type, amounts)),
}


def kroner(amounts: Iterable[int]) -> dict[str, Any]:
    """Amounts in øre, as they are stored: `{"kroner": [195000]}`."""
    return {"kroner": list(amounts)}
