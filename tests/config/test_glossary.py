"""One term for one thing: the glossary, the translations and the code say the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)


@dataclass(frozen=True)
class Term:
    english: str
    danish: str
    # Words that are not used for it.
    avoided: tuple[str, ...]
    code: str


def terms() -> list[Term]:
    rows = re.findall(
        r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \| [^|]+ \| `(\w+)` \|$",
        (ROOT / "docs/glossary.md").read_text(),
        re.MULTILINE,
    )
    read = []
    for english, danish, code in rows:
        said, _, avoided = danish.partition(" (*")
        read.append(Term(english, said, tuple(re.findall(r"\w+", avoided)), code))
    return read


@cache
def danish_texts() -> list[tuple[str, str]]:
    """Every source text with its Danish; a plural is a text of its own."""
    text = (ROOT / "locale/da/LC_MESSAGES/django.po").read_text()
    quoted = r'((?:"[^\n]*"\n)+)'
    one = re.findall(rf"msgid {quoted}msgstr {quoted}", text)
    several = re.findall(
        rf"msgid {quoted}msgid_plural {quoted}msgstr\[0\] {quoted}msgstr\[1\] {quoted}", text
    )
    pairs = [*one, *((row[0], row[2]) for row in several), *((row[1], row[3]) for row in several)]
    return [(_joined(english), _joined(danish)) for english, danish in pairs]


def _joined(quoted: str) -> str:
    return "".join(re.findall(r'"(.*)"', quoted)).replace(r"\n", "\n")


@cache
def names_in_code() -> set[str]:
    sources = (
        path for folder in ("clubs", "scoring", "tournaments") for path in (ROOT / folder).rglob("*.py")
    )
    return {name for path in sources for name in re.findall(r"\w+", path.read_text())}


def test_the_glossary_has_the_words_of_the_game_and_of_the_tournament() -> None:
    assert len(terms()) > 60
    assert {"forehand", "tourné", "kodille", "tout", "talon", "sits out"} <= {
        term.english for term in terms()
    }


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.english)
def test_a_term_stands_alone_as_the_glossary_says_it(term) -> None:
    said = {danish.casefold() for english, danish in danish_texts() if english.casefold() == term.english}
    assert said <= {f"{term.danish}{ending}" for ending in ("", "en", "et")}  # “the” is an ending in Danish


@pytest.mark.parametrize(
    "term", [term for term in terms() if term.avoided], ids=lambda term: term.english
)  # fmt: skip
def test_no_text_uses_a_word_that_another_has_taken_the_place_of(term) -> None:
    avoided = re.compile(rf"\b({'|'.join(term.avoided)})\b", re.IGNORECASE)
    assert [danish for _english, danish in danish_texts() if avoided.search(danish)] == []


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.english)
def test_the_code_has_the_name(term) -> None:
    assert term.code in names_in_code()
