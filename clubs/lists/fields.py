"""The fields of a kind of list (members, old results), and which column heading means which field.

Headings may be of any language that the program speaks. A heading that is not known is parsed word by word:
"Tlf. privat" is a phone, "Indm. dato" the day of joining.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from clubs.names import folded
from core.languages import ranked_headings, words_of_lists

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise as StrPromise

_AND = words_of_lists("and", "and")
_BESIDE = words_of_lists("beside", "private home work date no number address and") | _AND
# An abbreviation, "indm.", has at least so many letters.
_SHORTEST = 3
# A heading parsed by its words is less certain than any known one.
BY_WORDS = 100


@dataclass(frozen=True)
class ListFields:
    """The fields of a kind of list."""

    code: str
    """What the kind is called in `lists.toml`, and where choices are remembered."""
    labels: Mapping[str, StrPromise]
    """What each field is called, in the order in which they are offered."""
    english: Mapping[str, str]
    """The headings of each field in English, folded, without blanks; the clearest first."""
    several: frozenset[str]
    """The fields that may have several columns."""
    names: frozenset[str]
    """The fields of which a list needs one: without, it names nobody."""
    samples: Mapping[str, re.Pattern[str]]
    """What the cells of a field look like, the surest first: by these columns without a heading are recognised."""
    whole_file: bool = False
    """Whether sheets with equal headings are read together by default."""

    @cached_property
    def known(self) -> dict[str, tuple[str, int]]:
        found = ranked_headings(self.code, self.english)
        return {heading: meant for heading, meant in found.items() if meant[0] in self.labels}

    def is_heading(self, cell: str) -> bool:
        return plain(cell) in self.known

    def field_of(self, heading: str) -> tuple[str, int]:
        """The field that a heading means, "" for none, and how clear it is: the lower, the clearer."""
        if found := self.known.get(plain(heading)):
            return found
        words = [word for word in re.findall(r"[^\W\d_]+", folded(heading)) if word not in _BESIDE]
        if found := self.known.get("".join(words)):
            return found[0], BY_WORDS + found[1]
        fields = {self._field_of_word(word) for word in words}
        if len(fields) == 1:
            return fields.pop(), BY_WORDS
        # "For- og efternavn"
        if len(fields) > 1 and fields <= {"first", "middle", "last"}:
            return "name", BY_WORDS
        return "", BY_WORDS

    def _field_of_word(self, word: str) -> str:
        if word in self.known:
            return self.known[word][0]
        if len(word) < _SHORTEST:
            return ""
        fields = {field for heading, (field, _rank) in self.known.items() if heading.startswith(word)}
        return fields.pop() if len(fields) == 1 else ""


def plain(heading: str) -> str:
    """A heading without blanks, signs, capitals and accents."""
    return re.sub(r"\W|_", "", folded(heading))
