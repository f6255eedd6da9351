"""Logs: lines or JSON, never with a secret in them; and errors reported to Sentry, GlitchTip or Bugsink (SENTRY_DSN).

The error and its place in the program are reported; no input, no names, no secret links.
"""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import ImproperlyConfigured

# A captain's link and a URL that sets a password open what they name: they are as good as passwords.
SECRETS = re.compile(r"(/c/|/password/)[^\s\"'?#]*?[\w-]{8,}(/[\w-]+)*")


def without_secrets(text: str) -> str:
    return SECRETS.sub(r"\1…", text)


def without_trace_of_strangers(record: logging.LogRecord) -> bool:
    """Log filter: drop the traceback of refused requests, which any client can cause at any rate."""
    if record.name.startswith("django.security."):
        record.exc_info = record.exc_text = None
    return True


class Lines(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonLines(logging.Formatter):
    """One JSON object a line: at (UTC), level, logger, message; trace for exceptions."""

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


# Of a request only what it was for.
KEPT_OF_A_REQUEST = ("method", "url")


def tell_errors(dsn: str, version: str) -> None:
    """Report unhandled errors to the service at `dsn`; nothing if it is empty. Raises ImproperlyConfigured."""
    if not dsn:
        return
    from sentry_sdk import init, utils  # noqa: PLC0415 - imported only where such a service is configured

    try:
        utils.Dsn(dsn)
    except utils.BadDsn:
        raise ImproperlyConfigured(
            "SENTRY_DSN: it must look like https://key@errors.example.dk/1, as the service shows it"
        ) from None
    init(
        dsn=dsn,
        release=f"spadille@{version}",
        include_local_variables=False,  # players' names are among them
        max_request_body_size="never",
        max_breadcrumbs=0,
        server_name="",
        before_send=without_persons,
    )


def without_persons(event: Any, _hint: Any = None) -> Any:
    """Remove personal data and secrets from an event."""
    if request := event.get("request"):
        event["request"] = {name: request[name] for name in KEPT_OF_A_REQUEST if name in request}
    event.pop("user", None)
    return _cleaned(event)


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return without_secrets(value)
    if isinstance(value, dict):
        return {name: _cleaned(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_cleaned(one) for one in value]
    return value
