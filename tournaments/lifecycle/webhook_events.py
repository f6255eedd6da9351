"""What addresses of others are told of an evening: what everybody can see in the hall, and no name of a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clubs.models import Event
from clubs.webhooks import enqueue_event

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from tournaments.models import Round, Tournament


__all__ = ["Event", "tell"]


def tell(tournament: Tournament, event: Event, *, rounds: Iterable[Round] = (), now: datetime) -> None:
    """Put it out in the transaction of what it tells of."""
    about = {
        "tournament": {
            "code": tournament.code,
            "name": tournament.name,
            "date": tournament.date.isoformat(),
            "state": tournament.state,
        },
        "rounds": [round_.number for round_ in rounds],
        "read": f"/api/v1/tournaments/{tournament.code}",
    }
    enqueue_event(tournament.host, event, about, now=now)
