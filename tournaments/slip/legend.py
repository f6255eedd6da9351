"""The words of the notation that a rulebook's slips need, with what they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring import vocabulary
from tournaments.domain.terms import contract_name, outcome_name, suit_name
from tournaments.web.deal_fields import reportable
from tournaments.web.deal_form import example_of

if TYPE_CHECKING:
    from scoring.rulebook import Rulebook

MOST_WORDS = 3
QUOTED = re.compile("[“”„»«]([^“”„»«]+)[“”„»«]")
PASSES = 2


@dataclass(frozen=True, slots=True)
class Legend:
    """`groups` are headings with (meaning, what is typed for it) below; `line` is the first line of the example."""

    example: str
    line: str
    groups: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


def legend_of(rulebook: Rulebook, players: int) -> Legend:
    """What may be typed at a table of so many by these rules, in short."""
    contracts = tuple(
        (contract_name(row.id), _typed(_contract_words(row.id, rulebook)))
        for row in rulebook.contracts_at(players)
    )
    if rulebook.may_be_passed_out(players):
        passed = _readers(vocabulary.PASSED)[:PASSES]
        contracts += ((_("all passed"), " · ".join(f"- {word}" for word in passed)),)
    suits = tuple((suit_name(suit), _typed(_readers(words))) for suit, words in vocabulary.SUITS.items())
    outcomes = tuple(
        (outcome_name(rulebook, outcome), _typed(_outcome_words(rulebook, outcome)))
        for outcome in reportable(rulebook, players).get("outcome", ())
        if outcome in vocabulary.OUTCOMES
    )
    also = (
        (_("tricks, the declarer’s first"), "5-3-1"),
        (_("tout"), _typed(_readers(vocabulary.FLAGS["tout", "won"]))),
        (_("tout failed"), _typed(_readers(vocabulary.FLAGS["tout", "failed"]))),
        (_("gave up"), _typed(_readers(vocabulary.FLAGS["abandoned", True]))),
    )
    example = example_of(rulebook, rulebook.seating(players, players - 1))
    quoted = QUOTED.search(example)
    return Legend(
        example,
        quoted[1].strip() if quoted else "",
        (
            (_("Contract"), contracts),
            (_("Trump"), suits),
            (_("Result"), outcomes),
            (_("Remark"), also),
        ),
    )


def _readers(row: tuple[str, ...]) -> tuple[str, ...]:
    """A row of the vocabulary as the reader has it: not what it is called in other languages alone."""
    return vocabulary.row_in(get_language() or "", row[0])


def _contract_words(contract: str, rulebook: Rulebook) -> tuple[str, ...]:
    """The words that mean this contract by this rulebook: some are another contract's too."""
    known = rulebook.known_contracts
    words = []
    for word in _readers(vocabulary.CONTRACTS[contract]):
        meant = vocabulary.CONTRACTS_MEANT[vocabulary.fold(word)]
        if next((row for row in meant if row in known), meant[0]) == contract:
            words.append(word)
    return tuple(words)


def _outcome_words(rulebook: Rulebook, outcome: str) -> tuple[str, ...]:
    """The words that mean this outcome, the rulebook's own first."""
    first = vocabulary.OUTCOMES[outcome][0]
    words, own = _readers((first,)), rulebook.in_own_words(first)
    if own == first:
        return words
    return (own, *(word for word in words if word != own))


def _typed(words: tuple[str, ...]) -> str:
    """The first word and the shortest others, in the order of the vocabulary."""
    shortest = sorted(words[1:], key=len)[: MOST_WORDS - 1]
    return " · ".join(word for word in words if word == words[0] or word in shortest)
