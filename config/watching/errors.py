"""Errors of the program, told to a service that gathers them (SENTRY_DSN), as Sentry, GlitchTip or Bugsink do.

What happened goes there, and where in the program; not what anybody typed, who they are, or a link that is a secret.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config.logs import without_secrets
from config.version import VERSION

# Of a request only what it was for.
KEPT_OF_A_REQUEST = ("method", "url")


def tell_errors(dsn: str) -> None:
    """Report unhandled errors to that service; nothing without its address. Raises ImproperlyConfigured."""
    if not dsn:
        return
    import sentry_sdk  # noqa: PLC0415 - who has no such service need not read it
    from sentry_sdk.utils import BadDsn, Dsn  # noqa: PLC0415

    try:
        Dsn(dsn)
    except BadDsn:
        raise ImproperlyConfigured(
            "SENTRY_DSN: it must look like https://key@errors.example.dk/1, as the service shows it"
        ) from None
    sentry_sdk.init(
        dsn=dsn,
        release=f"spadille@{VERSION}",
        include_local_variables=False,  # players' names are among them
        max_request_body_size="never",
        max_breadcrumbs=0,
        server_name="",
        before_send=without_persons,
    )


def without_persons(event: Any, _hint: Any = None) -> Any:
    """An event as it may leave this machine."""
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
