"""Vera organises another club: with her own club's addresses and this club's numbers she finds nothing.

Tried: every number of a row (late report, flag, penalty, photograph, sheet, season, award, own rules, member, role) put
into an address of a club or tournament of one's own; a tournament set up in another club's name; another club's members
entered into one's own tournament. Found: nothing.
"""

from __future__ import annotations

from datetime import date
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Account, Membership, Role
from tests.factories import first_table, make_account, make_club, make_player, make_tournament
from tournaments.models import ClubRules, Flag, KeptReport, Penalty, Photograph, Season, Tournament

NUMBERED = {
    "late": ["desk_take_in", "desk_set_aside", "desk_wait_again"],
    "flag": ["desk_settle_flag"],
    "penalty": ["desk_cancel_penalty"],
    "photograph": ["desk_photograph", "desk_remove_photograph"],
    "season": ["club_season", "club_season_edit", "club_season_delete", "club_season_evenings"],
    "rules": ["club_rules_set", "club_rules_pdf", "club_rules_edit", "club_rules_delete"],
    "member": [
        "member",
        "member_edit",
        "member_leave",
        "member_return",
        "member_data",
        "member_erase",
        "member_same",
    ],
    "role": ["role_change", "role_remove", "role_password"],
}
AT_A_TABLE, OF_A_TOURNAMENT = ("late", "flag", "photograph"), ("penalty",)


@pytest.fixture
def theirs(club, alice):
    """A row of each kind in Alice's club, by its number; her tournament has the same rounds and tables as Vera's."""
    tournament, now = make_tournament(4, club=club, account=alice), timezone.now()
    table = first_table(tournament)
    item = {"key": str(uuid4()), "deal": 1, "base": 0, "result": {"all_passed": True}}
    ruled = {"tokens": -5, "reason": "late", "ruled_by": "Alice", "ruled_at": now}
    days = {"starts": date(2026, 1, 1), "ends": date(2026, 12, 31)}
    made = {
        "late": KeptReport(table=table, key=uuid4(), item=item, why="closed", received_at=now),
        "flag": Flag(table=table, kind="call", raised_at=now),
        "penalty": Penalty(tournament=tournament, entry=tournament.entries.first(), **ruled),
        "photograph": Photograph(table=table, file="x.jpg", attached_by="Alice", attached_at=now),
        "season": Season(host=club, name="Efterår", **days),
        "rules": ClubRules(club=club, name="Ours", rulebook="union"),
    }
    for row in made.values():
        row.save()
    made["member"], made["role"] = Membership.objects.filter(club=club).first(), alice.roles.get()
    return {
        kind: (row, dict(type(row).objects.filter(pk=row.pk).values().get())) for kind, row in made.items()
    }


@pytest.fixture
def vera(theirs) -> Client:
    viby = make_club("Viby")
    vera = make_account("vera", viby)
    make_tournament(4, club=viby, account=vera, code="VERAS")
    browser = Client()
    browser.force_login(vera)
    return browser


def test_a_row_of_another_club_is_not_found_through_ones_own(vera, theirs):
    for kind, names in NUMBERED.items():
        row, before = theirs[kind]
        place = ["VERAS", 1, 1] if kind in AT_A_TABLE else ["VERAS"] if kind in OF_A_TOURNAMENT else ["viby"]
        for name in names:
            said = {"name": "Mine", "reason": "mine", "kind": "helper", "joined": "2026-01-01"}
            address = reverse(name, args=[*place, row.pk])
            answers = [vera.get(address).status_code, vera.post(address, said).status_code]
            # 302: back to a page of one's own, as after a button whose row is gone.
            assert set(answers) <= {404, 405, 302}, name
            assert dict(type(row).objects.filter(pk=row.pk).values().get()) == before, name
    assert Account.objects.get(username="alice").check_password("a long password")


def test_nobody_sets_up_a_tournament_in_another_clubs_name(vera, club):
    form = {"name": "Mine", "host": club.pk, "date": "2026-12-01", "rulebook": "union", "rounds_planned": 1}
    vera.post("/desk/new/", form | {"deals_per_round": 40})
    assert not Tournament.objects.filter(host=club, name="Mine").exists()
    assert Role.objects.filter(club=club).count() == 1


def test_another_clubs_members_are_not_entered(vera, club):
    stranger = make_player("Anna Hemmelig", club, 99)
    address = reverse("desk_add_members", args=["VERAS"])
    assert "Hemmelig" not in vera.get(address, {"q": "Anna"}).content.decode()
    vera.post(address, {"member": [stranger.memberships.get().pk, stranger.pk], "players": [stranger.pk]})
    assert not stranger.entries.exists()
