"""What pages say of standings that are posted, or final."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

from tournaments.lifecycle.ending import corrected_since_posted

if TYPE_CHECKING:
    from tournaments.models import Tournament

register = template.Library()


@register.inclusion_tag("hall/_final.html")
def final_said(tournament: Tournament, winners: str = "") -> dict[str, Any]:
    """Until when the final standings are provisional, or that they are final; and what was corrected meanwhile."""
    return {
        "tournament": tournament,
        "winners": winners,
        "corrected": corrected_since_posted(tournament) if tournament.is_played else [],
    }
