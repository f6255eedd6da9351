"""Boards are sealed until the round is over: nobody gets a card, and what is changed meanwhile is found."""

from __future__ import annotations

import re
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from core.jobs.models import Job
from core.jobs.queue import run_now
from core.pdf.page import render_pages
from scoring.seats import Role
from tests.evenings import close_round, play_folders
from tests.every_address import addresses
from tests.factories import first_round, first_table, make_tournament, report, tables_of
from tests.pages import printed, words, words_at
from tournaments.boards import analysis
from tournaments.boards.analysis import Doubt, Makes
from tournaments.boards.dealing import fingerprint
from tournaments.boards.folders import cards_of, is_sealed, play_other_folder, redeal
from tournaments.boards.results import lines_of
from tournaments.desk.evening.readiness import before_start
from tournaments.exports.site.addresses import SERVERS, Page, view_of
from tournaments.exports.site.pages import read
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import reopen_round, start_round
from tournaments.models import BoardSet, Season, Table, Tournament
from tournaments.paper.kinds import KINDS, Order
from tournaments.seasons.deals import choose_deals

pytestmark = pytest.mark.django_db
DEALS = 16
SEEDS = "5eed" * 8, "07e4" * 8
# Tokens against forged requests, keys of forms, and a live page's sum of what it shows, the fingerprint among it.
BY_LOT = re.compile(
    rb'(?<=data-sum=")\w+|(?<="x-csrftoken": ")\w+'
    rb'|(?<=csrfmiddlewaretoken" value=")\w+|(?<=name="key" value=")[0-9a-f-]{36}'
)


def test_nothing_of_the_cards_is_printed_before_but_the_folders(evening, as_alice):
    assert [printed(as_alice, evening, kind) for kind in ("hands", "comparison")] == [None, None]


def public_addresses(tournament):
    code = tournament.code
    table = first_table(tournament)
    return [
        *(reverse(name, args=[code]) for name in ("hall", "standings", "seats", "hall_tables", "projector")),
        *(
            reverse(name, args=[code])
            for name in ("hall_boards", "hall_duplicate", "hall_rules", "hall_version")
        ),
        *(reverse(name, args=[code, 1]) for name in ("hall_boards_round", "hall_comparison", "hall_player")),
        *(reverse("hall_folder", args=[code, 1, folder]) for folder in (1, 2, DEALS)),
        *(
            reverse("hall_folder_play", args=[code, 1, 1]) + given
            for given in ("", "?seat=fh", "?seat=mh&m=pass", "?seat=fh&best=1")
        ),
        *(reverse("hall_table", args=[code, 1, table.number]) for table in tables_of(tournament)),
        reverse("captain", args=[table.secret]),
        reverse("captain_state", args=[table.secret]),
        reverse("captain_slip", args=[table.secret]),
        reverse("captain_folder", args=[table.secret, 1]),
        *(
            reverse(name, args=[code])
            for name in ("desk_boards", "desk_print", "desk_tournament", "desk_log")
        ),
        reverse("desk_boards_folders", args=[code, 1]),
    ]


@pytest.mark.slow
def test_nobody_gets_a_card_or_a_result_of_the_boards_before_the_round_is_over(evening, client, as_charlie):
    for table in tables_of(evening)[1:]:
        play_folders(table)
    board_set = evening.board_sets_dealt.get()
    hands = [hand for folder in cards_of(board_set) for hand in (*folder.hands, folder.talon)]
    for visitor in (client, as_charlie):
        for address in public_addresses(evening):
            for method in (visitor.get, visitor.post):
                said = method(address, follow=True).content.decode(errors="replace")
                assert board_set.seed not in said, address
                assert "datum" not in said, address
                for hand in hands:
                    assert not all(f"{card}" in said for card in hand), address
    other = tables_of(evening)[2]
    sheet = words_at(client, reverse("hall_table", args=[evening.code, 1, other.number]))
    assert "shown when the round is over" in sheet
    assert "Contract" not in sheet
    assert fingerprint(board_set.seed) in words_at(client, reverse("hall_boards", args=[evening.code]))


def comparable(body):
    """An answer without what is published of the cards, and without what is drawn by lot for each answer."""
    if body.startswith(b"PK"):  # a spreadsheet, without when it was written
        with ZipFile(BytesIO(body)) as file:
            parts = [file.read(name) for name in file.namelist() if name != "docProps/core.xml"]
            body = b"".join(parts)
    for seed in SEEDS:  # the log has what was published, whatever the cards are now
        body = body.replace(fingerprint(seed).encode(), b"fingerprint")
    return BY_LOT.sub(b"", body)


def answers_with_cards_of(seed, tournament, account, *, seal_again=None):
    """What every address answers with these cards to a stranger, and of the tournament to its organiser.

    With the tournament's pages of the published site, and its sheets; where `seal_again` is given, after it.
    """
    cache.clear()
    answers = {}
    with transaction.atomic():
        BoardSet.objects.filter(tournament=tournament).update(seed=seed)
        if seal_again is not None:
            seal_again(tournament, account)
        ids = {
            "code": tournament.code,
            "slug": tournament.host.slug,
            "secret": first_table(tournament).secret,
        }
        organiser = Client()
        organiser.force_login(account)
        asked = [("stranger", Client(), name, address) for name, address in addresses()]
        asked += [("organiser", organiser, name, at) for name, at in addresses() if "{code}" in at]
        # Files of every kind, beside the CSV that an address is filled in with.
        asked += [
            (who, browser, f"{name}.{kind}", f"{at.removesuffix('csv')}{kind}")
            for who, browser, name, at in asked
            for kind in ("json", "xlsx")
            if at.endswith(".csv")
        ]
        for who, browser, name, address in asked:
            answer = browser.get(address.format(**ids))
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            answers[who, name] = answer.status_code, answer.get("Location"), comparable(body)
        answers |= {("site", name): page for name, page in published(ids)}
        answers |= {("paper", code): pages for code, pages in printed_sheets(tournament)}
        transaction.set_rollback(True)
    return answers


def published(ids):
    """The pages of the tournament on the published site, as far as it has them."""
    for name, address in addresses():
        view = view_of(address.format(**ids))
        if "{code}" in address and view is not None and view.is_hall and view.name not in SERVERS:
            answer = read(Page(address.format(**ids)), "")
            yield name, comparable(answer.body) if answer is not None else b""


def printed_sheets(tournament):
    """Every sheet that the organiser can print of the round, as HTML."""
    order = Order(first_round(tournament), "http://spadille.test", timezone.now())
    for code, kind in KINDS.items():
        if kind.suits(tournament):
            pages = list(enumerate(kind.pages(order), start=1))
            yield code, comparable(" ".join(render_pages(pages, len(pages))).encode())


@pytest.mark.slow
@pytest.mark.time_machine("2026-11-21 19:00+01:00", tick=False)
def test_every_address_answers_the_same_whatever_the_cards_are_before_the_round_is_over(
    evening, alice, undrawn
):
    play_folders(first_table(evening))
    one, other = (answers_with_cards_of(seed, evening, alice) for seed in SEEDS)
    assert [at for at in one if one[at] != other[at]] == []
    assert {who for who, _name in one} == {"stranger", "organiser", "site", "paper"}
    assert one["stranger", "hall_folder"][0] == 302


def makeable_with(_rulebook, folder):
    """Stands for the solver: what can be made is different with other cards."""
    made = sum(card[0] == "H" for card in folder.hand(Role.FH))
    return [Makes("FH", "spade_solo", "", 21 + made, 30, exact=False)]


def doubts_with(round_, _rulebook, folder):
    """A doubt about the first line of each folder in which forehand has Spadille."""
    lines = lines_of([round_], folder=folder.number)
    return [Doubt(lines[0], 0, 1, 12)] if "SA" in folder.hand(Role.FH) else []


def close_and_reopen(tournament, account):
    """Close the round, analyse its folders, choose the season's deals, look at all of it, and open the round again."""
    close_round(tournament, account)
    run_now(Job.objects.get(kind="folders"))
    assert choose_deals(tournament.season) > 0
    tournament.season.deals.update(comment="Lead the singleton.")
    browser, round_ = Client(), first_round(tournament)
    for address in (
        reverse("hall_folder", args=[tournament.code, 1, 1]),
        reverse("hall_season_deals", args=[tournament.season_id]),
        f"/api/v1/tournaments/{tournament.code}/boards/1/folders/1",
        f"/api/v1/seasons/{tournament.season_id}/deals",
    ):
        assert browser.get(address).status_code == 200
    reopen_round(round_, reason="a slip was found", account=account, now=timezone.now())


@pytest.mark.slow
@pytest.mark.time_machine("2026-11-21 19:00+01:00", tick=False)
def test_every_address_answers_the_same_whatever_the_cards_are_of_a_round_that_is_opened_again(
    club, evening, alice, undrawn, monkeypatch
):
    monkeypatch.setattr(analysis, "analyse", makeable_with)
    monkeypatch.setattr(analysis, "find_doubts_in", doubts_with)
    season = Season.objects.create(pk=1, host=club, name="Winter", starts="2026-09-01", ends="2027-05-01")
    Tournament.objects.filter(pk=evening.pk).update(season=season)
    evening.refresh_from_db()
    for table in tables_of(evening):
        play_folders(table)
    one, other = (answers_with_cards_of(seed, evening, alice, seal_again=close_and_reopen) for seed in SEEDS)
    assert [at for at in one if one[at] != other[at]] == []
    assert one["stranger", "hall_folder"][0] == 302
    assert one["stranger", "hall_season_deals"][0] == 404


def test_a_round_that_is_opened_again_is_sealed_again(played, alice, client):
    reopen_round(first_round(played), reason="a slip was found", account=alice, now=timezone.now())
    assert is_sealed(first_round(played))
    assert played.board_sets_dealt.get().seed not in words_at(
        client, reverse("hall_boards", args=[played.code])
    )


def test_the_organiser_prints_folders_only_by_asking_and_that_is_written_down(evening, as_alice, client):
    address = reverse("desk_boards_folders", args=[evening.code, 1])
    assert as_alice.get(address).status_code == 302
    assert not evening.log.filter(text__contains="Printed the folders").exists()
    response = as_alice.post(address)
    assert response["Content-Type"] == "application/pdf"
    assert evening.log.filter(text__contains="Printed the folders").count() == 1


def test_the_desk_says_where_tables_begin_and_where_their_folders_go(evening, as_alice):
    said = words_at(as_alice, reverse("desk_boards", args=[evening.code]))
    assert "A set has 16 folders." in said
    assert fingerprint(evening.board_sets_dealt.get().seed) in said
    assert "Table 1: set 1, folders 1 to 4 first; played folders go to table 4" in said
    assert "Table 2: set 1, folders 5 to 8 first; played folders go to table 1" in said
    assert "folder 1" in words_at(as_alice, reverse("desk_slip", args=[evening.code, 1, 1]))
    assert "Folder 5" in words_at(as_alice, reverse("desk_deal", args=[evening.code, 1, 2, 1]))
    report(first_table(evening), 3)
    assert "folder 3" in words_at(as_alice, reverse("desk_round", args=[evening.code, 1]))


def test_a_folder_taken_by_mistake_does_not_change_where_the_table_begins(evening, as_alice):
    table = tables_of(evening)[1]
    play_other_folder(table, 1, 6, reason="taken by mistake", account=None, now=timezone.now())
    said = words_at(as_alice, reverse("desk_boards", args=[evening.code]))
    assert "Table 2: set 1, folders 5 to 8 first" in said


def test_the_desk_deals_anew_with_a_reason(club, alice, as_alice):
    tournament = make_tournament(8, club=club, account=alice, boards=True, drawn=False)
    address = reverse("desk_boards_anew", args=[tournament.code, 1])
    assert "Say why" in words(as_alice.post(address, {"reason": ""}).content.decode())
    assert as_alice.post(address, {"reason": "a folder fell open"}).status_code == 302
    assert tournament.log.filter(text__contains="Dealt the boards").count() == 1
    assert as_alice.post(reverse("desk_boards_anew", args=[tournament.code, 9])).status_code == 404


@pytest.mark.slow
def test_before_the_start_the_desk_says_that_the_folders_are_not_printed_as_they_are_now(
    club, alice, as_alice
):
    tournament = make_tournament(8, club=club, account=alice, boards=True, started=False)
    not_printed = "The folders of this round have not been printed; print them under “Boards”."
    assert not_printed in before_start(first_round(tournament))
    as_alice.post(reverse("desk_boards_folders", args=[tournament.code, 1]))
    assert not_printed not in before_start(first_round(tournament))
    redeal(tournament, 1, reason="somebody looked", account=alice, now=timezone.now())
    assert not_printed in before_start(first_round(tournament))
    assert (
        reverse("desk_boards", args=[tournament.code])
        in as_alice.get(reverse("desk_print", args=[tournament.code])).content.decode()
    )


def test_cards_seen_by_somebody_are_dealt_anew_before_the_start_and_not_after(club, alice):
    tournament = make_tournament(8, club=club, account=alice, boards=True, started=False)
    before = tournament.board_sets_dealt.get()
    now = timezone.now()
    after = redeal(tournament, 1, reason="a folder fell open", account=alice, now=now)
    assert after.seed != before.seed
    prints = [line.params.get("fingerprint") for line in tournament.log.filter(text__contains="fingerprint")]
    assert prints == [fingerprint(after.seed), fingerprint(before.seed)]
    start_round(first_round(tournament), account=alice, now=now)
    with pytest.raises(NotPossible, match="has started"):
        redeal(tournament, 1, reason="again", account=alice, now=now)


def test_a_new_draw_keeps_the_folders_that_are_made_ready(club, alice):
    tournament = make_tournament(8, club=club, account=alice, boards=True, started=False)
    seed = tournament.board_sets_dealt.get().seed
    draw(tournament, seed=8, account=alice, now=timezone.now())
    assert BoardSet.objects.get(tournament=tournament).seed == seed


def test_a_seed_or_a_folder_changed_behind_the_programs_back_is_found(evening):
    assert list(differences(evening)) == []
    BoardSet.objects.filter(tournament=evening).update(seed="a nicer one")
    table = first_table(evening)
    play_other_folder(table, 1, 2, reason="mixed up", account=None, now=timezone.now())
    Table.objects.filter(pk=table.pk).update(folders=list(range(1, DEALS)))
    told = [str(found).partition(" ")[2] for found in differences(evening)]
    assert [re.sub(r" \(step [0-9]+\)$", "", text) for text in told] == [
        "round 1 table 1: 15 folders for 16 deals",
        "round 1 table 1: deal 1 is with folder 1, it was last said to be with 2",
        "round 1 table 1: deal 2 is with folder 2, it was last said to be with 1",
        "boards of round 1: its seed is not what was written down",
        f"round 1 table 1: folders is {list(range(1, DEALS))}, decided was {[2, 1, *range(3, DEALS + 1)]}",
        "round 1: the boards' seed does not match its published fingerprint",
    ]
