"""Told on a phone: asked for on it, shown by its browser while no page is open, and a tap opens the right page.

The browser's push service is the only thing that is not the real one: what would come through it is handed to the
browser as it does it, opened as the browser opens it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tests.browser.windows import PATIENCE, PHONE, QUIET
from tests.factories import make_tournament
from tests.push_service import Phone, PushService
from tournaments.changes import push_subscriptions
from tournaments.lifecycle.drawing import draw
from tournaments.models import PushMessage, PushSubscription

pytestmark = pytest.mark.browser

# One without a screen's part shows no notification to anybody.
WHOLE = "/usr/bin/chromium"
# What the browser would have of its push service: an address, and keys that it made itself.
SUBSCRIBES = """(told) => {
    let held = null;
    const unsubscribe = async () => { held = null; return true; };
    const made = () => ({ endpoint: window.told.endpoint, toJSON: () => window.told, unsubscribe });
    window.told = told;
    PushManager.prototype.subscribe = async function (how) {
        window.asked = { ...how, active: Boolean((await navigator.serviceWorker.getRegistration("/push/")).active) };
        held = true;
        return made();
    };
    PushManager.prototype.getSubscription = async () => held && made();
}"""
SHOWN = """async () => {
    const registration = await navigator.serviceWorker.getRegistration("/push/");
    return (await registration.getNotifications()).map(({ title, body, tag, lang }) => ({ title, body, tag, lang }));
}"""
# Chromium forgets a notification that somebody asks for before it is on the screen: nobody asks before.
NOTES_WHAT_IT_SHOWS = """() => {
    self.shown = new Promise((resolve) => {
        const show = ServiceWorkerRegistration.prototype.showNotification;
        ServiceWorkerRegistration.prototype.showNotification = async function (...what) {
            await show.apply(this, what);
            resolve();
        };
    });
}"""
# Only a finger may open a window: what a tap on the newest notification would open is noted.
TAP = """async () => {
    let opened = "";
    clients.openWindow = async (url) => { opened = url; };
    const [notification] = await registration.getNotifications();
    const event = new NotificationEvent("notificationclick", { notification });
    const done = [];
    event.waitUntil = (promise) => done.push(promise);
    self.dispatchEvent(event);
    await Promise.all(done);
    return [opened, (await registration.getNotifications()).length];
}"""


# The browser says of no address which it was, as some do.
MOVES = """async (told) => {
    const event = new ExtendableEvent("pushsubscriptionchange");
    event.newSubscription = { endpoint: told.endpoint, toJSON: () => told };
    const done = [];
    event.waitUntil = (promise) => done.push(promise);
    self.dispatchEvent(event);
    await Promise.all(done);
}"""


@pytest.fixture
def service(settings, tmp_path) -> Iterator[PushService]:
    service = PushService()
    settings.DATA_DIR, settings.PUSH, settings.WEBHOOKS_TO_PRIVATE = tmp_path, True, True
    settings.PUSH_SERVICES = [service.url]
    yield service
    service.close()


@pytest.fixture
def pocket(chromium: Browser, live_server, service) -> Iterator[tuple[Phone, Callable[[str], Page]]]:
    """A phone whose browser may show notifications, and its pages."""
    phone = Phone(service.url, "pocket")
    browser = chromium.browser_type.launch(executable_path=WHOLE, args=QUIET)
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, base_url=live_server.url)
    context.set_default_timeout(PATIENCE)
    context.grant_permissions(["notifications"], origin=live_server.url)
    told = json.dumps(
        {name: value for name, value in phone.asks(None).items() if name in ("endpoint", "keys")}
    )
    context.add_init_script(f"({SUBSCRIBES})({told})")

    def opened(path: str) -> Page:
        page = context.new_page()
        page.goto(path)
        return page

    yield phone, opened
    browser.close()


def delivered(page: Page, told: bytes) -> None:
    """Hand the browser what its push service has brought."""
    devtools = page.context.new_cdp_session(page)
    known: list[str] = []

    def hear(event: dict) -> None:
        known.extend(
            one["registrationId"] for one in event["registrations"] if one["scopeURL"].endswith("/push/")
        )

    devtools.on("ServiceWorker.workerRegistrationUpdated", hear)
    devtools.send("ServiceWorker.enable")
    while not known:  # what a browser says is heard while a page is asked something
        page.evaluate("0")
    origin = page.evaluate("location.origin")
    asked = {"origin": origin, "registrationId": known[-1], "data": told.decode()}
    devtools.send("ServiceWorker.deliverPushMessage", asked)


def test_a_player_asks_is_told_in_the_pocket_and_a_tap_opens_their_seat(
    pocket, service, transactional_db, alice
):
    phone, open_page = pocket
    tournament = make_tournament(8, 2, account=alice, drawn=False)
    name = tournament.entries.get(number=3).shown_name
    page = open_page(f"/t/{tournament.code}/seats/?name=3")
    page.get_by_role("button", name="This is me").tap()
    page.get_by_role("link", name="Notify my phone").tap()
    expect(page.locator("#phone")).to_contain_text(f"You are No. 3 · {name}")
    page.get_by_role("button", name="Turn notifications on").tap()
    expect(page.get_by_text("This phone gets notifications until the evening is over")).to_be_visible()
    assert page.evaluate("window.asked.userVisibleOnly && window.asked.active")
    assert PushSubscription.objects.get().entry.number == 3
    push_subscriptions.tell_due()
    service.came.clear()
    draw(tournament, seed=1, account=alice, now=timezone.now())
    PushMessage.objects.update(next_try=timezone.now())
    assert push_subscriptions.tell_due() == 1
    ((_path, _headers, sealed),) = service.came
    (worker,) = page.context.service_workers
    worker.evaluate(NOTES_WHAT_IT_SHOWS)
    delivered(page, phone.opened(sealed))
    worker.evaluate("shown")
    (shown,) = page.evaluate(SHOWN)
    (told,) = service.told(phone)
    assert (shown["title"], shown["body"]) == (str(tournament), told["body"])
    assert worker.evaluate(TAP) == [page.evaluate("location.origin") + told["url"], 0]
    # Another person on the same phone, or one that the server knows no more, is not told.
    page.evaluate("location.hash = '#4 Bob'")
    expect(page.get_by_role("button", name="Turn notifications on")).to_be_visible()
    page.evaluate("location.hash = ''")
    expect(page.get_by_role("button", name="Turn notifications off")).to_be_visible()
    # The browser has another address for the phone: the worker says so, and tells which was the old one.
    moved = Phone(service.url, "moved")
    told_now = {name: value for name, value in moved.asks(None).items() if name in ("endpoint", "keys")}
    worker.evaluate(MOVES, told_now)
    assert [(one.endpoint, one.entry.number) for one in PushSubscription.objects.all()] == [
        (moved.endpoint, 3)
    ]
    page.evaluate("(told) => { window.told = told; }", told_now)
    page.get_by_role("button", name="Turn notifications off").tap()
    expect(page.get_by_role("button", name="Turn notifications on")).to_be_visible()
    assert not PushSubscription.objects.exists()
