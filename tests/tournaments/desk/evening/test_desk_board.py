"""The board of a running round: what it says of each table, what comes first, and who may see it."""

from __future__ import annotations

from datetime import timedelta

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
from tournaments.desk.evening import board as desk_board
from tournaments.desk.evening.attention import ago, board_groups, board_lines, deals_behind
from tournaments.ledger import Author, raise_flag, settle_flag
from tournaments.ledger.tables import BoardRow, board
from tournaments.models import Flag, KeptReport, Round, Seat, Table, Tournament
from tournaments.rounds import close_round, end_table_early, revoke_link

pytestmark = pytest.mark.databases


def board_page(client, tournament, **headers):
    return client.get(reverse("desk_board", args=[tournament.code]), headers=headers)


def rows(reported, deals=None):
    """A board on which so many deals are reported."""
    return [
        BoardRow(Table(pk=number, number=number, deals=of), 0, count, count, [], 0, 0, 0)
        for number, (count, of) in enumerate(
            zip(reported, deals or [40] * len(reported), strict=True), start=1
        )
    ]


def groups(tournament):
    """Table numbers by the board's groups."""
    lines = board_lines(board(first_round(tournament)), timezone.now())
    return [(group.title, [line.row.table.number for line in group.lines]) for group in board_groups(lines)]


def test_a_stranger_is_asked_to_sign_in_and_another_account_is_refused(club, client, as_charlie):
    tournament = make_tournament(club=club)
    assert board_page(client, tournament).status_code == 302
    assert board_page(as_charlie, tournament).status_code == 403


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


def test_tables_that_need_the_organiser_come_first_and_those_that_are_done_last(club, alice):
    tournament = make_tournament(16, club=club)
    tables = tables_of(tournament)
    play_out(tables[0], agreed=True)
    for table in tables[1:]:
        report(table, 1)
    raise_flag(tables[2], Flag.Kind.CALL, deal=None, words="revoke?", now=timezone.now())
    assert groups(tournament) == [("Needs you", [3]), ("Playing", [2, 4]), ("Done", [1])]


def test_a_settled_call_no_longer_needs_the_organiser(club, alice):
    tournament = make_tournament(club=club)
    flag = raise_flag(first_table(tournament), Flag.Kind.LATER, deal=2, words="", now=timezone.now())
    settle_flag(flag, alice, now=timezone.now())
    assert groups(tournament) == [("Playing", [1, 2])]


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
    assert "1 late report waits" in page
    assert "Ended early: bus leaves" in page
    assert groups(tournament)[0] == ("Needs you", [1])


@pytest.mark.parametrize(
    ("reported", "slow"),
    [
        ([10, 10, 10, 10], []),
        ([10, 10, 10, 6], []),
        ([10, 10, 10, 5], [4]),
        ([20, 18, 2, 19], [3]),
    ],
)
def test_a_table_is_slow_when_it_is_five_deals_behind_the_middle_one(reported, slow):
    lines = board_lines(rows(reported), timezone.now())
    assert [line.row.table.number for line in lines if line.is_slow] == slow


def test_a_table_of_three_is_compared_by_the_share_of_its_own_deals():
    assert set(deals_behind(rows([20, 20, 15], deals=[40, 40, 30])).values()) == {0}


def test_nobody_is_slow_who_is_done_or_when_the_round_is_over():
    lines = board_lines(rows([40, 40, 3]), timezone.now(), Round(state=Round.State.CLOSED))
    assert [line.is_slow for line in lines] == [False, False, False]


@pytest.mark.parametrize("players", [8, 16])
def test_the_board_asks_the_database_as_often_for_four_tables_as_for_two(
    as_alice, club, django_assert_num_queries, players
):
    tournament = make_tournament(players, club=club)
    for table in tables_of(tournament):
        raise_flag(table, Flag.Kind.CALL, deal=None, words="", now=timezone.now())
    with django_assert_num_queries(22):
        board_page(as_alice, tournament)


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


def test_a_table_says_what_it_waits_for_in_the_order_of_what_is_urgent(club, alice):
    tournament = make_tournament(16, club=club, deals_per_round=4)
    now = timezone.now()
    calls, signs, done, plays = tables_of(tournament)
    play_out(calls)
    raise_flag(calls, Flag.Kind.LATER, deal=1, words="", now=now)
    raise_flag(calls, Flag.Kind.CALL, deal=None, words="", now=now)
    play_out(signs)
    play_out(done, agreed=True)
    report(plays, 1)
    Flag.objects.create(table=plays, kind=Flag.Kind.RARE, deal=1, raised_at=now)

    def states(now=now):
        return [line.state for line in board_lines(board(first_round(tournament)), now)]

    assert states() == ["calls", "signs", "done", "plays"]
    Flag.objects.filter(kind=Flag.Kind.CALL).update(kind=Flag.Kind.CONFLICT)
    assert states() == ["differs", "signs", "done", "plays"]
    Flag.objects.filter(kind=Flag.Kind.CONFLICT).delete()
    assert states() == ["signs", "signs", "done", "plays"]
    raise_flag(done, Flag.Kind.LATER, deal=1, words="", now=now)
    assert states() == ["signs", "signs", "later", "plays"]


def test_a_table_is_silent_after_a_quarter_of_an_hour_while_it_has_deals_to_play(club):
    tournament = make_tournament(8, club=club, deals_per_round=4)
    plays, done = tables_of(tournament)
    report(plays, 1)
    play_out(done)
    heard = Table.objects.get(pk=plays.pk).last_report_at

    def silent(minutes):
        now = heard + timedelta(minutes=minutes)
        return [line.silent for line in board_lines(board(first_round(tournament)), now)]

    assert (silent(15), silent(16)) == ([False, False], [True, False])


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
    assert "Something has changed meanwhile." in answer
    assert not Seat.objects.exclude(agreed_at=None).exists()
    asked = as_alice.get(address).context["asked"]
    for _press in range(2):
        as_alice.post(address, asked.sees)
    assert not Seat.objects.filter(agreed_at=None).exists()


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


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (timedelta(seconds=-3), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=2, minutes=5), "2 h 5 min ago"),
        (timedelta(days=1, hours=3), "1 day ago"),
        (timedelta(days=3), "3 days ago"),
    ],
)
def test_how_long_ago_is_said_in_words(passed, words):
    now = timezone.now()
    assert ago(now - passed, now) == words


def test_the_captains_link_is_shown_as_code_and_words_and_is_not_kept_by_the_browser(as_alice, club):
    tournament = make_tournament(club=club)
    table = first_table(tournament)
    answer = as_alice.get(reverse("desk_link", args=[tournament.code, 1, table.number]))
    page = answer.content.decode()
    assert table.code in page
    assert '<svg xmlns="http://www.w3.org/2000/svg"' in page or "<svg" in page
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
    assert "came by a link that had been replaced" in page
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
