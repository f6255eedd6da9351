"""The union's desk: teams that clubs have entered, the deadline, the clubs' links, decisions and rulings."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from clubs.mail.outbox import is_set_up
from clubs.register_models import unions_with
from clubs.views.guards import MemberRequest, club_view
from core.http.steps import handle_form, take_step
from core.serving.addresses import base_url
from tournaments.desk.club.seasons import likely
from tournaments.entries.teams import MOST_GROUPS, is_open
from tournaments.ledger.queries import has_played
from tournaments.lifecycle import team_entries as steps
from tournaments.lifecycle.league_mail import send_link
from tournaments.lifecycle.team_entries import tournaments_open_to
from tournaments.models import TeamEntry, TeamEntryLink, Tournament
from tournaments.models.events import MOST_OF_A_CLUB
from tournaments.web.choice_field import found_alone
from tournaments.web.fields import reason_field, whole_number
from tournaments.web.guards import DeskRequest, desk_view, number_in, one_by_one, only_with
from tournaments.web.team_entries import ClubSide, TeamEntryForm, entry_shown, show_entries, show_entry

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpResponse

    from clubs.models import Club


ENTRIES = "desk/t/<str:code>/teams/entries/"


class DeadlineForm(forms.Form):
    """Until when clubs enter teams, and how many of a club may be in a division."""

    teams_until = forms.DateTimeField(
        label=gettext_lazy("Clubs enter teams until"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M"],
        help_text=gettext_lazy(
            "A team entered at this time still counts; a second later it is too late. Empty: clubs enter no teams."
        ),
    )
    most_of_club = whole_number(
        gettext_lazy("Maximum number of teams from one club in a division"),
        0,
        MOST_OF_A_CLUB,
        0,
        gettext_lazy("0 for no limit."),
    )

    def clean_teams_until(self) -> datetime | None:
        until: datetime | None = self.cleaned_data["teams_until"]
        if until is not None:
            likely(until.date())
        return until


class AcceptForm(forms.Form):
    division = whole_number(gettext_lazy("Division"), 1, MOST_GROUPS, 1)

    def __init__(self, *args: Any, tournament: Tournament, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.fields["division"].label = tournament.format_row.words.group


class DeclineForm(forms.Form):
    reason = reason_field(help_text=gettext_lazy("The club can read it."))


class ReasonForm(forms.Form):
    """The reason for a ruling; `button` begins the ids of its fields, since the page has several of these forms."""

    reason = reason_field(help_text=gettext_lazy("It is shown at the team."))

    def __init__(self, *args: Any, button: str, **fields: Any) -> None:
        super().__init__(*args, **fields | {"auto_id": f"{button}_%s"})


class RulingForm(TeamEntryForm):
    """A change of the line-up by a ruling, with its reason."""

    not_stored = ("reason",)

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.fields["reason"] = reason_field(help_text=_("It is shown at the team."))


class LinkForm(forms.Form):
    to = forms.EmailField(label=gettext_lazy("Email address of the club"), max_length=254)


def _deadline(tournament: Tournament) -> DeadlineForm:
    return DeadlineForm(
        initial={"teams_until": tournament.teams_until, "most_of_club": tournament.most_of_club}
    )


def _page(request: DeskRequest, tournament: Tournament, form: DeadlineForm | None = None) -> HttpResponse:
    entries = list(tournament.team_entries.select_related("club", "team").prefetch_related("players__player"))
    context = {
        "tournament": tournament,
        "entries": entries,
        "waiting": sum(one.is_waiting for one in entries),
        "is_open": is_open(tournament),
        "form": form or _deadline(tournament),
    }
    return render(request, "desk/teams/entries.html", context)


@require_safe
@desk_view(helper=True)
def desk_team_entries(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The page of all teams that clubs have entered."""
    only_with(tournament, "teams")
    return _page(request, tournament)


@desk_view()
@require_POST
def desk_team_entries_set(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    only_with(tournament, "teams")
    form = DeadlineForm(request.POST)
    step = partial(steps.set_deadline, tournament)
    done = handle_form(request, form, step, _("Saved."), "desk_team_entries", tournament.code)
    return done or _page(request, tournament, form)


@desk_view()
def desk_team_entry_links(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The clubs' links: to copy, to send by email, to replace."""
    only_with(tournament, "teams")
    clubs = list(steps.clubs_that_enter(tournament))
    there = {
        one.club_id: one for one in tournament.team_entry_links.select_related("club", "tournament__host")
    }
    here = "desk_team_entry_links", tournament.code
    do, club = request.POST.get("do"), number_in(request.POST.get("club", ""))
    link = there.get(club) if club is not None else None
    form = LinkForm(request.POST if do == "send" else None)
    if do == "make":
        for one in clubs:
            steps.link_for(tournament, one)
        return redirect(*here)
    if do == "replace" and link:
        said = _("%(club)s has a new link. The old one no longer works.") % {"club": link.club}
        # The link that the page showed: pressing twice does not replace the new one too.
        if request.POST.get("secret") == link.secret:
            take_step(request, partial(steps.replace_link, link), said)
        return redirect(*here)
    if do == "send" and link:
        said = _("The link is on its way to %(club)s.") % {"club": link.club}
        if done := handle_form(request, form, partial(send_link, link), said, *here):
            return done
    elif do:
        messages.warning(request, _("Something has changed in the meantime. This is how it is now."))
        return redirect(*here)
    context = {
        "tournament": tournament,
        "rows": [(one, there.get(one.pk), _address(request, there.get(one.pk))) for one in clubs],
        "lacks": len(clubs) > len(there),
        "has_mail": is_set_up(),
        "form": form,
        "sent_to": club if do == "send" else None,
    }
    return render(request, "desk/teams/entry_links.html", context)


def _address(request: DeskRequest, link: TeamEntryLink | None) -> str:
    return base_url(request) + reverse("team_entries", args=[link.secret]) if link else ""


def _find(tournament: Tournament, number: int) -> TeamEntry:
    only_with(tournament, "teams")
    entries = TeamEntry.objects.select_related("tournament__host", "club", "team")
    return get_object_or_404(entries, tournament=tournament, number=number)


def _rule_form(entry: TeamEntry, data: Any = None) -> RulingForm:
    page = reverse("desk_team_entry_rule", args=[entry.tournament.code, entry.number])
    return RulingForm(data, tournament=entry.tournament, club=entry.club, entry=entry, page=page)


def _show(request: DeskRequest, entry: TeamEntry, **forms: Any) -> HttpResponse:
    tournament = entry.tournament
    context = {
        "tournament": tournament,
        "entry": entry,
        **entry_shown(entry),
        "accept": AcceptForm(tournament=tournament),
        "decline": DeclineForm(),
        **{button: ReasonForm(button=button) for button in ("withdraw", "back", "dissolve")},
        "may_dissolve": bool(entry.team and not entry.team.withdrawn and not has_played(entry.team)),
    }
    return render(request, "desk/teams/entry.html", context | forms)


@require_safe
@desk_view(helper=True)
def desk_team_entry(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """A team that a club has entered, and what the desk can decide."""
    return _show(request, _find(tournament, number))


@desk_view()
@require_POST
def desk_team_entry_accept(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    entry = _find(tournament, number)
    form = AcceptForm(request.POST, tournament=tournament)
    said = _("%(team)s now takes part.") % {"team": entry}
    page = "desk_team_entries", tournament.code
    done = handle_form(request, form, partial(steps.accept_entry, entry), said, *page)
    return done or _show(request, entry, accept=form)


@desk_view()
@require_POST
def desk_team_entry_decline(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    entry = _find(tournament, number)
    form, said = DeclineForm(request.POST), _("%(team)s has been declined.") % {"team": entry}
    page = "desk_team_entries", tournament.code
    done = handle_form(request, form, partial(steps.decline_entry, entry), said, *page)
    return done or _show(request, entry, decline=form)


@desk_view()
def desk_team_entry_rule(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Change a team's entry by a ruling."""
    entry = _find(tournament, number)
    form = _rule_form(entry, request.POST if request.method == "POST" else None)
    if hits := found_alone(request, form):
        return hits
    page, said = ("desk_team_entry", tournament.code, number), _("The ruling now counts.")
    done = handle_form(
        request,
        form,
        partial(steps.rule_on_entry, entry),
        said,
        *page,
        arguments=lambda: {"typed": form.entered(), "reason": form.cleaned_data["reason"]},
    )
    context = {"tournament": tournament, "entry": entry, "form": form}
    return done or render(request, "desk/teams/entry_rule.html", context)


@desk_view()
@require_POST
def desk_team_entry_withdraw(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    entry = _find(tournament, number)
    said = _("%(name)s has withdrawn.") % {"name": entry}
    return _rule(request, entry, "withdraw", steps.withdraw_by_ruling, said)


@desk_view()
@require_POST
def desk_team_entry_back(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    entry = _find(tournament, number)
    return _rule(request, entry, "back", steps.bring_back_by_ruling, _("%(name)s is back.") % {"name": entry})


@desk_view()
@require_POST
def desk_team_entry_dissolve(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    entry = _find(tournament, number)
    return _rule(request, entry, "dissolve", steps.dissolve_by_ruling, _("The players are available again."))


def _rule(
    request: DeskRequest, entry: TeamEntry, button: str, step: Callable[..., object], done_text: str
) -> HttpResponse:
    """Take a step by a ruling with its reason, and return to the entry's page."""
    form = ReasonForm(request.POST, button=button)
    page = "desk_team_entry", entry.tournament.code, entry.number
    done = handle_form(request, form, partial(step, entry), done_text, *page)
    return done or _show(request, entry, **{button: form})


# A club's desk: the tournaments of its unions in which it enters teams, and its entries there.


@require_safe
@club_view()
def club_team_tournaments(request: MemberRequest, club: Club) -> HttpResponse:
    """The tournaments in which the club enters teams, and how many it has entered in each."""
    entries = TeamEntry.objects.filter(club=club, state__in=TeamEntry.LIVE)
    entered = Counter(entries.values_list("tournament", flat=True))
    rows = [(one, entered[one.pk]) for one in tournaments_open_to(club)]
    return render(request, "desk/club/team_tournaments.html", {"club": club, "rows": rows})


def _side(request: MemberRequest, club: Club, code: str) -> ClubSide:
    """Raises Http404 for a tournament that is none of the club's unions, or in which clubs enter no teams."""
    hosts = Q(host__in=unions_with(club)) | Q(host=club) | Q(team_entries__club=club)
    there = Tournament.objects.filter(hosts).select_related("host").distinct()
    tournament = get_object_or_404(there, code=code)
    only_with(tournament, "teams")
    if tournament.teams_until is None and not tournament.team_entries.filter(club=club).exists():
        raise Http404
    return ClubSide(
        tournament,
        club,
        request.user,
        ("club_team_entries", "club_team_entry"),
        (club.slug, code),
    )


# The tournament is locked, and not the club: who changes anything of a tournament locks that before any other row.
@club_view(one_transaction=False)
def club_team_entries(request: MemberRequest, club: Club, code: str) -> HttpResponse:
    """The club's entries in a tournament, and a form for another team."""
    side = _side(request, club, code)
    if request.method != "POST":
        return show_entries(request, side)
    with one_by_one(side.tournament) as tournament:
        return show_entries(request, replace(side, tournament=tournament))


@club_view(one_transaction=False)
def club_team_entry(request: MemberRequest, club: Club, code: str, number: int) -> HttpResponse:
    """One of them: change or withdraw it."""
    side = _side(request, club, code)
    if request.method != "POST":
        return show_entry(request, side, number)
    with one_by_one(side.tournament) as tournament:
        return show_entry(request, replace(side, tournament=tournament), number)


urlpatterns = [
    path(ENTRIES, desk_team_entries, name="desk_team_entries"),
    path(f"{ENTRIES}set/", desk_team_entries_set, name="desk_team_entries_set"),
    path(f"{ENTRIES}links/", desk_team_entry_links, name="desk_team_entry_links"),
    path(f"{ENTRIES}<int:number>/", desk_team_entry, name="desk_team_entry"),
    path(f"{ENTRIES}<int:number>/accept/", desk_team_entry_accept, name="desk_team_entry_accept"),
    path(f"{ENTRIES}<int:number>/decline/", desk_team_entry_decline, name="desk_team_entry_decline"),
    path(f"{ENTRIES}<int:number>/ruling/", desk_team_entry_rule, name="desk_team_entry_rule"),
    path(f"{ENTRIES}<int:number>/withdraw/", desk_team_entry_withdraw, name="desk_team_entry_withdraw"),
    path(f"{ENTRIES}<int:number>/back/", desk_team_entry_back, name="desk_team_entry_back"),
    path(f"{ENTRIES}<int:number>/dissolve/", desk_team_entry_dissolve, name="desk_team_entry_dissolve"),
    path("clubs/<slug:slug>/teams/", club_team_tournaments, name="club_team_tournaments"),
    path("clubs/<slug:slug>/teams/<str:code>/", club_team_entries, name="club_team_entries"),
    path("clubs/<slug:slug>/teams/<str:code>/<int:number>/", club_team_entry, name="club_team_entry"),
]
