"""What a phone keeps of its address while it is told (`phone.js`), and what its worker says of another one."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><html lang="en"><section id="phone" data-code="x" data-key="k" data-ask="/ask"
data-stop="/stop" data-told="/told" data-worker="/static/js/phone_worker.js">
<button data-do="begin"></button><button data-do="end"></button><p id="phone-said"></p></section>"""
# A browser's push service and a kept answer, which are to be had over https alone; and what the server is sent.
START = """async ([others, click]) => {
    const sent = [], kept = new Map(), subscription = (name) => ({
        endpoint: name, toJSON: () => ({ endpoint: name, keys: { auth: `of ${name}` } }), unsubscribe: async () => true,
    });
    const own = async () => subscription("one"), pushManager = { subscribe: own, getSubscription: own };
    const registration = { active: true, pushManager };
    const cache = { put: async (at, what) => kept.set("own", await what.text()),
        match: async () => kept.has("own") ? new Response(kept.get("own")) : undefined };
    const put = (of, name, value) => Object.defineProperty(of, name, { value, configurable: true });
    put(window, "caches", { open: async () => cache, delete: async () => kept.delete("own") });
    put(window, "registration", registration);
    put(navigator, "serviceWorker", { register: async () => registration, getRegistration: async () => registration });
    put(window, "Notification", { permission: "granted", requestPermission: async () => "granted" });
    window.fetch = async (url, { body }) => {
        const { was, was_auth } = JSON.parse(body);
        if (`${url}`.endsWith("moved")) sent.push([was, was_auth]);
        return Response.json({ told: true, number: null, others }, { headers: { "X-Spadille": "1" } });
    };
    window.skipWaiting = () => {};
    await import("/static/js/phone.js");
    await import("/static/js/phone_worker.js");
    for (const name of ["begin", ...click]) {
        const button = document.querySelector(`[data-do=${name}]`);
        button.click();
        while (button.disabled) await new Promise((resolve) => { setTimeout(resolve, 5); });
    }
    for (const name of ["two", "three"]) {
        const change = new Event("pushsubscriptionchange");
        change.newSubscription = subscription(name);
        await new Promise((resolve) => { change.waitUntil = resolve; window.dispatchEvent(change); });
    }
    return sent;
}"""
MOVED = [["one", "of one"], ["two", "of two"]]


@pytest.mark.parametrize(
    ("others", "clicks", "sent"), [(False, [], MOVED), (True, ["end"], MOVED), (False, ["end"], [])]
)
def test_a_phone_proves_that_it_moves_until_it_is_told_nowhere_any_more(phone_with, others, clicks, sent):
    assert phone_with(PAGE).evaluate(START, [others, clicks]) == sent
