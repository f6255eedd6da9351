"""The board of a running round: what it says of each table, what can be done there, and who may see it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Role
from tests.factories import (
    first_round,
    first_table,
    make_account,
    make_club,
    make_tournament,
    play_out,
    report,
    tables_of,
)
from tests.tournaments.desk.evening.test_attention import groups
from tournaments.desk.evening import board as desk_board
from tournaments.ledger import raise_flag
from tournaments.lifecycle.playing import close_round, end_table_early
from tournaments.models import Flag, KeptReport, Seat, Tournament


def board_page(client, tournament, **headers):
    return client.get(reverse("desk_board", args=[tournament.code]), headers=headers)


def test_a_stranger_is_asked_to_sign_in_and_another_account_is_refused(club, client, as_charlie):
    tournament = make_tournament(club=club)
    assert board_page(client, tournament).status_code == 302
    assert board_page(as_charlie, tournament).status_code == 403


@pytest.mark.parametrize(
    ("language", "said"), [("en", "“The cards are wrong”"), ("da", "”Der er noget galt med kortene”")]
)
def test_a_call_is_quoted_on_the_board_as_the_language_of_the_page_quotes(as_alice, club, language, said):
    tournament = make_tournament(club=club)
    raise_flag(first_table(tournament), Flag.Kind.CALL, deal=None, words="call_cards", now=timezone.now())
    page = as_alice.get(
        reverse("desk_board", args=[tournament.code]) + "?view=hall", headers={"accept-language": language}
    )
    assert f"<strong>{said}</strong>" in page.content.decode()


def test_a_helper_sees_the_board_with_what_an_evening_needs(club):
    tournament = make_tournament(club=club)
    helper = Client()
    helper.force_login(make_account("helga", club, Role.Kind.HELPER))
    page = board_page(helper, tournament).content.decode()
    assert "Table 1" in page
    assert reverse("desk_close_round", args=[tournament.code, 1]) in page
    assert reverse("tournament_setup", args=[tournament.code]) not in page


def test_htmx_gets_the_tables_without_the_page_around_them(as_alice, club):
    tournament = make_tournament(club=club)
    fragment = board_page(as_alice, tournament, HX_Request="true").content.decode()
    assert fragment.lstrip().startswith('<div id="board"')
    assert "<html" not in fragment


def test_before_the_draw_the_board_says_so(as_alice, club):
    tournament = make_tournament(club=club, drawn=False)
    assert "No round has been drawn yet." in board_page(as_alice, tournament).content.decode()


def test_a_drawn_round_offers_its_start(as_alice, club):
    tournament = make_tournament(club=club, started=False)
    page = board_page(as_alice, tournament).content.decode()
    assert reverse("desk_start_round", args=[tournament.code, 1]) in page


@pytest.mark.parametrize(
    ("drawn", "planned", "offered"),
    [
        (2, 2, "Start round 2"),
        (1, 2, "Draw the next round"),
        (1, 1, "Finish the tournament"),
    ],
)
def test_a_closed_round_leads_on_to_what_is_left(as_alice, club, alice, drawn, planned, offered):
    tournament = make_tournament(4, drawn, club=club)
    Tournament.objects.update(rounds_planned=planned)
    close_round(first_round(tournament), account=alice, now=timezone.now(), force_reason="the bell")
    board = board_page(as_alice, tournament).content.decode()
    ways_on = {"Start round 2", "Draw the next round", "Finish the tournament"}
    assert {way for way in ways_on if way in board} == {offered}


def test_a_line_tells_the_deals_the_last_report_and_the_confirmations(as_alice, club):
    tournament = make_tournament(4, club=club)
    table = first_table(tournament)
    report(table, 1)
    report(table, 3)
    page = board_page(as_alice, tournament).content.decode()
    assert "<span>2/40<" in page
    assert "just now" in page
    assert "1 deal skipped" in page
    listed = as_alice.get(reverse("desk_board", args=[tournament.code]), {"view": "list"}).content.decode()
    assert "2 of 40 deals" in listed
    assert "1 deal before the newest is missing" in listed


def test_settling_twice_from_the_board_is_settling_once_and_returns_to_the_board(as_alice, club, alice):
    tournament = make_tournament(club=club)
    table = first_table(tournament)
    flag = raise_flag(table, Flag.Kind.CALL, deal=None, words="who led?", now=timezone.now())
    url = reverse("desk_settle_flag", args=[tournament.code, 1, table.number, flag.pk])
    for _press in range(2):
        answer = as_alice.post(url, {"back": "board"})
        assert answer.headers["Location"] == reverse("desk_round", args=[tournament.code, 1])
    flag.refresh_from_db()
    assert flag.settled_by == "Alice"
    assert tournament.log.filter(text__contains="settled").count() == 1


def test_a_late_report_shows_at_its_table(as_alice, club, alice):
    tournament = make_tournament(club=club)
    table = first_table(tournament)
    end_table_early(table, reason="bus leaves", account=alice, now=timezone.now())
    report(table, 1)
    assert KeptReport.objects.count() == 1
    page = board_page(as_alice, tournament).content.decode()
    assert "1 late report waiting" in page
    assert "Ended early: bus leaves" in page
    assert groups(tournament)[0] == ("Needs you", [1])


@pytest.mark.databases
@pytest.mark.parametrize("players", [8, 16])
def test_the_board_asks_the_database_as_often_for_four_tables_as_for_two(
    as_alice, club, django_assert_num_queries, players
):
    tournament = make_tournament(players, club=club)
    for table in tables_of(tournament):
        raise_flag(table, Flag.Kind.CALL, deal=None, words="", now=timezone.now())
    with django_assert_num_queries(23):
        board_page(as_alice, tournament)


@pytest.mark.databases
def test_of_many_tables_a_part_is_shown_those_that_need_somebody_first_and_any_is_found(
    as_alice, club, monkeypatch
):
    tournament = make_tournament(16, club=club)
    raise_flag(tables_of(tournament)[3], Flag.Kind.CALL, deal=None, words="", now=timezone.now())
    monkeypatch.setattr(desk_board, "ON_A_PAGE", 3)
    address = reverse("desk_board", args=[tournament.code])

    def shown(**asked):
        found = as_alice.get(address, {"view": "list"} | asked).context["groups"]
        return [(group.count, [line.row.table.number for line in group.lines]) for group in found]

    assert shown() == [(1, [4]), (3, [1, 2])]
    assert shown(page=2) == [(3, [3])]
    name = tables_of(tournament)[2].seats.get(position=0).entry.player.name
    assert shown(q=name) == [(1, [3])]
    assert shown(q="nobody") == []
    assert shown(view="") == [(4, [1, 2, 3])]  # as the hall: a table never jumps because it calls
    assert shown(view="", page=2) == [(4, [4])]
    part = as_alice.get(address, {"page": 2}, headers={"HX-Request": "true"}).content.decode()
    assert f'hx-get="{address}?page=2"' in part


def test_all_have_signed_is_asked_once_and_holds_for_what_was_shown(as_alice, club, alice):
    tournament = make_tournament(8, club=club, deals_per_round=4)
    address = reverse("desk_all_signed", args=[tournament.code, 1])
    assert as_alice.get(address).status_code == 302  # nothing waits
    one, two = tables_of(tournament)
    play_out(one)
    asked = as_alice.get(address).context
    assert [note.split(":")[0] for note in asked["notes"]] == ["Table 1"]
    play_out(two)  # nobody has seen that sheet
    answer = as_alice.post(address, asked["asked"].sees, follow=True).content.decode()
    assert "Something has changed in the meantime." in answer
    assert not Seat.objects.exclude(agreed_at=None).exists()
    asked = as_alice.get(address).context["asked"]
    for _press in range(2):
        as_alice.post(address, asked.sees)
    assert not Seat.objects.filter(agreed_at=None).exists()


@pytest.mark.databases
def test_all_that_was_listed_is_settled_and_nothing_that_came_since(as_alice, club, alice):
    tournament = make_tournament(club=club)
    table = first_table(tournament)
    call = raise_flag(table, Flag.Kind.CALL, deal=None, words="who led?", now=timezone.now())
    mark = raise_flag(table, Flag.Kind.LATER, deal=1, words="", now=timezone.now())
    since = raise_flag(table, Flag.Kind.LATER, deal=2, words="", now=timezone.now())
    elsewhere = raise_flag(
        first_table(make_tournament(club=make_club("Skovby"))),
        Flag.Kind.CALL,
        deal=None,
        words="",
        now=timezone.now(),
    )
    sent = {"flag": [call.pk, mark.pk, elsewhere.pk, "x"]}
    for _press in range(2):
        as_alice.post(reverse("desk_settle_all", args=[tournament.code]), sent)
    assert set(Flag.objects.filter(settled_at=None)) == {since, elsewhere}
    assert tournament.log.filter(text__contains="settled").count() == 2


def test_names_are_shown_as_text_whatever_they_contain(as_alice, club):
    tournament = make_tournament(club=club)
    player = tournament.entries.get(number=1).player
    player.name = '<script>"🂡"</script>' + "x" * 150
    player.save()
    page = board_page(as_alice, tournament).content.decode()
    assert "&lt;script&gt;" in page
