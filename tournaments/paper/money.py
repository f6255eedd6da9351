"""Payments and prizes of a tournament, and a union's statements to its clubs, as sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from core.pdf.fonts import plain
from core.pdf.page import Page, chunks
from core.pdf.store import kept_file
from tournaments.domain.amounts import in_kroner
from tournaments.lifecycle.money import Listed, is_with_box, payment_list
from tournaments.lifecycle.payments import BOX
from tournaments.paper.printing import OfPapers, Paper

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from tournaments.models import Entry, Payment, Statement, Tournament


# The payment list and the receipts on paper.

# Of the payment list on a page, and of receipts.
LINES_A_PAGE, RECEIPTS_A_PAGE = 25, 6
LIST, RECEIPTS = "paper/money.html#payments", "paper/money.html#receipts"
A_PAGE = {LIST: LINES_A_PAGE, RECEIPTS: RECEIPTS_A_PAGE}


def list_pages(tournament: Tournament, *, printed_at: datetime) -> list[Page]:
    """The payment list, with the cashier's total receipts and payments below."""
    payments = list(payment_list(tournament))
    told = _payment_lines(payments)
    through = through_the_cashier(told) if told and is_with_box(told) else None
    css = "list with-box" if through else "list"
    lines = [_of_payment(payment) for payment in payments]
    return _pages(tournament, _("Payment list"), LIST, css, lines, printed_at, through)


def receipt_pages(tournament: Tournament, *, printed_at: datetime) -> list[Page]:
    """A receipt for each payment of the list."""
    lines = [_of_payment(payment) for payment in payment_list(tournament)]
    return _pages(tournament, _("Receipts"), RECEIPTS, "receipts", lines, printed_at)


def fee_pages(tournament: Tournament, *, printed_at: datetime, number: int | None = None) -> list[Page]:
    """A receipt for each entry fee that is paid, or the one of a `number`; none where that has not paid."""
    paid = who_paid(tournament)
    entries = paid if number is None else paid.filter(number=number)
    lines = [_of_fee(entry, tournament) for entry in entries]
    title = _("Receipts for entry fees")
    return _pages(tournament, title, RECEIPTS, "fees", lines, printed_at)


def who_paid(tournament: Tournament) -> QuerySet[Entry]:
    """Entries with a paid entry fee; none without a fee."""
    paid = tournament.entries.filter(fee_paid=True).select_related("player")
    return paid if tournament.entry_fee else paid.none()


def _pages(
    tournament: Tournament,
    title: str,
    template: str,
    css: str,
    lines: Sequence[Mapping[str, Any]],
    printed_at: datetime,
    through: Mapping[str, str] | None = None,
) -> list[Page]:
    occasion = {
        "tournament": plain(tournament.name),
        "host": plain(tournament.host.name),
        "date": tournament.date,
        "printed_at": printed_at,
    }
    parts = chunks(lines, A_PAGE[template])
    return [
        Page(
            template,
            name=title,
            css=f"ranking money {css}",
            context={
                "occasion": occasion,
                "lines": part,
                "through": through,
                "is_last": part is parts[-1],
            },
        )
        for part in parts
    ]


def _payment_lines(payments: Sequence[Payment]) -> list[Listed]:
    """The payments as sums need them: of these very lines, whatever becomes of the list meanwhile."""
    return [
        Listed(
            payment.payer.number if payment.payer else BOX,
            payment.payee.number if payment.payee else BOX,
            payment.amount,
            payment.paid_at is not None,
        )
        for payment in payments
    ]


def through_the_cashier(payments: Sequence[Listed]) -> dict[str, str]:
    """The sums that the club's cashier receives and pays out by a list, in kroner."""
    return {
        "received": in_kroner(sum(payment.amount for payment in payments if payment.payee == BOX)),
        "paid_out": in_kroner(sum(payment.amount for payment in payments if payment.payer == BOX)),
    }


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
    return plain(entry.player.name) if entry else _("The club’s cash box")


# What is printed of the money: the payment list, its receipts, those for entry fees, of however many there are.

NO_LIST = gettext_noop("There is no payment list yet.")
NOBODY_PAID = gettext_noop("Nobody has paid the entry fee yet.")


class MoneyPaper(OfPapers):
    """The payment list, or receipts."""

    code = "money"
    asked_on = "desk_money"
    papers = {
        "list": Paper(gettext_lazy("Payment list"), payment_list, list_pages, LINES_A_PAGE, NO_LIST),
        "receipts": Paper(gettext_lazy("Receipts"), payment_list, receipt_pages, RECEIPTS_A_PAGE, NO_LIST),
        "fees": Paper(
            gettext_lazy("Receipts for entry fees"), who_paid, fee_pages, RECEIPTS_A_PAGE, NOBODY_PAID
        ),
    }


STYLES = """
.statement table { border-collapse: collapse; width: 100%; margin: 8mm 0; font-size: 11pt; }
.statement :is(td, th) { text-align: left; border-bottom: .12mm solid #000; padding: 2mm 1.2mm 2mm 0; }
.statement th { border-bottom-width: .3mm; font-size: 9pt; }
.statement .number { text-align: right; white-space: nowrap; padding-right: 0; }
.statement > p { margin: 0 0 2.5mm; font-size: 11pt; overflow-wrap: anywhere; }
.statement tr:last-child td { border-bottom-width: .42mm; }
"""


def statement_pdf(statement: Statement, *, printed_at: datetime, asker: str = "") -> bytes:
    """The PDF of a statement. Raises CannotMake."""
    occasion = {
        "host": plain(statement.union.name),
        "tournament": plain(statement.club.name),
        "printed_at": printed_at,
    }
    page = Page(
        "paper/money.html#statement",
        name=_("Statement"),
        css="ranking statement",
        styles=STYLES,
        context={
            "occasion": occasion,
            "statement": statement,
            "for_members": in_kroner(statement.for_members),
            "per_member": in_kroner(statement.per_member),
            "for_teams": in_kroner(statement.for_teams),
            "per_team": in_kroner(statement.per_team),
            "total": in_kroner(statement.total),
            "pay_to": plain(statement.pay_to),
        },
    )
    return kept_file([page], _("Statement"), printed_at=printed_at, asker=asker)
