"""What is done table by table, for all tables at once: everybody has signed, everything listed is settled."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from django.contrib import messages
from django.db import transaction
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from core.http.steps import handle_button
from tournaments.desk.evening.needs import LISTED
from tournaments.domain.terms import signed
from tournaments.ledger import agree, settle_flag
from tournaments.ledger.queries import board, with_names
from tournaments.models import Flag
from tournaments.web.confirming import Question, ask_first, undo_of
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.lookup import find_round, number_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.http import HttpResponse

    from clubs.models import Account
    from tournaments.ledger.queries import BoardRow
    from tournaments.models import Seat, Tournament

# So many tables are asked about at a time: nobody looks through more sheets.
ASKED = 30


@desk_view(helper=True)
def desk_all_signed(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """All who have not said yes at the tables of a round that are played out have signed on paper."""
    round_ = find_round(tournament, number)
    rows = [row for row in board(round_) if row.waits_for_signatures][:ASKED] if round_.is_running else []
    with_names(rows)
    lacking = [seat for row in rows for seat in row.seats if seat.agreed_at is None]
    mark = sha256(repr([(seat.pk, seat.tokens) for seat in lacking]).encode()).hexdigest()[:16]
    page = reverse("desk_round", args=[tournament.code, number])
    if request.method == "POST" and request.POST.get("seen") != mark:
        messages.warning(request, _("Something has changed in the meantime. Here it is as it is now."))
        return redirect(request.path)
    asked = Question(
        title=_("All have signed"),
        does=_("Everyone named here has signed the sheet on paper and agrees to it as it is."),
        button=_("All have signed"),
        back=page,
        notes=lambda: [_lacking_at(row) for row in rows],
        step=partial(_all_agree, lacking),
        said=_("Everyone agrees to the sheet."),
        leads_to=page,
        sees={"seen": mark},
        too_late="" if rows else _("No sheet is waiting for a signature."),
        undo=undo_of(tournament, "signed"),
    )
    return ask_first(request, tournament, asked)


def _lacking_at(row: BoardRow) -> str:
    """Who has not said yes at a table, and to what."""
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
    """Every call, difference and mark that was on the page is settled; none that came since."""
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
