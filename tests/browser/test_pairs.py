"""Bob reports a match of two pairs: his phone says who plays whose hand, and who pays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.phone import captain, go_to, tap
from tests.factories import first_round, first_table, make_tournament, play_out
from tournaments.domain.terms import short_names
from tournaments.entries import teams
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import start_round
from tournaments.models import Report

if TYPE_CHECKING:
    from tournaments.models import Table

pytestmark = pytest.mark.browser


@pytest.fixture
def pairs_table(transactional_db, alice) -> Table:
    """Two pairs at a table; A deals first, so that C sits out unless B or D declares."""
    by = {"account": alice, "now": timezone.now()}
    tournament = make_tournament(4, account=alice, drawn=False, format="pairs", rulebook="rasle")
    teams.put_together(tournament, **by)
    draw(tournament, seed=7, **by)
    start_round(first_round(tournament), **by)
    return first_table(tournament)


def test_the_player_sitting_out_takes_over_the_hand_of_the_declarers_partner(open_page, pairs_table):
    dealer, forehand, sits_out, partner = short_names(
        [seat.entry.shown_name for seat in pairs_table.seats.order_by("position")]
    )
    page = captain(open_page, pairs_table)
    line = page.locator("#dealer-line")
    expect(line).to_contain_text("Sits out")
    tap(page, forehand)
    expect(line).to_contain_text(f"{sits_out} plays {partner}’s hand")
    tap(page, dealer)  # the dealer's partner sits out anyway
    expect(line).to_contain_text(f"Sits out {sits_out}")
    # The buttons of those who were dealt cards stay where they are.
    assert partner in page.locator("#declarer").inner_text()
    tap(page, forehand, "Solo", "hearts", "More")
    fouls = page.locator("#instead")
    expect(fouls).to_contain_text(f"foul by {sits_out.split()[0]}")
    expect(fouls).not_to_contain_text(partner.split()[0])
    tap(page, "won")
    page.locator("#save").tap()
    expect(page.locator("#badge")).to_contain_text("✓ 1 sent")
    assert Report.objects.get().tokens == [-2, 6, -2, -2]  # by these rules who sits out settles too
    go_to(page, "correct-1")
    expect(page.locator("#was")).to_contain_text(f"{sits_out} plays {partner}’s hand")
    go_to(page, "sheet")
    sums = page.locator("#sheet-foot tr", has_text="With partner").locator("td")
    expect(sums).to_have_text(["−4", "+4", "−4", "+4"])


def test_at_the_end_the_sums_of_both_pairs_stand_beside_each_players(open_page, pairs_table):
    play_out(pairs_table)
    a, b, c, d = [seat.entry.player.name.split()[0] for seat in pairs_table.seats.order_by("position")]
    tokens = [seat.tokens for seat in pairs_table.seats.order_by("position")]
    page = open_page(f"/c/{pairs_table.secret}/", phone=True)
    sums = [
        f"{total:+}".replace("-", "−").replace("+0", "0")
        for total in (tokens[0] + tokens[2], tokens[1] + tokens[3])
    ]
    expect(page.locator("#agree-sum")).to_have_text(f"0 · {a} + {c}: {sums[0]} · {b} + {d}: {sums[1]}")
