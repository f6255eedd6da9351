"""Parse and validate settings of the environment: folders, hosts, keys, database, cache, mail, push.

Addresses are given in the manner of dj-database-url. An error names the setting, and never shows an address, which may
have a password in it.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from email.utils import getaddresses, parseaddr
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import dj_database_url
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

from core.files import write_atomically

# IMMEDIATE: a writer queues instead of failing with "database is locked".
# FULL: a deal that was answered survives the plug being pulled; phones forget what was answered.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=20000;"
        " PRAGMA cache_size=-20000; PRAGMA temp_store=MEMORY;"
    ),
}
# The same lock timeout as SQLite's writers; PostgreSQL, too, commits only when a deal is on the disk, and formats
# timestamps as the chains have them, whatever the cluster's settings.
POSTGRESQL_OPTIONS: dict[str, Any] = {
    "options": "-c lock_timeout=20s -c synchronous_commit=on -c datestyle=ISO",
    "connect_timeout": 5,
}

# Counted at the same time by one process: more than guess within a minute, so that none is thrown out for others.
MOST_GUESSERS = 50_000
# Of files, which are listed whenever another comes: who guesses besides is counted by each process alone.
MOST_FILES = 5_000


def database(url: str, data_folder: Path) -> dict[str, Any]:
    """Django's settings of the database; SQLite in the data folder if no URL is given."""
    if not url:
        return _sqlite(data_folder / "spadille.sqlite3", data_folder)
    kind, _colon, place = url.partition("://")
    if kind == "sqlite":
        if not place.startswith("//"):
            raise ImproperlyConfigured(
                "DATABASE_URL: give the full path of the SQLite file, such as "
                "sqlite:////srv/spadille/spadille.sqlite3"
            )
        return _sqlite(Path(place[1:]), data_folder)
    address = _read("DATABASE_URL", url)
    name = address.path.removeprefix("/")
    if address.scheme not in ("postgres", "postgresql") or not name or "/" in name:
        raise ImproperlyConfigured(
            "DATABASE_URL: it must look like postgres://user:password@host:5432/name (or sqlite:////file)"
        )
    told: dict[str, Any] = {**dj_database_url.parse(url, conn_max_age=None, conn_health_checks=True)}
    return told | {"OPTIONS": POSTGRESQL_OPTIONS | told.get("OPTIONS", {})}


def _sqlite(file: Path, data_folder: Path) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": file,
        "OPTIONS": SQLITE_OPTIONS,
        "CONN_MAX_AGE": None,
        # A file, not memory: tests of two writers at once need the locks of a real one.
        "TEST": {"NAME": data_folder / "test.sqlite3"},
    }


def journal(where: str) -> str:
    """The folder that the journal is written to, or its address on another machine; "": nowhere."""
    if not where.startswith("sftp:"):
        if where and not Path(where).expanduser().is_absolute():
            raise ImproperlyConfigured(
                "JOURNAL: give the full path of the folder, such as /media/stick/spadille, or "
                "sftp://user@host/folder"
            )
        return str(Path(where).expanduser()) if where else ""
    address = _read("JOURNAL", where)
    if address.password or address.query or not address.hostname or not address.path.strip("/"):
        raise ImproperlyConfigured(
            "JOURNAL: it must look like sftp://user@host:22/full/path, without a password (use an SSH key)"
        )
    return where


def machine(folder: str) -> str:
    """The folder for requests to a machine started from our stick or card; "" for any other computer."""
    if folder and not Path(folder).is_absolute():
        raise ImproperlyConfigured("MACHINE: give the full path of the folder, such as /run/spadille-stick")
    return folder


@cache
def version_of_program() -> str:
    """The digest of the program's sources: another version cannot read what this one caches for its pages."""
    here = Path(__file__).parent.parent
    found = hashlib.sha256()
    for folder in ("clubs", "core", "locale", "scoring", "templates", "tournaments"):
        for path in sorted((here / folder).rglob("*")):
            if path.suffix in (".py", ".html", ".md", ".mo"):
                found.update(path.read_bytes())
    return found.hexdigest()[:12]


def caches(url: str, data_folder: Path) -> dict[str, Any]:
    """Django's caches: `default` for pages and standings, `tries` for throttling of wrong guesses, `shared` for values
    that every process needs for an hour, whatever is guessed.

    Without Redis each process caches its own pages, and all count wrong guesses together in files. Guesses at one
    process are also in its `tries-here`, which no eviction empties.
    """
    here = {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "tries-here",
        "OPTIONS": {"MAX_ENTRIES": MOST_GUESSERS},
    }
    if not url:
        files = {
            "BACKEND": "core.caching.LastingFileCache",
            "TIMEOUT": 60,
            "OPTIONS": {"MAX_ENTRIES": MOST_FILES},
        }
        return {
            "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
            "tries": files | {"LOCATION": data_folder / "tries"},
            "tries-here": here,
            "shared": files | {"LOCATION": data_folder / "shared"},
        }
    if _read("CACHE_URL", url).scheme not in ("redis", "rediss"):
        raise ImproperlyConfigured("CACHE_URL: it must look like redis://host:6379/0 (or rediss://…)")
    redis = {
        "BACKEND": "core.redis_cache.PatientRedisCache",
        "LOCATION": url,
    }
    return {
        "default": redis | {"KEY_PREFIX": f"spadille-{version_of_program()}"},
        "tries": redis | {"KEY_PREFIX": "spadille-tries"},
        "tries-here": here,
        "shared": redis | {"KEY_PREFIX": "spadille-shared"},
    }


def _read(setting: str, url: str) -> SplitResult:
    """The parsed URL, which has a host. Raises ImproperlyConfigured with the name of the setting."""
    try:
        address = urlsplit(url)
        has_host = bool(address.hostname or address.query) and address.port != 0
        is_whole = "#" not in url  # it would cut off the rest without a word
    except ValueError:
        is_whole = False
    if not is_whole:
        raise ImproperlyConfigured(
            f"{setting}: this is not a valid address. Check for signs like @ : / # in the password."
        ) from None
    if not has_host:
        raise ImproperlyConfigured(f"{setting}: this is not the address of a server.")
    return address


HOST = re.compile(r"\*|\.?[\w-]+(\.[\w-]+)*\.?|\[[0-9A-Fa-f:.]+\]")
SHORTEST_KEY = 32
SHORTEST_TOKEN = 16
# The push services of Chrome, Edge, Opera and Samsung; of Firefox; of Safari; of Edge under Windows.
BROWSERS_OWN = (
    "fcm.googleapis.com",
    "jmt17.google.com",
    "push.services.mozilla.com",
    "push.apple.com",
    "notify.windows.com",
)
PREFIX = "SPADILLE_"
# Read from the environment elsewhere: the password of a new account, what a starting server passes to its
# processes, and whether the databases of benchmarks survive a power cut.
READ_ELSEWHERE = (
    "SPADILLE_PASSWORD",
    "SPADILLE_HELD_BY_INPUT",
    "SPADILLE_FIRST_PAGE_SECRET",
    "SPADILLE_DURABLE",
)
KEYS_KEPT = 2  # the one that signs, and the one before it, so that sessions stay valid after a change


def public_url(url: str) -> str:
    """The address without a slash at its end; refuses what cannot begin a link."""
    url = url.strip().rstrip("/")
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        is_plain = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_plain = False
    if not is_plain or parts.path or parts.query or parts.fragment or parts.username:
        raise ImproperlyConfigured("PUBLIC_URL: it must look like https://lhombre.example.dk, without a path")
    return url


def refuse_unknown(names: Iterable[str], known: Iterable[str]) -> None:
    """Refuse a variable that begins with our prefix and is none of the `known` settings: misspelt, it would do nothing.

    Raises ImproperlyConfigured with the setting that is nearest.
    """
    settings = {setting.removeprefix(PREFIX): setting for setting in (*known, *READ_ELSEWHERE)}
    for name in sorted(names):
        if not name.startswith(PREFIX) or name in settings.values():
            continue
        near = get_close_matches(name.removeprefix(PREFIX), settings, n=1)
        told = f" Is {settings[near[0]]} meant?" if near else " They are in docs/reference/settings.md."
        raise ImproperlyConfigured(f"{name}: unknown setting.{told}")


def token(name: str, told: str) -> str:
    """Validate a secret token; refuse one that could be guessed."""
    if told and len(told) < SHORTEST_TOKEN:
        raise ImproperlyConfigured(
            f"{name}: it must have at least {SHORTEST_TOKEN} characters; `openssl rand -hex 16` makes one"
        )
    return told


def time_zone(name: str) -> str:
    """A time zone that this machine knows. Raises ImproperlyConfigured."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # none, a way out of the zones' folder, a folder
        raise ImproperlyConfigured(
            f"TIME_ZONE: “{name}” is not a time zone. It must look like Europe/Copenhagen"
        ) from None
    return name


def own_hosts(url: str) -> list[str]:
    """The names by which the server behind a public address is reached: that one, and from its own machine."""
    name = urlsplit(url).hostname or ""
    return [f"[{name}]" if ":" in name else name, "localhost", "127.0.0.1", "[::1]"]


def hosts(names: list[str]) -> list[str]:
    """The allowed hosts. Raises ImproperlyConfigured for what is no host name, which would lock everyone out."""
    for name in names:
        if not HOST.fullmatch(name):
            raise ImproperlyConfigured(
                f"ALLOWED_HOSTS: “{name}” is not a host name. Write it without https:// and without a port."
            )
    return names


def push(*, asked: bool, https: bool) -> bool:
    """Whether push messages are on. Raises ImproperlyConfigured without https, where no browser allows them."""
    if asked and not https:
        raise ImproperlyConfigured(
            "PUSH: browsers only allow it over https. Set PUBLIC_URL to an https address"
        )
    return asked


def push_services(names: list[str]) -> list[str]:
    """The names of push services, which are called over https at the standard port."""
    for name in names:
        if not HOST.fullmatch(name) or name.startswith((".", "*", "[")) or "." not in name:
            raise ImproperlyConfigured(
                f"PUSH_SERVICES: “{name}” is not a server name. Write it as push.example.org, without "
                f"https://."
            )
    return names


def data_folder(name: str) -> Path:
    """The data folder, made where it is not there yet."""
    try:
        folder = Path(name).expanduser().resolve()
        folder.mkdir(
            mode=0o700, parents=True, exist_ok=True
        )  # members, links, and what passwords were made into
    except (OSError, RuntimeError) as error:  # a `~` without a home is a RuntimeError
        reason = error.strerror if isinstance(error, OSError) else error
        raise ImproperlyConfigured(
            f"SPADILLE_DATA: the data folder {name} cannot be created ({reason}). Choose one where you may "
            f"write."
        ) from None
    return folder


def proxies(addresses: list[str]) -> list[str]:
    """The proxies' addresses; refuses what is none, since all visitors would be taken for one then."""
    try:
        return [str(ip_address(address)) for address in addresses]
    except ValueError as error:
        raise ImproperlyConfigured(f"PROXIES: {error}. Give the IP address of each proxy.") from None


def secret_keys(given: list[str], data_folder: Path) -> list[str]:
    """The key that signs and older keys that are still valid: as given, or from the file in the data folder."""
    keys = [key for key in given if key]
    if any(len(key) < SHORTEST_KEY for key in keys):
        raise ImproperlyConfigured(
            f"SECRET_KEY: it must have at least {SHORTEST_KEY} characters. Leave it out and one is made "
            f"for you."
        )
    return keys or _read_stored(data_folder / "secret-key")


def _read_stored(path: Path) -> list[str]:
    if not path.exists():
        _write(path, [_new_key()])
    keys = path.read_text("ascii").split()
    if not keys:
        raise ImproperlyConfigured(f"SECRET_KEY: {path} is empty. Delete it and a new one is made.")
    return keys


def renew_secret_key(data_folder: Path) -> None:
    """Sign with a new key from the next start on; the last one is believed until the next renewal."""
    path = data_folder / "secret-key"
    _write(path, [_new_key(), *_read_stored(path)][:KEYS_KEPT])


def _new_key() -> str:
    return secrets.token_urlsafe(50)


def _write(path: Path, keys: list[str]) -> None:
    """Write the keys atomically, readable by the owner only."""
    write_atomically(path, "".join(f"{key}\n" for key in keys).encode())


# How each is spoken to: its usual port, whether it is encrypted after a greeting (STARTTLS), or from the first byte.
SCHEMES = {
    "smtp": (25, False, False),
    "smtp+tls": (587, True, False),
    "smtp+ssl": (465, False, True),
    "smtps": (465, False, True),
}


@dataclass(frozen=True)
class MailServer:
    """The mail server's host, port and credentials."""

    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False

    def __repr__(self) -> str:
        """Without the password, since settings appear in error reports."""
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
            " encrypted from the start). Write @ : / # in a password as %40 %3A %2F %23."
        )
    if not public_url:
        raise ImproperlyConfigured(
            "EMAIL_URL: emails contain links, so PUBLIC_URL, Spadille's own address, is needed too."
        )
    usual, starttls, tls = SCHEMES[parts.scheme]
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(str(parts.hostname), port or usual, user, password, starttls, tls)


def sender(address: str, mail_server: MailServer | None) -> str:
    """The sender of letters, as “Spadille <spadille@example.dk>” or the address alone."""
    if mail_server is None:
        return ""
    name, plain = parseaddr(address) if len(getaddresses([address])) == 1 else ("", "")
    try:
        validate_email(plain)
    except ValidationError:
        plain = ""
    if not plain or any(sign in address for sign in "\r\n"):
        raise ImproperlyConfigured(
            "EMAIL_FROM: it is required with EMAIL_URL and must look like Spadille <spadille@example.dk>."
        )
    return f"{name} <{plain}>" if name else plain
