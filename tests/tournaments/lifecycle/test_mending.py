"""Where somebody left, their table is mended alone: all others sit as drawn."""

from __future__ import annotations

import pytest
from django.urls import reverse

from core.errors import NotPossible
from tests.factories import make_tournament
from tests.pages import text
from tournaments.entries import entering
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.round_repair import can_mend, mend_tables
from tournaments.lifecycle.seat_plan import seat_plan
from tournaments.models import Round, Seat, Table


def leave(tournament, number, by):
    entry = tournament.entries.get(number=number)
    return entering.withdraw(entry, reason="ill", **by)


def at(players, tournament, round_number=1):
    """The first player at the first table of so many in a round."""
    tables = tournament.rounds.get(number=round_number).tables.order_by("number")
    table = next(table for table in tables if table.seats.count() == players)
    return table.seats.order_by("position")[1].entry.number, table.number


def seated(tournament):
    """Round and table -> entry numbers by position."""
    found = {}
    rows = Seat.objects.filter(round__tournament=tournament).order_by("position")
    for round_, table, number in rows.values_list("round__number", "table__number", "entry__number"):
        found.setdefault((round_, table), []).append(number)
    return found


def empty_chairs(tournament):
    return {
        (planned.round.number, table.number): chairs.index(None)
        for planned in seat_plan(tournament)
        for table, chairs in planned.seated
        if None in chairs
    }


def assert_is_whole(tournament):
    for round_ in tournament.rounds.all():
        numbers = [seat.entry.number for seat in round_.seats.all()]
        assert sorted(numbers) == sorted(entry.number for entry in tournament.entries.playing())
        for table in round_.tables.all():
            positions = list(table.seats.values_list("position", flat=True))
            assert positions == list(range(len(positions)))
            assert len(positions) in (3, 4)
            assert table.deals == tournament.deals_for(len(positions))
    assert list(differences(tournament)) == []


def test_a_table_of_four_goes_on_as_one_of_three_with_their_chair_empty(club, by_alice):
    tournament = make_tournament(12, 1, club=club, started=False)
    number, table = at(4, tournament)
    before = seated(tournament)
    changed = mend_tables(leave(tournament, number, by_alice), **by_alice)
    assert [one.number for one in changed] == [table]
    after = seated(tournament)
    assert after.pop((1, table)) == [other for other in before.pop((1, table)) if other != number]
    assert after == before
    assert empty_chairs(tournament) == {(1, table): 1}
    assert_is_whole(tournament)


def test_at_a_table_of_three_somebody_of_a_table_of_four_takes_the_chair(club, by_alice):
    tournament = make_tournament(15, 1, club=club, started=False)
    number, table = at(3, tournament)
    before, chairs = seated(tournament), empty_chairs(tournament)
    changed = mend_tables(leave(tournament, number, by_alice), **by_alice)
    assert len(changed) == 2
    after = seated(tournament)
    others = {(1, one.number) for one in changed}
    assert {where: who for where, who in after.items() if where not in others} == {
        where: who for where, who in before.items() if where not in others
    }
    (gave,) = others - {(1, table)}
    (moved,) = set(before[gave]) - set(after[gave])
    assert after[1, table] == [moved if other == number else other for other in before[1, table]]
    assert empty_chairs(tournament)[1, table] == chairs[1, table]
    assert empty_chairs(tournament)[gave] == before[gave].index(moved)
    assert_is_whole(tournament)


@pytest.mark.parametrize("players", [10, 11, 13, 14, 15, 22])
def test_every_round_that_has_not_started_is_mended_and_who_moves_has_been_at_three_least(
    club, by_alice, players
):
    tournament = make_tournament(players, 3, club=club)
    number, _table = at(3, tournament, 2)
    started = [who for where, who in seated(tournament).items() if where[0] == 1]
    mend_tables(leave(tournament, number, by_alice), **by_alice)
    assert started == [who for where, who in seated(tournament).items() if where[0] == 1]
    left = tournament.rounds.filter(state=Round.State.DRAWN)
    for round_ in left:
        assert number not in [seat.entry.number for seat in round_.seats.all()]
        assert {table.seats.count() for table in round_.tables.all()} <= {3, 4}
    assert list(differences(tournament)) == []


def test_two_who_leave_one_table_are_mended_one_after_the_other(club, by_alice):
    tournament = make_tournament(12, 1, club=club, started=False)
    table = tournament.rounds.get().tables.first()
    first, second = (seat.entry.number for seat in list(table.seats.all())[:2])
    gone = [leave(tournament, number, by_alice) for number in (first, second)]
    assert all(can_mend(tournament, one) for one in gone)
    for one in gone:
        mend_tables(one, **by_alice)
    assert_is_whole(tournament)


def test_the_page_offers_it_and_names_the_tables_to_print(as_alice, club, by_alice):
    tournament = make_tournament(12, 2, club=club, started=False)
    number, _table = at(4, tournament)
    gone = leave(tournament, number, by_alice)
    page, address = (
        reverse("desk_draw", args=[tournament.code]),
        reverse("desk_mend", args=[tournament.code, number]),
    )
    assert address in text(as_alice.get(page))
    tables = Table.objects.filter(round__tournament=tournament, seats__entry=gone).order_by("round__number")
    where = "; ".join(f"round {table.round.number}, table {table.number}" for table in tables)
    done = text(as_alice.post(address, follow=True))
    assert f"Rearranged: {where}. Everyone else sits as drawn." in done
    assert address not in done
    assert "The draw has changed in the meantime;" in text(as_alice.post(address, follow=True))
    as_alice.post(reverse("desk_start_round", args=[tournament.code, 1]))
    assert tournament.rounds.get(number=1).is_running


@pytest.mark.parametrize(
    ("players", "fields", "why"),
    [
        (9, {}, "The table"),  # three tables of three, none of four
        (9, {"rulebook": "crocodile"}, "The table"),
    ],
)
def test_where_no_table_can_give_a_player_it_is_neither_offered_nor_done(
    as_alice, club, by_alice, players, fields, why
):
    tournament = make_tournament(players, 1, club=club, started=False, **fields)
    number, _table = at(3, tournament)
    gone = leave(tournament, number, by_alice)
    assert reverse("desk_mend", args=[tournament.code, number]) not in text(
        as_alice.get(reverse("desk_draw", args=[tournament.code]))
    )
    with pytest.raises(NotPossible, match=why):
        mend_tables(gone, **by_alice)
    assert_seats_stay = Seat.objects.filter(entry=gone).count()
    assert assert_seats_stay == 1


def test_who_is_here_is_not_mended_away_and_a_stranger_mends_nothing(as_charlie, club, by_alice):
    tournament = make_tournament(12, 1, club=club, started=False)
    entry = tournament.entries.first()
    with pytest.raises(NotPossible, match="still here"):
        mend_tables(entry, **by_alice)
    address = reverse("desk_mend", args=[tournament.code, entry.number])
    assert as_charlie.post(address).status_code == 403
