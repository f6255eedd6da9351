"""A folder played in the hall: by taps on a phone, by keys alone, and without scripts; what a voice is told."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from scoring.bots import next_step
from scoring.seats import Role
from tests.browser.test_axe import REACHING_OUT, RULES, SMALL_TARGETS, SMALLEST, WIDE
from tests.browser.windows import PHONE
from tests.evenings import close_round, play_folders
from tests.factories import first_round, make_tournament, tables_of
from tournaments.boards.folder_game import deal_of_folder, play, write_move, write_moves
from tournaments.boards.folders import cards_of
from tournaments.ledger.queries import rulebook_of
from tournaments.lifecycle.playing import reopen_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FOLDER = 1


@pytest.fixture
def played(club, alice):
    """Two tables have played four folders, always the same cards; the round is closed."""
    with patch("tournaments.models.ledger.secrets.token_hex", lambda count: "5eed" * (count // 2)):
        tournament = make_tournament(
            8, club=club, account=alice, boards=True, board_sets=2, deals_per_round=4, deals_at_three=3
        )
    for table in tables_of(tournament):
        play_folders(table)
    close_round(tournament, alice)
    return tournament


def address(tournament, game=None):
    path = reverse("hall_folder_play", args=[tournament.code, 1, FOLDER])
    if game is None:
        return path
    return f"{path}?seat={game.role.value.lower()}&m={write_moves(game.moves, game.state.rulebook)}"


def turns(tournament, role=Role.MH):
    """Every turn of the seat, all playing as bots; the last one is the end. Middlehand declares here."""
    cards = cards_of(tournament.board_sets_dealt.get())
    deal, moves = deal_of_folder(rulebook_of(tournament), cards[FOLDER - 1]), ()
    while True:
        game = play(deal, role, moves)
        yield game
        if game.is_over:
            return
        moves = (*game.moves, next_step(game.state, stops_for_others=False))


def moves_of(tournament):
    """The seat's moves, as its buttons send them."""
    *_before, last = turns(tournament)
    return [write_move(step, last.state.rulebook) for step in last.moves]


def make(page, move):
    """Tap what makes a move: a button, or the cards of an exchange and its button."""
    act, *cards = move.split("-")
    if act not in ("exchange", "lay_off"):
        page.locator(f'button[name="x"][value="{move}"]').tap()
        return
    for card in cards:
        page.locator(f'label:has(input[value="{card}"])').tap()
    page.locator(f'button[name="x"][value="{act}"]').tap()


def made(page, moves):
    """Wait until the page has so many moves; cards of an exchange come in the order of the hand."""
    sent = page.locator('input[name="m"]')
    expect(sent.or_(page.locator(".ended")).first).to_be_attached()
    if sent.count():
        expect(sent).to_have_value(re.compile(rf"^[^.]+([.][^.]+){{{len(moves) - 1}}}$"))


def test_bob_plays_a_folder_on_his_phone_by_taps(played, open_page):
    page = open_page(reverse("hall_folder", args=[played.code, 1, FOLDER]), phone=True)
    page.get_by_role("link", name="Play this folder").tap()
    page.get_by_role("link", name="Middlehand").tap()
    expect(page.locator("#question")).to_have_text("Your call.")
    page.evaluate("window.isTheSamePage = true")
    done = []
    for move in moves_of(played):
        make(page, move)
        done.append(move)
        if len(done) < len(moves_of(played)):
            made(page, done)
            in_sight = page.locator(".hand-of").bounding_box()
            assert in_sight["y"] + in_sight["height"] <= PHONE["height"], done
    expect(page.locator(".ended .own-tokens")).to_contain_text("for you")
    expect(page.locator(".tricks-of")).to_have_count(2)
    assert page.evaluate("window.isTheSamePage")
    assert page.evaluate("document.documentElement.scrollWidth") == WIDE


def test_back_and_double_taps_do_no_harm(played, open_page):
    *some, _end = turns(played)
    game = next(one for one in some if one.state.to_play and len(one.state.tricks) == 1)
    page = open_page(address(played, game), phone=True)
    card = page.locator("button.held:not(.barred)").first
    expect(card).to_be_visible()
    value = card.get_attribute("value")
    card.dblclick()
    before = write_moves(game.moves, game.state.rulebook)
    expect(page.locator('input[name="m"]')).to_have_value(f"{before}.{value}")
    page.go_back()
    expect(page.locator('input[name="m"]')).to_have_value(before)
    page.go_forward()
    expect(page.locator('input[name="m"]')).to_have_value(f"{before}.{value}")
    page.reload()
    expect(page.locator('input[name="m"]')).to_have_value(f"{before}.{value}")
    page.get_by_role("link", name="Take back").tap()
    expect(page.locator('input[name="m"]')).to_have_value(before)


def test_a_card_that_is_refused_stays_and_the_referee_says_why(played, open_page):
    for role in (Role.FH, Role.MH, Role.BH):
        for game in turns(played, role):
            state = game.state
            if (
                not game.is_over
                and state.to_play is role
                and len(state.legal_cards()) < len(state.hands[role])
            ):
                break
        else:
            continue
        break
    page = open_page(address(played, game), phone=True)
    barred = page.locator("button.held.barred").first
    expect(barred).to_contain_text("not allowed now")
    value = barred.get_attribute("value")
    barred.tap()
    expect(page.get_by_role("alert").filter(has_text="The referee:")).to_contain_text(
        re.compile("union §(10.2|2.4)")
    )
    expect(page.locator(f'button.held[value="{value}"]')).to_be_visible()
    assert page.locator(".hand-of").bounding_box()["y"] < PHONE["height"]


def test_charlie_plays_by_keys_alone_and_a_voice_tells_each_trick(played, open_page):
    page = open_page(address(played))
    page.locator(".seat-choice a").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#question")).to_have_text("Your call.")
    told, moves = [], moves_of(played)
    for number, move in enumerate(moves, start=1):
        act, *cards = move.split("-")
        for card in cards if act == "exchange" else ():
            reach(page, f'input[value="{card}"]', "ArrowRight")
            page.keyboard.press("Space")
        reach(page, f'button[name="x"][value="{act if act == "exchange" else move}"]', "Tab")
        page.keyboard.press("Enter")
        if number < len(moves):
            made(page, moves[:number])
        expect(page.locator("#play-said")).not_to_be_empty()
        told.append(page.locator("#play-said").inner_text())
    expect(page.locator(".ended")).to_be_visible()
    expect(page.locator("#play-said")).to_contain_text("The deal is over.")
    whole = " ".join([*told, page.locator("#play-said").inner_text()])
    for trick in range(1, 10):
        assert re.search(rf"Trick {trick} (is yours|goes to \w+)\.", whole), trick
    assert re.search(r"You: \w+ of (spades|hearts|diamonds|clubs)\.", whole)


def reach(page, wanted, key):
    """Press the key until what is wanted has the focus."""
    for _time in range(60):
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{wanted} is not reached by {key}")


def test_without_scripts_the_same_is_played_by_forms(played, chromium, live_server):
    context = chromium.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, java_script_enabled=False, locale="en-GB"
    )
    page = context.new_page()
    page.goto(live_server.url + address(played))
    page.get_by_role("link", name="Middlehand").tap()
    done = []
    for move in moves_of(played):
        make(page, move)
        done.append(move)
        if len(done) < len(moves_of(played)):
            made(page, done)
    expect(page.locator(".ended")).to_be_visible()
    page.get_by_role("link", name="Work out the best play").tap()
    expect(page.locator("#best .tricks-of")).to_be_visible()
    page.go_back()
    page.go_back()
    made(page, done[:-1])
    context.close()


def test_a_round_that_is_opened_again_ends_the_game(played, open_page, alice):
    *some, _end = turns(played)
    game = next(one for one in some if one.state.to_play)
    page = open_page(address(played, game), phone=True)
    expect(page.locator("button.held").first).to_be_visible()
    reopen_round(first_round(played), reason="a slip was found", account=alice, now=timezone.now())
    page.locator("button.held:not(.barred)").first.tap()
    expect(page.locator("main")).to_contain_text("sealed until the round is over")
    expect(page.locator(".kort")).to_have_count(0)


def test_a_lost_network_is_said_and_the_card_can_be_tapped_again(played, open_page):
    *some, _end = turns(played)
    game = next(one for one in some if one.state.to_play)
    page = open_page(address(played, game), phone=True)
    card = page.locator("button.held:not(.barred)").first
    expect(card).to_be_visible()
    page.context.set_offline(True)
    card.tap()
    expect(page.get_by_text("No answer. Check the connection and tap again.")).to_be_visible()
    page.context.set_offline(False)
    card.tap()
    expect(page.locator('input[name="m"]')).not_to_have_value(write_moves(game.moves, game.state.rulebook))


def test_every_state_is_for_everybody(played, open_looked_at, live_server):
    """WCAG 2.2 AA by axe-core, targets of 44 pixels, and letters of twice the size, by day and by night."""
    states = {"start": address(played)}
    for game in turns(played):
        state = game.state
        name = "end" if game.is_over else state.ask or ("play" if state.trick else state.phase)
        states.setdefault(str(name), address(played, game))
    page = open_looked_at(phone=True)
    wrong = []
    for name, path in states.items():
        page.goto(live_server.url + path)
        for room in ("light", "dark"):
            page.emulate_media(color_scheme=room)
            found = page.evaluate("options => axe.run(options).then(({ violations }) => violations)", RULES)
            wrong += [
                f"{name}, {room}: {one['id']}: {node['html'][:100]}" for one in found for node in one["nodes"]
            ]
        wrong += [f"{name}: {one}" for one in page.evaluate(SMALL_TARGETS, SMALLEST)]
        wrong += [f"{name}: {one}" for one in page.evaluate(REACHING_OUT, WIDE)]
    assert {"start", "auction", "exchange", "play", "end"} <= set(states)
    assert wrong == []
