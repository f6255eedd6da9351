"""The rules of Rasle L'Hombre, paragraph by paragraph of `scoring/rules/rasle.md`."""

import pytest

from scoring import get_rulebook
from scoring.rulebook import exchange_problems
from tests.scoring.reports import codes, distributions, settled, tokens, tricks

RASLE = get_rulebook("rasle")

# 3.1: rank, price, kodille costs more, the declarer exchanges from, to, the defenders too, may be given up.
CONTRACTS = {
    "simple_game": (1, 1, 1, 0, 9, True, True),
    "spade_game": (2, 1, 1, 0, 9, True, True),
    "tourne": (3, 1, 1, 0, 9, True, True),
    "simple_nolo": (4, 2, 1, 0, 9, False, False),
    "grand_tourne": (5, 2, 1, 0, 9, True, True),
    "solo": (6, 2, 1, 0, 0, True, False),
    "pure_nolo": (7, 3, 2, 0, 0, False, False),
    "spade_solo": (7, 3, 2, 0, 0, True, False),
    "nolo_ouvert": (8, 5, 3, 0, 0, False, False),
}
GAMES = ("simple_game", "spade_game", "tourne", "grand_tourne", "solo", "spade_solo")
BECOMES = {"simple_game": {"spade_game", "tourne", "simple_nolo"}, "solo": {"spade_solo"}}


def with_options(**options):
    return get_rulebook("rasle", options)


def test_3_1_contracts_are_those_of_the_table():
    assert {
        row.id: (
            row.rank, row.price, row.kodille_extra,
            row.exchange.least, row.exchange.most, row.exchange.defenders, row.may_be_abandoned,
        )
        for row in RASLE.contracts
    } == CONTRACTS  # fmt: skip


@pytest.mark.parametrize("bid", CONTRACTS)
def test_4_2_only_game_and_solo_may_be_played_as_something_else(bid):
    becomes = {row.id for row in RASLE.contracts if RASLE.by_id[bid].may_be_defined_as(row)}
    assert becomes == {bid} | BECOMES.get(bid, set())


@pytest.mark.parametrize(
    ("options", "contract", "declarer", "defenders", "legal"),
    [
        ({}, "simple_game", 0, (0, 0), True),
        ({}, "simple_game", 9, (4, 0), True),
        ({}, "simple_game", 10, (0, 0), False),
        ({}, "simple_nolo", 0, (0, 0), True),
        ({}, "simple_nolo", 0, (1, 0), False),
        ({"nolo_defenders_exchange": True}, "simple_nolo", 3, (1, 9), True),
        ({"nolo_defenders_exchange": True}, "pure_nolo", 0, (1, 0), False),
        ({}, "tourne", 0, (0, 0), True),
        ({"turned_card_is_taken": True}, "tourne", 0, (0, 0), False),
        ({"turned_card_is_taken": True}, "tourne", 1, (0, 0), True),
        ({"turned_card_is_taken": True}, "grand_tourne", 0, (0, 0), False),
        ({"turned_card_is_taken": True}, "simple_game", 0, (0, 0), True),
        ({"kaske": True}, "kaske", 7, (0, 0), False),
        ({"kaske": True}, "kaske", 8, (5, 0), True),
        ({"kaske": True}, "kaske", 8, (3, 3), False),
        ({"kaske": True}, "kaske", 9, (0, 4), True),
        ({"mort": True}, "mort", 13, (0, 0), True),
        ({"mort": True}, "mort", 13, (1, 0), False),
        ({"mort": True}, "mort", 9, (0, 0), False),
        ({"grand": True}, "grand", 4, (0, 0), False),
        ({"grand": True}, "grand", 5, (8, 0), True),
        ({"grand": True}, "grandissimo", 1, (0, 0), False),
    ],
)
def test_4_3_the_exchange(options, contract, declarer, defenders, legal):
    limits = with_options(**options).by_id[contract].exchange
    assert (not exchange_problems(limits, "rasle", declarer, defenders)) is legal


@pytest.mark.parametrize("contract", GAMES)
def test_5_3_and_6_games_with_four_at_the_table(contract):
    _rank, price, extra, *_ = CONTRACTS[contract]
    for bh, fh, mh in distributions(3):
        each = price if bh > max(fh, mh) else -price if bh == max(fh, mh) else -price - extra
        each += bh == 9  # the tout that nine tricks are
        played = {"FH": fh, "MH": mh, "BH": bh}
        assert tokens(RASLE, 4, contract=contract, declarer="BH", tricks=played) == {
            "BH": 3 * each, "FH": -each, "MH": -each, "IDLE": -each,
        }, played  # fmt: skip


def test_6_3_each_trick_of_a_simple_nolo_costs():
    each = [
        tokens(RASLE, contract="simple_nolo", declarer="FH", tricks={"FH": took})["FH"] // 2
        for took in range(10)
    ]
    assert each == [2, -2, -3, -4, -5, -6, -7, -8, -9, -10]


@pytest.mark.parametrize(("contract", "kodille"), [("pure_nolo", 5), ("nolo_ouvert", 8)])
def test_6_3_other_nolos_cost_the_same_from_two_tricks_on(contract, kodille):
    each = [
        tokens(RASLE, contract=contract, declarer="FH", tricks={"FH": took})["MH"] for took in range(2, 10)
    ]
    assert each == [kodille] * 8


@pytest.mark.parametrize(
    ("options", "contract", "outcome", "fh"),
    [
        ({}, "solo", "kodille", -6),
        ({"one_four_four": "bete"}, "solo", "bete", -4),
        ({"one_four_four": "won"}, "solo", "won", 4),
        ({"one_four_four": "won", "grand": True}, "grand", "kodille", -6),
        ({"one_four_four": "bete", "grand": True}, "grand", "bete", -4),
    ],
)
def test_5_5_one_against_four_and_four(options, contract, outcome, fh):
    came_to = settled(with_options(**options), contract=contract, declarer="FH", tricks=tricks("FH1 MH4 BH4"))
    assert (came_to.outcome, came_to.tokens[0]) == (outcome, fh)


def test_5_5_is_not_for_mort_where_three_defend():
    book = with_options(mort=True, one_four_four="won")
    played = tricks("IDLE1 FH4 MH4 BH0")
    assert settled(book, 4, contract="mort", declarer="IDLE", tricks=played).outcome == "kodille"


@pytest.mark.parametrize(
    ("played", "outcome"),
    [
        ("FH5 MH4 BH0", "won"),
        ("FH4 MH3 BH2", "bete"),
        ("FH4 MH4 BH1", "bete"),
        ("FH3 MH3 BH3", "bete"),
        ("FH3 MH4 BH2", "kodille"),
        ("FH4 MH5 BH0", "kodille"),
    ],
)
@pytest.mark.parametrize("contract", ["grand", "grandissimo"])
def test_3_7_a_grand_is_won_with_five_tricks(contract, played, outcome):
    book = with_options(grand=True, grand_rate=3, grand_kodille_extra=2)
    each = {"won": 3, "bete": -3, "kodille": -5}[outcome]
    came_to = settled(book, contract=contract, declarer="FH", tricks=tricks(played))
    assert (came_to.outcome, came_to.tokens) == (outcome, (2 * each, -each, -each))


def test_3_7_a_kodille_in_grand_that_costs_nothing_more_is_not_paid_for():
    book = with_options(grand=True, grand_kodille_extra=0)
    came_to = settled(book, contract="grand", declarer="FH", outcome="kodille")
    assert (came_to.tokens, [part.code for part in came_to.parts]) == ((-4, 2, 2), ["price", "price"])


def test_3_6_mort_is_a_game_against_three():
    book = with_options(mort=True, idle_settles=False)
    for idle, fh, mh, bh in distributions(4):
        most = max(fh, mh, bh)
        each = 1 if idle > most else -1 if idle == most else -2
        each += idle == 9  # the tout that nine tricks are
        played = {"FH": fh, "MH": mh, "BH": bh, "IDLE": idle}
        assert tokens(book, 4, contract="mort", declarer="IDLE", tricks=played) == {
            "IDLE": 3 * each, "FH": -each, "MH": -each, "BH": -each,
        }, played  # fmt: skip


def test_3_6_mort_may_be_a_nolo_by_the_option():
    nolo = {"contract": "mort_nolo", "declarer": "IDLE", "tricks": {"IDLE": 3}}
    assert tokens(with_options(mort=True, mort_nolo=True), 4, **nolo)["IDLE"] == -12
    assert codes(with_options(mort=True), 4, **nolo) == ["contract_not_agreed"]


def test_3_6_where_mort_is_played_a_deal_of_four_is_not_passed_out():
    assert codes(with_options(mort=True), 4, all_passed=True) == ["washout_mort"]
    assert codes(with_options(mort=True), 3, all_passed=True) == []


def test_3_5_kaske_counts_as_a_game():
    book = with_options(kaske=True)
    assert tokens(book, contract="kaske", declarer="MH", outcome="kodille") == {"FH": 2, "MH": -4, "BH": 2}


@pytest.mark.parametrize(("outcome", "fh"), [("won", 10), ("bete", -4), ("kodille", -6)])
def test_3_8_aces_earn_more_when_won(outcome, fh):
    book = with_options(aces_bonus=3)
    assert tokens(book, contract="grand_tourne", declarer="FH", outcome=outcome, aces=True)["FH"] == fh


@pytest.mark.parametrize(
    ("options", "players", "foul", "expected"),
    [
        ({}, 3, "FH", {"FH": -6, "MH": 3, "BH": 3}),
        ({"declarer_foul": "kodille"}, 3, "FH", {"FH": -10, "MH": 5, "BH": 5}),
        ({}, 3, "MH", {"FH": 6, "MH": -6, "BH": 0}),
        ({}, 4, "BH", {"FH": 9, "MH": 0, "BH": -9, "IDLE": 0}),
        ({"defender_foul_covers_idle": False}, 4, "BH", {"FH": 9, "MH": 0, "BH": -6, "IDLE": -3}),
        ({"idle_settles": False}, 4, "BH", {"FH": 6, "MH": 0, "BH": -6, "IDLE": 0}),
        (
            {"idle_settles": False, "defender_foul_covers_idle": False},
            4,
            "BH",
            {"FH": 6, "MH": 0, "BH": -6, "IDLE": 0},
        ),
    ],
)
def test_4_4_who_fouls_the_exchange_pays(options, players, foul, expected):
    assert (
        tokens(with_options(**options), players, contract="spade_solo", declarer="FH", foul=foul) == expected
    )


def test_4_4_a_defender_who_fouls_in_mort_pays_for_both_others():
    for covers in (True, False):
        book = with_options(mort=True, defender_foul_covers_idle=covers)
        assert tokens(book, 4, contract="mort", declarer="IDLE", foul="MH") == {
            "IDLE": 3, "FH": 0, "MH": -3, "BH": 0,
        }  # fmt: skip


def test_4_4_a_foul_ends_a_simple_nolo_before_the_fourth_player_joins():
    nolo = {"contract": "simple_nolo", "declarer": "FH"}
    assert tokens(RASLE, 4, **nolo, foul="FH")["FH"] == -6
    assert tokens(with_options(declarer_foul="kodille"), 4, **nolo, foul="FH")["FH"] == -9


@pytest.mark.parametrize("contract", CONTRACTS)
def test_4_5_giving_up_costs_a_bete_in_games_but_solos(contract):
    _rank, price, *_, may = CONTRACTS[contract]
    given_up = {"contract": contract, "declarer": "FH", "abandoned": True}
    if may:
        assert tokens(RASLE, **given_up)["FH"] == -2 * price
    else:
        assert "abandoned_not_allowed" in codes(RASLE, **given_up)


@pytest.mark.parametrize(("took", "fh"), [(0, 0), (1, -8), (3, -12)])
def test_4_6_an_exchange_repeated_costs_a_bete_more(took, fh):
    book = with_options(repeat_exchange=True)
    nolo = {"contract": "simple_nolo", "declarer": "FH", "tricks": {"FH": took}}
    assert tokens(book, **nolo, exchange_repeated=True)["FH"] == fh


@pytest.mark.parametrize(
    ("fields", "fh"),
    [
        ({"tricks": tricks("FH5 MH3 BH1"), "five_first": "won"}, 2),
        ({"tricks": tricks("FH5 MH0 BH0"), "five_first": "won", "played_out": False}, 4),
        ({"tricks": tricks("FH5 MH3 BH1"), "five_first": "failed"}, 0),
        ({"tricks": tricks("FH2 MH5 BH2"), "five_first": "failed"}, -6),
        ({"five_first": "won"}, 4),
        ({"tricks": tricks("FH7 MH2 BH0"), "five_first": "won", "tout": "failed"}, 2),
        ({"tricks": tricks("FH9 MH0 BH0"), "five_first": "won"}, 6),
    ],
)
def test_5_7_the_first_five_tricks_are_paid_apart_from_the_game(fields, fh):
    assert (
        tokens(with_options(first_five_bonus=True), contract="simple_game", declarer="FH", **fields)["FH"]
        == fh
    )


@pytest.mark.parametrize("holder", ["FH", "MH"])
def test_6_6_nine_matadors_are_noted_and_cost_nothing(holder):
    book = with_options(nine_matadors=True)
    won = {"contract": "solo", "declarer": "FH", "outcome": "won"}
    assert tokens(book, **won, nine_matadors=holder) == tokens(book, **won)


def value(took):
    """6.2 and 6.3: what each of the others pays for a simple nolo with so many tricks; None gave it up."""
    return {0: 2, 1: -2, None: -2}.get(took, -((took or 0) + 1))


def test_7_1_and_7_2_the_fourth_player_joins_and_each_account_is_settled():
    for bh, idle, fh, mh in distributions(4):
        played = {"BH": bh, "IDLE": idle, "FH": fh, "MH": mh}
        defender = -value(bh) - value(idle)
        assert tokens(RASLE, 4, contract="simple_nolo", declarer="BH", joined=["IDLE"], tricks=played) == {
            "BH": 3 * value(bh) - value(idle), "IDLE": 3 * value(idle) - value(bh),
            "FH": defender, "MH": defender,
        }, played  # fmt: skip


def test_7_3_the_fourth_player_gives_up_for_a_bete():
    book = with_options(idle_settles=False)
    nolo = {"contract": "simple_nolo", "declarer": "FH", "joined": ["IDLE"], "idle_abandoned": True}
    for took in range(10):
        came_to = tokens(book, 4, **nolo, tricks={"FH": took})
        assert (came_to["FH"], came_to["IDLE"]) == (3 * value(took) + 2, -6 - value(took)), took


def test_7_4_defenders_join_by_the_option():
    book = with_options(joint_simple_nolo=True)
    nolo = {"contract": "simple_nolo", "declarer": "FH", "joined": ["MH", "BH"]}
    for fh, mh, bh in distributions(3):
        played = {"FH": fh, "MH": mh, "BH": bh}
        worth = sum(map(value, played.values()))
        assert tokens(book, **nolo, tricks=played) == {
            seat: 3 * value(took) - worth for seat, took in played.items()
        }, played


@pytest.mark.parametrize(("option", "each"), [({}, 2), ({"tout_counts_in_defeat": False}, 1)])
def test_5_6_a_tout_that_fails_in_a_lost_game_costs_too_unless_the_option_is_off(option, each):
    lost = {"contract": "simple_game", "declarer": "FH", "tout": "failed", "outcome": "bete"}
    assert tokens(with_options(**option), **lost) == {"FH": -2 * each, "MH": each, "BH": each}
    assert tokens(with_options(**option), **lost | {"outcome": "won"}) == {"FH": 0, "MH": 0, "BH": 0}


@pytest.mark.parametrize("players", [3, 4])
def test_4_5_a_simple_nolo_is_given_up_by_the_option_only_and_then_nobody_joins(players):
    nolo = {"contract": "simple_nolo", "declarer": "FH", "abandoned": True}
    assert "abandoned_not_allowed" in codes(with_options(), players, **nolo)
    book = with_options(simple_nolo_may_be_abandoned=True)
    assert set(tokens(book, players, **nolo).values()) == {-2 * (players - 1), 2}
    if players == 4:
        assert "abandoned_with_more" in codes(book, 4, **nolo, joined=["IDLE"], idle_abandoned=True)


@pytest.mark.parametrize(("option", "outcome", "each"), [("bete", "bete", 2), ("kodille", "kodille", 3)])
def test_3_7_four_tricks_in_a_grand_by_the_option(option, outcome, each):
    book = with_options(grand=True, grand_short=option)
    grand = {"contract": "grand", "declarer": "FH", "tricks": {"FH": 4, "MH": 3, "BH": 2}}
    assert settled(book, 3, **grand).outcome == outcome
    assert tokens(book, 3, **grand)["FH"] == -2 * each
    tie = grand | {"tricks": {"FH": 4, "MH": 4, "BH": 1}}
    assert settled(book, 3, **tie).outcome == "bete"


def test_7_3_the_fourth_player_who_gives_up_does_not_give_up_for_another_who_joined():
    book = with_options(joint_simple_nolo=True)
    nolo = {"contract": "simple_nolo", "declarer": "FH", "joined": ["MH", "IDLE"], "idle_abandoned": True}
    accounts = {"FH": 2, "MH": -5, "IDLE": -2}
    assert tokens(book, 4, **nolo, tricks={"FH": 0, "MH": 4, "BH": 5}) == {
        role: 4 * accounts.get(role, 0) - sum(accounts.values()) for role in ("FH", "MH", "BH", "IDLE")
    }
