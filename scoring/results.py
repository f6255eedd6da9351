"""What a captain writes down of a deal, and reading it from JSON and back.

JSON names seats by position (`0`, or `"0"` as a key of `tricks`) or by role (`"FH"`); a `DealResult` knows
roles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.cards import SUITS
from scoring.seats import ROLES, Role, Seating
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Tricks = tuple[tuple[Role, int], ...]

# Any text may be typed as a contract, to be told that there is none; a novel may not.
_LONGEST_WORDS = 60
_ALL_ROLES = {role.value: role for role in ROLES[4]}


class UnreadableResult(ValueError):  # noqa: N818 - the engine's errors are named for what is wrong
    """Not a deal's result at all. `text` is English with `{params}`; `field` is where, "" for the whole."""

    def __init__(self, field: str, text: str, **params: Any) -> None:
        super().__init__(text.format(**params))
        self.field = field
        self.text = text
        self.params = params


class DealResult(NamedTuple):
    """A deal as reported. What is left out is unknown or did not happen.

    - tricks: by role, in the order forehand, middlehand, backhand, fourth; perhaps only the declarer's
    - outcome: `won`, `bete` or `kodille` as said by the players, where play stopped when the result was clear
    - played_out: whether all nine tricks were played (None: not said)
    - tout, five_first: `won` or `failed`, where it was tried or announced
    - first_five_by, led_sixth, claimed_after: how play went, where it was noted
    - foul: who fouled the exchange; abandoned: the declarer gave up before play
    - joined: who became declarers of a nolo too; idle_abandoned: the fourth player gave up that hand
    - exchange_repeated: the declarer exchanged twice; aces: bid on three or four aces
    """

    contract: str | None = None
    declarer: Role | None = None
    all_passed: bool = False
    trump: str | None = None
    tricks: Tricks = ()
    outcome: str | None = None
    played_out: bool | None = None
    tout: str | None = None
    first_five_by: Role | None = None
    led_sixth: bool = False
    claimed_after: int | None = None
    five_first: str | None = None
    abandoned: bool = False
    declarer_has_played: bool = False
    foul: Role | None = None
    joined: tuple[Role, ...] = ()
    idle_abandoned: bool = False
    exchange_repeated: bool = False
    aces: bool = False

    def to_json(self, seating: Seating) -> dict[str, Any]:
        """The canonical JSON object: positions, sorted keys, nothing that only repeats a default.

        A fourth player at a table of three, which the rules refuse, keeps the role's name.
        """
        written: dict[str, Any] = {}
        for name in sorted(self._fields):
            value = getattr(self, name)
            if value != _DEFAULTS[name]:
                written[name] = _WRITERS[name](value, seating) if name in _WRITERS else value
        return written


# The fields that nearly every report has come first; those behind tell of something special.
PLAIN_FIELDS = DealResult._fields.index("first_five_by")
_DEFAULTS = DealResult()._asdict()


def read_result(data: object, seating: Seating) -> DealResult:
    """The result that a JSON object says. Raises UnreadableResult at the field concerned."""
    if not isinstance(data, dict):
        raise UnreadableResult("", _("A result is an object with fields."))
    fields: dict[str, Any] = {}
    for name, value in data.items():
        reader = _READERS.get(name)
        if reader is None:
            raise UnreadableResult(str(name)[:40], _("There is no field “{name}”."), name=str(name)[:40])
        if value is not None:
            read = reader(name, value, seating)
            if name not in _NOTES:
                fields[name] = read
    return DealResult(**fields)


def _read_flag(field: str, value: object, _seating: Seating) -> bool:
    if value is True or value is False:
        return value
    raise UnreadableResult(field, _("“{name}” is either true or false."), name=field)


def _read_count(field: str, value: object, _seating: Seating) -> int:
    if type(value) is int:
        return value
    raise UnreadableResult(field, _("“{name}” is a whole number."), name=field)


def _read_words(field: str, value: object, _seating: Seating) -> str:
    if isinstance(value, str) and len(value) <= _LONGEST_WORDS:
        return value
    raise UnreadableResult(field, _("“{name}” is a few words."), name=field)


def _read_seat(field: str, value: object, seating: Seating) -> Role:
    if type(value) is str:
        if value in _ALL_ROLES:
            return _ALL_ROLES[value]
        if value in _DIGITS:
            value = int(value)
    if type(value) is int and 0 <= value < seating.players:
        return seating.role_of(value)
    raise UnreadableResult(field, _("“{name}” names no seat at this table."), name=field)


def _read_seats(field: str, value: object, seating: Seating) -> tuple[Role, ...]:
    if not isinstance(value, list):
        raise UnreadableResult(field, _("“{name}” is a list of seats."), name=field)
    seats = [_read_seat(field, seat, seating) for seat in value]
    return tuple(_without_repeats(field, seats))


def _read_tricks(field: str, value: object, seating: Seating) -> Tricks:
    if not isinstance(value, dict):
        raise UnreadableResult(field, _("“{name}” are numbers by seat."), name=field)
    tricks = {
        _read_seat(field, seat, seating): _read_count(field, count, seating) for seat, count in value.items()
    }
    if len(tricks) < len(value):
        raise UnreadableResult(field, _("“{name}” names a seat twice."), name=field)
    return tuple((role, tricks[role]) for role in in_order(tricks))


def _without_repeats(field: str, seats: list[Role]) -> list[Role]:
    if len(set(seats)) < len(seats):
        raise UnreadableResult(field, _("“{name}” names a seat twice."), name=field)
    return in_order(dict.fromkeys(seats))


def in_order(seats: Mapping[Role, object]) -> list[Role]:
    """Seats in the order in which a result lists them."""
    return [role for role in ROLES[4] if role in seats]


def _one_of(*values: str) -> Callable[[str, object, Seating], str]:
    """A reader of one of these words."""

    def read(field: str, value: object, _seating: Seating) -> str:
        if isinstance(value, str) and value in values:
            return value
        raise UnreadableResult(field, _("“{name}” is one of: {values}."), name=field, values=values)

    return read


def _write_seat(role: Role, seating: Seating) -> int | str:
    return seating.positions.get(role, role.value)


_DIGITS = ("0", "1", "2", "3")
_WON_OR_FAILED = _one_of("won", "failed")
_READERS: dict[str, Callable[[str, Any, Seating], Any]] = {
    "contract": _read_words,
    "declarer": _read_seat,
    "all_passed": _read_flag,
    "trump": _one_of(*SUITS),
    "tricks": _read_tricks,
    "outcome": _one_of("won", "bete", "kodille"),
    "played_out": _read_flag,
    "tout": _WON_OR_FAILED,
    "five_first": _WON_OR_FAILED,
    "first_five_by": _read_seat,
    "led_sixth": _read_flag,
    "claimed_after": _read_count,
    "abandoned": _read_flag,
    "declarer_has_played": _read_flag,
    "foul": _read_seat,
    "joined": _read_seats,
    "idle_abandoned": _read_flag,
    "exchange_repeated": _read_flag,
    "aces": _read_flag,
    "tout_announced": _read_words,
    "tout_implicit": _read_flag,
}
# How a tout came to be called decides nothing: read, not kept.
_NOTES = ("tout_announced", "tout_implicit")
_WRITERS: dict[str, Callable[[Any, Seating], Any]] = {
    "declarer": _write_seat,
    "first_five_by": _write_seat,
    "foul": _write_seat,
    "joined": lambda roles, seating: sorted((_write_seat(role, seating) for role in roles), key=str),
    "tricks": lambda tricks, seating: dict(
        sorted((str(_write_seat(role, seating)), count) for role, count in tricks)
    ),
}
