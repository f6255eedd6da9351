"""The organiser's page of fees, prizes and payments, with its forms."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.http import require_POST, require_safe

from core.http.steps import handle_button, handle_form, posted_data
from core.pdf.files import pdf_of, shown_with_titles
from core.pdf.store import a_pdf, pdf_answer
from core.tables.files import CONTENT_TYPES, Table, Value, table_file
from tournaments.changes.log import write_down
from tournaments.domain.amounts import in_kroner, signed_kroner
from tournaments.entries.entering import entries_found
from tournaments.lifecycle import money
from tournaments.lifecycle.payments import settle, settle_with_box
from tournaments.models import Payment, Tournament
from tournaments.paper.money import NOBODY_PAID, MoneyPaper, fee_pages, through_the_cashier
from tournaments.paper.printing import asked_for, made_of
from tournaments.web.guards import DeskRequest, desk_view, number_in
from tournaments.web.prizes_form import PrizesForm, prize_rows, prizes_last_time, prizes_typed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.db.models import QuerySet
    from django.http.response import HttpResponseBase

    from tournaments.lifecycle.money import Balance, Listed, Reckoning
    from tournaments.lifecycle.payments import Transfers


# Money at the desk: the pool and its prizes, everybody's balance, the payment list and its papers.

# So many players, and payments, are shown at a time.
ON_A_PAGE = 100


@desk_view(helper=True)
def desk_money(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Balances, payments and prizes on one page; organisers edit the prizes here."""
    form = PrizesForm(posted_data(request) if request.organises else None, initial=prizes_typed(tournament))
    # The finish has the same form, with a line for each place; its errors are shown here.
    page = ("desk_finish" if request.POST.get("back") == "finish" else "desk_money", tournament.code)
    step = partial(money.set_prizes, tournament)
    if done := handle_form(
        request, form, step, _("The prizes have been saved."), *page, arguments=form.prizes
    ):
        return done
    reckoning = money.reckon(tournament)
    payments = money.list_payments(tournament)
    left = money.still_due(reckoning.due, payments)
    differs = any(left.values())
    # Before there is a list, a club settles with its cashier by default; afterwards as the list does.
    with_box = money.is_with_box(payments)
    query = request.GET.get("q", "")
    balances, named = _search(tournament, reckoning, query)
    lines = Paginator(named, ON_A_PAGE).get_page(request.GET.get("list"))
    context = {
        "tournament": tournament,
        "form": form,
        "rows": prize_rows(form) if request.organises else [],
        "no_prizes": not money.has_prizes(tournament) and not money.gives_none(tournament),
        "last_prizes": prizes_last_time(tournament) if request.organises else None,
        "q": query,
        "is_long": len(reckoning.balances) > ON_A_PAGE,
        # Where nothing is added to it, the stake is what everyone gets or owes.
        "shows_stakes": bool(tournament.stake and (reckoning.prizes or reckoning.fees_owed)),
        "reckoning": reckoning,
        "pool": _pool(tournament, reckoning),
        "things": [(place, thing) for place, thing in enumerate(tournament.prize_things, start=1) if thing],
        "sums": [signed_kroner(each) for each in _sums(reckoning)],
        "balances": Paginator(balances, ON_A_PAGE).get_page(request.GET.get("page")),
        "payments": payments,
        "list": lines,
        "lines": [_payment_row(payment) for payment in lines],
        "with_box": with_box,
        "through": through_the_cashier(payments),
        "unpaid": sum(not payment.paid for payment in payments),
        "outdated": bool(payments) and differs,
        "is_owed": differs,
        "gets": sum(balance.amount > 0 for balance in reckoning.balances),
        "owes": sum(balance.amount < 0 for balance in reckoning.balances),
        "ways": _ways(reckoning, payments, with_box=with_box),
        "ready": shown_with_titles(made_of(MoneyPaper, tournament)),
    }
    return render(request, "desk/money/money.html", context)


def _search(
    tournament: Tournament, reckoning: Reckoning, query: str
) -> tuple[Sequence[Balance], QuerySet[Payment]]:
    """Balances, and payments with names, of players matching the search; all if it is empty."""
    payments = money.payment_list(tournament)
    if not query.strip():
        return reckoning.balances, payments
    found = entries_found(tournament, query)
    numbers = set(found.values_list("number", flat=True))
    of_them = Q(payer__in=found.values("pk")) | Q(payee__in=found.values("pk"))
    return [balance for balance in reckoning.balances if balance.row.number in numbers], payments.filter(
        of_them
    )


def _pool(tournament: Tournament, reckoning: Reckoning) -> dict[str, object]:
    # While places are empty, the announced prizes are counted.
    given = reckoning.prizes if reckoning.balances else sum(reckoning.by_place)
    shares = [] if tournament.prize_amounts else tournament.prize_shares
    return {
        "kroner": in_kroner(reckoning.pool),
        "owed": in_kroner(reckoning.owed) if reckoning.owed else "",
        "fee": in_kroner(reckoning.fee),
        "prizes": [
            (place, shares[place - 1] if shares else None, in_kroner(amount))
            for place, amount in enumerate(reckoning.by_place, start=1)
        ],
        "added": in_kroner(given - reckoning.pool) if given > reckoning.pool else "",
        "kept": in_kroner(reckoning.pool - given),
        "paid": in_kroner(reckoning.fees_paid * reckoning.fee),
        "box": reckoning.box,
        "box_kroner": in_kroner(abs(reckoning.box)),
        "in_the_box": in_kroner(abs(reckoning.in_the_box)),
    }


def _sums(reckoning: Reckoning) -> list[int]:
    """The sums of the columns of the balances."""
    return [reckoning.by_tokens, reckoning.prizes, reckoning.fees, -reckoning.box]


def _payment_row(payment: Payment) -> dict[str, object]:
    return {
        "payment": payment,
        "payer": payment.payer or _("The club’s cash box"),
        "payee": payment.payee or _("the club’s cash box"),
        "kroner": in_kroner(payment.amount),
    }


def _ways(reckoning: Reckoning, payments: Sequence[Listed], *, with_box: bool) -> list[dict[str, object]]:
    """The ways to settle, with the number of payments where there is no list yet: it takes time to compute."""
    lists = {} if payments else {CASHIER: settle_with_box(reckoning.due), EACH_OTHER: settle(reckoning.due)}
    return [
        {
            "code": code,
            "label": label,
            "chosen": (code == CASHIER) == with_box,
            "count": len(lists[code].transfers) if lists else None,
            "how_short": how_short(lists[code]) if lists and code == EACH_OTHER else "",
        }
        for code, label in WayForm.base_fields["way"].choices  # type: ignore[attr-defined]
    ]


def how_short(found: Transfers) -> str:
    """Whether a list of payments is the shortest that exists."""
    if found.shortest:
        return _("A shorter list is not possible.")
    return _("A short list; a shorter one may exist.")


@desk_view()
@require_POST
def desk_money_list(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    form = WayForm(request.POST)
    if not form.is_valid():
        messages.warning(request, _("Choose how everyone settles."))
        return redirect("desk_money", tournament.code)
    with_box = form.cleaned_data["way"] == CASHIER
    made: list[Transfers] = []

    def success_message(found: Transfers) -> str:
        made.append(found)
        return _("The payment list has been made. Tick each payment off when it is made.")

    step = partial(money.make_list, tournament, with_box=with_box)
    done = handle_button(request, step, success_message, _payments(tournament))
    for found in made:
        if not with_box:
            messages.info(request, how_short(found))
    return done


def _payments(tournament: Tournament, seen: Mapping[str, str] | None = None) -> str:
    """The payments' place on the page, with what was sought there and the part of the list that was seen."""
    asked = {name: value for name in ("q", "list") if (value := (seen or {}).get(name, ""))}
    page = reverse("desk_money", args=[tournament.code])
    return f"{page}?{urlencode(asked)}#payments" if asked else f"{page}#payments"


@desk_view(helper=True)
@require_POST
def desk_money_tick(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The button carries the requested state, so a double click is harmless."""
    paid = request.POST.get("paid") == "1"
    said = _("Payment %(number)d has been ticked off.") if paid else _("Payment %(number)d is open again.")
    step = partial(money.tick, tournament, number, paid=paid)
    return handle_button(request, step, said % {"number": number}, _payments(tournament, request.POST))


@desk_view(helper=True)
@require_safe
def desk_money_file(request: DeskRequest, tournament: Tournament, kind: str) -> HttpResponseBase:
    """Download all balances as a file; the download is logged."""
    if kind not in CONTENT_TYPES:
        raise Http404
    headings = [
        _("Place"),
        _("No."),
        _("Player"),
        _("Tokens"),
        _("Stake"),
        _("Prize"),
        _("Entry fee"),
        _("Gets or owes"),
    ]
    rows: list[list[Value]] = [
        [balance.row.rank, balance.row.number, balance.name, balance.row.with_rulings, *map(_kroner, amounts)]
        for balance in money.reckon(tournament).balances
        if (amounts := (balance.by_tokens, balance.prize, balance.fee, balance.amount))
    ]
    title = str(_("Money"))
    file = table_file(kind, Table(headings, rows, title))
    write_down(
        tournament,
        request.user,
        gettext_noop("Saved what everyone gets or owes as a file"),
        now=timezone.now(),
    )
    name = f"{tournament.name} {tournament.date} {title}.{kind}"
    return FileResponse(BytesIO(file), as_attachment=True, filename=name)


def _kroner(amount: int) -> Fraction:
    return Fraction(amount, 100)


@a_pdf
@desk_view(helper=True, one_transaction=False)
def desk_money_print(request: DeskRequest, tournament: Tournament, paper: str) -> HttpResponse:
    """Queue the payment list or receipts; a single receipt of an entry fee is returned directly.

    A GET request (back button, old link) redirects to the page.
    """
    number = number_in(request.GET.get("player", ""))
    if request.method == "POST" or paper != "fees" or number is None:
        return asked_for(request, tournament, MoneyPaper, paper)
    pages = fee_pages(tournament, printed_at=timezone.localtime(), number=number)
    if not pages:
        messages.warning(request, _(NOBODY_PAID))
        return redirect("desk_money", tournament.code)
    title = pages[0].name
    return pdf_answer(
        request,
        lambda: pdf_of(pages, f"{title}, {tournament.name}"),
        tournament.name,
        title,
        instead=reverse("desk_money", args=[tournament.code]),
    )


urlpatterns = [
    path("desk/t/<str:code>/money/", desk_money, name="desk_money"),
    path("desk/t/<str:code>/money/list/", desk_money_list, name="desk_money_list"),
    path("desk/t/<str:code>/money/export.<str:kind>", desk_money_file, name="desk_money_file"),
    path("desk/t/<str:code>/money/<int:number>/", desk_money_tick, name="desk_money_tick"),
    path("desk/t/<str:code>/money/<slug:paper>.pdf", desk_money_print, name="desk_money_print"),
]


# How everybody settles.

CASHIER, EACH_OTHER = "cashier", "each_other"


class WayForm(forms.Form):
    """The form of the way to settle: with the club's cashier, or with each other."""

    way = forms.ChoiceField(
        choices=[
            (CASHIER, gettext_lazy("Everyone settles with the club’s cashier")),
            (EACH_OTHER, gettext_lazy("Players pay each other")),
        ]
    )
