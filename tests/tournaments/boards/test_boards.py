"""An evening on duplicate boards: the same cards at every table, compared from the draw to the ranking."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import translation

from core.tables.files import number_of
from tests.factories import tables_of
from tests.languages import LANGUAGES
from tests.pages import printed, words_at
from tournaments.boards.dealing import deal_folder, fingerprint, sequences
from tournaments.boards.results import lines_of, ranking_of_players
from tournaments.boards.text import FolderTexts, in_tenths
from tournaments.domain.terms import card_words
from tournaments.paper.boards import on_paper

pytestmark = pytest.mark.django_db
DEALS = 16


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
    said = words_at(client, home)
    assert fingerprint(board_set.seed) in said
    assert board_set.seed in said
    best = ranking_of_players(played, list(played.rounds.all()))[0]
    assert f"{best.rank} {best.name}" in said
    own = words_at(client, reverse("hall_player", args=[played.code, best.number]))
    assert f"On the same cards {in_tenths(best.score.difference)} place 1" in own
    folder = words_at(client, reverse("hall_folder", args=[played.code, 1, 3]))
    lines = [f"{table.number} deal {table.folders.index(3) + 1}" for table in tables_of(played)]
    assert [line for line in lines if line not in folder] == []
    talon = deal_folder(board_set.seed, 3).talon
    signs = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
    assert " ".join(f"{place} {signs[card[0]]}{card[1]}" for place, card in enumerate(talon, 1)) in folder
    assert words_at(client, reverse("hall_boards_round", args=[played.code, 1])).count("Talon") == DEALS


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_card_of_the_talon_is_cut_on_paper(language):
    with translation.override(language):
        pack = [card_words(suit + rank) for suit in "SHDC" for rank in "AKQJ765432"]
        for start in range(0, len(pack), 13):
            talon = list(enumerate(pack[start : start + 13], start=1))
            printed = "\n".join(on_paper(FolderTexts(1, "A", "C", [], talon))["talon"])
            assert "…" not in printed
            assert len(re.findall(r"\d+\s+[♠♡♢♣]\w", printed)) == len(talon)
