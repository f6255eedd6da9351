"""What the code cites stands in the rules' texts, and all that is shown has words."""

import re
from pathlib import Path

import pytest

import scoring
from scoring import rulebooks
from scoring.problems import REPORT_PROBLEMS
from scoring.words import CONTRACT_NAMES, OPTION_VALUE_NAMES

TEXTS = {
    book.id: (Path(scoring.__file__).parent / "rules" / f"{book.id}.md").read_text() for book in rulebooks()
}


def paragraph(rulebook, number):
    """The text of a numbered paragraph, or None."""
    found = re.search(rf"^### {re.escape(number)} .*?(?=^#|\Z)", TEXTS[rulebook], re.MULTILINE | re.DOTALL)
    return found and found.group()


@pytest.mark.parametrize("rulebook", TEXTS)
def test_every_paragraph_that_a_problem_cites_stands_in_every_rulebook(rulebook):
    cited = {row.paragraph for row in REPORT_PROBLEMS.values()}
    assert {number for number in cited if paragraph(rulebook, number) is None} == set()


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_every_option_is_explained_in_the_paragraph_that_it_names(book):
    for spec in book.option_specs:
        name, _sign, number = spec.paragraph.partition(" §")
        assert name == book.id
        # A price of each contract is explained once for all.
        told = spec.name.replace(spec.contract, "<contract>") if spec.contract else spec.name
        assert f"`{told}`" in paragraph(book.id, number), spec.name


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_every_option_says_what_it_is(book):
    for spec in book.option_specs:
        assert spec.title, spec.name
        assert spec.explanation.endswith("."), spec.name


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_every_contract_and_every_choice_has_words(book):
    choices = {value for spec in book.option_specs for value in spec.values}
    assert book.known_contracts - CONTRACT_NAMES.keys() == set(), "name it in scoring/words.py"
    assert choices - OPTION_VALUE_NAMES.keys() == set(), "say it in scoring/words.py"
