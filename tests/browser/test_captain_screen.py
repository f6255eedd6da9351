"""What the phone offers: all of it what the engine says, on one screen."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import pytest

from tests.browser.phone import captain, go_to
from tests.factories import first_table, make_tournament, play_out, report
from tournaments.ledger.queries import names_at, rulebook_of
from tournaments.ledger.submissions import judge

pytestmark = pytest.mark.browser

ALL_OFFERS = Path(__file__).with_name("all_offers.js")
EVERYTHING = {
    "kaske": True,
    "mort": True,
    "mort_nolo": True,
    "grand": True,
    "joint_simple_nolo": True,
    "first_five_bonus": True,
    "repeat_exchange": True,
    "aces_bonus": 2,
}


# One screen


SCREENS = [
    ("union", {}, "Solo", 4, "da-DK"),
    ("union", {}, "Solo", 3, "en-GB"),
    ("rasle", {}, "Solo", 4, "da-DK"),
    ("rasle", EVERYTHING, "Grandissimo", 4, "en-GB"),
]
LONG_NAMES = [
    "Hans-Christian Frederiksen Damgaard-Thorvaldsen",
    "Margrethe Elisabeth Kristoffersen",
    "Bo",
    "x" * 200,
]


@pytest.mark.parametrize(("rulebook", "options", "contract", "players", "locale"), SCREENS)
def test_a_common_deal_fits_one_screen_with_large_targets(
    open_page, transactional_db, rulebook, options, contract, players, locale
) -> None:
    tournament = make_tournament(players=players, rulebook=rulebook, options=options)
    table = first_table(tournament)
    for seat, name in zip(table.seats.select_related("entry__player"), LONG_NAMES, strict=False):
        seat.entry.player.name = name
        seat.entry.player.save()
    page = open_page(f"/c/{table.secret}/", phone=True, locale=locale)
    page.locator("#declarer button").first.tap()
    page.get_by_role("button", name=contract, exact=True).tap()
    suit = page.locator("#trump button").nth(1)
    if suit.is_enabled():
        suit.tap()
    bar = page.locator("#bar").bounding_box()["y"]
    bottom = page.locator("#result").bounding_box()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.evaluate("window.scrollY") == 0
    assert bottom["y"] + bottom["height"] <= bar <= 640
    for group in ("declarer", "contract", "trump", "result"):
        for button in page.locator(f"#{group} button:visible").all():
            box = button.bounding_box()
            assert box["height"] >= 40
            assert box["width"] >= 60


# Words of which a part is not seen: cut off by their button or cell, or laid over its edge.
CUT_OFF = """() => [...document.querySelectorAll("#entry .group button *, .running .amount")]
    .filter((part) => part.getClientRects().length)
    .filter((part) => {
        const [box, around] = [part, part.closest("button, td, th")].map((one) => one.getBoundingClientRect());
        const aLineMore = part.scrollHeight > part.clientHeight + 8;
        const hides = aLineMore || part.scrollWidth > part.clientWidth + 1;
        return hides || box.bottom > around.bottom + 1 || box.right > around.right + 1;
    })
    .map((part) => part.textContent)"""


@pytest.mark.parametrize(
    ("rulebook", "locale", "look"),
    [
        ("union", "da-DK", "style = 'font-size: 200%'"),
        ("rasle", "en-GB", "style = 'font-size: 200%'"),
        ("union", "da-DK", "className = 'big-type'"),
    ],
)
def test_with_large_letters_no_word_is_cut_off(open_page, transactional_db, rulebook, locale, look) -> None:
    table = first_table(make_tournament(players=4, rulebook=rulebook, options={}))
    play_out(table)
    report(table, 1, None, base=1, reason="undone")
    page = open_page(f"/c/{table.secret}/#correct-2", phone=True, locale=locale)
    page.locator("#reasons").wait_for()
    page.evaluate(f"document.documentElement.{look}")
    assert page.evaluate(CUT_OFF) == []
    go_to(page, "sheet")
    page.locator("#sheet-foot td").first.wait_for()
    assert page.evaluate(CUT_OFF) == []


# No rule in the scripts


# Stored reports as a correction begins with them, reported again.
SHOWN_AGAIN = """async (stored) => {
    const { resultOf } = await import("/static/js/captain/offers.js");
    const { selectionOf } = await import("/static/js/captain/correcting.js");
    const { choices, seatings } = JSON.parse(document.querySelector("#state").textContent);
    const [{ roles }] = seatings;
    return stored.map(([result, outcome]) =>
        resultOf(choices, selectionOf(choices, { result, outcome, roles }), roles));
}"""


@pytest.mark.parametrize(
    ("rulebook", "options", "players"),
    [
        ("union", {}, 3),
        ("union", {"idle_settles": True}, 4),
        ("rasle", EVERYTHING, 3),
        ("rasle", EVERYTHING, 4),
    ],
)
def test_every_offer_of_the_phone_is_what_the_engine_makes_of_it_and_is_shown_again_as_it_was_tapped(
    open_page, transactional_db, rulebook, options, players
) -> None:
    table = first_table(make_tournament(players=players, rulebook=rulebook, options=options))
    rules, names = rulebook_of(table.round.tournament), names_at(table)
    page = open_page(f"/c/{table.secret}/", phone=True)
    offered = page.evaluate(ALL_OFFERS.read_text())
    assert len(offered) > 80
    stored = [judge(table, rules, names, 1, result, at_desk=False) for result, _tokens in offered]
    wrong = [
        (result, tokens, judged.tokens)
        for (result, tokens), judged in zip(offered, stored, strict=True)
        if list(judged.tokens) != tokens
    ]
    assert wrong == []
    again = page.evaluate(SHOWN_AGAIN, [[judged.result, judged.outcome] for judged in stored])
    assert [judge(table, rules, names, 1, result).result for result in again] == [
        judged.result for judged in stored
    ]


def test_keys_are_made_without_a_secure_context(open_page, transactional_db) -> None:
    page = captain(open_page, first_table(make_tournament(players=4)))
    key = page.evaluate("import('/static/js/captain/outbox.js').then(({ newKey }) => newKey())")
    assert UUID(key).version == 8
