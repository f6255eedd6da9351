"""The manual as pages, for everybody: what stands behind each page's “?”."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from tournaments.words.manual import PARTS, chapter

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def manual(request: HttpRequest) -> HttpResponse:
    parts = [(part, [(name, chapter(name).title) for name in chapters]) for part, chapters in PARTS.items()]
    return render(request, "web/manual.html", {"parts": parts})


@require_safe
def manual_chapter(request: HttpRequest, chapter_name: str) -> HttpResponse:
    if not any(chapter_name in chapters for chapters in PARTS.values()):
        raise Http404
    return render(
        request,
        "web/manual_chapter.html",
        {"chapter": chapter(chapter_name), "is_captains": chapter_name == "captain"},
    )


urlpatterns = [
    path("manual/", manual, name="manual"),
    path("manual/<slug:chapter_name>/", manual_chapter, name="manual_chapter"),
]
