"""The slow reference of the solver: every legal card is tried, by the engine's own rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.game.steps import legal_cards, order_of_play, trick_winner
from scoring.seats import WITH_FOURTH, Role
from scoring.solver import CardPosition
from scoring.solver.levels import Value, levels_of
from scoring.solver.search import TALLY_BITS
from scoring.solver.solving import play_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from random import Random

    from scoring.game.steps import Trick
    from scoring.rulebook import Contract, Rulebook


def plain_value(position: CardPosition) -> Value:
    """What best play comes to, found by trying everything."""
    play = play_in(position)
    values, levels = levels_of(play)
    order, playing = position.order, position.playing
    literal = position.rulebook.house.literal_matador_privilege

    def value(role: Role, hands: Mapping[Role, tuple[str, ...]], trick: Trick, tally: int) -> int:
        led = trick[0][1] if trick else None
        legal = legal_cards(order, led, hands[role], literal=literal)
        if not legal:
            return levels.bounds[tally][0]
        found = []
        for card in legal:
            left = {**hands, role: tuple(held for held in hands[role] if held != card)}
            table = (*trick, (role, card))
            if len(table) < len(playing):
                following = playing[(playing.index(role) + 1) % len(playing)]
                found.append(value(following, left, table, tally))
            else:
                winner = table[trick_winner(order, [played for _role, played in table])][0]
                found.append(value(winner, left, (), tally_after(winner, tally)))
        return max(found) if role in play.side else min(found)

    def tally_after(winner: Role, tally: int) -> int:
        tally += 1 + (1 << TALLY_BITS * (playing.index(winner) + 1))
        return tally + levels.marks.get(tally, 0)

    tally = 0
    for winner in position.winners:
        tally = tally_after(winner, tally)
    return values[value(position.to_play, position.hands, position.trick, tally)]


def shortened_deals(rulebook: Rulebook, random: Random, cards: int, count: int) -> Iterator[CardPosition]:
    """Positions with so many cards in each hand, the earlier tricks given to anybody: every contract in turn."""
    rows = [
        (players, contract) for players in rulebook.players for contract in rulebook.contracts_at(players)
    ]
    for number in range(count):
        players, contract = rows[number % len(rows)]
        yield shortened_deal(rulebook, players, contract, random, cards)


def shortened_deal(
    rulebook: Rulebook, players: int, contract: Contract, random: Random, cards: int
) -> CardPosition:
    declarer = random.choice(contract.declarers_at(players))
    joined: tuple[Role, ...] = ()
    if contract.all_join:
        joined = tuple(role for role in order_of_play(players, fourth_plays=False) if role is not declarer)
    if contract.fourth_joins and players in WITH_FOURTH:
        joined = (*joined, Role.IDLE)
    playing = order_of_play(players, contract.by_fourth or Role.IDLE in joined)
    suits = [suit for suit in rulebook.pack.suits if not (suit == "S" and contract.asks_about_spades)]
    trump = random.choice(suits) if contract.suits else "S" if contract.trumps == "spades" else None
    pack = list(rulebook.pack.cards)
    random.shuffle(pack)
    hands = {role: tuple(pack[place * cards :][:cards]) for place, role in enumerate(playing)}
    if trump and contract.avoids_tricks:
        # The declarer of a contrabola names a suit of which he holds a card (renegado §6.6).
        trump = random.choice([suit for suit in suits if any(card[0] == suit for card in hands[declarer])])
    winners = tuple(random.choice(playing) for _trick in range(rulebook.house.tricks - cards))
    others = [role for role in playing if role is not declarer]
    return CardPosition(
        rulebook=rulebook,
        players=players,
        contract=contract,
        declarer=declarer,
        trump=trump,
        hands=hands,
        playing=playing,
        to_play=winners[-1] if winners else Role.FH,
        winners=winners,
        partner=random.choice(others) if contract.with_partner else None,
        joined=joined,
    )
