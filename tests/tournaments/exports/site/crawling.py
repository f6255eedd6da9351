"""A published folder as a reader walks through it: its pages, their links, and what the search finds."""

from __future__ import annotations

import json
import re
from html import unescape

# What no file of a site may have in it: what asks a server, or leads away from the folder.
NEVER = re.compile(
    r"<form|csrf|\bhx-|data-live|data-sum|data-rows|/desk/|login|type=\"module\"|site\.invalid"
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
