"""The languages that Spadille speaks: English, and whatever has a compiled catalogue in `locale/`.

What a language is called in itself Django knows of some hundred; of any other the catalogue's own head says it, on a
line `X-Name`.
"""

from __future__ import annotations

from gettext import GNUTranslations
from typing import TYPE_CHECKING

from django.conf.locale import LANG_INFO
from django.utils.translation import to_language

if TYPE_CHECKING:
    from pathlib import Path

CATALOGUE = "LC_MESSAGES/django.mo"
# Who reads these reads Danish sooner than English, as long as they have no catalogue of their own.
READ_AS = dict.fromkeys(("nb", "nn", "no"), "da")


def languages(folder: Path) -> list[tuple[str, str]]:
    """(code, own name) of each, in the order of the names."""
    found = {to_language(path.parents[1].name): path for path in folder.glob(f"*/{CATALOGUE}")}
    names = {code: _name(code, path) for code, path in found.items()}
    for code, neighbour in READ_AS.items():
        if code not in found and neighbour in found:
            LANG_INFO[code] = {**LANG_INFO[code], "fallback": [neighbour]}
    return sorted({**names, "en": "English"}.items(), key=lambda one: one[1].casefold())


def _name(code: str, catalogue: Path) -> str:
    if code not in LANG_INFO:
        with catalogue.open("rb") as file:
            name = GNUTranslations(file).info().get("x-name", code)
        LANG_INFO[code] = {"bidi": False, "code": code, "name": name, "name_local": name}
    told = LANG_INFO[code]
    own: str = LANG_INFO[told["fallback"][0]]["name_local"] if "fallback" in told else told["name_local"]
    return own[:1].upper() + own[1:]
