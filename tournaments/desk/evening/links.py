"""A captain's way in, shown to one who lost it or replaced by a new one; and a table that is ended early."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.http.steps import posted_data
from core.serving.addresses import base_url
from tournaments.desk.evening.evening_form import ReasonForm
from tournaments.ledger.queries import names_at
from tournaments.lifecycle.playing import end_table_early, revoke_link
from tournaments.web.confirming import Question, ask_first
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.lookup import find_table
from tournaments.web.public_url import square

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tournaments.models import Table, Tournament


def _page_of(table: Table, name: str = "desk_table") -> str:
    return reverse(name, args=[table.round.tournament.code, table.round.number, table.number])


@desk_view(helper=True)
@require_safe
def desk_link(request: DeskRequest, tournament: Tournament, round_number: int, number: int) -> HttpResponse:
    """The captain's link as a QR code and a short code, large enough to be read off this screen."""
    table = find_table(tournament, round_number, number)
    address = base_url(request) + reverse("captain", args=[table.secret])
    context = {
        "tournament": tournament,
        "table": table,
        "round": table.round,
        "names": names_at(table),
        "address": address,
        "code_address": base_url(request) + reverse("captain_code"),
        "svg": square(address),
    }
    return render(request, "desk/evening/link.html", context)


@desk_view(helper=True)
def desk_revoke_link(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    table = find_table(tournament, round_number, number)
    said, link = {"number": number}, _page_of(table, "desk_link")
    asked = Question(
        title=_("A new link for table %(number)d") % said,
        does=_("The old link and the printed code stop working, and anyone using them is told so. "
"Deals they send are set aside for you."),
        button=_("Replace the link now"),
        back=link,
        step=partial(revoke_link, table),
        said=_("Table %(number)d has a new link and a new code. The old ones are dead.") % said,
        leads_to=link,
        sees={"code": table.code},
    )  # fmt: skip
    return ask_first(request, tournament, asked)


@desk_view(helper=True)
def desk_end_table(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    table = find_table(tournament, round_number, number)
    said, is_playing = {"number": number}, table.is_open and not table.ended_early_at
    asked = Question(
        title=_("End table %(number)d early") % said,
        does=_("Its sheet counts as it is, incomplete or unconfirmed. The captain can report nothing"
" more. You can still correct it, and you can let the table continue."),
        button=_("End table %(number)d") % said,
        back=_page_of(table),
        step=partial(end_table_early, table),
        said=_("Table %(number)d has been ended; its sheet counts as it is.") % said,
        leads_to=_page_of(table),
        form=ReasonForm(posted_data(request)),
        too_late="" if is_playing else _("Table %(number)d is not playing.") % said,
    )  # fmt: skip
    return ask_first(request, tournament, asked)
