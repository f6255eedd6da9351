"""What each answer of the network means to each request of the captain's phone (`link.js`, `answers.js`).

A login page of the hall's Wi-Fi, a proxy, a router or a server of another kind may answer in the server's place.
Only what carries our header, in a status and a shape of the protocol, counts; all else is no connection.
"""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page

from tests.browser.scripts.conftest import House, Said
from tests.browser.scripts.tables import state

pytestmark = pytest.mark.browser

HEARD = {"state_version": 7}
SETTLED = {
    "results": [{"key": "k", "status": "accepted", "revision": 1}],
    "state_version": 7,
    "sequence": 1,
    "tokens": [0, 3, 0, -3],
}
LEFT_OUT = {"partial", "sequence", "tokens"}  # an answer may be without
END = {
    "thanks": "Thank you",
    "note": "",
    "places": [{"place": "8.", "name": "Bob", "moved": "↑2", "total": "+9"}],
    "provisional": "",
    "is_last": True,
}
# Every request that the page sends: how, which data answers it, and by which check that is recognised.
REQUESTS = {
    "state": ("get", state(), "isState"),
    "next": ("get", {"next": ["Bob: table 2"], "end": END}, "isComing"),
    "reports": ("post", SETTLED, "isSettled"),
    "flag": ("post", HEARD, "isHeard"),
    "agree": ("post", HEARD, "isHeard"),
    "first-dealer": ("post", HEARD, "isHeard"),
    "phone": ("post", {"phone": "Bob-1"}, "isHolder"),
}
HTML = "<!doctype html><title>Welcome to our Wi-Fi</title><form><input name=room></form>"
SAID = {"error": "no_room", "message": "Not now."}
DEAD = {"error": "closed", "message": "The round has been closed."}
AS_HTML = {"Content-Type": "text/html; charset=utf-8"}
AS_JSON = {"Content-Type": "application/json"}
OURS = {"X-Spadille": "1"}
STATUSES = (200, 201, 202, 203, 204, 205, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 408, 409,
            410, 411, 413, 414, 418, 421, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 511)  # fmt: skip

ASK = """async ([how, check, many, sooner]) => {
    const later = window.setTimeout;
    window.setTimeout = (act, ms) => later(act, ms / sooner);
    const { get, post } = await import("/static/js/captain/link.js");
    const { [check]: is } = await import("/static/js/captain/valid.js");
    const send = how === "get" ? get : post;
    const said = await Promise.all(Array.from({ length: many }, (_, at) => send(`/answer/${at}`, is, {})));
    window.setTimeout = later;
    return said.map(({ meaning, data }) => [meaning, data]);
}"""


def meanings(
    phone: Page, house: House, request: str, answers: list[Said], *, sooner: int = 1
) -> list[list[object]]:
    how, _right, check = REQUESTS[request]
    house.answers = answers
    return phone.evaluate(ASK, [how, check, len(answers), sooner])


def wrong_shapes(request: str) -> list[object]:
    """JSON that is no answer to this request: of others, of other types, and the right one less each of its parts."""
    _how, right, _check = REQUESTS[request]
    others = [data for _, data, _ in REQUESTS.values() if not right.keys() <= data.keys()]
    lacking = [{name: right[name] for name in right if name != left} for left in right.keys() - LEFT_OUT]
    of_no_type = [right | {name: {"of": "no type"}} for name in right if name not in ("partial", "choices")]
    return [{}, [], None, 1, "ok", {"status": "ok"}, SAID, DEAD, *others, *lacking, *of_no_type]


@pytest.mark.parametrize("request_", REQUESTS)
def test_what_is_not_ours_is_no_connection_whatever_its_status(phone, house, request_) -> None:
    right = json.dumps(REQUESTS[request_][1])
    bodies = [(HTML, AS_HTML), ("", {}), ("{}", AS_JSON), (right, AS_JSON), (json.dumps(DEAD), AS_JSON)]
    answers = [
        Said(status, body, kind)
        for status in STATUSES
        for body, kind in bodies
        if body == "" or status not in (204, 205, 304)
    ]
    assert meanings(phone, house, request_, answers) == [["none", {}]] * len(answers)


@pytest.mark.parametrize("request_", REQUESTS)
def test_what_is_ours_means_what_its_status_says(phone, house, request_) -> None:
    how, right, _check = REQUESTS[request_]
    expected = dict.fromkeys(STATUSES, "none") | {
        200: "done", 204: "same" if how == "get" else "none", 400: "refused", 404: "dead", 409: "refused",
        410: "dead", 413: "refused", 429: "full",
    }  # fmt: skip
    data = {"done": right, "refused": SAID, "full": SAID, "dead": DEAD, "none": right}
    answers = [
        Said(status, json.dumps(data[means]), OURS | AS_JSON)
        if status not in (204, 205, 304)
        else Said(status, "", OURS)
        for status, means in expected.items()
    ]
    told = [
        [means, {} if means == "none" else "" if means == "same" else data[means]]
        for means in expected.values()
    ]
    assert meanings(phone, house, request_, answers) == told


@pytest.mark.parametrize("request_", REQUESTS)
def test_ours_in_another_shape_or_broken_off_is_no_connection(phone, house, request_) -> None:
    right = json.dumps(REQUESTS[request_][1])
    ours = OURS | AS_JSON
    answers = [
        *(Said(200, json.dumps(wrong), ours) for wrong in wrong_shapes(request_)),
        *(
            Said(status, body, ours)
            for status in (400, 404, 409, 410, 413, 429)
            for body in ("{}", "[]", right)
        ),
        *(Said(status, HTML, OURS | AS_HTML) for status in (200, 400, 404, 409, 410, 413, 429)),
        Said(200, right, OURS | AS_HTML),
        Said(200, right, OURS),
        Said(200, "", ours),
        Said(200, right[:-1], ours),
        Said(200, right, ours, cut=True),
        Said(302, "", {"Location": "/answer/0"}),
        Said(302, "", OURS | {"Location": "/c/secret/"}),
    ]
    assert meanings(phone, house, request_, answers) == [["none", {}]] * len(answers)


@pytest.mark.parametrize("request_", REQUESTS)
def test_what_does_not_come_in_time_is_no_connection(phone, house, request_) -> None:
    right = json.dumps(REQUESTS[request_][1])
    slow = Said(200, right, OURS | AS_JSON, slow=True)
    assert meanings(phone, house, request_, [slow], sooner=1000) == [["none", {}]]


def test_a_redirect_to_what_would_be_right_is_no_answer(phone, house) -> None:
    right = Said(200, json.dumps(HEARD), OURS | AS_JSON)
    answers = [
        right,
        *(Said(status, "", OURS | {"Location": "/answer/0"}) for status in (301, 302, 303, 307, 308)),
    ]
    told = [meaning for meaning, _data in meanings(phone, house, "flag", answers)]
    assert told == ["done", "none", "none", "none", "none", "none"]
