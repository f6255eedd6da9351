"""After a round has started: its start taken back, a seat for who comes late, somebody who plays on for another."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.rulebooks import rulebooks
from tests.factories import first_round, make_player, make_tournament, play_out, report, won
from tournaments import rounds
from tournaments.draw import DrawError, table_sizes
from tournaments.entries import entering
from tournaments.files.recount import differences
from tournaments.files.transfer import export_tournament
from tournaments.ledger.late import set_aside
from tournaments.models import Entry, FormerSeat, KeptReport, Round, SeatChange, Table
from tournaments.paper.pages import Occasion
from tournaments.paper.score import filled_pages
from tournaments.standings.players import standings
from tournaments.standings.statistics import deals_of
from tournaments.steps.refusals import NotPossible
from tournaments.words.draw import ways_out


@pytest.fixture
def seven_running(alice, club):
    """Seven players: a table of four and one of three, in a round that runs."""
    return make_tournament(7, 2, account=alice, club=club, deals_per_round=12, deals_at_three=9)


def table_of(tournament, players):
    tables = Table.objects.filter(round=first_round(tournament)).select_related("round__tournament", "match")
    return next(table for table in tables if table.seats.count() == players)


def newcomer(tournament, by, name="Ulla Vest"):
    entry = entering.enter(tournament, make_player(name), club=None, **by)
    return entering.check_in(entry, present=True, **by)


def text(answer):
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def page(name, tournament, *more):
    return reverse(name, args=[tournament.code, *more])


def wrong(tournament):
    return [str(difference) for difference in differences(tournament)]


# The start is taken back


@pytest.mark.slow
def test_a_start_is_taken_back_while_nothing_is_reported_and_links_stay(seven_running, by_alice):
    secrets = set(Table.objects.values_list("secret", "code"))
    round_ = rounds.take_start_back(first_round(seven_running), **by_alice)
    assert (round_.state, round_.started_at) == (Round.State.DRAWN, None)
    seven_running.refresh_from_db()
    assert (seven_running.rules_frozen, seven_running.state, seven_running.started_at) == (
        False,
        "setup",
        None,
    )
    assert set(Table.objects.values_list("secret", "code")) == secrets
    assert seven_running.log.latest("pk").text == "Took the start of round {round} back"
    assert wrong(seven_running) == []
    rounds.start_round(round_, **by_alice)
    assert report(table_of(seven_running, 4), 1).status == "accepted"


def test_rules_stay_frozen_where_another_round_was_played(seven_running, by_alice):
    for table in first_round(seven_running).tables.all():
        play_out(table, agreed=True)
    rounds.close_round(first_round(seven_running), **by_alice)
    second = rounds.start_round(seven_running.rounds.get(number=2), **by_alice)
    rounds.take_start_back(second, **by_alice)
    seven_running.refresh_from_db()
    assert (seven_running.rules_frozen, seven_running.state) == (True, "running")
    assert wrong(seven_running) == []


def test_a_start_stays_once_a_deal_is_reported(seven_running, by_alice):
    table = table_of(seven_running, 4)
    report(table, 1)
    with pytest.raises(NotPossible, match="Deals have been reported in round 1"):
        rounds.take_start_back(first_round(seven_running), **by_alice)


def test_the_desk_asks_before_and_offers_it_no_longer_than_it_can(as_alice, seven_running):
    address = page("desk_take_start_back", seven_running, 1)
    board = page("desk_round", seven_running, 1)
    assert address in text(as_alice.get(board))
    assert "Nothing has been reported yet" in text(as_alice.get(address))
    assert first_round(seven_running).is_running
    report(table_of(seven_running, 4), 1)
    assert address not in text(as_alice.get(board))
    assert "Deals have been reported in round 1" in text(as_alice.post(address, follow=True))
    assert first_round(seven_running).is_running


def test_the_desk_takes_a_start_back(as_alice, seven_running):
    as_alice.post(page("desk_take_start_back", seven_running, 1))
    assert first_round(seven_running).is_drawn
    assert "has not been started" in text(
        as_alice.get(reverse("captain", args=[table_of(seven_running, 4).secret]))
    )


def test_seats_changed_before_the_start_was_taken_back_go_with_a_new_draw(seven_running, by_alice):
    rounds.sit_down_late(table_of(seven_running, 3), newcomer(seven_running, by_alice), **by_alice)
    rounds.take_start_back(first_round(seven_running), **by_alice)
    rounds.draw(seven_running, seed=3, **by_alice)
    assert SeatChange.objects.count() == 0
    assert wrong(seven_running) == []


# The fourth at a table of three


def test_what_a_phone_sends_after_the_start_was_taken_back_is_looked_at_before_its_table_is_gone(
    as_alice, seven_running, by_alice
):
    """The phone has its yes and forgets the deal: from then on it is here, or nowhere."""
    table = table_of(seven_running, 4)
    rounds.take_start_back(first_round(seven_running), **by_alice)
    assert report(table, 1, won(0)).status == "kept"
    why = "A late report waits in round 1; decide about it first."
    for change in (rounds.discard_draw, lambda *a, **k: rounds.draw(*a, seed=3, **k)):
        with pytest.raises(NotPossible, match=why):
            change(seven_running, **by_alice)
    answer = as_alice.post(page("desk_discard_draw", seven_running), follow=True)
    assert why in text(answer)
    assert KeptReport.objects.get().state == KeptReport.State.WAITING
    set_aside(KeptReport.objects.get(), by_alice["account"], now=by_alice["now"])
    rounds.discard_draw(seven_running, **by_alice)
    assert not seven_running.rounds.exists()


def test_who_comes_after_the_start_is_the_fourth_where_nothing_is_reported(seven_running, by_alice):
    table, entry = table_of(seven_running, 3), newcomer(seven_running, by_alice)
    others = list(table.seats.values_list("entry", flat=True))
    assert rounds.tables_waiting(first_round(seven_running), entry) == [table]
    table = rounds.sit_down_late(table, entry, **by_alice)
    assert list(table.seats.values_list("entry", flat=True)) == [*others, entry.pk]
    assert (table.deals, table.turns) == (12, [{"deal": 1, "seat": 3, "came": entry.number}])
    answer = report(table, 1, won(1), turns=0)
    assert answer.problems[0].code == "reseated"  # a phone that believes in three is asked back
    assert report(table, 1, won(1), turns=1).status == "accepted"
    assert wrong(seven_running) == []


def test_a_table_that_has_begun_takes_nobody(seven_running, by_alice):
    table, entry = table_of(seven_running, 3), newcomer(seven_running, by_alice)
    report(table, 1)
    assert rounds.tables_waiting(first_round(seven_running), entry) == []
    with pytest.raises(NotPossible, match="has begun, or is full"):
        rounds.sit_down_late(table, entry, **by_alice)
    assert rounds.without_seat(first_round(seven_running)) == [entry]


def test_who_sat_down_late_gets_up_again_before_the_first_deal(seven_running, by_alice):
    table = rounds.sit_down_late(table_of(seven_running, 3), newcomer(seven_running, by_alice), **by_alice)
    table = rounds.get_up(table, **by_alice)
    assert (table.seats.count(), table.deals) == (3, 9)
    assert [sorted(change) for change in table.turns] == [["came", "deal", "seat"], ["deal", "left", "seat"]]
    assert wrong(seven_running) == []
    with pytest.raises(NotPossible):
        rounds.get_up(table, **by_alice)


def test_the_board_leads_who_came_late_to_a_seat(as_alice, seven_running, by_alice):
    entry = newcomer(seven_running, by_alice)
    address = page("desk_seat_late", seven_running, 1, entry.number)
    assert address in text(as_alice.get(page("desk_round", seven_running, 1)))
    table = table_of(seven_running, 3)
    assert f"Table {table.number}: " in text(as_alice.get(address))
    assert "Choose a table." in text(as_alice.post(address, {"table": "77"}))
    as_alice.post(address, {"table": str(table.number)})
    assert entry.seats.get().table == table
    assert address not in text(as_alice.get(page("desk_round", seven_running, 1)))
    seats = page("desk_seats", seven_running, 1, table.number)
    assert "came late and is the fourth" in text(as_alice.get(seats))
    as_alice.post(f"{seats}get-up/")
    assert not entry.seats.filter(round=first_round(seven_running)).exists()


def test_where_every_table_has_begun_it_says_what_can_be_done(as_alice, seven_running, by_alice):
    entry = newcomer(seven_running, by_alice)
    report(table_of(seven_running, 3), 1)
    said = text(as_alice.get(page("desk_seat_late", seven_running, 1, entry.number)))
    assert "every one has begun" in said
    assert page("desk_play_on", seven_running, 1, 1) in said
    assert "has a bye in this round" in said


def test_where_no_table_is_of_three_none_is_said_to_have_begun(as_alice, club, by_alice):
    full = make_tournament(8, club=club)
    said = text(as_alice.get(page("desk_seat_late", full, 1, newcomer(full, by_alice).number)))
    assert "all tables are full" in said
    assert "begun" not in said


# A substitute


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
    return rounds.play_on_for(table, position, entry, deal=deal, **more, **by)


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
    rounds.penalise(left, tokens=-2, reason="Phone at the table", round_=table.round, **by_alice)
    said = f"{left.player.name} −2"
    for who, name in ((as_alice, "desk_table"), (client, "hall_table")):
        assert f"<strong>{said}</strong>: Phone at the table" in text(
            who.get(page(name, seven_running, 1, table.number))
        )
    table.refresh_from_db()
    (sheet,) = filled_pages(table, Occasion(table.round, timezone.now()))
    notes = [f"{note.about} {note.text}" for note in sheet.context["notes"]]
    assert f"{said} Phone at the table (ruled by Alice)" in notes
    assert len(sheet.context["heavy_feet"].splitlines()) == 1  # nobody who sits there was ruled against


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
    table_with_four_deals = rounds.take_substitute_back(
        table_with_four_deals, 0, reason="stays after all", **by_alice
    )
    assert (table_with_four_deals.seats.get(position=1).entry, FormerSeat.objects.count()) == (left, 0)
    assert tokens_of(seven_running, left) == 3
    assert came.pk not in {row.entry_id for row in standings(seven_running).rows if row.played}
    assert wrong(seven_running) == []
    with pytest.raises(NotPossible):
        rounds.take_substitute_back(table_with_four_deals, 0, reason="again", **by_alice)


def test_who_left_may_come_back_and_has_both_times(seven_running, table_with_four_deals, by_alice):
    left, came = table_with_four_deals.seats.get(position=1).entry, newcomer(seven_running, by_alice)
    table_with_four_deals = play_on(table_with_four_deals, came, by_alice, leaves=False)
    table_with_four_deals = play_on(table_with_four_deals, left, by_alice, deal=5, leaves=False)
    report(table_with_four_deals, 5, won(1))
    assert (tokens_of(seven_running, left), tokens_of(seven_running, came)) == (3, 2)
    assert [deal.number for deal in deals_of(left)] == [1, 2, 5]
    assert wrong(seven_running) == []
    with pytest.raises(NotPossible, match="plays the deals 5 to 12"):
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
    assert "Who left has the seat" in text(as_alice.get(back))
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


def test_a_helper_may_find_seats_and_a_stranger_not(as_helper, as_charlie, seven_running, by_alice):
    entry = newcomer(seven_running, by_alice)
    address = page("desk_seat_late", seven_running, 1, entry.number)
    assert as_helper.get(address).status_code == 200
    assert as_charlie.get(address).status_code == 403


# Five, and other numbers that fit no table


def test_of_five_one_sits_out_each_round_in_turn(alice, club):
    tournament = make_tournament(5, 5, account=alice, club=club, drawn=False)
    now = timezone.now()
    with pytest.raises(NotPossible, match="Five players"):
        rounds.draw(tournament, seed=1, account=alice, now=now)
    rounds.draw(tournament, seed=1, account=alice, now=now, one_sits_out=True)
    seated = [
        sorted(round_.seats.values_list("entry__number", flat=True)) for round_ in tournament.rounds.all()
    ]
    over = [({1, 2, 3, 4, 5} - set(players)).pop() for players in seated]
    assert sorted(over) == [1, 2, 3, 4, 5]


def test_one_of_five_sits_out_after_rounds_at_tables_of_three(alice, club):
    tournament = make_tournament(6, 3, account=alice, club=club)
    by = {"account": alice, "now": timezone.now()}
    for table in first_round(tournament).tables.all():
        play_out(table, agreed=True)
    rounds.close_round(first_round(tournament), **by)
    entering.withdraw(tournament.entries.first(), reason="home", **by)
    made = rounds.draw(tournament, seed=None, one_sits_out=True, **by)
    assert [round_.seats.count() for round_ in made] == [4, 4]


def test_the_desk_offers_five_what_they_can_do(as_alice, alice, club):
    tournament = make_tournament(5, 2, account=alice, club=club, drawn=False)
    said = text(as_alice.get(page("desk_draw", tournament)))
    assert "One of the five sits out each round, in turn" in said
    assert "two tables of three" in said
    assert "Draw, with one sitting out each round" in said
    as_alice.post(page("desk_draw", tournament), {"drawn": "none", "one_sits_out": "1", "seed": ""})
    assert [round_.seats.count() for round_ in tournament.rounds.all()] == [4, 4]
    assert "A bye this round" in text(as_alice.get(page("desk_start_round", tournament, 1)))


@pytest.mark.parametrize("players", range(1, 12))
@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_whatever_number_fits_no_table_is_told_what_can_be_done(book, players):
    sizes = tuple(sorted(book.players))
    ways = ways_out(players, sizes, rules_frozen=False)
    try:
        table_sizes(players, sizes)
    except DrawError:
        assert ways
        assert all("%" not in way and way.endswith(".") for way in ways)
    else:
        assert ways == []


def test_too_few_are_told_how_many_more_and_what_seats_so_many():
    assert ways_out(2, (3, 4), rules_frozen=True) == ["1 more player is needed; a guest needs only a name."]
    (_more, others) = ways_out(2, (3, 4), rules_frozen=False)
    assert "Other rules seat 2 at one table: " in others
