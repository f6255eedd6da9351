"""Deals for the tests: some cards where they matter, the others anywhere; steps as text."""

from itertools import islice
from random import Random

from scoring import get_rulebook
from scoring.game import Act, Ask, Deal, IllegalStep
from scoring.game.auction import speaking_order
from scoring.game.deal import read_step
from scoring.seats import Role, Seating

# Forehand can win all nine tricks in spades; nobody else has a spade or a black ace.
TOP = "SA S2 CA SK SQ SJ S7 S6 S5"
FIVE = "SA S2 CA SK SQ H4 H5 H6 D5"
LOW_HEARTS = "H7 H6 H5 H4 H3 H2 HA HJ HQ"


def table(rulebook, players=3, options=None, talon="", **hands):
    """The state before the first call; `FH="SA CA"` are the first cards of a hand, `talon` its top."""
    book = get_rulebook(rulebook, options or {})
    order = speaking_order(players)
    wanted = {role: hands.get(book.seat_name(role), "").split() for role in order}
    top = talon.split()
    taken = {*top, *(card for cards in wanted.values() for card in cards)}
    rest = iter([card for card in book.pack.cards if card not in taken])
    full = {role: (*cards, *islice(rest, book.pack.hand - len(cards))) for role, cards in wanted.items()}
    return Deal(book, Seating(players, players - 1), full, (*top, *rest)).start()


def after(state, text):
    """The state after steps like `FH bid solo, MH pass`."""
    for part in text.split(","):
        if part.split():
            state = state.after(read_step(part.split(), state.rulebook))
    return state


def refused(state, text):
    """The code of the problem with one step more."""
    try:
        after(state, text)
    except IllegalStep as error:
        return error.problem.code
    return ""


def next_steps(state):
    """The acts that are possible now, in order, each once."""
    return " ".join(dict.fromkeys(step.act.value for step in state.legal_steps()))


def played_by_chance(rulebook, players, seed, options=None):
    """A whole deal in which everybody does something legal, chosen by chance."""
    rng = Random(seed)
    book = get_rulebook(rulebook, options or {})
    state = Deal.dealt(book, Seating(players, seed % players), seed).start()
    while not state.over:
        state = state.after(_some_step(state, rng))
    return state


def _some_step(state, rng):
    if state.ask in (Ask.EXCHANGE, Ask.REPEAT, Ask.LAY_OFF):
        # One set of cards of many: listing them all would take long.
        least, most = state.limits()
        steps = list(islice(state.legal_steps(), 300))
        count = rng.randint(least, most)
        return rng.choice([step for step in steps if len(step.value) == count] or steps)
    steps = list(state.legal_steps())
    plain = [step for step in steps if step.act in (Act.PLAY, Act.PASS, Act.NO)]
    return rng.choice(plain if plain and rng.random() < 0.6 else steps)


def solo(hand=TOP, rulebook="rasle", options=None, players=3, **others):
    """A spade solo of forehand's with the others' cards as dealt, at the first lead."""
    state = table(rulebook, players, options, FH=hand, **others)
    return after(state, "FH bid spade_solo, MH pass, BH pass, MH exchange, BH exchange")


def follow(state, card):
    """Forehand leads a card and the others play any that they may."""
    state = after(state, f"FH {card}")
    while state.to_act is not Role.FH and not state.over:
        state = after(state, f"{state.to_act} {state.legal_cards()[0]}")
        if not state.trick:
            break
    return state


def led(state, cards):
    for card in cards.split():
        state = follow(state, card)
    return state


def entrada(rulebook="renegado", players=3):
    state = table(rulebook, players, FH=LOW_HEARTS)
    return after(
        state, "FH bid entrada, MH pass, BH pass, FH trump S, FH exchange, MH no, MH exchange, BH exchange"
    )
