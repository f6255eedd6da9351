"""Pages of rules, and the captain's guide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.pdf.store import a_pdf, for_visitor, pdf_answer
from core.serving.addresses import base_url
from scoring import Rulebook, UnknownRulebook, get_rulebook, rulebooks
from tournaments.domain.rule_text import rule_text
from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.lifecycle.rules_text import rule_sheet, rule_sheet_of
from tournaments.paper.notices import guide_pdf, rules_pdf
from tournaments.web.manual import chapter

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase


# The rules: those in force at a tournament, each rulebook's own, and their full text.


@require_safe
def hall_rules(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_tournament(code)
    return live_page(request, tournament, "rules", lambda: {"sheet": rule_sheet_of(tournament)})


@require_safe
def rules_index(request: HallRequest) -> HttpResponse:
    """Every rulebook that can be played by."""
    return render(
        request, "hall/rulebooks.html", {"books": [(book.id, _(book.name)) for book in rulebooks()]}
    )


@require_safe
def rules_sheet(request: HallRequest, rulebook: str) -> HttpResponse:
    """A rulebook's rules with its default options."""
    return render(request, "hall/rulebook.html", {"sheet": rule_sheet(_find(rulebook))})


@require_safe
def rules_text(request: HallRequest, rulebook: str) -> HttpResponse:
    book = _find(rulebook)
    context = {"rulebook": book.id, "name": _(book.name), "text": rule_text(book.id)}
    return render(request, "hall/rule_text.html", context)


@a_pdf
@require_safe
def rules_sheet_pdf(request: HttpRequest, rulebook: str) -> HttpResponse:
    book = _find(rulebook)
    sheet = rule_sheet(book)
    return _pdf(request, book.id, "rules_sheet", lambda: rules_pdf(sheet, **for_visitor(request)))


@a_pdf
@require_safe
def hall_rules_pdf(request: HttpRequest, code: str) -> HttpResponse:
    tournament = find_tournament(code)
    sheet = rule_sheet_of(tournament)
    return _pdf(
        request,
        tournament.code,
        "hall_rules",
        lambda: rules_pdf(sheet, tournament, **for_visitor(request)),
    )


def _find(rulebook: str) -> Rulebook:
    try:
        return get_rulebook(rulebook)
    except UnknownRulebook:
        raise Http404 from None


def _pdf(request: HttpRequest, which: str, page: str, make: Callable[[], bytes]) -> HttpResponse:
    """The printed sheet; if it cannot be made, the page with the reason."""
    return pdf_answer(request, make, _("rules"), which, instead=reverse(page, args=[which]))


# The captain's guide on one page, in any language that the program speaks.


@a_pdf
@require_safe
def captain_guide(request: HttpRequest, language: str) -> HttpResponse:
    if language not in dict(settings.LANGUAGES):
        raise Http404
    address = base_url(request) + reverse("captain_code")
    with translation.override(language):
        return pdf_answer(
            request,
            lambda: guide_pdf(address, **for_visitor(request)),
            chapter("captain").title,
            instead=reverse("manual_chapter", args=["captain"]),
        )
