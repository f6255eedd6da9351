"""Deals played by bots: nothing is broken, and the same seed gives the same deals."""

import pytest

from scoring import get_rulebook
from scoring.bots import deal_json, next_step, play_round
from scoring.game import Act, Phase, Step
from scoring.rulebooks import rulebooks
from tests.scoring.bots.invariants import broken
from tests.scoring.bots.rash import rash

TABLES = [(rulebook.id, players) for rulebook in rulebooks() for players in rulebook.players]
DEALS = 60


def bold(spec):
    """The option's value that is furthest from its default."""
    if spec.kind == "bool":
        return not spec.default
    if spec.kind == "choice":
        return next(value for value in reversed(spec.values) if value != spec.default)
    return spec.maximum if spec.default != spec.maximum else spec.minimum


@pytest.mark.parametrize(("rulebook", "players"), TABLES)
def test_every_deal_is_played_to_its_end_by_the_rules(rulebook, players):
    for played in play_round(get_rulebook(rulebook), players, DEALS, seed=17):
        assert broken(played) == [], deal_json(played)["text"]


OPTIONS = [
    (rulebook.id, spec.name) for rulebook in rulebooks() for spec in rulebook.option_specs if not spec.section
]


PLEDGED = ("rasle", "nolo_by_exchange")
# What else must be on for an option to be played by.
NEEDED = {
    "mort_nolo": ["mort"],
    "mort_nolo_must": ["mort", "mort_nolo"],
    "grand_rank": ["grand"],
    "grandissimo_rank": ["grand"],
}


@pytest.mark.parametrize(
    ("rulebook", "option"),
    # By one of them more cards are pledged than need be: the others add no line to those that are played.
    [one if one == PLEDGED else pytest.param(*one, marks=pytest.mark.slow) for one in OPTIONS],
)
def test_every_option_is_played_by(rulebook, option):
    default = get_rulebook(rulebook)
    spec = next(spec for spec in default.option_specs if spec.name == option)
    needed = dict.fromkeys(NEEDED.get(option, ()), True)
    switched = get_rulebook(rulebook, needed | {option: bold(spec)})
    for played in play_round(switched, max(default.players), DEALS // 3, seed=23):
        assert broken(played) == [], deal_json(played)["text"]


def insists_on_simple_nolo(state):
    """Whoever speaks first bids simple nolo, nobody bids more, and all else is as a bot does it."""
    if state.phase is not Phase.AUCTION:
        return next_step(state)
    bid = Step(state.to_act, Act.BID, "simple_nolo")
    return bid if state.auction.bid is None else Step(state.to_act, Act.PASS)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize(
    "option",
    [
        "joint_simple_nolo",
        "repeat_exchange",
        "nolo_by_exchange",
        "nolo_one_more",
        "nolo_for_all",
        "nolo_defenders_exchange",
    ],
)
def test_every_simple_nolo_is_played_by_the_rules(option, players):
    book = get_rulebook("rasle", {option: True})
    for played in play_round(book, players, DEALS // 2, seed=29, choose=insists_on_simple_nolo):
        assert played.result.contract == "simple_nolo"
        assert broken(played) == [], deal_json(played)["text"]


@pytest.mark.slow
@pytest.mark.parametrize(("rulebook", "players"), TABLES)
def test_whatever_is_legal_keeps_the_rules(rulebook, players):
    for seed in range(5):
        for played in play_round(get_rulebook(rulebook), players, DEALS // 5, seed, choose=rash(seed)):
            assert broken(played) == [], deal_json(played)["text"]


def test_the_same_seed_gives_the_same_deals():
    first, again = (
        [deal_json(played) for played in play_round(get_rulebook("union"), 4, 8, seed=5)] for _ in "12"
    )
    assert first == again
    assert first != [deal_json(played) for played in play_round(get_rulebook("union"), 4, 8, seed=6)]
