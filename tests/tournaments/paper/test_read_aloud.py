"""What a screen reader finds in a PDF (PDF/UA): its tags, read out of the file.

That it finds nothing wrong is asked of every PDF that a test makes (`_pdfs_are_read_aloud`), so of each kind of sheet.
"""

from types import SimpleNamespace

import pytest
from django.utils import timezone, translation

from core.pdf import render
from tests.factories import first_round, first_table, make_tournament, play_out
from tests.languages import LANGUAGES
from tests.tagged import Tagged
from tournaments.domain.terms import signed
from tournaments.ledger.scoresheet import score_sheet
from tournaments.models import Deal, Table
from tournaments.paper.evening import deal_pages
from tournaments.paper.kinds import KINDS, Order
from tournaments.paper.page import Occasion
from tournaments.paper.score import filled_pages
from tournaments.standings.players import standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def tagged(tmp_path):
    def write(pages, title="A title"):
        render.write(pages, title, tmp_path / "x.pdf")
        return Tagged(tmp_path / "x.pdf")

    return write


@pytest.fixture
def played(alice):
    """Eleven players, played out but for the first deal of each table."""
    tournament = make_tournament(11, 2, account=alice)
    for table in Table.objects.filter(round=first_round(tournament)):
        play_out(table)
    Deal.objects.filter(number=1).delete()
    tournament.refresh_from_db()
    return tournament


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_score_sheet_is_a_table_with_a_row_for_each_deal(alice, tagged, language):
    """Its lines are texts across all columns, in three layers: every cell is found in its row and its column."""
    table = first_table(make_tournament(players=4, deals_per_round=44, account=alice))
    play_out(table)
    Deal.objects.filter(table=table, number__in=(1, 23)).delete()
    with translation.override(language):
        pages = filled_pages(table, Occasion(table.round, timezone.now()))
        file, sheet = tagged(pages), score_sheet(table)
    assert file.faults() == []
    first, second = (file.table(each) for each in file.all("/Table"))
    for rows, lines in ((first[2:-1], sheet.lines[:22]), (second[3:-1], sheet.lines[22:])):
        for row, line in zip(rows, lines, strict=True):
            amounts = [signed(each) for pair in zip(line.tokens, line.running, strict=True) for each in pair]
            if line.sits_out is not None and line.reported:
                amounts[2 * line.sits_out] = ""
            declarer = "ABCD"[line.declarer] if line.reported else ""
            assert row[0] == (str(line.number), True)
            assert [text for text, _head in row[1:4]] == [
                "ABCD"[line.dealer],
                "ABCD"[line.sits_out],
                declarer,
            ]
            assert [text for text, _head in row[4:7]] == [line.contract, line.trump, line.result]
            assert [text for text, _head in row[8:]] == (amounts or [""] * 8)
    assert all(head for row in first[:2] for _text, head in row)


def test_standings_are_a_table_with_a_row_for_each_player(played, tagged):
    order = Order(first_round(played), "http://192.168.1.24:8000", timezone.now())
    file = tagged(KINDS["standings"].pages(order))
    heads, *rows = file.table(next(file.all("/Table")))
    at = [text for text, _head in heads].index("Total")
    assert [(row[1][0], row[2], row[at][0]) for row in rows] == [
        (str(row.number), (row.name, True), signed(row.total)) for row in standings(played).rows
    ]


def test_every_deal_of_an_evening_is_a_row_of_a_table(played, tagged):
    deals = [SimpleNamespace(round=1, number=n, what="Solo", tokens=n, sum=-n) for n in range(1, 8)]
    common = {"occasion": {"printed_at": timezone.now(), "date": played.date}, "name": "Anna", "size": 9}
    file = tagged(deal_pages(deals, common))
    assert file.faults() == []
    tables = [file.table(each) for each in file.all("/Table")]
    assert [[text for text, _head in row] for table in tables for row in table[1:]] == [
        ["1", str(n), "Solo", f"+{n}", f"−{n}"] for n in range(1, 8)
    ]


def test_files_of_many_parts_are_read_aloud_from_end_to_end(alice, tagged):
    """Five pages are laid out at a time: what each part says of its own pages is true of the whole file."""
    table = first_table(make_tournament(players=4, deals_per_round=4, account=alice))
    play_out(table)
    pages = filled_pages(table, Occasion(table.round, timezone.now())) * 12
    file = tagged(pages)
    assert file.faults() == []
    tables = list(file.all("/Table"))
    assert [each.Pg.objgen for each in (next(file.all("/TR", table)) for table in tables)] == [
        page.objgen for page in file.file.pages
    ]


def test_pictures_that_say_nothing_are_not_read_aloud(played, tagged):
    order = Order(first_round(played), "http://192.168.1.24:8000", timezone.now())
    file = tagged(KINDS["ticked"].pages(order))
    assert {str(each.Alt) for each in file.all("/Figure")} == {"Score sheets to tick", "QR code of the sheet"}
