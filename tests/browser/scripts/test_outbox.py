"""What a phone has reported, as `outbox.js` keeps it: in which place, in which order, and until when."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser

# A store that keeps, is full, or is full at first; `slow`: it takes a while, as a disk does. It says what it holds.
START = """
const { Outbox } = await import("/static/js/captain/outbox.js");
const tick = () => new Promise((resolve) => { setTimeout(resolve, 5); });
const store = (place, { full = 0, slow = false, held = {} } = {}) => ({
    place, held, full,
    async all() { return Object.values(held); },
    async put(item) {
        if (slow) await tick();
        if (this.full > 0) { this.full -= 1; throw new Error("full"); }
        held[item.key] = item;
    },
    async remove(key) { delete held[key]; },
});
const report = (key, more) =>
    ({ key, deal: 1, base: 0, status: "waiting", result: { all_passed: true }, tokens: [], text: "", ...more });
const call = (key, more) => ({ key, status: "waiting", call: { kind: "call", deal: null, words: "" }, ...more });
const where = (outbox) => outbox.items.map(({ key, place }) => [key, place]);
const held = (outbox) => Object.fromEntries(outbox.stores.map((one) => [one.place, Object.keys(one.held)]));
"""
ALWAYS = 99
# What a store holds of another table, as it was given.
KEPT = {"table": "mine", "order": 1, "place": "disk"}


def ran(phone, script: str, argument=None):
    return phone.evaluate(f"async (given) => {{ {START} {script} }}", argument)


@pytest.mark.parametrize(
    ("disk", "store", "place", "kept"),
    [
        ({}, {}, "disk", {"disk": ["a"], "store": []}),
        ({"full": ALWAYS}, {}, "store", {"disk": [], "store": ["a"]}),
        ({"full": ALWAYS}, {"full": ALWAYS}, "memory", {"disk": [], "store": []}),
        (None, {}, "store", {"store": ["a"]}),
        ({"full": ALWAYS}, None, "memory", {"disk": []}),
        (None, None, "memory", {}),
        # What the disk has no room for at first is brought there as soon as it has.
        ({"full": 1}, {}, "disk", {"disk": ["a"], "store": []}),
        ({"full": 1}, {"full": ALWAYS}, "disk", {"disk": ["a"], "store": []}),
    ],
)
def test_a_report_is_in_one_place_the_best_that_takes_it(phone, disk, store, place, kept) -> None:
    said = ran(
        phone,
        """const stores = Object.entries(given).filter(([, of]) => of).map(([place, of]) => store(place, of));
        const outbox = new Outbox("mine", stores, []);
        await outbox.put(report("a"));
        return [outbox.place, where(outbox), held(outbox)];""",
        {"disk": disk, "store": store},
    )
    assert said == [place, [["a", place]], kept]


def test_the_place_that_is_told_is_the_poorest_of_what_the_server_may_lack(phone) -> None:
    said = ran(
        phone,
        """const outbox = new Outbox("mine", [store("disk"), store("store")], []);
        const told = [outbox.place];
        for (const [place, status] of [["disk", "waiting"], ["store", "delivered"], ["memory", "delivered"],
            ["store", "conflict"], ["memory", "kept"]]) {
            outbox.items.push(report(place + status, { place, status }));
            told.push(outbox.place);
        }
        return told;""",
    )
    assert said == ["disk", "disk", "disk", "disk", "store", "memory"]


def test_only_the_items_of_its_table_are_its_own(phone) -> None:
    said = ran(
        phone,
        """const items = [report("a", given), report("b", { ...given, table: "yours" }), report("c", given)];
        return new Outbox("mine", [], items).items.map(({ key }) => key);""",
        KEPT,
    )
    assert said == ["a", "c"]


@pytest.mark.parametrize("now", [0, 5, 1_000_000])
def test_what_is_put_later_comes_later_whatever_the_clock_says(phone, now) -> None:
    said = ran(
        phone,
        """const outbox = new Outbox("mine", [], [report("a", { table: "mine", order: 500 })]);
        Date.now = () => given;
        for (const key of ["b", "c"]) await outbox.put(report(key));
        const orders = outbox.items.map(({ order }) => order);
        return orders.every((order, at) => !at || order > orders[at - 1]);""",
        now,
    )
    assert said is True


def test_what_is_put_again_keeps_its_turn(phone) -> None:
    said = ran(
        phone,
        """const outbox = new Outbox("mine", [], []);
        const [first, second] = [report("a"), report("b")];
        await outbox.put(first);
        await outbox.put(second);
        const { order } = first;
        await outbox.put(Object.assign(first, { status: "conflict" }));
        return [outbox.items.map(({ key }) => key), first.order === order];""",
    )
    assert said == [["a", "b"], True]


STATUSES = ["waiting", "conflict", "refused", "kept", "delivered"]


@pytest.mark.parametrize("status", STATUSES)
def test_reports_and_calls_are_told_apart_by_what_became_of_them(phone, status) -> None:
    said = ran(
        phone,
        """const items = given.flatMap((status) =>
            [report(`r-${status}`, { table: "mine", status }), call(`c-${status}`, { table: "mine", status })]);
        const outbox = new Outbox("mine", [], items);
        const keys = (items) => items.map(({ key }) => key);
        return [keys(outbox.having(given[0])), keys(outbox.calls(given[0])), keys(outbox.waiting), outbox.left];""",
        [status, *(other for other in STATUSES if other != status)],
    )
    assert said == [[f"r-{status}"], [f"c-{status}"], ["r-waiting"], 2]


PROBLEM = {"code": "x", "field": "result", "message": "No."}
FULL = {"code": "no_room", "field": "", "message": "Full."}
THEIRS = {"revision": 3, "result": None, "tokens": [], "text": ""}


@pytest.mark.parametrize(
    ("answer", "status", "stored", "told"),
    [
        ({"status": "accepted", "revision": 2}, "delivered", True, (2, [], None)),
        ({"status": "duplicate", "revision": 2}, "delivered", True, (2, [], None)),
        ({"status": "conflict", "revision": 3, "current": THEIRS}, "conflict", False, (3, [], THEIRS)),
        ({"status": "refused", "revision": 0, "problems": [PROBLEM]}, "refused", False, (0, [PROBLEM], None)),
        ({"status": "kept", "revision": 0}, "kept", False, (0, [], None)),
        # Where the desk has no room for it, it is sent again.
        ({"status": "refused", "revision": 0, "problems": [FULL]}, "waiting", False, (None, [FULL], None)),
    ],
)
def test_each_report_is_settled_by_its_own_answer(phone, answer, status, stored, told) -> None:
    said = ran(
        phone,
        """const outbox = new Outbox("mine", [store("disk")], []);
        const item = report("a");
        await outbox.put(item);
        const stored = await outbox.settle(item, given);
        const { status, revision = null, problems, current = null } = outbox.stores[0].held.a;
        return [status, stored, [revision, problems, current]];""",
        answer,
    )
    assert said == [status, stored, list(told)]


def test_of_each_deal_the_last_that_was_stored_is_kept_and_nothing_else_goes(phone) -> None:
    said = ran(
        phone,
        """const of = (key, deal, status) => report(key, { table: "mine", deal, status });
        const before = [of("old", 1, "delivered"), of("other", 2, "delivered"), of("refused", 1, "refused")];
        const outbox = new Outbox("mine", [], [...before, of("new", 1, "waiting")]);
        await outbox.settle(outbox.waiting[0], { status: "accepted", revision: 2 });
        const kept = outbox.items.map(({ key }) => key);
        await outbox.forget();
        return [kept, outbox.items.map(({ key }) => key)];""",
    )
    assert said == [["other", "refused", "new"], ["refused"]]


@pytest.mark.parametrize("full", [1, 2])
def test_a_report_undone_while_it_is_being_stored_does_not_come_back(phone, full) -> None:
    """A full disk makes it wait for the next place: it is not to be found in either."""
    said = ran(
        phone,
        """const stores = [store("disk", { slow: true, full: given }), store("store", { slow: true })];
        const outbox = new Outbox("mine", stores, []);
        const item = report("a");
        const storing = outbox.put(item);
        await outbox.remove(item);
        await storing;
        return [outbox.items, held(outbox)];""",
        full,
    )
    assert said == [[], {"disk": [], "store": []}]


def test_a_report_undone_while_another_is_moved_is_not_moved_after_it(phone) -> None:
    said = ran(
        phone,
        """const disk = store("disk", { slow: true });
        const items = [report("a", given), report("b", given)].map((item) => ({ ...item, place: "store" }));
        const outbox = new Outbox("mine", [disk, store("store")], items);
        const moving = outbox.improve();
        await outbox.remove(outbox.items[1]);
        await moving;
        return held(outbox);""",
        KEPT,
    )
    assert said == {"disk": ["a"], "store": []}


# The browser's own stores


def test_what_is_kept_is_there_after_a_reload_the_oldest_first(phone) -> None:
    put = """const outbox = await Outbox.open("mine");
        for (const key of ["c", "a", "b"]) await outbox.put(report(key, { text: "Å ♥" }));
        await (await Outbox.open("yours")).put(report("d"));"""
    ran(phone, put)
    phone.reload()
    said = ran(
        phone,
        """return (await Outbox.open("mine")).items.map(({ key, place, text }) => [key, place, text]);""",
    )
    assert said == [["c", "disk", "Å ♥"], ["a", "disk", "Å ♥"], ["b", "disk", "Å ♥"]]


def test_what_lay_in_the_small_store_is_brought_to_the_disk_once(phone) -> None:
    said = ran(
        phone,
        """localStorage["spadille-outbox:a"] = JSON.stringify(report("a", given));
        const first = await Outbox.open("mine");
        const second = await Outbox.open("mine");
        return [where(first), where(second), Object.keys(localStorage)];""",
        KEPT,
    )
    assert said == [[["a", "disk"]], [["a", "disk"]], []]


def test_of_what_was_delivered_a_phone_keeps_the_newest_two_hundred_of_all_tables(phone) -> None:
    said = ran(
        phone,
        """const old = await Outbox.open("old");
        await old.put(report("waits"));
        for (let at = 0; at < 203; at += 1) await old.put(report(`d${at}`, { status: "delivered" }));
        await Outbox.open("mine");
        for (let wait = 0; wait < 20; wait += 1) await tick(); // it does not hold the page up
        const kept = (await Outbox.open("old")).items.map(({ key }) => key);
        return [kept.length, kept[0], kept[1], kept[200]];""",
    )
    assert said == [201, "waits", "d3", "d202"]


def test_every_key_is_another_and_short_enough_to_be_typed(phone) -> None:
    keys = phone.evaluate(
        """async () => {
            const { newKey } = await import("/static/js/captain/outbox.js");
            return Array.from({ length: 1000 }, newKey);
        }"""
    )
    assert len(set(keys)) == 1000
    assert {key[:26] for key in keys} == {"00000000-0000-8000-8000-00"}
    assert {len(key) for key in keys} == {36}
