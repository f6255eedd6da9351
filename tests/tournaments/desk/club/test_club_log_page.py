"""One page for who did what in a club: its own log, its tournaments', corrections, files saved, and signing in."""

from __future__ import annotations

import codecs
from datetime import datetime
from io import BytesIO

import pytest
from axes.models import AccessLog
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from openpyxl import load_workbook

from clubs.models import ClubLogEntry
from core.jobs.models import Job
from core.jobs.queue import run_now
from core.tables.files import table_file
from tests.factories import first_table, make_account, make_club, make_tournament, report
from tournaments.desk.club import log
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
    rows = b"".join(file.streaming_content).decode("utf-8-sig").splitlines()
    assert rows[0] == "When,Who,Tournament,What,Reason"
    assert rows[1].endswith(",'=1+1,,Odd,")
    assert as_alice.get("/clubs/stilling/log.xlsx").content.startswith(b"PK")
    assert as_alice.get("/clubs/stilling/log.exe").status_code == 404
    assert lines(as_alice)[0] == ("Alice", "Saved the log as a file")


@pytest.fixture
def long_log(club):
    """More lines than are read at once: some in the club's log, and the steps of an evening."""
    at = timezone.now()
    ClubLogEntry.objects.bulk_create(
        ClubLogEntry(
            club=club, at=at, author="Alice", text="Called it “{name}”", params={"name": f"N. {number}"}
        )
        for number in range(log.AT_ONCE + 20)
    )


@pytest.mark.parametrize("language", ["en", "da"])
def test_a_long_csv_is_streamed_in_the_readers_language(as_alice, club, evening, long_log, language):
    answer = as_alice.get("/clubs/stilling/log.csv", headers={"Accept-Language": language})
    assert answer.streaming
    with override(None):  # whoever streams the rest knows no language
        data = b"".join(answer.streaming_content)
    with override(language):
        whole = table_file("csv", log.log_table(list(log.find_events(club, log.Asked()))[1:]))
    assert data == whole
    assert data.count(codecs.BOM_UTF8) == 1
    assert len(data.splitlines()) > log.AT_ONCE
    assert ("Started round 1" in data.decode()) == (language == "en")


def test_a_long_xlsx_is_a_job_with_the_same_lines(as_alice, as_charlie, club, evening, long_log):
    there = len(log.find_events(club, log.Asked(tournament=log.THE_CLUB)))
    answer = as_alice.get("/clubs/stilling/log.xlsx", {"tournament": "club"})
    job = Job.objects.get()
    assert answer.url == reverse("desk_job", args=[job.pk])
    assert "Log of Stilling as XLSX" in as_alice.get(answer.url).content.decode()
    assert as_charlie.get(answer.url).url == reverse("desk_jobs")
    assert run_now(job).state == Job.State.DONE
    file = as_alice.get(reverse("desk_job_file", args=[job.pk]))
    sheet = load_workbook(BytesIO(b"".join(file.streaming_content))).active
    assert [row[3] for row in sheet.values][:2] == ["What", f"Called it “N. {log.AT_ONCE + 19}”"]
    assert sheet.max_row == there + 1
    assert lines(as_alice)[0] == ("Alice", "Saved the log as a file")
    # A few lines are there at once.
    assert as_alice.get("/clubs/stilling/log.xlsx", {"tournament": evening.code}).content.startswith(b"PK")


def test_a_long_log_has_pages_and_costs_the_same_on_each(as_alice, club, django_assert_max_num_queries):
    now = timezone.now()
    ClubLogEntry.objects.bulk_create(
        ClubLogEntry(club=club, at=now, author="Alice", text=f"Step {number}") for number in range(250)
    )
    with django_assert_max_num_queries(21):
        assert ("Alice", "Step 0") in lines(as_alice, page="3", person="Alice")
    page = as_alice.get(LOG, {"page": "2", "person": "Alice"}).content.decode()
    assert 'href="?person=Alice&amp;page=3"' in page
