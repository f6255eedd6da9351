"""A page that took long says so in the log, with what it asked the database.

The text of a question is written with its marks in place of values: no name and no number of anybody is in it.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connections

from config.watching.figures import PAGE

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

logger = logging.getLogger(__name__)

COLUMNS = re.compile(r"^SELECT .+? FROM")
SHOWN, LONGEST = 3, 300  # questions that are written out, the slowest first; characters of one


class Asked:
    """What one request asks the database: called around each question, as Django offers it."""

    def __init__(self) -> None:
        self.questions: list[tuple[float, str]] = []

    def __call__(self, execute: Callable[..., Any], sql: str, *told: Any) -> Any:
        begun = time.perf_counter()
        try:
            return execute(sql, *told)
        finally:
            self.questions.append((time.perf_counter() - begun, sql))

    def in_words(self) -> str:
        slowest = sorted(self.questions, reverse=True)[:SHOWN]
        shown = "".join(f"\n  {seconds:.3f} s  {_in_a_line(sql)}" for seconds, sql in slowest)
        return (
            f"{len(self.questions)} queries, {sum(seconds for seconds, _sql in self.questions):.2f} s{shown}"
        )


def _in_a_line(sql: str) -> str:
    """Without the columns that it asks for: what it asks of is behind them."""
    text = COLUMNS.sub("SELECT … FROM", " ".join(sql.split()), count=1)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def watch(
    answer: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: after SLOW_SECONDS a line of the log, 0 writes none; and the page's name for who counts."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        begun, asked = time.perf_counter(), Asked()
        with ExitStack() as stack:
            for connection in connections.all(initialized_only=True):
                stack.enter_context(connection.execute_wrapper(asked))
            response = answer(request)
        if request.resolver_match:
            request.META[PAGE] = request.resolver_match.url_name
        took = time.perf_counter() - begun
        if 0 < settings.SLOW_SECONDS <= took:
            logger.warning("%s %s took %.2f s: %s", request.method, request.path, took, asked.in_words())
        return response

    return middleware
