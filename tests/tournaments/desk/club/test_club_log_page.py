"""One page for who did what in a club: its own log, its tournaments', corrections, files saved, and signing in."""

from __future__ import annotations

from datetime import datetime

import pytest
from axes.models import AccessLog
from django.test import Client
from django.utils import timezone

from clubs.models import ClubLogEntry
from tests.factories import first_table, make_account, make_club, make_tournament, report
from tournaments.lifecycle.playing import revoke_link

LOG = "/clubs/stilling/log/"


@pytest.fixture
def evening(alice, made_now):
    """Round 1 runs, a deal is corrected by its captain, the link is replaced by the desk."""
    tournament = make_tournament(4, account=alice)
    table = first_table(tournament)
    report(table, 1)
    won = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
    report(table, 1, won, base=1, reason="misread")
    revoke_link(table, account=alice, now=timezone.now())
    return tournament


def lines(browser, **asked):
    return [(line.author, line.words) for line in browser.get(LOG, asked).context["lines"]]


def test_everything_is_there_newest_first(as_alice, club, alice, evening):
    Client().post("/clubs/login/", {"username": "alice", "password": "wrong"})
    Client().post("/clubs/login/", {"username": "alice", "password": "a long password"})
    as_alice.get("/clubs/stilling/members.csv")
    as_alice.get(f"/clubs/stilling/members/{club.memberships.first().pk}/data.json")
    list(as_alice.get(f"/desk/t/{evening.code}/entries/export.csv").streaming_content)
    said = lines(as_alice)
    assert said[:5] == [
        ("Alice", "Saved the list of players as a file"),
        ("Alice", "Saved all data about Anna Holm as a file"),
        ("Alice", "Saved the member list as a file"),
        ("alice", "Signed in from 127.0.0.1"),
        ("alice", "Wrong password, from 127.0.0.1"),
    ]
    assert said[5:8] == [
        ("Alice", "Round 1, table 1: new captain’s link"),
        ("captain", "Round 1, table 1, deal 1: Carl Dam: Solo in hearts, won"),
        ("Alice", "Started round 1"),
    ]


def test_it_is_found_by_person_place_and_day(as_alice, club, alice, evening):
    bob = make_account("bob", club)
    ClubLogEntry.objects.create(
        club=club,
        at=datetime(2025, 3, 1, 12, tzinfo=timezone.get_default_timezone()),
        author="Bob",
        account=bob,
        text="Long ago",
    )
    AccessLog.objects.create(username="bob", ip_address="192.0.2.7")
    assert lines(as_alice, person="Bob") == [("bob", "Signed in from 192.0.2.7"), ("Bob", "Long ago")]
    of_the_club = lines(as_alice, tournament="club")
    assert set(lines(as_alice, person="Bob")) < set(of_the_club)
    assert "Started round 1" not in [words for _author, words in of_the_club]
    assert lines(as_alice, since="2025-03-01", until="2025-03-01") == [("Bob", "Long ago")]
    assert ("Bob", "Long ago") not in lines(as_alice, tournament=evening.code)
    assert lines(as_alice, tournament=evening.code, until="2025-03-02") == []
    assert len(lines(as_alice, since="no day", until="0000-99-99", page="x")) == len(lines(as_alice))


def test_another_clubs_people_and_evenings_are_not_in_it(as_alice, evening):
    before = lines(as_alice)
    viby = make_club("Viby")
    make_tournament(4, club=viby, account=make_account("vera", viby))
    AccessLog.objects.create(username="vera", ip_address="192.0.2.7")
    assert lines(as_alice) == before
    assert lines(as_alice, tournament="nonsense' OR 1=1 --") == []


def test_the_file_has_what_is_asked_for_with_formulas_disarmed(as_alice, club, evening):
    ClubLogEntry.objects.create(club=club, at=timezone.now(), author="=1+1", text="Odd")
    file = as_alice.get("/clubs/stilling/log.csv", {"person": "=1+1"})
    rows = file.content.decode("utf-8-sig").splitlines()
    assert rows[0] == "When,Who,Tournament,What,Reason"
    assert rows[1].endswith(",'=1+1,,Odd,")
    assert as_alice.get("/clubs/stilling/log.xlsx").content.startswith(b"PK")
    assert as_alice.get("/clubs/stilling/log.exe").status_code == 404
    assert lines(as_alice)[0] == ("Alice", "Saved the log as a file")


def test_a_long_log_has_pages_and_costs_the_same_on_each(as_alice, club, django_assert_max_num_queries):
    now = timezone.now()
    ClubLogEntry.objects.bulk_create(
        ClubLogEntry(club=club, at=now, author="Alice", text=f"Step {number}") for number in range(250)
    )
    with django_assert_max_num_queries(20):
        assert ("Alice", "Step 0") in lines(as_alice, page="3", person="Alice")
    page = as_alice.get(LOG, {"page": "2", "person": "Alice"}).content.decode()
    assert 'href="?person=Alice&amp;page=3"' in page
