"""GET form for the filter of pages over the years: season, year, rules, format, club, days.

    span = SpanForm(request.GET, evenings)
    if span.is_valid():
        … over_the_years(player, span.span)

The page has it in its context as `span_form` and includes `hall/years/of_club.html#span`. If it is invalid, the form
shows the errors with the input, and the page shows no figures, which would be of another filter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms
from django.db.models import Max, Min
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club
from scoring import rulebooks
from tournaments.domain.formats import FORMATS
from tournaments.models import Season
from tournaments.people.span import READERS, Span
from tournaments.web.fields import day_field

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet
    from django.http import QueryDict

    from tournaments.models import Tournament

Offered = dict[str, str]
# A union has hundreds of seasons: of more than these, a club's own are offered, or the newest.
MOST_SEASONS = 60


class SpanForm(forms.Form):
    """`evenings` are the available ones, `kept` the names of the page's other parameters.

    A field with a single value is omitted, unless it is in the URL. Without `by_days` years are the smallest unit.
    """

    def __init__(
        self,
        data: QueryDict,
        evenings: QuerySet[Tournament],
        *,
        kept: Sequence[str] = (),
        by_days: bool = True,
    ) -> None:
        super().__init__({name: data.get(name, "").strip()[:40] for name in READERS})
        self.kept = [(name, data[name][:200]) for name in kept if data.get(name)]
        self.span, self.by_days = Span(), by_days
        # What was chosen, in words.
        self.names: dict[str, str] = {}
        labels = {
            "season": _("Season"),
            "year": _("Year"),
            "rulebook": _("Rules"),
            "format": _("Format"),
            "club": _("Club"),
        }
        there = _there(evenings)
        offered = _offered(there, self.data["club"])
        for name, label in labels.items():
            if len(there[name]) > 1 or self.data[name]:
                choices = offered[name] | _asked_for(name, self.data[name])
                self.fields[name] = _choice(label, choices, READERS[name])
                self.names[name] = choices.get(self.data[name], "")
        for name, label in (("first", _("First day")), ("last", _("Last day"))):
            if (by_days and len(there["day"]) > 1) or self.data[name]:
                self.fields[name] = day_field(label, required=False)

    def clean(self) -> dict[str, Any]:
        found = {name: value for name, value in self.cleaned_data.items() if value is not None}
        for name in {"first", "last"} & self.errors.keys():
            # A browser's own field for days shows nothing that is none.
            self.fields[name].widget.input_type = "text"
        for name in () if self.by_days else {"first", "last"} & found.keys():
            self.add_error(name, _("This page covers whole years: choose a year, and leave this empty."))
        if "first" in found and "last" in found and found["last"] < found["first"]:
            self.add_error("last", _("The last day is before the first."))
        if not self.errors:
            self.span = Span(**found)
        return self.cleaned_data

    @property
    def summary(self) -> str:
        """The filter in one line: “2024 · Stilling”."""
        names = {name: said for name, said in self.names.items() if said}
        time = [names.pop(name) for name in ("season", "year") if name in names]
        time += [_days_text(self.span)] if self.span.first or self.span.last else []
        return " · ".join([*(time or [_("All years")]), *names.values()])

    @property
    def query(self) -> str:
        """The filter as a query string: “?year=2024”; empty for all."""
        asked = urlencode(self.span.as_query())
        return f"?{asked}" if asked else ""

    @property
    def everything(self) -> str:
        """The page's URL without filters."""
        return f"?{urlencode(self.kept)}"


def _there(evenings: QuerySet[Tournament]) -> dict[str, set[Any]]:
    """The available choices: seasons (None for evenings without one) and clubs by primary key, years, days."""
    alike = evenings.order_by().values_list("season", "rulebook", "format", "host")
    told = list(alike.annotate(first=Min("date"), last=Max("date")))
    seasons, books, formats, hosts, firsts, lasts = (
        (set(of) for of in zip(*told, strict=True)) if told else [set()] * 6
    )
    first, last = min(firsts, default=None), max(lasts, default=None)
    return {
        "season": seasons,
        "year": set(range(first.year, last.year + 1)) if first and last else set(),
        "rulebook": books,
        "format": formats,
        "club": hosts,
        "day": {first, last},
    }


def _offered(there: dict[str, set[Any]], club: str) -> dict[str, Offered]:
    """The form's choices, with their labels."""
    clubs = Club.objects.filter(pk__in=there["club"])
    return {
        "season": _seasons(there["season"], club),
        "year": {str(year): str(year) for year in sorted(there["year"], reverse=True)},
        "rulebook": {book.id: _(book.name) for book in rulebooks() if book.id in there["rulebook"]},
        "format": {code: str(row.name) for code, row in FORMATS.items() if code in there["format"]},
        "club": {str(pk): name for pk, name in clubs.values_list("pk", "name")},
    }


def _seasons(there: set[int | None], club: str) -> Offered:
    """The newest first, with whose they are where they are of several clubs."""
    # Values alone: a union of twenty years has hundreds of seasons.
    of_clubs = Season.objects.filter(pk__in=there - {None}).values_list("pk", "name", "host", "host__name")
    found = list(of_clubs)
    if len(found) > MOST_SEASONS:
        found = [one for one in found if str(one[2]) == club] or found[:MOST_SEASONS]
    of_many = len({host for _pk, _name, host, _of in found}) > 1
    return {str(pk): f"{name} ({of})" if of_many else name for pk, name, _host, of in found}


def _asked_for(name: str, asked: str) -> Offered:
    """A value from the URL that is not among the choices: it exists, even if nothing was played in it."""
    try:
        READERS[name](asked)
    except (ValueError, OverflowError):
        return {}
    if name in ("season", "club"):
        found = (Season if name == "season" else Club).objects.filter(pk=int(asked)).first()
        return {asked: str(found)} if found else {}
    if name == "rulebook":
        return {book.id: _(book.name) for book in rulebooks() if book.id == asked}
    return {asked: str(FORMATS[asked].name) if name == "format" else asked}


def _choice(label: str, choices: Offered, read: Any) -> forms.ChoiceField:
    return forms.TypedChoiceField(
        label=label,
        choices=[("", _("all")), *choices.items()],
        coerce=read,
        empty_value=None,
        required=False,
        error_messages={"invalid_choice": gettext_lazy("There is no choice “%(value).40s” here.")},
    )


def _days_text(span: Span) -> str:
    first, last = (date_format(day, "SHORT_DATE_FORMAT") if day else "" for day in (span.first, span.last))
    if not last:
        return _("since %(day)s") % {"day": first}
    return f"{first} – {last}" if first else _("until %(day)s") % {"day": last}
