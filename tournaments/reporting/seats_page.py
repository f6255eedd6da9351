"""The page for changes of seats and of the first dealer, with its form."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from core.errors import NotPossible
from core.forms import field_of
from core.http.responses import hide_address
from core.http.steps import add_to_form
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.ledger import KEEP, TAKE_BACK, Outlook, change_seats, may_be_taken_back
from tournaments.ledger.queries import LinkRevoked, table_by_secret
from tournaments.ledger.scoresheet import result_sentence, score_sheet
from tournaments.ledger.seating import change_texts
from tournaments.lifecycle.seat_changes import came_late, is_newest_there
from tournaments.models import Table
from tournaments.web.choice_field import AtHand, SoughtField, name_and_number, offer
from tournaments.web.fields import reason_field
from tournaments.web.guards import DeskRequest, desk_view, find_table, number_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse

    from clubs.models import Account
    from scoring.seats import Seating
    from tournaments.ledger.scoresheet import SeatLine
    from tournaments.models import Entry, Report, Tournament


# In the middle of a round: another dealer, two seats swapped, a deal put in or taken out.

DEAL = {
    "dealer": gettext_lazy("From which deal on?"),
    "swap": gettext_lazy("From which deal on?"),
    "insert": gettext_lazy("Which deal was forgotten?"),
    "remove": gettext_lazy("Which deal was not played?"),
}
HEADINGS = {
    "dealer": gettext_lazy("Another dealer"),
    "swap": gettext_lazy("Two players have swapped seats"),
    "insert": gettext_lazy("A deal was forgotten"),
    "remove": gettext_lazy("A deal was not played"),
}
INSERTS = {"insert": 1, "remove": -1}


def deal_field(label: Any, deals: int) -> forms.IntegerField:
    words = _("Type the number of a deal, 1 to %(deals)d.") % {"deals": deals}
    return forms.IntegerField(
        label=label,
        min_value=1,
        max_value=deals,
        widget=forms.NumberInput({"inputmode": "numeric", "autocomplete": "off"}),
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), words),
    )


class SeatsForm(forms.Form):
    """The form of a change at a table from a deal on; `kind` is one of `DEAL`.

    `resolve` adds what becomes of the deals that the rules do not allow any more.
    """

    def __init__(self, *args: Any, kind: str, seats: Sequence[SeatLine], deals: int, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.kind = kind
        self.asked: list[str] = []
        self.fields["deal"] = deal_field(DEAL[kind], deals)
        sitting = [(str(seat.position), f"{seat.letter} {seat.name}") for seat in seats]
        if kind == "dealer":
            self.fields["first"] = _seat_field(_("Who deals it?"), sitting)
        if kind == "swap":
            self.fields["first"] = _seat_field(_("Who changes seats?"), sitting)
            self.fields["second"] = _seat_field(_("With whom?"), sitting)
        self.fields["reason"] = reason_field(help_text=_("It is shown with every deal that changes."))

    @property
    def change(self) -> dict[str, Any]:
        """The change that was typed; the form is valid."""
        typed = self.cleaned_data
        deal: dict[str, Any] = {"deal": typed["deal"]}
        if self.kind == "dealer":
            return deal | {"dealer": int(typed["first"])}
        if self.kind == "swap":
            return deal | {"swap": sorted((int(typed["first"]), int(typed["second"])))}
        return deal | {"insert": INSERTS[self.kind]}

    @property
    def typed_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name not in self.asked]

    @property
    def resolving(self) -> list[forms.BoundField]:
        return [self[name] for name in self.asked]

    def resolve(self, outlook: Outlook, *, may_rule: bool) -> None:
        """Ask what becomes of each deal that the change leaves without a result that the rules allow."""
        ways = [(TAKE_BACK, _("Undo it, to be entered again"))]
        if may_rule:
            ways.append((KEEP, _("Keep its tokens as they are, by a ruling")))
        for line in outlook.impossible:
            why = " ".join(problem.message for problem in line.problems)
            self._ask(line.deal, _("Deal %(deal)d: %(why)s") % {"deal": line.deal, "why": why}, ways)
        if outlook.falls_out:
            deal = outlook.table.deals
            label = _("Deal %(deal)d moves past the end of the round.") % {"deal": deal}
            self._ask(deal + 1, label, [(TAKE_BACK, _("It does not count"))])

    def _ask(self, deal: int, label: str, ways: Sequence[tuple[str, str]]) -> None:
        name = f"deal_{deal}"
        self.fields[name] = forms.ChoiceField(
            label=label, choices=ways, required=False, widget=forms.RadioSelect
        )
        self.asked.append(name)

    @property
    def resolved(self) -> dict[int, str]:
        """Deal -> the chosen resolution, read from the submitted data, since these fields are added later."""
        said = {name: str(self.data.get(name, "")) for name in self.asked}
        return {
            int(name.removeprefix("deal_")): way
            for name, way in said.items()
            if way in dict(field_of(self, name).choices)
        }


class SeatsTakenBackForm(SeatsForm):
    """A change of dealer or seats is taken back; `place` is its place in the table's list."""

    def __init__(self, *args: Any, place: int, **fields: Any) -> None:
        super().__init__(*args, kind="insert", **fields)
        del self.fields["deal"]
        self.place = place

    @property
    def change(self) -> dict[str, Any]:
        return {"back": self.place}


def _seat_field(label: str, sitting: list[tuple[str, str]]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label,
        choices=[("", _("Choose the player")), *sitting],
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose the player.")),
    )


class SubstituteForm(forms.Form):
    """A substitute takes over from a player from a deal on."""

    def __init__(
        self, *args: Any, seats: Sequence[SeatLine], free: Sequence[Entry], deals: int, **fields: Any
    ) -> None:
        super().__init__(*args, **fields)
        sitting = [(str(seat.position), f"{seat.letter} {seat.name}") for seat in seats]
        self.fields["first"] = _seat_field(_("Who leaves?"), sitting)
        self.fields["newcomer"] = SoughtField(
            label=_("Who plays on?"),
            empty=_("Choose the player"),
            error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose the player.")),
        )
        offer(self, {"newcomer": AtHand(free, key=attrgetter("number"), label=name_and_number)})
        self.fields["deal"] = deal_field(_("From which deal on?"), deals)
        self.fields["leaves"] = forms.BooleanField(
            label=_("Takes no part in later rounds"), required=False, initial=True
        )
        self.fields["reason"] = reason_field(help_text=_("It will be recorded in the log."))


class LateSeatForm(forms.Form):
    """Choose the table of three where a late player becomes the fourth; the best one is preselected."""

    def __init__(self, *args: Any, tables: Sequence[Table], **fields: Any) -> None:
        super().__init__(*args, **fields)
        choices = [
            (
                str(table.number),
                _("Table %(number)d: %(names)s")
                % {
                    "number": table.number,
                    "names": ", ".join(seat.entry.shown_name for seat in table.seats.all()),
                },
            )
            for table in tables
        ]
        self.fields["table"] = forms.ChoiceField(
            label=_("As the fourth at"),
            choices=choices,
            widget=forms.RadioSelect,
            initial=choices[0][0] if choices else None,
            error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose a table.")),
        )


# In the middle of a round, at the desk or with the captain's link: who deals, who sits where, a deal put in.
#
# What follows is shown before anything is stored, and has to be looked at again where it has changed meanwhile.

# Number of coming deals shown with dealer and player sitting out.
COMING = 4


class SeatsPage:
    """A change at a table: form, preview, save. Without an account it is the captain's."""

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

    def submit(self, form: SeatsForm) -> bool:
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
            add_to_form(form, refusal)
            return False
        return True

    def mark(self, form: SeatsForm) -> str:
        """A digest of the change and the sheet that the page showed."""
        asked = (f"{name}={value}" for name, value in sorted(form.change.items()))
        return " ".join([self.outlook.seen, *asked]) if self.outlook else ""

    def show_all(self, secret: str = "") -> HttpResponse:
        names = self.sheet.names
        told = [
            {"told": change, "back": self._way_back(change.place)}
            for change in change_texts(self.table, names)
        ]
        context = {"changes": told, "reported": self.sheet.reported, "for_desk": self.account is not None}
        return self._render("slip/seats.html", context, secret)

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

    def show(self, form: SeatsForm, kind: str, secret: str = "") -> HttpResponse:
        context: dict[str, Any] = {"form": form, "heading": HEADINGS.get(kind, _("Undo a change"))}
        if self.outlook and not form.errors.get("deal"):
            context |= {"follows": self._follows(self.outlook), "shown": self.mark(form)}
        return self._render("slip/seats_change.html", context, secret)

    def _render(self, template: str, context: dict[str, Any], secret: str) -> HttpResponse:
        """Render a page of the desk, or with the `secret` of their link one of the captain's."""
        table = self.table
        about = {"tournament": table.round.tournament, "round": table.round, "table": table}
        layout = {"layout": "captain/base.html" if secret else "desk/base.html", "secret": secret}
        return render(self.request, template, about | layout | {"sheet": self.sheet} | context)

    def _follows(self, outlook: Outlook) -> dict[str, Any]:
        """The preview for the page: deals that change or come next, and all totals."""
        concerned = [line for line in outlook.lines if line.is_resettled or line.reseated]
        reported = [line for line in concerned if line.is_resettled or line.source is not None]
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
                    "said": self._report_text(line.source, line.after),
                    "tokens": line.tokens,
                }
                for line in (*reported, *coming)
            ],
            "totals": [
                (_letter(position), name, *totals)
                for position, (name, totals) in enumerate(zip(names, outlook.totals, strict=True))
            ],
            "out": outlook.taken_out and self._report_text(outlook.taken_out, None),
            "columns": len(names) + 1 + self.sheet.seats_out,
            "unconfirms": bool(outlook.resettled) and any(seat.agreed_at for seat in self.sheet.seats),
        }

    def _report_text(self, report: Report | None, seating: Seating | None) -> str:
        if report is None:
            return ""
        return result_sentence(self.sheet.rulebook, report, self.sheet.names, seating)


def _letter(position: int | None) -> str:
    return "" if position is None else SEAT_LETTERS[position]


# At the desk


@desk_view(helper=True, in_hall=True)
def desk_seats(request: DeskRequest, tournament: Tournament, round_number: int, number: int) -> HttpResponse:
    """The desk's page of changes of seats and dealer in the middle of a round."""
    page = SeatsPage(request, find_table(tournament, round_number, number), request.user)
    return page.show_all()


@desk_view(helper=True, in_hall=True)
def desk_seats_change(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int, change: str
) -> HttpResponse:
    table = find_table(tournament, round_number, number)
    page = SeatsPage(request, table, request.user, may_rule=request.organises)
    form = page.form(change)
    if not page.submit(form):
        return page.show(form, change)
    messages.success(request, _("It has been changed, and every later deal settled again."))
    if change == "insert":
        return redirect("desk_deal", tournament.code, round_number, number, form.cleaned_data["deal"])
    return redirect("desk_table", tournament.code, round_number, number)


# With the captain's link


def _captains(request: HttpRequest, secret: str) -> SeatsPage | None:
    """None if the link is not open; the table's own page explains why."""
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
    return hide_address(page.show_all(secret))


@csrf_exempt
@never_cache
def captain_seats_change(request: HttpRequest, secret: str, change: str) -> HttpResponse:
    page = _captains(request, secret)
    if page is None:
        return redirect("captain", secret)
    form = page.form(change)
    if not page.submit(form):
        return hide_address(page.show(form, change, secret))
    part = f"enter-{form.cleaned_data['deal']}" if change == "insert" else "sheet"
    return redirect(f"{reverse('captain', args=[secret])}#{part}")


TABLE = "desk/t/<str:code>/round/<int:round_number>/table/<int:number>/"

urlpatterns = [
    path(f"{TABLE}seats/", desk_seats, name="desk_seats"),
    path(f"{TABLE}seats/<str:change>/", desk_seats_change, name="desk_seats_change"),
    path("c/<str:secret>/seats/", captain_seats, name="captain_seats"),
    path("c/<str:secret>/seats/<str:change>/", captain_seats_change, name="captain_seats_change"),
]
