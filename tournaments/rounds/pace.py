"""How quickly tables play, and who is behind: by the deals they have reported, not by who looks when.

A pace is counted to a table's last report, so that it is the same on every screen until there is a new one.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.ledger.queries import BoardRow
    from tournaments.models import Round

# So many deals behind the middle table a table is slow: an eighth of a round, a good quarter of an hour.
SLOW_BY = 5
# Fewer deals say nothing of a pace, nor does less time, in seconds.
LEAST_DEALS, LEAST_TIME = 3, 300
HOUR = 3600


@dataclass(frozen=True, slots=True)
class Pace:
    """Deals an hour, None before there is anything to count; whether the table ends after the others, or the clock."""

    an_hour: int | None
    is_behind: bool


def deals_behind(rows: Sequence[BoardRow]) -> dict[int, int]:
    """Table's primary key -> how many deals it is behind the median table (negative: ahead).

    Compared by the share of their own deals, since a table of three plays fewer in the same time.
    """
    if not rows:
        return {}
    middle = median(row.reported / row.table.deals for row in rows)
    return {row.table.pk: round(middle * row.table.deals) - row.reported for row in rows}


def paces(round_: Round, rows: Sequence[BoardRow]) -> Mapping[int, Pace]:
    """Table's primary key -> its pace. By the clock, behind is who would need longer than it gives."""
    behind = deals_behind(rows)
    found = {}
    for row in rows:
        played = _seconds(round_, row)
        tells = row.reported >= LEAST_DEALS and played >= LEAST_TIME
        an_hour = round(row.reported * HOUR / played) if tells else None
        late = behind[row.table.pk] >= SLOW_BY
        if round_.clock is not None and tells:
            late = played * row.table.deals / row.reported > round_.clock.minutes * 60
        found[row.table.pk] = Pace(an_hour, late and not row.complete and not row.done)
    return found


def _seconds(round_: Round, row: BoardRow) -> float:
    """For how long a table had played when it reported last; 0 where that says nothing."""
    begun = round_.started_at
    if row.last_report_at is None or begun is None:
        return 0.0
    if round_.clock is not None:
        return round_.clock.played(row.last_report_at).total_seconds()
    return (row.last_report_at - begun).total_seconds()
