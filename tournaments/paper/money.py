"""The payment list and the receipts on paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import Entry, Payment, Tournament
from tournaments.money.payments import BOX
from tournaments.money.settling_up import Listed, is_with_box, listed
from tournaments.paper.making import pdf_of
from tournaments.paper.pages import Page, chunks
from tournaments.paper.text import plain
from tournaments.values.amounts import in_kroner

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.utils.functional import _StrPromise as StrPromise


@dataclass(frozen=True)
class Paper:
    """What can be printed of the payments: its template, and how many payments a page holds."""

    title: StrPromise
    template: str
    a_page: int
    of_fees: bool = False


PAPERS = {
    "list": Paper(gettext_lazy("Payment list"), "paper/_payments.html", 25),
    "receipts": Paper(gettext_lazy("Receipts"), "paper/_receipts.html", 6),
    "fees": Paper(gettext_lazy("Receipts for entry fees"), "paper/_receipts.html", 6, of_fees=True),
}


def money_pdf(
    tournament: Tournament, lines: Sequence[Payment | Entry], paper: str, *, printed_at: datetime
) -> bytes:
    """The file: of payments, or of those who have paid the entry fee. Raises CannotMake."""
    kind = PAPERS[paper]
    occasion = {
        "tournament": plain(tournament.name),
        "host": plain(tournament.host.name),
        "date": tournament.date,
        "printed_at": printed_at,
    }
    payments = [] if kind.of_fees else listed(tournament)
    through = through_the_cashier(payments) if payments and is_with_box(payments) else None
    parts = chunks(lines, kind.a_page)
    pages = [
        Page(
            kind.template,
            name=str(kind.title),
            css=f"ranking money {paper}{' with-box' if through else ''}",
            context={
                "occasion": occasion,
                "lines": [_line(line, tournament) for line in part],
                "through": through,
                "is_last": part is parts[-1],
            },
        )
        for part in parts
    ]
    return pdf_of(pages, f"{kind.title}, {tournament.name}")


def through_the_cashier(payments: Sequence[Listed]) -> dict[str, str]:
    """What the club's cashier is paid and pays out by a list, in kroner."""
    return {
        "received": in_kroner(sum(payment.amount for payment in payments if payment.payee == BOX)),
        "paid_out": in_kroner(sum(payment.amount for payment in payments if payment.payer == BOX)),
    }


def _line(line: Payment | Entry, tournament: Tournament) -> dict[str, Any]:
    return _of_payment(line) if isinstance(line, Payment) else _of_fee(line, tournament)


def _of_fee(entry: Entry, tournament: Tournament) -> dict[str, Any]:
    """A receipt for the entry fee has the player's number: there is one for each."""
    return {
        "number": entry.number,
        "payer": _name(entry),
        "payee": plain(tournament.host.name),
        "kroner": in_kroner(tournament.entry_fee),
        "what": _("Entry fee"),
        "paid_at": tournament.date,
    }


def _of_payment(payment: Payment) -> dict[str, Any]:
    return {
        "number": payment.number,
        "payer": _name(payment.payer),
        "payee": _name(payment.payee),
        "player": _name(payment.payer or payment.payee),
        "is_paid_in": payment.payer is not None,
        "kroner": in_kroner(payment.amount),
        "paid_at": payment.paid_at,
        "ticked_by": plain(payment.ticked_by),
    }


def _name(entry: Entry | None) -> str:
    """Names in full: who pays must be known."""
    return plain(entry.player.name) if entry else _("The club’s box")
