"""The rules engine's terms and sentences in the reader's language, with the players' names in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, override, pgettext

from core.text import strip_remark
from scoring import rulebooks
from scoring.problems import REPORT_PROBLEMS, Problem
from scoring.rulebook import BadOption, Rulebook
from scoring.seats import Role, Seating
from scoring.words import (
    BONUS_NAMES,
    CONTRACT_NAMES,
    OPTION_VALUE_NAMES,
    OUTCOME_NAMES,
    ROLE_NAMES,
    SUIT_NAMES,
)
from tournaments.domain.comparison import Amount

if TYPE_CHECKING:
    from collections.abc import Iterator


MINUS = "\N{MINUS SIGN}"
LOST, LOST_DEARLY = gettext_noop("Bête"), gettext_noop("Kodille")
# What became of a bonus bid.
BID_ENDINGS = {
    "made": gettext_noop("{bonus} bid and made"),
    "failed": gettext_noop("{bonus} bid and not made"),
}
SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@dataclass(frozen=True, slots=True)
class ProblemText:
    """A problem or warning rendered as text, with the field it concerns."""

    code: str
    field: str
    message: str
    is_warning: bool = False
    paragraph: str = ""

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "field": self.field, "message": self.message}


def contract_name(contract: str) -> str:
    """A contract's name, with the cards that a bid pledges to exchange: `simple_nolo+3`."""
    contract, _plus, cards = contract.partition("+")
    if cards:
        return _("%(contract)s with %(cards)s cards") % {"contract": contract_name(contract), "cards": cards}
    return _(CONTRACT_NAMES[contract]) if contract in CONTRACT_NAMES else contract


def contract_names(contracts: Iterable[str]) -> dict[str, str]:
    """Names of contracts for one list.

    Of two with the same name, the one in fewer rulebooks gets the rulebook's name: “Tourné (Krokodille)”.
    """
    names = {contract: contract_name(contract) for contract in contracts}
    alike: dict[str, list[str]] = defaultdict(list)
    for contract, name in names.items():
        alike[name].append(contract)
    for name, same in alike.items():
        usual, *others = sorted(same, key=lambda contract: -len(_knowing(contract)))
        for contract in others:
            rules = ", ".join(_(book.name) for book in _knowing(contract))
            names[contract] = f"{name} ({rules or contract})"
        names[usual] = name
    return names


@cache
def _knowing(contract: str) -> tuple[Rulebook, ...]:
    """The rulebooks that have a contract."""
    return tuple(book for book in rulebooks() if contract.partition("+")[0] in book.known_contracts)


def said_by(rulebook: Rulebook, text: str) -> str:
    """A text of the game in the reader's language, in the words that these rules have for it."""
    own = rulebook.in_own_words(text)
    return _(own)


def option_text(rulebook: Rulebook, text: str, contract: str) -> str:
    """An option's title or explanation, with the name of the contract that it is about."""
    return said_by(rulebook, text).format(contract=contract_name(contract))


def outcome_name(rulebook: Rulebook, outcome: str) -> str:
    return said_by(rulebook, OUTCOME_NAMES[outcome]) if outcome in OUTCOME_NAMES else outcome


def role_name(role: str) -> str:
    return _(ROLE_NAMES[role])


def seated_in_words(rulebook: Rulebook) -> str:
    """The direction in which seats follow each other in the deal and in play, as text."""
    if rulebook.direction == "clockwise":
        return _("A, B, C … sit clockwise")
    return _("A, B, C … sit counter-clockwise")


def seat_name(rulebook: Rulebook, role: Role) -> str:
    """The rules' name of a seat; "" for a mere letter, which seats at the table have already."""
    name = rulebook.seat_name(role)
    return role_name(name if name in ROLE_NAMES else role)


def loss_names(rulebook: Rulebook) -> tuple[str, str]:
    """The names of a plain and of a costly loss, as headings."""
    return said_by(rulebook, LOST), said_by(rulebook, LOST_DEARLY)


def card_words(card: str) -> str:
    """A card in few letters: `SA` is ♠A."""
    return SUIT_SIGNS[card[0]] + rank_words(card[1])


def rank_words(rank: str) -> str:
    """A card's rank as it is printed on it."""
    match rank:
        case "A":
            return pgettext("ace", "A")
        case "K":
            return pgettext("king", "K")
        case "Q":
            return pgettext("queen", "Q")
        case "J":
            return pgettext("jack", "J")
    return rank


def signed(tokens: Amount) -> str:
    """Tokens with a sign, also a plus: a printer that is short of ink may lose a minus.

    Averages and weighted sums have two decimals, rounded half away from 0.
    """
    if not isinstance(tokens, int):
        hundredths = int(abs(tokens) * 100 + Fraction(1, 2))
        sign = ("+" if tokens > 0 else MINUS) if hundredths else ""
        return sign + number_format(Decimal(hundredths) / 100, decimal_pos=2)
    return f"{tokens:+d}".replace("-", MINUS) if tokens else "0"


def unsigned(amount: Amount) -> str:
    """An amount that is never negative: without a sign, with two decimals unless it is a whole number."""
    return signed(amount).removeprefix("+")


def percent(share: float) -> str:
    """A share from 0 to 1 as a whole percentage: “40 %”."""
    return _("{number} %").format(number=round(100 * share))


def suit_name(suit: str) -> str:
    return _(SUIT_NAMES[suit])


def sentence(
    rulebook: Rulebook, text: str, params: Mapping[str, Any], names: Sequence[str], seating: Seating
) -> str:
    """An engine's sentence, translated, with seats as the players' names and terms as words."""
    words = {key: _word(rulebook, value, names, seating) for key, value in params.items()}
    return said_by(rulebook, text).format(**words)


def _word(rulebook: Rulebook, value: object, names: Sequence[str], seating: Seating) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(_word(rulebook, item, names, seating) for item in value)
    if not isinstance(value, str):
        return str(value)
    if value in seating.positions:
        return names[seating.positions[Role(value)]]
    return _term(rulebook, value)


def _term(rulebook: Rulebook, value: str) -> str:
    for known in (CONTRACT_NAMES, OUTCOME_NAMES, SUIT_NAMES, BONUS_NAMES):
        if value in known:
            return said_by(rulebook, known[value])
    return value


def doubt_of(problem: Problem, seating: Seating) -> dict[str, Any]:
    """A warning in its stored form, with seats as positions; `doubt_words` renders it."""
    params = {
        key: {"seat": seating.positions[Role(value)]} if value in seating.positions else value
        for key, value in problem.params.items()
    }
    return {"code": problem.code, "params": params}


def doubt_words(rulebook: Rulebook, doubt: Mapping[str, Any], names: Sequence[str]) -> str:
    """A stored warning in the reader's language; its code where this rules engine has it no more."""
    known = REPORT_PROBLEMS.get(doubt["code"])
    if known is None:
        return str(doubt["code"])
    filled = {
        key: names[value["seat"]]
        if isinstance(value, dict)
        else _term(rulebook, value)
        if isinstance(value, str)
        else value
        for key, value in doubt["params"].items()
    }
    return said_by(rulebook, known.text).format(**filled)


def problem_said(rulebook: Rulebook, problem: Problem, names: Sequence[str], seating: Seating) -> ProblemText:
    return ProblemText(
        code=problem.code,
        field=problem.field,
        message=sentence(rulebook, problem.text, problem.params, names, seating),
        is_warning=problem.is_warning,
        paragraph=problem.paragraph,
    )


def option_words(rulebook: Rulebook, value: object) -> str:
    """The value of a rulebook's option as text: yes or no, a choice by its name, a number."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return said_by(rulebook, OPTION_VALUE_NAMES[value]) if value in OPTION_VALUE_NAMES else str(value)


def bad_option_text(error: BadOption) -> str:
    """The error message for an invalid option, or combination of options, with contracts by name."""
    known = {
        key: contract_name(value) if isinstance(value, str) else value for key, value in error.params.items()
    }
    return _(error.text).format(**known)


def patch_name(rulebook: Rulebook, code: str) -> str:
    """The name of one of the engine's choices; placeholders such as {FH} are for the player in that role."""
    names = {
        "abandoned": _("gave up"),
        "gave_up": _("gave up"),
        "tout_won": _("tout"),
        "tout_failed": _("tout failed"),
        "five_first_won": _("first five"),
        "five_first_failed": _("first five failed"),
        "exchange_repeated": _("exchange repeated"),
        "aces": _("three or four aces"),
        "estuches": _("estuches"),
        "turned_spadille": _("spadille turned"),
    }
    if "+" in code:
        return ", ".join(patch_name(rulebook, bid) for bid in code.split("+"))
    if code in names:
        return names[code]
    if code in OUTCOME_NAMES or code in BONUS_NAMES:
        return outcome_name(rulebook, code) if code in OUTCOME_NAMES else _(BONUS_NAMES[code])
    kind, _underscore, detail = code.partition("_")
    if detail in BID_ENDINGS:
        bonus = next(name for name in BONUS_NAMES if name.startswith(kind))
        return _(BID_ENDINGS[detail]).format(bonus=_(BONUS_NAMES[bonus]))
    return _patch_of(kind, detail)


def _patch_of(kind: str, detail: str) -> str:
    """The name of a choice with a number of tricks, or about a role (in braces)."""
    if kind == "tricks":
        return ngettext("%(count)d trick", "%(count)d tricks", int(detail)) % {"count": int(detail)}
    name = _(" and ").join(f"{{{role}}}" for role in detail.split("_"))
    texts = {
        "foul": _("foul by %(name)s"),
        "partner": _("with %(name)s"),
        "kodille": _("kodille to %(name)s"),
        "matadors": _("nine matadors: %(name)s"),
    }
    return texts[kind] % {"name": name}


# Lists of names in a sentence.

MOST_NAMED = 4  # who share something and are named


def people(names: Sequence[str]) -> str:
    """A list of names; of very many the first, and the number of the others."""
    if len(names) <= MOST_NAMED + 1:
        return join_words(names)
    others = _("%(count)d others") % {"count": len(names) - MOST_NAMED}
    return join_words([*names[:MOST_NAMED], others])


def join_words(words: Sequence[str]) -> str:
    """Join a list in words: Anna, Bo and Carl."""
    if len(words) < 2:  # nothing to put between
        return "".join(words)
    return _("%(first)s and %(last)s") % {"first": ", ".join(words[:-1]), "last": words[-1]}


# What players are called at their table, where there is little room: on a phone's buttons, over narrow columns.

LONGEST = 20  # letters of one word


def short_names(names: Sequence[str]) -> list[str]:
    """First names, with as many letters of the last name as distinguish players at one table: “Karen V.”.

    Text in brackets is dropped unless it is the only difference. Identical names stay identical.
    """
    ways = [list(_ways(name)) for name in names]
    return [_first_of_its_own(own, [one for one in ways if one is not own and one != own]) for own in ways]


def _first_of_its_own(own: list[str], others: list[list[str]]) -> str:
    for place, way in enumerate(own):
        if all(way.casefold() != other[min(place, len(other) - 1)].casefold() for other in others):
            return way
    return own[-1]


def _ways(name: str) -> Iterator[str]:
    """Possible forms of a name, from the shortest to the full name."""
    first, *rest = strip_remark(name).split() or [""]
    first = first[:LONGEST]
    yield first
    last = rest[-1] if rest else ""
    for letters in range(1, len(last)):
        yield f"{first} {last if not last[0].isalpha() else last[:letters] + '.'}"
    yield f"{first} {last}".strip()
    yield " ".join([first, *rest])
    yield name


# Predefined reasons for changing a deal or calling the organiser: stored as a code, shown in the reader's language.
#
# Typed reasons are stored and shown unchanged. Reports and calls of earlier versions store the text of a predefined
# reason in the sender's language; it is recognised by comparison.

UNDO, CAME_LATE, CAME_AS_CODE, OTHER_RULES = "undo", "came_late", "came_as_code", "other_rules"
ON_PAPER = "on_paper"
REASONS = {
    UNDO: gettext_noop("undo"),
    CAME_LATE: gettext_noop("arrived late"),
    CAME_AS_CODE: gettext_noop("came as a code"),
    OTHER_RULES: gettext_noop("another version of the rules"),
    ON_PAPER: gettext_noop("this is what the paper says"),
    "typed_wrong": gettext_noop("typed wrong"),
    "wrong_player": gettext_noop("wrong player"),
    "agreed_at_the_table": gettext_noop("agreed at the table"),
    "two_phones": gettext_noop("Two phones differed; agreed at the table."),
    "brought_back": gettext_noop("Sent again by the phone after an older backup was restored."),
}
# What the organiser is called for, where it was tapped.
CALLS = {
    "call_deal": gettext_noop("We disagree about a deal"),
    "call_rules": gettext_noop("A question about the rules"),
    "call_cards": gettext_noop("The cards are wrong"),
    "call_come": gettext_noop("Please come over"),
}
_TAPPED = REASONS | CALLS


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    """The code of each reason by its words in every language; an undo's was never stored in words."""
    found: dict[str, str] = {}
    for language in [*dict(settings.LANGUAGES), None]:
        with override(language):
            found |= {_(words): code for code, words in _TAPPED.items() if code != UNDO}
    return found


def reason_code(reason: str) -> str:
    """The stored form of a reason: the code of one that the page offers, in any language, else the typed text."""
    return _codes().get(reason, reason)


def reason_words(reason: str) -> str:
    """A stored reason in the reader's language."""
    code = reason_code(reason)
    return _(_TAPPED[code]) if code in _TAPPED else reason
