"""Hypothesis strategies: results as they could be typed, sensible or not."""

from hypothesis import strategies as st

from scoring.cards import SUITS
from scoring.results import DealResult, in_order
from scoring.seats import ROLES
from scoring.words import CONTRACT_NAMES

WON_OR_FAILED = st.sampled_from(["won", "failed"])


def deal_results(players):
    """Any result with a contract and a declarer, its tricks from 0 to 9 each."""
    seats = st.sampled_from(ROLES[players])
    fields = st.fixed_dictionaries(
        {
            "contract": st.sampled_from(list(CONTRACT_NAMES)),
            "declarer": seats,
            "trump": st.none() | st.sampled_from(SUITS),
            "tricks": st.dictionaries(seats, st.integers(0, 9)).map(
                lambda counts: tuple((role, counts[role]) for role in in_order(counts))
            ),
            "outcome": st.none() | st.sampled_from(["won", "bete", "kodille"]),
            "played_out": st.none() | st.booleans(),
        },
        optional=rare_fields(seats),
    )
    return fields.map(lambda fields: DealResult(**fields))


def rare_fields(seats):
    return {
        "tout": WON_OR_FAILED,
        "first_five_by": seats,
        "led_sixth": st.just(True),
        "claimed_after": st.integers(0, 9),
        "five_first": WON_OR_FAILED,
        "abandoned": st.just(True),
        "declarer_has_played": st.just(True),
        "foul": seats,
        "joined": st.sets(seats, min_size=1).map(lambda roles: tuple(in_order(dict.fromkeys(roles)))),
        "idle_abandoned": st.just(True),
        "exchange_repeated": st.just(True),
        "aces": st.just(True),
    }


@st.composite
def deals(draw):
    """A deal's number, its result, the players at the table and the position that dealt deal 1."""
    players = draw(st.sampled_from([3, 4]))
    result = draw(st.just(DealResult(all_passed=True)) | deal_results(players))
    return draw(st.integers(1, 80)), result, players, draw(st.integers(0, players - 1))
