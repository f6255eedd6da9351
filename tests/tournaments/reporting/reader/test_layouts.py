"""Sheets to be ticked: what is printed for each rulebook, and kept with the table."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.utils import timezone

from scoring.rulebooks import get_rulebook, rulebooks
from tests.factories import first_table, make_tournament
from tournaments.exports.tournament_file import export_tournament
from tournaments.models import PrintedSheet
from tournaments.paper.kinds import KINDS, Order
from tournaments.reporting.reader.boxes import groups_of, without_box
from tournaments.reporting.reader.layout import (
    BOTTOM,
    BOX,
    MARKS,
    PITCH,
    RIGHT,
    Layout,
    Row,
    SheetName,
    UnknownLayout,
    read_layout,
    score_columns,
    sheet_named,
)
from tournaments.reporting.scans.upload import _layout, _layouts

TABLES = [(book, players) for book in rulebooks() for players in book.players]
MOST = {"kaske": True, "mort": True, "mort_nolo": True, "grand": True}


def page(rulebook, players, deals=40):
    dealers = [deal % players for deal in range(deals)]
    rows = [
        Row(deal + 1, dealer, without_box(rulebook, players, (dealer + 2) % 4 if players == 4 else None))
        for deal, dealer in enumerate(dealers)
    ]
    return Layout(tuple(range(1, players + 1)), 1, groups_of(rulebook, players), tuple(rows))


@pytest.mark.parametrize(
    ("book", "players"),
    [*TABLES, (get_rulebook("rasle", MOST), 4)],
    ids=lambda part: getattr(part, "id", part),
)
def test_every_rulebook_has_its_sheet_within_what_a_printer_prints(book, players):
    for deals in (40, 30, 24, 20, 12, 1):
        layout = page(book, players, deals)
        assert layout.bottom <= BOTTOM + 1e-6
        assert layout.right <= score_columns(layout)[0][0] < RIGHT - 15
        places = list(layout.places())
        assert len(places) == sum(layout.has_box(place.row, place.column) for place in places)
        apart = [after.x - before.x for before, after in pairwise(places) if before.row == after.row]
        assert min(apart) >= PITCH - 1e-6
        assert layout.row > BOX + 1
        for mark in MARKS:
            assert all(not (mark.left - 3 < place.x < mark.left + mark.side + 3) for place in places)
        assert read_layout(layout.to_json()) == layout


def test_the_unions_sheet_has_a_box_for_all_that_is_usual():
    layout = page(get_rulebook("union"), 4)
    assert {group.key: len(group.values) for group in layout.groups} == {
        "declarer": 4, "contract": 9, "trump": 4, "result": 5, "alone": 2,
    }  # fmt: skip
    assert [layout.has_box(0, column) for column in range(4)] == [True, True, False, True]
    assert layout.bands == pytest.approx([103.0, 158.4, 213.8])


def test_a_sheet_says_which_it_is_and_nothing_else_does():
    name = SheetName("AB12CD", 3, 12, 1, "0123abcd")
    assert sheet_named("http://192.168.1.24:8000" + name.path) == name
    assert [
        sheet_named(text) for text in ("", "http://x/c/secret/", name.path + "x", "http://x/s/AB/1/1")
    ] == [None] * 4


@pytest.mark.parametrize("written", [None, [], {"version": 2}, {"version": 1}, {"version": 1, "seats": "x"}])
def test_a_layout_that_is_written_otherwise_is_told(written):
    with pytest.raises(UnknownLayout):
        read_layout(written)


def test_what_is_printed_is_kept_once_and_found_by_its_name(db):
    tournament = make_tournament(4, deals_per_round=48)
    order = Order(first_table(tournament).round, "http://hall", timezone.now())
    for _twice in range(2):
        pages = KINDS["ticked"].pages(order)
    assert len(pages) == 2
    kept = list(PrintedSheet.objects.all())
    assert [sheet.page for sheet in kept] == [1, 2]
    known = _layouts(tournament)
    layout = _layout(known, SheetName(tournament.code, 1, 1, 2, kept[1].code))
    assert [row.deal for row in layout.rows] == list(range(25, 49))
    assert layout.code == kept[1].code
    assert _layout(known, SheetName(tournament.code, 1, 2, 2, kept[1].code)) is None
    assert kept[0].code in export_tournament(tournament)
