"""Swapping players of a drawn round, keeping some apart; the forms of the draw."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.errors import NotPossible
from core.http.steps import handle_button, handle_form, posted_data
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.lifecycle.planning import keep_apart, let_meet
from tournaments.lifecycle.seat_changes import sit_in, swap, swap_changes
from tournaments.lifecycle.seat_plan import may_swap, sitting_out
from tournaments.models import Entry, Round, Seat, Table, Tournament
from tournaments.web.choice_field import SoughtField, found_alone, offer, players_of
from tournaments.web.guards import DeskRequest, desk_view, find_round, number_in

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.http import HttpResponse

    from clubs.models import Account
    from tournaments.draw.quality import SwapChange
    from tournaments.lifecycle.seat_plan import PlannedRound
    from tournaments.web.choice_field import Offered


MOST_DIGITS = 5


class SeedForm(forms.Form):
    """A draw, with a seed or one that the program picks; `drawn` is the mark of the draw it replaces.

    `one_sits_out`: of five, who fit no tables of three and four, one sits out each round. `threes`: how tables of
    three are shared, with what either way costs.
    """

    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        required=False,
        min_value=0,
        max_value=999_999_999,
        widget=forms.NumberInput({"inputmode": "numeric", "autocomplete": "off"}),
        help_text=gettext_lazy(
            "Leave it empty to have one chosen for you. The same players and seed always give the same seats."
        ),
    )
    threes = forms.ChoiceField(
        label=gettext_lazy("Tables of three"),
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
        label=gettext_lazy("Tables"),
        strip=False,
        max_length=100_000,
        widget=forms.Textarea(
            {"rows": 12, "inputmode": "text", "autocomplete": "off", "spellcheck": "false"}
        ),
        help_text=gettext_lazy(
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

    first = SoughtField(label=gettext_lazy("One player"), empty=gettext_lazy("choose"))
    second = SoughtField(label=gettext_lazy("Another player"), empty=gettext_lazy("choose"))
    third = SoughtField(label=gettext_lazy("A third"), empty=gettext_lazy("no one yet"), required=False)
    fourth = SoughtField(label=gettext_lazy("A fourth"), empty=gettext_lazy("no one yet"), required=False)
    strict = forms.BooleanField(
        label=gettext_lazy("Strictly"),
        required=False,
        help_text=gettext_lazy("Even if other players have to meet twice because of it."),
    )

    def __init__(self, *args: Any, players: Offered[Entry], **fields: Any) -> None:
        super().__init__(*args, **fields)
        offer(self, dict.fromkeys(self.NAMES, players))

    def clean(self) -> dict[str, Any]:
        chosen: list[Entry] = []
        for name in self.NAMES:
            entry = self.cleaned_data.get(name)
            if entry is not None and entry in chosen:
                self.add_error(name, gettext_lazy("Choose two different players."))
            elif entry is not None:
                chosen.append(entry)
        return {**self.cleaned_data, "entries": chosen}


class SubstituteForm(forms.Form):
    """The form of a substitute and the player whose seats they take."""

    gone = SoughtField(label=gettext_lazy("Instead of"))
    newcomer = SoughtField(label=gettext_lazy("plays"))

    def __init__(
        self, *args: Any, gone: Offered[Entry], late: Offered[Entry], page: str, **fields: Any
    ) -> None:
        super().__init__(*args, **fields)
        offer(self, {"gone": gone, "newcomer": late}, page)


# Two players of a round change places, at tables or for a bye: what it costs, and the change.
#
# A place is named as it is sent: "1A" for a seat, "bye" for a bye; behind a dot the number of who is expected there.

BYE = "bye"
# From so many repeat meetings on a swap is marked as dear.
DEAR = 2
PLACE = re.compile(r"\s*(?:(\d{1,4})\s*([a-e])|(bye))\s*(?:\.(\d{1,6}))?\s*", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The player who is to change places; `table` is None for a bye."""

    entry: Entry
    at: str
    table: int | None = None
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a swap, as text; `is_dear` where it is better avoided."""

    words: str
    is_free: bool = False
    is_dear: bool = False


def seat_name(seat: Seat | None, number: int, table: Table | None = None) -> str:
    """A place as it is sent, with the number of the player who is there."""
    return (
        f"{(table or seat.table).number}{SEAT_LETTERS[seat.position]}.{number}" if seat else f"{BYE}.{number}"
    )


def find_chosen(planned: PlannedRound, name: str) -> Chosen | None:
    """The seat of this name; None if there is none, or if another player sits there now."""
    match = PLACE.fullmatch(name)
    if match is None:
        return None
    number, letter, bye, expected = match.groups()
    if bye:
        over = next((one for one in planned.bye if str(one.number) == expected), None)
        return Chosen(over, seat_name(None, over.number)) if over else None
    for table, chairs in planned.seated:
        for seat in chairs:
            if seat and table.number == int(number) and seat.letter == letter.upper():
                if expected and int(expected) != seat.entry.number:
                    return None
                at = seat_name(seat, seat.entry.number, table)
                return Chosen(seat.entry, at, table.number, seat.letter)
    return None


def price_swaps(planned: PlannedRound, chosen: Chosen) -> dict[int, Price]:
    """The price of a swap with each of the others, by entry number."""
    byes = [entry.number for entry in planned.bye]
    changes = swap_changes(planned.round, chosen.entry.number, byes)
    return {change.other: price_in_words(change) for change in changes}


def price_in_words(change: SwapChange) -> Price:
    """The worst that a swap does; where it does no harm, what it makes better, or that it costs nothing."""
    if change.wishes > 0:
        return Price(_("against someone’s wish"), is_dear=True)
    if change.repeats > 0:
        text = ngettext("%(count)d repeat", "%(count)d repeats", change.repeats)
        return Price(text % {"count": change.repeats}, is_dear=change.repeats >= DEAR)
    if change.club_mates > 0:
        text = ngettext("%(count)d pair of club-mates", "%(count)d pairs of club-mates", change.club_mates)
        return Price(text % {"count": change.club_mates})
    if change.seat_imbalance > 0:
        return Price(_("uneven seats"))
    return Price(_free_in_words(change), is_free=True)


def _free_in_words(change: SwapChange) -> str:
    if change.same_table:
        return _("only changes chairs")
    if change.repeats < 0:
        text = ngettext("%(count)d repeat fewer", "%(count)d repeats fewer", -change.repeats)
        return text % {"count": -change.repeats}
    return _("costs nothing")


@desk_view(helper=True)
def desk_swap(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Let the player at one place (`at`) change with who is at another (`to`); pressed twice it is done once."""
    round_ = find_round(tournament, number)
    page = f"{reverse('desk_draw', args=[tournament.code])}?round={number}"
    if request.method != "POST":
        return redirect(page)
    sent = request.POST if "at" in request.POST else request.GET  # an undo has them in its address
    at, to = sent.get("at", ""), sent.get("to", "")
    try:
        first, second = _change(round_, at, to, account=request.user, now=timezone.now())
    except NotPossible as refusal:
        messages.warning(request, refusal.message)
    else:
        said = _("%(first)s and %(second)s have swapped seats.") % {
            "first": first.player.name,
            "second": second.player.name,
        }
        back = {"at": f"{_place(to)}.{first.number}", "to": f"{_place(at)}.{second.number}"}
        messages.success(request, said, extra_tags=f"{request.path}?{urlencode(back)}")
    return redirect(f"{page}#round-{number}")


def _change(round_: Round, at: str, to: str, *, account: Account, now: datetime) -> tuple[Entry, Entry]:
    """Change the two, or leave them if that has been done already; return both, the one who was `at` first."""
    changed = NotPossible(_("The draw has changed since you opened the page. This is how it is now."))
    if not may_swap(round_):
        raise changed
    if not (PLACE.fullmatch(at) and PLACE.fullmatch(to)):
        raise NotPossible(_("There is no seat %(seat)s in this round.") % {"seat": to[:10]})
    there = _who_is_where(round_)
    first = next((one for one in there.values() if one.entry.number == _number(at)), None)
    if first is None:
        raise changed
    if _place(first.name) == _place(at):
        second = there.get(_key(to))
        if second is None:
            raise NotPossible(_("There is no seat %(seat)s in this round.") % {"seat": to[:10]})
        if second == first:
            raise NotPossible(_("Choose two different players."))
        if _number(to) not in {None, second.entry.number}:
            raise changed
        _swap(round_, first, second, account=account, now=now)
        return first.entry, second.entry
    second = there.get(_key(f"{_place(at)}.{_number(to)}"))
    if _place(first.name) != _place(to) or second is None:
        raise changed
    return first.entry, second.entry


def _place(name: str) -> str:
    """The place of a name without the number behind it: "1A", or "bye"."""
    place = name.partition(".")[0].replace(" ", "").upper()
    return BYE if place == BYE.upper() else place


def _number(name: str) -> int | None:
    return number_in(name.partition(".")[2].strip())


@dataclass(frozen=True, slots=True)
class _There:
    name: str
    entry: Entry
    seat: Seat | None


def _key(name: str) -> str:
    """The lookup key of a place; of a bye its player's."""
    return f"{BYE}.{_number(name)}" if _place(name) == BYE else _place(name)


def _who_is_where(round_: Round) -> dict[str, _There]:
    seats = round_.seats.select_related("entry__player", "table")
    there = [_There(seat_name(seat, seat.entry.number), seat.entry, seat) for seat in seats]
    there += [_There(seat_name(None, one.number), one, None) for one in sitting_out(round_)]
    return {_key(one.name): one for one in there}


def _swap(round_: Round, first: _There, second: _There, *, account: Account, now: datetime) -> None:
    if first.seat and second.seat:
        swap(round_, first.seat, second.seat, account=account, now=now)
    elif seat := first.seat or second.seat:
        over = second.entry if first.seat else first.entry
        sit_in(round_, seat, over, account=account, now=now)
    else:
        raise NotPossible(_("Both have a bye: choose someone who is at a table."))


# Wishes not to share a table, entered at the desk before the draw.


@dataclass(frozen=True)
class Wish:
    numbers: str  # as the form that forgets it sends them
    names: list[str]
    strict: bool


def _wishes(tournament: Tournament) -> list[Wish]:
    wishes = tournament.not_together
    asked = {number for wish in wishes for number in wish["entries"]}
    names = dict(tournament.entries.filter(number__in=asked).values_list("number", "player__name"))
    return [
        Wish(
            numbers=" ".join(str(number) for number in wish["entries"]),
            names=[names[number] for number in wish["entries"] if number in names],
            strict=wish["strict"],
        )
        for wish in wishes
    ]


@desk_view(helper=True)
def desk_apart(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """List the wishes, and take another one."""
    form = ApartForm(posted_data(request), players=players_of(tournament))
    if hits := found_alone(request, form):
        return hits

    def step_arguments() -> dict[str, object]:
        return {name: form.cleaned_data[name] for name in ("entries", "strict")}

    step, said = partial(keep_apart, tournament), _("They will be kept apart in the next draw.")
    if done := handle_form(
        request, form, step, said, "desk_apart", tournament.code, arguments=step_arguments
    ):
        return done
    context = {"tournament": tournament, "form": form, "wishes": _wishes(tournament)}
    return render(request, "desk/draw/apart.html", context)


@desk_view(helper=True)
@require_POST
def desk_let_meet(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Forget a wish."""
    words = request.POST.get("numbers", "").split()
    numbers = [number for word in words if (number := number_in(word)) is not None]
    step, said = partial(let_meet, tournament, numbers), _("They may share a table again.")
    return handle_button(request, step, said, "desk_apart", tournament.code)


urlpatterns = [
    path("desk/t/<str:code>/draw/round/<int:number>/swap/", desk_swap, name="desk_swap"),
    path("desk/t/<str:code>/draw/apart/", desk_apart, name="desk_apart"),
    path("desk/t/<str:code>/draw/apart/forget/", desk_let_meet, name="desk_let_meet"),
]
