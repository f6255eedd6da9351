"""What players are asked one by one, between auction and play and when a contract is given up."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import NamedTuple, TypeVar

from scoring.seats import PLAYING, Role, order_around

_Known = TypeVar("_Known")


def known(value: _Known | None) -> _Known:
    """A contract, declarer or turn that stands at this point of a deal. Raises LookupError where it does not."""
    if value is None:
        raise LookupError("this is not known yet")
    return value


@cache
def order_of_play(players: int, fourth_plays: bool, *, dealer_out: bool = False) -> tuple[Role, ...]:
    """Who plays cards, forehand first."""
    playing = (*PLAYING[players], Role.IDLE) if fourth_plays else PLAYING[players]
    return tuple(role for role in order_around(players, dealer_out=dealer_out) if role in playing)


class Ask(StrEnum):
    """What a turn asks for."""

    DEFINE = "define"
    TRUMP = "trump"
    KING = "king"
    PROMISE = "promise"
    EXCHANGE = "exchange"
    REPEAT = "repeat"
    LAY_OFF = "lay_off"
    OFFER = "offer"
    ANSWER = "answer"
    JOIN = "join"
    ONE_MORE = "one_more"
    TAKE_OVER = "take_over"
    SURRENDER = "surrender"

    __hash__ = str.__hash__


class Turn(NamedTuple):
    role: Role
    ask: Ask


DEFINING = frozenset((Ask.DEFINE, Ask.TRUMP, Ask.KING, Ask.PROMISE))
