"""Where everything is on a score sheet."""

import re
import subprocess
from base64 import b64decode
from dataclasses import replace
from itertools import cycle, islice
from types import SimpleNamespace

import pytest
from django.utils import timezone, translation

from core.pdf import render
from core.pdf.fonts import FIGURE, ems
from scoring import rulebooks
from scoring.words import OUTCOME_NAMES
from tests.factories import first_table, make_tournament, play_out
from tests.languages import LANGUAGES
from tournaments.domain.terms import contract_name, outcome_name
from tournaments.paper.page import POINT, Occasion, shares
from tournaments.paper.score import filled_pages, headings
from tournaments.paper.score_grid import CHARACTER, CHARACTERS, Grid, Row, stylesheet


def grid_of(players, deals, first=1, **fields):
    """A grid in which the turn goes around from seat A on, and who sits opposite the dealer of four sits out."""
    dealers = tuple(islice(cycle(range(players)), deals))
    sits_out = tuple((dealer + 2) % 4 if players == 4 else None for dealer in dealers)
    return Grid(players, first, dealers, sits_out, row=5.4, feet=2, foot=6.6, **fields)


AT_FOUR, AT_THREE = grid_of(4, 40), grid_of(3, 30)
EXTRAS = [{}, {"with_pool": True}, {"with_folders": True}, {"with_check": True, "with_folders": True}]


def words_of(line):
    """(text, where it begins and ends in figures) of a line's words; one space alone is within them."""
    return [
        (found[0], ems(line[: found.start()]) / FIGURE, ems(line[: found.end()]) / FIGURE)
        for found in re.finditer(r"\S+(?: \S+)*", line)
    ]


@pytest.mark.parametrize(
    ("players", "extras"),
    [(players, extras) for players in (2, 3, 4) for extras in EXTRAS] + [(5, EXTRAS[1])],
)
def test_tables_of_every_size_fill_the_same_width_and_every_heading_has_room(players, extras):
    grid = grid_of(players, 5, **extras)
    assert grid.characters == CHARACTERS
    for language in LANGUAGES:
        with translation.override(language):
            told = headings(grid)
        for (key, title, size), (_key, _left, width) in zip(told, grid.columns(), strict=True):
            longest = max(title.split(), key=ems) if key == "sits_out" else title
            assert ems(longest) * size * POINT <= width + 0.7, (key, language)
            assert size > 5.5, (key, language)


def test_the_pool_has_a_column_where_there_is_one():
    with_pool = replace(AT_THREE, with_pool=True)
    assert "pool" not in AT_THREE.widths
    ((text, begun, end),) = words_of(with_pool.light([Row({"pool": "145"})])[0])
    (left,) = [left / CHARACTER for key, left, _width in with_pool.columns() if key == "pool"]
    assert (text, begun, end) == ("145", pytest.approx(left), pytest.approx(left + 3))


def test_nobody_sits_out_at_a_table_of_three():
    assert "sits_out" in AT_FOUR.widths
    assert "sits_out" not in AT_THREE.widths


@pytest.mark.parametrize(
    "contract", ["Solo", "Grand tourné", "Nolo", "1", "iiiiiiii", "W" * 12, "Spil 7", "山田"]
)
def test_every_text_stands_in_its_column(contract):
    texts = {
        "number": "17",
        "sits_out": "C",
        "declarer": "B",
        "contract": contract,
        "trump": "♥",
        "result": "won",
    }
    row = Row(texts | {"dealer": "A"}, tokens=["−2", "+4", "0", "−12"], running=["+10", "−4", "0", "−6"])
    found = words_of(AT_FOUR.light([row])[0])
    edges = {key: (left / CHARACTER, (left + width) / CHARACTER) for key, left, width in AT_FOUR.columns()}
    assert AT_FOUR.discs([row]) == ["A"]
    assert len(found) == len(texts) + 4
    for (text, begun, end), key in zip(found, texts, strict=False):
        left, right = edges[key]
        assert left <= begun < end <= right + 0.02, (text, key)
    for (text, _begun, end), seat in zip(found[-4:], range(4), strict=True):
        assert text == row.tokens[seat]
        assert end == pytest.approx(
            AT_FOUR.figures_width + seat * AT_FOUR.player + AT_FOUR.pair[0] - 1, abs=0.02
        )
    for (text, _begun, end), seat in zip(words_of(AT_FOUR.heavy([row])[0]), range(4), strict=True):
        assert text == row.running[seat]
        assert end == pytest.approx((seat + 1) * AT_FOUR.player - 1)


@pytest.mark.django_db
def test_the_printer_puts_every_word_where_the_lines_mean_it(alice, tmp_path):
    """The widths of letters that lines are filled up by are the printer's: measured in the file."""
    table = first_table(make_tournament(players=4, deals_per_round=8, account=alice))
    play_out(table)
    (page,) = filled_pages(table, Occasion(table.round, timezone.now()))
    render.write([page], "x", tmp_path / "x.pdf")
    command = ["pdftotext", "-bbox", tmp_path / "x.pdf", "-"]
    told = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    words = re.findall(r'xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)" yMax="[\d.]+">(.*?)<', told)
    meant = words_of(page.context["light"][0])
    assert [text for text, _begun, _end in meant] == ["1", "C", "B", "Game", "♥", "won", "−1", "+2", "−1"]
    millimetres = [(float(begun) * POINT - 13, float(end) * POINT - 13, text) for begun, end, text in words]
    for text, begun, end in meant:
        assert any(
            said == text
            and at == pytest.approx(begun * CHARACTER, abs=0.1)
            and to == pytest.approx(end * CHARACTER, abs=0.1)
            for at, to, said in millimetres
        ), text


# Crocodile is played by three; a pool is renegado's, and that of five players.
CROCODILES = {
    "simple_loss",
    "simple_remis",
    "piccolo_remis",
    "crocodile_lunch",
    "contraprimeras",
    "contranolo",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("grid", "names", "outcomes"),
    [
        (AT_FOUR, ("union", "rasle", "la_bete"), ("won", "bete", "kodille", "washout")),
        (AT_THREE, ("crocodile", "union"), CROCODILES),
        (replace(AT_FOUR, with_pool=True), ("renegado",), set(OUTCOME_NAMES) - CROCODILES),
        (grid_of(5, 40, with_pool=True), ("ombre_five",), ("won", "kodille", "remise", "lost")),
    ],
    ids=["at four", "at three", "with a pool", "at five"],
)
def test_every_contract_and_outcome_fits_its_column_in_every_language(grid, names, outcomes, language):
    with translation.override(language):
        contracts = [
            contract_name(row.id) for book in rulebooks() if book.id in names for row in book.contracts
        ]
        results = [outcome_name(book, code) for book in rulebooks() if book.id in names for code in outcomes]
    assert [name for name in contracts if ems(name) > grid.room("contract")] == []
    assert [name for name in results if ems(name) > grid.room("result")] == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (4, [(0, 4)]),
        (40, [(0, 40)]),
        (41, [(0, 21), (21, 20)]),
        (80, [(0, 40), (40, 40)]),
    ],
)
def test_forty_deals_fit_a_page_and_more_are_shared_out(lines, expected):
    assert shares(lines, 40) == expected


def _drawn(grid):
    """The paths of a grid's picture: shades, dots, hairlines; and how many discs."""
    data = re.search(r"base64,([^)]+)", stylesheet(grid))[1]
    drawn = b64decode(data).decode()
    shades, dots, hairlines, *_others = re.findall(r'<path d="([^"]*)"', drawn)
    broken = re.search(r' ([\d.]+)V([\d.]+)" stroke="#000" stroke-dasharray="0.010 ([\d.]+)"', drawn)
    top, bottom, apart = map(float, broken.groups())
    discs = 1 + round((bottom - top) / (apart + 0.01))
    return SimpleNamespace(shades=shades, dots=dots, hairlines=hairlines, discs=discs)


def _cells(grid, path):
    """Where strokes begin, in rows and columns of figures."""
    points = re.findall(r"M([\d.]+) ([\d.]+)h", path)
    return [(int((float(y) - grid.top) / grid.row), float(x) / CHARACTER) for x, y in points]


@pytest.mark.parametrize(
    ("dealers", "first"), [((0, 1, 2, 3, 0), 1), ((2, 3, 0, 1, 2), 1), ((1, 1, 3, 0, 2), 42)]
)
def test_the_dealer_has_a_dot_and_the_cell_of_who_sits_out_is_grey(dealers, first):
    sits_out = tuple((dealer + 2) % 4 for dealer in dealers)
    grid = replace(AT_FOUR, first=first, dealers=dealers, sits_out=sits_out)
    brought_forward = int(first > 1)
    assert _cells(grid, _drawn(grid).shades) == [
        (index + brought_forward, pytest.approx(grid.figures_width + seat * grid.player, abs=0.01))
        for index, seat in enumerate(sits_out)
    ]
    assert [
        int((x - grid.figures_width) / grid.player) for _row, x in _cells(grid, _drawn(grid).dots)
    ] == list(dealers)
    assert _drawn(grid).discs == 5


def test_no_cell_is_grey_at_a_table_of_three():
    assert _drawn(AT_THREE).shades == ""


@pytest.mark.parametrize(
    ("players", "deals", "boxes"), [(4, 12, [4, 8, 12]), (4, 10, [4, 8, 10]), (3, 9, [3, 6, 9])]
)
def test_a_box_to_tick_stands_at_the_end_of_each_turn_of_the_deal(players, deals, boxes):
    grid = grid_of(players, deals, with_check=True)
    drawn = re.findall(r"M[\d.]+ ([\d.]+)h2.7v2.7h-2.7v-2.7", _drawn(grid).hairlines)
    assert [int((float(y) - grid.top) / grid.row) + 1 for y in drawn] == boxes
    assert "v2.7" not in _drawn(grid_of(players, deals)).hairlines
