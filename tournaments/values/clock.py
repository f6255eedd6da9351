"""A round's clock: how long is left, counted from stored moments alone.

It was started at a moment, for so many minutes; it does not run while it is paused. Nothing is counted down anywhere:
whoever asks, whenever, gets the same answer, after a restart too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

# A pause from one moment to another; the last may not have ended.
Pause = tuple[datetime, datetime | None]
MOST_MINUTES = 600
MOST_PAUSES = 200


@dataclass(frozen=True, slots=True)
class Clock:
    """`minutes` are those that were given, with what was added; `pauses` in their order."""

    started_at: datetime
    minutes: int
    pauses: Sequence[Pause] = ()

    @property
    def paused_at(self) -> datetime | None:
        """Since when it is paused; None while it runs."""
        return self.pauses[-1][0] if self.pauses and self.pauses[-1][1] is None else None

    @property
    def is_paused(self) -> bool:
        return self.paused_at is not None

    def played(self, until: datetime) -> timedelta:
        """How long it had run at a moment, without the pauses; nothing before it was started."""
        paused = sum(
            (
                max(min(end or until, until) - begin, timedelta())
                for begin, end in self.pauses
                if begin < until
            ),
            timedelta(),
        )
        return max(until - self.started_at - paused, timedelta())

    def left(self, now: datetime) -> timedelta:
        """Less than nothing once the time is over."""
        return timedelta(minutes=self.minutes) - self.played(now)

    @property
    def ends_at(self) -> datetime | None:
        """When the time is over; None while it is paused, since nobody knows."""
        if self.is_paused:
            return None
        paused = sum((end - begin for begin, end in self.pauses if end), timedelta())
        return self.started_at + timedelta(minutes=self.minutes) + paused


def read_pauses(stored: object) -> list[Pause]:
    """Pauses as they are stored: `[["2026-11-22T19:00:00+00:00", null]]`. Raises ValueError for anything else."""
    if not isinstance(stored, list) or len(stored) > MOST_PAUSES:
        raise ValueError(stored)
    pauses: list[Pause] = []
    last: datetime | None = datetime.min.replace(tzinfo=UTC)
    for pair in stored:
        if not (isinstance(pair, list) and len(pair) == 2):  # noqa: PLR2004 - a beginning and an end
            raise ValueError(stored)
        begin, end = _moment(pair[0]), None if pair[1] is None else _moment(pair[1])
        if last is None or begin < last or (end is not None and end < begin):
            raise ValueError(stored)
        pauses.append((begin, end))
        last = end
    return pauses


def written_pauses(pauses: Sequence[Pause]) -> list[list[str | None]]:
    return [[_written(begin), _written(end) if end else None] for begin, end in pauses]


def _moment(text: object) -> datetime:
    if not isinstance(text, str):
        raise ValueError(text)  # noqa: TRY004 - a value of the file that is wrong, as any other
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(text)
    return moment


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
