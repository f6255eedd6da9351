"""Deletes rounds that have not started, with every row that points to them, and names what must be removed first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.errors import NotPossible
from tournaments.ledger.table_actions import settle_flag
from tournaments.models import (
    Flag,
    FolderChange,
    FormerSeat,
    KeptReport,
    Match,
    Penalty,
    Photograph,
    RevokedSecret,
    Round,
    Seat,
    SeatChange,
    SheetPicture,
    Table,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account
    from tournaments.models import Tournament


def drop_drawn(tournament: Tournament, *, after: int = 0, account: Account, now: datetime) -> list[Penalty]:
    """Delete the rounds after number `after` that have not started; return the rulings that named them.

    Raises NotPossible where a late report waits for a decision, or a table has a photograph: both are evidence that
    only a person may throw away. Open calls are settled, so that the log keeps their words. A ruling stays in force
    without its round: `keep_rulings` links it to the round that replaces it.
    """
    drawn = tournament.rounds.filter(state=Round.State.DRAWN, number__gt=after)
    if not drawn.exists():
        return []
    _refuse_to_lose_evidence(drawn)
    for flag in Flag.objects.filter(table__round__in=drawn, settled_at=None).select_related("table__round"):
        settle_flag(flag, account, now=now)
    rulings = list(Penalty.objects.filter(round__in=drawn).select_related("round").order_by("pk"))
    Penalty.objects.filter(round__in=drawn).update(round=None)
    tables = Table.objects.filter(round__in=drawn)
    # A picture that waits to be read is deleted with its table by the database: it stays, as one that the desk sent.
    SheetPicture.objects.filter(table__in=tables).update(table=None)
    SheetPicture.objects.filter(captains__in=tables).update(captains=None)
    # A round whose start was taken back may have had calls, new links and other seats: the log has them.
    for model in (Flag, FolderChange, FormerSeat, KeptReport, RevokedSecret, SeatChange, Seat):
        model._default_manager.filter(table__in=tables).delete()
    tables.delete()
    Match.objects.filter(round__in=drawn).delete()
    drawn.delete()
    return rulings


def keep_rulings(rulings: Sequence[Penalty], rounds: Sequence[Round]) -> list[Penalty]:
    """Link rulings that named a deleted round to the new round of that number, or to none; return them."""
    new = {round_.number: round_ for round_ in rounds}
    for ruling in rulings:
        if ruling.round is not None:
            ruling.round = new.get(ruling.round.number)
    Penalty.objects.bulk_update(rulings, ["round"])
    return [*rulings]


def _refuse_to_lose_evidence(drawn: QuerySet[Round]) -> None:
    reported = Table.objects.filter(round__in=drawn, reports__isnull=False).select_related("round")
    if table := reported.order_by("round__number", "number").first():
        text = _("Deals have been reported in round %(number)d.")
        raise NotPossible(text % {"number": table.round.number})
    waiting = KeptReport.objects.filter(table__round__in=drawn, state=KeptReport.State.WAITING)
    if kept := waiting.select_related("table__round").order_by("table__round__number").first():
        text = _("A late report is waiting in round %(number)d; decide on it first.")
        raise NotPossible(text % {"number": kept.table.round.number})
    pictures = Photograph.objects.filter(table__round__in=drawn).select_related("table__round")
    if picture := pictures.order_by("table__round__number", "table__number").first():
        text = _(
            "Table %(table)d of round %(number)d has a photograph of its slip."
            " An organiser can remove it on the table’s page."
        )
        raise NotPossible(text % {"table": picture.table.number, "number": picture.table.round.number})
