"""A captain's link shown and replaced, and what two phones, or a phone and the desk, say differently."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_table, make_tournament, report
from tests.tournaments.desk.evening.test_attention import groups
from tournaments.ledger import Author
from tournaments.lifecycle.playing import revoke_link
from tournaments.models import Flag, Table

pytestmark = pytest.mark.databases


def board_page(client, tournament, **headers):
    return client.get(reverse("desk_board", args=[tournament.code]), headers=headers)


def test_the_captains_link_is_shown_as_code_and_words_and_is_not_kept_by_the_browser(as_alice, club):
    tournament = make_tournament(club=club)
    table = first_table(tournament)
    answer = as_alice.get(reverse("desk_link", args=[tournament.code, 1, table.number]))
    page = answer.content.decode()
    assert table.code in page
    assert page.count('class="qr"') == 1
    assert "style=" not in page
    assert "no-store" in answer.headers["Cache-Control"]


def test_replacing_a_link_twice_with_one_page_replaces_it_once(as_alice, club):
    tournament = make_tournament(club=club)
    table = first_table(tournament)
    url = reverse("desk_revoke_link", args=[tournament.code, 1, table.number])
    for _press in range(2):
        assert as_alice.post(url, {"code": table.code}).status_code == 302
    assert table.revoked_secrets.count() == 1
    assert Table.objects.get(pk=table.pk).code != table.code


def test_a_report_by_a_replaced_link_waits_on_the_late_page(as_alice, club, alice, client):
    tournament = make_tournament(club=club)
    table = first_table(tournament)
    secret = table.secret
    revoke_link(table, account=alice, now=timezone.now())
    item = {"key": "0" * 31 + "1", "deal": 1, "base": 0, "result": {"all_passed": True}}
    url = reverse("captain_reports", args=[secret])
    assert client.post(url, {"reports": [item]}, content_type="application/json").status_code == 410
    page = as_alice.get(reverse("desk_late", args=[tournament.code])).content.decode()
    assert "arrived through a link that had been replaced" in page
    assert "all passed" in page


GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}


def test_two_phones_that_differ_show_on_the_board_until_a_new_version_is_agreed_on(as_alice, club):
    tournament = make_tournament(club=club)
    table = first_table(tournament)
    report(table, 1, GAME)
    for _sent in range(2):
        assert report(table, 1, GAME | {"outcome": "bete"}).status == "conflict"
    flag = Flag.objects.get()
    assert (flag.kind, flag.deal) == (Flag.Kind.CONFLICT, 1)
    page = board_page(as_alice, tournament).content.decode()
    assert "Another phone differs" in page
    assert "Game in hearts, bête" in page
    assert groups(tournament)[0] == ("Needs you", [1])

    answer = report(table, 1, GAME | {"outcome": "bete"}, base=1, reason="counted again")
    assert answer.status == "accepted"
    assert groups(tournament) == [("Playing", [1, 2])]


def test_a_conflict_that_the_desk_meets_is_told_to_the_desk_only(club, alice):
    tournament = make_tournament(club=club)
    table = first_table(tournament)
    report(table, 1, GAME)
    assert report(table, 1, author=Author("desk", alice)).status == "conflict"
    assert not Flag.objects.exists()
