"""Forms of the desk during play, apart from deals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.forms import field_of
from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.lifecycle.rulings import MOST_TOKENS
from tournaments.models import Round
from tournaments.web.choice_field import SoughtField, offer, players_of, teams_of
from tournaments.web.fields import SignedTokensField, VersionedForm, changed, reason_field

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Entry, Team, Tournament


class ReasonForm(forms.Form):
    """Why a step is taken, in words that everybody can read afterwards."""

    reason = reason_field(help_text=gettext_lazy("It will be recorded in the log."))


class CallOffForm(forms.Form):
    """Why a tournament is called off: everybody reads it on its page in the hall."""

    reason = reason_field(
        help_text=gettext_lazy("Everyone in the hall can read it, and it is recorded in the log.")
    )


class CloseForm(forms.Form):
    """Close a round; the reason is required only with unfinished tables."""

    force_reason = reason_field(
        label=gettext_lazy("Why is it closed anyway?"),
        help_text=gettext_lazy("It will be recorded in the log."),
    )

    def __init__(self, *args: Any, forced: bool, **fields: Any) -> None:
        super().__init__(*args, **fields)
        if not forced:
            del self.fields["force_reason"]


TOKENS, MATCH_POINTS = "tokens", "match_points"


class PenaltyForm(forms.Form):
    """Tokens or match points by ruling, for a player, or for a pair or team: in a column, outside a table's sum of 0.

    `seen` is the newest penalty on the page that was typed on: pressing twice does not penalise twice.
    """

    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    entry = SoughtField(label=gettext_lazy("Player"), empty=gettext_lazy("Choose the player"))
    # For pairs and teams: a ruling may concern a whole team.
    team = SoughtField(
        label=gettext_lazy("or the whole pair or team"), required=False,
        empty=gettext_lazy("a single player"),
    )  # fmt: skip
    tokens = SignedTokensField(
        label=gettext_lazy("Tokens"), initial=-1, min_value=-MOST_TOKENS, max_value=MOST_TOKENS,
        help_text=gettext_lazy("−1 takes one token from the player, +1 gives one."),
    )  # fmt: skip
    # For pairs and teams.
    counts_as = forms.ChoiceField(
        label=gettext_lazy("Counts as"), required=False, initial=TOKENS, widget=forms.RadioSelect,
        choices=[(TOKENS, gettext_lazy("tokens")), (MATCH_POINTS, gettext_lazy("match points"))],
    )  # fmt: skip
    reason = reason_field()
    round: forms.ModelChoiceField[Round] = forms.ModelChoiceField(
        label=gettext_lazy("Round"), queryset=None, required=False,
        empty_label=gettext_lazy("the whole tournament"),
    )  # fmt: skip

    def __init__(self, *args: Any, tournament: Tournament, **fields: Any) -> None:
        super().__init__(*args, **fields)
        offer(self, {"entry": players_of(tournament, by="pk")})
        if tournament.in_teams:
            offer(self, {"team": teams_of(tournament)})
            self.fields["entry"].required = False
            self.fields["tokens"].label = _("How many")
            self.fields["tokens"].help_text = _(
                "−1 takes one, +1 gives one. Match points belong to the whole pair or team."
            )
        else:
            del self.fields["team"], self.fields["counts_as"]
        rounds = tournament.rounds.exclude(state=Round.State.DRAWN).order_by("number")
        field_of(self, "round").queryset = rounds
        field_of(self, "round").label_from_instance = lambda round_: str(round_.number)

    def clean(self) -> dict[str, Any]:
        if "team" in self.fields and "entry" not in self.errors:
            entry, team = self.cleaned_data.get("entry"), self.cleaned_data.get("team")
            if entry is None and team is None:
                self.add_error("entry", _("Choose the player, or the pair or team."))
            elif entry is not None and team is not None:
                self.add_error("team", _("Choose the player, or the pair or team, not both."))
            elif self.cleaned_data.get("counts_as") == MATCH_POINTS and team is None:
                self.add_error("team", _("Match points belong to the pair or team: choose it as a whole."))
        return self.cleaned_data

    @property
    def amount(self) -> dict[str, int]:
        """The amount of the ruling: tokens, or match points."""
        in_points = self.cleaned_data.get("counts_as") == MATCH_POINTS
        return {MATCH_POINTS if in_points else TOKENS: self.cleaned_data["tokens"]}

    @property
    def whom(self) -> Entry | Team:
        """The player, or the pair or team, that is ruled against."""
        found: Entry | Team = self.cleaned_data["entry"] or self.cleaned_data["team"]
        return found

    def clean_tokens(self) -> int:
        tokens = int(self.cleaned_data["tokens"])
        if tokens == 0:
            raise ValidationError(_("A penalty of 0 tokens has no effect."))
        return tokens

    def look_again(self, newest: int) -> None:
        """Accept the form against the current list when it is shown again."""
        self.data = changed(self.data, "seen", newest)


class LogForm(forms.Form):
    """The filter of the log: a table; without a number, all tables."""

    round = forms.TypedChoiceField(label=gettext_lazy("Round"), coerce=int, required=False)
    number = forms.IntegerField(
        label=gettext_lazy("Table"),
        required=False,
        min_value=1,
        max_value=9999,
        widget=forms.NumberInput({"inputmode": "numeric", "size": 5}),
        help_text=gettext_lazy("Leave it empty to see everything."),
    )

    def __init__(self, *args: Any, tournament: Tournament, **fields: Any) -> None:
        super().__init__(*args, **fields)
        rounds = tournament.rounds.exclude(state=Round.State.DRAWN).order_by("number")
        self.rounds = {round_.number: round_ for round_ in rounds}
        field_of(self, "round").choices = [(number, number) for number in self.rounds]

    def clean(self) -> dict[str, Any]:
        number, round_ = self.cleaned_data.get("number"), self.rounds.get(self.cleaned_data.get("round") or 0)
        if number and not (round_ and round_.tables.filter(number=number)):
            self.add_error("number", _("The round has no table with this number."))
        return self.cleaned_data

    @property
    def table_parameter(self) -> str:
        """The value of the log's URL parameter for a table."""
        number = self.cleaned_data["number"]
        return f"{self.cleaned_data['round']}-{number}" if number else ""


class TakeBackForm(VersionedForm):
    reason = reason_field(label=gettext_lazy("Why undo the deal?"))


class RulingForm(VersionedForm):
    """A deal's tokens set by the organiser where the rules have no result for what happened."""

    def __init__(self, *args: Any, names: Sequence[str], **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.players = len(names)
        for position, name in enumerate(names):
            self.fields[f"tokens_{position}"] = SignedTokensField(
                label=name, min_value=-MOST_TOKENS, max_value=MOST_TOKENS
            )
        self.fields["reason"] = reason_field(label=_("What happened, and why this ruling?"))

    @property
    def tokens_fields(self) -> list[forms.BoundField]:
        return [self[f"tokens_{position}"] for position in range(self.players)]

    @property
    def result(self) -> dict[str, Any]:
        return {"ruled": [self.cleaned_data[f"tokens_{position}"] for position in range(self.players)]}


class TotalsForm(RulingForm):
    """A table's totals without its deals: the slip is lost, or there was none."""

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.fields["reason"] = reason_field(label=_("Why are there no deals?"))

    @property
    def result(self) -> dict[str, Any]:
        return super().result | {TOTALS_ONLY: True}
