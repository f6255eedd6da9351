"""What decides who is told of, and what is made of it, is the club's organisers' and their union's alone."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Membership, Player, Role
from core.jobs.models import Job
from tests.factories import affiliate, make_account, make_club, make_player
from tests.tournaments.desk.club.test_old_results import stored
from tournaments.models import MergedPlayer, OldEvent, Season

pytestmark = pytest.mark.databases


@pytest.fixture
def things(club):
    """The club, in a union; a season of it, and two members of whom one may be the other."""
    union = make_club("Unionen")
    affiliate(club, union)
    one, other = (make_player(name, club, number) for number, name in enumerate(("Anna", "Anna H."), 1))
    season = Season.objects.create(host=club, name="Vinter", starts="2025-09-01", ends="2026-05-01")
    return {"union": union, "season": season, "one": one, "other": other}


def homes(club, things):
    """Who is what where."""
    return {
        "a stranger": None,
        "a helper": (club, Role.Kind.HELPER),
        "the union's helper": (things["union"], Role.Kind.HELPER),
        "an organiser elsewhere": (make_club("Viby"), Role.Kind.ORGANISER),
        "the union's organiser": (things["union"], Role.Kind.ORGANISER),
    }


def steps(club, things):
    """What is sent where, and what is there if it was taken."""
    one, other = (Membership.objects.get(player=things[who]).pk for who in ("one", "other"))
    settings = {"name": club.name, "name_style": "full", "statistics": "nowhere"}
    old = {"kind": "title", "name": "DM", "year": "1985", "standings": "Anna"}
    return {
        "the yearbook": (
            reverse("club_season_yearbook", args=[club.slug, things["season"].pk]), {}, Job.objects.all(),
        ),
        "no statistics": (
            reverse("club_edit", args=[club.slug]), settings, Club.objects.filter(statistics="nowhere"),
        ),
        "an objection": (
            reverse("member_edit", args=[club.slug, one]),
            {"name": "Anna", "joined": "2020-01-01", "has_objected": "on"},
            Player.objects.filter(has_objected=True),
        ),
        "an old result": (reverse("club_old_new", args=[club.slug]), old, OldEvent.objects.all()),
        "one of two": (
            f"{reverse('member_same', args=[club.slug, one])}?other={other}", {}, MergedPlayer.objects.all(),
        ),
    }  # fmt: skip


def test_who_organises_decides_and_nobody_else(club, things):
    for who, home in homes(club, things).items():
        browser = Client()
        account = make_account(who.replace(" ", "-").replace("'", ""), *(home or ()))
        browser.force_login(account)
        may = who == "the union's organiser"
        for what, (address, sent, there) in steps(club, things).items():
            objects = what == "an objection" and may
            seen = {"seen": browser.get(address).context["form"].initial_digest} if objects else {}
            answer = browser.post(address, sent | seen)
            if what == "an old result" and may:  # looked at first
                stored(browser, club, answer)
            assert (answer.status_code == 403, there.exists()) == (not may, may), (who, what)
