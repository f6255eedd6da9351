"""Typing report codes: the page, its form, and the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext
from django.views.decorators.http import require_POST

from clubs.roles import clubs_of
from core.errors import NotPossible
from core.http.steps import add_to_form
from tournaments.changes.log import write_down_at
from tournaments.desk.evening.late import LateReport, in_order, late_reports
from tournaments.ledger import UnreadableSubmission, keep_aside, read_submission, take_in
from tournaments.ledger.late_reports import BY_CODE, BY_OLD_CODE
from tournaments.ledger.photographs import squares_in
from tournaments.ledger.report_codes import MOST_LETTERS, ReportCode, UnreadableCode, read_code
from tournaments.models import KeptReport, RevokedSecret, Table, Tournament
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpResponse

    from clubs.models import Account
    from tournaments.ledger import Submission


# A code from a captain's phone: scanned or typed, or photographed.


class CodeForm(forms.Form):
    """A form with either `codes`, typed, or a photograph of them."""

    code = forms.CharField(
        required=False,
        label=gettext_lazy("Code"),
        help_text=gettext_lazy(
            "Scan it with a scanner that types, or type its letters; case and spaces do not matter."
        ),
        max_length=2 * MOST_LETTERS,
        widget=forms.TextInput(
            {
                "autofocus": True,
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "class": "code",
            }
        ),
    )
    photograph = forms.FileField(
        required=False,
        label=gettext_lazy("Or a photograph of the QR code"),
        help_text=gettext_lazy("JPEG, PNG or WebP, at most 10 MB. It is not kept."),
        widget=forms.FileInput({"accept": "image/jpeg,image/png,image/webp"}),
    )

    def clean(self) -> dict[str, Any]:
        sent = super().clean() or {}
        if sent.get("code"):
            return sent | {"codes": [sent["code"]]}
        if "photograph" in self.errors or "code" in self.errors:
            return sent
        if not sent.get("photograph"):
            raise ValidationError({"code": _("Scan the code or type it.")})
        try:
            codes = squares_in(sent["photograph"])
        except NotPossible as refusal:
            raise ValidationError({"photograph": refusal.message}) from None
        if not codes:
            text = _(
                "No QR code can be read in this photograph. Go closer, or type the letters below the code."
            )
            raise ValidationError({"photograph": text})
        return sent | {"codes": codes}


# Codes from captains' phones: identifying the table, and quarantining the reports until the desk decides.


@dataclass(frozen=True, slots=True)
class TypedCode:
    """Result of a code: its table, and its deals that wait for the desk or were decided already."""

    table: Table
    waiting: tuple[int, ...]
    stored: tuple[int, ...]
    set_aside: tuple[int, ...]


@transaction.atomic
def keep_code(tournament: Tournament, typed: str, account: Account, *, now: datetime) -> TypedCode:
    """Keep a typed code's reports for the desk to decide; the same code twice is once.

    Raises `NotPossible` at the field `code`, in words, for what is mistyped or of no table of this tournament.
    """
    try:
        code = read_code(typed)
        sent = [read_submission(item) for item in code.items]
    except (UnreadableCode, UnreadableSubmission) as error:
        raise NotPossible(str(error), "code") from None
    table, why = _identify_table(code, tournament, account)
    before = set(table.kept_reports.values_list("pk", flat=True))
    answers = keep_aside(table, sent, why, now=now, unlimited=True)
    if fresh := [
        item
        for item, answer in zip(sent, answers, strict=True)
        if answer.kept and answer.kept.pk not in before
    ]:
        text = gettext_noop(
            "Round {round}, table {table}: accepted a code from the captain’s phone, deals {deals}"
        )
        write_down_at(table, account, text, now=now, deals=_deal_list(fresh))
    states = [answer.kept.state if answer.kept else KeptReport.State.TAKEN for answer in answers]
    return TypedCode(
        table, *(_deals_text(sent, states, state) for state in ("waiting", "taken", "set_aside"))
    )


def _deal_list(sent: list[Submission]) -> str:
    return ", ".join(str(item.deal) for item in sent)


def _deals_text(sent: list[Submission], states: list[str], state: str) -> tuple[int, ...]:
    return tuple(item.deal for item, stands in zip(sent, states, strict=True) if stands == state)


def _identify_table(code: ReportCode, tournament: Tournament, account: Account) -> tuple[Table, str]:
    """The table whose link made the code, and the reason for quarantine; raises `NotPossible`."""
    if found := _made_with(code, Table.objects.filter(round__tournament=tournament)):
        return found
    others = Table.objects.filter(round__tournament__host__in=clubs_of(account))
    if found := _made_with(code, others.exclude(round__tournament=tournament)):
        place = found[0].round
        raise NotPossible(
            _("This code is from another tournament: %(tournament)s, round %(round)d, table %(table)d.")
            % {"tournament": place.tournament.name, "round": place.number, "table": found[0].number},
            "code",
        )
    text = _(
        "This code was made with a link that does not belong to any table of this tournament. Ask which "
        "table it came from."
    )
    raise NotPossible(text, "code")


def _made_with(code: ReportCode, tables: QuerySet[Table]) -> tuple[Table, str] | None:
    for pk, secret, why in _links(tables):
        if code.is_made_with(secret):
            return Table.objects.select_related("round__tournament__host").get(pk=pk), why
    return None


def _links(tables: QuerySet[Table]) -> Iterator[tuple[int, str, str]]:
    """Each table's link, then those that have been replaced."""
    for pk, secret in tables.order_by().values_list("pk", "secret"):
        yield pk, secret, BY_CODE
    replaced = RevokedSecret.objects.filter(table__in=tables.order_by())
    for pk, secret in replaced.values_list("table", "secret"):
        yield pk, secret, BY_OLD_CODE


# Codes from captains' phones, taken in at the desk where the network does not bring the deals.

MOST_SHOWN = 200  # limited by typing, code by code


def _waiting(tournament: Tournament) -> list[LateReport]:
    """The reports of codes that wait for a decision."""
    kept = KeptReport.objects.filter(table__round__tournament=tournament, why__in=(BY_CODE, BY_OLD_CODE))
    return late_reports(in_order(kept.filter(state=KeptReport.State.WAITING))[:MOST_SHOWN])


def _plain(waiting: list[LateReport]) -> list[LateReport]:
    """The reports that can be imported without conflict, sent by a phone that knew the dealer and the seats."""
    return [
        report
        for report in waiting
        if report.effect and not report.effect.was and not report.unseen and report.kept.table.is_open
    ]


@desk_view(helper=True, one_transaction=False)
def desk_codes(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Scan, photograph or type a code.

    Its reports are quarantined, compared with the current results, and decided here.
    """
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
    """Take in every report from codes that contradicts nothing, in the order of the deals."""
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
