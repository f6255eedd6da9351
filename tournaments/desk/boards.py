"""The organiser's pages of duplicate boards and their folders."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from core.errors import NotPossible
from core.forms import SeenForm
from core.http.responses import hide_address
from core.http.steps import add_to_form, posted_data
from core.jobs.queue import remember_job
from core.pdf.store import a_pdf, pdf_answer
from tournaments.boards.analysis import count_lacking, doubts_at, update_analysis
from tournaments.boards.dealing import fingerprint
from tournaments.boards.folders import (
    PRINTED,
    Beginning,
    beginnings,
    deal_boards,
    folder_count,
    is_number_sealed,
    is_sealed,
    play_other_folder,
    redeal,
    show_same_cards,
    why_no_boards,
)
from tournaments.changes.log import write_down
from tournaments.draw.tables import CHAIRS, SMALL_TABLE
from tournaments.ledger.queries import LinkRevoked, sizes_of_tables, table_by_secret
from tournaments.ledger.submissions import LARGEST_NUMBER
from tournaments.models import Flag, Round, Table, Tournament
from tournaments.models.events import MOST_BOARD_SETS
from tournaments.paper.boards import folders_pdf
from tournaments.web.confirming import Question, ask_first
from tournaments.web.fields import reason_field
from tournaments.web.guards import DeskRequest, desk_view, find_table, one_by_one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from clubs.models import Account
    from scoring.rulebook import Rulebook


# Boards at the desk: cards of the folders, first folders, printed labels; cards are shown on request only.


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
    # Deals whose results the cards make doubtful, not yet reviewed.
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
    """Labels and inserts with every card of a round; the request is logged."""
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
    """Deal other cards, since some were seen."""
    _round_number(tournament, number)
    home, said = reverse("desk_boards", args=[tournament.code]), {"number": number}
    asked = Question(
        title=_("Deal the boards of round %(number)d again") % said,
        does=_(
            "All folders of the round get different cards. Folders already prepared must be prepared again."
        ),
        button=_("Deal again"),
        back=home,
        step=partial(redeal, tournament, number),
        message=_("The boards of round %(number)d have been dealt again.") % said,
        leads_to=home,
        form=DealAnewForm(posted_data(request)),
    )
    return ask_first(request, tournament, asked)


@desk_view()
def desk_boards_analyse(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Queue the analysis of a closed round's folders, if it was stopped or never queued."""
    _round_number(tournament, number)
    round_ = tournament.rounds.filter(number=number).first()
    if request.method == "POST" and round_ is not None:
        job = update_analysis(round_, account=request.user, now=timezone.now())
        if job is not None:
            remember_job(request, job)
            return redirect("desk_job", job.pk)
    return redirect("desk_boards", tournament.code)


@desk_view()
def desk_boards_column(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Show the column of play on the same cards in the standings, or leave it out."""
    _needs_boards(tournament)
    if request.method == "POST":
        shown = request.POST.get("shown") == "1"
        show_same_cards(tournament, shown=shown, account=request.user, now=timezone.now())
        text = _("The standings show results on the same cards.") if shown else _("The column is hidden.")
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


# Boards on forms: whether they are played, which folder a deal was played with, and new cards for a round.


class BoardFields(forms.Form):
    """The set-up's fields about boards."""

    boards = forms.BooleanField(
        label=gettext_lazy("Duplicate boards: everyone plays the same cards, from folders"),
        required=False,
        help_text=gettext_lazy(
            "The program deals the cards and prints them for the folders. Otherwise everyone deals by hand."
        ),
    )
    board_sets = forms.IntegerField(
        label=gettext_lazy("Sets of folders available"),
        required=False,
        min_value=0,
        max_value=MOST_BOARD_SETS,
        initial=0,
        help_text=gettext_lazy("0: one set per table. If tables share a set, its folders move between them."),
    )

    def clean_board_sets(self) -> int:
        return self.cleaned_data["board_sets"] or 0

    def check_boards(self, rulebook: Rulebook) -> None:
        """Add errors to the fields where the boards cannot be played so."""
        data: dict[str, Any] = self.cleaned_data
        if not data.get("boards"):
            return
        if why := why_no_boards(rulebook):
            self.add_error("boards", why)
            return
        size = max(rulebook.players)
        deals = data.get("deals_at_three" if size == SMALL_TABLE else "deals_per_round")
        if data.get("board_sets") and deals and deals % size:
            text = _(
                "Tables can share a set of folders only if the deals per round are divisible by "
                "%(size)d; %(deals)d is not."
            )
            self.add_error("board_sets", text % {"size": size, "deals": deals})
        self._check_threes()

    def _check_threes(self) -> None:
        """A table of three plays the first of the folders; with more deals a set would need folders of its own."""
        deals = self.cleaned_data.get("deals_per_round")
        at_three = self.cleaned_data.get("deals_at_three")
        if deals and at_three and at_three > deals:
            text = _(
                "With boards a table of three plays at most as many deals as a table of four, "
                "%(deals)d; %(fewer)d is better, as everyone then gets the same number of hands."
            )
            fewer = max(deals * SMALL_TABLE // CHAIRS, SMALL_TABLE)
            self.add_error("deals_at_three", text % {"deals": deals, "fewer": fewer})


class FolderForm(SeenForm, forms.Form):
    """Another folder than was thought, and why."""

    not_stored = ("reason",)

    folder = forms.IntegerField(
        label=gettext_lazy("Played with folder"),
        min_value=1,
        max_value=LARGEST_NUMBER,
        widget=forms.NumberInput({"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={
            "required": gettext_lazy("Type the number on the folder."),
            "invalid": gettext_lazy("Type the number on the folder."),
            "min_value": gettext_lazy("Type the number on the folder."),
            "max_value": gettext_lazy("Type the number on the folder."),
        },
    )
    reason = reason_field(help_text=gettext_lazy("It will be recorded in the log."))


class DealAnewForm(forms.Form):
    """Deal other cards for a round, with the reason."""

    reason = reason_field(label=gettext_lazy("Why other cards?"))


# A deal was played with another folder than planned: reported by the captain, or at the desk.


def _changed(
    request: HttpRequest, form: FolderForm, table: Table, deal: int, account: Account | None
) -> bool:
    """Whether it was stored; otherwise the form has the errors."""
    if request.method != "POST" or not form.is_valid():
        return False
    typed, now = form.cleaned_data, timezone.now()
    try:
        play_other_folder(table, deal, typed["folder"], reason=typed["reason"], account=account, now=now)
    except NotPossible as refusal:
        add_to_form(form, refusal)
        return False
    return True


def _form(request: HttpRequest, table: Table, deal: int) -> FolderForm:
    """The form for a deal that has a folder; raises Http404 for any other."""
    folder = table.folder_of(deal) if 1 <= deal <= table.deals else None
    if folder is None:
        raise Http404
    return FolderForm(posted_data(request), initial={"folder": folder})


@desk_view(helper=True)
def desk_folder(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int, deal: int
) -> HttpResponse:
    table = find_table(tournament, round_number, number)
    form = _form(request, table, deal)
    if _changed(request, form, table, deal, request.user):
        sheet = reverse("desk_table", args=[tournament.code, round_number, number])
        return redirect(f"{sheet}#deal-{deal}")
    changes = table.folder_changes.filter(deal_number=deal)
    context = {"tournament": tournament, "round": table.round, "table": table, "deal": deal, "form": form}
    return render(request, "desk/boards/folder.html", context | {"changes": changes})


@csrf_exempt  # the secret in the address is the credential, there is no session
@never_cache
def captain_folder(request: HttpRequest, secret: str, deal: int) -> HttpResponse:
    table = _open_table(secret)
    if table is None:
        return redirect("captain", secret)  # whose page explains what to do
    if request.method != "POST":
        return _captains(request, table, deal)
    with one_by_one(table.round.tournament):
        table.refresh_from_db()
        return _captains(request, table, deal)


def _open_table(secret: str) -> Table | None:
    try:
        table = table_by_secret(secret)
    except (Table.DoesNotExist, LinkRevoked):
        return None
    return table if table.is_open else None


def _captains(request: HttpRequest, table: Table, deal: int) -> HttpResponse:
    secret = table.secret
    form = _form(request, table, deal)
    if _changed(request, form, table, deal, None):
        return redirect(f"{reverse('captain', args=[secret])}#sheet")
    context = {"table": table, "deal": deal, "form": form, "secret": secret}
    return hide_address(render(request, "captain/folder.html", context))


urlpatterns += [
    path(
        "desk/t/<str:code>/round/<int:round_number>/table/<int:number>/folder/<int:deal>/",
        desk_folder,
        name="desk_folder",
    ),
    path("c/<str:secret>/folder/<int:deal>/", captain_folder, name="captain_folder"),
]
