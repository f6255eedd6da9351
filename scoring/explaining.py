"""The engine's sentences in English, for the command line; a program with users translates them itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoring.seats import Role
from scoring.words import CONTRACT_NAMES, OPTION_VALUE_NAMES, ROLE_NAMES, SUIT_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORDS = CONTRACT_NAMES | OPTION_VALUE_NAMES | SUIT_NAMES


def in_words(text: str, params: Mapping[str, Any]) -> str:
    """A template with its parameters as words; seats by their role."""
    return text.format(**{name: _word(value) for name, value in params.items()})


def _word(value: object) -> str:
    if isinstance(value, Role):
        return ROLE_NAMES[value] if value is not Role.IDLE else "the fourth player"
    if isinstance(value, (list, tuple)):
        return " or ".join(map(_word, value))
    return _WORDS.get(value, value) if isinstance(value, str) else str(value)
