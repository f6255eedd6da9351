"""The draw at the desk: drawing once, drawing again, swapping and discarding."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Role
from tests.factories import (
    first_table,
    make_account,
    make_player,
    make_tournament,
    report,
)
from tournaments.desk.draw import drawing
from tournaments.domain.draw_text import tables_in_words
from tournaments.entries import entering
from tournaments.models import KeptReport, Seat, Tournament

MEANWHILE = "The draw has changed since you opened the page. This is how it is now."


def page(name, tournament, *which):
    return reverse(name, args=[tournament.code, *which])


def said(answer):
    return [str(message) for message in answer.context["messages"]]


def seats(tournament):
    return list(
        Seat.objects.filter(round__tournament=tournament)
        .order_by("round__number", "table__number", "position")
        .values_list("round__number", "table__number", "position", "entry__number")
    )


def send_draw(client, tournament, **typed):
    mark = client.get(page("desk_draw", tournament)).context["mark"]
    return client.post(page("desk_draw", tournament), {"drawn": mark} | typed, follow=True)


@pytest.fixture
def ready(club):
    """Fifteen players are here; nothing is drawn."""
    return make_tournament(15, 3, club=club, drawn=False)


def test_one_button_draws_all_rounds(as_alice, ready):
    answer = send_draw(as_alice, ready)
    assert said(answer) == ["The tables have been drawn."]
    assert [len(round_.tables.all()) for round_ in answer.context["rounds"]] == [4, 4, 4]
    assert answer.context["shown"].planned.round.number == 1


def test_the_seed_may_be_typed_and_brings_the_same_seats_back(as_alice, ready):
    send_draw(as_alice, ready, seed="42")
    before = seats(ready)
    send_draw(as_alice, ready, seed="43")
    assert seats(ready) != before
    send_draw(as_alice, ready, seed="42")
    assert seats(ready) == before
    ready.refresh_from_db()
    assert ready.draw_seed == 42


def test_the_second_of_two_clicks_draws_nothing_new(as_alice, ready):
    first = as_alice.post(page("desk_draw", ready), {"drawn": "none"}, follow=True)
    drawn = seats(ready)
    second = as_alice.post(page("desk_draw", ready), {"drawn": "none"}, follow=True)
    assert said(first) == ["The tables have been drawn."]
    assert said(second) == [MEANWHILE]
    assert seats(ready) == drawn


@pytest.mark.parametrize("seed", ["-1", "1000000000", "seven", "1" * 40])
def test_a_seed_that_is_none_is_said_at_the_field(as_alice, ready, seed):
    answer = as_alice.post(page("desk_draw", ready), {"drawn": "none", "seed": seed})
    assert list(answer.context["form"].errors) == ["seed"]
    assert answer.context["form"]["seed"].value() == seed
    assert not ready.rounds.exists()


@pytest.mark.parametrize(
    ("players", "words"),
    [
        (0, "A draw needs at least three players; there are 0."),
        (2, "A draw needs at least three players; there are 2."),
    ],
)
def test_a_number_that_cannot_be_seated_is_said_before_and_after_the_button(as_alice, club, players, words):
    tournament = make_tournament(players, club=club, drawn=False)
    assert as_alice.get(page("desk_draw", tournament)).context["cannot"] == words
    assert said(send_draw(as_alice, tournament)) == [words]


@pytest.mark.parametrize(
    ("players", "words"),
    [
        (3, "1 table of three"),
        (8, "2 tables of four"),
        (9, "3 tables of three"),
        (11, "2 tables of four and 1 table of three"),
    ],
)
def test_the_tables_are_said_in_words(players, words):
    assert tables_in_words(players) == words


def test_who_is_not_checked_in_is_named(as_alice, ready, by_alice, club):
    entering.enter(ready, make_player("Sen Kommer", club), club=club, **by_alice)
    context = as_alice.get(page("desk_draw", ready)).context
    assert [str(entry) for entry in context["missing"]] == ["Sen Kommer"]


def test_round_by_round_draws_one_round(as_alice, club):
    tournament = make_tournament(16, 3, club=club, drawn=False, draw_mode=Tournament.DrawMode.BY_ROUND)
    send_draw(as_alice, tournament)
    assert tournament.rounds.count() == 1


def test_late_arrivals_and_withdrawals_change_only_rounds_that_have_not_started(as_alice, by_alice, club):
    tournament = make_tournament(16, 3, club=club)
    started = [seat for seat in seats(tournament) if seat[0] == 1]
    late = entering.enter_guest(tournament, "Sen Kommer", **by_alice)
    entering.check_in(late, present=True, **by_alice)
    entering.withdraw(tournament.entries.get(number=3), reason="ill", **by_alice)
    context = as_alice.get(page("desk_draw", tournament)).context
    assert [entry.number for entry in context["late"]] == [17]
    assert [entry.number for entry in context["gone"]] == [3]
    assert (context["started"], context["left"], context["must_draw"]) == (1, 2, True)

    context = send_draw(as_alice, tournament).context
    assert (context["late"], context["gone"], context["must_draw"]) == ([], [], False)
    assert [seat for seat in seats(tournament) if seat[0] == 1] == started
    seated = {number for round_, _table, _position, number in seats(tournament) if round_ > 1}
    assert seated == set(range(1, 18)) - {3}


def test_when_all_rounds_have_started_there_is_nothing_to_draw(as_alice, club):
    tournament = make_tournament(8, 1, club=club)
    context = as_alice.get(page("desk_draw", tournament)).context
    assert (context["left"], context["must_draw"]) == (0, False)
    assert said(send_draw(as_alice, tournament)) == ["All rounds have been started."]


def test_a_report_that_came_before_the_start_is_looked_at_before_its_table_goes(as_alice, club):
    tournament = make_tournament(16, 1, club=club, started=False)
    assert report(first_table(tournament), 1).status == "kept"
    assert said(send_draw(as_alice, tournament)) == [
        "A late report is waiting in round 1; decide on it first."
    ]
    KeptReport.objects.update(state=KeptReport.State.SET_ASIDE)
    assert said(send_draw(as_alice, tournament)) == ["The tables have been drawn."]


# Discarding


def test_discarding_is_asked_back_and_done_once(as_alice, club):
    tournament = make_tournament(16, 2, club=club, started=False)
    url = page("desk_discard_draw", tournament)
    assert as_alice.get(url).context["notes"] == ["The seed 7 brings back the same seats."]
    assert tournament.rounds.count() == 2
    assert said(as_alice.post(url, follow=True)) == ["The draw has been discarded."]
    assert said(as_alice.post(url, follow=True)) == ["There is no drawn round to discard."]
    assert tournament.rounds.count() == 0


# Swapping


@pytest.fixture
def drawn(club):
    return make_tournament(16, 2, club=club, started=False)


def seat_at(tournament, table, position, round_number=1):
    return Seat.objects.get(
        round__tournament=tournament, round__number=round_number, table__number=table, position=position
    )


# Who may


@pytest.mark.parametrize("name", ["desk_draw", "desk_discard_draw", "desk_draw_explained"])
def test_only_who_organises_or_helps_draws(as_charlie, client, drawn, club, name):
    url = page(name, drawn)
    helper = Client()
    helper.force_login(make_account("helga", club, Role.Kind.HELPER))
    assert client.get(url).headers["Location"].startswith(reverse("login"))
    assert as_charlie.get(url).status_code == 403
    assert as_charlie.post(url).status_code == 403
    assert drawn.rounds.count() == 2
    assert helper.get(url).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("players", [16, 40])
def test_the_page_asks_the_database_as_often_for_many_players(
    as_alice, club, players, django_assert_max_num_queries
):
    tournament = make_tournament(players, 2, club=club, started=False)
    with django_assert_max_num_queries(39):
        as_alice.get(page("desk_draw", tournament))


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "rounds_planned", "late"), [("by_round", 3, False), ("whole", 3, True)])
def test_who_comes_late_to_tables_of_three_is_told_from_who_has_a_bye(
    as_alice, club, by_alice, mode, rounds_planned, late
):
    tournament = make_tournament(
        10, rounds_planned, club=club, rulebook="crocodile", draw_mode=mode, started=False
    )
    context = as_alice.get(page("desk_draw", tournament)).context
    assert (context["late"], len(context["shown"].planned.bye)) == ([], 1)
    entry = entering.enter(tournament, make_player("Sen Kommer", club), club=club, **by_alice)
    entering.check_in(entry, present=True, **by_alice)
    context = as_alice.get(page("desk_draw", tournament)).context
    # Two of eleven sit out: nobody else could be seated in a round drawn by itself.
    assert [str(one) for one in context["late"]] == (["Sen Kommer"] if late else [])
    assert context["tables"] == "3 tables of three; 2 players sit out each round"


def test_a_large_round_is_shown_by_parts_and_who_is_chosen_stays_so(as_alice, club, monkeypatch):
    tournament = make_tournament(32, 2, club=club, started=False)
    monkeypatch.setattr(drawing, "MOST_WHOLE", 5)
    monkeypatch.setattr(drawing, "SHOWN_ON_A_PAGE", 5)
    address = page("desk_draw", tournament)

    def tables(**asked):
        one = as_alice.get(address, asked).context["shown"]
        return one.planned.round.number, [table.number for table, _places in one.page]

    assert tables() == (1, [1, 2, 3, 4, 5])
    assert tables(round=2, page=2) == (2, [6, 7, 8])
    seat = tournament.rounds.get(number=2).seats.get(table__number=7, position=1)
    assert tables(round=2, q=seat.entry.player.name) == (2, [7])
    assert tables(q="8") == tables(q="8", round=1)
    assert tables(q="nobody") == (1, [])
    kept = as_alice.get(address, {"round": 2, "seat": "7B", "page": 1})
    assert kept.context["shown"].chosen.entry == seat.entry
    assert f'name="at" value="7B.{seat.entry.number}"' in kept.content.decode()
