"""What is typed about pairs and teams: who is in them, their names and groups."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from core.forms import SeenForm
from tournaments.entries.teams import MOST_GROUPS, Lineup
from tournaments.ledger.queries import without_team
from tournaments.models import Entry, Team, Tournament
from tournaments.models.names import NAME_LENGTH
from tournaments.web.choice_field import AtHand, SoughtField, name_and_number, offer

GONE = {"invalid_choice": _("This player is no longer free. Check the list again.")}


class TeamForm(SeenForm, forms.Form):
    """A pair or team: its players by entry number, and for a team its reserves."""

    refused_at = {"members": "member_1"}

    name = forms.CharField(
        label=_("Name"),
        required=False,
        max_length=NAME_LENGTH,
        widget=forms.TextInput({"autocomplete": "off"}),
        help_text=_("Leave it empty to use the players’ names."),
    )
    division = forms.IntegerField(
        label=_("Group"),
        min_value=1,
        max_value=MOST_GROUPS,
        initial=1,
        widget=forms.NumberInput({"inputmode": "numeric"}),
    )
    club = forms.ModelChoiceField(
        Club.objects.none(),
        label=_("Club"),
        required=False,
        empty_label=_("the players' own"),
    )

    def __init__(self, *args: Any, tournament: Tournament, team: Team | None = None, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.tournament, self.team = tournament, team
        mine = list(team.members.select_related("player")) if team else []
        players = AtHand([*mine, *without_team(tournament)], key=attrgetter("number"), label=name_and_number)
        playing = [entry.number for entry in mine if not entry.reserve]
        reserves = [entry.number for entry in mine if entry.reserve]
        row = tournament.format_row
        self.member_names = self._choices("member", _("Player %d"), row.team_size, playing)
        self.reserve_names = self._choices("reserve", _("Reserve %d"), row.reserves, reserves)
        page = reverse(
            "desk_team" if team else "desk_teams", args=[tournament.code, *([team.number] if team else [])]
        )
        offer(self, dict.fromkeys((*self.member_names, *self.reserve_names), players), page)
        clubs = Club.objects.filter(entries__tournament=tournament).distinct()
        self.fields["club"].queryset = clubs  # type: ignore[attr-defined]
        self.fields["division"].label = row.words.group
        if team:
            own = " / ".join(entry.player.name for entry in mine if not entry.reserve)
            self.initial = {
                "name": "" if team.name == own else team.name,
                "division": team.division,
                "club": team.club_id,
            }

    @property
    def is_of_stored(self) -> bool:
        return self.team is not None

    def _choices(self, kind: str, label: Any, count: int, chosen: list[int]) -> list[str]:
        """Add fields for so many players, and return their names."""
        names = [f"{kind}_{place}" for place in range(1, count + 1)]
        for place, name in enumerate(names, start=1):
            self.fields[name] = SoughtField(
                label=label % place,
                required=False,
                empty=_("no one yet"),
                error_messages=GONE,
                initial=chosen[place - 1] if place <= len(chosen) else "",
            )
        return names

    @property
    def players(self) -> list[forms.BoundField]:
        """The fields of those who play, then those of the reserves."""
        return [self[name] for name in (*self.member_names, *self.reserve_names)]

    def clean(self) -> dict[str, Any]:
        chosen: list[Entry] = []
        for name in (*self.member_names, *self.reserve_names):
            entry = self.cleaned_data.get(name)
            if entry is not None and entry in chosen:
                self.add_error(name, _("Choose two different players."))
            elif entry is not None:
                chosen.append(entry)
        if not chosen and not self.errors:
            self.add_error("member_1", _("Choose at least one player."))
        return self.cleaned_data

    def lineup(self) -> Lineup:
        """What was typed, once it is valid."""
        return Lineup(
            name=self.cleaned_data["name"],
            club=self.cleaned_data["club"],
            division=self.cleaned_data["division"],
            members=self._entries(self.member_names),
            reserves=self._entries(self.reserve_names),
        )

    def _entries(self, names: list[str]) -> list[Entry]:
        return [entry for name in names if (entry := self.cleaned_data[name]) is not None]


class GroupsForm(forms.Form):
    groups = forms.IntegerField(
        label=_("Groups"),
        min_value=1,
        max_value=MOST_GROUPS,
        widget=forms.NumberInput({"inputmode": "numeric"}),
        help_text=_("Everyone meets everyone within a group; six to eight make an evening or a season."),
    )
