"""The form of an evening's prizes, on the page of the money and at the finish, and what is proposed there."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.forms import SeenForm
from core.text import clean_text
from tournaments.domain.amounts import read_amounts, to_type
from tournaments.domain.prizes import MOST_LETTERS, MOST_PRIZES, are_amounts, are_things, read_shares
from tournaments.domain.terms import people
from tournaments.lifecycle.money import has_prizes
from tournaments.models import Tournament

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.lifecycle.money import Podium

# Prizes by place are per cents of the entry fees, or kroner.
SHARES, AMOUNTS = "shares", "amounts"


def _sent(data: Mapping[str, Any], name: str) -> list[str]:
    """The values of all fields of this name, from a browser's form or from a dictionary."""
    if isinstance(data, QueryDict):
        return data.getlist(name)
    return [data[name]] if name in data else []


class _PlacesInput(forms.TextInput):
    """A widget for the prizes of all places: one field, or a field for each; an empty one before others is 0."""

    def value_from_datadict(self, data: Mapping[str, Any], _files: Any, name: str) -> str:
        fields = _sent(data, name)
        if len(fields) < 2:  # all places in one field
            return "".join(fields)
        typed = ["".join(field.split()) for field in fields]
        while typed and not typed[-1]:
            typed.pop()
        return " ".join(value or "0" for value in typed)


class _LinesInput(forms.Textarea):
    """A widget with a line for each place in one field, or a field for each."""

    def value_from_datadict(self, data: Mapping[str, Any], _files: Any, name: str) -> str:
        return "\r\n".join(_sent(data, name)).rstrip()


class PrizesForm(SeenForm, forms.Form):
    """`prizes()` are the prizes by place, in money and in kind; an empty form means no prizes."""

    unit = forms.ChoiceField(
        label=gettext_lazy("Prizes are"),
        choices=[
            (SHARES, gettext_lazy("per cent of the entry fees")),
            (AMOUNTS, gettext_lazy("fixed amounts in kroner")),
        ],
        widget=forms.RadioSelect,
    )
    by_place = forms.CharField(
        label=gettext_lazy("Prize"),
        required=False,
        max_length=400,
        widget=_PlacesInput({"autocomplete": "off"}),
    )

    things = forms.CharField(
        label=gettext_lazy("Something else, if any"),
        required=False,
        strip=False,  # an empty line before others is a place without one
        widget=_LinesInput({"rows": 3, "autocomplete": "off"}),
    )

    def clean_things(self) -> list[str]:
        lines = [clean_text(line) for line in self.cleaned_data["things"].splitlines()]
        while lines and not lines[-1]:
            lines.pop()
        if not are_things(lines):
            said = {"most": MOST_PRIZES, "letters": MOST_LETTERS}
            raise forms.ValidationError(
                _("At most %(most)d lines of at most %(letters)d characters each."), params=said
            )
        return lines

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        typed = cleaned.get("by_place", "")
        try:
            if cleaned.get("unit") == SHARES:
                cleaned[SHARES], cleaned[AMOUNTS] = read_shares(typed), []
            elif cleaned.get("unit") == AMOUNTS:
                cleaned[SHARES], cleaned[AMOUNTS] = [], _amounts(typed)
        except ValueError:
            self.add_error("by_place", self._how())
        return cleaned

    def _how(self) -> str:
        if self.cleaned_data.get("unit") == SHARES:
            return _("Type whole percentages by place, such as 50, 30 and 20, adding up to at most 100.")
        return _("Type kroner by place, such as 300, 200 and 100.")

    def prizes(self) -> dict[str, list[Any]]:
        return {kind: self.cleaned_data[kind] for kind in (SHARES, AMOUNTS, "things")}


def _amounts(typed: str) -> list[int]:
    amounts = read_amounts(typed)
    if not are_amounts(amounts):
        raise ValueError(typed)
    return amounts


def prizes_typed(tournament: Tournament) -> dict[str, str]:
    """A tournament's prizes as the form has them."""
    things = {"things": "\r\n".join(tournament.prize_things)}  # as browsers send lines
    if tournament.prize_amounts:
        return things | {"unit": AMOUNTS, "by_place": " ".join(map(to_type, tournament.prize_amounts))}
    return things | {"unit": SHARES, "by_place": " ".join(map(str, tournament.prize_shares))}


class PrizesLastTime(NamedTuple):
    """The prizes of the host's last evening that had some: in words, and as the form has them."""

    said: str
    typed: dict[str, str]


def prizes_last_time(tournament: Tournament) -> PrizesLastTime | None:
    """None where there were none, and where the tournament has prizes."""
    if has_prizes(tournament):
        return None
    none: dict[str, list[int]] = {"prize_shares": [], "prize_amounts": [], "prize_things": []}
    before = Tournament.objects.not_called_off().filter(host=tournament.host_id, date__lte=tournament.date)
    last = before.exclude(pk=tournament.pk).exclude(**none).order_by("-date", "-pk").first()
    if last is None:
        return None
    if last.prize_amounts:
        money = _("%(amounts)s kroner") % {"amounts": ", ".join(map(to_type, last.prize_amounts))}
    else:
        money = f"{', '.join(map(str, last.prize_shares))} %" if last.prize_shares else ""
    things = ", ".join(filter(None, last.prize_things))
    return PrizesLastTime(" · ".join(filter(None, (money, things))), prizes_typed(last))


# Per cent of the pool that are proposed for the first places, where nothing has been set before.
USUAL_SHARES = 50, 30, 20


class PrizeRow(NamedTuple):
    """A place, who has it, its prize in money, and what it gets besides."""

    place: int
    name: str
    money: str
    thing: str = ""


def proposed_prizes(pool: int, podiums: Sequence[Podium]) -> list[PrizeRow]:
    """Split `pool` (øre) by the usual shares into whole kroner; the remainder goes to the first place."""
    whole = pool // 100
    kroner = [whole * share // 100 for share in USUAL_SHARES]
    kroner[0] += whole - sum(kroner)
    places = podiums[0].places if len(podiums) == 1 else ()  # divisions have the same prizes each
    return [
        PrizeRow(
            place,
            people([one.name for one in places if one.rank == place]),
            to_type(100 * amount) if amount else "",
        )
        for place, amount in enumerate(kroner, start=1)
    ]


# So many places have a row at least, and so many rows more than prizes are offered.
LEAST_ROWS, MORE_ROWS = 5, 2


def prize_rows(form: PrizesForm) -> list[PrizeRow]:
    """The prizes as they were typed or are set, a row for each place."""
    money = str(form["by_place"].value() or "").split()
    things = str(form["things"].value() or "").splitlines()
    count = max(LEAST_ROWS, max(len(money), len(things)) + MORE_ROWS)
    rows = zip_longest(range(1, min(count, MOST_PRIZES) + 1), money, things, fillvalue="")
    return [
        PrizeRow(place, "", "" if amount == "0" else amount, thing)
        for place, (_number, amount, thing) in enumerate(rows, start=1)
    ]
