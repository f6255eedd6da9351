"""Where each line of a score sheet is printed, measured in the file: beside the deal that it belongs to."""

import re
import subprocess

import pytest
from django.conf import settings
from django.db.models import F
from django.utils import timezone
from weasyprint import HTML

from core.pdf import render
from core.pdf.page import render_page
from tests.factories import first_table, make_tournament, play_out
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import signed
from tournaments.ledger.scoresheet import blank_sheet, score_sheet
from tournaments.models import Deal
from tournaments.paper.page import POINT, Occasion
from tournaments.paper.score import blank_pages, filled_pages
from tournaments.paper.score_grid import CHARACTER, HEAD

pytestmark = pytest.mark.django_db

MOST, NO_DEAL = 60, 1000
APART = 6  # missing deals that one sheet has together are so far from each other
# Millimetres: the page's margins, and what is above the grid.
LEFT, TOP = 13.0, 8.0 + 26.0


@pytest.fixture
def table(alice):
    """A table of four with sixty deals, all reported; deals are taken away, and added back, by its tests."""
    table = first_table(make_tournament(players=4, deals_per_round=MOST, account=alice))
    play_out(table)
    return table


def sheet_of(table, deals, *missing):
    """The table as if it had so many deals, these of them not reported: (pages, the sheet)."""
    table.deals = deals
    deals_of = Deal.objects.filter(table=table)
    deals_of.filter(number__in=missing).update(number=F("number") + NO_DEAL)
    made = filled_pages(table, Occasion(table.round, timezone.now())), score_sheet(table)
    deals_of.filter(number__gt=NO_DEAL).update(number=F("number") - NO_DEAL)
    return made


def expected(page, sheet):
    """Of each line of a page that is a deal's: (number, dealer's letter, running totals)."""
    first, last = page.context["deals_here"] or (1, len(sheet.lines))
    return [
        (str(line.number), SEAT_LETTERS[line.dealer], [signed(total) for total in line.running])
        for line in sheet.lines[first - 1 : last]
    ]


def words_in(path):
    """Of each page of a file its words in millimetres: (left, right, middle of the height, text)."""
    command = ["pdftotext", "-bbox", path, "-"]
    told = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    word = re.compile(r'xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</word>')
    return [
        [
            (
                float(left) * POINT - LEFT,
                float(right) * POINT - LEFT,
                (float(top) + float(bottom)) / 2 * POINT,
                text,
            )
            for left, top, right, bottom, text in word.findall(page)
        ]
        for page in told.split("<page ")[1:]
    ]


def printed(page, words, players):
    """What is printed in the line of each deal of a page: (number, dealer's letter, running totals)."""
    row = float(re.search(r"\.deals\{line-height:([\d.]+)mm", page.styles)[1])
    edges = re.findall(r"\.h-([\w-]+)\{left:([\d.]+)mm;width:([\d.]+)mm\}", page.styles)
    columns = {key: (float(left), float(left) + float(width)) for key, left, width in edges}
    first, last = page.context["deals_here"] or (1, len(page.context["discs"]))
    begins = TOP + HEAD + row * (first > 1)
    lines = []
    for index in range(last - first + 1):
        middle = begins + (index + 0.5) * row
        here = [word for word in words if abs(word[2] - middle) < row / 2]

        def at(key, here=here):
            left, right = columns[key]
            return [text for begun, end, _y, text in here if left - 0.1 <= begun and end <= right + 0.1]

        totals = [
            text
            for position in range(players)
            for begun, end, _y, text in here
            if abs(end - (columns[f"player-{position}"][1] - CHARACTER)) < CHARACTER / 2
        ]
        (number,) = at("number")
        (dealer,) = at("dealer")
        lines.append((number, dealer, totals))
    return lines


@pytest.mark.slow
def test_every_line_is_printed_beside_its_deal_whichever_deal_is_missing(table, tmp_path):
    """One file: each number of deals with its first or its last one missing; sixty with each missing in one sheet."""
    cases = [(deals, [1 if deals % 2 else deals]) for deals in range(1, MOST + 1)]
    cases += [(MOST, range(first, MOST + 1, APART)) for first in range(1, APART + 1)]
    pages, meant = [], []
    for deals, missing in cases:
        made, sheet = sheet_of(table, deals, *missing)
        pages += made
        meant += [expected(page, sheet) for page in made]
    target = tmp_path / "sheets.pdf"
    render.write(pages, "x", target)
    found = words_in(target)
    assert len(found) == len(pages) == 40 + (20 + APART) * 2
    for page, words, lines in zip(pages, found, meant, strict=True):
        assert printed(page, words, 4) == lines


def test_every_line_of_a_blank_sheet_is_printed_beside_its_deal(table, tmp_path):
    pages, meant = [], []
    for deals in (1, 2, 39, 40, 41, 42, 59, 60):
        table.deals = deals
        made = blank_pages(table, Occasion(table.round, timezone.now()), "http://x")
        pages += made
        meant += [expected(page, blank_sheet(table)) for page in made]
    target = tmp_path / "blank.pdf"
    render.write(pages, "x", target)
    for page, words, lines in zip(pages, words_in(target), meant, strict=True):
        assert [line[:2] for line in printed(page, words, 4)] == [line[:2] for line in lines]


@pytest.mark.parametrize("deals", [1, 2, 7, 40, 41, 60])
def test_every_line_is_an_element_of_its_own_also_where_it_is_empty(table, deals):
    """As the parser that lays them out reads them; with the first deals, the last ones, and all of them missing."""
    for missing in {1, 2, deals}:
        pages, _sheet = sheet_of(table, deals, missing)
        table.deals = deals
        for page in pages + blank_pages(table, Occasion(table.round, timezone.now()), "http://x"):
            html = render_page(page, 1, 1)
            assert "<pre" not in html
            layers = {
                element.get("class"): [line.text or "" for line in element]
                for element in HTML(string=html).etree_element.iter("div")
                if "layer" in (element.get("class") or "").split()
            }
            for css, key in (
                ("layer deals", "light"),
                ("layer deals discs", "discs"),
                ("layer deals heavy", "heavy"),
                ("layer feet", "light_feet"),
                ("layer feet heavy", "heavy_feet"),
                ("layer titles", "subheadings"),
            ):
                assert layers.get(css, []) == page.context[key], key


def test_no_sheet_lays_out_its_lines_by_line_breaks():
    """HTML drops the first line break of a <pre>, and other parsers drop others."""
    texts = {
        path.name: path.read_text("utf-8") for path in (settings.BASE_DIR / "templates/paper").glob("*.html")
    }
    assert [name for name, text in texts.items() if re.search(r"<(pre|textarea|listing)\b", text)] == []
