"""What was asked for and is done by now, on the next page of whoever asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

from clubs.jobs.told import ended

if TYPE_CHECKING:
    from django.template import Context

register = template.Library()


@register.inclusion_tag("desk/_jobs_told.html", takes_context=True)
def jobs_told(context: Context) -> dict[str, Any]:
    """A message for each of them; not on the page of the job itself, nor on one of an error, which has no request."""
    request = context.get("request")
    if request is None or context.get("job") or not getattr(request, "session", None):
        return {"told": []}
    return {"told": ended(request)}
