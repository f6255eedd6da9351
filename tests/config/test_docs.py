"""The documentation as a site: every page has its place, every link its end, every setting its line, in both languages.

`make docs` builds it; here is what can be told without that.
"""

from __future__ import annotations

import re
import sys
from argparse import SUPPRESS
from importlib import import_module
from pathlib import Path

import pytest
import yaml
from django.core.management import load_command_class

from scoring.rulebooks import rulebooks

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SITE = yaml.safe_load((DOCS / "site/mkdocs.yml").read_text("utf-8"))
# What is written for people who organise and look after the machine is written in Danish too; reference falls back.
IN_DANISH = ("index.md", "tutorial/*.md", "how-to/*.md", "explanation/*.md")
# A code whose text may have brackets like those of a link.
CODE = re.compile(r"```.*?```|`[^`]*`|^    .*$", re.MULTILINE | re.DOTALL)
MADE = {f"reference/rulebooks/{book.id}.md" for book in rulebooks()}


def pages() -> list[Path]:
    """Every page that is written, but the manual's translated ones, which lie where the program reads them."""
    return sorted(
        path for path in DOCS.rglob("*.md") if not {DOCS / "manual/da", DOCS / "manual/sv"} & {*path.parents}
    )


def named(nav: object) -> list[str]:
    """Every page of a nav, down to the last."""
    if isinstance(nav, str):
        return [nav]
    entries = nav.values() if isinstance(nav, dict) else nav
    return [page for entry in entries for page in named(entry)]  # type: ignore[attr-defined]


def anchors(text: str) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    own = set(re.findall(r"\{#([\w-]+)\}", text))
    return own | {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", head).strip().lower()) for head in heads}


def test_every_page_has_one_place_on_the_site():
    written = {
        path.relative_to(DOCS).as_posix() for path in pages() if not path.stem.endswith((".da", ".sv"))
    }
    assert sorted(named(SITE["nav"])) == sorted(page for page in written if not page.startswith("manual/"))


@pytest.mark.parametrize("pattern", IN_DANISH)
def test_what_is_for_organisers_is_there_in_danish(pattern):
    both = {path.name for path in DOCS.glob(pattern)}
    if pattern == "index.md":
        both |= {path.name for path in DOCS.glob("index.da.md")}
    both = {name for name in both if not name.endswith(".sv.md")}
    english = {name for name in both if not name.endswith(".da.md")}
    assert both - english == {name.replace(".md", ".da.md") for name in english}


def test_every_link_of_a_page_leads_somewhere():
    lost = []
    for page in pages():
        for link in re.findall(r"\]\(([^)\s]+)\)", CODE.sub("", page.read_text("utf-8"))):
            path, _hash, anchor = link.partition("#")
            if re.match(r"[a-z]+:", path):
                continue
            there = (page.parent / path).resolve() if path else page
            made = there.is_relative_to(DOCS) and there.relative_to(DOCS).as_posix() in MADE
            if not made and (
                not there.is_file() or (anchor and anchor not in anchors(there.read_text("utf-8")))
            ):
                lost.append(f"{page.name}: {link}")
    assert lost == []


def test_every_setting_has_its_line_and_no_other():
    read = re.findall(r"\benv\.\w+\(\s*\"([A-Z_]+)\"", (ROOT / "config/settings.py").read_text("utf-8"))
    told = re.findall(
        r"^\| `([A-Z_]+)` \|", (DOCS / "reference/settings.md").read_text("utf-8"), re.MULTILINE
    )
    assert sorted(told) == sorted(set(read))


def test_what_is_typed_on_a_server_is_the_same_in_both_languages():
    typed = [
        re.findall(r"^    .*$", (DOCS / f"how-to/server{language}.md").read_text("utf-8"), re.MULTILINE)
        for language in ("", ".da")
    ]
    assert typed[0] == typed[1]
    assert len(typed[0]) > 30


@pytest.fixture(scope="module")
def made():
    sys.path.insert(0, str(DOCS / "site"))
    yield import_module("made")
    sys.path.remove(str(DOCS / "site"))


@pytest.mark.parametrize("language", ["en", "da", "sv"])
def test_a_rulebooks_page_has_every_contract_with_its_price_and_every_option(made, language):
    for book in rulebooks():
        page = made.rulebook_page(book, language)
        rows = re.findall(r"^\|(?!-)", page.split("\n## ")[1], re.MULTILINE)
        assert len(rows) > len(book.contracts_at(max(book.players)))
        assert [spec.name for spec in book.option_specs if f"| `{spec.name}` |" not in page] == []


def test_every_command_says_what_it_does(made):
    told = made.commands()
    assert re.findall(r"^### (\w+)$", told, re.MULTILINE) == list(made.own_commands())
    assert "usage: manage.py verify" in told
    table = (DOCS / "reference/commands.md").read_text("utf-8")
    assert set(re.findall(r"^\| `manage.py (\w+)", table, re.MULTILINE)) == set(made.own_commands())


def test_the_table_of_commands_names_every_option(made):
    table = (DOCS / "reference/commands.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `manage.py (\w+)(.*)$", table, re.MULTILINE))
    lacking = []
    for name, app in made.own_commands().items():
        parser = load_command_class(app, name).create_parser("manage.py", name)
        made._help(parser)  # hides what Django gives to all
        options = [one for act in parser._actions if act.help != SUPPRESS for one in act.option_strings]
        lacking += [f"{name} {option}" for option in options if not re.search(rf"{option}\b", rows[name])]
    assert lacking == ["changepassword --database"], "which is Django's, and there is one database"


def test_the_site_is_there_in_every_language_of_the_manual(made):
    """Its first page, the manual's chapters and the rulebooks; what is not translated falls back to English."""
    languages = {folder.name for folder in (DOCS / "manual").iterdir() if folder.is_dir()}
    (i18n,) = (each["i18n"] for each in SITE["plugins"] if isinstance(each, dict) and "i18n" in each)
    assert {each["locale"] for each in i18n["languages"]} == {"en", *languages}
    of_all = made.pages()
    for language in languages:
        assert (DOCS / f"index.{language}.md").is_file()
        chapters = {path.name.replace(".md", f".{language}.md") for path in (DOCS / "manual").glob("*.md")}
        assert {f"manual/{name}" for name in chapters} < set(of_all)
        assert {f"reference/rulebooks/{book.id}.{language}.md" for book in rulebooks()} < set(of_all)
