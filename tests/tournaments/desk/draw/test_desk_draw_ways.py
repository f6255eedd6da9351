"""Other ways to seat players at the desk: by the standings, by lot, by hand; and who does not want to share a table."""

from __future__ import annotations

import pytest
from django.urls import reverse

from core.errors import NotPossible
from tests.factories import make_tournament, play_out, report
from tests.pages import text
from tournaments.draw.swiss import plan_by_standings
from tournaments.entries import entering
from tournaments.exports.tournament_file import BadFile, export_tournament, import_tournament
from tournaments.ledger import Author
from tournaments.lifecycle.planning import keep_apart
from tournaments.lifecycle.playing import close_round, reopen_round, start_round
from tournaments.lifecycle.seat_changes import swap, take_seats
from tournaments.lifecycle.seat_plan import SeatedPlayer, Seating, matrix, moved_since_drawn
from tournaments.models import Round, Seat, Tournament
from tournaments.standings.players import standings

MODES = Tournament.DrawMode


def page(name, tournament, *which):
    return reverse(name, args=[tournament.code, *which])


def tables(tournament, round_number):
    found = {}
    seats = Seat.objects.filter(round__tournament=tournament, round__number=round_number)
    for table, number in seats.order_by("table__number", "position").values_list(
        "table__number", "entry__number"
    ):
        found.setdefault(table, []).append(number)
    return list(found.values())


def send(client, tournament, **typed):
    mark = client.get(page("desk_draw", tournament)).context["mark"]
    return client.post(page("desk_draw", tournament), {"drawn": mark} | typed, follow=True)


def said(answer):
    return [str(message) for message in answer.context["messages"]]


# By the standings


def play_round(tournament, number, by):
    round_ = tournament.rounds.get(number=number)
    if round_.is_drawn:
        start_round(round_, **by)
    for table in round_.tables.all():
        play_out(table)
    close_round(round_, force_reason="the bell", **by)


@pytest.mark.slow
def test_by_the_standings_the_next_round_seats_neighbours(as_alice, club, by_alice):
    tournament = make_tournament(
        12, 3, club=club, drawn=False, draw_mode=MODES.STANDINGS, deals_per_round=4, deals_at_three=3
    )
    send(as_alice, tournament)
    assert tournament.rounds.count() == 1
    play_round(tournament, 1, by_alice)
    tournament.refresh_from_db()
    ranking = [row.number for row in standings(tournament).rows]
    clubs = dict(tournament.entries.values_list("number", "club_id"))
    send(as_alice, tournament, seed="4")
    expected = plan_by_standings(ranking, seed=4, history=[tables(tournament, 1)], groups=clubs)
    assert tables(tournament, 2) == [list(table) for table in expected.rounds[0]]
    assert tournament.rounds.count() == 2


def test_by_the_standings_a_round_must_be_over_before_the_next_is_drawn(as_alice, club):
    tournament = make_tournament(12, 2, club=club, draw_mode=MODES.STANDINGS)
    assert said(send(as_alice, tournament)) == [
        "Round 1 is being played; close it first, so that the standings are known."
    ]
    assert tournament.rounds.count() == 1


# By lot


def test_by_lot_all_rounds_are_drawn_and_the_seed_brings_them_back(as_alice, club):
    tournament = make_tournament(12, 3, club=club, drawn=False, draw_mode=MODES.LOT)
    send(as_alice, tournament, seed="5")
    before = [tables(tournament, number) for number in (1, 2, 3)]
    send(as_alice, tournament, seed="6")
    assert [tables(tournament, number) for number in (1, 2, 3)] != before
    send(as_alice, tournament, seed="5")
    assert [tables(tournament, number) for number in (1, 2, 3)] == before


# By hand

BY_HAND = "4 2 3 1\r\n5, 6, 7\r\n\r\n\r\n1 5 2 6\r\n7;3;4\r\n"


@pytest.fixture
def by_hand(club):
    return make_tournament(7, 2, club=club, drawn=False, draw_mode=MODES.BY_HAND)


def test_by_hand_the_tables_are_as_written_and_stand_in_the_field_again(as_alice, by_hand):
    assert said(send(as_alice, by_hand, tables=BY_HAND)) == ["The tables have been drawn."]
    assert [tables(by_hand, number) for number in (1, 2)] == [
        [[4, 2, 3, 1], [5, 6, 7]],
        [[1, 5, 2, 6], [7, 3, 4]],
    ]
    form = as_alice.get(page("desk_draw", by_hand)).context["form"]
    assert form["tables"].value() == "4 2 3 1\n5 6 7\n\n1 5 2 6\n7 3 4"
    by_hand.refresh_from_db()
    assert by_hand.draw_seed is None
    assert b"Round 1: seated by hand" in as_alice.get(page("desk_draw_explained", by_hand)).content


def test_by_hand_the_first_round_alone_may_be_written(as_alice, by_hand):
    send(as_alice, by_hand, tables="1 2 3 4\n5 6 7")
    assert by_hand.rounds.count() == 1


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ("", "Fill this in."),
        ("  \n", "Type in the tables of 1 to 2 rounds."),
        ("1 2 3 4\n5 six 7", "Line 2: “six” is not a player’s number."),
        ("1 2 3 4\n5 6 9", "Round 1: player 9 is not here."),
        ("1 2 3 4", "Round 1: player 5 has no seat."),
        (
            "1 2 3 4\n5 6 7\n\n1 2 3 4\n5 6 6",
            "Round 2 is not a valid seating: a table has the wrong size, or a player has two seats.",
        ),
        ("1 2 3 4\n5 6 7\n\n" * 3, "Type in the tables of 1 to 2 rounds."),
        ("1 2 3 4\n5 6 999999", "Line 2: “999999” is not a player’s number."),
    ],
)
def test_what_is_written_wrongly_is_said_at_the_field_and_stays(as_alice, by_hand, typed, error):
    answer = send(as_alice, by_hand, tables=typed)
    assert answer.context["form"].errors == {"tables": [error]}
    assert answer.context["form"]["tables"].value() == typed
    assert by_hand.rounds.count() == 0


# Not at one table


@pytest.fixture
def twelve(club):
    return make_tournament(12, 2, club=club, drawn=False)


def test_a_wish_is_kept_by_the_next_draw_and_told(as_alice, twelve):
    answer = as_alice.post(
        page("desk_apart", twelve), {"first": "1", "second": "2", "third": "3"}, follow=True
    )
    assert said(answer) == ["They will be kept apart in the next draw."]
    assert [wish.names for wish in answer.context["wishes"]] == [["Anna Holm", "Bo Krogh", "Carl Dam"]]
    context = send(as_alice, twelve).context
    assert all(len({1, 2, 3} & set(table)) < 2 for number in (1, 2) for table in tables(twelve, number))
    assert ("Not at the same table", "every wish is met", True) in [
        (line.title, line.value, line.good) for line in context["said"]
    ]


def test_a_wish_that_had_to_give_way_is_told(as_alice, club):
    tournament = make_tournament(4, 1, club=club, drawn=False)
    as_alice.post(page("desk_apart", tournament), {"first": "1", "second": "2", "strict": "on"})
    lines = {line.title: line for line in send(as_alice, tournament).context["said"]}
    assert lines["Not at the same table"].value == (
        "1 time two players share a table anyway, 1 of them against a strict wish"
    )


def test_the_same_players_wish_is_changed_and_forgotten(as_alice, twelve):
    as_alice.post(page("desk_apart", twelve), {"first": "2", "second": "1"})
    as_alice.post(page("desk_apart", twelve), {"first": "1", "second": "2", "strict": "on"})
    twelve.refresh_from_db()
    assert twelve.not_together == [{"entries": [1, 2], "strict": True}]
    for _click in range(2):
        as_alice.post(page("desk_let_meet", twelve), {"numbers": "1 2"})
    twelve.refresh_from_db()
    assert twelve.not_together == []
    assert [line.words for line in twelve.log.all()[:3]] == [
        "May share a table again: Anna Holm, Bo Krogh",
        "Never at the same table: Anna Holm, Bo Krogh",
        "Not at the same table: Anna Holm, Bo Krogh",
    ]


@pytest.mark.parametrize(
    ("typed", "errors"),
    [
        ({"first": "1"}, {"second": ["Choose a player."]}),
        ({"first": "1", "second": "1"}, {"second": ["Choose two different players."]}),
        ({"first": "1", "second": "77"}, {"second": ["Choose a player of this tournament."]}),
        ({"first": "x", "second": "2"}, {"first": ["Choose a player of this tournament."]}),
        ({"first": "1", "second": "2", "fourth": "1"}, {"fourth": ["Choose two different players."]}),
    ],
)
def test_a_wish_that_is_none_is_said_at_the_field(as_alice, twelve, typed, errors):
    answer = as_alice.post(page("desk_apart", twelve), typed)
    assert answer.context["form"].errors == errors
    twelve.refresh_from_db()
    assert twelve.not_together == []


@pytest.mark.parametrize("nonsense", ["", "x y", "9" * 40, "\x00", "7"])
def test_forgetting_what_nobody_wished_changes_nothing(as_alice, twelve, by_alice, nonsense):
    keep_apart(twelve, list(twelve.entries.all()[:2]), strict=False, **by_alice)
    assert as_alice.post(page("desk_let_meet", twelve), {"numbers": nonsense}).status_code == 302
    twelve.refresh_from_db()
    assert twelve.not_together == [{"entries": [1, 2], "strict": False}]


def test_it_takes_two_to_be_apart(twelve, by_alice):
    with pytest.raises(NotPossible):
        keep_apart(twelve, [twelve.entries.first()], strict=False, **by_alice)


def test_only_organisers_see_who_does_not_want_whom(as_charlie, client, twelve):
    assert as_charlie.get(page("desk_apart", twelve)).status_code == 403
    assert as_charlie.post(page("desk_let_meet", twelve)).status_code == 403
    assert client.get(page("desk_apart", twelve)).headers["Location"].startswith(reverse("login"))


def test_a_swap_tells_what_it_does_to_wishes(as_alice, twelve, by_alice):
    keep_apart(twelve, list(twelve.entries.all()[:2]), strict=False, **by_alice)
    send(as_alice, twelve, seed="1")
    first = Round.objects.get(tournament=twelve, number=1)
    one, two = (first.seats.get(entry__number=number) for number in (1, 2))
    mate = two.table.seats.exclude(pk=two.pk).first()
    shown = as_alice.get(page("desk_draw", twelve), {"seat": f"{one.table.number}{one.letter}"}).context[
        "shown"
    ]
    places = [place for _table, places in shown.page for place in places if place]
    price = next(place.price for place in places if place.entry == mate.entry)
    assert (price.words, price.is_dear) == ("against someone’s wish", True)


@pytest.mark.parametrize(
    "wishes", [3, [3], [{}], [{"entries": [1], "strict": True}], [{"entries": [1, "2"], "strict": True}]]
)
def test_wishes_in_a_file_that_are_none_are_refused(twelve, wishes):
    twelve.not_together = wishes
    twelve.code = "ANOTHER"
    with pytest.raises(BadFile):
        import_tournament(export_tournament(twelve))


# Substitutes


@pytest.fixture
def ill_and_new(club, by_alice):
    """Sixteen are drawn for two rounds, the first is running; no. 3 has left and a guest came."""
    tournament = make_tournament(16, 2, club=club)
    late = entering.enter_guest(tournament, "Sen Kommer", **by_alice)
    entering.check_in(late, present=True, **by_alice)
    entering.withdraw(tournament.entries.get(number=3), reason="ill", **by_alice)
    return tournament


def test_a_substitute_has_the_seats_of_who_left_and_nobody_else_moves(as_alice, ill_and_new):
    before = tables(ill_and_new, 2)
    assert as_alice.get(page("desk_draw", ill_and_new)).context["substitute"] is not None
    answer = as_alice.post(page("desk_substitute", ill_and_new), {"gone": "3", "newcomer": "17"}, follow=True)
    assert said(answer) == ["Sen Kommer has taken Carl Dam’s seats."]
    assert tables(ill_and_new, 2) == [[17 if number == 3 else number for number in table] for table in before]
    assert list(ill_and_new.rounds.values_list("swapped", flat=True)) == [False, True]
    assert 3 in {number for table in tables(ill_and_new, 1) for number in table}
    context = as_alice.get(page("desk_draw", ill_and_new)).context
    assert (context["late"], context["gone"], context["substitute"]) == ([], [], None)


@pytest.mark.parametrize(
    "typed", [{}, {"gone": "3"}, {"gone": "1", "newcomer": "17"}, {"gone": "x", "newcomer": "17"}]
)
def test_a_substitution_that_is_none_changes_nothing(as_alice, ill_and_new, typed):
    before = tables(ill_and_new, 2)
    answer = as_alice.post(page("desk_substitute", ill_and_new), typed, follow=True)
    assert said(answer) == ["The draw has changed since you opened the page. This is how it is now."]
    assert tables(ill_and_new, 2) == before


def test_nobody_takes_the_seats_of_who_is_here_or_two_seats(ill_and_new, by_alice):
    number = {entry.number: entry for entry in ill_and_new.entries.all()}
    for gone, newcomer, why in (
        (1, 17, "Anna Holm is still here; withdraw them first."),
        (3, 1, "Anna Holm already has a seat."),
        (3, 3, "Carl Dam is not checked in."),
    ):
        with pytest.raises(NotPossible, match=f"^{why}$"):
            take_seats(number[gone], number[newcomer], **by_alice)
    assert take_seats(number[3], number[17], **by_alice) == 1
    with pytest.raises(NotPossible):
        take_seats(number[3], number[17], **by_alice)


# Explained


def test_the_matrix_says_how_often_each_two_meet(as_alice, club):
    tournament = make_tournament(8, 2, club=club, started=False)
    rows = as_alice.get(page("desk_draw_explained", tournament)).context["matrix"]
    assert [row[index] for index, (_line, row) in enumerate(rows)] == [None] * 8
    assert all(sum(times or 0 for times in row) == 6 for _line, row in rows)
    assert all(rows[p][1][q] == rows[q][1][p] for p in range(8) for q in range(8))


def test_a_matrix_that_nobody_could_read_is_not_shown():
    assert len(matrix([Seating(SeatedPlayer(number, "")) for number in range(100)])) == 100
    assert matrix([Seating(SeatedPlayer(number, "")) for number in range(101)]) == []


# By standings that were corrected since


@pytest.fixture
def second_drawn(as_alice, club, by_alice):
    """Twelve by the standings: round 1 is closed, round 2 drawn by it."""
    tournament = make_tournament(
        12, 3, club=club, drawn=False, draw_mode=MODES.STANDINGS, deals_per_round=4, deals_at_three=3
    )
    send(as_alice, tournament)
    play_round(tournament, 1, by_alice)
    send(as_alice, tournament)
    return tournament


def correct(tournament, by):
    """Round 1 is reopened, its first deal turned over, and closed again."""
    round_ = tournament.rounds.get(number=1)
    reopen_round(round_, reason="wrong sheet", **by)
    table = round_.tables.select_related("round__tournament").first()
    lost = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "kodille"}
    answer = report(table, 1, lost, base=1, author=Author("desk", by["account"]), reason="turned over")
    assert answer.status == "accepted"
    close_round(round_, force_reason="the bell", **by)


SAID = "The standings have been corrected since they were used for the draw"


def test_a_draw_by_standings_that_were_corrected_since_says_so_with_draw_again(
    as_alice, second_drawn, by_alice
):
    pages = [
        page("desk_draw", second_drawn),
        page("desk_tournament", second_drawn),
        page("desk_start_round", second_drawn, 2),
    ]
    assert all(SAID not in text(as_alice.get(one)) for one in pages)
    correct(second_drawn, by_alice)
    for one in pages:
        shown = text(as_alice.get(one))
        assert SAID in shown
        assert "Draw again" in shown
        assert page("desk_draw", second_drawn) in shown
    send(as_alice, second_drawn)
    assert all(SAID not in text(as_alice.get(one)) for one in pages)


def test_a_correction_that_moves_nobody_says_nothing(as_alice, second_drawn, by_alice):
    round_ = second_drawn.rounds.get(number=1)
    reopen_round(round_, reason="looked at again", **by_alice)
    close_round(round_, force_reason="the bell", **by_alice)
    assert moved_since_drawn(second_drawn) == []
    assert SAID not in text(as_alice.get(page("desk_draw", second_drawn)))


def test_the_round_can_be_started_as_it_was_drawn_all_the_same(as_alice, second_drawn, by_alice):
    correct(second_drawn, by_alice)
    assert SAID in text(as_alice.get(page("desk_draw", second_drawn)))
    as_alice.post(page("desk_start_round", second_drawn, 2))
    assert second_drawn.rounds.get(number=2).is_running
    assert SAID not in text(as_alice.get(page("desk_draw", second_drawn)))


def test_who_went_home_since_is_no_correction(second_drawn, by_alice):
    last = second_drawn.entries.get(number=standings(second_drawn).rows[-1].number)
    entering.withdraw(last, reason="ill", **by_alice)
    assert moved_since_drawn(second_drawn) == []


@pytest.mark.parametrize("mode", [MODES.BY_ROUND, MODES.STANDINGS])
def test_a_page_from_before_a_round_started_draws_nothing_more(as_alice, club, by_alice, mode):
    tournament = make_tournament(8, 3, club=club, drawn=False, draw_mode=mode, deals_per_round=4)
    seen = as_alice.get(page("desk_draw", tournament)).context["mark"]
    send(as_alice, tournament)
    play_round(tournament, 1, by_alice)
    answer = as_alice.post(page("desk_draw", tournament), {"drawn": seen}, follow=True)
    assert said(answer) == ["The draw has changed since you opened the page. This is how it is now."]
    assert tournament.rounds.count() == 1


def test_seats_that_were_swapped_meanwhile_are_not_drawn_away_unseen(as_alice, club, by_alice):
    tournament = make_tournament(8, 1, club=club, started=False)
    seen = as_alice.get(page("desk_draw", tournament)).context["mark"]
    round_ = tournament.rounds.get()
    first, second = (table.seats.first() for table in round_.tables.all())
    swap(round_, first, second, **by_alice)
    before = tables(tournament, 1)
    as_alice.post(page("desk_draw", tournament), {"drawn": seen}, follow=True)
    assert tables(tournament, 1) == before
