"""Every page, cold, where there is much: how many times the standings page of the same run it takes.

A union of 10,000 evenings and a tournament of 2,000 players are asked (`tests.bench.years`; `YEARS` as for `pages`,
`YEARS_SCALE` makes fewer evenings). Seconds depend on the machine, ratios hardly: the standings of 2,000 players take
about 0.09 s of a core on a quiet one. What takes more than `WIDE` times that is marked. `ADDRESSES=hall,desk_draw`
measures only pages whose names begin so.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path

from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.bench.cold import cold, settle_down
from tests.bench.years import Size, made
from tests.every_address import addresses

PLAYERS = 2_000
# As many times what the standings take are a tenth of a second, and half again for what a loaded machine adds.
WIDE = 1.5
OK = 200


def main() -> None:
    folder = Path(os.environ["YEARS"]) if "YEARS" in os.environ else None
    scaled = Size(members=0).scaled(float(os.environ.get("YEARS_SCALE", "1")))
    size = replace(scaled, crowds=(PLAYERS,))
    made(size, to=folder)
    from tests.bench.years.found import Found

    found = Found()
    code, club, browser = found.crowd(*size.crowds).code, found.union.slug, found.browser
    small = found.crowd(8).code
    settle_down()
    known = _cold(browser, reverse("standings", args=[code]), reverse("standings", args=[small]))
    print(
        f"standings of {size.crowds[0]:,} players: {known * 1000:.0f} ms\n\n| page | ms | times the standings |"
    )
    print("|---|---|---|")
    wanted = tuple(filter(None, os.environ.get("ADDRESSES", "").split(",")))
    for name, address in sorted(addresses(), key=str):
        if "{secret}" in address or not (name or "").startswith(wanted or ""):
            continue
        here, like = (address.format(code=of, slug=club) for of in (code, small))
        if _is_shown(browser, here):
            taken = _cold(browser, here, like)
            mark = " ←" if taken > WIDE * known else ""
            print(f"| {name} | {taken * 1000:.0f} | {taken / known:.2f}{mark} |", flush=True)


def _is_shown(browser: Client, address: str) -> bool:
    """Whether there is such a page; what is logged of it is taken back."""
    with transaction.atomic():
        status = browser.get(address).status_code
        transaction.set_rollback(True)
    return status == OK


def _cold(browser: Client, address: str, like: str) -> float:
    """Seconds of a core for a page; `like` is one of the same kind, asked before, so that its templates are read."""
    return cold(partial(_read, browser, address), partial(_read, browser, like))


def _read(browser: Client, address: str) -> None:
    answer = browser.get(address)
    if answer.streaming:
        _all = b"".join(answer.streaming_content)
