"""Filling the quotas of a stage: the rule, from plain values."""

from __future__ import annotations

from tournaments.seasons.qualifying import Candidate, Places, Reason, fill


def line(*places, clubs=()):
    """Players 1, 2, 3 … with these places."""
    of = clubs or [0] * len(places)
    return [
        Candidate(player, place, club)
        for player, (place, club) in enumerate(zip(places, of, strict=True), start=1)
    ]


def said(filled):
    """Who qualifies by each quota, each with the player whom they are there instead of."""
    return [
        {one.candidate.player: one.instead_of and one.instead_of.candidate.player for one in found.going}
        for found in filled
    ]


def players(candidates):
    return [one.player for one in candidates]


def test_the_best_of_a_source_qualify_and_the_next_is_named():
    (found,) = fill([Places(2, line(1, 2, 3, 4, 5, 6))], {})
    assert said([found]) == [{1: None, 2: None}]
    assert players(found.following) == [3, 4, 5]
    assert (found.missing, found.ties, found.passed) == (0, [], [])


def test_who_qualifies_twice_takes_the_first_and_the_second_goes_to_the_next():
    filled = fill([Places(1, line(1, 2, 3)), Places(2, line(1, 2, 3))], {})
    assert said(filled) == [{1: None}, {2: None, 3: 1}]
    assert filled[1].passed[0].reason is Reason.EARLIER


def test_who_says_no_is_replaced_by_the_next_who_may_say_no_too():
    (found,) = fill([Places(2, line(1, 2, 3, 4, 5))], {1: Reason.DECLINED, 3: Reason.WITHDREW})
    assert said([found]) == [{2: None, 4: 1}]
    assert [(one.candidate.player, one.reason) for one in found.passed] == [
        (1, Reason.DECLINED),
        (3, Reason.WITHDREW),
    ]
    assert players(found.following) == [5]


def test_a_tie_at_the_line_is_decided_by_nobody_but_the_desk():
    (found,) = fill([Places(3, line(1, 2, 2, 2, 5))], {})
    assert said([found]) == [{1: None}]
    assert [(players(tie.candidates), tie.places) for tie in found.ties] == [([2, 3, 4], 2)]
    (found,) = fill([Places(3, line(1, 2, 2, 2, 5))], {}, first={4})
    assert said([found]) == [{1: None, 4: None}]
    assert [(players(tie.candidates), tie.places) for tie in found.ties] == [([2, 3], 1)]
    (found,) = fill([Places(3, line(1, 2, 2, 2, 5))], {}, first={4, 3})
    assert said([found]) == [{1: None, 3: None, 4: None}]
    assert players(found.following) == [2, 5]


def test_a_tie_above_the_line_and_one_below_it_need_no_decision():
    (found,) = fill([Places(2, line(1, 1, 3, 3))], {})
    assert said([found]) == [{1: None, 2: None}]
    assert (found.ties, players(found.following)) == ([], [3, 4])


def test_who_is_in_an_undecided_tie_has_no_place_by_a_later_quota():
    filled = fill([Places(1, line(1, 1, 3)), Places(1, [Candidate(2, 1), Candidate(3, 2)])], {})
    assert said(filled) == [{}, {3: None}]


def test_a_quota_above_the_field_says_how_many_places_have_nobody():
    (found,) = fill([Places(5, line(1, 2, 3))], {2: Reason.DECLINED})
    assert said([found]) == [{1: None, 3: None}]
    assert found.missing == 3


def test_each_club_has_its_best_and_guests_have_no_place():
    clubs = [7, 7, 0, 8, 7, 8, 9]
    (found,) = fill([Places(2, line(1, 2, 3, 4, 5, 6, 7, clubs=clubs), each_club=True)], {2: Reason.DECLINED})
    assert said([found]) == [{1: None, 4: None, 5: 2, 6: None, 7: None}]
    assert found.missing == 1


def test_the_same_values_give_the_same_places():
    quotas = [Places(2, line(1, 2, 2, 4)), Places(1, line(1, 2, 3, 4))]
    assert fill(quotas, {1: Reason.DECLINED}) == fill(quotas, {1: Reason.DECLINED})
