"""Cases by the line: answering a stream of them, and comparing files of them with what they expect."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scoring.answers import CannotAnswer, answer_case

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# A case is some hundred characters; anything like this is a mistake, and is not worth reading.
_LONGEST_LINE = 1_000_000
# What was typed is told again in an error, but no novel.
_LONGEST_ERROR = 1000
_NOTHING = object()
_UNORDERED = "legal"


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def answer_lines(lines: Iterable[bytes]) -> Iterator[str]:
    """One line of JSON for each line: `{"id", "answer"}`, or `{"id", "error"}` for one that cannot be
    answered.

    An empty line is no case and gets an error too, so that answers stay in step with the lines.
    """
    for line in lines:
        case: object = None
        try:
            case = read_case(line)
            said = json.dumps({"id": _id_of(case), "answer": answer_case(case)})
        except (ValueError, LookupError, RecursionError) as error:
            said = json.dumps({"id": _id_of(case), "error": _message(error)})
        yield said


def read_case(line: bytes) -> object:
    """The JSON value on a line. Raises ValueError or RecursionError where there is none."""
    if len(line) > _LONGEST_LINE:
        raise CannotAnswer(f"the line is longer than {_LONGEST_LINE} bytes")
    text = line.decode("utf-8").strip()
    if not text:
        raise CannotAnswer("the line is empty")
    return _DECODER.decode(text)


def _id_of(case: object) -> str | int | None:
    name = case.get("id") if isinstance(case, dict) else None
    return name if isinstance(name, str) or type(name) is int else None


def _message(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "the line is nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"the line is not JSON: {error.msg} at column {error.colno}"
    if isinstance(error, UnicodeDecodeError):
        return f"the line is not UTF-8 at byte {error.start + 1}"
    return str(error)[:_LONGEST_ERROR]


def differences(lines: Iterable[bytes]) -> Iterator[str | None]:
    """For each line None where the answer is as expected, else what differs in words."""
    for number, line in enumerate(lines, 1):
        case: object = None
        try:
            case = read_case(line)
            answer = answer_case(case)
        except (ValueError, LookupError, RecursionError) as error:
            yield f"{_told(case, number)}: not answered: {_message(error)}"
            continue
        expected = case.get("expected") if isinstance(case, dict) else None
        if not isinstance(expected, dict):
            yield f"{_told(case, number)}: says nothing that is expected"
            continue
        # As it is written and read again: tuples are lists there, words of an enum plain words.
        wrong = differing(expected, json.loads(json.dumps(answer)))
        yield f"{_told(case, number)}: {'; '.join(wrong)}" if wrong else None


def _told(case: object, number: int) -> str:
    """Which case it is, on one line."""
    name = str(_id_of(case) or f"line {number}")
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)


def differing(expected: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    """What is expected and not answered so; an answer may say more than is expected."""
    return [
        f"{field}: expected {json.dumps(value)}, got {json.dumps(answer.get(field))}"
        for field, value in expected.items()
        if _comparable(field, answer.get(field, _NOTHING)) != _comparable(field, value)
    ]


def _comparable(field: str, value: object) -> object:
    """A value to be compared: cards that may be played are a set, in whatever order they are named."""
    return sorted(map(str, value)) if field == _UNORDERED and isinstance(value, list) else value
