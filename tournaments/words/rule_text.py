"""The full text of a rulebook's rules as a page, with a place to jump to for every paragraph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

import scoring
from core.text import quoted
from scoring import get_rulebook, rulebooks
from tournaments.words.terms import option_text

if TYPE_CHECKING:
    from markdown_it.token import Token

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
            part.type, part.content = "text", quoted(titles[part.content])


def _without_title(tokens: Sequence[Token]) -> Sequence[Token]:
    """The page says the title itself: it is the first heading, of three tokens."""
    return tokens[3:] if tokens and tokens[0].tag == "h1" else tokens


def paragraph_address(paragraph: str) -> str:
    """Where a cited paragraph such as "union §4.1" can be read; empty for what is none."""
    rulebook, _sign, number = paragraph.partition(" §")
    if not number or rulebook not in {book.id for book in rulebooks()}:
        return ""
    return f"{reverse('rules_text', args=[rulebook])}#p{number}"
