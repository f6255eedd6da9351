"""Texts made fit for paper."""

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from core.pdf.fonts import FIGURE, SIGNS, cells, cut, cut_to, ems, plain, titles_of, to_the_right, wrap
from tournaments.domain.terms import signed
from tournaments.paper import boards
from tournaments.paper.page import POINT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Åse", 3),
        ("A\u030ase", 3),  # a ring as a character of its own
        ("山田", 4),
        ("😀", 2),
        ("", 0),
    ],
)
def test_a_wide_character_takes_two_cells_and_an_accent_none(text, expected):
    assert cells(text) == expected


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("Anna Holm", 9, "Anna Holm"),
        ("Anna Holm", 8, "Anna Ho…"),
        ("Anna Holm", 6, "Anna…"),
        ("山田太郎", 5, "山田…"),
        ("山田太郎", 4, "山…"),
        ("Anna", 1, "…"),
    ],
)
def test_a_text_is_cut_to_its_width_with_a_sign_that_it_was(text, width, expected):
    assert cut(text, width) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna\n  Holm\t", "Anna Holm"),
        ("\u202eAnna", "Anna"),  # turns the direction of writing
        ("An\x00na\ud800", "Anna"),
        ("Z\u0335\u0322\u031b\u0347a", "Z\u0335\u0322a"),  # accents that climb out of the line
        ("A\u030a", "Å"),
        ("👨‍👩‍👧 Anna 👍🏽❤️", "□ Anna □❤"),
    ],
)
def test_a_text_stays_on_its_line(text, expected):
    assert plain(text) == expected


def test_a_sign_is_as_wide_as_the_face_has_it_that_prints_it():
    with TTFont("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", lazy=True) as font:
        advances, em, glyphs = font["hmtx"].metrics, font["head"].unitsPerEm, font.getBestCmap()
        found = {sign: advances[glyphs[ord(sign)]][0] / em for sign in SIGNS}
    assert found == pytest.approx(SIGNS, abs=0.001)


def test_titles_are_boxes_over_their_columns_whatever_their_letters_are():
    assert titles_of([("Deal", 3.0, ">"), ("Contract", 10.2, "<")]) == [
        ("Deal", 3.0, "right"),
        ("Contract", 10.2, "left"),
    ]


def test_the_columns_of_the_ranking_are_no_wider_than_its_page():
    columns = (boards.PLACE, boards.NAME, boards.DIFFERED, boards.DEALS)
    assert (sum(columns) + boards.PLAIN + boards.PLAIN_PLACE) * 10 * POINT <= 187.1


@given(st.integers(min_value=-9999, max_value=9999), st.integers(min_value=5, max_value=9))
def test_numbers_stand_below_numbers_to_the_figure(tokens, figures):
    assert ems(to_the_right(signed(tokens), figures)) == pytest.approx(figures * FIGURE)


@given(st.text(), st.integers(min_value=2, max_value=60))
def test_a_text_is_cut_to_its_room(text, room):
    shown = cut_to(text, room)
    assert ems(shown) <= room
    assert shown == plain(text) or shown.endswith("…")


@given(st.text(), st.integers(min_value=2, max_value=60))
def test_wrapping_loses_no_letter_and_keeps_to_the_width(text, room):
    lines = wrap(text, room)
    assert all(ems(line) <= room for line in lines)
    assert "".join("".join(lines).split()) == "".join(plain(text).split())


def test_words_are_kept_whole_where_they_fit():
    assert wrap("the captain pressed the wrong player", 6) == ["the captain", "pressed the", "wrong player"]


@pytest.mark.parametrize(("tokens", "expected"), [(6, "+6"), (-12, "−12"), (0, "0")])
def test_tokens_have_their_sign(tokens, expected):
    assert signed(tokens) == expected
