"""Prizes that are no money: typed a line for each place, won by who holds it, said wherever the evening ends."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_table, make_tournament, report
from tests.pages import words_at
from tournaments.domain.prizes import things_won
from tournaments.exports.tournament_file import export_tournament
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.money import podiums, prizes_in_kind_text
from tournaments.lifecycle.playing import close_round
from tournaments.models import Tournament
from tournaments.paper.kinds import KINDS, Order
from tournaments.paper.ranking import press_text

CUP, WINE = "Challenge cup", "A bottle of wine"


@pytest.mark.parametrize(
    ("things", "places", "won"),
    [
        ([CUP, "", WINE], [["A"], ["B"], ["C"], ["D"]], [(CUP, ["A"]), (WINE, ["C"])]),
        ([CUP, WINE], [["A", "B"], ["C"]], [(CUP, ["A", "B"]), (WINE, ["A", "B"])]),
        (["", WINE], [["A", "B", "C"]], [(WINE, ["A", "B", "C"])]),
        ([CUP, WINE], [["A"]], [(CUP, ["A"])]),
        ([], [["A"]], []),
    ],
)
def test_who_share_places_hold_what_these_win(things, places, won):
    assert things_won(things, places) == won


@pytest.fixture
def played(club, alice) -> Tournament:
    tournament = make_tournament(4, club=club, account=alice, tie_breaks=["lot"], entry_fee=5000)
    report(first_table(tournament), 1, {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"})
    return tournament


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        (f"{CUP}\r\n\r\n  {WINE}\r\n\r\n", [CUP, "", WINE]),
        ("", []),
        (" \r\n", []),
        ("x" * 80, ["x" * 80]),
        ("x" * 81, None),
        ("x\r\n" * 51, None),
    ],
)
def test_they_are_typed_a_line_for_each_place(as_alice, played, typed, stored):
    page = reverse("desk_money", args=[played.code])
    Tournament.objects.update(prize_things=["a ham"])
    answer = as_alice.post(page, {"unit": "shares", "by_place": "", "things": typed})
    played.refresh_from_db()
    assert played.prize_things == (["a ham"] if stored is None else stored)
    assert list(answer.context["form"].errors if answer.context else []) == (
        ["things"] if stored is None else []
    )
    if stored:
        assert f"Place 1 {stored[0]}" in words_at(as_alice, page)
        assert played.log.first().words.endswith("are now: " + ", ".join(thing or "–" for thing in stored))


def test_who_has_won_them_is_said_on_podium_and_paper_and_to_the_press(as_alice, played, by_alice):
    Tournament.objects.update(prize_things=[CUP, "", WINE])
    close_round(first_table(played).round, **by_alice, force_reason="late")
    played.refresh_from_db()
    assert CUP not in press_text(played)
    finish(played, **by_alice)
    played.refresh_from_db()
    places = podiums(played)[0].places
    assert [place.thing for place in places] == [CUP, "", WINE]
    said = [f"{CUP}: {places[0].name}", f"{WINE}: {places[2].name}"]
    assert prizes_in_kind_text(played) == said
    assert f"1. {CUP} 3. {WINE}" in words_at(as_alice, reverse("desk_finish", args=[played.code]))
    assert press_text(played).endswith("\n\n" + "\n".join(said) + "\n")
    order = Order(played.rounds.get(), "http://hall", timezone.now())
    sheet = KINDS["standings"].pages(order)[-1].context["said"]
    assert [lines for _title, lines in sheet if CUP in lines[0]] == [[said[0]]]
    assert [page.context["place"].thing for page in KINDS["diploma"].pages(order)] == [CUP, "", WINE]
    assert f'"{CUP}"' in export_tournament(played)
