"""What a program does by a club's key goes through the doors that people go through, once, and for that club alone."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from clubs import api_keys
from clubs.models import ClubLogEntry, ProgramAnswer, ProgramKey, Scope
from tests.factories import first_round, first_table, make_club, make_player, make_tournament, report, won
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Entry, KeptReport, LogEntry, Report

API = "/api/v1/club"


@pytest.fixture
def tournament(club, alice):
    return make_tournament(4, 1, club=club, account=alice, deals_per_round=4, started=False)


def make_key(club, alice, *scopes: str, name: str = "Scoreboard") -> str:
    scopes = scopes or tuple(Scope.values)
    return api_keys.make_key(club, name=name, scopes=scopes, account=alice, now=timezone.now())[1]


class Program:
    def __init__(self, words: str = ""):
        self.headers = {"Authorization": f"Bearer {words}"} if words else {}

    def get(self, address: str):
        return Client().get(f"{API}{address}", headers=self.headers)

    def send(self, address: str, body: object, **more: str):
        return Client().post(
            f"{API}{address}", body, content_type="application/json", headers=self.headers | more
        )

    def enter(self, tournament, *who: dict, name: object = None):
        named = {"Idempotency-Key": str(name or uuid4())}
        return self.send(f"/tournaments/{tournament.code}/entries", {"entries": who}, **named)

    def report(self, tournament, *reports: dict):
        at = f"/tournaments/{tournament.code}/rounds/1/tables/1/reports"
        return self.send(at, {"reports": reports})


def deal(number: int = 1, **more: object) -> dict:
    return {"key": str(uuid4()), "deal": number, "result": {"all_passed": True}} | more


def test_a_key_is_stored_as_its_print_alone_and_ended_it_is_good_for_nothing(club, alice):
    words = make_key(club, alice, Scope.READ)
    program = Program(words)
    assert program.get("").json() == {
        "name": "Scoreboard", "club": {"id": club.pk, "slug": club.slug, "name": club.name}, "scopes": ["read"],
    }  # fmt: skip
    key = ProgramKey.objects.get()
    assert words not in str(list(ProgramKey.objects.values()))
    assert (key.used_at is not None, words.startswith(key.begins)) == (True, True)
    api_keys.revoke_key(key, account=alice, now=timezone.now())
    assert program.get("").status_code == 401
    lines = [str(line) for line in ClubLogEntry.objects.order_by("pk")]
    assert lines == ["Created the key “Scoreboard” for a program", "Revoked the key “Scoreboard”"]


@pytest.mark.parametrize("words", ["", "nobody", "spadille_ø", "x" * 200])
def test_without_a_key_nothing_is_told_nor_done(tournament, words):
    answer = Program(words).enter(tournament, {"guest": "Bo"})
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_who_guesses_waits_a_minute_and_the_right_key_from_the_same_address_does_not(club, alice):
    words = make_key(club, alice)
    told = [Program(f"spadille_{number}").get("").status_code for number in range(11)]
    assert told == [401] * 10 + [429]
    assert Program(words).get("").status_code == 200
    assert Program("spadille_11").get("").status_code == 429


def test_a_key_does_what_it_is_for_and_for_its_club_alone(tournament, club, alice):
    reader = Program(make_key(club, alice, Scope.READ))
    assert reader.enter(tournament, {"guest": "Bo"}).status_code == 403
    assert reader.report(tournament, deal()).status_code == 403
    other = Program(make_key(make_club("Viby"), alice))
    for answer in (
        other.get(f"/tournaments/{tournament.code}/entries"),
        other.enter(tournament, {"guest": "Bo"}),
        other.send(f"/tournaments/{tournament.code}/entries/1/check-in", {"here": True}),
        other.report(tournament, deal()),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "other_club")
    names = [one["name"] for one in reader.get("/members").json()["items"]]
    assert names == [entry.player.name for entry in tournament.entries.order_by("number")]
    listed = reader.get(f"/tournaments/{tournament.code}/entries?limit=1").json()
    assert (listed["items"][0]["member"], listed["items"][0]["status"]) == (1, "present")
    assert other.get("/members").json()["items"] == []


def test_members_and_guests_are_entered_once_whatever_is_sent_twice(tournament, club, alice):
    make_player("Ulla Vest", club, 77)
    program, name = Program(make_key(club, alice)), uuid4()
    who = {"member": 77, "here": True}, {"guest": "Bo  Gæst"}, {"member": 1}, {"member": 999}
    first = program.enter(tournament, *who, name=name)
    told = [(one["status"], one["entry"] and one["entry"]["name"]) for one in first.json()["results"]]
    assert told == [
        ("entered", "Ulla Vest"), ("entered", "Bo Gæst"), ("already", Entry.objects.get(number=1).player.name),
        ("refused", None),
    ]  # fmt: skip
    assert program.enter(tournament, *who, name=name).json() == first.json()
    assert (tournament.entries.count(), ProgramAnswer.objects.count()) == (6, 1)
    assert program.enter(tournament, {"guest": "Else"}, name=name).status_code == 409
    assert tournament.entries.get(number=5).status == Entry.Status.PRESENT
    newest = LogEntry.objects.filter(tournament=tournament).order_by("-pk")[:3]
    assert [(line.author, line.account) for line in newest] == [("Scoreboard", None)] * 3


def test_a_player_is_checked_in_by_the_rules_of_the_desk(tournament, club, alice):
    program = Program(make_key(club, alice))
    at = f"/tournaments/{tournament.code}/entries/1/check-in"
    assert program.send(at, {"here": False}).json()["status"] == "entered"
    assert program.send(at, {"here": True}).json()["status"] == "present"
    start_round(first_round(tournament), account=alice, now=timezone.now())
    refused = program.send(at, {"here": False})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_possible")
    assert "has already played" in refused.json()["detail"]


def test_deals_are_reported_as_from_a_captains_phone(tournament, club, alice):
    start_round(first_round(tournament), account=alice, now=timezone.now())
    program, first = Program(make_key(club, alice)), deal(1, result=won(1))
    answer = program.report(tournament, first, deal(2), deal(3, result={"contract": "none"})).json()
    assert [one["status"] for one in answer["results"]] == ["accepted", "accepted", "refused"]
    assert answer["results"][2]["problems"][0]["message"]
    assert (answer["open"], sum(answer["tokens"])) == (True, 0)
    again = program.report(tournament, first, deal(1, result=won(3))).json()["results"]
    assert [one["status"] for one in again] == ["duplicate", "conflict"]
    assert again[1]["current"]["revision"] == 1
    assert {(one.source, one.author) for one in Report.objects.all()} == {("program", "Scoreboard")}
    close_round(first_round(tournament), account=alice, now=timezone.now(), force_reason="late")
    late = program.report(tournament, deal(4)).json()
    assert (late["open"], late["results"][0]["status"]) == (False, "kept")
    assert KeptReport.objects.count() == 1
    assert report(first_table(tournament), 4).status == "kept"


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ("[" * 5000, 400, None),
        ("nothing", 400, None),
        ("[]", 422, ""),
        ('{"reports": []}', 422, "reports"),
        ('{"reports": [{"key": "x", "deal": 1, "result": null}]}', 422, "reports.0.key"),
        ('{"reports": [{"deal": 1, "result": null, "more": 1}]}', 422, "reports.0.key"),
        ('{"reports": [{"key": "%s", "deal": 1e9, "result": null}]}', 422, "reports.0.deal"),
    ],
)
def test_what_is_no_report_is_told_so_at_its_field(tournament, club, alice, body, status, field):
    program = Program(make_key(club, alice))
    answer = program.report(tournament) if not body else None
    at = f"{API}/tournaments/{tournament.code}/rounds/1/tables/1/reports"
    body = body.replace("%s", str(uuid4()))
    answer = Client().post(at, body, content_type="application/json", headers=program.headers)
    assert answer.status_code == status, answer.content
    assert answer.headers["Content-Type"] == "application/problem+json"
    errors = answer.json()["errors"]
    assert field is None or errors[0]["field"].endswith(field)
    assert "Report" not in answer.json()["detail"]


def test_organisers_make_a_key_see_it_once_and_end_it(as_alice, club):
    page = f"/clubs/{club.slug}/programs/"
    assert list(as_alice.post(f"{page}key/", {"name": ""}).context["form"].errors) == ["name", "scopes"]
    as_alice.post(f"{page}key/", {"name": "Board", "scopes": ["read", "reports"]})
    shown = as_alice.get(page)
    words = shown.context["once"]["secret"]
    assert Program(words).get("").json()["scopes"] == ["read", "reports"]
    assert words not in as_alice.get(page).content.decode()
    twice = as_alice.post(f"{page}key/", {"name": "board", "scopes": ["read"]})
    assert list(twice.context["form"].errors) == ["name"]
    as_alice.post(f"{page}key/{ProgramKey.objects.get().pk}/end/")
    assert Program(words).get("").status_code == 401
