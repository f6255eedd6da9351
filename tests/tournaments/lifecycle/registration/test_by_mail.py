"""Entering from home by a link that comes by mail; who is a member is told to nobody."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.mail.sending import send_due
from clubs.models import Letter, Player
from tests.pages import words, words_at
from tests.post_office import links_in, text_of
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


def link_to(post_office, address: str) -> str:
    """The link in the newest letter to an address, as a path."""
    send_due()
    letter = [letter for letter in post_office.came if letter["To"] == address][-1]
    return next("/t/" + link.split("/t/")[1] for link in links_in(letter) if "/entry/" in link)


def test_a_link_by_mail_enters_and_the_same_link_withdraws(post_office, club, client):
    tournament = evening(club, places=1)
    assert asks(client, tournament, who="1").endswith("/enter/?sent")
    assert state_of(tournament) == {"Anna Holm": "asked"}
    own = link_to(post_office, "anna@example.org")
    assert own == page_of(of(tournament, "1"))
    client.get(own)
    assert entered(tournament) == [], "whatever only looks at the link enters nobody"
    client.post(own, {"do": "yes"})
    assert entered(tournament) == ["Anna Holm"]
    asks(client, tournament, who="bo@EXAMPLE.org")
    waits = link_to(post_office, "bo@example.org")
    client.post(waits, {"do": "yes"})
    send_due()
    assert "You are next in line" in words_at(client, waits)
    asked = client.post(own, {"do": "withdraw"})
    assert "Withdraw?" in words(asked.content.decode())
    assert entered(tournament) == ["Anna Holm"], "it is asked first"
    client.post(own, {"do": "withdraw", "sure": "1"})
    assert entered(tournament) == ["Bo Krogh"]
    send_due()
    told = [(letter["To"], letter["Subject"].partition(":")[0]) for letter in post_office.came]
    assert told == [
        ("anna@example.org", "Enter Efterårsturnering?"),
        ("anna@example.org", "You are entered"),
        ("bo@example.org", "Enter Efterårsturnering?"),
        ("bo@example.org", "You are on the waiting list"),
        ("bo@example.org", "You have a place"),
    ]
    assert page_of(of(tournament, "bo@EXAMPLE.org")) in text_of(post_office.came[-1])
    client.post(own, {"do": "again"})
    assert state_of(tournament) == {"Anna Holm": "waiting", "Bo Krogh": "entered"}


# What is typed, and which of these the club knows: a member, nobody, a member without an address, a guest.
TYPED = ["1", "99", "3", "anna@example.org", "nobody@example.org"]


@pytest.mark.parametrize("again", [False, True], ids=["first", "asked again"])
def test_whoever_asks_is_answered_alike_and_as_much_is_done_for_nobody(post_office, club, client, again):
    tournament = evening(club)
    Player.objects.filter(name="Carl Dam").update(email="")
    answers, asked = set(), set()
    for typed in TYPED:
        for _time in range(1 + again):
            with CaptureQueriesContext(connection) as queries:
                answer = client.post(f"/t/{tournament.code}/enter/", {"who": typed})
        kinds = [query["sql"].split()[0] for query in queries if "axes" not in query["sql"]]
        asked.add(tuple(kind for kind in kinds if kind not in {"SAVEPOINT", "RELEASE", "ROLLBACK"}))
        answers.add((answer.status_code, answer["Location"]))
    assert len(answers) == 1
    assert len(asked) == 1, "the database is asked the same"
    assert sorted(Letter.objects.values_list("to", flat=True)) == ["anna@example.org"]
    assert of(tournament, "3").state == "pending", "the organiser ticks who has no address"


def test_a_link_is_good_for_two_days_and_another_is_sent_for_the_asking(post_office, club, client):
    tournament = evening(club)
    asks(client, tournament, who="1")
    anna = tournament.applications.filter(typed="1")
    asks(client, tournament, who="1")
    assert Letter.objects.count() == 1, "not sooner than in five minutes"
    anna.update(sent_at=timezone.now() - timedelta(days=3))
    answer = client.post(page_of(anna.get()), {"do": "yes"})
    assert "valid for two days" in words(answer.content.decode())
    asks(client, tournament, who="1")
    assert Letter.objects.count() == 2
    says_yes(client, anna.get())
    assert entered(tournament) == ["Anna Holm"]


def test_who_share_an_address_have_a_letter_each(post_office, club, client):
    tournament = evening(club)
    Player.objects.filter(name="Bo Krogh").update(email="anna@example.org")
    asks(client, tournament, who="anna@example.org")
    assert state_of(tournament) == {"Anna Holm": "asked", "Bo Krogh": "asked"}
    assert Letter.objects.count() == 2


def test_the_organiser_says_yes_where_that_is_asked_for(post_office, club, by_alice, client):
    tournament = evening(club, asks=True)
    asks(client, tournament, who="1")
    says_yes(client, of(tournament, "1"))
    assert state_of(tournament) == {"Anna Holm": "pending"}
    assert "You will have a place when the organiser accepts" in words_at(
        client, page_of(of(tournament, "1"))
    )
    decisions.let_in(of(tournament, "1"), **by_alice)
    assert entered(tournament) == ["Anna Holm"]


def test_news_that_is_none_any_more_is_not_mailed(post_office, club, by_alice, client):
    tournament = evening(club)
    asks(client, tournament, who="1")
    says_yes(client, of(tournament, "1"))
    decisions.decline(of(tournament, "1"), **by_alice)
    send_due()
    subjects = [letter["Subject"] for letter in post_office.came]
    assert [subject for subject in subjects if subject.startswith("You are entered")] == []
    assert subjects[-1].startswith("You do not have a place")
