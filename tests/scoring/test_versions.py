"""What a version of the rules has changed, and that stored deals settle as they did before it."""

import pytest

from scoring import ENGINE_VERSION, get_rulebook, rulebooks
from scoring.seats import Role
from scoring.versions import VERSIONS
from tests.scoring.reports import codes, settled, tokens, tricks

BEFORE = "1.1"
BONUS = {"first_five_bonus": True}

# Reports whose tricks tell who won the first five: outcome and tokens now, and as they were before.
# rulebook, options, fields, now, before
TOLD_BY_TRICKS = [
    # who won the first five and then played on has tried for tout
    ("rasle", {}, {"tricks": "FH8 MH1 BH0", "first_five_by": "FH"}, ("won", 2), ("won", 4)),
    ("la_bete", {}, {"tricks": "FH8 MH1 BH0", "first_five_by": "FH"}, ("won", 2), ("won", 4)),
    ("union", {}, {"tricks": "FH5 MH2 BH2", "first_five_by": "FH"}, ("won", 4), ("won", 6)),
    ("rasle", BONUS, {"tricks": "FH5 MH2 BH2", "five_first": "won"}, ("won", 4), ("won", 6)),
    ("rasle", BONUS, {"tricks": "FH5 MH1 BH0", "five_first": "won", "played_out": False}, ("won", 4), ("won", 6)),
    ("union", {}, {"tricks": "FH6 MH1 BH0", "first_five_by": "FH", "played_out": False}, ("won", 4), ("won", 6)),
    # five of five, and no card after them
    ("rasle", BONUS, {"tricks": "FH5 MH0 BH0", "five_first": "won", "played_out": False}, ("won", 6), ("won", 6)),
    ("union", {}, {"tricks": "FH5 MH0 BH0", "played_out": False}, ("won", 6), ("won", 6)),
    # who won them is not told
    ("union", {}, {"tricks": "FH8 MH1 BH0"}, ("won", 6), ("won", 6)),
    # crocodile: a declarer without a trick lost them, one with five of five won them
    ("crocodile", {}, {"tricks": "ELD0 MID5 DLR4"}, ("contraprimeras", -16), ("crocodile_lunch", -8)),
    ("crocodile", {}, {"tricks": "ELD0"}, ("contraprimeras", -16), ("crocodile_lunch", -8)),
    ("crocodile", {}, {"tricks": "ELD0 MID3 DLR2", "played_out": False}, ("contraprimeras", -16), None),
    ("crocodile", {}, {"tricks": "ELD0 MID3 DLR1", "played_out": False}, None, None),
    ("crocodile", {}, {"tricks": "ELD1 MID5 DLR3"}, ("crocodile_lunch", -8), ("crocodile_lunch", -8)),
    ("crocodile", {"contraprimeras_together": False}, {"tricks": "ELD0 MID5 DLR4"},
     ("crocodile_lunch", -8), ("crocodile_lunch", -8)),
    ("crocodile", {"contraprimeras_together": False}, {"tricks": "ELD0 MID9 DLR0"},
     ("contraprimeras", -16), ("crocodile_lunch", -8)),
    ("crocodile", {}, {"tricks": "ELD5 MID0 DLR0", "played_out": False}, ("won", 8), ("won", 4)),
    ("crocodile", {}, {"tricks": "ELD5", "played_out": False, "claimed_after": 5}, ("won", 8), ("won", 4)),
    ("crocodile", {}, {"tricks": "ELD5", "played_out": False}, ("won", 4), ("won", 4)),
    # renegado: solo 15 and an estuche from each, the pool of 5; the first five are 3 from or to each
    ("renegado", {}, {"tricks": "FH5 MH0 BH0", "played_out": False}, ("won", 43), ("won", 37)),
    ("renegado", {}, {"tricks": "FH0 MH5 BH4"}, ("kodille", -28), ("kodille", -22)),
    ("renegado", {}, {"tricks": "FH1 MH5 BH3"}, ("kodille", -22), ("kodille", -22)),
    # the first lesson: leading to the sixth is for all or nothing
    ("ombre_intro", {}, {"tricks": "FH8 MH1 BH0", "first_five_by": "FH"}, ("lost", -2), ("lost", -2)),
]  # fmt: skip


def came_to(book, fields):
    """The outcome and the declarer's tokens, None where the tricks leave open what the deal came to."""
    told = fields | {"tricks": tricks(fields["tricks"])}
    if book.id == "renegado":
        told |= {"pool": 5, "estuches": 1}
    contract = "ombre" if book.id == "ombre_intro" else "solo"
    declarer = str(book.seat_name(Role.FH))
    if "tricks_undecided" in codes(book, contract=contract, declarer=declarer, **told):
        return None
    outcome = settled(book, contract=contract, declarer=declarer, **told).outcome
    return outcome, tokens(book, contract=contract, declarer=declarer, **told)[declarer]


@pytest.mark.parametrize(("rulebook", "options", "fields", "now", "before"), TOLD_BY_TRICKS)
def test_the_first_five_tricks_are_read_from_the_tricks_since_1_2(rulebook, options, fields, now, before):
    assert came_to(get_rulebook(rulebook, options), fields) == now
    assert came_to(get_rulebook(rulebook, options, BEFORE), fields) == before


def test_tricks_that_are_all_the_declarers_do_not_say_what_came_of_his_try():
    six = {"contract": "solo", "declarer": "FH", "tricks": tricks("FH6 MH0 BH0"), "played_out": False}
    assert codes("union", **six) == ["tout_undecided"]
    assert codes("union", **six, tout="failed") == ["rare_tout"]
    assert codes(get_rulebook("union", {}, BEFORE), **six) == []


def test_five_tricks_of_five_were_not_lost():
    rasle = get_rulebook("rasle", BONUS)
    five = {"contract": "solo", "declarer": "FH", "tricks": tricks("FH5 MH0 BH0"), "played_out": False}
    assert codes(rasle, **five, five_first="failed") == ["five_first_disagrees"]


@pytest.mark.parametrize("by", ["MH", "OPP"])
def test_a_contrabola_pays_nothing_for_the_first_five_since_1_2(by):
    lost = {"contract": "contrabola", "declarer": "FH", "trump": "H", "pool": 5, "estuches": 1}
    lost |= {"tricks": tricks("FH1 MH5 BH3"), "first_five_by": by}
    now = tokens("renegado", **lost)
    assert now == tokens("renegado", **{**lost, "first_five_by": None})
    before = tokens(get_rulebook("renegado", {}, BEFORE), **lost)
    assert before["FH"] == now["FH"] - 2 * 3


# Reports that leave something open: what is asked about since 1.3, and what they settled as before.
# rulebook, options, fields, the problem now, outcome and the declarer's tokens before
LEFT_OPEN = [
    # crocodile: tricks to come decide a bonus
    ("crocodile", {}, {"tricks": "ELD4 MID2 DLR2"}, "bonus_open", ("won", 8)),
    ("crocodile", {}, {"tricks": "ELD6 MID0 DLR0"}, "bonus_open", ("won", 8)),
    ("crocodile", {}, {"tricks": "ELD7 MID0 DLR0"}, "bonus_open", ("won", 8)),
    ("crocodile", {}, {"tricks": "ELD8 MID0 DLR0"}, "bonus_open", ("won", 8)),
    ("crocodile", {}, {"tricks": "ELD8"}, "bonus_open", ("won", 4)),
    ("crocodile", {}, {"tricks": "ELD8 MID0 DLR0", "bonus_bid": "tout"}, "bonus_open", ("won", -24)),
    ("crocodile", {}, {"tricks": "ELD5 MID0 DLR0", "bonus_bid": "tout"}, "bonus_open", ("won", -24)),
    ("crocodile", {}, {"tricks": "ELD4 MID2 DLR2", "bonus_bid": "cuatro"}, "bonus_open", ("won", 12)),
    ("crocodile", {}, {"tricks": "ELD4 MID0 DLR0", "outcome": "won"}, "bonus_open", ("won", 8)),
    ("crocodile", {}, {"tricks": "ELD4", "outcome": "won"}, "bonus_open", ("won", 8)),
    # nolos: a trick to come may be the declarer's
    ("crocodile", {}, {"contract": "nolo", "tricks": "ELD4 MID4 DLR0"}, "tricks_undecided", ("crocodile_lunch", -12)),
    ("crocodile", {}, {"contract": "nolo", "tricks": "ELD0 MID5 DLR2"}, "tricks_undecided", ("won", 6)),
    ("rasle", {}, {"contract": "simple_nolo", "tricks": "FH2 MH1 BH0"}, "tricks_to_come", ("kodille", -6)),
    ("rasle", {}, {"contract": "simple_nolo", "tricks": "FH1 MH4 BH0"}, "tricks_undecided", ("bete", -4)),
    ("rasle", {}, {"contract": "pure_nolo", "tricks": "FH1 MH4 BH0"}, "tricks_undecided", ("bete", -6)),
    ("la_bete", {}, {"contract": "simple_nolo", "tricks": "FH3 MH1 BH4"}, "tricks_to_come", ("kodille", -8)),
    ("rasle", {"nolo_for_all": True}, {"contract": "simple_nolo", "tricks": "FH4 MH4 BH0"},
     "tricks_undecided", ("bete", -1)),
    ("union", {}, {"contract": "pure_nolo", "tricks": "FH0 MH4 BH0"}, "tricks_undecided", ("won", 8)),
    ("renegado", {}, {"contract": "contrabola", "tricks": "FH0 MH4 BH2"}, "tricks_undecided", ("won", 17)),
    # estuches and solos that cannot be
    ("renegado", {}, {"trump": "C", "estuches": 12, "outcome": "won", "tricks": ""}, "estuches_range", ("won", 59)),
    ("ombre_two", {"price_estuche": 1}, {"contract": "ombre", "trump": "S", "estuches": 12, "pool": 5,
     "outcome": "won", "tricks": ""}, "estuches_range", ("won", 17)),
    ("ombre_five", {}, {"pool": 15, "outcome": "won", "tricks": ""}, "declarer_not_last", ("won", 15)),
]  # fmt: skip


@pytest.mark.parametrize(("rulebook", "options", "fields", "now", "before"), LEFT_OPEN)
def test_what_tricks_to_come_can_change_is_asked_about_since_1_3(rulebook, options, fields, now, before):
    book, players = get_rulebook(rulebook, options), {"ombre_two": 2, "ombre_five": 5}.get(rulebook, 3)
    declarer = str(book.seat_name(Role.FH))
    told = {"contract": "solo", "declarer": declarer, "played_out": False, "pool": 5, "estuches": 1} | fields
    told |= {"tricks": tricks(fields["tricks"])}
    for name in ("pool", "estuches"):
        if name not in fields and book.id != "renegado":
            del told[name]
    found = codes(book, players, **told)
    assert [code for code in found if not code.startswith("rare")] == [now]
    older = get_rulebook(rulebook, options, "1.2")
    assert settled(older, players, **told).outcome == before[0]
    assert tokens(older, players, **told)[declarer] == before[1]


@pytest.mark.parametrize(
    ("rulebook", "fields", "outcome", "points"),
    [
        ("crocodile", {"tricks": "ELD5 MID0 DLR0"}, "won", 8),
        ("crocodile", {"tricks": "ELD5 MID1 DLR0"}, "won", 4),
        ("crocodile", {"tricks": "ELD5 MID1 DLR0", "bonus_bid": "tout"}, "won", -24),
        ("crocodile", {"tricks": "ELD6 MID0 DLR0", "outcome": "crocodile_lunch"}, None, None),
        ("crocodile", {"tricks": "ELD1 MID5 DLR2"}, "crocodile_lunch", -8),
        ("crocodile", {"contract": "nolo", "tricks": "ELD5 MID1 DLR0"}, "contranolo", -24),
        ("rasle", {"contract": "simple_nolo", "tricks": "FH0 MH5 BH0", "outcome": "won"}, "won", 4),
        ("rasle", {"contract": "pure_nolo", "tricks": "FH2 MH1 BH0"}, "kodille", -10),
        ("union", {"contract": "simple_nolo", "tricks": "FH2 MH1 BH0"}, "kodille", -6),
    ],
)
def test_play_may_stop_where_nothing_is_left_open(rulebook, fields, outcome, points):
    book = get_rulebook(rulebook)
    declarer = str(book.seat_name(Role.FH))
    told = {"contract": "solo", "declarer": declarer, "played_out": False} | fields
    told |= {"tricks": tricks(fields["tricks"])}
    if outcome is None:
        assert "outcome_disagrees" in codes(book, **told)
    else:
        assert (settled(book, **told).outcome, tokens(book, **told)[declarer]) == (outcome, points)


def test_a_version_that_is_not_known_is_the_newest():
    assert get_rulebook("union", {}, "9.9") is get_rulebook("union") is get_rulebook("union", {}, "1.3")
    assert get_rulebook("union").version == ENGINE_VERSION == VERSIONS[-1]


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_each_rulebook_says_what_its_versions_changed(book):
    assert all(change.version in VERSIONS and change.text.endswith(".") for change in book.changes)
    assert book.changes
