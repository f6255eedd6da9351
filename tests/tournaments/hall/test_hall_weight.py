"""What a phone that comes to the hall for the first time has to fetch: every page, and all that it names."""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path, PurePath

from django.conf import settings
from django.contrib.staticfiles import finders

from core.http.static_files import IN_ONE, KINDS, shorten
from tests.every_address import addresses
from tests.growth.shown import PAGES
from tests.growth.world import LEFT_OPEN, SMALL, make_world
from tournaments.hall.urls import urlpatterns

MOST = 60_000  # bytes on the wire
# Of an answer as the server sends it, and of the question's share in what a connection costs.
HEADERS = 600
NAMED = re.compile(r'(?:src|href)="(/[^"]+\.(?:css|js|svg|woff2|webmanifest)|[^"]+[?&;]webp)"')
# What a browser with scripts leaves aside: `theme.js` fetches the sheet named there on devices that ask for it.
ASIDE = re.compile(r"<noscript>.*?</noscript>", re.DOTALL)
ABOUT = {name: shown.about for shown in PAGES for name in shown.names}


@cache
def _static(address: str) -> int:
    """A file as it travels over plain http: shortened, and compressed by what every browser takes."""
    name = address.removeprefix(settings.STATIC_URL)
    body = Path(finders.find(name)).read_bytes()
    assert name not in IN_ONE, f"{name} is made of many"
    kind = PurePath(name).suffix
    if kind in KINDS and not name.endswith(".min.js"):
        body = shorten(KINDS[kind], body.decode()).encode()
    return len(body if kind == ".woff2" else gzip.compress(body, 9))


def test_the_first_visit_of_every_page_is_light(db, client):
    world = make_world(SMALL, 5)
    found = {}
    for name, address in addresses(list(urlpatterns), left_open=LEFT_OPEN):
        answer = client.get(world.filled(name, address, ABOUT[name]), headers={"Accept-Encoding": "gzip"})
        if answer.status_code != 200 or not answer.get("Content-Type", "").startswith("text/html"):
            continue
        packed = answer.get("Content-Encoding") == "gzip"
        html = (gzip.decompress(answer.content) if packed else answer.content).decode()
        named = {path.replace("&amp;", "&") for path in NAMED.findall(ASIDE.sub("", html))}
        assert len(named) > (5 if "embed" not in name else 3), name
        weights = [
            _static(path) if path.startswith(settings.STATIC_URL) else len(client.get(path).content)
            for path in named
        ]
        found[name] = sum(weights) + len(answer.content) + HEADERS * (1 + len(named))
    assert len(found) > 30
    assert {name: weight for name, weight in found.items() if weight >= MOST} == {}
