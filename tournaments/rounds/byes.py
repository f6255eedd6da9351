"""A player who has a bye takes the seat of somebody else, who has the bye instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.models import Entry, Round, Seat
from tournaments.rounds.drawing import as_it_stands, refuse_fixed_seats

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account


@transaction.atomic
def sit_in(round_: Round, seat: Seat, entry: Entry, *, account: Account, now: datetime) -> None:
    """Let `entry`, who has a bye in a round that has not started, take `seat`; its player has the bye."""
    tournament = locked(round_.tournament)
    round_ = as_it_stands(round_)
    refuse_fixed_seats(round_)
    taken = Seat.objects.select_related("table", "entry__player").filter(pk=seat.pk, round=round_).first()
    over = tournament.entries.playing().select_related("player").filter(pk=entry.pk).first()
    if taken is None or over is None or round_.seats.filter(entry=over).exists():
        raise NotPossible(_("The draw has changed since you opened the page. Here it is as it is now."))
    Seat.objects.filter(pk=taken.pk).update(entry=over)
    round_.swapped = True
    round_.byes = sorted({*round_.byes, taken.entry.number} - {over.number})
    round_.save(update_fields=["swapped", "byes"])
    write_down(
        tournament,
        account,
        gettext_noop("Round {round}: {first} sits in for {second}, who takes the bye instead"),
        now=now,
        about=[round_, taken.table],
        round=round_.number,
        first=over,
        second=taken.entry,
    )
