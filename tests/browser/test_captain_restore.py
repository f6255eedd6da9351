"""An older backup put in the place of what was there: phones send again what they know was stored."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.phone import WIN_NOLOS, answer_reports, badge, captain, until
from tests.factories import report, tampering
from tournaments.changes.versions import VERSIONS_APART
from tournaments.exports.verify.recount import differences
from tournaments.ledger import Author
from tournaments.lifecycle.drawing import discard_draw
from tournaments.lifecycle.playing import close_round, start_round, take_start_back
from tournaments.models import Deal, Flag, Report, Round, Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NOLO = {"contract": "pure_nolo", "declarer": 1, "outcome": "won"}
AGAIN = "brought_back"  # as it is stored: said in the reader's language
# What this phone keeps of what it has delivered, in the order of the deals.
DELIVERED = """() => new Promise((resolve) => {
    const told = (items) => items
        .filter(({ status }) => status === "delivered")
        .map(({ deal, key }) => [deal, key])
        .sort(([one], [other]) => one - other);
    indexedDB.open("spadille", 1).onsuccess = ({ target: { result } }) => {
        const asked = result.transaction("outbox").objectStore("outbox").getAll();
        asked.onsuccess = () => resolve(told(asked.result));
    };
})"""


def set_back(table: Table, reports: int) -> None:
    """As a restored backup leaves a table: with its first reports, the players' tokens after them, another version."""
    gone = table.reports.filter(sequence__gt=reports)
    for position in range(4):
        lost = sum(row.tokens[position] for row in gone if row.tokens)
        table.seats.filter(position=position).update(tokens=F("tokens") - lost)
    Deal.objects.filter(table=table, current__in=gone).delete()
    with tampering():
        gone.delete()
    for last in table.reports.order_by("sequence"):
        Deal.objects.update_or_create(table=table, number=last.deal_number, defaults={"current": last})
    Table.objects.filter(pk=table.pk).update(
        reports_count=reports,
        last_hash=last.hash if reports else "",
        version=F("version") + VERSIONS_APART,
    )


def told() -> list[tuple[int, int, str, str]]:
    """What the ledger has: deal, revision, result, reason."""
    rows = Report.objects.order_by("sequence")
    return [(row.deal_number, row.revision, row.outcome, row.reason) for row in rows]


def keys() -> set[str]:
    return {str(key) for key in Report.objects.values_list("key", flat=True)}


def reported(page: Page, deals: int) -> None:
    page.evaluate(WIN_NOLOS, deals)
    expect(badge(page)).to_have_text(f"✓ {deals} sent")


def look_again(page: Page) -> None:
    """Bob comes back to the page: it asks the server at once."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def away(page: Page) -> str:
    """The browser is closed; returns the address to open it with."""
    address = page.url.split("#")[0]
    page.goto("about:blank")
    return address


def test_an_open_page_sends_again_what_it_knows_was_stored(open_page, bobs_table):
    for deal in (1, 2, 3):
        assert report(bobs_table, deal, NOLO | {"declarer": deal % 4}).status == "accepted"
    page = captain(open_page, bobs_table)
    expect(badge(page)).to_have_text("✓ 3 sent")
    set_back(Table.objects.get(pk=bobs_table.pk), 1)
    with page.expect_response(
        lambda answer: answer.url.endswith("/reports") and '"deal":3' in answer.request.post_data
    ):
        look_again(page)
    expect(badge(page)).to_have_text("✓ 3 sent")
    assert told() == [(1, 1, "won", ""), (2, 1, "won", AGAIN), (3, 1, "won", AGAIN)]
    assert list(differences(bobs_table.round.tournament)) == []


@pytest.mark.parametrize("left", [0, 1])
def test_a_page_opened_anew_sends_again_what_this_phone_has_delivered(open_page, bobs_table, left):
    page = captain(open_page, bobs_table)
    reported(page, 3)
    before = keys()
    address = away(page)
    set_back(Table.objects.get(pk=bobs_table.pk), left)
    page.goto(address)
    expect(badge(page)).to_have_text("✓ 3 sent")
    assert keys() == before
    assert [deal for deal, *_more in told()] == [1, 2, 3]
    assert list(differences(bobs_table.round.tournament)) == []
    page.reload()  # and nothing a third time
    expect(badge(page)).to_have_text("✓ 3 sent")
    assert len(told()) == 3


def test_a_round_that_the_backup_has_not_started_is_waited_for(open_page, bobs_table, alice):
    page = captain(open_page, bobs_table)
    reported(page, 2)
    address = away(page)
    set_back(Table.objects.get(pk=bobs_table.pk), 0)
    Round.objects.update(state=Round.State.DRAWN)
    page.goto(address)
    expect(page.locator("#notices")).to_contain_text("The round has not started yet.")
    start_round(Round.objects.get(), account=alice, now=timezone.now())
    look_again(page)
    expect(badge(page)).to_have_text("✓ 2 sent")
    assert [row[:3] for row in told()] == [(1, 1, "won"), (2, 1, "won")]


def test_a_phone_whose_draw_was_discarded_says_only_that_its_link_is_unknown(open_page, bobs_table, alice):
    page = captain(open_page, bobs_table)
    by_alice = {"account": alice, "now": timezone.now()}
    take_start_back(bobs_table.round, **by_alice)
    look_again(page)
    expect(page.locator("#notices")).to_have_text(
        "The round has not started yet. This page starts by itself."
    )
    discard_draw(bobs_table.round.tournament, **by_alice)
    look_again(page)
    expect(page.locator("#notices")).to_have_text(
        "This link is no longer valid here. Ask the organiser for the table’s code."
    )


def test_what_was_corrected_and_taken_back_comes_again_as_it_was_last(open_page, bobs_table):
    page = captain(open_page, bobs_table)
    reported(page, 2)
    page.goto(f"{page.url}#correct-1")
    page.get_by_role("button", name="bête").tap()
    page.get_by_role("button", name="other …").tap()
    page.locator("#reason").fill("misread")
    page.locator("#save").tap()
    expect(page.locator("#sheet-lines")).to_contain_text("corrected")
    page.goto(f"{page.url.split('#')[0]}#deal-2")
    page.locator("#deal-back").tap()
    page.locator("#back-reason").fill("not played")
    page.locator("#back-form button").tap()
    expect(badge(page)).to_have_text("✓ 1 sent")
    address = away(page)
    set_back(Table.objects.get(pk=bobs_table.pk), 2)
    page.goto(address)
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert told()[2:] == [(1, 2, "bete", "misread"), (2, 2, "", "not played")]


def test_what_others_wrote_after_the_restore_is_not_overwritten(open_page, bobs_table, alice):
    """Deal 1 has been ruled anew at the desk; deal 2 was corrected by this phone, and entered otherwise by another."""
    page = captain(open_page, bobs_table)
    reported(page, 2)
    page.goto(f"{page.url}#correct-2")
    page.get_by_role("button", name="bête").tap()
    page.get_by_role("button", name="other …").tap()
    page.locator("#reason").fill("misread")
    page.locator("#save").tap()
    expect(page.locator("#sheet-lines")).to_contain_text("corrected")
    address = away(page)
    set_back(Table.objects.get(pk=bobs_table.pk), 0)
    later = timezone.now() + timedelta(minutes=1)
    report(bobs_table, 1, {"ruled": [3, -1, -1, -1]}, author=Author("desk", alice), now=later)
    report(bobs_table, 2, now=later)
    page.goto(address)
    trouble = page.locator("#notices .message")
    expect(trouble).to_contain_text("Deal 2: another phone reported it differently")
    expect(trouble).to_have_count(1)
    assert told() == [(1, 1, "ruled", ""), (2, 1, "washout", "")]
    assert Flag.objects.get().kind == Flag.Kind.CONFLICT  # the desk sees it too
    page.get_by_role("button", name="This phone is right").tap()
    expect(badge(page)).to_have_text("✓ 2 sent")
    assert [row[:3] for row in told()][2:] == [(2, 2, "bete")]


def test_what_the_desk_had_ruled_otherwise_does_not_come_again(open_page, bobs_table, alice):
    page = captain(open_page, bobs_table)
    reported(page, 1)
    ruling = {"ruled": [0, 0, 0, 0]}
    report(bobs_table, 1, ruling, base=1, reason="the slip", author=Author("desk", alice))
    page.reload()
    until(page, f"async () => (await ({DELIVERED})()).length === 0")
    set_back(Table.objects.get(pk=bobs_table.pk), 0)
    with page.expect_response(lambda answer: answer.url.endswith("/phone")):
        page.reload()
    expect(badge(page)).to_have_text("✓ 0 sent")
    assert told() == []


def test_what_was_delivered_is_kept_in_bounds_and_until_the_round_is_closed(open_page, bobs_table, alice):
    page = captain(open_page, bobs_table)
    page.evaluate(
        """() => new Promise((resolve) => {
            indexedDB.open("spadille", 1).onsuccess = ({ target: { result } }) => {
                const transaction = result.transaction("outbox", "readwrite");
                const old = { table: "long ago", status: "delivered", base: 0, result: null, tokens: [], text: "" };
                for (let order = 1; order <= 300; order += 1)
                    transaction.objectStore("outbox").put({ ...old, key: `old-${order}`, order, deal: order });
                transaction.oncomplete = resolve;
            };
        })"""
    )
    page.reload()
    expect(page.locator("#entry")).to_be_visible()
    reported(page, 2)
    until(page, f"async () => (await ({DELIVERED})()).length === 202")
    kept = page.evaluate(DELIVERED)
    assert [deal for deal, key in kept if not key.startswith("old-")] == [1, 2]
    assert [deal for deal, key in kept if key.startswith("old-")] == list(range(101, 301))
    answer_reports(page, lambda route: route.abort())
    close_round(bobs_table.round, account=alice, now=timezone.now(), force_reason="late")
    look_again(page)
    expect(page.locator("#notices")).to_contain_text("The round has been closed.")
    until(page, f"async () => (await ({DELIVERED})()).every(([, key]) => key.startsWith('old-'))")
