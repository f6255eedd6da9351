"""The form of a team that a club enters, and the two pages on which a club enters, changes and withdraws its teams.

A club has them at its desk, and by the link that the union has sent it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import Q
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.members import search_filter
from clubs.models import Membership
from core.forms import NameField, SeenForm
from core.http.steps import as_account, handle_button, handle_form
from tournaments.lifecycle.team_entries import (
    EnteredTeam,
    change_entry,
    enter_team,
    line_up_of,
    why_closed,
    withdraw_entry,
)
from tournaments.models import TeamEntry
from tournaments.models.names import NAME_LENGTH
from tournaments.web.choice_field import InTable, SoughtField, found_alone, offer

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from clubs.models import Account, Club, Player
    from tournaments.models import Tournament

GONE = gettext_lazy("This player is no longer available. Check the list again.")


class TeamEntryForm(SeenForm, forms.Form):
    """A club's team: name, home venue, as many players as play at a time, reserves, and the captain."""

    name = NameField(label=gettext_lazy("Name of the team"), max_length=NAME_LENGTH)
    place = NameField(
        label=gettext_lazy("Home venue"),
        required=False,
        max_length=120,
        help_text=gettext_lazy("Where its home matches are, if the teams visit each other."),
    )

    def __init__(
        self,
        *args: Any,
        tournament: Tournament,
        club: Club,
        entry: TeamEntry | None,
        page: str,
        **fields: Any,
    ) -> None:
        super().__init__(*args, **fields)
        self.entry = entry
        row = tournament.format_row
        if row.named_by_players:
            self.fields["name"].required = False
            self.fields["name"].help_text = _("Leave it empty to use the players’ names.")
        there = line_up_of(entry) if entry else EnteredTeam()
        offered = _members(club, [*there.players, *there.reserves])
        self.player_names = self._choices("player", _("Player %d"), row.team_size, required=True)
        self.reserve_names = self._choices("reserve", _("Reserve %d"), row.reserves, required=False)
        names = (*self.player_names, *self.reserve_names)
        self.fields["captain"] = forms.ChoiceField(
            label=_("Captain of the team"),
            choices=[(name, self.fields[name].label) for name in names],
            help_text=_("Who gets the team’s letters and its link."),
        )
        if entry:
            self.initial = _initial(there)
            for name in names:
                self.fields[name].initial = self.initial.get(name, "")
        offer(self, dict.fromkeys(names, offered), page)

    @property
    def is_of_stored(self) -> bool:
        return self.entry is not None

    def _choices(self, kind: str, label: str, count: int, *, required: bool) -> list[str]:
        names = [f"{kind}_{place}" for place in range(1, count + 1)]
        missing = ngettext(
            "A team here has %(count)d player: choose one here, too.",
            "A team here has %(count)d players: choose one here, too.",
            count,
        )
        said = {"required": missing % {"count": count}, "invalid_choice": GONE}
        for place, name in enumerate(names, start=1):
            self.fields[name] = SoughtField(
                label=label % place, required=required, empty=_("no one yet"), error_messages=said
            )
        return names

    def entered(self) -> EnteredTeam:
        """The team of a valid form."""
        chosen = self.cleaned_data
        return EnteredTeam(
            chosen["name"],
            chosen["place"],
            getattr(chosen[chosen["captain"]], "player", None),
            [chosen[name].player for name in self.player_names],
            [chosen[name].player for name in self.reserve_names if chosen[name] is not None],
        )


def _members(club: Club, own: list[Player]) -> InTable[Membership]:
    """The members of a club by name, with whom of its line-up is none any more."""
    held = Membership.objects.filter(club=club).select_related("player")
    present = held.filter(left=None)
    left = held.filter(player__in=[one.pk for one in own]).exclude(player__in=present.values("player"))
    offered = held.filter(Q(left=None) | Q(pk__in=left.values("pk"))) if own else present
    return InTable(
        offered.order_by("player__sorted_as", "pk"),
        "player_id",
        lambda one: f"{one.player.name} ({one.number})" if one.number else one.player.name,
        lambda query: offered.filter(search_filter(query)),
    )


def _initial(there: EnteredTeam) -> dict[str, Any]:
    fields = {f"player_{place}": one for place, one in enumerate(there.players, 1)}
    fields |= {f"reserve_{place}": one for place, one in enumerate(there.reserves, 1)}
    captain = next((name for name, one in fields.items() if one == there.captain), "player_1")
    keys = {name: one.pk for name, one in fields.items()}
    return {"name": there.name, "place": there.place, "captain": captain, **keys}


@dataclass(frozen=True)
class ClubSide:
    """The page where a club enters its teams: at its desk with an account, or by its link without one."""

    tournament: Tournament
    club: Club
    account: Account | None
    # Names of the page of all entries and of the page of one, with the arguments that both begin with.
    names: tuple[str, str]
    arguments: tuple[str, ...]

    @property
    def every(self) -> tuple[str, ...]:
        return self.names[0], *self.arguments

    def entry_page(self, number: int) -> tuple[Any, ...]:
        return self.names[1], *self.arguments, number


def show_entries(request: HttpRequest, side: ClubSide) -> HttpResponse:
    """A club's entries, and a form for another team."""
    sent = request.POST if request.method == "POST" else None
    page = reverse(side.every[0], args=side.arguments)
    form = TeamEntryForm(sent, tournament=side.tournament, club=side.club, entry=None, page=page)
    if hits := found_alone(request, form):
        return hits
    step = as_account(partial(enter_team, side.tournament, side.club), side.account)
    done = handle_form(
        request,
        form,
        step,
        _("The team has been entered."),
        *side.every,
        arguments=lambda: {"typed": form.entered()},
    )
    entries = side.tournament.team_entries.filter(club=side.club).select_related("team")
    return done or _render(request, side, form, entries=_with_addresses(side, entries))


def _with_addresses(side: ClubSide, entries: Any) -> list[tuple[TeamEntry, str]]:
    entries = entries.prefetch_related("players__player")
    return [(one, reverse(side.names[1], args=[*side.arguments, one.number])) for one in entries]


def show_entry(request: HttpRequest, side: ClubSide, number: int) -> HttpResponse:
    """One entry of a club: change or withdraw it."""
    found = TeamEntry.objects.select_related("tournament__host", "club", "team")
    entry = get_object_or_404(found, tournament=side.tournament, club=side.club, number=number)
    here = side.entry_page(number)
    if request.POST.get("do") == "withdraw":
        step = as_account(partial(withdraw_entry, entry), side.account)
        return handle_button(request, step, _("The entry has been withdrawn."), *here)
    sent = request.POST if request.method == "POST" else None
    page = reverse(here[0], args=here[1:])
    form = TeamEntryForm(sent, tournament=side.tournament, club=side.club, entry=entry, page=page)
    if hits := found_alone(request, form):
        return hits
    step = as_account(partial(change_entry, entry), side.account)
    done = handle_form(
        request, form, step, _("It has been changed."), *here, arguments=lambda: {"typed": form.entered()}
    )
    return done or _render(request, side, form, entry=entry, **entry_shown(entry))


def entry_shown(entry: TeamEntry) -> dict[str, Any]:
    """The common context of an entry's pages."""
    return {
        "players": entry.players.select_related("player"),
        "rulings": entry.rulings.all(),
    }


def _render(request: HttpRequest, side: ClubSide, form: TeamEntryForm, **more: Any) -> HttpResponse:
    by_link = side.account is None
    context = {
        "layout": "hall/base.html" if by_link else "clubs/base.html",
        "by_link": by_link,
        "tournament": side.tournament,
        "club": side.club,
        "form": form,
        "closed": why_closed(side.tournament),
        "every": reverse(side.every[0], args=side.arguments),
        **more,
    }
    return render(request, "desk/teams/club_entries.html", context)
