"""Codes of reports: what is written is read, every wrong letter is found and told where, and only the link seals."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rulebooks import rulebooks
from scoring.words import OUTCOME_NAMES
from tournaments.ledger.report_codes import (
    ALPHABET,
    EPOCH,
    SHORT_KEY,
    VERSION,
    WORDS,
    UnreadableCode,
    _group,
    read_code,
    write_code,
)

SECRET = "v7yJ0JxUQnq1sI2m3hF8Lw"
SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
ITEM = {
    "key": f"{SHORT_KEY}12af349988",
    "deal": 17,
    "base": 0,
    "turns": 0,
    "result": SOLO,
    "made_at": "2026-11-21T19:30:00+00:00",
    "reason": "",
}

keys = st.uuids().map(str) | st.integers(0, 2**40 - 1).map(lambda number: f"{SHORT_KEY}{number:010x}")
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=9)
plain = st.none() | st.booleans() | st.integers(-(2**30), 2**30) | st.sampled_from(WORDS) | texts
values = st.recursive(
    plain, lambda inside: st.lists(inside, max_size=3) | st.dictionaries(texts, inside, max_size=3),
    max_leaves=6,
)  # fmt: skip
results = st.none() | st.dictionaries(st.sampled_from(WORDS), values, max_size=6)
moments = st.none() | st.integers(1, 2**24 - 1).map(
    lambda past: (EPOCH + timedelta(minutes=past)).isoformat()
)
items = st.fixed_dictionaries(
    {
        "key": keys,
        "deal": st.integers(1, 99),
        "base": st.integers(0, 40),
        "turns": st.none() | st.integers(0, 300),
        "result": results,
        "made_at": moments,
        "reason": texts,
    }
)


def refusal(typed):
    with pytest.raises(UnreadableCode) as refused:
        read_code(typed)
    return refused.value.message


@given(st.lists(items, min_size=1, max_size=5))
@settings(max_examples=60)
def test_what_is_written_is_read(sent):
    assert list(read_code(write_code(sent, SECRET)).items) == sent


@given(items, st.data())
@settings(max_examples=60)
def test_every_single_wrong_letter_is_found_at_its_group(item, data):
    groups = write_code([item], SECRET).split()
    place, letter = data.draw(st.integers(0, len(groups) - 1)), data.draw(st.integers(0, 4))
    group = groups[place]
    wrong = data.draw(st.sampled_from([other for other in ALPHABET if other != group[letter]]))
    groups[place] = group[:letter] + wrong + group[letter + 1 :]
    assert refusal(" ".join(groups)).startswith(f"Group {place + 1} (“{groups[place]}”)")


@given(items, st.data())
@settings(max_examples=40)
def test_letters_changed_round_and_groups_left_out_or_changed_round_are_found(item, data):
    groups = write_code([item], SECRET).split()
    place = data.draw(st.integers(0, len(groups) - 2))
    one, other = data.draw(st.sampled_from([(a, b) for a in range(5) for b in range(a)]))
    letters = list(groups[place])
    letters[one], letters[other] = letters[other], letters[one]
    turned = [*groups[:place], "".join(letters), *groups[place + 1 :]]
    swapped = [*groups[:place], groups[place + 1], groups[place], *groups[place + 2 :]]
    missing = groups[:place] + groups[place + 1 :]
    for spoilt in (turned, swapped, missing):
        if spoilt == groups or (spoilt is missing and spoilt == groups[:-1]):
            continue
        assert refusal(" ".join(spoilt)).startswith("Group ")


@pytest.mark.parametrize(
    ("result", "letters"),
    [(SOLO, 50), (SOLO | {"tout": "won"}, 50), ({"all_passed": True}, 40), (None, 35), (SOLO | {"joined": [2]}, 55)],
)  # fmt: skip
def test_a_deal_is_short_enough_to_be_typed(result, letters):
    assert len(write_code([ITEM | {"result": result}], SECRET).replace(" ", "")) == letters


def test_six_deals_fill_one_code_of_some_two_hundred_letters():
    assert len(write_code([ITEM | {"deal": deal} for deal in range(1, 7)], SECRET).replace(" ", "")) == 225


@pytest.mark.parametrize(
    "typed",
    [str.lower, lambda code: code.replace(" ", ""), lambda code: code.replace(" ", "-\n"), lambda code: f" {code}. "],
)  # fmt: skip
def test_case_and_what_stands_between_groups_do_not_matter(typed):
    assert read_code(typed(write_code([ITEM], SECRET))).items == (ITEM,)


def test_only_a_phone_that_had_the_link_can_make_it():
    code = read_code(write_code([ITEM], SECRET))
    assert code.is_made_with(SECRET)
    assert not code.is_made_with(SECRET[::-1])
    other = read_code(write_code([ITEM | {"deal": 18}], SECRET))
    assert (other.sealed, other.seal) != (code.sealed, code.seal)
    assert SECRET.upper() not in write_code([ITEM], SECRET).replace(" ", "")


def other_version():
    """The same letters with the version 3 in their first four bits, and the checks right for it."""
    group = write_code([ITEM], SECRET).split()[0]
    part = sum(ALPHABET.index(letter) * 31**power for letter, power in zip(group, (3, 2, 1, 0), strict=False))
    part += 1 << 15
    digits = [part // 31**power % 31 for power in (3, 2, 1, 0)]
    check = sum(weight * digit for weight, digit in enumerate(digits, start=1)) % 31
    return "".join(ALPHABET[digit] for digit in [*digits, check])


def test_a_code_of_the_version_before_is_read_and_says_nothing_of_seats():
    code = read_code("3PSUT HVDUN BE3GB 3WXRU 6YVBC 25GKK 6JXK3 BEAPK H2G5J 2222G")
    assert code.items == (ITEM | {"turns": None},)
    assert code.is_made_with(SECRET)


GROUPS = write_code([ITEM], SECRET).split()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ([], "Scan the code or type it."),
        (GROUPS[:-1], "The end of the code is missing."),
        (GROUPS[:1], "The end of the code is missing."),
        (
            [GROUPS[0], "BATS", *GROUPS[2:]],
            "Group 2 (“BATS”) does not have five letters, as every group must.",
        ),
        (["".join(GROUPS), "ABC"], "Group 11 (“ABC”) does not have five letters, as every group must."),
        ([GROUPS[0], "B0ATS", *GROUPS[2:]], "Group 2 (“B0ATS”): no code contains “0”. Check it again."),
        ([GROUPS[0], "bøats", *GROUPS[2:]], "Group 2 (“BØATS”): no code contains “Ø”. Check it again."),
        (["ABC234"], "Group 1 (“ABC23”) is mistyped, or a group before it is missing."),
        (["A" * 5000], "That is too long to be a code."),
        ([other_version()], "This code is from another version of Spadille; type in the deals instead."),
    ],
)
def test_what_is_wrong_is_said_and_where(typed, said):
    assert refusal(" ".join(typed)) == said


def test_one_code_at_a_time():
    # Continued as if it were one code, so that every group's check is right.
    first = write_code([ITEM], SECRET).split()
    longer = write_code([ITEM | {"deal": deal} for deal in (1, 2, 3)], SECRET).split()
    said = refusal(" ".join([*first, *longer[len(first) :]]))
    assert said == "Something follows the end of the code. Enter one code at a time."


def test_letters_of_no_phone_are_refused_without_a_stop():
    assert refusal(write_code([], SECRET)) == "These letters are not a code from a captain’s phone."
    deep = []
    for _level in range(9):
        deep = [deep]
    for spoilt in ({"result": {"contract": deep}}, {"reason": "a\0b"}):
        assert (
            refusal(write_code([ITEM | spoilt], SECRET))
            == "These letters are not a code from a captain’s phone."
        )


@given(st.lists(st.integers(0, 2**19 - 1), min_size=1, max_size=20))
@settings(max_examples=300)
def test_any_letters_with_right_checks_are_a_code_or_refused_in_words(parts):
    # The first group says the version of today, so that what follows is read.
    groups = [_group(parts[0] % 2**15 + (VERSION << 15), 0)]
    groups += [_group(part, place) for place, part in enumerate(parts[1:], start=1)]
    try:
        said = json.dumps(read_code("".join(groups)).items)
    except UnreadableCode as error:
        said = error.message
    assert said


def test_the_words_of_results_are_told_by_number():
    outcomes = {outcome for outcome in OUTCOME_NAMES if outcome != "washout"}
    contracts = {contract for rulebook in rulebooks() for contract in rulebook.known_contracts}
    assert outcomes | contracts <= set(WORDS)
    assert len(WORDS) == len(set(WORDS)) <= 16 + 128
    assert UUID(ITEM["key"]).version == 8
    assert (VERSION, len(ALPHABET), set(ALPHABET) & set("01OIL")) == (2, 31, set())
    assert re.fullmatch(r"([2-9A-HJKMNP-Z]{5} )+[2-9A-HJKMNP-Z]{5}", write_code([ITEM], SECRET))
