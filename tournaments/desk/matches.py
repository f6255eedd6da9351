"""Matches at the desk: the schedule with its days, line-ups, matches on another day, rulings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from clubs.mail.outbox import is_set_up
from core.http.steps import handle_button, handle_form, take_step
from core.pdf.store import a_pdf, for_visitor, pdf_answer
from core.serving.addresses import base_url
from tournaments.ledger.queries import names_at
from tournaments.lifecycle import rulings
from tournaments.lifecycle.home_matches import (
    confirmations,
    give_own_days,
    score_of,
    start_match,
    take_match_start_back,
)
from tournaments.lifecycle.league_mail import count_recipients, preview, send_round, why_not_send
from tournaments.lifecycle.line_ups import free_for, new_team_link, seats_of, why_not
from tournaments.lifecycle.rulings import award, play_with_its_round, postpone, set_dates
from tournaments.models import Flag, Match, Round, Team
from tournaments.paper.teams import match_pdf
from tournaments.reporting.link_pages import lined_up
from tournaments.standings.team_text import match_line, rounds_of_matches, when_of
from tournaments.standings.teams import team_standings
from tournaments.web.choice_field import found_alone
from tournaments.web.guards import DeskRequest, desk_view, only_with, square
from tournaments.web.matches_form import AwardForm, DaysForm, LineUpForm, PostponeForm, line_up_choices

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.db.models import QuerySet
    from django.http import HttpResponse
    from django.http.response import HttpResponseBase

    from tournaments.models import Tournament


# What an organiser settles before a match counts as played.
DISPUTES = [Flag.Kind.CALL, Flag.Kind.CONFLICT]


def _get_match(tournament: Tournament, round_number: int, number: int) -> Match:
    matches = Match.objects.select_related("round__tournament", "home__club", "away__club")
    return get_object_or_404(
        matches, round__tournament=tournament, round__number=round_number, number=number, away__isnull=False
    )


def _disputes(match: Match) -> QuerySet[Flag]:
    """The open calls and conflicts at the match's tables, the oldest first."""
    raised = Flag.objects.filter(table__match=match, settled_at=None, kind__in=DISPUTES)
    return raised.select_related("table__round").order_by("raised_at")


def _schedule(request: DeskRequest, tournament: Tournament, days: DaysForm | None = None) -> HttpResponse:
    drawn = list(tournament.rounds.order_by("number"))
    to_come = Match.objects.filter(round__tournament=tournament, round__state=Round.State.DRAWN)
    context = {
        "may_have_own_days": to_come.filter(day=None, away__isnull=False).exists(),
        "tournament": tournament,
        "rounds": rounds_of_matches(team_standings(tournament)),
        "days": days or DaysForm(rounds=drawn),
    }
    return render(request, "desk/teams/matches.html", context)


@desk_view(helper=True)
def desk_matches(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """All rounds with their matches and results."""
    only_with(tournament, "matches")
    return _schedule(request, tournament)


@desk_view()
@require_POST
def desk_days(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Set the day of each round."""
    only_with(tournament, "matches")
    form = DaysForm(request.POST, rounds=list(tournament.rounds.order_by("number")))
    step, page = partial(set_dates, tournament), ("desk_matches", tournament.code)
    done = handle_form(
        request, form, step, _("The dates have been set."), *page, arguments=lambda: {"days": form.days}
    )
    return done or _schedule(request, tournament, form)


@desk_view()
@require_POST
def desk_own_days(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Let each match of the drawn rounds be played on a day of its own."""
    only_with(tournament, "matches")
    said = _("Each match now has its own day. Open a match to change its day, time or place.")
    return handle_button(request, partial(give_own_days, tournament), said, "desk_matches", tournament.code)


def _line_up_form(match: Match, team: Team, data: Any = None) -> LineUpForm:
    free, own = free_for(match, team)
    return LineUpForm(
        data,
        match=match,
        team=team,
        seats=seats_of(match, team),
        choices=line_up_choices(team, free, own),
        prefix="home" if team.pk == match.home_id else "away",
        page=reverse("desk_match", args=[match.round.tournament.code, match.round.number, match.number]),
    )


def _line_up_forms(match: Match, data: Any = None) -> dict[str, LineUpForm]:
    teams = {"home": match.home, "away": match.away}
    return {side: _line_up_form(match, team, data) for side, team in teams.items() if team is not None}


def _show(
    request: DeskRequest,
    tournament: Tournament,
    match: Match,
    line_ups: Mapping[str, LineUpForm] | None = None,
    **forms: Any,
) -> HttpResponse:
    table = team_standings(tournament)
    (result,) = [found for found in table.rounds[match.round.number] if found.number == match.number]
    fixed = why_not(match) or (_("The tournament is finished.") if tournament.is_finished else "")
    context = {
        "tournament": tournament,
        "match": match,
        "line": match_line(result, dict(table.names)),
        "tables": match.tables.order_by("number"),
        "fixed": fixed,
        "line_ups": [
            (side, form.team, form.seats, form) for side, form in (line_ups or _line_up_forms(match)).items()
        ],
        "postpone": PostponeForm(match=match),
        "when": when_of(match),
        "agreed": confirmations(match, score_of(match)).values(),
        "flags": [(flag, names_at(flag.table)) for flag in _disputes(match)],
        "proposals": match.postponements.select_related("team"),
        "has_reports": match.tables.filter(reports_count__gt=0).exists(),
        "award": AwardForm(home=match.home, away=match.away),
    }
    return render(request, "desk/teams/match.html", context | forms)


@desk_view(helper=True)
def desk_match(request: DeskRequest, tournament: Tournament, round_number: int, number: int) -> HttpResponse:
    """One match: who sits where, and what can be ruled."""
    match = _get_match(tournament, round_number, number)
    line_ups = _line_up_forms(match)
    return found_alone(request, *line_ups.values()) or _show(request, tournament, match, line_ups)


@desk_view(helper=True)
@require_POST
def desk_line_up(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    """Seat the players chosen for both teams."""
    match = _get_match(tournament, round_number, number)
    forms = _line_up_forms(match, request.POST)
    if lined_up(request, list(forms.values()), account=request.user):
        return redirect("desk_match", tournament.code, round_number, number)
    return _show(request, tournament, match, forms)


@desk_view()
@require_POST
def desk_postpone(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    match = _get_match(tournament, round_number, number)
    form = PostponeForm(request.POST, match=match)
    page, step = ("desk_match", tournament.code, round_number, number), partial(postpone, match)
    said = _("The match will be played on that date; its tables stay open until then.")
    if match.day is not None:
        said = _("The match will be played on that date.")

    def step_arguments() -> dict[str, object]:
        return {"to": form.cleaned_data["day"]} | {
            name: form.cleaned_data[name] for name in ("begins_at", "place")
        }

    done = handle_form(request, form, step, said, *page, arguments=step_arguments)
    return done or _show(request, tournament, match, postpone=form)


@desk_view()
@require_POST
def desk_award(request: DeskRequest, tournament: Tournament, round_number: int, number: int) -> HttpResponse:
    match = _get_match(tournament, round_number, number)
    form = AwardForm(request.POST, home=match.home, away=match.away)
    page, step = ("desk_match", tournament.code, round_number, number), partial(award, match)

    def step_arguments() -> dict[str, object]:
        return {"points": form.points, "reason": form.cleaned_data["reason"]}

    done = handle_form(request, form, step, _("The ruling now counts."), *page, arguments=step_arguments)
    return done or _show(request, tournament, match, award=form)


@a_pdf
@desk_view(helper=True)
def desk_match_pdf(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    """A match's sheet as PDF, for both teams; if it cannot be made, the match's page with the reason."""
    match = _get_match(tournament, round_number, number)
    return pdf_answer(
        request,
        lambda: match_pdf(match, **for_visitor(request)),
        str(match),
        _("Match sheet"),
        instead=reverse("desk_match", args=[tournament.code, round_number, number]),
    )


def _button(step: Callable[..., Match], said: Callable[[], str]) -> Callable[..., HttpResponseBase]:
    """Make a view for a button without input on a match's page."""

    @desk_view()
    @require_POST
    def button(request: DeskRequest, tournament: Tournament, round_number: int, number: int) -> HttpResponse:
        match = _get_match(tournament, round_number, number)
        page = ("desk_match", tournament.code, round_number, number)
        return handle_button(request, partial(step, match), said(), *page)

    return button


with_its_round = _button(play_with_its_round, lambda: _("The match will be played with its round."))
start = _button(start_match, lambda: _("The match has started: deals can be reported at its tables."))
take_start_back = _button(take_match_start_back, lambda: _("The match is waiting to be started."))
end_match = _button(rulings.end_match, lambda: _("The match has been played."))
resume_match = _button(rulings.resume_match, lambda: _("The tables of the match are open again."))
take_award_back = _button(rulings.take_award_back, lambda: _("The match counts as played."))


@desk_view(helper=True)
def desk_team_link(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The link by which a team lines itself up, as a QR code; an organiser can replace it."""
    only_with(tournament, "matches")
    team = get_object_or_404(Team.objects.select_related("tournament"), tournament=tournament, number=number)
    if request.method == "POST" and not request.organises:
        raise PermissionDenied
    # The link that the page showed: pressing twice does not replace the new one too.
    if request.method == "POST" and request.POST.get("secret") == team.secret:
        said = _("%(team)s has a new link. The old one no longer works.") % {"team": team}
        take_step(request, partial(new_team_link, team), said)
    if request.method == "POST":
        return redirect("desk_team_link", tournament.code, number)
    address = base_url(request) + reverse("team_line_up", args=[team.secret])
    context = {"tournament": tournament, "team": team, "address": address, "svg": square(address)}
    return render(request, "desk/teams/team_link.html", context)


@desk_view()
def desk_round_mail(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The results of a round by e-mail: a preview, and sending them on demand."""
    only_with(tournament, "matches")
    round_ = get_object_or_404(tournament.rounds.select_related("tournament__host"), number=number)
    if request.method == "POST":
        step = partial(send_round, round_)
        return handle_button(request, step, _sent, "desk_round_mail", tournament.code, number)
    why = why_not_send(round_)
    letter = None if why else preview(tournament, round_)
    context = {
        "tournament": tournament,
        "round": round_,
        "why": why,
        "letter": letter,
        # Without the footer: its link would unsubscribe a recipient.
        "text": letter.text.partition("\n-- \n")[0] if letter else "",
        "recipients": count_recipients(round_),
        "has_mail": is_set_up(),
    }
    return render(request, "desk/teams/round_mail.html", context)


def _sent(count: int) -> str:
    if not count:
        return _("Everyone who wants these results has them already.")
    text = ngettext("%(count)d email is on its way.", "%(count)d emails are on their way.", count)
    return text % {"count": count}


MATCH = "desk/t/<str:code>/round/<int:round_number>/match/<int:number>/"
urlpatterns = [
    path("desk/t/<str:code>/matches/", desk_matches, name="desk_matches"),
    path("desk/t/<str:code>/matches/mail/<int:number>/", desk_round_mail, name="desk_round_mail"),
    path("desk/t/<str:code>/matches/days/", desk_days, name="desk_days"),
    path("desk/t/<str:code>/matches/own-days/", desk_own_days, name="desk_own_days"),
    path("desk/t/<str:code>/teams/<int:number>/link/", desk_team_link, name="desk_team_link"),
    path(MATCH, desk_match, name="desk_match"),
    path(f"{MATCH}line-up/", desk_line_up, name="desk_line_up"),
    path(f"{MATCH}another-day/", desk_postpone, name="desk_postpone"),
    path(f"{MATCH}with-its-round/", with_its_round, name="desk_with_its_round"),
    path(f"{MATCH}sheet.pdf", desk_match_pdf, name="desk_match_pdf"),
    path(f"{MATCH}start/", start, name="desk_start_match"),
    path(f"{MATCH}start/take-back/", take_start_back, name="desk_match_start_back"),
    path(f"{MATCH}end/", end_match, name="desk_end_match"),
    path(f"{MATCH}resume/", resume_match, name="desk_resume_match"),
    path(f"{MATCH}ruling/", desk_award, name="desk_award"),
    path(f"{MATCH}ruling/take-back/", take_award_back, name="desk_take_award_back"),
]
