"""What the problems of steps cite stands in every rulebook's text."""

import pytest

from scoring import rulebooks
from scoring.game.steps import STEP_PROBLEMS
from tests.scoring.test_rules_text import paragraph


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_every_paragraph_that_a_step_breaks_stands_in_the_rules(book):
    cited = {row.paragraph for row in STEP_PROBLEMS.values()}
    assert {number for number in cited if paragraph(book.id, number) is None} == set()
