"""Standings when all is over: final, with the winner and the prizes, on paper and in the hall."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_round, first_table, make_tournament, report
from tests.tournaments.lifecycle.test_pairs import make_pairs
from tournaments.lifecycle.money import set_prizes
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Round, Tournament
from tournaments.paper.kinds import KINDS, Order

SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}


def over(tournament, by, **prizes):
    """The tournament with a deal reported, closed and finished."""
    report(first_table(tournament), 1, SOLO)
    close_round(first_round(tournament), force_reason="the bell", **by)
    set_prizes(tournament, **({"shares": [], "amounts": []} | prizes), **by)
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINISHED)
    tournament.refresh_from_db()
    return tournament


def words(text):
    return " ".join(text.split())


def printed(tournament, kind="standings", number=1):
    order = Order(tournament.rounds.get(number=number), "http://hall", timezone.now())
    pages = KINDS[kind].pages(order)
    return pages[0].name, words(
        "".join(render_to_string(page.template, dict(page.context)) for page in pages)
    )


def in_the_hall(client, tournament):
    return words(client.get(reverse("standings", args=[tournament.code])).content.decode())


@pytest.fixture
def one_evening(alice):
    return make_tournament(4, account=alice, entry_fee=5000, tie_breaks=["lot"])


def test_the_last_standings_of_a_finished_tournament_are_final_and_have_winner_and_prizes(
    one_evening, client, by_alice
):
    tournament = over(one_evening, by_alice, amounts=[100_000, 5_050])
    winner = first_table(tournament).seats.get(position=1).entry.player.name
    name, text = printed(tournament)
    assert name == "Final standings"
    assert f"<h1>Final standings <small>Winner: {winner}</small></h1>" in text
    assert "after round" not in text
    assert "Prize" in text
    assert [text.count(kroner) for kroner in ("1,000.00", "50.50")] == [1, 1]
    shown = in_the_hall(client, tournament)
    assert "<h1>Final standings</h1>" in shown
    assert "The standings are final." in shown
    assert f"<h2>{winner} won</h2>" in shown


def test_without_prizes_nothing_is_said_of_them(one_evening, by_alice):
    _name, text = printed(over(one_evening, by_alice))
    assert "Final standings" in text
    assert "Prize" not in text


def test_before_the_end_and_after_an_earlier_round_they_are_not_final(alice, client, by_alice):
    tournament = make_tournament(4, 2, account=alice)
    assert "Winner" not in in_the_hall(client, tournament)
    assert "during round 1 of 2" in printed(tournament)[1]
    tournament = over(tournament, by_alice, amounts=[100])
    Round.objects.filter(tournament=tournament, number=2).update(state=Round.State.CLOSED)
    name, text = printed(tournament)
    assert (name, "after round 1 of 2" in text, "Winner" in text) == ("Standings", True, False)
    assert printed(tournament, number=2)[0] == "Final standings"


def test_who_share_the_first_place_have_both_won(alice, client, by_alice):
    tournament = over(make_tournament(4, account=alice, tie_breaks=[]), by_alice)
    first_table(tournament).seats.update(tokens=0)
    Tournament.objects.filter(pk=tournament.pk).update(version=999)
    tournament.refresh_from_db()
    shown = in_the_hall(client, tournament)
    assert "Anna Holm, Bo Krogh, Carl Dam and Dora Friis share the win</h2>" in shown


def test_a_pairs_final_standings_have_its_prize(club, client, by_alice):
    tournament = make_pairs(2, club, by_alice, deals_per_round=4, entry_fee=5000)
    start_round(first_round(tournament), **by_alice)
    tournament = over(tournament, by_alice, shares=[60])
    winner = first_table(tournament).seats.get(position=1).entry.team.name
    name, text = printed(tournament)
    assert name == "Final standings"
    assert f"Winner: {winner}" in text
    assert "<td>120.00</td>" in text
    shown = in_the_hall(client, tournament)
    assert "<h1>Final standings</h1>" in shown
    assert f"<strong>Winner: {winner}</strong>" in shown
    # What each has won for themselves is no standings of a winner.
    assert "Winner" not in printed(tournament, "players")[1]
