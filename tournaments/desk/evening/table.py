"""The organiser's page of a table, its links and its photographs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial, wraps
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from django.contrib import messages
from django.db import transaction
from django.db.models import Max, Min
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from core.http.steps import handle_button, posted_data, take_step
from core.serving.addresses import base_url
from tournaments.desk.evening.forms import ReasonForm
from tournaments.desk.evening.late import in_order, late_reports
from tournaments.ledger import (
    agree,
    disagree,
    set_all_aside,
    set_aside,
    set_first_dealer,
    settle_flag,
    take_in,
    wait_again,
)
from tournaments.ledger.photographs import attach, remove
from tournaments.ledger.queries import names_at, rulebook_of
from tournaments.ledger.scoresheet import ScoreSheet, SeatLine, SheetLine, result_sentence, score_sheet
from tournaments.ledger.seating import penalties_at
from tournaments.lifecycle.playing import end_table_early, resume_table, revoke_link
from tournaments.models import KeptReport, Photograph, Report, Seat, Table
from tournaments.reporting.scans.merging import to_be_taken
from tournaments.web.confirming import Question, ask_first, undo_of
from tournaments.web.guards import TABLE, DeskRequest, desk_view, find_table, number_in, square

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http.response import HttpResponseBase

    from clubs.models import Account
    from core.http.steps import Undo
    from scoring.rulebook import Rulebook
    from tournaments.models import Tournament


# A table's page at the desk: its sheet, what was corrected, what waits, and the table's buttons.

P = ParamSpec("P")
TOKENS = re.compile("-?[0-9]{1,9}")
MOST_TOKENS = 10**9  # more than anyone can win
LATE_SHOWN = 5  # at most; the others have a page


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A sheet's line with seats in place of positions, and each player's tokens with the running total."""

    line: SheetLine
    dealer: SeatLine
    sits_out: SeatLine | None
    declarer: SeatLine | None
    amounts: tuple[tuple[int, int], ...]


def sheet_rows(sheet: ScoreSheet) -> list[SheetRow]:
    def seat(position: int | None) -> SeatLine | None:
        return None if position is None else sheet.seats[position]

    return [
        SheetRow(
            line,
            sheet.seats[line.dealer],
            seat(line.sits_out),
            seat(line.declarer),
            tuple(zip(line.tokens, line.running, strict=True)),
        )
        for line in sheet.lines
    ]


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a deal's result, read aloud."""

    report: Report
    said: str
    counts: bool


def versions(rulebook: Rulebook, reports: list[Report], names: list[str]) -> list[Version]:
    """A deal's versions, newest first; the newest counts."""
    newest = reports[-1:]
    return [
        Version(report, result_sentence(rulebook, report, names), report in newest)
        for report in reversed(reports)
    ]


def corrected_deals(table: Table, names: list[str]) -> list[tuple[int, list[Version]]]:
    """Every deal with more than one version, by number."""
    rulebook = rulebook_of(table.round.tournament)
    corrected = table.reports.filter(revision__gt=1).values("deal_number")
    reports = table.reports.filter(deal_number__in=corrected).order_by("deal_number", "revision")
    return [
        (deal, versions(rulebook, list(same), names))
        for deal, same in groupby(reports, key=attrgetter("deal_number"))
    ]


@desk_view(helper=True, in_hall=True)
@require_safe
def desk_table(request: DeskRequest, tournament: Tournament, round_number: int, number: int) -> HttpResponse:
    table = find_table(tournament, round_number, number)
    sheet = score_sheet(table)
    waiting = table.kept_reports.filter(state=KeptReport.State.WAITING)
    context = {
        "tournament": tournament,
        "table": table,
        "round": table.round,
        "sheet": sheet,
        "columns": sheet.columns,
        "rows": sheet_rows(sheet),
        "corrected": corrected_deals(table, sheet.names),
        "penalties": penalties_at(table),
        "flags": table.flags.filter(settled_at=None),
        "late": late_reports(in_order(waiting)[:LATE_SHOWN]),
        "late_of_table": waiting.count(),
        "photographs": table.photographs.all() if request.organises else (),
        "sheets_read": table.is_open and to_be_taken(table).exists(),
        "before": _in_own_hall(
            request, table.round.tables.filter(number__lt=number).aggregate(Max("number"))["number__max"]
        ),
        "after": _in_own_hall(
            request, table.round.tables.filter(number__gt=number).aggregate(Min("number"))["number__min"]
        ),
        "may_shift_dealer": table.is_open and not table.reports_count,
        "missing_yes": any(seat.agreed_at is None for seat in sheet.seats),
        "may_agree": table.is_open and (sheet.complete or table.ended_early_at is not None),
    }
    return render(request, "desk/evening/table.html", context)


def _in_own_hall(request: DeskRequest, number: int | None) -> int | None:
    """The number of a table that the visitor may open, else None."""
    return number if number and (request.hall is None or request.hall.has(number)) else None


def table_button(
    press: Callable[Concatenate[DeskRequest, Table, P], object],
) -> Callable[..., HttpResponseBase]:
    """Decorator for a button on a table's page: perform the action, and return to the page."""

    @desk_view(helper=True, in_hall=True)
    @wraps(press)
    def view(
        request: DeskRequest,
        tournament: Tournament,
        round_number: int,
        number: int,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> HttpResponse:
        table = find_table(tournament, round_number, number)
        if request.method == "POST":
            press(request, table, *args, **kwargs)
        match request.POST.get("back"):
            case "match" if table.match is not None and not request.hall:
                return redirect("desk_match", tournament.code, round_number, table.match.number)
            case "board":
                return redirect("desk_round", tournament.code, round_number)
            case "late" | "codes" as page:
                return redirect(f"desk_{page}", tournament.code)
        return redirect("desk_table", tournament.code, round_number, number)

    return view


@table_button
def desk_first_dealer(request: DeskRequest, table: Table) -> None:
    typed = request.POST.get("first_dealer", "")
    position = int(typed) if typed in ("0", "1", "2", "3", "4") else -1
    take_step(request, partial(set_first_dealer, table, position), _("The first dealer has been set."))


@table_button
def desk_agree(request: DeskRequest, table: Table, position: int) -> None:
    seat = get_object_or_404(table.seats.select_related("entry__player", "table"), position=position)
    if request.POST.get("agreed") == "no":
        said = _("%(name)s’s agreement has been withdrawn.") % {"name": seat.entry}
        take_step(request, lambda **_by: disagree(seat), said)
    else:
        _as_seen(request, [seat])
        said = _("%(name)s agrees to the sheet.") % {"name": seat.entry}
        take_step(request, lambda now, **_by: agree(seat, now=now), said)


def _undo(request: DeskRequest, table: Table, what: str) -> Undo | None:
    """The button that takes a step back; what it takes back may be of several halls."""
    return None if request.hall else undo_of(table.round.tournament, what)


def _as_seen(request: DeskRequest, seats: list[Seat]) -> None:
    """Let the yes be to the tokens that the page showed: they may be others by now."""
    for seat, typed in zip(seats, request.POST.getlist("tokens"), strict=False):
        seat.tokens = int(typed) if TOKENS.fullmatch(typed) else MOST_TOKENS + 1


@table_button
def desk_agree_all(request: DeskRequest, table: Table) -> None:
    """Mark all players of a table as having signed the paper, in one step."""

    @transaction.atomic
    def agree_all(*, now: datetime, **_by: object) -> int:
        seats = list(table.seats.select_related("entry__player", "table"))
        _as_seen(request, seats)
        return sum(agree(seat, now=now).agreed_at == now for seat in seats)

    undo = _undo(request, table, "signed")
    take_step(request, agree_all, _("Everyone agrees to the sheet."), undo=undo)


@table_button
def desk_settle_flag(request: DeskRequest, table: Table, flag: int) -> None:
    raised = get_object_or_404(table.flags, pk=flag)
    said = _("Table %(number)d: settled.") % {"number": table.number}

    def settled(*, account: Account, now: datetime) -> bool:
        return settle_flag(raised, account, now=now).settled_at == now

    take_step(request, settled, said, undo=_undo(request, table, "settled"))


@table_button
def desk_resume_table(request: DeskRequest, table: Table) -> None:
    take_step(
        request, partial(resume_table, table), _("Table %(number)d continues.") % {"number": table.number}
    )


# Late reports


def _seen_revision(request: DeskRequest) -> int:
    """The revision that was on the page; where it cannot be read, one that nothing has."""
    seen = number_in(request.POST.get("seen", ""))
    return -1 if seen is None else seen


@table_button
def desk_take_in(request: DeskRequest, table: Table, kept: int) -> None:
    turns = number_in(request.POST.get("turns", ""))
    _decide(
        request,
        table,
        kept,
        partial(take_in, seen=_seen_revision(request), turns=turns),
        _("The report of deal %(deal)d now counts."),
    )


@table_button
def desk_set_aside(request: DeskRequest, table: Table, kept: int) -> None:
    _decide(
        request,
        table,
        kept,
        set_aside,
        _("The report of deal %(deal)d has been set aside; it can still be read."),
    )


def _decide(request: DeskRequest, table: Table, kept: int, step: Callable[..., object], said: str) -> None:
    report = get_object_or_404(table.kept_reports, pk=kept)
    take_step(request, partial(step, report), said % {"deal": report.item["deal"]})


@table_button
def desk_set_all_aside(request: DeskRequest, table: Table) -> None:
    """Discard the late reports that the page listed: newer ones have not been seen."""
    newest = number_in(request.POST.get("newest", "")) or 0
    step = partial(set_all_aside, table, newest=newest)
    take_step(request, step, _set_aside_text, undo=_undo(request, table, "aside"))


def _set_aside_text(count: int) -> str:
    said = ngettext(
        "%(count)d report has been set aside; it can still be read.",
        "%(count)d reports have been set aside; they can still be read.",
        count,
    )
    return said % {"count": count}


@table_button
def desk_wait_again(request: DeskRequest, table: Table, kept: int) -> None:
    _decide(request, table, kept, wait_again, _("The report of deal %(deal)d is waiting again."))


# A captain's way in, shown to one who lost it or replaced by a new one; and a table that is ended early.


def _page_of(table: Table, name: str = "desk_table") -> str:
    return reverse(name, args=[table.round.tournament.code, table.round.number, table.number])


@desk_view(helper=True, in_hall=True)
@require_safe
def desk_link(request: DeskRequest, tournament: Tournament, round_number: int, number: int) -> HttpResponse:
    """The captain's link as a QR code and a short code, large enough to be read off this screen."""
    table = find_table(tournament, round_number, number)
    address = base_url(request) + reverse("captain", args=[table.secret])
    context = {
        "tournament": tournament,
        "table": table,
        "round": table.round,
        "names": names_at(table),
        "address": address,
        "code_address": base_url(request) + reverse("captain_code"),
        "svg": square(address),
    }
    return render(request, "desk/evening/link.html", context)


@desk_view(helper=True, in_hall=True)
def desk_revoke_link(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    table = find_table(tournament, round_number, number)
    said, link = {"number": number}, _page_of(table, "desk_link")
    asked = Question(
        title=_("A new link for table %(number)d") % said,
        does=_("The old link and the printed code will stop working, and anyone using them is told so. "
        "Deals sent through them are set aside for you."),
        button=_("Replace the link now"),
        back=link,
        step=partial(revoke_link, table),
        message=_("Table %(number)d has a new link and a new code. The old ones no longer work.") % said,
        leads_to=link,
        sees={"code": table.code},
    )  # fmt: skip
    return ask_first(request, tournament, asked)


@desk_view(helper=True, in_hall=True)
def desk_end_table(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    table = find_table(tournament, round_number, number)
    said, is_playing = {"number": number}, table.is_open and not table.ended_early_at
    asked = Question(
        title=_("End table %(number)d early") % said,
        does=_("Its sheet counts as it is, incomplete or unconfirmed. The captain can report nothing"
" more. You can still correct it, and you can let the table continue."),
        button=_("End table %(number)d") % said,
        back=_page_of(table),
        step=partial(end_table_early, table),
        message=_("Table %(number)d has been ended; its sheet counts as it is.") % said,
        leads_to=_page_of(table),
        form=ReasonForm(posted_data(request)),
        too_late="" if is_playing else _("Table %(number)d is not playing.") % said,
    )  # fmt: skip
    return ask_first(request, tournament, asked)


# Photographs of a table's paper slip, for organisers only.


def _find(tournament: Tournament, round_number: int, number: int, pk: int) -> Photograph:
    table = find_table(tournament, round_number, number)
    photograph = get_object_or_404(table.photographs, pk=pk)
    photograph.table = table
    return photograph


@desk_view(one_transaction=False)
@require_POST
def desk_attach_photograph(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    table = find_table(tournament, round_number, number)
    upload = request.FILES.get("photograph")
    if upload is None:
        messages.warning(request, _("Choose a photograph first."))
    else:
        take_step(request, partial(attach, table, upload), _("The photograph has been attached."))
    return redirect("desk_table", tournament.code, round_number, number)


@desk_view()
@require_POST
def desk_remove_photograph(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int, pk: int
) -> HttpResponse:
    photograph = _find(tournament, round_number, number, pk)
    to = ("desk_table", tournament.code, round_number, number)
    return handle_button(request, partial(remove, photograph), _("The photograph has been removed."), *to)


@desk_view()
@require_safe
def desk_photograph(
    _request: DeskRequest, tournament: Tournament, round_number: int, number: int, pk: int
) -> FileResponse:
    """The picture itself: shown as one, never run as anything else."""
    photograph = _find(tournament, round_number, number, pk)
    if not photograph.is_there:
        raise Http404
    name = f"{tournament.code}-{round_number}-{number}-{pk}.jpg"
    response = FileResponse(photograph.path.open("rb"), content_type="image/jpeg", filename=name)
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    return response


urlpatterns = [
    path(f"{TABLE}photograph/", desk_attach_photograph, name="desk_attach_photograph"),
    path(f"{TABLE}photograph/<int:pk>/", desk_photograph, name="desk_photograph"),
    path(f"{TABLE}photograph/<int:pk>/remove/", desk_remove_photograph, name="desk_remove_photograph"),
]
