"""Starting and closing rounds, their clock, all tables at once, undo, standings."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.views.guards import referring_page
from core.http.steps import handle_button, handle_form, posted_data
from tournaments.changes.locks import locked
from tournaments.changes.log import Undone, write_down
from tournaments.desk.evening.forms import CloseForm, ReasonForm
from tournaments.desk.evening.navigation import now_of
from tournaments.desk.evening.readiness import LISTED, before_start, still_open
from tournaments.domain.terms import signed
from tournaments.entries.bulk import take_check_in_back, take_list_back, take_paying_back
from tournaments.ledger import agree, settle_flag
from tournaments.ledger.queries import board, running_round, with_names
from tournaments.ledger.table_actions import take_setting_aside_back, take_settling_back, take_yeses_back
from tournaments.lifecycle import playing
from tournaments.lifecycle.playing import (
    close_round,
    missing_at,
    paces,
    reopen_round,
    start_round,
    take_start_back,
    usual_minutes,
    why_start_stays,
)
from tournaments.models import Flag, base
from tournaments.models.base import MOST_MINUTES, SECONDS_OFFERED, Wall
from tournaments.reporting.scans.page import take_sheets_back
from tournaments.standings.columns import On
from tournaments.standings.team_text import places_now
from tournaments.web.confirming import Question, ask_first, moment, undo_of
from tournaments.web.fields import whole_number
from tournaments.web.guards import DESK, DeskRequest, desk_view, find_round, number_in
from tournaments.web.live_parts import render_live

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from django.http import HttpResponse
    from django.utils.functional import _StrPromise as StrPromise

    from clubs.models import Account
    from tournaments.ledger.queries import BoardRow
    from tournaments.models import Round, Seat, Tournament


# The round's clock at the desk: started, paused and lengthened, with who is behind.


@desk_view(helper=True)
def desk_clock(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The clock of the running round; a submitted number of minutes starts or restarts it."""
    round_ = running_round(tournament)
    form = StartForm(posted_data(request), initial={"minutes": playing.usual_minutes(tournament)})
    if request.method == "POST":
        if round_ is None:
            return _no_round(request, tournament)
        if request.POST.get("seen", "") != _mark(round_):
            messages.warning(request, _("The clock has been changed in the meantime."))
            return redirect("desk_clock", tournament.code)
        step = partial(playing.start_clock, round_)
        if done := handle_form(
            request, form, step, _("The clock is running."), "desk_clock", tournament.code
        ):
            return done
    rows = board(round_) if round_ else []
    pace = paces(round_, rows) if round_ else {}
    context = {
        "tournament": tournament,
        "round": round_,
        "seen": _mark(round_),
        "form": form,
        "lengthened_by": LENGTHENED_BY,
        "lines": [(row, pace[row.table.pk]) for row in rows],
    }
    return render_live(request, "evening/clock", context)


def _mark(round_: Round | None) -> str:
    """Fingerprint of the clock that a page shows: a stale page cannot restart it."""
    started = round_.clock_started_at if round_ else None
    return started.isoformat() if started else ""


def _no_round(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    messages.warning(request, _("No round is being played: a clock starts with a round."))
    return redirect("desk_clock", tournament.code)


@desk_view(helper=True)
@require_POST
def desk_clock_step(request: DeskRequest, tournament: Tournament, step: str) -> HttpResponse:
    """Buttons without input: pause, continue, remove."""
    if step not in CLOCK_STEPS:
        raise Http404
    round_ = running_round(tournament)
    if round_ is None:
        return _no_round(request, tournament)
    does, said = CLOCK_STEPS[step]
    return handle_button(request, partial(does, round_), str(said), "desk_clock", tournament.code)


CLOCK_STEPS: Mapping[str, tuple[Callable[..., Round], StrPromise]] = {
    "pause": (playing.pause_clock, gettext_lazy("The clock is paused.")),
    "go-on": (playing.go_on_with_clock, gettext_lazy("The clock is running again.")),
    "away": (playing.take_clock_away, gettext_lazy("The round is played without a clock.")),
}


@desk_view(helper=True)
@require_POST
def desk_clock_lengthen(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    round_, form = running_round(tournament), LengthenForm(request.POST)
    if round_ is None:
        return _no_round(request, tournament)
    if not form.is_valid():
        messages.warning(request, _("The clock has been changed in the meantime."))
        return redirect("desk_clock", tournament.code)
    step = partial(playing.lengthen_clock, round_, **form.cleaned_data)
    return handle_button(request, step, _("The clock has been changed."), "desk_clock", tournament.code)


# For how long a round is played, and by how much its clock is lengthened.

# What the buttons offer, in minutes.
LENGTHENED_BY = (-5, 1, 5, 10, 15)


def _minutes() -> forms.IntegerField:
    said = gettext_lazy("Later rounds start with a clock of the same length.")
    return whole_number(gettext_lazy("Minutes"), 1, MOST_MINUTES, help_text=said)


class ClockOfRoundForm(forms.Form):
    """Whether a round that is started has a clock; without one its minutes are not looked at."""

    with_clock = forms.BooleanField(
        label=gettext_lazy("Start the clock with the round"), required=False,
        help_text=gettext_lazy("The time left is shown at the top of every desk page and on the projector."),
    )  # fmt: skip
    minutes = _minutes()

    def clean(self) -> dict[str, Any]:
        if not self.cleaned_data["with_clock"]:
            self.errors.pop("minutes", None)
            self.cleaned_data["minutes"] = 0
        return self.cleaned_data

    def chosen(self) -> dict[str, int]:
        """The minutes chosen for the round."""
        return {"minutes": self.cleaned_data["minutes"]}


class StartForm(forms.Form):
    minutes = _minutes()


class LengthenForm(forms.Form):
    """`seen` are the minutes of the clock on the page that was pressed on: twice is once."""

    minutes = forms.TypedChoiceField(choices=[(each, each) for each in LENGTHENED_BY], coerce=int)
    seen = forms.IntegerField(min_value=1, max_value=MOST_MINUTES)


# What the projector shows, chosen at the desk or on whatever phone an organiser or helper has.


@desk_view(helper=True)
def desk_wall(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    form = WallForm(posted_data(request), initial=tournament.wall.to_json())
    step, here = partial(_choose, tournament), ("desk_wall", tournament.code)
    if done := handle_form(
        request, form, step, _("The projector is showing it now."), *here, arguments=form.chosen
    ):
        return done
    return render(request, "desk/evening/wall.html", {"tournament": tournament, "form": form})


@transaction.atomic
def _choose(tournament: Tournament, *, wall: Wall, account: Account, now: datetime) -> None:
    tournament = locked(tournament)
    if tournament.wall != wall:
        tournament.projector = wall.to_json()
        tournament.save(update_fields=["projector"])
        write_down(tournament, account, gettext_noop("Chose what the projector shows"), now=now)


# What the wall of the hall shows, and for how long each.

NAMES = {
    base.PODIUM: gettext_lazy("the podium, once play is over"),
    base.SEATS: gettext_lazy("seats, until the first deal, and for the next round"),
    base.STANDINGS: gettext_lazy("standings, once a deal is reported"),
    base.TABLES: gettext_lazy("tables, with the leader at each"),
    base.PROGRESS: gettext_lazy("the progress of each table, with the clock and deals per hour"),
}


def _seconds() -> list[tuple[int, str]]:
    return [
        (each, ngettext("%(count)d second", "%(count)d seconds", each) % {"count": each})
        for each in SECONDS_OFFERED
    ]


class WallForm(forms.Form):
    shows = forms.MultipleChoiceField(
        label=gettext_lazy("It shows"), choices=list(NAMES.items()), widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one.")},
    )  # fmt: skip
    seconds = forms.TypedChoiceField(label=gettext_lazy("Time for each"), choices=_seconds, coerce=int)
    on_paper = forms.BooleanField(
        label=gettext_lazy("Light background, for a weak projector"), required=False
    )

    def chosen(self) -> dict[str, Wall]:
        said = self.cleaned_data
        return {
            "wall": Wall(
                tuple(name for name in base.SLIDES if name in said["shows"]),
                said["seconds"],
                said["on_paper"],
            )
        }


# Steps of a round at the desk, each with a confirmation page.


@desk_view(helper=True)
def desk_start_round(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    round_, said = find_round(tournament, number), {"number": number}
    usual = {"with_clock": bool(tournament.round_minutes), "minutes": usual_minutes(tournament)}
    form = ClockOfRoundForm(posted_data(request), initial=usual)
    asked = Question(
        title=_("Start round %(number)d") % said,
        does=_("Every table’s link and code become active, and the captains can report their deals."),
        button=_("Start round %(number)d now") % said,
        back=reverse("desk_tournament", args=[tournament.code]),
        notes=partial(before_start, round_),
        step=partial(start_round, round_),
        message=_("Round %(number)d is running. The captains can report.") % said,
        leads_to=reverse("desk_board", args=[tournament.code]),
        form=form,
        arguments=form.chosen,
        too_late="" if round_.is_drawn else _("Round %(number)d has already been started.") % said,
        instead=reverse("desk_round", args=[tournament.code, number]),
    )
    return ask_first(request, tournament, asked)


@desk_view(helper=True)
def desk_take_start_back(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    round_, said = find_round(tournament, number), {"number": number}
    asked = Question(
        title=_("Undo the start of round %(number)d") % said,
        does=_(
            "Nothing has been reported yet. Players can be seated, swapped and drawn again; the "
            "captains wait, and printed links and codes stay valid."
        ),
        button=_("Undo the start"),
        back=reverse("desk_round", args=[tournament.code, number]),
        step=partial(take_start_back, round_),
        message=_("The start of round %(number)d has been undone.") % said,
        leads_to=reverse("desk_tournament", args=[tournament.code]),
        too_late=why_start_stays(round_),
    )
    return ask_first(request, tournament, asked)


@desk_view(helper=True)
def desk_close_round(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    round_, said = find_round(tournament, number), {"number": number}
    asked = Question(
        title=_("Close round %(number)d") % said,
        does=_("The sheets count as they are. Later reports are set aside for you."),
        button=_("Close round %(number)d now") % said,
        back=reverse("desk_round", args=[tournament.code, number]),
        notes=partial(still_open, round_),
        step=partial(close_round, round_),
        message=_("Round %(number)d is closed.") % said,
        leads_to=reverse("desk_tournament", args=[tournament.code]),
        form=CloseForm(posted_data(request), forced=bool(missing_at(round_))),
        too_late="" if round_.is_running else _("Round %(number)d is not running.") % said,
    )
    return ask_first(request, tournament, asked)


@desk_view(helper=True)
def desk_reopen_round(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    round_, said = find_round(tournament, number), {"number": number}
    board = reverse("desk_round", args=[tournament.code, number])
    asked = Question(
        title=_("Reopen round %(number)d") % said,
        does=_("You and the captains can correct its deals again until you close it once more."),
        button=_("Reopen round %(number)d") % said,
        back=board,
        step=partial(reopen_round, round_),
        message=_("Round %(number)d is open again.") % said,
        leads_to=board,
        form=ReasonForm(posted_data(request)),
        too_late="" if round_.is_closed else _("Round %(number)d is not closed.") % said,
    )
    return ask_first(request, tournament, asked)


# What is done table by table, for all tables at once: everybody has signed, everything listed is settled.

# Tables per confirmation page: more sheets than this are not checked at once.
ASKED = 30


@desk_view(helper=True)
def desk_all_signed(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Record signatures on paper for all who have not signed at complete tables of a round."""
    round_ = find_round(tournament, number)
    rows = [row for row in board(round_) if row.waits_for_signatures][:ASKED] if round_.is_running else []
    with_names(rows)
    lacking = [seat for row in rows for seat in row.seats if seat.agreed_at is None]
    mark = sha256(repr([(seat.pk, seat.tokens) for seat in lacking]).encode()).hexdigest()[:16]
    page = reverse("desk_round", args=[tournament.code, number])
    if request.method == "POST" and request.POST.get("seen") != mark:
        messages.warning(request, _("Something has changed in the meantime. This is how it is now."))
        return redirect(request.path)
    asked = Question(
        title=_("All have signed"),
        does=_("Everyone named here has signed the sheet on paper and agrees to it as it is."),
        button=_("All have signed"),
        back=page,
        notes=lambda: [_lacking_at(row) for row in rows],
        step=partial(_all_agree, lacking),
        message=_("Everyone agrees to the sheet."),
        leads_to=page,
        sees={"seen": mark},
        too_late="" if rows else _("No sheet is waiting for a signature."),
        undo=undo_of(tournament, "signed"),
    )
    return ask_first(request, tournament, asked)


def _lacking_at(row: BoardRow) -> str:
    """Names of players who have not signed at a table, and the totals to sign."""
    lacking = [
        f"{seat.entry.shown_name} ({signed(seat.tokens)})" for seat in row.seats if seat.agreed_at is None
    ]
    said = {"number": row.table.number, "why": ", ".join(lacking)}
    return _("Table %(number)d: %(why)s.") % said


@transaction.atomic
def _all_agree(seats: Sequence[Seat], *, now: datetime, **_by: object) -> int:
    return sum(agree(seat, now=now).agreed_at == now for seat in seats)


@desk_view(helper=True)
@require_POST
def desk_settle_all(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Close every call, conflict and mark that the page listed; newer ones stay open."""
    shown = {number for text in request.POST.getlist("flag") if (number := number_in(text)) is not None}
    raised = Flag.objects.filter(table__round__tournament=tournament, settled_at=None)
    flags = list(raised.select_related("table__round").filter(pk__in=sorted(shown)[: 2 * LISTED]))

    @transaction.atomic
    def settle_all(*, account: Account, now: datetime) -> int:
        return sum(settle_flag(flag, account, now=now).settled_at == now for flag in flags)

    undo = undo_of(tournament, "settled")
    return handle_button(request, settle_all, _settled, "desk_board", tournament.code, undo=undo)


def _settled(count: int) -> str:
    if not count:
        return _("Everything listed has already been settled.")
    return ngettext("%(count)d is settled.", "%(count)d are settled.", count) % {"count": count}


# The standings as they are now, below what waits at the desk; everybody else has them in the hall.


# So many places are shown first: a deal changes the numbers of many places of thousands.
AT_FIRST = 200


@desk_view(helper=True)
@require_safe
def desk_standings(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The standings; of a long list the first places, and with `?all` all of them."""
    begun = now_of(request, tournament).steps.have_begun
    places = places_now(tournament, On.SCREEN) if begun else {"groups": []}
    has_more = "all" not in request.GET and any(len(group.rows) > AT_FIRST for group in places["groups"])
    most = f":{AT_FIRST}" if has_more else ":"
    context = {"tournament": tournament, "most": most, "has_more": has_more, **places}
    return render_live(request, "evening/standings", context)


# Undo of batch actions, by the button in their message.

# How each is taken back, and the page where it was done.
STEPS: Mapping[str, tuple[Callable[..., Undone], str]] = {
    "here": (take_check_in_back, "desk_check_in"),
    "paid": (take_paying_back, "desk_check_in"),
    "list": (take_list_back, "desk_check_in"),
    "settled": (take_settling_back, "desk_board"),
    "signed": (take_yeses_back, "desk_board"),
    "aside": (take_setting_aside_back, "desk_late"),
    "sheet": (take_sheets_back, "desk_paper"),
}


@desk_view(helper=True)
@require_POST
def desk_undo(request: DeskRequest, tournament: Tournament, done: str, at: int) -> HttpResponse:
    """Take back what was `done` at a moment (`at`), in microseconds since 1970; pressed twice it is taken back once."""
    if done not in STEPS:
        raise Http404
    step, page = STEPS[done]
    try:
        done_at = moment(at)
    except OverflowError:
        raise Http404 from None
    back = referring_page(request, reverse(page, args=[tournament.code]))
    return handle_button(request, partial(_undo, partial(step, tournament, done_at)), str, back)


def _undo(step: Callable[..., Undone], **by: object) -> str:
    return step(**by).message


urlpatterns = [
    path(f"{DESK}standings/", desk_standings, name="desk_standings"),
    path(f"{DESK}clock/", desk_clock, name="desk_clock"),
    path(f"{DESK}clock/lengthen/", desk_clock_lengthen, name="desk_clock_lengthen"),
    path(f"{DESK}clock/<slug:step>/", desk_clock_step, name="desk_clock_step"),
    path(f"{DESK}projector/", desk_wall, name="desk_wall"),
    path(f"{DESK}undo/<slug:done>/<int:at>/", desk_undo, name="desk_undo"),
]
