"""Folders as they should not be: half played, cards too many or twice, no trump, five players, nothing to compare."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse
from django.utils import timezone

from core.jobs.models import Job
from core.jobs.queue import run_now
from scoring.answers import answer_case
from scoring.cards import FULL_PACK
from scoring.game.cases import CannotAnswer
from scoring.rulebooks import get_rulebook
from tests.evenings import close_round, play_folders
from tests.factories import first_round, make_tournament, report, tables_of
from tests.pages import printed, words_at
from tournaments.boards import analysis
from tournaments.boards.analysis import Makes, analyses_of, doubts_at, find_doubts
from tournaments.boards.dealing import deal_folder
from tournaments.boards.folders import opened_rounds, why_no_boards
from tournaments.boards.results import ranking_of_players
from tournaments.paper.kinds import KINDS, Order

FOUND = [Makes("FH", "solo", "H", 30, 30, exact=False)]


@pytest.fixture
def half_played(club, alice, known_cards, monkeypatch):
    """Two tables with four folders; the first has reported two of its deals, and the round was closed by force."""
    monkeypatch.setattr(analysis, "analyse", lambda _rulebook, _folder: FOUND)
    evening = make_tournament(
        8, club=club, account=alice, boards=True, board_sets=2, deals_per_round=4, deals_at_three=3
    )
    first, second = tables_of(evening)
    report(first, 1)
    report(first, 2)
    play_folders(second)
    close_round(evening, alice)
    run_now(Job.objects.get(kind="folders"))
    return evening


@pytest.mark.django_db
def test_what_was_played_of_half_a_round_is_compared_and_the_rest_is_shown(half_played, client, as_alice):
    rows = ranking_of_players(half_played, opened_rounds(half_played))
    first, second = tables_of(half_played)
    compared = set(first.folders[:2]) & set(second.folders)
    assert {row.score.deals for row in rows} == {len(compared)}
    assert all(row.split.margin is None for row in rows)
    assert set(analyses_of(first_round(half_played))) == set(first.folders) | set(second.folders)
    for folder in range(1, 5):
        said = words_at(client, reverse("hall_folder", args=[half_played.code, 1, folder]))
        assert "What could be won" in said
    assert "give or take" not in words_at(client, reverse("hall_player", args=[half_played.code, 1]))
    assert client.get(reverse("hall_boards", args=[half_played.code])).status_code == 200
    assert printed(as_alice, half_played, "booklet") is not None
    order = Order(first_round(half_played), "http://spadille.test", timezone.now())
    assert len(KINDS["booklet"].pages(order)) == 4


@pytest.mark.django_db
def test_a_deal_that_all_passed_raises_no_doubt(half_played):
    first = tables_of(half_played)[0]
    assert not doubts_at(first_round(half_played)).filter(table=first).exists()


def test_five_players_have_no_folders():
    five = get_rulebook("ombre_five")
    assert "three hands of nine cards" in why_no_boards(five)
    assert why_no_boards(get_rulebook("union")) == ""


def test_a_folder_that_nobody_played_raises_no_doubt():
    assert find_doubts(get_rulebook("union"), deal_folder("5eed", 1), []) == []


def case(hands, **situation):
    return {
        "id": "S-1",
        "kind": "solve",
        "rulebook": "union",
        "players": 4,
        "situation": {"contract": "solo", "declarer": "FH", "trump": "H", "hands": hands} | situation,
    }


CARDS = list(FULL_PACK)
GOOD = {"FH": CARDS[:9], "MH": CARDS[9:18], "BH": CARDS[18:27]}


def test_these_hands_are_solved():
    assert answer_case(case(GOOD))["exact"]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (case(GOOD | {"BH": CARDS[18:28]}), "BH holds 10 cards, not 9"),
        (
            case({"FH": CARDS[:14], "MH": CARDS[14:27], "BH": [*CARDS[27:], CARDS[0]]}),
            "held once",
        ),  # 41 cards
        (case(GOOD | {"BH": [*CARDS[18:26], CARDS[0]]}), "each card of the pack can be held once"),
        (case(GOOD | {"BH": [*CARDS[18:26], "S8"]}), "each card of the pack can be held once"),
        (case(GOOD, trump=None), "solo is played with a trump suit"),
        (case(GOOD, trump="X"), "trump_not_in_pack"),
        (case({}), "hands are those of FH, MH, BH"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_hands_that_cannot_be_are_refused_in_words(changed, says):
    with pytest.raises(CannotAnswer, match=says):
        answer_case(json.loads(json.dumps(changed)))
