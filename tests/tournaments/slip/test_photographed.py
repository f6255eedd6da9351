"""What was read of photographed sheets: told, answered, taken in whole or not at all, and taken back."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from clubs.jobs.models import Job
from clubs.jobs.working import do_here
from tests.factories import first_table, make_club, make_tournament, report
from tests.photographs.made import any_lines
from tournaments import rounds
from tournaments.files.recount import differences
from tournaments.ledger.scoresheet import score_sheet
from tournaments.ledger.sitting import seating_at
from tournaments.models import LogEntry, SheetPicture
from tournaments.slip.photographed import captains, fitting, reading_job, sending, stored, words
from tournaments.slip.photographed.checking import Answered
from tournaments.slip.photographed.merging import picture_key
from tournaments.slip.photographed.taking import take_in
from tournaments.slip.photographed.trust import ENOUGH, sheets_right
from tournaments.slip.printed import keep, layout_of
from tournaments.slip.reading.boxes import ALONE, PASSED
from tournaments.slip.reading.geometry import SheetName
from tournaments.slip.reading.lines import Reporter
from tournaments.slip.reading.results import Box, Line, Reading, Reason, State, Unreadable
from tournaments.slip.reading.weights import shipped
from tournaments.teams import making

NOW = timezone.now()
JPEG = b"\xff\xd8 a sheet"
SOLO = {"declarer": "1", "contract": "solo", "trump": "H", "result": "won"}
GAME = {"declarer": "2", "contract": "simple_game", "trump": "C", "result": "won"}
PASS = {ALONE: PASSED}


@pytest.fixture
def table(alice):
    return first_table(make_tournament(4, account=alice, rulebook="union", deals_per_round=4))


def ticks(layout, chosen, doubt):
    groups = {group.key: group.values for group in layout.groups}
    marked = [(key, value, State.TICK) for key, value in chosen.items()]
    marked += [(key, value, State.DOUBT) for key, value in doubt.items()]
    return tuple(
        Box(key, groups[key].index(value), state, 9.0, "faint" * (state is State.DOUBT), stored.NOWHERE)
        for key, value, state in marked
    )


def reading_of(table, lines, *, page=1, deals=None, fills=False):
    """A reading of the table's sheet: `lines` are (clear ticks, ticks in doubt), or the clear ones alone."""
    sheet = score_sheet(table)
    rows = [line for line in sheet.lines if deals is None or line.number in deals]
    layout = layout_of(sheet, page, rows)
    keep(sheet, layout, printed_at=NOW)
    told = [line if isinstance(line, tuple) else (line, {}) for line in lines]
    read = tuple(
        Line(
            row.number,
            bool(chosen) and not doubt,
            ticks(layout, chosen, doubt),
            chosen,
            "faint" * bool(doubt),
            stored.NOWHERE,
        )
        for row, (chosen, doubt) in zip(rows, told, strict=True)
    )
    name = SheetName(table.round.tournament.code, table.round.number, table.number, page, layout.code)
    return Reading(name, layout, read, 9.0, 0.0, fills=fills)


def picture_of(table, lines, *, name="1.jpg", **more):
    reading = reading_of(table, lines, **more)
    return SheetPicture.objects.create(
        tournament=table.round.tournament, table=table, file=name, sent_at=NOW, state="read",
        sheet=list(reading.sheet), reading=stored.to_json(reading) | {"asked": 0, "played": 0},
    )  # fmt: skip


def page_of(client, table, name="desk_paper_table"):
    return client.get(reverse(name, args=[table.round.tournament.code, table.round.number, table.number]))


def answers(page, **changed):
    """What the page is sent with: every line as it stands there, all looked through and said to be right."""
    context = page.context
    rows = [*context["asked"], *(row for _block, rows in context["blocks"] for row in rows)]
    sent = {
        "key": str(context["form"]["key"].value()),
        "seen": context["seen"],
        "pictures": context["picture_keys"],
    }
    sent |= {f"line-{row['line'].deal}": row["line"].typed.text for row in rows}
    sent |= {f"shown-{row['line'].deal}": row["one"].before for row in rows}
    sent |= {f"right-{row['line'].deal}": "on" for row in context["asked"]}
    sent |= {f"looked-{block.number}": "on" for block, _rows in context["blocks"]}
    return {name: value for name, value in (sent | changed).items() if value is not None}


def send(client, table, sent):
    place = [table.round.tournament.code, table.round.number, table.number]
    return client.post(reverse("desk_paper_table", args=place), sent)


def told(table):
    return {line.number: line.report.result for line in score_sheet(table).lines if line.reported}


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
    assert "took in 3 deals from a photograph" in str(LogEntry.objects.first())
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
        (1, "Say which of the two counts.")
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
        (3, "Nothing is ticked here, though later deals were played."),
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
def test_every_rulebook_and_format_is_taken_in(as_alice, alice, rulebook, players, more):
    by = {"account": alice, "now": NOW}
    more |= {"deals_per_round": 8, "deals_at_three": 6}
    tournament = make_tournament(players, account=alice, rulebook=rulebook, drawn=False, **more)
    if "format" in more:
        making.put_together(tournament, **by)
    rounds.draw(tournament, seed=7, **by)
    rounds.start_round(tournament.rounds.get(number=1), **by)
    table = first_table(tournament)
    sheet = score_sheet(table)
    layout = layout_of(sheet, 1, sheet.lines)
    lines = [
        {key: value for key, value in line.items() if (key, value) != (ALONE, "note")}
        for line in any_lines(layout, sheet.rulebook, np.random.default_rng(5))
    ]
    picture_of(table, lines)
    assert send(as_alice, table, answers(page_of(as_alice, table))).status_code == 302
    seatings = {row.deal: seating_at(table, sheet.players, row.deal) for row in layout.rows}
    reporter = Reporter(layout, sheet.rulebook, seatings)
    meant = {
        row.deal: (line.get("declarer"), reporter.result(line, seatings[row.deal]).contract or "")
        for row, line in zip(layout.rows, lines, strict=True)
        if line
    }
    stored_now = [line for line in score_sheet(table).lines if line.reported]
    assert {
        line.number: (None if line.declarer is None else str(line.declarer), line.report.contract)
        for line in stored_now
    } == meant
    # Whatever the ticks report reads back as it was read: nothing of it is taken for a correction.
    assert SheetPicture.objects.get().wrong == 0
    assert list(differences(table.round.tournament)) == []


# Sending and reading


def sent_by(client, tournament, *files, **headers):
    uploads = [SimpleUploadedFile(name, body) for name, body in files]
    return client.post(reverse("desk_paper", args=[tournament.code]), {"photograph": uploads}, **headers)


@pytest.fixture
def takes_any(monkeypatch):
    """Every file is a picture but one that says that it is none; what is read of each is said by the test."""
    found = {}

    def kept(upload):
        body = upload.read()
        if body == b"none":
            raise sending.NotPossible("This is no photograph.", "photograph")
        name = f"{upload.name}.jpg"
        (sending.photographs_folder() / name).write_bytes(body)
        return name

    monkeypatch.setattr(sending, "laid_down", kept)
    monkeypatch.setattr(sending, "is_available", lambda: True)
    monkeypatch.setattr(reading_job, "pieces", lambda _picture: None)
    monkeypatch.setattr(reading_job, "WORTH_ANOTHER", 99)
    monkeypatch.setattr(reading_job, "read", lambda body, layouts, **how: found[body](layouts, how["fills"]))
    return found


def test_each_picture_is_told_by_itself_and_the_others_go_on(as_alice, table, alice, takes_any):
    tournament = table.round.tournament
    reading = reading_of(table, [SOLO, PASS, {}, {}])
    elsewhere = reading.sheet._replace(tournament="OTHER1", table=7)
    takes_any |= {
        b"good": lambda layouts, _fills: layouts(reading.sheet) and reading,
        b"same": lambda _layouts, _fills: reading,
        b"dark": lambda _layouts, _fills: Unreadable(Reason.TOO_DARK),
        b"old": lambda _layouts, _fills: Unreadable(
            Reason.UNKNOWN_VERSION, (), reading.sheet._replace(version=9, layout="0a1b2c3d")
        ),
        b"other": lambda layouts, _fills: (
            layouts(elsewhere) or Unreadable(Reason.UNKNOWN_LAYOUT, (), elsewhere)
        ),
    }
    files = [("a", b"good"), ("b", b"none"), ("c", b"dark"), ("d", b"other"), ("e", b"good"), ("f", b"old")]
    page = sent_by(as_alice, tournament, *files)
    assert [str(message) for message in page.wsgi_request._messages] == [
        "b: This is no photograph.", "5 photographs are sent.",
    ]  # fmt: skip
    (job,) = Job.objects.all()
    assert (do_here(job).state, job.asked_by) == ("done", alice)
    # The very same picture is kept once.
    kept = SheetPicture.objects.values_list("name", "state", "why")
    assert list(kept) == [
        ("a", "read", ""), ("c", "unreadable", "too_dark"), ("d", "aside", words.OTHER_TOURNAMENT),
        ("f", "unreadable", "unknown_version"),
    ]  # fmt: skip
    assert table.photographs.count() == 1
    text = as_alice.get(reverse("desk_paper", args=[tournament.code])).content.decode()
    for said in (
        "2 deals read",
        "More light: the picture is too dark.",
        "A sheet of another tournament (OTHER1)",
        "Layout 9-0A1B2C3D.",
    ):
        assert said in text
    dark = SheetPicture.objects.get(name="c")
    for _tap in range(2):
        as_alice.post(reverse("desk_paper_away", args=[tournament.code, dark.pk]))
    assert not dark.path.exists()
    # What was read stays: it is a photograph of its table.
    as_alice.post(reverse("desk_paper_away", args=[tournament.code, SheetPicture.objects.get(name="a").pk]))
    assert SheetPicture.objects.filter(name="a").exists()


def test_a_sheet_whose_round_is_over_waits_until_it_is_reopened(as_alice, table, takes_any):
    tournament = table.round.tournament
    reading = reading_of(table, [SOLO, PASS, {}, {}], fills=True)
    asked = []

    def found(_layouts, fills):
        asked.append(fills)
        return reading

    takes_any[b"good"] = found
    tournament.rounds.update(state="closed")
    sent_by(as_alice, tournament, ("a", b"good"), HTTP_ACCEPT="application/json")
    do_here(Job.objects.get())
    picture = SheetPicture.objects.get()
    assert (picture.state, picture.why, picture.table) == ("aside", words.ROUND_OVER, table)
    tournament.rounds.update(state="running")
    again = reverse("desk_paper_again", args=[tournament.code, picture.pk])
    as_alice.post(again)
    do_here(Job.objects.first())
    assert b"Did they mean the filled boxes?" in page_of(as_alice, table).content
    as_alice.post(again, {"fills": "yes"})
    do_here(Job.objects.first())
    assert asked == [False, False, True]
    # Said to be meant otherwise while it was read so: that reading is not the one that was asked for.
    before = SheetPicture.objects.get()
    sending.read_again(before, account=None, now=NOW, fills=True)
    before.fills = None
    reading_job.settle(before, reading)
    assert SheetPicture.objects.get().state == "waiting"
    do_here(Job.objects.first())
    assert b"Did they mean" not in page_of(as_alice, table).content


def test_what_makes_the_reader_fall_is_not_read_for_ever(table, takes_any):
    tournament = table.round.tournament
    (sending.photographs_folder() / "x.jpg").write_bytes(b"deadly")
    SheetPicture.objects.create(
        tournament=tournament, file="x.jpg", sent_at=NOW, tries=reading_job.MOST_TRIES
    )
    SheetPicture.objects.create(tournament=tournament, file="gone.jpg", sent_at=NOW)
    # One over which the reader falls without the program keeps no other from being read.
    (sending.photographs_folder() / "odd.jpg").write_bytes(b"nothing is said of it")
    SheetPicture.objects.create(tournament=tournament, file="odd.jpg", sent_at=NOW)
    assert do_here(sending.see_to_reading(tournament, now=NOW)).state == "done"
    told = SheetPicture.objects.order_by("pk").values_list("why", "tries")
    assert list(told) == [("no_picture", reading_job.MOST_TRIES + 1), (words.GONE, 1), ("no_picture", 1)]
    assert sending.see_to_reading(tournament, now=NOW) is None


def test_a_captain_reads_the_sheet_of_the_own_table_and_no_other(client, alice, takes_any):
    tables = list(
        make_tournament(8, account=alice, rulebook="union", deals_per_round=4).rounds.get().tables.all()
    )
    own, other = (first_table(tables[0].round.tournament), tables[1])
    reading, strange = reading_of(own, [SOLO, {}, {}, {}]), reading_of(other, [SOLO, {}, {}, {}])
    takes_any |= {b"own": lambda *_: reading, b"other": lambda *_: strange}
    place = f"/c/{own.secret}/paper"
    for name, body in (("a", b"own"), ("b", b"other")):
        client.post(place, {"photograph": SimpleUploadedFile(name, body)})
    # Looked at again by itself while it is read, but not under a form.
    for address, again in ((place, True), (f"{place}?more", False)):
        page = client.get(address)
        assert (page.has_header("Refresh"), b'type="file"' not in page.content) == (again, again)
    job = do_here(Job.objects.get())
    assert (job.state, job.asked_by) == ("done", None)
    text = client.get(place).content.decode()
    assert "The sheet of table 2, not of this one" in text
    # What was read is not read over and over.
    client.post(f"{place}/{SheetPicture.objects.get(table=own).pk}/again")
    assert not SheetPicture.objects.filter(state="waiting").exists()
    page = client.get(f"{place}/table")
    # A captain's page is as large as its deals, and asks for nothing that is not its table's.
    foreign = SheetPicture.objects.exclude(table=own).get()
    assert client.get(f"{place}/{foreign.pk}/pieces.webp").status_code == 404
    assert client.post(f"{place}/table", answers(page)).url.endswith("#sheet")
    assert told(own)[1]["contract"] == "solo"
    assert own.reports.get().source == "captain"
    assert client.get(f"{place}/table").url == place


@pytest.mark.parametrize(
    ("meanwhile", "said"),
    [
        ({"ended_early_at": NOW}, "The organiser has ended this table."),
        ({"secret": "another"}, "This link has been replaced."),
    ],
)
def test_a_link_that_ended_while_its_page_was_sent_takes_nothing_in(table, meanwhile, said):
    picture = picture_of(table, [SOLO, {}, {}, {}])
    type(table).objects.filter(pk=table.pk).update(**meanwhile)
    with pytest.raises(sending.NotPossible, match=said):
        take_in(
            table,
            Answered({}, {}),
            pictures=[picture_key(picture)],
            key=uuid4(),
            account=None,
            now=NOW,
            trusted=True,
        )
    assert told(table) == {}


def test_a_link_sends_so_many_photographs_a_minute(client, table, takes_any):
    place = f"/c/{table.secret}/paper"
    for number in range(captains.MOST_A_MINUTE + 1):
        sent = client.post(place, {"photograph": SimpleUploadedFile(f"{number}", b"any")})
    assert "Try again in a minute." in sent.content.decode()
    assert SheetPicture.objects.count() == captains.MOST_A_MINUTE


# Trust


def test_sheets_are_trusted_once_fifty_in_a_row_had_no_wrong_line(table, alice):
    club = table.round.tournament.host
    made = [
        SheetPicture(
            tournament=table.round.tournament, table=table, file=f"{number}.jpg", sent_at=NOW, state="read",
            sheet=[table.round.tournament.code, 1, number, 1, "0", 1], taken_at=NOW + timedelta(seconds=number),
            wrong=int(number == 5), answers={"results": {"1": {"contract": "solo"}}},
            reading={"lines": [{"deal": 1, "certain": True}]},
        )
        for number in range(ENOUGH + 6)
    ]  # fmt: skip
    SheetPicture.objects.bulk_create(made)
    assert sheets_right(club) == ENOUGH
    SheetPicture.objects.filter(file=f"{ENOUGH}.jpg").update(wrong=1)
    assert sheets_right(club) == 5
    assert sheets_right(make_club("Viby")) == 0
    # Of which nobody can say is neither; the same page photographed twice counts once.
    newest = SheetPicture.objects.filter(file__in=[f"{ENOUGH + 5}.jpg", f"{ENOUGH + 4}.jpg"])
    newest.update(sheet=["X", 1, 1, 1, "0", 1])
    SheetPicture.objects.filter(file=f"{ENOUGH + 3}.jpg").update(wrong=None)
    assert sheets_right(club) == 3
    # A deal that was read for certain and is corrected later ends the row.
    report(table, 1, {"all_passed": True})
    changed = {"contract": "solo", "declarer": 1, "trump": "S", "outcome": "won"}
    report(table, 1, changed, base=1, reason="read wrongly", now=NOW + timedelta(minutes=2))
    assert sheets_right(club) == 0


# Fitting


def test_what_people_answered_says_which_boxes_were_meant(as_alice, table, tmp_path):
    """An answer is a result; which boxes report it is found by the sheet's own. What cannot be known is left out."""
    no_trump = ({key: SOLO[key] for key in ("declarer", "contract", "result")}, {"trump": "S"})
    picture_of(table, [SOLO, no_trump, PASS, {}])
    send(as_alice, table, answers(page_of(as_alice, table), **{"line-2": "B solo d won"}))
    picture = SheetPicture.objects.get()
    picture.path.parent.mkdir(exist_ok=True)
    picture.path.write_bytes(b"a picture")
    known = fitting.Known(picture)
    assert known.meant() == [SOLO, SOLO | {"trump": "D"}, PASS, {}]
    picture.answers["unsure"] = [1]
    assert fitting.Known(picture).meant()[0] is None
    call_command("fit_reading", "--export", str(tmp_path / "out"))
    (told,) = (tmp_path / "out").glob("*.json")
    assert json.loads(told.read_text())["meant"][1] == SOLO | {"trump": "D"}
    with pytest.raises(CommandError, match="Only 1 sheets"):
        call_command("fit_reading")


def test_new_numbers_are_kept_only_where_they_read_better(monkeypatch, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    assert fitting.own_weights() is None
    start = shipped()
    monkeypatch.setattr(fitting, "_fitted", lambda _sheets, _tell: start)
    measures = []
    monkeypatch.setattr(fitting, "measured", lambda _sheets, _weights: measures.pop(0))
    better, worse = fitting.Measured(30, 28, 0), fitting.Measured(30, 29, 1)
    none = fitting.Measured()
    for before, after, kept in ((better, worse, False), (none, none, False), (better, better, True)):
        measures += [before, after]
        assert fitting.fit([None] * 20).kept is kept
    assert fitting.own_weights().sheets == 20
    for broken in (
        b"another version",
        start.to_bytes()[:-200],
        replace(start, spread=start.spread[:1]).to_bytes(),
        replace(start, spread=start.spread * 0).to_bytes(),
        replace(start, paper=float("nan")).to_bytes(),
    ):
        fitting.weights_file().write_bytes(broken)
        fitting._weights.cache_clear()
        assert fitting.own_weights() is None
