"""Rulings on calls and on the exchange: what was allowed, and what the next player may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.cards import BASTA, SPADILLE
from scoring.family_rules import Equalling, When
from scoring.game.auction import Auction, Status
from scoring.game.steps import Act, Holdings, Step, wrong
from scoring.referee.rulings import (
    Choice,
    Explanation,
    Ruling,
    cite,
    explain_partners_hand,
    explain_problem,
    explain_take_over,
)
from scoring.rulebook import exchange_problems
from scoring.seats import PLAYING, WITH_FOURTH
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoring.rulebook import Contract, Rulebook
    from scoring.seats import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class CallsRuling(Ruling):
    """The ruling on an auction: the legal calls in `made`, the auction after them, and the first illegal call."""

    made: tuple[Step, ...]
    auction: Auction
    refused: Step | None = None


def rule_on_calls(
    rulebook: Rulebook,
    players: int,
    calls: Sequence[Step],
    holdings: Holdings | None = None,
    *,
    in_pairs: bool = False,
) -> CallsRuling:
    """Rule on a sequence of calls: whether each is allowed, and the next possible calls or the result.

    With `in_pairs`, as in Seating, the explanations include the hand that is taken over.
    """
    auction = Auction.start(rulebook, players, holdings)
    made: list[Step] = []
    refused = problem = None
    for call in calls:
        closed = auction.closed_by(call)
        problem = None if closed else auction.problem_of(call)
        if problem:
            refused = call
            break
        auction = closed or auction.after(call)
        made.append(call)
    return CallsRuling(
        problems=(explain_problem(problem),) if problem else (),
        explanations=tuple(_explain_auction(auction, in_pairs=in_pairs)),
        choices=tuple(call_choices(auction)),
        made=tuple(made),
        auction=auction,
        refused=refused,
    )


def known_spadille(holder: Role | None, *, in_talon: bool = False) -> Holdings:
    """Holdings in which only spadille's place is known: a player's hand, or the talon.

    The holder counts as having basta too, because only the holder of spadille can bid on both black aces.
    """
    if in_talon:
        return Holdings(elsewhere=frozenset((SPADILLE,)))
    return Holdings({holder: frozenset((SPADILLE, BASTA))}) if holder else Holdings()


def call_choices(auction: Auction) -> Iterator[Choice]:
    """All calls of the player whose turn it is, in the order of bidding, with the reason if not allowed."""
    role = auction.to_call
    if role is None:
        return
    calls = [Step(role, Act.PASS), *(_call(auction, role, row) for row in _rows(auction))]
    for call in calls:
        problem = auction.problem_of(call)
        yield Choice(call, problem is None, explain_problem(problem) if problem else None)


def _rows(auction: Auction) -> tuple[Contract, ...]:
    """The contracts that could be bid in this phase of the auction at this table."""
    rows = auction.rulebook.contracts_at(auction.players)
    if auction.claiming:
        return tuple(row for row in rows if row.when is When.FORCED)
    return tuple(row for row in rows if row.when is not When.FORCED and not row.by_fourth)


def _call(auction: Auction, role: Role, row: Contract) -> Step:
    """The call of a contract: to equal the last bid if it has the same rank, else a bid."""
    equals = auction.bid is not None and row.rank == auction.bid.rank and not row.pledges
    return Step(role, Act.SELF if equals else Act.BID, row.id)


def _explain_auction(auction: Auction, *, in_pairs: bool) -> Iterator[Explanation]:
    """Explain the state of the auction."""
    rulebook, players = auction.rulebook, auction.players
    if auction.status is Status.WASHOUT:
        yield cite(rulebook, "4.1", _("Everybody has passed: the deal is a wash-out and nobody pays."))
        yield cite(rulebook, "1.2", _("{seat} deals next."), seat=PLAYING[players][0])
    elif auction.declarer and auction.contract:
        params = {"seat": auction.declarer, "contract": auction.contract.id}
        if auction.bid is None:
            yield cite(rulebook, "4.1", _("Everybody has passed: {seat} plays {contract}."), **params)
        else:
            yield cite(rulebook, "9.1", _("The others have passed: {seat} plays {contract}."), **params)
        if auction.bid or auction.contract.may_become:
            yield from explain_definition(rulebook, auction.contract, players)
        if in_pairs:
            yield explain_take_over(rulebook, auction.declarer)
    else:
        yield from _explain_turn(auction)


def _explain_turn(auction: Auction) -> Iterator[Explanation]:
    """Explain an open auction: whose turn it is, and the bid to beat."""
    rulebook, bid = auction.rulebook, auction.bid
    yield cite(rulebook, "9.1", _("It is {seat}’s turn to call."), seat=auction.to_call)
    if auction.claiming:
        text = _("Everybody has passed: the holder of spadille, or else of basta, must say so and play.")
        yield cite(rulebook, "9.6", text)
    elif auction.low:
        yield cite(
            rulebook, "9.6", _("Everybody has passed; bids that are only allowed then may now be made.")
        )
    if bid:
        text = _("The last bid is {contract}, by {seat}.")
        yield cite(rulebook, "9.2", text, contract=bid.id, seat=auction.bidder)
        if bid.pledges:
            text = _("It promises to exchange {cards} cards at least; {contract} with more cards outbids it.")
            yield cite(rulebook, "9.2", text, cards=auction.pledged, contract=bid.id)
        yield from _explain_equalling(auction)


def _explain_equalling(auction: Auction) -> Iterator[Explanation]:
    """Explain whether the player whose turn it is may equal the last bid."""
    rulebook = auction.rulebook
    if not any(call.act is Act.SELF for call in auction.legal_calls()):
        yield cite(rulebook, "9.2", _("{seat} must bid higher or pass."), seat=auction.to_call)
    elif rulebook.auction.equalling is Equalling.EARLIER_BID:
        yield cite(rulebook, "9.3", _("{seat} made a lower bid and need only equal."), seat=auction.to_call)
    else:
        text = _("{seat} has priority over {other} and need only equal.")
        yield cite(rulebook, "9.3", text, seat=auction.to_call, other=auction.bidder)


def rule_on_definition(
    rulebook: Rulebook,
    players: int,
    bid: Contract,
    played: str | None = None,
    hand: Sequence[str] | None = None,
) -> Ruling:
    """Rule on the contract to play after winning the auction with this bid; `played` is refused if not allowed.

    With `hand`, contracts are refused for which it lacks the required cards.
    """
    choices = []
    for row in rulebook.contracts_at(players):
        if row.by_fourth or row.when is not bid.when:
            continue
        possible = bid.may_be_defined_as(row)
        allowed = possible and (hand is None or row.is_held_by(hand))
        code = "definition_needs_cards" if possible else "definition_not_allowed"
        problem = wrong(code, rulebook.id, "played", bid=bid.id, contract=row.id)
        choices.append(
            Choice(row.id, allowed, _needs(rulebook, row) if allowed else explain_problem(problem))
        )
    refused = [choice for choice in choices if choice.value == played and not choice.allowed]
    return Ruling(
        problems=tuple(choice.reason for choice in refused if choice.reason),
        explanations=tuple(explain_definition(rulebook, bid, players)),
        choices=tuple(choices),
    )


def _needs(rulebook: Rulebook, contract: Contract) -> Explanation | None:
    """The condition of a contract that requires certain cards in hand."""
    if not contract.held:
        return None
    return cite(rulebook, "3.8", _("Only with the required cards in hand."))


def explain_definition(rulebook: Rulebook, bid: Contract, players: int) -> Iterator[Explanation]:
    """Explain which contracts may be played instead of the one bid."""
    others = [row.id for row in rulebook.contracts_at(players) if row.id in bid.may_become]
    if not others:
        yield cite(rulebook, "4.2", _("{contract} is played as it was bid."), contract=bid.id)
        return
    text = _("The declarer may play {contract}, or say instead: {contracts}.")
    yield cite(rulebook, "4.2", text, contract=bid.id, contracts=tuple(others))


def rule_on_exchange(
    rulebook: Rulebook,
    players: int,
    contract: Contract,
    declarer: int,
    defenders: Sequence[int] = (),
    *,
    in_pairs: bool = False,
) -> Ruling:
    """Rule on the numbers of cards exchanged by the declarer and then by each defender."""
    pack = rulebook.pack
    talon = pack.talon(len(PLAYING[players]))
    found = exchange_problems(
        contract.exchange,
        rulebook.id,
        declarer,
        defenders,
        talon,
        pack.hand,
        others_join=contract.others_may_join,
    )
    explanations = [
        *_explain_exchange(rulebook, contract, talon, declarer),
        *_explain_joining(rulebook, contract, players, talon - declarer),
    ]
    if in_pairs:
        explanations.append(explain_partners_hand(rulebook))
    return Ruling(problems=tuple(map(explain_problem, found)), explanations=tuple(explanations))


def _explain_exchange(
    rulebook: Rulebook, contract: Contract, talon: int, declarer: int
) -> Iterator[Explanation]:
    """Explain the numbers of cards that may be exchanged."""
    limits = contract.exchange
    params = {"contract": contract.id, "least": limits.least, "most": min(limits.most, talon)}
    if not limits.most:
        text = _("In {contract} the declarer exchanges no cards.")
    elif limits.least == limits.most:
        text = _("In {contract} the declarer exchanges this many cards: {most}.")
    else:
        text = _("In {contract} the declarer exchanges from {least} to {most} cards.")
    yield cite(rulebook, "4.3", text, **params)
    if limits.defenders:
        # In casco the defenders draw from the declarer's discards, as many as the talon had.
        left = talon if limits.from_discards else max(talon - declarer, 0)
        text = _("Then the defenders exchange, one after the other; {left} cards are left for them.")
        yield cite(rulebook, "4.3", text, left=left)
    elif not contract.others_may_join:
        yield cite(rulebook, "4.3", _("The defenders do not exchange cards here."))


def _explain_joining(
    rulebook: Rulebook, contract: Contract, players: int, left: int
) -> Iterator[Explanation]:
    """Explain the exchange of players who join a nolo."""
    if contract.others_may_join and not contract.exchange.defenders:
        text = _(
            "A player who joins exchanges like the declarer, in turn; {left} cards are left. Other "
            "defenders do not exchange."
        )
        yield cite(rulebook, "7.4", text, left=max(left, 0))
    if contract.fourth_joins and players in WITH_FOURTH:
        pack = rulebook.pack
        idle = pack.talon(len(PLAYING[players]))
        text = _(
            "The fourth player, who joins, takes all {idle} cards that nobody has and discards {off} of them."
        )
        yield cite(rulebook, "7.1", text, idle=idle, off=idle - pack.hand)
