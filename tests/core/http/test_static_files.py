"""What browsers are given of our scripts and style sheets."""

from __future__ import annotations

import gzip
import re
import shutil
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.files.storage import FileSystemStorage

from core.http.static_files import ModuleStaticFilesStorage, shorten
from tests.factories import first_table, make_tournament
from tournaments.management.commands import prepare

SOURCE = Path(settings.STATICFILES_DIRS[0])
IMPORTS = re.compile(r'(?:from|import\()"(\.{1,2}/[^"]+)"')


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The captain's scripts and the style sheets as `collectstatic` leaves them."""
    folder = tmp_path_factory.mktemp("static")
    for part in ("js", "css", "fonts"):
        shutil.copytree(SOURCE / part, folder / part)
    kinds = ("js/answers.js", "js/captain/*.js", "css/*.css", "fonts/*.woff2")
    files = [file for kind in kinds for file in SOURCE.glob(kind)]
    storage = ModuleStaticFilesStorage(location=folder, base_url="/static/")
    source = FileSystemStorage(SOURCE)
    names = [str(file.relative_to(SOURCE)) for file in files]
    for _name, _hashed, processed in storage.post_process({name: (source, name) for name in names}):
        assert not isinstance(processed, Exception)
    return folder


def test_scripts_import_each_other_by_names_that_change_with_their_content(collected):
    scripts = [*collected.glob("js/captain/*.js")]
    assert scripts
    for script in scripts:
        for imported in IMPORTS.findall(script.read_text()):
            assert re.search(r"\.[0-9a-f]{12}\.js$", imported), script
            assert (script.parent / imported).exists()


@pytest.mark.parametrize("name", ["main", "more", "late"])
def test_what_a_captain_page_loads_is_one_script(collected, name):
    [script] = collected.glob(f"js/captain/{name}.*.js")
    assert re.findall(r"(?:import|export)[^(]", script.read_text()) == []


@pytest.mark.django_db
def test_a_captains_page_travels_in_less_than_forty_kilobytes(collected, client, monkeypatch):
    """All that the page fetches: itself, style sheets and both scripts."""
    monkeypatch.setattr(StaticFilesStorage, "modules_in_one", True, raising=False)
    table = first_table(make_tournament(players=4, deals_per_round=40))
    page = client.get(f"/c/{table.secret}/").content
    named = re.findall(r"/static/((?:js|css)/[\w./-]+)\.(css|js)", page.decode())
    files = {(name, kind) for name, kind in named if name != "css/contrast"}
    assert {("js/captain/main", "js"), ("js/captain/more", "js"), ("css/captain", "css")} <= files
    sent = [next(collected.glob(f"{name}.*.{kind}")).read_bytes() for name, kind in files]
    assert sum(len(gzip.compress(body)) for body in [page, *sent]) < 40_000


def test_the_second_script_brings_nothing_that_the_page_has_already(collected):
    [page] = collected.glob("js/captain/main.*.js")
    [second] = collected.glob("js/captain/more.*.js")
    assert "const{" in second.read_text().split("globalThis.spadille")[0]
    shared = re.search(r"globalThis\.spadille=\{([^}]*)\}", page.read_text())
    assert {"el", "say", "later"} <= set(re.findall(r"[\w$]+(?=[:,])", shared[1] + ","))
    assert "createElement" in page.read_text()
    assert "createElement(" not in second.read_text().replace("createElementNS(", "")


def test_what_only_readers_of_the_source_need_is_left_out(collected):
    [table] = collected.glob("js/captain/table.*.js")
    assert "The table as this phone knows it" in (SOURCE / "js/captain/table.js").read_text()
    assert "The table as this phone knows it" not in table.read_text()
    served = [script.read_text() for script in collected.glob("js/**/*.*.js")]
    assert [
        said for said in ("@type", "@param", "@import", ".d.ts") if any(said in text for text in served)
    ] == []


def test_declarations_stay_in_their_order():
    script = "async function f() { const a = g(); const { b, c } = await h({ a }); return [a, b, c]; }"
    shortened = shorten("application/javascript", script)
    assert shortened.index("g()") < shortened.index("h(")


def test_a_broken_script_stops_the_collecting():
    with pytest.raises(ValueError, match="unexpected"):
        shorten("application/javascript", "const = 3;")


def test_where_nothing_shortens_them_they_go_out_as_they_are(monkeypatch):
    monkeypatch.setitem(sys.modules, "minify", None)
    assert shorten("text/css", "body { color: red }") == "body { color: red }"


def test_a_folder_that_is_listed_in_another_order_is_not_compressed_anew(monkeypatch):
    """File systems differ in it: a stick's was compressed at its first start although it came with all of it."""
    before = prepare._static_files()

    class Backwards:
        def __init__(self, finder) -> None:
            self.finder = finder

        def list(self, ignored):
            return reversed([*self.finder.list(ignored)])

    finders = [Backwards(finder) for finder in get_finders()]
    monkeypatch.setattr(prepare, "get_finders", lambda: finders[::-1])
    assert len(before) > 100
    assert prepare._static_files() == before
