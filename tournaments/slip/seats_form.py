"""In the middle of a round: another dealer, two seats swapped, a deal put in or taken out."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.ledger import KEEP, TAKE_BACK
from tournaments.web.fields import reason_field
from tournaments.web.offered import AtHand, name_and_number
from tournaments.web.sought import SoughtField, offer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.ledger import Outlook
    from tournaments.ledger.scoresheet import SeatLine
    from tournaments.models import Entry, Table

DEAL = {
    "dealer": gettext_lazy("From which deal on?"),
    "swap": gettext_lazy("From which deal on?"),
    "insert": gettext_lazy("Which deal was forgotten?"),
    "remove": gettext_lazy("Which deal was not played?"),
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
    """One change of a table from a deal on; `kind` is one of `DEAL`.

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
        ways = [(TAKE_BACK, _("Take it back, to be entered again"))]
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
        """Deal -> what becomes of it, where it was said; read from what was sent, as the fields came after it."""
        said = {name: str(self.data.get(name, "")) for name in self.asked}
        return {
            int(name.removeprefix("deal_")): way
            for name, way in said.items()
            if way in dict(self.fields[name].choices)  # type: ignore[attr-defined]
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
    """Somebody plays on for a player from a deal on."""

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
        self.fields["reason"] = reason_field(help_text=_("It is written in the log."))


class LateSeatForm(forms.Form):
    """At which table of three somebody who came late is the fourth; the best one is chosen."""

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
