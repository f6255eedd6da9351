"""Rulings in English, for the command line; a program with users translates the sentences itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import TRUMPS
from scoring.game.steps import Act, Step
from scoring.game.text import write_step
from scoring.phrases import LETTERS
from scoring.referee.calls import CallsRuling
from scoring.referee.results import ResultRuling
from scoring.referee.rulings import Card, Ruling, Said
from scoring.referee.tricks import TrickRuling
from scoring.seats import NOBODY, Role, Seating
from scoring.words import (
    BONUS_NAMES,
    CONTRACT_NAMES,
    OPTION_VALUE_NAMES,
    ROLE_NAMES,
    SUIT_NAMES,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.referee.deals import DealRuling
    from scoring.referee.rulings import Choice
    from scoring.results import DealResult
    from scoring.rulebook import Rulebook

_WORDS = CONTRACT_NAMES | BONUS_NAMES | OPTION_VALUE_NAMES | SUIT_NAMES | {TRUMPS: "trumps"}
_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def sentence(said: Said, rulebook: Rulebook) -> str:
    """A sentence with the paragraph that says so."""
    words = {name: word(value, rulebook) for name, value in said.params.items()}
    text = rulebook.in_own_words(said.text).format(**words)
    text = text[:1].upper() + text[1:]
    return f"{text} ({said.paragraph})" if said.paragraph else text


def word(value: object, rulebook: Rulebook) -> str:
    """A parameter as it is read: seats by what they are, cards by their signs."""
    if isinstance(value, Card):
        return _SIGNS[value[0]] + value[1:]
    if isinstance(value, Role):
        # A code that is no more than a letter says less than forehand.
        name = ROLE_NAMES.get(rulebook.seat_name(value), ROLE_NAMES[value])
        return "the fourth player" if value is Role.IDLE else name
    if isinstance(value, (list, tuple)):
        return ", ".join(word(one, rulebook) for one in value)
    return rulebook.in_own_words(_WORDS.get(value, value)) if isinstance(value, str) else str(value)


def in_english(ruling: Ruling, rulebook: Rulebook) -> Iterator[str]:
    """A ruling line by line: what was wrong, what follows, what may be done and what not."""
    for problem in ruling.problems:
        yield f"not allowed: {sentence(problem, rulebook)}"
    if isinstance(ruling, CallsRuling) and ruling.refused:
        yield "before that call:"
    for said in ruling.said:
        yield sentence(said, rulebook)
    allowed = [_choice(choice, rulebook) for choice in ruling.choices if choice.allowed]
    if allowed:
        yield f"allowed: {', '.join(allowed)}"
    for choice in ruling.choices:
        if not choice.allowed and choice.reason:
            yield f"not {_choice(choice, rulebook)}: {sentence(choice.reason, rulebook)}"
    if isinstance(ruling, TrickRuling):
        for said in ruling.ranks:
            yield sentence(said, rulebook)


def _choice(choice: Choice, rulebook: Rulebook) -> str:
    value = choice.value
    if not isinstance(value, Step):
        return word(value if value in CONTRACT_NAMES else Card(value), rulebook)
    if value.act is Act.PASS:
        return "pass"
    contract = word(value.value, rulebook)
    return f"self ({contract})" if value.act is Act.SELF else contract


def result_in_english(
    ruling: ResultRuling, rulebook: Rulebook, seating: Seating, result: DealResult
) -> Iterator[str]:
    """A result's ruling, with the players by their letters as on a slip."""
    seating = seating.declared_by(result.declarer)
    for problem in ruling.problems:
        yield f"not possible: {sentence(problem, rulebook)}"
    if ruling.settlement is None:
        return
    for warning in ruling.warnings:
        yield f"please check: {sentence(warning, rulebook)}"
    if result.contract and result.declarer:
        trump = f" in {SUIT_NAMES[result.trump]}" if result.trump else ""
        declarer = LETTERS[seating.position_of(result.declarer)]
        outcome = word(str(ruling.settlement.outcome), rulebook)
        yield f"{declarer} plays {CONTRACT_NAMES[result.contract]}{trump}: {outcome}"
    for said in ruling.said:
        yield sentence(said, rulebook)
    for payer, payee, tokens, why in ruling.payments:
        yield f"{_paid(payer, payee, tokens, seating)}: {sentence(why, rulebook)}"
    amounts = zip(LETTERS, ruling.settlement.tokens, strict=False)
    yield "tokens: " + ", ".join(f"{letter} {amount:+d}" for letter, amount in amounts)
    if ruling.settlement.pool:
        yield f"the pool: {ruling.settlement.pool:+d}"


def deal_in_english(ruling: DealRuling) -> Iterator[str]:
    """A deal's ruling: the step at which it is refused, whose turn it is, or what the deal came to."""
    rulebook = ruling.state.rulebook
    if ruling.result and ruling.settled:
        yield from result_in_english(ruling.settled, rulebook, ruling.state.table.seating, ruling.result)
        return
    if ruling.refused and ruling.index is not None:
        yield f"step {ruling.index + 1}, {write_step(ruling.refused, rulebook)}:"
    yield from in_english(ruling, rulebook)


def _paid(payer: Role | int, payee: Role | int, tokens: int, seating: Seating) -> str:
    if payer == NOBODY:
        return f"{_party(payee, seating)} scores {tokens}"
    if payee == NOBODY:
        return f"{_party(payer, seating)} loses {tokens}"
    return f"{_party(payer, seating)} pays {_party(payee, seating)} {tokens}"


def _party(who: Role | int, seating: Seating) -> str:
    return LETTERS[seating.position_of(who)] if isinstance(who, Role) else "the pool"
