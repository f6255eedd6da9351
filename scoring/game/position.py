"""A deal at one moment: hands, calls, cards played and whose turn it is; what one player sees and the report of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scoring.cards import HAND, SPADILLE, SUITS, Cards, Kind, trump_order
from scoring.family_rules import Shown
from scoring.game.steps import DEFINING, SANS, Act, Ask, Turn, known, wrong
from scoring.results import DealResult
from scoring.rulebook import FIRST_FIVE
from scoring.seats import ALL_ROLES, Role

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Literal

    from scoring.cards import Ranking
    from scoring.game.auction import Auction
    from scoring.game.steps import Step, Trick
    from scoring.problems import Problem
    from scoring.rulebook import Contract, Rulebook
    from scoring.seats import Seating


class Phase(StrEnum):
    AUCTION = "auction"
    DEFINITION = "definition"  # contract, trumps, what is promised
    EXCHANGE = "exchange"
    PLAY = "play"
    OVER = "over"


class Table(NamedTuple):
    """What stands before the first call: rules, who deals, the hands as dealt, the talon from its top."""

    rulebook: Rulebook
    seating: Seating
    hands: Mapping[Role, Cards]
    talon: Cards


# Without slots, so that the next position is made fast: see `changed`.
@dataclass(frozen=True, kw_only=True)
class Position:
    """A deal at one moment, as it stands; nothing is changed in place. `State` says what may be done from here.

    - hands: what everybody holds now; talon: what is left of it, from its top; discards: who threw what away
    - opening: the hands with which play began
    - contract, declarer, trump (None for none or not yet), turned, king, promised: what is played, and how
    - joined: who became declarers of a nolo too; repeated: the declarer exchanged twice; one_more: he drew a card more
      than he discarded, and plays an open hand
    - turns: what is still to be said or exchanged before the next card
    - playing: who plays cards, forehand first; trick, tricks, winners: the trick on the table, those that are won
    - announced: what the declarer announced in play; gave_up: who gave up a hand
    - surrendered: before which trick a contract was given up that others could object to; accepted: who did not
    """

    table: Table
    auction: Auction
    steps: tuple[Step, ...] = ()
    hands: Mapping[Role, Cards]
    talon: Cards
    discards: Mapping[Role, Cards] = field(default_factory=dict)
    opening: Mapping[Role, Cards] = field(default_factory=dict)
    contract: Contract | None = None
    declarer: Role | None = None
    trump: str | None = None
    turned: str | None = None
    king: str | None = None
    promised: tuple[str, ...] = ()
    joined: tuple[Role, ...] = ()
    repeated: bool = False
    one_more: bool = False
    turns: tuple[Turn, ...] = ()
    playing: tuple[Role, ...] = ()
    trick: Trick = ()
    tricks: tuple[Trick, ...] = ()
    winners: tuple[Role, ...] = ()
    to_play: Role | None = None
    announced: tuple[str, ...] = ()
    gave_up: tuple[Role, ...] = ()
    surrendered: int | None = None
    accepted: tuple[Role, ...] = ()
    taken_over: bool = False
    stopped: bool = False
    over: bool = False

    @property
    def rulebook(self) -> Rulebook:
        return self.table.rulebook

    @property
    def phase(self) -> Phase:
        if self.over:
            return Phase.OVER
        if self.to_play is not None:
            return Phase.PLAY
        if self.turns:
            return Phase.DEFINITION if self.turns[0].ask in DEFINING else Phase.EXCHANGE
        return Phase.AUCTION

    @property
    def to_act(self) -> Role | None:
        """Whose turn it is; None when the deal is over."""
        if self.over:
            return None
        if self.turns:
            return self.turns[0].role
        return self.to_play or self.auction.to_call

    @property
    def asked(self) -> Ask | None:
        """What the player whose turn it is is asked for, where that is neither a call nor a card."""
        return self.turns[0].ask if self.turns and not self.over else None


At = TypeVar("At", bound=Position)


def changed(position: At, **changes: Any) -> At:
    """What `dataclasses.replace` gives, several times faster: every card that is played makes a position."""
    new = object.__new__(type(position))
    new.__dict__.update(position.__dict__)
    new.__dict__.update(changes)
    return new


NAMING = {Ask.DEFINE: Act.DEFINE, Ask.TRUMP: Act.TRUMP, Ask.KING: Act.KING, Ask.PROMISE: Act.PROMISE}

_REFUSED = {
    Ask.DEFINE: "definition_not_allowed",
    Ask.TRUMP: "trump_not_allowed",
    Ask.KING: "king_not_allowed",
    Ask.PROMISE: "promise_not_allowed",
}


def definable(state: Position) -> tuple[Contract, ...]:
    """The contracts that the winner of the auction may play."""
    declarer, bid = known(state.auction.declarer), known(state.auction.contract)
    return tuple(
        row
        for row in state.rulebook.contracts_at(state.table.seating.players)
        if bid.may_be_defined_as(row) and state.auction.holdings.allow(declarer, row)
    )


def values(state: Position, turn: Turn) -> tuple[str, ...]:
    """What may be named in answer to a turn."""
    contract = known(state.contract)
    if turn.ask is Ask.DEFINE:
        return tuple(row.id for row in definable(state))
    if turn.ask is Ask.PROMISE:
        return tuple(bid for bid in contract.bonus_bids if bid not in state.promised)
    hand, ranking = state.hands[turn.role], state.rulebook.pack.ranking
    if turn.ask is Ask.KING:
        return tuple(f"{suit}K" for suit in SUITS if f"{suit}K" not in hand)
    suits = tuple(
        suit
        for suit in SUITS
        if f"{suit}K" in state.rulebook.pack.cards
        and (
            not contract.avoids_tricks or any(card in hand for card in trump_order(Kind.TRUMP, suit, ranking))
        )
    )
    return (*suits, SANS) if contract.or_sans else suits


def problem_of_naming(state: Position, ask: Ask, named: str) -> Problem:
    """Why this cannot be named in answer to a turn."""
    bid, rulebook = known(state.contract), state.rulebook
    if ask is not Ask.DEFINE:
        return wrong(_REFUSED[ask], rulebook.id, bid=bid.id, contract=bid.id)
    row = rulebook.by_id.get(named)
    lacks_cards = row is not None and bid.may_be_defined_as(row)
    code = "definition_needs_cards" if lacks_cards else _REFUSED[ask]
    return wrong(code, rulebook.id, bid=bid.id, contract=named)


_ACES = ("SA", "HA", "DA", "CA")
_BONUS_ACES = 3


def report(state: Position, pool: int | None = None) -> DealResult:
    """The result of a deal that is over."""
    contract = state.contract
    if contract is None:
        return DealResult(all_passed=True, pool=pool)
    declarer = state.gave_up[0] if state.taken_over else state.declarer
    common = DealResult(
        contract=contract.id,
        declarer=declarer,
        trump=state.trump,
        joined=tuple(role for role in ALL_ROLES if role in state.joined),
        idle_abandoned=Role.IDLE in state.joined and Role.IDLE in state.gave_up,
        exchange_repeated=state.repeated,
        pool=pool,
        bonus_bid=state.promised,
        turned=state.turned if contract.counts_as else None,
        estuches=_estuches(state),
        aces=_earns_aces(state),
        takeover=state.declarer if state.taken_over else None,
        partner=_partner(state),
        nine_matadors=_nine_matadors(state),
    )
    if state.declarer in state.gave_up and not state.taken_over:
        # Where the declarer of a nolo gives up nobody plays it.
        return common._replace(
            abandoned=True,
            before_trick=state.surrendered,
            accepted_by=_in_order(state.accepted),
            joined=(),
            idle_abandoned=False,
        )
    if state.taken_over:
        common = common._replace(abandoned=True, before_trick=state.surrendered)
    return _played(state, common)


def _played(state: Position, result: DealResult) -> DealResult:
    """The same with the tricks that were played, and what was tried or announced on the way."""
    winners = state.winners
    playing = [
        role
        for role in ALL_ROLES
        if role in state.opening and not (role is Role.IDLE and result.idle_abandoned)
    ]
    result = result._replace(
        tricks=tuple((role, winners.count(role)) for role in playing),
        played_out=not state.stopped,
        claimed_after=len(winners) if state.stopped else None,
    )
    if state.contract is None or not state.contract.is_game:
        return result
    return result._replace(
        first_five_by=_first_five_by(state),
        led_sixth=_tried_for_tout(state),
        tout=_tout(state),
        five_first=_announced_five(state),
    )


def _first_five_by(state: Position) -> Role | Literal["OPP"] | None:
    """Who won the first five tricks: one player, or the opponents together where that is settled.

    No game that is played ends before them.
    """
    first = set(state.winners[:FIRST_FIVE])
    if len(first) == 1:
        return state.winners[0]
    together = state.rulebook.house.opponents_share_five
    return "OPP" if together and state.declarer not in first else None


def _tried_for_tout(state: Position) -> bool:
    """Whether the declarer won the first five tricks and led to the sixth."""
    first = state.winners[:FIRST_FIVE]
    went_on = len(state.winners) > FIRST_FIVE and not known(state.contract).bids_beyond_five
    return went_on and all(role is state.declarer for role in first)


def _tout(state: Position) -> str | None:
    if not state.rulebook.house.has_tout:
        return None
    won = not state.stopped and all(role is state.declarer for role in state.winners)
    if "tout" not in state.announced and not _tried_for_tout(state):
        return "won" if won and known(state.contract).bids_beyond_five else None
    return "won" if won else "failed"


def _announced_five(state: Position) -> str | None:
    if "first_five" not in state.announced:
        return None
    first = state.winners[:FIRST_FIVE]
    won = len(first) == FIRST_FIVE and all(role is state.declarer for role in first)
    return "won" if won else "failed"


def _partner(state: Position) -> Role | None:
    """Who was dealt the king that the declarer called."""
    return next((role for role, hand in state.table.hands.items() if state.king in hand), None)


def _earns_aces(state: Position) -> bool:
    if not (known(state.contract).may_have_aces and state.rulebook.house.aces_bonus):
        return False
    return sum(ace in state.table.hands[known(state.declarer)] for ace in _ACES) >= _BONUS_ACES


def _nine_matadors(state: Position) -> Role | None:
    """Who began to play with nothing but the top trumps, where that is noted."""
    if not state.rulebook.house.nine_matadors or state.trump is None:
        return None
    ranking, nine = state.rulebook.pack.ranking, (HAND, True)
    holders = (role for role, hand in state.opening.items() if top_trumps(state.trump, hand, ranking) == nine)
    return next(holders, None)


def _estuches(state: Position) -> int | None:
    """The declarer's estuches, in the hand with which he began to play, where the rules count them."""
    house = state.rulebook.house
    if not (house.counts_estuches and house.estuche_price) or state.trump is None or not state.opening:
        return None
    return top_trumps(state.trump, state.opening[known(state.declarer)], state.rulebook.pack.ranking)[0]


def top_trumps(trump: str, held: Collection[str], ranking: Ranking) -> tuple[int, bool]:
    """How many trumps from spadille down are held, or lacked, without a gap; and whether they are held."""
    order = trump_order(Kind.TRUMP, trump, ranking)
    holds = SPADILLE in held
    count = next((place for place, card in enumerate(order) if (card in held) is not holds), len(order))
    return count, holds


def _in_order(roles: tuple[Role, ...]) -> tuple[Role, ...]:
    return tuple(role for role in ALL_ROLES if role in roles)


_OF_CARDS = (Act.EXCHANGE, Act.LAY_OFF)


@dataclass(frozen=True, slots=True)
class View:
    """A deal as one player sees it.

    - hand: the own cards; discarded: what was thrown away of them; open_hand: the declarer's, where it is shown
    - face_up: cards that lie or lay open: the card that was turned, and what is laid off in casco
    - played: every card played to a trick, by role, the trick on the table last
    - exchanged: how many cards each player has thrown away; talon: how many are left
    """

    role: Role
    hand: Cards
    discarded: Cards
    open_hand: Cards
    face_up: Cards
    played: tuple[Trick, ...]
    exchanged: Mapping[Role, int]
    talon: int


def view_of(state: Position, role: Role) -> View:
    """What this player knows now."""
    return View(
        role=role,
        hand=state.hands.get(role, ()),
        discarded=_discarded(state, role),
        open_hand=_open_hand(state),
        face_up=_face_up(state),
        played=(*state.tricks, state.trick) if state.trick else state.tricks,
        exchanged={
            other: len(_discarded(state, other))
            for other in dict.fromkeys(step.role for step in state.steps if step.act in _OF_CARDS)
        },
        talon=len(state.talon),
    )


def _discarded(state: Position, role: Role) -> Cards:
    """All that this player threw away, also what somebody picked up since."""
    return tuple(
        card
        for step in state.steps
        if step.role is role and step.act in _OF_CARDS
        for card in step.value or ()
    )


def _open_hand(state: Position) -> Cards:
    """The declarer's cards where he lays them open: before the first lead, or with his own first card."""
    contract, declarer = state.contract, state.declarer
    if contract is None or declarer is None or not state.opening:
        return ()
    hand = state.hands[declarer]
    when = Shown.FIRST_CARD if state.one_more else contract.shown
    shown = when is Shown.BEFORE_LEAD or (
        when is Shown.FIRST_CARD and len(hand) < len(state.opening[declarer])
    )
    return hand if shown else ()


def _face_up(state: Position) -> Cards:
    turned = () if state.turned is None else (state.turned,)
    contract, declarer = state.contract, state.declarer
    if contract is None or declarer is None or not contract.exchange.from_discards:
        return turned
    # All but the five cards that are laid off last are face down.
    hidden = state.rulebook.pack.hand - 1
    return (*turned, *_discarded(state, declarer)[hidden:])
