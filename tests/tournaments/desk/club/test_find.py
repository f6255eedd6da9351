"""Ctrl-K: players, tables, evenings and pages are found by what is typed, and only what the visitor may open."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Role
from tests.factories import first_table, make_account, make_club, make_player, make_tournament
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def found(browser: Client, query: str, tournament: Tournament | None = None) -> list[tuple[str, str, str]]:
    """Kind, name and page of all that is found."""
    asked = {"q": query} | ({"t": tournament.code} if tournament else {})
    listed = browser.get(reverse("desk_find"), asked).context["found"]
    return [(one.kind, one.name, one.url) for one in listed]


def names(browser: Client, query: str, tournament: Tournament | None = None) -> list[str]:
    return [name for _kind, name, _url in found(browser, query, tournament)]


def test_a_number_is_a_table_of_the_round_and_a_player(as_alice, club):
    tournament = make_tournament(8, club=club)
    page = reverse("desk_table", args=[tournament.code, 1, 2])
    assert found(as_alice, "2", tournament)[0] == ("Table", "Table 2", page)
    kinds = [kind for kind, _name, _url in found(as_alice, "2", tournament)]
    assert kinds == ["Table", "Player"]
    assert [kind for kind, _name, _url in found(as_alice, "7", tournament)] == ["Player"]
    assert found(as_alice, "2") == []  # of no evening


def test_a_player_is_found_with_the_seat(as_alice, club):
    tournament = make_tournament(8, club=club)
    seat = first_table(tournament).seats.get(position=1)
    listed = as_alice.get(reverse("desk_find"), {"q": seat.entry.player.name, "t": tournament.code}).context[
        "found"
    ]
    assert (listed[0].kind, listed[0].said) == ("Player", f"Table 1, seat {seat.letter}")
    assert as_alice.get(listed[0].url).status_code == 200


@pytest.mark.parametrize(
    ("query", "page"),
    [("check", "desk_check_in"), ("STAND", "desk_standings"), ("set-up", "tournament_setup")],
)
def test_a_page_is_found_by_a_part_of_its_name(as_alice, club, query, page):
    tournament = make_tournament(4, club=club)
    pages = [url for kind, _name, url in found(as_alice, query, tournament) if kind == "Page"]
    assert pages == [reverse(page, args=[tournament.code])]


def test_an_evening_and_a_member_are_found_from_anywhere(as_alice, club):
    make_tournament(4, club=club, name="Øens cup")
    make_player("Åse Ærø", club, 77)
    assert names(as_alice, "øens") == ["Øens cup"]
    assert names(as_alice, "ase ær") == ["Åse Ærø"]
    assert names(as_alice, "e") == ["Desk", "Øens cup"]  # one letter finds no member


def test_who_has_left_is_found_after_the_members(as_alice, club):
    make_player("Åse Ærø", club, 77).memberships.update(left=date(2025, 5, 1))
    member = make_player("Åse Ærøby", club, 78).memberships.get()
    gone = club.memberships.exclude(pk=member.pk).get()
    assert found(as_alice, "ase ær") == [
        ("Member", "Åse Ærøby", reverse("member", args=[club.slug, member.pk])),
        ("Member until 1 May 2025", "Åse Ærø", reverse("member", args=[club.slug, gone.pk])),
    ]


def test_nothing_is_found_that_one_may_not_open(club, alice):
    tournament = make_tournament(4, club=club, name="Øens cup")
    make_player("Åse Ærø", club, 77)
    stranger, helper = Client(), Client()
    stranger.force_login(make_account("eva", make_club("Viby")))
    helper.force_login(make_account("helga", club, Role.Kind.HELPER))
    for query in ("øens", "ase", "1", "check"):
        assert names(stranger, query, tournament) == []
    assert names(helper, "set-up", tournament) == []
    for query in ("1", "ase", "check", "øens", "a", "e", "in"):
        for _kind, _name, url in found(helper, query, tournament):
            assert helper.get(url).status_code == 200, url


def test_finding_asks_no_more_often_of_many_than_of_few(as_alice, club, django_assert_num_queries):
    tournament = make_tournament(4, club=club)
    make_player("Anna Holm", club, 501)
    with django_assert_num_queries(COST):
        found(as_alice, "ann", tournament)
    for number in range(20):
        make_player(f"Anna {number}", club, 600 + number)
    with django_assert_num_queries(COST - 1):  # the list is full: nobody asks who has left
        listed = found(as_alice, "ann", tournament)
    assert len([kind for kind, _name, _url in listed if kind == "Member"]) == 8


COST = 14  # of the page, with who asks, what they may, and what they are an official of


@pytest.mark.parametrize("query", ["", " ", "x" * 500, "<b>", "%", "\u0000", "9" * 40])
def test_whatever_is_typed_is_answered(as_alice, club, query):
    make_tournament(4, club=club)
    answer = as_alice.get(reverse("desk_find"), {"q": query, "t": "NOSUCH"})
    assert answer.status_code == 200
    assert "<b>" not in answer.content.decode()
