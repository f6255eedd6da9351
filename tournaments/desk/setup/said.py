"""What a set-up comes to, in a sentence: the page folds the questions behind it, and it follows what is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.domain.formats import FORMATS, POINTS
from tournaments.standings.tie_breaks import tie_break_said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tournaments.desk.setup.setup_form import SetupForm

# Asked of every evening, in sight; all else is folded.
IN_SIGHT = ("name", "host", "date", "begins_at", "place", "held_by", "entry_fee", "rounds_planned", "stake")
COUNTS = (
    "season",
    "comparison",
    "three_factor",
    "least_share",
    "tie_break_",
    "points_",
    "by_average",
    "promoted",
    "relegated",
)


class Folds:
    """The two sentences of a form, and which of the folds behind them must be open: where something is to be seen."""

    def __init__(self, form: SetupForm, *, open_all: bool = False) -> None:
        self.played, self.counts = " · ".join(_played(form)), " · ".join(_counts(form))
        wrong = {field.name for field in form if field.errors or hasattr(field, "stored_now")}
        wrong -= set(IN_SIGHT)
        self.counts_open = open_all or any(name.startswith(COUNTS) for name in wrong)
        self.played_open = open_all or any(not name.startswith(COUNTS) for name in wrong)


def _played(form: SetupForm) -> Iterator[str]:
    if "format" in form.fields:
        yield str(FORMATS[form.chosen_format].name)
    if "rulebook" in form.fields:
        yield _value(form, "rules_name") or _(form.book.name)
    if changed := sum(_is_changed(field) for field in (*form.option_fields, *form.price_fields)):
        said = ngettext("%(count)d rule of your own", "%(count)d rules of your own", changed)
        yield said % {"count": changed}
    if deals := _value(form, "deals_per_round") or _value(form, "deals_at_three"):
        yield _("%(deals)s deals a round") % {"deals": deals}
    if "deals_per_round" in form.fields and (deals := _value(form, "deals_at_three")):
        yield _("%(deals)s at a table of three") % {"deals": deals}
    if _value(form, "boards") in ("True", "on"):
        yield _("duplicate boards")
    if mode := _choice(form, "draw_mode"):
        yield _("drawn: %(mode)s") % {"mode": mode}


def _is_changed(field: Any) -> bool:
    """Whether an option is not as the rulebook has it; what is left empty is."""
    value = field.value()
    return value not in (None, "") and str(value) != str(field.field.initial)


def _counts(form: SetupForm) -> Iterator[str]:
    if POINTS[0] in form.fields:
        points = "–".join(_value(form, name) for name in POINTS)
        yield _("match points %(points)s") % {"points": points}
    elif by := _choice(form, "comparison"):
        yield by
    codes = [_value(form, field.name) for field in form.tie_break_fields]
    if names := [str(tie_break_said(form.book, code).name) for code in codes if _is_offered(form, code)]:
        yield _("when level: %(tie_breaks)s") % {"tie_breaks": ", ".join(names)}
    if season := _choice(form, "season"):
        yield _("in the season %(season)s") % {"season": season}


def _is_offered(form: SetupForm, code: str) -> bool:
    return bool(code) and code in dict(form.fields["tie_break_1"].choices)  # type: ignore[attr-defined]


def _value(form: SetupForm, name: str) -> str:
    value = form[name].value() if name in form.fields else None
    return "" if value is None else str(value)


def _choice(form: SetupForm, name: str) -> str:
    """The words of what is chosen in a field; nothing where it is not asked, or nothing is chosen."""
    if name not in form.fields:
        return ""
    value = getattr(form[name].value(), "pk", None) or _value(form, name)
    choices = form.fields[name].choices  # type: ignore[attr-defined]
    return next((str(label) for code, label in choices if code and str(code) == str(value)), "")
