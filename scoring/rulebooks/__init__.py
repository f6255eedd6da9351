"""The rulebooks there are. A new one is a file with a `SOURCE` and a place in the table here."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from scoring.rulebook import BadOption, OptionValue, Rulebook, bind
from scoring.rulebooks import (
    crocodile,
    la_bete,
    ombre_five,
    ombre_intro,
    ombre_two,
    pot,
    rasle,
    renegado,
    union,
)
from scoring.versions import ENGINE_VERSION, VERSIONS
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.rulebooks.base import RulebookSource

__all__ = [
    "ENGINE_VERSION",
    "BadOption",
    "Rulebook",
    "UnknownRulebook",
    "dealer_sits_out",
    "get_rulebook",
    "rulebooks",
]

SOURCES: dict[str, RulebookSource] = {
    module.SOURCE.id: module.SOURCE
    for module in (union, rasle, la_bete, pot, crocodile, renegado, ombre_two, ombre_five, ombre_intro)
}


class UnknownRulebook(LookupError):
    """A rulebook id that does not exist."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.text = _("There is no rulebook “{rulebook}”.")
        self.params = {"rulebook": name}
        super().__init__(self.text.format(**self.params))


def get_rulebook(
    rulebook: str, options: Mapping[str, object] | None = None, version: str = ENGINE_VERSION
) -> Rulebook:
    """The rulebook with these options, else its defaults, and the rules of a version (the newest if unknown).

    The result is cached: the same values give the same object. Raises UnknownRulebook and BadOption.
    """
    source = SOURCES.get(rulebook)
    if source is None:
        raise UnknownRulebook(rulebook)
    known = version if version in VERSIONS else ENGINE_VERSION
    return _bound(rulebook, tuple(bind(source.options, options or {}).items()), known)


def dealer_sits_out(rulebook: str, options: Mapping[str, object]) -> bool:
    """Whether the dealer sits out at a table of four: `Rulebook.dealer_sits_out` without binding the options."""
    return options.get("sits_out") == "dealer" and any(
        spec.name == "sits_out" for spec in SOURCES[rulebook].options
    )


def rulebooks() -> tuple[Rulebook, ...]:
    """All rulebooks with their default options."""
    return tuple(get_rulebook(name) for name in SOURCES)


@cache
def _bound(rulebook: str, options: tuple[tuple[str, OptionValue], ...], version: str) -> Rulebook:
    return SOURCES[rulebook].bind(dict(options), version)
