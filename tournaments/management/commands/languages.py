"""`manage.py languages`: in which languages is how much of the program?"""

from __future__ import annotations

import ast
import re
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import to_language, to_locale

from core.languages import FILE as LISTS
from scoring import vocabulary
from scoring.rulebooks import rulebooks
from tournaments.domain import rule_text
from tournaments.web import manual

if TYPE_CHECKING:
    from collections.abc import Iterable


class Command(BaseCommand):
    help = "Shows how much of the program is translated into each language, and what is missing for those "
    "named."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", nargs="*", help="a language's folder in locale/, such as da or sv")

    def handle(self, *args: Any, **options: Any) -> None:
        known = {to_language(folder): folder for folder in begun()}
        asked = [to_language(code) for code in options["code"]]
        if unknown := [code for code in asked if code not in known]:
            raise CommandError(
                f"There is no folder locale/{unknown[0]}. To create it: mkdir -p locale/{unknown[0]} && "
                f"make messages"
            )
        for language in asked or known:
            self._tell(language, named=bool(asked))

    def _tell(self, language: str, *, named: bool) -> None:
        offered = dict(settings.LANGUAGES).get(language, "not offered: the catalogue is not compiled")
        found = parts(language)
        self.stdout.write(
            f"{language} ({offered}): " + ", ".join(f"{part.name} {part.done} of {part.of}" for part in found)
        )
        for part in found if named else ():
            for missing in part.missing:
                self.stdout.write(f"  {part.name}: {missing}")


# How much of the program there is in a language: texts, chapters of the manual, rulebooks, words on slips, lists.

CATALOGUE = "LC_MESSAGES/django.po"
_STRINGS = re.compile(
    r'^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) ((?:"(?:[^"\\]|\\.)*"\n?)+)', re.MULTILINE
)
_FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)


@dataclass(frozen=True)
class Text:
    """A text of a catalogue with its translations: one, or one for each plural form."""

    english: tuple[str, ...]
    said: tuple[str, ...]
    fuzzy: bool

    @property
    def is_said(self) -> bool:
        """Whether it is translated, and the translation is not fuzzy."""
        return not self.fuzzy and bool(self.said) and all(self.said)


@dataclass(frozen=True)
class Part:
    """The progress of a language in one kind of text."""

    name: str
    of: int
    missing: tuple[str, ...]

    @property
    def done(self) -> int:
        return self.of - len(self.missing)


def texts(catalogue: str) -> list[Text]:
    """The texts of a .po file, without its header and what is no longer used."""
    read = []
    for block in re.split(r"\n{2,}", catalogue):
        fields = {
            name: "".join(map(ast.literal_eval, text.splitlines())) for name, text in _STRINGS.findall(block)
        }
        if fields.get("msgid"):
            english = tuple(fields[name] for name in ("msgid", "msgid_plural") if name in fields)
            said = tuple(text for name, text in fields.items() if name.startswith("msgstr"))
            read.append(Text(english, said, bool(_FUZZY.search(block))))
    return read


def begun() -> list[str]:
    """The languages that have a folder in `locale/`, by their folders' names."""
    folders = {
        path.name for folder in settings.LOCALE_PATHS for path in Path(folder).iterdir() if path.is_dir()
    }
    return sorted(folders)


def parts(language: str) -> list[Part]:
    """The progress of a language, kind by kind."""
    folder = Path(settings.LOCALE_PATHS[0]) / to_locale(language)
    catalogue = folder / CATALOGUE
    told = texts(catalogue.read_text("utf-8")) if catalogue.exists() else []
    chapters = [name for names in manual.PARTS.values() for name in names]
    books = [book.id for book in rulebooks()]
    return [
        Part("texts", len(told), tuple(text.english[0] for text in told if not text.is_said)),
        _files("chapters of the manual", manual.FOLDER / language, chapters),
        _files("rulebooks", rule_text.FOLDER / language, books),
        _part("words on slips", vocabulary.first_phrases(), vocabulary.IN_LANGUAGE.get(language, {})),
        _part("lists", [LISTS], [LISTS] if (folder / LISTS).exists() else []),
    ]


def _files(name: str, folder: Path, wanted: Iterable[str]) -> Part:
    return _part(name, wanted, {path.stem for path in folder.glob("*.md")})


def _part(name: str, wanted: Iterable[str], there: Iterable[str]) -> Part:
    wanted, there = list(wanted), set(there)
    return Part(name, len(wanted), tuple(one for one in wanted if one not in there))
