"""The “?” that every page's head has: what this page is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template
from django.urls import reverse

from tournaments.web.manual import CHAPTER_OF

if TYPE_CHECKING:
    from django.template import Context

register = template.Library()


@register.simple_tag(takes_context=True)
def help_address(context: Context) -> str:
    """Where the manual tells of the page that is shown; of a page that it says nothing of, the manual's front."""
    request = context.get("request")
    match = request.resolver_match if request else None
    chapter = CHAPTER_OF.get(match.url_name or "") if match else None
    return reverse("manual_chapter", args=[chapter]) if chapter else reverse("manual")
