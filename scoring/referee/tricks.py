"""A trick: which cards of a hand may be played to it and why, and who wins it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.cards import TRUMPS, CardOrder, Kind, card_order
from scoring.game.steps import legal_cards, trick_winner
from scoring.problems import problem
from scoring.referee.rulings import Card, Choice, Ruling, Said, cite, of_problem
from scoring.seats import WITH_FOURTH
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoring.rulebook import Contract, Rulebook


# Grand has two trumps; by the rules that know it, their paragraph says how its suits rank too.
_GRAND = "3.7"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickRuling(Ruling):
    """`best` is which of the cards played, from 0, is winning or has won; None where none is.

    `ranks` say how the trumps and the suit led rank.
    """

    best: int | None = None
    complete: bool = False
    ranks: tuple[Said, ...] = ()


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards played to a trick, in order, and the hand of who is asked about. `trump` is None without one."""

    kind: Kind
    trump: str | None
    played: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    hands: int = 3  # how many play to the trick


def four_may_play(rulebook: Rulebook, players: int, kind: Kind | None = None) -> bool:
    """Whether there is a contract (of this kind) at this table in which the player who otherwise sits out plays too."""
    return players in WITH_FOURTH and any(
        fourth_plays(row) for row in rulebook.contracts_at(players) if kind in (None, row.kind)
    )


def fourth_plays(contract: Contract) -> bool:
    """Whether four play to a trick of this contract at a table of four."""
    return contract.by_fourth or contract.fourth_joins


def rule_on_trick(rulebook: Rulebook, trick: Trick) -> TrickRuling:
    """The cards of the hand that may be played, the others with the reason, and who wins the trick."""
    problems = tuple(_problems(rulebook, trick))
    if problems:
        return TrickRuling(problems=problems)
    order = card_order(trick.kind, trick.trump, rulebook.pack.ranking)
    said = []
    best = None
    complete = len(trick.played) == trick.hands
    if trick.played:
        best = trick_winner(order, trick.played)
        said.append(_winner(rulebook, order, trick, best, complete=complete))
    led = trick.played[0] if trick.played else None
    if trick.hand:
        said += _about_hand(rulebook, order, led, trick.hand)
    choices = tuple(_choices(rulebook, order, led, trick.hand))
    ranks = tuple(_ranks(rulebook, order, trick))
    return TrickRuling(said=tuple(said), choices=choices, best=best, complete=complete, ranks=ranks)


def _ranks(rulebook: Rulebook, order: CardOrder, trick: Trick) -> Iterator[Said]:
    """The trumps, and the suit led where it is another, from high to low."""
    suits = [TRUMPS] if TRUMPS in order.suit.values() else []
    if trick.played and order.suit[trick.played[0]] not in suits:
        suits.append(order.suit[trick.played[0]])
    for suit in suits:
        held = [card for card in rulebook.pack.cards if order.suit[card] == suit]
        cards = _cards(sorted(held, key=order.strength.__getitem__, reverse=True))
        plain = "2.1" if trick.kind is Kind.NOLO else "2.3"
        number = _GRAND if trick.kind is Kind.GRAND else "2.2" if suit == TRUMPS else plain
        yield cite(rulebook, number, _("{suit}, from high to low: {cards}."), suit=suit, cards=cards)


def _problems(rulebook: Rulebook, trick: Trick) -> Iterator[Said]:
    """What cannot be of cards: twice the same, more than a trick or a hand has, none of this pack."""
    if trick.trump and f"{trick.trump}K" not in rulebook.pack.cards:
        yield of_problem(problem("trump_not_in_pack", rulebook.id, suit=trick.trump))
    seen: set[str] = set()
    for field, cards in (("played", trick.played), ("hand", trick.hand)):
        for card in cards:
            if card in seen:
                yield Said(_("{card} is named twice."), {"card": Card(card)}, "", field)
            if card not in rulebook.pack.cards:
                yield Said(_("{card} is not in this pack."), {"card": Card(card)}, "", field)
            seen.add(card)
    if len(trick.played) > trick.hands:
        yield Said(_("There are {count} cards in a trick."), {"count": trick.hands}, "", "played")
    if len(trick.hand) > rulebook.pack.hand:
        yield Said(_("A hand has {count} cards."), {"count": rulebook.pack.hand}, "", "hand")


def _winner(rulebook: Rulebook, order: CardOrder, trick: Trick, best: int, *, complete: bool) -> Said:
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
) -> Iterator[Said]:
    """The rule that decides what may be played."""
    if led is None:
        yield cite(rulebook, "10.1", _("Who leads may play any card."))
        return
    suit = order.suit[led]
    following = tuple(card for card in hand if order.suit[card] == suit)
    if not following:
        yield cite(
            rulebook, "10.2", _("Who has none of the suit led may play any card, a trump or not."), suit=suit
        )
    elif suit != TRUMPS or not order.matadors:
        yield cite(rulebook, "10.2", _("{suit} were led, and who has any must follow suit."), suit=suit)
    else:
        yield from _about_trumps(rulebook, order, led, hand, following)


def _about_trumps(
    rulebook: Rulebook, order: CardOrder, led: str, hand: tuple[str, ...], trumps: tuple[str, ...]
) -> Iterator[Said]:
    """Trumps were led: what makes the hand play one, or why its matadors may be held back."""
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
    legal = legal_cards(order, led, hand, literal=rulebook.house.literal_matador_privilege)
    for card in hand:
        if card in legal or led is None:
            yield Choice(card, allowed=True)
            continue
        suit = order.suit[led]
        text = _("{card} does not follow {suit}.")
        number = "2.4" if suit == TRUMPS and order.matadors else "10.2"
        yield Choice(card, allowed=False, reason=cite(rulebook, number, text, card=Card(card), suit=suit))
