"""The page of a typed slip, for the desk and for a captain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from core.errors import NotPossible
from core.http.responses import hide_address
from core.http.steps import add_to_form
from tournaments.ledger import Author
from tournaments.ledger.queries import LinkRevoked, rulebook_of, table_by_secret
from tournaments.ledger.scoresheet import ScoreSheet, score_sheet
from tournaments.models import Table
from tournaments.reporting.slip_grid import (
    GridLine,
    Legend,
    SlipForm,
    Stored,
    TypedLine,
    as_it_stands,
    legend_of,
    read_grid,
    store,
)
from tournaments.web.guards import TABLE, DeskRequest, desk_view, find_table

if TYPE_CHECKING:
    from tournaments.models import Tournament


# Shared by desk and captain: a grid for a table's whole slip, and changes of dealer and seats.

__all__ = [
    "GridLine",
    "Legend",
    "Stored",
    "TypedLine",
    "as_it_stands",
    "legend_of",
    "read_grid",
    "store",
]


# A table's slip typed in a grid: at the desk by organisers and helpers, afterwards by the captain.


class SlipPage:
    """The grid of one table: read from what was sent, stored, and shown."""

    def __init__(self, request: HttpRequest, table: Table, author: Author, why_aside: str = "") -> None:
        self.request = request
        self.author = author
        self.why_aside = why_aside
        self.sheet: ScoreSheet = score_sheet(table)
        if request.method == "POST":
            self.form = SlipForm(request.POST)
            self.lines = read_grid(self.sheet, self._typed_lines())
        else:
            self.form = SlipForm(initial={"key": uuid4()})
            self.lines = read_grid(self.sheet, as_it_stands(self.sheet))

    def _typed_lines(self) -> dict[int, TypedLine]:
        sent, deals = self.request.POST, self.sheet.table.deals
        return {
            deal: TypedLine(sent.get(f"line-{deal}", ""), sent.get(f"paper-{deal}", ""), seen)
            for deal, seen in enumerate(self.form.revisions(deals), start=1)
        }

    def checked(self) -> JsonResponse:
        """Respond with every parsed line, without storing anything."""
        return JsonResponse({"lines": [line.to_json() for line in self.lines]})

    def store(self) -> bool:
        """Store the good lines; False where the page is to be shown again."""
        if not self.form.is_valid():
            messages.error(self.request, _("Nothing has been saved yet: check what is marked."))
            return False
        try:
            stored = store(
                self.sheet,
                self._typed_lines(),
                key=self.form.cleaned_data["key"],
                reason=self.form.cleaned_data["reason"],
                author=self.author,
                now=timezone.now(),
                why_aside=self.why_aside,
            )
        except NotPossible as refusal:
            add_to_form(self.form, refusal)
            return False
        self.sheet, self.lines = stored.sheet, stored.lines
        self._say(stored)
        return stored.done

    def _say(self, stored: Stored) -> None:
        if stored.stored:
            said = ngettext("%(count)d deal is saved.", "%(count)d deals are saved.", stored.stored)
            messages.success(self.request, said % {"count": stored.stored})
        if stored.kept:
            said = ngettext(
                "%(count)d deal does not count yet: it is set aside for the organiser to accept.",
                "%(count)d deals do not count yet: they are set aside for the organiser to accept.",
                stored.kept,
            )
            messages.warning(self.request, said % {"count": stored.kept})
        wrong = sum(bool(line.problem) for line in stored.lines)
        if wrong:
            said = ngettext(
                "%(count)d line has not been saved: check what is marked.",
                "%(count)d lines have not been saved: check what is marked.",
                wrong,
            )
            messages.warning(self.request, said % {"count": wrong})
        if stored.reason_missing:
            self.form.say_reason_is_missing()

    def show(self, check: str, secret: str = "") -> HttpResponse:
        """Render the page of the desk, or with the `secret` of their link the captain's."""
        table = self.sheet.table
        first = next((line for line in self.lines if line.problem), None)
        first = first or next((line for line in self.lines if line.report is None), None)
        context = {
            "layout": "captain/base.html" if secret else "desk/base.html",
            "secret": secret,
            "check": check,
            "tournament": table.round.tournament,
            "round": table.round,
            "table": table,
            "sheet": self.sheet,
            "form": self.form,
            "rows": [self._row(line) for line in self.lines],
            "seen": ",".join(str(line.typed.seen) for line in self.lines),
            "first": first.deal if first else 0,
            "legend": legend_of(rulebook_of(table.round.tournament), self.sheet.players),
        }
        return render(self.request, "slip/slip.html", context)

    def _row(self, line: GridLine) -> dict[str, Any]:
        seats, nothing = self.sheet.seats, ("",) * self.sheet.players
        return {
            "line": line,
            "folder": self.sheet.table.folder_of(line.deal),
            "dealer": seats[line.dealer],
            "sits_out": None if line.sits_out is None else seats[line.sits_out],
            "amounts": list(zip(seats, line.tokens or nothing, line.running or nothing, strict=True)),
        }


# At the desk


@desk_view(helper=True, in_hall=True, one_transaction=False)
def desk_slip(request: DeskRequest, tournament: Tournament, round_number: int, number: int) -> HttpResponse:
    """Type a paper slip; what is good is stored, what is wrong stays to be mended."""
    table = find_table(tournament, round_number, number)
    page = SlipPage(request, table, Author("desk", request.user))
    if request.method == "POST" and page.store():
        return redirect("desk_table", tournament.code, round_number, number)
    return page.show(f"{request.path}check/")


@desk_view(helper=True, in_hall=True, one_transaction=False)
@require_POST
def desk_slip_check(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    """Parse and validate the typed lines without storing anything."""
    table = find_table(tournament, round_number, number)
    return SlipPage(request, table, Author("desk", request.user)).checked()


# With the captain's link


@csrf_exempt  # the secret in the address is the credential, there is no session
@never_cache
def captain_slip(request: HttpRequest, secret: str) -> HttpResponse:
    """Type the whole slip afterwards. Lines by a revoked link or too late are quarantined for the organiser."""
    why_aside = ""
    try:
        table = table_by_secret(secret)
    except Table.DoesNotExist:
        return redirect("captain", secret)
    except LinkRevoked as revoked:
        table, why_aside = revoked.table, "revoked"
    if request.method != "POST" and (why_aside or table.is_over):
        return redirect("captain", secret)  # whose page explains what to do
    page = SlipPage(request, table, Author("captain"), why_aside)
    if request.method == "POST" and page.store():
        return redirect(f"{reverse('captain', args=[secret])}#sheet")
    return hide_address(page.show(f"{request.path}/check", secret))


@csrf_exempt
@never_cache
@require_POST
def captain_slip_check(request: HttpRequest, secret: str) -> HttpResponse:
    """Parse and validate the typed lines without storing anything."""
    try:
        table = table_by_secret(secret)
    except (Table.DoesNotExist, LinkRevoked):
        return JsonResponse({"error": "unknown"}, status=404)
    return SlipPage(request, table, Author("captain")).checked()


urlpatterns = [
    path(f"{TABLE}slip/", desk_slip, name="desk_slip"),
    path(f"{TABLE}slip/check/", desk_slip_check, name="desk_slip_check"),
    path("c/<str:secret>/slip", captain_slip, name="captain_slip"),
    path("c/<str:secret>/slip/check", captain_slip_check, name="captain_slip_check"),
]
