"""What bots bid, name, throw away and promise, with hands that leave no doubt."""

import pytest

from scoring import get_rulebook
from scoring.bots import bidding
from scoring.bots.hands import (
    Way,
    avoiding_risk,
    game_estimate,
    guarded_queens,
    nolo_order,
    plan_for,
    voids,
    way_of,
)
from scoring.cards import Ranking
from scoring.game import SANS, Act, Auction, Holdings, Step
from scoring.seats import Role
from tests.scoring.bots.eyes import cards, seen

UNION, RASLE = get_rulebook("union"), get_rulebook("rasle")
CROCODILE, RENEGADO = get_rulebook("crocodile"), get_rulebook("renegado")
SPANISH = Ranking.SPANISH


def called(hand, *, calls=(), rulebook=UNION, role="FH"):
    """What a bot calls with this hand after some calls."""
    holdings = Holdings({Role(role): frozenset(cards(hand))})
    auction = Auction.start(rulebook, 3, holdings)
    for step in calls:
        auction = auction.after(step)
    eyes = seen(
        hand, role=role, contract=None, rulebook=rulebook, bid=auction.bid and auction.bid.id,
        others_passed=auction.bid is None and auction.standing == (Role(role),),
    )  # fmt: skip
    step = bidding.call(eyes, auction.legal_calls())
    return step.value or step.act.value


def said(role, act, value=None):
    return Step(Role(role), Act(act), value)


@pytest.mark.parametrize(
    ("hand", "bid"),
    [
        ("SA C2 C5 C6 HK D3 D4 H5 S3", "simple_game"),
        ("SA H7 HA HK HQ HJ DK SK SQ", "solo"),
        ("SA S2 CA SK SQ SJ HK HQ DK", "solo"),
        ("SA S2 S3 H7 H6 D7 D6 CA C2", "nolo_ouvert"),
        ("D2 D3 D4 H2 H3 H4 S3 SQ CJ", "pass"),
    ],
)
def test_forehand_bids_what_the_hand_is_good_for(hand, bid):
    assert called(hand) == bid


def test_priority_is_used_and_a_hand_bid_away_is_passed():
    bid = [said("FH", "pass"), said("MH", "bid", "simple_game"), said("BH", "bid", "spade_game")]
    assert called("S2 S5 S6 S7 HK D3 D4 H5 C3", role="MH", calls=bid) == "spade_game"
    solo = [said("FH", "bid", "solo")]
    assert called("C2 C5 C6 C7 HK D3 D4 H5 S3", role="MH", calls=solo) == "pass"


def test_who_must_bid_bids_the_best_there_is():
    forced = get_rulebook("union", {"forced_spadille": True})
    assert called("SA D2 D3 H2 H3 H4 S3 C3 D4", rulebook=forced) == "simple_game"


@pytest.mark.parametrize(
    ("hand", "choices", "contract"),
    [
        ("SA S2 S5 S6 HK DK D4 H5 C3", ("solo", "spade_solo"), "spade_solo"),
        ("S2 S3 SA H7 H5 D7 D6 C2 CA", ("simple_game", "simple_nolo"), "simple_nolo"),
    ],
)
def test_the_contract_is_what_promises_most(hand, choices, contract):
    assert bidding.choose_contract(seen(hand, contract="simple_game", trump=None), choices) == contract


@pytest.mark.parametrize(
    ("hand", "contract", "rulebook", "named"),
    [
        ("SA C2 C5 C6 HK D3", "simple_game", UNION, "C"),
        ("SK SQ HK HQ DK DQ CK CQ S7", "casco", CROCODILE, SANS),
        ("SK SQ SJ S7 S6 HK D2 D3 C4", "casco", CROCODILE, "S"),
        ("SK HJ HQ HK D3 D4 D5 D6 D2", "contrabola", RENEGADO, "H"),
    ],
)
def test_trumps_are_the_best_suit(hand, contract, rulebook, named):
    eyes = seen(hand, role="FH", contract=contract, trump=None, rulebook=rulebook)
    suits = (*"SHDC", SANS) if rulebook is CROCODILE else tuple("SHDC")
    if contract == "contrabola":
        suits = tuple("SHD")
    assert bidding.choose_trump(eyes, suits) == named


def test_a_king_is_called_of_the_longest_side_suit():
    eyes = seen("CQ CJ H3 H4 H5 D2 S3 S4", contract="simple_game", role="FH", king=None)
    assert bidding.choose_king(eyes, ("SK", "HK", "DK", "CK")) == "HK"


@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        ("SA C2 C5 HK H3 D4 S3 SQ DJ", {"H3", "D4", "S3", "SQ", "DJ"}),
        ("SA C2 CA C5 C6 C7 CK HK HQ", {"HQ"}),
    ],
)
def test_a_declarer_keeps_trumps_and_kings_and_throws_one_at_least(hand, thrown):
    eyes = seen(hand, role="FH")
    assert set(bidding.choose_discards(eyes, (1, 9))) == thrown


def test_the_first_defender_leaves_some_cards_for_the_second():
    eyes = seen("D4 D5 D6 H2 H3 H4 S3 S4 S5", talon=6, exchanged={Role.FH: ("?",)})
    first = bidding.choose_discards(eyes, (0, 6))
    second = bidding.choose_discards(eyes._replace(exchanged={Role.FH: (), Role.BH: ()}), (0, 6))
    assert (len(first), len(second)) == (4, 6)


def test_in_a_nolo_high_cards_go():
    nolo = seen("SA S2 H7 HK DK D7 CA C2 CQ", role="FH", contract="simple_nolo", trump=None, rulebook=RASLE)
    assert set(bidding.choose_discards(nolo, (0, 9))) == {"HK", "DK", "CQ"}
    assert bidding.choose_discards(nolo._replace(hand=cards("SA S2 S3 H7 H6 D7 D6 CA C2")), (1, 9)) != ()
    joined = nolo._replace(hand=cards("SA S2 HK H7 DK D7 CK CA C2 SK C3 S3 S4"))
    assert set(bidding.choose_laid_off(joined, 4)) == {"HK", "DK", "CK", "SK"}
    hopeless = nolo._replace(hand=cards("SK SQ SJ HK HQ HJ DK DQ DJ"))
    assert len(bidding.second_exchange(hopeless, 4)) == 4
    assert bidding.second_exchange(nolo._replace(hand=cards("SA S2 S3 H7 H6 D7 D6 CA C2")), 4) == ()


def test_in_kaske_a_card_goes_with_the_new_ones_or_none():
    kaske = get_rulebook("rasle", {"kaske": True})
    new = "CK CQ C5 HK D3 D4 S3 S4"
    eyes = seen(f"SA H2 H3 H4 D5 D6 D7 S5 S6 {new}", role="FH", contract="kaske", trump=None, rulebook=kaske)
    assert set(bidding.choose_discards(eyes, (8, 9))) == set(cards("H2 H3 H4 D5 D6 D7 S5 S6"))
    poor = eyes._replace(hand=cards(f"H6 H2 H3 H4 D5 D6 D7 H5 HA {new}"))
    assert len(bidding.choose_discards(poor, (8, 9))) == 9


def test_against_a_nolo_a_few_high_cards_go():
    buys = get_rulebook("rasle", {"nolo_defenders_exchange": True})
    eyes = seen("SK S2 HK H7 DK D7 CQ CA C2", contract="simple_nolo", trump=None, rulebook=buys)
    assert set(bidding.choose_discards(eyes, (0, 9))) <= set(cards("SK HK DK CQ"))


@pytest.mark.parametrize(
    ("hand", "contract", "promised"),
    [
        ("SK SQ SJ S7 S6 HK HQ DK CK", "solo", "primeras"),
        ("SK SQ SJ S7 S6 S5 S4 S3 HK", "solo", "tout"),
        ("SK SQ SJ S7 S6 S5 HK HQ HJ", "solo", "primeras"),
        ("SK S3 S2 H3 H2 HA D3 D2 DA", "play", None),
        ("SA S2 S3 HA H2 DA D2 CA C2", "nolo_ouvert", "talking_ouvert"),
        ("SK S2 S3 HK H2 DA D2 CA C2", "nolo_ouvert", None),
    ],
)
def test_only_the_strongest_hands_promise(hand, contract, promised):
    trump = None if contract == "nolo_ouvert" else "S"
    eyes = seen(hand, role="FH", contract=contract, trump=trump, rulebook=CROCODILE)
    offers = ("talking_ouvert",) if trump is None else ("cuatro", "primeras", "tout")
    steps = (*(Step(Role.FH, Act.PROMISE, bid) for bid in offers), Step(Role.FH, Act.NO))
    assert bidding.promise(eyes, steps).value == promised
    assert bidding.promise(eyes, steps[-1:]).act is Act.NO


def test_a_safe_hand_joins_a_nolo():
    assert bidding.joins(seen("SA S2 S3 H7 H6 D7 D6 CA C2", contract="simple_nolo", trump=None))
    assert not bidding.joins(seen("SK SQ SJ HK HQ HJ DK DQ DJ", contract="simple_nolo", trump=None))


def test_a_safe_hand_takes_one_card_more_and_lies_open():
    assert bidding.takes_one_more(seen("SA S2 S3 H7 H6 D7 D6 CA C2", contract="simple_nolo", trump=None))
    assert not bidding.takes_one_more(seen("SK SQ SJ HK HQ HJ DK DQ DJ", contract="simple_nolo", trump=None))


def test_the_second_defender_is_left_his_turn():
    eyes = seen("SA", rulebook=CROCODILE, contract="play")
    assert (bidding.offers(eyes), bidding.accepts_offer(eyes)) == (False, True)


@pytest.mark.parametrize(
    ("rulebook", "contract", "way"),
    [
        (UNION, "simple_game", Way.BOUGHT),
        (UNION, "solo", Way.AS_DEALT),
        (UNION, "simple_nolo", Way.NOLO_BOUGHT),
        (UNION, "pure_nolo", Way.NOLO_AS_DEALT),
        (UNION, "nolo_ouvert", Way.NOLO_OPEN),
        (CROCODILE, "grand", Way.GRAND),
        (CROCODILE, "grandissimo", Way.GRANDISSIMO),
        (CROCODILE, "tournee_respect", Way.ONE_CARD),
        (RENEGADO, "gascarola", Way.UNKNOWN_CARDS),
        (RENEGADO, "voltereta", Way.LATE),
        (RENEGADO, "contrabola", Way.CONTRABOLA),
        (get_rulebook("ombre_five"), "ask_leave", Way.WITH_PARTNER),
    ],
)
def test_ways_of_playing(rulebook, contract, way):
    assert way_of(rulebook.by_id[contract]) is way


def test_a_better_hand_has_a_better_chance():
    hands = ["D2 D3 D4 H2 H3 H4 S3 S4 C3", "C2 C5 D4 H2 HK H4 S3 S4 C3", "SA C2 C5 CK HK H4 S3 S4 C3"]
    for contract in ("simple_game", "tourne", "solo"):
        chances = [plan_for(UNION.by_id[contract], cards(hand), UNION).chance for hand in hands]
        assert chances == sorted(chances)


def test_what_cards_are_worth():
    assert set(game_estimate(cards("SA C5 HK HQ HJ DQ S3"), "C", SPANISH).keep) == set(
        cards("SA C5 HK HQ HJ")
    )
    assert guarded_queens(cards("HQ H3 DQ SK SQ"), "C", SPANISH) == pytest.approx(0.2)
    assert voids(cards("SA C5 H3"), "C", SPANISH) == 2


def test_a_nolo_hand_is_safe_with_low_cards_and_small_gaps():
    order = nolo_order(SPANISH)
    assert avoiding_risk(cards("SA S3 S5"), order) == {"SA": 0, "S3": 0, "S5": 0}
    assert avoiding_risk(cards("HK"), order) == {"HK": 9}
    assert avoiding_risk(cards("SA SK"), order) == {"SA": 0, "SK": 3.5}
