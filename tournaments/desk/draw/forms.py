"""Forms of the draw: seed, swaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.web.choice_field import SoughtField, offer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.models import Entry
    from tournaments.web.choice_field import Offered


OF_THE_ROUND = {"invalid_choice": _("Choose a player who is seated in this round.")}
MOST_DIGITS = 5


class SeedForm(forms.Form):
    """A draw, with a seed or one that the program picks; `drawn` is the mark of the draw it replaces.

    `one_sits_out`: of five, who fit no tables of three and four, one sits out each round. `threes`: how tables of
    three are shared, with what either way costs.
    """

    seed = forms.IntegerField(
        label=_("Seed"),
        required=False,
        min_value=0,
        max_value=999_999_999,
        widget=forms.NumberInput({"inputmode": "numeric", "autocomplete": "off"}),
        help_text=_(
            "Leave it empty to have one chosen for you. The same players and seed always give the same seats."
        ),
    )
    threes = forms.ChoiceField(
        label=_("Tables of three"),
        required=False,
        choices=[("even", ""), ("fewest", "")],
        widget=forms.RadioSelect,
    )
    drawn = forms.CharField(required=False, widget=forms.HiddenInput)
    one_sits_out = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, threes: Mapping[str, str] | None, **fields: Any) -> None:
        """Offer the choice with these labels; without any there is no choice."""
        super().__init__(*args, **fields)
        if threes is None:
            del self.fields["threes"]
        else:
            cast("forms.ChoiceField", self.fields["threes"]).choices = list(threes.items())


class TablesForm(forms.Form):
    """Tables as the organiser writes them: a line a table, players' numbers in seat order, rounds apart."""

    tables = forms.CharField(
        label=_("Tables"),
        strip=False,
        max_length=100_000,
        widget=forms.Textarea(
            {"rows": 12, "inputmode": "text", "autocomplete": "off", "spellcheck": "false"}
        ),
        help_text=_(
            "One line per table: the players’ numbers, first dealer first, then in order of play."
            " An empty line between rounds."
        ),
    )
    drawn = forms.CharField(required=False, widget=forms.HiddenInput)
    one_sits_out = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def clean_tables(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The rounds in the planner's format; an error names the line that holds something else."""
        rounds: list[list[tuple[int, ...]]] = [[]]
        for line, text in enumerate(self.cleaned_data["tables"].splitlines(), start=1):
            words = text.replace(",", " ").replace(";", " ").split()
            if not words and rounds[-1]:
                rounds.append([])
            for word in words:
                if not (word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS):
                    raise forms.ValidationError(
                        gettext("Line %(line)d: “%(word)s” is not a player’s number.")
                        % {"line": line, "word": word[:20]}
                    )
            if words:
                rounds[-1].append(tuple(int(word) for word in words))
        return tuple(tuple(tables) for tables in rounds if tables)


class ApartForm(forms.Form):
    """Up to four players who do not want to share a table."""

    NAMES = ("first", "second", "third", "fourth")

    first = SoughtField(label=_("One player"), empty=_("choose"))
    second = SoughtField(label=_("Another player"), empty=_("choose"))
    third = SoughtField(label=_("A third"), empty=_("no one yet"), required=False)
    fourth = SoughtField(label=_("A fourth"), empty=_("no one yet"), required=False)
    strict = forms.BooleanField(
        label=_("Strictly"),
        required=False,
        help_text=_("Even if other players have to meet twice because of it."),
    )

    def __init__(self, *args: Any, players: Offered[Entry], **fields: Any) -> None:
        super().__init__(*args, **fields)
        offer(self, dict.fromkeys(self.NAMES, players))

    def clean(self) -> dict[str, Any]:
        chosen: list[Entry] = []
        for name in self.NAMES:
            entry = self.cleaned_data.get(name)
            if entry is not None and entry in chosen:
                self.add_error(name, _("Choose two different players."))
            elif entry is not None:
                chosen.append(entry)
        return {**self.cleaned_data, "entries": chosen}


class SubstituteForm(forms.Form):
    """The form of a substitute and the player whose seats they take."""

    gone = SoughtField(label=_("Instead of"))
    newcomer = SoughtField(label=_("plays"))

    def __init__(
        self, *args: Any, gone: Offered[Entry], late: Offered[Entry], page: str, **fields: Any
    ) -> None:
        super().__init__(*args, **fields)
        offer(self, {"gone": gone, "newcomer": late}, page)


class SwapForm(forms.Form):
    """Two seats of one round that are to change players; who has a bye is the entry's key, less than 0."""

    use_required_attribute = False  # who chooses one player alone is shown what each swap would change

    first = SoughtField(label=_("One player"), empty=_("choose"), error_messages=OF_THE_ROUND)
    second = SoughtField(
        label=_("Another player"),
        empty=_("choose"),
        error_messages=OF_THE_ROUND,
        help_text=_("Leave it empty to see what each swap would change."),
    )

    def __init__(self, *args: Any, seats: Offered[Any], **fields: Any) -> None:
        super().__init__(*args, **fields)
        offer(self, {"first": seats, "second": seats})

    def clean(self) -> dict[str, Any]:
        chosen = self.cleaned_data
        first, second = chosen.get("first"), chosen.get("second")
        if first is not None and first == second:
            self.add_error("second", _("Choose two different players."))
        elif first is not None and second is not None and first.pk < 0 and second.pk < 0:
            self.add_error("second", _("Both have a bye: choose someone who is at a table."))
        return chosen
