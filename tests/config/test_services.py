"""The database and the cache that the environment names, and what is said of a wrong address."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured

from config import environment
from core.caching import LastingFileCache
from core.redis_cache import CircuitBreaker, PatientRedisCache
from core.serving import addresses
from core.throttle import WRONG_TRIES_A_MINUTE, by_name, count_attempt, is_throttled
from tests.patience import PATIENCE

FOLDER = Path("/srv/spadille")


def test_without_an_address_the_database_is_a_file_in_the_data_folder():
    told = environment.database("", FOLDER)
    assert (told["ENGINE"], told["NAME"]) == ("django.db.backends.sqlite3", FOLDER / "spadille.sqlite3")
    assert "synchronous=FULL" in told["OPTIONS"]["init_command"]


def test_sqlite_can_be_another_file():
    for name in ("/elsewhere/club.sqlite3", "/else where/club #1?.sqlite3"):
        assert environment.database(f"sqlite:///{name}", FOLDER)["NAME"] == Path(name)


def test_postgresql_is_told_to_answer_when_a_deal_is_on_the_disk_and_how_to_write_moments():
    told = environment.database("postgres://union:s%40crt@db.example.dk:5433/spadille", FOLDER)
    wanted = ("django.db.backends.postgresql", "db.example.dk", 5433, "union", "s@crt", "spadille")
    assert tuple(told[key] for key in ("ENGINE", "HOST", "PORT", "USER", "PASSWORD", "NAME")) == wanted
    assert {"synchronous_commit=on", "datestyle=ISO"} <= set(told["OPTIONS"]["options"].split())


@pytest.mark.parametrize(
    "url",
    [
        "mysql://union:geheim@db/spadille",
        "postgres://union:geheim@db",
        "postgres://union:geheim@db:port/spadille",
        "postgres://union:geh@eim/x@db:x/spadille",
        "postgres://union@db/spadille#geheim",
        "sqlite:///geheim",
        "sqlite://:memory:",
        "geheim",
    ],
)
def test_a_wrong_database_is_named_and_its_password_is_not(url):
    with pytest.raises(ImproperlyConfigured, match=r"^DATABASE_URL: ") as said:
        environment.database(url, FOLDER)
    assert "geheim" not in str(said.value)


@pytest.mark.parametrize(
    "url", ["memcached://host", "redis:", "redis://host:port/0", "redis://host/0#1", "host:6379"]
)
def test_a_wrong_cache_is_named(url):
    with pytest.raises(ImproperlyConfigured, match=r"^CACHE_URL: "):
        environment.caches(url, FOLDER)


def test_with_redis_all_processes_share_pages_and_wrong_tries():
    told = environment.caches("redis://host:6379/1", FOLDER)
    assert {told[name]["LOCATION"] for name in ("default", "tries")} == {"redis://host:6379/1"}
    assert told["default"]["KEY_PREFIX"] != told["tries"]["KEY_PREFIX"]


def test_in_files_no_count_and_no_code_makes_way_for_any_number_of_guessers(tmp_path, settings, monkeypatch):
    monkeypatch.setattr(environment, "MOST_FILES", 20)
    settings.CACHES = environment.caches("", tmp_path)
    guesser, code = by_name("account", "alice"), addresses.new_code()
    caches["tries"].set("long-ago", 1, -1)
    for _try in range(WRONG_TRIES_A_MINUTE - 1):
        count_attempt(guesser)
    for number in range(100):
        count_attempt(by_name("account", f"nobody {number}"))
    assert not is_throttled(guesser)
    count_attempt(guesser)
    caches["tries-here"].clear()  # as in another process
    assert is_throttled(guesser)
    assert addresses.is_code(code)
    assert caches["tries"].get("long-ago") is None
    assert len(list((tmp_path / "tries").iterdir())) == 20
    # Once these have had their time there is room again.
    for number in range(100):
        caches["tries"].touch(by_name("account", f"nobody {number}"), -1)
    monkeypatch.setattr(LastingFileCache, "looked_at", {})
    count_attempt(by_name("account", "bob"))
    assert len(list((tmp_path / "tries").iterdir())) == 2


@pytest.fixture
def as_on_windows(monkeypatch):
    """Nothing is removed while it is open."""

    def remover(remove):
        def refuse_what_is_open(path, **more):
            for descriptor in range(256):
                with suppress(OSError):
                    is_open = os.path.samestat(os.fstat(descriptor), os.stat(path))  # noqa: PTH116 - as given
                    assert not is_open, f"{path} is removed while it is open"
            remove(path, **more)

        return refuse_what_is_open

    for name in ("remove", "unlink"):
        monkeypatch.setattr(os, name, remover(getattr(os, name)))


@pytest.mark.parametrize(
    "damaged",
    [
        lambda _whole: b"",
        lambda whole: b"\0" * len(whole),
        lambda whole: whole[:9],
        lambda whole: whole[:-9],
        lambda whole: whole + b"\0",
        lambda whole: whole[:4] + b"N." + whole[4:],
        lambda whole: whole[4:],
    ],
    ids=["empty", "zeros", "begun", "broken off", "longer", "for ever", "as Django has it"],
)
def test_a_file_that_is_damaged_has_had_its_time_and_nobody_meets_an_error(damaged, tmp_path, as_on_windows):
    cache = LastingFileCache(tmp_path, {"max_entries": 2})

    def damage():
        cache.set("count", "damaged", 60)
        file = Path(cache._key_to_file("count"))
        file.write_bytes(damaged(file.read_bytes()))
        return file

    for asked, told in ((cache.get, None), (cache.touch, False), (cache.has_key, False)):
        file = damage()
        assert (asked("count"), file.exists()) == (told, False)
    damage()
    cache.set("other", 1, 60)
    cache.set("new", 1, 60)
    assert cache.get_many(["count", "other", "new"]) == {"other": 1, "new": 1}


def test_a_file_of_which_one_byte_is_another_is_damaged(tmp_path):
    cache = LastingFileCache(tmp_path, {})
    cache.set("count", 7, 60)
    file = Path(cache._key_to_file("count"))
    whole = file.read_bytes()
    for place, byte in enumerate(whole):
        file.write_bytes(whole[:place] + bytes([byte ^ 0x40]) + whole[place + 1 :])
        assert (cache.get("count"), file.exists()) == (None, False)
    file.write_bytes(whole)
    assert cache.get("count") == 7


def test_what_has_had_its_time_cannot_be_given_more(tmp_path):
    cache = LastingFileCache(tmp_path, {})
    for timeout, known in ((60, True), (-1, False), (None, True)):
        cache.set("count", 7, timeout)
        assert cache.touch("count", 60) is known
        assert cache.get("count") == (7 if known else None)


def test_no_page_fails_while_redis_is_away(caplog):
    away = PatientRedisCache("redis://127.0.0.1:1/0", {"OPTIONS": {"socket_connect_timeout": 0.1}})
    assert away.get("standings", "none") == "none"
    assert (away.add("tries", 1), away.incr("tries"), away.get_many(["a"])) == (True, 1, {})
    away.set("standings", 1)
    away.delete("standings")
    assert away.publish("news", "7") is None
    assert caplog.text.count("Redis is not answering") == 1


def test_where_redis_is_away_one_of_all_caches_and_threads_tries_it_once_a_second():
    now = [100.0]
    breaker = CircuitBreaker(clock=lambda: now[0])
    assert (breaker.allows(), breaker.allows()) == (True, True)
    breaker.failed(ConnectionError())
    assert (breaker.allows(), breaker.allows()) == (False, False)
    now[0] += 1
    assert (breaker.allows(), breaker.allows()) == (True, False)
    breaker.worked()
    assert (breaker.allows(), breaker.allows()) == (True, True)


def test_all_caches_of_one_redis_know_that_it_is_away():
    one, other = (PatientRedisCache("redis://127.0.0.1:2/0", {}) for _each in range(2))
    elsewhere = PatientRedisCache("redis://127.0.0.1:3/0", {})
    one.get("page")
    assert (other.breaker.is_open, elsewhere.breaker.is_open) == (True, False)


def test_redis_that_does_not_answer_is_asked_once():
    """The library would try again three times, with seconds between."""
    connections = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hang_up():
            with suppress(OSError):
                while True:
                    connections.append(server.accept())
                    connections[-1][0].close()

        accepting = threading.Thread(target=hang_up)
        accepting.start()
        address = "redis://{}:{}/0".format(*server.getsockname())
        assert PatientRedisCache(address, {}).get("page", "none") == "none"
        server.shutdown(socket.SHUT_RDWR)
        accepting.join(PATIENCE)
    assert len(connections) == 1


def test_the_cache_of_the_tests_keeps_what_it_is_given():
    for name in settings.CACHES:
        caches[name].set("key", {"value": [1, 2]}, 10)
        assert caches[name].get("key") == {"value": [1, 2]}


IMPATIENT = """
import runpy, sys
from core import database
database.PATIENCE = 0.1
sys.argv = ["manage.py", "prepare"]
runpy.run_path("manage.py", run_name="__main__")
"""


@pytest.mark.slow
def test_a_database_that_is_away_is_waited_for_and_said_in_a_line(tmp_path):
    asked = subprocess.run(
        [sys.executable, "-c", IMPATIENT],
        check=False,
        cwd=settings.BASE_DIR,
        env=os.environ
        | {"SPADILLE_DATA": str(tmp_path), "DATABASE_URL": "postgres://union:geheim@127.0.0.1:1/spadille"},
        capture_output=True,
        text=True,
    )
    assert asked.returncode == 1
    waiting, said = asked.stderr.splitlines()
    assert waiting.startswith("The database is not answering yet (")
    assert said.startswith("Spadille's database does not answer: ")
    assert "geheim" not in asked.stderr


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("PORT", "many", 'Environment variable "PORT" invalid'),
        ("DATABASE_URL", "oracle://host/name", "DATABASE_URL: it must look like"),
        ("CACHE_URL", "host", "CACHE_URL: "),
        ("TIME_ZONE", "Europe/Odense", "TIME_ZONE: “Europe/Odense” is not a time zone"),
        ("SPADILLE_DATA", "/proc/spadille", "/proc/spadille"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_its_name(tmp_path, setting, value, said):
    asked = subprocess.run(
        [sys.executable, "manage.py", "check"],
        check=False,
        cwd=settings.BASE_DIR,
        env=os.environ | {"SPADILLE_DATA": str(tmp_path)} | {setting: value},
        capture_output=True,
        text=True,
    )
    assert asked.returncode == 1
    assert asked.stderr.startswith("Spadille cannot start: ")
    assert said in asked.stderr
    assert "Traceback" not in asked.stderr
