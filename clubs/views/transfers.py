"""Pages of transfers: those of a club, answering one, taking a request back."""

from functools import partial

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.models import Club, Transfer
from clubs.register.transfers import (
    SILENCE,
    answer_transfer,
    transfers_of,
    transfers_to_answer,
    withdraw_transfer,
)
from clubs.roles import may_organise
from clubs.views.guards import MemberRequest, club_view, sign_in_required
from core.http.steps import handle_button

SHOWN = 50


@club_view()
def transfers(request: MemberRequest, club: Club) -> HttpResponse:
    """A club's transfers: to be answered, requested, and the newest completed ones."""
    of_club = transfers_of(club)
    to_answer = transfers_to_answer(request.user).filter(pk__in=of_club.order_by().values("pk"))
    is_open = of_club.filter(state=Transfer.State.ASKED)
    context = {
        "club": club,
        "transfers": to_answer,
        "asked": is_open.exclude(pk__in=to_answer.order_by().values("pk")),
        "over": of_club.exclude(state=Transfer.State.ASKED)[:SHOWN],
        "days": SILENCE.days,
    }
    return render(request, "clubs/transfers.html", context)


@require_POST
@never_cache
@sign_in_required
def transfer_answer(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    """Accept or refuse a transfer, by the club that loses the member or a union of both clubs."""
    club = get_object_or_404(Club, slug=slug)
    transfer = transfers_of(club).filter(pk=pk).first()
    may_answer = transfers_to_answer(request.user).filter(pk=pk).exists()
    if transfer is None or not may_answer:
        # Where another has just answered it, the step's message says so.
        if transfer is None and may_organise(request.user, club):
            raise Http404
        if transfer is None or transfer.state == Transfer.State.ASKED or not may_organise(request.user, club):
            raise PermissionDenied
    yes = "yes" in request.POST
    said = (
        _("%(name)s has been transferred to %(club)s.")
        if yes
        else _("The transfer of %(name)s to %(club)s has been refused.")
    )
    step = partial(answer_transfer, transfer, yes=yes)
    return handle_button(request, step, said % {"name": transfer.player, "club": transfer.club}, "desk")


@require_POST
@club_view()
def transfer_withdraw(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    transfer = get_object_or_404(Transfer, pk=pk, club=club)
    said = _("The request has been withdrawn.")
    return handle_button(request, partial(withdraw_transfer, transfer), said, "club_transfers", club.slug)


urlpatterns = [
    path("<slug:slug>/transfers/", transfers, name="club_transfers"),
    path("<slug:slug>/transfers/<int:pk>/answer/", transfer_answer, name="transfer_answer"),
    path("<slug:slug>/transfers/<int:pk>/withdraw/", transfer_withdraw, name="transfer_withdraw"),
]
