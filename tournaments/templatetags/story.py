"""The lines of a race: hundreds of them, each written once."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from django import template
from django.utils.safestring import SafeString, mark_safe

from tournaments.domain.terms import signed

if TYPE_CHECKING:
    from tournaments.hall.story import Runner

register = template.Library()


@register.simple_tag
def runner_line(runner: Runner) -> SafeString:
    """A line that follows its player when it is tapped. Once more, wide and unseen, it is what a finger meets."""
    number = runner.row.number
    said = escape(f"{runner.row.name} {signed(runner.line.last)}")
    return mark_safe(  # noqa: S308 - names are escaped, the rest is numbers
        f'<a class="l{runner.style}" href="{runner.follow}#race" tabindex="-1"><title>{said}</title>'
        f'<path id="l{number}" d="{runner.line.path}"/><use class="hit" href="#l{number}"/></a>'
    )
