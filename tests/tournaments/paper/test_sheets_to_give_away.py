"""Diplomas, place cards, movement cards, the list for the press, a player's own evening."""

from __future__ import annotations

import re
from datetime import date
from types import SimpleNamespace

import pytest
import segno
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_round, make_tournament, play_out, report
from tests.pages import texts_of
from tournaments.lifecycle.playing import close_round
from tournaments.models import Seat, Table, Tournament
from tournaments.paper.boards import _runs, movement_pages
from tournaments.paper.evening import (
    AROUND_CURVE,
    FIGURES,
    GAME,
    LINES,
    LOWEST,
    PENALTY,
    ROOM,
    TITLE,
    _whole_page,
    columns_of,
    rounds_a_page,
)
from tournaments.paper.kinds import KINDS, Order
from tournaments.paper.notices import diploma_pages
from tournaments.paper.page import Occasion
from tournaments.paper.ranking import _press_shared_out, press_text
from tournaments.paper.seat_plans import card_pages, place_card_pages
from tournaments.standings.players import standings
from tournaments.standings.statistics import PlayerStatistics

pytestmark = pytest.mark.django_db

NOW = timezone.now()


def occasion(tournament):
    return Occasion(first_round(tournament), NOW)


@pytest.fixture
def played(alice):
    """Two tables of four, played out, with different totals; not closed."""
    tournament = make_tournament(8, account=alice, deals_per_round=4, date=date(2026, 11, 21))
    for table in Table.objects.filter(round=first_round(tournament)):
        play_out(table)
        solo = {"contract": "solo", "declarer": 2, "trump": "D", "outcome": "won"}
        report(table, 1, solo | {"declarer": table.number}, base=1, reason="misread")
        table.seats.update(agreed_at=NOW)
    return Tournament.objects.get(pk=tournament.pk)


@pytest.fixture
def over(played, alice):
    close_round(first_round(played), account=alice, now=NOW)
    Tournament.objects.filter(pk=played.pk).update(state=Tournament.State.FINISHED, place="Skovby Kro")
    return Tournament.objects.get(pk=played.pk)


def test_there_are_no_diplomas_before_the_standings_are_final(played, over):
    diploma = KINDS["diploma"]
    assert diploma.missing(first_round(played)) == "The standings are not final yet."
    assert diploma.missing(first_round(over)) == ""
    Tournament.objects.filter(pk=over.pk).update(state=Tournament.State.RUNNING, posted_at=NOW)
    assert (
        diploma.missing(first_round(Tournament.objects.get(pk=over.pk))) == "The standings are not final yet."
    )


def test_each_of_the_first_three_has_a_diploma(over):
    pages = diploma_pages(over, occasion(over))
    first = [row for row in standings(over).rows if row.rank <= 3]
    assert [page.context["winner"] for page in pages] == [row.name for row in first]
    assert str(pages[0].context["place_said"]) == "Winner"
    assert {page.context["takes_part"] for page in pages} == {8}
    assert pages[0].context["place"].total == f"+{first[0].total}"


def test_every_seat_of_the_round_has_a_place_card(played):
    cards = [
        card
        for page in place_card_pages(first_round(played), occasion(played))
        for card in page.context["cards"]
    ]
    seats = Seat.objects.filter(table__round=first_round(played)).select_related("table", "entry__player")
    assert [(card["table"], card["letter"], card["name"]) for card in cards] == [
        (seat.table.number, "ABCD"[seat.position], seat.entry.shown_name)
        for seat in seats.order_by("table__number", "position")
    ]


@pytest.mark.parametrize(
    ("folders", "runs"),
    [
        ([1, 2, 3, 4], [("1–4", "1–4")]),
        ([5, 6, 7, 8, 1, 2, 3, 4], [("1–4", "5–8"), ("5–8", "1–4")]),
        ([3, 1, 2], [("1", "3"), ("2–3", "1–2")]),
    ],
)
def test_a_tables_folders_are_said_in_runs(folders, runs):
    table = SimpleNamespace(deals=len(folders), folder_of=lambda deal: folders[deal - 1])
    assert _runs(table) == runs


def test_a_movement_card_says_where_folders_begin_and_where_they_go(alice):
    tournament = make_tournament(
        16, account=alice, boards=True, board_sets=1, deals_per_round=16, deals_at_three=12
    )
    assert KINDS["movement"].missing(first_round(tournament)) == ""  # it shows no cards
    (page,) = movement_pages(first_round(tournament), occasion(tournament))
    cards = page.context["cards"]
    assert [card.table for card in cards] == [1, 2, 3, 4]
    assert [card.beginning.next_table for card in cards] == [4, 1, 2, 3]
    assert [card.runs[0][1].split("–")[0] for card in cards] == ["1", "5", "9", "13"]


def test_the_press_is_told_who_won_and_everybody_by_place(over):
    told = press_text(over).split("\n")
    rows = standings(over).rows
    lead = "Stilling · Skovby Kro · 21 November 2026 · 8 players took part"
    assert told[:4] == [over.name, "", lead, ""]
    assert told[4].endswith(rows[0].name)
    assert [line.split(",")[0].split(" ", 1)[1] for line in told[5:13]] == [row.name for row in rows]


def test_long_lines_for_the_press_take_the_room_of_two():
    lines = [
        f"{place}. Anna-Margrethe Overgaard, L'Hombreklubben Sønderjylland, +1" for place in range(1, 101)
    ]
    parts = _press_shared_out(lines)
    assert [line for part in parts for line in part] == lines
    assert [len(part) for part in parts] == [46, 46, 8]
    assert [len(part) for part in _press_shared_out(["1. Bo, +1"] * 100)] == [92, 8]


def test_what_the_press_gets_before_the_end_is_provisional_and_for_the_desk_alone(
    played, as_helper, as_charlie
):
    answer = as_helper.get(reverse("desk_press", args=[played.code]))
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    text = answer.content.decode()
    assert text.startswith(f"{played.name}\n\nStilling")
    assert "provisional" in text
    for language, said in {"en": "provisional", "da": "foreløbig"}.items():
        assert (
            said in as_helper.get(reverse("desk_press", args=[played.code]), {"l": language}).content.decode()
        )
    assert as_charlie.get(reverse("desk_press", args=[played.code])).status_code == 403


def test_a_player_takes_the_evening_home_on_one_page(client, played):
    row = next(row for row in standings(played).rows if row.rank == 1)
    address = reverse("hall_player_pdf", args=[played.code, row.number])
    (text,) = texts_of(client.get(address).content)
    seat = Seat.objects.get(entry_id=row.entry_id)
    others = ", ".join(other.entry.shown_name for other in seat.table.seats.exclude(pk=seat.pk))
    assert re.search("1 ?of 8", text)  # in letters of two sizes
    for said in (row.name, f"+{row.total}", "Stilling · 21 November 2026", others, "Round 1"):
        assert said in text, said
    best = seat.table.dealt.get(number=1).current.tokens[seat.position]
    assert re.search(rf"\+{best}\s+Best deal · round 1, table {seat.table.number}, deal 1\b", text)
    *_whole, deals = texts_of(client.get(f"{address}?deals").content)
    assert len(re.findall(r"^.*1\s+[1-4]\s+\S.*\+\d+$", deals, re.MULTILINE)) == 4
    assert client.get(reverse("hall_player_pdf", args=[played.code, 99])).status_code == 404


def test_before_the_first_deal_the_page_has_the_seats_alone(client, club):
    tournament = make_tournament(8, club=club, started=False)
    answer = client.get(reverse("hall_player_pdf", args=[tournament.code, 1]))
    (text,) = texts_of(answer.content)
    seat = Seat.objects.get(entry__tournament=tournament, entry__number=1)
    assert all(other.entry.shown_name in text for other in seat.table.seats.exclude(pk=seat.pk))
    assert not re.search("Best deal|Total|Tokens deal by deal", text)


def test_the_sheets_to_give_away_are_drawn(over, tmp_path):
    from core.pdf import render

    order = Order(first_round(over), "http://x", NOW)
    pages = [page for kind in ("diploma", "press", "place-cards") for page in KINDS[kind].pages(order)[:1]]
    render.write(pages, "x", tmp_path / "x.pdf")
    diploma, press, cards = texts_of((tmp_path / "x.pdf").read_bytes())
    best = standings(over).rows[0].name
    assert best in diploma
    assert f"Total: +{standings(over).rows[0].total}" in diploma
    assert "Skovby Kro, 21 November 2026" in diploma
    assert f"1. {best}" in press
    assert " ".join(cards.split()).count("seat A") == 4  # two tables, both sides


@pytest.mark.parametrize(
    ("deals", "pages"), [(0, []), (1, [1]), (3, [2, 1]), (2 * LINES + 3, [LINES, LINES, 2, 1])]
)
def test_every_deal_of_an_evening_stands_in_columns_of_whole_pages(deals, pages):
    shown = [
        SimpleNamespace(round=1, number=number, what="", tokens=1, sum=number) for number in range(deals)
    ]
    assert [len(column) for page in columns_of(shown) for column in page] == pages


@pytest.mark.parametrize("games", [0, 4, 12])
@pytest.mark.parametrize("penalties", [0, 3])
def test_an_evening_of_as_many_rounds_as_fit_has_one_page(games, penalties):
    evening = {
        "entry": SimpleNamespace(tournament=SimpleNamespace(is_called_off=True)),
        "row": None,
        "contracts": [()] * games,
        "penalties": [()] * penalties,
        "statistics": PlayerStatistics(),
        "curve": SimpleNamespace(levels=[], ends=[], zero=50.0),
    }
    most = rounds_a_page(evening)
    assert most >= 16
    for played in (1, 3, most):
        page = _whole_page(evening, [{}] * played)
        assert page["height"] >= LOWEST
        own = FIGURES + 2 * TITLE + GAME * (games + 1) + PENALTY * penalties + AROUND_CURVE
        assert own + page["height"] + page["line"] * (played + 1) <= ROOM + 0.01


def test_a_card_has_the_way_to_its_players_own_page(played):
    round_ = first_round(played)
    pages = card_pages(played, occasion(played), "http://192.168.1.24:8000")
    links = {card.number: card.link for page in pages for card in page.context["cards"]}
    for number, link in links.items():
        assert (
            segno.make(
                f"http://192.168.1.24:8000/t/{played.code}/player/{number}/", error="m", micro=False
            ).svg_data_uri(border=0, scale=2, nl=False)
            == link
        )
    assert sorted(links) == sorted(round_.seats.values_list("entry__number", flat=True))


def test_who_sits_there_too_is_in_one_size_on_all_cards(played):
    """Next to the code, where there is less room, in two lines."""
    for entry in played.entries.select_related("player"):
        entry.player.name = f"Bo Vestergaard {chr(ord('A') + entry.number)}"
        entry.player.save()
    pages = card_pages(played, occasion(played), "http://192.168.1.24:8000")
    written = [line for page in pages for card in page.context["cards"] for line in card.lines]
    assert len({size for _stop, _lines, size in written}) == 1
    assert all(", ".join(line.rstrip(",") for line in lines) == stop.others for stop, lines, _size in written)
    assert any(len(lines) == 2 for _stop, lines, _size in written)
