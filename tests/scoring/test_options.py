from dataclasses import astuple

import pytest

from scoring import BadOption, UnknownRulebook, get_rulebook, rulebooks

FOULS = {"declarer_foul": "bete", "defender_foul_covers_idle": True}
PRIVILEGE = {"literal_matador_privilege": False}
LATER = {"tout_counts_in_defeat": True, "simple_nolo_may_be_abandoned": False} | PRIVILEGE
TURNED = {"turned_card_is_taken": False}
DEFAULTS = {
    "union": {"idle_settles": False, "forced_spadille": False}
    | LATER
    | {"simple_nolo_may_be_abandoned": True},
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
    }
    | FOULS
    | {"grand_short": "bete"}
    | LATER
    | TURNED
    | {
        "nine_matadors": False,
        "mort_nolo_must": False,
        "grand_tourne_red_aces": False,
        "grand_tourne_mixed_aces": False,
        "grand_tourne_three_aces": False,
        "grand_tourne_seven": False,
        "grand_rank": "as_grand_tourne",
        "grandissimo_rank": "as_solo",
        "krokodille": False,
        "nolo_by_exchange": False,
        "nolo_one_more": False,
        "nolo_for_all": False,
    },
    "la_bete": {"idle_settles": True, "forced_spadille": False}
    | FOULS
    | LATER
    | TURNED
    | {"krokodille": False},
    "pot": {
        "forced_spadille": False,
        "mort": False,
        "grandissimo": False,
        "tout_counts_in_defeat": True,
        "literal_matador_privilege": False,
        "ante": 1,
    },
    "crocodile": {
        "contraprimeras_together": True,
        "contraprimeras_always": True,
        "silent_bonuses_add": True,
        "failed_tout_keeps_primeras": False,
        "several_bonus_bids": False,
        "casco_may_be_conceded": True,
        "price_talking_ouvert": 10,
    },
    "renegado": {
        "idle_settles": True,
        "sits_out": "opposite",
        "forced_spadille": False,
        "voltereta": True,
        "gascarola": True,
        "contrabola": True,
        "mort": True,
        "count_estuches": True,
        "codille_shared": True,
        "puesta_to_players": False,
        "bonuses_once": False,
        "missed_vole_takes_pool": False,
    }
    | PRIVILEGE
    | {
        "ante": 5,
        "price_vole": 10,
        "price_primeras": 3,
        "price_estuche": 1,
        "price_puesta": 5,
        "price_missed_vole": 35,
    },
    "ombre_two": {"suit_out": "diamonds"}
    | PRIVILEGE
    | {
        "ante": 5,
        "price_ombre": 0,
        "price_puesta": 0,
        "price_estuche": 0,
        "as_for_three": False,
        "price_vole": 10,
        "price_primeras": 3,
        "price_missed_vole": 35,
    },
    "ombre_five": {"remise_at": 4} | PRIVILEGE | {"ante": 3},
    "ombre_intro": {"codille_shared": True} | PRIVILEGE | {"bids_tricks": False, "price_missed_vole": 1},
}
# Each contract's price, and what a kodille costs on top.
PRICES = {
    "union": {
        "simple_game": (1, 1), "spade_game": (1, 1), "tourne": (2, 1), "simple_nolo": (2, 1), "grand_tourne": (3, 1),
        "solo": (3, 1), "spade_solo": (4, 1), "pure_nolo": (4, 1), "nolo_ouvert": (6, 1),
    },
    "rasle": {
        "kaske": (1, 1), "mort": (1, 1), "mort_nolo": (2, 1), "simple_game": (1, 1), "spade_game": (1, 1),
        "tourne": (1, 1), "simple_nolo": (2, 1), "grand_tourne": (2, 1), "solo": (2, 1), "pure_nolo": (3, 2),
        "spade_solo": (3, 2), "nolo_ouvert": (5, 3),
    },
    "la_bete": {
        "simple_game": (1, 1), "spade_game": (1, 1), "tourne": (1, 1), "simple_nolo": (2, 1), "grand_tourne": (2, 1),
        "solo": (2, 1), "pure_nolo": (3, 2), "spade_solo": (3, 2), "nolo_ouvert": (5, 3),
    },
    "pot": {
        "mort": (1, 1), "mort_spadille": (1, 1), "simple_game": (1, 1), "spade_game": (1, 1), "tourne": (1, 1),
        "simple_nolo": (2, 1), "grand_tourne": (2, 1), "solo": (2, 1), "grandissimo": (2, 1), "pure_nolo": (3, 1),
        "spade_solo": (3, 1), "nolo_ouvert": (6, 1),
    },
    "crocodile": {
        "casco": (1,), "play": (2,), "grand": (2,), "tournee": (3,), "exchange_nolo": (3,), "solo": (4,),
        "grandissimo": (4,), "tournee_respect": (6,), "nolo": (6,), "nolo_ouvert": (10,),
    },
    "renegado": {"entrada": (5,), "vuelta": (7,), "solo": (15,)},
    "ombre_two": {"entrada": (5,), "vuelta": (7,), "solo": (15,)},
    "ombre_intro": {"ombre": (1,)},
}  # fmt: skip


def prices_of(rulebook):
    return {
        f"{what}_{contract}": tokens
        for contract, prices in PRICES.get(rulebook, {}).items()
        for what, tokens in zip(("price", "kodille"), prices, strict=False)
    }


# First dealer, cutting, second pack, and how the rest of the talon lies: as the source has it, or as the table likes.
AGREED = {
    "union": ("free", "free", "two", "free"),
    "rasle": ("by_lot", "left", "free", "down"),
    "la_bete": ("by_lot", "left", "free", "down"),
    "pot": ("free", "free", "free", "free"),
    "crocodile": ("free", "free", "free", "free"),
    "renegado": ("highest_card", "free", "free", "free"),
    "ombre_two": ("highest_card", "free", "free", "free"),
    "ombre_five": ("highest_card", "free", "free"),
    "ombre_intro": ("free", "free", "free", "free"),
}


def agreed_in(rulebook):
    names = ("first_dealer", "cutting", "second_pack", "talon_left")
    return dict(zip(names, AGREED[rulebook], strict=False))


@pytest.mark.parametrize("rulebook", DEFAULTS)
def test_the_rulebooks_with_their_defaults(rulebook):
    assert get_rulebook(rulebook).options == DEFAULTS[rulebook] | prices_of(rulebook) | agreed_in(rulebook)


@pytest.mark.parametrize("rulebook", DEFAULTS)
def test_what_a_table_agrees_on_settles_nothing(rulebook):
    usual = get_rulebook(rulebook)
    specs = [spec for spec in usual.option_specs if spec.section == "table"]
    other = get_rulebook(rulebook, {spec.name: spec.values[-1] for spec in specs})
    assert [spec.name for spec in specs] == list(agreed_in(rulebook))
    assert (usual.house, usual.pool, usual.pack) == (other.house, other.pool, other.pack)
    assert [astuple(row) for row in usual.contracts] == [astuple(row) for row in other.contracts]


def test_options_keep_their_places_and_prices_and_agreements_come_last():
    expected = [*DEFAULTS["rasle"], *prices_of("rasle"), *agreed_in("rasle")]
    assert list(get_rulebook("rasle").options) == expected
    for book in rulebooks():
        sections = {spec.name: spec.section for spec in book.option_specs}
        assert all(sections[name] == "prices" for name in prices_of(book.id)), book.id


def test_the_same_values_give_the_same_rulebook():
    assert (
        get_rulebook("union") is get_rulebook("union", {}) is get_rulebook("union", {"idle_settles": False})
    )
    assert get_rulebook("union", {"idle_settles": True}) is not get_rulebook("union")


@pytest.mark.parametrize(
    ("rulebook", "options", "wrong"),
    [
        ("rasle", {"mort_nolo": True}, ["mort_nolo"]),
        ("rasle", {"mort_nolo": True, "mort": True}, []),
        ("rasle", {"mort_nolo_must": True, "mort": True}, ["mort_nolo_must"]),
        ("rasle", {"mort_nolo_must": True, "mort_nolo": True, "mort": True}, []),
        ("union", {"price_simple_game": 2}, ["price_spade_game"]),
        ("union", {"price_simple_game": 2, "price_spade_game": 2}, []),
        ("union", {"price_simple_nolo": 9}, ["price_pure_nolo", "price_nolo_ouvert"]),
        ("union", {"price_solo": 5}, ["price_spade_solo"]),
        ("union", {"price_solo": 5, "price_spade_solo": 5}, []),
        ("union", {"kodille_solo": 0}, []),
        ("rasle", {"price_kaske": 3}, []),
        ("rasle", {"price_kaske": 2, "kaske": True}, ["price_simple_game", "price_spade_game", "price_tourne"]),
        ("crocodile", {"price_solo": 8}, ["price_tournee_respect"]),
        ("renegado", {"price_vuelta": 4}, ["price_vuelta"]),
        ("renegado", {"price_missed_vole": 14}, ["price_missed_vole"]),
        ("renegado", {"price_missed_vole": 15}, []),
        ("union", {"kaske": True, "price_solo": "x", "idle_settles": 3}, ["kaske", "idle_settles", "price_solo"]),
    ],
)  # fmt: skip
def test_a_set_of_options_is_checked_as_a_whole(rulebook, options, wrong):
    if not wrong:
        assert get_rulebook(rulebook, options).options | options == get_rulebook(rulebook, options).options
        return
    with pytest.raises(BadOption) as bad:
        get_rulebook(rulebook, options)
    assert [error.name for error in bad.value.all] == wrong
    assert all(error.text.format(**error.params) == str(error) for error in bad.value.all)


def test_a_clubs_own_prices_are_what_is_paid():
    book = get_rulebook("union", {"price_solo": 4, "kodille_solo": 2})
    assert (book.by_id["solo"].price, book.by_id["solo"].kodille_extra) == (4, 2)
    assert (book.by_id["tourne"].price, book.by_id["tourne"].kodille_extra) == (2, 1)


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
        ({"mort": True, "mort_nolo": True}, {"mort", "mort_nolo"}),
        ({"grand": True}, {"grand", "grandissimo"}),
        ({"mort": True, "mort_nolo": True, "mort_nolo_must": True}, {"mort_nolo"}),
    ],
)
def test_contracts_by_agreement_are_in_force_where_they_were_agreed(options, contracts):
    book = get_rulebook("rasle", options)
    assert set(book.by_id) - set(get_rulebook("rasle").by_id) == contracts
    assert contracts <= book.known_contracts
