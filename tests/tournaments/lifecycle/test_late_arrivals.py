"""Who comes late sits down as the fourth at tables of three, and nobody else moves."""

from __future__ import annotations

import json
from collections import Counter
from importlib import import_module
from itertools import combinations

import pytest
from django.apps import apps
from django.db.models import Count
from django.urls import reverse

from core.errors import NotPossible
from tests.factories import make_tournament
from tests.pages import text
from tests.tournaments.exports.test_transfer import forget
from tournaments.draw.chairs import chairs_of
from tournaments.entries import entering
from tournaments.exports.tournament_file import export_tournament, import_tournament
from tournaments.lifecycle.planning import keep_apart, let_meet, seats_drawn
from tournaments.lifecycle.seat_changes import sit_at_threes
from tournaments.lifecycle.seat_plan import seat_plan
from tournaments.models import Seat, Table


@pytest.fixture
def evening(club):
    """Fourteen players, two tables of three a round; the first of three rounds has started."""
    return make_tournament(14, 3, club=club)


def come_late(tournament, by, name="Sen Kommer"):
    entry = entering.enter_guest(tournament, name, **by)
    return entering.check_in(entry, present=True, **by)


def seats(tournament):
    found = Seat.objects.filter(round__tournament=tournament)
    return set(found.values_list("round__number", "table__number", "position", "entry__number"))


def offered(client, tournament):
    return client.get(reverse("desk_draw", args=[tournament.code])).context["chairs"]


def test_the_fourth_chair_is_taken_in_every_round_not_started_and_nobody_else_moves(
    as_alice, evening, by_alice
):
    before, late = seats(evening), come_late(evening, by_alice)
    assert offered(as_alice, evening)
    as_alice.post(reverse("desk_sit_late", args=[evening.code, late.number]))
    new = seats(evening) - before
    assert seats(evening) >= before
    assert {(number, position, who) for number, _table, position, who in new} == {
        (2, 3, late.number),
        (3, 3, late.number),
    }
    for number, table, *_rest in new:
        joined = evening.rounds.get(number=number).tables.get(number=table)
        assert (joined.seats.count(), joined.deals) == (4, evening.deals_per_round)
    others = Counter(
        pair
        for seat in late.seats.all()
        for pair in combinations(sorted(seat.table.seats.values_list("entry__number", flat=True)), 2)
        if late.number in pair
    )
    assert max(others.values()) == 1
    assert "in 2 rounds" in evening.log.first().words


def chairs_shown(tournament):
    """Round, table and which of its chairs is shown as empty, as the draw page and the sheets have it."""
    return {
        (planned.round.number, table.number): [seat is None for seat in chairs].index(True)
        for planned in seat_plan(tournament)
        for table, chairs in planned.seated
        if None in chairs
    }


def test_the_empty_chairs_of_the_other_tables_stay_where_they_are(as_alice, club, by_alice):
    tournament = make_tournament(21, 3, club=club, started=False)
    before, late = chairs_shown(tournament), come_late(tournament, by_alice)
    assert len(before) == 9
    said = as_alice.post(reverse("desk_sit_late", args=[tournament.code, late.number]), follow=True)
    after, at = chairs_shown(tournament), {(s.round.number, s.table.number) for s in late.seats.all()}
    assert after == {where: chair for where, chair in before.items() if where not in at}
    assert len(after) == 6
    named = "; ".join(f"round {number}, table {table}" for number, table in sorted(at))
    assert f"Sen Kommer is the fourth at: {named}." in text(said)
    assert "seats changed since the draw" in text(said)


def test_chairs_are_counted_as_they_were_shown_after_a_fourth_has_sat_down(club, by_alice):
    """A table of three keeps its chair in the history that the next draw evens out."""
    tournament = make_tournament(21, 3, club=club, started=False)
    before = seats_drawn(tournament, started=False)
    sit_at_threes(come_late(tournament, by_alice), **by_alice)
    after = seats_drawn(tournament, started=False)
    for index, (tables, joined) in enumerate(zip(before, after, strict=True)):
        was, now = chairs_of(tables, index), chairs_of(joined, index)
        assert [chairs for chairs in now if None in chairs] == [
            chairs for chairs, four in zip(was, now, strict=True) if None in chairs and None in four
        ]


def test_rounds_of_before_chairs_were_stored_keep_those_that_they_showed(club, by_alice):
    """The migration works out what pages had worked out: the n-th table of three as the tables were then."""
    tournament = make_tournament(21, 5, club=club, started=False)
    sit_at_threes(come_late(tournament, by_alice), **by_alice)
    Table.objects.update(empty_chair=None)
    assert chairs_shown(tournament) == {}
    migration = import_module("tournaments.migrations.0051_empty_chairs")
    migration.keep_shown_chairs(apps, None)
    shown: dict[tuple[int, int], int] = {}
    for round_ in tournament.rounds.all():
        small = [table for table in round_.tables.all() if table.seats.count() == 3]
        for nth, table in enumerate(small):
            shown[round_.number, table.number] = (3 - (round_.number - 1) - nth) % 4
    assert len(shown) == 10
    assert chairs_shown(tournament) == shown
    assert set(Table.objects.filter(empty_chair=None).annotate(n=Count("seats")).values_list("n")) == {(4,)}


def test_a_file_from_before_chairs_were_stored_is_taken_in_with_those_that_it_showed(club):
    tournament = make_tournament(7, 3, club=club, started=False)
    shown = chairs_shown(tournament)
    data = json.loads(export_tournament(tournament))
    for table in (table for round_ in data["rounds"] for table in round_["tables"]):
        del table["empty_chair"]
    forget(tournament)
    assert chairs_shown(import_tournament(json.dumps(data))) == shown


def test_pressing_twice_seats_once_and_says_so(as_alice, evening, by_alice):
    late = come_late(evening, by_alice)
    address = reverse("desk_sit_late", args=[evening.code, late.number])
    as_alice.post(address)
    once = seats(evening)
    assert "already has a seat" in as_alice.post(address, follow=True).content.decode()
    assert seats(evening) == once


def test_a_strict_wish_decides_the_table(evening, by_alice):
    late = come_late(evening, by_alice)
    threes = [table for table in evening.rounds.get(number=2).tables.all() if table.seats.count() == 3]
    for unwanted, wanted in (threes, threes[::-1]):
        keep_apart(evening, [late, unwanted.seats.first().entry], strict=True, **by_alice)
        evening.refresh_from_db()
        assert sit_at_threes(late, **by_alice)[0] == wanted
        late.seats.all().delete()
        let_meet(evening, evening.not_together[0]["entries"], **by_alice)


@pytest.mark.parametrize("players", [12, 16])
def test_without_a_table_of_three_it_is_neither_offered_nor_done(as_alice, club, by_alice, players):
    tournament = make_tournament(players, 2, club=club)
    late = come_late(tournament, by_alice)
    assert not offered(as_alice, tournament)
    with pytest.raises(NotPossible, match="Draw again"):
        sit_at_threes(late, **by_alice)


def test_who_is_not_here_is_not_seated(evening, by_alice):
    with pytest.raises(NotPossible, match="not checked in"):
        sit_at_threes(entering.enter_guest(evening, "Ikke Her", **by_alice), **by_alice)
