"""Tapping a deal: what waits for a tap, when it is saved, what is reported, and what is asked back (`entry.js`)."""

from __future__ import annotations

import pytest

from tests.browser.scripts.tables import MAKE, entry_page, reported, state

pytestmark = pytest.mark.browser

# Taps are "place code": buttons by their code, "more", "save" and "no" by their name, "reason text" typed.
START = f"""{MAKE}
const {{ Entry }} = await import("/static/js/captain/entry.js");
const {{ resultOf }} = await import("/static/js/captain/offers.js");
const more = await import("/static/js/captain/more.js");
const byId = (id) => document.getElementById(id);
if (given.is_old) delete Element.prototype.ariaDisabled;
const saved = [];
const entry = new Entry(table, {{
    onSave: () => saved.push(resultOf(entry.choices, entry.selection, entry.deal.roles)),
    onTap: () => {{}}, onCancel: () => saved.push("cancelled"), redraw: () => entry.render(), careful: () => given.careful,
}});
entry.open(given.number || 1, given.draft || {{}});
byId("entry").hidden = false;
const tap = (said) => {{
    const [place, ...words] = said.split(" ");
    const code = words.join(" ");
    if (place === "reason") {{
        byId("reason").value = code;
        byId("reason").dispatchEvent(new Event("input"));
    }} else (code ? [...byId(place).querySelectorAll("button")].find(({{ dataset }}) => dataset.code === code) : byId(place)).click();
}};
const problems = () => [...document.querySelectorAll(".field-error:not([hidden])")].map(({{ id }}) => id.replace("-problem", ""));
"""  # noqa: E501 - a line of another language
BO, CARL, DORA = 1, 2, 3
SOLO = ["declarer 1", "contract solo", "trump H"]
SOLO_WON = {"contract": "solo", "declarer": BO, "trump": "H", "outcome": "won"}
NOLO_LOST = {"contract": "pure_nolo", "declarer": DORA, "outcome": "bete"}


def tapped(phone_with, taps, script="return [entry.waits, saved];", **given):
    page = phone_with(entry_page())
    given = {"state": state(), "taps": taps, "careful": False} | given
    return page.evaluate(
        f"async (given) => {{ {START} for (const said of given.taps) tap(said); {script} }}", given
    )


@pytest.mark.parametrize(
    ("taps", "waits", "saved"),
    [
        ([], "declarer", []),
        (["declarer 1"], "contract", []),
        (["declarer 1", "contract solo"], "trump", []),
        (SOLO, "result", []),
        # The last tap saves; with no trumps it is the third.
        ([*SOLO, "result won"], "", [SOLO_WON]),
        (["declarer 3", "contract pure_nolo", "result bete"], "", [NOLO_LOST]),
        # In any order, but a result needs a contract.
        (["contract solo", "trump H", "declarer 1", "result won"], "", [SOLO_WON]),
        (["result won"], "declarer", []),
        (["declarer 1", "contract solo", "result won", "trump H"], "", []),
        (["declarer 1", "contract solo", "result won", "trump H", "save"], "", [SOLO_WON]),
        # The same button again takes it back.
        (["declarer 1", "declarer 1"], "declarer", []),
        ([*SOLO, "contract solo"], "contract", []),
        ([*SOLO, "trump H"], "trump", []),
        # Another declarer keeps what is his to play too; another contract keeps the trump where it has one.
        ([*SOLO, "declarer 3", "result won"], "", [SOLO_WON | {"declarer": DORA}]),
        ([*SOLO, "contract tourne", "result won"], "", [SOLO_WON | {"contract": "tourne"}]),
        ([*SOLO, "contract pure_nolo"], "result", []),
        ([*SOLO, "contract pure_nolo", "contract solo"], "trump", []),
        # All passed is nobody's deal: nothing more is to be said. Its button sleeps before it acts again.
        (["declarer pass"], "", [{"all_passed": True}]),
        (["declarer pass", "declarer pass"], "", [{"all_passed": True}]),
        ([*SOLO, "declarer pass"], "", [{"all_passed": True}]),
        # What is missing is not saved.
        (["save"], "declarer", []),
        ([*SOLO, "save"], "result", []),
    ],
)
def test_what_waits_after_these_taps_and_what_they_save(phone_with, taps, waits, saved) -> None:
    assert tapped(phone_with, taps) == [waits, saved]


@pytest.mark.parametrize(
    ("taps", "place"),
    [
        (["save"], "declarer"),
        (["declarer 1", "save"], "contract"),
        (["declarer 1", "contract solo", "save"], "trump"),
        ([*SOLO, "save"], "result"),
        (["save", "declarer 1"], None),
    ],
)
def test_what_is_missing_is_said_at_its_place_until_the_next_tap(phone_with, taps, place) -> None:
    assert tapped(phone_with, taps, "return problems();", careful=True) == ([place] if place else [])


def test_who_wants_to_be_asked_saves_by_save(phone_with) -> None:
    taps = [*SOLO, "result won"]
    assert tapped(phone_with, taps, careful=True) == ["", []]
    assert tapped(phone_with, [*taps, "save"], careful=True) == ["", [SOLO_WON]]


def test_with_the_rare_buttons_open_the_last_tap_does_not_save(phone_with) -> None:
    taps = ["declarer 1", "contract solo", "trump H", "more", "result won"]
    assert tapped(phone_with, taps) == ["", []]


@pytest.mark.parametrize("is_old", [False, True])
def test_who_sits_out_is_no_declarer_and_a_button_that_is_off_does_nothing(phone_with, is_old) -> None:
    """Also where a browser does not know `ariaDisabled`, as Firefox before 119."""
    script = """const codes = [...byId("declarer").querySelectorAll("button")].map(({ dataset }) => dataset.code);
        return [codes, entry.selection.trump];"""
    assert tapped(phone_with, ["trump H"], script, is_old=is_old) == [["1", "3", "0", "pass"], None]


@pytest.mark.parametrize(
    ("answer", "saved", "asks"),
    [
        ([], [], True),
        (["save"], [{**NOLO_LOST, "outcome": "kodille", "declarer": BO}], True),
        (["no"], [], False),
    ],
)
def test_what_is_rare_is_asked_back_first(phone_with, answer, saved, asks) -> None:
    """Here the rules ask about every pure nolo."""
    told = state()
    told["choices"] = {
        **told["choices"],
        "contracts": [
            {**one, "asks": {"": "Really?"}} if one["id"] == "pure_nolo" else one
            for one in told["choices"]["contracts"]
        ],
    }
    taps = ["declarer 1", "contract pure_nolo", "result kodille", *answer]
    script = "return [saved, entry.question !== null];"
    assert tapped(phone_with, taps, script, state=told) == [saved, asks]


# Corrections


@pytest.mark.parametrize(
    ("taps", "changed", "saved", "problem"),
    [
        ([], False, [], []),
        (["result bete"], True, [], []),
        (["result bete", "save"], True, [], ["reason"]),
        (["result bete", "reason typed wrong", "save"], True, [{**SOLO_WON, "outcome": "bete"}], []),
        (["reason typed wrong"], True, [], []),
        (["reason  "], False, [], []),
        (["no"], False, ["cancelled"], []),
    ],
)
def test_a_correction_begins_as_the_deal_was_and_needs_a_reason(
    phone_with, taps, changed, saved, problem
) -> None:
    given = {
        "state": state(
            told={1: reported((0, 6, 0, -6), outcome="won", contract="solo", declarer=BO, trump="H")}
        ),
        "draft": {"correcting": True},
    }
    script = "return [entry.isChanged, saved, problems()];"
    assert tapped(phone_with, taps, script, **given) == [changed, saved, problem]


# Somebody else at the same deal


def test_a_deal_that_somebody_else_has_reported_meanwhile_is_not_saved_over(phone_with) -> None:
    given = {"meanwhile": reported() | {"number": 1, "dealer": 0}}
    script = """const { deals, choices, ...rest } = given.state;
        const before = entry.isPassed;
        table.adopt({ ...rest, version: 2, partial: true, deals: [given.meanwhile] });
        tap("result won");
        return [before, entry.isPassed, saved, problems()];"""
    assert tapped(phone_with, SOLO, script, **given) == [False, True, [], ["result"]]
