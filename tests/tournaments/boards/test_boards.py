"""An evening on duplicate boards: the same cards at every table, sealed until the round is over, then compared."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from io import BytesIO
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone, translation
from pypdf import PdfReader

from clubs.table_file import number_of
from tests.factories import first_round, first_table, make_tournament, report
from tournaments import rounds
from tournaments.boards import deal_folder, fingerprint, sequences
from tournaments.boards.cards_said import FolderTold
from tournaments.boards.folders import cards_of, deal_anew, is_sealed, play_other_folder
from tournaments.boards.ranking import ranking_of_players
from tournaments.boards.results import lines_of
from tournaments.boards.said import in_tenths
from tournaments.demo.rehearsal import results_on_boards
from tournaments.desk.evening.readiness import before_start
from tournaments.files.recount import differences
from tournaments.ledger import Author, Submission, record, set_first_dealer
from tournaments.ledger.tables import rulebook_of
from tournaments.models import BoardSet, Table
from tournaments.paper.boards import on_paper
from tournaments.steps.refusals import NotPossible
from tournaments.words.terms import card_words

pytestmark = pytest.mark.django_db
DEALS = 16


@pytest.fixture
def evening(club, alice, monkeypatch):
    """Four tables that share one set of sixteen folders; the round is being played, always with the same cards."""
    monkeypatch.setattr("tournaments.models.boards.secrets.token_hex", lambda count: "5eed" * (count // 2))
    return make_tournament(
        16, club=club, account=alice, boards=True, board_sets=1, deals_per_round=DEALS, deals_at_three=12
    )


def tables_of(tournament):
    return list(Table.objects.filter(round__tournament=tournament).select_related("round__tournament"))


def play(table, cards=None):
    """Bots play the table's folders in their order, and the captain reports."""
    tournament = table.round.tournament
    cards = cards or cards_of(tournament.board_sets_dealt.get(round_number=table.round.number))
    order = [(cards[folder - 1].hands, cards[folder - 1].talon) for folder in table.folders]
    results = results_on_boards(rulebook_of(tournament), table.seats.count(), order, seed=table.number)
    submissions = [Submission(uuid4(), deal, 0, result) for deal, result in enumerate(results, start=1)]
    answers = record(table, submissions, Author("captain"), now=timezone.now())
    assert {answer.status for answer in answers} == {"accepted"}


def close(tournament, account):
    rounds.close_round(
        first_round(tournament), account=account, now=timezone.now(), force_reason="nobody had to agree"
    )


@pytest.fixture
def played(evening, alice):
    for table in tables_of(evening):
        play(table)
    close(evening, alice)
    evening.refresh_from_db()
    return evening


def text_of(client, address):
    html = client.get(address).content.decode()
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


# The evening, from the draw to the ranking


def test_four_tables_play_the_same_folders_each_in_the_order_of_the_movement(evening):
    orders = [table.folders for table in tables_of(evening)]
    assert orders == [list(order) for order in sequences([DEALS] * 4, 1, 4)]
    assert [order[0] for order in orders] == [1, 5, 9, 13]


def by_hand(tournament, folder):
    """{(table, places after the dealer): (player, tokens less the mean of the other tables)}, from the ledger alone."""
    got, sat = {}, {}
    for table in tables_of(tournament):
        deal = table.folders.index(folder) + 1
        tokens = table.dealt.get(number=deal).current.tokens
        players = list(table.seats.values_list("entry__number", flat=True))
        for after_dealer in range(4):
            position = (deal - 1 + after_dealer) % 4
            got[table.number, after_dealer] = tokens[position]
            sat[table.number, after_dealer] = players[position]
    difference = {}
    for (table, seat), tokens in got.items():
        others = [more for (other, same), more in got.items() if same == seat and other != table]
        difference[table, seat] = sat[table, seat], Fraction(3 * tokens - sum(others), 3)
    return difference


def test_the_comparison_is_what_comes_out_by_hand(played):
    lines = lines_of(list(played.rounds.all()))
    places = {"BH": 0, "FH": 1, "IDLE": 2, "MH": 3}
    told = {}
    for line in lines:
        for place in line.places:
            part = place.entry.number, place.compared.difference
            told.setdefault(line.folder, {})[line.table, places[place.role]] = part
    assert sorted(told) == list(range(1, DEALS + 1))
    for folder in (3, 14):
        assert told[folder] == by_hand(played, folder)
    # Bots have whims: the tables did not play all cards alike.
    assert any(difference for parts in told.values() for _player, difference in parts.values())


def test_the_ranking_adds_the_differences_up(played):
    expected = {}
    for folder in range(1, DEALS + 1):
        for player, difference in by_hand(played, folder).values():
            expected[player] = expected.get(player, 0) + difference
    ranked = ranking_of_players(played, list(played.rounds.all()))
    assert {row.number: row.score.difference for row in ranked} == expected
    assert [row.score.difference for row in ranked] == sorted(expected.values(), reverse=True)
    assert {row.score.deals for row in ranked} == {DEALS}
    assert sum(expected.values()) == 0


def test_after_the_round_the_hall_shows_seed_cards_comparison_and_ranking(played, client):
    board_set = played.board_sets_dealt.get()
    home = reverse("hall_boards", args=[played.code])
    said = text_of(client, home)
    assert fingerprint(board_set.seed) in said
    assert board_set.seed in said
    best = ranking_of_players(played, list(played.rounds.all()))[0]
    assert f"{best.rank} {best.name}" in said
    own = text_of(client, reverse("hall_player", args=[played.code, best.number]))
    assert f"On the same cards {in_tenths(best.score.difference)} place 1" in own
    folder = text_of(client, reverse("hall_folder", args=[played.code, 1, 3]))
    assert all(table.round.number == 1 and str(table.number) in folder for table in tables_of(played))
    talon = deal_folder(board_set.seed, 3).talon
    signs = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
    assert " ".join(f"{place} {signs[card[0]]}{card[1]}" for place, card in enumerate(talon, 1)) in folder
    assert text_of(client, reverse("hall_boards_round", args=[played.code, 1])).count("Talon") == DEALS


@pytest.mark.slow
def test_the_comparison_as_a_table_has_a_row_for_every_player_and_deal(played, client):
    response = client.get(reverse("hall_comparison", args=[played.code, 1]))
    rows = response.content.decode("utf-8-sig").splitlines()
    assert len(rows) == 1 + 4 * 4 * DEALS
    assert rows[0].startswith("Round,Folder,Table,Deal,Seat,No.,Name,Declarer,Contract")
    ranking = (
        client.get(reverse("hall_duplicate", args=[played.code])).content.decode("utf-8-sig").splitlines()
    )
    best = ranking_of_players(played, list(played.rounds.all()))[0]
    assert ranking[1].startswith(f"1,{best.name},{best.number},{DEALS},{number_of(best.score.difference)},")
    assert len(ranking) == 1 + 16


def printed(browser, tournament, kind):
    """The text of a sheet that the desk asks for; None where it is not made."""
    ask = browser.post(reverse("desk_print_ask", args=[tournament.code, 1, kind]), {"at_once": "1"})
    if not ask["Location"].split("/")[-2].isdigit():
        return None
    file = browser.get(f"{ask['Location']}file")
    pages = PdfReader(BytesIO(b"".join(file.streaming_content))).pages
    return " ".join(" ".join(page.extract_text().split()) for page in pages)


@pytest.mark.slow
def test_hand_records_and_comparison_are_printed_when_the_round_is_over(played, as_alice):
    seed = played.board_sets_dealt.get().seed
    records = printed(as_alice, played, "hands")
    assert seed in records
    assert records.count("Talon") == DEALS
    comparison = printed(as_alice, played, "comparison")
    assert [
        name
        for entry in played.entries.all()
        if (name := entry.shown_name) and comparison.count(name) <= DEALS
    ] == []
    assert "▸ " in comparison
    best = ranking_of_players(played, list(played.rounds.all()))[0]
    assert not best.shared
    assert f"1 {best.name} {in_tenths(best.score.difference)} {DEALS}" in comparison


@pytest.mark.parametrize("language", ["da", "en"])
def test_no_card_of_the_talon_is_cut_on_paper(language):
    with translation.override(language):
        pack = [card_words(suit + rank) for suit in "SHDC" for rank in "AKQJ765432"]
        for start in range(0, len(pack), 13):
            talon = list(enumerate(pack[start : start + 13], start=1))
            printed = on_paper(FolderTold(1, "A", "C", [], talon))["talon"]
            assert "…" not in printed
            assert len(re.findall(r"\d+\s+[♠♡♢♣]\w", printed)) == len(talon)


# Sealed


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
        play(table)
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
    sheet = text_of(client, reverse("hall_table", args=[evening.code, 1, other.number]))
    assert "shown when the round is over" in sheet
    assert "Contract" not in sheet
    assert fingerprint(board_set.seed) in text_of(client, reverse("hall_boards", args=[evening.code]))


def test_a_round_that_is_opened_again_is_sealed_again(played, alice, client):
    rounds.reopen_round(first_round(played), reason="a slip was found", account=alice, now=timezone.now())
    assert is_sealed(first_round(played))
    assert played.board_sets_dealt.get().seed not in text_of(
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
    said = text_of(as_alice, reverse("desk_boards", args=[evening.code]))
    assert "A set has 16 folders." in said
    assert fingerprint(evening.board_sets_dealt.get().seed) in said
    assert "Table 1: set 1, folders 1 to 4 first; what is played goes to table 4" in said
    assert "Table 2: set 1, folders 5 to 8 first; what is played goes to table 1" in said
    assert "folder 1" in text_of(as_alice, reverse("desk_slip", args=[evening.code, 1, 1]))
    assert "Folder 5" in text_of(as_alice, reverse("desk_deal", args=[evening.code, 1, 2, 1]))
    report(first_table(evening), 3)
    assert "folder 3" in text_of(as_alice, reverse("desk_round", args=[evening.code, 1]))


def test_a_folder_taken_by_mistake_does_not_change_where_the_table_begins(evening, as_alice):
    table = tables_of(evening)[1]
    play_other_folder(table, 1, 6, reason="taken by mistake", account=None, now=timezone.now())
    said = text_of(as_alice, reverse("desk_boards", args=[evening.code]))
    assert "Table 2: set 1, folders 5 to 8 first" in said


def test_the_desk_deals_anew_with_a_reason(club, alice, as_alice):
    tournament = make_tournament(8, club=club, account=alice, boards=True, drawn=False)
    address = reverse("desk_boards_anew", args=[tournament.code, 1])
    assert "Say why" in text_of_post(as_alice, address, {"reason": ""})
    assert as_alice.post(address, {"reason": "a folder fell open"}).status_code == 302
    assert tournament.log.filter(text__contains="dealt anew").count() == 1
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
    deal_anew(tournament, 1, reason="somebody looked", account=alice, now=timezone.now())
    assert not_printed in before_start(first_round(tournament))
    assert (
        reverse("desk_boards", args=[tournament.code])
        in as_alice.get(reverse("desk_print", args=[tournament.code])).content.decode()
    )


def test_cards_seen_by_somebody_are_dealt_anew_before_the_start_and_not_after(club, alice):
    tournament = make_tournament(8, club=club, account=alice, boards=True, started=False)
    before = tournament.board_sets_dealt.get()
    now = timezone.now()
    after = deal_anew(tournament, 1, reason="a folder fell open", account=alice, now=now)
    assert after.seed != before.seed
    prints = [line.params.get("fingerprint") for line in tournament.log.filter(text__contains="fingerprint")]
    assert prints == [fingerprint(after.seed), fingerprint(before.seed)]
    rounds.start_round(first_round(tournament), account=alice, now=now)
    with pytest.raises(NotPossible, match="has started"):
        deal_anew(tournament, 1, reason="again", account=alice, now=now)


def test_a_new_draw_keeps_the_folders_that_are_made_ready(club, alice):
    tournament = make_tournament(8, club=club, account=alice, boards=True, started=False)
    seed = tournament.board_sets_dealt.get().seed
    rounds.draw(tournament, seed=8, account=alice, now=timezone.now())
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
        "round 1: the boards' seed has not the fingerprint published",
    ]


# Another folder


def test_a_captain_says_that_another_folder_was_played_and_the_two_change_places(evening, client):
    table = first_table(evening)
    address = reverse("captain_folder", args=[table.secret, 2])
    assert "Say why" in text_of_post(client, address, {"folder": 3, "reason": ""})
    assert "numbered 1 to 16" in text_of_post(client, address, {"folder": 17, "reason": "mixed up"})
    assert client.post(address, {"folder": 3, "reason": "mixed up"}).status_code == 302
    table.refresh_from_db()
    assert table.folders[:4] == [1, 3, 2, 4]
    assert list(table.folder_changes.values_list("deal_number", "was", "now", "reason", "source")) == [
        (2, 2, 3, "mixed up", "captain"),
        (3, 3, 2, "mixed up", "captain"),
    ]
    told = client.get(reverse("captain_state", args=[table.secret])).json()
    assert told["table"]["folders"][:4] == [1, 3, 2, 4]


def text_of_post(client, address, data):
    html = client.post(address, data).content.decode()
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def test_the_desk_says_it_too_and_the_table_page_shows_it(evening, as_alice):
    table = first_table(evening)
    address = reverse("desk_folder", args=[evening.code, 1, 1, 5])
    assert as_alice.post(address, {"folder": 9, "reason": "mixed up"}).status_code == 302
    assert "folder 9 in place of 5: mixed up" in text_of(as_alice, address)
    table.refresh_from_db()
    assert (table.folder_of(5), table.folder_of(9)) == (9, 5)


def test_a_result_is_compared_by_the_folder_that_was_really_played(evening, alice):
    first, second, third, _fourth = tables_of(evening)
    for table, passed in ((first, False), (second, True), (third, True)):
        deal = table.folders.index(7) + 1
        game = {"contract": "solo", "declarer": deal % 4, "trump": "H", "outcome": "won"}
        report(table, deal, {"all_passed": True} if passed else game)
    play_other_folder(
        third, third.folders.index(7) + 1, 8, reason="mixed up", account=alice, now=timezone.now()
    )
    lines = [line for line in lines_of([first_round(evening)]) if line.folder == 7]
    assert [line.table for line in lines] == [1, 2]
    assert [line.places[0].compared.others for line in lines] == [1, 1]


@pytest.mark.parametrize(("idle_settles", "compared"), [(False, 3), (True, 0)])
def test_three_and_four_are_compared_unless_the_fourth_player_settles(club, alice, idle_settles, compared):
    """Forehand, middlehand and dealer at either table; the fourth player of one has nobody beside."""
    tournament = make_tournament(
        7, club=club, account=alice, boards=True, options={"idle_settles": idle_settles}
    )
    for table in tables_of(tournament):
        report(table, 1, {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"})
    lines = lines_of([first_round(tournament)])
    assert sorted(len(line.places) for line in lines) == [3, 4]
    found = [place.role.value for line in lines for place in line.places if place.compared]
    assert sorted(found) == sorted(["FH", "MH", "BH"] * 2)[: 2 * compared]


def test_what_was_ruled_by_hand_is_not_compared(evening, alice):
    first, second, *_others = tables_of(evening)
    deal = second.folders.index(1) + 1
    report(first, 1)
    report(second, deal, {"ruled": [3, -1, -2, 0]}, author=Author("desk", alice))
    assert [line.table for line in lines_of([first_round(evening)])] == [first.number]


def test_the_folders_say_who_deals_first(evening):
    with pytest.raises(NotPossible, match="The folders say who deals"):
        set_first_dealer(first_table(evening), 2, now=timezone.now())
