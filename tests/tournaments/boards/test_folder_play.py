"""The page on which a folder is played: what the referee refuses, what is shown at the end, and what stays sealed."""

from __future__ import annotations

import gzip
import os
import re
from html import unescape
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.cache import caches
from django.urls import reverse
from django.utils import timezone, translation

from scoring.bots import next_step
from scoring.game import Act, Step
from scoring.game.steps import STEP_PROBLEMS
from scoring.seats import Role
from tests.factories import first_round
from tests.languages import LANGUAGES
from tests.pages import words
from tournaments.boards.folder_game import deal_of_folder, play, review, write_moves
from tournaments.boards.folders import cards_of
from tournaments.domain.card_drawing import card_spoken
from tournaments.exports.site.addresses import Page
from tournaments.exports.site.pages import read
from tournaments.hall import folder_play
from tournaments.ledger.queries import rulebook_of
from tournaments.lifecycle.playing import reopen_round
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
FOLDERS = range(1, 17)


def address(tournament, folder=1, number=1):
    return reverse("hall_folder_play", args=[tournament.code, number, folder])


def get(client, tournament, folder=1, **given):
    return client.get(address(tournament, folder), given)


def said(answer):
    assert answer.status_code == 200
    return words(answer.content.decode())


def deal_in(tournament, folder):
    cards = cards_of(tournament.board_sets_dealt.get())
    return deal_of_folder(rulebook_of(tournament), cards[folder - 1])


def turns(tournament, folder, role):
    """Every turn of a role on a folder, all playing as bots; the last one is the end."""
    deal, moves = deal_in(tournament, folder), ()
    while True:
        game = play(deal, role, moves)
        yield game
        if game.is_over:
            return
        moves = (*game.moves, next_step(game.state, stops_for_others=False))


def turn_where(tournament, holds, roles=(Role.FH, Role.MH, Role.BH)):
    """The first turn on any folder of which this is true: the folder, and the game."""
    for folder in FOLDERS:
        for role in roles:
            for game in turns(tournament, folder, role):
                if holds(game):
                    return folder, game
    raise AssertionError("no folder has such a turn")


def given_by(game):
    """The game as the page's form sends it."""
    return {"seat": game.role.value.lower(), "m": write_moves(game.moves, game.state.rulebook)}


def must_follow(game):
    state = game.state
    return (
        not game.is_over
        and state.to_play is game.role
        and not state.turns
        and 0 < len(state.legal_cards()) < len(state.hands[game.role])
    )


def test_before_the_round_is_over_nobody_plays_its_folders(evening, client):
    for given in ({}, {"seat": "fh"}, {"seat": "mh", "m": "pass"}):
        answer = get(client, evening, **given)
        assert (answer.status_code, answer["Location"]) == (302, reverse("hall_boards", args=[evening.code]))


def test_a_round_that_is_opened_again_is_sealed_here_too(played, alice, client):
    _folder, game = turn_where(played, must_follow)
    assert get(client, played, **given_by(game)).status_code == 200
    reopen_round(first_round(played), reason="a slip was found", account=alice, now=timezone.now())
    for headers, status in (({}, 302), ({"HX-Request": "true"}, 410)):
        answer = client.get(address(played), given_by(game), headers=headers)
        assert answer.status_code == status
        assert not answer.content


def test_what_the_browser_keeps_of_it_is_nothing(played, client):
    assert "no-store" in get(client, played, seat="fh")["Cache-Control"]


def test_only_folders_of_the_round_are_there(played, client):
    assert get(client, played, folder=17).status_code == 404
    assert get(client, played, folder=0).status_code == 404
    assert client.get(address(played, number=2)).status_code == 404
    Tournament.objects.filter(pk=played.pk).update(boards=False)
    assert get(client, played).status_code == 404


def test_nothing_is_posted(played, client):
    assert client.post(address(played), {"seat": "fh"}).status_code == 405


def test_a_seat_is_chosen_first(played, client):
    for given in ({}, {"seat": "idle"}, {"seat": "xx"}, {"seat": "FH\0"}, {"seat": ""}):
        page = get(client, played, **given)
        assert "Take a seat." in said(page)
        assert re.findall(r'href="\?seat=(\w+)"', page.content.decode()) == ["fh", "mh", "bh"]
        assert b"hand-of" not in page.content


def test_the_page_has_no_card_that_the_person_has_not_seen(played, client):
    """Whatever the others hold, and the talon, is neither drawn, spoken nor sent."""
    for folder, role in ((1, Role.FH), (2, Role.MH), (3, Role.BH)):
        for game in turns(played, folder, role):
            if game.is_over:
                continue
            page = get(client, played, folder, **given_by(game)).content.decode()
            state = game.state
            view = state.view(role)
            seen = {*view.hand, *view.discarded, *view.open_hand, *view.face_up}
            seen |= {card for trick in view.played for _role, card in trick}
            hidden = [card for card in state.rulebook.pack.cards if card not in seen]
            assert hidden
            for card in hidden:
                assert not re.search(rf"\b{re.escape(card_spoken(card))}\b", page), card
                assert f'value="{card}"' not in page, card


def test_the_referee_says_why_a_card_is_refused(played, client):
    folder, game = turn_where(played, must_follow)
    state = game.state
    barred = next(card for card in state.hands[game.role] if card not in state.legal_cards())
    page = get(client, played, folder, **given_by(game), x=barred)
    assert re.search(r"The referee: .+ does not follow .+ union §(10\.2|2\.4)", said(page))
    sent = unescape(page.content.decode())
    assert f'name="m" value="{write_moves(game.moves, state.rulebook)}"' in sent
    assert f'name="x" value="{barred}"' in sent, "the card is still in the hand"


NO_CALL = STEP_PROBLEMS["call_unknown"].text


def refusal(page):
    return re.search(r"The referee: (.+?) union §", said(page))[1]


def test_the_referee_says_why_another_move_is_refused(played, client):
    assert refusal(get(client, played, seat="fh", x="SA")) == NO_CALL
    assert refusal(get(client, played, seat="fh", x="self")) == STEP_PROBLEMS["self_without_bid"].text
    assert "spaghetti" in refusal(get(client, played, seat="fh", x="bid-spaghetti"))
    assert refusal(get(client, played, seat="fh", x="stop")) == NO_CALL
    folder, game = turn_where(played, lambda game: not game.is_over and game.state.ask == "exchange")
    own = game.state.hands[game.role]
    other = next(card for card in game.state.rulebook.pack.cards if card not in own)
    given = given_by(game)
    assert STEP_PROBLEMS["cards_not_held"].text.partition("} ")[2] in refusal(
        get(client, played, folder, **given, x="exchange", c=other)
    )
    assert STEP_PROBLEMS["cards_not_held"].text.partition("} ")[2] in refusal(
        get(client, played, folder, **given, x="exchange", c=[own[0], own[0]])
    )
    assert refusal(get(client, played, folder, **given, x=own[0])) == STEP_PROBLEMS["step_not_now"].text


def test_too_few_cards_are_not_exchanged(played, client):
    def must_take_some(game):
        return not game.is_over and game.state.ask == "exchange" and game.state.limits()[0] > 0

    folder, game = turn_where(played, must_take_some)
    least, most = game.state.limits()
    page = get(client, played, folder, **given_by(game), x="exchange")
    assert refusal(page) == f"From {least} to {most} cards can be discarded here, not 0."


def test_the_exchange_is_made_with_the_cards_that_are_ticked(played, client):
    folder, game = turn_where(played, lambda game: not game.is_over and game.state.ask == "exchange")
    chosen = list(game.state.hands[game.role][:2])
    page = get(client, played, folder, **given_by(game), x="exchange", c=chosen).content.decode()
    assert f"exchange-{'-'.join(chosen)}" in page
    assert "The referee" not in page


@pytest.mark.parametrize(
    "text", ["SA" * 900, ".".join(["pass"] * 61), "\0", "<script>", "🂡", "..", "bid-", "exchange"]
)
def test_moves_that_cannot_be_read_begin_the_deal_anew_and_say_so(played, client, text):
    for given in ({"m": text}, {"x": text}):
        page = get(client, played, seat="fh", **given)
        assert "Your call." in said(page)
        sent = page.content.decode()
        assert "<script>alert" not in sent
        assert 'name="m" value=""' in sent
        if text not in ("bid-", "exchange"):
            assert "could not be read" in said(page)


def declares_and_ended(game):
    return game.is_over and game.opening is not None and game.state.declarer is game.role


def test_a_page_with_all_that_it_loads_is_less_than_eighty_kilobytes(played, client):
    """As they travel, with scripts that are not shortened; the largest page of a game."""
    pages = [get(client, played, 2, **given_by(game)).content for game in turns(played, 2, Role.MH)]
    files, waiting = {}, re.findall(r'/static/([^"]+\.(?:css|js|svg|woff2))"', pages[0].decode())
    while waiting:
        name = waiting.pop()
        if name not in files:
            files[name] = Path(finders.find(name)).read_bytes()
            if name.endswith(".js"):
                imported = re.findall(r'(?:from|import\()\s*"([.]{1,2}/[^"]+)"', files[name].decode())
                waiting += [os.path.normpath(f"{name}/../{other}") for other in imported]
    assert {"js/folder_play.js", "css/folder_play.css", "fonts/text.woff2"} <= set(files)
    sent = [body if name.endswith("woff2") else gzip.compress(body) for name, body in files.items()]
    assert sum(map(len, sent)) + max(len(gzip.compress(page)) for page in pages) < 80_000


def test_the_end_has_the_tables_results_and_leads_to_best_play(played, client):
    folder, game = turn_where(played, declares_and_ended)
    page = get(client, played, folder, **given_by(game))
    text, sent = said(page), page.content.decode()
    assert "At the tables" in text
    assert "Average of the tables in this seat" in text
    assert "Play it again" in text
    assert sent.count("/table/") == 4
    assert sent.count('class="tricks-of"') == 1
    later = unescape(re.search(r'data-later="([^"]+)"', sent)[1])
    assert f'<a href="{later}#best">' in unescape(sent)
    for headers in ({}, {"HX-Request": "true"}):
        best = client.get(later, headers=headers)
        assert "After this exchange, with all cards known and best play by everybody:" in said(best)
        assert 'class="tricks-of"' in best.content.decode()
        assert "data-later" not in best.content.decode()


def test_the_cards_that_changed_the_outcome_are_named(played, client):
    """Middlehand throws a trick away on some folder when playing the lowest card each time."""
    for folder in FOLDERS:
        deal, moves = deal_in(played, folder), ()
        game = play(deal, Role.MH, moves)
        while not game.is_over:
            state = game.state
            is_play = state.to_play is Role.MH and not state.turns
            step = (
                Step(Role.MH, Act.PLAY, min(state.legal_cards()))
                if is_play
                else next_step(state, stops_for_others=False)
            )
            game = play(deal, Role.MH, (*game.moves, step))
        if game.opening and review(game).slips:
            break
    text = said(get(client, played, folder, **given_by(game), best="1"))
    assert re.search(r"The turning point Trick \d: \S+ turned “\w+” into “\w+”; \S+ would not have\.", text)


def test_a_solver_that_is_busy_is_asked_again(played, client, monkeypatch):
    folder, game = turn_where(played, declares_and_ended)
    monkeypatch.setattr(folder_play, "PATIENCE", 0)
    assert folder_play.SOLVING.acquire(blocking=False)
    try:
        page = get(client, played, folder, **given_by(game), best="1")
    finally:
        folder_play.SOLVING.release()
    assert "Others are waiting for an analysis too." in said(page)
    assert "At the tables" in said(page)
    assert "all cards known" in said(get(client, played, folder, **given_by(game), best="1"))


def test_moves_after_the_end_change_nothing(played, client):
    folder, game = turn_where(played, lambda game: game.is_over)
    part = {"HX-Request": "true"}
    once, more = (
        client.get(address(played, folder), given_by(game) | further, headers=part).content
        for further in ({}, {"x": "SA"})
    )
    assert once == more


def test_a_part_is_fetched_alone(played, client):
    part = client.get(address(played), {"seat": "fh"}, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert 'data-said="' in part


def test_a_whole_hall_may_play_and_no_more(played, client, monkeypatch):
    monkeypatch.setattr(folder_play, "MOVES", 3)
    for cache in caches.all():
        cache.clear()
    answers = [get(client, played, seat="fh") for _move in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[-1]["Retry-After"] == "60"
    assert "There are too many moves from your network at the moment." in words(answers[-1].content.decode())


def test_best_play_is_counted_by_itself(played, client, monkeypatch):
    monkeypatch.setattr(folder_play, "REVIEWS", 1)
    for cache in caches.all():
        cache.clear()
    folder, game = turn_where(played, declares_and_ended)
    pages = [said(get(client, played, folder, **given_by(game), best="1")) for _time in range(2)]
    assert ["Others are waiting" in page for page in pages] == [False, True]


def test_the_published_site_shows_how_the_program_plays_it_and_says_what_is_left_out(played):
    answer = read(Page(address(played, 2)), "")
    assert answer is not None
    page = answer.body.decode()
    assert "Here the program plays all seats." in words(page)
    assert "At the tables" in words(page)
    assert "<form" not in page.partition('id="play"')[2].partition("</main>")[0]
    assert "?seat=" not in page


def test_the_published_site_has_nothing_of_a_sealed_round(evening):
    assert read(Page(address(evening)), "") is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_turn_is_told_in_every_language(played, client, language):
    with translation.override(language):
        for game in turns(played, 2, Role.MH):
            answer = client.get(address(played, 2), given_by(game), headers={"Accept-Language": language})
            assert answer.status_code == 200
            assert f'lang="{language}"' in answer.content.decode()


def linked(client, page, text):
    """The addresses of links with this text on a page."""
    return [
        unescape(at) for at in re.findall(rf'<a href="([^"]+)">{text}</a>', client.get(page).content.decode())
    ]


def test_a_players_evening_leads_to_the_folder_of_the_best_deal_in_that_seat(played, client):
    found = set()
    for number in range(1, 17):
        links = linked(client, reverse("hall_player", args=[played.code, number]), "Play it again")
        assert len(links) <= 1
        for link in links:
            page = client.get(link)
            assert page.status_code == 200
            found.add(link.partition("?")[2])
    assert {"seat=fh", "seat=mh", "seat=bh"} & found


def test_sheets_and_the_story_lead_to_folders_once_the_round_is_over(played, client, alice):
    sheet = reverse("hall_table", args=[played.code, 1, 1])
    folder = reverse("hall_folder", args=[played.code, 1, 3])
    assert folder in client.get(sheet).content.decode()
    story = linked(client, reverse("hall_story", args=[played.code]), "Play this folder")
    assert len(story) == 1
    assert "Take a seat." in said(client.get(story[0]))
    reopen_round(first_round(played), reason="a slip was found", account=alice, now=timezone.now())
    for page in (sheet, *(reverse(name, args=[played.code]) for name in ("hall_story", "hall_boards"))):
        assert "/folder/" not in client.get(page).content.decode()
    player = reverse("hall_player", args=[played.code, 1])
    assert "/folder/" not in client.get(player).content.decode()
