"""The mail server that the environment names, and who letters are from; without either nothing is mailed.

What is wrong is said with the setting's name and without the address itself, which holds a password.
"""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import getaddresses, parseaddr
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

# How each is spoken to: its usual port, whether it is encrypted after a greeting (STARTTLS), or from the first byte.
SCHEMES = {
    "smtp": (25, False, False),
    "smtp+tls": (587, True, False),
    "smtp+ssl": (465, False, True),
    "smtps": (465, False, True),
}


@dataclass(frozen=True)
class MailServer:
    """Where letters are handed over."""

    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False

    def __repr__(self) -> str:
        """Without the password: settings are shown where something went wrong."""
        return f"MailServer({self.host}:{self.port})"


def server(url: str, public_url: str) -> MailServer | None:
    """The server of an address like smtp+tls://user:password@host:587; None where there is none."""
    if not url:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
        is_one = parts.scheme in SCHEMES and bool(parts.hostname) and port != 0
    except ValueError:
        is_one = False
    if not is_one or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ImproperlyConfigured(
            "EMAIL_URL: it must look like smtp+tls://user:password@host:587 (smtp:// without encryption, smtp+ssl://"
            " encrypted from the start). Signs like @ : / # in a password are written %40 %3A %2F %23."
        )
    if not public_url:
        raise ImproperlyConfigured(
            "EMAIL_URL: letters have links, so PUBLIC_URL is needed too: the address that Spadille is reached at."
        )
    usual, starttls, tls = SCHEMES[parts.scheme]
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(str(parts.hostname), port or usual, user, password, starttls, tls)


def sender(address: str, mail_server: MailServer | None) -> str:
    """Who letters are from, as “Spadille <spadille@example.dk>” or the address alone."""
    if mail_server is None:
        return ""
    name, plain = parseaddr(address) if len(getaddresses([address])) == 1 else ("", "")
    try:
        validate_email(plain)
    except ValidationError:
        plain = ""
    if not plain or any(sign in address for sign in "\r\n"):
        raise ImproperlyConfigured(
            "EMAIL_FROM: with EMAIL_URL it is needed, and must look like Spadille <spadille@example.dk>: the mail"
            " server refuses letters from nobody."
        )
    return f"{name} <{plain}>" if name else plain
