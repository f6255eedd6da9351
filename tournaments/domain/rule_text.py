"""The full text of a rulebook's rules as a page, with a place to jump to for every paragraph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import get_language
from django.utils.translation import gettext as _

import scoring
from core.text import quote
from scoring import get_rulebook, rulebooks
from scoring.cards import TRUMPS
from scoring.game import Act, Step
from scoring.referee import Card
from scoring.seats import NOBODY, Role
from scoring.words import BONUS_NAMES, CONTRACT_NAMES, OPTION_VALUE_NAMES, ROLE_NAMES, SUIT_NAMES
from tournaments.domain.terms import card_words, contract_name, option_text, role_name, said_by

if TYPE_CHECKING:
    from markdown_it.token import Token

    from scoring.referee import Explanation, Payment
    from scoring.rulebook import Rulebook


FOLDER = Path(scoring.__file__).parent / "rules"


@dataclass(frozen=True, slots=True)
class RuleText:
    """The title, the sections for a table of contents as (anchor, heading), the HTML of it all, its language."""

    title: str
    sections: tuple[tuple[str, str], ...]
    html: SafeString
    language: str


def rule_text(rulebook: str) -> RuleText:
    """The text of a rulebook that there is, in the reader's language, or in English where it has no other."""
    language = get_language() or "en"
    return _read(rulebook, language if (FOLDER / language / f"{rulebook}.md").exists() else "en", language)


@cache
def _read(rulebook: str, language: str, _readers: str) -> RuleText:
    """Headings are numbered; the number is the anchor: `p4.1`. Options are called as the reader knows them."""
    folder = FOLDER if language == "en" else FOLDER / language
    from markdown_it import MarkdownIt  # noqa: PLC0415 - large, and seldom needed: not while the program starts

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse((folder / f"{rulebook}.md").read_text(encoding="utf-8"))
    title, sections = "", []
    for token, inside in pairwise(tokens):
        _name_options(token, rulebook)
        if token.type != "heading_open":
            continue
        if token.tag == "h1":
            title = inside.content
            continue
        anchor = f"p{inside.content.partition(' ')[0]}"
        token.attrSet("id", anchor)
        if token.tag == "h2":
            sections.append((anchor, inside.content))
    for token in tokens:
        if token.type == "table_open":
            token.attrSet("tabindex", "0")  # on a phone it is scrolled sideways, by keyboard too
    html = reader.renderer.render(_without_title(tokens), reader.options, {})
    # The text is the program's own, and the reader lets no HTML in it through.
    return RuleText(title, tuple(sections), mark_safe(html), language)  # noqa: S308


def _name_options(token: Token, rulebook: str) -> None:
    """Put the titles of options where the text has the names that the program knows them by."""
    book = get_rulebook(rulebook)
    titles = {spec.name: option_text(book, spec.title, spec.contract) for spec in book.option_specs}
    for part in token.children or ():
        if part.type == "code_inline" and part.content in titles:
            part.type, part.content = "text", quote(titles[part.content])


def _without_title(tokens: Sequence[Token]) -> Sequence[Token]:
    """Strip the first heading (three tokens): the page renders the title itself."""
    return tokens[3:] if tokens and tokens[0].tag == "h1" else tokens


def paragraph_address(paragraph: str) -> str:
    """The URL of a cited paragraph such as "union §4.1"; "" for any other text."""
    rulebook, _sign, number = paragraph.partition(" §")
    if not number or rulebook not in {book.id for book in rulebooks()}:
        return ""
    return f"{reverse('rules_text', args=[rulebook])}#p{number}"


# The referee's sentences, calls and cards in the reader's language.

_NAMED = CONTRACT_NAMES | BONUS_NAMES | OPTION_VALUE_NAMES | SUIT_NAMES


class Sentence(NamedTuple):
    """A rule's text and the paragraph that it comes from ("" for none)."""

    text: str
    paragraph: str = ""


def sentence_of(said: Explanation, rulebook: Rulebook) -> Sentence:
    words = {name: word(value, rulebook) for name, value in said.params.items()}
    return Sentence(capfirst(said_by(rulebook, said.text).format(**words)), said.paragraph)


def word(value: object, rulebook: Rulebook) -> str:
    """A parameter formatted as text: seats by their names in these rules, cards by their signs."""
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
    # A code that is a single letter is less clear than "forehand".
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
