"""What one press of a button has done is taken back by the button beside what is said of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.urls import reverse

if TYPE_CHECKING:
    from core.http.steps import Undo
    from tournaments.models import Tournament

_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def undo_of(tournament: Tournament, what: str) -> Undo:
    """The address that takes back what was done at a moment, as `desk_undo` calls it."""
    return lambda at: reverse("desk_undo", args=[tournament.code, what, (at - _BEGIN) // _MICROSECOND])


def moment(told: int) -> datetime:
    """The moment that an address tells. Raises OverflowError for one that no calendar has."""
    return _BEGIN + told * _MICROSECOND
