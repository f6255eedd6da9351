"""The race for the lead: everybody's sums deal by deal, and who was ahead when."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tournaments.standings.story import Climb, Evening, Spell, StoryDeal, StoryRound, race_of

ANNA, BO, CARL, DORA = 1, 2, 3, 4
ONE = (StoryRound(1, 3),)


def deal(number, *tokens, round_=1, table=1, who=(ANNA, BO, CARL)):
    return StoryDeal(round_, table, number, dict(zip(who, tokens, strict=True)))


def evening(*deals, players=(ANNA, BO, CARL), rounds=ONE, **more):
    return Evening(players, rounds, deals, **more)


THREE = (deal(1, 2, -1, -1), deal(2, -4, 2, 2), deal(3, 0, 6, -6))


def test_a_line_is_the_sum_before_the_first_deal_and_after_each():
    race = race_of(evening(*THREE))
    assert race.lines == {ANNA: (0, 2, -2, -2), BO: (0, -1, 1, 7), CARL: (0, -1, 1, -5)}
    assert (race.steps, race.level, race.ends) == (3, 3, {1: 3})


def test_where_nothing_is_played_there_are_no_steps():
    race = race_of(evening(rounds=()))
    assert (race.lines[ANNA], race.steps, race.level, race.spells, race.over) == ((0,), 0, 0, [], [])
    assert race_of(Evening((), (), ())).level == 0


def test_who_is_alone_in_the_lead_has_it_and_two_who_are_level_do_not():
    race = race_of(evening(*THREE))
    assert [race.ahead(step) for step in range(4)] == [[ANNA, BO, CARL], [ANNA], [BO, CARL], [BO]]
    assert race.spells == [Spell(ANNA, 1, 1), Spell(BO, 3, 3)]
    assert (race.changes, race.longest_in_lead) == (1, ([ANNA, BO], 1))


def test_two_were_last_level_before_the_end_and_never_at_the_start():
    race = race_of(evening(*THREE))
    assert race.last_level(BO, CARL) == 2
    assert race.last_level(ANNA, BO) is None


def test_a_step_is_a_rounds_deal():
    race = race_of(evening(rounds=(StoryRound(1, 3), StoryRound(2, 2))))
    assert [race.where(step) for step in (1, 3, 4, 5)] == [(1, 1), (1, 3), (2, 1), (2, 2)]
    with pytest.raises(ValueError, match="step 6"):
        race.where(6)


def test_in_a_round_that_runs_a_line_goes_as_far_as_its_table_has_come():
    told = evening(
        deal(1, 1, -1, who=(ANNA, BO)),
        deal(2, 1, -1, who=(ANNA, BO)),
        deal(1, 5, table=2, who=(CARL,)),
        players=(ANNA, BO, CARL, DORA),
        rounds=(StoryRound(1, 40, is_over=False),),
        seated={1: {ANNA: 1, BO: 1, CARL: 2}},
    )
    race = race_of(told)
    assert race.lines == {ANNA: (0, 1, 2), BO: (0, -1, -2), CARL: (0, 5), DORA: (0, 0, 0)}
    assert (race.level, race.over, race.steps) == (1, [], 40)


def test_a_deal_that_is_missing_changes_nothing_and_who_has_a_bye_stands_still():
    told = evening(deal(3, 4, -4, who=(ANNA, BO)), players=(ANNA, BO, DORA))
    assert race_of(told).lines == {ANNA: (0, 0, 0, 4), BO: (0, 0, 0, -4), DORA: (0, 0, 0, 0)}


def test_rulings_count_at_the_end_of_their_round_and_what_was_taken_along_from_the_start():
    told = evening(
        *THREE,
        rounds=(StoryRound(1, 3), StoryRound(2, 1)),
        carried={CARL: Fraction(1, 2)},
        rulings={(ANNA, 1): -10, (BO, None): 1, (DORA, 1): 5},
    )
    race = race_of(told)
    assert race.lines[ANNA] == (0, 2, -2, -12, -12)
    assert race.lines[BO] == (0, -1, 1, 7, 8)
    assert race.lines[CARL][0] == Fraction(1, 2)
    assert race.won_in(1)[CARL] == -5


def test_who_comes_up_most_places_in_a_round_is_named_first():
    second = (
        deal(1, 20, -10, -10, round_=2, who=(CARL, ANNA, BO)),
        deal(1, 3, round_=2, table=2, who=(DORA,)),
    )
    told = evening(
        *THREE, *second, players=(ANNA, BO, CARL, DORA), rounds=(StoryRound(1, 3), StoryRound(2, 1))
    )
    race = race_of(told)
    assert race.places(3) == {BO: 1, DORA: 2, ANNA: 3, CARL: 4}
    assert race.climbs()[0] == Climb(CARL, 2, 4, 1, 20)
    assert race.climbs()[-1] == Climb(BO, 2, 1, 3, -10)
    assert race_of(evening(*THREE)).climbs() == []
