"""An evening of 27 players: one goes after the first round, another comes late, and the rest is drawn anew."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.evenings import make_evening, play_round, tokens_by_player
from tests.factories import make_player, player_name
from tournaments.entries import entering
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import finish
from tournaments.models import Table
from tournaments.standings.players import standings


@pytest.fixture
def evening(club, alice):
    players = [make_player(player_name(index), club, index + 1) for index in range(27)]
    return make_evening(players, club, alice, rounds_planned=4)


def seated(tournament):
    """Every table of every round, as entry numbers."""
    tables = Table.objects.filter(round__tournament=tournament).order_by("round__number", "number")
    return [list(table.seats.values_list("entry__number", flat=True)) for table in tables]


@pytest.mark.slow
def test_with_a_late_arrival_and_a_withdrawal_nobody_meets_twice_and_every_token_counts(
    client, evening, alice
):
    by = {"account": alice, "now": timezone.now()}
    play_round(evening.rounds.get(number=1), alice)
    first = seated(evening)[:7]
    entering.withdraw(evening.entries.get(number=5), reason="ill", **by)
    late = entering.enter_guest(evening, "Late Lise", **by)
    entering.check_in(late, present=True, **by)
    draw(evening, seed=3, **by)
    for number in (2, 3, 4):
        play_round(evening.rounds.get(number=number), alice)
    evening.refresh_from_db()
    evening = finish(evening, **by)

    tables = seated(evening)
    assert tables[:7] == first
    assert sorted(map(len, tables)) == [3] * 4 + [4] * 24
    met = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    assert max(met.values()) == 1
    sat = Counter(number for table in tables for number in table)
    assert sat == Counter(dict.fromkeys(range(1, 29), 4) | {5: 1, late.number: 3})

    rows = standings(evening).rows
    player = dict(evening.entries.values_list("pk", "player"))
    assert {player[row.entry_id]: row.total for row in rows} == tokens_by_player(evening)
    assert [row.total for row in rows] == sorted((row.total for row in rows), reverse=True)
    assert sum(row.total for row in rows) == 0
    assert list(differences(evening)) == []
    page = client.get(reverse("standings", args=[evening.code])).content.decode()
    assert "Late Lise" in page
