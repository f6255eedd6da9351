"""What the set-up page asks of the format and what hangs on it. What a format's row leaves out is not asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.domain.formats import FORMATS, POINTS, USUAL
from tournaments.models.events import MOST_BYE_TEAMS, MOST_MATCH_POINTS, MOST_MOVED
from tournaments.web.fields import whole_number

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise


def offered() -> list[tuple[str, StrPromise]]:
    """Every format, to choose from."""
    return [(row.code, row.name) for row in FORMATS.values()]


class FormatFields(forms.Form):
    """The format and what hangs on it."""

    format = forms.ChoiceField(
        label=gettext_lazy("Who plays against whom"), choices=offered, required=False,
        initial=USUAL, widget=forms.RadioSelect,
    )  # fmt: skip
    takes_over = forms.TypedChoiceField(
        label=gettext_lazy("When the declarer’s partner holds cards"),
        choices=[
            (True, gettext_lazy("the player sitting out takes them over: a declarer always plays against the other "
"team")),
            (False, gettext_lazy("the partner plays them: a declarer can be opposed by a team-mate")),
        ],
        coerce=lambda value: value == "True", empty_value=None, required=False, initial=True,
        widget=forms.RadioSelect,
    )  # fmt: skip
    meetings = forms.TypedChoiceField(
        label=gettext_lazy("Everyone meets everyone"), coerce=int, initial=1, widget=forms.RadioSelect,
        choices=[(1, gettext_lazy("once")), (2, gettext_lazy("twice, at home and away"))],
    )  # fmt: skip
    points_won = whole_number(gettext_lazy("Match points for a win"), 0, MOST_MATCH_POINTS, 2)
    points_drawn = whole_number(gettext_lazy("for a draw"), 0, MOST_MATCH_POINTS, 1)
    points_lost = whole_number(gettext_lazy("for a loss"), 0, MOST_MATCH_POINTS, 0)
    by_average = forms.BooleanField(
        label=gettext_lazy("Rank by the average per match"), required=False,
        help_text=gettext_lazy("If byes leave some with fewer matches than others."),
    )  # fmt: skip
    bye_teams = whole_number(
        gettext_lazy("Teams with a bye each round"), 0, MOST_BYE_TEAMS, 0,
        gettext_lazy(
            "More than the numbers require, so that substitutes are available: for example 2 with"
" 12 teams. 0 if only an odd team is to have a bye."
        ),
    )  # fmt: skip
    promoted = whole_number(
        gettext_lazy("Teams promoted from each division"), 0, MOST_MOVED, 0,
        gettext_lazy("They are marked in the standings; 0 if there is only one division."),
    )  # fmt: skip
    relegated = whole_number(gettext_lazy("Teams relegated from each division"), 0, MOST_MOVED, 0)

    def ask_for(self, chosen: str) -> None:
        """Leave what does not apply to the chosen format unasked, and say how many rounds it has."""
        asked = FORMATS[chosen].asked
        for name in [name for name in self.fields if name.startswith(asked.left_out)]:
            del self.fields[name]
        rounds = whole_number(_("Rounds"), 1, asked.most_rounds, asked.usual_rounds)
        rounds.help_text = asked.about_rounds
        self.fields["rounds_planned"] = rounds
        self.fields["format"].help_text = " ".join(str(row.about) for row in FORMATS.values())

    def match_points(self) -> list[int]:
        """The three numbers typed: won, drawn, lost."""
        return [self.cleaned_data[name] for name in POINTS]

    def check_match_points(self) -> None:
        """What a draw gives is between what a win and a loss give, and a win gives more than a loss."""
        if not all(name in self.cleaned_data for name in POINTS):
            return
        won, drawn, lost = self.match_points()
        if won <= lost:
            self.add_error("points_won", _("A win must give more points than a loss."))
        elif not lost <= drawn <= won:
            self.add_error("points_drawn", _("A draw may give no more than a win and no less than a loss."))


def chosen_format(data: Mapping[str, Any]) -> str:
    """The format in what was sent or is stored; individual where there is none that is known."""
    chosen = data.get("format")
    return str(chosen) if chosen in FORMATS else USUAL


def format_was_shown(data: Mapping[str, Any]) -> bool:
    """Whether the sent page asked what the chosen format asks; a page that does not say is believed."""
    return bool(data.get("format_of", chosen_format(data)) == chosen_format(data))
