"""A captain's way in, shown to one who lost it or replaced by a new one; and a table that is ended early."""

from __future__ import annotations

from typing import TYPE_CHECKING

import segno
from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments import rounds
from tournaments.desk.evening.evening_form import ReasonForm
from tournaments.ledger.tables import names_at
from tournaments.running.addresses import base_url
from tournaments.web.confirming import Confirmation, confirm, sent
from tournaments.web.finding import find_table
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.taking_steps import taken

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
    code = segno.make(address, error="m")
    context = {
        "tournament": tournament,
        "table": table,
        "round": table.round,
        "names": names_at(table),
        "address": address,
        "code_address": base_url(request) + reverse("captain_code"),
        "svg": mark_safe(code.svg_inline(scale=5, border=2, omitsize=True, svgclass="qr", lineclass=None)),  # noqa: S308 - made of squares by us
    }
    return render(request, "desk/evening/link.html", context)


@desk_view(helper=True)
def desk_revoke_link(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    table = find_table(tournament, round_number, number)
    # The link that the page showed: pressing twice does not replace the new one too.
    if request.method == "POST" and request.POST.get("code") == table.code:
        taken(
            request,
            lambda: rounds.revoke_link(table, account=request.user, now=timezone.now()),
            _("Table %(number)d has a new link and a new code. The old ones are dead.") % {"number": number},
        )
    if request.method == "POST":
        return redirect(_page_of(table, "desk_link"))
    asked = Confirmation(
        title=_("A new link for table %(number)d") % {"number": number},
        does=_("The old link and the printed code stop working; whoever uses them is told so. "
               "Deals they send are kept aside for you."),
        button=_("Replace the link now"),
        back=_page_of(table, "desk_link"),
        sends={"code": table.code},
    )  # fmt: skip
    return confirm(request, tournament, asked)


@desk_view(helper=True)
def desk_end_table(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    table = find_table(tournament, round_number, number)
    form = ReasonForm(sent(request))
    if form.is_valid() and taken(
        request,
        lambda: rounds.end_table_early(
            table, reason=form.cleaned_data["reason"], account=request.user, now=timezone.now()
        ),
        _("Table %(number)d is ended; its sheet counts as it stands.") % {"number": number},
        form,
    ):
        return redirect(_page_of(table))
    if table.ended_early_at or not table.is_open:
        messages.info(request, _("Table %(number)d is not playing.") % {"number": number})
        return redirect(_page_of(table))
    asked = Confirmation(
        title=_("End table %(number)d early") % {"number": number},
        does=_("Its sheet counts as it stands, incomplete or unconfirmed. The captain can report no more. "
               "You can still correct it, and you can let the table go on."),
        button=_("End table %(number)d") % {"number": number},
        back=_page_of(table),
    )  # fmt: skip
    return confirm(request, tournament, asked, form)
