"""A tournament's money, for a key of its club: the pool and its prizes, everybody's balance, the payment list."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from ninja import Router
from pydantic import Field

from clubs.models import Scope
from tournaments.api.base import (
    USUAL_ON_A_PAGE,
    Code,
    Cursor,
    Key,
    Limit,
    Shape,
    own_tournament,
    page_by,
    page_of,
    private,
    read_cursor,
    replies,
)
from tournaments.lifecycle import money

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.lifecycle.money import Balance
    from tournaments.models import Payment

router = Router(tags=["with a key"])


def _for_money(name: str, shape: type[Shape]) -> Callable[..., Any]:
    """Endpoints that a key with the money scope may request for its club's tournaments."""
    path = f"/club/tournaments/{{str:code}}/{name}"
    operation: Callable[..., Any] = router.get(
        path, response=replies(shape, 401, 403, etag=False), auth=Key(Scope.MONEY)
    )
    return operation


class BalanceShape(Shape):
    """A player's balance in øre: to be paid out, or (negative) owed, with its parts; by their own name."""

    number: int = Field(description="The player's number in the tournament.")
    name: str = Field(description="The player's own name.")
    tokens: int = Field(description="What their tokens come to.")
    prize: int = Field(description="The prize, in øre.")
    fee: int = Field(description="What they owe of the entry fee, never above 0.")
    amount: int = Field(description="What they get, or owe where negative, in øre.")


class MoneyShape(Shape):
    """The money of a tournament, in øre, by the standings as they are; a page of balances by number."""

    stake: int = Field(description="A token.")
    entry_fee: int = Field(description="The entry fee, in øre.")
    fees_paid: int = Field(description="How many have paid the entry fee.")
    fees_owed: int = Field(description="How many owe it.")
    pool: int = Field(description="The pool of entry fees that prizes are paid from, in øre.")
    prizes: list[int] = Field(description="By place, whether or not somebody has it.")
    prize_things: list[str] = Field(description="By place, what is no money; empty where there is none.")
    box: int = Field(description="What the club's box gets when all is settled, or with a minus gives.")
    items: list[BalanceShape] = Field(description="The balances on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class PaymentShape(Shape):
    """A payment of the list; `payer` or `payee` is null where it is the club's box."""

    number: int = Field(description="The payment's number in the list.")
    payer: int | None = Field(description="The number of the player who pays; null for the club's box.")
    payee: int | None = Field(description="The number of the player who is paid; null for the club's box.")
    amount: int = Field(description="In øre.")
    paid_at: datetime | None = Field(description="When it was ticked off as paid; null before that.")


class Payments(Shape):
    """A page of the payment list, by numbers; empty before there is one."""

    items: list[PaymentShape] = Field(description="The payments on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


@_for_money("money", MoneyShape)
def own_money(
    request: HttpRequest, code: Code, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The pool, its prizes and everybody's balance, of a tournament of the key's club."""
    tournament, after = own_tournament(request, code), read_cursor(cursor, int)
    reckoning = money.reckon(tournament)
    behind_it = int(after[0]) if after else -1
    found = sorted(reckoning.balances, key=lambda one: one.row.number)
    there = [one for one in found if one.row.number > behind_it][: limit + 1]
    rows, behind = page_of(request, there, limit, lambda one: (one.row.number,))
    return private(
        MoneyShape(
            stake=tournament.stake,
            entry_fee=tournament.entry_fee,
            fees_paid=reckoning.fees_paid,
            fees_owed=reckoning.fees_owed,
            pool=reckoning.pool,
            prizes=list(reckoning.by_place),
            prize_things=list(tournament.prize_things),
            box=reckoning.box,
            items=[_balance(one) for one in rows],
            next=behind,
        )
    )


def _balance(one: Balance) -> BalanceShape:
    return BalanceShape(
        number=one.row.number,
        name=one.name,
        tokens=one.by_tokens,
        prize=one.prize,
        fee=one.fee,
        amount=one.amount,
    )


@_for_money("payments", Payments)
def own_payments(
    request: HttpRequest, code: Code, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The payments of a tournament of the key's club, and which of them are ticked off."""
    found = money.payment_list(own_tournament(request, code))
    rows, behind = page_by(request, found, "number", limit, cursor)
    return private(Payments(items=[_payment(one) for one in rows], next=behind))


def _payment(one: Payment) -> PaymentShape:
    return PaymentShape(
        number=one.number,
        payer=one.payer.number if one.payer else None,
        payee=one.payee.number if one.payee else None,
        amount=one.amount,
        paid_at=one.paid_at,
    )
