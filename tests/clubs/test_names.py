"""Names that are alike, names in order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.members import update_sort_keys
from clubs.models import Player
from clubs.names import (
    Likeness,
    NameIndex,
    by_alphabet,
    folded,
    likeness,
    matches_search,
    sorted_as,
    sought_words,
)
from core.text import clean_text

PEOPLE = st.text(alphabet="aåbeæiloøsnr ", min_size=1, max_size=20).filter(str.strip)


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("Anna Hansen", "Anna Hansen", Likeness.SAME),
        ("Anna Hansen", "ANNA  hansen", Likeness.SAME),
        ("Åge Sørensen", "Aage Soerensen", Likeness.SAME),
        ("Ærø Müller", "Aeroe Mueller", Likeness.SAME),
        ("René Holm", "Rene Holm", Likeness.SAME),
        ("Søs 🎉 Ægir", "Søs Ægir", Likeness.SAME),
        ("Hansen, Anna", "Anna Hansen", Likeness.SWAPPED),
        ("Anna Marie Hansen", "Anna Hansen", Likeness.SIMILAR),
        ("Anna Hansen", "Anne Hansen", Likeness.SIMILAR),
        ("Søren Møller", "Soren Moller", Likeness.SIMILAR),
        ("Kristian Jensen", "Christian Jenssen", Likeness.SIMILAR),
        ("Bo Ek", "Bo Eg", None),
        ("Jens Jensen", "Jens Hansen", None),
        ("Anna Hansen", "Bo Krogh", None),
    ],
)
def test_two_names_are_alike(one, other, how) -> None:
    index: NameIndex[str] = NameIndex()
    index.add(one, one)
    assert likeness(one, other) == likeness(other, one) == how
    assert index.find(other) == ([(how, one)] if how else [])


@given(PEOPLE)
def test_a_name_is_found_again_whatever_its_case(name) -> None:
    index: NameIndex[str] = NameIndex()
    index.add(name, name)
    assert index.find(name.upper()) == [(Likeness.SAME, name)]


@given(PEOPLE, PEOPLE)
def test_the_order_of_two_names_does_not_matter(first, last) -> None:
    assert likeness(f"{first} {last}", f"{last} {first}") in {Likeness.SAME, Likeness.SWAPPED}


@given(st.text(st.characters(max_codepoint=0x24F), max_size=60))
def test_a_tidy_name_stays_as_it_is(text) -> None:
    assert clean_text(clean_text(text)) == clean_text(text)


@given(PEOPLE)
def test_a_folded_name_has_no_case(name) -> None:
    assert folded(name) == folded(name.upper()) == folded(folded(name))


def test_the_most_alike_is_found_first() -> None:
    index: NameIndex[str] = NameIndex()
    for name in ("Anne Hansen", "Hansen Anna", "anna hansen"):
        index.add(name, name)
    assert [name for _how, name in index.find("Anna Hansen")] == ["anna hansen", "Hansen Anna", "Anne Hansen"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("søren", True),
        ("SØREN", True),
        ("soeren møll", True),
        ("ller ren", True),
        ("jens", False),
        ("", True),
    ],
)
def test_a_search_finds_parts_of_a_name_in_any_spelling(query, found) -> None:
    assert matches_search(query, "Søren Møller") == found


@pytest.mark.parametrize("query", ["a" * 60_000, "a " * 30_000, "\ufdfa" * 5000, "ß" * 60_000])
def test_a_search_has_no_more_letters_and_words_than_a_database_takes(query):
    words = sought_words(query)
    assert 1 <= len(words) <= 20
    assert len("".join(words)) <= 200


IN_ORDER = {
    "da": ["anna", "Bo", "Élan", "Zita", "Ægil", "Ägir", "Öjvind", "Øjvinn", "Aage", "Åse"],
    "sv": ["Aage", "anna", "Bo", "Élan", "Zita", "Åse", "Ægil", "Ägir", "Öjvind", "Øjvinn"],
}


@pytest.mark.django_db
@pytest.mark.parametrize("language", IN_ORDER)
def test_names_stand_in_the_order_of_the_first_languages_alphabet(language, settings) -> None:
    for name in sorted(IN_ORDER[language]):
        Player.objects.create(name=name)
    settings.FIRST_LANGUAGE = language
    update_sort_keys()
    assert list(Player.objects.order_by("sorted_as").values_list("name", flat=True)) == IN_ORDER[language]
    assert sorted(IN_ORDER["da"], key=sorted_as) == IN_ORDER[language]
    by_query = (
        Player.objects.exclude(name="Élan").order_by(by_alphabet("name")).values_list("name", flat=True)
    )
    assert list(by_query) == [name for name in IN_ORDER[language] if name != "Élan"]
    assert update_sort_keys() == 0
