"""Every text a person sees is there in every language, and what is compiled is what is written.

The texts are extracted anew into a copy, so that one added or changed without its translations fails here;
`make messages` then puts it into each folder of `locale/`.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings
from django.utils.translation import to_locale

from tests.languages import TRANSLATIONS

SOURCES = ("clubs", "config", "locale", "scoring", "templates", "tournaments")
CATALOGUE = Path("LC_MESSAGES/django.po")

_STRINGS = re.compile(
    r'^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) ((?:"(?:[^"\\]|\\.)*"\n?)+)', re.MULTILINE
)
_FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)
_PLACEHOLDER = re.compile(r"%\(\w+\)[+\d.]*[a-z]|%[sd%]|\{\w*\}")


class Entry(NamedTuple):
    """One text with its translations: one, or one for each plural form."""

    english: tuple[str, ...]
    said: tuple[str, ...]
    fuzzy: bool


def entries(catalogue: str) -> list[Entry]:
    """The texts of a .po file, without its header."""
    read = []
    for block in re.split(r"\n{2,}", catalogue):
        fields = {
            name: "".join(map(ast.literal_eval, text.splitlines())) for name, text in _STRINGS.findall(block)
        }
        if fields.get("msgid"):
            english = tuple(fields[name] for name in ("msgid", "msgid_plural") if name in fields)
            said = tuple(text for name, text in fields.items() if name.startswith("msgstr"))
            read.append(Entry(english, said, bool(_FUZZY.search(block))))
    return read


def placeholders(text: str) -> list[str]:
    return sorted(set(_PLACEHOLDER.findall(text)))


def gettext_tool(*command: str, cwd: Path) -> str:
    without_settings = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    done = subprocess.run(command, cwd=cwd, env=without_settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sources(tmp_path_factory) -> Path:
    """Today's sources, whose texts are merged into each catalogue."""
    copy = tmp_path_factory.mktemp("sources")
    for name in SOURCES:
        shutil.copytree(settings.BASE_DIR / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    asked = [f"--locale={to_locale(code)}" for code in TRANSLATIONS]
    gettext_tool(sys.executable, "-m", "django", "makemessages", *asked, "--no-obsolete", cwd=copy)
    return copy


@pytest.fixture(scope="module", params=TRANSLATIONS)
def extracted(request, sources) -> list[Entry]:
    """A catalogue as it becomes then."""
    return entries((sources / "locale" / to_locale(request.param) / CATALOGUE).read_text())


@pytest.mark.slow
def test_every_text_is_translated_in_each_form(extracted) -> None:
    assert len(extracted) > 1000, "the extraction has lost the texts"
    assert [entry.english[0] for entry in extracted if entry.fuzzy or not all(entry.said)] == []
    assert [entry.english[0] for entry in extracted if len(entry.english) != len(entry.said)] == []


def test_placeholders_are_those_of_the_english(extracted) -> None:
    pairs = [pair for entry in extracted for pair in zip(entry.english, entry.said, strict=True)]
    assert [pair for pair in pairs if placeholders(pair[0]) != placeholders(pair[1])] == []


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_the_compiled_catalogue_is_the_written_one(language, tmp_path) -> None:
    written = settings.BASE_DIR / "locale" / to_locale(language) / CATALOGUE
    gettext_tool("msgfmt", "--check", "--output-file", "compiled.mo", str(written), cwd=tmp_path)
    compiled = gettext_tool("msgunfmt", "compiled.mo", cwd=tmp_path)
    assert gettext_tool("msgunfmt", str(written.with_suffix(".mo")), cwd=tmp_path) == compiled


@pytest.mark.parametrize(
    ("block", "entry"),
    [
        ('msgid "a \\"b\\""\nmsgstr ""\n"å "\n"ø"\n', Entry(('a "b"',), ("å ø",), fuzzy=False)),
        ('#, fuzzy, python-format\nmsgid "a"\nmsgstr "b"\n', Entry(("a",), ("b",), fuzzy=True)),
        (
            'msgctxt "c"\nmsgid "a"\nmsgid_plural "as"\nmsgstr[0] "b"\nmsgstr[1] ""\n',
            Entry(("a", "as"), ("b", ""), fuzzy=False),
        ),
    ],
)
def test_entries_are_read_as_gettext_writes_them(block, entry) -> None:
    assert entries('msgid ""\nmsgstr "Language: da"\n\n' + block) == [entry]
