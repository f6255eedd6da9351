"""The columns of tables of old results: what they are called, and the headings that they are known by."""

from __future__ import annotations

import re

from django.utils.translation import gettext_lazy

from clubs.lists.fields import ListFields

FIELDS = ListFields(
    code="old_results",
    labels={
        "date": gettext_lazy("Date"),
        "year": gettext_lazy("Year"),
        "event": gettext_lazy("Event"),
        "place": gettext_lazy("Place"),
        "name": gettext_lazy("Name"),
        "tokens": gettext_lazy("Tokens in all"),
        "round": gettext_lazy("Tokens of a round"),
    },
    english={
        "year": "year season",
        "date": "date day",
        "event": "event evening tournament title championship",
        "place": "place rank position no number",
        "name": "name player member",
        "tokens": "tokens total sum score points point",
        "round": "round",
    },
    several=frozenset({"round"}),
    names=frozenset({"name"}),
    samples={
        "date": re.compile(r"\d{4}-\d\d?-\d\d?.*|\d\d?[-./]\d\d?[-./]\d{2,4}"),
        "year": re.compile(r"(?:18|19|20)\d\d"),
        "place": re.compile(r"\d{1,3}\."),
        "name": re.compile(r"[^\W\d_][^\d@]*[\s,][^\d@]*"),
        "tokens": re.compile(r"[+−–-]?\d{1,5}(?:[.,]\d{1,2})?"),
    },
    whole_file=True,
)
