"""A deal at the desk: typed from paper, corrected, ruled by hand, or taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.contrib import messages
from django.db import transaction
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import NotPossible
from core.http.steps import add_to_form, posted_data
from tournaments.desk.evening.forms import RulingForm, TakeBackForm, TotalsForm
from tournaments.desk.evening.late import Effect, effect_of
from tournaments.desk.evening.table import Version, versions
from tournaments.domain.outcomes import is_totals_only
from tournaments.ledger import Answer, Author, Refused, Submission, adds_up_to_zero, preview, record
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.scoresheet import ScoreSheet, SheetLine, history, score_sheet
from tournaments.ledger.seating import seating_at
from tournaments.lifecycle.playing import end_table_early
from tournaments.web.deal_form import DealForm, typed_result
from tournaments.web.fields import VersionedForm
from tournaments.web.guards import DeskRequest, desk_view, find_table

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tournaments.models import Table, Tournament


class DealPage:
    """A deal's page: the table and its sheet, the deal's line, and what is shown of them."""

    def __init__(self, request: DeskRequest, tournament: Tournament, *address: int) -> None:
        round_number, number, self.deal = address
        self.request = request
        self.table: Table = find_table(tournament, round_number, number)
        if not 1 <= self.deal <= self.table.deals:
            raise Http404
        self._read()
        self.rulebook = rulebook_of(tournament)
        self.effect: Effect | None = None
        # Another user changed the deal since the form was opened: detected on save, or while typing.
        self.conflict = self.passed = False

    def _read(self) -> None:
        """The sheet and the deal's line as they stand."""
        self.sheet: ScoreSheet = score_sheet(self.table)
        self.line: SheetLine = self.sheet.lines[self.deal - 1]
        self.names = self.sheet.names
        self.seating = seating_at(self.table, len(self.names), self.deal)

    @property
    def initial(self) -> dict[str, Any]:
        pool = {"pool": self.sheet.pool.for_entry(self.line.number)} if self.sheet.pool else {}
        return {"base": self.line.revision, "key": uuid4()} | pool

    @property
    def result(self) -> dict[str, Any] | None:
        return self.line.report.result if self.line.report else None

    def judge(self, form: VersionedForm, result: dict[str, Any]) -> bool:
        """Work out the effect of a result; False where the rules refuse it, with the reasons in the form."""
        try:
            judged = preview(self.table, self.line.number, result)
        except Refused as refused:
            say_problems(form, refused)
            return False
        self.effect = effect_of(self.sheet, self.line, judged)
        self.passed = form.cleaned_data["base"] != self.line.revision
        return True

    def save(self, form: VersionedForm, result: dict[str, Any] | None) -> bool:
        """Record a result; False where the page is to be shown again, with the reasons in the form."""
        submission = Submission(
            key=form.cleaned_data["key"],
            deal=self.line.number,
            base=form.cleaned_data["base"],
            result=result,
            reason=form.cleaned_data["reason"],
        )
        author = Author("desk", self.request.user)
        try:
            (answer,) = record(self.table, [submission], author, now=timezone.now())
        except NotPossible as refusal:
            add_to_form(form, refusal)
            return False
        if answer.status == "refused":
            say_problems(form, Refused(*answer.problems))
        elif answer.status == "conflict":
            self._show_both(form, result)
        else:
            self._say(answer, result)
        return answer.status in ("accepted", "duplicate")

    def _show_both(self, form: VersionedForm, result: dict[str, Any] | None) -> None:
        """Show the form again next to the current result; saving it again overwrites that."""
        self._read()
        if result is not None:
            self.judge(form, result)
        form.type_over(self.line.revision)
        self.conflict = True

    def _comparison(self, theirs: Version) -> dict[str, Any]:
        """The current and the typed result, as text and as tokens by player."""
        counts = theirs.report.tokens or [None] * len(self.names)
        typed = [seat.after for seat in self.effect.seats] if self.effect else [None] * len(self.names)
        return {
            "theirs": theirs,
            "mine": self.effect.said if self.effect else _("undone"),
            "seats": list(zip(self.names, counts, typed, strict=True)),
        }

    def _say(self, answer: Answer, result: dict[str, Any] | None) -> None:
        deal = {"deal": self.line.number}
        if answer.status == "duplicate":
            messages.info(self.request, _("Deal %(deal)d is already like this.") % deal)
        elif is_totals_only(result):
            messages.success(self.request, _("The totals have been saved."))
        elif result is None:
            messages.success(self.request, _("Deal %(deal)d has been undone.") % deal)
        else:
            messages.success(self.request, _("Deal %(deal)d has been saved.") % deal)
        for warning in answer.warnings:
            told = {"deal": self.line.number, "warning": warning.message}
            messages.warning(self.request, _("Deal %(deal)d: %(warning)s") % told)

    def redirect_to_table(self) -> HttpResponse:
        round_ = self.table.round
        return redirect("desk_table", round_.tournament.code, round_.number, self.table.number)

    def redirect_onward(self) -> HttpResponse:
        """Redirect after a deal's first report to the next missing one; after a correction to the sheet."""
        deal = None if self.line.reported else score_sheet(self.table).next_deal
        if deal is None:
            return self.redirect_to_table()
        round_ = self.table.round
        return redirect("desk_deal", round_.tournament.code, round_.number, self.table.number, deal)

    def show(self, template: str, form: VersionedForm, **more: object) -> HttpResponse:
        form.put_cursor()
        known = versions(self.sheet.rulebook, history(self.table, self.line.number), self.names)
        context = {
            "tournament": self.table.round.tournament,
            "round": self.table.round,
            "table": self.table,
            "sheet": self.sheet,
            "line": self.line,
            "seats": self._seats(),
            "versions": known,
            "beside": self._comparison(known[0]) if known and (self.conflict or self.passed) else None,
            "form": form,
            "effect": self.effect,
            "conflict": self.conflict,
            "adds_up": adds_up_to_zero(self.rulebook),
        }
        return render(self.request, template, context | more)

    def _seats(self) -> dict[str, Any]:
        seats, line = self.sheet.seats, self.line
        return {
            "dealer": seats[line.dealer],
            "sits_out": None if line.sits_out is None else seats[line.sits_out],
        }


def say_problems(form: VersionedForm, refused: Refused) -> None:
    if isinstance(form, DealForm):
        form.add_problems(refused.problems)
        return
    for problem in refused.problems:
        form.add_error(problem.field if problem.field in form.fields else None, problem.message)


@desk_view(helper=True, in_hall=True, one_transaction=False)
def desk_deal(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int, deal: int
) -> HttpResponse:
    """Type or correct a deal; with `check` in what is sent, only show what it would change."""
    page = DealPage(request, tournament, round_number, number, deal)
    form = DealForm(
        posted_data(request),
        deal=deal,
        rulebook=page.rulebook,
        seating=page.seating,
        seats=page.sheet.seats,
        initial=page.initial | typed_result(page.result),
    )
    checking = "check" in request.POST
    if form.is_valid() and page.judge(form, form.result) and not checking and page.save(form, form.result):
        return page.redirect_onward()
    return page.show("desk/evening/deal.html", form)


@desk_view(one_transaction=False)
def desk_ruling(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int, deal: int
) -> HttpResponse:
    """The organiser's own word on a deal's tokens, where the rules have no result for what happened."""
    page = DealPage(request, tournament, round_number, number, deal)
    amounts = page.line.tokens or (0,) * len(page.names)
    initial = page.initial | {f"tokens_{position}": amount for position, amount in enumerate(amounts)}
    form = RulingForm(posted_data(request), names=page.names, initial=initial)
    if form.is_valid() and page.judge(form, form.result) and page.save(form, form.result):
        return page.redirect_to_table()
    return page.show("desk/evening/by_hand.html", form)


@desk_view(one_transaction=False)
def desk_totals(request: DeskRequest, tournament: Tournament, round_number: int, number: int) -> HttpResponse:
    """A table's totals where its deals are not known; the table is ended with them, as there is nothing to report."""
    page = DealPage(request, tournament, round_number, number, 1)
    amounts = page.line.tokens if is_totals_only(page.result) else (0,) * len(page.names)
    initial = page.initial | {f"tokens_{position}": amount for position, amount in enumerate(amounts)}
    form = TotalsForm(posted_data(request), names=page.names, initial=initial)
    if form.is_valid() and page.judge(form, form.result):
        with transaction.atomic():
            saved = page.save(form, form.result)
            if saved:
                end_table_early(
                    page.table, reason=form.cleaned_data["reason"], account=request.user, now=timezone.now()
                )
        if saved:
            return page.redirect_to_table()
    return page.show("desk/evening/by_hand.html", form, of_table=True)


@desk_view(helper=True, in_hall=True, one_transaction=False)
def desk_take_back(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int, deal: int
) -> HttpResponse:
    """Let a deal count as not reported, with a reason; its versions stay readable."""
    page = DealPage(request, tournament, round_number, number, deal)
    form = TakeBackForm(posted_data(request), initial=page.initial)
    if form.is_valid() and page.save(form, None):
        return page.redirect_to_table()
    if not page.line.reported:
        messages.info(request, _("Deal %(deal)d is not reported.") % {"deal": deal})
        return page.redirect_to_table()
    return page.show("desk/evening/take_back.html", form)
