"""The referee: rulings on calls, exchanges, tricks and results, with the paragraph of the rules for each.

Each function returns a `Ruling`: the rules that the question breaks, explanations of the situation, and the possible
next actions with reasons. An `Explanation` is an English text with parameters, which the caller translates.

>>> from scoring import get_rulebook
>>> from scoring.referee import answer_question, in_english
>>> union = get_rulebook("union")
>>> for line in in_english(answer_question("trick h: H7 / SA CA DK", union, players=3), union):
...     print(line)
♥7 is winning: it is the highest trump so far. (union §10.3)
♥7 was led, and a lower matador must follow it: ♣A. (union §2.4)
allowed: ♠A, ♣A
not ♦K: ♦K does not follow trumps. (union §2.4)
Trumps, from high to low: ♠A, ♥7, ♣A, ♥A, ♥K, ♥Q, ♥J, ♥2, ♥3, ♥4, ♥5, ♥6. (union §2.2)

- `rule_on_calls`: the calls so far, and the next possible ones or the result of the auction
- `rule_on_definition`: the contracts that the winner of the auction may play
- `rule_on_exchange`: the numbers of cards exchanged
- `rule_on_trick`: the legal cards, and the winner
- `rule_on_deal`: a whole deal, up to its first illegal step or its settlement
- `rule_on_result`: the outcome and the payments of a report
- `answer_question`: parses one line of text for the first four; `in_english` formats the ruling
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.cards import TRUMPS
from scoring.game.deal import write_step
from scoring.game.steps import Act, Step
from scoring.notation import LETTERS
from scoring.referee.calls import (
    CallsRuling,
    known_spadille,
    rule_on_calls,
    rule_on_definition,
    rule_on_exchange,
)
from scoring.referee.questions import UnreadableQuestion, answer_question, call_of, calls_in_turn, is_question
from scoring.referee.results import DealRuling, Payment, ResultRuling, rule_on_deal, rule_on_result
from scoring.referee.rulings import Card, Choice, Explanation, Ruling
from scoring.referee.tricks import Trick, TrickRuling, four_may_play, rule_on_trick
from scoring.seats import NOBODY, Role, Seating
from scoring.words import BONUS_NAMES, CONTRACT_NAMES, OPTION_VALUE_NAMES, ROLE_NAMES, SUIT_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.results import DealResult
    from scoring.rulebook import Rulebook


_WORDS = CONTRACT_NAMES | BONUS_NAMES | OPTION_VALUE_NAMES | SUIT_NAMES | {TRUMPS: "trumps"}
_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def sentence(explanation: Explanation, rulebook: Rulebook) -> str:
    """Format an explanation in English, with its paragraph in parentheses."""
    words = {name: word(value, rulebook) for name, value in explanation.params.items()}
    text = rulebook.in_own_words(explanation.text).format(**words)
    text = text[:1].upper() + text[1:]
    return f"{text} ({explanation.paragraph})" if explanation.paragraph else text


def word(value: object, rulebook: Rulebook) -> str:
    """Format a parameter in English: seats by the name of their role, cards with suit symbols."""
    if isinstance(value, Card):
        return _SIGNS[value[0]] + value[1:]
    if isinstance(value, Role):
        # Only codes with a name of their own (ELD: eldest) replace the role's.
        name = ROLE_NAMES.get(rulebook.seat_name(value), ROLE_NAMES[value])
        return "the fourth player" if value is Role.IDLE else name
    if isinstance(value, (list, tuple)):
        return ", ".join(word(one, rulebook) for one in value)
    return rulebook.in_own_words(_WORDS.get(value, value)) if isinstance(value, str) else str(value)


def in_english(ruling: Ruling, rulebook: Rulebook) -> Iterator[str]:
    """Format a ruling in English, line by line: problems, explanations, then choices."""
    for problem in ruling.problems:
        yield f"not allowed: {sentence(problem, rulebook)}"
    if isinstance(ruling, CallsRuling) and ruling.refused:
        yield "before that call:"
    for explanation in ruling.explanations:
        yield sentence(explanation, rulebook)
    allowed = [_choice(choice, rulebook) for choice in ruling.choices if choice.allowed]
    if allowed:
        yield f"allowed: {', '.join(allowed)}"
    for choice in ruling.choices:
        if not choice.allowed and choice.reason:
            yield f"not {_choice(choice, rulebook)}: {sentence(choice.reason, rulebook)}"
    if isinstance(ruling, TrickRuling):
        for explanation in ruling.ranks:
            yield sentence(explanation, rulebook)


def _choice(choice: Choice, rulebook: Rulebook) -> str:
    """Format the value of a choice."""
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
    """Format the ruling on a report, with players by their letters as on a slip."""
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
    for explanation in ruling.explanations:
        yield sentence(explanation, rulebook)
    for payer, payee, tokens, why in ruling.payments:
        yield f"{_payment(payer, payee, tokens, seating)}: {sentence(why, rulebook)}"
    amounts = zip(LETTERS, ruling.settlement.tokens, strict=False)
    yield "tokens: " + ", ".join(f"{letter} {amount:+d}" for letter, amount in amounts)
    if ruling.settlement.pool:
        yield f"the pool: {ruling.settlement.pool:+d}"


def deal_in_english(ruling: DealRuling) -> Iterator[str]:
    """Format the ruling on a deal: the illegal step, whose turn it is, or the settlement."""
    rulebook = ruling.state.rulebook
    if ruling.result and ruling.settled:
        yield from result_in_english(ruling.settled, rulebook, ruling.state.table.seating, ruling.result)
        return
    if ruling.refused and ruling.index is not None:
        yield f"step {ruling.index + 1}, {write_step(ruling.refused, rulebook)}:"
    yield from in_english(ruling, rulebook)


def _payment(payer: Role | int, payee: Role | int, tokens: int, seating: Seating) -> str:
    if payer == NOBODY:
        return f"{_party(payee, seating)} scores {tokens}"
    if payee == NOBODY:
        return f"{_party(payer, seating)} loses {tokens}"
    return f"{_party(payer, seating)} pays {_party(payee, seating)} {tokens}"


def _party(who: Role | int, seating: Seating) -> str:
    return LETTERS[seating.position_of(who)] if isinstance(who, Role) else "the pool"


__all__ = [
    "CallsRuling",
    "Card",
    "Choice",
    "DealRuling",
    "Explanation",
    "Payment",
    "ResultRuling",
    "Ruling",
    "Trick",
    "TrickRuling",
    "UnreadableQuestion",
    "answer_question",
    "call_of",
    "calls_in_turn",
    "deal_in_english",
    "four_may_play",
    "in_english",
    "is_question",
    "known_spadille",
    "result_in_english",
    "rule_on_calls",
    "rule_on_deal",
    "rule_on_definition",
    "rule_on_exchange",
    "rule_on_result",
    "rule_on_trick",
]
