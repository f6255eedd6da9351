"""A round's clock on a page: what static/js/clock.js counts from, and what it says without that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

from tournaments.models.base import moment_said

if TYPE_CHECKING:
    from tournaments.models import Round, Tournament

register = template.Library()
SECOND = 1000  # milliseconds


@register.inclusion_tag("_clock.html")
def round_clock(round_: Round | None) -> dict[str, Any]:
    """Nothing without a round, or where it has no clock; moments in milliseconds, as browsers count them."""
    clock = round_.clock if round_ is not None and round_.is_running else None
    if clock is None:
        return {"clock": None}
    ends, paused = clock.ends_at, clock.paused_at
    return {
        "clock": clock,
        "ends": round(ends.timestamp() * SECOND) if ends else "",
        "left": round(clock.left(paused).total_seconds() * SECOND) if paused else "",
        "until": moment_said(ends, ends),
        "rings": True,
    }


@register.inclusion_tag("_clock.html")
def objections_clock(tournament: Tournament, *, is_said: bool = False) -> dict[str, Any]:
    """How long objections are heard; nothing where none are. `is_said`: the page says beside it until when."""
    until = tournament.objections_until
    ends = round(until.timestamp() * SECOND) if until else ""
    return {
        "clock": until,
        "ends": ends,
        "until": "" if is_said else tournament.objections_said,
        "rings": False,
    }
