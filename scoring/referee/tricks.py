"""Rulings on a trick: the legal cards of a hand with the reasons, and the winner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.cards import TRUMPS, CardOrder, Kind, card_order
from scoring.game.steps import legal_cards, trick_winner
from scoring.problems import problem
from scoring.referee.rulings import Card, Choice, Explanation, Ruling, cite, explain_problem
from scoring.seats import WITH_FOURTH
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoring.rulebook import Contract, Rulebook


# The paragraph on grand, which has the rank of its suits too.
_GRAND = "3.7"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickRuling(Ruling):
    """The ruling on a trick.

    - best: the index of the winning card so far, None before the lead; complete: the trick is finished
    - ranks: the ranks of the trumps and of the suit led
    """

    best: int | None = None
    complete: bool = False
    ranks: tuple[Explanation, ...] = ()


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards played to a trick in order, and the hand of the player to rule on. `trump` is None without trumps."""

    kind: Kind
    trump: str | None
    played: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    hands: int = 3  # the number of players


def four_may_play(rulebook: Rulebook, players: int, kind: Kind | None = None) -> bool:
    """Whether the table has a contract (of this kind) in which the player sitting out plays too."""
    return players in WITH_FOURTH and any(
        fourth_plays(row) for row in rulebook.contracts_at(players) if kind in (None, row.kind)
    )


def fourth_plays(contract: Contract) -> bool:
    """Whether all four players of a table of four play cards in this contract."""
    return contract.by_fourth or contract.fourth_joins


def rule_on_trick(rulebook: Rulebook, trick: Trick) -> TrickRuling:
    """Rule on a trick: the legal cards of the hand, the others with the reason, and the winner."""
    problems = tuple(_problems(rulebook, trick))
    if problems:
        return TrickRuling(problems=problems)
    order = card_order(trick.kind, trick.trump, rulebook.pack.ranking)
    explanations = []
    best = None
    complete = len(trick.played) == trick.hands
    if trick.played:
        best = trick_winner(order, trick.played)
        explanations.append(_winner(rulebook, order, trick, best, complete=complete))
    led = trick.played[0] if trick.played else None
    if trick.hand:
        explanations += _about_hand(rulebook, order, led, trick.hand)
    choices = tuple(_choices(rulebook, order, led, trick.hand))
    ranks = tuple(_ranks(rulebook, order, trick))
    return TrickRuling(
        explanations=tuple(explanations), choices=choices, best=best, complete=complete, ranks=ranks
    )


def _ranks(rulebook: Rulebook, order: CardOrder, trick: Trick) -> Iterator[Explanation]:
    """The cards of the trumps, and of the suit led, from high to low."""
    suits = [TRUMPS] if TRUMPS in order.suit.values() else []
    if trick.played and order.suit[trick.played[0]] not in suits:
        suits.append(order.suit[trick.played[0]])
    for suit in suits:
        held = [card for card in rulebook.pack.cards if order.suit[card] == suit]
        cards = _cards(sorted(held, key=order.strength.__getitem__, reverse=True))
        plain = "2.1" if trick.kind is Kind.NOLO else "2.3"
        number = _GRAND if trick.kind is Kind.GRAND else "2.2" if suit == TRUMPS else plain
        yield cite(rulebook, number, _("{suit}, from high to low: {cards}."), suit=suit, cards=cards)


def _problems(rulebook: Rulebook, trick: Trick) -> Iterator[Explanation]:
    """The problems of the cards: named twice, too many for a trick or a hand, not in the pack."""
    if trick.trump and f"{trick.trump}K" not in rulebook.pack.cards:
        yield explain_problem(problem("trump_not_in_pack", rulebook.id, suit=trick.trump))
    seen: set[str] = set()
    for field, cards in (("played", trick.played), ("hand", trick.hand)):
        for card in cards:
            if card in seen:
                yield Explanation(_("{card} is named twice."), {"card": Card(card)}, "", field)
            if card not in rulebook.pack.cards:
                yield Explanation(_("{card} is not in this pack."), {"card": Card(card)}, "", field)
            seen.add(card)
    if len(trick.played) > trick.hands:
        yield Explanation(_("There are {count} cards in a trick."), {"count": trick.hands}, "", "played")
    if len(trick.hand) > rulebook.pack.hand:
        yield Explanation(_("A hand has {count} cards."), {"count": rulebook.pack.hand}, "", "hand")


def _winner(rulebook: Rulebook, order: CardOrder, trick: Trick, best: int, *, complete: bool) -> Explanation:
    """Explain why the card with index `best` is winning, or has won."""
    card = trick.played[best]
    if order.suit[card] == TRUMPS:
        text = (
            _("{card} wins the trick: it is the highest trump in it.")
            if complete
            else _("{card} is winning: it is the highest trump so far.")
        )
    else:
        text = (
            _("{card} wins the trick: it is the highest card of the suit led.")
            if complete
            else _("{card} is winning: it is the highest card so far of the suit led.")
        )
    return cite(rulebook, "10.3", text, card=Card(card))


def _about_hand(
    rulebook: Rulebook, order: CardOrder, led: str | None, hand: tuple[str, ...]
) -> Iterator[Explanation]:
    """Explain the rule on following suit that applies to the hand."""
    if led is None:
        yield cite(rulebook, "10.1", _("The player who leads may play any card."))
        return
    suit = order.suit[led]
    following = tuple(card for card in hand if order.suit[card] == suit)
    if not following:
        yield cite(
            rulebook,
            "10.2",
            _("A player with none of the suit led may play any card, trump or not."),
            suit=suit,
        )
    elif suit != TRUMPS or not order.matadors:
        yield cite(
            rulebook, "10.2", _("{suit} were led, and anyone who has the suit must follow."), suit=suit
        )
    else:
        yield from _about_trumps(rulebook, order, led, hand, following)


def _about_trumps(
    rulebook: Rulebook, order: CardOrder, led: str, hand: tuple[str, ...], trumps: tuple[str, ...]
) -> Iterator[Explanation]:
    """Explain, after a lead of trumps, which trumps must be played and which matadors need not."""
    literal = rulebook.house.literal_matador_privilege
    held = _cards(card for card in order.matadors if card in trumps)
    common = _cards(card for card in trumps if card not in order.matadors)
    if common:
        yield cite(
            rulebook,
            "2.4",
            _("Trumps were led, and a trump must be played: {cards} must follow."),
            cards=common,
        )
        if held:
            text = _("{cards} need not be played as long as another trump is played.")
            yield cite(rulebook, "2.4", text, cards=held)
        return
    if legal_cards(order, led, hand, literal=literal) != hand:
        text = _("{led} was led, and a lower matador must follow it: {cards}.")
        lower = _cards(card for card in held if order.strength[card] < order.strength[led])
        yield cite(rulebook, "2.4", text, led=Card(led), cards=lower)
        return
    if literal and any(order.strength[card] < order.strength[led] for card in held):
        text = _("Matadors protect each other while there are two of them: {cards} need not be played.")
        yield cite(rulebook, "2.4", text, cards=held)
        return
    text = (
        _("A matador may be held back unless a higher matador was led: {led} compels none of {cards}.")
        if len(held) > 1
        else _("A matador may be held back unless a higher matador was led: {led} does not compel {cards}.")
    )
    yield cite(rulebook, "2.4", text, led=Card(led), cards=held)


def _cards(cards: Sequence[str] | Iterator[str]) -> tuple[Card, ...]:
    return tuple(map(Card, cards))


def _choices(
    rulebook: Rulebook, order: CardOrder, led: str | None, hand: tuple[str, ...]
) -> Iterator[Choice]:
    """Each card of the hand, allowed or with the reason why not."""
    legal = legal_cards(order, led, hand, literal=rulebook.house.literal_matador_privilege)
    for card in hand:
        if card in legal or led is None:
            yield Choice(card, allowed=True)
            continue
        suit = order.suit[led]
        text = _("{card} does not follow {suit}.")
        number = "2.4" if suit == TRUMPS and order.matadors else "10.2"
        yield Choice(card, allowed=False, reason=cite(rulebook, number, text, card=Card(card), suit=suit))
