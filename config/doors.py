"""What settings are made of that keep strangers out: the public address, the secret keys, the names answered to."""

import re
import secrets
from collections.abc import Iterable
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ImproperlyConfigured

from core.files import write_whole

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
# Read from the environment elsewhere: the password of a new account, what a starting server tells its own
# processes, and whether the databases of benchmarks survive a power cut.
READ_ELSEWHERE = (
    "SPADILLE_PASSWORD",
    "SPADILLE_HELD_BY_INPUT",
    "SPADILLE_FIRST_PAGE_SECRET",
    "SPADILLE_DURABLE",
)
KEYS_KEPT = 2  # the one that signs, and the one before it, so that nobody is signed out when it changes


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
        raise ImproperlyConfigured(
            "PUBLIC_URL: it must look like https://lhombre.example.dk, with nothing after it"
        )
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
        raise ImproperlyConfigured(f"{name}: there is no such setting.{told}")


def token(name: str, told: str) -> str:
    """What opens something to a program; refuses what could be guessed."""
    if told and len(told) < SHORTEST_TOKEN:
        raise ImproperlyConfigured(
            f"{name}: at least {SHORTEST_TOKEN} characters, as `openssl rand -hex 16` makes them"
        )
    return told


def time_zone(name: str) -> str:
    """A time zone that this machine knows. Raises ImproperlyConfigured."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # none, a way out of the zones' folder, a folder
        raise ImproperlyConfigured(
            f"TIME_ZONE: “{name}” is no time zone. It must look like Europe/Copenhagen"
        ) from None
    return name


def own_hosts(url: str) -> list[str]:
    """The names by which the server behind a public address is reached: that one, and from its own machine."""
    name = urlsplit(url).hostname or ""
    return [f"[{name}]" if ":" in name else name, "localhost", "127.0.0.1", "[::1]"]


def hosts(names: list[str]) -> list[str]:
    """Names to answer to; refuses what no browser asks for, since nobody could come in then."""
    for name in names:
        if not HOST.fullmatch(name):
            raise ImproperlyConfigured(
                f"ALLOWED_HOSTS: “{name}” is no name of a host. Write it without https:// and without a port."
            )
    return names


def push(*, asked: bool, https: bool) -> bool:
    """Whether phones can be told; refuses to promise what no browser does."""
    if asked and not https:
        raise ImproperlyConfigured(
            "PUSH: browsers allow it over https alone; set PUBLIC_URL to the https address"
        )
    return asked


def push_services(names: list[str]) -> list[str]:
    """Names of push services; a message goes over https, to the usual port."""
    for name in names:
        if not HOST.fullmatch(name) or name.startswith((".", "*", "[")) or "." not in name:
            raise ImproperlyConfigured(
                f"PUSH_SERVICES: “{name}” is no name of a server. Write it as push.example.org, without https://."
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
            f"SPADILLE_DATA: the data folder {name} cannot be made ({reason}). Name another one, where you may write."
        ) from None
    return folder


def proxies(addresses: list[str]) -> list[str]:
    """The proxies' addresses; refuses what is none, since all visitors would be taken for one then."""
    try:
        return [str(ip_address(address)) for address in addresses]
    except ValueError as error:
        raise ImproperlyConfigured(f"PROXIES: {error}. Name each proxy by its address.") from None


def secret_keys(given: list[str], data_folder: Path) -> list[str]:
    """The key that signs, then older ones that are still believed: as given, or kept in the data folder."""
    keys = [key for key in given if key]
    if any(len(key) < SHORTEST_KEY for key in keys):
        raise ImproperlyConfigured(
            f"SECRET_KEY: it needs {SHORTEST_KEY} letters and digits or more. Leave it out, and one is made."
        )
    return keys or _kept(data_folder / "secret-key")


def _kept(path: Path) -> list[str]:
    if not path.exists():
        _write(path, [_new_key()])
    keys = path.read_text("ascii").split()
    if not keys:
        raise ImproperlyConfigured(f"SECRET_KEY: {path} is empty. Remove it, and a new one is made.")
    return keys


def renew_secret_key(data_folder: Path) -> None:
    """Sign with a new key from the next start on; the last one is believed until the next renewal."""
    path = data_folder / "secret-key"
    _write(path, [_new_key(), *_kept(path)][:KEYS_KEPT])


def _new_key() -> str:
    return secrets.token_urlsafe(50)


def _write(path: Path, keys: list[str]) -> None:
    """Whole or not at all, and for its owner only."""
    write_whole(path, "".join(f"{key}\n" for key in keys).encode())
