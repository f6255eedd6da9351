"""The organiser's page of pairs and teams, with its forms."""

from __future__ import annotations

import secrets
from functools import partial, wraps
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from clubs.models import Club
from core.errors import NotPossible
from core.forms import SeenForm, field_of
from core.http.steps import handle_button, handle_form, posted_data
from tournaments.desk.people.forms import WithdrawForm
from tournaments.entries import teams as making
from tournaments.entries.teams import MOST_GROUPS, Lineup
from tournaments.ledger import queries
from tournaments.ledger.queries import without_team
from tournaments.models import Entry, Team, TeamEntry, Tournament
from tournaments.models.events import MOST_OF_A_CLUB
from tournaments.models.names import NAME_LENGTH
from tournaments.seasons.next_season import (
    earlier_seasons,
    move_in_words,
    places_after,
    season_before,
    take_teams,
)
from tournaments.web.choice_field import AtHand, SoughtField, found_alone, name_and_number, offer
from tournaments.web.fields import whole_number
from tournaments.web.guards import DeskRequest, as_shown, desk_view, only_with

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.http import HttpResponse


# What is typed about pairs and teams: who is in them, their names and groups.

GONE = {"invalid_choice": gettext_lazy("This player is no longer available. Check the list again.")}


class TeamForm(SeenForm, forms.Form):
    """A pair or team: its players by entry number, and for a team its reserves."""

    refused_at = {"members": "member_1"}

    name = forms.CharField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=NAME_LENGTH,
        widget=forms.TextInput({"autocomplete": "off"}),
        help_text=gettext_lazy("Leave it empty to use the players’ names."),
    )
    division = forms.IntegerField(
        label=gettext_lazy("Group"),
        min_value=1,
        max_value=MOST_GROUPS,
        initial=1,
        widget=forms.NumberInput({"inputmode": "numeric"}),
    )
    club = forms.ModelChoiceField(
        Club.objects.none(),
        label=gettext_lazy("Club"),
        required=False,
        empty_label=gettext_lazy("the players’ own"),
    )

    place = forms.CharField(
        label=gettext_lazy("Home venue"),
        required=False,
        max_length=120,
        help_text=gettext_lazy("Where its home matches are, if the teams visit each other."),
    )

    def __init__(self, *args: Any, tournament: Tournament, team: Team | None = None, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.tournament, self.team = tournament, team
        mine = list(team.members.select_related("player")) if team else []
        players = AtHand([*mine, *without_team(tournament)], key=attrgetter("number"), label=name_and_number)
        playing = [entry.number for entry in mine if not entry.reserve]
        reserves = [entry.number for entry in mine if entry.reserve]
        row = tournament.format_row
        self.member_names = self._choices("member", gettext_lazy("Player %d"), row.team_size, playing)
        self.reserve_names = self._choices("reserve", gettext_lazy("Reserve %d"), row.reserves, reserves)
        page = reverse(
            "desk_team" if team else "desk_teams", args=[tournament.code, *([team.number] if team else [])]
        )
        offer(self, dict.fromkeys((*self.member_names, *self.reserve_names), players), page)
        clubs = Club.objects.filter(entries__tournament=tournament).distinct()
        field_of(self, "club").queryset = clubs
        self.fields["division"].label = row.words.group
        if team:
            own = " / ".join(entry.player.name for entry in mine if not entry.reserve)
            self.initial = {
                "name": "" if team.name == own else team.name,
                "division": team.division,
                "club": team.club_id,
                "place": team.place,
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
                empty=gettext_lazy("no one yet"),
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
                self.add_error(name, gettext_lazy("Choose two different players."))
            elif entry is not None:
                chosen.append(entry)
        if not chosen and not self.errors:
            self.add_error("member_1", gettext_lazy("Choose at least one player."))
        return self.cleaned_data

    def lineup(self) -> Lineup:
        """The line-up of a valid form."""
        return Lineup(
            name=self.cleaned_data["name"],
            club=self.cleaned_data["club"],
            division=self.cleaned_data["division"],
            place=self.cleaned_data["place"],
            members=self._entries(self.member_names),
            reserves=self._entries(self.reserve_names),
        )

    def _entries(self, names: list[str]) -> list[Entry]:
        return [entry for name in names if (entry := self.cleaned_data[name]) is not None]


class GroupsForm(forms.Form):
    groups = forms.IntegerField(
        label=gettext_lazy("Groups"),
        min_value=1,
        max_value=MOST_GROUPS,
        widget=forms.NumberInput({"inputmode": "numeric"}),
        help_text=gettext_lazy(
            "Everyone meets everyone within a group; six to eight make an evening or a season."
        ),
    )


# Who plays together: pairs and teams at the desk.


def lack_in_words(team: Team) -> str:
    """The reason why a pair or team cannot be drawn; empty if it can."""
    missing = queries.lacks(team)
    if team.withdrawn:
        return ""
    if missing:
        return ngettext("lacks a player", "lacks %(count)d players", missing) % {"count": missing}
    waited = [entry for entry in queries.regulars(team) if entry.status == Entry.Status.ENTERED]
    if waited:
        return _("not here yet: %(names)s") % {"names": ", ".join(entry.player.name for entry in waited)}
    return ""


def _find(tournament: Tournament, number: int) -> Team:
    only_with(tournament, "teams")
    teams = Team.objects.select_related("tournament__host", "club")
    return get_object_or_404(teams, tournament=tournament, number=number)


def _meant(request: DeskRequest, tournament: Tournament, number: int) -> Team:
    """The pair or team of the page with the button; refused if it was dissolved, even if its number was reused.

    Raises Http404 if the page named none, and none has that number.
    """
    only_with(tournament, "teams")
    seen = as_shown(request, "team")
    if seen is None:
        return _find(tournament, number)
    teams = Team.objects.select_related("tournament__host", "club")
    team = teams.filter(tournament=tournament, number=number, pk=seen).first()
    if team is None:
        raise NotPossible(_("It has been dissolved in the meantime."))
    return team


def _button_of_a_team(
    view: Callable[[DeskRequest, Team], HttpResponse],
) -> Callable[[DeskRequest, Tournament, int], HttpResponse]:
    """Call `view(request, team)` with the team of the page, or show the error above the list."""

    @wraps(view)
    def button(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
        try:
            team = _meant(request, tournament, number)
        except NotPossible as refusal:
            messages.warning(request, refusal.message)
            return redirect("desk_teams", tournament.code)
        return view(request, team)

    return button


def _page(request: DeskRequest, tournament: Tournament, **forms: Any) -> HttpResponse:
    teams = queries.teams_of(tournament)
    free = queries.without_team(tournament)
    divisions = sorted({team.division for team in teams if not team.withdrawn})
    context = {
        "tournament": tournament,
        "teams": [(team, lack_in_words(team)) for team in teams],
        "count": sum(not team.withdrawn for team in teams),
        "divisions": divisions,
        "free": free,
        "enough_free": queries.fill_a_team(tournament, free),
        "rounds_needed": queries.rounds_needed(tournament),
        "form": TeamForm(tournament=tournament),
        "has_earlier": not teams and bool(earlier_seasons(tournament)),
        "groups": GroupsForm(initial={"groups": max(divisions, default=1)}),
    }
    return render(request, "desk/teams/teams.html", context | forms)


def _together(form: TeamForm) -> str:
    if not queries.fill_a_team(form.tournament, form.lineup().members):
        return _("They play together; one player is still missing.")
    return _("They play together.")


@desk_view(helper=True)
def desk_teams(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Every pair or team, who has none, and a form for another."""
    only_with(tournament, "teams")
    form = TeamForm(posted_data(request), tournament=tournament)
    if hits := found_alone(request, form):
        return hits

    def success_message(_made: Team) -> str:
        return _together(form)

    page, step = ("desk_teams", tournament.code), partial(making.make_team, tournament)
    done = handle_form(
        request, form, step, success_message, *page, arguments=lambda: {"lineup": form.lineup()}
    )
    return done or _page(request, tournament, form=form)


@desk_view(helper=True)
@require_POST
def desk_put_together(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    seed = secrets.randbelow(10**6) if "lot" in request.POST else None
    said = _("They have been formed in the order of entry.")
    if seed is not None:
        said = _("They have been formed by lot, with seed %(seed)d.") % {"seed": seed}
    step = partial(making.put_together, tournament, seed=seed)
    return handle_button(request, step, said, "desk_teams", tournament.code)


@desk_view(helper=True)
@require_POST
def desk_groups(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    form = GroupsForm(request.POST)
    step, said = partial(making.split_into_groups, tournament), _("The groups have been created.")
    done = handle_form(request, form, step, said, "desk_teams", tournament.code)
    return done or _page(request, tournament, groups=form)


@desk_view(helper=True)
@require_POST
def desk_all_meet(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    page = "desk_draw" if request.POST.get("from") == "draw" else "desk_teams"
    step, said = (
        partial(making.plan_all_meetings, tournament),
        _("The rounds have been set for a full round robin."),
    )
    return handle_button(request, step, said, page, tournament.code)


def _show(request: DeskRequest, team: Team, **forms: Any) -> HttpResponse:
    tournament = team.tournament
    entry = TeamEntry.objects.filter(team=team).select_related("club").first()
    context = {
        "tournament": tournament,
        "team": team,
        "entry": entry,
        "rulings": entry.rulings.all() if entry else (),
        "lack": lack_in_words(team),
        "has_played": queries.has_played(team),
        "needs_ruling": making.needs_ruling(team),
        "form": TeamForm(tournament=tournament, team=team),
        "withdraw": WithdrawForm(),
    }
    return render(request, "desk/teams/team.html", context | forms)


@desk_view(helper=True)
def desk_team(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Change a pair or team."""
    team = _find(tournament, number)
    form = TeamForm(posted_data(request), tournament=tournament, team=team)
    if hits := found_alone(request, form):
        return hits
    page, step = ("desk_teams", tournament.code), partial(making.change_team, team)
    done = handle_form(
        request, form, step, _("It has been changed."), *page, arguments=lambda: {"lineup": form.lineup()}
    )
    return done or _show(request, team, form=form)


@desk_view(helper=True)
@require_POST
@_button_of_a_team
def desk_withdraw_team(request: DeskRequest, team: Team) -> HttpResponse:
    form = WithdrawForm(request.POST)
    step, said = partial(making.withdraw_team, team), _("%(name)s has withdrawn.") % {"name": team}
    done = handle_form(request, form, step, said, "desk_teams", team.tournament.code)
    return done or _show(request, team, withdraw=form)


@desk_view(helper=True)
@require_POST
@_button_of_a_team
def desk_team_back(request: DeskRequest, team: Team) -> HttpResponse:
    said, step = _("%(name)s is back.") % {"name": team}, partial(making.bring_team_back, team)
    return handle_button(request, step, said, "desk_team", team.tournament.code, team.number)


@desk_view(helper=True)
@require_POST
@_button_of_a_team
def desk_dissolve(request: DeskRequest, team: Team) -> HttpResponse:
    said = _("The players are available again.")
    return handle_button(request, partial(making.dissolve, team), said, "desk_teams", team.tournament.code)


# The page that takes the teams of an earlier season along, with promotion and relegation.


class EarlierForm(forms.Form):
    """The season, the teams that do not play or decline to go up, and how many of a club may be in a division."""

    earlier = forms.ModelChoiceField(
        Tournament.objects.none(), label=gettext_lazy("The earlier season"), to_field_name="code"
    )
    most_of_club = whole_number(
        gettext_lazy("Maximum number of teams from one club in a division"), 0, MOST_OF_A_CLUB, 0,
        gettext_lazy("No team is promoted into a division where its club already has this many. 0 for no "
        "limit."),
    )  # fmt: skip

    def __init__(self, *args: Any, offered: Sequence[Tournament], **fields: Any) -> None:
        super().__init__(*args, **fields)
        keys = [one.pk for one in offered]
        field_of(self, "earlier").queryset = Tournament.objects.filter(pk__in=keys)
        field_of(self, "earlier").empty_label = None
        if offered:
            self.fields["earlier"].initial = offered[0].code

    def ticked(self, name: str) -> set[int]:
        """The numbers of the teams that are ticked under this name; anything else is none."""
        sent = self.data.getlist(name) if hasattr(self.data, "getlist") else []
        return {int(one) for one in sent if one.isascii() and one.isdigit() and len(one) < len("10000")}

    @property
    def choice(self) -> dict[str, Any]:
        return {
            "away": self.ticked("away"),
            "declined": self.ticked("declined"),
            "most_of_club": self.cleaned_data["most_of_club"],
        }


@desk_view()
def desk_earlier_teams(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Look at where the teams of an earlier season would play, and take them along."""
    only_with(tournament, "teams")
    offered = earlier_seasons(tournament)
    if tournament.teams.exists() or not offered:
        return redirect("desk_teams", tournament.code)
    sent = request.POST if request.method == "POST" else None
    asked = request.GET.get("earlier")
    chosen = next((one for one in offered if one.code == asked), season_before(tournament, offered))
    first = {"earlier": chosen.code, "most_of_club": str(tournament.most_of_club)}
    form = EarlierForm(sent or first, offered=offered)
    if sent and "take" in sent:

        def success_message(count: int) -> str:
            text = ngettext(
                "%(count)d team has been taken over.", "%(count)d teams have been taken over.", count
            )
            return text % {"count": count}

        step, typed = (
            partial(take_teams, tournament=tournament),
            lambda: form.choice | {"earlier": form.cleaned_data["earlier"]},
        )
        if done := handle_form(
            request, form, step, success_message, "desk_teams", tournament.code, arguments=typed
        ):
            return done
    places = places_after(form.cleaned_data["earlier"], **form.choice) if form.is_valid() else None
    context = {
        "tournament": tournament,
        "form": form,
        "places": [(one, move_in_words(one.move)) for one in places.teams] if places else [],
        "crowded": places.crowded if places else [],
        "away": _away(form) if places else [],
        "declined": form.ticked("declined"),
    }
    return render(request, "desk/teams/earlier.html", context)


def _away(form: EarlierForm) -> list[Any]:
    """The teams that are ticked as not playing, so that the tick can be taken back."""
    earlier: Tournament = form.cleaned_data["earlier"]
    return list(earlier.teams.filter(number__in=form.ticked("away"), withdrawn=False).order_by("number"))


urlpatterns = [
    path("desk/t/<str:code>/teams/", desk_teams, name="desk_teams"),
    path("desk/t/<str:code>/teams/together/", desk_put_together, name="desk_put_together"),
    path("desk/t/<str:code>/teams/groups/", desk_groups, name="desk_groups"),
    path("desk/t/<str:code>/teams/rounds/", desk_all_meet, name="desk_all_meet"),
    path("desk/t/<str:code>/teams/<int:number>/", desk_team, name="desk_team"),
    path("desk/t/<str:code>/teams/<int:number>/withdraw/", desk_withdraw_team, name="desk_withdraw_team"),
    path("desk/t/<str:code>/teams/<int:number>/back/", desk_team_back, name="desk_team_back"),
    path("desk/t/<str:code>/teams/<int:number>/dissolve/", desk_dissolve, name="desk_dissolve"),
    path("desk/t/<str:code>/teams/earlier/", desk_earlier_teams, name="desk_earlier_teams"),
]
