"""What is printed of the money: the payment list, its receipts, those for entry fees, of however many there are."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, gettext_noop

from tournaments.lifecycle.money import payment_list
from tournaments.paper.money import (
    LINES_A_PAGE,
    RECEIPTS_A_PAGE,
    fee_pages,
    list_pages,
    receipt_pages,
    who_paid,
)
from tournaments.paper.papers_job import OfPapers, Paper

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
