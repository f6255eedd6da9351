"""The referee's sentences, calls and cards in the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from scoring.cards import TRUMPS
from scoring.game import Act, Step
from scoring.referee import Card
from scoring.seats import NOBODY, Role
from scoring.words import BONUS_NAMES, CONTRACT_NAMES, OPTION_VALUE_NAMES, ROLE_NAMES, SUIT_NAMES
from tournaments.words.terms import card_words, contract_name, role_name, said_by

if TYPE_CHECKING:
    from scoring.referee import Explanation, Payment
    from scoring.rulebooks import Rulebook

_NAMED = CONTRACT_NAMES | BONUS_NAMES | OPTION_VALUE_NAMES | SUIT_NAMES


class Sentence(NamedTuple):
    """What is said, and the paragraph that says so ("" for none)."""

    text: str
    paragraph: str = ""


def sentence_of(said: Explanation, rulebook: Rulebook) -> Sentence:
    words = {name: word(value, rulebook) for name, value in said.params.items()}
    return Sentence(capfirst(said_by(rulebook, said.text).format(**words)), said.paragraph)


def word(value: object, rulebook: Rulebook) -> str:
    """A parameter as it is read: seats by what they are called in these rules, cards by their signs."""
    if isinstance(value, Card):
        return card_words(value)
    if isinstance(value, Role):
        return seat_words(value, rulebook)
    if isinstance(value, (list, tuple)):
        return ", ".join(word(one, rulebook) for one in value)
    if value == TRUMPS:
        return _("trumps")
    return said_by(rulebook, _NAMED[value]) if isinstance(value, str) and value in _NAMED else str(value)


def seat_words(role: Role, rulebook: Rulebook) -> str:
    if role is Role.IDLE:
        return _("the fourth player")
    code = rulebook.seat_name(role)
    # A code that is no more than a letter says less than forehand.
    return role_name(code if code in ROLE_NAMES else role)


def payment_words(payment: Payment, rulebook: Rulebook) -> str:
    """`Middlehand pays forehand 3`; where points come from nowhere, what the declarer scores or loses."""
    said = {
        "payer": _party(payment.payer, rulebook),
        "payee": _party(payment.payee, rulebook),
        "tokens": payment.tokens,
    }
    if payment.payer == NOBODY:
        text = _("%(payee)s scores %(tokens)d")
    elif payment.payee == NOBODY:
        text = _("%(payer)s loses %(tokens)d")
    else:
        text = _("%(payer)s pays %(payee)s %(tokens)d")
    return capfirst(text % said)


def _party(party: Role | int, rulebook: Rulebook) -> str:
    return seat_words(party, rulebook) if isinstance(party, Role) else _("the pool")


def call_words(call: Step) -> str:
    if call.act is Act.PASS:
        return _("pass")
    if call.value is None:
        return _("self")
    name = contract_name(str(call.value))
    return _("self: %(contract)s") % {"contract": name} if call.act is Act.SELF else name
