"""Score sheets whose lines are written from samples are those whose lines are laid out: words, tags and pixels."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from django.utils import timezone, translation

from core.pdf import render, stamping
from core.pdf.stamping import Sample, UnknownDrawingError, as_laid_out, samples_of, with_whole_lines
from core.pdf.text_tables import Cell, Line, Lines
from tests.evenings import play_folders, play_table
from tests.factories import first_table, make_tournament, play_out
from tests.tagged import Tagged
from tournaments.models import Deal
from tournaments.paper.page import Occasion
from tournaments.paper.score import blank_pages, filled_pages

# Of a page's pixels at 100 dpi, those that may differ by more than half between black and white.
MOST_PIXELS = 0.000_006

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


def pixels_of(file):
    command = ["pdftoppm", "-gray", "-r", "100", file]
    return subprocess.run(command, check=True, capture_output=True).stdout


def differences(one, other):
    """The share of pixels that differ by more than half."""
    assert len(one) == len(other)
    return sum(abs(a - b) > 127 for a, b in zip(one, other, strict=True) if a != b) / len(one)


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
    places, wanted = words_of(stamped), words_of(whole)
    assert [text for text, *_box in places] == [text for text, *_box in wanted]
    for (text, *box), (_text, *other) in zip(places, wanted, strict=True):
        assert box == pytest.approx(other, abs=0.03), text
    assert tags_of(stamped) == tags_of(whole)
    assert differences(pixels_of(stamped), pixels_of(whole)) <= MOST_PIXELS


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
def test_where_samples_are_drawn_otherwise_every_line_is_laid_out(alice, tmp_path, monkeypatch):
    table = first_table(make_tournament(4, account=alice, deals_per_round=8))
    play_out(table)
    pages = filled_pages(table, Occasion(table.round, timezone.now()))
    stamped, whole = both_ways(pages, tmp_path)
    read = words_of(whole)
    monkeypatch.setattr(stamping, "_GLYPH", 2)  # twice as many glyphs as letters
    render.write(pages, "Sheets", stamped)
    assert words_of(stamped) == read
