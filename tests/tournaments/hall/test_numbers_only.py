"""A club that shows numbers only: nothing that everybody sees tells a name, nor the order of the names."""

from __future__ import annotations

import random
import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Membership, Player
from clubs.names import shown_order
from tests.config.test_who_may_open_what import ADDRESSES, EVERYBODY
from tests.factories import first_round, first_table, make_player, make_tournament, play_out
from tests.tournaments.lifecycle.test_pairs import make_pairs
from tournaments.changes.versions import announce
from tournaments.hall.seats import players_shown
from tournaments.lifecycle.playing import close_round
from tournaments.models import Award, Season
from tournaments.paper.page import Occasion
from tournaments.paper.seat_plans import name_pages, ways_of
from tournaments.seasons.ladder_table import awards_of, season_table

# What differs from one answer to the next and tells nothing of anybody.
PASSING = re.compile(rb'data-version="\d+"|\?v=\d+|"version": ?\d+|\b[A-Za-z0-9]{64}\b|DTSTAMP:\w+')
# Those of one's own browser, of a table's link, and what tells of the moment alone.
OTHERS = {"login", "logout", "password_own", "set_language", "health", "hall_version", "hall_time"}


@pytest.fixture
def secretive(club):
    club.name_style = Club.NameStyle.NUMBER
    club.save()
    return club


def evening(club, alice):
    """Two rounds of eight, the first of them closed with a tie for every place."""
    by = {"account": alice, "now": timezone.now()}
    season = Season.objects.create(host=club, name="Season", starts="2026-07-01", ends="2026-12-31")
    tournament = make_tournament(8, 2, club=club, account=alice, deals_per_round=4, season=season)
    for table in first_round(tournament).tables.select_related("round__tournament"):
        play_out(table, agreed=True)
    close_round(first_round(tournament), **by)
    tournament.refresh_from_db()
    return tournament


def evening_of_pairs(club, alice):
    return make_pairs(4, club, {"account": alice, "now": timezone.now()})


def everything_seen(tournament):
    """Name of the page -> what everybody sees of the tournament there."""
    cache.clear()
    ids = {"code": tournament.code, "slug": tournament.host.slug, "secret": first_table(tournament).secret}
    browser, seen = Client(), {}
    for name in EVERYBODY - OTHERS:
        if name.startswith("captain_") or name == "team_line_up":
            continue
        answer = browser.get(ADDRESSES[name].format(**ids))
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        seen[name] = PASSING.sub(b"", content)
    return seen


def rename(tournament, names):
    """Give the players these names, in the order of their numbers, as an organiser corrects them."""
    for entry, name in zip(tournament.entries.order_by("number"), names, strict=True):
        Player.objects.filter(pk=entry.player_id).update(name=name)
    announce(tournament.pk)
    tournament.refresh_from_db()


@pytest.mark.slow
@pytest.mark.parametrize("make", [evening, evening_of_pairs])
def test_whatever_the_players_are_called_everybody_sees_the_same(secretive, alice, undrawn, make):
    tournament = make(secretive, alice)
    names = [f"{letter}{letter.lower()}se {letter}holm" for letter in "ABCDEFGH"]
    rename(tournament, names)
    before = everything_seen(tournament)
    assert not [page for page, said in before.items() for name in names if name.encode() in said]
    for order in (names[::-1], names[3:] + names[:3]):
        rename(tournament, order)
        after = everything_seen(tournament)
        assert {page for page in before if before[page] != after[page]} == set()


def test_on_paper_players_stand_in_the_order_of_their_numbers(secretive, alice):
    tournament = evening(secretive, alice)
    rename(tournament, [f"{letter} Holm" for letter in "HGFEDCBA"])
    numbers = [str(number) for number in range(1, 9)]
    assert [player.name for player in players_shown(tournament, [])] == numbers
    assert [way.name for way in ways_of(tournament)] == numbers
    round_ = first_round(tournament)
    (page,) = name_pages(round_, Occasion(round_, timezone.now()))
    assert [line[0] for column in page.context["columns"] for line in column] == numbers


def test_names_stand_in_the_danish_order_behind_those_who_are_numbers():
    names = ["Åse", "12", "Aage", "Ærtholm", "Bo", "Ørsted", "9", "anna"]
    assert sorted(names, key=shown_order) == ["9", "12", "anna", "Bo", "Ærtholm", "Ørsted", "Aage", "Åse"]


@pytest.mark.parametrize(("style", "in_order"), [("number", False), ("full", True)])
def test_who_is_entered_by_a_tick_has_a_number_by_lot_where_numbers_stand_for_names(
    club, as_alice, style, in_order, monkeypatch
):
    Club.objects.filter(pk=club.pk).update(name_style=style)
    monkeypatch.setattr(random.SystemRandom, "sample", lambda _self, members, **_all: members[::-1])
    tournament = make_tournament(0, club=club)
    members = [make_player(f"{letter} Holm", club).memberships.get().pk for letter in "CABD"]
    as_alice.post(reverse("desk_add_members", args=[tournament.code]), {"member": members})
    entered = list(tournament.entries.order_by("number").values_list("player__name", flat=True))
    names = ["A Holm", "B Holm", "C Holm", "D Holm"]
    assert entered == (names if in_order else names[::-1])


def test_an_award_of_somebody_who_never_played_shows_a_number_or_nothing(secretive):
    season = Season.objects.create(host=secretive, name="Season", starts="2026-07-01", ends="2026-12-31")
    for name, number in (("Anna Holm", 7), ("Bo Friis", None)):
        player = make_player(name, secretive, number)
        Award.objects.create(season=season, player=player, title="Jokum")
    assert Membership.objects.count() == 2
    assert [shown for _award, shown in awards_of(season, season_table(season).names)] == ["7", "–"]
