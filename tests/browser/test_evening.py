"""A club evening from end to end, in a real browser: Alice organises, three captains tap, the hall looks on."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.factories import make_account, make_club, make_player, player_name
from tournaments.domain.terms import signed
from tournaments.exports.verify.recount import differences
from tournaments.models import Report, Table, Tournament
from tournaments.standings.players import standings

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAYERS = 11  # two tables of four and one of three
DEALS, DEALS_AT_THREE = 8, 6
# What is tapped after the declarer: every kind of result that an evening has.
GAMES = (
    ("Game", "hearts", "won"),
    ("Tourné", "clubs", "bête"),
    ("Solo", "diamonds", "kruk"),
    ("Simple nolo", "won"),
    ("Spade game", "won"),
    ("Pure nolo", "bête"),
)


def test_an_evening_of_eleven_players(open_page, live_server):
    club = make_club("Stilling")
    make_account("alice", club)
    for index in range(PLAYERS):
        make_player(player_name(index), club, index + 1)

    desk = sign_in(open_page)
    tournament = set_up(desk)
    enter_everybody(desk, tournament)
    draw(desk, tournament)
    blank = print_sheets(desk, tournament, "blank", live_server)
    assert len(blank.pages) == 3
    for table in tables(tournament):
        assert table.code in blank.pages[table.number - 1].extract_text()
    start(desk, tournament)

    hall = open_page(f"/t/{tournament.code}/standings/", phone=True)
    phones = [open_page(f"/c/{table.secret}/", phone=True) for table in tables(tournament)]
    for table, phone in zip(tables(tournament), phones, strict=True):
        report_all_deals(phone, table, hall if table.number == 1 else None)
    for phone in phones:
        phone.locator("#agree-all").tap()
        expect(phone.locator("#agree-done")).to_contain_text("Everyone has agreed")
    close(desk, tournament)

    tournament.refresh_from_db()
    assert list(differences(tournament)) == []
    assert Report.objects.count() == 2 * DEALS + DEALS_AT_THREE
    filled = print_sheets(desk, tournament, "filled", live_server)
    totals = {row.name: row.total for row in standings(tournament).rows}
    assert totals_on_sheets(filled, tournament) == totals
    for name, total in totals.items():
        row = hall.locator("main table tbody tr", has_text=name)
        expect(row.locator(".total")).to_have_text(signed(total))
    expect(hall.locator("main table tbody tr")).to_have_count(len(totals))
    printed = standings_on_paper(print_sheets(desk, tournament, "standings", live_server))
    for row in standings(tournament).rows:
        assert [row.rank, row.number, *row.rounds, row.deals, row.total, row.gap] in printed


def tables(tournament: Tournament) -> list[Table]:
    return list(Table.objects.filter(round__tournament=tournament).order_by("number"))


def sign_in(open_page) -> Page:
    page = open_page("/desk/")
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Your tournaments")).to_be_visible()
    return page


def set_up(page: Page) -> Tournament:
    page.get_by_role("link", name="New tournament").first.click()
    page.get_by_label("Name", exact=True).fill("Efterårsturnering “æøå”")
    page.get_by_label("Rounds", exact=True).fill("1")
    page.get_by_label("Enter all of the host’s members at once").uncheck()
    page.locator("summary:has(#said-played)").click()
    page.get_by_label("Deals per round").fill(str(DEALS))
    page.get_by_label("Deals at a table of three").fill(str(DEALS_AT_THREE))
    page.get_by_role("button", name="Create the tournament").click()
    expect(page.get_by_role("list", name="The evening, step by step")).to_be_visible()
    return Tournament.objects.get()


def enter_everybody(page: Page, tournament: Tournament) -> None:
    page.goto(re.sub(r"/desk/.*", f"/desk/t/{tournament.code}/entries/add/", page.url))
    for box in page.locator("#members input").all():
        box.check()
    page.get_by_label("They are already here").check()
    page.get_by_role("button", name="Enter those ticked").click()
    expect(page.locator("main")).to_contain_text("11 players are entered")
    assert tournament.entries.playing().count() == PLAYERS


def draw(page: Page, tournament: Tournament) -> None:
    page.goto(re.sub(r"/desk/.*", f"/desk/t/{tournament.code}/draw/", page.url))
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.locator("main")).to_contain_text("The tables have been drawn.")
    assert [table.seats.count() for table in tables(tournament)] == [4, 4, 3]


def start(page: Page, tournament: Tournament) -> None:
    page.goto(re.sub(r"/desk/.*", f"/desk/t/{tournament.code}/", page.url))
    page.get_by_role("link", name="Start round 1").first.click()
    page.get_by_role("button", name="Start round 1 now").click()
    expect(page.locator("main")).to_contain_text("Round 1 is running")


def close(page: Page, tournament: Tournament) -> None:
    page.goto(re.sub(r"/desk/.*", f"/desk/t/{tournament.code}/board/", page.url))
    page.get_by_role("link", name="Close round 1").click()
    page.get_by_role("button", name="Close round 1 now").click()
    expect(page.locator("main")).to_contain_text("Round 1 is closed")


def report_all_deals(phone: Page, table: Table, hall: Page | None) -> None:
    """Tap every deal of a table; each of the first the hall shows by itself."""
    for deal in range(1, table.deals + 1):
        expect(phone.locator("#where")).to_have_text(f"Deal {deal} of {table.deals}")
        declarer = phone.locator("#declarer button").nth(deal % 3)
        declarer.tap()
        for name in GAMES[deal % len(GAMES)]:
            named = re.compile(rf"^\W*{name}", re.IGNORECASE)
            phone.locator("#entry button:visible", has_text=named).first.tap()
        expect(phone.locator("#badge")).to_have_text(f"✓ {deal} sent")
        if hall and deal <= 3:
            expect(hall.locator("main")).to_contain_text(total_words(table))


def total_words(table: Table) -> str:
    """The total of the table's first player as the hall writes it."""
    return signed(table.seats.get(position=0).tokens)


def print_sheets(page: Page, tournament: Tournament, kind: str, live_server) -> PdfReader:
    """Ask for a PDF as Alice does; here no worker runs, so she lets the server make it."""
    page.goto(f"{live_server.url}/desk/t/{tournament.code}/print/")
    if kind == "standings":  # a closed round's, before all other sheets
        page.get_by_role("button", name="Print the standings").click()
    else:
        page.locator(f".print-choice:has(#print-{kind}) button").click()
    at_once = page.get_by_role("button", name="Do it now")
    ready = page.get_by_role("link", name="Open the PDF")
    expect(at_once.or_(ready)).to_be_visible()
    if at_once.is_visible():
        at_once.click()  # sheets are made while one waits
        expect(ready).to_be_visible()
    answer = page.context.request.get(live_server.url + ready.get_attribute("href"))
    assert answer.headers["content-type"] == "application/pdf"
    return PdfReader(BytesIO(answer.body()))


def numbers(text: str) -> list[int]:
    return [int(found.replace("−", "-").replace("+", "")) for found in re.findall(r"[+−-]?\d+", text)]


def totals_on_sheets(filled: PdfReader, tournament: Tournament) -> dict[str, int]:
    """Each player's total, read off the foot of their table's sheet."""
    totals = {}
    for table, page in zip(tables(tournament), filled.pages, strict=True):
        line = next(
            line for line in page.extract_text().splitlines() if line.strip().lower().startswith("total")
        )
        names = [seat.entry.player.name for seat in table.seats.order_by("position")]
        totals |= dict(zip(names, numbers(line), strict=True))
    return totals


def standings_on_paper(paper: PdfReader) -> list[list[int]]:
    """The lines of figures on the printed standings: rank, number, tokens by round, total."""
    text = "\n".join(page.extract_text() for page in paper.pages)
    return [numbers(line) for line in text.splitlines()]
