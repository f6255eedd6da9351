"""What the phone makes of its buttons is what the engine makes of the report, for every rulebook."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scoring import rulebooks
from scoring.results import read_result
from scoring.seats import ACTIVE, Seating
from scoring.settlement import settle_at_table
from tournaments.reporting.captain_state import offers

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tournaments.models import Table

pytestmark = pytest.mark.browser
TABLES = [(book.id, players) for book in rulebooks() for players in book.players]
POOL = 22  # does not divide by three
BOOKS = {book.id: book for book in rulebooks()}

HERE = Path(__file__).parent
TAPPED = (HERE / "every_button.js").read_text(encoding="utf-8")
AGAIN = (HERE / "report_again.js").read_text(encoding="utf-8")


def canonical(book: Any, seating: Seating, result: dict[str, Any]) -> dict[str, Any]:
    return read_result(result, seating, book.roles_by_name).to_json(seating)


@pytest.fixture
def page(open_page, bobs_table: Table) -> Page:
    return open_page(f"/c/{bobs_table.secret}/", phone=True)


def test_every_button_means_to_the_phone_what_it_means_to_the_engine(page):
    for name, players in TABLES:
        book, seating = BOOKS[name], Seating(players, 1)
        told = [offers(book, players, "en"), [str(role) for role in seating.roles]]
        made = page.evaluate(TAPPED, [*told, POOL])
        assert len(made) > len(book.contracts_at(players))
        stored = []
        for report in made:
            result = read_result(report["result"], seating, book.roles_by_name)
            settled = settle_at_table(result, seating, book)
            assert list(settled.tokens) == report["tokens"], (name, report)
            stored.append((canonical(book, seating, report["result"]), str(settled.outcome)))
        for again, (before, _outcome) in zip(page.evaluate(AGAIN, [*told, stored]), stored, strict=True):
            assert canonical(book, seating, again) == before, name


@pytest.mark.parametrize("name", [book.id for book in rulebooks() if book.for_pairs])
def test_in_pairs_they_mean_the_same_with_the_hand_taken_over(page, name):
    book, table = BOOKS[name], Seating(4, 1, in_pairs=True)
    for declarer in ACTIVE:
        roles = [str(role) for role in table.declared_by(declarer).roles]
        made = page.evaluate(TAPPED, [offers(book, 4, "en"), roles, POOL])
        mine = [report for report in made if roles[report["result"].get("declarer", 0)] == declarer]
        assert len(mine) > len(book.contracts_at(4))
        for report in mine:
            result = read_result(report["result"], table, book.roles_by_name)
            assert list(settle_at_table(result, table, book).tokens) == report["tokens"], report
