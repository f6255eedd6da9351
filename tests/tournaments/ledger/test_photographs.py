"""A photograph of the slip: Alice attaches it and sees it; nobody else does, and nothing but a picture gets in."""

from __future__ import annotations

import errno
import os
import struct
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image

from clubs.models import Role
from core.files import exclusive_lock
from tests.factories import first_table, make_account, make_tournament
from tournaments.ledger import photographs
from tournaments.models import LogEntry, Photograph
from tournaments.models.ledger import photographs_folder

ORIENTATION, CAMERA = 0x0112, 0x0110


@pytest.fixture
def table_of_four(club):
    return first_table(make_tournament(4, club=club))


def url(table, name="desk_attach_photograph", *more):
    return reverse(name, args=[table.round.tournament.code, table.round.number, table.number, *more])


def picture(kind="JPEG", size=(40, 30), **saved) -> bytes:
    written = BytesIO()
    Image.new("RGB", size, "white").save(written, kind, **saved)
    return written.getvalue()


def huge_png(width: int, height: int) -> bytes:
    """A few bytes that say they are a picture of so many pixels."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))


def attach(client, table, content=None, name="slip.jpg"):
    upload = SimpleUploadedFile(name, picture() if content is None else content)
    return client.post(url(table), {"photograph": upload}, follow=True)


def words(log):
    return [entry.text for entry in log if "photograph" in entry.text]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_is_kept_as_a_jpeg_of_a_random_name(as_alice, table_of_four, kind):
    page = attach(as_alice, table_of_four, picture(kind), name="../../slip.php").content.decode()
    assert "The photograph has been attached." in page
    kept = Photograph.objects.get()
    assert (kept.table, kept.attached_by, kept.path.parent) == (table_of_four, "Alice", photographs_folder())
    assert "slip" not in kept.file
    with Image.open(kept.path) as opened:
        assert (opened.format, opened.size) == ("JPEG", (40, 30))
    assert url(table_of_four, "desk_photograph", kept.pk) in page
    assert words(LogEntry.objects.all()) == [
        "Round {round}, table {table}: attached a photograph of the slip"
    ]


def test_what_the_camera_wrote_is_left_out_and_the_picture_stands_upright(as_alice, table_of_four):
    exif = Image.Exif()
    exif[ORIENTATION], exif[CAMERA] = 6, "Bob's phone"
    attach(as_alice, table_of_four, picture(exif=exif.tobytes(), comment=b"at home"))
    with Image.open(Photograph.objects.get().path) as opened:
        assert (opened.size, dict(opened.getexif()), opened.info.get("comment")) == ((30, 40), {}, None)


def test_a_large_picture_is_made_smaller(as_alice, table_of_four):
    attach(as_alice, table_of_four, picture(size=(4000, 1000)))
    with Image.open(Photograph.objects.get().path) as opened:
        assert opened.size == (3000, 750)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<script>alert(1)</script>",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"%PDF-1.7",
        picture("GIF"),
        picture()[:300],
        picture("PNG")[:40],
        b"\xff\xd8\xff\xe0" + b"\x00" * 500,
    ],
)
def test_what_is_no_picture_is_refused_in_words(as_alice, table_of_four, content):
    page = attach(as_alice, table_of_four, content).content.decode()
    assert "This photograph cannot be read: choose a JPEG, PNG or WebP file." in page
    assert not Photograph.objects.exists()
    assert list(photographs_folder().iterdir()) == []


@pytest.mark.slow
def test_a_picture_of_25_megapixels_is_taken_in_and_none_larger_is_looked_at(as_alice, table_of_four):
    attach(as_alice, table_of_four, picture(size=(5000, 5000)))
    assert Photograph.objects.count() == 1
    page = attach(as_alice, table_of_four, picture(size=(5001, 5000))).content.decode()
    assert "This photograph has 26 megapixels, and at most 25 are allowed" in page
    assert Photograph.objects.count() == 1


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_a_picture_that_only_whole_can_be_unpacked_has_12_megapixels_at_most(as_alice, table_of_four, kind):
    page = attach(as_alice, table_of_four, picture(kind, size=(6000, 4000))).content.decode()
    assert "This photograph has 24 megapixels, and at most 12 are allowed" in page
    assert not Photograph.objects.exists()


def test_a_few_bytes_that_say_they_are_a_huge_picture_are_refused_in_words(as_alice, table_of_four):
    page = attach(as_alice, table_of_four, huge_png(30_000, 30_000)).content.decode()
    assert "This photograph cannot be read" in page
    assert not Photograph.objects.exists()


def test_one_picture_is_opened_at_a_time_by_all_processes(as_alice, table_of_four, monkeypatch, settings):
    monkeypatch.setattr(photographs, "PATIENCE", 0.1)
    with exclusive_lock("picture", Path(settings.MEDIA_ROOT), 1):
        page = attach(as_alice, table_of_four).content.decode()
        assert "Many photographs are being processed right now." in page
    assert "The photograph has been attached." in attach(as_alice, table_of_four).content.decode()


def test_a_photograph_is_on_the_disk_before_anybody_is_told_of_it(as_alice, table_of_four, monkeypatch):
    steps = []
    for name in ("fsync", "replace"):
        done = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *on, name=name, done=done: (steps.append(name), done(*on))[1])
    attach(as_alice, table_of_four)
    written = "".join("r" if step == "replace" else "f" for step in steps)
    assert "frf" in written


def test_a_full_disk_is_said_and_leaves_nothing(as_alice, table_of_four, monkeypatch):
    def full(*_on):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    answer = Client(raise_request_exception=False)
    answer.cookies = as_alice.cookies
    told = answer.post(url(table_of_four), {"photograph": SimpleUploadedFile("slip.jpg", picture())})
    assert told.status_code == 503
    assert "The disk of the machine running Spadille is full." in told.content.decode()
    assert not Photograph.objects.exists()
    assert list(photographs_folder().iterdir()) == []


def test_ten_megabytes_are_enough(as_alice, table_of_four):
    page = attach(as_alice, table_of_four, picture() + b"\x00" * 10 * 1024 * 1024).content.decode()
    assert "A photograph can be at most 10 MB." in page
    assert not Photograph.objects.exists()


@pytest.mark.slow
def test_ten_photographs_are_enough(as_alice, table_of_four):
    for width in range(40, 51):
        page = attach(as_alice, table_of_four, picture(size=(width, 30))).content.decode()
    assert "A table can have at most 10 photographs; remove one first." in page
    assert Photograph.objects.count() == len(list(photographs_folder().iterdir())) == 10


def test_no_file_is_no_error_page(as_alice, table_of_four):
    assert "Choose a photograph first." in as_alice.post(url(table_of_four), follow=True).content.decode()


def test_only_organisers_see_a_photograph(as_alice, as_charlie, club, table_of_four):
    attach(as_alice, table_of_four)
    address = url(table_of_four, "desk_photograph", Photograph.objects.get().pk)
    helper = Client()
    helper.force_login(make_account("helga", club, Role.Kind.HELPER))
    for client in (helper, as_charlie):
        assert client.get(address).status_code == 403
        assert client.post(url(table_of_four)).status_code == 403
    assert Client().get(address).status_code == 302
    assert address not in helper.get(url(table_of_four, "desk_table")).content.decode()


def test_a_picture_is_served_as_a_picture_and_nothing_else(as_alice, table_of_four):
    attach(as_alice, table_of_four)
    answer = as_alice.get(url(table_of_four, "desk_photograph", Photograph.objects.get().pk))
    assert b"".join(answer).startswith(b"\xff\xd8\xff")
    headers = answer.headers
    assert headers["Content-Type"] == "image/jpeg"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert "no-store" in headers["Cache-Control"]


def test_another_tables_photograph_is_not_found_here(as_alice, club):
    table, other = make_tournament(8, club=club).rounds.get().tables.select_related("round__tournament")
    attach(as_alice, table)
    assert as_alice.get(url(other, "desk_photograph", Photograph.objects.get().pk)).status_code == 404


def test_a_removed_photograph_is_gone_and_the_log_says_so(as_alice, table_of_four):
    attach(as_alice, table_of_four)
    address = url(table_of_four, "desk_remove_photograph", Photograph.objects.get().pk)
    assert as_alice.get(address, follow=True).redirect_chain[-1][0] == url(table_of_four, "desk_table")
    assert Photograph.objects.exists()
    assert as_alice.post(address).status_code == 302
    assert not Photograph.objects.exists()
    assert list(photographs_folder().iterdir()) == []
    assert "Round {round}, table {table}: removed a photograph of the slip" in words(LogEntry.objects.all())


def test_a_picture_that_is_not_in_this_data_folder_is_said_to_be_missing(as_alice, table_of_four):
    attach(as_alice, table_of_four)
    kept = Photograph.objects.get()
    kept.path.unlink()
    assert as_alice.get(url(table_of_four, "desk_photograph", kept.pk)).status_code == 404
    assert (
        "The picture is not in this data folder."
        in as_alice.get(url(table_of_four, "desk_table")).content.decode()
    )


def as_captain(table, content=None, client=None):
    upload = SimpleUploadedFile("slip.jpg", picture() if content is None else content)
    address = reverse("captain_photograph", args=[table.secret])
    return (client or Client()).post(address, {"photograph": upload}, follow=True)


def test_the_captain_attaches_one_with_the_link_and_alice_sees_it(as_alice, table_of_four):
    page = as_captain(table_of_four).content.decode()
    assert "The photograph is attached; the organiser can see it." in page
    kept = Photograph.objects.get()
    assert (kept.table, kept.attached_by) == (table_of_four, "")
    assert url(table_of_four, "desk_photograph", kept.pk) not in page
    shown = as_alice.get(url(table_of_four, "desk_table")).content.decode()
    assert url(table_of_four, "desk_photograph", kept.pk) in shown
    assert "· captain</p>" in shown


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "This photograph cannot be read"),
        (b"", "This photograph cannot be read"),
        (huge_png(30_000, 30_000), "This photograph cannot be read"),
        (picture() + b"\x00" * 10 * 1024 * 1024, "A photograph can be at most 10 MB."),
    ],
)
def test_what_the_captain_sends_is_checked_the_same_way(table_of_four, content, said):
    page = as_captain(table_of_four, content).content.decode()
    assert f'<p class="field-error" role="alert">{said}' in page
    assert not Photograph.objects.exists()


def test_a_dead_link_attaches_nothing(table_of_four):
    assert (
        "Choose a photograph first."
        in Client().post(reverse("captain_photograph", args=[table_of_four.secret])).content.decode()
    )
    table_of_four.round.state = "closed"
    table_of_four.round.save()
    assert as_captain(table_of_four).status_code == 410
    table_of_four.secret = "nobody"
    assert as_captain(table_of_four).status_code == 404
    assert not Photograph.objects.exists()
