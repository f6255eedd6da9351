"""One term for one thing: the glossary, the translations and the code say the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
# “The” is an ending in Danish and Swedish.
ENDINGS = ("", "en", "et", "n", "t")


@dataclass(frozen=True)
class Term:
    english: str
    # By language: what it is called, and words that are not used for it.
    said: dict[str, str]
    avoided: dict[str, tuple[str, ...]]
    code: str


def terms() -> list[Term]:
    rows = re.findall(
        r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| [^|]+ \| `(\w+)` \|$",
        (ROOT / "docs/glossary.md").read_text(),
        re.MULTILINE,
    )
    read = []
    for english, danish, swedish, code in rows:
        columns = {"da": danish.partition(" (*"), "sv": swedish.partition(" (*")}
        said = {language: column[0] for language, column in columns.items()}
        avoided = {language: tuple(re.findall(r"\w+", column[2])) for language, column in columns.items()}
        read.append(Term(english, said, avoided, code))
    return read


@cache
def texts_in(language: str) -> list[tuple[str, str]]:
    """Every source text with its translation; a plural is a text of its own."""
    text = (ROOT / f"locale/{language}/LC_MESSAGES/django.po").read_text()
    quoted = r'((?:"[^\n]*"\n)+)'
    one = re.findall(rf"msgid {quoted}msgstr {quoted}", text)
    several = re.findall(
        rf"msgid {quoted}msgid_plural {quoted}msgstr\[0\] {quoted}msgstr\[1\] {quoted}", text
    )
    pairs = [*one, *((row[0], row[2]) for row in several), *((row[1], row[3]) for row in several)]
    return [(_joined(english), _joined(said)) for english, said in pairs]


def _joined(quoted: str) -> str:
    return "".join(re.findall(r'"(.*)"', quoted)).replace(r"\n", "\n")


@cache
def names_in_code() -> set[str]:
    sources = (
        path
        for folder in ("clubs", "core", "scoring", "tournaments")
        for path in (ROOT / folder).rglob("*.py")
    )
    return {name for path in sources for name in re.findall(r"\w+", path.read_text())}


def test_the_glossary_has_the_words_of_the_game_and_of_the_tournament() -> None:
    assert len(terms()) > 60
    assert {"forehand", "tourné", "kodille", "tout", "talon", "sits out"} <= {
        term.english for term in terms()
    }


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.english)
def test_a_term_stands_alone_as_the_glossary_says_it(term) -> None:
    for language, name in term.said.items():
        said = {told.casefold() for english, told in texts_in(language) if english.casefold() == term.english}
        assert said <= {f"{word}{ending}" for word in name.split(", ") for ending in ENDINGS}, language


@pytest.mark.parametrize(
    ("language", "words"),
    [(language, words) for term in terms() for language, words in term.avoided.items() if words],
)
def test_no_text_uses_a_word_that_another_has_taken_the_place_of(language, words) -> None:
    avoided = re.compile(rf"\b({'|'.join(words)})\b", re.IGNORECASE)
    assert [said for _english, said in texts_in(language) if avoided.search(said)] == []


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.english)
def test_the_code_has_the_name(term) -> None:
    assert term.code in names_in_code()
