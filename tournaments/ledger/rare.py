"""What is legal and rare: the desk sees it until somebody there has looked at it, or a new version ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.models import Flag, Report, Table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from tournaments.ledger.judging import Judged


def mark_rare(table: Table, deals: Mapping[int, Judged], source: str, *, now: datetime) -> None:
    """Flag each of these deals whose new version the rules warn of, unless the desk itself typed it.

    A deal that the table was asked about, and said yes to, is not among `deals`.
    """
    if source == Report.Source.DESK:
        return
    rare = [
        Flag(
            table=table,
            kind=Flag.Kind.RARE,
            deal=deal,
            about={"warnings": list(judged.doubts)},
            raised_at=now,
        )
        for deal, judged in sorted(deals.items())
        if judged.doubts
    ]
    if rare:  # Django thinks for a while about nothing too
        Flag.objects.bulk_create(rare)
