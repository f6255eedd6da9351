"""What the log counts is said as one counts: one round, two rounds; and below 0 with a minus, not with a hyphen."""

import pytest

from core.log_messages import LogLine
from tournaments.domain.log_values import COUNTED, DREW, MADE_PAYMENTS, SET_RELEGATED, SPLIT
from tournaments.lifecycle.rulings import RULED
from tournaments.models import LogEntry

FILLED = {"players": 8, "seed": 7, "player": "Bob", "newcomer": "Bob", "gone": "Anna", "round": 1, "table": 2}


@pytest.mark.parametrize(
    ("text", "one", "two"),
    [
        (DREW, "Drew 1 round for 8 players with seed 7", "Drew 2 rounds for 8 players with seed 7"),
        (SPLIT, "All in 1 group", "Split into 2 groups"),
        (
            SET_RELEGATED,
            "Set-up: 1 team of each division is now relegated",
            "Set-up: 2 teams of each division are now relegated",
        ),
        (MADE_PAYMENTS, "Made the payment list: 1 payment", "Made the payment list: 2 payments"),
    ],
)
def test_one_is_said_otherwise_than_two(text, one, two):
    name, _sentence = COUNTED[text]
    assert [str(LogEntry(text=text, params=FILLED | {name: count})) for count in (1, 2)] == [one, two]


@pytest.mark.parametrize("text", COUNTED)
def test_no_line_leaves_the_reader_to_choose_between_one_and_several(text):
    name, _sentence = COUNTED[text]
    for count in (0, 1, 2):
        said = str(LogEntry(text=text, params=FILLED | {name: count}))
        assert str(count) in said
        assert "(" not in said


def test_a_line_that_counts_by_no_number_stands_as_it_was_written():
    assert str(LogEntry(text=SPLIT, params={"groups": "two"})) == "Split into two group(s)"


@pytest.mark.parametrize(
    ("tokens", "said"), [("-5", "−5"), (-5, "−5"), ("+5", "+5"), (5, "5"), ("5-6", "5-6")]
)
def test_a_minus_is_no_hyphen(tokens, said):
    line: LogLine = LogEntry(text=RULED, params={"player": "Bob", "tokens": tokens, "reason": "late"})
    assert str(line) == f"Bob: {said} tokens by ruling: late"
