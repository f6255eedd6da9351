"""Whole deals: dealt from a seed, replayed, refused at the first illegal step, written and read; played by chance."""

from dataclasses import replace

import pytest

from scoring import get_rulebook
from scoring.cards import FULL_PACK
from scoring.game import (
    Act,
    Deal,
    IllegalStep,
    Step,
    UnreadableDeal,
    WrongCards,
    deal_of,
    read_deal,
    write_deal,
)
from scoring.game.steps import STEP_PROBLEMS
from scoring.results import DealResult
from scoring.seats import Role, Seating
from scoring.settlement import problems, settle
from tests.scoring.game.deals import after, played_by_chance, table

# Every rulebook at every table, and every option that changes how a deal goes.
VARIANTS = [
    ("union", 3, {}),
    ("union", 4, {"idle_settles": True, "forced_spadille": True}),
    ("rasle", 3, {"kaske": True, "grand": True, "first_five_bonus": True}),
    ("rasle", 3, {"joint_simple_nolo": True, "repeat_exchange": True, "literal_matador_privilege": True}),
    ("rasle", 4, {"kaske": True, "mort": True, "mort_nolo": True}),
    ("rasle", 4, {"joint_simple_nolo": True, "nolo_defenders_exchange": True, "forced_spadille": True}),
    ("rasle", 4, {"grand_tourne_holdings": "two_aces_or_seven", "aces_bonus": 2, "one_four_four": "won"}),
    ("la_bete", 4, {}),
    ("crocodile", 3, {}),
    ("crocodile", 3, {"several_bonus_bids": True, "casco_may_be_conceded": False}),
    ("renegado", 3, {"forced_spadille": True}),
    ("renegado", 4, {"count_estuches": False}),
    ("renegado", 3, {"forced_spadille": True, "voltereta": False, "gascarola": False, "contrabola": False}),
    ("ombre_two", 2, {"suit_out": "hearts"}),
    ("ombre_five", 5, {}),
    ("ombre_intro", 3, {}),
]


@pytest.mark.parametrize(("rulebook", "players", "options"), VARIANTS, ids=str)
def test_what_is_legal_can_be_settled_and_replayed_and_read_back(rulebook, players, options):
    for seed in range(40):
        state = played_by_chance(rulebook, players, seed, options)
        book, seating = state.rulebook, state.table.seating
        result = state.result(20 if book.pool else None)
        assert [found.code for found in problems(result, seating, book) if not found.is_warning] == []
        settled = settle(result, seating, book)
        if book.zero_sum and book.pool is None:
            assert sum(settled.tokens) == 0
        deal = deal_of(state)
        assert deal.replay() == state
        assert deal.result(20 if book.pool else None) == result
        assert read_deal(write_deal(deal)) == deal


@pytest.mark.parametrize(("rulebook", "players", "options"), VARIANTS[:4], ids=str)
def test_cards_are_conserved(rulebook, players, options):
    for seed in range(20):
        deal = deal_of(played_by_chance(rulebook, players, seed, options))
        state = deal.start()
        for step in deal.steps:
            state = state.after(step)
            held = [card for hand in (*state.hands.values(), *state.discards.values()) for card in hand]
            played = [card for trick in (*state.tricks, state.trick) for _role, card in trick]
            assert sorted([*held, *played, *state.talon]) == sorted(FULL_PACK)


@pytest.mark.parametrize(
    ("rulebook", "players", "hand", "talon"),
    [
        ("union", 3, 9, 13),
        ("union", 4, 9, 13),
        ("crocodile", 3, 9, 13),
        ("ombre_two", 2, 8, 14),
        ("ombre_five", 5, 8, 0),
    ],
)
def test_1_4_a_deal_from_a_seed(rulebook, players, hand, talon):
    deal = Deal.dealt(get_rulebook(rulebook), Seating(players, 0), 7)
    assert {len(cards) for cards in deal.hands.values()} == {hand}
    assert len(deal.talon) == talon
    assert deal == Deal.dealt(get_rulebook(rulebook), Seating(players, 0), 7)
    assert deal != Deal.dealt(get_rulebook(rulebook), Seating(players, 0), 8)


def test_1_4_cards_are_dealt_by_threes_forehand_first():
    book = get_rulebook("union")
    order = book.pack.shuffled(7)
    deal = Deal.dealt(book, Seating(3, 0), 7)
    assert deal.hands[Role.FH] == order[0:3] + order[9:12] + order[18:21]
    assert deal.hands[Role.BH] == order[6:9] + order[15:18] + order[24:27]
    assert deal.talon == order[27:]


def test_a_deal_is_refused_at_its_first_illegal_step():
    deal = deal_of(played_by_chance("union", 3, 1))
    calls = [step for step in deal.steps if step.act is not Act.PLAY][:1]
    broken = replace(deal, steps=(*calls, Step(Role.FH, Act.BID, "tourne"), *deal.steps[1:]))
    with pytest.raises(IllegalStep) as refused:
        broken.replay()
    assert (refused.value.index, refused.value.problem.paragraph) == (1, "union §9.1")
    assert str(refused.value) == "step 2, FH bid: call_out_of_turn (union §9.1)"


def test_a_washout_is_reported_as_such():
    state = after(table("union"), "FH pass, MH pass, BH pass")
    assert state.result() == DealResult(all_passed=True)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"talon": ()}, "the 40 cards"),
        ({"talon": ("SA",) * 13}, "the 40 cards"),
        ({"hands": {}}, "9 cards each"),
        ({"hands": {Role.FH: (), Role.MH: (), Role.BH: ()}}, "9 cards each"),
    ],
)
def test_hands_and_talon_are_a_pack(change, words):
    deal = Deal.dealt(get_rulebook("union"), Seating(3, 0), 7)
    with pytest.raises(WrongCards, match=words):
        replace(deal, **change)


def test_a_deal_as_text():
    state = after(
        table("union", 4, {"forced_spadille": True}, FH="SA SK"),
        "FH bid simple_game, MH pass, BH pass, FH define spade_game, FH exchange SK, MH exchange, BH exchange, FH SA",
    )
    lines = write_deal(deal_of(state)).splitlines()
    assert lines[0] == "union 4 dealer 3 forced_spadille=on"
    assert lines[1].startswith("FH SA SK ")
    assert lines[2:] == [
        "FH bid simple_game, MH pass, BH pass",
        "FH define spade_game, FH exchange SK, MH exchange, BH exchange",
        "FH SA",
    ]
    assert write_deal(deal_of(table("ombre_two", 2))).splitlines()[0] == "ombre_two 2 dealer 1"
    priced = table("rasle", options={"kaske": True, "grand_rate": 3, "idle_settles": False})
    assert (
        write_deal(deal_of(priced)).splitlines()[0]
        == "rasle 3 dealer 2 idle_settles=off kaske=on grand_rate=3"
    )
    assert read_deal(write_deal(deal_of(priced))).rulebook is priced.rulebook


def test_calls_after_a_pause_in_play_are_read_back_in_order():
    state = after(table("union"), "FH bid pure_nolo, MH pass, BH pass, FH SK")
    deal = deal_of(state)
    assert read_deal(write_deal(deal)).steps == deal.steps


GOOD = write_deal(deal_of(table("union")))
HEAD, CARDS = GOOD.splitlines()


@pytest.mark.parametrize(
    "text",
    [
        "",
        HEAD,
        f"union 3\n{CARDS}",
        f"union 5 dealer 0\n{CARDS}",
        f"union 3 dealer 0 options\n{CARDS}",
        f"{HEAD}\nXX SA | {CARDS}",
        f"{HEAD}\n|{CARDS}",
        f"{GOOD}\nXX pass",
        f"{GOOD}\nFH",
        f"{GOOD}\nFH shout",
        f"{GOOD}\nFH pass SA",
        f"{GOOD}\nFH bid",
        f"{GOOD}\nFH bid solo solo",
        f"{GOOD}\nFH SA SK",
        f"{GOOD}\nFH play SA",
        "x" * 100_001,
    ],
    ids=lambda text: text[:20] + "…" + text[-20:],
)
def test_text_that_is_no_deal_is_refused_in_words(text):
    with pytest.raises(UnreadableDeal) as refused:
        read_deal(text)
    assert str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        f"bridge 4 dealer 0\n{CARDS}",
        f"union 3 dealer 7\n{CARDS}",
        f"union 3 dealer 0 kaske=on\n{CARDS}",
        f"union 3 dealer 0 forced_spadille=9\n{CARDS}",
        f"{HEAD}\nFH SA",
    ],
)
def test_a_deal_of_unknown_rules_or_cards_is_refused(text):
    with pytest.raises((ValueError, LookupError)):
        read_deal(text)


def test_every_problem_of_a_step_has_words_and_a_paragraph():
    for code, row in STEP_PROBLEMS.items():
        assert row.text.endswith("."), code
        assert row.paragraph[0].isdigit(), code
