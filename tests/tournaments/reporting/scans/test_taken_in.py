"""What was read of photographed sheets is answered, taken in whole or not at all, and taken back."""

from __future__ import annotations

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from core.jobs.models import Job
from core.jobs.queue import do_here
from scoring.notation import write_words
from tests.factories import first_table, make_tournament, report
from tests.photographs.made import any_lines
from tests.photographs.tables import printed_page, scanned
from tests.tournaments.reporting.scans.sheets import (
    GAME,
    NOW,
    PASS,
    SOLO,
    answers,
    page_of,
    picture_of,
    reading_of,
    send,
    told,
)
from tournaments.entries import teams
from tournaments.exports.verify.recount import differences
from tournaments.ledger.scoresheet import score_sheet
from tournaments.ledger.seating import seating_at
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import start_round
from tournaments.models import LogEntry, SheetPicture
from tournaments.reporting.reader.boxes import ALONE, Reporter
from tournaments.reporting.scans import stored


def test_a_sheet_is_taken_in_once_every_line_was_answered(as_alice, table):
    lines = [SOLO, ({key: GAME[key] for key in ("declarer", "contract", "result")}, {"trump": "C"}), PASS, {}]
    picture_of(table, lines)
    page = page_of(as_alice, table)
    assert [(row["line"].deal, row["line"].typed.text, row["why"]) for row in page.context["asked"]] == [
        (2, "C game c won", "A mark is faint.")
    ]
    rows = [row["line"].deal for _block, rows in page.context["blocks"] for row in rows]
    assert (rows, page.context["first"]) == ([1, 3, 4], 2)
    # Not said to be right, not looked through, mistyped, paper that adds up otherwise: nothing at all is stored.
    for changed in (
        {"right-2": None},
        {"looked-1": None},
        {"right-2": None, "line-2": "C gmae"},
        {"line-1": "B solo"},
        {"paper-4": "1 2 3 4"},
        {"key": "none"},
        {"pictures": "999"},
    ):
        again = send(as_alice, table, answers(page, **changed))
        assert again.status_code == 200
        assert told(table) == {}, changed
        assert again.context["pictures"]
    sent = answers(page)
    for _tap in range(2):
        done = send(as_alice, table, sent)
        assert done.status_code == 302
    assert {deal: result.get("contract") for deal, result in told(table).items()} == {
        1: "solo", 2: "simple_game", 3: None,
    }  # fmt: skip
    assert table.reports.count() == 3
    picture = SheetPicture.objects.get()
    assert (picture.taken_by, picture.wrong, picture.answers["wrong"]) == ("Alice", 0, [])
    assert "saved 3 deals from a photograph" in str(LogEntry.objects.first())
    assert list(differences(table.round.tournament)) == []


def test_it_is_taken_back_whole_by_the_button_beside_the_message(as_alice, table):
    report(table, 1, {"contract": "solo", "declarer": 1, "trump": "S", "outcome": "won"})
    before = told(table)
    picture_of(table, [SOLO, GAME, {}, {}])
    page = page_of(as_alice, table)
    done = send(as_alice, table, answers(page, **{"which-1": "paper"}))
    back = next(str(message.extra_tags) for message in done.wsgi_request._messages)
    assert told(table)[1]["trump"] == "H"
    for _tap in range(2):
        as_alice.post(back)
    assert told(table) == before
    assert SheetPicture.objects.get(taken_at=None).answers == {}
    # Taken in anew, and a deal corrected since: that stands, and all of it with it.
    done = send(as_alice, table, answers(page_of(as_alice, table), **{"which-1": "stands"}))
    assert SheetPicture.objects.get().wrong is None
    report(table, 2, {"all_passed": True}, base=3, reason="wrong")
    back = next(str(message.extra_tags) for message in done.wsgi_request._messages)
    as_alice.post(back)
    assert set(told(table)) == {1, 2}
    assert SheetPicture.objects.get().taken_at is not None


def test_what_the_phone_reported_meanwhile_stands_beside_the_paper(as_alice, table):
    picture_of(table, [SOLO, GAME, PASS, {}])
    page = page_of(as_alice, table)
    # Deal 1 otherwise, deal 2 the same, deal 4 not on the paper: while Alice looks.
    report(table, 1, {"contract": "solo", "declarer": 1, "trump": "S", "outcome": "won"})
    report(table, 2, {"contract": "simple_game", "declarer": 2, "trump": "C", "outcome": "won"})
    report(table, 4, {"all_passed": True})
    again = send(as_alice, table, answers(page))
    assert [(row["line"].deal, row["one"].problem) for row in again.context["asked"]] == [
        (1, "Choose which of the two counts.")
    ]
    assert set(told(table)) == {1, 2, 4}
    assert send(as_alice, table, answers(again, **{"which-1": "paper"})).status_code == 302
    assert (told(table)[1]["trump"], set(told(table)), table.reports.count()) == ("H", {1, 2, 3, 4}, 5)


def test_what_was_reported_is_not_typed_over_unseen(as_alice, table):
    picture_of(table, [SOLO, GAME, PASS, {}])
    page = page_of(as_alice, table)
    sent = answers(page, **{"line-4": "A solo h won"})
    report(table, 4, {"all_passed": True})
    for seen in (sent["seen"], "0,0,0,1"):
        again = send(as_alice, table, sent | {"seen": seen})
        assert [(row["line"].deal, row["stands"]) for row in again.context["asked"]] == [(4, "all passed")]
        assert again.context["seen"] == "0,0,0,1"
        assert told(table) == {4: {"all_passed": True}}
    assert send(as_alice, table, sent | {"seen": "0,0,0,1", "which-4": "paper"}).status_code == 302
    assert told(table)[4]["contract"] == "solo"


@pytest.mark.parametrize(("which", "contract"), [("stands", None), ("paper", "solo")])
def test_what_is_chosen_is_stored_where_somebody_has_typed_over_a_report(as_alice, table, which, contract):
    picture_of(table, [SOLO, ({"declarer": "1"}, {"trump": "H"}), PASS, {}])
    sent = answers(page_of(as_alice, table), **{"line-2": "A solo h won"})
    report(table, 2, {"all_passed": True})
    again = send(as_alice, table, sent)
    assert [(row["line"].deal, row["stands"]) for row in again.context["asked"]] == [(2, "all passed")]
    sent |= {"seen": again.context["seen"], "which-2": which}
    assert send(as_alice, table, sent).status_code == 302
    assert told(table)[2].get("contract") == contract


def test_what_nobody_has_typed_is_as_it_is_read_now_and_answered_anew(as_alice, table):
    faint = {key: SOLO[key] for key in ("declarer", "contract", "result")}
    lines = [(faint, {"trump": "H"}), GAME, PASS, {}]
    picture = picture_of(table, lines)
    sent = answers(page_of(as_alice, table))
    reading = reading_of(table, [(faint, {"trump": "S"}), PASS, PASS, {}])
    picture.reading = stored.to_json(reading)
    picture.save()
    # Another reading is shown first, and what was said of the old one is said of it alone.
    for pictures in (sent["pictures"], page_of(as_alice, table).context["picture_keys"]):
        again = send(as_alice, table, sent | {"pictures": pictures})
        (row,) = again.context["asked"]
        assert (row["line"].typed.text, row["one"].right) == ("B solo s won", False)
        assert [block.looked for block, _rows in again.context["blocks"]] == [False]
        assert told(table) == {}
    assert again.context["asked"][0]["one"].problem
    assert send(as_alice, table, answers(again)).status_code == 302
    assert told(table)[1]["trump"] == "S"


def test_what_was_taken_back_meanwhile_is_not_taken_for_sent_before(as_alice, table):
    picture_of(table, [SOLO, PASS, {}, {}])
    sent = answers(page_of(as_alice, table))
    done = send(as_alice, table, sent)
    as_alice.post(next(str(message.extra_tags) for message in done.wsgi_request._messages))
    again = send(as_alice, table, sent)
    assert (again.status_code, told(table)) == (200, {})
    assert SheetPicture.objects.get().taken_at is None
    assert send(as_alice, table, answers(again)).status_code == 302
    assert set(told(table)) == {1, 2}


def test_two_pictures_of_a_page_and_two_pages_are_put_together(as_alice, table):
    faint = ({"declarer": "1", "contract": "solo", "result": "won"}, {"trump": "H"})
    picture_of(table, [faint, GAME], deals=(1, 2))
    picture_of(table, [SOLO, SOLO], name="2.jpg", deals=(1, 2))
    picture_of(table, [{}], name="3.jpg", page=2, deals=(3,))
    picture_of(table, [PASS], name="4.jpg", page=3, deals=(4,))
    page = page_of(as_alice, table)
    assert [(row["line"].deal, row["why"]) for row in page.context["asked"]] == [
        (2, "Two photographs were read differently."),
        (3, "Nothing is ticked here, although later deals were played."),
    ]
    send(as_alice, table, answers(page, **{"line-2": "C game c won"}))
    assert set(told(table)) == {1, 2, 4}
    wrong = dict(SheetPicture.objects.values_list("file", "wrong"))
    assert wrong == {"1.jpg": 0, "2.jpg": 1, "3.jpg": 0, "4.jpg": 0}


@pytest.mark.parametrize(
    ("rulebook", "players", "more"),
    [
        ("union", 4, {"format": "pairs"}),
        ("union", 8, {"boards": True}),
        ("crocodile", 3, {}),
        ("renegado", 4, {}),
    ],
)
def test_every_rulebook_and_format_is_printed_ticked_read_and_taken_in(
    as_alice, alice, rulebook, players, more
):
    by = {"account": alice, "now": NOW}
    more |= {"deals_per_round": 8, "deals_at_three": 6}
    tournament = make_tournament(players, account=alice, rulebook=rulebook, drawn=False, **more)
    if "format" in more:
        teams.put_together(tournament, **by)
    draw(tournament, seed=7, **by)
    start_round(tournament.rounds.get(number=1), **by)
    table = first_table(tournament)
    rulebook = score_sheet(table).rulebook
    printed, layout = printed_page(table)
    lines = [
        {key: value for key, value in line.items() if (key, value) != (ALONE, "note")}
        for line in any_lines(layout, rulebook, np.random.default_rng(5))
    ]
    # Of two lines something is forgotten: these are asked.
    first, second = [row for row, line in enumerate(lines) if "result" in line][1:3]
    forgotten = [dict(line) for line in lines]
    del forgotten[first]["result"], forgotten[second]["declarer"]
    sheet = SimpleUploadedFile("sheet.jpg", scanned(printed, layout, forgotten))
    as_alice.post(reverse("desk_paper", args=[tournament.code]), {"photograph": sheet})
    do_here(Job.objects.get())
    seatings = {row.deal: seating_at(table, layout.players, row.deal) for row in layout.rows}
    reporter = Reporter(layout, rulebook, seatings)
    meant = {
        row.deal: reporter.result(line, seatings[row.deal])
        for row, line in zip(layout.rows, lines, strict=True)
        if line
    }
    page = page_of(as_alice, table)
    assert {first + 1, second + 1} <= {row["line"].deal for row in page.context["asked"]}
    typed = {
        f"line-{deal}": write_words(meant[deal], seatings[deal], rulebook) for deal in (first + 1, second + 1)
    }
    assert send(as_alice, table, answers(page, **typed)).status_code == 302
    wanted = {deal: result.to_json(seatings[deal]) for deal, result in meant.items()}
    stored_now = told(table)
    assert stored_now.keys() == wanted.keys()
    # Where there is a pool, what stood in it is stored besides.
    assert {deal: {key: stored_now[deal].get(key) for key in said} for deal, said in wanted.items()} == wanted
    # Whatever the ticks report reads back as it was read: nothing of it is taken for a correction.
    assert SheetPicture.objects.get().wrong == 0
    assert list(differences(table.round.tournament)) == []
