"""The database and the cache that the environment names, and what is said of a wrong address."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.filebased import FileBasedCache
from django.core.exceptions import ImproperlyConfigured

from config import services
from config.redis_cache import PatientRedisCache

FOLDER = Path("/srv/spadille")


def test_without_an_address_the_database_is_a_file_in_the_data_folder():
    told = services.database("", FOLDER)
    assert (told["ENGINE"], told["NAME"]) == ("django.db.backends.sqlite3", FOLDER / "spadille.sqlite3")
    assert "synchronous=FULL" in told["OPTIONS"]["init_command"]


def test_sqlite_can_be_another_file():
    for name in ("/elsewhere/club.sqlite3", "/else where/club #1?.sqlite3"):
        assert services.database(f"sqlite:///{name}", FOLDER)["NAME"] == Path(name)


def test_postgresql_is_told_to_answer_when_a_deal_is_on_the_disk():
    told = services.database("postgres://union:s%40crt@db.example.dk:5433/spadille", FOLDER)
    wanted = ("django.db.backends.postgresql", "db.example.dk", 5433, "union", "s@crt", "spadille")
    assert tuple(told[key] for key in ("ENGINE", "HOST", "PORT", "USER", "PASSWORD", "NAME")) == wanted
    assert "synchronous_commit=on" in told["OPTIONS"]["options"]


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
        services.database(url, FOLDER)
    assert "geheim" not in str(said.value)


@pytest.mark.parametrize(
    "url", ["memcached://host", "redis:", "redis://host:port/0", "redis://host/0#1", "host:6379"]
)
def test_a_wrong_cache_is_named(url):
    with pytest.raises(ImproperlyConfigured, match=r"^CACHE_URL: "):
        services.caches(url, FOLDER)


def test_with_redis_all_processes_share_pages_and_wrong_tries():
    told = services.caches("redis://host:6379/1", FOLDER)
    assert {told[name]["LOCATION"] for name in ("default", "tries")} == {"redis://host:6379/1"}
    assert told["default"]["KEY_PREFIX"] != told["tries"]["KEY_PREFIX"]


def test_in_files_no_code_for_the_hall_makes_way_for_a_few_hundred_guessers(tmp_path):
    told = services.caches("", tmp_path)["tries"]
    tries = FileBasedCache(told["LOCATION"], told)
    for guesser in range(310):
        tries.set(guesser, 1)
    assert len(tries.get_many(range(310))) == 310


def test_no_page_fails_while_redis_is_away(caplog):
    away = PatientRedisCache("redis://127.0.0.1:1/0", {"OPTIONS": {"socket_connect_timeout": 0.1}})
    assert away.get("standings", "none") == "none"
    assert (away.add("tries", 1), away.incr("tries"), away.get_many(["a"])) == (True, 1, {})
    away.set("standings", 1)
    away.delete("standings")
    # It is left alone for a while: each question to a machine that is away may take a second.
    assert caplog.text.count("Redis does not answer") == 1
    away.left_alone_until = 0
    away.get("standings")
    assert caplog.text.count("Redis does not answer") == 2


def test_the_cache_of_the_tests_keeps_what_it_is_given():
    for name in ("default", "tries", "tries-here"):
        caches[name].set("key", {"value": [1, 2]}, 10)
        assert caches[name].get("key") == {"value": [1, 2]}


IMPATIENT = """
import runpy, sys
from tournaments.running import database
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
    assert waiting.startswith("The database does not answer yet (")
    assert said.startswith("Spadille's database does not answer: ")
    assert "geheim" not in asked.stderr


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("PORT", "many", 'Environment variable "PORT" invalid'),
        ("DATABASE_URL", "oracle://host/name", "DATABASE_URL: it must look like"),
        ("CACHE_URL", "host", "CACHE_URL: "),
        ("TIME_ZONE", "Europe/Odense", "Incorrect timezone setting: Europe/Odense"),
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
