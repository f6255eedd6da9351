"""What a key reads of teams that clubs enter and of objections: the host all of its own, a club what is its."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from clubs.models import Scope
from tests.factories import affiliate, make_club, make_player, make_tournament
from tests.tournaments.api.test_unions import API, reader
from tournaments.entries.teams import database_clock
from tournaments.lifecycle.objections import Subject, decide_objection, make_objection
from tournaments.lifecycle.team_entries import (
    EnteredTeam,
    accept_entry,
    enter_team,
    set_deadline,
    withdraw_by_ruling,
)


@pytest.fixture
def union(club):
    union = make_club("Union")
    affiliate(club, union)
    return union


@pytest.fixture
def cup(union, club, alice, by_alice):
    """A tournament in which two clubs have entered a team each; the first was accepted and withdrawn by a ruling."""
    made = make_tournament(0, club=union, account=alice, drawn=False, format="teams", deals_per_round=4)
    set_deadline(made, teams_until=database_clock() + timedelta(days=1), most_of_club=0, **by_alice)
    for host in (club, make_club("Viby", union)):
        members = [make_player(f"{host} {number}", host, number) for number in range(1, 6)]
        team = EnteredTeam(f"{host} 1", "Kroen", members[0], members[:4], members[4:])
        enter_team(made, host, team, **by_alice)
    first = made.team_entries.get(number=1)
    accept_entry(first, division=1, **by_alice)
    withdraw_by_ruling(first, reason="sygdom", **by_alice)
    make_objection(made, made.teams.get(), Subject("standings"), words="Forkert", **by_alice)
    return made


def items(who, alice, what):
    return reader(who, alice).get(f"{API}/{what}").json()["items"]


def test_a_union_reads_all_entries_of_its_tournaments_and_a_club_its_own(cup, union, club, alice):
    assert [one["name"] for one in items(union, alice, "team-entries")] == ["Viby 1", "Stilling 1"]
    (own,) = items(club, alice, "team-entries")
    assert (own["tournament"], own["number"], own["club"]["slug"], own["place"]) == (
        cup.code,
        1,
        club.slug,
        "Kroen",
    )
    assert (own["status"], own["team"], own["answer"]) == ("accepted", 1, "")
    assert [(one["captain"], one["reserve"]) for one in own["players"]] == [
        (True, False), (False, False), (False, False), (False, False), (False, True),
    ]  # fmt: skip
    assert own["players"][0]["name"] == "Stilling 1"
    assert [(one["what"], one["reason"]) for one in own["rulings"]] == [("withdrawn", "sygdom")]
    assert items(make_club("Odder"), alice, "team-entries") == []


def test_objections_are_read_by_the_host_and_by_the_club_whose_they_are(cup, union, club, alice, by_alice):
    for who in (union, club):
        (told,) = items(who, alice, "objections")
        assert (told["by"], told["about"], told["words"]) == ("Stilling 1", "standings", "Forkert")
        assert (told["status"], told["answer"], told["decided_at"], told["round"]) == ("open", "", None, None)
    assert items(make_club("Odder"), alice, "objections") == []
    decide_objection(cup.objections.get(), upheld=False, answer="Nej", **by_alice)
    (told,) = items(club, alice, "objections")
    assert (told["status"], told["answer"]) == ("rejected", "Nej")


@pytest.mark.parametrize("what", ["team-entries", "objections"])
def test_other_scopes_and_nobody_do_not_read_them_and_pages_follow(cup, union, alice, what):
    assert reader(union, alice, Scope.MONEY).get(f"{API}/{what}").status_code == 403
    assert Client().get(f"{API}/{what}").status_code == 401
    browser = reader(union, alice)
    first = browser.get(f"{API}/{what}?limit=1").json()
    assert len(first["items"]) == 1
    assert (first["next"] is not None) == (what == "team-entries")
    assert browser.get(f"{API}/{what}?cursor=nonsense").status_code in (400, 422)
