"""Whose turn it is to deal after the dealer was moved, or two seats swapped, in the middle of a round."""

import pytest

from scoring.seats import Role, Seating, Turns, changes_in_force

FH, MH, BH, IDLE, _H3, _H4 = Role


def dealers(turns, deals):
    return [turns.dealer(deal) for deal in deals]


def sitting_out(turns, deals):
    return [turns.seating(deal).sits_out for deal in deals]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_without_changes_the_turn_goes_around(players):
    turns = Turns(players, first_dealer=1)
    for deal in range(1, 12):
        assert turns.seating(deal) == Seating(players, deal % players)


def test_another_dealer_deals_from_a_deal_on_and_nothing_before_it_changes():
    turns = Turns(4, 0, [{"deal": 6, "dealer": 3}])
    assert dealers(turns, range(1, 11)) == [0, 1, 2, 3, 0, 3, 0, 1, 2, 3]
    assert sitting_out(turns, range(5, 8)) == [2, 1, 2]


def test_two_who_change_seats_deal_when_it_is_the_turn_of_their_new_chairs():
    turns = Turns(4, 0, [{"deal": 5, "swap": [1, 2]}])
    assert dealers(turns, range(1, 9)) == [0, 1, 2, 3, 0, 2, 1, 3]
    assert turns.seating(5).roles == (BH, IDLE, FH, MH)
    assert turns.seating(5).positions == {BH: 0, IDLE: 1, FH: 2, MH: 3}
    assert (turns.seating(5).forehand, turns.seating(5).around) == (2, (0, 2, 1, 3))


def test_forehand_deals_next_however_seats_were_changed():
    turns = Turns(4, 2, [{"deal": 3, "swap": [0, 3]}, {"deal": 8, "swap": [0, 1]}])
    for deal in [*range(1, 7), *range(8, 20)]:
        assert turns.dealer(deal + 1) == turns.seating(deal).forehand or deal + 1 in (3, 8)


def test_who_was_said_to_deal_later_does_so_wherever_they_sit_by_then():
    later = {"deal": 9, "dealer": 0}
    turns = Turns(4, 0, [later, {"deal": 5, "swap": [0, 1]}])
    assert dealers(turns, range(4, 13)) == [3, 1, 0, 2, 3, 0, 2, 3, 1]


def test_two_swaps_of_the_same_two_leave_everything_as_it_was():
    swap = {"deal": 4, "swap": [0, 2]}
    for deal in range(1, 12):
        assert Turns(4, 0, [swap, swap]).seating(deal) == Seating(4, (deal - 1) % 4)


def test_what_was_taken_back_does_not_hold():
    first, second = {"deal": 4, "swap": [0, 2]}, {"deal": 6, "dealer": 1}
    assert changes_in_force([first, second, {"back": 0}]) == [second]
    assert dealers(Turns(4, 0, [first, second, {"back": 0}]), range(4, 8)) == [3, 0, 1, 2]


def test_what_was_said_of_a_deal_moves_with_it_when_one_is_put_in_before_it_or_taken_out():
    moved = [{"deal": 6, "dealer": 3}, {"deal": 3, "insert": 1}]
    assert dealers(Turns(4, 0, moved), range(1, 9)) == [0, 1, 2, 3, 0, 1, 3, 0]
    back = [*moved, {"deal": 3, "insert": -1}]
    assert dealers(Turns(4, 0, back), range(1, 9)) == [0, 1, 2, 3, 0, 3, 0, 1]
    assert changes_in_force(back)[0] == moved[0]
    assert dealers(Turns(4, 0, [{"deal": 3, "insert": 1}, moved[0]]), range(5, 8)) == [0, 3, 0]


def test_changes_of_other_kinds_leave_the_turn_alone():
    others = [{"deal": 2, "insert": 1}, {"deal": 3, "seat": 1, "left": 4, "came": 9}]
    assert dealers(Turns(3, 0, others), range(1, 5)) == [0, 1, 2, 0]


def test_two_of_a_pair_change_seats_and_stay_partners():
    seating = Turns(4, 0, [{"deal": 1, "swap": [0, 2]}]).seating(1, in_pairs=True)
    assert (seating.dealer, seating.sits_out, seating.around) == (2, 0, (2, 1, 0, 3))
    played = seating.declared_by(Role.FH)
    assert (played.sits_out, played.position_of(MH)) == (3, 0)


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 1, 2, 2), (1, 2, 3, 4)])
def test_an_order_of_play_has_every_position_once(order):
    with pytest.raises(ValueError, match="no order of play"):
        Seating(4, 0, order=order)
