"""A player who now and then does any legal thing, so that deals come where sensible players do not."""

from random import Random

from scoring.bots import next_step
from scoring.game import Act, Ask, Step

RASH = 0.06


def rash(seed):
    """What such a player does; the same seed gives the same follies."""
    random = Random(seed)

    def choose(state):
        # Cards are mostly played as bots do: else nobody would ever be near a tout.
        often = RASH if state.legal_cards() else 4 * RASH
        return any_step(state, random) if random.random() < often else next_step(state)

    return choose


def any_step(state, random):
    least, most = state.limits()
    if most:
        act = Act.LAY_OFF if state.ask is Ask.LAY_OFF else Act.EXCHANGE
        hand = state.hands[state.to_act]
        looked = state.contract.exchange.looks and state.to_act is state.declarer
        own = hand[: state.rulebook.pack.hand] if looked else hand
        return Step(state.to_act, act, tuple(random.sample(own, random.randint(least, most))))
    steps = list(state.legal_steps())
    # Cards are many and other steps are few; all sorts have their turn.
    sorts = sorted({step.act for step in steps})
    act = random.choice(sorts)
    return random.choice([step for step in steps if step.act is act])
