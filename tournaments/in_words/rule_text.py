"""The full text of a rulebook's rules as a page, with a place to jump to for every paragraph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

import scoring
from scoring import rulebooks

FOLDER = Path(scoring.__file__).parent / "rules"


@dataclass(frozen=True, slots=True)
class RuleText:
    """The title, the sections for a table of contents as (anchor, heading), and the HTML of it all."""

    title: str
    sections: tuple[tuple[str, str], ...]
    html: SafeString


@cache
def rule_text(rulebook: str) -> RuleText:
    """The text of a rulebook that there is. Its headings are numbered; the number is the anchor: `p4.1`."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse((FOLDER / f"{rulebook}.md").read_text(encoding="utf-8"))
    title, sections = "", []
    for token, inside in pairwise(tokens):
        if token.type != "heading_open":
            continue
        if token.tag == "h1":
            title = inside.content
            continue
        anchor = f"p{inside.content.partition(' ')[0]}"
        token.attrSet("id", anchor)
        if token.tag == "h2":
            sections.append((anchor, inside.content))
    html = reader.renderer.render(_without_title(tokens), reader.options, {})
    # The text is the program's own, and the reader lets no HTML in it through.
    return RuleText(title, tuple(sections), mark_safe(html))  # noqa: S308


def _without_title(tokens: Sequence[Token]) -> Sequence[Token]:
    """The page says the title itself: it is the first heading, of three tokens."""
    return tokens[3:] if tokens and tokens[0].tag == "h1" else tokens


def paragraph_address(paragraph: str) -> str:
    """Where a cited paragraph such as "union §4.1" can be read; empty for what is none."""
    rulebook, _sign, number = paragraph.partition(" §")
    if not number or rulebook not in {book.id for book in rulebooks()}:
        return ""
    return f"{reverse('rules_text', args=[rulebook])}#p{number}"
