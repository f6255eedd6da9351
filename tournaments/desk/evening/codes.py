"""Codes from captains' phones, taken in at the desk where the network does not bring the deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from core.errors import NotPossible
from core.http.steps import add_to_form
from tournaments.desk.evening.codes_form import CodeForm
from tournaments.desk.evening.codes_told import TypedCode, keep_code
from tournaments.desk.evening.late_reports import LateReport, in_order, late_reports
from tournaments.ledger import take_in
from tournaments.ledger.late_reports import BY_CODE, BY_OLD_CODE
from tournaments.models import KeptReport, Tournament
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from django.http import HttpResponse


MOST_SHOWN = 200  # somebody at the desk has typed them, code by code


def _waiting(tournament: Tournament) -> list[LateReport]:
    """The reports of codes that wait for a decision."""
    kept = KeptReport.objects.filter(table__round__tournament=tournament, why__in=(BY_CODE, BY_OLD_CODE))
    return late_reports(in_order(kept.filter(state=KeptReport.State.WAITING))[:MOST_SHOWN])


def _plain(waiting: list[LateReport]) -> list[LateReport]:
    """Those that can be taken in and contradict nothing, tapped by who knew who deals and who sits where."""
    return [
        report
        for report in waiting
        if report.effect and not report.effect.was and not report.unseen and report.kept.table.is_open
    ]


@desk_view(helper=True, one_transaction=False)
def desk_codes(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Scan, photograph or type a code; what it says is kept, shown beside what counts, and decided here."""
    form = CodeForm(request.POST, request.FILES) if request.method == "POST" else CodeForm()
    if form.is_valid():
        field = "code" if form.cleaned_data["code"] else "photograph"
        for code in form.cleaned_data["codes"]:
            try:
                _say(request, keep_code(tournament, code, request.user, now=timezone.now()))
            except NotPossible as refusal:
                add_to_form(form, refusal, field)
        if form.is_valid():
            return redirect("desk_codes", tournament.code)
    waiting = _waiting(tournament)
    context = {"tournament": tournament, "form": form, "late": waiting, "plain": len(_plain(waiting))}
    return render(request, "desk/evening/codes.html", context)


def _say(request: DeskRequest, typed: TypedCode) -> None:
    place = {"table": typed.table.number, "round": typed.table.round.number}
    aside = _("Table %(table)d, round %(round)d: already set aside (see the late reports): %(deals)s.")
    told = (
        (messages.success, typed.waiting, _("Table %(table)d, round %(round)d: decide below on %(deals)s.")),
        (messages.info, typed.stored, _("Table %(table)d, round %(round)d: already counted: %(deals)s.")),
        (messages.warning, typed.set_aside, aside),
    )
    for tell, deals, text in told:
        if deals:
            tell(request, text % (place | {"deals": _deals(deals)}))


def _deals(deals: tuple[int, ...]) -> str:
    numbers = ", ".join(map(str, deals))
    return ngettext("deal %(deals)s", "deals %(deals)s", len(deals)) % {"deals": numbers}


@desk_view(helper=True)
@require_POST
def desk_take_in_codes(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Take in every report that came as a code and contradicts nothing, in the order of the deals."""
    taken = 0
    for report in sorted(_plain(_waiting(tournament)), key=lambda report: report.deal):
        try:
            take_in(report.kept, request.user, now=timezone.now(), seen=report.seen)
        except NotPossible as refusal:
            messages.warning(request, refusal.message)
        else:
            taken += 1
    if taken:
        said = ngettext("%(count)d deal counts now.", "%(count)d deals count now.", taken)
        messages.success(request, said % {"count": taken})
    return redirect("desk_codes", tournament.code)
