"""A forgotten password: the request does as much for nobody as for somebody, and an account has few letters."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.mail.letters import MOST_A_DAY
from clubs.mail.sending import send_due
from clubs.models import Letter
from tests.factories import make_account

ADDRESS = "alice@example.org"


@pytest.fixture
def alice_with_address(alice):
    alice.email = ADDRESS
    alice.save(update_fields=["email"])
    return alice


def ask(asked: str, *, number: int = 1):
    return Client().post(reverse("password_forgotten"), {"asked": asked}, REMOTE_ADDR=f"192.0.2.{number}")


def letters() -> list[str]:
    return list(Letter.objects.order_by("pk").values_list("to", flat=True))


@pytest.mark.databases
def test_the_same_is_done_whether_there_is_an_account_or_not(post_office, alice_with_address, club):
    make_account("bob", club)  # has no address
    said, asked = set(), set()
    for number, typed in enumerate(("alice", ADDRESS, "bob", "nobody", "nobody@example.org")):
        with CaptureQueriesContext(connection) as queries:
            answer = ask(typed, number=number)
        said.add(answer.content.decode().partition("<main")[2])
        asked.add(tuple(query["sql"].split()[0] for query in queries if "axes" not in query["sql"]))
        assert not any("clubs_account" in query["sql"] for query in queries), (
            "it is looked up beside the pages"
        )
    assert (len(said), len(asked)) == (1, 1)
    assert set(letters()) == {""}
    send_due()
    assert letters() == [ADDRESS], "one letter for one account, and what was typed is forgotten"
    assert [letter["To"] for letter in post_office.came] == [ADDRESS]


def test_who_asks_again_and_again_from_anywhere_gets_one_letter_in_five_minutes_and_few_a_day(
    post_office, alice_with_address
):
    for number, typed in enumerate(["alice", "ALICE", ADDRESS, ADDRESS.upper()] * 4 + ["alice"] * 3):
        ask(typed, number=number)
    send_due()
    assert letters() == [ADDRESS]
    for _time in range(2 * MOST_A_DAY):
        for letter in Letter.objects.all():
            Letter.objects.filter(pk=letter.pk).update(posted_at=letter.posted_at - timedelta(minutes=6))
        caches["tries"].clear(), caches["tries-here"].clear()
        ask("alice", number=200 + _time)
        send_due()
    assert letters() == [ADDRESS] * MOST_A_DAY


def test_nobody_is_written_to_for_a_closed_account(post_office, alice_with_address):
    ask("alice")
    alice_with_address.is_active = False
    alice_with_address.save(update_fields=["is_active"])
    send_due()
    assert (letters(), post_office.came) == ([], [])
