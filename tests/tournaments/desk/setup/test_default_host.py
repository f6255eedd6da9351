"""The set-up proposes the club, or the union, that one organises, and not the first of its clubs."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Role
from tests.factories import make_account, make_club, make_tournament


@pytest.fixture
def union(db):
    """A union whose clubs come before it in every list."""
    union = make_club("Unionen")
    for name in ("Aabenraa", "Stilling", "Ørbæk"):
        make_club(name, union)
    return union


def host_proposed(account, **asked):
    browser = Client()
    browser.force_login(account)
    form = browser.get(reverse("tournament_new"), asked).context["form"]
    value = form["host"].value()
    return getattr(value, "pk", value)


def test_a_unions_organiser_has_the_union_and_a_clubs_organiser_the_club(union):
    stilling = union.clubs.get(name="Stilling")
    assert host_proposed(make_account("ulla", union)) == union.pk
    assert host_proposed(make_account("alice", stilling)) == stilling.pk


def test_where_one_only_helps_is_not_proposed(union):
    helga = make_account("helga", union.clubs.get(name="Aabenraa"), Role.Kind.HELPER)
    orbaek = union.clubs.get(name="Ørbæk")
    Role.objects.create(account=helga, club=orbaek, kind=Role.Kind.ORGANISER)
    assert host_proposed(helga) == orbaek.pk


def test_a_copy_has_the_host_of_the_earlier_one_where_one_organises_it(union):
    stilling = union.clubs.get(name="Stilling")
    earlier = make_tournament(0, club=stilling, account=make_account("alice", stilling), drawn=False)
    assert host_proposed(make_account("ulla", union), copy=earlier.code) == stilling.pk
    helga = make_account("helga", stilling, Role.Kind.HELPER)
    Role.objects.create(account=helga, club=union.clubs.get(name="Ørbæk"), kind=Role.Kind.ORGANISER)
    assert host_proposed(helga, copy=earlier.code) == union.clubs.get(name="Ørbæk").pk
