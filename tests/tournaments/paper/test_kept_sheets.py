"""Sheets for everybody in the hall are made once, one at a time, and kept: whoever asks again is given the same."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from core.files import exclusive_lock
from core.pdf import files, store
from core.pdf.store import sheets_folder
from core.throttle import COUNTERS
from tests.factories import make_tournament
from tournaments.changes.versions import announce


@pytest.fixture(autouse=True)
def _nobody_has_asked():
    for path in sheets_folder().glob("hall-*.pdf"):
        path.unlink()
    for counter in COUNTERS:
        caches[counter].clear()


@pytest.fixture
def made(undrawn, patch_display):
    """What is made from now on."""
    titles: list[str] = []
    drawer = files._engine()
    fitting = drawer.fitting
    patch_display.setattr(
        drawer, "fitting", lambda pages, title: titles.append(title) or fitting(pages, title)
    )
    return titles


def sheet(client, rulebook="rasle", **headers):
    return client.get(reverse("rules_sheet_pdf", args=[rulebook]), headers=headers, follow=True)


def test_a_sheet_is_made_once_for_all(db, made):
    first, second = sheet(Client()), sheet(Client())
    assert first.content.startswith(b"%PDF")
    assert first.content == second.content
    assert len(made) == 1
    sheet(Client(), accept_language="da")
    sheet(Client(), "union")
    assert len(made) == 3


def test_it_is_made_anew_when_something_else_is_printed_on_it(client, club, made):
    tournament = make_tournament(4, club=club)
    address = reverse("hall_rules_pdf", args=[tournament.code])
    before = client.get(address).content
    announce(tournament.pk)  # somebody reported a deal: the rules are the same
    assert client.get(address).content == before
    assert len(made) == 1
    tournament.name = "Another name"
    tournament.save()
    assert client.get(address).content != before
    assert len(made) == 2


@pytest.mark.slow
def test_who_asks_for_all_there_are_waits_a_minute_and_holds_nobody_from_what_is_kept(db, made, monkeypatch):
    monkeypatch.setattr(store, "MADE_A_MINUTE", 2)
    sheet(Client(), "rasle")
    sheet(Client(), "union")
    refused = sheet(Client(), "renegado")
    assert "Many sheets are being made right now." in refused.content.decode()
    assert len(made) == 2
    assert sheet(Client(), "union").content.startswith(b"%PDF")  # the hall is behind the same address
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    assert sheet(elsewhere, "renegado").content.startswith(b"%PDF")


def test_while_another_is_made_nothing_else_is(db, made, monkeypatch, settings):
    monkeypatch.setattr(store, "PATIENCE", 0.1)
    with exclusive_lock("hall-sheets", Path(settings.MEDIA_ROOT), 1):
        assert "Many sheets are being made right now." in sheet(Client()).content.decode()
    assert made == []
    assert sheet(Client()).content.startswith(b"%PDF")


def test_only_so_many_are_kept(db, undrawn, monkeypatch):
    monkeypatch.setattr(store, "MOST_KEPT", 2)
    for rulebook in ("rasle", "union", "renegado", "crocodile"):
        sheet(Client(), rulebook)
    assert len(list(sheets_folder().glob("hall-*.pdf"))) == 2


def test_a_full_disk_is_said_on_the_page(db, undrawn, monkeypatch):
    def full(*_on):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(store, "write_atomically", full)
    answer = sheet(Client())
    assert "The file could not be written. Is the disk full?" in answer.content.decode()
