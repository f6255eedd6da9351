"""The page where the halls of a tournament are set up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.errors import NotPossible
from core.forms import NameField
from core.http.steps import posted_data
from tournaments.domain.halls import LONGEST_NAME, LONGEST_PLACE, MOST_HALLS, MOST_TABLES, stored_halls
from tournaments.lifecycle.halls import MovesTables, lacking_places, mark_of, set_halls
from tournaments.web.guards import DESK, DeskRequest, desk_view

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tournaments.models import Tournament

EMPTY_LINES = 2


class HallForm(forms.Form):
    """A hall; a line without a name is none."""

    name = NameField(label=gettext_lazy("Name"), max_length=LONGEST_NAME, required=False)
    place = NameField(label=gettext_lazy("Place or address"), max_length=LONGEST_PLACE, required=False)
    tables = forms.IntegerField(
        label=gettext_lazy("Tables"),
        min_value=1,
        max_value=MOST_TABLES,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        name, place, tables = (self.cleaned_data.get(field) for field in ("name", "place", "tables"))
        if name and not self.errors and not tables:
            self.add_error("tables", _("How many tables does this hall have?"))
        if not name and (place or tables) and "name" not in self.errors:
            self.add_error("name", _("Type the name of the hall, or empty the line."))
        return self.cleaned_data


class HallFormSet(forms.BaseFormSet):
    def clean(self) -> None:
        names = [form.cleaned_data.get("name", "").casefold() for form in self.forms if form.is_valid()]
        names = [name for name in names if name]
        if len(set(names)) < len(names):
            raise ValidationError(_("Two halls have the same name."))

    def halls(self) -> list[dict[str, Any]]:
        said = [form.cleaned_data for form in self.forms]
        return stored_halls((one["name"], one["place"], one["tables"]) for one in said if one.get("name"))


HallForms = forms.formset_factory(
    HallForm, formset=HallFormSet, extra=EMPTY_LINES, max_num=MOST_HALLS, validate_max=True
)


@desk_view()
def desk_halls(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The halls with the numbers of their tables."""
    sent = posted_data(request)
    # Without initial values when bound: a line equal to what is stored by now would count as left empty.
    lines: Any = HallForms(sent, initial=None if sent else tournament.halls, prefix="hall")
    refused: NotPossible | None = None
    if sent is not None and lines.is_valid():
        try:
            set_halls(
                tournament,
                halls=lines.halls(),
                seen=sent.get("seen", ""),
                moves="moves" in sent,
                account=request.user,
                now=timezone.now(),
            )
        except NotPossible as error:
            refused = error
        else:
            messages.success(request, _("Saved."))
            return redirect("desk_halls", tournament.code)
    context = {
        "tournament": tournament,
        "lines": lines,
        "seen": mark_of(tournament),
        "refused": refused,
        "asks_to_move": isinstance(refused, MovesTables),
        "lacking": lacking_places(tournament),
    }
    return render(request, "desk/setup/halls.html", context)


urlpatterns = [path(f"{DESK}halls/", desk_halls, name="desk_halls")]
