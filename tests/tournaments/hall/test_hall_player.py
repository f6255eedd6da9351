"""A player's page in the hall: seats, curve, statistics, penalties."""

from __future__ import annotations

import pytest
from django.utils import timezone

from clubs.models import Club, Player
from tests.factories import first_round, first_table, make_tournament, report
from tests.pages import hall_page, words
from tournaments.domain.terms import MINUS
from tournaments.lifecycle.rulings import penalise

GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}


def test_a_players_page_has_seats_curve_and_statistics(running, client):
    table = first_table(running)
    report(table, 1, GAME)
    entry = table.seats.get(position=1).entry
    html = hall_page(client, running, f"player/{entry.number}/")
    said = words(html)
    assert "Place 1 Total +2" in said
    assert "Round 1: table 1 , seat B being played +2" in said
    assert "After 1 deals +2; highest +2, lowest 0." in said
    assert "Declared 1 won 1 +2 +2.00" in said
    assert "Game 1 of 1 +2" in said
    assert html.count('<svg class="plot"') == html.count("<title id=") == html.count("<desc id=") == 1
    assert html.count(f"/t/{running.code}/round/1/table/1/#line-1") == 3, (
        "its mark on the curve, in the table, and as the best deal"
    )


def test_a_penalty_is_on_the_players_page_with_its_reason(running, alice, client):
    entry = running.entries.get(number=1)
    penalise(
        entry,
        tokens=-1,
        reason="named the suit",
        round_=first_round(running),
        account=alice,
        now=timezone.now(),
    )
    assert f"{MINUS}1, round 1: named the suit" in words(hall_page(client, running, "player/1/"))


def test_who_has_no_seat_yet_is_told_so(club, client):
    tournament = make_tournament(4, club=club, drawn=False)
    assert "does not have a seat yet." in words(hall_page(client, tournament, "player/1/"))


@pytest.mark.parametrize("deals", [1, 3])
def test_a_players_page_takes_the_same_queries_for_any_number_of_deals(
    running, deals, client, django_assert_num_queries
):
    for deal in range(1, deals + 1):
        report(first_table(running), deal)
    number = first_table(running).seats.get(position=0).entry.number
    with django_assert_num_queries(25):
        hall_page(client, running, f"player/{number}/")


@pytest.mark.parametrize(
    ("opened", "objects", "listed"), [(True, False, True), (False, False, False), (True, True, False)]
)
def test_search_engines_list_a_players_evening_where_the_club_has_opened_it_and_nobody_objects(
    running, client, opened, objects, listed
):
    Club.objects.filter(pk=running.host_id).update(is_findable=opened)
    entry = running.entries.select_related("player").get(number=1)
    Player.objects.filter(pk=entry.player_id).update(has_objected=objects)
    for path in ("", "share/", "rating/", "earned/"):
        page = client.get(f"/t/{running.code}/player/1/{path}").content.decode()
        assert ('<meta name="robots" content="noindex">' not in page) == listed, path
    for path in ("evening.pdf", "picture.png"):
        answer = client.get(f"/t/{running.code}/player/1/{path}")
        assert ("X-Robots-Tag" not in answer) == listed, path


def test_the_best_deal_alone_is_told_and_leads_to_its_sheet(running, client):
    table = first_table(running)
    report(table, 1, GAME)
    report(table, 2, {"contract": "solo", "declarer": 2, "trump": "H", "outcome": "won"})
    entry = table.seats.get(position=1).entry
    html = hall_page(client, running, f"player/{entry.number}/")
    said = words(html)
    assert "Best deal +2 round 1, table 1, deal 1 Game, won" in said
    assert "Worst deal" not in said
    assert html.count(f"/t/{running.code}/round/1/table/1/#line-1") == 3, (
        "in the table, on the curve, as the best"
    )
    assert html.count(f"/t/{running.code}/round/1/table/1/#line-2") == 1, "in the table alone"
