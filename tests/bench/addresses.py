"""Every page, cold, where there is much: how many times the standings page of the same run it takes.

A union of 10,000 evenings and a tournament of 2,000 players are asked (`tests.bench.years`; `YEARS` as for `pages`,
`YEARS_SCALE` makes fewer evenings). Seconds depend on the machine, ratios hardly: the standings of 2,000 players take
about 0.09 s of a core on a quiet one. What takes more than `WIDE` times that is marked. `ADDRESSES=hall,desk_draw`
measures only pages whose names begin so. A page that the tournament or the union does not have is asked of another one;
what nobody here has is named at the end.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.bench.cold import cold, settle_down
from tests.bench.years import Size, made
from tests.every_address import addresses

PLAYERS = 2_000
# As many times what the standings take are a tenth of a second, and half again for what a loaded machine adds.
WIDE = 1.5
OK = 200
LEFT_OPEN = ("pk", "other", "year")


def main() -> None:
    folder = Path(os.environ["YEARS"]) if "YEARS" in os.environ else None
    scaled = Size(members=0).scaled(float(os.environ.get("YEARS_SCALE", "1")))
    size = replace(scaled, crowds=(PLAYERS,))
    made(size, to=folder)
    there = There(size.crowds[0])
    settle_down()
    code, small = (reverse("standings", args=[code]) for code in (there.codes[0], there.small))
    known = _cold(there.browser, code, small)
    print(
        f"standings of {size.crowds[0]:,} players: {known * 1000:.0f} ms\n\n"
        "| page | ms | times the standings | queries |\n|---|---|---|---|"
    )
    wanted = tuple(filter(None, os.environ.get("ADDRESSES", "").split(",")))
    lacking = []
    for name, address in sorted(addresses(left_open=LEFT_OPEN), key=str):
        if not name or "{secret}" in address or not name.startswith(wanted or ""):
            continue
        here = next(filter(there.queries, there.filled(name, address)), None)
        if here is None:
            lacking.append(name)
            continue
        like = there.like(name, address)
        taken = _cold(there.browser, here, like if there.queries(like) else here)
        mark = " ←" if taken > WIDE * known else ""
        print(
            f"| {name} | {taken * 1000:.0f} | {taken / known:.2f}{mark} | {there.queries(here)} |", flush=True
        )
    print("\nnot shown here:", *lacking)


class There:
    """Whom to ask about, the largest first, and something small of the same kind, by which templates are read."""

    def __init__(self, players: int) -> None:
        from clubs.models import Membership
        from tests.bench.years.found import Found
        from tournaments.models import Tournament

        found = Found()
        self.browser = found.browser
        self.small = found.crowd(8).code
        newest = Tournament.objects.filter(state=Tournament.State.FINISHED).order_by("-date", "-pk")
        kinds = [newest.filter(**kind).first() for kind in ({"boards": True}, {"format": "teams"}, {})]
        self.codes = [found.crowd(players).code, *(one.code for one in kinds if one)]
        busiest, own = found.busiest, found.busiest.club
        self.slugs = [found.union.slug, own.slug]
        self.year = busiest.tournament.date.year - 1
        self.persons = busiest.player_id, found.met_most(busiest.player_id)
        members = Membership.objects.filter(club=own).order_by("pk").values_list("pk", flat=True)
        of_person = members.filter(player=busiest.player_id).first() or 0, members.last() or 0
        seasons = found.longest_season.pk, found.shortest_season.pk
        self.keys = dict.fromkeys(("person", "hall_person", "api_person"), self.persons)
        self.keys |= dict.fromkeys(("hall_season", "club_season", "api_season"), seasons)
        self.keys["member"] = of_person

    def filled(self, name: str, address: str) -> Iterator[str]:
        """The address, of one after the other who may have such a page."""
        pk, other = self._keys(name)
        asked = product(self.codes, self.slugs)
        filled = (
            address.format(code=code, slug=slug, pk=pk, other=other, year=self.year) for code, slug in asked
        )
        return iter(dict.fromkeys(filled))

    def like(self, name: str, address: str) -> str:
        other, pk = self._keys(name)
        year = self.year - 1
        return address.format(code=self.small, slug=self.slugs[1], pk=pk, other=other, year=year)

    def _keys(self, name: str) -> tuple[int, int]:
        begins = [key for key in self.keys if name.startswith(key)]
        return self.keys[max(begins, key=len)] if begins else (1, 1)

    def queries(self, address: str) -> int:
        """How many queries the page takes, 0 if there is none; what is logged of it is taken back."""
        with transaction.atomic(), CaptureQueriesContext(connection) as asked:
            status = self.browser.get(address).status_code
            transaction.set_rollback(True)
        return len(asked) if status == OK else 0


def _cold(browser: Client, address: str, like: str) -> float:
    """Seconds of a core for a page; `like` is one of the same kind, asked before, so that its templates are read."""
    return cold(partial(_read, browser, address), partial(_read, browser, like))


def _read(browser: Client, address: str) -> None:
    answer = browser.get(address)
    if answer.streaming:
        _all = b"".join(answer.streaming_content)
