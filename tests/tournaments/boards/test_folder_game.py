"""A folder played against bots: the moves are the whole state, and the engine validates them from the deal on."""

from __future__ import annotations

from random import Random

import pytest

from scoring import get_rulebook
from scoring.bots import next_step
from scoring.game import Act, Step
from scoring.seats import Role
from tournaments.boards.dealing import deal_folder
from tournaments.boards.folder_game import (
    LONGEST,
    MOST_MOVES,
    UnreadableMovesError,
    deal_of_folder,
    play,
    read_moves,
    review,
    seats_to_play,
    write_moves,
)

SEED = "5eed"
# Rulebooks that boards are played by, with options for who sits out, the fourth player, and the matadors.
RULES = [
    ("union", {}),
    ("union", {"literal_matador_privilege": True, "forced_spadille": True}),
    ("la_bete", {}),
    ("rasle", {"sits_out": "dealer"}),
    (
        "rasle",
        {"mort": True, "mort_nolo": True, "kaske": True, "joint_simple_nolo": True, "nolo_for_all": True},
    ),
    ("crocodile", {}),
    ("ombre_intro", {}),
]


def rulebook_with(name, options):
    """The rulebook, with those of the options that it has."""
    known = {spec.name for spec in get_rulebook(name).option_specs}
    return get_rulebook(name, {option: value for option, value in options.items() if option in known})


def deal_of(number=1, rulebook=None):
    return deal_of_folder(rulebook or get_rulebook("union"), deal_folder(SEED, number))


def play_out(deal, role, choose):
    """Play to the end with a person who chooses so, sending all moves anew as text each time."""
    rulebook, text = deal.rulebook, ""
    for _turn in range(MOST_MOVES):
        game = play(deal, role, read_moves(text, role, rulebook))
        assert game.refused is None
        if game.is_over:
            return game
        assert game.state.to_act is role
        text = write_moves([*game.moves, choose(game.state)], rulebook)
        assert len(text) < LONGEST
    raise AssertionError("the deal does not end")


@pytest.mark.parametrize(("name", "options"), RULES)
def test_every_seat_is_played_to_the_end_by_whatever_is_legal(name, options):
    rulebook = rulebook_with(name, options)
    rash = Random(1)

    def choose(state):
        own = [step for step in state.legal_steps() if step.role is state.to_act]
        return rash.choice(own)

    for number in range(1, 5):
        for role in seats_to_play(rulebook):
            game = play_out(deal_of(number, rulebook), role, choose)
            assert game.state.result() is not None


def test_the_fourth_player_has_a_seat_only_where_one_may_play():
    assert Role.IDLE not in seats_to_play(get_rulebook("union"))
    assert Role.IDLE in seats_to_play(get_rulebook("rasle"))
    assert Role.IDLE not in seats_to_play(get_rulebook("crocodile"))


def test_a_person_who_plays_as_a_bot_comes_to_what_bots_come_to():
    def as_a_bot(state):
        return next_step(state, stops_for_others=False)

    alone = play(deal_of(), None)
    assert alone.is_over
    together = play_out(deal_of(), Role.FH, as_a_bot)
    assert together.state.winners[: len(alone.state.winners)] == alone.state.winners


def test_an_illegal_card_is_refused_and_the_moves_before_it_stand():
    turn = next_turn_that_follows(deal_of(), Role.FH)
    card = next(held for held in turn.state.hands[Role.FH] if held not in turn.state.legal_cards())
    game = play(
        deal_of(), Role.FH, [*turn.moves, Step(Role.FH, Act.PLAY, card), Step(Role.FH, Act.PLAY, "H2")]
    )
    assert game.refused is not None
    assert (game.refused.step.value, game.refused.problem.code) == (card, "must_follow")
    assert game.moves == turn.moves
    assert game.state.hands == turn.state.hands


def next_turn_that_follows(deal, role):
    """The first turn of a role in which some of its cards may not be played; all play as bots."""
    moves = []
    while True:
        game = play(deal, role, moves)
        state = game.state
        if state.to_play is role and len(state.legal_cards()) < len(state.hands[role]):
            return game
        moves = [*game.moves, next_step(state, stops_for_others=False)]


@pytest.mark.parametrize(
    "text",
    ["..", "bid", "SX", "pass-me", "play-SA", "exchange-SA-", "x" * (LONGEST + 1), ".".join(["SA"] * (MOST_MOVES + 1)),
     "\0", "🂡", "trump-H-D", "stop-now"],
)  # fmt: skip
def test_text_that_is_no_list_of_moves_is_refused(text):
    rulebook = get_rulebook("union")
    if text == "exchange-SA-":
        # An empty card is no card of any hand: the rules refuse it.
        moves = read_moves(text, Role.FH, rulebook)
        assert play(deal_of(), Role.FH, moves).refused is not None
        return
    with pytest.raises(UnreadableMovesError):
        read_moves(text, Role.FH, rulebook)


def test_a_bot_does_not_stop_the_deal_for_a_person_who_declares():
    """Folders on which a bot would have claimed for the declarer: the person decides, and plays on."""
    claimed = 0
    for number in range(1, 40):
        deal = deal_of(number)
        alone = play(deal, None).state
        if not alone.stopped or alone.declarer is None or alone.taken_over:
            continue
        claimed += 1
        game = play_out(deal, alone.declarer, lambda state: next_step(state, stops_for_others=False))
        stops = [step for step in game.state.steps if step.act is Act.STOP]
        assert all(step in game.moves for step in stops)
    assert claimed > 3


def test_a_review_has_the_solvers_line_and_the_cards_that_changed_the_outcome():
    deal = deal_of()
    worse = {"tried": 0}

    def lets_it_go(state):
        """As a bot before the play, then the first card that may be played."""
        if state.to_play is None or state.turns:
            return next_step(state, stops_for_others=False)
        worse["tried"] += 1
        return Step(state.to_play, Act.PLAY, min(state.legal_cards()))

    slips = []
    for role in (Role.FH, Role.MH, Role.BH):
        game = play_out(deal, role, lets_it_go)
        found = review(game, clock=lambda: 0.0)
        assert found.is_whole
        assert found.solution is not None
        assert [len(trick) for trick, _winner in found.tricks] == [3] * 9
        assert sum(winner is game.state.declarer for _trick, winner in found.tricks) == found.solution.tricks
        slips += [(role, slip) for slip in found.slips]
        for slip in found.slips:
            assert slip.before is not slip.after
            assert slip.better != slip.card
    assert slips, "cards played at random lose something"


def test_a_review_out_of_time_says_so():
    clock = iter([0.0] + [9.0] * 50)
    game = play_out(deal_of(), Role.FH, lambda state: next_step(state, stops_for_others=False))
    found = review(game, clock=lambda: next(clock))
    assert not found.is_whole
    assert found.slips == ()


def test_a_deal_that_all_pass_has_nothing_to_review():
    for number in range(1, 40):
        game = play(deal_of(number), None)
        if game.state.contract is None:
            assert review(game).solution is None
            return
    raise AssertionError("one of these folders is passed by all")
