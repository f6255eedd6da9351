"""The hall as a folder: every link leads to a file, nobody is named who is hidden, what changed is made anew."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from html import unescape
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import paramiko
import pytest
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from clubs.jobs.kinds import kind_of
from clubs.jobs.models import Job
from clubs.jobs.working import do_here
from tests.growth.world import SMALL, make_world
from tests.tournaments.running.sftp_server import Machine
from tournaments.entries import personal_data
from tournaments.hall.travels import throttled
from tournaments.models import Tournament
from tournaments.paper import making
from tournaments.published import placing
from tournaments.published.addresses import BRIEF, WHOLE, Page
from tournaments.published.elsewhere import (
    COPIED,
    MARK,
    CannotCopy,
    Place,
    _copied_before,
    copied_to,
    place_named,
)
from tournaments.published.kept import NAME, NotOurs, read_kept
from tournaments.published.made_of import MadeOf
from tournaments.published.making import Maker
from tournaments.published.placing import NEW, Busy, held
from tournaments.published.publishing import Wanted, publish
from tournaments.published.reader import NotShown, read

pytestmark = pytest.mark.django_db

ENGLISH = Wanted(("en",), depth=BRIEF)
# What no file of a site may have in it: what asks a server, or leads away from the folder.
NEVER = re.compile(
    r"<form|csrf|\bhx-|data-live|/desk/|login|type=\"module\"|site\.invalid"
    r"|(?:href|src)=\"(?:/|https?:)"
)


def pages(folder):
    """By file; without what is there to be copied to a page elsewhere."""
    texts = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.html")}
    return {page: re.sub(r"(?s)<textarea.*?</textarea>", "", text) for page, text in texts.items()}


def dead_links(folder):
    """(page, link) of whatever leads to no file, or to no place in one."""
    texts = pages(folder)
    found = []
    for page, text in texts.items():
        for link in map(unescape, re.findall(r'(?:\b(?:href|src)|id="contrast" content)="([^"]*)"', text)):
            path, _hash, place = link.partition("#")
            if path.startswith("webcal"):  # the site's own address, in a calendar's words
                continue
            there = (folder / page).parent.joinpath(path).resolve() if path else folder / page
            if not there.is_file() or (place and f'id="{place}"' not in there.read_text("utf-8")):
                found.append((page, link))
    return found


def index(folder):
    told = (folder / "find/index.js").read_text("utf-8")
    return json.loads(told.removeprefix("globalThis.spadilleIndex = ").removesuffix(";\n"))


def asked_of_a_server(folder):
    """(page, what is on it) of whatever only a server can answer."""
    return [(page, found[0]) for page, text in pages(folder).items() if (found := NEVER.search(text))]


@pytest.fixture
def without_pdf(monkeypatch):
    """Drawing letters costs the same whatever they say, and long."""
    drawer = SimpleNamespace(
        write=lambda _pages, _title, target, **_tell: target.write_bytes(b"%PDF-"),
        fitting=lambda *_variants, **_title: b"%PDF-",
    )
    monkeypatch.setattr(making, "_engine", lambda: drawer)


# Of a union's things so many of each kind are enough to see what pages of them are like.
OF_EACH = 2


@pytest.mark.slow
def test_a_union_is_published_without_a_dead_link_or_anything_of_a_server(tmp_path, monkeypatch, without_pdf):
    """A tournament of each kind, and two of everything else there is."""
    world, folder = make_world(SMALL, 1), tmp_path / "site"
    kinds = {
        f"t/{world.tournaments[kind].tournament.code}" for kind in ("evening", "teams", "boards", "over")
    }
    prints = MadeOf.prints

    def of_some(asked):
        found, seen = prints(asked), Counter()
        for unit in sorted(found, key=lambda one: (one not in kinds, one)):
            kind, of_one, _which = unit.partition("/")
            seen[kind] += bool(of_one)
            if seen[kind] > max(OF_EACH, len(kinds) if kind == "t" else 0):
                del found[unit]
        return found

    monkeypatch.setattr(MadeOf, "prints", of_some)
    published = publish(folder, Wanted(("en",), depth=BRIEF, address="https://union.example/hall/"))
    assert dead_links(folder) == []
    assert asked_of_a_server(folder) == []
    assert (
        published.files == published.written == len([one for one in folder.rglob("*") if one.is_file()]) - 2
    )
    mapped = re.findall("<loc>https://union.example/hall/(.*?)</loc>", (folder / "sitemap.xml").read_text())
    assert mapped
    assert all((folder / page / "index.html").is_file() for page in mapped)


@pytest.fixture
def site(evenings, tmp_path, monkeypatch):
    """Without the rules' texts, which are most of two small evenings, and hang on neither."""
    prints = MadeOf.prints
    monkeypatch.setattr(
        MadeOf,
        "prints",
        lambda asked: {unit: told for unit, told in prints(asked).items() if unit != "rules"},
    )
    folder = tmp_path / "site"
    publish(folder, ENGLISH)
    return folder


def test_two_evenings_whole(tmp_path, evenings, chairs, club, without_pdf):
    site = tmp_path / "site"
    publish(site, replace(ENGLISH, depth=WHOLE))
    first, second = (one.code for one in evenings)
    assert dead_links(site) == []
    assert asked_of_a_server(site) == []
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert files >= {
        *(f"t/{code}/{page}" for code in (first, second) for page in (
            "index.html", "standings/index.html", "standings/places.csv", "story/index.html", "tables/index.html",
            "round/1/table/1/index.html", "player/1/index.html", "player/1/evening.pdf", "player/1/evening-deals.pdf",
            "rules/index.html", "rules/sheet.pdf",
        )),
        f"club/{club.slug}/index.html", f"club/{club.slug}/history/index.html", f"club/{club.slug}/rating/index.html",
        f"person/{chairs[0].pk}/index.html", f"person/{chairs[0].pk}/met/index.html", "rules/union/text/index.html",
    }  # fmt: skip
    assert [chairs[0].name, club.name, f"person/{chairs[0].pk}/index.html"] in index(site)
    found = [line for line in index(site) if line[2] == f"t/{first}/index.html"]
    assert found == [[evenings[0].name, f"Saturday 1 March 2025 · {club.name}", f"t/{first}/index.html"]]
    # Whole addresses stand in none: nobody has said where the site is.
    assert not [path for path in files if path.endswith((".ics", ".png", ".xml")) and "static" not in path]


def published_again(site):
    """The pages that are written anew."""
    before = {path: path.stat().st_ino for path in site.rglob("*.html")}
    publish(site, ENGLISH)
    after = {path: path.stat().st_ino for path in site.rglob("*.html")}
    assert dead_links(site) == []
    return {path.relative_to(site).as_posix() for path, inode in after.items() if before.get(path) != inode}


def test_again_only_what_changed_is_made_and_what_is_no_more_goes(site, evenings, club, monkeypatch):
    made = []
    make = Maker.make
    monkeypatch.setattr(Maker, "make", lambda maker, task: made.append(task.unit) or make(maker, task))
    assert published_again(site) == set()
    assert made == []
    first, second = (one.code for one in evenings)
    Tournament.objects.filter(code=second).update(name="//[Sommerfesten", version=F("version") + 1)
    written = published_again(site)
    assert {page.split("/")[1] for page in written if page.startswith("t/")} == {second}
    assert f"club/{club.slug}/index.html" in written
    assert f"t/{first}" not in made
    assert '"og:title" content="//[Sommerfesten' in (site / "t" / second / "index.html").read_text()
    Tournament.objects.filter(code=first).update(called_off_at=timezone.now(), version=F("version") + 1)
    published_again(site)
    assert "Sommerfesten" in (site / "index.html").read_text()
    assert not (site / "t" / first).exists()


@pytest.mark.parametrize("hides", ["erased", "objects", "numbers", "nowhere"])
def test_nobody_is_named_who_is_hidden_and_nothing_of_them_stays(site, chairs, club, alice, hides):
    """What was published with the name is without it the next time; who is erased is on no page at all."""
    name, now = chairs[0].name, timezone.now()
    own = site / "person" / str(chairs[0].pk)
    assert own.exists()
    if hides == "erased":
        personal_data.erase(chairs[0], account=alice, today=now.date(), now=now)
    elif hides == "objects":
        chairs[0].has_objected = True
        chairs[0].save()
    else:
        club.name_style, club.statistics = (
            ("number", club.statistics) if hides == "numbers" else ("full", "nowhere")
        )
        club.save()
    published_again(site)
    assert not own.exists()
    assert not [line for line in index(site) if name in line]
    told = {page for page, text in pages(site).items() if name in text}
    # Who only has no page over the years is named at the evenings themselves, as in the hall.
    of_years = [page for page in told if re.search("^person|history|records", page)]
    assert (of_years if hides in ("objects", "nowhere") else told) in ([], set())


def test_what_ends_a_run_leaves_the_site_as_it_was_and_the_next_run_mends_it(site, evenings, monkeypatch):
    before = {path: path.read_bytes() for path in site.rglob("*.html")}
    Tournament.objects.filter(pk=evenings[1].pk).update(name="Sommerfesten", version=F("version") + 1)

    def fall(_maker, task):
        raise MemoryError(task.unit)

    with monkeypatch.context() as falling:
        falling.setattr(Maker, "make", fall)
        with pytest.raises(MemoryError):
            publish(site, ENGLISH)
    assert {path: path.read_bytes() for path in site.rglob("*.html")} == before
    assert not (site / NEW).exists()
    # As it is while files are put in their places: half of them are, and nothing is known of any.
    kept = Path.replace
    moved = []

    def cut(path, target):
        if len(moved) == 2:
            raise KeyboardInterrupt
        moved.append(target)
        return kept(path, target)

    with monkeypatch.context() as cutting:
        cutting.setattr(placing.Path, "replace", cut)
        with pytest.raises(KeyboardInterrupt):
            publish(site, ENGLISH)
    assert dead_links(site) == []
    published_again(site)
    assert "Sommerfesten" in (site / "index.html").read_text()


@pytest.mark.parametrize(
    ("what", "name"), [("tables", "hall_rating_file"), ("embed", "hall_club_embed"), ("feed", "hall_feed")]
)
def test_no_site_waits_for_itself_and_none_is_made_without_what_the_hall_has(club, monkeypatch, what, name):
    monkeypatch.setitem(throttled.MOST, what, 0)
    page = Page(reverse(name, args=[club.slug]))
    assert read(page, "https://club.example") is not None
    monkeypatch.setattr(throttled, "site_address", lambda _request: "")
    with pytest.raises(NotShown, match="429"):
        read(page, "https://club.example")


def test_a_folder_with_something_else_in_it_is_left_alone_and_one_publishes_at_a_time(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/index.html").write_text("mine")
    with pytest.raises(NotOurs):
        publish(tmp_path / "mine", ENGLISH)
    with held(tmp_path / "site"), pytest.raises(Busy):
        publish(tmp_path / "site", ENGLISH)


@pytest.mark.parametrize(
    "told",
    [
        [],
        {"format": 1, "languages": []},
        *(
            {"format": 1, "languages": {part: {"units": {}, "others": {file: ""}}}}
            for part, file in [
                ("", "/etc/passwd"),
                ("", "../x"),
                ("da", "a/../../../x"),
                ("..", "x"),
                ("/", "x"),
            ]
        ),
    ],
)
def test_nothing_outside_the_folder_is_anybodys(tmp_path, told):
    """Neither by what the folder says of itself, nor by what a machine says of what was copied there."""
    (tmp_path / NAME).write_bytes(gzip.compress(json.dumps(told).encode()))
    with pytest.raises(NotOurs):
        read_kept(tmp_path)
    files = told and [name for kept in dict(told["languages"]).values() for name in kept["others"]]
    data = gzip.compress(json.dumps({"../x": ""} if files == ["x"] else dict.fromkeys(files) or []).encode())
    with pytest.raises(CannotCopy, match="cannot be read"):
        _copied_before(SimpleNamespace(size=lambda _name: 1, opened=lambda _name: BytesIO(data)))


def test_a_site_is_copied_by_sftp_and_then_only_what_changed(site, evenings, tmp_path, monkeypatch):
    key, there = paramiko.ECDSAKey.generate(), tmp_path / "machine" / "www"
    there.mkdir(parents=True)
    home = tmp_path / "home" / ".ssh"
    home.mkdir(parents=True)
    key.write_private_key_file(str(home / "id_ecdsa"))
    monkeypatch.setenv("HOME", str(home.parent))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    machine = Machine(tmp_path / "machine", key)
    known = f"[127.0.0.1]:{machine.port} {machine.key.get_name()} {machine.key.get_base64()}\n"
    (home / "known_hosts").write_text(known)
    place = Place(site, f"sftp://bob@127.0.0.1:{machine.port}/www")
    try:
        here = {
            path.relative_to(site) for path in site.rglob("*") if path.is_file() and path.parts[-1][0] != "."
        }
        assert copied_to(place) == f"{len(here)} files copied to {place.away}."
        assert {path.relative_to(there) for path in there.rglob("*") if path.is_file()} == here | {
            Path(COPIED)
        }
        assert copied_to(place) == f"{place.away} is as it was."
        Tournament.objects.filter(pk=evenings[1].pk).update(
            called_off_at=timezone.now(), version=F("version") + 1
        )
        publish(site, ENGLISH)
        copied_to(place)
        assert dead_links(there) == []
        assert not (there / "t" / evenings[1].code / "index.html").exists()
        with pytest.raises(CannotCopy):
            copied_to(Place(site, "sftp://bob@127.0.0.1:1/www"))
    finally:
        machine.close()


def test_what_is_named_to_copy_to_is_a_folder_or_a_machine(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _name: "/usr/bin/rsync")
    away = {
        to: place_named(to).away for to in ("www", "/srv/www", "a@b.example:www", "rsync://b/www", "-e:sh")
    }
    assert away == {"www": "", "/srv/www": "", "a@b.example:www": "a@b.example:www", "rsync://b/www": "rsync://b/www",
                    "-e:sh": "-e:sh"}  # fmt: skip
    for nowhere in (
        "a@b:", "bb:/", "bb:~", "bb:~/", "bb:~bob/.", "bb:./", "bb:www/..", "bb::", "a@[::1]:", "rsync://b", "rsync://b/",
    ):  # fmt: skip
        with pytest.raises(CannotCopy, match="names no folder"):
            place_named(nowhere)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(CannotCopy, match="no rsync"):
        place_named("a@b.example:www")


@pytest.mark.parametrize(
    ("there", "status", "problem"),
    [
        ("", 0, None),
        ("index.html\nspadille-site.txt", 0, None),
        ("my letters", 0, "would be emptied"),
        ("not spadille-site.txt", 0, "would be emptied"),
        ("link_stat failed: No such file or directory (2)", 23, None),
        ("change_dir failed: Permission denied (13)", 23, "denied"),
        ("no such machine", 255, "no such machine"),
    ],
)
def test_rsync_empties_no_folder_that_is_somebody_elses(tmp_path, monkeypatch, there, status, problem):
    asked = []

    def run(told, **_options):
        asked.append(told[1:])
        if len(asked) > 1:
            return SimpleNamespace(returncode=0, stdout="", stderr="")
        lines = [f"-rw-r--r--  1,024 2026/11/23 12:00:00 {name}" for name in (".", *there.splitlines())]
        said = {"stdout": "", "stderr": there} if status else {"stdout": "\n".join(lines), "stderr": ""}
        return SimpleNamespace(returncode=status, **said)

    monkeypatch.setattr(subprocess, "run", run)
    place = Place(tmp_path, "-e:sh")
    if problem:
        with pytest.raises(CannotCopy, match=problem):
            copied_to(place)
    else:
        assert copied_to(place) == "Copied to -e:sh."
    # Nothing that is named is an option, and the mark is there before anything else.
    sent = [["--", str(tmp_path / MARK), "-e:sh/"], ["--", f"{tmp_path}/", "-e:sh/"]]
    assert [told[-3:] for told in asked[1:]] == ([] if problem else sent)


def test_an_organiser_gets_the_site_as_one_file(
    alice, club, evenings, client, django_capture_on_commit_callbacks
):
    client.force_login(alice)
    page = reverse("club_site", args=[club.slug])
    assert client.get(page).context["form"].initial == {"languages": ["en"]}
    wrong = client.post(page, {"languages": ["xx"], "depth": "all", "address": "nowhere or other"})
    assert set(wrong.context["form"].errors) == {"languages", "depth", "address"}
    assert not Job.objects.exists()
    asked = {"languages": ["en"], "depth": BRIEF, "address": ""}
    assert client.post(page, asked).url == client.post(page, asked).url  # two taps are one job
    job = do_here(Job.objects.get())
    assert (job.state, job.error) == (Job.State.DONE, "")
    with ZipFile(job.path) as packed:
        names = packed.namelist()
        assert f"{club.slug}/index.html" in names
        assert f"{club.slug}/club/{club.slug}/index.html" in names
        assert not [name for name in names if name.split("/")[1].startswith(".")]
        assert f'url=club/{club.slug}/index.html"' in packed.read(f"{club.slug}/index.html").decode()
    assert client.get(reverse("desk_job", args=[job.pk])).status_code == 200
    assert kind_of(job.kind).version(job) == job.version
    club.name_style = "number"
    with django_capture_on_commit_callbacks(execute=True):
        club.save()
    job.refresh_from_db()
    assert job.state == Job.State.FAILED  # it names people as they are shown no more
    assert not job.path.exists()
