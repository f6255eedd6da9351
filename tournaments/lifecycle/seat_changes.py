"""Changes of seats after the draw: late arrivals, substitutes, swaps, byes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from itertools import combinations
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Account
from core.errors import NotPossible, clean_reason
from tournaments.boards.folders import lay_out
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down, write_down_at
from tournaments.domain.log_values import CAME_LATE, TAKES_SEATS
from tournaments.draw import quality as plan_quality
from tournaments.draw.quality import SwapChange
from tournaments.draw.tables import CHAIRS, SMALL_TABLE
from tournaments.entries.entering import withdraw
from tournaments.ledger.queries import NAMED_SEATS, sizes_of_tables
from tournaments.ledger.seating import share_out
from tournaments.ledger.table_actions import held_at_play, write_change
from tournaments.lifecycle.drawing import as_it_stands, laid_out, refuse_fixed_seats
from tournaments.lifecycle.planning import groups_of, kept_apart, mark_changed, seats_drawn
from tournaments.models import Entry, FormerSeat, Round, Seat, Table

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tournaments.models import Tournament


# Seating a late player as the fourth at a table of three: no other seat changes.


def has_chairs_for_late(tournament: Tournament) -> bool:
    """Whether every round that is drawn and has not started has a table of three where a fourth may sit."""
    rounds = tournament.rounds.filter(state=Round.State.DRAWN)
    return (
        _has_fourth_chairs(tournament)
        and rounds.exists()
        and all(_of_three(round_).exists() for round_ in rounds)
    )


def _has_fourth_chairs(tournament: Tournament) -> bool:
    """Whether tables of three have an empty fourth chair in this tournament."""
    return {SMALL_TABLE, CHAIRS} <= set(sizes_of_tables(tournament))


@transaction.atomic
def sit_at_threes(entry: Entry, *, account: Account, now: datetime) -> list[Table]:
    """Seat a late player in every round that is drawn and not started; returns the tables.

    In each round it is the table with the fewest players met before, or better separated.
    """
    tournament = locked(entry.tournament)
    entry = tournament.entries.select_related("player").get(pk=entry.pk)
    if entry.status != Entry.Status.PRESENT:
        raise NotPossible(_("%(name)s is not checked in.") % {"name": entry})
    rounds = list(tournament.rounds.filter(state=Round.State.DRAWN).order_by("number"))
    if entry.seats.filter(round__in=rounds).exists():
        raise NotPossible(_("%(name)s already has a seat.") % {"name": entry})
    if not has_chairs_for_late(tournament):
        raise NotPossible(
            _("Not every round has a table of three. Draw again to seat %(name)s.") % {"name": entry}
        )
    tables = [_sit_down(tournament, round_, entry) for round_ in rounds]
    write_down(
        tournament,
        account,
        CAME_LATE,
        now=now,
        about=laid_out(tournament),
        player=entry,
        rounds=len(tables),
    )
    return tables


def tables_waiting(round_: Round, entry: Entry) -> list[Table]:
    """The tables of three in a running round at which nothing is reported, the best for a late arrival first."""
    tournament = round_.tournament
    if not round_.is_running or not _has_fourth_chairs(tournament):
        return []
    if tournament.boards and tournament.board_sets:
        return []  # folders are on their way from table to table
    price = PriceOfSeat(tournament, entry.number)
    waiting = _of_three(round_).filter(reports_count=0, ended_early_at=None)
    prices = {
        table: price.price_with(list(table.seats.values_list("entry__number", flat=True)))
        for table in waiting.prefetch_related(NAMED_SEATS)
    }
    return sorted(prices, key=lambda table: (prices[table], table.number))


def why_no_chair(round_: Round) -> str:
    """The reason why a late player cannot be seated in a running round."""
    tournament = round_.tournament
    if not _has_fourth_chairs(tournament) or not _of_three(round_).exists():
        return _("There is no free chair in this round: all tables are full.")
    if not _of_three(round_).filter(reports_count=0, ended_early_at=None).exists():
        return _("No table of three can take a fourth: all have started.")
    return _("The folders move from table to table, so no table can play more deals than planned.")


def without_seat(round_: Round) -> list[Entry]:
    """Checked-in players without a seat in the round, now or before: late players, and those with a bye."""
    if round_.tournament.in_teams:
        return []
    there = round_.tournament.entries.playing().exclude(seats__round=round_)
    return list(there.exclude(former_seats__round=round_).select_related("player").order_by("number"))


@transaction.atomic
def sit_down_late(table: Table, entry: Entry, *, account: Account, now: datetime) -> Table:
    """Let a late arrival be the fourth at a table of three whose round runs and which has not reported a deal."""
    locked(table.round.tournament)
    table = held_at_play(table, account)
    entry = table.round.tournament.entries.select_related("player").get(pk=entry.pk)
    if entry.status != Entry.Status.PRESENT:
        raise NotPossible(_("%(name)s is not checked in.") % {"name": entry})
    if entry not in without_seat(table.round):
        raise NotPossible(_("%(name)s already has a seat.") % {"name": entry})
    if table not in tables_waiting(table.round, entry):
        raise NotPossible(_("Table %(number)d has started, or is full.") % {"number": table.number})
    Seat.objects.create(table=table, round=table.round, position=SMALL_TABLE, entry=entry)
    _fit(table, CHAIRS)
    change = {"deal": 1, "seat": SMALL_TABLE, "came": entry.number}
    write_change(table, change, reason="", account=account, now=now)
    text = gettext_noop("Round {round}, table {table}: {player} arrived late and is the fourth")
    write_down_at(table, account, text, now=now, player=entry)
    return table


@transaction.atomic
def get_up(table: Table, *, account: Account, now: datetime) -> Table:
    """Undo seating a late player, while nothing is reported at the table."""
    locked(table.round.tournament)
    table = held_at_play(table, account)
    seat = table.seats.select_related("entry__player").filter(position=SMALL_TABLE).first()
    if not came_late(table) or seat is None:
        raise NotPossible(_("No one arrived late at this table, or it has started."))
    seat.delete()
    _fit(table, SMALL_TABLE)
    change = {"deal": 1, "seat": SMALL_TABLE, "left": seat.entry.number}
    write_change(table, change, reason="", account=account, now=now)
    text = gettext_noop("Round {round}, table {table}: {player} was removed again before the first deal")
    write_down_at(table, account, text, now=now, player=seat.entry)
    return table


def came_late(table: Table) -> bool:
    """Whether the fourth player was late and can still be removed: nothing changed or was reported since."""
    newest = table.turns[-1] if table.turns else {}
    return "came" in newest and "left" not in newest and not table.reports_count


def _fit(table: Table, players: int) -> None:
    """The deals, and the folders, of a table that has so many players now."""
    table.deals = table.round.tournament.deals_for(players)
    if table.folders:
        table.folders = list(range(1, table.deals + 1))
    table.save(update_fields=["deals", "folders"])


def _of_three(round_: Round) -> QuerySet[Table]:
    return round_.tables.annotate(seated=Count("seats")).filter(seated=SMALL_TABLE)


def smallest_change(entry: Entry) -> list[Table]:
    """The tables of three at which `sit_at_threes` would seat a late arrival, in the order of the rounds."""
    tournament = entry.tournament
    rounds = tournament.rounds.filter(state=Round.State.DRAWN).order_by("number")
    price = PriceOfSeat(tournament, entry.number)
    return [_cheapest(round_, price) for round_ in rounds]


def _cheapest(round_: Round, price: PriceOfSeat) -> Table:
    """The table of three with the fewest players met before, or better separated."""
    seated = _of_three(round_).prefetch_related("seats__entry")
    tables = {table: [seat.entry.number for seat in table.seats.all()] for table in seated}
    return min(tables, key=lambda table: (price.price_with(tables[table]), table.number))


def _sit_down(tournament: Tournament, round_: Round, entry: Entry) -> Table:
    table = _cheapest(round_, PriceOfSeat(tournament, entry.number))
    Seat.objects.create(table=table, round=round_, position=SMALL_TABLE, entry=entry)
    table.deals = tournament.deals_for(CHAIRS)
    table.save(update_fields=["deals"])
    mark_changed(tournament, [round_])
    lay_out(round_)
    return table


class PriceOfSeat:
    """The price of a seat with others: strict wishes, meetings, other wishes, club-mates, in this order."""

    def __init__(self, tournament: Tournament, number: int) -> None:
        self.number = number
        self.met = Counter(
            frozenset(pair)
            for round_ in (*seats_drawn(tournament, started=True), *seats_drawn(tournament, started=False))
            for table in round_
            for pair in combinations(table, 2)
        )
        self.apart = kept_apart(tournament)
        self.clubs = groups_of(tournament)
        self.club = self.clubs.get(number)

    def price_with(self, others: Sequence[int]) -> tuple[int, int, int, int]:
        wishes = Counter(
            wish.strict
            for wish in self.apart
            for other in others
            if self.number in wish.players and other in wish.players
        )
        met = sum(self.met[frozenset((self.number, other))] for other in others)
        mates = sum(self.club is not None and self.clubs.get(other) == self.club for other in others)
        return wishes[True], met, wishes[False], mates


# A player with a bye swaps with a seated one.


@transaction.atomic
def sit_in(round_: Round, seat: Seat, entry: Entry, *, account: Account, now: datetime) -> None:
    """Let `entry`, who has a bye in a round that has not started, take `seat`; its player has the bye."""
    tournament = locked(round_.tournament)
    round_ = as_it_stands(round_)
    refuse_fixed_seats(round_)
    taken = Seat.objects.select_related("table", "entry__player").filter(pk=seat.pk, round=round_).first()
    over = tournament.entries.playing().select_related("player").filter(pk=entry.pk).first()
    if taken is None or over is None or round_.seats.filter(entry=over).exists():
        raise NotPossible(_("The draw has changed since you opened the page. This is how it is now."))
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


# A substitute takes over in the middle of a round: each player has the tokens of their own deals.


def free_to_play(table: Table) -> list[Entry]:
    """Present players without a seat in the round: those who sat in it before come last."""
    entries = table.round.tournament.entries.playing().exclude(seats__round=table.round)
    sat = set(table.round.former_seats.values_list("entry", flat=True))
    found = entries.select_related("player", "club").order_by("number")
    return sorted(found, key=lambda entry: (entry.pk in sat, entry.number))


def first_deal_for(table: Table, position: int) -> int:
    """The first deal from which a substitute may play at a position: the first of the current player."""
    before = table.former_seats.filter(position=position).order_by("through").last()
    return before.through + 1 if before else 1


@transaction.atomic
def play_on_for(  # noqa: PLR0913 - seat, substitute, first deal, reason, account
    table: Table,
    position: int,
    newcomer: Entry,
    *,
    deal: int,
    leaves: bool,
    reason: str,
    account: Account,
    now: datetime,
) -> Table:
    """Let `newcomer` have a seat from a deal on; who `leaves` takes no part in the rounds to come.

    The deals before count for who sat there, those from `deal` on for the substitute. Raises NotPossible.
    """
    locked(table.round.tournament)
    table = held_at_play(table, account)
    reason = clean_reason(reason)
    seat = table.seats.select_related("entry__player").filter(position=position).first()
    if seat is None:
        raise NotPossible(_("There is no such seat at this table."), "first")
    if newcomer not in free_to_play(table):
        text = _("%(name)s is not here, or already has a seat in this round.")
        raise NotPossible(text % {"name": newcomer}, "newcomer")
    if not first_deal_for(table, position) <= deal <= table.deals:
        said = {"name": seat.entry, "first": first_deal_for(table, position), "deals": table.deals}
        raise NotPossible(_("%(name)s plays deals %(first)d to %(deals)d.") % said, "deal")
    left = seat.entry
    FormerSeat.objects.create(table=table, round=table.round, position=position, entry=left, through=deal - 1)
    Seat.objects.filter(pk=seat.pk).update(entry=newcomer, agreed_at=None)
    change = {"deal": deal, "seat": position, "left": left.number, "came": newcomer.number}
    write_change(table, change, reason=reason, account=account, now=now)
    share_out(table)
    text = gettext_noop(
        "Round {round}, table {table}: {newcomer} plays for {player} from deal {deal} on: {reason}"
    )
    write_down_at(table, account, text, now=now, newcomer=newcomer, player=left, deal=deal, reason=reason)
    if leaves and left.status == Entry.Status.PRESENT:
        withdraw(left, reason=reason, account=account, now=now)
    return table


def is_newest_there(table: Table, place: int) -> bool:
    """Whether the change at this index of the table's list is a substitute who still sits there."""
    turns = table.turns
    if not 0 <= place < len(turns) or not {"left", "came"} <= turns[place].keys():
        return False
    seat = turns[place]["seat"]
    return not any(
        change.get("back") == place or change.get("seat") == seat or "insert" in change
        for change in turns[place + 1 :]
    )


@transaction.atomic
def take_substitute_back(table: Table, place: int, *, reason: str, account: Account, now: datetime) -> Table:
    """Undo a substitution: the former player has the seat and all its deals again."""
    locked(table.round.tournament)
    table = held_at_play(table, account)
    reason = clean_reason(reason)
    if not is_newest_there(table, place):
        raise NotPossible(_("This has already been undone, or something was changed after it."))
    change = table.turns[place]
    former = table.former_seats.filter(position=change["seat"]).order_by("pk").last()
    seat = table.seats.select_related("entry__player").get(position=change["seat"])
    if former is None or table.round.seats.filter(entry=former.entry_id).exists():
        raise NotPossible(_("The player who left already has a seat in this round again."))
    came, left = seat.entry, Entry.objects.select_related("player").get(pk=former.entry_id)
    former.delete()
    Seat.objects.filter(pk=seat.pk).update(entry=left, agreed_at=None)
    write_change(table, {"back": place}, reason=reason, account=account, now=now)
    share_out(table)
    text = gettext_noop("Round {round}, table {table}: undid that {newcomer} plays for {player}: {reason}")
    write_down_at(table, account, text, now=now, newcomer=came, player=left, reason=reason)
    return table


# Seats of a drawn round change: two players swap, or a substitute takes over those of a withdrawn player.


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
    """The change of the figures by each swap of this player, the best first; also with those who have `byes`."""
    tournament = round_.tournament
    rounds = seats_drawn(tournament, started=True) + seats_drawn(tournament, started=False)
    return plan_quality.swap_changes(
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
    """Give a substitute the seats of a withdrawn player in rounds not started; returns in how many.

    The rest of the draw is unchanged, so that printed sheets of other tables stay valid.
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
    """Exchange byes with a substitute: they get those of the player who left; in their own they may have a seat."""
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
