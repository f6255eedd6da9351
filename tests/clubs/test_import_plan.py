"""What an import would do to a row: who it is, what changes, what is refused."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clubs.import_plan import NEW, SKIP, Change, Kind, Line, Plan, make_plan
from clubs.member_rows import CellProblem
from tests.clubs.lists import known, row

TODAY = date(2026, 11, 21)
ANNA = known(1, "Anna Hansen", 12, email="anna@example.dk")
BO = known(2, "Bo Krogh", 13)


def plan(rows, people=(ANNA, BO), choices=None) -> Plan:
    return make_plan(rows, people, joined=TODAY, choices=choices)


def line(rows, people=(ANNA, BO), choices=None) -> Line:
    return plan(rows if isinstance(rows, list) else [rows], people, choices).lines[-1]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (row(2, "Carl Dam", 14), Kind.NEW),
        (row(2, "Anna Hansen", 12), Kind.UNCHANGED),
        (row(2, "Anna Hansen"), Kind.UNCHANGED),
        (row(2, "Anna Hansen", email="ANNA@example.dk"), Kind.UNCHANGED),
        (row(2, "ANNA HANSEN", 12), Kind.CHANGED),
        (row(2, "Anna Hansen", 12, phone="12"), Kind.CHANGED),
        (row(2, "Anna Hansen", 14), Kind.DOUBTFUL),
        (row(2, "Anna  hansen".replace("  ", " ")), Kind.DOUBTFUL),
        (row(2, "Anna Hansen", email="other@example.dk"), Kind.DOUBTFUL),
        (row(2, "Hansen Anna"), Kind.DOUBTFUL),
        (row(2, "Anne Hansen", 14), Kind.DOUBTFUL),
        (row(2, "Carl Dam", 14, email="Anna@Example.dk"), Kind.DOUBTFUL),
        (row(2, "Anna Holm", 12), Kind.DOUBTFUL),
        (row(2, "", problems=(CellProblem("Navn", "no name"),)), Kind.REFUSED),
    ],
)
def test_a_row_against_two_members(said, kind) -> None:
    assert line(said).kind == kind


def test_a_change_is_told_field_by_field_and_blanks_change_nothing() -> None:
    changed = line(row(2, "ANNA HANSEN", 12, joined=date(2019, 1, 1), phone="12"))
    assert changed.changes == (
        Change("name", "Anna Hansen", "ANNA HANSEN"),
        Change("phone", "", "12"),
        Change("joined", date(2020, 1, 1), date(2019, 1, 1)),
    )
    assert changed.becomes.email == "anna@example.dk"


@pytest.mark.parametrize(
    ("choice", "kind"),
    [
        ("same-1", Kind.CHANGED),
        (NEW, Kind.NEW),
        (SKIP, Kind.LEFT_OUT),
        ("same-2", Kind.DOUBTFUL),
        ("x", Kind.DOUBTFUL),
    ],
)
def test_a_doubtful_row_becomes_what_is_chosen(choice, kind) -> None:
    chosen = line(row(2, "Anna Hansen", 14), choices={2: choice})
    assert chosen.kind == kind
    assert chosen.choices == ["same-1", NEW, SKIP]


def test_rows_with_the_very_same_name_are_answered_at_once() -> None:
    doubtful = plan([row(2, "anna hansen", 14), row(3, "Bo Krogg", 15), row(4, "Carl Dam", 16)])
    assert doubtful.same_names() == {2: "same-1"}


def test_namesakes_are_told_apart_by_number() -> None:
    namesakes = (known(1, "Jens Hansen", 1), known(2, "Jens Hansen", 2))
    lines = plan([row(2, "Jens Hansen", 2), row(3, "Jens Hansen", 1)], namesakes).lines
    assert [(line.kind, line.known and line.known.membership) for line in lines] == [
        (Kind.UNCHANGED, 2),
        (Kind.UNCHANGED, 1),
    ]


def test_namesakes_without_numbers_are_told_apart_by_what_agrees() -> None:
    namesakes = (known(1, "Jens Hansen", email="a@x.dk"), known(2, "Jens Hansen", email="b@x.dk"))
    lines = plan(
        [row(2, "Jens Hansen", email="b@x.dk"), row(3, "Jens Hansen", email="a@x.dk")], namesakes
    ).lines
    assert [line.known.membership for line in lines] == [2, 1]
    assert line(row(2, "Jens Hansen"), namesakes).kind == Kind.DOUBTFUL


def test_members_nobody_could_tell_apart_stay_members() -> None:
    twins = (known(1, "Jens Hansen"), known(2, "Jens Hansen"))
    lines = plan([row(2, "Jens Hansen"), row(3, "Jens Hansen")], twins).lines
    assert [line.kind for line in lines] == [Kind.UNCHANGED, Kind.UNCHANGED]


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        (row(2, "Carl Dam"), row(3, "carl dam"), Kind.DOUBTFUL),
        (row(2, "Carl Dam", 20), row(3, "Carl Dam", 21), Kind.DOUBTFUL),
        (row(2, "Carl Dam", 20), row(3, "Dam, Carl", 20), Kind.LEFT_OUT),
        (row(2, "Carl Dam"), row(3, "Karl Dam"), Kind.DOUBTFUL),
        (row(2, "Carl Dam", 20), row(3, "Karla Dam", 21), Kind.NEW),
        (row(2, "Carl Dam", email="x@y.dk"), row(3, "Dora Friis", email="X@y.dk"), Kind.DOUBTFUL),
        (row(2, "Carl Dam", 20), row(3, "Dora Friis", 20), Kind.REFUSED),
        (row(2, "Anna Hansen", 12), row(3, "Anna Hansen"), Kind.DOUBTFUL),
        (row(3, "Anna Hansen", 12), row(4, "Anna Hansen", 12), Kind.LEFT_OUT),
    ],
)
def test_two_rows_of_a_file_that_are_alike(first, second, kind) -> None:
    assert line([first, second]).kind == kind


def test_members_found_in_the_file_are_not_mistaken_for_others() -> None:
    lines = plan([row(2, "Anna Hansen", 12), row(3, "Anne Hansen", 14)]).lines
    assert [line.kind for line in lines] == [Kind.UNCHANGED, Kind.NEW]


@pytest.mark.parametrize(
    ("rows", "kinds"),
    [
        ([row(2, "Anna Hansen", 13), row(3, "Bo Krogh", 12)], [Kind.CHANGED, Kind.CHANGED]),
        ([row(2, "Anna Hansen", 13)], [Kind.REFUSED]),
        ([row(2, "Anna Hansen", 13), row(3, "Bo Krogh", 14)], [Kind.CHANGED, Kind.CHANGED]),
        ([row(2, "Anna Hansen", 14), row(3, "Carl Dam", 12)], [Kind.CHANGED, Kind.NEW]),
        ([row(2, "Carl Dam", 13), row(3, "Bo Krogh", left=TODAY)], [Kind.NEW, Kind.CHANGED]),
    ],
    ids=["exchanged", "taken", "freed by another", "passed on", "freed by leaving"],
)
def test_a_number_goes_from_member_to_member_as_long_as_one_has_it(rows, kinds) -> None:
    same = {
        2: "same-1" if rows[0].name == "Anna Hansen" else NEW,
        3: "same-2" if "Bo" in rows[-1].name else NEW,
    }
    assert [line.kind for line in plan(rows, choices=same).lines] == kinds


def test_a_row_that_is_refused_frees_no_number() -> None:
    people = (ANNA, BO, known(3, "Carl Dam", 14))
    rows = [row(2, "Anna Hansen", 13), row(3, "Bo Krogh", 14), row(4, "Dora Friis", 12)]
    refused = plan(rows, people, {2: "same-1", 3: "same-2", 4: NEW}).lines
    assert [line.kind for line in refused] == [Kind.REFUSED] * 3
    assert [line.problems[0].text for line in refused] == [
        "Number 13 belongs to Bo Krogh.",
        "Number 14 belongs to Carl Dam.",
        "Number 12 belongs to Anna Hansen.",
    ]


def test_two_rows_cannot_be_the_same_person() -> None:
    lines = plan([row(2, "anna hansen"), row(3, "Anna hansen")], choices={2: "same-1", 3: "same-1"}).lines
    assert [line.kind for line in lines] == [Kind.CHANGED, Kind.REFUSED]
    assert lines[1].problems == (CellProblem("name", "Row 2 is the same person."),)


LEFT = known(3, "Carl Dam", 14, left=date(2024, 5, 1))


@pytest.mark.parametrize(
    ("said", "kind", "joined"),
    [
        (row(2, "Carl Dam", joined=date(2025, 1, 1)), Kind.JOINS, date(2025, 1, 1)),
        (row(2, "Carl Dam", joined=date(2020, 1, 1)), Kind.JOINS, TODAY),
        (row(2, "Carl Dam"), Kind.JOINS, TODAY),
    ],
)
def test_somebody_who_left_comes_back_once_that_is_chosen(said, kind, joined) -> None:
    assert line(said, [LEFT]).kind == Kind.DOUBTFUL
    back = line(said, [LEFT], {2: "same-3"})
    assert (back.kind, back.becomes.joined, back.becomes.left) == (kind, joined, None)


def test_somebody_who_left_cannot_come_back_before() -> None:
    back = make_plan([row(2, "Carl Dam")], [LEFT], joined=date(2024, 1, 1), choices={2: "same-3"}).lines[0]
    assert (back.kind, back.problems[0].column) == (Kind.REFUSED, "joined")


def test_a_former_member_in_the_list_as_such_is_unchanged() -> None:
    assert line(row(2, "Carl Dam", 14, left=date(2024, 5, 1)), [LEFT]).kind == Kind.UNCHANGED


def test_a_member_of_another_club_joins_with_what_is_known_but_not_with_the_number() -> None:
    elsewhere = known(9, "Dora Friis", 77, club="Viby", phone="99")
    joins = line(row(2, "Dora Friis", 20), [elsewhere], {2: "same-9"})
    assert (joins.kind, joins.becomes.phone, joins.becomes.joined) == (Kind.JOINS, "99", TODAY)
    assert line(row(2, "Dora Friis"), [elsewhere], {2: "same-9"}).becomes.number is None


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (row(2, "Anna Hansen", 12, left=date(2026, 1, 1)), Kind.CHANGED),
        (row(2, "Anna Hansen", 12, left=date(2019, 1, 1)), Kind.REFUSED),
        (row(2, "Anna Hansen", 12, joined=date(2021, 1, 1), left=date(2020, 6, 1)), Kind.REFUSED),
        (row(2, "Carl Dam", joined=date(2020, 1, 1), left=date(2021, 1, 1)), Kind.NEW),
        (row(2, "Carl Dam", joined=date(2020, 1, 1), left=date(2019, 1, 1)), Kind.REFUSED),
        (row(2, "Carl Dam", left=date(2019, 1, 1)), Kind.REFUSED),
    ],
)
def test_nobody_leaves_before_joining(said, kind) -> None:
    assert line(said).kind == kind


NAMES = st.sampled_from(
    ["Anna Hansen", "anna hansen", "Anne Hansen", "Hansen Anna", "Bo Krogh", "Bo Krog", "Carl Dam"]
)
NUMBERS = st.none() | st.integers(1, 4)
DAYS = st.none() | st.dates(date(2019, 1, 1), date(2021, 1, 1))
CHOICES = st.sampled_from([NEW, SKIP, "same-1", "same-2", "same-3", "same-4"])


@settings(max_examples=100)
@given(
    st.lists(st.tuples(NAMES, NUMBERS, DAYS), max_size=8),
    st.lists(st.tuples(NAMES, DAYS), max_size=4),
    st.lists(CHOICES, min_size=8, max_size=8),
)
def test_whatever_is_chosen_a_number_and_a_person_is_a_member_once(said, present, chosen) -> None:
    people = [
        known(pk, name, pk, left=left and max(left, date(2020, 1, 1)))
        for pk, (name, left) in enumerate(present, 1)
    ]
    rows = [row(place, name, number, left=left) for place, (name, number, left) in enumerate(said, 2)]
    lines = plan(rows, people, dict(enumerate(chosen, 2))).lines
    touched = {
        line.known.membership for line in lines if line.known and line.kind in {Kind.CHANGED, Kind.UNCHANGED}
    }
    after = [
        (known.number, known.player)
        for known in people
        if known.is_member and known.membership not in touched
    ]
    after += [
        (line.becomes.number, line.known.player if line.known else -line.row.row)
        for line in lines
        if line.makes_member
    ]
    numbers = [number for number, _player in after if number]
    players = [player for _number, player in after]
    assert len(lines) == len(rows)
    assert sorted(numbers) == sorted(set(numbers))
    assert sorted(players) == sorted(set(players))
