"""Seats of a drawn round change hands: two players swap, or a substitute has those of somebody who left."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Account
from core.errors import NotPossible
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.domain.log_values import TAKES_SEATS
from tournaments.draw import quality
from tournaments.draw.quality import SwapChange
from tournaments.ledger.queries import sizes_of_tables
from tournaments.models import Entry, Round, Seat
from tournaments.rounds.drawing import as_it_stands, refuse_fixed_seats
from tournaments.rounds.planning import groups_of, kept_apart, mark_changed, seats_drawn


def _two_seats(round_: Round, seat_a: Seat, seat_b: Seat) -> tuple[Seat, Seat]:
    seats = {
        seat.pk: seat for seat in Seat.objects.filter(round=round_).select_related("entry__player", "table")
    }
    if seat_a.pk not in seats or seat_b.pk not in seats:
        raise NotPossible(_("The draw has changed in the meantime; check it again."))
    if seat_a.pk == seat_b.pk:
        raise NotPossible(_("Choose two different players."))
    return seats[seat_a.pk], seats[seat_b.pk]


def swap_changes(round_: Round, number: int, byes: Sequence[int] = ()) -> list[SwapChange]:
    """What each swap of the player of this number would change, the best first; also with those who have `byes`."""
    tournament = round_.tournament
    rounds = seats_drawn(tournament, started=True) + seats_drawn(tournament, started=False)
    return quality.swap_changes(
        rounds,
        round_.number - 1,
        number,
        groups_of(tournament),
        seats=sizes_of_tables(tournament),
        apart=kept_apart(tournament),
        byes=byes,
    )


@transaction.atomic
def take_seats(gone: Entry, newcomer: Entry, *, account: Account, now: datetime) -> int:
    """Let a substitute have the seats of somebody who left, in rounds not started; return in how many.

    Nothing else of the draw changes, so that sheets of the other tables stay good.
    """
    tournament = locked(gone.tournament)
    gone = tournament.entries.select_related("player").get(pk=gone.pk)
    newcomer = tournament.entries.select_related("player").get(pk=newcomer.pk)
    if gone.status == Entry.Status.PRESENT:
        raise NotPossible(_("%(name)s is still here; withdraw them first.") % {"name": gone}, "gone")
    if newcomer.status != Entry.Status.PRESENT:
        raise NotPossible(_("%(name)s is not checked in.") % {"name": newcomer}, "newcomer")
    seats = Seat.objects.filter(entry=gone, round__state=Round.State.DRAWN)
    if Seat.objects.filter(entry=newcomer, round__in=seats.values("round")).exists():
        raise NotPossible(_("%(name)s already has a seat.") % {"name": newcomer}, "newcomer")
    if not seats:
        raise NotPossible(_("The draw has changed in the meantime; check it again."))
    drawn = list(tournament.rounds.filter(state=Round.State.DRAWN))
    about = [*drawn, *(seat.table for seat in seats.select_related("table__round"))]
    left = {seat.round_id for seat in seats}
    mark_changed(tournament, [round_ for round_ in drawn if round_.pk in left])
    taken = seats.update(entry=newcomer)
    _hand_byes_over(drawn, gone, newcomer)
    write_down(
        tournament,
        account,
        TAKES_SEATS,
        now=now,
        about=about,
        newcomer=newcomer,
        gone=gone,
        rounds=taken,
    )
    return taken


def _hand_byes_over(drawn: list[Round], gone: Entry, newcomer: Entry) -> None:
    """Where who left had a bye the substitute has it; where the substitute had one, they may have a seat now."""
    for round_ in drawn:
        if not {gone.number, newcomer.number} & set(round_.byes):
            continue
        others = [number for number in round_.byes if number not in (gone.number, newcomer.number)]
        is_over = not round_.seats.filter(entry=newcomer).exists()
        round_.byes = sorted([*others, newcomer.number] if is_over else others)
        round_.save(update_fields=["byes"])


@transaction.atomic
def swap(round_: Round, seat_a: Seat, seat_b: Seat, *, account: Account, now: datetime) -> None:
    """Let two players of a round that has not started change seats."""
    tournament = locked(round_.tournament)
    round_ = as_it_stands(round_)
    refuse_fixed_seats(round_)
    first, second = _two_seats(round_, seat_a, seat_b)
    Seat.objects.filter(pk__in=[first.pk, second.pk]).delete()  # an entry may not sit twice, not for a moment
    Seat.objects.bulk_create(
        [
            Seat(table=first.table, round=round_, position=first.position, entry=second.entry),
            Seat(table=second.table, round=round_, position=second.position, entry=first.entry),
        ]
    )
    mark_changed(tournament, [round_])
    write_down(
        tournament,
        account,
        gettext_noop("Round {round}: {first} and {second} swapped seats"),
        now=now,
        about=[round_, first.table, second.table],
        round=round_.number,
        first=first.entry,
        second=second.entry,
    )
