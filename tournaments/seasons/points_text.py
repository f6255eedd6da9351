"""The points list in words: its rule, and an explanation of each number of a row."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from tournaments.domain.comparison import plain_factor
from tournaments.domain.terms import unsigned
from tournaments.models import PointsTable
from tournaments.seasons.points import first_day

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.utils.safestring import SafeString

    from tournaments.seasons.points import Part, Rule

SHARES = {
    Fraction(1): gettext_lazy("in full"),
    Fraction(2, 3): gettext_lazy("two thirds"),
    Fraction(1, 2): gettext_lazy("half"),
    Fraction(1, 3): gettext_lazy("one third"),
}
# English ordinals: 11th, 12th and 13th are exceptions.
TEENS = range(11, 14)


def points_in_words(rule: Rule) -> list[str]:
    """The rule in sentences: points by kind of tournament, months, best results, least number of tournaments."""
    return list(_sentences(rule))


def _sentences(rule: Rule) -> Iterator[str]:
    for kind in [kind for kind in PointsTable.Kind if kind in rule.tables]:
        for least, points in reversed(rule.tables[kind]):
            yield _("%(kind)s with at least %(field)d entered: %(points)s points by place.") % {
                "kind": capfirst(kind.label),
                "field": least,
                "points": ", ".join(map(str, points)),
            }
        if (weight := rule.weight(kind)) != 1:
            yield _("%(kind)s count %(factor)s times.") % {
                "kind": capfirst(kind.label),
                "factor": plain_factor(weight),
            }
    before = 0
    for months, share in rule.steps:
        words = {"share": share_in_words(share), "before": before, "months": months}
        if before:
            yield _("From month %(before)d to month %(months)d the tournament counts %(share)s.") % words
        else:
            yield _("A tournament counts %(share)s for %(months)d months.") % words
        before = months
    yield _("After %(months)d months it no longer counts.") % {"months": before}
    if rule.best_of:
        yield ngettext(
            "Only a player’s best result counts.",
            "Only a player’s best %(count)d results count.",
            rule.best_of,
        ) % {"count": rule.best_of}
    if rule.least_evenings:
        yield ngettext(
            "Players with at least %(count)d tournament in these months are listed.",
            "Players with at least %(count)d tournaments in these months are listed.",
            rule.least_evenings,
        ) % {"count": rule.least_evenings}
    yield _("Only those who are members of one of the union’s clubs on the day of the list are listed.")
    yield _("Players with equal points share the place.")


def share_in_words(share: Fraction) -> str:
    return str(SHARES.get(share) or plain_factor(share))


def part_in_words(part: Part, code: str, name: str) -> SafeString:
    """Explain a number: “14 points: 3rd of 31 in the Autumn Cup (21 points), counts two thirds until May”."""
    words = {
        "points": _points(part.worth),
        "place": ordinal(part.place),
        "field": part.field,
        "tournament": format_html('<a href="{}">{}</a>', reverse("standings", args=[code]), name),
        "reckoned": _reckoned(part),
        "share": share_in_words(part.share),
        "month": date_format(first_day(part.until), "YEAR_MONTH_FORMAT"),
    }
    if part.worth == part.points:
        text = _("{points}: {place} of {field} in {tournament}, counts {share} until {month}")
    else:
        text = _("{points}: {place} of {field} in {tournament} ({reckoned}), counts {share} until {month}")
    return format_html(text, **words)


def _points(worth: Fraction) -> str:
    said = ngettext("{points} point", "{points} points", 1 if worth == 1 else 2)
    return said.format(points=total_points_text(worth))


def _reckoned(part: Part) -> str:
    """The points for the place, with the weight unless it is 1."""
    if part.weight == 1:
        return str(part.points)
    return f"{part.points} × {plain_factor(part.weight)}"


def _plain(worth: Fraction) -> int | Fraction:
    return worth.numerator if worth.denominator == 1 else worth


def total_points_text(points: Fraction) -> str:
    """A total: whole, or with two decimals."""
    return unsigned(_plain(points))


def points_column(points: Sequence[Fraction]) -> list[str]:
    """The totals of a list: each with two decimals where one is fractional, so that the figures align."""
    is_whole = all(total.denominator == 1 for total in points)
    return [unsigned(total.numerator if is_whole else total) for total in points]


def ordinal(place: int) -> str:
    """An ordinal in English; the plain number in other languages, whose texts add what they need."""
    if not (get_language() or "en").startswith("en"):
        return str(place)
    ending = "th" if place % 100 in TEENS else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"
