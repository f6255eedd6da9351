"""A whole deal as one value: seats, cards as dealt and every step; replaying it, and its form as text.

The text is for logs, disputes and bug reports: a head, the cards, then the steps.

    union 4 dealer 0
    FH SA S2 H4 … | MH … | BH … | talon D2 C5 …
    FH pass, MH bid simple_game, BH pass
    MH define tourne, MH exchange S4 H2, BH exchange, FH exchange C3
    FH HK, MH H2, …

The head names the rulebook, the number of players, the position that deals, `in pairs` where partners face each other,
and options that differ from the rulebook's own as `name=value`. A card alone is played. `read_deal` takes commas and
line ends alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scoring.cards import FULL_PACK, Cards
from scoring.game import before_play, play
from scoring.game.auction import Auction, Status, speaking_order
from scoring.game.position import Position, Table, View, changed, report, view_of
from scoring.game.steps import Act, Holdings, IllegalStep, Step, wrong
from scoring.rulebook import read_option
from scoring.rulebooks import get_rulebook
from scoring.seats import Seating
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scoring.problems import Problem
    from scoring.results import DealResult
    from scoring.rulebook import OptionValue, Rulebook
    from scoring.seats import Role


class State(Position):
    """A position with its legal steps; immutable, `after` returns the next one."""

    def view(self, role: Role) -> View:
        """The view of one player."""
        return view_of(self, role)

    def legal_steps(self) -> Iterator[Step]:
        """All legal steps of the player whose turn it is, and the declarer's stop; hundreds in an exchange."""
        if self.over:
            return iter(())
        if self.turns:
            return before_play.legal_steps(self)
        if self.to_play is not None:
            return play.legal_steps(self)
        return iter(self.auction.legal_calls())

    def legal_calls(self) -> tuple[Step, ...]:
        """The legal calls; empty when the auction is over."""
        return self.auction.legal_calls()

    def legal_cards(self) -> Cards:
        """The legal cards; empty unless a card is due."""
        if self.over or self.turns or self.to_play is None:
            return ()
        return play.playable(self)

    def limits(self) -> tuple[int, int]:
        """The least and the most cards to discard in the current exchange; (0, 0) if there is none."""
        return before_play.limits(self, self.turns[0]) if self.turns and not self.over else (0, 0)

    def problem_of(self, step: Step) -> Problem | None:
        """The rule that a step breaks; None for a legal step."""
        if self.over:
            return wrong("deal_over", self.rulebook.id)
        if self.turns:
            return before_play.problem_of(self, step)
        if self.to_play is not None:
            return play.problem_of(self, step)
        return self.auction.problem_of(step)

    def after(self, step: Step) -> State:
        """The state after one more step. Raises IllegalStep."""
        problem = self.problem_of(step)
        if problem:
            raise IllegalStep(problem, step, len(self.steps))
        state = changed(self, steps=(*self.steps, step))
        if self.turns:
            return before_play.after(state, step)
        if self.to_play is not None:
            return play.after(state, step)
        return _after_call(state, step)

    def result(self, pool: int | None = None) -> DealResult:
        """The report of the finished deal; `pool` is the tokens in the pool, this deal's ante included.

        Raises ValueError while the deal is not over.
        """
        if not self.over:
            raise ValueError("the deal is not over")
        return report(self, pool)


def start(table: Table, auction: Auction) -> State:
    """The state before the first call."""
    return State(table=table, auction=auction, hands=table.hands, talon=table.talon)


def _after_call(state: State, step: Step) -> State:
    """The state after a call: the next one, a wash-out, or the turns before play."""
    auction = state.auction.after(step)
    state = changed(state, auction=auction)
    if auction.status is Status.WASHOUT:
        return changed(state, over=True)
    return before_play.begin(state) if auction.status is Status.COMPLETE else state


class WrongCards(ValueError):
    """Hands and talon that do not make up the rulebook's pack."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal: hands by role in the order in which they were dealt, the talon from its top, and the steps.

    Raises WrongCards where the cards are not the rulebook's pack.
    """

    rulebook: Rulebook
    seating: Seating
    hands: Mapping[Role, Cards]
    talon: Cards
    steps: tuple[Step, ...] = ()

    def __post_init__(self) -> None:
        pack = self.rulebook.pack
        order = speaking_order(self.seating.players)
        if tuple(self.hands) != order or any(len(hand) != pack.hand for hand in self.hands.values()):
            raise WrongCards(f"{', '.join(order)} have {pack.hand} cards each")
        cards = [card for hand in self.hands.values() for card in hand] + list(self.talon)
        if sorted(cards) != sorted(pack.cards):
            raise WrongCards(f"hands and talon are not the {len(pack.cards)} cards of the pack, each once")

    @classmethod
    def dealt(cls, rulebook: Rulebook, seating: Seating, seed: int) -> Deal:
        """Deal the pack as shuffled by `random.Random(seed)`, in batches, forehand first."""
        order = speaking_order(seating.players)
        cards = rulebook.pack.shuffled(seed)
        *hands, talon = rulebook.pack.dealt(cards, len(order))
        return cls(rulebook, seating, dict(zip(order, hands, strict=True)), talon)

    def start(self) -> State:
        """The state before the first step."""
        held = Holdings({role: frozenset(hand) for role, hand in self.hands.items()})
        auction = Auction.start(self.rulebook, self.seating.players, held)
        return start(Table(self.rulebook, self.seating, self.hands, self.talon), auction)

    def replay(self) -> State:
        """The state after all steps. Raises IllegalStep with its index at the first illegal one."""
        state = self.start()
        for step in self.steps:
            state = state.after(step)
        return state

    def result(self, pool: int | None = None) -> DealResult:
        """The report of the deal. Raises IllegalStep, or ValueError if the deal is not over."""
        return self.replay().result(pool)


def deal_of(state: State) -> Deal:
    """The deal of this state, with all steps so far."""
    table = state.table
    return Deal(table.rulebook, table.seating, table.hands, table.talon, state.steps)


_TALON = "talon"
_CALLS = (Act.PASS, Act.BID, Act.SELF)
_IN_PLAY = (Act.PLAY, Act.ANNOUNCE, Act.GIVE_UP, Act.STOP)
_OF_CARDS = (Act.EXCHANGE, Act.LAY_OFF)
_SILENT = (
    Act.PASS,
    Act.OFFER,
    Act.ACCEPT,
    Act.JOIN,
    Act.ONE_MORE,
    Act.TAKE_OVER,
    Act.NO,
    Act.GIVE_UP,
    Act.STOP,
)
_LONGEST = 100_000


class UnreadableDeal(ValueError):
    """Text that cannot be parsed as a deal. `text` is English with `{params}`."""

    def __init__(self, text: str, **params: Any) -> None:
        super().__init__(text.format(**params))
        self.text = text
        self.params = params


def write_deal(deal: Deal) -> str:
    """Write a deal as text, which `read_deal` parses."""
    rulebook, seating = deal.rulebook, deal.seating
    options = [
        f"{spec.name}={_option_value(rulebook.options[spec.name])}"
        for spec in rulebook.option_specs
        if rulebook.options[spec.name] != spec.default
    ]
    pairs = ["in pairs"] if seating.in_pairs else []
    head = " ".join([rulebook.id, str(seating.players), "dealer", str(seating.dealer), *pairs, *options])
    hands = [f"{rulebook.seat_name(role)} {' '.join(cards)}" for role, cards in deal.hands.items()]
    cards = " | ".join([*hands, " ".join([_TALON, *deal.talon])])
    lines = (", ".join(write_step(step, rulebook) for step in steps) for steps in _by_phase(deal.steps))
    return "\n".join([head, cards, *(line for line in lines if line)])


def _by_phase(steps: Iterable[Step]) -> tuple[list[Step], ...]:
    """The steps in three parts: the auction, the exchange, and the play."""
    phases: tuple[list[Step], ...] = ([], [], [])
    phase = 0
    for step in steps:
        if phase == 0 and step.act not in _CALLS:
            phase = 1
        if step.act in _IN_PLAY:
            phase = 2
        phases[phase].append(step)
    return phases


def _option_value(value: OptionValue) -> str:
    """An option's value as text."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def write_step(step: Step, rulebook: Rulebook) -> str:
    """Write a step: seat, act and value; a card played is written without the act."""
    words = [rulebook.seat_name(step.role)] + ([] if step.act is Act.PLAY else [step.act.value])
    if isinstance(step.value, tuple):
        words += step.value
    elif step.value is not None:
        words.append(step.value)
    return " ".join(words)


def read_deal(text: str) -> Deal:
    """Parse a deal from text; the steps are not replayed.

    Raises UnreadableDeal, WrongCards, or the errors of `get_rulebook` and `Seating`; all are ValueErrors or
    LookupErrors with a message.
    """
    if len(text) > _LONGEST:
        raise UnreadableDeal(_("This is too long for a deal."))
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    if len(lines) < 2:  # the head and the cards
        raise UnreadableDeal(_("A deal has a line for the table, a line for the cards, and then its steps."))
    rulebook, seating = _read_head(lines[0])
    hands, talon = _read_cards(lines[1], rulebook)
    steps = tuple(_read_steps(", ".join(lines[2:]), rulebook))
    return Deal(rulebook, seating, hands, talon, steps)


def _read_head(line: str) -> tuple[Rulebook, Seating]:
    found = re.fullmatch(r"(\w+) (\d) dealer (\d)( in pairs)?((?: \w+=\w+)*)", line)
    if not found:
        raise UnreadableDeal(_("“{line}” does not give rulebook, players and dealer."), line=line[:60])
    name, players, dealer, pairs, options = found.groups()
    values = dict(map(read_option, options.split()))
    rulebook = get_rulebook(name, values)
    if int(players) not in rulebook.players:
        raise UnreadableDeal(
            _("These rules cannot be played with {players} at a table."), players=int(players)
        )
    return rulebook, rulebook.seating(int(players), int(dealer), in_pairs=pairs is not None)


def _read_cards(line: str, rulebook: Rulebook) -> tuple[dict[Role, tuple[str, ...]], tuple[str, ...]]:
    hands: dict[Role, tuple[str, ...]] = {}
    talon: tuple[str, ...] = ()
    for part in line.split("|"):
        name, *cards = part.split() or [""]
        if name == _TALON:
            talon = tuple(cards)
        else:
            hands[_read_role(name, rulebook)] = tuple(cards)
    return hands, talon


def _read_role(name: str, rulebook: Rulebook) -> Role:
    role = rulebook.roles_by_name.get(name)
    if role is None:
        raise UnreadableDeal(_("“{name}” is not a seat."), name=name[:20])
    return role


def _read_steps(text: str, rulebook: Rulebook) -> Iterator[Step]:
    for part in text.split(","):
        words = part.split()
        if words:
            yield read_step(words, rulebook)


def read_step(words: list[str], rulebook: Rulebook) -> Step:
    """Parse a step as written by `write_step`, split into words. Raises UnreadableDeal."""
    role, verb, values = _read_role(words[0], rulebook), words[1:2], words[2:]
    if verb and verb[0] in FULL_PACK and not values:
        return Step(role, Act.PLAY, verb[0])
    act = _ACTS.get(verb[0]) if verb else None
    if act in _OF_CARDS:
        return Step(role, act, tuple(values))
    if act is not None and len(values) <= (act not in _SILENT) and (values or act in (*_SILENT, Act.SELF)):
        return Step(role, act, values[0] if values else None)
    raise UnreadableDeal(_("“{step}” is not a step of a deal."), step=" ".join(words)[:60])


_ACTS = {act.value: act for act in Act if act is not Act.PLAY}
