"""The captain's guide on one page, in any language that the program speaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_safe

from core.pdf.store import a_pdf, for_visitor, pdf_answer
from core.serving.addresses import base_url
from tournaments.paper.notices import guide_pdf
from tournaments.web.manual import chapter

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


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
