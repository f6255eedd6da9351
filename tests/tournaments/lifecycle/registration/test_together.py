"""Pairs and teams from home: one names the others, and each says yes by a link of their own."""

from __future__ import annotations

import pytest

from clubs.models import Letter
from tests.pages import words_at
from tests.tournaments.lifecycle.registration.evening import (
    asks,
    entered,
    evening,
    of,
    page_of,
    says_yes,
    state_of,
)
from tournaments.lifecycle.registration import decisions


def pairs(tournament) -> list[str]:
    return [team.name for team in tournament.teams.order_by("number")]


@pytest.fixture
def evening_of_pairs(club):
    return evening(club, places=2, guests=True, fields={"format": "pairs"})


def ask_together(client, tournament, *who) -> None:
    asks(
        client,
        tournament,
        who=who[0],
        **{f"partner_{place}": one for place, one in enumerate(who[1:], start=1)},
    )


def test_a_pair_is_entered_when_both_have_said_yes(post_office, evening_of_pairs, client):
    tournament = evening_of_pairs
    ask_together(client, tournament, "1", "bo@example.org")
    assert Letter.objects.count() == 1, "the partner is asked when who names them has agreed"
    says_yes(client, of(tournament, "1"))
    assert state_of(tournament) == {"Anna Holm": "pending", "Bo Krogh": "pending"}
    own = words_at(client, page_of(of(tournament, "1")))
    assert "bo@example.org · has not answered yet" in own
    assert "Bo Krogh" not in own
    assert "Anna Holm would like to play with you" in words_at(
        client, page_of(of(tournament, "bo@example.org"))
    )
    says_yes(client, of(tournament, "bo@example.org"))
    assert (entered(tournament), pairs(tournament)) == (["Anna Holm", "Bo Krogh"], ["Anna Holm / Bo Krogh"])


def test_a_pair_for_whom_one_place_is_not_enough_is_not_overtaken(post_office, evening_of_pairs, client):
    tournament = evening_of_pairs
    for who in ("1", "2"):
        asks(client, tournament, who=who)
        says_yes(client, of(tournament, who))
    ask_together(client, tournament, "3", "4")
    says_yes(client, of(tournament, "3"))
    says_yes(client, of(tournament, "4"))
    asks(client, tournament, who="5")
    says_yes(client, of(tournament, "5"))
    client.post(page_of(of(tournament, "1")), {"do": "withdraw", "sure": "1"})
    assert entered(tournament) == ["Bo Krogh"]
    client.post(page_of(of(tournament, "2")), {"do": "withdraw", "sure": "1"})
    assert (entered(tournament), pairs(tournament)) == (["Carl Dam", "Dora Friis"], ["Carl Dam / Dora Friis"])


@pytest.mark.parametrize("together", [True, False], ids=["both", "alone"])
def test_one_of_a_pair_withdraws_alone_or_both(post_office, evening_of_pairs, client, together):
    tournament = evening_of_pairs
    ask_together(client, tournament, "1", "2")
    says_yes(client, of(tournament, "1"))
    says_yes(client, of(tournament, "2"))
    client.post(
        page_of(of(tournament, "1")), {"do": "withdraw", "sure": "1"} | ({"all": "1"} if together else {})
    )
    assert pairs(tournament) == []
    assert entered(tournament) == ([] if together else ["Bo Krogh"])
    assert state_of(tournament)["Bo Krogh"] == ("withdrawn" if together else "entered")


def test_a_partner_who_says_no_lets_the_other_in_alone(post_office, evening_of_pairs, client):
    tournament = evening_of_pairs
    ask_together(client, tournament, "1", "gerda@example.org")
    says_yes(client, of(tournament, "1"))
    gerda = of(tournament, "gerda@example.org")
    refused = client.post(page_of(gerda), {"do": "yes", "name": " "})
    assert "Type your name." in refused.content.decode()
    client.post(page_of(gerda), {"do": "withdraw", "sure": "1", "all": "1"})
    assert entered(tournament) == ["Anna Holm"]


def test_a_guest_is_a_partner_under_the_name_they_give(post_office, evening_of_pairs, client):
    tournament = evening_of_pairs
    ask_together(client, tournament, "1", "gerda@example.org")
    says_yes(client, of(tournament, "1"))
    says_yes(client, of(tournament, "gerda@example.org"), name="Gerda Gæst")
    assert pairs(tournament) == ["Anna Holm / Gerda Gæst"]


def test_who_has_said_yes_to_one_is_not_anothers_partner_too(post_office, evening_of_pairs, by_alice, client):
    tournament = evening_of_pairs
    ask_together(client, tournament, "1", "2")
    ask_together(client, tournament, "3", "2")
    for who in ("1", "3"):
        says_yes(client, of(tournament, who))
    first, second = tournament.applications.filter(typed="2").order_by("number")
    says_yes(client, first)
    assert "You have already accepted others" not in words_at(client, page_of(second))
    answer = client.post(page_of(second), {"do": "yes"}).content.decode()
    assert "Withdraw there first" in answer
    decisions.decline(of(tournament, "1"), **by_alice)
    says_yes(client, second)
    assert pairs(tournament) == ["Carl Dam / Bo Krogh"]
    decisions.decline(second, **by_alice)
    decisions.put_back(of(tournament, "1"), **by_alice)
    assert pairs(tournament) == ["Anna Holm / Bo Krogh"]


def test_who_names_somebody_else_instead_forgets_the_first(post_office, evening_of_pairs, client):
    tournament = evening_of_pairs
    ask_together(client, tournament, "1", "2")
    ask_together(client, tournament, "1", "4")
    partners = tournament.applications.exclude(lead=None).select_related("player")
    assert [one.player.name for one in partners] == ["Dora Friis"]


def test_however_they_name_each_other_nothing_that_is_forgotten_is_protected(club, client):
    """The database protects who names a partner: without mail each wish is a new one, and none fails at an older."""
    tournament = evening(club, places=2, guests=True, fields={"format": "pairs"})
    for who in (("1", "2"), ("2", "3"), ("3", "1"), ("1", "4"), ("2", "1"), ("1", "2")):
        ask_together(client, tournament, *who)
    assert not tournament.applications.filter(lead__lead__isnull=False).exists()
