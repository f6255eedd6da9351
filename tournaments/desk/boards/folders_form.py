"""Boards on forms: whether they are played, which folder a deal was played with, and new cards for a round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.forms import SeenForm
from tournaments.boards.folders import why_no_boards
from tournaments.draw.tables import CHAIRS, SMALL_TABLE
from tournaments.ledger.submissions import LARGEST_NUMBER
from tournaments.models.events import MOST_BOARD_SETS
from tournaments.web.fields import reason_field

if TYPE_CHECKING:
    from scoring.rulebook import Rulebook


class BoardFields(forms.Form):
    """What a tournament's set-up asks about boards."""

    boards = forms.BooleanField(
        label=gettext_lazy("Duplicate boards: everyone plays the same cards, from folders (kortmapper)"),
        required=False,
        help_text=gettext_lazy(
            "The program deals the cards and prints them for the folders. Otherwise everyone deals by hand."
        ),
    )
    board_sets = forms.IntegerField(
        label=gettext_lazy("Sets of folders in the hall"),
        required=False,
        min_value=0,
        max_value=MOST_BOARD_SETS,
        initial=0,
        help_text=gettext_lazy("0: one set per table. If tables share a set, its folders move between them."),
        error_messages={
            "invalid": gettext_lazy("Type a whole number."),
            "min_value": gettext_lazy("At least %(limit_value)s."),
            "max_value": gettext_lazy("At most %(limit_value)s."),
        },
    )

    def clean_board_sets(self) -> int:
        return self.cleaned_data["board_sets"] or 0

    def check_boards(self, rulebook: Rulebook) -> None:
        """Say at the fields why it cannot be played so."""
        data: dict[str, Any] = self.cleaned_data
        if not data.get("boards"):
            return
        if why := why_no_boards(rulebook):
            self.add_error("boards", why)
            return
        size = max(rulebook.players)
        deals = data.get("deals_at_three" if size == SMALL_TABLE else "deals_per_round")
        if data.get("board_sets") and deals and deals % size:
            text = _(
                "Tables can share a set of folders only if the deals per round are divisible by "
                "%(size)d; %(deals)d is not."
            )
            self.add_error("board_sets", text % {"size": size, "deals": deals})
        self._check_threes()

    def _check_threes(self) -> None:
        """A table of three plays the first of the folders; with more deals a set would need folders of its own."""
        deals = self.cleaned_data.get("deals_per_round")
        at_three = self.cleaned_data.get("deals_at_three")
        if deals and at_three and at_three > deals:
            text = _(
                "With boards a table of three plays at most as many deals as a table of four, "
                "%(deals)d; %(fewer)d is better, as everyone then gets the same number of hands."
            )
            fewer = max(deals * SMALL_TABLE // CHAIRS, SMALL_TABLE)
            self.add_error("deals_at_three", text % {"deals": deals, "fewer": fewer})


class FolderForm(SeenForm, forms.Form):
    """Another folder than was thought, and why."""

    not_stored = ("reason",)

    folder = forms.IntegerField(
        label=gettext_lazy("Played with folder"),
        min_value=1,
        max_value=LARGEST_NUMBER,
        widget=forms.NumberInput({"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={
            "required": gettext_lazy("Type the number on the folder."),
            "invalid": gettext_lazy("Type the number on the folder."),
            "min_value": gettext_lazy("Type the number on the folder."),
            "max_value": gettext_lazy("Type the number on the folder."),
        },
    )
    reason = reason_field(help_text=gettext_lazy("It is written in the log."))


class DealAnewForm(forms.Form):
    """Other cards for a round, because somebody has seen some of them."""

    reason = reason_field(label=gettext_lazy("Why other cards?"))
