"""The booklet of an evening's folders: a small page for each, with its analysis, once the round is closed."""

from __future__ import annotations

import pytest
import segno
from django.utils import timezone
from pypdf import PdfReader

from core.jobs.models import Job
from core.jobs.queue import run_now
from core.pdf import render
from tests.evenings import close_round, play_folders
from tests.factories import first_round, make_tournament, tables_of
from tests.pages import printed
from tests.tagged import Tagged
from tournaments.boards import analysis
from tournaments.boards.analysis import Makes
from tournaments.lifecycle.playing import reopen_round
from tournaments.paper import boards
from tournaments.paper.kinds import KINDS, Order

pytestmark = pytest.mark.django_db
A5 = (148, 210)
FOUND = [
    *(
        Makes(role, "simple_game", trump, 30, 30, exact=False)
        for role in ("FH", "MH", "BH")
        for trump in "SHDC"
    ),
    *(Makes(role, "solo", trump, 28, 30, exact=False) for role in ("FH", "MH", "BH") for trump in "SHDC"),
]


@pytest.fixture
def closed(club, alice, monkeypatch):
    monkeypatch.setattr(analysis, "analyse", lambda _rulebook, _folder: FOUND)
    monkeypatch.setattr(analysis, "find_doubts_in", lambda *_round: [])
    evening = make_tournament(
        8, club=club, account=alice, boards=True, board_sets=2, deals_per_round=4, deals_at_three=3
    )
    for table in tables_of(evening):
        play_folders(table)
    close_round(evening, alice)
    return evening


def pages_of(tournament):
    return KINDS["booklet"].pages(Order(first_round(tournament), "http://spadille.test", timezone.now()))


def drawn(tournament, tmp_path):
    target = tmp_path / "booklet.pdf"
    render.write(pages_of(tournament), "Booklet", target)
    return target


def test_each_folder_has_a_page_of_a5_with_its_number_its_analysis_and_its_tables(closed, tmp_path):
    run_now(Job.objects.get(kind="folders"))
    pages = PdfReader(drawn(closed, tmp_path)).pages
    assert len(pages) == 4
    for number, page in enumerate(pages, start=1):
        size = (page.mediabox.width / 72 * 25.4, page.mediabox.height / 72 * 25.4)
        assert tuple(round(float(side)) for side in size) == A5
        text = " ".join(page.extract_text().split())
        assert f"Folder {number}, round 1" in text
        assert "Game ♠: 30 of 30" in text
        assert f"Page {number} of 4" in text
        assert all(f" {table} " in text for table in (1, 2))


def test_it_is_read_aloud(closed, tmp_path):
    run_now(Job.objects.get(kind="folders"))
    assert Tagged(drawn(closed, tmp_path)).faults() == []


def test_folded_it_is_read_aloud_in_the_order_of_its_pages(closed, tmp_path):
    run_now(Job.objects.get(kind="folders"))
    pages = pages_of(closed)  # once: the minute of printing is on them
    for name in ("folded", "plain"):
        render.write(pages, "Booklet", tmp_path / f"{name}.pdf", folded=name == "folded")
    folded, plain = Tagged(tmp_path / "folded.pdf"), Tagged(tmp_path / "plain.pdf")
    assert folded.faults() == []
    assert folded.text(folded.root) == plain.text(plain.root)
    with folded.file.open_outline() as outline:
        leads = [(entry.title, entry.destination[0].objgen) for entry in outline.root]
    first, second = (side.objgen for side in folded.file.pages)
    assert leads == [
        (f"Folder {number}, round 1", side)
        for number, side in enumerate((first, second, second, first), start=1)
    ]


def test_a_code_leads_to_playing_the_folder(closed):
    address = f"http://spadille.test/t/{closed.code}/boards/1/folder/{{}}/play/"
    codes = [segno.make(address.format(number), error="m", micro=False) for number in range(1, 5)]
    assert [page.context["play"] for page in pages_of(closed)] == [
        code.svg_data_uri(border=0, scale=2, nl=False) for code in codes
    ]


def test_before_the_analysis_it_says_that_it_was_not_ready(closed, tmp_path):
    text = PdfReader(drawn(closed, tmp_path)).pages[0].extract_text()
    assert "The analysis was not ready when this was printed." in " ".join(text.split())


def test_tables_that_do_not_fit_go_on_upon_another_page(closed, monkeypatch):
    monkeypatch.setattr(boards, "FIRST", 1)
    pages = pages_of(closed)
    assert len(pages) == 8
    assert ["one" in page.context for page in pages] == [True, False] * 4
    assert all(len(page.context["rows"]) == 1 for page in pages)
    assert ["averages" in page.context for page in pages] == [False, True] * 4


def test_nothing_of_a_sealed_round_is_in_it(closed, alice, as_alice):
    assert printed(as_alice, closed, "booklet") is not None
    reopen_round(first_round(closed), reason="a slip was found", account=alice, now=timezone.now())
    assert pages_of(closed) == []
    assert printed(as_alice, closed, "booklet") is None


def test_folded_it_has_two_pages_on_each_side_in_the_order_of_folding(closed, tmp_path):
    target = tmp_path / "folded.pdf"
    render.write(pages_of(closed), "Booklet", target, folded=True)
    sides = PdfReader(target).pages
    assert len(sides) == 2
    read = []
    for side in sides:
        width, height = (float(length) / 72 * 25.4 for length in (side.mediabox.width, side.mediabox.height))
        assert (round(width), round(height)) == (297, 210) or (round(width), round(height)) == (296, 210)
        at: dict[str, float] = {}

        def place(text, matrix, within, _font, _size, at=at):
            if text.strip().startswith("Page "):
                at[text.strip()] = within[4] + matrix[4]

        side.extract_text(visitor_text=lambda text, cm, tm, font, size: place(text, tm, cm, font, size))
        read.append(sorted(at, key=at.__getitem__))
    assert read == [["Page 4 of 4", "Page 1 of 4"], ["Page 2 of 4", "Page 3 of 4"]]


def test_the_file_says_how_it_is_turned_and_in_which_language_it_is(closed, tmp_path):
    target = tmp_path / "folded.pdf"
    render.write(pages_of(closed), "Booklet", target, folded=True)
    root = PdfReader(target).trailer["/Root"]
    assert root["/ViewerPreferences"]["/Duplex"] == "/DuplexFlipShortEdge"
    assert root["/Lang"].startswith("en")
    assert PdfReader(target).metadata.title == "Booklet"


def test_the_desk_prints_it_folded(closed, as_alice):
    said = printed(as_alice, closed, "booklet-folded")
    assert all(said.count(f"Page {number} of 4") == 1 for number in range(1, 5))
