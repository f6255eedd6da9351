"""Desk pages of a union's points list: the rule, the current list, publishing."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from clubs.views.guards import MemberRequest, club_view
from core.errors import UserError
from core.forms import SeenForm
from core.http.steps import add_to_form, handle_form
from tournaments.desk.club.seasons import MOST_PLACES, MOST_POINTS
from tournaments.domain.comparison import plain_factor, read_factor
from tournaments.models import PointsTable
from tournaments.models.events import MOST_EVENINGS
from tournaments.models.points import MOST_FIELD, MOST_STEPS, check_steps, usual_steps
from tournaments.people import points_lists
from tournaments.people.points_lists import list_of, named_lines, points_in_words, rule_of
from tournaments.seasons.points import Rule
from tournaments.web.fields import day_field, whole_number

if TYPE_CHECKING:
    from datetime import date
    from fractions import Fraction

    from django.http import HttpResponse

    from clubs.models import Club

ON_A_PAGE = 100
# Lines of points for each kind.
MOST_TABLES = 10
# Initial values for a union without a list.
USUAL = {
    "evening": [(8, [10, 8, 6, 5, 4, 3, 2, 1])],
    "union": [(8, [20, 16, 13, 11, 9, 7, 5, 4, 3, 2, 1])],
    "championship": [(8, [30, 24, 20, 16, 13, 11, 9, 7, 5, 4, 3, 2, 1])],
}
USUAL_BEST, USUAL_LEAST = 10, 2


class LinesField(forms.CharField):
    """Lines of a number, a colon and values: “8: 10 8 6 5”."""

    widget = forms.Textarea

    def __init__(self, **options: Any) -> None:
        super().__init__(widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}), **options)

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else "\n".join(self.line(row) for row in value or ())

    def line(self, row: Any) -> str:
        raise NotImplementedError

    def clean(self, value: object) -> Any:
        return [self.read(line) for line in super().clean(value).splitlines() if line.strip()]

    def read(self, line: str) -> Any:
        raise NotImplementedError


class TablesField(LinesField):
    """Points by place, a line for each least number of players."""

    def line(self, row: Any) -> str:
        least, points = row
        return f"{least}: {' '.join(map(str, points))}"

    def read(self, line: str) -> tuple[int, list[int]]:
        if not (found := re.fullmatch(r"\s*([0-9]{1,4})\s*:([0-9\s]+)", line)) or not found[2].strip():
            raise ValidationError(
                _("Type a number of players, a colon and the points by place, such as 8: 10 8 6 5.")
            )
        least, typed = int(found[1]), found[2].split()
        if len(typed) > MOST_PLACES or any(len(one) > len(str(MOST_POINTS)) for one in typed):
            raise ValidationError(
                _("At most %(places)d places of at most %(points)d points.")
                % {"places": MOST_PLACES, "points": MOST_POINTS}
            )
        points = [int(one) for one in typed]
        if max(points) > MOST_POINTS or not 1 <= least <= MOST_FIELD:
            raise ValidationError(
                _("At most %(places)d places of at most %(points)d points.")
                % {"places": MOST_PLACES, "points": MOST_POINTS}
            )
        if points != sorted(points, reverse=True):
            raise ValidationError(_("Points must not increase from one place to the next."))
        return least, points

    def clean(self, value: object) -> list[tuple[int, list[int]]]:
        rows: list[tuple[int, list[int]]] = sorted(super().clean(value), reverse=True)
        fields = [least for least, _points in rows]
        if len(rows) > MOST_TABLES or len(set(fields)) < len(fields):
            raise ValidationError(
                _("At most %(lines)d lines, each for a different number of players.") % {"lines": MOST_TABLES}
            )
        return rows


class StepsField(LinesField):
    """Months, and the share of tournaments younger than that: “24: 2/3”."""

    def line(self, row: Any) -> str:
        months, share = row
        return f"{months}: {share}"

    def read(self, line: str) -> list[Any]:
        months, colon, share = line.partition(":")
        refusal = ValidationError(_("Type a number of months, a colon and a fraction, such as 24: 2/3."))
        if not colon or not re.fullmatch(r"\s*[0-9]{1,4}\s*", months):
            raise refusal
        try:
            return [int(months), plain_factor(read_factor(share))]
        except ValueError:
            raise refusal from None

    def clean(self, value: object) -> list[list[Any]]:
        steps: list[list[Any]] = super().clean(value)
        try:
            check_steps(steps)
        except ValidationError:
            raise ValidationError(
                _("Months must rise from line to line, and fractions must not; at most %(lines)d lines.")
                % {"lines": MOST_STEPS}
            ) from None
        return steps


class FactorField(forms.CharField):
    """A fraction such as 3/2."""

    def clean(self, value: object) -> Fraction:
        try:
            return read_factor(super().clean(value))
        except ValueError:
            raise ValidationError(_("Type a fraction, such as 3/4 or 0.75.")) from None


class PointsForm(SeenForm, forms.Form):
    """The rule of a union's list."""

    best_of = whole_number(
        gettext_lazy("Results that count"),
        0,
        MOST_EVENINGS,
        help_text=gettext_lazy("Only this many of a player’s best results count. 0: all count."),
    )
    least_evenings = whole_number(
        gettext_lazy("Minimum number of tournaments"),
        0,
        MOST_EVENINGS,
        help_text=gettext_lazy("Players with fewer are not listed. 0: no limit."),
    )
    steps = StepsField(
        label=gettext_lazy("How long a result counts"),
        help_text=gettext_lazy("One per line: 12: 1 means in full for 12 months, 24: 2/3 means two thirds "
        "until month 24."),
        error_messages={"required": gettext_lazy("Type a number of months, a colon and a fraction, such as 24: 2/3.")},
    )  # fmt: skip

    def __init__(self, *args: Any, rule: Rule | None, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.is_stored = rule is not None
        tables: Any = rule.tables if rule else USUAL
        self.initial = {
            "best_of": rule.best_of if rule else USUAL_BEST,
            "least_evenings": rule.least_evenings if rule else USUAL_LEAST,
            "steps": [[months, plain_factor(share)] for months, share in rule.steps]
            if rule
            else usual_steps(),
        }
        for kind in PointsTable.Kind:
            self.fields[f"tables_{kind}"] = TablesField(
                label=format_lazy(gettext_lazy("Points: {kind}"), kind=kind.label),
                required=False,
                help_text=gettext_lazy(
                    "One per line: 8: 10 8 6 means 10, 8 and 6 points by place where at least 8 players "
                    "are entered. Empty: these tournaments do not count."
                ),
            )
            self.fields[f"weight_{kind}"] = FactorField(
                label=format_lazy(gettext_lazy("Weight: {kind}"), kind=kind.label),
                max_length=9,
                error_messages={"required": gettext_lazy("Type a fraction, such as 3/4 or 0.75.")},
            )
            self.initial[f"tables_{kind}"] = sorted(tables.get(kind, ()))
            self.initial[f"weight_{kind}"] = plain_factor(rule.weight(kind)) if rule else "1"

    @property
    def is_of_stored(self) -> bool:
        return self.is_stored

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not any(data[f"tables_{kind}"] for kind in PointsTable.Kind):
            first = PointsTable.Kind.EVENING
            self.add_error(f"tables_{first}", _("Give points for at least one kind of tournament."))
        return data

    @property
    def rule(self) -> Rule:
        data = self.cleaned_data
        kinds = [kind.value for kind in PointsTable.Kind if data[f"tables_{kind}"]]
        return Rule(
            {kind: data[f"tables_{kind}"] for kind in kinds},
            {kind: data[f"weight_{kind}"] for kind in kinds},
            [(months, read_factor(share)) for months, share in data["steps"]],
            data["best_of"],
            data["least_evenings"],
        )


class PublishForm(forms.Form):
    """The day of the list."""

    day = day_field(gettext_lazy("Day of the list"))


def _union(club: Club) -> Club:
    """The club as a union. Raises Http404 for a club without clubs of its own."""
    if not club.clubs.exists():
        raise Http404
    return club


@club_view(helper=True)
def club_points(request: MemberRequest, club: Club) -> HttpResponse:
    """The current list, and the published ones."""
    return _show(request, _union(club), PublishForm(initial={"day": timezone.localdate()}))


def _show(request: MemberRequest, union: Club, form: PublishForm) -> HttpResponse:
    rule, today = rule_of(union), timezone.localdate()
    context: dict[str, Any] = {"club": union, "organises": request.organises, "form": form}
    if rule:
        found = list_of(union, rule, today)
        page = Paginator(found.lines, ON_A_PAGE).get_page(request.GET.get("page"))
        context |= {
            "said": points_in_words(rule),
            "page": page,
            "rows": named_lines(union, found, page.object_list, today),
        }
    context["lists"] = union.published_lists.all()
    return render(request, "desk/club/points.html", context)


@club_view()
def club_points_edit(request: MemberRequest, club: Club) -> HttpResponse:
    union = _union(club)
    form = PointsForm(request.POST or None, rule=rule_of(union))
    step = partial(points_lists.store_rule, union)
    done = handle_form(
        request, form, step, _("Saved."), "club_points", union.slug, arguments=lambda: {"rule": form.rule}
    )
    if done:
        return done
    return render(request, "desk/club/points_form.html", {"club": union, "form": form})


@club_view()
@require_POST
def club_points_publish(request: MemberRequest, club: Club) -> HttpResponse:
    """Publish the list; a second click redirects to the published one."""
    union, form = _union(club), PublishForm(request.POST)
    if form.is_valid():
        try:
            published, is_new = _publish(request, union, form.cleaned_data["day"])
        except UserError as refusal:
            add_to_form(form, refusal)
        else:
            said = (
                _("The list has been published.")
                if is_new
                else _("The list for this day has already been published.")
            )
            messages.success(request, said)
            return redirect(published)
    return _show(request, union, form)


def _publish(request: MemberRequest, union: Club, day: date) -> Any:
    return points_lists.publish(union, day, account=request.user, now=timezone.now())


urlpatterns = [
    path("clubs/<slug:slug>/points/", club_points, name="club_points"),
    path("clubs/<slug:slug>/points/edit/", club_points_edit, name="club_points_edit"),
    path("clubs/<slug:slug>/points/publish/", club_points_publish, name="club_points_publish"),
]
