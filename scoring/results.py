"""The report of a deal as a value (`DealResult`), read from JSON and written to it.

JSON names seats by position (`0`, or `"0"` as a key of `tricks`), by role (`"FH"`) or by the rulebook's own code
(`"ELD"`); a `DealResult` has roles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from scoring.cards import SUITS
from scoring.seats import ALL_ROLES, BY_CODE, Role, Seating
from scoring.words import BONUS_NAMES, OUTCOME_NAMES, _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Tricks = tuple[tuple[Role, int], ...]
# The opponents together, as winners of the first five tricks between them.
OPPONENTS: Literal["OPP"] = "OPP"

# An unknown contract is read, so that a check can name it in its problem; this limits the length of that problem.
_LONGEST_WORDS = 60
# An upper limit for the tokens in a pool, far above real ones.
MOST_TOKENS = 999_999


class UnreadableResult(ValueError):
    """Input that is not a report: the `field` concerned ("" for the whole), and an English `text` with `{params}`."""

    def __init__(self, field: str, text: str, **params: Any) -> None:
        super().__init__(text.format(**params))
        self.field = field
        self.text = text
        self.params = params


class DealResult(NamedTuple):
    """The report of a deal. A field at its default is unknown or did not happen.

    - tricks: (role, count) in the order forehand, middlehand, backhand, fourth; possibly only the declarer's
    - outcome: as reported (`won`, `bete`, `kodille`, or another of the rulebook's), where play stopped early
    - played_out: whether all tricks were played; None if unknown
    - tout (also renegado's vole), five_first: `won` or `failed`, if tried or announced
    - first_five_by: the role that won the first five tricks, or `OPP` for the opponents together
    - led_sixth: the declarer led to the sixth trick; claimed_after: the number of tricks after which play stopped
    - foul: the role that fouled the exchange; abandoned: the declarer gave up before play
    - joined: roles that became declarers of a nolo too; idle_abandoned: the fourth player gave up that hand
    - exchange_repeated: the declarer exchanged twice; aces: bid on three or four aces
    - pool: tokens in the pool before settling, this deal's ante included
    - estuches: the number of top trumps in sequence that the declarer held, or lacked
    - turned: the card turned for trumps
    - bonus_bid: bonuses that the declarer bid (`cuatro`, `primeras`, `tout`, `talking_ouvert`)
    - before_trick, accepted_by: a surrender was made before this trick, and accepted by these opponents
    - takeover: the role that took over a surrendered contract and became its declarer
    - won_by: winners of a kodille, if the tricks do not decide it; partner: the holder of the called king
    - nine_matadors: the holder of the nine top trumps, noted without a price
    """

    contract: str | None = None
    declarer: Role | None = None
    all_passed: bool = False
    trump: str | None = None
    tricks: Tricks = ()
    outcome: str | None = None
    played_out: bool | None = None
    tout: str | None = None
    first_five_by: Role | Literal["OPP"] | None = None
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
    pool: int | None = None
    estuches: int | None = None
    turned: str | None = None
    bonus_bid: tuple[str, ...] = ()
    before_trick: int | None = None
    accepted_by: tuple[Role, ...] = ()
    takeover: Role | None = None
    won_by: tuple[Role, ...] = ()
    partner: Role | None = None
    nine_matadors: Role | None = None

    def to_json(self, seating: Seating) -> dict[str, Any]:
        """The canonical JSON object: seats as positions, keys sorted, defaults left out.

        The fourth player at a table of three, which the rules refuse, is written as the role.
        """
        seating = seating.declared_by(self.declarer)
        written: dict[str, Any] = {}
        for name in sorted(self._fields):
            value = getattr(self, name)
            if value != _DEFAULTS[name]:
                written[name] = _WRITERS[name](value, seating) if name in _WRITERS else value
        return written


# The index of the first special field: those before it occur in almost every report.
PLAIN_FIELDS = DealResult._fields.index("first_five_by")
_DEFAULTS = DealResult()._asdict()


class _Seats(NamedTuple):
    """The seating of a table, and the codes accepted for its seats."""

    seating: Seating
    names: Mapping[str, Role]


def read_result(data: object, seating: Seating, names: Mapping[str, Role] = BY_CODE) -> DealResult:
    """Parse a report from its JSON object; `names` are the rulebook's `roles_by_name`.

    Raises UnreadableResult with the field concerned.
    """
    if not isinstance(data, dict):
        raise UnreadableResult("", _("A result must be an object with fields."))
    seats = _Seats(seating, names)
    if seating.in_pairs and data.get("declarer") is not None:
        seats = _Seats(seating.declared_by(_read_seat("declarer", data["declarer"], seats)), names)
    fields: dict[str, Any] = {}
    for name, value in data.items():
        reader = _READERS.get(name)
        if reader is None:
            raise UnreadableResult(str(name)[:40], _("There is no field “{name}”."), name=str(name)[:40])
        if value is not None:
            read = reader(name, value, seats)
            if name in _SYNONYMS:
                _read_synonym(fields, data, name, read)
            elif name not in _NOTES:
                fields[name] = read
    return DealResult(**fields)


def _read_synonym(fields: dict[str, Any], data: Mapping[str, Any], name: str, read: object) -> None:
    """Store a field given by a rulebook's own name. Raises UnreadableResult if the usual name is given too."""
    usual = _SYNONYMS[name]
    if data.get(usual) is not None:
        raise UnreadableResult(
            name, _("“{name}” and “{other}” mean the same; give only one."), name=name, other=usual
        )
    fields[usual] = read


def _read_flag(field: str, value: object, _seats: _Seats) -> bool:
    if value is True or value is False:
        return value
    raise UnreadableResult(field, _("“{name}” must be true or false."), name=field)


def _read_count(field: str, value: object, _seats: _Seats) -> int:
    if type(value) is int:
        return value
    raise UnreadableResult(field, _("“{name}” must be a whole number."), name=field)


def _read_words(field: str, value: object, _seats: _Seats) -> str:
    if isinstance(value, str) and len(value) <= _LONGEST_WORDS:
        return value
    raise UnreadableResult(field, _("“{name}” must be a short text."), name=field)


def _read_seat(field: str, value: object, seats: _Seats) -> Role:
    if type(value) is str:
        if value in seats.names:
            return seats.names[value]
        if value in _DIGITS:
            value = int(value)
    if type(value) is int and 0 <= value < seats.seating.players:
        return seats.seating.role_of(value)
    raise UnreadableResult(field, _("“{name}” is not a seat at this table."), name=field)


def _read_winner(field: str, value: object, seats: _Seats) -> Role | str:
    return OPPONENTS if value == OPPONENTS else _read_seat(field, value, seats)


def _read_taker(field: str, value: object, seats: _Seats) -> Role | None:
    return None if value == "none" else _read_seat(field, value, seats)


def _read_seats(field: str, value: object, seats: _Seats) -> tuple[Role, ...]:
    if not isinstance(value, list):
        raise UnreadableResult(field, _("“{name}” must be a list of seats."), name=field)
    return tuple(_without_repeats(field, [_read_seat(field, seat, seats) for seat in value]))


def _read_seat_or_seats(field: str, value: object, seats: _Seats) -> tuple[Role, ...]:
    return _read_seats(field, value if isinstance(value, list) else [value], seats)


def _read_accepting(field: str, value: object, seats: _Seats) -> tuple[Role, ...]:
    """The opponents who accepted; `both` is the default, so it is stored like a missing field."""
    return () if value == "both" else _read_seat_or_seats(field, value, seats)


def _read_bids(field: str, value: object, seats: _Seats) -> tuple[str, ...]:
    bids = [_read_bid(field, bid, seats) for bid in (value if isinstance(value, list) else [value])]
    return tuple(bid for bid in BONUS_NAMES if bid in bids)


def _read_tricks(field: str, value: object, seats: _Seats) -> Tricks:
    if not isinstance(value, dict):
        raise UnreadableResult(field, _("“{name}” must give numbers by seat."), name=field)
    tricks = {
        _read_seat(field, seat, seats): _read_count(field, count, seats) for seat, count in value.items()
    }
    if len(tricks) < len(value):
        raise UnreadableResult(field, _("“{name}” names the same seat twice."), name=field)
    return tuple((role, tricks[role]) for role in in_order(tricks))


def _without_repeats(field: str, seats: list[Role]) -> list[Role]:
    if len(set(seats)) < len(seats):
        raise UnreadableResult(field, _("“{name}” names the same seat twice."), name=field)
    return in_order(dict.fromkeys(seats))


def in_order(seats: Mapping[Role, object]) -> list[Role]:
    """These roles in the order in which a report lists them."""
    return [role for role in ALL_ROLES if role in seats]


def _one_of(*values: str) -> Callable[[str, object, _Seats], str]:
    """A reader that accepts these values only."""

    def read(field: str, value: object, _seats: _Seats) -> str:
        if isinstance(value, str) and value in values:
            return value
        raise UnreadableResult(field, _("“{name}” must be one of: {values}."), name=field, values=values)

    return read


def _write_seat(role: Role, seating: Seating) -> int | str:
    return seating.positions.get(role, role.value)


def _write_winner(winner: Role | str, seating: Seating) -> int | str:
    return _write_seat(winner, seating) if isinstance(winner, Role) else winner


def _write_seats(roles: tuple[Role, ...], seating: Seating) -> list[int | str]:
    return sorted((_write_seat(role, seating) for role in roles), key=str)


def _write_bids(bids: tuple[str, ...], _seating: Seating) -> str | list[str]:
    return bids[0] if len(bids) == 1 else list(bids)


_DIGITS = ("0", "1", "2", "3", "4")
_RANKS = "A234567JQK"
_WON_OR_FAILED = _one_of("won", "failed")
_read_bid = _one_of(*BONUS_NAMES)
_READERS: dict[str, Callable[[str, Any, _Seats], Any]] = {
    "contract": _read_words,
    "declarer": _read_seat,
    "all_passed": _read_flag,
    "trump": _one_of(*SUITS),
    "tricks": _read_tricks,
    "outcome": _one_of(*(outcome for outcome in OUTCOME_NAMES if outcome != "washout")),
    "played_out": _read_flag,
    "tout": _WON_OR_FAILED,
    "five_first": _WON_OR_FAILED,
    "first_five_by": _read_winner,
    "led_sixth": _read_flag,
    "claimed_after": _read_count,
    "abandoned": _read_flag,
    "declarer_has_played": _read_flag,
    "foul": _read_seat,
    "joined": _read_seats,
    "idle_abandoned": _read_flag,
    "exchange_repeated": _read_flag,
    "aces": _read_flag,
    "pool": _read_count,
    "estuches": _read_count,
    "turned": _one_of(*(suit + rank for suit in SUITS for rank in _RANKS)),
    "bonus_bid": _read_bids,
    "before_trick": _read_count,
    "accepted_by": _read_accepting,
    "takeover": _read_taker,
    "won_by": _read_seat_or_seats,
    "partner": _read_seat,
    "nine_matadors": _read_seat,
    "vole": _WON_OR_FAILED,
    "conceded": _read_flag,
    "surrendered": _read_flag,
    "tout_announced": _read_words,
    "tout_implicit": _read_flag,
}
# Accepted but not stored: the way in which a tout was called does not change the settlement.
_NOTES = ("tout_announced", "tout_implicit")
# A rulebook's own name of a field -> the usual name.
_SYNONYMS = {"vole": "tout", "conceded": "abandoned", "surrendered": "abandoned"}
_WRITERS: dict[str, Callable[[Any, Seating], Any]] = {
    "declarer": _write_seat,
    "first_five_by": _write_winner,
    "foul": _write_seat,
    "joined": _write_seats,
    "accepted_by": _write_seats,
    "bonus_bid": _write_bids,
    "takeover": _write_seat,
    "won_by": _write_seats,
    "partner": _write_seat,
    "nine_matadors": _write_seat,
    "tricks": lambda tricks, seating: dict(
        sorted((str(_write_seat(role, seating)), count) for role, count in tricks)
    ),
}
