"""Pages that are made of the program, so that they cannot differ from it: rulebooks with prices, and the commands."""

from __future__ import annotations

import argparse
import ast
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import django
from django.core.management import get_commands, load_command_class
from django.utils.translation import override

from scoring.rulebooks import rulebooks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scoring.rulebook import Rulebook

ROOT = Path(__file__).parents[2]
RULES = ROOT / "scoring/rules"
WIDTH = 100  # of what a command says of itself
# Headings of a rulebook's page: prices, options, and those of the two tables.
HEADINGS = {
    "en": (
        "Prices",
        "Options",
        ("contract", "declarer exchanges", "defenders exchange"),
        ("beside it", "price", "where"),
        ("option", "what it is", "default", "§"),
    ),
    "da": (
        "Priser",
        "Valgmuligheder",
        ("melding", "spilføreren bytter", "modspillerne bytter"),
        ("desuden", "pris", "hvor"),
        ("navn", "hvad det er", "som udgangspunkt", "§"),
    ),
    "sv": (
        "Priser",
        "Valmöjligheter",
        ("kontrakt", "spelföraren byter", "motspelarna byter"),
        ("därutöver", "pris", "var"),
        ("namn", "vad det är", "i utgångsläget", "§"),
    ),
}

# The other languages of the manual, which lie in folders where the program reads them.
TRANSLATED = [language for language in HEADINGS if language != "en"]


def begin() -> None:
    """Have the program ready to be asked."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["COLUMNS"] = str(WIDTH)
    django.setup()


def rulebook_page(book: Rulebook, language: str) -> str:
    """A rulebook: what each contract costs, its options, and its rules by paragraphs."""
    from tournaments.domain.terms import option_text  # noqa: PLC0415
    from tournaments.lifecycle.rules_text import price_table  # noqa: PLC0415 - the program must have begun

    with override(language):
        prices = price_table(book)
        text = (RULES / ("" if language == "en" else language) / f"{book.id}.md").read_text(encoding="utf-8")
        title, _line, rules = text.partition("\n")
        costs, choices, of_prices, of_bonuses, of_options = HEADINGS[language]
        bonuses = ((one.name, one.price, one.where) for one in prices.bonuses)
        options = (
            (
                f"`{spec.name}`",
                option_text(book, spec.title, spec.contract),
                f"`{spec.default}`",
                spec.paragraph,
            )
            for spec in book.option_specs
        )
        lines = ((line.contract, line.declarer, line.defenders, *line.prices) for line in prices.lines)
        parts = [
            f"{title}\n\n`{book.id}`: {book.source}\n\n## {costs}\n\n{prices.reading}\n",
            *_table((*of_prices, *prices.columns), lines),
            *(f"\n{line.contract}: {line.note}" for line in prices.lines if line.note),
            "",
            *_table(of_bonuses, bonuses),
            f"\n## {choices}\n",
            *_table(of_options, options),
        ]
    return "\n".join(parts) + "\n" + rules


def _table(heads: tuple[str, ...], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table in Markdown; nothing where there is no row."""
    rows = list(rows)
    if not rows:
        return
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |"


def commands() -> str:
    """What each command of the program says of itself."""
    with override("en"):
        return "\n".join(_of_commands())


def _of_commands() -> Iterator[str]:
    for name, app in own_commands().items():
        parser = load_command_class(app, name).create_parser("manage.py", name)
        yield f"### {name}\n\n{_help(parser)}\n"


def own_commands() -> dict[str, str]:
    """Return the program's own commands by name, in alphabetical order, each with the app that has it."""
    return {name: app for name, app in sorted(get_commands().items()) if app in ("core", "tournaments")}


def _help(parser: argparse.ArgumentParser) -> str:
    """A command's help, without the options that Django gives to all."""
    of_all = {"--version", "-v", "--settings", "--pythonpath", "--traceback", "--no-color", "--force-color"}
    of_all |= {"--skip-checks", "-h"}
    for action in parser._actions:
        if of_all & set(action.option_strings):
            action.help = argparse.SUPPRESS
    lines = parser.format_help().rstrip().splitlines()
    return "\n".join(f"    {line}".rstrip() for line in lines)


def said_of(module: str) -> str:
    """What a module says of itself at its top, line by line as it stands there."""
    said = ast.get_docstring(ast.parse((ROOT / module).read_text(encoding="utf-8"))) or ""
    return "```text\n" + said + "\n```"


def pages() -> dict[str, Callable[[], str]]:
    """What is made, by the page's path; those of other languages than English have theirs in the name."""
    made: dict[str, Callable[[], str]] = {}
    for book in rulebooks():
        for language in HEADINGS:
            suffix = "" if language == "en" else f".{language}"
            made[f"reference/rulebooks/{book.id}{suffix}.md"] = partial(rulebook_page, book, language)
    for language in TRANSLATED:
        for path in (ROOT / "docs/manual" / language).glob("*.md"):
            made[f"manual/{path.stem}.{language}.md"] = partial(path.read_text, encoding="utf-8")
    return made
