"""Webhook events of an evening: only what is public in the hall, without names of players."""

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
    """Queue an event in the transaction that it reports."""
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
