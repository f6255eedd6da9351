"""Live parts of the desk: the rows that changed since the part that a page shows, else the whole part."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from core.serving.streams import attribute
from tests.factories import first_table, make_tournament, newcomer, report
from tournaments.desk.evening import rounds
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
PART = {"HX-Request": "true"}


@pytest.fixture
def tournament(club):
    made = make_tournament(8, club=club, deals_per_round=4)
    report(first_table(made), 1)
    return made


def test_the_first_places_of_a_long_list_are_shown_and_all_on_demand(as_alice, tournament, monkeypatch):
    monkeypatch.setattr(rounds, "AT_FIRST", 3)
    address = reverse("desk_standings", args=[tournament.code])

    def places(query, **headers):
        text = as_alice.get(address + query, headers=headers).content.decode()
        lines = text.count('<th scope="row" class="name">')
        return lines, "Show all" in text, f'hx-get="{address}{query}"' in text

    assert [places(""), places("", **PART)] == [(3, True, True)] * 2
    assert places("?all") == (8, False, True)


@pytest.mark.parametrize("name", ["desk_standings", "desk_board", "desk_tournament", "desk_clock"])
def test_a_page_gets_the_rows_that_changed_since_its_own(as_alice, tournament, name):
    address = reverse(name, args=[tournament.code])

    def read(checksum):
        return as_alice.get(address, headers=PART | {"X-Sum": checksum})

    before = attribute(read("").content.decode(), "sum")
    assert f'data-sum="{before}"' in as_alice.get(address).content.decode()
    same = read(before).json()
    assert same["sum"] == before
    assert [place for place, _count in same["rows"]] == [0]
    report(first_table(tournament), 2)
    now = read(before).json()
    assert now["version"] == Tournament.objects.get(pk=tournament.pk).version
    assert now["sum"] != before
    assert any(isinstance(row, str) for row in now["rows"])
    assert read("unknown").content.lstrip().startswith(b"<div id=")


def test_a_part_with_another_frame_comes_whole(as_alice, tournament, alice):
    address = reverse("desk_standings", args=[tournament.code])
    before = as_alice.get(address, headers=PART).content.decode()
    newcomer(tournament, {"account": alice, "now": timezone.now()})
    now = as_alice.get(address, headers=PART | {"X-Sum": attribute(before, "sum")})
    assert now.content.count(b"<tr>") == before.count("<tr>") + 1
