"""What an evening in progress can break a record by is what is counted of the evening when it is over."""

from __future__ import annotations

from collections import defaultdict

import pytest
from django.db.models import Q
from django.utils import timezone

from tests.evenings import make_evening, play_evening
from tests.factories import make_player, make_tournament, newcomer, player_name, report, table_of, won
from tests.tournaments.ledger.test_totals_only import typed, url
from tournaments.ledger.deal_sums import deals_at
from tournaments.ledger.seating import Sittings
from tournaments.lifecycle.seat_changes import play_on_for
from tournaments.models import Table
from tournaments.seasons.results import TableBests, bests_at, feats_in


def reported(tournament):
    return Table.objects.filter(round__tournament=tournament, reports_count__gt=0)


def by_feats(tables):
    """The same from everything that is counted of an evening, as if each table were one."""
    sittings, deals = Sittings(Q(table__in=tables)), defaultdict(list)
    for deal in deals_at(tables):
        deals[deal.table].append((deal.table, deal.number, deal))
    counted = {table: feats_in({table: 1}, sittings, played) for table, played in deals.items()}
    return {
        table: {
            entry: TableBests(one.best_round, max(one.best_deal, 0), max(one.best_tout, 0), one.solos)
            for entry, one in at.items()
        }
        for table, at in counted.items()
    }


@pytest.mark.databases
def test_of_a_whole_evening(club, alice):
    players = [make_player(player_name(index), club, index + 1) for index in range(8)]
    tables = reported(play_evening(make_evening(players, club, alice, rounds_planned=2), alice))
    found = bests_at(tables)
    assert len(found) == 4
    assert any(one.solos for at in found.values() for one in at.values())
    assert found == by_feats(tables)


def test_of_a_table_where_somebody_played_on_for_another(club, alice):
    tournament = make_tournament(8, club=club, account=alice)
    by_alice = {"account": alice, "now": timezone.now()}
    table = table_of(tournament, 4)
    for deal, declarer in enumerate((1, 2, 1), start=1):
        assert report(table, deal, won(declarer)).status == "accepted"
    left, came = table.seats.get(position=1).entry, newcomer(tournament, by_alice)
    play_on_for(table, 1, came, deal=3, leaves=True, reason="train home", **by_alice)
    tables = reported(tournament)
    found = bests_at(tables)
    assert {left.pk, came.pk} < set(found[table.pk])
    assert found == by_feats(tables)


def test_of_a_table_of_which_totals_alone_are_known(as_alice, club):
    tournament = make_tournament(4, club=club, rulebook="union")
    table = table_of(tournament, 4)
    as_alice.post(url(table), typed((12, -3, -4, -5)))
    tables = reported(tournament)
    best = bests_at(tables)[table.pk][table.seats.get(position=0).entry_id]
    assert (best.best_round, best.best_deal) == (12, 0)
    assert bests_at(tables) == by_feats(tables)
