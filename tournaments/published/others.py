"""The files of a site that are no page of the hall: the look, the search with its index, the map for search engines."""

from __future__ import annotations

import json
import posixpath
import re
from html import escape
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template.loader import render_to_string
from django.utils import translation

from tournaments.published.addresses import FRONT, Page, file_of, read_page
from tournaments.published.making import searched
from tournaments.published.reader import request_for
from tournaments.published.rewriting import STATIC, Links, Site, links_of, rewritten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tournaments.published.kept import Made

FIND = f"find/{FRONT}"
INDEX = "find/index.js"
IN_STYLES = re.compile(rb"""url\(["']?(?!data:|#)([^"')?#]+)""")
# So many addresses a map may have.
MOST_IN_A_MAP = 50_000


def static_files(wanted: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """These files of the look, and whatever their style sheets ask for: (file, contents)."""
    waiting, seen = sorted(wanted), set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        data = _static(path.removeprefix(STATIC))
        if data is None:
            continue
        yield path.lstrip("/"), data
        if path.endswith(".css"):
            folder = posixpath.dirname(path)
            waiting += [
                posixpath.normpath(posixpath.join(folder, one.decode())) for one in IN_STYLES.findall(data)
            ]


def _static(name: str) -> bytes | None:
    """A file as it was collected, or as it lies in the source where nothing has been."""
    if staticfiles_storage.exists(name):
        with staticfiles_storage.open(name) as file:
            return bytes(file.read())
    found = finders.find(name)
    if not isinstance(found, str):
        return None
    with open(found, "rb") as file:  # noqa: PTH123 - a path of Django's
        return file.read()


def search_page(site: Site) -> tuple[bytes, set[str]]:
    """The page that searches, and what it is drawn with."""
    page = Page(f"/{FIND.removesuffix(FRONT)}")
    with translation.override(site.language):
        text = render_to_string(
            "published/find.html", {"index": "index.js"}, request=request_for(page, site.base)
        )
        links = Links(site, page)
        asked = {link.path for link in links_of(links, text)[0] if link.path.startswith(STATIC)}
        return rewritten(links, text).encode(), asked


def search_index(units: Mapping[str, Made]) -> bytes:
    """What the search looks through: a script, since a browser fetches nothing for a page that lies in a folder."""
    lines = [[name, said, file] for name, said, file in searched(units)]
    told = json.dumps(lines, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f"globalThis.spadilleIndex = {told};\n".encode()


def maps(base: str, units: Mapping[str, Made]) -> Iterator[tuple[str, bytes]]:
    """The pages that search engines may list, as they know it: one map, or several and a list of them."""
    listed = sorted(
        file_of(page)
        for made in units.values()
        for page, is_listed in ((read_page(address), told[1]) for address, told in made.pages.items())
        if is_listed and not page.part and (page.path.endswith("/"))
    )
    parts = [listed[first : first + MOST_IN_A_MAP] for first in range(0, len(listed), MOST_IN_A_MAP)] or [[]]
    if len(parts) == 1:
        yield "sitemap.xml", _map("urlset", "url", (f"{base}/{one}" for one in parts[0]))
        return
    for number, part in enumerate(parts, start=1):
        yield f"sitemap-{number}.xml", _map("urlset", "url", (f"{base}/{one}" for one in part))
    names = (f"{base}/sitemap-{number}.xml" for number in range(1, len(parts) + 1))
    yield "sitemap.xml", _map("sitemapindex", "sitemap", names)


def _map(whole: str, each: str, addresses: Iterable[str]) -> bytes:
    lines = "".join(
        f"<{each}><loc>{escape(address.removesuffix(FRONT))}</loc></{each}>\n" for address in addresses
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<{whole} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{lines}</{whole}>\n'
    ).encode()


def leading_on(file: str, language: str) -> bytes:
    """A first page that leads on to another."""
    with translation.override(language):
        return render_to_string("published/leads_on.html", {"file": file}).encode()


def names_of_languages() -> dict[str, str]:
    return {
        code: translation.get_language_info(code)["name_local"].capitalize() for code, _ in settings.LANGUAGES
    }
