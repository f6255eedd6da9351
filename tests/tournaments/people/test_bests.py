"""What an evening in progress can break a record by is what is counted of the evening when it is over."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from django.db.models import Q
from django.utils import timezone

from tests.evenings import make_evening, play_evening
from tests.factories import make_player, make_tournament, newcomer, player_name, report, table_of, won
from tests.tournaments.ledger.test_totals_only import typed, url
from tournaments.ledger.deal_sums import deals_at
from tournaments.ledger.seating import Sittings
from tournaments.lifecycle.playing import close_round
from tournaments.lifecycle.seat_changes import play_on_for
from tournaments.models import Table
from tournaments.people.club_years import FIELDS
from tournaments.people.history import best_so_far
from tournaments.seasons.results import feats_in


def reported(tournament):
    return Table.objects.filter(round__tournament=tournament, reports_count__gt=0)


def by_feats(tournament, before, may):
    """The same from everything that is counted of an evening, table by table."""
    tables = reported(tournament).order_by("round__number", "number")
    closed = set(tables.filter(round__state="closed").values_list("pk", flat=True))
    sittings, deals = Sittings(Q(table__in=tables)), defaultdict(list)
    for deal in deals_at(tables):
        deals[deal.table].append((deal.table, deal.number, deal))
    found, solos = {kind: (before.get(kind, 0), 0) for kind in FIELDS}, Counter()
    for table in tables:
        for entry, one in sorted(feats_in({table.pk: 1}, sittings, deals[table.pk]).items()):
            solos[entry] += one.solos
            here = {"deal": one.best_deal, "tout": one.best_tout, "solos": solos[entry]}
            here |= {"round": one.best_round} if table.pk in closed else {}
            for kind, value in here.items():
                if value > found[kind][0] and entry in may:
                    found[kind] = value, entry
    return found


def compared(tournament, before=(), but=()):
    """What is found of the evening, which must be what all feats give; without the entries `but`."""
    may = set(tournament.entries.exclude(pk__in=but).values_list("pk", flat=True))
    found = best_so_far(tournament, dict(before), lambda: may)
    assert found == by_feats(tournament, dict(before), may)
    return found


@pytest.mark.databases
def test_of_a_whole_evening(club, alice):
    players = [make_player(player_name(index), club, index + 1) for index in range(8)]
    tournament = play_evening(make_evening(players, club, alice, rounds_planned=2), alice)
    found = compared(tournament)
    assert all(found[kind][0] for kind in ("round", "deal", "solos"))
    for kind, (value, entry) in found.items():
        if not value:
            continue
        assert compared(tournament, {kind: value})[kind] == (value, 0)  # no more than before
        assert compared(tournament, {kind: value - 1}, but=[entry])[kind][1] != entry
    assert compared(tournament, {kind: value for kind, (value, _entry) in found.items()}) == {
        kind: (value, 0) for kind, (value, _entry) in found.items()
    }


def test_nobody_is_asked_for_where_nothing_is_great_enough(club, alice, django_assert_num_queries):
    players = [make_player(player_name(index), club, index + 1) for index in range(8)]
    tournament = play_evening(make_evening(players, club, alice, rounds_planned=2), alice)
    never = dict.fromkeys(FIELDS, 10_000)
    # The tables and their deals, who sat or left where a solo was won, and where more was won than ever.
    with django_assert_num_queries(5):
        best_so_far(tournament, never, lambda: pytest.fail("asked"))
    with django_assert_num_queries(4):  # the deals are known
        best_so_far(tournament, never, lambda: pytest.fail("asked"))


def test_of_a_table_where_somebody_played_on_for_another(club, alice):
    tournament = make_tournament(8, club=club, account=alice)
    by_alice = {"account": alice, "now": timezone.now()}
    table = table_of(tournament, 4)
    for deal, declarer in enumerate((1, 2, 1), start=1):
        assert report(table, deal, won(declarer)).status == "accepted"
    left, came = table.seats.get(position=1).entry, newcomer(tournament, by_alice)
    play_on_for(table, 1, came, deal=3, leaves=True, reason="train home", **by_alice)
    compared(tournament)
    close_round(tournament.rounds.get(), force_reason="late", **by_alice)
    rounds = compared(tournament)["round"]
    assert rounds[1] in (left.pk, came.pk)
    compared(tournament, {"round": rounds[0] - 1})
    compared(tournament, but=[rounds[1]])


def test_of_a_table_of_which_totals_alone_are_known(as_alice, club):
    tournament = make_tournament(4, club=club, rulebook="union")
    table = table_of(tournament, 4)
    as_alice.post(url(table), typed((12, -3, -4, -5)))
    assert compared(tournament)["deal"] == (0, 0)
    close_round(tournament.rounds.get(), account=club.roles.get().account, now=timezone.now())
    assert compared(tournament)["round"] == (12, table.seats.get(position=0).entry_id)
