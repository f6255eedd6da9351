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


def test_a_version_that_is_not_known_is_the_newest():
    assert get_rulebook("union", {}, "9.9") is get_rulebook("union") is get_rulebook("union", {}, "1.2")
    assert get_rulebook("union").version == ENGINE_VERSION == VERSIONS[-1]


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_each_rulebook_says_what_its_versions_changed(book):
    assert all(change.version in VERSIONS and change.text.endswith(".") for change in book.changes)
    assert bool(book.changes) is (book.id != "ombre_five")
