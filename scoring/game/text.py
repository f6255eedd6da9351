"""A deal as text, for logs, disputes and bug reports: a head, the cards, then the steps.

    union 4 dealer 0
    FH SA S2 H4 … | MH … | BH … | talon D2 C5 …
    FH pass, MH bid simple_game, BH pass
    MH define tourne, MH exchange S4 H2, BH exchange, FH exchange C3
    FH HK, MH H2, …

The head names the rulebook, the size of the table, the position that deals, `in pairs` where partners face each other,
and options that differ from the rulebook's own as `name=value`. A card alone is played. `read_deal` takes commas and
line ends alike.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from scoring.cards import FULL_PACK
from scoring.game.deal import Deal
from scoring.game.steps import Act, Step
from scoring.options import read_option
from scoring.rulebooks import get_rulebook
from scoring.seats import Seating
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scoring.options import OptionValue
    from scoring.rulebook import Rulebook
    from scoring.seats import Role

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


class UnreadableDeal(ValueError):  # noqa: N818 - the engine's errors are named for what is wrong
    """Text that is no deal. `text` is English with `{params}`."""

    def __init__(self, text: str, **params: Any) -> None:
        super().__init__(text.format(**params))
        self.text = text
        self.params = params


def write_deal(deal: Deal) -> str:
    """The text that `read_deal` reads back."""
    rulebook, seating = deal.rulebook, deal.seating
    options = [
        f"{spec.name}={_written(rulebook.options[spec.name])}"
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
    """The calls, what is said and exchanged before play, and the play."""
    phases: tuple[list[Step], ...] = ([], [], [])
    phase = 0
    for step in steps:
        if phase == 0 and step.act not in _CALLS:
            phase = 1
        if step.act in _IN_PLAY:
            phase = 2
        phases[phase].append(step)
    return phases


def _written(value: OptionValue) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def write_step(step: Step, rulebook: Rulebook) -> str:
    """One step: who, what, and the contract, suit or cards; a card that is played stands alone."""
    words = [rulebook.seat_name(step.role)] + ([] if step.act is Act.PLAY else [step.act.value])
    if isinstance(step.value, tuple):
        words += step.value
    elif step.value is not None:
        words.append(step.value)
    return " ".join(words)


def read_deal(text: str) -> Deal:
    """The deal that a text tells; it is not replayed.

    Raises UnreadableDeal, WrongCards, or what `get_rulebook` and `Seating` raise: all are ValueErrors or
    LookupErrors in words.
    """
    if len(text) > _LONGEST:
        raise UnreadableDeal(_("This is too long for a deal."))
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    if len(lines) < 2:  # noqa: PLR2004 - the head and the cards
        raise UnreadableDeal(_("A deal has a line for the table, a line for the cards, and then its steps."))
    rulebook, seating = _read_head(lines[0])
    hands, talon = _read_cards(lines[1], rulebook)
    steps = tuple(_read_steps(", ".join(lines[2:]), rulebook))
    return Deal(rulebook, seating, hands, talon, steps)


def _read_head(line: str) -> tuple[Rulebook, Seating]:
    found = re.fullmatch(r"(\w+) (\d) dealer (\d)( in pairs)?((?: \w+=\w+)*)", line)
    if not found:
        raise UnreadableDeal(_("“{line}” does not say rulebook, players and dealer."), line=line[:60])
    name, players, dealer, pairs, options = found.groups()
    values = dict(map(read_option, options.split()))
    rulebook = get_rulebook(name, values)
    if int(players) not in rulebook.players:
        raise UnreadableDeal(_("These rules are not played by {players} at a table."), players=int(players))
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
        raise UnreadableDeal(_("“{name}” is no seat."), name=name[:20])
    return role


def _read_steps(text: str, rulebook: Rulebook) -> Iterator[Step]:
    for part in text.split(","):
        words = part.split()
        if words:
            yield read_step(words, rulebook)


def read_step(words: list[str], rulebook: Rulebook) -> Step:
    """The step that `write_step` wrote. Raises UnreadableDeal."""
    role, said, values = _read_role(words[0], rulebook), words[1:2], words[2:]
    if said and said[0] in FULL_PACK and not values:
        return Step(role, Act.PLAY, said[0])
    act = _ACTS.get(said[0]) if said else None
    if act in _OF_CARDS:
        return Step(role, act, tuple(values))
    if act is not None and len(values) <= (act not in _SILENT) and (values or act in (*_SILENT, Act.SELF)):
        return Step(role, act, values[0] if values else None)
    raise UnreadableDeal(_("“{step}” is no step of a deal."), step=" ".join(words)[:60])


_ACTS = {act.value: act for act in Act if act is not Act.PLAY}
