"""Guessing passwords is slowed down by name and by address, and does not keep out who has signed in here before.

A hall, or a whole club behind a proxy, may share one address with somebody who guesses. So a browser in which an
account has signed in keeps a signed cookie that says so: for that account it is counted by itself, and neither the
minute's wait nor the longer lock-out of django-axes is for it. The cookie opens nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from clubs.models import Account
from core.throttle import by_address, by_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

COOKIE, SALT = "known", "clubs.known_browser"
KEPT = 365 * 24 * 3600  # seconds
MOST_ACCOUNTS = 5  # that sign in at one computer


def remember_browser(request: HttpRequest, answer: HttpResponse, account: Account) -> None:
    """Let this browser be known to be the account's from now on, as it is to those who signed in before."""
    keys = [str(account.pk), *(key for key in _known(request) if key != str(account.pk))]
    answer.set_signed_cookie(
        COOKIE,
        "/".join(keys[:MOST_ACCOUNTS]),
        salt=SALT,
        max_age=KEPT,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def is_known_browser(request: HttpRequest, credentials: Mapping[str, str] | None = None) -> bool:
    """Whether the account that is asked for has signed in in this browser before; django-axes asks too."""
    username = (credentials or {}).get("username", "")
    return bool(username) and bool(_known(request)) and _key_of(username) in _known(request)


def guessers(request: HttpRequest, username: str) -> tuple[str, ...]:
    """By whom a wrong password is counted."""
    if is_known_browser(request, {"username": username}):
        return (by_name("browser", request.COOKIES[COOKIE]),)
    return by_name("account", username), by_address("sign-in", request.META.get("REMOTE_ADDR", ""))


def _known(request: HttpRequest) -> list[str]:
    """Primary keys, as text, of the accounts that have signed in here."""
    said = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=KEPT)
    return said.split("/") if said else []


def _key_of(username: str) -> str:
    return str(Account.objects.filter(username=username).values_list("pk", flat=True).first())
