"""Every page for captain, hall and desk as people see and hear it: WCAG 2.2 AA by axe-core, and targets.

A page is found by its address, so that a new one is looked at too; of pages with the same template one is enough. On a
phone letters of twice the size make no page wider than it, whatever stands on it.
"""

from __future__ import annotations

from datetime import date

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from django.utils import timezone
from playwright.sync_api import CDPSession

from tests.browser.phone import until
from tests.browser.windows import DESKTOP, PHONE
from tests.evenings import make_evening, play_evening
from tests.every_address import addresses
from tests.factories import NAMES, first_table, make_player, make_tournament, play_out, report
from tournaments.hall.design import FACES
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Championship, ClubRules, OldEvent, OldPlace, Season, Stage, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],
    "iframes": False,  # each is a page of its own as well
}
# What another room changes.
# Fetched by who asks for it: static/js/theme.js.
CONTRAST_IS_THERE = "[...document.styleSheets].some(sheet => sheet.href?.includes('contrast'))"
COLOURS = RULES | {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
CAPTAINS_VIEWS = ("entry", "sheet", "deal-1", "correct-1", "agree", "menu", "call", "first")
OF_YEARS = "history/", "records/", "explorer/", "earned/", "old-results/"
SMALLEST = 44  # pixels each way of what is tapped, but for links in a sentence
# Everything that is tapped: its own box, or its label's, or the row's that it stands in.
SMALL_TARGETS = (
    "least => [\n"
    '    ...document.querySelectorAll("a[href], button, select, input:not([type=hidden]),'
    ' summary, textarea")]\n'
    "  .filter(one => one.checkVisibility({checkOpacity: true, checkVisibilityCSS: "
    "true}))\n"
    '  .filter(one => !one.closest("svg [aria-hidden=true]")) // a drawing\'s marks: the '
    "table beside it has the same links\n"
    '  .filter(one => getComputedStyle(one).display !== "inline" || one.tagName !== "A"\n'
    '    || (one.parentElement.tagName === "P" && one.textContent.trim() === '
    "one.parentElement.textContent.trim()))\n"
    "  .filter(one => {\n"
    "    const boxes = [one, ...(one.labels || [])].map(each => "
    "each.getBoundingClientRect());\n"
    '    if (boxes[0].right <= 0 || boxes[0].bottom <= 0) return false; // "Skip to main '
    'content", until it is reached\n'
    "    return !boxes.some(({width, height}) => Math.round(width) >= least && "
    "Math.round(height) >= least);\n"
    "  })\n"
    "  .map(one => { const {width, height} = one.getBoundingClientRect();\n"
    "    return `${one.outerHTML.slice(0, 90)} "
    "${Math.round(width)}x${Math.round(height)}`; })"
)
WIDE = PHONE["width"]
IS_PHONE = f"innerWidth === {WIDE} && matchMedia('(pointer: coarse)').matches"
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
  return is > wide ? [`with large letters ${is} px: ${said.slice(0, 6).join(" | ")}`] : [];
}"""
# Items of a list in columns that stand in two of them: each piece would begin at the height of another line.
CUT_IN_TWO = """() => [...document.querySelectorAll("li")]
  .filter(one => getComputedStyle(one).display !== "inline" && one.getClientRects().length > 1)
  .map(one => `cut in two: ${one.textContent.trim().slice(0, 30)}`)"""
# Of the hall and of the desk, once they have been looked through: each address as it is before it is filled in.
FOUND: dict[bool, list[str]] = {}
# What is wrong with each of the desk's pages, on a laptop and on a phone: each is opened once for both.
AT_THE_DESK: dict[str, tuple[list[str], list[str]]] = {}


@pytest.fixture
def evening(club, alice):
    """A closed round, a running one with a deal that was corrected, a season and rules of the club's own.

    Before it there were an evening that is told of over the years, and one that stands in the club's books.
    """
    now = timezone.now()
    people = [make_player(name, club, 100 + pk, pk) for pk, name in enumerate(NAMES, 1)]
    play_evening(make_evening(people, club, alice, date=date(2024, 3, 1), deals_per_round=12), alice)
    old = OldEvent.objects.create(
        pk=1, host=club, kind=OldEvent.Kind.TITLE, name="Klubmesterskab", year=1987, entered_at=now
    )
    OldPlace.objects.create(event=old, place=1, name="Gamle Ole")
    tournament = make_tournament(8, 2, club=club, account=alice, deals_per_round=4)
    for table in tournament.rounds.get(number=1).tables.select_related("round__tournament"):
        play_out(table, agreed=True)
    close_round(tournament.rounds.get(number=1), account=alice, now=now)
    start_round(tournament.rounds.get(number=2), account=alice, now=now)
    table = tournament.rounds.get(number=2).tables.select_related("round__tournament").first()
    report(table, 1)
    report(
        table,
        1,
        {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"},
        base=1,
        reason="misread",
    )
    Season.objects.create(pk=1, host=club, name="Efterår", starts=date(2026, 1, 1), ends=date(2026, 12, 31))
    championship = Championship.objects.create(pk=1, host=club, name="Mesterskab", date=date(2026, 1, 1))
    stage = Stage.objects.create(championship=championship, number=1, name="Finale", each=2)
    Tournament.objects.filter(pk=tournament.pk).update(stage=stage, season=1, version=99)
    ClubRules.objects.create(pk=1, club=club, name="Stilling", rulebook="union")
    ids = {"code": tournament.code, "slug": club.slug, "secret": table.secret}
    return ids, first_table(tournament)


def pages(browser: Client, ids: dict[str, str], *, desk: bool) -> list[str]:
    """The addresses of pages that open, one for each template."""
    if desk in FOUND:
        return [address.format(**ids) for address in FOUND[desk]]
    found: dict[str, str] = {}
    for _name, address in addresses():
        for_desk = address.startswith(("/desk/", "/clubs/", "/design/"))
        path = address.format(**ids)
        if for_desk != desk or path.startswith("/clubs/password/MQ"):
            continue
        answer = browser.get(path)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html") and answer.templates:
            found.setdefault(answer.templates[0].name or path, address)
        elif answer.streaming:
            list(answer.streaming_content)
    FOUND[desk] = list(found.values())
    return pages(browser, ids, desk=desk)


def of_the_years(path: str) -> bool:
    """Whether it looks further back than one evening: these are looked at in the dark as well."""
    return path.startswith("/person/") or path.endswith(OF_YEARS)


def violations(page, options=RULES) -> list[str]:
    found = page.evaluate("options => axe.run(options).then(({ violations }) => violations)", options)
    return [
        f"{one['id']}: {node['html'][:120]} {node['failureSummary'][-160:]}"
        for one in found
        for node in one["nodes"]
    ]


def violations_here(page) -> list[str]:
    """The same from the top of a page that was opened without axe-core.

    Wherever else it was scrolled to, a row of buttons may lie half below the bar, and be called too small.
    """
    page.evaluate(Axe().axe_script)
    page.evaluate("scrollTo(0, 0)")
    return violations(page)


def in_lines(said: dict[str, list[str]]) -> str:
    return "\n".join(f"{path}: {one}" for path, found in said.items() for one in found)


def wrong(page, *, phone: bool) -> list[str]:
    said = violations(page)
    if phone:
        said += [f"small: {one}" for one in page.evaluate(SMALL_TARGETS, SMALLEST)]
        said += page.evaluate(REACHING_OUT, WIDE)
    return said + page.evaluate(CUT_IN_TWO)


def test_the_halls_pages(evening, open_looked_at, live_server):
    ids, closed = evening
    paths = pages(Client(), ids, desk=False)
    page, said = open_looked_at(phone=True), {}
    explored = "/explorer/?by=contract&then=seat"
    more = [
        f"/c/{closed.secret}/",
        "/c/?code=WRONG1",
        "/clubs/login/",
        "/nowhere/",
        "/person/1/with/2/",
        explored,
    ]
    for path in [*paths, *more]:
        # Standings in another site's page renew themselves while they change, as they may, unless asked not to.
        address = live_server.url + path + "?live=0" * path.endswith("/embed/")
        # A captain's page is filled by its script.
        page.goto(address, wait_until="networkidle" if path.startswith("/c/") else "load")
        if found := wrong(page, phone=True):
            said[path] = found
        if of_the_years(path):
            page.emulate_media(color_scheme="dark")
            said[f"{path} in the dark"] = violations(page, COLOURS)
            page.emulate_media(color_scheme="light")
    assert not any(said.values()), in_lines(said)
    assert {"/club/stilling/history/", "/person/1/", "/person/1/met/"} <= set(paths)
    assert len(paths) > 15


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_captains_page(evening, open_looked_at, live_server, dark):
    ids, _closed = evening
    page, said = open_looked_at(phone=True), {}
    page.goto(f"{live_server.url}/c/{ids['secret']}/")
    page.locator("#entry").wait_for()
    if dark:
        page.goto(f"{page.url}#menu")
        page.locator("#dark").tap()
    for view in CAPTAINS_VIEWS:
        page.goto(f"{page.url.split('#')[0]}#{view}")
        page.locator(f"#{view.split('-')[0].replace('correct', 'entry')}").wait_for()
        if found := wrong(page, phone=True):
            said[view] = found
    assert not said, in_lines(said)


CARD_PAGES = (
    "/t/{code}/cards/",
    "/t/{code}/player/1/card/",
    "/t/{code}/player/1/card/share/",
    "/person/1/hands/",
)
# As wide as the narrowest phone shows a page: nothing but what has a frame of its own is wider.
NARROW = """() => document.documentElement.scrollWidth > innerWidth
  ? [`${document.documentElement.scrollWidth} px wide of ${innerWidth}`] : []"""
DEVICES = {
    "dark": {"color_scheme": "dark"},
    "more contrast": {"contrast": "more"},
    "forced colours": {"forced_colors": "active"},
}


@pytest.fixture
def evening_with_cards(club, alice) -> Tournament:
    """The tenth evening of the same people: nine are a hand, and the next has begun."""
    people = [make_player(name, club, 100 + pk, pk) for pk, name in enumerate(NAMES, 1)]
    for day in range(1, 11):
        evening = make_evening(people, club, alice, date=date(2024, 3, day))
        play_evening(evening, alice, seed=day)
    return evening


def test_the_pages_of_cards_on_every_device(evening_with_cards, open_looked_at, live_server):
    page, said = open_looked_at(phone=True), {}
    for address in CARD_PAGES:
        path = address.format(code=evening_with_cards.code)
        page.emulate_media(color_scheme="light", contrast="no-preference", forced_colors="none")
        page.goto(live_server.url + path)
        assert page.locator(".kort, .share").count(), path
        said[path] = wrong(page, phone=True)
        page.set_viewport_size({"width": 320, "height": 568})
        said[f"{path} narrow"] = page.evaluate(NARROW)
        page.set_viewport_size(PHONE)
        for device, media in DEVICES.items():
            page.emulate_media(**{"color_scheme": "light", "contrast": "no-preference"} | media)
            if device != "dark":
                until(page, f"async () => {CONTRAST_IS_THERE}")
            said[f"{path} {device}"] = violations(page, COLOURS)
    assert not any(said.values()), in_lines(said)


def test_the_finish_with_its_prizes_on_a_phone_and_on_a_laptop(
    as_alice, alice, club, open_looked_at, live_server
):
    people = [make_player(name, club, 100 + pk, pk) for pk, name in enumerate(NAMES, 1)]
    evening = play_evening(make_evening(people, club, alice, entry_fee=5000), alice)
    for phone in (True, False):
        page = open_looked_at(phone=phone)
        page.context.add_cookies(
            [{"name": "sessionid", "value": as_alice.cookies["sessionid"].value, "url": live_server.url}]
        )
        page.goto(f"{live_server.url}/desk/t/{evening.code}/finish/")
        assert page.get_by_label("Prize for place 1").count() == 1
        assert wrong(page, phone=False) + (page.evaluate(REACHING_OUT, WIDE) if phone else []) == []
        page.emulate_media(color_scheme="dark")
        assert violations(page, COLOURS) == []


@pytest.fixture
def desk(request) -> dict[str, tuple[list[str], list[str]]]:
    if not AT_THE_DESK:
        (ids, _closed), as_alice = map(request.getfixturevalue, ("evening", "as_alice"))
        page, server = request.getfixturevalue("open_looked_at")(), request.getfixturevalue("live_server")
        found = {}
        screen = page.context.new_cdp_session(page)
        page.context.add_cookies(
            [{"name": "sessionid", "value": as_alice.cookies["sessionid"].value, "url": server.url}]
        )
        # Of the hall's pages that one which is a list in columns where there is room.
        for path in [*pages(as_alice, ids, desk=True), "/manual/"]:
            page.goto(server.url + path)
            on_laptop = wrong(page, phone=False)
            be(screen, PHONE, phone=True)
            assert page.evaluate(IS_PHONE)
            found[path] = on_laptop, page.evaluate(REACHING_OUT, WIDE)
            be(screen, DESKTOP, phone=False)
        # All of it or nothing: after a failure in its midst the next test looks by itself.
        AT_THE_DESK.update(found)
    return AT_THE_DESK


def be(screen: CDPSession, size: dict[str, int], *, phone: bool) -> None:
    """Turn the open page's window into one of the other kind, as Playwright makes it."""
    screen.send("Emulation.setDeviceMetricsOverride", size | {"deviceScaleFactor": 1, "mobile": phone})
    screen.send("Emulation.setTouchEmulationEnabled", {"enabled": phone})


def test_the_desks_pages(desk):
    said = {path: found for path, (found, _on_phone) in desk.items() if found}
    assert not said, in_lines(said)
    assert len(desk) > 30


def test_the_desks_pages_on_a_phone_with_large_letters(desk):
    said = {path: found for path, (_on_laptop, found) in desk.items() if found}
    assert not said, in_lines(said)
    assert len(desk) > 30


@pytest.mark.parametrize("face", FACES)
def test_the_parts_in_every_room(as_alice, open_looked_at, live_server, face):
    """Each part in each state, as devices ask for it: dark, with more contrast, in colours of their own."""
    page, said = open_looked_at(), {}
    page.context.add_cookies(
        [{"name": "sessionid", "value": as_alice.cookies["sessionid"].value, "url": live_server.url}]
    )
    page.goto(f"{live_server.url}/design/?face={face}")
    said["as it is"] = wrong(page, phone=False)
    for asked in ({"color_scheme": "dark"}, {"contrast": "more"}, {"forced_colors": "active"}):
        page.emulate_media(**asked)
        if "color_scheme" not in asked:
            until(page, f"async () => {CONTRAST_IS_THERE}")
        said[f"{face} {asked}"] = violations(page, COLOURS)
    assert not any(said.values()), in_lines(said)
