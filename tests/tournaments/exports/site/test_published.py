"""The hall as a folder: every link leads to a file, nobody is named who is hidden, what changed is made anew."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import pytest
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from core.jobs.kinds import kind_of
from core.jobs.models import Job
from core.jobs.queue import do_here
from core.pdf import files as pdf_files
from core.pdf import store
from tests.growth.world import SMALL, make_world
from tests.tournaments.exports.site.conftest import ENGLISH
from tests.tournaments.exports.site.crawling import asked_of_a_server, dead_links, index, pages
from tournaments.entries import personal_data
from tournaments.exports.site import publishing
from tournaments.exports.site.addresses import BRIEF, NAME, WHOLE, NotOurs, Page, read_kept
from tournaments.exports.site.fingerprints import MadeOf
from tournaments.exports.site.pages import Maker, NotShown, read
from tournaments.exports.site.publishing import NEW, Busy, Wanted, locked_folder, publish
from tournaments.exports.site.remote_copy import CannotCopy, _copied_before
from tournaments.hall import feeds
from tournaments.models import Season, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def without_pdf(patch_display):
    """Drawing letters costs the same whatever they say, and long."""
    drawer = SimpleNamespace(
        write=lambda _pages, _title, target, **_tell: target.write_bytes(b"%PDF-"),
        fitting=lambda *_variants, **_title: b"%PDF-",
    )
    patch_display.setattr(pdf_files, "_engine", lambda: drawer)


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


def test_two_evenings_whole(tmp_path, evenings, chairs, club, without_pdf, monkeypatch):
    site, days = tmp_path / "site", sorted(one.date for one in evenings)
    season = Season.objects.create(host=club, name="Foråret", starts=days[0], ends=days[-1])
    Tournament.objects.update(season=season)
    monkeypatch.setattr(store, "MOST_CELLS", 0)
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
    assert (
        max(Counter((name, said) for name, said, _file in index(site)).values()) == 1
    )  # told apart by words
    found = [line for line in index(site) if line[2] == f"t/{first}/index.html"]
    assert found == [[evenings[0].name, f"Saturday 1 March 2025 · {club.name}", f"t/{first}/index.html"]]
    # A ladder that is too long to be drawn has no button either, only files for a spreadsheet.
    ladder = (site / f"season/{season.pk}/index.html").read_text()
    assert f"season/{season.pk}/ladder.pdf" not in files
    assert [said in ladder for said in ("Print the ladder", "Excel (.xlsx)")] == [False, True]
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
    if hides in ("objects", "nowhere"):
        told = {page for page in told if re.search("^person|history|records", page)}
    assert told == set()


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
        cutting.setattr(publishing.Path, "replace", cut)
        with pytest.raises(KeyboardInterrupt):
            publish(site, ENGLISH)
    assert dead_links(site) == []
    published_again(site)
    assert "Sommerfesten" in (site / "index.html").read_text()


@pytest.mark.parametrize(
    ("what", "name"), [("tables", "hall_rating_file"), ("embed", "hall_club_embed"), ("feed", "hall_feed")]
)
def test_no_site_waits_for_itself_and_none_is_made_without_what_the_hall_has(club, monkeypatch, what, name):
    monkeypatch.setitem(feeds.MOST, what, 0)
    page = Page(reverse(name, args=[club.slug]))
    assert read(page, "https://club.example") is not None
    monkeypatch.setattr(feeds, "site_address", lambda _request: "")
    with pytest.raises(NotShown, match="429"):
        read(page, "https://club.example")


def test_a_folder_with_something_else_in_it_is_left_alone_and_one_publishes_at_a_time(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/index.html").write_text("mine")
    with pytest.raises(NotOurs):
        publish(tmp_path / "mine", ENGLISH)
    with locked_folder(tmp_path / "site"), pytest.raises(Busy):
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
        _copied_before(SimpleNamespace(size=lambda _name: 1, open_file=lambda _name: BytesIO(data)))


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
