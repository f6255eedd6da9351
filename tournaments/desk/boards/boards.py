"""Boards at the desk: what is dealt, where folders begin, and their cards on paper, which nobody sees but by asking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.http.steps import posted_data
from core.jobs.queue import remember
from core.pdf.store import a_pdf, pdf_answer
from tournaments.boards.analysis import count_lacking
from tournaments.boards.analysis_job import update_analysis
from tournaments.boards.dealing import fingerprint
from tournaments.boards.doubts import doubts_at
from tournaments.boards.folders import (
    PRINTED,
    Beginning,
    beginnings,
    deal_anew,
    deal_boards,
    folder_count,
    is_number_sealed,
    is_sealed,
    show_same_cards,
)
from tournaments.changes.log import write_down
from tournaments.desk.boards.folders_form import DealAnewForm
from tournaments.ledger.queries import sizes_of_tables
from tournaments.models import Flag, Round, Tournament
from tournaments.paper.boards import folders_pdf
from tournaments.web.confirming import Question, ask_first
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class RoundAtDesk:
    """A round's boards on the page; `fingerprint` is "" before they are dealt."""

    number: int
    fingerprint: str
    sealed: bool
    started: bool
    beginnings: Sequence[Beginning]
    # How many of its folders were played and are not analysed.
    lacking: int
    # Deals with results that the cards make doubtful, and nobody has looked at.
    doubts: Sequence[Flag]


@desk_view(helper=True)
@require_safe
def desk_boards(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    _needs_boards(tournament)
    dealt = {one.round_number: one for one in tournament.board_sets_dealt.all()}
    rounds = {round_.number: round_ for round_ in tournament.rounds.prefetch_related("tables")}
    context = {
        "tournament": tournament,
        "folders": folder_count(tournament),
        "with_threes": len(sizes_of_tables(tournament)) > 1,
        "rounds": [
            RoundAtDesk(
                number,
                fingerprint(dealt[number].seed) if number in dealt else "",
                is_number_sealed(tournament, number),
                number in rounds and not rounds[number].is_drawn,
                beginnings(rounds[number]) if number in rounds else (),
                count_lacking(rounds[number]) if number in rounds else 0,
                _open_doubts(rounds[number]) if number in rounds else (),
            )
            for number in range(1, tournament.rounds_planned + 1)
        ],
    }
    return render(request, "desk/boards/boards.html", context)


def _open_doubts(round_: Round) -> Sequence[Flag]:
    if is_sealed(round_):
        return ()
    found = doubts_at(round_).filter(settled_at=None).select_related("table")
    return list(found.order_by("table__number", "deal"))


def _needs_boards(tournament: Tournament) -> None:
    if not tournament.boards:
        raise Http404


def _round_number(tournament: Tournament, number: int) -> int:
    _needs_boards(tournament)
    if not 1 <= number <= tournament.rounds_planned:
        raise Http404
    return number


@a_pdf
@desk_view(one_transaction=False)
def desk_boards_folders(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Labels and inserts with every card of a round. Who asks for them is written down."""
    _round_number(tournament, number)
    back = reverse("desk_boards", args=[tournament.code])
    if request.method != "POST":
        return redirect(back)
    now = timezone.localtime()
    board_set = deal_boards(tournament, number, account=request.user, now=now)

    def make() -> bytes:
        data = folders_pdf(board_set, printed_at=now)
        write_down(tournament, request.user, PRINTED, now=now, round=number)
        return data

    of_round = _("round %(number)d") % {"number": number}
    return pdf_answer(request, make, tournament.name, of_round, _("folders"), instead=back)


@desk_view()
def desk_boards_anew(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Other cards, because somebody has seen some."""
    _round_number(tournament, number)
    home, said = reverse("desk_boards", args=[tournament.code]), {"number": number}
    asked = Question(
        title=_("Deal the boards of round %(number)d again") % said,
        does=_(
            "All folders of the round get different cards. Folders already prepared must be prepared again."
        ),
        button=_("Deal again"),
        back=home,
        step=partial(deal_anew, tournament, number),
        said=_("The boards of round %(number)d have been dealt again.") % said,
        leads_to=home,
        form=DealAnewForm(posted_data(request)),
    )
    return ask_first(request, tournament, asked)


@desk_view()
def desk_boards_analyse(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Have the folders of a round that is over analysed, where that was stopped or never asked for."""
    _round_number(tournament, number)
    round_ = tournament.rounds.filter(number=number).first()
    if request.method == "POST" and round_ is not None:
        job = update_analysis(round_, account=request.user, now=timezone.now())
        if job is not None:
            remember(request, job)
            return redirect("desk_job", job.pk)
    return redirect("desk_boards", tournament.code)


@desk_view()
def desk_boards_column(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Show the column of play on the same cards in the standings, or leave it out."""
    _needs_boards(tournament)
    if request.method == "POST":
        shown = request.POST.get("shown") == "1"
        show_same_cards(tournament, shown=shown, account=request.user, now=timezone.now())
        text = _("The standings show play on the same cards.") if shown else _("The column is left out.")
        messages.success(request, text)
    return redirect("desk_boards", tournament.code)


DESK = "desk/t/<str:code>/boards/"
urlpatterns = [
    path(f"{DESK}column/", desk_boards_column, name="desk_boards_column"),
    path(DESK, desk_boards, name="desk_boards"),
    path(f"{DESK}<int:number>/folders.pdf", desk_boards_folders, name="desk_boards_folders"),
    path(f"{DESK}<int:number>/analyse/", desk_boards_analyse, name="desk_boards_analyse"),
    path(f"{DESK}<int:number>/anew/", desk_boards_anew, name="desk_boards_anew"),
]
