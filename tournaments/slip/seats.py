"""In the middle of a round, at the desk or with the captain's link: who deals, who sits where, a deal put in.

What follows is shown before anything is stored, and has to be looked at again where it has changed meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from core.errors import NotPossible
from core.http.responses import quiet
from core.http.steps import say_in_form
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.ledger import Outlook, change_seats, may_be_taken_back
from tournaments.ledger.queries import LinkRevoked, table_by_secret
from tournaments.ledger.scoresheet import result_sentence, score_sheet
from tournaments.ledger.seating import changes_told
from tournaments.lifecycle.seat_changes import came_late, is_newest_there
from tournaments.models import Table
from tournaments.slip.seats_form import DEAL, SeatsForm, SeatsTakenBackForm
from tournaments.web.finding import find_table, number_in
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from clubs.models import Account
    from scoring.seats import Seating
    from tournaments.models import Report, Tournament

# So many deals that nobody has reported are shown with who deals and who sits out.
COMING = 4


class SeatsPage:
    """A change at a table: asked, shown with what follows, stored. Without an account it is the captain's."""

    def __init__(
        self, request: HttpRequest, table: Table, account: Account | None, *, may_rule: bool = False
    ) -> None:
        self.request = request
        self.table = table
        self.account = account
        self.may_rule = may_rule
        self.sheet = score_sheet(table)
        self.outlook: Outlook | None = None

    def form(self, kind: str) -> SeatsForm:
        """The form of this kind of change, or of taking one back (`back-3`). Raises Http404 for any other."""
        about: dict[str, Any] = {"seats": self.sheet.seats, "deals": self.table.deals}
        data = self.request.POST if self.request.method == "POST" else None
        name, _dash, place = kind.partition("-")
        if name == "back" and (back := number_in(place)) is not None and back < len(self.table.turns):
            return SeatsTakenBackForm(data, place=back, **about)
        if kind not in DEAL:
            raise Http404
        return SeatsForm(data, kind=kind, initial={"deal": self._deal_asked()}, **about)

    def _deal_asked(self) -> int:
        """The deal that a link named, or the one that is played now."""
        asked = number_in(self.request.GET.get("deal", ""))
        if asked is not None and 1 <= asked <= self.table.deals:
            return asked
        return self.sheet.next_deal or self.table.deals

    def stored(self, form: SeatsForm) -> bool:
        """Whether it has been stored; else the page shows what follows, or what is wrong."""
        if not form.is_valid():
            return False
        try:
            self.outlook = outlook = Outlook(self.table, form.change)
            form.resolve(outlook, may_rule=self.may_rule)
            if self.request.POST.get("shown") != self.mark(form):
                return False
            change_seats(
                self.table,
                form.change,
                seen=outlook.seen,
                resolved=form.resolved,
                reason=form.cleaned_data["reason"],
                account=self.account,
                now=timezone.now(),
            )
        except NotPossible as refusal:
            say_in_form(form, refusal)
            return False
        return True

    def mark(self, form: SeatsForm) -> str:
        """What the page showed: a change, and the sheet that it was worked out from."""
        asked = (f"{name}={value}" for name, value in sorted(form.change.items()))
        return " ".join([self.outlook.seen, *asked]) if self.outlook else ""

    def show_all(self, template: str, **more: Any) -> HttpResponse:
        names = self.sheet.names
        told = [
            {"told": change, "back": self._way_back(change.place)}
            for change in changes_told(self.table, names)
        ]
        context = {"changes": told, "reported": self.sheet.reported, "for_desk": self.account is not None}
        return self._render(template, context | more)

    def _way_back(self, place: int) -> str:
        """The page that takes a change back, by the end of its address; "" where there is none."""
        change = self.table.turns[place]
        if "dealer" in change or "swap" in change:
            return f"back-{place}" if may_be_taken_back(self.table.turns, place) else ""
        if self.account is None:
            return ""
        if is_newest_there(self.table, place):
            return f"substitute/{place}/back"
        newest = place == len(self.table.turns) - 1
        return "get-up" if newest and came_late(self.table) else ""

    def show(self, template: str, form: SeatsForm, kind: str, **more: Any) -> HttpResponse:
        context: dict[str, Any] = {"form": form, "kind": kind.partition("-")[0]}
        if self.outlook and not form.errors.get("deal"):
            context |= {"follows": self._follows(self.outlook), "shown": self.mark(form)}
        return self._render(template, context | more)

    def _render(self, template: str, context: dict[str, Any]) -> HttpResponse:
        table = self.table
        about = {"tournament": table.round.tournament, "round": table.round, "table": table}
        return render(self.request, template, about | {"sheet": self.sheet} | context)

    def _follows(self, outlook: Outlook) -> dict[str, Any]:
        """What would follow, for the page: deals that change or come next, and everybody's totals."""
        concerned = [line for line in outlook.lines if line.is_stored_anew or line.reseated]
        reported = [line for line in concerned if line.is_stored_anew or line.source is not None]
        coming = [line for line in concerned if line not in reported][:COMING]
        names = outlook.names
        return {
            "lines": [
                {
                    "line": line,
                    "dealer": _letter(line.after.dealer),
                    "was_dealer": _letter(line.before.dealer),
                    "out": _letter(line.after.sits_out),
                    "was_out": _letter(line.before.sits_out),
                    "said": self._said(line.source, line.after),
                    "tokens": line.tokens,
                }
                for line in (*reported, *coming)
            ],
            "totals": [
                (_letter(position), name, *totals)
                for position, (name, totals) in enumerate(zip(names, outlook.totals, strict=True))
            ],
            "out": outlook.taken_out and self._said(outlook.taken_out, None),
            "columns": len(names) + 1 + self.sheet.seats_out,
            "unconfirms": bool(outlook.stored_anew) and any(seat.agreed_at for seat in self.sheet.seats),
        }

    def _said(self, report: Report | None, seating: Seating | None) -> str:
        if report is None:
            return ""
        return result_sentence(self.sheet.rulebook, report, self.sheet.names, seating)


def _letter(position: int | None) -> str:
    return "" if position is None else SEAT_LETTERS[position]


# At the desk


@desk_view(helper=True)
def desk_seats(request: DeskRequest, tournament: Tournament, round_number: int, number: int) -> HttpResponse:
    """What can be changed at a table in the middle of a round, and what was."""
    page = SeatsPage(request, find_table(tournament, round_number, number), request.user)
    return page.show_all("slip/seats.html")


@desk_view(helper=True)
def desk_seats_change(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int, change: str
) -> HttpResponse:
    table = find_table(tournament, round_number, number)
    page = SeatsPage(request, table, request.user, may_rule=request.organises)
    form = page.form(change)
    if not page.stored(form):
        return page.show("slip/seats_change.html", form, change)
    messages.success(request, _("It has been changed, and every later deal settled again."))
    if change == "insert":
        return redirect("desk_deal", tournament.code, round_number, number, form.cleaned_data["deal"])
    return redirect("desk_table", tournament.code, round_number, number)


# With the captain's link


def _captains(request: HttpRequest, secret: str) -> SeatsPage | None:
    """None where the link says something else: the table's own page tells what."""
    try:
        table = table_by_secret(secret)
    except (Table.DoesNotExist, LinkRevoked):
        return None
    return SeatsPage(request, table, None) if table.is_open and table.ended_early_at is None else None


@csrf_exempt  # the secret in the address is the credential, there is no session
@never_cache
def captain_seats(request: HttpRequest, secret: str) -> HttpResponse:
    page = _captains(request, secret)
    if page is None:
        return redirect("captain", secret)
    return quiet(page.show_all("captain/seats.html", secret=secret))


@csrf_exempt
@never_cache
def captain_seats_change(request: HttpRequest, secret: str, change: str) -> HttpResponse:
    page = _captains(request, secret)
    if page is None:
        return redirect("captain", secret)
    form = page.form(change)
    if not page.stored(form):
        return quiet(page.show("captain/seats_change.html", form, change, secret=secret))
    part = f"enter-{form.cleaned_data['deal']}" if change == "insert" else "sheet"
    return redirect(f"{reverse('captain', args=[secret])}#{part}")


TABLE = "desk/t/<str:code>/round/<int:round_number>/table/<int:number>/"

urlpatterns = [
    path(f"{TABLE}seats/", desk_seats, name="desk_seats"),
    path(f"{TABLE}seats/<str:change>/", desk_seats_change, name="desk_seats_change"),
    path("c/<str:secret>/seats/", captain_seats, name="captain_seats"),
    path("c/<str:secret>/seats/<str:change>/", captain_seats_change, name="captain_seats_change"),
]
