"""Who has won, when all is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import ngettext

if TYPE_CHECKING:
    from collections.abc import Sequence


def winners_in_words(names: Sequence[str]) -> str:
    """The winner, or those who share the first place; empty where nobody has it."""
    if not names:
        return ""
    return ngettext("Winner: %(names)s", "Winners: %(names)s", len(names)) % {"names": ", ".join(names)}
