"""Bob reports crocodile and renegado by tapping: only the declarer scores, and a pool lives through the deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phone import captain, go_to, tap
from tests.factories import first_table, make_tournament
from tournaments.ledger.scoresheet import score_sheet
from tournaments.models import Report

if TYPE_CHECKING:
    from tournaments.models import Table

pytestmark = pytest.mark.browser


@pytest.fixture
def table_by_these_rules(request, transactional_db, alice) -> Table:
    """Bob's table of three by these rules, in a round of three deals."""
    return first_table(make_tournament(3, account=alice, rulebook=request.param, deals_at_three=3))


def player_in_role(page, role: str) -> str:
    """Who sits there in this deal, by the word below the name."""
    return page.locator("#declarer button", has_text=role).locator(".label").inner_text()


def saved(page, count: int) -> None:
    expect(page.locator("#badge")).to_contain_text(f"✓ {count} sent")


def agree_to_all(page, table: Table) -> None:
    page.locator("#agree-all").tap()
    expect(page.locator("#agree-done")).to_be_visible()
    assert table.seats.filter(agreed_at=None).count() == 0


@pytest.mark.parametrize("table_by_these_rules", ["renegado"], indirect=True)
def test_the_pool_of_renegado_grows_until_somebody_takes_it(open_page, table_by_these_rules):
    page = captain(open_page, table_by_these_rules)
    pool = page.locator("#pool")
    expect(pool).to_have_value("5")

    # The first deal is given up: the loser doubles the pool and pays five for each player.
    forehand = player_in_role(page, "forehand")
    tap(page, forehand, "Entrada", "hearts")
    page.locator("#counts button", has_text="1").first.tap()
    tap(page, "Bête")
    saved(page, 1)
    report = Report.objects.get()
    assert report.result == {
        "contract": "entrada", "declarer": report.declarer, "trump": "H",
        "outcome": "bete", "estuches": 1, "pool": 5,
    }  # fmt: skip

    # What the players lack lies in the pool, with the next dealer's ante.
    expect(pool).to_have_value(str(5 - sum(report.tokens)))
    before = int(pool.input_value())

    # Another number is asked back, and told at the desk.
    tap(page, player_in_role(page, "forehand"), "Solo", "spades")
    page.locator("#counts button", has_text="2").first.tap()
    pool.fill(str(before + 1))
    tap(page, "Won")
    expect(page.locator("#preview")).to_contain_text(f"According to the previous deal it should be {before}.")
    pool.fill(str(before))
    tap(page, "Won")
    saved(page, 2)

    # All pass: the ante stays in the pool, which the winner had emptied.
    expect(pool).to_have_value("5")
    tap(page, "All passed")
    saved(page, 3)
    expect(page.locator("#agree-sum")).to_have_text("−5 · Left in the pool: 5")
    agree_to_all(page, table_by_these_rules)

    sheet = score_sheet(table_by_these_rules)
    assert [line.pool for line in sheet.lines] == [5, before, 5]
    assert sheet.pool.gaps == []
    assert sum(sheet.totals) + sheet.pool.remaining == 0
    go_to(page, "sheet")
    expect(page.locator("#sheet-more")).to_contain_text("Left in the pool: 5")


@pytest.mark.parametrize("table_by_these_rules", ["crocodile"], indirect=True)
def test_in_crocodile_only_the_declarer_scores(open_page, table_by_these_rules):
    page = captain(open_page, table_by_these_rules)
    expect(page.locator("#pool-line")).to_be_hidden()

    # A casco is eldest's alone, and may be played without trumps.
    eldest = player_in_role(page, "eldest")
    tap(page, eldest, "Casco", "none", "Won")
    saved(page, 1)

    # A bonus bid of four tricks, made.
    tap(page, player_in_role(page, "dealer"))
    page.locator("#contract button", has_text="Play").tap()
    tap(page, "clubs")
    page.locator("#more").tap()
    tap(page, "Cuatro bid and made")
    page.locator("#result button", has_text="Cuatro").tap()
    expect(page.locator("#preview")).to_contain_text("+6")
    page.locator("#save").tap()
    page.locator("#save", has_text="Yes").tap()
    saved(page, 2)

    # Five tricks of a nolo: four times its value.
    tap(page, player_in_role(page, "middle"), "Exchange nolo", "Contranolo")
    saved(page, 3)
    expect(page.locator("#agree-sum-line")).to_be_hidden()
    agree_to_all(page, table_by_these_rules)

    deals = [deal.current for deal in table_by_these_rules.dealt.select_related("current")]
    assert [sorted(report.tokens) for report in deals] == [[0, 0, 1], [0, 0, 6], [-12, 0, 0]]
    assert [report.tokens[report.declarer] for report in deals] == [1, 6, -12]
    assert deals[1].result["bonus_bid"] == "cuatro"
    assert "trump" not in deals[0].result
