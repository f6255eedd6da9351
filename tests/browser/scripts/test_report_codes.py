"""The letters that a phone writes its reports in, against the desk that reads them (`ledger/report_codes.py`)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from string import ascii_letters, digits
from typing import Any
from uuid import UUID

import pytest

from tournaments.ledger.report_codes import DEEPEST, SHORT_KEY, WORDS, read_code, write_code

pytestmark = pytest.mark.browser

CODES = 2000
WRITE = """async (codes) => {
    const { writeCode } = await import("/static/js/captain/code_text.js");
    return codes.map(([items, secret]) => writeCode(items, secret));
}"""
PHONES_WORDS = """async () => (await import("/static/js/captain/code_text.js")).WORDS"""

# Letters of one to four bytes, ends of bytes, what JSON and web pages mean something by, two that are one.
LETTERS = 'aZ09 ,.-æøåÅ’–♥\u007f\u0080\u07ff\u0800\uffff\U00010000\U0010ffff\n\t"\\<&e\u0301\u202e'
SMALL, LARGE = 12, 2**33 - 1


class Lot:
    """Reports by lot: all that the format can say, whether or not a game has it."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def text(self, most: int = 20) -> str:
        return "".join(self.random.choices(LETTERS, k=self.random.randint(0, most)))

    def word(self) -> str:
        return self.random.choice(WORDS) if self.random.random() < 0.8 else self.text()

    def number(self) -> int:
        most = self.random.choice((SMALL, 2**31, LARGE))
        return self.random.choice((0, 1, 3, 4, 7, 8, most, self.random.randint(0, most)))

    def value(self, levels: int) -> Any:
        kinds = "word number minus constant".split() + ["list", "object"] * (levels > 0)
        match self.random.choice(kinds):
            case "word":
                return self.word()
            case "number":
                return self.number()
            case "minus":
                return -self.number()
            case "constant":
                return self.random.choice((True, False, None))
            case "list":
                return [self.value(levels - 1) for _one in range(self.random.randint(0, 3))]
        return self.object(levels)

    def object(self, levels: int) -> dict[str, Any]:
        return {self.word(): self.value(levels - 1) for _one in range(self.random.randint(0, 5))}

    def report(self) -> dict[str, Any]:
        lot = self.random.getrandbits(128)
        minutes = self.random.choice((None, 1, 2**24 - 1, self.random.randint(1, 2**24 - 1)))
        return {
            "key": str(UUID(int=lot)) if lot % 4 == 0 else f"{SHORT_KEY}{lot % 2**40:010x}",
            "deal": self.random.randint(1, 99),
            "base": self.number(),
            "turns": self.random.choice((None, 0, self.random.randint(1, 2**31))),
            "result": self.object(DEEPEST) if lot % 8 else None,
            "made_at": minutes
            and (datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)).isoformat(),
            "reason": self.text(60),
        }

    def code(self) -> tuple[list[dict[str, Any]], str]:
        """Some reports, and a link's secret: 128 bits or more, and no more than a seal's key holds."""
        secret = "".join(self.random.choices(ascii_letters + digits + "-_", k=self.random.randint(22, 32)))
        return [self.report() for _one in range(self.random.randint(1, 3))], secret


def as_scripts_order(value: Any) -> Any:
    """A script has names that are numbers before all others, whichever came first."""
    if isinstance(value, list):
        return [as_scripts_order(one) for one in value]
    if not isinstance(value, dict):
        return value
    first = sorted((name for name in value if is_index(name)), key=int)
    others = [name for name in value if not is_index(name)]
    return {name: as_scripts_order(value[name]) for name in (*first, *others)}


def is_index(name: str) -> bool:
    return name.isascii() and name.isdigit() and str(int(name)) == name and int(name) < 2**32 - 1


def test_the_desk_reads_what_the_phone_wrote_and_would_have_written_the_same(phone):
    lot = Lot(1711)
    codes = [lot.code() for _one in range(CODES)]
    for text, (items, secret) in zip(phone.evaluate(WRITE, codes), codes, strict=True):
        read = read_code(text)
        assert list(read.items) == items
        assert read.is_made_with(secret)
        assert not read.is_made_with(secret[::-1])
        assert text == write_code([as_scripts_order(item) for item in items], secret)


def test_phone_and_desk_number_the_words_of_results_alike(phone):
    assert phone.evaluate(PHONES_WORDS) == list(WORDS)


@pytest.mark.parametrize(
    "made_at",
    [
        None,
        "",
        "yesterday",
        "1999-12-31T23:59:00+00:00",
        "2019-12-31T23:59:59+00:00",
        "2120-01-01T00:00:00+00:00",
    ],
)
def test_a_moment_that_a_wrong_clock_told_is_none(phone, made_at):
    item = {
        "key": f"{SHORT_KEY}0000000001",
        "deal": 1,
        "base": 0,
        "turns": 0,
        "result": None,
        "made_at": made_at,
        "reason": "",
    }
    [text] = phone.evaluate(WRITE, [[[item], "secret"]])
    assert read_code(text).items[0]["made_at"] is None
