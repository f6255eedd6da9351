"""Two phones that report a deal differently: the desk sees it until a new version ends the dispute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from tournaments.models import Flag, Table
from tournaments.steps.live import announce

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from tournaments.ledger.judging import Judged


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


def end_flags(table: Table, deals: Collection[int], author: str, *, now: datetime) -> None:
    """A new version of these deals has been accepted from somebody who saw what counted: disputes, and what was
    rare about the old versions, are past; a deal left for later is entered. What somebody asked about it in words
    is still a question."""
    past = Q(kind__in=(Flag.Kind.CONFLICT, Flag.Kind.RARE)) | Q(kind=Flag.Kind.LATER, words="")
    flags = Flag.objects.filter(past, table=table, deal__in=deals, settled_at=None)
    flags.update(settled_at=now, settled_by=author)
