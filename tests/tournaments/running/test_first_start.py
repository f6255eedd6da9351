"""`serve` without a terminal and an organiser, as a service begins it: the code that it tells, and a restart."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import contextmanager
from http.cookiejar import CookieJar
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, ProxyHandler, build_opener

import pytest
from django.conf import settings

from tests.kept import lay_out
from tests.patience import PATIENCE
from tests.services import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

ANNA = {
    "club": "Stilling",
    "full_name": "Anna Holm",
    "username": "anna",
    "password": "tre gode ord",
    "password_again": "tre gode ord",
}


@contextmanager
def served(environment: dict[str, str]) -> Iterator[str]:
    """What a start tells until the server answers; it is stopped afterwards."""
    server = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--host", "127.0.0.1"],
        cwd=settings.BASE_DIR,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        said = ""
        while "Ctrl-C" not in said and (line := server.stdout.readline()):
            said += line
        yield said
    finally:
        server.terminate()
        server.wait(PATIENCE)
        server.stdout.close()


class Browser:
    """One with cookies, which follows redirects."""

    def __init__(self, port: str) -> None:
        self.address, self.cookies = f"http://127.0.0.1:{port}", CookieJar()
        self.opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(self.cookies))
        self.opener.addheaders = [("Accept", "text/html")]

    def open(self, path: str, **form: str) -> tuple[int, str, str]:
        """Status, path that it led to, and page."""
        if form:
            token = next(one.value for one in self.cookies if one.name == "csrftoken")
            form["csrfmiddlewaretoken"] = token or ""
        try:
            answer = self.opener.open(self.address + path, urlencode(form).encode() if form else None)
        except HTTPError as error:
            answer = error
        with answer:
            return answer.status, answer.url.removeprefix(self.address), answer.read().decode()


def code_in(said: str) -> str:
    return re.search("^With the code ([A-Z]{6}):  http", said, re.MULTILINE)[1]


def test_the_code_of_a_start_makes_the_first_organiser_in_each_of_its_processes_and_no_other_does(tmp_path):
    environment = os.environ | {
        "SPADILLE_DATA": str(lay_out(tmp_path)),
        "PORT": str(free_port()),
        "BACKUP_MINUTES": "0",
        "container": "podman",
        "LC_ALL": "C.UTF-8",
    }
    for name in ("DATABASE_URL", "CACHE_URL"):
        environment.pop(name, None)
    anna = Browser(environment["PORT"])
    with served(environment) as said:
        before = code_in(said)
        status, path, page = anna.open("/rules/")
        assert (status, path, 'name="code"' in page) == (200, "/desk/first/", True)
        style = re.search(r'href="(/static/css/base[^"]*)"', page)[1]
        assert anna.open(style)[0] == 200
    with served(environment) as said:
        code = code_in(said)
        assert code != before
        assert anna.open("/desk/first/", **ANNA, code=before)[0] == 403
        assert anna.open("/desk/first/", **ANNA, code=code)[:2] == (200, "/desk/")
        strangers = [Browser(environment["PORT"]) for _one in range(8)]
        assert {stranger.open("/rules/")[:2] for stranger in strangers} == {(200, "/rules/")}
        assert {stranger.open("/desk/first/")[1] for stranger in strangers} == {"/clubs/login/?next=/desk/"}
    with served(environment) as said:
        assert "With the code" not in said
        assert anna.open("/desk/")[:2] == (200, "/desk/")
