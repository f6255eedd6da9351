"""Which deals of a season are the most instructive, and why; without a database."""

from tournaments.seasons.instructive import Candidate, Chance, Contract, Played, Reason, candidate, choose

SOLO = Contract("MH", "solo", "H", 5)
GAME = Contract("FH", "simple_game", "S", 1)


def played(contract, is_made, fh=0, mh=0):
    return Played(contract, is_made, {"FH": fh, "MH": mh})


def test_the_spread_is_the_largest_of_a_seat():
    found = candidate((1, 1, 1), [played(GAME, True, 4, -2), played(GAME, True, -6, 1)], [])
    assert found.spread == 10
    assert found.usual == GAME
    assert (found.chance, found.contested) == (None, None)


def test_a_contract_that_nobody_found_is_higher_than_all_that_were_played_and_surely_made():
    tables = [played(GAME, True), played(None, False)]
    chances = [Chance(SOLO, 24, 30), Chance(Contract("BH", "nolo_ouvert", "", 9), 23, 30)]
    assert candidate((1, 1, 1), tables, chances).chance == chances[0]
    assert candidate((1, 1, 1), [played(SOLO, True)], chances).chance is None
    assert candidate((1, 1, 1), tables, [Chance(SOLO, 0, 0)]).chance is None


def test_a_narrow_defence_is_made_and_beaten_by_the_same_seat():
    tables = [played(GAME, True), played(GAME, False), played(GAME, False), played(SOLO, True)]
    found = candidate((1, 1, 1), tables, [])
    assert (found.contested, found.made, found.beaten) == (GAME, 1, 2)
    assert found.contract_for(Reason.DEFENCE) == GAME


def test_a_folder_that_everybody_passed_says_nothing_but_what_could_be_made():
    found = candidate((1, 1, 1), [played(None, False), played(None, False)], [Chance(GAME, 30, 30)])
    assert [found.worth(reason)[0] > 0 for reason in Reason] == [False, True, False]
    assert candidate((1, 1, 1), [], []).worth(Reason.SPREAD) == (0, 0)


def test_the_reasons_take_turns_and_each_deal_is_chosen_once():
    wide = Candidate((1, 1, 1), 30, chance=Chance(SOLO, 30, 30))
    wider = Candidate((1, 1, 2), 20)
    narrow = Candidate((1, 1, 3), 10, contested=GAME, made=2, beaten=2)
    flat = Candidate((1, 1, 4), 0)
    chosen = choose([flat, narrow, wider, wide])
    assert [(one.key[2], reason) for one, reason in chosen] == [
        (1, Reason.SPREAD),
        (3, Reason.DEFENCE),
        (2, Reason.SPREAD),
    ]
    assert choose([narrow, wider, wide], most=2) == chosen[:2]
    assert choose([]) == []
