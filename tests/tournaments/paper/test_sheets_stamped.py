"""Score sheets whose lines are written from samples are those whose lines are laid out: words, tags and pixels."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from django.utils import timezone, translation

from core.pdf import forms, render
from core.pdf.forms import Sample, UnknownDrawingError, as_laid_out, samples_of, with_whole_lines
from core.pdf.page import Cell, Line, Lines
from tests.evenings import play_folders, play_table
from tests.factories import first_table, make_tournament, play_out
from tests.tagged import Tagged
from tournaments.models import Deal
from tournaments.paper.page import Occasion
from tournaments.paper.score import blank_pages, filled_pages

# Of a page's pixels at 100 dpi, those that may differ by more than half between black and white.
MOST_PIXELS = 0.000_006
PIXELS_AT_ONCE = 64

SHEETS = {
    "four": {"players": 4, "deals_per_round": 40},
    "three": {"players": 3, "deals_per_round": 30, "deals_at_three": 30},
    "two pages": {"players": 4, "deals_per_round": 44},
    "folders": {"players": 4, "deals_per_round": 16, "boards": True},
    "pool": {"players": 4, "deals_per_round": 24, "rulebook": "renegado"},
    "five and a pool": {"players": 5, "deals_per_round": 20, "rulebook": "ombre_five"},
    "one deal": {"players": 4, "deals_per_round": 4},
}


def words_of(file):
    """Each word with its box, in points."""
    command = ["pdftotext", "-bbox", file, "-"]
    read = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    found = re.findall(r'xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)<', read)
    return sorted((text, *map(float, box)) for *box, text in found)


def assert_same_words(file, other):
    """The words are the same, and within a hundredth of a millimetre in the same places."""
    places, wanted = words_of(file), words_of(other)
    assert [text for text, *_box in places] == [text for text, *_box in wanted]
    for (text, *box), (_text, *other_box) in zip(places, wanted, strict=True):
        assert box == pytest.approx(other_box, abs=0.03), text


def pixels_of(file):
    command = ["pdftoppm", "-gray", "-r", "100", file]
    return subprocess.run(command, check=True, capture_output=True).stdout


def differences(one, other):
    """The share of pixels that differ by more than half."""
    assert len(one) == len(other)
    unlike = 0
    for begin in range(0, len(one), PIXELS_AT_ONCE):  # nearly all are the same: those are compared in no loop
        some, others = one[begin : begin + PIXELS_AT_ONCE], other[begin : begin + PIXELS_AT_ONCE]
        if some != others:
            unlike += sum(abs(a - b) > 127 for a, b in zip(some, others, strict=True))
    return unlike / len(one)


def tags_of(file):
    """What is read aloud, and the texts of every table by row and cell."""
    tagged = Tagged(file)
    assert tagged.faults() == []
    return tagged.text(tagged.root), [tagged.table(table) for table in tagged.all("/Table")]


def both_ways(pages, folder):
    """The files of these pages, with samples and with every line laid out."""
    files = [Path(folder, name) for name in ("stamped.pdf", "whole.pdf")]
    for file, chosen in zip(files, (pages, [with_whole_lines(page) for page in pages]), strict=True):
        render.write(chosen, "Sheets", file)
    return files


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "language"), [*((kind, "en") for kind in SHEETS), ("four", "da"), ("pool", "sv")]
)
def test_a_sheet_with_samples_is_the_sheet_with_every_line_laid_out(alice, tmp_path, kind, language):
    table = first_table(make_tournament(account=alice, **SHEETS[kind]))
    if table.folders:
        play_folders(table)
    else:
        play_table(table, seed=3, now=timezone.now())
    Deal.objects.filter(table=table, number=2).delete()
    occasion = Occasion(table.round, timezone.now())
    with translation.override(language):
        pages = filled_pages(table, occasion) + blank_pages(table, occasion, "http://192.168.1.24:8000")
        stamped, whole = both_ways(pages, tmp_path)
    lines = [sum(len(as_laid_out(page).context[key]) for key in ("light", "discs")) for page in pages]
    assert max(lines) < 8
    assert_same_words(stamped, whole)
    assert tags_of(stamped) == tags_of(whole)
    assert differences(pixels_of(stamped), pixels_of(whole)) <= MOST_PIXELS


def with_letters(page, text):
    """The page with this text in place of the contract of its first deal."""
    first, *others = page.context["light"]
    lines = [Line(first.replace("Game", text), first.cells), *others]
    (table,) = page.tables
    parts = [
        replace(part, lines=lines) if getattr(part, "layer", "") == "light" else part for part in table.parts
    ]
    return replace(page, context=page.context | {"light": lines}, tables=[replace(table, parts=parts)])


@pytest.fixture
def page(alice):
    table = first_table(make_tournament(4, account=alice, deals_per_round=8))
    play_out(table)
    (page,) = filled_pages(table, Occasion(table.round, timezone.now()))
    return page


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["山田山田", "Ga\N{COMBINING RING ABOVE}me", "Æøåß"])
def test_letters_that_no_sample_has_leave_the_other_layers_as_they_are(page, tmp_path, text):
    stamped, whole = both_ways([with_letters(page, text)], tmp_path)
    assert_same_words(stamped, whole)
    assert tags_of(stamped) == tags_of(whole)
    assert differences(pixels_of(stamped), pixels_of(whole)) <= MOST_PIXELS


@pytest.mark.django_db
def test_a_sheet_that_is_to_fit_on_one_page_is_tagged_without_samples(page, tmp_path):
    fitting = Path(tmp_path, "fitting.pdf")
    fitting.write_bytes(render.fitting([page], "Sheet"))
    assert Tagged(fitting).faults() == []


def lines_of(*texts, layer="light", is_centred=False):
    return Lines(0, [Line(text, [Cell(0, len(text))]) for text in texts], layer=layer, is_centred=is_centred)


@pytest.mark.parametrize(
    ("part", "samples"),
    [
        (lines_of("ab", "ba", "b"), ["ab"]),
        (lines_of("ab ♥", "", "b"), [" ab♥"]),
        (lines_of("A", "B", "", "A", is_centred=True), ["A", "B"]),
        (lines_of("ab", "ba", layer=""), ["ab", "ba"]),
        (lines_of("ab", "山"), ["ab", "山"]),
        (lines_of("ab", "b\N{COMBINING ACUTE ACCENT}"), ["ab", "b\N{COMBINING ACUTE ACCENT}"]),
        (lines_of("ab"), ["ab"]),
        (lines_of("", ""), ["", ""]),
    ],
)
def test_lines_are_written_from_samples_where_each_letter_is_one_glyph(part, samples):
    assert list(samples_of(part)) == samples


DRAWN = [
    b"BT",
    b"1 0 0 -1 10 20.5 Tm",
    b"/F 11 Tf",
    b"[<00010002>-12<0003>] TJ",
    b"/G 11 Tf",
    b"[<0009>] TJ",
    b"ET",
]


def test_a_line_is_drawn_with_the_glyphs_of_the_sample_at_its_height():
    line = Line("b♥a", [Cell(0, 1), Cell(1, 3)])
    assert Sample("abc♥", DRAWN).write(line, 7, 25.4).split(b"\n") == [
        b"BT",
        b"1 0 0 -1 10 116.500000 Tm",
        b"/Span <</MCID 7>> BDC",
        b"/F 11 Tf",
        b"[<0002>-12<>] TJ",
        b"EMC",
        b"/Span <</MCID 8>> BDC",
        b"/G 11 Tf",
        b"[<0009>] TJ",
        b"/F 11 Tf",
        b"[<0001>] TJ",
        b"EMC",
        b"ET",
    ]


@pytest.mark.parametrize(
    ("text", "operators"),
    [
        ("ab", DRAWN),
        ("abc♥", [b"BT", *DRAWN[2:]]),
        ("abc♥", [*DRAWN[:4], b"1 Tr", *DRAWN[4:]]),
        ("abc♥", [b"BT", b"ET"]),
    ],
)
def test_a_sample_that_is_drawn_otherwise_is_refused(text, operators):
    with pytest.raises(UnknownDrawingError):
        Sample(text, operators)


@pytest.mark.django_db
def test_where_samples_are_drawn_otherwise_every_line_is_laid_out(page, tmp_path, monkeypatch):
    stamped, whole = both_ways([page], tmp_path)
    monkeypatch.setattr(forms, "_GLYPH", 2)  # twice as many glyphs as letters
    render.write([page], "Sheets", stamped)
    assert words_of(stamped) == words_of(whole)
    assert tags_of(stamped) == tags_of(whole)
