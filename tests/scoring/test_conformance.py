"""Cases worked out by hand from the texts of the rules must come out as they say."""

import json
from pathlib import Path

import pytest

from scoring.answers import answer_case, differing

CASES = Path(__file__).parent.parent / "conformance"
KINDS = tuple(sorted(path.stem for path in CASES.glob("*.jsonl")))


ALL = [json.loads(line) for kind in KINDS for line in (CASES / f"{kind}.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case["id"])
def test_case_comes_out_as_worked_out_by_hand(case):
    assert differing(case["expected"], json.loads(json.dumps(answer_case(case)))) == []


def test_cards_that_may_be_played_are_a_set():
    assert differing({"legal": ["HK", "SA"]}, {"legal": ["SA", "HK"]}) == []
    assert differing({"legal": ["HK", "SA"]}, {"legal": ["SA"]}) == [
        'legal: expected ["HK", "SA"], got ["SA"]'
    ]
    assert differing({"high_to_low": ["HK", "SA"]}, {"high_to_low": ["SA", "HK"]}) != []
    assert differing({"legal": True}, {"legal": False}) == ["legal: expected true, got false"]


def test_no_case_is_lost_and_each_has_an_id_of_its_own():
    assert len({case["id"] for case in ALL}) == len(ALL) >= 394
