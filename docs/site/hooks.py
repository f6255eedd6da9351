"""What MkDocs asks while it makes the site: pages that are made of the program, the manual among the others."""

from __future__ import annotations

import re
import sys
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

import layers  # noqa: E402 - it lies beside this file, which is no package
import made  # noqa: E402 - the same

if TYPE_CHECKING:
    from collections.abc import Callable

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

# In the text of a page: what is put there.
PLACES: dict[str, Callable[[], str]] = {
    "<!-- commands -->": made.commands,
    "<!-- report codes -->": partial(made.said_of, "tournaments/ledger/report_codes.py"),
    "<!-- groups of letters -->": partial(made.said_of, "tournaments/ledger/report_codes.py"),
    "<!-- dealing -->": partial(made.said_of, "tournaments/boards/dealing.py"),
}
# A link from a page to a file of the repository that is no page is told as its name.
OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+(?:README|CONTRIBUTING|SECURITY|CHANGELOG)\.md[^)]*\)")

# Material would load what draws Mermaid from elsewhere: the site has the same diagram as SVG.
DIAGRAM = re.compile(r"^```mermaid\n.*?^```$", re.MULTILINE | re.DOTALL)


@cache
def _pages() -> dict[str, Callable[[], str]]:
    made.begin()
    return made.pages()


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the manual's chapters and the rulebooks in their place."""
    _pages()
    from django.utils.translation import override  # noqa: PLC0415 - the program must have begun

    from tournaments.web.manual import PARTS  # noqa: PLC0415

    chapters = []
    others = {
        one.locale: one for one in config.plugins["i18n"].config.languages if one.locale in made.TRANSLATED
    }
    for part, names in PARTS.items():
        with override("en"):
            title = str(part)
        chapters.append({title: [f"manual/{name}.md" for name in names]})
        for locale, language in others.items():
            with override(locale):
                language.nav_translations[title] = str(part)
    books = [f"reference/rulebooks/{book.id}.md" for book in made.rulebooks()]
    _fill(config.nav, {"The manual": chapters, "Rulebooks": books})
    return config


def _fill(nav: list[Any], parts: dict[str, list[Any]]) -> None:
    for entry in nav:
        for title, below in entry.items() if isinstance(entry, dict) else ():
            if title in parts:
                entry[title] = parts[title]
            elif isinstance(below, list):
                _fill(below, parts)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is made; the manual of other languages lies in folders where the program reads it."""
    for path in _pages():
        files.append(File(path, config.docs_dir, config.site_dir, config.use_directory_urls))
    return files


def on_page_read_source(page: Page, config: MkDocsConfig) -> str | None:  # noqa: ARG001 - as MkDocs asks it
    """A made page's text; any other is read from its file."""
    maker = _pages().get(page.file.src_uri)
    return maker() if maker else None


def on_page_markdown(markdown: str, **_about: object) -> str:
    """Put what is made into the pages that ask for it."""
    for place, maker in PLACES.items():
        if place in markdown:
            markdown = markdown.replace(place, maker())
    return OUTSIDE.sub(r"\1", DIAGRAM.sub(lambda _fence: layers.svg(), markdown))
