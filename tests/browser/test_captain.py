"""Bob reports his table's deals on a phone, as captains do."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.phone import badge, captain, forehand, go_to, tap, win_a_nolo
from tests.factories import report
from tournaments.domain.terms import signed
from tournaments.models import Flag, Report

pytestmark = pytest.mark.browser


# Four taps


def test_a_deal_with_a_trump_takes_four_taps_saving_included(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    tap(page, forehand(page), "Solo", "hearts", "won")
    expect(badge(page)).to_have_text("✓ 1 sent")
    stored = Report.objects.get()
    assert (stored.contract, stored.result["trump"], stored.outcome) == ("solo", "H", "won")


def test_a_nolo_takes_three_taps_and_is_heard(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    player = forehand(page)
    tap(page, player, "Pure nolo", "bête")
    expect(page.locator("#said")).to_have_text(
        f"Deal 1 kept on this phone. {player} was bête in pure nolo: {signed(-8)}"
    )
    expect(page.locator("#where")).to_have_text("Deal 2 of 4")
    expect(badge(page)).to_have_text("✓ 1 sent")


def test_what_it_pays_is_shown_before_it_is_saved(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    player = forehand(page)
    tap(page, player, "Solo", "spades")
    expect(page.locator("#result small")).to_have_text(["+6", "+8", signed(-6), signed(-8)])
    tap(page, "Pure nolo")
    expect(page.locator("#result small").first).to_have_text(f"+8 · {signed(-4)} each")
    tap(page, "Solo", "spades")
    tap(page, "won")
    expect(page.locator("#preview")).to_have_text(
        "A solo in spades: was it declared as a spade solo? That has another price."
    )
    assert not Report.objects.exists()
    page.locator("#save").tap()
    expect(badge(page)).to_have_text("✓ 1 sent")


def test_what_cannot_be_is_not_offered(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    sits_out = bobs_table.seats.get(position=2).entry.player.name
    expect(page.locator("#declarer")).not_to_contain_text(sits_out)
    tap(page, forehand(page), "Pure nolo")
    expect(page.locator("#trump button")).to_have_count(4)
    expect(page.locator("#trump [aria-disabled=true]")).to_have_count(4)
    page.locator("#trump button").first.tap(force=True)
    expect(page.locator("#trump [aria-pressed=true]")).to_have_count(0)
    expect(page.locator("#more")).to_be_hidden()


def test_all_passed_is_saved_by_its_tap(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    tap(page, "all passed")
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert Report.objects.get().result == {"all_passed": True}


def test_a_captain_who_wants_save_after_every_deal_gets_it(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    go_to(page, "menu")
    page.locator("#careful").tap()
    go_to(page, "")
    player = forehand(page)
    tap(page, player, "Solo", "hearts", "kruk")
    expect(page.locator("#preview")).to_contain_text(f"{player} {signed(-8)}")
    assert not Report.objects.exists()
    page.locator("#save").tap()
    expect(badge(page)).to_have_text("✓ 1 sent")


def test_save_without_a_choice_says_what_is_missing_at_its_place(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    page.locator("#save").tap()
    expect(page.locator("#declarer-problem")).to_have_text(
        "First choose who plays: one of the names at the top."
    )


def test_undo_takes_the_deal_back_and_keeps_what_was_tapped(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    tap(page, forehand(page), "Solo", "hearts", "won")
    expect(badge(page)).to_have_text("✓ 1 sent")
    page.locator("#undo").tap()
    expect(page.locator("#where")).to_have_text("Deal 1 of 4")
    expect(badge(page)).to_have_text("✓ 0 sent")
    expect(page.locator("#contract [aria-pressed=true]")).to_have_text("Solo")
    assert [stored.result is None for stored in Report.objects.order_by("sequence")] == [False, True]
    tap(page, "bête")
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert Report.objects.latest("sequence").outcome == "bete"


def test_what_was_tapped_survives_a_reload(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    tap(page, forehand(page), "Solo", "hearts")
    page.reload()
    expect(page.locator("#trump [aria-pressed=true]")).to_contain_text("hearts")


# Corrections


def test_a_deal_is_corrected_with_a_reason_and_the_old_version_stays(open_page, bobs_table) -> None:
    report(bobs_table, 1, {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"})
    page = captain(open_page, bobs_table)
    page.locator(".tab", has_text="Sheet").tap()
    page.locator("#sheet-lines a").first.tap()
    page.locator("#deal-correct").tap()
    tap(page, "bête")
    expect(page.locator("#preview")).to_contain_text(f"+6 → {signed(-6)}")
    page.locator("#save").tap()
    expect(page.locator("#reason-problem")).to_have_text("Say why, in a few words.")
    page.get_by_role("button", name="other …").tap()
    page.locator("#reason").fill("heard it wrong")
    page.locator("#save").tap()
    expect(page.locator("#sheet-lines tr").first).to_contain_text("bête")
    page.locator("#sheet-lines a").first.tap()
    expect(page.locator("#deal-now")).to_contain_text("heard it wrong")
    expect(page.locator("#deal-older del")).to_contain_text("won")


def test_a_deal_is_taken_back_with_a_reason(open_page, bobs_table) -> None:
    report(bobs_table, 1)
    page = captain(open_page, bobs_table)
    go_to(page, "deal-1")
    page.locator("#deal-back").tap()
    page.locator("#back-form button").tap()
    expect(page.locator("#back-problem")).to_have_text("Say why, in a few words.")
    page.locator("#back-reason").fill("it was dealt again")
    page.locator("#back-reason").press("Enter")
    expect(page.locator("#sheet-lines tr").first).to_contain_text("undone")
    expect(badge(page)).to_have_text("✓ 0 sent")


def test_a_skipped_deal_is_entered_from_the_sheet(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    page.locator("#mark-later").tap()
    expect(page.locator("#where")).to_have_text("Deal 2 of 4")
    expect(badge(page)).to_have_text("✓ 0 sent")
    assert [(flag.kind, flag.deal) for flag in Flag.objects.all()] == [("later", 1)]
    tap(page, "all passed")
    expect(page.locator("#where")).to_have_text("Deal 3 of 4")
    page.locator(".tab", has_text="Sheet").tap()
    page.locator("#sheet-lines a").first.tap()
    page.locator("#deal-correct").tap()
    expect(page.locator("#where")).to_have_text("Deal 1 of 4")
    tap(page, "all passed")
    expect(badge(page)).to_have_text("✓ 2 sent")
    assert set(Report.objects.values_list("deal_number", flat=True)) == {1, 2}


# The rest of an evening


def test_at_the_end_each_player_agrees_and_a_correction_asks_again(open_page, bobs_table) -> None:
    for deal in range(1, 4):
        report(bobs_table, deal)
    page = captain(open_page, bobs_table)
    win_a_nolo(page)
    expect(page.locator("#agree-ask h2")).to_have_text("Do you agree?")
    expect(page.locator("#agree-sum")).to_have_text("0")
    page.locator("#agree-seats button").first.tap()
    expect(page.locator("#agree-seats [aria-pressed=true]")).to_have_count(1)
    page.locator("#agree-all").tap()
    expect(page.locator("#agree-done")).to_contain_text("the sheet has gone to the desk")
    assert not bobs_table.seats.filter(agreed_at=None).exists()
    report(
        bobs_table,
        1,
        {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"},
        base=1,
        reason="the slip",
    )
    expect(page.locator("#agree-seats [aria-pressed=true]")).to_have_count(0)


def test_the_organiser_is_called_with_a_few_words(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    page.locator(".aside a").tap()
    page.locator("#call-words").fill("who deals?")
    page.locator("#call .words button").tap()
    expect(page.locator("#called-state")).to_have_text("The organiser has been called")
    assert Flag.objects.get().words == "who deals?"


def test_a_wrong_first_dealer_is_set_once_before_deal_1(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    go_to(page, "first")
    page.locator("#first-seats button").nth(1).tap()
    expect(page.locator("#dealer-line")).to_contain_text(
        f"Dealer {bobs_table.seats.get(position=1).entry.player.name.split()[0]} "
    )
    tap(page, "all passed")
    expect(badge(page)).to_have_text("✓ 1 sent")
    go_to(page, "menu")
    expect(page.locator("#first-link")).to_be_hidden()


def test_the_language_is_switched_in_place(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    go_to(page, "menu")
    page.locator("form.language button", has_text="Dansk").tap()
    expect(page.locator("html")).to_have_attribute("lang", "da")


def test_big_letters_and_a_dark_hall_are_remembered(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    go_to(page, "menu")
    page.locator("#big-type").tap()
    page.locator("#dark").tap()
    page.reload()
    expect(page.locator("html")).to_have_class("big-type dark")


def test_undoing_a_correction_brings_the_version_before_it_back(open_page, bobs_table) -> None:
    report(bobs_table, 1, {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"})
    page = captain(open_page, bobs_table)
    go_to(page, "correct-1")
    tap(page, "bête", "typed wrong", "Save")
    expect(badge(page)).to_have_text("✓ 1 sent")
    go_to(page, "")
    page.locator("#undo").tap()
    expect(page.locator("#where")).to_have_text("Correct deal 1")
    expect(badge(page)).to_have_text("✓ 1 sent")
    assert [stored.outcome for stored in Report.objects.order_by("sequence")] == ["won", "bete", "won"]


def test_two_taps_of_one_finger_are_one_report(open_page, bobs_table) -> None:
    page = captain(open_page, bobs_table)
    tap(page, forehand(page), "Pure nolo")
    page.evaluate(
        "() => { const won = document.querySelector('#result button'); for (const n of [1, 2]) won.click(); }"
    )
    expect(badge(page)).to_have_text("✓ 1 sent")
    expect(page.locator("#where")).to_have_text("Deal 2 of 4")
    assert Report.objects.count() == 1
