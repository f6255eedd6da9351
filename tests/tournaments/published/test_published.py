"""The hall as a folder: every link leads to a file, nobody is named who is hidden, and only what changed is made anew."""

from __future__ import annotations

import json
import re
from html import unescape
from types import SimpleNamespace

import pytest
from django.utils import timezone

from clubs.models import Club, Player
from tests.factories import first_table, make_player, report
from tests.growth.world import SMALL, make_world
from tests.tournaments.hall.years.conftest import chairs, evenings, people, play  # noqa: F401 - fixtures
from tournaments.entries import personal_data
from tournaments.models import Entry, Season, Tournament
from tournaments.paper import making
from tournaments.published.addresses import BRIEF, WHOLE
from tournaments.published.kept import NAME, NotOurs
from tournaments.published.making import Maker
from tournaments.published.placing import NEW, Busy, held
from tournaments.published.publishing import Wanted, publish

pytestmark = pytest.mark.django_db

ENGLISH = Wanted(("en",))
# What no file of a site may have in it: what asks a server, or leads away from the folder.
NEVER = re.compile(
    r"<form|csrf|\bhx-|data-live|/desk/|/clubs/|login|type=\"module\"|site\.invalid"
    r"|(?:href|src)=\"(?:/|https?:)"
)


def pages(folder):
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.html")}


def dead_links(folder):
    """(page, link) of whatever leads to no file, or to no place in one."""
    texts = pages(folder)
    found = []
    for page, text in texts.items():
        for link in map(unescape, re.findall(r'(?:\b(?:href|src)|id="contrast" content)="([^"]*)"', text)):
            path, _hash, place = link.partition("#")
            there = (folder / page).parent.joinpath(path).resolve() if path else folder / page
            if not there.is_file() or (place and f'id="{place}"' not in there.read_text("utf-8")):
                found.append((page, link))
    return found


def index(folder):
    told = (folder / "find/index.js").read_text("utf-8")
    return json.loads(told.removeprefix("globalThis.spadilleIndex = ").removesuffix(";\n"))


@pytest.mark.slow
def test_a_union_is_published_whole_without_a_dead_link_or_anything_of_a_server(tmp_path, monkeypatch):
    drawer = SimpleNamespace(
        write=lambda _pages, _title, target, *, tell=None: target.write_bytes(b"%PDF-"),
        fitting=lambda _variants, title: b"%PDF-",
    )
    monkeypatch.setattr(making, "_engine", lambda: drawer)
    make_world(SMALL, 1)
    wanted = Wanted(("en", "da"), depth=WHOLE, address="https://union.example/hall/")
    folder = tmp_path / "site"
    published = publish(folder, wanted)
    assert dead_links(folder) == []
    texts = pages(folder)
    assert [page for page, text in texts.items() if NEVER.search(text)] == []
    assert published.files == published.written == len([one for one in folder.rglob("*") if one.is_file()]) - 2
    kinds = {re.sub(r"/[^/]*\d[^/]*", "/1", page) for page in texts if page.startswith("en/")}
    assert kinds >= {
        "en/index.html", "en/find/index.html", "en/rules/index.html", "en/person/1/index.html",
        "en/person/1/evenings/index.html", "en/season/1/index.html", "en/championship/1/index.html",
        *(f"en/t/{page}" for page in ()),
    }  # fmt: skip
    mapped = re.findall("<loc>https://union.example/hall/en/(.*?)</loc>", (folder / "en/sitemap.xml").read_text())
    assert mapped
    assert all((folder / "en" / page / "index.html").is_file() for page in mapped)
