"""What stands above every page of a tournament's desk: where the evening is, what waits, the next step."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Role
from tests.factories import (
    first_round,
    first_table,
    make_account,
    make_tournament,
    play_out,
    report,
)
from tournaments.desk.evening.navigation import Now, Steps
from tournaments.desk.evening.readiness import Needs, SheetAt
from tournaments.entries.teams import put_together
from tournaments.ledger.queries import board
from tournaments.ledger.table_actions import raise_flag
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Flag, Round, Table, Tournament

pytestmark = pytest.mark.django_db
MOMENT = timezone.now()
PAGES = "desk_tournament tournament_setup desk_entries desk_check_in desk_draw desk_print desk_money".split()


def page(browser, name: str, tournament: Tournament, *args: int) -> str:
    return browser.get(reverse(name, args=[tournament.code, *args])).content.decode()


def now(tournament: Tournament, at: str = "", *, organises: bool = True) -> Now:
    return Now(Tournament.objects.get(pk=tournament.pk), at, organises=organises)


def button(text: str) -> str:
    """The one step that the strip offers; "" for none."""
    found = re.search(r'<a class="button step( primary)?"[^>]*>([^<]*)</a>', text)
    return found[2] if found else ""


@pytest.mark.parametrize("name", PAGES)
def test_every_page_says_where_the_evening_is_and_what_waits(as_alice, club, name):
    tournament = make_tournament(8, 2, club=club, deals_per_round=4)
    table = first_table(tournament)
    report(table, 1)
    raise_flag(table, Flag.Kind.CALL, deal=None, words="", now=timezone.now())
    text = page(as_alice, name, tournament)
    assert "<title>(1) " in text
    assert "<strong>Round 1 of 2</strong> · 0 of 2 tables done · 1 of 8 deals" in text
    assert text.count('<span class="n">1</span> needs you') == 1
    assert reverse("desk_standings", args=[tournament.code]) in text
    assert reverse("projector", args=[tournament.code]) in text


@pytest.mark.parametrize("fields", [{}, {"format": "pairs", "drawn": False}])
def test_the_standings_stand_below_what_waits_for_the_desk(as_alice, as_helper, club, by_alice, fields):
    tournament = make_tournament(8, club=club, started=False, deals_per_round=4, **fields)
    if fields:
        put_together(tournament, **by_alice)
        draw(tournament, seed=1, **by_alice)
    assert "No round has started" in page(as_alice, "desk_standings", tournament)
    start_round(first_round(tournament), **by_alice)
    table = first_table(tournament)
    report(table, 1)
    raise_flag(table, Flag.Kind.CALL, deal=None, words="", now=timezone.now())
    text = page(as_helper, "desk_standings", tournament)
    assert "<title>(1) Standings" in text
    assert text.count('<th scope="row" class="name">') == (4 if fields else 8)


def test_calls_differences_marks_and_lacking_signatures_wait_and_rare_deals_do_not(club):
    tournament = make_tournament(8, club=club, deals_per_round=4)
    one, two = Table.objects.order_by("number")
    for kind in (Flag.Kind.CALL, Flag.Kind.LATER):
        raise_flag(one, kind, deal=1, words="", now=timezone.now())
    for kind in (Flag.Kind.CONFLICT, Flag.Kind.RARE):
        Flag.objects.create(table=one, kind=kind, deal=1, raised_at=timezone.now())
    assert now(tournament).needs.count == 3
    play_out(two)
    needs = Needs(tournament, board(two.round))
    assert [row.table for row in needs.unsigned] == [two]
    assert [flag.kind for flag, _names in needs.flags_with_names] == ["call", "conflict", "later"]
    assert needs.count == now(tournament).needs.count == 4
    two.seats.update(agreed_at=timezone.now())
    assert now(tournament).needs.count == 3


def test_a_read_sheet_waits_until_it_is_taken_in_while_its_table_is_open(club, as_helper):
    tournament = make_tournament(8, club=club, deals_per_round=4)
    table = first_table(tournament)
    for state in ("read", "read", "waiting", "aside"):
        table.sheet_pictures.create(
            tournament=tournament, file=f"{state}{table.sheet_pictures.count()}", state=state, sent_at=MOMENT
        )
    # Two pictures of a table are one thing to do.
    needs = now(tournament).needs
    assert (needs.count, needs.more, needs.sheets) == (1, 0, [SheetAt(1, 1, MOMENT)])
    assert reverse("desk_paper_table", args=[tournament.code, 1, 1]) in page(
        as_helper, "desk_board", tournament
    )
    for fields in ({"state": Round.State.CLOSED}, {"state": Round.State.RUNNING}):
        Round.objects.update(**fields)
        assert now(tournament).needs.count == int(fields["state"] == Round.State.RUNNING)
    table.sheet_pictures.update(taken_at=MOMENT)
    assert now(tournament).needs.count == 0


def test_the_newest_open_call_is_told_so_that_it_is_heard_once(club):
    tournament = make_tournament(8, club=club)
    assert now(tournament).needs.newest_call == 0
    first, second = (
        raise_flag(table, Flag.Kind.CALL, deal=None, words="", now=timezone.now())
        for table in Table.objects.order_by("number")
    )
    raise_flag(first.table, Flag.Kind.LATER, deal=1, words="", now=timezone.now())
    assert now(tournament).needs.newest_call == second.pk


def test_a_waiting_page_is_told_what_is_new(as_alice, club):
    tournament = make_tournament(8, club=club)
    address = reverse("desk_now", args=[tournament.code])
    version = Tournament.objects.get().version
    raise_flag(first_table(tournament), Flag.Kind.CALL, deal=None, words="", now=timezone.now())
    at = {"at": reverse("desk_log", args=[tournament.code])}
    assert as_alice.get(address, at).headers["Location"] == reverse("desk_tournament", args=[tournament.code])
    answer = as_alice.get(address, at, headers={"HX-Request": "true"}).content.decode()
    assert 'data-needs="1"' in answer
    assert f'data-version="{version + 1}"' in answer
    assert '<span id="nav-needs" hx-swap-oob="true"><span class="n wait">1</span>' in answer
    assert button(answer) == "Follow the tables"


def test_the_next_step_is_one_button(as_alice, club, by_alice):
    tournament = make_tournament(0, 1, club=club, drawn=False, deals_per_round=4)
    assert button(page(as_alice, "desk_log", tournament)) == "Enter players"
    tournament = make_tournament(8, 1, club=club, deals_per_round=4)
    assert button(page(as_alice, "desk_log", tournament)) == "Follow the tables"
    for table in tournament.rounds.get().tables.all():
        play_out(table, agreed=True)
    assert button(page(as_alice, "desk_log", tournament)) == "Close round 1"
    close_round(first_round(tournament), **by_alice)
    assert button(page(as_alice, "desk_log", tournament)) == "Finish the tournament"


def test_where_its_page_is_open_the_step_beside_it_is_offered(as_alice, club):
    tournament = make_tournament(8, club=club, started=False)
    text = page(as_alice, "desk_start_round", tournament, 1)
    assert 'class="button step" href=' in text  # outlined
    assert button(text) == "Print the sheets"


def test_a_round_is_closed_by_a_button_once_all_its_tables_are_done_and_before_by_a_quiet_link(
    as_alice, club
):
    tournament = make_tournament(8, club=club, deals_per_round=4)
    boards = (("desk_board", ()), ("desk_round", (1,)))
    for name, args in boards:
        text = page(as_alice, name, tournament, *args)
        assert (button(text), 'id="close-early"' in text) == ("", True)
    for table in tournament.rounds.get().tables.all():
        play_out(table, agreed=True)
    for name, args in boards:
        text = page(as_alice, name, tournament, *args)
        assert (button(text), 'id="close-early"' in text) == ("Close round 1", False)
        assert 'class="button step primary"' in text


def test_a_helper_is_offered_what_a_helper_may(club, by_alice):
    make_account("hanne", club, Role.Kind.HELPER)
    tournament = make_tournament(8, 1, club=club, deals_per_round=4)
    assert now(tournament, organises=False).step.key == "round-1"
    for table in tournament.rounds.get().tables.all():
        play_out(table, agreed=True)
    close_round(first_round(tournament), **by_alice)
    assert now(tournament).step.key == "finish"
    assert now(tournament, organises=False).step is None


def test_the_next_step_is_the_same_whether_all_are_listed_or_not(club):
    tournament = make_tournament(8, 3, club=club)
    steps = Steps(tournament)
    assert [step for step in steps if step.is_next] == [steps.next]


@pytest.mark.parametrize("over", [{"state": Tournament.State.FINISHED}, {"called_off_at": timezone.now()}])
def test_what_was_open_when_a_tournament_ended_waits_for_nobody(club, over):
    tournament = make_tournament(8, club=club, deals_per_round=4)
    for kind in (Flag.Kind.CALL, Flag.Kind.CONFLICT, Flag.Kind.LATER):
        Flag.objects.create(table=first_table(tournament), kind=kind, raised_at=timezone.now())
    assert now(tournament).needs.count == 3
    Tournament.objects.filter(pk=tournament.pk).update(**over)
    needs = now(tournament).needs
    assert (needs.count, needs.flags_with_names, needs.newest_call) == (0, [], 0)
