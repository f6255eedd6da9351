"""Another folder was played than should have been: said, shown, and compared by what was really played."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from tests.factories import first_round, first_table, make_tournament, report, tables_of
from tests.pages import words, words_at
from tournaments.boards.folders import play_other_folder
from tournaments.boards.results import lines_of
from tournaments.ledger import Author, set_first_dealer

pytestmark = pytest.mark.django_db


def test_a_captain_says_that_another_folder_was_played_and_the_two_change_places(evening, client):
    table = first_table(evening)
    address = reverse("captain_folder", args=[table.secret, 2])
    assert "Say why" in words(client.post(address, {"folder": 3, "reason": ""}).content.decode())
    assert "numbered from 1 to 16" in words(
        client.post(address, {"folder": 17, "reason": "mixed up"}).content.decode()
    )
    assert client.post(address, {"folder": 3, "reason": "mixed up"}).status_code == 302
    table.refresh_from_db()
    assert table.folders[:4] == [1, 3, 2, 4]
    assert list(table.folder_changes.values_list("deal_number", "was", "now", "reason", "source")) == [
        (2, 2, 3, "mixed up", "captain"),
        (3, 3, 2, "mixed up", "captain"),
    ]
    told = client.get(reverse("captain_state", args=[table.secret])).json()
    assert told["table"]["folders"][:4] == [1, 3, 2, 4]


def test_the_desk_says_it_too_and_the_table_page_shows_it(evening, as_alice):
    table = first_table(evening)
    address = reverse("desk_folder", args=[evening.code, 1, 1, 5])
    assert as_alice.post(address, {"folder": 9, "reason": "mixed up"}).status_code == 302
    assert "folder 9 instead of 5: mixed up" in words_at(as_alice, address)
    table.refresh_from_db()
    assert (table.folder_of(5), table.folder_of(9)) == (9, 5)


def test_a_result_is_compared_by_the_folder_that_was_really_played(evening, alice):
    first, second, third, _fourth = tables_of(evening)
    for table, passed in ((first, False), (second, True), (third, True)):
        deal = table.folders.index(7) + 1
        game = {"contract": "solo", "declarer": deal % 4, "trump": "H", "outcome": "won"}
        report(table, deal, {"all_passed": True} if passed else game)
    play_other_folder(
        third, third.folders.index(7) + 1, 8, reason="mixed up", account=alice, now=timezone.now()
    )
    lines = [line for line in lines_of([first_round(evening)]) if line.folder == 7]
    assert [line.table for line in lines] == [1, 2]
    assert [line.places[0].compared.others for line in lines] == [1, 1]


@pytest.mark.parametrize(("idle_settles", "compared"), [(False, 3), (True, 0)])
def test_three_and_four_are_compared_unless_the_fourth_player_settles(club, alice, idle_settles, compared):
    """Forehand, middlehand and dealer at either table; the fourth player of one has nobody beside."""
    tournament = make_tournament(
        7, club=club, account=alice, boards=True, options={"idle_settles": idle_settles}
    )
    for table in tables_of(tournament):
        report(table, 1, {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"})
    lines = lines_of([first_round(tournament)])
    assert sorted(len(line.places) for line in lines) == [3, 4]
    found = [place.role.value for line in lines for place in line.places if place.compared]
    assert sorted(found) == sorted(["FH", "MH", "BH"] * 2)[: 2 * compared]


def test_what_was_ruled_by_hand_is_not_compared(evening, alice):
    first, second, *_others = tables_of(evening)
    deal = second.folders.index(1) + 1
    report(first, 1)
    report(second, deal, {"ruled": [3, -1, -2, 0]}, author=Author("desk", alice))
    assert [line.table for line in lines_of([first_round(evening)])] == [first.number]


def test_the_folders_say_who_deals_first(evening):
    with pytest.raises(NotPossible, match="The folders decide who deals"):
        set_first_dealer(first_table(evening), 2, now=timezone.now())
