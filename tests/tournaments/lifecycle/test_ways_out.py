"""Five, and other numbers that fit no table: one sits out each round in turn, or it is said what can be done."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from scoring.rulebooks import rulebooks
from tests.factories import first_round, make_tournament, play_out
from tests.pages import text
from tournaments.domain.draw_text import ways_out
from tournaments.draw.tables import DrawError, table_sizes
from tournaments.entries import entering
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import close_round


def page(name, tournament, *more):
    return reverse(name, args=[tournament.code, *more])


def test_of_five_one_sits_out_each_round_in_turn(alice, club):
    tournament = make_tournament(5, 5, account=alice, club=club, drawn=False)
    now = timezone.now()
    with pytest.raises(NotPossible, match="Five players"):
        draw(tournament, seed=1, account=alice, now=now)
    draw(tournament, seed=1, account=alice, now=now, one_sits_out=True)
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
    close_round(first_round(tournament), **by)
    entering.withdraw(tournament.entries.first(), reason="home", **by)
    made = draw(tournament, seed=None, one_sits_out=True, **by)
    assert [round_.seats.count() for round_ in made] == [4, 4]


def test_the_desk_offers_five_what_they_can_do(as_alice, alice, club):
    tournament = make_tournament(5, 2, account=alice, club=club, drawn=False)
    said = text(as_alice.get(page("desk_draw", tournament)))
    assert "One of the five sits out each round, in turn" in said
    assert "two tables of three" in said
    assert "Draw with one player sitting out each round" in said
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
    assert "Other rules allow 2 at one table: " in others
