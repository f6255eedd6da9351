"""How often a page of the hall asks what is new (`live.js`)."""

from __future__ import annotations

import pytest

from tests.browser.phone import until

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><html lang="en"><main id="main">
<p data-live-url="/version/" data-updated="{time}" data-lost="lost"></p>
<section data-live data-version="1"></section></main>"""
# A server that answers after 50 ms, without a stream, and clocks that can be heard: how many calls of ours wait.
START = """async (times) => {
    let asked = 0;
    const waiting = new Set();
    const { setTimeout: later, clearTimeout: never } = window;
    window.setTimeout = (act, ms) => {
        const timer = later(() => { waiting.delete(timer); act(); }, ms);
        waiting.add(timer);
        return timer;
    };
    window.clearTimeout = (timer) => { waiting.delete(timer); never(timer); };
    window.fetch = async () => {
        asked += 1;
        await new Promise((resolve) => { later(resolve, 50); });
        return new Response('{"version": 1}', { headers: { "content-type": "application/json", "X-Spadille": "1" } });
    };
    await import("/static/js/live.js");
    for (let time = 0; time < times; time += 1) window.dispatchEvent(new Event("online"));
    await new Promise((resolve) => { later(resolve, 300); });
    return [asked, waiting.size];
}"""


@pytest.mark.parametrize("times", [0, 1, 5])
def test_who_comes_back_while_a_question_is_on_its_way_asks_at_once_but_no_oftener_from_then_on(
    phone_with, times
) -> None:
    assert phone_with(PAGE).evaluate(START, times) == [1 + times, 1]


# The page's streams, each of which the test lets tell something or end; and how often the page has asked.
STREAMS = """async () => {
    window.streams = [];
    window.asked = 0;
    window.EventSource = class extends EventTarget {
        constructor() { super(); window.streams.push(this); }
        close() {}
    };
    window.fetch = async () => {
        window.asked += 1;
        return new Response('{"version": 1}', { headers: { "content-type": "application/json", "X-Spadille": "1" } });
    };
    await import("/static/js/live.js");
    await new Promise((resolve) => { setTimeout(resolve, 100); });
    window.streams[0].dispatchEvent(new MessageEvent("still", { data: "" }));
    await new Promise((resolve) => { setTimeout(resolve, 2500); });
    return window.asked;
}"""


@pytest.mark.parametrize(
    "what_happens",
    [
        "() => window.streams[0].dispatchEvent(new Event('error'))",
        "() => document.dispatchEvent(new Event('mine:chosen'))",
        "() => window.streams[0].dispatchEvent(new MessageEvent('version', { data: '<p>Log in' }))",
        "() => window.streams[0].dispatchEvent(new MessageEvent('version', { data: '{\"version\": \"1\"}' }))",
        '() => window.streams[0].dispatchEvent(new MessageEvent(\'part\', { data: \'{"version": 1, "sum": "a"}\' }))',
        "() => window.streams[0].dispatchEvent(new MessageEvent('own', { data: 'null' }))",
    ],
    ids=[
        "it is lost",
        "another begins and tells nothing",
        "it tells no JSON",
        "it tells a version that is no number",
        "it tells a part without what is in it",
        "it tells no row of one's own",
    ],
)
def test_who_is_told_does_not_ask_until_the_stream_no_longer_tells(phone_with, what_happens) -> None:
    page = phone_with(PAGE)
    assert page.evaluate(STREAMS) == 1
    page.evaluate(what_happens)
    until(page, "async () => window.asked > 2")
