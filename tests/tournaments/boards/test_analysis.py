"""What a folder could have been played for: worked out once its round is closed, and nowhere before."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import timezone

from core.jobs.models import Job
from core.jobs.queue import run_now
from scoring.rulebooks import get_rulebook, rulebooks
from scoring.seats import ROLES, Role
from tests.evenings import close_round, play_folders
from tests.factories import first_round, make_tournament, tables_of
from tests.languages import LANGUAGES
from tests.pages import words_at
from tests.tournaments.boards.test_boards_of_teams import started
from tournaments.boards import analysis
from tournaments.boards.analysis import (
    Makes,
    analyse,
    analyses_of,
    analysis_text,
    await_analysis,
    update_analysis,
)
from tournaments.boards.dealing import deal_folder
from tournaments.boards.folders import why_no_boards
from tournaments.boards.results import SEATS, Line, Place, lines_of
from tournaments.boards.text import in_tenths, seat_averages
from tournaments.lifecycle.playing import reopen_round
from tournaments.lifecycle.rulings import end_match, postpone, resume_match
from tournaments.models import FolderAnalysis, Report

pytestmark = pytest.mark.django_db
FOLDERS = 4
SOLO = Makes("MH", "solo", "H", 29, 30, exact=False)
PURE = Makes("BH", "pure_nolo", "", 1, 1, exact=True)
RARELY = Makes("FH", "simple_game", "C", 5, 30, exact=False)
NEVER = Makes("FH", "solo", "C", 0, 30, exact=False)
FOUND = [SOLO, PURE, RARELY, NEVER]


@pytest.fixture
def evening(club, alice):
    """Two tables on four folders; the round is being played."""
    return make_tournament(
        8, club=club, account=alice, boards=True, board_sets=2, deals_per_round=FOLDERS, deals_at_three=3
    )


@pytest.fixture
def closed(evening, alice):
    for table in tables_of(evening):
        play_folders(table)
    close_round(evening, alice)
    return evening


@pytest.fixture
def quick(monkeypatch):
    """The solver's answers as they are given above, since they take ten seconds a folder."""
    monkeypatch.setattr(analysis, "analyse", lambda _rulebook, _folder: FOUND)
    monkeypatch.setattr(analysis, "find_doubts_in", lambda *_round: [])


def page(client, tournament, folder=1):
    return words_at(client, reverse("hall_folder", args=[tournament.code, 1, folder]))


def test_closing_a_round_asks_for_its_analysis_once(closed, alice):
    job = Job.objects.get(kind="folders")
    assert job.total == FOLDERS
    assert update_analysis(first_round(closed), account=alice, now=timezone.now()) == job
    assert analyses_of(first_round(closed)) == dict.fromkeys(range(1, FOLDERS + 1))


def test_a_tournament_without_boards_is_not_analysed(club, alice):
    plain = make_tournament(8, club=club, account=alice)
    close_round(plain, alice)
    assert not Job.objects.filter(kind="folders").exists()


def test_the_page_says_that_the_analysis_is_not_ready_and_then_shows_it(closed, quick, client, as_alice):
    assert "The analysis of this folder is not ready yet." in page(client, closed)
    job = run_now(Job.objects.get(kind="folders"))
    assert job.state == Job.State.DONE
    said = page(client, closed)
    assert "not ready" not in said
    assert "What could be won" in said
    assert "for certain" in said
    assert "29 of 30 83–99 %" in said
    assert "4 folders analysed." in words_at(as_alice, reverse("desk_job", args=[job.pk]))


def test_what_is_made_in_fewer_than_one_exchange_in_five_is_left_out():
    text = analysis_text(get_rulebook("union"), 1, FOUND, [])
    shown = {
        seat.title: [(one.contract, one.made, one.interval) for one in seat.contracts] for seat in text.seats
    }
    assert shown == {
        "Forehand": [],
        "Middlehand": [("Solo ♥", "29 of 30", "83–99 %")],
        "Backhand": [("Pure nolo", "for certain", "")],
    }
    assert [*shown] == ["Forehand", "Middlehand", "Backhand"]


def test_the_sentence_names_the_highest_contract_that_half_of_the_exchanges_make():
    rulebook = get_rulebook("union")
    assert analysis_text(rulebook, 1, [SOLO, RARELY], []).best == (
        "Solo ♥ by middlehand is made in 29 of 30 exchanges."
    )
    assert analysis_text(rulebook, 1, FOUND, []).best == "Pure nolo by backhand is made against any defence."
    assert analysis_text(rulebook, 1, [RARELY, NEVER], []).best == (
        "No seat makes any contract in as many as half of the exchanges."
    )


def line_of(role, contract, trump):
    """A table's result with its declarer in this seat."""
    result = {"contract": contract, "trump": trump} if contract else {"all_passed": True}
    position = SEATS.index(Role(role))
    places = tuple(Place(seat, at, None, 0, None) for at, seat in enumerate(SEATS))
    return Line(1, 1, 1, 1, Report(result=result, declarer=position), ("A", "B", "C", "D"), places)


@pytest.mark.parametrize(
    ("played", "text"),
    [
        ([("MH", "solo", "H")], "Tables that played it: 1 of 1."),
        ([("MH", "solo", "D"), ("FH", "solo", "H")], "Tables that played it: 0 of 2."),
        (
            [("MH", "solo", "H"), *[("FH", "simple_game", "H")] * 3],
            "Tables that played it: 1 of 4; Game: 3.",
        ),
        (
            [("FH", "simple_game", "H"), ("BH", "pure_nolo", ""), ("BH", "", "")],
            "Tables that played it: 0 of 3; Game: 1.",
        ),
        ([("MH", "solo", "H"), ("FH", "simple_game+tout", "H")], "Tables that played it: 1 of 2."),
    ],
    ids=str,
)
def test_beside_the_best_contract_is_what_more_tables_played(played, text):
    lines = [line_of(*one) for one in played]
    best = analysis_text(get_rulebook("union"), 1, [SOLO, RARELY], lines).best
    assert best == f"Solo ♥ by middlehand is made in 29 of 30 exchanges. {text}"


def test_the_page_has_the_average_of_each_seat(closed, client):
    roles = [Role.FH, Role.MH, Role.BH, Role.IDLE]
    lines = lines_of([first_round(closed)], folder=1)
    means = [
        in_tenths(Fraction(sum(line.place_of(role).tokens for line in lines), len(lines))) for role in roles
    ]
    assert f"Average {' '.join(means)} Under each name" in page(client, closed)


def test_the_page_draws_the_three_hands_as_cards_and_names_them_to_voices(closed, client):
    html = client.get(reverse("hall_folder", args=[closed.code, 1, 1])).content.decode()
    hands = html.split('<div class="folder-hand">')[1:]
    assert [hand.count('<svg class="kort') for hand in hands] == [9, 9, 9]
    assert [hand.count('<p class="held visually-hidden">') for hand in hands] == [4, 4, 4]


def test_tables_that_settle_differently_have_no_average():
    settling, usual = get_rulebook("union", {"idle_settles": True}), get_rulebook("union")
    four = line_of("FH", "solo", "H")
    three = replace(four, places=four.places[:3])
    assert seat_averages(usual, [four, three], SEATS) == ["0.0"] * 4
    assert seat_averages(settling, [four, four], SEATS) == ["0.0"] * 4
    assert seat_averages(settling, [four, three], SEATS) == []


def test_the_api_has_it_once_it_is_worked_out(closed, quick, client):
    address = f"/api/v1/tournaments/{closed.code}/boards/1/folders/1"
    assert client.get(address).json()["makeable"] is None
    run_now(Job.objects.get(kind="folders"))
    solo, pure, *_others = client.get(address).json()["makeable"]
    assert solo == {
        "role": "MH",
        "contract_code": "solo",
        "trump_code": "H",
        "made": 29,
        "solved": 30,
        "exact": False,
        "at_least": 0.833,
        "at_most": 0.994,
    }
    assert (pure["exact"], pure["at_least"], pure["at_most"]) == (True, 1, 1)


def test_a_round_that_is_reopened_is_sealed_and_its_analysis_is_gone(closed, quick, alice, client):
    run_now(Job.objects.get(kind="folders"))
    reopen_round(first_round(closed), reason="a slip was found", account=alice, now=timezone.now())
    assert not FolderAnalysis.objects.exists()
    response = client.get(reverse("hall_folder", args=[closed.code, 1, 1]))
    assert response.status_code == 302
    close_round(closed, alice)
    assert Job.objects.filter(kind="folders").count() == 2


def test_what_is_found_while_a_round_is_reopened_is_dropped(known_cards, closed, alice, monkeypatch):
    def reopened_meanwhile(_rulebook, _folder):
        reopen_round(first_round(closed), reason="a slip was found", account=alice, now=timezone.now())
        return FOUND

    monkeypatch.setattr(analysis, "analyse", reopened_meanwhile)
    assert run_now(Job.objects.get(kind="folders")).state == Job.State.DONE
    assert not FolderAnalysis.objects.exists()


def test_a_round_closed_again_meanwhile_is_analysed_to_its_end(known_cards, closed, alice, monkeypatch):
    looked = []

    def closed_again(_rulebook, folder):
        looked.append(folder.number)
        if len(looked) == 1:
            now = timezone.now()
            reopen_round(first_round(closed), reason="a slip was found", account=alice, now=now)
            close_round(closed, alice)
        return FOUND

    monkeypatch.setattr(analysis, "analyse", closed_again)
    run_now(Job.objects.get(kind="folders"))
    assert looked == [1, 1, 2, 3, 4]
    assert analyses_of(first_round(closed)) == dict.fromkeys(range(1, FOLDERS + 1), FOUND)


def test_an_analysis_of_other_cards_or_rules_is_worked_out_anew(closed, quick):
    run_now(Job.objects.get(kind="folders"))
    FolderAnalysis.objects.filter(folder=1).update(cards="others")
    FolderAnalysis.objects.filter(folder=2).update(rules="others")
    assert sorted(analyses_of(first_round(closed))) == [3, 4]
    assert await_analysis(first_round(closed)) == 2


def test_nothing_is_analysed_while_the_round_is_sealed(evening, alice):
    round_ = first_round(evening)
    assert await_analysis(round_) == 0
    assert update_analysis(round_, account=alice, now=timezone.now()) is None
    assert not Job.objects.filter(kind="folders").exists()


def test_a_match_that_is_still_to_be_played_keeps_the_folders_from_being_analysed(club, alice, quick):
    teams = started(club, alice, "teams")
    teams.refresh_from_db()
    match = first_round(teams).matches.get()
    said = {"account": alice, "now": timezone.now()}
    postpone(match, teams.date + timedelta(days=7), **said)
    close_round(teams, alice)
    assert not Job.objects.filter(kind="folders").exists()
    for table in tables_of(teams):
        play_folders(table)
        table.seats.update(agreed_at=timezone.now())
    end_match(match, **said)
    run_now(Job.objects.get(kind="folders"))
    assert len(analyses_of(first_round(teams))) == 8
    resume_match(match, **said)
    assert not FolderAnalysis.objects.exists()


def test_the_desk_asks_for_an_analysis_that_is_lacking(closed, quick, as_alice, as_charlie):
    run_now(Job.objects.get(kind="folders"))
    desk = reverse("desk_boards", args=[closed.code])
    assert "Analyse the folders" not in words_at(as_alice, desk)
    FolderAnalysis.objects.all().delete()
    assert "Analyse the folders" in words_at(as_alice, desk)
    address = reverse("desk_boards_analyse", args=[closed.code, 1])
    as_charlie.post(address)
    assert Job.objects.filter(kind="folders").count() == 1
    assert as_alice.get(address)["Location"] == desk
    job = Job.objects.filter(kind="folders").latest("pk")
    assert as_alice.post(address)["Location"] == reverse("desk_job", args=[job.pk + 1])


def test_the_desk_analyses_nothing_that_is_sealed(evening, as_alice):
    address = reverse("desk_boards_analyse", args=[evening.code, 1])
    assert as_alice.post(address)["Location"] == reverse("desk_boards", args=[evening.code])
    assert as_alice.post(reverse("desk_boards_analyse", args=[evening.code, 9])).status_code == 404
    assert not Job.objects.filter(kind="folders").exists()


@pytest.mark.parametrize("rulebook", [r for r in rulebooks() if not why_no_boards(r)], ids=lambda r: r.id)
def test_every_seat_of_every_rulebook_is_analysed(rulebook, monkeypatch):
    monkeypatch.setattr(analysis, "SAMPLES", 1)
    found = analyse(rulebook, deal_folder("5eed", 1))
    seats = {role for role in ROLES[max(rulebook.players)] if any(makes.role == role for makes in found)}
    assert {"FH", "MH", "BH"} <= seats
    assert all(makes.solved == 1 for makes in found if makes.exact)
    assert all(0 <= makes.made <= makes.solved <= 1 for makes in found)


@pytest.mark.slow
def test_the_same_cards_are_analysed_alike(monkeypatch):
    monkeypatch.setattr(analysis, "SAMPLES", 3)
    rulebook = get_rulebook("union")
    folder = deal_folder("5eed", 2)
    assert analyse(rulebook, folder) == analyse(rulebook, folder)


def test_it_is_told_in_every_language(closed, quick, client):
    run_now(Job.objects.get(kind="folders"))
    told = set()
    for language in LANGUAGES:
        client.cookies["django_language"] = language
        told.add(page(client, closed))
    assert len(told) == len(LANGUAGES)
