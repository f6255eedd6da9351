"""Letters of twice the size on a phone of 360 pixels: no page is wider than the phone, whatever stands on it."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.browser.phone import go_to
from tests.browser.test_axe import CAPTAINS_VIEWS, evening, in_lines, pages
from tests.browser.windows import PHONE

__all__ = ["evening"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDE = PHONE["width"]
# How wide the page is, and what reaches out of it: parts that are scrolled in a frame of their own do not.
REACHING_OUT = """wide => {
  document.documentElement.style.fontSize = "200%";
  const is = document.documentElement.scrollWidth;
  const framed = one => one !== document.body
    && (getComputedStyle(one.parentElement).overflowX !== "visible" || framed(one.parentElement));
  const out = [...document.body.querySelectorAll("*")]
    .filter(one => one.getBoundingClientRect().right > wide + 1 && !framed(one));
  const inner = out.filter(one => ![...one.children].some(child => out.includes(child)));
  const said = inner.map(one => `${one.outerHTML.split(">")[0]}> ${one.textContent.trim().slice(0, 30)}`);
  document.documentElement.style.fontSize = "";
  return is > wide ? [`${is} px: ${said.slice(0, 6).join(" | ")}`] : [];
}"""


def too_wide(page, addresses: list[str]) -> str:
    said = {}
    for address in addresses:
        page.goto(address)
        if found := page.evaluate(REACHING_OUT, WIDE):
            said[address] = found
    return in_lines(said)


def test_in_the_hall(evening, open_page, live_server) -> None:
    ids, closed = evening
    paths = pages(Client(), ids, desk=False)
    page = open_page("/", phone=True)
    others = [f"/c/{closed.secret}/", "/c/?code=WRONG1", "/clubs/login/", "/nowhere/"]
    said = too_wide(page, [live_server.url + path for path in [*paths, *others]])
    assert not said, said
    assert len(paths) > 15


def test_on_the_captains_phone(evening, open_page) -> None:
    ids, _closed = evening
    page = open_page(f"/c/{ids['secret']}/", phone=True)
    page.locator("#entry").wait_for()
    said = {}
    for view in CAPTAINS_VIEWS:
        go_to(page, view)
        page.locator(f"#{view.split('-')[0].replace('correct', 'entry')}").wait_for()
        if found := page.evaluate(REACHING_OUT, WIDE):
            said[view] = found
    assert not said, in_lines(said)


def test_at_the_desk(evening, as_alice, open_page, live_server) -> None:
    ids, _closed = evening
    paths = pages(as_alice, ids, desk=True)
    page = open_page("/", phone=True)
    cookie = {"name": "sessionid", "value": as_alice.cookies["sessionid"].value, "url": live_server.url}
    page.context.add_cookies([cookie])
    said = too_wide(page, [live_server.url + path for path in paths])
    assert not said, said
    assert len(paths) > 30
