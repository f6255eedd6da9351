"""The list of people has those who have a page, under the names that these have."""

from __future__ import annotations

import pytest
from django.test import Client

from clubs.models import Club, Player
from tests.factories import affiliate, first_table, make_club, make_tournament, play_out
from tests.tournaments.api.test_reading import API, all_pages, read
from tournaments.models.names import NAMELESS


@pytest.fixture
def evening(club, alice):
    """Anna Holm, Bo Krogh, Carl Dam and Dora Friis have played."""
    evening = make_tournament(4, 1, club=club, account=alice)
    play_out(first_table(evening))
    return evening


def found(query: str = "") -> list[str]:
    return [one["name"] for one in all_pages(f"{API}/persons{query}")]


def test_everybody_who_has_a_page_is_listed_page_by_page(evening, club):
    players = list(evening.entries.order_by("player").values_list("player", flat=True))
    lines = all_pages(f"{API}/persons?limit=3")
    assert [line["id"] for line in lines] == players
    assert lines[0]["clubs"] == [{"id": club.pk, "slug": club.slug, "name": club.name}]
    assert {Client().get(line["page"]).status_code for line in lines} == {200}
    assert read(f"persons/{lines[0]['id']}")["name"] == lines[0]["name"]


def test_a_person_is_found_by_name_and_by_club(evening, club):
    assert found("?name=holm") == ["Anna Holm"]
    assert found("?name=HOLM%20an") == ["Anna Holm"]
    assert found("?name=nobody") == []
    assert len(found(f"?club={club.slug}")) == 4
    union = make_club("Dansk")
    assert found(f"?club={union.slug}") == []
    affiliate(club, union)
    assert len(found(f"?club={union.slug}&limit=1&name=o")) == 3
    assert Client().get(f"{API}/persons?club=nobody").status_code == 404


def test_who_may_not_be_told_of_is_not_in_the_list(evening, club):
    anna, bo, *_others = Player.objects.filter(entries__tournament=evening).order_by("pk")
    Player.objects.filter(pk=anna.pk).update(has_objected=True)
    bo.name = NAMELESS
    bo.save()
    make_tournament(4, club=make_club("Viby"), started=False)  # entered, and never played
    assert found() == ["Carl Dam", "Dora Friis"]
    Club.objects.filter(pk=club.pk).update(name_style=Club.NameStyle.NUMBER)
    assert found() == []
    Club.objects.filter(pk=club.pk).update(name_style=Club.NameStyle.FULL, statistics=Club.Statistics.CLUB)
    assert found() == []


def test_a_search_does_not_tell_the_name_behind_an_initial(evening, club):
    Club.objects.filter(pk=club.pk).update(name_style=Club.NameStyle.INITIAL)
    assert found("?name=anna") == ["Anna H."]
    assert found("?name=anna%20h") == ["Anna H."]
    assert found("?name=ho") == found("?name=holm") == []
