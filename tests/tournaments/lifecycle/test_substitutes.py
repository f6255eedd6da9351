"""Somebody plays on for who leaves: the deals before count for who left, those after for the substitute."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from tests.factories import newcomer, report, table_of, won
from tests.pages import text
from tournaments.exports.tournament_file import export_tournament
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.rulings import penalise
from tournaments.lifecycle.seat_changes import play_on_for, take_substitute_back
from tournaments.models import Entry, FormerSeat
from tournaments.paper.page import Occasion
from tournaments.paper.score import filled_pages
from tournaments.standings.players import standings
from tournaments.standings.statistics import deals_of


def page(name, tournament, *more):
    return reverse(name, args=[tournament.code, *more])


def wrong(tournament):
    return [str(difference) for difference in differences(tournament)]


@pytest.fixture
def table_with_four_deals(seven_running):
    """Four deals: B wins 1, C wins 2, B wins 3, all pass 4."""
    table = table_of(seven_running, 4)
    for deal, declarer in enumerate((1, 2, 1), start=1):
        assert report(table, deal, won(declarer)).status == "accepted"
    report(table, 4)
    return table


def play_on(table, entry, by, position=1, deal=3, **more):
    more = {"leaves": True, "reason": "train home"} | more
    return play_on_for(table, position, entry, deal=deal, **more, **by)


def tokens_of(tournament, entry):
    tournament.refresh_from_db()
    return next(row.tokens for row in standings(tournament).rows if row.entry_id == entry.pk)


def test_the_deals_before_count_for_who_left_and_those_after_for_the_substitute(
    seven_running, table_with_four_deals, by_alice
):
    left, came = table_with_four_deals.seats.get(position=1).entry, newcomer(seven_running, by_alice)
    play_on(table_with_four_deals, came, by_alice)
    assert (tokens_of(seven_running, left), tokens_of(seven_running, came)) == (1, 2)
    report(table_with_four_deals, 5, won(1))  # A deals, C sits out
    report(table_with_four_deals, 2, None, base=1, reason="all passed")
    assert (tokens_of(seven_running, left), tokens_of(seven_running, came)) == (2, 4)
    assert [deal.number for deal in deals_of(left)] == [1, 2]
    assert [deal.number for deal in deals_of(came)] == [3, 4, 5]
    dealt = {row.entry_id: row.deals for row in standings(seven_running).rows}
    assert (dealt[left.pk], dealt[came.pk]) == (2, 2)  # B sits out deal 4
    assert wrong(seven_running) == []
    left.refresh_from_db()
    assert left.status == Entry.Status.WITHDRAWN


def test_a_penalty_of_who_left_stands_at_the_table_that_they_left(
    as_alice, client, seven_running, table_with_four_deals, by_alice
):
    table = table_with_four_deals
    left = table.seats.get(position=1).entry
    play_on(table, newcomer(seven_running, by_alice), by_alice)
    penalise(left, tokens=-2, reason="Phone at the table", round_=table.round, **by_alice)
    said = f"{left.player.name} −2"
    for who, name in ((as_alice, "desk_table"), (client, "hall_table")):
        assert f"<strong>{said}</strong>: Phone at the table" in text(
            who.get(page(name, seven_running, 1, table.number))
        )
    table.refresh_from_db()
    (sheet,) = filled_pages(table, Occasion(table.round, timezone.now()))
    notes = [f"{note.about} {note.text}" for note in sheet.context["notes"]]
    assert f"{said} Phone at the table (ruled by Alice)" in notes
    assert len(sheet.context["heavy_feet"]) == 1  # nobody who sits there was ruled against


def test_games_won_are_those_of_who_played_them(seven_running, table_with_four_deals, by_alice):
    seven_running.tie_breaks = ["games_won"]
    seven_running.save()
    left, came = table_with_four_deals.seats.get(position=1).entry, newcomer(seven_running, by_alice)
    play_on(table_with_four_deals, came, by_alice)
    rows = {row.entry_id: row for row in standings(seven_running).rows}
    assert (rows[left.pk].games_won, rows[came.pk].games_won) == (1, 1)


def test_everybody_can_read_who_played_for_whom(
    as_alice, client, seven_running, table_with_four_deals, by_alice
):
    left, came = table_with_four_deals.seats.get(position=1).entry, newcomer(seven_running, by_alice)
    play_on(table_with_four_deals, came, by_alice)
    said = f"From deal 3 on {came.shown_name} plays for {left.shown_name}."
    assert said in text(client.get(page("hall_table", seven_running, 1, table_with_four_deals.number)))
    assert said in text(client.get(page("standings", seven_running)))
    assert left.shown_name in text(client.get(page("hall_player", seven_running, left.number)))
    assert said in text(as_alice.get(page("desk_table", seven_running, 1, table_with_four_deals.number)))
    report(table_with_four_deals, 1, won(3), base=1, reason="mistyped")
    report(table_with_four_deals, 3, won(2), base=1, reason="mistyped")
    corrected = text(client.get(page("hall_table", seven_running, 1, table_with_four_deals.number)))
    assert f"{left.shown_name}: Game in hearts, won" in corrected  # deal 1 was theirs
    assert f"{came.shown_name}: Game in hearts, won" in corrected  # deal 3 was not


def test_a_substitute_is_taken_back_as_if_nobody_had_come(seven_running, table_with_four_deals, by_alice):
    left, came = table_with_four_deals.seats.get(position=1).entry, newcomer(seven_running, by_alice)
    table_with_four_deals = play_on(table_with_four_deals, came, by_alice)
    table_with_four_deals = take_substitute_back(
        table_with_four_deals, 0, reason="stays after all", **by_alice
    )
    assert (table_with_four_deals.seats.get(position=1).entry, FormerSeat.objects.count()) == (left, 0)
    assert tokens_of(seven_running, left) == 3
    assert came.pk not in {row.entry_id for row in standings(seven_running).rows if row.played}
    assert wrong(seven_running) == []
    with pytest.raises(NotPossible):
        take_substitute_back(table_with_four_deals, 0, reason="again", **by_alice)


def test_who_left_may_come_back_and_has_both_times(seven_running, table_with_four_deals, by_alice):
    left, came = table_with_four_deals.seats.get(position=1).entry, newcomer(seven_running, by_alice)
    table_with_four_deals = play_on(table_with_four_deals, came, by_alice, leaves=False)
    table_with_four_deals = play_on(table_with_four_deals, left, by_alice, deal=5, leaves=False)
    report(table_with_four_deals, 5, won(1))
    assert (tokens_of(seven_running, left), tokens_of(seven_running, came)) == (3, 2)
    assert [deal.number for deal in deals_of(left)] == [1, 2, 5]
    assert wrong(seven_running) == []
    with pytest.raises(NotPossible, match="plays deals 5 to 12"):
        play_on(table_with_four_deals, came, by_alice, deal=4)


def test_a_forgotten_deal_put_in_moves_the_substitute_along(seven_running, table_with_four_deals, by_alice):
    from tournaments.ledger import Outlook, change_seats

    left, came = table_with_four_deals.seats.get(position=1).entry, newcomer(seven_running, by_alice)
    table_with_four_deals = play_on(table_with_four_deals, came, by_alice)
    what = {"deal": 1, "insert": 1}
    resolved = {line.deal: "back" for line in Outlook(table_with_four_deals, what).impossible}
    change_seats(
        table_with_four_deals,
        what,
        seen=Outlook(table_with_four_deals, what).seen,
        resolved=resolved,
        reason="forgotten",
        **by_alice,
    )
    assert FormerSeat.objects.get().through == 3
    assert [deal.number for deal in deals_of(left)] == [2, 3]
    assert wrong(seven_running) == []


def test_the_file_of_a_tournament_has_who_left(seven_running, table_with_four_deals, by_alice):
    left = table_with_four_deals.seats.get(position=1).entry
    play_on(table_with_four_deals, newcomer(seven_running, by_alice), by_alice)
    seven_running.refresh_from_db()
    assert f'"entry": {left.number},\n       "position": 1,\n       "through": 2' in re.sub(
        r"\n +", "\n       ", export_tournament(seven_running)
    )


@pytest.mark.parametrize("hand", [{"tokens": 9}, {"through": 1}])
def test_the_recount_sees_what_was_changed_by_hand(seven_running, table_with_four_deals, by_alice, hand):
    play_on(table_with_four_deals, newcomer(seven_running, by_alice), by_alice)
    FormerSeat.objects.update(**hand)
    assert wrong(seven_running)


def test_nobody_sits_twice(seven_running, table_with_four_deals, by_alice):
    other = table_of(seven_running, 3).seats.first().entry
    with pytest.raises(NotPossible, match="has a seat in this round"):
        play_on(table_with_four_deals, other, by_alice)


def test_the_desk_shows_what_each_has_before_it_is_stored(
    as_alice, seven_running, table_with_four_deals, by_alice
):
    came = newcomer(seven_running, by_alice)
    address = page("desk_play_on", seven_running, 1, table_with_four_deals.number)
    data = {"first": "1", "newcomer": str(came.number), "deal": "3", "reason": "train home"}
    shown = text(as_alice.post(address, data))
    assert re.search(r"1–2</td><td class=\"number\">\+1", shown)
    assert FormerSeat.objects.count() == 0
    mark = re.search(r'name="shown" value="([^"]*)"', shown)[1]
    assert as_alice.post(address, data | {"shown": mark}).status_code == 302
    assert FormerSeat.objects.get().through == 2
    back = reverse("desk_substitute_back", args=[seven_running.code, 1, table_with_four_deals.number, 0])
    assert "The player who left " in text(as_alice.get(back))
    as_alice.post(back, {"reason": "stays"})
    assert FormerSeat.objects.count() == 0


@pytest.mark.parametrize("data", [{}, {"first": "9"}, {"newcomer": "999"}, {"deal": "99"}, {"reason": ""}])
def test_a_bad_substitute_is_told_at_the_field(
    as_alice, seven_running, table_with_four_deals, by_alice, data
):
    came = newcomer(seven_running, by_alice)
    good = {"first": "1", "newcomer": str(came.number), "deal": "3", "reason": "train home"}
    sent = good | data if data else {}
    answer = as_alice.post(page("desk_play_on", seven_running, 1, table_with_four_deals.number), sent)
    assert "field-error" in text(answer)
    assert FormerSeat.objects.count() == 0
