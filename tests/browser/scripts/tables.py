"""A table as the server tells it, made without one: Anna, Bo, Carl and Dora, who deal in turn from Anna on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.template import Context, Template

from scoring.rulebooks import get_rulebook
from scoring.seats import Seating
from tournaments.reporting.captain_state import _seating, offers
from tournaments.reporting.script_text import page_words

NAMES = ("Anna", "Bo", "Carl", "Dora")

# What makes a table and its outbox of the argument `given`: {state, waiting, taps …}.
MAKE = """
const { Table } = await import("/static/js/captain/table.js");
const { Outbox } = await import("/static/js/captain/outbox.js");
const outbox = new Outbox("secret", [], []);
for (const item of given.waiting || []) await outbox.put({ base: 0, status: "waiting", tokens: [], text: "", ...item });
const table = new Table(given.state, outbox);
"""


def state(
    deals: int = 4,
    told: Mapping[int, Mapping[str, Any]] | None = None,
    rulebook: str = "union",
    **more: Any,
) -> dict[str, Any]:
    """A round of so many deals; `told` says what is known of some of them."""
    seats = [
        {"position": position, "name": name, "called": name, "short": name, "agreed": False}
        for position, name in enumerate(NAMES)
    ]
    facts = {
        "number": 1, "round": 1, "deals": deals, "first_dealer": 0, "turns": 0, "folders": [],
        "started": True, "ended": False, "sums": True, "sides": False,
    }  # fmt: skip
    return {
        "version": 1,
        "sequence": 0,
        "partial": False,
        "phone": "",
        "table": facts | more.pop("table", {}),
        "seats": seats,
        "seatings": [_seating(Seating(len(NAMES), dealer)) for dealer in range(len(NAMES))],
        "deals": [
            {"number": number, "dealer": (number - 1) % len(NAMES), **(told or {}).get(number, {})}
            for number in range(1, deals + 1)
        ],
        "flags": [],
        "choices": offers(get_rulebook(rulebook), len(NAMES), "en"),
    } | more


def reported(tokens: tuple[int, ...] = (0, 0, 0, 0), revision: int = 1, **result: Any) -> dict[str, Any]:
    """What is told of a deal that was reported."""
    said = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
    return {"revision": revision, "result": result or said, "tokens": list(tokens), "text": "Solo ♥ · won"}


def entry_page() -> str:
    """The page with the entry alone, and the page's words."""
    page = (settings.BASE_DIR / "templates" / "captain" / "page.html").read_text(encoding="utf-8")
    source = page[page.index('<form id="entry"') : page.index('<section id="sheet"')]
    entry = Template("{% load i18n %}" + source).render(Context({"table": {"number": 1}}))
    words = json.dumps(page_words(get_rulebook("union"), fixed=False)).replace("<", "\\u003c")
    script = f'<script id="words" type="application/json">{words}</script>'
    return (
        f'<!doctype html><main id="main"><div id="app"><div id="notices"></div>{entry}</div></main>{script}'
    )
