"""For the referee's tests: conformance cases, and rulings read out with every paragraph looked up."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import scoring
from scoring import get_rulebook
from scoring.referee import in_english

CASES = Path(__file__).parents[2] / "conformance"
RULES = Path(scoring.__file__).parent / "rules"


def cases(kind):
    lines = (CASES / f"{kind}.jsonl").read_text().splitlines()
    return [pytest.param(json.loads(line), id=json.loads(line)["id"]) for line in lines if line.strip()]


def book_of(case):
    return get_rulebook(case["rulebook"], case.get("options"))


def place_of(paragraph):
    """Whether a cited paragraph stands in its rulebook's text."""
    book, number = paragraph.split(" §")
    return re.search(rf"^##+ {re.escape(number)} ", (RULES / f"{book}.md").read_text(), re.MULTILINE)


def read_out(ruling, rulebook):
    """The answer in English, every citation of which is looked up."""
    text = "\n".join(in_english(ruling, rulebook))
    cited = re.findall(r"\((\w+ §[\d.]+)\)", text)
    assert [paragraph for paragraph in cited if not place_of(paragraph)] == []
    return text
