"""Wrong tries are counted also while what the processes share counts nothing: Redis away, a full disk."""

from __future__ import annotations

import errno

import pytest
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client
from django.urls import reverse

from core.throttle import WRONG_TRIES_A_MINUTE, by_name, count_attempt, is_throttled

pytestmark = pytest.mark.databases

AWAY = {
    "BACKEND": "core.redis_cache.PatientRedisCache",
    "LOCATION": "redis://127.0.0.1:1/0",
    "OPTIONS": {"socket_connect_timeout": 0.1},
}


class FullDisk(LocMemCache):
    def add(self, *_args, **_options):
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture(params=[AWAY, {"BACKEND": f"{__name__}.FullDisk"}], ids=["Redis is away", "the disk is full"])
def _nothing_is_shared(request, settings):
    settings.CACHES = settings.CACHES | {"tries": request.param}


@pytest.mark.usefixtures("_nothing_is_shared")
def test_who_guesses_waits_and_nobody_else_does():
    guesser, other = by_name("account", "alice"), by_name("account", "bob")
    for _try in range(WRONG_TRIES_A_MINUTE):
        assert not is_throttled(guesser, other)
        count_attempt(guesser)
    assert is_throttled(guesser)
    assert not is_throttled(other)


@pytest.mark.usefixtures("_nothing_is_shared", "alice")
@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda client: client.get(reverse("captain_code"), {"code": "WRONG2"}), "Too many wrong codes"),
        (
            lambda client: client.post(
                reverse("login"), {"username": "nobody", "password": "wrong"}, REMOTE_ADDR="192.0.2.1"
            ),
            "Wait a minute",
        ),
    ],
    ids=["tables’ codes", "passwords"],
)
def test_codes_and_passwords_are_guessed_no_faster(ask, said):
    answers = [ask(Client()).content.decode() for _try in range(WRONG_TRIES_A_MINUTE + 1)]
    assert [said in answer for answer in answers] == [False] * WRONG_TRIES_A_MINUTE + [True]
