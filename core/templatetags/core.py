"""Template tags and filters of `core`: finished jobs, commands to type, quotation marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.conf import settings

from core import text
from core.jobs.queue import pop_ended

if TYPE_CHECKING:
    from django.template import Context

register = template.Library()
register.filter("quoted", text.quote)


@register.inclusion_tag("desk/club/jobs.html#finished", takes_context=True)
def job_list(context: Context) -> dict[str, Any]:
    """The jobs of this session that have finished; none on a job's own page, nor on an error page without a request."""
    request = context.get("request")
    if request is None or context.get("job") or not getattr(request, "session", None):
        return {}
    ended = pop_ended(request)
    return {
        "failed": [(job, title) for job, title in ended if not job.is_ready],
        "ready": [(job, title) for job, title in ended if job.is_ready],
    }


@register.simple_tag
def command(name: str) -> str:
    """`name` as a command: “manage.py verify” in a clone of the program, “spadille verify” where it is installed."""
    return f"{settings.COMMAND} {name}"
