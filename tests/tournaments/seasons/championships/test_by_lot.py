"""Who was left out by the lot alone is named, and the desk says so."""

from __future__ import annotations

from datetime import date

import pytest

from tests.factories import make_tournament, stage
from tests.tournaments.seasons.championships.test_championships import url
from tournaments.models import Championship, Stage, Tournament
from tournaments.seasons import championships
from tournaments.seasons.championships import Group, Party, StageTable
from tournaments.seasons.first_groups import left_out_by_lot

DAY = date(2026, 9, 5)


def party(key, total, rank, *, shared=False, number=1):
    return Party(key, number, f"Spiller {key}", "", rank, shared, (total,), withdrawn=False, lot=-key)


@pytest.mark.parametrize(
    ("groups", "each", "next_best", "left_out"),
    [
        ([[party(number, 9, 1, shared=True) for number in (1, 2, 3)]], 2, 0, {1: [3], 2: [3]}),
        ([[party(1, 9, 1), party(2, 5, 2), party(3, 5, 3)]], 2, 0, {}),
        ([[party(1, 9, 1), party(2, 5, 2)], [party(3, 8, 1), party(4, 5, 2)]], 1, 1, {2: [4]}),
        ([[party(1, 9, 1), party(2, 5, 2)], [party(3, 9, 1), party(4, 4, 2)]], 1, 1, {}),
    ],
)  # fmt: skip
def test_who_was_left_out_by_the_lot_alone_is_named(club, groups, each, next_best, left_out):
    made = Championship.objects.create(host=club, name="DM", date=DAY)
    first = Stage.objects.create(
        championship=made, number=1, **stage("Gruppe", each=each, next_best=next_best)
    )
    table = StageTable(first)
    table.groups = [Group(make_tournament(0, club=club, drawn=False), some, "") for some in groups]
    found = left_out_by_lot(table, table.line())
    assert {key: [other.key for other in others] for key, others in found.items()} == left_out


def test_the_desk_says_that_the_lot_decided_and_counts_all_who_are_entered(
    as_alice, championship, monkeypatch
):
    group = [party(number, 9, 1, shared=True) for number in range(1, 4)]
    monkeypatch.setattr(championships, "parties_of", lambda _tournament: group)
    Stage.objects.filter(championship=championship, number=1).update(each=2, next_best=0)
    Tournament.objects.filter(name="Gruppe B").update(stage=None)
    page = as_alice.get(url("club_championship", championship)).content.decode()
    assert page.count("Spiller 3 share place 1; decided by lot") == 2
    assert "4 players entered" in page
