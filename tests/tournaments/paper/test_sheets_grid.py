"""Where everything is on a score sheet."""

import re
from base64 import b64decode
from dataclasses import replace

import pytest
from django.conf import settings
from django.utils import translation

from scoring import rulebooks
from scoring.words import OUTCOME_NAMES
from tournaments.paper.grid import CHARACTER, Grid, Row, stylesheet
from tournaments.paper.pages import shares
from tournaments.words.terms import contract_name, outcome_name

AT_FOUR = Grid(players=4, first_dealer=0, first=1, deals=40, row=5.4, feet=2, foot=6.6)
AT_THREE = replace(AT_FOUR, players=3, deals=30)


@pytest.mark.parametrize("with_pool", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_tables_of_every_size_fill_the_same_width(players, with_pool):
    assert replace(AT_FOUR, players=players, with_pool=with_pool).characters == 110


def test_the_pool_has_a_column_where_there_is_one():
    with_pool = replace(AT_THREE, with_pool=True)
    assert "pool" not in AT_THREE.widths
    line = with_pool.light([Row({"pool": "145"})])
    start = next(round(left / CHARACTER) for key, left, _width in with_pool.columns() if key == "pool")
    assert line[start : start + with_pool.widths["pool"]].strip() == "145"


def test_nobody_sits_out_at_a_table_of_three():
    assert "sits_out" in AT_FOUR.widths
    assert "sits_out" not in AT_THREE.widths


def test_every_text_stands_in_its_column():
    row = Row(
        {"number": "17", "dealer": "A", "sits_out": "C", "declarer": "B", "contract": "Solo", "trump": "♥"},
        tokens=["−2", "+4", "", "−2"],
        running=["+10", "−4", "0", "−6"],
    )
    line, bold = AT_FOUR.light([row]), AT_FOUR.heavy([row])
    for key, left, width in AT_FOUR.columns():
        start, end = round(left / CHARACTER), round((left + width) / CHARACTER)
        assert line[start:end].strip() == row.texts.get(key, "")
    for seat in range(4):
        tokens_end = AT_FOUR.left + seat * AT_FOUR.player + AT_FOUR.pair[0]
        assert line[tokens_end - AT_FOUR.pair[0] : tokens_end].strip() == row.tokens[seat]
        assert bold[seat * AT_FOUR.player : (seat + 1) * AT_FOUR.player].strip() == row.running[seat]


def test_a_long_text_does_not_push_the_next_one_out_of_its_column():
    row = Row({"contract": "An invented contract", "result": "won"}, tokens=["+1"] * 4)
    line = AT_FOUR.light([row])
    assert line.index("+1") == AT_FOUR.light([Row({}, tokens=["+1"] * 4)]).index("+1")
    assert "An invented co…" in line


# Crocodile is played by three; a pool is renegado's, and that of five players.
CROCODILES = {
    "simple_loss",
    "simple_remis",
    "piccolo_remis",
    "crocodile_lunch",
    "contraprimeras",
    "contranolo",
}


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
@pytest.mark.parametrize(
    ("grid", "names", "outcomes"),
    [
        (AT_FOUR, ("union", "rasle", "la_bete"), ("won", "bete", "kodille", "washout")),
        (AT_THREE, ("crocodile", "union"), CROCODILES),
        (replace(AT_FOUR, with_pool=True), ("renegado",), set(OUTCOME_NAMES) - CROCODILES),
        (replace(AT_FOUR, players=5, with_pool=True), ("ombre_five",), ("won", "kodille", "remise", "lost")),
    ],
    ids=["at four", "at three", "with a pool", "at five"],
)
def test_every_contract_and_outcome_fits_its_column_in_every_language(grid, names, outcomes, language):
    with translation.override(language):
        contracts = [
            contract_name(row.id) for book in rulebooks() if book.id in names for row in book.contracts
        ]
        results = [outcome_name(book, code) for book in rulebooks() if book.id in names for code in outcomes]
    assert max(map(len, contracts), default=0) <= grid.room("contract")
    assert max(map(len, results)) <= grid.room("result")


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


def _strokes(grid, colour):
    """Where strokes of a colour begin, in rows and columns of characters."""
    data = re.search(r"base64,([^)]+)", stylesheet(grid))[1]
    path = re.search(rf'<path d="([^"]*)" stroke="{colour}"', b64decode(data).decode())[1]
    points = re.findall(r"M([\d.]+) ([\d.]+)h", path)
    return [(int(float(y) / grid.row), float(x) / CHARACTER) for x, y in points]


@pytest.mark.parametrize(
    ("first_dealer", "first", "expected"),
    [
        (0, 1, [2, 3, 0, 1, 2]),
        (1, 1, [3, 0, 1, 2, 3]),
        (0, 42, [3, 0, 1, 2, 3]),
    ],
)
def test_the_cell_of_the_player_who_sits_out_is_grey(first_dealer, first, expected):
    grid = replace(AT_FOUR, first_dealer=first_dealer, first=first, deals=5)
    brought_forward = int(first > 1)
    assert _strokes(grid, "#dcdcdc") == [
        (index + brought_forward, pytest.approx(grid.left + seat * grid.player))
        for index, seat in enumerate(expected)
    ]


def test_no_cell_is_grey_at_a_table_of_three():
    assert _strokes(AT_THREE, "#dcdcdc") == []
