"""The auction: turns, legal calls, and the declarer and contract that result.

An `Auction` needs the calls and what is known of the hands, but no deal, so that the referee can rule on calls alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from scoring.cards import BASTA, SPADILLE
from scoring.family_rules import Equalling, FallsTo, When
from scoring.game.steps import NOTHING_KNOWN, PLEDGE, Act, Holdings, IllegalStep, Step, bid_of, known, wrong
from scoring.seats import PLAYING, Role, order_around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.problems import Problem
    from scoring.rulebook import Contract, Rulebook


class Status(StrEnum):
    """The state of an auction."""

    OPEN = "open"
    COMPLETE = "complete"
    WASHOUT = "washout"


@dataclass(frozen=True, slots=True, kw_only=True)
class Auction:
    """An auction after some calls.

    - standing: the players who have not passed, in order of bidding
    - to_call: the player whose turn it is, None when the auction is over; spoken: those who have called
    - bidder, bid: the last bid; pledged: the number of cards that it pledges to exchange
    - low: all have passed once, and contracts with `When.ALL_PASSED` can be bid
    - claiming: all have passed, and the holder of a card that is not located must play
    - earlier: (player, rank) of all bids so far
    - declarer, contract: the result, once it is complete
    """

    rulebook: Rulebook
    players: int
    holdings: Holdings = NOTHING_KNOWN
    standing: tuple[Role, ...]
    to_call: Role | None
    spoken: tuple[Role, ...] = ()
    bidder: Role | None = None
    bid: Contract | None = None
    pledged: int = 0
    earlier: tuple[tuple[Role, int], ...] = ()
    low: bool = False
    claiming: bool = False
    status: Status = Status.OPEN
    declarer: Role | None = None
    contract: Contract | None = None

    @classmethod
    def start(cls, rulebook: Rulebook, players: int, holdings: Holdings | None = None) -> Auction:
        """The auction before the first call."""
        order = speaking_order(players)
        return cls(
            rulebook=rulebook,
            players=players,
            holdings=holdings or NOTHING_KNOWN,
            standing=order,
            to_call=order[0],
        )

    def legal_calls(self) -> tuple[Step, ...]:
        """All legal calls of the player whose turn it is."""
        if self.to_call is None:
            return ()
        return tuple(step for step in self._calls(self.to_call) if self.problem_of(step) is None)

    def _calls(self, role: Role) -> Iterator[Step]:
        """All conceivable calls of a player, legal or not; equalling a bid is `self`."""
        yield Step(role, Act.PASS)
        for row in self.rulebook.contracts:
            if self.bid is None or row.rank != self.bid.rank or row.pledges:
                yield Step(role, Act.BID, row.id)
            else:
                yield Step(role, Act.SELF, row.id)
            if row.pledges:
                for cards in range(2, row.exchange.most + 1):
                    yield Step(role, Act.BID, f"{row.id}{PLEDGE}{cards}")

    def after(self, step: Step) -> Auction:
        """The auction after one more call. Raises IllegalStep."""
        problem = self.problem_of(step)
        if problem:
            raise IllegalStep(problem, step)
        if step.act is Act.PASS:
            return self._after_pass(step.role)
        return self._after_bid(step, self._contract(step))

    def closed_by(self, step: Step) -> Auction | None:
        """The auction after a call that is still allowed when it is complete; None for every other call.

        After all have passed, the player of a forced contract may name it or one that may be played instead; the others
        may pass on a contract that was bid then.
        """
        contract = self.contract
        if self.status is not Status.COMPLETE or contract is None:
            return None
        if step.act is Act.PASS:
            may_pass = self.low and step.role in self.standing and step.role is not self.declarer
            return self if may_pass else None
        played = self.rulebook.by_id.get(str(step.value))
        falls = step.role is self.declarer and self.bid is None and not self.standing
        if step.act is not Act.BID or not falls or played is None or not contract.may_be_defined_as(played):
            return None
        return replace(self, contract=played)

    def problem_of(self, step: Step) -> Problem | None:
        """The rule that a call breaks; None for a legal call."""
        rulebook = self.rulebook.id
        if self.to_call is None:
            return wrong("auction_over", rulebook, "call")
        if step.role is not self.to_call:
            return wrong("call_out_of_turn", rulebook, "call", seat=step.role, turn=self.to_call)
        if step.act is Act.PASS:
            return self._problem_of_pass(step.role)
        if step.act is Act.SELF:
            return self._problem_of_equalling(step)
        if step.act is Act.BID:
            return self._problem_of_bid(step)
        return wrong("call_unknown", rulebook, "call")

    def _problem_of_pass(self, role: Role) -> Problem | None:
        """The problem of a pass: with forced spadille, its holder and the last player must bid if no one has."""
        if not self.rulebook.house.forced_spadille or self.bid:
            return None
        if self.holdings.holder(SPADILLE) is role:
            return wrong("pass_holding_spadille", self.rulebook.id, "call", seat=role)
        if self.standing == (role,):
            return wrong("pass_last", self.rulebook.id, "call", seat=role)
        return None

    def _problem_of_equalling(self, step: Step) -> Problem | None:
        """The problem of equalling the last bid."""
        rulebook, bid = self.rulebook, self.bid
        if bid is None:
            return wrong("self_without_bid", rulebook.id, "call")
        if bid.pledges or not self._may_equal(step.role, bid):
            return wrong("self_without_right", rulebook.id, "call", seat=step.role, bid=bid.id)
        contract = bid if step.value is None else rulebook.by_id.get(str(step.value))
        if contract is None:
            return self._unknown(str(step.value))
        if contract is not bid and not (rulebook.auction.equals_swap and contract.rank == bid.rank):
            return wrong("self_other_rank", rulebook.id, "call", contract=contract.id, bid=bid.id)
        # A contract with one set of required cards: the first bidder holds them, or claims to.
        if len(contract.held) == 1 or not self.holdings.allow(step.role, contract):
            return wrong("bid_needs_cards", rulebook.id, "call", contract=contract.id)
        return None

    def _problem_of_bid(self, step: Step) -> Problem | None:
        """The problem of a bid."""
        rulebook = self.rulebook
        name, cards = bid_of(step.value)
        contract = rulebook.by_id.get(name)
        if contract is None:
            return self._unknown(name)
        bid = self.bid
        if cards or (contract is bid and contract.pledges):
            problem = self._problem_of_pledge(contract, cards)
            if problem or contract is bid:
                return problem
        if contract is bid and rulebook.auction.equalling is Equalling.EARLIER_BID:
            return self._problem_of_equalling(step)
        code = self._refused(step.role, contract)
        if code:
            return wrong(code, rulebook.id, "call", contract=contract.id, bid=bid.id if bid else None)
        return None

    def _problem_of_pledge(self, contract: Contract, cards: int) -> Problem | None:
        """The problem of a pledge of cards, which must exceed the last one; without a number it is one more."""
        rulebook, most = self.rulebook.id, contract.exchange.most
        least = self.pledged + 1 if contract is self.bid else 1
        if not contract.pledges or cards > most or least > most:
            return wrong("pledge_not_here", rulebook, "call", contract=contract.id, least=least, most=most)
        if 0 < cards < least:
            return wrong("pledge_too_low", rulebook, "call", contract=contract.id, cards=self.pledged)
        return None

    def _refused(self, role: Role, contract: Contract) -> str | None:
        """The code of the problem of bidding a contract now; None if there is none."""
        if contract.when not in self._now(role) or role not in contract.declarers_at(self.players):
            return "bid_not_now"
        if self.bid and contract.rank <= self.bid.rank:
            return "bid_too_low"
        if self.rulebook.auction.lowest_of_group and self._could_be_lower(role, contract):
            return "bid_not_lowest"
        if self.holdings.allow(role, contract):
            return None
        return "no_king_to_call" if contract.with_partner else "bid_needs_cards"

    def _now(self, role: Role) -> tuple[When, ...]:
        """The values of `When` whose contracts this player can bid now."""
        if self.low:
            return (When.FORCED,) if self.claiming else (When.ALL_PASSED,)
        return (When.AUCTION, When.LAST) if self.standing == (role,) else (When.AUCTION,)

    def _unknown(self, contract: str) -> Problem:
        """The problem of a contract that the rules do not have, or have switched off."""
        code = "contract_not_agreed" if contract in self.rulebook.known_contracts else "contract_unknown"
        return wrong(code, self.rulebook.id, "call", contract=contract)

    def _may_equal(self, role: Role, bid: Contract) -> bool:
        """Whether this player may equal the last bid instead of outranking it."""
        equalling = self.rulebook.auction.equalling
        if equalling is Equalling.PRIORITY:
            order = speaking_order(self.players)
            return order.index(role) < order.index(known(self.bidder))
        # A player whose bid was equalled must outrank it; else two players could equal each other for ever.
        own = [rank for who, rank in self.earlier if who is role]
        return equalling is Equalling.EARLIER_BID and bool(own) and own[-1] < bid.rank

    def _could_be_lower(self, role: Role, contract: Contract) -> bool:
        """Whether a lower contract of the same group is still possible for this player."""
        bid = self.bid
        least = 0 if bid is None else bid.rank if self._may_equal(role, bid) else bid.rank + 1
        return any(
            row.group == contract.group and row.when is When.AUCTION and least <= row.rank < contract.rank
            for row in self.rulebook.contracts
        )

    def _contract(self, step: Step) -> Contract:
        return known(self.bid) if step.value is None else self.rulebook.by_id[bid_of(step.value)[0]]

    def _after_bid(self, step: Step, contract: Contract) -> Auction:
        role = step.role
        if self.low:
            return self._won(role, contract)
        cards = bid_of(step.value)[1] or (self.pledged + 1 if contract is self.bid else 1)
        after = replace(
            self,
            bidder=role,
            bid=contract,
            pledged=cards if contract.pledges else 0,
            spoken=(*self.spoken, role),
            earlier=(*self.earlier, (role, contract.rank)),
        )
        return after._passed_on(role)

    def _after_pass(self, role: Role) -> Auction:
        standing = tuple(other for other in self.standing if other is not role)
        after = replace(self, standing=standing, spoken=(*self.spoken, role))
        if not standing:
            return after._all_passed()
        return replace(after, to_call=standing[0]) if self.low else after._passed_on(role)

    def _passed_on(self, last: Role) -> Auction:
        """The auction with the next player to call, or won by the last bidder if all others have passed."""
        if self.bid and self.bidder and self.standing == (self.bidder,):
            return self._won(self.bidder, self.bid)
        duels = self.rulebook.auction.in_duels
        return replace(self, to_call=self._next_in_duels(last) if duels else self._next_in_turn(last))

    def _next_in_turn(self, last: Role) -> Role:
        order = speaking_order(self.players)
        after = order.index(last) + 1
        return next(role for role in (*order[after:], *order) if role in self.standing)

    def _next_in_duels(self, last: Role) -> Role:
        """The next player in duels: forehand against middlehand until one passes, then backhand against the other."""
        first, second, third = speaking_order(self.players)
        if second not in self.spoken:
            return second
        if third not in self.spoken:
            both = first in self.standing and second in self.standing
            return (second if last is first else first) if both else third
        return next(role for role in self.standing if role is not last)

    def _all_passed(self) -> Auction:
        """The auction after all have passed: low bids, the fourth player, a forced contract, or a wash-out."""
        rows = self.rulebook.contracts_at(self.players)
        order = speaking_order(self.players)
        if not self.low and any(row.when is When.ALL_PASSED for row in rows):
            return replace(self, low=True, standing=order, to_call=order[0])
        for row in rows:
            if row.by_fourth:
                return self._won(Role.IDLE, row)
        for row in rows:
            if row.when is When.FORCED:
                declarer = self._forced_declarer()
                if declarer:
                    return self._won(declarer, row)
                return replace(self, low=True, claiming=True, standing=order, to_call=order[0])
        return replace(self, status=Status.WASHOUT, to_call=None)

    def _forced_declarer(self) -> Role | None:
        """The player of the forced contract; None while the holder of the decisive card is not known."""
        first = speaking_order(self.players)[0]
        if self.claiming or self.rulebook.auction.falls_to is FallsTo.FOREHAND:
            return first
        holdings = self.holdings
        holder = holdings.holder(SPADILLE) or holdings.holder(BASTA)
        located = all(holdings.is_located(card, self.players) for card in (SPADILLE, BASTA))
        return holder or (first if located else None)

    def _won(self, declarer: Role, contract: Contract) -> Auction:
        return replace(self, status=Status.COMPLETE, to_call=None, declarer=declarer, contract=contract)


def speaking_order(players: int) -> tuple[Role, ...]:
    """The players who bid, in order: all who are dealt cards, forehand first."""
    return _SPEAKING[players]


_SPEAKING = {
    players: tuple(role for role in order_around(players) if role in PLAYING[players]) for players in PLAYING
}
