"""Printing: what there is, and asking for it.

All of it is for the host's desk only: sheets have the captains' secrets on them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext_lazy, ngettext, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.errors import NotPossible
from core.http.responses import TEXT, file_response
from core.jobs.kinds import kind_of
from core.jobs.queue import remember_job
from core.pdf.files import shown_with_titles
from core.serving.addresses import base_url
from tournaments.domain.halls import find_hall
from tournaments.ledger.queries import current_round, next_round
from tournaments.models import Round, Tournament
from tournaments.paper import kinds as sheets_job
from tournaments.paper.kinds import EVERYTHING, KINDS, Kind, Order, parts_of, usual_parts
from tournaments.paper.printing import changed_tables
from tournaments.paper.ranking import press_text
from tournaments.seasons.team_ladder import is_of_teams
from tournaments.web.guards import DeskRequest, desk_view, find_round, language_asked, number_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpResponse

    from tournaments.domain.halls import Hall
    from tournaments.paper.printing import Changed


class TableForm(forms.Form):
    """The form of the table whose sheets are made; all of them without a number.

    `only` are the numbers of several tables, `hall` that of a hall; `leave_out` what is not wanted of everything for
    the round.
    """

    table = forms.IntegerField(
        label=gettext_lazy("Table"),
        required=False,
        min_value=1,
        max_value=9999,
        widget=forms.Select,
    )

    only = forms.CharField(required=False, max_length=500, widget=forms.HiddenInput)
    hall = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    leave_out = forms.MultipleChoiceField(
        label=gettext_lazy("Leave out …"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(
        self,
        sent: Any = None,
        *,
        round_: Round,
        kind: Kind,
        tables: Sequence[int] = (),
        only_hall: Hall | None = None,
    ) -> None:
        """Offer these tables; `leave_out` defaults to the parts that are not printed by default.

        `only_hall` is the hall of a visitor who may print no other.
        """
        super().__init__(sent, auto_id=f"{kind.code}-%s")
        self.round, self.kind, self.only_hall = round_, kind, only_hall
        named = [(number, _("table %(number)d") % {"number": number}) for number in tables]
        choice = forms.Select({"aria-label": _("Table")}, [("", _("all tables")), *named])
        self.fields["table"].widget = choice
        if kind.code != EVERYTHING:
            del self.fields["leave_out"]
            return
        field, usual = cast("forms.MultipleChoiceField", self.fields["leave_out"]), usual_parts(round_)
        field.choices = [(part.code, part.title) for part in parts_of(round_)]
        field.initial = [code for code, _title in field.choices if code not in usual]

    def clean_table(self) -> int | None:
        number: int | None = self.cleaned_data["table"] if self.kind.of_tables else None
        if number is not None and not self._are_here({number}):
            raise ValidationError(_("The round has no table with this number."))
        return number

    def clean_only(self) -> tuple[int, ...]:
        words = self.cleaned_data["only"].split() if self.kind.of_tables else []
        numbers = {number for word in words if (number := number_in(word)) is not None}
        if len(numbers) != len(words) or not self._are_here(numbers):
            raise ValidationError(_("The round has no table with this number."))
        return tuple(sorted(numbers))

    def _are_here(self, numbers: set[int]) -> bool:
        """Whether the round has tables with all these numbers, in the only hall of the visitor if there is one."""
        if self.only_hall and not all(map(self.only_hall.has, numbers)):
            return False
        return self.round.tables.filter(number__in=numbers).count() == len(numbers)

    def clean_hall(self) -> int | None:
        if not self.kind.is_of_halls:  # whoever helps in the hall may open what is printed of it
            return None
        if self.only_hall:
            return self.only_hall.number
        number: int | None = self.cleaned_data["hall"]
        if number is not None and number > len(self.round.tournament.halls):
            raise ValidationError(_("There is no such hall any more."))
        return number

    def clean_leave_out(self) -> list[str]:
        left_out: list[str] = self.cleaned_data["leave_out"]
        if len(left_out) == len(parts_of(self.round)):
            raise ValidationError(_("Leave at least something to print."))
        return left_out

    def parts(self) -> tuple[str, ...]:
        """The kinds of sheets in "everything for the round"; the default where the request has no choice."""
        if "chosen" not in self.data:
            return usual_parts(self.round)
        return tuple(
            part.code for part in parts_of(self.round) if part.code not in self.cleaned_data["leave_out"]
        )


@dataclass(frozen=True)
class Choice:
    """A kind of sheet on the page, and why it cannot be printed yet if it cannot."""

    kind: Kind
    missing: str
    form: TableForm


@desk_view(helper=True, in_hall=True)
@require_safe
def desk_print(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The page with the sheets of a round: of the selected one, or the current one."""
    asked = number_in(request.GET.get("round", ""))
    chosen = tournament.rounds.filter(number=asked).first() if asked is not None else None
    return _show(request, tournament, chosen or _round_to_print(tournament))


def _show(
    request: DeskRequest, tournament: Tournament, round_: Round | None, wrong: TableForm | None = None
) -> HttpResponse:
    asked = request.POST.get("hall") or request.GET.get("hall")
    hall = request.hall or find_hall(tournament.hall_list, asked)
    made = sheets_job.made_of(round_) if round_ else []
    if request.hall:
        made = [job for job in made if kind_of(job.kind).may_see(request.user, job)]
    context = {
        "tournament": tournament,
        "rounds": tournament.rounds.order_by("number"),
        "round": round_,
        "hall": hall,
        **(_offered(round_, wrong, hall, only_hall=request.hall) if round_ else {}),
        "ready": shown_with_titles(made),
        "ladder_of_teams": tournament.season is not None and is_of_teams(tournament.season),
    }
    return render(request, "paper/print.html", context)


def _offered(
    round_: Round, wrong: TableForm | None, hall: Hall | None, *, only_hall: Hall | None
) -> dict[str, Any]:
    """What is printed first, what changed since it was printed, and each kind of sheet by itself.

    First comes everything for the round; once the round has been played its standings, and its results before the rest.
    Of the tables in `hall`, where one is chosen; `only_hall` is that of a visitor who may print no other.
    """
    choices = {choice.kind.code: choice for choice in _choices(round_, wrong, only_hall)}
    over = round_.is_closed and "standings" in choices
    everything, standings = choices.get(EVERYTHING), choices.get("standings") if over else None
    changed = changed_tables(round_) if round_.is_drawn or round_.is_running else None
    if changed and hall:
        there = [number for number in changed.tables if hall.has(number)]
        changed = replace(changed, tables=there) if there else None
    singles = [choice for choice in choices.values() if choice is not (standings or everything)]
    return {
        "everything": everything,
        "standings": standings,
        "parts": _parts_in_words(round_, hall),
        "changed": changed,
        "changed_said": _changed_in_words(changed) if changed else "",
        "choices": sorted(
            singles,
            key=lambda choice: (
                bool(choice.missing),
                over and not (choice.kind.needs_start or choice.kind.needs_end),
            ),
        ),
    }


def _parts_in_words(round_: Round, hall: Hall | None) -> list[tuple[int, str]]:
    """The default parts of everything for the round: count (0 if not shown) and name."""
    tables = [table for table in round_.tables.all() if hall is None or hall.has(table.number)]
    sheets = sum(KINDS["blank"].pages_of_table(table) for table in tables)
    return [
        (sheets if code == "blank" else 0, str(KINDS[code].title if code != "blank" else _("score sheets")))
        for code in usual_parts(round_)
    ]


def _changed_in_words(changed: Changed) -> str:
    said = {
        "numbers": ", ".join(map(str, changed.tables)),
        "time": time_format(localtime(changed.since), "TIME_FORMAT"),
    }
    text = ngettext(
        "Table %(numbers)s has changed since it was printed at %(time)s.",
        "Tables %(numbers)s have changed since they were printed at %(time)s.",
        len(changed.tables),
    )
    return text % said


def _choices(round_: Round, wrong: TableForm | None, only_hall: Hall | None) -> list[Choice]:
    """Every kind of sheet, or those of one hall; `wrong` is what was sent and cannot be."""
    kinds = [
        kind
        for kind in KINDS.values()
        if kind.suits(round_.tournament) and (only_hall is None or kind.is_of_halls)
    ]
    numbers = round_.tables.order_by("number").values_list("number", flat=True)
    tables = [number for number in numbers if only_hall is None or only_hall.has(number)]
    return [
        Choice(
            kind,
            kind.missing(round_),
            wrong if wrong and wrong.kind == kind else TableForm(round_=round_, kind=kind, tables=tables),
        )
        for kind in kinds
    ]


def _round_to_print(tournament: Tournament) -> Round | None:
    """The next round once the running one has deals, else the running one; after the last round that one."""
    current = current_round(tournament)
    if current is None:
        return None
    if current.is_running and not current.tables.filter(reports_count__gt=0).exists():
        return current
    return next_round(tournament) or current


@desk_view(helper=True, in_hall=True, one_transaction=False)
def desk_print_ask(request: DeskRequest, tournament: Tournament, number: int, kind: str) -> HttpResponse:
    """Queue a file; a GET request (back button) shows the page with the choices."""
    round_ = find_round(tournament, number)
    if kind not in KINDS or not KINDS[kind].suits(tournament):
        raise Http404
    if request.hall and not KINDS[kind].is_of_halls:
        raise PermissionDenied
    back = _print_page(round_)
    if request.method != "POST":
        return back
    missing = KINDS[kind].missing(round_)
    if missing:
        messages.warning(request, missing)
        return back
    form = TableForm(request.POST, round_=round_, kind=KINDS[kind], only_hall=request.hall)
    if not form.is_valid():
        return _show(request, tournament, round_, form)
    parts = form.parts() if kind == EVERYTHING else ()
    chosen = form.cleaned_data
    only, hall = chosen["only"], chosen["hall"]
    order = Order(round_, base_url(request), timezone.now(), chosen["table"], only, parts, hall)
    try:
        job = sheets_job.ask(
            order,
            kind,
            language=get_language() or "en",
            account=request.user,
            at_once="at_once" in request.POST,
            anew="anew" in request.POST,
        )
    except NotPossible as refusal:
        messages.warning(request, refusal.message)
        return back
    remember_job(request, job)
    return redirect("desk_job", job.pk)


def _print_page(round_: Round) -> HttpResponse:
    return redirect(f"{reverse('desk_print', args=[round_.tournament.code])}?round={round_.number}")


@desk_view(helper=True)
@require_safe
def desk_press(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The results for the press as text, in the requested language, which may differ from the desk's."""
    with override(language_asked(request) or get_language()):
        return file_response(
            press_text(tournament), TEXT, tournament.name, _("List for the press"), kind="txt"
        )


urlpatterns = [
    path("desk/t/<str:code>/press.txt", desk_press, name="desk_press"),
    path("desk/t/<str:code>/print/", desk_print, name="desk_print"),
    path("desk/t/<str:code>/print/<int:number>/<slug:kind>/", desk_print_ask, name="desk_print_ask"),
]
