"""What an answer costs, counted and not timed: the same every time, on any machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from cProfile import Profile
from typing import Any, NamedTuple

from django.core.cache import caches
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client


class Cost(NamedTuple):
    """Queries; steps of the database's machine, some for each row that it reads; function calls; bytes of the response.

    `calls` stand for the time that Python takes: seconds differ from run to run, calls do not. `listed` are the lines
    of the longest list that the page lets one choose from.
    """

    queries: int
    steps: int
    calls: int
    size: int
    listed: int


# SQLite's machine tells of itself after so many steps.
TELLS_EVERY = 10


def ask(browser: Client, address: str, sent: dict[str, Any] | None = None) -> tuple[HttpResponse, Cost]:
    """The answer of a page, or of the button that an address is, with nothing kept from before.

    A phone's address is `sent` JSON. What is changed is taken back.
    """
    if sent is not None:
        return _ask(lambda: browser.post(address, sent, content_type="application/json"), browser)
    answer, cost = _ask(lambda: browser.get(address), browser)
    if "Allow" in answer.headers or answer.status_code == 302:
        pressed, its_cost = _ask(lambda: browser.post(address), browser)
        if pressed.status_code != 405:  # else it is no button, and only leads on
            return pressed, its_cost
    return answer, cost


def _ask(question: Callable[[], HttpResponse], browser: Client) -> tuple[HttpResponse, Cost]:
    for name in caches:
        caches[name].clear()
    signed_in = browser.cookies.copy()
    with transaction.atomic(), _counting() as counted:
        answer = question()
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        transaction.set_rollback(True)
    browser.cookies = signed_in
    listed = max(part.count(b"<option") for part in body.split(b"<select"))
    return answer, Cost(counted.queries, TELLS_EVERY * counted.told, counted.calls, len(body), listed)


def done(work: Callable[[], object]) -> Cost:
    """What it costs to do something of which no page is made; what it changes is taken back."""
    with transaction.atomic(), _counting() as counted:
        work()
        transaction.set_rollback(True)
    return Cost(counted.queries, TELLS_EVERY * counted.told, counted.calls, 0, 0)


class _Counted:
    queries = told = calls = 0


@contextmanager
def _counting() -> Iterator[_Counted]:
    counted = _Counted()

    def query(execute, sql, params, many, context):
        counted.queries += 1
        return execute(sql, params, many, context)

    def step() -> int:
        counted.told += 1
        return 0

    profile = Profile()
    connection.connection.set_progress_handler(step, TELLS_EVERY)
    try:
        with connection.execute_wrapper(query):
            profile.enable()
            try:
                yield counted
            finally:
                profile.disable()
    finally:
        connection.connection.set_progress_handler(None, 0)
    ours = {query.__code__, step.__code__}
    counted.calls = sum(entry.callcount for entry in profile.getstats() if entry.code not in ours)
