"""A tournament's life, step by step, and what is refused on the way."""

from __future__ import annotations

import pytest

from core.errors import NotPossible
from scoring import ENGINE_VERSION
from tests.factories import first_round, first_table, make_tournament, play_out
from tournaments.entries import entering
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import finish, reopen_tournament
from tournaments.lifecycle.playing import close_round, end_table_early, reopen_round, revoke_link, start_round
from tournaments.lifecycle.seat_changes import swap
from tournaments.models import Entry, LogEntry, RevokedSecret, Seat, Table


def seated(tournament):
    return [
        [list(table.seats.values_list("entry__number", flat=True)) for table in round_.tables.all()]
        for round_ in tournament.rounds.all()
    ]


def test_a_draw_seats_everybody_who_is_checked_in_once_a_round(by_alice, club):
    tournament = make_tournament(11, 3, club=club, started=False)
    assert [len(round_) for round_ in seated(tournament)] == [3, 3, 3]
    for round_ in seated(tournament):
        assert sorted(number for table in round_ for number in table) == list(range(1, 12))
        assert sorted(len(table) for table in round_) == [3, 4, 4]


def test_a_table_of_three_plays_its_own_number_of_deals(by_alice, club):
    tournament = make_tournament(7, club=club, started=False)
    assert sorted(Table.objects.values_list("deals", flat=True)) == [30, 40]
    assert tournament.deals_for(3) == 30


def test_the_same_seed_gives_the_same_seats(by_alice, club):
    tournament = make_tournament(12, 3, club=club, started=False)
    before = seated(tournament)
    draw(tournament, seed=99, **by_alice)
    assert seated(tournament) != before
    draw(tournament, seed=7, **by_alice)
    assert seated(tournament) == before


def test_round_by_round_draws_the_next_round_only(by_alice, club):
    tournament = make_tournament(8, 3, club=club, draw_mode="by_round")
    assert tournament.rounds.count() == 1
    close_round(first_round(tournament), force_reason="short evening", **by_alice)
    draw(tournament, seed=8, **by_alice)
    assert tournament.rounds.count() == 2


@pytest.mark.parametrize("players", [0, 1, 2, 5])
def test_too_few_players_for_tables_of_three_and_four_is_told(by_alice, club, players):
    tournament = make_tournament(players, club=club, drawn=False)
    with pytest.raises(NotPossible):
        draw(tournament, seed=1, **by_alice)
    assert tournament.rounds.count() == 0


@pytest.mark.databases
@pytest.mark.slow
def test_a_late_player_and_a_withdrawal_change_only_rounds_not_started(by_alice, club):
    tournament = make_tournament(8, 2, club=club)
    first = seated(tournament)[0]
    gone = tournament.entries.get(number=3)
    entering.withdraw(gone, reason="ill", **by_alice)
    late = entering.enter_guest(tournament, "  Late   Guest ", **by_alice)
    entering.check_in(late, present=True, **by_alice)
    draw(tournament, seed=5, **by_alice)
    again, second = seated(tournament)
    assert again == first
    assert sorted(number for table in second for number in table) == [1, 2, 4, 5, 6, 7, 8, 9]
    assert late.player.name == "Late Guest"


def test_the_rules_are_frozen_when_the_first_round_starts(by_alice, club):
    tournament = make_tournament(4, club=club, started=False)
    assert not tournament.rules_frozen
    start_round(first_round(tournament), **by_alice)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.rules_version) == ("running", ENGINE_VERSION)
    assert tournament.options["idle_settles"] is False


@pytest.mark.databases
def test_a_round_is_started_once(by_alice, club):
    tournament = make_tournament(4, club=club)
    with pytest.raises(NotPossible, match="already been started"):
        start_round(first_round(tournament), **by_alice)


def test_a_round_waits_for_the_one_before_it(by_alice, club):
    tournament = make_tournament(4, 2, club=club)
    with pytest.raises(NotPossible, match="Close round 1 first"):
        start_round(tournament.rounds.get(number=2), **by_alice)


def test_a_round_with_a_withdrawn_player_is_drawn_again_before_it_starts(by_alice, club):
    tournament = make_tournament(4, club=club, started=False)
    entering.withdraw(tournament.entries.get(number=1), reason="ill", **by_alice)
    with pytest.raises(NotPossible, match="Anna Holm is seated but no longer checked in"):
        start_round(first_round(tournament), **by_alice)


@pytest.mark.databases
def test_a_round_closes_when_every_sheet_is_complete_and_confirmed(by_alice, club):
    tournament = make_tournament(4, club=club)
    round_, table = first_round(tournament), first_table(tournament)
    with pytest.raises(NotPossible, match="table 1: 0 of 40 deals reported") as caught:
        close_round(round_, **by_alice)
    assert caught.value.field == "force_reason"
    play_out(table)
    with pytest.raises(NotPossible, match="not confirmed by 4 players"):
        close_round(round_, **by_alice)
    table.seats.update(agreed_at=by_alice["now"])
    assert close_round(round_, **by_alice).is_closed
    with pytest.raises(NotPossible, match="already been closed"):
        close_round(round_, **by_alice)


def test_a_table_ended_early_does_not_keep_a_round_open(by_alice, club):
    tournament = make_tournament(4, club=club)
    end_table_early(first_table(tournament), reason="the bell rang", **by_alice)
    assert close_round(first_round(tournament), **by_alice).is_closed


def test_a_round_is_reopened_with_a_reason(by_alice, club):
    tournament = make_tournament(4, club=club)
    round_ = close_round(first_round(tournament), force_reason="late", **by_alice)
    with pytest.raises(NotPossible) as caught:
        reopen_round(round_, reason="  ", **by_alice)
    assert caught.value.field == "reason"
    assert reopen_round(round_, reason="table 1 miscounted", **by_alice).is_running
    assert "Reopened round 1: table 1 miscounted" in [str(line) for line in LogEntry.objects.all()]


def test_a_finished_tournament_changes_nothing_until_it_is_reopened(by_alice, club):
    tournament = make_tournament(4, club=club)
    with pytest.raises(NotPossible):
        finish(tournament, **by_alice)
    round_ = close_round(first_round(tournament), force_reason="late", **by_alice)
    finish(tournament, **by_alice)
    for step in (
        lambda: finish(tournament, **by_alice),
        lambda: draw(tournament, seed=1, **by_alice),
        lambda: reopen_round(round_, reason="why not", **by_alice),
        lambda: entering.enter_guest(tournament, "Late", **by_alice),
    ):
        with pytest.raises(NotPossible):
            step()
    assert reopen_tournament(tournament, reason="a late sheet", **by_alice).is_running


def test_two_players_change_seats(by_alice, club):
    tournament = make_tournament(8, club=club, started=False)
    round_ = first_round(tournament)
    one, other = Seat.objects.get(table__number=1, position=0), Seat.objects.get(table__number=2, position=3)
    swap(round_, one, other, **by_alice)
    swapped = (
        Seat.objects.filter(table__number=1, position=0).get(),
        Seat.objects.get(table__number=2, position=3),
    )
    assert [seat.entry_id for seat in swapped] == [other.entry_id, one.entry_id]
    with pytest.raises(NotPossible, match="changed in the meantime"):
        swap(round_, one, other, **by_alice)


def test_a_new_link_leaves_the_old_one_dead(by_alice, club):
    table = first_table(make_tournament(4, club=club))
    renewed = revoke_link(table, **by_alice)
    assert renewed.secret != table.secret
    assert RevokedSecret.objects.get().secret == table.secret


@pytest.mark.databases
def test_entering_twice_is_entering_once(by_alice, club):
    tournament = make_tournament(4, club=club, drawn=False)
    entry = tournament.entries.get(number=2)
    assert entering.enter(tournament, entry.player, club=club, **by_alice) == entry
    assert Entry.objects.count() == 4


@pytest.mark.parametrize(("name", "says"), [("", "Type the guest’s name"), ("x" * 201, "200 characters")])
def test_a_guest_needs_a_name_that_can_be_stored(by_alice, club, name, says):
    tournament = make_tournament(0, club=club)
    with pytest.raises(NotPossible, match=says):
        entering.enter_guest(tournament, name, **by_alice)


def test_every_step_is_in_the_log(by_alice, club):
    tournament = make_tournament(4, club=club)
    assert [str(line) for line in tournament.log.all()[:2]] == [
        "Started round 1",
        "Drew 1 round for 4 players with seed 7",
    ]


@pytest.mark.parametrize(
    ("complete", "missing"),
    [
        ([], "while deals were missing at table 1, 2"),
        ([1, 2], "before every player had agreed to the sheet of table 1, 2"),
        (
            [2],
            "while deals were missing at table 1, and before every player had agreed to the sheet of table 2",
        ),
    ],
    ids=["deals", "the players' yes", "both"],
)
def test_the_log_says_what_was_missing_when_a_round_was_closed(by_alice, club, complete, missing):
    tournament = make_tournament(8, club=club, deals_per_round=4)
    for table in first_round(tournament).tables.filter(number__in=complete):
        play_out(table)
    close_round(first_round(tournament), force_reason="the bell", **by_alice)
    assert tournament.log.first().words == f"Closed round 1 {missing}: the bell"
