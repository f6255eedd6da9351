"""Photographs are sent from the desk and by captains: each is read and told by itself."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from core.jobs.models import Job
from core.jobs.queue import do_here
from tests.factories import first_table, make_tournament
from tests.tournaments.reporting.scans.sheets import (
    NOW,
    PASS,
    SOLO,
    answers,
    page_of,
    picture_of,
    reading_of,
    told,
)
from tournaments.management.commands import jobs
from tournaments.models import SheetPicture
from tournaments.reporting.reader.results import Reason, Unreadable
from tournaments.reporting.scans import merging as words
from tournaments.reporting.scans import upload, views
from tournaments.reporting.scans.merging import Answered, picture_key
from tournaments.reporting.scans.page import take_in


def sent_by(client, tournament, *files, **headers):
    uploads = [SimpleUploadedFile(name, body) for name, body in files]
    return client.post(reverse("desk_paper", args=[tournament.code]), {"photograph": uploads}, **headers)


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
        "b: This is no photograph.", "5 photographs have been sent.",
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
        "This is a sheet from another tournament (OTHER1)",
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


def lying(tournament, name, state=SheetPicture.State.UNREADABLE):
    (upload.photographs_folder() / name).write_bytes(b"any")
    return SheetPicture.objects.create(
        tournament=tournament, name=name, file=name, sent_at=NOW, state=state, why="too_dark"
    )


def test_all_that_the_page_showed_are_put_away_together_and_nothing_besides(as_alice, table, monkeypatch):
    tournament = table.round.tournament
    monkeypatch.setattr(views, "MOST_TOLD", 3)
    other = lying(make_tournament(0, drawn=False), "elsewhere")
    for name in ("beyond", "again", "dark", "old"):
        lying(tournament, name)
    lying(tournament, "waiting", SheetPicture.State.WAITING)
    place = reverse("desk_paper", args=[tournament.code])
    page = as_alice.get(place).content.decode()
    shown = re.findall('name="away" value="([0-9]+)"', page)
    assert (len(shown), "Delete all 3" in page) == (3, True)
    # Since the page was shown one was set aside, one has come, and one is to be read once more, a tap before this one.
    SheetPicture.objects.filter(name="waiting").update(state=SheetPicture.State.ASIDE)
    lying(tournament, "new")
    again = SheetPicture.objects.get(name="again")
    upload.read_again(again, account=None, now=NOW)
    said = as_alice.post(place, {"away": [*shown, other.pk, "x", ""]})
    assert str([*said.wsgi_request._messages][-1]) == "2 photographs have been deleted."
    left = SheetPicture.objects.order_by("pk")
    assert [one.name for one in left] == ["elsewhere", "beyond", "again", "waiting", "new"]
    assert all(one.path.exists() for one in left)
    as_alice.post(reverse("desk_paper_away", args=[tournament.code, again.pk]))
    assert SheetPicture.objects.get(name="again").path.exists()


def test_what_was_of_no_use_goes_after_two_days_though_nothing_more_is_read(table):
    tournament = table.round.tournament
    for days, state in ((1, "aside"), (3, "aside"), (3, "unreadable"), (3, "waiting"), (3, "read")):
        file = f"{state}-{days}.jpg"
        (upload.photographs_folder() / file).write_bytes(b"any")
        SheetPicture.objects.create(
            tournament=tournament, table=table, file=file, state=state, sent_at=NOW - timedelta(days=days)
        )
    assert upload.clear_old in {done for again in jobs.DUE for done in again.does}
    upload.clear_old(NOW)
    left = {path.name for path in upload.photographs_folder().iterdir()}
    assert left >= {*SheetPicture.objects.values_list("file", flat=True)}
    assert {*SheetPicture.objects.values_list("file", flat=True)} == {
        "aside-1.jpg",
        "waiting-3.jpg",
        "read-3.jpg",
    }
    assert not left & {"aside-3.jpg", "unreadable-3.jpg"}


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
    assert b"Were the filled boxes the ones meant?" in page_of(as_alice, table).content
    as_alice.post(again, {"fills": "yes"})
    do_here(Job.objects.first())
    assert asked == [False, False, True]
    # Said to be meant otherwise while it was read so: that reading is not the one that was asked for.
    before = SheetPicture.objects.get()
    upload.read_again(before, account=None, now=NOW, fills=True)
    before.fills = None
    upload.settle(before, reading)
    assert SheetPicture.objects.get().state == "waiting"
    do_here(Job.objects.first())
    assert b"Were the filled boxes" not in page_of(as_alice, table).content


def test_what_makes_the_reader_fall_is_not_read_for_ever(table, takes_any):
    tournament = table.round.tournament
    (upload.photographs_folder() / "x.jpg").write_bytes(b"deadly")
    SheetPicture.objects.create(tournament=tournament, file="x.jpg", sent_at=NOW, tries=upload.MOST_TRIES)
    SheetPicture.objects.create(tournament=tournament, file="gone.jpg", sent_at=NOW)
    # One over which the reader falls without the program keeps no other from being read.
    (upload.photographs_folder() / "odd.jpg").write_bytes(b"nothing is said of it")
    SheetPicture.objects.create(tournament=tournament, file="odd.jpg", sent_at=NOW)
    assert do_here(upload.see_to_reading(tournament, now=NOW)).state == "done"
    told = SheetPicture.objects.order_by("pk").values_list("why", "tries")
    assert list(told) == [("no_picture", upload.MOST_TRIES + 1), (words.GONE, 1), ("no_picture", 1)]
    assert upload.see_to_reading(tournament, now=NOW) is None


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
    assert "This is the sheet of table 2: it has been set aside" in text
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
    with pytest.raises(upload.NotPossible, match=said):
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
    for number in range(views.MOST_A_MINUTE + 1):
        sent = client.post(place, {"photograph": SimpleUploadedFile(f"{number}", b"any")})
    assert "Try again in a minute." in sent.content.decode()
    assert SheetPicture.objects.count() == views.MOST_A_MINUTE
