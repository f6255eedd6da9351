"""The database and the cache that the environment names: SQLite and this process, or PostgreSQL and Redis.

Both are given as addresses in the manner of dj-database-url. What is wrong with one is said with the setting's name
and without the address itself, which may hold a password.
"""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

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
# As patient as SQLite's writers; PostgreSQL, too, answers only when a deal is on the disk, and tells moments as the
# chains have them, whatever the cluster is set to.
POSTGRESQL_OPTIONS: dict[str, Any] = {
    "options": "-c lock_timeout=20s -c synchronous_commit=on -c datestyle=ISO",
    "connect_timeout": 5,
}

# Counted at the same time by one process: more than guess within a minute, so that none is thrown out for others.
MOST_GUESSERS = 50_000
# Of files, which are listed whenever another comes: who guesses besides is counted by each process alone.
MOST_FILES = 5_000


def database(url: str, data_folder: Path) -> dict[str, Any]:
    """What Django is to be told of the database; SQLite in the data folder where no address is given."""
    if not url:
        return _sqlite(data_folder / "spadille.sqlite3", data_folder)
    kind, _colon, place = url.partition("://")
    if kind == "sqlite":
        if not place.startswith("//"):
            raise ImproperlyConfigured(
                "DATABASE_URL: name the file of SQLite in full, as in sqlite:////srv/spadille/spadille.sqlite3"
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
                "JOURNAL: name the folder in full, as in /media/stick/spadille, or sftp://user@host/folder"
            )
        return str(Path(where).expanduser()) if where else ""
    address = _read("JOURNAL", where)
    if address.password or address.query or not address.hostname or not address.path.strip("/"):
        raise ImproperlyConfigured(
            "JOURNAL: it must look like sftp://user@host:22/folder/in/full, without a password: a key lets in"
        )
    return where


def machine(folder: str) -> str:
    """The folder where a machine of Spadille's own is asked; "": it is somebody's computer, or a server."""
    if folder and not Path(folder).is_absolute():
        raise ImproperlyConfigured("MACHINE: name the folder in full, as in /run/spadille-stick")
    return folder


@cache
def version_of_program() -> str:
    """Tells one version of the program from another: what one keeps for its pages, another cannot read."""
    here = Path(__file__).parent.parent
    found = hashlib.sha256()
    for folder in ("clubs", "core", "locale", "scoring", "templates", "tournaments"):
        for path in sorted((here / folder).rglob("*")):
            if path.suffix in (".py", ".html", ".md", ".mo"):
                found.update(path.read_bytes())
    return found.hexdigest()[:12]


def caches(url: str, data_folder: Path) -> dict[str, Any]:
    """The caches: `default` for pages and standings, `tries` for what is counted against guessing, `shared` for what
    every process must know for an hour, however many guess.

    Without Redis each process keeps the pages it drew, and all of them count wrong tries together in files. What was
    tried with one process is in its own `tries-here` too, which nothing can take away.
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
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
    return {
        "default": redis | {"KEY_PREFIX": f"spadille-{version_of_program()}"},
        "tries": redis | {"KEY_PREFIX": "spadille-tries"},
        "tries-here": here,
        "shared": redis | {"KEY_PREFIX": "spadille-shared"},
    }


def _read(setting: str, url: str) -> SplitResult:
    """The parts of an address with a machine in it; says which setting is wrong where they cannot be told."""
    try:
        address = urlsplit(url)
        has_host = bool(address.hostname or address.query) and address.port != 0
        is_whole = "#" not in url  # it would cut off the rest without a word
    except ValueError:
        is_whole = False
    if not is_whole:
        raise ImproperlyConfigured(
            f"{setting}: this is no address. Mind signs like @ : / # in a password."
        ) from None
    if not has_host:
        raise ImproperlyConfigured(f"{setting}: this is no address of a server.")
    return address
