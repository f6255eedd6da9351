"""Why one of two with the same total stands before the other."""

from __future__ import annotations

from scoring import get_rulebook
from tournaments.standings.tie_breaks import Row, rank, tie_break_text, tie_breaks_in_words


def row(number, tokens, **fields):
    return Row(entry_id=number, number=number, name="", club="", withdrawn=False, rounds=tokens, **fields)


def told(rows, *codes, rulebook="rasle"):
    names = {code: tie_break_text(get_rulebook(rulebook), code).name for code in codes}
    ranked = rank(rows, codes)
    return {row.number: tie_breaks_in_words(names, row) for row in ranked if row.told_apart_by}


def test_nothing_is_said_where_totals_differ_or_the_place_is_shared():
    assert told([row(1, [5]), row(2, [4]), row(3, [4])], "best_round") == {}


def test_only_the_tie_breaks_that_decided_are_said():
    rows = [row(1, [6, 0]), row(2, [3, 3], games_won=9), row(3, [9, 1])]
    assert told(rows, "best_round", "games_won") == {1: "best round 6", 2: "best round 3"}


def test_who_stands_between_two_is_told_apart_from_both():
    rows = [row(1, [6], games_won=2), row(2, [6], games_won=1), row(3, [3, 3])]
    assert told(rows, "best_round", "games_won") == {
        1: "best round 6, games won 2",
        2: "best round 6, games won 1",
        3: "best round 3",
    }


def test_kodilles_are_counted_upwards_and_a_lot_has_no_number():
    assert told([row(1, [1], kodilles=2), row(2, [1], kodilles=0)], "fewest_kodilles") == {
        1: "fewest kodilles 2",
        2: "fewest kodilles 0",
    }
    assert told([row(1, [1], kodilles=2), row(2, [1])], "fewest_kodilles", rulebook="union") == {
        1: "fewest kruks 2",
        2: "fewest kruks 0",
    }
    assert told([row(1, [1], lot=5), row(2, [1], lot=7)], "lot") == {1: "lot", 2: "lot"}
