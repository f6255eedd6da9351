"""The solver against a slow one that tries everything, and against what holds whatever the cards are."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import get_rulebook
from scoring.answers import answer_case
from scoring.cards import FULL_PACK, trump_order
from scoring.game import Deal
from scoring.game.cases import CannotAnswer
from scoring.game.steps import legal_cards
from scoring.outcomes import Outcome
from scoring.rulebooks import rulebooks
from scoring.seats import ACTIVE, Role, Seating
from scoring.settlement import IllegalResult
from scoring.solver import (
    CannotSolveError,
    CardPosition,
    DealSolver,
    Makeable,
    Value,
    makeable,
    solve,
    solve_outcome,
)
from scoring.solver.exchanges import sampled_positions
from scoring.solver.levels import levels_of
from scoring.solver.search import TALLY_MASK
from scoring.solver.solving import play_in, winners_of
from tests.scoring.plain_minimax import plain_value, shortened_deal, shortened_deals
from tests.scoring.slow_solver import slow_outcome

if TYPE_CHECKING:
    from scoring.rulebook import Rulebook


def variants() -> list[Rulebook]:
    """Each rulebook as it is, and with its options switched on, the matadors' privilege read literally."""
    found = []
    for rulebook in rulebooks():
        switches = {spec.name: True for spec in rulebook.option_specs if spec.default is False}
        found += [get_rulebook(rulebook.id), get_rulebook(rulebook.id, switches)]
    return found


def name_of(rulebook: Rulebook) -> str:
    return f"{rulebook.id}-{'options' if rulebook.house.literal_matador_privilege else 'usual'}"


def tricks_and_outcome(position: CardPosition) -> Value:
    solution = solve(position)
    assert solution.exact
    return Value(solution.outcome, solution.tricks)


@pytest.mark.parametrize("rulebook", variants(), ids=name_of)
def test_best_play_is_what_trying_every_card_finds(rulebook: Rulebook) -> None:
    for position in shortened_deals(rulebook, Random(1), cards=2 if 5 in rulebook.players else 3, count=24):
        assert tricks_and_outcome(position) == plain_value(position)


@pytest.mark.slow
@pytest.mark.parametrize("rulebook", variants(), ids=name_of)
def test_best_play_is_what_trying_every_card_finds_in_two_thousand_deals(rulebook: Rulebook) -> None:
    for position in shortened_deals(rulebook, Random(2), cards=2, count=1600):
        assert tricks_and_outcome(position) == plain_value(position)
    # Five hands of three cards are a million lines each.
    for position in shortened_deals(rulebook, Random(3), cards=2 if 5 in rulebook.players else 3, count=400):
        assert tricks_and_outcome(position) == plain_value(position)


@pytest.mark.slow
def test_best_play_of_four_and_five_cards_is_what_trying_every_card_finds() -> None:
    for cards, count in ((4, 20), (5, 2)):
        for name in ("union", "crocodile"):
            for position in shortened_deals(get_rulebook(name), Random(cards), cards=cards, count=count):
                assert tricks_and_outcome(position) == plain_value(position)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_whole_deals_come_to_what_a_second_solver_finds(part: int) -> None:
    """200 deals of nine tricks in all, after an exchange, by three sets of rules in turn."""
    for seed in range(20 * part, 20 * part + 20):
        assert solve_outcome(position := whole_deal(seed)) == (slow_outcome(position), True)


def test_a_whole_deal_comes_to_what_a_second_solver_finds() -> None:
    position = whole_deal(1)
    assert solve_outcome(position) == (slow_outcome(position), True)


@pytest.mark.parametrize("rulebook", variants(), ids=name_of)
def test_the_best_of_the_cards_comes_to_the_value_and_none_to_more(rulebook: Rulebook) -> None:
    for position in shortened_deals(rulebook, Random(4), cards=2, count=20):
        solution = solve(position, cards=True)
        assert set(solution.cards) == set(position.legal)
        values, _levels = levels_of(play_in(position))
        ours = position.to_play in (position.declarer, position.partner)
        best = (max if ours else min)(solution.cards.values(), key=values.index)
        assert best == Value(solution.outcome, solution.tricks)


@pytest.mark.parametrize("rulebook", variants(), ids=name_of)
def test_the_line_is_legal_and_comes_to_the_value(rulebook: Rulebook) -> None:
    for position in shortened_deals(rulebook, Random(5), cards=4, count=20):
        solution = solve(position, line=True)
        literal = rulebook.house.literal_matador_privilege
        hands = {role: set(hand) for role, hand in position.hands.items()}
        size = len(position.playing)
        for number, (role, card) in enumerate(solution.line):
            led = solution.line[number - number % size][1] if number % size else None
            assert card in legal_cards(position.order, led, tuple(hands[role]), literal=literal)
            hands[role].remove(card)
        assert not any(hands.values())
        winners = winners_of(position, solution.line)
        side = (position.declarer, position.partner)
        assert sum(winner in side for winner in winners) == solution.tricks


@pytest.mark.parametrize("rulebook", variants(), ids=name_of)
def test_positions_of_one_deal_are_solved_together_as_each_alone(rulebook: Rulebook) -> None:
    for position in shortened_deals(rulebook, Random(7), cards=4, count=6):
        solver, later = DealSolver(position), position
        for role, card in solver.solve(position, line=True).line[:-1]:
            later = after_card(later, role, card)
            assert solver.solve(later, cards=True) == solve(later, cards=True)
            assert solver.solve_outcome(later) == solve_outcome(later)
        assert solver.solve(position) == solve(position)


def after_card(position: CardPosition, role: Role, card: str) -> CardPosition:
    """The position after a card."""
    hands = position.hands | {role: tuple(held for held in position.hands[role] if held != card)}
    trick, winners = (*position.trick, (role, card)), position.winners
    to_play = position.playing[(position.playing.index(role) + 1) % len(position.playing)]
    if len(trick) == len(position.playing):
        winners = winners_of(position, ((role, card),))
        to_play, trick = winners[-1], ()
    opening = position.opening or position.hands
    return replace(position, hands=hands, trick=trick, winners=winners, to_play=to_play, opening=opening)


@pytest.mark.parametrize("rulebook", variants(), ids=name_of)
def test_tokens_are_the_same_with_a_line_and_without(rulebook: Rulebook) -> None:
    for position in shortened_deals(rulebook, Random(6), cards=3, count=24):
        assert solve(position).tokens == solve(position, line=True).tokens


@pytest.mark.parametrize("rulebook", variants(), ids=name_of)
def test_equal_tallies_have_the_same_values_and_the_same_further_tricks(rulebook: Rulebook) -> None:
    for position in shortened_deals(rulebook, Random(8), cards=2, count=24):
        _values, levels = levels_of(play_in(position))
        bounds: dict[int, set[tuple[int, int, int]]] = {}
        for tally, number in levels.classes.items():
            values = (bound - levels.bases[tally] for bound in levels.bounds[tally])
            bounds.setdefault(number, set()).add((tally & TALLY_MASK, *values))
        assert all(len(found) == 1 for found in bounds.values())


def test_to_a_pure_nolo_only_the_tricks_left_are_different() -> None:
    position = shortened_deal(
        get_rulebook("union"), 3, get_rulebook("union").by_id["pure_nolo"], Random(1), 2
    )
    _values, levels = levels_of(play_in(position))
    played = {number: tally & TALLY_MASK for tally, number in levels.classes.items()}
    assert len(played) == len(set(played.values())) == 10


def test_a_game_is_solved_too_when_no_trump_is_left() -> None:
    rulebook = get_rulebook("union")
    hands = {Role.FH: ("DJ", "D3"), Role.MH: ("HQ", "D7"), Role.BH: ("HJ", "H2")}
    position = replace(
        shortened_deal(rulebook, 3, rulebook.by_id["solo"], Random(1), 2),
        declarer=Role.FH,
        trump="C",
        hands=hands,
        winners=(Role.MH, Role.BH, Role.MH, Role.MH, Role.MH, Role.BH, Role.BH),
        to_play=Role.BH,
    )
    assert tricks_and_outcome(position) == plain_value(position) == Value(Outcome.KODILLE, 1)


def dealt(seed: int, rulebook_id: str = "union") -> Deal:
    return Deal.dealt(get_rulebook(rulebook_id), Seating(4, 0), seed)


# The rules of the whole deals that two solvers play.
WHOLE = (("union", {}), ("rasle", {}), ("union", {"literal_matador_privilege": True}))


def whole_deal(seed: int) -> CardPosition:
    """A deal after the exchange: the rules and contract by the seed, the declarer has the longest suit."""
    random = Random(seed)
    name, options = WHOLE[seed % len(WHOLE)]
    rulebook = get_rulebook(name, options)
    while True:
        deal = Deal.dealt(rulebook, Seating(4, 0), random.randrange(10_000))
        contract = random.choice(
            [row for row in rulebook.contracts_at(4) if not row.fourth_joins | row.by_fourth]
        )
        declarer, trump = max(
            ((role, suit) for role in ACTIVE for suit in contract.suits or (None,)),
            key=lambda one: sum(card[0] == one[1] for card in deal.hands[one[0]]),
        )
        try:
            return next(sampled_positions(deal, declarer, contract, trump, 1, random))
        except (CannotSolveError, IllegalResult):
            continue


def solo(hands: dict[Role, tuple[str, ...]], declarer: Role, trump: str, **options: bool) -> CardPosition:
    rulebook = get_rulebook("rasle", options)
    return CardPosition(
        rulebook=rulebook,
        players=4,
        contract=rulebook.by_id["solo"],
        declarer=declarer,
        trump=trump,
        hands=hands,
        playing=ACTIVE,
        to_play=Role.FH,
    )


# Every better outcome has a greater number.
WORTH = {Outcome.KODILLE: 0, Outcome.BETE: 1, Outcome.WON: 2}


def swaps_of_trumps(deal: Deal, declarer: Role, trump: str) -> list[tuple[str, str]]:
    """A trump of the declarer and a higher one in the talon, in every way."""
    trumps = trump_order(deal.rulebook.by_id["solo"].kind, trump)
    return [
        (low, high)
        for place, high in enumerate(trumps)
        for low in trumps[place + 1 :]
        if low in deal.hands[declarer] and high in deal.talon
    ]


def with_swap(deal: Deal, declarer: Role, low: str, high: str) -> dict[Role, tuple[str, ...]]:
    return {**deal.hands, declarer: tuple(high if card == low else card for card in deal.hands[declarer])}


@settings(max_examples=30)
@given(
    seed=st.integers(0, 10_000),
    declarer=st.sampled_from(ACTIVE),
    trump=st.sampled_from("HDC"),
    pick=st.randoms(),
)
def test_a_higher_trump_in_place_of_a_lower_never_makes_it_worse_if_it_beats_the_same_trumps(
    seed: int, declarer: Role, trump: str, pick: Random
) -> None:
    deal = dealt(seed, "rasle")
    order = solo(dict(deal.hands), declarer, trump).order
    held = [card for role, hand in deal.hands.items() for card in hand if role is not declarer]

    def beaten(card: str) -> tuple[list[str], bool]:
        lower = [other for other in held if order.strength[other] < order.strength[card]]
        return lower, card in order.matadors

    swaps = [
        (low, high) for low, high in swaps_of_trumps(deal, declarer, trump) if beaten(low) == beaten(high)
    ]
    if not swaps:
        return
    before, _exact = solve_outcome(solo(dict(deal.hands), declarer, trump))
    after, _exact = solve_outcome(solo(with_swap(deal, declarer, *pick.choice(swaps)), declarer, trump))
    assert after is before


@pytest.mark.slow
def test_a_higher_trump_can_lose_where_it_wins_a_trick_that_the_weaker_opponent_should_have() -> None:
    """Four tricks win against 3 and 2 and lose against 4 and 1: with the three instead of the six MH takes a trick
    too many from the opponent who has few, and then one too few elsewhere.
    """
    deal = dealt(307, "rasle")
    six, three = (solo(with_swap(deal, Role.MH, "H6", card), Role.MH, "H") for card in ("H6", "H3"))
    assert (solve_outcome(six)[0], slow_outcome(six)) == (Outcome.WON, Outcome.WON)
    assert (solve_outcome(three)[0], slow_outcome(three)) == (Outcome.BETE, Outcome.BETE)


@pytest.mark.slow
def test_a_higher_trump_helps_ten_times_as_often_as_it_harms() -> None:
    better = worse = 0
    for seed in range(250):
        deal, declarer, trump = dealt(seed, "rasle"), ACTIVE[seed % 3], "HDC"[seed // 3 % 3]
        for low, high in swaps_of_trumps(deal, declarer, trump)[:1]:
            before, _exact = solve_outcome(solo(dict(deal.hands), declarer, trump))
            after, _exact = solve_outcome(solo(with_swap(deal, declarer, low, high), declarer, trump))
            better += WORTH[after] > WORTH[before]
            worse += WORTH[after] < WORTH[before]
    assert better >= 10
    assert better > 10 * worse


def test_whoever_holds_the_nine_top_trumps_wins_every_trick() -> None:
    trumps = trump_order(get_rulebook("union").by_id["solo"].kind, "H")
    rest = [card for card in FULL_PACK if card not in trumps]
    hands = {Role.FH: tuple(rest[:9]), Role.MH: tuple(trumps[:9]), Role.BH: tuple(rest[9:18])}
    solution = solve(solo(hands, Role.MH, "H"), line=True)
    assert (solution.outcome, solution.tricks) == (Outcome.WON, 9)


def test_the_side_to_lead_may_have_a_single_card() -> None:
    rulebook = get_rulebook("union")
    position = shortened_deal(rulebook, 3, rulebook.by_id["pure_nolo"], Random(1), 1)
    solution = solve(position, line=True, cards=True)
    assert len(solution.line) == 3
    assert set(solution.cards.values()) == {Value(solution.outcome, solution.tricks)}


def test_at_its_limit_the_solver_says_the_best_that_is_proven() -> None:
    position = solo(dict(dealt(3).hands), Role.FH, "D")
    exact = solve(position)
    limited = solve(position, limit=20)
    assert exact.exact
    assert not limited.exact
    assert limited.tokens is None
    assert WORTH[limited.outcome] <= WORTH[exact.outcome]


def test_a_deal_of_four_hands_with_mort_is_solved() -> None:
    rulebook = get_rulebook("rasle", {"mort": True})
    position = shortened_deal(rulebook, 4, rulebook.by_id["mort"], Random(7), 9)
    assert Role.IDLE in position.hands
    assert solve_outcome(position)[1]


def test_a_nolo_that_others_joined_is_what_the_declarer_can_force_against_all() -> None:
    rulebook = get_rulebook("rasle", {"joint_simple_nolo": True})
    position = replace(
        shortened_deal(rulebook, 3, rulebook.by_id["simple_nolo"], Random(2), 3),
        joined=(Role.BH,),
        declarer=Role.FH,
    )
    assert tricks_and_outcome(position) == plain_value(position)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"hands": {Role.FH: ("SA",), Role.MH: ("H2",)}}, "hands are those of FH, MH, BH"),
        (
            {"hands": {Role.FH: ("SA",), Role.MH: ("SA",), Role.BH: ("H2",)}},
            "each card of the pack can be held once",
        ),
        (
            {"hands": {Role.FH: ("S8",), Role.MH: ("SA",), Role.BH: ("H2",)}},
            "each card of the pack can be held once",
        ),
        ({"hands": {Role.FH: ("SA", "H3"), Role.MH: ("S2",), Role.BH: ("H2",)}}, "FH holds 2 cards, not 1"),
        ({"trump": None}, "solo is played with a trump suit"),
    ],
)
def test_what_is_no_position_is_refused(change: dict[str, object], says: str) -> None:
    rulebook = get_rulebook("union")
    position = shortened_deal(rulebook, 3, rulebook.by_id["solo"], Random(1), 1)
    with pytest.raises(CannotSolveError, match=says):
        solve(replace(position, **change))


def test_contracts_without_an_exchange_need_one_sample() -> None:
    deal = dealt(1)
    found = makeable(deal, Role.BH, deal.rulebook.by_id["pure_nolo"], None)
    assert found.solved == 1


def test_the_same_seed_gives_the_same_share() -> None:
    deal = dealt(1)
    rows = [
        makeable(deal, Role.BH, deal.rulebook.by_id["solo"], "H", samples=4, seed=5) for _again in range(2)
    ]
    assert rows[0] == rows[1]
    assert rows[0].solved == 4


@pytest.mark.parametrize(
    ("made", "solved", "interval"), [(0, 0, (0.0, 1.0)), (29, 30, (0.833, 0.994)), (30, 30, (0.886, 1.0))]
)
def test_the_interval_of_a_share_is_wilsons(made: int, solved: int, interval: tuple[float, float]) -> None:
    low, high = Makeable(made, solved).interval
    assert (round(low, 3), round(high, 3)) == interval


def test_who_may_not_play_a_contract_is_told_so() -> None:
    deal = dealt(0)
    with pytest.raises(CannotSolveError, match="definition_needs_cards"):
        makeable(deal, Role.FH, deal.rulebook.by_id["grand_tourne"], "S")


def test_under_forced_spadille_others_may_outbid_its_holder() -> None:
    rulebook = get_rulebook("union", {"forced_spadille": True})
    deal = Deal.dealt(rulebook, Seating(4, 0), 3)
    assert "SA" in deal.hands[Role.FH]
    for role in (Role.FH, Role.MH, Role.BH):
        assert makeable(deal, role, rulebook.by_id["pure_nolo"], None).solved == 1
    assert makeable(deal, Role.FH, rulebook.by_id["simple_game"], "H", samples=1).solved == 1
    # The lowest bid is the holder's.
    with pytest.raises(CannotSolveError, match="this player cannot play this contract here"):
        makeable(deal, Role.MH, rulebook.by_id["simple_game"], "H", samples=1)


CASE = {
    "id": "S-1",
    "kind": "solve",
    "rulebook": "union",
    "players": 4,
    "situation": {
        "contract": "pure_nolo",
        "declarer": "MH",
        "hands": {
            "FH": ["C4", "C6", "C7", "CQ", "DA", "H6", "HA", "HK", "SQ"],
            "MH": ["D2", "H2", "H3", "H4", "H7", "S2", "S4", "S6", "SA"],
            "BH": ["C5", "CA", "CJ", "CK", "D4", "D5", "DQ", "H5", "SK"],
        },
    },
}


def test_a_case_is_answered_with_outcome_tricks_tokens_and_a_line() -> None:
    answer = answer_case(CASE)
    assert (answer["outcome"], answer["tricks"], answer["tokens"], answer["exact"]) == ("won", 0, 8, True)
    assert len(answer["line"]) == 27


@pytest.mark.parametrize(
    ("options", "order"),
    [({}, ["FH", "IDLE", "MH", "BH"]), ({"sits_out": "dealer"}, ["FH", "MH", "BH", "IDLE"])],
    ids=json.dumps,
)
def test_a_fourth_hand_plays_where_its_player_sits(options: dict[str, str], order: list[str]) -> None:
    cards = list(FULL_PACK)
    Random(9).shuffle(cards)
    hands = {role: cards[at * 9 : at * 9 + 9] for at, role in enumerate(("FH", "MH", "BH", "IDLE"))}
    mort = {"contract": "mort", "declarer": "IDLE", "trump": "H", "hands": hands}
    case = {"kind": "solve", "rulebook": "renegado", "players": 4, "options": options, "situation": mort}
    assert [seat for seat, _card in answer_case(case)["line"][:4]] == order


@pytest.mark.parametrize(
    "change",
    [
        {"contract": "whist"},
        {"contract": None},
        {"hands": None},
        {"hands": {"FH": "SA"}},
        {"hands": {"XX": ["SA"]}},
        {"hands": {"FH": ["SA"], "MH": ["S2"], "BH": ["S3"]}},
        {"declarer": 3},
        {"declarer": "IDLE"},
        {"trump": 7},
        {"trump": "H"},
        {"contract": "solo"},
        {"contract": "solo", "trump": "Z"},
        {"joined": "FH"},
        {"joined": ["MH"]},
    ],
    ids=json.dumps,
)
def test_a_case_that_is_no_position_is_refused_in_words(change: dict[str, object]) -> None:
    with pytest.raises(CannotAnswer):
        answer_case({**CASE, "situation": {**CASE["situation"], **change}})
