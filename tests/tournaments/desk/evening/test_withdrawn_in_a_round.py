"""Who withdraws in the middle of a round leaves an empty chair, and the desk says so until somebody sees to it."""

from __future__ import annotations

from django.urls import reverse

from tests.factories import first_table, make_tournament, newcomer, play_out
from tests.pages import text
from tournaments.entries import entering
from tournaments.lifecycle.playing import end_table_early, resume_table
from tournaments.lifecycle.seat_changes import play_on_for


def page(name, tournament, *which):
    return reverse(name, args=[tournament.code, *which])


def withdraw(client, tournament, entry):
    return client.post(page("desk_withdraw", tournament, entry.number), {"reason": "ill"}, follow=True)


def board(client, tournament):
    return text(client.get(page("desk_board", tournament)))


def test_the_empty_chair_is_told_at_once_and_waits_on_the_board_for_a_substitute(as_alice, club, by_alice):
    tournament = make_tournament(8, 1, club=club)
    table = first_table(tournament)
    gone = table.seats.first().entry
    assert "Nothing is waiting" in board(as_alice, tournament)
    said = text(withdraw(as_alice, tournament, gone))
    assert (
        f"The chair at table {table.number} is empty: find someone to take over there, or end the table."
        in said
    )
    shown = board(as_alice, tournament)
    assert "Nothing is waiting" not in shown
    assert f"Withdrawn with deals still to play: {gone.shown_name}." in shown
    assert page("desk_play_on", tournament, 1, table.number) in shown
    play_on_for(table, 0, newcomer(tournament, by_alice), deal=1, leaves=False, reason="ill", **by_alice)
    assert "Nothing is waiting" in board(as_alice, tournament)


def test_it_waits_no_longer_once_the_table_is_played_out_or_ended_or_they_are_back(as_alice, club, by_alice):
    tournament = make_tournament(8, 1, club=club)
    one, other = tournament.rounds.get().tables.select_related("round__tournament")
    gone = [table.seats.first().entry for table in (one, other)]
    for entry in gone:
        withdraw(as_alice, tournament, entry)
    play_out(one, agreed=True)
    assert gone[0].shown_name not in board(as_alice, tournament).split("needs-list")[1].split("</ol>")[0]
    end_table_early(other, reason="one too few", **by_alice)
    assert "Nothing is waiting" in board(as_alice, tournament)
    resume_table(other, **by_alice)
    assert "Nothing is waiting" not in board(as_alice, tournament)
    entering.bring_back(gone[1], **by_alice)
    assert "Nothing is waiting" in board(as_alice, tournament)


def test_who_has_no_seat_in_the_running_round_leaves_no_chair(as_alice, club, by_alice):
    tournament = make_tournament(8, 1, club=club)
    said = text(withdraw(as_alice, tournament, newcomer(tournament, by_alice)))
    assert "has withdrawn." in said
    assert "is empty" not in said
    assert "Nothing is waiting" in board(as_alice, tournament)
