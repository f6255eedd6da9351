"""A deal at one moment: the full position, the view of one player, and the report of a finished deal."""

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
    """The phase of a deal."""

    AUCTION = "auction"
    DEFINITION = "definition"  # contract, trumps, what is promised
    EXCHANGE = "exchange"
    PLAY = "play"
    OVER = "over"


class Table(NamedTuple):
    """A deal before the first call: rules, seating, hands as dealt, and the talon from its top."""

    rulebook: Rulebook
    seating: Seating
    hands: Mapping[Role, Cards]
    talon: Cards


# No slots, because `changed` copies the instance dictionary.
@dataclass(frozen=True, kw_only=True)
class Position:
    """A deal at one moment; immutable. `State` adds the legal next steps.

    - hands: current hands; talon: its remaining cards, from its top; discards: discarded cards by role
    - opening: the hands at the beginning of play
    - contract, declarer; trump: None for none or not named yet; turned: the card turned for trumps
    - king: the king called; promised: bonuses bid
    - joined: roles that became declarers of a nolo too; repeated: the declarer exchanged twice
    - one_more: the declarer drew one card more than discarded, and plays an open hand
    - turns: pending questions before the next card
    - playing: roles that play cards, forehand first
    - trick: the cards of the current trick; tricks, winners: the finished tricks and their winners
    - announced: announcements of the declarer in play; gave_up: roles that gave up a hand
    - surrendered: the number of the trick before which the declarer surrendered; accepted: opponents who agreed
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
        """The phase, derived from the pending turns and the player to play."""
        if self.over:
            return Phase.OVER
        if self.to_play is not None:
            return Phase.PLAY
        if self.turns:
            return Phase.DEFINITION if self.turns[0].ask in DEFINING else Phase.EXCHANGE
        return Phase.AUCTION

    @property
    def to_act(self) -> Role | None:
        """The role whose turn it is; None when the deal is over."""
        if self.over:
            return None
        if self.turns:
            return self.turns[0].role
        return self.to_play or self.auction.to_call

    @property
    def ask(self) -> Ask | None:
        """The question to the player whose turn it is; None if a call or a card is due."""
        return self.turns[0].ask if self.turns and not self.over else None


At = TypeVar("At", bound=Position)


def changed(position: At, **changes: Any) -> At:
    """A copy with these fields changed, like `dataclasses.replace` but several times faster.

    Every card played makes a new position, so this is the hot spot of playing deals.
    """
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
    """The values that may be named in answer to a turn."""
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
    """The problem of naming this value in answer to a turn."""
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
    """The report of a finished deal; `pool` is the tokens in the pool."""
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
        # A nolo that its declarer gives up is not played, so nobody can have joined it.
        return common._replace(
            abandoned=True,
            before_trick=state.surrendered,
            accepted_by=_in_order(state.accepted),
            joined=(),
            idle_abandoned=False,
        )
    if state.taken_over:
        common = common._replace(abandoned=True, before_trick=state.surrendered)
    return _with_play(state, common)


def _with_play(state: Position, result: DealResult) -> DealResult:
    """The report with the tricks, and the announcements and tries during play."""
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
    """The winner of the first five tricks: a player, or the opponents together where the rules price that.

    A game that is played has at least five tricks.
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
    """The tout as reported: `won`, `failed`, or None if it was neither announced nor tried."""
    if not state.rulebook.house.has_tout:
        return None
    won = not state.stopped and all(role is state.declarer for role in state.winners)
    if "tout" not in state.announced and not _tried_for_tout(state):
        return "won" if won and known(state.contract).bids_beyond_five else None
    return "won" if won else "failed"


def _announced_five(state: Position) -> str | None:
    """The announced bonus for the first five tricks: `won`, `failed`, or None if not announced."""
    if "first_five" not in state.announced:
        return None
    first = state.winners[:FIRST_FIVE]
    won = len(first) == FIRST_FIVE and all(role is state.declarer for role in first)
    return "won" if won else "failed"


def _partner(state: Position) -> Role | None:
    """The player who was dealt the king that the declarer called."""
    return next((role for role, hand in state.table.hands.items() if state.king in hand), None)


def _earns_aces(state: Position) -> bool:
    """Whether the declarer was dealt three or four aces, and the contract pays for them."""
    if not (known(state.contract).may_have_aces and state.rulebook.house.aces_bonus):
        return False
    return sum(ace in state.table.hands[known(state.declarer)] for ace in _ACES) >= _BONUS_ACES


def _nine_matadors(state: Position) -> Role | None:
    """The player who began play with the nine top trumps, where reports note that."""
    if not state.rulebook.house.nine_matadors or state.trump is None:
        return None
    ranking, nine = state.rulebook.pack.ranking, (HAND, True)
    holders = (role for role, hand in state.opening.items() if top_trumps(state.trump, hand, ranking) == nine)
    return next(holders, None)


def _estuches(state: Position) -> int | None:
    """The declarer's estuches at the beginning of play; None where the rules do not count them."""
    house = state.rulebook.house
    if not (house.counts_estuches and house.estuche_price) or state.trump is None or not state.opening:
        return None
    return top_trumps(state.trump, state.opening[known(state.declarer)], state.rulebook.pack.ranking)[0]


def top_trumps(trump: str, held: Collection[str], ranking: Ranking) -> tuple[int, bool]:
    """The number of trumps from spadille down, without a gap, that are held or all lacked; and which of the two."""
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

    - hand: the player's own cards; discarded: the player's own discards; open_hand: the declarer's, if laid open
    - face_up: other cards that were shown: the one turned for trumps, and those laid off in casco
    - played: all tricks with the role of each card, the current one last
    - exchanged: number of cards that each player discarded; talon: number of cards left in it
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
    """The view of this player."""
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
    """All discards of this player, including those that others drew since."""
    return tuple(
        card
        for step in state.steps
        if step.role is role and step.act in _OF_CARDS
        for card in step.value or ()
    )


def _open_hand(state: Position) -> Cards:
    """The declarer's hand if it is laid open, before the first lead or with the declarer's first card."""
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
    """The card turned for trumps, and the cards laid off in casco."""
    turned = () if state.turned is None else (state.turned,)
    contract, declarer = state.contract, state.declarer
    if contract is None or declarer is None or not contract.exchange.from_discards:
        return turned
    # The declarer first discards all cards but one face down, then lays off the rest face up.
    hidden = state.rulebook.pack.hand - 1
    return (*turned, *_discarded(state, declarer)[hidden:])
