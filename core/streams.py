"""Standard input and output of commands, whatever encoding the terminal or the file behind them has."""

from __future__ import annotations

import io
import json
import sys


def tolerate_every_encoding() -> None:
    """Write letters that the encoding lacks as `\\u2026`, and read bytes that are no letters, instead of failing.

    Called first by every entry point: an import whose last message cannot be written has been stored all the same.
    """
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def can_be_written(text: str) -> bool:
    """Whether standard output has an encoding with all these letters."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def to_json(value: object) -> str:
    """Indented JSON, with letters as such where standard output can have them."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    return text if can_be_written(text) else json.dumps(value, indent=1)
