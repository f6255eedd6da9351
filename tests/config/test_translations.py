"""Every text a person sees is there in every language, and what is compiled is what is written.

The texts are extracted anew into a copy, so that one added or changed without its translations fails here;
`make messages` then puts it into each folder of `locale/`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import to_locale

from tests.languages import TRANSLATIONS
from tournaments.management.commands.languages import CATALOGUE, Text, texts

SOURCES = ("clubs", "config", "core", "locale", "scoring", "templates", "tournaments")

_PLACEHOLDER = re.compile(r"%\(\w+\)[+\d.]*[a-z]|%[sd%]|\{\w*\}")


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
def extracted(request, sources) -> list[Text]:
    """A catalogue as it becomes then."""
    return texts((sources / "locale" / to_locale(request.param) / CATALOGUE).read_text("utf-8"))


@pytest.mark.slow
def test_every_text_is_translated_in_each_form(extracted) -> None:
    assert len(extracted) > 1000, "the extraction has lost the texts"
    assert [entry.english[0] for entry in extracted if not entry.is_said] == []
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
    ("block", "text"),
    [
        ('msgid "a \\"b\\""\nmsgstr ""\n"å "\n"ø"\n', Text(('a "b"',), ("å ø",), fuzzy=False)),
        ('#, fuzzy, python-format\nmsgid "a"\nmsgstr "b"\n', Text(("a",), ("b",), fuzzy=True)),
        (
            'msgctxt "c"\nmsgid "a"\nmsgid_plural "as"\nmsgstr[0] "b"\nmsgstr[1] ""\n',
            Text(("a", "as"), ("b", ""), fuzzy=False),
        ),
    ],
)
def test_texts_are_read_as_gettext_writes_them(block, text) -> None:
    assert texts('msgid ""\nmsgstr "Language: da"\n\n' + block) == [text]
