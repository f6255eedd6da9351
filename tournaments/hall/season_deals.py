"""The booklet of a season's most instructive deals in the hall: a page, and a PDF to read or to fold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.pdf.store import a_pdf, for_visitor, pdf_answer
from tournaments.boards.analysis_text import analysis_text
from tournaments.boards.text import folder_told, seat_titles, seats_in, told
from tournaments.hall.season import find_season
from tournaments.ledger.queries import rulebook_of
from tournaments.paper.season import season_deals_pdf
from tournaments.seasons.deals import shown_deals
from tournaments.seasons.deals_text import line_text, reason_text

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.seasons.deals import ShownDeal


@require_safe
def hall_season_deals(request: HttpRequest, pk: int) -> HttpResponse:
    season = find_season(pk)
    deals = [_told(deal) for deal in shown_deals(season)]
    if not deals:
        raise Http404
    return render(request, "hall/season_deals.html", {"season": season, "deals": deals})


def _told(deal: ShownDeal) -> dict[str, Any]:
    rulebook = rulebook_of(deal.round.tournament)
    roles = seats_in(deal.lines)
    return {
        "row": deal.row,
        "round": deal.round,
        "folder": folder_told(deal.folder, rulebook),
        "reason": reason_text(rulebook, deal.row),
        "best": analysis_text(rulebook, deal.folder.number, deal.makes, deal.lines).best
        if deal.makes
        else "",
        "seats": seat_titles(rulebook, roles),
        "lines": [told(rulebook, line, roles) for line in deal.lines],
        "line": line_text(rulebook, deal.row),
    }


@a_pdf
@require_safe
def hall_season_deals_pdf(request: HttpRequest, pk: int) -> HttpResponse:
    """The booklet; where it is asked for `folded`, two pages on each side."""
    season = find_season(pk)
    deals = shown_deals(season)
    if not deals:
        raise Http404
    folded = "folded" in request.GET
    return pdf_answer(
        request,
        lambda: season_deals_pdf(season, deals, folded=folded, **for_visitor(request)),
        season.host,
        season.name,
        _("deals"),
        instead=reverse("hall_season_deals", args=[season.pk]),
    )
