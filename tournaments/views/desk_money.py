"""Money at the desk: the pool and its prizes, everybody's balance, the payment list and its papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csp.decorators import csp_exempt
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments import settling_up
from tournaments.forms.money import PrizesForm
from tournaments.models import Entry, Payment, Tournament
from tournaments.money import in_kroner
from tournaments.payments import prizes_by_place, settle
from tournaments.sheets.jobs import CannotMake
from tournaments.sheets.money import PAPERS, money_pdf
from tournaments.views.confirming import sent
from tournaments.views.guards import DeskRequest, desk_view
from tournaments.views.taking_steps import taken

if TYPE_CHECKING:
    from tournaments.payments import Transfers
    from tournaments.settling_up import Reckoning


LONGEST_NUMBER = 4  # digits of a player's number


@desk_view(helper=True)
def desk_money(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """All of it on one page; an organiser says here how the pool is shared."""
    form = PrizesForm(
        sent(request) if request.organises else None, initial={"shares": tournament.prize_shares}
    )
    if form.is_valid() and taken(
        request,
        lambda: settling_up.set_prizes(
            tournament, form.cleaned_data["shares"], account=request.user, now=timezone.now()
        ),
        _("The prizes are stored."),
        form,
    ):
        return redirect("desk_money", tournament.code)
    reckoning = settling_up.reckon(tournament)
    payments = settling_up.payment_list(tournament)
    left = settling_up.still_due(reckoning.due, payments)
    # A list that settles everything is not worked out once more.
    differs = any(left.values())
    wanted = None if payments or not differs else settle(reckoning.due)
    context = {
        "tournament": tournament,
        "form": form,
        "reckoning": reckoning,
        "pool": _pool(tournament, reckoning),
        "payments": [_shown(payment) for payment in payments],
        "unpaid": sum(payment.paid_at is None for payment in payments),
        "outdated": bool(payments) and differs,
        "wanted": wanted,
        "how_short": how_short(wanted) if wanted else "",
    }
    return render(request, "desk/money.html", context)


def _pool(tournament: Tournament, reckoning: Reckoning) -> dict[str, object]:
    entered = tournament.entries.exclude(status="withdrawn")
    by_place = prizes_by_place(reckoning.pool, tournament.prize_shares)
    return {
        "kroner": in_kroner(reckoning.pool),
        "fee": in_kroner(tournament.entry_fee),
        "missing": entered.filter(fee_paid=False).count() if tournament.entry_fee else 0,
        "prizes": [
            (place, share, in_kroner(amount))
            for place, (share, amount) in enumerate(
                zip(tournament.prize_shares, by_place, strict=True), start=1
            )
        ],
        "kept": in_kroner(reckoning.pool - reckoning.prizes),
        "box": reckoning.box,
        "box_kroner": in_kroner(abs(reckoning.box)),
    }


def _shown(payment: Payment) -> dict[str, object]:
    return {
        "payment": payment,
        "payer": payment.payer or _("The club’s box"),
        "payee": payment.payee or _("the club’s box"),
        "kroner": in_kroner(payment.amount),
    }


def how_short(found: Transfers) -> str:
    """Whether a list of payments is the shortest that exists."""
    if found.shortest:
        return _("No shorter list exists.")
    return _(
        "For so many players this is a short list; whether it is the shortest cannot be worked out in time."
    )


@desk_view()
@require_POST
def desk_money_list(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    made: list[Transfers] = []
    taken(
        request,
        lambda: made.append(settling_up.make_list(tournament, account=request.user, now=timezone.now())),
        _("The payment list is made. Tick each payment off when it is made."),
    )
    for found in made:
        messages.info(request, how_short(found))
    return redirect("desk_money", tournament.code)


@desk_view(helper=True)
@require_POST
def desk_money_tick(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The button says which state it asks for, so that pressing twice is pressing once."""
    paid = request.POST.get("paid") == "1"
    said = _("Payment %(number)d is ticked off.") if paid else _("Payment %(number)d is open again.")
    taken(
        request,
        lambda: settling_up.tick(tournament, number, paid=paid, account=request.user, now=timezone.now()),
        said % {"number": number},
    )
    return redirect(f"{reverse('desk_money', args=[tournament.code])}#payments")


@csp_exempt()
@desk_view(helper=True)
@require_safe
def desk_money_print(request: DeskRequest, tournament: Tournament, paper: str) -> HttpResponse:
    """The payment list or the receipts. A browser's PDF reader is no page of ours: our policy may stop it."""
    if paper not in PAPERS:
        raise Http404
    lines: list[Payment] | list[Entry] = (
        _who_paid(tournament, request.GET.get("player", ""))
        if PAPERS[paper].of_fees
        else settling_up.payment_list(tournament)
    )
    if not lines:
        nothing = (
            _("Nobody has paid the entry fee yet.")
            if PAPERS[paper].of_fees
            else _("There is no payment list yet.")
        )
        messages.warning(request, nothing)
        return redirect("desk_money", tournament.code)
    try:
        data = money_pdf(tournament, lines, paper, printed_at=timezone.now())
    except CannotMake as problem:
        messages.error(request, _(str(problem)))
        return redirect("desk_money", tournament.code)
    name = slugify(f"{tournament.code} {PAPERS[paper].title}")
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
    return HttpResponse(data, content_type="application/pdf", headers=headers)


def _who_paid(tournament: Tournament, number: str) -> list[Entry]:
    """Who has paid the entry fee, or the one of a number where that is asked for."""
    if not tournament.entry_fee:
        return []
    paid = tournament.entries.filter(fee_paid=True).select_related("player")
    if number.isdecimal() and len(number) <= LONGEST_NUMBER:
        paid = paid.filter(number=int(number))
    return list(paid)


urlpatterns = [
    path("desk/t/<str:code>/money/", desk_money, name="desk_money"),
    path("desk/t/<str:code>/money/list/", desk_money_list, name="desk_money_list"),
    path("desk/t/<str:code>/money/<int:number>/", desk_money_tick, name="desk_money_tick"),
    path("desk/t/<str:code>/money/<slug:paper>.pdf", desk_money_print, name="desk_money_print"),
]
