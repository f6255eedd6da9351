"""Two phones that report a deal differently: the desk sees it until a new version ends the dispute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

from core.sql import Sentence
from tournaments.changes.versions import announce
from tournaments.models import Flag, Table

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from tournaments.ledger.judging import Judged

END_FLAGS = """
    UPDATE tournaments_flag SET settled_at = %s, settled_by = %s
    WHERE table_id = %s AND settled_at IS NULL AND deal IN ({deals})
    AND (kind IN ('conflict', 'rare') OR (kind = 'later' AND words = ''))"""


def raise_conflicts(table: Table, disputed: Mapping[int, Judged], *, now: datetime) -> None:
    """Flag each deal, once, with what the phone that came second says of it."""
    for deal, judged in disputed.items():
        second = {"result": judged.result, "outcome": judged.outcome}
        _flag, created = Flag.objects.get_or_create(
            table=table,
            kind=Flag.Kind.CONFLICT,
            deal=deal,
            settled_at=None,
            defaults={"about": second, "raised_at": now},
        )
        if created:
            announce(table.round.tournament_id)


def ending_flags(table: Table, deals: Collection[int], author: str, *, now: datetime) -> Sentence:
    """What is told when a new version of these deals has been accepted from somebody who saw what counted.

    Disputes, and what was rare about the old versions, are past; a deal left for later is entered. What somebody asked
    about it in words is still a question.
    """
    sql = END_FLAGS.format(deals=", ".join(["%s"] * len(deals)))
    settled = connection.ops.adapt_datetimefield_value(now)
    # With each report: in SQL, as in `changes.locks.share`.
    return Sentence(sql, [settled, author, table.pk, *deals])
