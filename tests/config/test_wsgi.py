"""The requests that a server hands in."""

from __future__ import annotations

import io
import sys
from typing import Any
from urllib.parse import quote
from wsgiref.util import setup_testing_defaults

import pytest

from config.room import SLOTS, with_room
from config.wsgi import Utf8Request, application, program
from tournaments.changes.response_cache import ResponseCache

CHARSETS = ("hex", "rot13", "unicode_escape", "utf-16", "idna", "undefined", "none", "utf-8")


def request(**environ: Any) -> Utf8Request:
    setup_testing_defaults(environ)
    return program.request_class(environ)


@pytest.mark.parametrize("charset", CHARSETS)
def test_an_address_is_read_as_utf8_whatever_a_request_says_of_itself(charset):
    query = f"name={quote('Åse')}"
    asked = request(QUERY_STRING=query, CONTENT_TYPE=f"text/plain; charset={charset}")
    assert asked.GET["name"] == "Åse"


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/x-www-form-urlencoded", f"name={quote('Åse')}+%5Cud800"),
        ("multipart/form-data; boundary=x",
         "--x\r\nContent-Disposition: form-data; name=name\r\n\r\nÅse \\ud800\r\n--x--\r\n"),
    ],
)  # fmt: skip
def test_a_form_is_read_as_utf8_whatever_a_request_says_of_itself(charset, kind, body):
    sent = body.encode()
    asked = request(
        REQUEST_METHOD="POST",
        CONTENT_TYPE=f"{kind}; charset={charset}",
        CONTENT_LENGTH=str(len(sent)),
        **{"wsgi.input": io.BytesIO(sent)},
    )
    assert asked.POST["name"] == "Åse \\ud800"


def test_a_page_has_room_for_the_frames_of_all_that_it_calls():
    def told(*args, **named):
        return args, named, sys._getframe(1).f_code.co_stacksize

    assert with_room(told)(1, two=2) == ((1,), {"two": 2}, SLOTS)
    assert isinstance(application, ResponseCache)
    assert application.program.__code__.co_stacksize == SLOTS
