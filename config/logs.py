"""How the log is written: lines to read, or an object of JSON a line; never with a secret in it."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

# A captain's link and an address that sets a password open what they name: they are as good as passwords.
SECRETS = re.compile(r"(/c/|/password/)[^\s\"'?#]*?[\w-]{8,}(/[\w-]+)*")


def without_secrets(text: str) -> str:
    return SECRETS.sub(r"\1…", text)


def without_trace_of_strangers(record: logging.LogRecord) -> bool:
    """Say of what was refused which it was, and no more: anybody can forge a name of a host, as often as they like."""
    if record.name.startswith("django.security."):
        record.exc_info = record.exc_text = None
    return True


class Lines(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonLines(logging.Formatter):
    """One object a line: at (UTC), level, logger, message; trace where something was raised."""

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        if record.exc_info:
            said["trace"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(said, ensure_ascii=False)
