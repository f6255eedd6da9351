"""How waiting reports and calls are sent, as `sender.js` does it: in which batches, and what each answer means."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser

# A server that answers what `answers` say, one after the other, the last for ever, and remembers what it was sent.
# An answer is [status, data]; status 0 is none; data "taken" accepts every report, and "no 2" all but that of deal 2.
START = """
const { Outbox } = await import("/static/js/captain/outbox.js");
const { Sender } = await import("/static/js/captain/sender.js");
const sent = [];
const results = (body, data) => body.reports.map(({ key, deal }) =>
    ({ key, revision: 1, status: data === `no ${deal}` ? "refused" : "accepted" }));
window.fetch = async (path, { body }) => {
    const said = JSON.parse(body);
    sent.push(path === "reports" ? said.reports.map(({ deal }) => deal) : `${path} ${said.kind} ${said.deal}`);
    const [status, data] = given.answers.length > 1 ? given.answers.shift() : given.answers[0];
    if (!status) throw new TypeError("no network");
    const answer = typeof data === "string" ? { results: results(said, data), state_version: 1 } : data;
    const headers = { "content-type": "application/json", "X-Spadille": "1" };
    return new Response(JSON.stringify(answer), { status, headers });
};
const outbox = new Outbox("mine", [], []);
for (const [at, deal] of (given.deals || []).entries())
    await outbox.put({ key: `r${at}`, deal, base: 0, status: "waiting", result: null, tokens: [], text: "" });
for (const deal of given.marks || [])
    await outbox.put({ key: `c${deal}`, status: "waiting", call: { kind: "later", deal, words: "" } });
const told = { heard: 0, changed: 0, sent: 0 };
const sender = new Sender(outbox, {
    onAnswer: (item, answer) => outbox.settle(item, answer),
    onHeard: () => { told.heard += 1; },
    onChange: () => { told.changed += 1; },
    onSent: () => { told.sent += 1; },
});
const statuses = () => outbox.items.map(({ status }) => status);
"""
TAKEN = [200, "taken"]
NO = [400, {"error": "protocol", "message": "No."}]
HEARD = [200, {"state_version": 1}]
KEPT = {"key": "r0", "status": "kept", "revision": 0}


def ran(phone, script: str, **given):
    return phone.evaluate(f"async (given) => {{ {START} {script} }}", given)


ALL = "await sender.wake(); clearTimeout(sender.timer); return [sent, statuses()];"


@pytest.mark.parametrize(
    ("deals", "batches"),
    [
        ([], []),
        ([1], [[1]]),
        ([3, 1, 2], [[3, 1, 2]]),
        # What goes over another report of its deal waits for that one's answer.
        ([1, 1], [[1], [1]]),
        ([1, 2, 1, 2, 1], [[1, 2], [1, 2], [1]]),
        (list(range(1, 46)), [list(range(1, 21)), list(range(21, 41)), list(range(41, 46))]),
    ],
)
def test_what_waits_is_sent_in_batches_the_oldest_first(phone, deals, batches) -> None:
    sent, statuses = ran(phone, ALL, deals=deals, answers=[TAKEN])
    assert sent == batches
    assert set(statuses) <= {"delivered"}


@pytest.mark.parametrize(
    ("answer", "status", "dead", "failing"),
    [
        (TAKEN, "delivered", "", False),
        ([0, {}], "waiting", "", True),
        ([500, {}], "waiting", "", True),
        ([503, {"error": "busy"}], "waiting", "", True),
        (NO, "refused", "", False),
        # Without a reason it is no refusal.
        ([400, {}], "waiting", "", True),
        ([404, {"error": "unknown", "message": "No."}], "waiting", "unknown", True),
        ([410, {"error": "revoked", "message": "No."}], "waiting", "revoked", True),
        ([410, {"error": "closed", "message": "No.", "results": [KEPT]}], "kept", "closed", False),
        # An answer to something else settles nothing.
        ([200, {"results": [KEPT | {"key": "other"}], "state_version": 1}], "waiting", "", False),
        ([200, {"results": [], "state_version": 1}], "waiting", "", False),
    ],
)  # fmt: skip
def test_what_an_answer_means_for_a_report(phone, answer, status, dead, failing) -> None:
    script = (
        "await sender.wake(); clearTimeout(sender.timer); return [statuses(), sender.dead, sender.failing];"
    )
    assert ran(phone, script, deals=[1], answers=[answer]) == [[status], dead, failing]


def test_one_bad_report_does_not_hold_up_the_others(phone) -> None:
    sent, statuses = ran(phone, ALL, deals=[1, 2, 3], answers=[NO, TAKEN, NO, NO, TAKEN])
    assert sent == [[1, 2, 3], [1], [2, 3], [2], [3]]
    assert statuses == ["delivered", "refused", "delivered"]


def test_what_is_refused_is_not_sent_again(phone) -> None:
    sent, statuses = ran(phone, ALL, deals=[1, 2], answers=[[200, "no 2"]])
    assert sent == [[1, 2]]
    assert statuses == ["delivered", "refused"]


def test_the_pauses_double_to_half_a_minute_and_begin_anew_when_something_is_stored(phone) -> None:
    script = """const pauses = [];
        for (let tries = 0; tries < 7; tries += 1) {
            await sender.wake();
            clearTimeout(sender.timer);
            pauses.push(sender.pause);
        }
        return pauses;"""
    answers = [[0, {}], [500, {}], [0, {}], [0, {}], [0, {}], [0, {}], TAKEN]
    assert ran(phone, script, deals=[1], answers=answers) == [2000, 4000, 8000, 16000, 30000, 30000, 1000]


def test_two_calls_to_send_send_once(phone) -> None:
    script = "await Promise.all([sender.wake(), sender.wake(), sender.wake()]); return [sent, told];"
    sent, told = ran(phone, script, deals=[1, 2], answers=[TAKEN])
    assert sent == [[1, 2]]
    assert told == {"heard": 0, "changed": 1, "sent": 1}


@pytest.mark.parametrize(
    ("answer", "left", "dead", "failing", "heard"),
    [
        (HEARD, [], "", False, 1),
        # The organiser has not heard of a call that nobody has confirmed.
        ([200, {}], [("waiting", None)], "", True, 0),
        (NO, [("refused", "No.")], "", False, 0),
        ([409, NO[1]], [("refused", "No.")], "", False, 0),
        ([429, {"error": "no_room", "message": "Full."}], [("waiting", "Full.")], "", False, 0),
        ([404, {"error": "unknown", "message": "No."}], [("waiting", None)], "unknown", False, 0),
        ([410, {"error": "closed", "message": "No."}], [("waiting", None)], "closed", False, 0),
        ([0, {}], [("waiting", None)], "", True, 0),
        ([503, {}], [("waiting", None)], "", True, 0),
    ],
)
def test_what_an_answer_means_for_a_call(phone, answer, left, dead, failing, heard) -> None:
    script = """await sender.wake();
        clearTimeout(sender.timer);
        const left = outbox.items.map(({ status, why = null }) => [status, why]);
        return [left, sender.dead, sender.failing, told.heard];"""
    said = ran(phone, script, marks=[3], answers=[answer])
    assert said == [[list(one) for one in left], dead, failing, heard]


def test_calls_go_one_by_one_after_the_reports_and_stop_where_one_is_not_taken(phone) -> None:
    sent, statuses = ran(
        phone, ALL, deals=[1], marks=[3, 4, 5], answers=[TAKEN, HEARD, [409, NO[1]], [429, NO[1]]]
    )
    assert sent == [[1], "flag later 3", "flag later 4", "flag later 5"]
    assert statuses == ["delivered", "refused", "waiting"]
