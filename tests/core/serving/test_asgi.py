"""The program behind what listens for it: what it is asked, and what is sent of its answer."""

from __future__ import annotations

import asyncio
import threading
from urllib.parse import quote

import pytest
from django.db import InterfaceError, OperationalError
from django.http import parse_cookie
from django.urls import reverse

from core.middleware import explained
from core.serving.asgi import Application, environment, lane_of
from core.serving.groups import PIECE
from core.serving.limits import MOST_BYTES, REFUSED, TOO_LARGE, TOO_MANY, TOO_SLOW, UploadPace, UploadSlots
from tests.patience import PATIENCE

SCOPE = {
    "type": "http",
    "http_version": "1.1",
    "method": "GET",
    "scheme": "http",
    "path": "/t/ABCDEF/",
    "query_string": b"",
    "headers": [(b"host", b"localhost")],
    "client": ("192.0.2.7", 50000),
    "server": ("192.0.2.1", 8000),
}


def asked(**changes):
    """A request; `headers` are put behind the host's."""
    headers = [*SCOPE["headers"], *changes.pop("headers", [])]
    return SCOPE | changes | {"headers": headers}


class Sender:
    """Sends pieces, then is silent; takes what is answered."""

    def __init__(self, *pieces: bytes, ends=True):
        self.waiting = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
        if ends and self.waiting:
            self.waiting[-1]["more_body"] = False
        self.told = []

    async def receive(self):
        if not self.waiting:
            await asyncio.sleep(60)
        return self.waiting.pop(0)

    async def send(self, message):
        self.told.append(message)

    def ask(self, application, scope):
        asyncio.run(application(scope, self.receive, self.send))
        return self

    @property
    def status(self):
        return self.told[0]["status"]

    @property
    def body(self):
        return b"".join(message["body"] for message in self.told[1:])


def echo(environ, start_response):
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    start_response("200 OK", [("X-Refused", environ.get(REFUSED, ""))])
    return [body]


def length(number):
    return (b"content-length", str(number).encode())


def test_the_program_is_asked_with_all_that_was_sent():
    post = asked(method="POST", headers=[length(11)])
    answered = Sender(b"hello ", b"there").ask(Application(echo), post)
    assert (answered.status, answered.body) == (200, b"hello there")
    assert answered.told[-1]["more_body"] is False


def test_a_body_without_a_length_is_read_to_its_end():
    post = asked(method="POST", headers=[(b"transfer-encoding", b"chunked")])
    assert Sender(b"hello ", b"there").ask(Application(echo), post).body == b"hello there"


def test_who_asks_without_a_body_is_waited_for_by_nobody():
    assert Sender(ends=False).ask(Application(echo), asked()).status == 200


@pytest.mark.parametrize(
    ("headers", "sender", "why"),
    [
        ([length(100)], Sender(b"x", ends=False), TOO_SLOW),
        ([(b"transfer-encoding", b"chunked")], Sender(b"x", ends=False), TOO_SLOW),
        ([length(MOST_BYTES + 1)], Sender(), TOO_LARGE),
        ([length("9" * 400)], Sender(), TOO_LARGE),
        ([length(200)], Sender(b"x" * 200), TOO_MANY),
    ],
)
def test_the_program_is_told_why_a_body_is_not_there(headers, sender, why):
    application = Application(
        echo, pace=UploadPace(grace=0.1, silence=0.1), slots=UploadSlots(most=1, small=150)
    )
    application.slots.taken = why == TOO_MANY
    answered = sender.ask(application, asked(method="POST", headers=headers))
    assert (b"x-refused", why.encode()) in answered.told[0]["headers"]
    assert answered.body == b""


@pytest.mark.parametrize(("why", "status"), [(TOO_LARGE, 413), (TOO_SLOW, 408), (TOO_MANY, 503)])
def test_people_are_told_in_words_what_became_of_what_they_sent(db, client, why, status):
    answer = client.post("/sign-in/", **{REFUSED: why})
    assert answer.status_code == status
    assert "<h1>" in answer.content.decode()


def test_a_long_answer_is_sent_in_pieces_and_closed_in_the_thread_that_began_it():
    seen = []

    class Long:
        def __iter__(self):
            for _one in range(300):
                seen.append(threading.current_thread().name)
                yield b"x" * 4096

        def close(self):
            seen.append("closed")

    def program(_environ, start_response):
        start_response("200 OK", [])
        return Long()

    answered = Sender().ask(Application(program), asked(path="/c/secret/"))
    assert len(answered.body) == 300 * 4096
    assert max(len(message["body"]) for message in answered.told[1:]) == PIECE
    assert (seen.count("closed"), seen[-1]) == (1, "closed")
    assert set(seen[:-1]) == {"phones_0"}


def test_a_program_that_fails_on_its_way_is_closed_all_the_same():
    closed = []

    class Broken:
        def __iter__(self):
            yield b"x"
            raise RuntimeError

        def close(self):
            closed.append(True)

    def program(_environ, start_response):
        start_response("200 OK", [])
        return Broken()

    with pytest.raises(RuntimeError):
        Sender().ask(Application(program), asked())
    assert closed == [True]


@pytest.mark.parametrize(
    ("path", "kind", "lane"),
    [
        ("/c/secret/reports", "application/json", "phones"),
        ("/c/secret/photograph", "multipart/form-data; boundary=x", "files"),
        ("/c/secret/photograph", "Multipart/Form-Data; boundary=x", "files"),
        ("/desk/t/ABCDEF/codes/", "multipart/form-data; boundary=x", "files"),
        ("/t/ABCDEF/standings/", "", "pages"),
        ("/clubs/stilling/", "", "pages"),
        ("/rules/rasle/sheet.pdf", "", "files"),
        ("/health/", "", "phones"),
    ],
)
def test_reports_are_never_behind_pages_nor_photographs(path, kind, lane):
    assert lane_of({"REQUEST_METHOD": "POST", "PATH_INFO": path, "CONTENT_TYPE": kind}) == lane


@pytest.mark.parametrize(
    "name",
    ["login", "account_login", "password", "account_reauthenticate", "mfa_authenticate", "desk_first"],
)
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_whoever_guesses_passwords_waits_for_other_guessers_alone(name, kind):
    sent = {"PATH_INFO": reverse(name), "CONTENT_TYPE": kind}
    assert lane_of(sent | {"REQUEST_METHOD": "POST"}) == "sign-in"
    assert lane_of({"PATH_INFO": reverse(name), "REQUEST_METHOD": "GET"}) == "pages"


def test_a_report_is_answered_while_pages_and_photographs_take_their_time():
    held, busy = threading.Event(), threading.Semaphore(0)

    def program(environ, start_response):
        if environ["PATH_INFO"] != "/c/secret/next":
            busy.release()
            held.wait(PATIENCE)
        start_response("200 OK", [])
        return [environ["PATH_INFO"].encode()]

    application = Application(program)
    form = [(b"content-type", b"multipart/form-data; boundary=x"), length(1)]
    slow = [asked()] * 4 + [asked(method="POST", path="/c/secret/photograph", headers=form)] * 4

    async def hall():
        others = [Sender(b"x") for _one in slow]
        waiting = [
            asyncio.create_task(application(scope, other.receive, other.send))
            for scope, other in zip(slow, others, strict=True)
        ]
        for _one in range(3):  # both threads for pages, and the one for files
            await asyncio.to_thread(busy.acquire)
        phone = Sender()
        await asyncio.wait_for(
            application(asked(path="/c/secret/next"), phone.receive, phone.send), PATIENCE / 2
        )
        assert phone.body == b"/c/secret/next"
        assert not any(other.told for other in others)
        held.set()
        await asyncio.gather(*waiting)
        assert [other.status for other in others] == [200] * 8

    asyncio.run(hall())


def test_the_environment_has_the_address_in_the_letters_that_wsgi_wants():
    environ = environment(asked(path="/clubs/århus/", query_string=b"q=%C3%85&x"))
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/clubs/århus/"
    raw = environment(asked(raw_path=quote("/clubs/århus/").encode() + b"%FF"))
    assert raw["PATH_INFO"].encode("latin-1") == "/clubs/århus/".encode() + b"\xff"
    assert environ["QUERY_STRING"] == "q=%C3%85&x"
    assert (environ["REMOTE_ADDR"], environ["SERVER_NAME"], environ["SERVER_PORT"]) == (
        "192.0.2.7",
        "192.0.2.1",
        "8000",
    )


def test_headers_said_twice_are_one_and_those_with_underscores_none():
    told = [
        (b"x-forwarded-for", b"1.1.1.1"),
        (b"x-forwarded-for", b"2.2.2.2"),
        (b"x_forwarded_for", b"3.3.3.3"),
    ]
    environ = environment(asked(headers=told))
    assert environ["HTTP_X_FORWARDED_FOR"] == "1.1.1.1,2.2.2.2"
    assert environ["HTTP_HOST"] == "localhost"


def test_cookies_in_several_headers_are_one_line_of_cookies():
    """A browser may send them so over HTTP/2; with commas between them, nobody would be signed in."""
    told = [(b"cookie", b"sessionid=abc"), (b"cookie", b"csrftoken=def; seen=1"), (b"cookie", b"last=1,2")]
    environ = environment(asked(headers=told))
    assert environ["HTTP_COOKIE"] == "sessionid=abc; csrftoken=def; seen=1; last=1,2"
    assert parse_cookie(environ["HTTP_COOKIE"]) == {
        "sessionid": "abc",
        "csrftoken": "def",
        "seen": "1",
        "last": "1,2",
    }


def test_a_body_that_breaks_off_is_refused_and_the_program_not_asked():
    """As one whose chunks are none: the server ends it, and would say 500 for a program that answers nothing."""

    def nobody(environ, start_response):
        raise AssertionError("asked")

    sender = Sender()
    sender.waiting = [
        {"type": "http.request", "body": b"ZZ", "more_body": True},
        {"type": "http.disconnect"},
    ]
    sender.ask(Application(nobody), asked(method="POST", headers=[(b"transfer-encoding", b"chunked")]))
    assert (sender.status, sender.body) == (400, b"")
    assert sender.told[-1]["more_body"] is False


def test_who_has_gone_is_answered_without_trouble():
    async def gone(_message):
        raise ConnectionError

    sender = Sender()
    sender.waiting = [{"type": "http.disconnect"}]
    sender.send = gone
    sender.ask(Application(echo), asked(method="POST", headers=[length(5)]))


class Away:
    """A program whose database is away for so many requests, or at each request as a list says."""

    def __init__(self, times, header=True):
        self.away = [True] * times if isinstance(times, int) else times
        self.header, self.asked = header, 0

    def __call__(self, environ, start_response):
        self.asked += 1
        body = environ["wsgi.input"].read()
        if any(self.away[self.asked - 1 : self.asked]):
            start_response("503 Service Unavailable", [("X-Database-Away", "1")] * self.header)
            return [b"away"]
        start_response("200 OK", [])
        return [body]


def test_a_request_is_held_while_the_database_is_restarted_and_then_made_with_all_that_was_sent():
    program = Away(2)
    post = asked(method="POST", path="/c/secret/reports", headers=[length(5)])
    answered = Sender(b"hello").ask(Application(program), post)
    assert (answered.status, answered.body, program.asked) == (200, b"hello", 3)


def test_of_many_that_are_held_one_tries_whether_the_database_is_back():
    """Each of them has tried once by itself; a database that recovers is not asked by all of them again and again."""
    held, times = 20, 3
    program = Away(held + times)

    async def hall():
        application, phones = Application(program), [Sender() for _one in range(held)]
        answered = (application(asked(), phone.receive, phone.send) for phone in phones)
        await asyncio.wait_for(asyncio.gather(*answered), PATIENCE)
        return phones

    assert {phone.status for phone in asyncio.run(hall())} == {200}
    assert program.asked == held + times + held


def test_a_database_that_goes_away_again_is_not_asked_without_a_pause(monkeypatch):
    monkeypatch.setattr("core.serving.asgi.AWAY_WITHIN", 0.5)
    program = Away([True, True, False] + 9999 * [True])

    async def hall():
        application, phones = Application(program), [Sender(), Sender()]
        answered = (application(asked(), phone.receive, phone.send) for phone in phones)
        await asyncio.wait_for(asyncio.gather(*answered), PATIENCE)
        return phones

    assert sorted(phone.status for phone in asyncio.run(hall())) == [200, 503]
    assert program.asked <= 3 + 4


def test_it_is_held_for_a_moment_only(monkeypatch):
    monkeypatch.setattr("core.serving.asgi.AWAY_WITHIN", 0.5)
    program = Away(99)
    answered = Sender().ask(Application(program), asked())
    assert (answered.status, answered.body) == (503, b"away")
    assert (b"x-database-away", b"1") not in answered.told[0]["headers"]
    assert 2 <= program.asked <= 4


def test_what_might_be_done_twice_is_not_made_again():
    program = Away(1, header=False)
    assert Sender().ask(Application(program), asked()).status == 503
    assert program.asked == 1


@pytest.mark.parametrize(
    ("method", "path", "error", "again"),
    [
        ("get", "/t/ABCDEF/", OperationalError("connection refused"), True),
        ("post", "/c/secret/reports", InterfaceError("connection already closed"), True),
        ("post", "/desk/t/ABCDEF/draw/", OperationalError("connection refused"), False),
        ("get", "/t/ABCDEF/", OperationalError("database is locked"), False),
        ("get", "/t/ABCDEF/", OperationalError("disk is full"), False),
        ("get", "/t/ABCDEF/", OSError(28, "No space left on device"), False),
    ],
)
def test_a_request_may_be_made_again_where_it_changes_nothing_or_nothing_twice(
    rf, method, path, error, again
):
    answer = explained(getattr(rf, method)(path), error)
    assert (answer.status_code, "X-Database-Away" in answer.headers) == (503, again)
