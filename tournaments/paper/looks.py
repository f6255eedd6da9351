"""How sheets look: the rules that all have in common."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tournaments.paper import faces

if TYPE_CHECKING:
    from collections.abc import Callable

# What comes later may build on what comes first.
FILES = "sheets.css", "to_keep.css"


@cache
def rules() -> str:
    """Of all sheets, without the faces; read once."""
    return "".join(Path(__file__).with_name(name).read_text("utf-8") for name in FILES)


def common_looks(address_of: Callable[[str], str]) -> str:
    """The same with the faces, whose files are where `address_of` says."""
    return faces.stylesheet(address_of) + rules()
