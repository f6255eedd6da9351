"""The table as a phone knows it: what it is told, with what waits here laid over it (`table.js`)."""

from __future__ import annotations

import pytest

from tests.browser.scripts.tables import MAKE, reported, state

pytestmark = pytest.mark.browser

WORDS = '<!doctype html><main id="main"></main><script id="words" type="application/json">{}</script>'


def asked(phone_with, script: str, **given):
    return phone_with(WORDS).evaluate(f"async (given) => {{ {MAKE} {script} }}", {"state": state()} | given)


def told(*numbers: int, **more):
    return state(told={number: reported() for number in numbers}, **more)


LATER_2 = {"kind": "later", "deal": 2, "words": ""}


@pytest.mark.parametrize(
    ("state_told", "following", "left_out"),
    [
        (told(), 1, []),
        (told(1), 2, []),
        (told(1, 2, 3), 4, []),
        # What was left out comes at the end.
        (told(2), 3, [1]),
        (told(2, 4), 1, [1, 3]),
        (told(1, 2, 3, 4), None, []),
        # What is marked for later is passed over, until nothing else is left.
        (told(1, flags=[LATER_2]), 3, []),
        (told(1, 3, flags=[LATER_2]), 4, [2]),
        (told(1, 3, 4, flags=[LATER_2]), 2, [2]),
        # A table that was ended early has no next deal.
        (told(1, table={"ended": True}), None, []),
    ],
)
def test_which_deal_is_entered_next_and_which_were_left_out(
    phone_with, state_told, following, left_out
) -> None:
    assert asked(phone_with, "return [table.next, table.leftOut];", state=state_told) == [following, left_out]


def waiting(deal: int, base: int, tokens=(0, 3, 0, -3), **more):
    said = {"contract": "pure_nolo", "declarer": 1, "outcome": "won"}
    return {
        "key": f"k{deal}-{base}",
        "deal": deal,
        "base": base,
        "result": said,
        "tokens": list(tokens),
    } | more


@pytest.mark.parametrize(
    ("items", "revision", "tokens"),
    [
        ([], 1, [0, 0, 0, 0]),
        ([waiting(1, 1)], 2, [0, 3, 0, -3]),
        # Of several that wait the newest counts.
        ([waiting(1, 1), waiting(1, 2, (6, 0, 0, -6))], 3, [6, 0, 0, -6]),
        ([waiting(2, 0)], 1, [0, 0, 0, 0]),
        # What was refused, or was made at a table of other players, is not shown as what counts.
        ([waiting(1, 1, status="refused")], 1, [0, 0, 0, 0]),
        ([waiting(1, 1, (3, -3, 0))], 1, [0, 0, 0, 0]),
    ],
)
def test_what_waits_here_is_laid_over_what_the_server_told(phone_with, items, revision, tokens) -> None:
    script = "const { revision, tokens } = table.deal(1); return [revision, tokens, table.saved];"
    assert asked(phone_with, script, state=told(1), waiting=items) == [revision, tokens, 1]


@pytest.mark.parametrize(
    ("settled", "now", "is_changed"),
    [
        # It still waits, or was stored as it was seen: nobody else has been there.
        (None, 1, False),
        ({"status": "accepted", "revision": 2}, 2, False),
        # Somebody else's came after it, or in its place.
        ({"status": "accepted", "revision": 2}, 3, True),
        ({"status": "conflict", "revision": 2}, 2, True),
        ({"status": "refused", "revision": 0}, 1, False),
    ],
)
def test_whether_a_deal_is_another_than_the_one_that_was_typed_over(
    phone_with, settled, now, is_changed
) -> None:
    script = """const seen = table.seen(1);
        const [item] = outbox.items;
        if (given.settled) await outbox.settle(item, given.settled);
        const { choices, ...rest } = given.state;
        const deals = [{ ...rest.deals[0], revision: given.now }];
        table.adopt({ ...rest, partial: true, deals });
        return table.isChanged(1, seen);"""
    given = {"state": told(1), "waiting": [waiting(1, 1)], "settled": settled, "now": now}
    assert asked(phone_with, script, **given) is is_changed


def test_a_part_of_the_state_changes_only_the_deals_in_it(phone_with) -> None:
    script = """const { choices, ...rest } = given.state;
        const deals = [{ ...rest.deals[1], revision: 1, result: {}, tokens: [1, 1, 1, -3], text: "" }];
        const missing = table.adopt({ ...rest, version: 7, partial: true, deals });
        const revisions = table.deals.map(({ revision }) => revision);
        return [missing, table.version, revisions, table.choices.contracts.length > 0];"""
    assert asked(phone_with, script, state=told(1)) == [[], 7, [1, 1, 0, 0], True]


# What a server says of the whole table with its answers to reports, the table having been at version 1.
ALL_OF_IT = {"since": 1, "state_version": 2, "sequence": 1, "tokens": [3, -1, -1, -1]}
NOTHING_STORED = {"state_version": 1, "sequence": 0, "tokens": [3, -1, -1, -1]}


@pytest.mark.parametrize(
    ("answered", "version"),
    [
        (ALL_OF_IT, 2),
        (NOTHING_STORED, 1),
        # Somebody else has changed something besides.
        (ALL_OF_IT | {"since": 2, "state_version": 3}, None),
        # An older server does not say what has changed.
        ({"state_version": 2}, None),
        ({"state_version": 1}, None),
    ],
)
def test_an_answer_to_reports_is_followed_only_where_it_says_all(phone_with, answered, version) -> None:
    """Otherwise the state is asked for, and until then the table stays as it was."""
    script = """table.follow(given.answered);
        return [table.isBehind, table.version, table.seats.map(({ tokens }) => tokens || null)];"""
    now = [True, 1, [None] * 4] if version is None else [False, version, answered["tokens"]]
    assert asked(phone_with, script, answered=answered) == now


def test_a_state_that_cannot_be_taken_over_changes_nothing(phone_with) -> None:
    script = """const before = JSON.stringify([table.snapshot, table.deals, table.choices]);
        const { seatings, seats, ...rest } = given.state;
        for (const odd of [{ seatings }, { seats }, {}, { seats, seatings, deals: null, table: undefined }])
            try { table.adopt({ ...rest, version: 99, ...odd }); } catch { /* it says so */ }
        return JSON.stringify([table.snapshot, table.deals, table.choices]) === before;"""
    assert asked(phone_with, script, state=told(1)) is True


@pytest.mark.parametrize(
    ("source", "revision", "missing"),
    [("captain", 1, [1]), ("captain", 2, []), ("desk", 1, [])],
)
def test_a_server_set_back_is_told_what_it_misses_of_the_captains(
    phone_with, source, revision, missing
) -> None:
    """The phone knew the second version of deal 1."""
    before = told()
    before["deals"][0] |= reported(revision=2) | {"source": source}
    after = told()
    after["deals"][0] |= reported(revision=revision) | {"source": source}
    script = "return table.adopt(given.after).map(({ number }) => number);"
    assert asked(phone_with, script, state=before, after=after) == missing


@pytest.mark.parametrize(
    ("marked", "calls", "asked_for"),
    [
        ([], [], []),
        ([LATER_2], [], [2]),
        ([], [LATER_2], [2]),
        ([LATER_2], [LATER_2], [2]),
        ([LATER_2], [{**LATER_2, "settled": True}], []),
        ([], [LATER_2, {**LATER_2, "settled": True}, {**LATER_2, "deal": 3}], [3]),
    ],
)
def test_marks_that_wait_here_are_laid_over_those_of_the_desk(phone_with, marked, calls, asked_for) -> None:
    items = [{"key": f"c{at}", "call": call} for at, call in enumerate(calls)]
    script = "return [...table.marked];"
    assert asked(phone_with, script, state=told(flags=marked), waiting=items) == asked_for


@pytest.mark.parametrize(
    ("reports", "before"),
    [
        # Each of four pays 1 a deal into it; nobody has taken anything out.
        ({}, {1: 4, 2: 8, 4: 16}),
        # Bo won 3 of the 4 in deal 1, its antes counted; then each deal brings 4.
        ({1: ((-1, 2, -1, -1), 4)}, {1: 4, 2: 5, 3: 9}),
        # Nobody won deal 1, deal 2 is not reported yet, and Bo took 6 of the 12 in deal 3.
        ({1: ((-1, -1, -1, -1), 4), 3: ((-1, 5, -1, -1), 12)}, {2: 8, 3: 12, 4: 10}),
    ],
)
def test_what_lies_in_the_pool_before_a_deal(phone_with, reports, before) -> None:
    known = state(told={number: reported(tokens, pool=pool) for number, (tokens, pool) in reports.items()})
    known["choices"] = known["choices"] | {"antes": [-1, -1, -1, -1]}
    script = "return given.numbers.map((number) => table.poolBefore(number));"
    assert asked(phone_with, script, state=known, numbers=list(before)) == list(before.values())
