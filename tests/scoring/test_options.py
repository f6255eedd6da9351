import pytest

from scoring import BadOption, UnknownRulebook, get_rulebook, rulebooks

DEFAULTS = {
    "union": {"idle_settles": False, "forced_spadille": False},
    "rasle": {
        "idle_settles": True,
        "forced_spadille": False,
        "kaske": False,
        "mort": False,
        "mort_nolo": False,
        "grand": False,
        "grand_rate": 2,
        "grand_kodille_extra": 1,
        "grand_tourne_holdings": "black_aces",
        "aces_bonus": 0,
        "nolo_defenders_exchange": False,
        "repeat_exchange": False,
        "joint_simple_nolo": False,
        "first_five_bonus": False,
        "one_four_four": "kodille",
        "declarer_foul": "bete",
        "defender_foul_covers_idle": True,
    },
}


def test_the_rulebooks_with_their_defaults():
    assert {book.id: book.options for book in rulebooks()} == DEFAULTS


def test_the_same_values_give_the_same_rulebook():
    assert (
        get_rulebook("union") is get_rulebook("union", {}) is get_rulebook("union", {"idle_settles": False})
    )
    assert get_rulebook("union", {"idle_settles": True}) is not get_rulebook("union")


@pytest.mark.parametrize(
    ("rulebook", "name", "value"),
    [
        ("union", "kaske", True),
        ("union", "one_four_four", "bete"),
        ("union", "idle_settles", 1),
        ("union", "idle_settles", None),
        ("union", "idle_settles", "true"),
        ("rasle", "one_four_four", "lost"),
        ("rasle", "one_four_four", True),
        ("rasle", "one_four_four", ["won"]),
        ("rasle", "grand_rate", 0),
        ("rasle", "grand_rate", 11),
        ("rasle", "grand_rate", True),
        ("rasle", "grand_rate", 2.0),
        ("rasle", "grand_rate", "2"),
    ],
)
def test_a_bad_option_is_named(rulebook, name, value):
    with pytest.raises(BadOption) as bad:
        get_rulebook(rulebook, {name: value})
    assert bad.value.name == name
    assert bad.value.text.format(**bad.value.params) == str(bad.value)


def test_an_unknown_rulebook_is_named():
    with pytest.raises(UnknownRulebook) as unknown:
        get_rulebook("bridge")
    assert (unknown.value.name, str(unknown.value)) == ("bridge", "There is no rulebook “bridge”.")


@pytest.mark.parametrize(
    ("options", "contracts"),
    [
        ({"kaske": True}, {"kaske"}),
        ({"mort": True}, {"mort"}),
        ({"mort_nolo": True}, set()),
        ({"mort": True, "mort_nolo": True}, {"mort", "mort_nolo"}),
        ({"grand": True}, {"grand", "grandissimo"}),
    ],
)
def test_contracts_by_agreement_are_in_force_where_they_were_agreed(options, contracts):
    book = get_rulebook("rasle", options)
    assert set(book.by_id) - set(get_rulebook("rasle").by_id) == contracts
    assert contracts <= book.known_contracts
