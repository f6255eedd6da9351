"""The seating of a table, deal by deal, and the next dealer."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _

from core.caching import memoize
from core.sql import key_set, prepared_query
from scoring.seats import WITH_FOURTH, Turns, changes_in_force
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.halls import with_hall
from tournaments.models import Deal, Entry, FormerSeat, Penalty, Round, Seat, Table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from django.db.models import QuerySet

    from clubs.models import Player
    from scoring.seats import Change, Seating
    from tournaments.models import SeatChange, Tournament


# Who sat where, deal by deal: a substitute may have come in the middle of a round, or seats may have been changed.
#
# Tokens won at a position before the substitute joined count for the former player (`FormerSeat`); the seat has the
# substitute, and the position's tokens over all deals.


class Sat(NamedTuple):
    """An entry's time at a position of a table, by primary keys; `round` is the round's number.

    `tokens` are those of the deals from `first` to `last`; None for `last`: to the end.
    """

    round: int
    table: int
    position: int
    entry: int
    tokens: int
    first: int = 1
    last: int | None = None

    @property
    def in_part(self) -> bool:
        """Whether the player sat there for a part of the round only."""
        return (self.first, self.last) != (1, None)

    def plays_in(self, deal: int) -> bool:
        return self.first <= deal and (self.last is None or deal <= self.last)


class Sittings:
    """Sittings at the selected tables, in the order of rounds, tables and positions."""

    def __init__(self, where: Q) -> None:
        """`where` selects the tables, by lookups that `Seat` and `FormerSeat` share: `table…`, `round…`."""
        formers: dict[tuple[int, int], list[FormerSeat]] = defaultdict(list)
        for former in FormerSeat.objects.filter(where).order_by("through", "pk"):
            formers[former.table_id, former.position].append(former)
        rows = Seat.objects.filter(where).order_by("round__number", "table__number", "position")
        told = rows.values_list("round__number", "table_id", "position", "entry_id", "tokens")
        self.all = [Sat(*row) for row in told]
        self.sizes = Counter(sat.table for sat in self.all)
        if formers:
            apart = (_one_after_the_other(sat, formers[sat.table, sat.position]) for sat in self.all)
            self.all = [sat for times in apart for sat in times]
        # Tables with a substitute.
        self.changed = {table for table, _position in formers}

    @cached_property
    def _in_part(self) -> dict[tuple[int, int], list[Sat]]:
        """The seating of chairs with a substitute, in parts."""
        at: dict[tuple[int, int], list[Sat]] = defaultdict(list)
        for sat in self.all if self.changed else ():
            if sat.in_part:
                at[sat.table, sat.position].append(sat)
        return at

    @cached_property
    def throughout(self) -> dict[tuple[int, int], int]:
        """(table, position) -> entry number in every deal, for all tables without a substitute."""
        if not self.changed:
            return {(table, position): entry for _round, table, position, entry, *_tokens in self.all}
        return {(sat.table, sat.position): sat.entry for sat in self.all if not sat.in_part}

    def entry_at(self, table: int, position: int, deal: int) -> int:
        """Entry number at a position in a deal; raises KeyError for an empty one."""
        whole = self.throughout.get((table, position))
        if whole is not None:
            return whole
        return next(sat.entry for sat in self._in_part[table, position] if sat.plays_in(deal))

    @cached_property
    def at_table(self) -> dict[int, list[Sat]]:
        """Table -> everybody's time at it."""
        found: dict[int, list[Sat]] = defaultdict(list)
        for sat in self.all:
            found[sat.table].append(sat)
        return found

    @cached_property
    def _around(self) -> dict[int, list[int]]:
        """Table without a substitute -> entry numbers by position."""
        return {
            table: [sat.entry for sat in times]
            for table, times in self.at_table.items()
            if table not in self.changed
        }

    def entries_in_deal(self, table: int, deal: int) -> Sequence[int]:
        """The entries at a table in a deal, by position."""
        if (throughout := self._around.get(table)) is not None:
            return throughout
        return [self.entry_at(table, position, deal) for position in range(self.sizes[table])]

    def seats_of(self, entry: int) -> list[Sat]:
        return [sat for sat in self.all if sat.entry == entry]


def sittings_in(tournament: Tournament, rounds: Sequence[int]) -> Sittings:
    """The seatings in rounds of a fresh `tournament`, by number: read once for all that a page counts from them."""
    where = Q(round__tournament=tournament, round__number__in=rounds)
    return memoize(("sittings", tournament.pk, tournament.version, *rounds), lambda: Sittings(where))


def share_out(table: Table) -> None:
    """Give those who left the tokens of the deals that count for them, from the reports that count now."""
    if not any("left" in change for change in table.turns):
        return
    tokens = Deal.objects.filter(table=table, current__result__isnull=False)
    by_deal = dict(tokens.values_list("number", "current__tokens"))
    first: dict[int, int] = {}
    for former in table.former_seats.order_by("through", "pk"):
        theirs = range(first.get(former.position, 1), former.through + 1)
        former.tokens = sum(by_deal[deal][former.position] for deal in theirs if deal in by_deal)
        former.save(update_fields=["tokens"])
        first[former.position] = former.through + 1


def penalties_at(table: Table) -> list[Penalty]:
    """Rulings of the table's round that count, for those who sit there, and for who left it and plays at no other."""
    here = Q(entry__in=table.seats.values("entry"))
    left = Q(entry__in=table.former_seats.values("entry"))
    elsewhere = Q(entry__in=Seat.objects.filter(round=table.round_id).values("entry"))
    found = Penalty.objects.filter(here | (left & ~elsewhere), round=table.round_id, cancelled_at=None)
    return list(
        found.select_related("entry__player", "entry__club", "entry__tournament__host").order_by("pk")
    )


def tables_of(entry: Entry) -> QuerySet[Table]:
    """The tables that an entry has sat at, or will."""
    return _sat_at(Q(entry=entry))


def tables_of_player(player: Player) -> QuerySet[Table]:
    """The tables that a player has sat at in any tournament, or will."""
    return _sat_at(Q(entry__player=player))


def _sat_at(whose: Q) -> QuerySet[Table]:
    # Two queries that each use an index; combined with OR they would scan all seats.
    sat = Seat.objects.filter(whose).order_by().values_list("table")
    return Table.objects.filter(
        pk__in=sat.union(FormerSeat.objects.filter(whose).order_by().values_list("table"))
    )


def sittings_of(entry: Entry) -> Sittings:
    """The seatings of all tables that an entry has sat at."""
    return Sittings(Q(table__in=tables_of(entry).values("pk")))


def _one_after_the_other(sat: Sat, formers: Iterable[FormerSeat]) -> list[Sat]:
    """Split a position's seating into one for each player who left, and one for the player who sits there now."""
    times, first, left = [], 1, sat.tokens
    for former in formers:
        times.append(
            sat._replace(entry=former.entry_id, tokens=former.tokens, first=first, last=former.through)
        )
        first, left = former.through + 1, left - former.tokens
    return [*times, sat._replace(tokens=left, first=first)]


class Names(list[str]):
    """The shown names of those who sit at a table now, by position; `in_deal` has those who sat there then."""

    def __init__(self, table: Table, now: Iterable[str]) -> None:
        super().__init__(now)
        came = any("left" in change and "came" in change for change in table.turns)
        formers = table.former_seats.order_by("-through", "-pk") if came else FormerSeat.objects.none()
        named = formers.select_related("entry__player", "entry__club", "entry__tournament__host")
        self._before = [(one.position, one.through, one.entry.shown_name) for one in named] if came else []

    def in_deal(self, deal: int) -> list[str]:
        names = list(self)
        for position, through, name in self._before:
            if deal <= through:
                names[position] = name
        return names


def names_then(names: Sequence[str], deal: int | None) -> Sequence[str]:
    """These names as they were in a deal, where that is known."""
    return names.in_deal(deal) if isinstance(names, Names) and deal else names


def seating_at(table: Table, players: int, deal: int, declarer: int | None = None) -> Seating:
    """Roles in a deal at a table with this number of players; in pairs, once this position declares.

    The only place that decides who deals and who sits out a deal.
    """
    seating = turns_at(table, players).seating(deal, in_pairs=table.round.tournament.hands_taken_over)
    return seating if declarer is None else seating.declared_by(seating.role_of(declarer))


def is_dealt_as_seen(table: Table, players: int, deal: int, seen: int) -> bool:
    """Whether a deal has the number and the seats that it had for who knows the first `seen` changes of the table."""
    unseen = table.turns[seen:]
    if any("insert" in change and change["deal"] <= deal for change in unseen):
        return False
    came = sum(("came" in change) - ("left" in change) for change in unseen)
    before = _turns(table, players - came, table.turns[:seen])
    return before.seating(deal) == turns_at(table, players).seating(deal)


def turns_at(table: Table, players: int) -> Turns:
    """The dealer and the order of the seats in every deal of a table with this number of players."""
    return _turns(table, players, table.turns)


def _turns(table: Table, players: int, changes: Sequence[Change]) -> Turns:
    # Tables of another size never have a player who sits out, so their tournament is not queried.
    dealer_out = players in WITH_FOURTH and table.round.tournament.dealer_sits_out
    return Turns(players, table.first_dealer, changes, dealer_out)


# Sentences about the next seat, for the reader's own row and for players whose table is finished.
#
# Pages of the hall are the same for every visitor, so that they can be cached: `static/js/mine.js` finds one's own
# row.


def round_that_comes(tournament: Tournament) -> Round | None:
    """The next round once it is drawn, else the one being played; None where play is over."""
    if tournament.is_played or tournament.is_called_off:
        return None
    found = min(_open(tournament.pk), key=lambda one: (one.is_running, one.number), default=None)
    if found is not None:
        found.tournament = tournament  # its halls are read beside each seat
    return found


@prepared_query
def _open(tournament: int) -> QuerySet[Round]:
    return Round.objects.filter(tournament=tournament, state__in=(Round.State.DRAWN, Round.State.RUNNING))


def next_seats(tournament: Tournament, entries: Collection[int]) -> dict[int, str]:
    """The place in that round of these entries (primary keys), by their number."""
    round_ = round_that_comes(tournament)
    return _places(round_, Seat.objects.filter(entry__in=key_set(entries))) if round_ else {}


def next_seats_from(table: Table) -> list[str]:
    """The next seats of a table's players; none before the next round is drawn."""
    here = table.seats.select_related("entry__player", "entry__club", "entry__tournament__host")
    entries = [seat.entry for seat in here.order_by("position")]
    places = next_places(table, [entry.pk for entry in entries])
    return [f"{entry.shown_name}: {places[entry.number]}" for entry in entries if entry.number in places]


def next_places(table: Table, entries: Collection[int]) -> dict[int, str]:
    """The place of these entries (primary keys) in a round after the table's, by their number."""
    round_ = round_that_comes(table.round.tournament)
    if round_ is None or round_.number <= table.round.number:
        return {}
    return _places(round_, Seat.objects.filter(entry__in=key_set(entries)))


def _places(round_: Round, seats: QuerySet[Seat]) -> dict[int, str]:
    place, number = _("Round %(round)d: table %(table)d, seat %(letter)s"), round_.number
    found = dict.fromkeys(round_.byes, _("Round %(round)d: sits out") % {"round": number})
    there = seats.filter(round=round_).order_by()
    for player, table, position in there.values_list("entry__number", "table__number", "position"):
        said = place % {"round": number, "table": table, "letter": SEAT_LETTERS[position]}
        found[player] = with_hall(round_.tournament.hall_at(table), said)
    return found


# Sentences about changes at a table in the middle of a round: dealer, seats, substitutes.


@dataclass(frozen=True, slots=True)
class ChangeText:
    """A change as it was written down: its place in the table's list from 0 on, and whether it was taken back."""

    place: int
    said: str
    written: SeatChange
    taken_back: bool


def change_texts(table: Table, names: Sequence[str]) -> list[ChangeText]:
    """Everything that was changed, the newest first; `names` are those who sit there now, by position."""
    if not table.turns:
        return []
    taken_back = {change["back"] for change in table.turns if "back" in change}
    called = _called(table, table.turns)
    return [
        ChangeText(place, _change_sentence(written.change, names, called), written, place in taken_back)
        for place, written in reversed(list(enumerate(table.seat_changes.order_by("sequence"))))
        if "back" not in written.change
    ]


def changes_in_force_text(table: Table, names: Sequence[str]) -> list[str]:
    """Sentences on the seating changes in force, in the order of deals; the choice of the first dealer is left out."""
    holding = [
        change for change in changes_in_force(table.turns) if change["deal"] > 1 or "dealer" not in change
    ]
    called = _called(table, holding)
    return [
        _change_sentence(change, names, called)
        for change in sorted(holding, key=lambda change: int(change["deal"]))
    ]


def substitutes_text(tournament: Tournament, *, through: int | None = None) -> list[str]:
    """Sentences about substitutes who took over in the middle of a round, by round and table."""
    told = []
    for table in _changed(tournament.pk):
        if through is not None and table.round.number > through:
            break
        table.round.tournament = tournament
        came = [change for change in changes_in_force(table.turns) if {"left", "came"} <= change.keys()]
        called = _called(table, came)
        for change in came:
            said = {
                "round": table.round.number,
                "table": table.number,
                "said": _change_sentence(change, (), called),
            }
            told.append(_("Round %(round)d, table %(table)d: %(said)s") % said)
    return told


@prepared_query
def _changed(tournament: int) -> QuerySet[Table]:
    """Tables with a substitute, in order."""
    changed = Table.objects.filter(round__tournament=tournament, former_seats__isnull=False).distinct()
    return changed.select_related("round").order_by("round__number", "number")


def _called(table: Table, changes: Iterable[Change]) -> dict[int, str]:
    """The shown names of substitutes and former players, by entry number."""
    numbers = {change[who] for change in changes for who in ("left", "came") if who in change}
    if not numbers:
        return {}
    entries = Entry.objects.filter(tournament=table.round.tournament, number__in=numbers)
    return {
        entry.number: entry.shown_name
        for entry in entries.select_related("player", "club", "tournament__host")
    }


def _change_sentence(change: Change, names: Sequence[str], called: Mapping[int, str]) -> str:
    deal = {"deal": change["deal"]}
    if "dealer" in change:
        text = _("%(name)s deals deal %(deal)d, and the turn continues from there.")
        return text % (deal | {"name": names[change["dealer"]]})
    if "swap" in change:
        one, other = (names[position] for position in change["swap"])
        text = _("From deal %(deal)d on %(one)s and %(other)s have swapped seats.")
        return text % (deal | {"one": one, "other": other})
    if change.get("insert", 0) > 0:
        return _("A forgotten deal was inserted as deal %(deal)d; later ones moved up.") % deal
    if "insert" in change:
        return _("Deal %(deal)d was removed; later ones moved down.") % deal
    return _said_of_players(change, called)


def _said_of_players(change: Change, called: Mapping[int, str]) -> str:
    if "left" not in change:
        return _("%(name)s arrived late and is the fourth.") % {"name": called[change["came"]]}
    if "came" not in change:
        return _("%(name)s was removed again before the first deal.") % {"name": called[change["left"]]}
    who = {"came": called[change["came"]], "left": called[change["left"]]}
    return _("From deal %(deal)d on %(came)s plays for %(left)s.") % (who | {"deal": change["deal"]})
