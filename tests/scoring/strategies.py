"""Hypothesis strategies: results as they could be typed, sensible or not."""

from hypothesis import strategies as st

from scoring.cards import FULL_PACK, SUITS
from scoring.results import DealResult, in_order
from scoring.seats import PLAYING, ROLES, Role
from scoring.words import BONUS_NAMES, CONTRACT_NAMES, OUTCOME_NAMES

WON_OR_FAILED = st.sampled_from(["won", "failed"])
OUTCOMES = [outcome for outcome in OUTCOME_NAMES if outcome != "washout"]


def deal_results(players, contracts=tuple(CONTRACT_NAMES)):
    """Any result with a contract and a declarer, its tricks from 0 to 9 each."""
    seats = st.sampled_from(ROLES[players])
    fields = st.fixed_dictionaries(
        {
            "contract": st.sampled_from(contracts),
            "declarer": seats,
            "trump": st.none() | st.sampled_from(SUITS),
            "tricks": st.dictionaries(seats, st.integers(0, 9)).map(
                lambda counts: tuple((role, counts[role]) for role in in_order(counts))
            ),
            "outcome": st.none() | st.sampled_from(OUTCOMES),
            "played_out": st.none() | st.booleans(),
        },
        optional=rare_fields(seats),
    )
    return fields.map(lambda fields: DealResult(**fields))


def rare_fields(seats):
    return {
        "tout": WON_OR_FAILED,
        "first_five_by": seats | st.just("OPP"),
        "led_sixth": st.just(True),
        "claimed_after": st.integers(0, 9),
        "five_first": WON_OR_FAILED,
        "abandoned": st.just(True),
        "declarer_has_played": st.just(True),
        "foul": seats,
        "joined": some(seats),
        "idle_abandoned": st.just(True),
        "exchange_repeated": st.just(True),
        "aces": st.just(True),
        "pool": st.integers(0, 60),
        "estuches": st.integers(0, 13),
        "turned": st.sampled_from(FULL_PACK),
        "bonus_bid": st.sets(st.sampled_from(list(BONUS_NAMES)), min_size=1, max_size=2).map(
            lambda bids: tuple(bid for bid in BONUS_NAMES if bid in bids)
        ),
        "before_trick": st.integers(0, 5),
        "accepted_by": some(seats),
        "takeover": seats,
        "won_by": some(seats),
        "partner": seats,
        "nine_matadors": seats,
    }


def some(seats):
    """One seat or more, in the order of reports."""
    return st.sets(seats, min_size=1).map(lambda roles: tuple(in_order(dict.fromkeys(roles))))


@st.composite
def sensible_results(draw, book, players):
    """A result as a table could have it: nine tricks dealt out, what the rulebook needs told, little else."""
    contract = draw(st.sampled_from(book.contracts_at(players)))
    declarer = draw(st.sampled_from(contract.declarers_at(players)))
    joins = contract.fourth_joins and players == 4
    hands = ROLES[players] if joins or contract.by_fourth else PLAYING[players]
    cuts = sorted(
        draw(st.lists(st.integers(0, book.house.tricks), min_size=len(hands) - 1, max_size=len(hands) - 1))
    )
    counts = [after - before for before, after in zip([0, *cuts], [*cuts, book.house.tricks], strict=True)]
    fields = {
        "contract": contract.id,
        "declarer": declarer,
        "tricks": tuple(
            (role, dict(zip(hands, counts, strict=True))[role]) for role in in_order(dict.fromkeys(hands))
        ),
        "played_out": draw(st.sampled_from([None, True])),
        "joined": (Role.IDLE,) if joins else (),
        "pool": draw(st.integers(0, 60)) if book.pool else None,
        "estuches": draw(st.integers(1, 12))
        if book.house.estuche_price and book.house.counts_estuches
        else None,
        "first_five_by": draw(st.none() | st.just("OPP") | st.just(declarer)),
        "bonus_bid": draw(st.sampled_from([(), (), *((bid,) for bid in contract.bonus_bids)])),
    }
    if contract.with_partner:
        fields["partner"] = draw(st.sampled_from([role for role in hands if role is not declarer]))
    return DealResult(**fields)


@st.composite
def deals(draw):
    """A deal's number, its result, the players at the table and the position that dealt deal 1."""
    players = draw(st.sampled_from([2, 3, 4, 5]))
    washouts = st.builds(lambda pool: DealResult(all_passed=True, pool=pool), st.none() | st.integers(0, 99))
    result = draw(washouts | deal_results(players))
    return draw(st.integers(1, 80)), result, players, draw(st.integers(0, players - 1))
