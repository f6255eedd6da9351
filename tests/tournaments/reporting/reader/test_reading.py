"""Photographs of ticked sheets are read, or it is said why not. The pictures are made: see `tests.photographs`."""

from __future__ import annotations

import io
import struct
import sys
from dataclasses import replace
from zlib import compress, crc32

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from PIL import Image

from scoring.notation import read_words
from scoring.results import read_result
from scoring.seats import Seating, dealer_of
from scoring.settlement import IllegalResult, settle
from tests.photographs.camera import LEVELS, photographed
from tests.photographs.hands import HANDS
from tests.photographs.made import any_lines, made, ticked
from tournaments.demo.play import results
from tournaments.reporting.reader.boxes import Reporter, reported_lines
from tournaments.reporting.reader.layout import SheetName, UnknownLayout
from tournaments.reporting.reader.reader import read
from tournaments.reporting.reader.results import Box, Line, Reading, Reason, State
from tournaments.reporting.reader.text import CORNER_MISSING, why_unreadable

CLEAN = HANDS["crosses"]
SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))


def seatings(layout, first_dealer=0):
    return {row.deal: Seating(4, dealer_of(row.deal, 4, first_dealer)) for row in layout.rows}


def odd_notes():
    """A picture to be turned by its camera's notes, which say besides that it is -1 pixels wide."""
    width, turned = struct.pack("<HHIi", 0x100, 9, 1, -1), struct.pack("<HHII", 0x112, 3, 1, 6)
    kept = io.BytesIO()
    exif = b"Exif\0\0II*\0\x08\0\0\0\x02\0" + width + turned + bytes(4)
    Image.new("L", (1000, 1000)).save(kept, "JPEG", exif=exif)
    return kept.getvalue()


def jpeg(pixels):
    kept = io.BytesIO()
    Image.fromarray(np.asarray(pixels, dtype=np.uint8)).save(kept, "JPEG", quality=85)
    return kept.getvalue()


@pytest.fixture
def filled(unions_page):
    """A page ticked with crosses: what is drawn, and what is true."""
    page, layout, rulebook = unions_page
    random = np.random.default_rng(7)
    lines = any_lines(layout, rulebook, random)
    return ticked(page.astype(np.float32), layout, lines, CLEAN, random, dirt=0)


def test_what_is_certain_is_true_and_the_rest_is_asked(unions_page):
    page, layout, rulebook = unions_page
    picture, truth = made(page, layout, rulebook, 31, hand="ticks", level="normal")
    found = read(picture, lambda _name: layout)
    assert isinstance(found, Reading)
    assert (found.sheet.round, found.sheet.table, found.sheet.layout) == (1, 1, layout.code)
    told = reported_lines(found, rulebook, seatings(layout))
    certain = [(one.line.chosen, true) for one, true in zip(told, truth.lines, strict=True) if one.certain]
    assert [pair for pair in certain if pair[0] != pair[1]] == []
    assert len(certain) > 0.85 * sum(true != {} for true in truth.lines)
    for line in found.lines:
        assert line.certain or line.is_empty or line.why
        (left, top), _right, (right, bottom), _left = line.boxes[0].quad
        assert (left, top) != (right, bottom)


STAIN, BLOT, SMEAR, TRUMPED, NO_CONTRACT, UNSURE, FAINT, NOT_SURE = (
    ({}, "stray"),
    ({"contract": State.VOID}, "missing"),
    ({"result": State.DOUBT}, "faint"),
    ({"contract": State.TICK, "trump": State.TICK}, "missing"),
    ({"trump": State.TICK, "result": State.TICK}, "missing"),
    ({"declarer": State.DOUBT, "trump": State.TICK}, "faint"),
    ({"contract": State.DOUBT, "result": State.TICK}, "faint"),
    ({}, "place"),
)
PASSED_OUT = ({"alone": State.TICK}, "")


@pytest.mark.parametrize(
    ("later", "asked"),
    [
        *((one, False) for one in (STAIN, BLOT, SMEAR)),
        *((one, True) for one in (TRUMPED, NO_CONTRACT, UNSURE, FAINT, NOT_SURE, PASSED_OUT)),
    ],
)
def test_only_rows_before_a_deal_ask_what_is_missing_not_those_before_a_stain(unions_page, later, asked):
    """Of a sheet with deals to come: one is read, two rows are empty, then there is something, and nothing behind."""
    _page, layout, rulebook = unions_page
    first = {"declarer": State.TICK, "contract": State.TICK, "result": State.TICK}
    rows = [(first, "rare"), ({}, ""), ({}, ""), later, ({}, "")]
    lines = tuple(
        Line(
            deal=deal,
            certain=not why,
            boxes=tuple(
                Box(group.key, 0, states.get(group.key, State.EMPTY), 0.0, "", SQUARE)
                for group in layout.groups
            ),
            chosen={"alone": "passed"} if "alone" in states else {},
            why=why,
            quad=SQUARE,
        )
        for deal, (states, why) in enumerate(rows, start=1)
    )
    sheet = SheetName("CODE", 1, 1, 1, layout.code)
    told = reported_lines(Reading(sheet, layout, lines, 1.0, 0.0), rulebook, seatings(layout))
    assert [one.why for one in told if one.is_empty] == ["missing" if asked else ""] * 2 + [""]
    assert [one.certain for one in told if one.is_empty] == [not asked] * 2 + [True]
    if later != PASSED_OUT:
        assert (told[3].certain, told[3].why) == (False, later[1])  # it is asked itself, whatever it is
    press = replace(Reading(sheet, layout, lines, 1.0, 0.0), press=True)
    told = reported_lines(press, rulebook, seatings(layout))
    assert [one.why for one in told if one.is_empty] == ["missing"] * 3  # a weak hand may be anywhere


def test_a_sheet_that_lies_upside_down_without_ticks_is_empty(unions_page):
    page, layout, _rulebook = unions_page
    found = read(jpeg(np.rot90(page, 2)), lambda _name: layout)
    assert all(line.is_empty and not line.certain for line in found.lines)
    assert {box.state for line in found.lines for box in line.boxes} == {State.EMPTY}


def test_what_cannot_be_read_says_what_to_do(unions_page, filled):
    page, layout, _rulebook = unions_page
    drawn, _truth = filled
    poster = np.random.default_rng(1).integers(0, 255, (150, 110)).repeat(10, 0).repeat(10, 1)
    bomb = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(said)) + kind + said + struct.pack(">I", crc32(kind + said))
        for kind, said in (
            (b"IHDR", struct.pack(">2I5B", 60_000, 60_000, 8, 0, 0, 0, 0)),
            (b"IDAT", compress(b"0")),
        )
    )
    unmarked = page.copy()
    unmarked[100:360, 1630:1890] = 255

    def unknown(_name):
        raise UnknownLayout(9)

    rows = [
        (b"", Reason.NO_PICTURE),
        (b"%PDF-1.7 no picture", Reason.NO_PICTURE),
        (jpeg(page)[:40], Reason.NO_PICTURE),
        (bomb, Reason.TOO_LARGE),
        (jpeg(page[::4, ::4]), Reason.TOO_SMALL),
        (jpeg(np.full((1200, 1000), 8)), Reason.TOO_DARK),
        (jpeg(poster), Reason.NO_SHEET),
        (jpeg(np.pad(drawn[:2500, :1800], 60)), Reason.CUT_OFF),
        (jpeg(unmarked), Reason.NO_CODE),
        (odd_notes(), Reason.NO_PICTURE),
    ]
    told = [read(picture, lambda _name: layout) for picture, _reason in rows]
    assert [found.reason for found in told] == [reason for _picture, reason in rows]
    assert all(why_unreadable(found) for found in told)
    whole = jpeg(page)
    assert read(whole, lambda _name: None).reason is Reason.UNKNOWN_LAYOUT
    assert read(whole, lambda _name: replace(layout, page=2)).reason is Reason.UNKNOWN_LAYOUT
    assert read(whole, unknown).reason is Reason.UNKNOWN_VERSION
    missing = read(jpeg(np.pad(drawn[:2740, :1890], 60, constant_values=90)), lambda _name: layout)
    assert why_unreadable(missing) in (*CORNER_MISSING, why_unreadable(told[7]))


def test_an_installation_without_opencv_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "cv2", None)
    monkeypatch.setattr("tournaments.reporting.reader.reader.find_spec", lambda _name: None)
    assert read(b"", lambda _name: None).reason is Reason.UNAVAILABLE


def ticks_of(result, layout, rulebook, seating):
    """What a captain ticks for a result of the engine: the box that settles it alike, else “see note”."""

    if result.get("all_passed"):
        return {"alone": "passed"}
    groups = {group.key: group.values for group in layout.groups}
    chosen = {
        key: str(result[key])
        for key in ("declarer", "contract", "trump", "partner", "estuches")
        if key in result and str(result[key]) in groups.get(key, ())
    }
    real = read_result(result, seating)
    reporter = Reporter(layout, rulebook, {})
    for value in groups["result"]:
        made_of = reporter.result(chosen | {"result": value}, seating)
        if made_of and tokens(made_of._replace(pool=real.pool), seating, rulebook) == tokens(
            real, seating, rulebook
        ):
            return chosen | {"result": value}
    return chosen | {"alone": "note"}


def tokens(result, seating, rulebook):
    """None where the rules do not allow it."""
    try:
        return settle(result, seating, rulebook).tokens
    except IllegalResult:
        return None


@settings(
    max_examples=1,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(seed=st.integers(0, 10_000))
@pytest.mark.parametrize(
    ("rules", "players", "deals", "hand", "certain"),
    [
        (("union", {}), 4, 40, "pencil", 10),
        (("union", {}), 4, 40, "mixed", 0),
        (("crocodile", {}), 3, 24, "ticks", 12),
        (("renegado", {}), 4, 20, "sloppy", 3),
        (("renegado", {"sits_out": "dealer", "mort": False}), 4, 20, "ticks", 3),
    ],
)
def test_whatever_the_engine_deals_is_read_as_it_was_or_asked_back(
    page_for, rules, players, deals, hand, certain, seed
):
    name, options = rules
    page, layout, rulebook = page_for(name, players, deals, **options)
    seated = {row.deal: rulebook.seating(players, dealer_of(row.deal, players, 0)) for row in layout.rows}
    dealt = list(results(rulebook, players, deals, seed=seed))
    lines = [ticks_of(result, layout, rulebook, seated[deal]) for deal, result in enumerate(dealt, start=1)]
    random = np.random.default_rng(seed)
    drawn, truth = ticked(page.astype(np.float32), layout, lines, HANDS[hand], random)
    found = read(photographed(drawn, LEVELS["easy"], random), lambda _name: layout)
    told = reported_lines(found, rulebook, seated)
    for line, true, result in zip(told, truth.lines, dealt, strict=True):
        if line.certain:
            assert line.line.chosen == true
            seating = seated[line.deal]
            read_back = read_words(line.text, seating, rulebook)
            real = read_result(result, seating)
            # What stood in the pool is no line's to say.
            in_play = read_back._replace(pool=real.pool)
            assert tokens(in_play, seating, rulebook) == settle(real, seating, rulebook).tokens
            assert read_back.to_json(seating) == line.result
        else:
            assert line.why
    assert sum(line.certain for line in told) >= certain
