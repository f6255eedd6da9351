"""No page costs more for what it does not show: every address is asked in a small world and in a large one."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from django.db import transaction
from django.test import Client, override_settings
from django.utils import timezone

from clubs.models import Account
from config.environment import MailServer
from tests.every_address import addresses
from tests.growth import clock
from tests.growth.cost import Cost, ask, done
from tests.growth.shown import (
    BATCHES,
    DEAR_ROWS,
    LATER,
    LISTS,
    OWNERS,
    PAGES,
    REFUSED,
    SENT,
    TOKEN,
)
from tests.growth.world import LARGE, LEFT_OPEN, SMALL, Size, make_world
from tournaments.desk.people import forms
from tournaments.paper import printing
from tournaments.web import choice_field

ADDRESSES = dict(addresses(left_open=LEFT_OPEN))
SHOWN = {name: shown for shown in PAGES for name in shown.names}
ROWS = {name: shown.rows for name, shown in SHOWN.items()} | clock.ROWS
# What a row that is shown may cost: steps of the database's machine, function calls, bytes. And what nothing may differ
# by: a number that is a digit longer, a search in a larger index.
STEPS_A_ROW, CALLS_A_ROW, BYTES_A_ROW = 420, 1500, 1600
STEPS_OVER, CALLS_OVER, BYTES_OVER = 300, 3000, 300
# Above every page of a tournament's desk stands how far the evening is: a deal that is played costs so much.
STEPS_A_DEAL, ABOVE = 90, ("/desk/t/", "/desk/job")


def test_every_address_is_sized():
    assert ADDRESSES.keys() - SHOWN.keys() == set(), "new addresses: what do they show?"
    assert SHOWN.keys() - ADDRESSES.keys() == set(), "these addresses are no more"
    assert sum(len(shown.names) for shown in PAGES) == len(SHOWN), "an address is sized twice"


def test_all_that_is_asked_by_the_clock_is_sized():
    asked = clock.asked_by_the_clock().keys()
    assert asked - clock.BY_THE_CLOCK.keys() == set(), "new: what does it go through?"
    assert clock.BY_THE_CLOCK.keys() - asked == set(), "these are asked no more"


def _costs(size: Size, seed: int, wanted: Collection[str] = tuple(ROWS)) -> dict[str, tuple[int, Cost]]:
    """Status and cost of every address in a world of this size, whose things no other seed's world has.

    And of what is asked by the clock, whose status is 200.
    """
    found: dict[str, tuple[int, Cost]] = {}
    with transaction.atomic():
        world = make_world(size, seed)
        browser, owners = Client(), Client(headers={"Authorization": f"Bearer {TOKEN}"})
        browser.force_login(world.account)
        owners.force_login(Account.objects.create_superuser(f"owner{seed}"))
        for name in [name for name in ADDRESSES if name in wanted]:
            filled = world.filled(name, ADDRESSES[name], SHOWN[name].about)
            asks = owners if name in OWNERS else browser
            answer, cost = ask(asks, filled, SENT[name](size) if name in SENT else None)
            found[name] = answer.status_code, cost
        if by_the_clock := [name for name in clock.ROWS if name in wanted]:
            clock.fill(world)
            asked = clock.at_both_moments(timezone.now())
            with override_settings(MAIL_SERVER=MailServer("127.0.0.1", 25), PUSH=True):
                found |= {name: (200, done(asked[name])) for name in by_the_clock}
        transaction.set_rollback(True)
    return found


def _too_much(name: str, small: Cost, large: Cost) -> str:
    """What has grown by more than what is shown; "" for nothing."""
    rows = ROWS[name](LARGE) - ROWS[name](SMALL)
    above = STEPS_A_DEAL * (LARGE.dealt - SMALL.dealt) if ADDRESSES.get(name, "").startswith(ABOVE) else 0
    more = Cost(*(after - before for before, after in zip(small, large, strict=True)))
    found = []
    if more.queries > (-(-rows // BATCHES[name]) if name in BATCHES else 0):
        found.append(f"{small.queries} queries became {large.queries}")
    if more.steps > STEPS_A_ROW * rows + above + STEPS_OVER:
        found.append(f"{more.steps} steps for {rows} rows")
    if more.calls > DEAR_ROWS.get(name, CALLS_A_ROW) * rows + CALLS_OVER:
        found.append(f"{more.calls} function calls for {rows} rows")
    if more.size > BYTES_A_ROW * rows + BYTES_OVER:
        found.append(f"{more.size} bytes for {rows} rows")
    if more.listed > 0 and name not in LISTS:
        found.append(f"a list of {small.listed} lines became one of {large.listed}")
    return ", ".join(found)


# Late in a year: all evenings are in one, those of the large world too. A page of two years has more to show.
@pytest.mark.time_machine("2026-11-21 18:00+01:00")
@pytest.mark.slow
def test_no_page_costs_more_for_what_it_does_not_show(db, undrawn, monkeypatch, settings):
    settings.METRICS_TOKEN = TOKEN
    monkeypatch.setattr(forms, "MOST_SORTED", 0)
    monkeypatch.setattr(printing, "PAGES_AT_ONCE", LARGE.players)  # cards that wait would cost nothing
    monkeypatch.setattr(
        choice_field, "MOST_LISTED", SMALL.players - 4
    )  # more than there are clubs, or rounds
    # The large world comes first, and pays for what a process makes once and keeps for good. Where that is too much, or
    # hides that something is mended, it is asked again, in another one.
    large, small = _costs(LARGE, 2), _costs(SMALL, 3)
    for costs in (small, large):
        assert {name: status for name, (status, _) in costs.items() if status not in {200, 302}} == REFUSED
    doubtful = [name for name in ROWS if name in LATER or _too_much(name, small[name][1], large[name][1])]
    if doubtful:
        again = _costs(LARGE, 4, doubtful)
        assert [again[name][0] for name in doubtful] == [large[name][0] for name in doubtful]
        large |= again
    found = {name: _too_much(name, small[name][1], large[name][1]) for name in ROWS}
    wrong = [f"{name}: {text}" for name, text in found.items() if text and name not in LATER]
    assert not wrong, "\n".join(wrong)
    mended = [name for name in LATER if not found[name]]
    assert not mended, f"these are mended, take them out: {mended}"
