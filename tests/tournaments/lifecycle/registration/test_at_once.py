"""Many say yes at the same moment: as many are in as there are places, nobody twice, nobody overtaken."""

from __future__ import annotations

from functools import partial

import pytest
from django.utils import timezone

from tests.factories import make_account, make_club
from tests.tournaments.attacks.test_two_at_once import at_once
from tests.tournaments.lifecycle.registration.evening import evening
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.registration import decisions
from tournaments.lifecycle.registration.requests import say_yes, withdraw
from tournaments.models import Application, Entry

pytestmark = pytest.mark.django_db(transaction=True)


def test_five_say_yes_twice_each_for_two_places_while_one_of_them_goes():
    club = make_club()
    now, alice = timezone.now(), make_account("alice", club)
    tournament = evening(club, places=2)
    asked = [
        decisions.invite(tournament, member.player, club, account=alice, now=now)[0]
        for member in club.memberships.select_related("player")
    ]
    yes = [partial(say_yes, one, now=now) for one in asked for _twice in range(2)]
    at_once(*yes)
    in_turn = list(Application.objects.order_by("turn"))
    assert [one.state for one in in_turn] == ["entered"] * 2 + ["waiting"] * 3
    assert len({one.turn for one in in_turn}) == 5
    # Two go and somebody is let in over and over: as many are in as there is room for.
    at_once(
        *(partial(withdraw, one, now=now) for one in in_turn[:2]),
        *(partial(decisions.let_in, one, account=alice, now=now) for one in in_turn[2:]),
    )
    there = Entry.objects.exclude(status="withdrawn").order_by("number")
    assert [entry.player_id for entry in there] == [one.player_id for one in in_turn[2:4]]
    assert list(differences(tournament)) == []
