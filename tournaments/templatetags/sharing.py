"""What a page says of itself where its address is shared."""

from __future__ import annotations

from typing import Any

from django import template

from tournaments.hall.about import about

register = template.Library()


@register.inclusion_tag("hall/_about.html", takes_context=True)
def about_page(context: template.RequestContext) -> dict[str, Any]:
    """The tags that other programs read: description, OpenGraph, and those of what was Twitter."""
    return {
        "about": about(context["request"], {str(name): value for name, value in context.flatten().items()})
    }
