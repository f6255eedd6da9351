"""House rules: typed options of a rulebook, each with a default and an explanation in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeGuard

from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

OptionValue = bool | int | str
_SWITCHES = {"on": True, "true": True, "off": False, "false": False}


class BadOption(ValueError):  # noqa: N818 - the engine's errors are named for what is wrong
    """An option that a rulebook does not have, or a value that the option cannot take."""

    def __init__(self, name: str, text: str, **params: Any) -> None:
        super().__init__(text.format(**params))
        self.name = name
        self.text = text
        self.params = params
        # What else is wrong with the same set of options.
        self.others: tuple[BadOption, ...] = ()

    @property
    def all(self) -> tuple[BadOption, ...]:
        """Everything that is wrong with the set of options, this first."""
        return (self, *self.others)


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """An option: numbers are tokens unless the title says otherwise. `section` "prices": what something costs, "table":
    what the players agree on and no deal is settled by.

    `contract` is the one whose name takes the place of `{contract}` in title and explanation.
    """

    name: str
    kind: Literal["bool", "choice", "int"]
    default: OptionValue
    title: str
    explanation: str
    paragraph: str
    values: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int = 10
    section: Literal["", "prices", "table"] = ""
    contract: str = ""

    def takes(self, value: object) -> TypeGuard[OptionValue]:
        """Whether the option can be set to this."""
        if self.kind == "bool":
            return isinstance(value, bool)
        if self.kind == "choice":
            return isinstance(value, str) and value in self.values
        return type(value) is int and self.minimum <= value <= self.maximum

    def check(self, value: object) -> OptionValue:
        """The value, if the option can be set to it; raises BadOption."""
        if not self.takes(value):
            text, params = self._limits()
            raise BadOption(self.name, text, option=self.name, **params)
        return value

    def _limits(self) -> tuple[str, dict[str, Any]]:
        """What the option can be set to, in words."""
        if self.kind == "bool":
            return _("{option} is either on or off."), {}
        if self.kind == "choice":
            return _("{option} is one of: {values}."), {"values": self.values}
        limits = {"minimum": self.minimum, "maximum": self.maximum}
        return _("{option} is a whole number from {minimum} to {maximum}."), limits


def read_option(text: str) -> tuple[str, object]:
    """`name=value` as it is typed: on, off, true and false are switches, digits are numbers, all else is a word."""
    name, _equals, value = text.partition("=")
    if value.isascii() and value.isdigit():
        return name, int(value)
    return name, _SWITCHES.get(value.lower(), value)


def bind(specs: Iterable[OptionSpec], given: Mapping[str, object]) -> dict[str, OptionValue]:
    """The value of every option: the given ones, checked, on top of the defaults.

    Raises BadOption for the first that is wrong, with the `others` in it.
    """
    values = {spec.name: spec for spec in specs}
    wrong = [
        BadOption(name, _("These rules have no option {option}."), option=name)
        for name in given
        if name not in values
    ]
    bound = {}
    for name, spec in values.items():
        try:
            bound[name] = spec.check(given.get(name, spec.default))
        except BadOption as bad:
            wrong.append(bad)
    refuse(wrong)
    return bound


def refuse(wrong: Sequence[BadOption]) -> None:
    """Raise the first, with all others in it, if there are any."""
    if wrong:
        wrong[0].others = tuple(wrong[1:])
        raise wrong[0]
