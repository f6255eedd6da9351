"""Where a player sits: found by a part of the name as the hall shows it, or by the number."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club
from tests.factories import first_round, first_table, make_player, make_tournament
from tests.pages import hall_page, words
from tournaments.entries import entering
from tournaments.hall import seats
from tournaments.hall.seats import players_shown, rounds_to_find, with_seats
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Tournament


def find_players(tournament, query=""):
    rounds = rounds_to_find(tournament)
    return with_seats(rounds, players_shown(tournament, rounds, query))


def found(tournament, query):
    return [player.name for player in find_players(tournament, query)]


SEARCHES = (
    ("anna", ["Anna Holm"]),
    ("  HOLM  ", ["Anna Holm"]),
    ("an", ["Anna Holm", "Hanne Toft"]),
    ("fri dor", ["Dora Friis"]),
    ("4", ["Dora Friis"]),
    ("Åse", ["Åse Ørsted"]),
    ("aase oer", ["Åse Ørsted"]),
    ("44", []),
    ("Nobody", []),
    ("%' OR 1=1 --", []),
)


def test_a_player_is_found_by_any_part_of_the_name_or_by_number(club, alice):
    tournament = make_tournament(8, club=club, started=False)
    entering.enter(
        tournament, make_player("Åse Ørsted", club, 90), club=club, account=alice, now=timezone.now()
    )
    tournament.refresh_from_db()
    for query, names in SEARCHES:
        assert found(tournament, query) == names, query


def test_players_stand_in_danish_order(club):
    tournament = make_tournament(0, club=club, drawn=False)
    for name in ("Øjvind Å", "Åge A", "Zenia B", "Ærø C"):
        player = make_player(name, club)
        entering.enter(tournament, player, club=club, account=None, now=timezone.now())
    tournament.refresh_from_db()
    assert [player.name for player in find_players(tournament)] == ["Zenia B", "Ærø C", "Øjvind Å", "Åge A"]


def test_a_seat_says_table_letter_turn_and_company(club):
    tournament = make_tournament(4, club=club)
    table = first_table(tournament)
    table.first_dealer = 1
    table.save()
    names = [seat.entry.player.name for seat in table.seats.select_related("entry__player")]
    (seat,) = find_players(tournament, names[0])[0].seats
    assert (seat.round, seat.table, seat.letter, seat.turn, seat.deals) == (1, 1, "A", 3, "deals fourth")
    assert [(other.letter, other.name) for other in seat.others] == list(zip("BCD", names[1:], strict=True))


def test_who_is_shown_by_number_is_not_found_by_name(club):
    Club.objects.filter(pk=club.pk).update(name_style=Club.NameStyle.NUMBER)
    tournament = make_tournament(4, club=club)
    assert found(tournament, "Anna") == []
    assert found(tournament, "1") == ["1"]


def test_who_is_shown_by_initial_is_not_found_by_the_whole_name(club):
    Club.objects.filter(pk=club.pk).update(name_style=Club.NameStyle.INITIAL)
    tournament = make_tournament(4, club=club)
    assert (found(tournament, "Anna H"), found(tournament, "Holm")) == (["Anna H."], [])


def rounds_found(tournament):
    tournament.refresh_from_db()
    return [(seat.round, seat.state) for seat in find_players(tournament, "1")[0].seats]


def test_the_round_being_played_comes_first_and_the_next_one_once_it_is_drawn(club, alice):
    tournament = make_tournament(4, 2, club=club, started=False)
    now = timezone.now()
    assert rounds_found(tournament) == [(1, "drawn")]
    start_round(first_round(tournament), account=alice, now=now)
    assert rounds_found(tournament) == [(1, "running"), (2, "drawn")]
    close_round(first_round(tournament), account=alice, now=now, force_reason="late")
    assert rounds_found(tournament) == [(2, "drawn")]
    start_round(tournament.rounds.get(number=2), account=alice, now=now)
    close_round(tournament.rounds.get(number=2), account=alice, now=now, force_reason="late")
    assert rounds_found(tournament) == [(2, "closed")]


def test_who_withdrew_is_found_only_where_there_is_a_seat(club, alice):
    tournament = make_tournament(4, club=club)
    entry = tournament.entries.get(number=1)
    entering.withdraw(entry, reason="ill", account=alice, now=timezone.now())
    assert [number for number, _state in rounds_found(tournament)][:1] == [1]
    guest = entering.enter_guest(tournament, "Gæst", account=alice, now=timezone.now())
    entering.withdraw(guest, reason="ill", account=alice, now=timezone.now())
    tournament.refresh_from_db()
    assert found(tournament, "Gæst") == []


@pytest.mark.parametrize("players", [4, 16])
def test_finding_takes_the_same_few_queries_for_any_number_of_players(
    club, players, django_assert_num_queries
):
    make_tournament(players, club=club)
    for ask in (find_players, lambda of: find_players(of, "a")):
        with django_assert_num_queries(7):
            ask(Tournament.objects.select_related("host").get())  # itself one of them


def test_of_many_a_part_is_shown_and_whoever_is_found_with_the_whole_table(client, club, monkeypatch):
    tournament = make_tournament(16, club=club)
    monkeypatch.setattr(seats, "ON_A_PAGE", 10)
    address = reverse("seats", args=[tournament.code])

    def shown(**asked):
        page = client.get(address, asked).content.decode()
        return re.findall(r'player/(\d+)/">', page), re.findall(r'href="(\?[^"]*page=\d+)"', page)

    first, second = shown(), shown(page=2)
    assert (len(first[0]), len(second[0])) == (10, 6)
    assert sorted(map(int, first[0] + second[0])) == list(range(1, 17))
    assert (first[1], second[1]) == (["?page=2"], ["?page=1"])
    assert shown(page=99) == second
    assert shown(name="spiller 1")[1] == []
    assert shown(name="e")[1] == ["?name=e&amp;page=2"]
    assert "seat-now" in client.get(address, {"name": "Holm"}).content.decode()


def test_the_seat_finder_says_table_seat_turn_and_company_in_large(running, client):
    table = first_table(running)
    names = [seat.entry.player.name for seat in table.seats.select_related("entry__player")]
    said = words(hall_page(client, running, f"seats/?name={names[1]}"))
    assert f"{names[1]} Round 1 Table 1 seat B deals second with {names[0]} (A), {names[2]} (C)" in said


def test_the_next_rounds_seat_is_shown_once_it_is_drawn(club, client):
    tournament = make_tournament(4, 2, club=club)
    said = words(hall_page(client, tournament, "seats/?name=anna"))
    assert said.index("Round 1 Table 1") < said.index("Next: round 2 Table 1")
    assert "The seats for round 2 have been drawn." in words(hall_page(client, tournament))


def test_without_a_name_everybody_is_listed(running, client):
    said = words(hall_page(client, running, "seats/"))
    listed = [f"Table {table}, {letter}" for table in (1, 2) for letter in "ABCD"]
    assert sorted(re.findall(r"Table \d+, [A-D]", said)) == listed


def test_a_name_that_fits_nobody_is_kept_and_said(running, client):
    html = hall_page(client, running, "seats/?name=%3Cb%3EZorro")
    assert 'value="&lt;b&gt;Zorro"' in html
    assert "No one here is called “&lt;b&gt;Zorro”" in html


def test_a_name_that_fits_many_asks_for_more(club, client):
    tournament = make_tournament(16, club=club)
    assert "players match" not in words(hall_page(client, tournament, "seats/?name=spiller"))
    said = words(hall_page(client, tournament, "seats/?name=r"))
    assert "13 players match. Type a little more of the name." in said
