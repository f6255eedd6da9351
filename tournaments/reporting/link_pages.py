"""Pages opened by the link of a letter or a sheet: line-ups, match days, objections, teams of a club, who qualifies."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.db.models import Q
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import NotPossible
from core.forms import field_of
from core.http.responses import hide_address
from core.http.steps import add_to_form, as_account, handle_button, handle_form
from core.throttle import by_address, count_attempt, is_throttled
from tournaments.domain.terms import signed
from tournaments.lifecycle.home_matches import (
    accept_day,
    agree_to_result,
    closes_at,
    confirmations,
    day_text,
    dispute_result,
    matches_at_home,
    move_place,
    open_proposal,
    open_proposals,
    propose_days,
    refuse_days,
    running_alone,
    score_of,
    start_match,
    why_closed,
    why_no_start,
    withdraw_proposal,
)
from tournaments.lifecycle.line_ups import (
    captains_choice,
    line_up,
    line_ups_in_play,
    line_ups_to_come,
    seats_of,
)
from tournaments.lifecycle.objections import make_objection, why_not_object, withdraw_objection
from tournaments.models import Match, Postponement, Qualifier, Team, TeamEntryLink
from tournaments.models.leagues import MOST_DAYS_PROPOSED, ProposedDay
from tournaments.seasons.qualified import answer_by_link, find_question, shown_question
from tournaments.standings.team_text import when_of
from tournaments.web.choice_field import found_alone
from tournaments.web.fields import day_field, reason_field
from tournaments.web.guards import number_in, one_by_one, only_with
from tournaments.web.matches_form import LineUpForm, ObjectionForm, hour_field, line_up_choices
from tournaments.web.team_entries import ClubSide, show_entries, show_entry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse, QueryDict

    from clubs.models import Account


TOKENS = re.compile(r"-?[0-9]{1,7}")

# A team's own page, by its secret link: the captain sets the line-ups of coming matches.


def _form(match: Match, team: Team, data: QueryDict | None) -> LineUpForm:
    seats, free = seats_of(match, team), captains_choice(match, team)
    choices = line_up_choices(team, free, own=free)
    page = reverse("team_line_up", args=[team.secret])
    return LineUpForm(
        data, match=match, team=team, seats=seats, choices=choices, prefix=f"match{match.pk}", page=page
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_line_up(request: HttpRequest, secret: str) -> HttpResponse:
    """The team's matches to come; what is chosen for them is stored."""
    team = find_team(secret)
    if request.method != "POST":
        return _page(request, team, None)
    with one_by_one(team.tournament):
        return _page(request, find_team(secret), request.POST)


def find_team(secret: str) -> Team:
    team = get_object_or_404(Team.objects.select_related("tournament__host"), secret=secret)
    only_with(team.tournament, "matches")
    return team


def _page(request: HttpRequest, team: Team, data: QueryDict | None) -> HttpResponse:
    tournament = team.tournament
    over = tournament.is_finished or tournament.is_called_off
    matches = [] if over else line_ups_to_come(team)
    forms = [_form(match, team, data) for match in matches]
    if hits := found_alone(request, *forms):
        return hide_address(hits)
    if data is not None and lined_up(request, forms, account=None):
        return redirect("team_line_up", team.secret)
    now, coming = timezone.now(), [] if over else matches_at_home(team)
    context = {
        "asked": open_proposals(coming),
        "team": team,
        "tournament": tournament,
        "forms": forms,
        "playing": [(match, seats_of(match, team)) for match in line_ups_in_play(team)],
        "to_start": [(match, when_of(match)) for match in matches if not why_no_start(match, now)],
        "at_home": [(match, when_of(match)) for match in coming],
        "running": [_in_play(match, team) for match in running_alone(team) if not over],
    }
    return hide_address(render(request, "captain/line_up.html", context))


def _in_play(match: Match, team: Team) -> dict[str, Any]:
    """A match that is being played: its score, and which team has agreed to it."""
    score = score_of(match)
    agreed = confirmations(match, score)
    other = match.away_id if team.pk == match.home_id else match.home_id
    return {
        "match": match,
        "score": score,
        "tables": [one.table for one in score.tables],
        "tokens": " : ".join(signed(amount) for amount in score.tokens),
        "is_agreed": team.pk in agreed,
        "other_agreed": other in agreed,
    }


@never_cache
@require_POST
def team_result(request: HttpRequest, secret: str, round_number: int, number: int) -> HttpResponse:
    """Agree to the result of a match that is played to its end, or say what is wrong with it."""
    team = find_team(secret)
    match = own_match(team, round_number, number)
    sent = request.POST
    if "words" in sent:
        step: Callable[..., object] = partial(dispute_result, match, team, words=sent["words"])
        said = _("The organiser has been called.")
    else:
        seen = _number(sent.get("home", "")), _number(sent.get("away", ""))
        step = partial(agree_to_result, match, team, seen=seen)
        said = _("You have agreed to the result.")

    def take(*, now: datetime, **_account: object) -> None:
        step(now=now)

    with one_by_one(team.tournament):
        return handle_button(request, take, said, "team_line_up", secret)


def _number(text: str) -> int | None:
    """A whole number as the page wrote it; None for anything else."""
    return int(text) if TOKENS.fullmatch(text) else None


@never_cache
@require_POST
def team_start_match(request: HttpRequest, secret: str, round_number: int, number: int) -> HttpResponse:
    """Start a match that the team plays at home or away; its captain does so on the day."""
    team = find_team(secret)
    match = own_match(team, round_number, number)
    said = _("The match has started. Open its tables below.")
    step = as_account(partial(start_match, match, team=team), None)
    with one_by_one(team.tournament):
        return handle_button(request, step, said, "team_line_up", secret)


def own_match(team: Team, round_number: int, number: int) -> Match:
    """The team's match of that number; a 404 for one that others play."""
    own = Match.objects.filter(Q(home=team) | Q(away=team), away__isnull=False)
    which = {"round__tournament": team.tournament_id, "round__number": round_number, "number": number}
    return get_object_or_404(own.select_related("round__tournament", "home", "away"), **which)


# Line-ups as a page sends them: all that are on it are stored together, or none.


def lined_up(request: HttpRequest, forms: Sequence[LineUpForm], *, account: Account | None) -> bool:
    """Save line-ups from the submitted forms; without an account as the team's captain.

    False if a form has errors, which are shown at its fields.
    """
    sent = [form for form in forms if form.is_bound]
    wrong = [form for form in sent if not form.is_valid()]
    if wrong or not sent:
        return False
    with transaction.atomic():
        for form in sent:
            try:
                line_up(form.match, form.team, form.players, account=account, now=timezone.now())
            except NotPossible as refusal:
                transaction.set_rollback(True)
                if refusal.field in form.fields:
                    add_to_form(form, refusal)
                    return False
                messages.warning(request, refusal.message)
                return True
    messages.success(request, _("The line-up has been saved."))
    return True


# The page on which a team makes and withdraws objections, by its own link.


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_objections(request: HttpRequest, secret: str) -> HttpResponse:
    """The team's objections with their answers, and a form for another one."""
    team = find_team(secret)
    if request.method != "POST":
        return _objection_page(request, team, ObjectionForm(tournament=team.tournament))
    with one_by_one(team.tournament):
        return _take(request, team)


def _take(request: HttpRequest, team: Team) -> HttpResponse:
    here = "team_objections", team.secret
    if "withdraw" in request.POST:
        number = number_in(request.POST["withdraw"])
        own = team.objections.select_related("tournament")
        objection = own.filter(number=number).first() if number is not None else None
        if objection is None:
            return _objection_page(request, team, ObjectionForm(tournament=team.tournament))
        step = as_account(partial(withdraw_objection, objection), None)
        return handle_button(request, step, _("Your objection has been withdrawn."), *here)
    form = ObjectionForm(request.POST, tournament=team.tournament)
    step = as_account(partial(make_objection, team.tournament, team), None)
    said = _("Your objection has been sent to the organiser.")
    return handle_form(request, form, step, said, *here, arguments=form.arguments) or _objection_page(
        request, team, form
    )


def _objection_page(request: HttpRequest, team: Team, form: ObjectionForm) -> HttpResponse:
    context = {
        "team": team,
        "tournament": team.tournament,
        "objections": team.objections.order_by("-number"),
        "closed": why_not_object(team.tournament),
        "form": form,
    }
    return hide_address(render(request, "captain/objections.html", context))


# The pages on which a club without an account enters its teams, by the link that the union has sent it.


def _side(secret: str) -> ClubSide:
    """The side of the club with this link. Raises Http404 for a link that is none, or was replaced."""
    links = TeamEntryLink.objects.select_related("tournament__host", "club")
    link = get_object_or_404(links, secret=secret)
    only_with(link.tournament, "teams")
    return ClubSide(
        link.tournament,
        link.club,
        None,
        ("team_entries", "team_entry"),
        (secret,),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_entries(request: HttpRequest, secret: str) -> HttpResponse:
    side = _side(secret)
    if request.method != "POST":
        return hide_address(show_entries(request, side))
    with one_by_one(side.tournament) as tournament:
        return hide_address(show_entries(request, replace(side, tournament=tournament)))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_entry(request: HttpRequest, secret: str, number: int) -> HttpResponse:
    side = _side(secret)
    if request.method != "POST":
        return hide_address(show_entry(request, side, number))
    with one_by_one(side.tournament) as tournament:
        return hide_address(show_entry(request, replace(side, tournament=tournament), number))


# The page on which a player who qualifies says, by the link of the letter, whether they take part.

ANSWERS = (Qualifier.Answer.YES.value, Qualifier.Answer.NO.value)
# A valid link is never refused; so many others a minute are looked up for one address.
WRONG_LINKS = 30


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def qualified_answer(request: HttpRequest, secret: str) -> HttpResponse:
    """The question and its buttons. A GET records nothing: programs that check links in mail open the page, too."""
    guesser = by_address("qualified-link", request.META.get("REMOTE_ADDR", ""))
    question = find_question(secret)
    if question is None:
        many = is_throttled(guesser, most=WRONG_LINKS)
        count_attempt(guesser)
        unknown = {"problem": _("Open it from the email again, or write to the organisers.")}
        return hide_address(render(request, "hall/link_unknown.html", unknown, status=429 if many else 404))
    answer = request.POST.get("answer", "")
    if request.method == "POST":
        try:
            if answer in ANSWERS:
                answer_by_link(question, answer, now=timezone.now())
        except NotPossible as refusal:
            messages.warning(request, refusal.message)
        return hide_address(redirect("qualified_answer", secret))
    context = {
        "club": question.stage.championship.host,
        "stage": question.stage,
        "championship": question.stage.championship,
        "player": question.player,
        "asked": shown_question(question, timezone.localdate()),
    }
    return hide_address(render(request, "captain/qualified.html", context))


# The page on which captains agree on another day or place for a match, by their teams' links.


class ProposeForm(forms.Form):
    """Up to three days, each with an hour if it is another than the usual one; the reason; another place."""

    reason = reason_field(help_text=gettext_lazy("The other team and the organiser can read it."))
    place = forms.CharField(
        label=gettext_lazy("Venue"),
        required=False,
        max_length=120,
        help_text=gettext_lazy("Only if it will then be played elsewhere."),
    )

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        of_days: dict[str, forms.Field] = {}
        for number in range(1, MOST_DAYS_PROPOSED + 1):
            of_days[f"day_{number}"] = day_field(
                _("Day %(number)d") % {"number": number}, required=number == 1
            )
            of_days[f"hour_{number}"] = hour_field()
        self.fields = of_days | self.fields

    @property
    def days(self) -> list[ProposedDay]:
        given = ((self.cleaned_data[f"day_{n}"], self.cleaned_data[f"hour_{n}"]) for n in self._numbers)
        return [ProposedDay(day, hour) for day, hour in given if day]

    @property
    def _numbers(self) -> range:
        return range(1, MOST_DAYS_PROPOSED + 1)

    def clean(self) -> dict[str, Any]:
        """Refuse days after an empty field, with an error at their own field."""
        gap = False
        for number in self._numbers:
            has_day = bool(self.cleaned_data.get(f"day_{number}"))
            if has_day and gap:
                self.add_error(f"day_{number}", gettext_lazy("Fill in the days above first."))
            gap = gap or not has_day
        return self.cleaned_data


class AnswerForm(forms.Form):
    """The form to accept one of the other team's proposed days, by its index in the list."""

    day = forms.TypedChoiceField(
        label=gettext_lazy("Which day suits you?"), coerce=int, widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, proposal: Postponement, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.proposal = proposal
        field_of(self, "day").choices = [
            (number, day_text(day)) for number, day in enumerate(proposal.proposed)
        ]

    @property
    def chosen(self) -> ProposedDay:
        number: int = self.cleaned_data["day"]
        return self.proposal.proposed[number]


class RefuseForm(forms.Form):
    answer = forms.CharField(
        label=gettext_lazy("Reason, if you wish to give one"), required=False, max_length=200
    )


class PlaceForm(forms.Form):
    place = forms.CharField(
        label=gettext_lazy("Venue"),
        required=False,
        max_length=120,
        help_text=gettext_lazy("Leave it empty for where the home team plays."),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_match_day(request: HttpRequest, secret: str, round_number: int, number: int) -> HttpResponse:
    """A match of the team: when and where, what is proposed, and the forms to propose and answer."""
    team = find_team(secret)
    if request.method != "POST":
        return _match_day_page(request, team, own_match(team, round_number, number))
    with one_by_one(team.tournament):
        return _agree_to_day(request, team, own_match(team, round_number, number))


def _forms(match: Match, team: Team, request: HttpRequest) -> dict[str, forms.Form]:
    """The forms of the page by what they do, the one that was sent bound."""
    sent = request.POST.get("do") if request.method == "POST" else None
    proposal = open_proposal(match)
    found: dict[str, forms.Form] = {
        "propose": ProposeForm(request.POST if sent == "propose" else None),
        "withdraw": forms.Form(request.POST if sent == "withdraw" else None),
        "refuse": RefuseForm(request.POST if sent == "refuse" else None),
    }
    if proposal is not None:
        found["accept"] = AnswerForm(request.POST if sent == "accept" else None, proposal=proposal)
    if team.pk == match.home_id:
        found["place"] = PlaceForm(
            request.POST if sent == "place" else None, initial={"place": match.place}, prefix="home"
        )
    return found


def _agree_to_day(request: HttpRequest, team: Team, match: Match) -> HttpResponse:
    """Run the submitted step; the answer to a proposal names the one that the page showed."""
    what, of_page = request.POST.get("do", ""), _forms(match, team, request)
    here = ("team_match_day", team.secret, match.round.number, match.number)
    form: Any = of_page.get(what)
    if form is None:
        return redirect(*here)
    seen = request.POST.get("proposal", "")
    number = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < len("1" * 18) else 0
    proposal = Postponement.objects.filter(pk=number, match=match).select_related("match__round__tournament")
    asked = proposal.first()
    if asked is None and what in ("accept", "refuse", "withdraw"):
        return redirect(*here)
    steps: dict[str, tuple[Callable[[datetime], object], str]] = {
        "propose": (
            lambda now: propose_days(match, team, form.days, now=now, **_fields(form, "reason", "place")),
            _("The other team has been asked. It can answer through its own link."),
        ),
        "place": (
            lambda now: move_place(match, team, now=now, **_fields(form, "place")),
            _("The place has been saved. The other team can see it."),
        ),
    }
    if asked is not None:
        proposed = asked
        steps |= {
            "accept": (
                lambda now: accept_day(proposed, team, form.chosen, now=now),
                _("The match has been moved. Both teams can see the new day."),
            ),
            "refuse": (
                lambda now: refuse_days(proposed, team, now=now, **_fields(form, "answer")),
                _("You have refused: the match stays on its day."),
            ),
            "withdraw": (
                lambda now: withdraw_proposal(proposed, team, now=now),
                _("Your proposal has been withdrawn."),
            ),
        }
    do, said = steps[what]
    step = partial(_by_link, do)
    done = handle_form(request, form, step, said, *here, arguments=dict)
    return done or _match_day_page(request, team, match, of_page)


def _by_link(do: Callable[[datetime], object], *, now: datetime, **_account: object) -> object:
    """Take a step of a team by its link, regardless of the account signed in at this browser."""
    return do(now)


def _fields(form: forms.Form, *names: str) -> dict[str, Any]:
    return {name: form.cleaned_data[name] for name in names}


def _match_day_page(
    request: HttpRequest, team: Team, match: Match, of_page: dict[str, forms.Form] | None = None
) -> HttpResponse:
    now, proposal = timezone.now(), open_proposal(match)
    context = {
        "team": team,
        "tournament": team.tournament,
        "match": match,
        "when": when_of(match),
        "closes": closes_at(match),
        "closed": why_closed(match, now),
        "proposal": proposal,
        "is_own": proposal is not None and proposal.team_id == team.pk,
        "days": [day_text(day) for day in proposal.proposed] if proposal else [],
        "earlier": match.postponements.exclude(state=Postponement.State.OPEN).select_related("team"),
        "forms": of_page or _forms(match, team, request),
    }
    return hide_address(render(request, "captain/match_day.html", context))


urlpatterns = [
    path("c/team/<str:secret>/", team_line_up, name="team_line_up"),
    path(
        "c/team/<str:secret>/match/<int:round_number>/<int:number>/start/",
        team_start_match,
        name="team_start_match",
    ),
    path(
        "c/team/<str:secret>/match/<int:round_number>/<int:number>/result/", team_result, name="team_result"
    ),
    path("c/team/<str:secret>/objections/", team_objections, name="team_objections"),
    path("c/teams/<str:secret>/", team_entries, name="team_entries"),
    path("c/teams/<str:secret>/<int:number>/", team_entry, name="team_entry"),
    path("c/qualified/<str:secret>/", qualified_answer, name="qualified_answer"),
    path("c/team/<str:secret>/match/<int:round_number>/<int:number>/", team_match_day, name="team_match_day"),
]
