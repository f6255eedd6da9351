"""The demo's formats: each of them is there to look at, and adds up."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest
from django.core.management import call_command
from django.urls import reverse

from clubs.models import AffiliationOffer, Club, MainClub
from tests.factories import affiliate, make_account
from tournaments import demo
from tournaments.demo import crocodile, holdturnering, on_boards, pokal
from tournaments.demo.play import CLUBS, POSITIONS, UNION, members_of
from tournaments.exports.verify.recount import differences
from tournaments.models import (
    Championship,
    ErasureProposal,
    MatchConfirmation,
    PlayerMerge,
    Postponement,
    Tournament,
)
from tournaments.seasons.championships import tables_of
from tournaments.seasons.year import clashes_in, dates_of, neighbour_clashes, people_twice

NOW = datetime(2026, 11, 22, 19, 0, tzinfo=UTC)


@pytest.fixture
def union(db):
    return Club.objects.create(name=UNION[0], slug=UNION[1], neighbours_km=50)


@pytest.fixture
def members(union):
    clubs = [
        Club.objects.create(name=name, slug=slug, position=POSITIONS[slug]) for name, slug, _town in CLUBS
    ]
    for club in clubs:
        affiliate(club, union)
    return members_of(clubs, Random(1))


@pytest.mark.slow
def test_the_demo_shows_a_team_season_a_championship_and_a_crocodile_session(client, union, members):
    account = make_account("alice", union)
    holdturnering(members, union, account, NOW)
    pokal(members[20:36], union, account, NOW)
    crocodile(members[2::6], union, account, NOW)
    season = Tournament.objects.get(format="teams")
    assert [round_.state for round_ in season.rounds.order_by("number")] == ["closed"] * 3 + ["drawn"] * 3
    assert {team.club for team in season.teams.all()} == {club for _player, club in members}
    assert [(one.state, one.about) for one in season.objections.all()] == [
        ("rejected", "line_up"), ("open", "deal"),
    ]  # fmt: skip
    assert list(Postponement.objects.values_list("state", flat=True)) == ["open"]
    assert (
        MatchConfirmation.objects.filter(match__round__number=3, match__ended_at__isnull=False).count() == 4
    )
    assert (season.up_limit, season.alike_journeys) == (2, True)
    held = Tournament.objects.filter(held_by__isnull=False)
    assert [one.held_by.slug for one in held] == ["braedstrup"] * 2
    groups, final = tables_of(Championship.objects.get())
    assert groups.is_over
    assert [group.entered for group in final.groups] == [4]
    assert all(
        table.seats.count() == 3
        for table in Tournament.objects.get(rulebook="crocodile").rounds.get(number=1).tables.all()
    )
    for tournament in Tournament.objects.all():
        assert not list(differences(tournament))
        assert client.get(reverse("standings", args=[tournament.code])).status_code == 200


def test_the_demo_has_something_of_each_kind_in_the_register_and_in_what_clashes(union, members):
    account, clubs = make_account("alice", union), list(Club.objects.exclude(pk=union.pk).order_by("pk"))
    demo._memberships_of_years(union, clubs, account, NOW)
    demo._being_set_up(members, clubs[1], account, NOW)
    demo._what_clashes(members, clubs[2], account, NOW)
    assert [one.undone_at for one in PlayerMerge.objects.filter(desk=union)] == [None]
    assert [one.club for one in MainClub.objects.all()] == [clubs[1]]
    assert [one.player.name for one in ErasureProposal.objects.select_related("player")] == ["Holger Ravn"]
    assert [one.club for one in AffiliationOffer.objects.all()] == [clubs[0]]
    dates = dates_of(union, NOW.year)
    assert [one.text for one in clashes_in(dates)] == ["Boxing Day (DK SE NO): Anden juledag"]
    (near,) = neighbour_clashes(union, NOW.year, dates)
    assert near.text == (
        "Brædstrup Kortlaug and L'Hombreklubben Sømærke are neighbours (38 km) and play on the same day: "
        "Juleturnering, Begynderaften"
    )
    assert {one.text.partition(" is ")[2] for one in people_twice(dates)} == {
        "entered in several on the same day: Juleturnering, Begynderaften"
    }


@pytest.mark.slow
def test_verify_finds_nothing_done_by_hand_in_what_the_demo_deals_and_sets_up(union, members):
    account = make_account("alice", union)
    on_boards(members, union, account, NOW)
    demo._being_set_up(members, union, account, NOW)
    call_command("verify", "--all")
