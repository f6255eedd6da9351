"""The rules of ombre renegado, paragraph by paragraph: `scoring/rules/renegado.md`."""

import pytest

from scoring import get_rulebook
from scoring.answers import in_words
from scoring.bots import next_step, play_round
from scoring.game import Act, Deal, Step, deal_of, read_deal, write_deal
from scoring.notation import read_line, write_line
from scoring.seats import Role, Seating
from scoring.settlement import pool_after, settle, settle_at_table
from tests.scoring.reports import SEATINGS, codes, report, settled, tokens, tricks

OFF = {"count_estuches": False}
BOOK = get_rulebook("renegado", OFF)
COUNTED = get_rulebook("renegado")
PRICES = {"entrada": 5, "vuelta": 7, "solo": 15}
AS_ENTRADA = ["voltereta", "gascarola", "spadille_force"]
MISSED = {"entrada": 30, "vuelta": 28, "solo": 20}


def chips(contract, pool=5, players=3, options=None, **fields):
    """FH's chips as ombre, those of MH, BH and who sits out, and the pool's."""
    book = get_rulebook("renegado", OFF | {"forced_spadille": True} | (options or {}))
    paid = tokens(book, players, contract=contract, declarer="FH", pool=pool, **fields)
    return [paid[seat] for seat in ("FH", "MH", "BH", "IDLE", "POOL") if seat in paid]


@pytest.mark.parametrize(("contract", "price"), PRICES.items())
@pytest.mark.parametrize("pool", [0, 5, 20])
def test_6_2_sacada_takes_the_pool_and_the_price_from_each(contract, price, pool):
    assert chips(contract, pool, outcome="won") == [2 * price + pool, -price, -price, -pool]
    assert chips(contract, pool, 4, outcome="won") == [3 * price + pool, -price, -price, -price, -pool]


@pytest.mark.parametrize("contract", AS_ENTRADA)
def test_3_5_and_4_1_what_is_played_when_all_have_passed_counts_as_entrada(contract):
    assert chips(contract, outcome="won") == [15, -5, -5, -5]
    assert chips(contract, outcome="bete") == [-20, 0, 0, 20]
    assert chips(contract, vole="failed") == [-60, 30, 30, 0]


@pytest.mark.parametrize(
    ("turned", "expected"),
    [("HK", [15, -5, -5, -5]), ("SA", [19, -7, -7, -5]), ("CA", [15, -5, -5, -5]), ("S2", [15, -5, -5, -5])],
)
def test_3_5_voltereta_counts_as_vuelta_where_spadille_is_turned(turned, expected):
    assert chips("voltereta", outcome="won", turned=turned) == expected


def test_3_5_spadille_turned_in_a_vuelta_changes_nothing():
    assert chips("vuelta", outcome="won", turned="SA") == [19, -7, -7, -5]


def test_3_5_a_voltereta_with_spadille_counts_as_vuelta_for_a_missed_vole_too():
    assert chips("voltereta", vole="failed", turned="SA") == [-56, 28, 28, 0]


@pytest.mark.parametrize(
    ("played", "expected"),
    [("FH0 MH5 BH4", [15, -5, -5, -5]), ("FH1 MH4 BH4", [-20, 0, 0, 20]), ("FH9 MH0 BH0", [-20, 0, 0, 20])],
)
def test_5_4_contrabola_is_won_without_a_trick_and_else_a_puesta(played, expected):
    assert chips("contrabola", tricks=tricks(played)) == expected


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"tricks": {"FH": 0}}, "won"),
        ({"tricks": {"FH": 2}}, "bete"),
        ({"tricks": {"MH": 3}, "outcome": "bete"}, "bete"),
        ({"outcome": "won"}, "won"),
    ],
)
def test_5_4_a_contrabola_is_told_by_ombres_tricks_or_by_its_outcome(fields, outcome):
    assert settled(BOOK, contract="contrabola", declarer="FH", pool=5, **fields).outcome == outcome


def test_5_4_nobody_wins_a_codille_in_contrabola():
    fields = {"contract": "contrabola", "declarer": "FH", "pool": 5, "outcome": "kodille", "won_by": "MH"}
    assert codes(BOOK, **fields) == ["outcome_disagrees"]


@pytest.mark.parametrize(
    ("played", "outcome"),
    [
        ("FH5 MH3 BH1", "won"),
        ("FH4 MH3 BH2", "won"),
        ("FH4 MH4 BH1", "bete"),
        ("FH3 MH3 BH3", "bete"),
        ("FH3 MH4 BH2", "kodille"),
        ("FH4 MH5 BH0", "kodille"),
        ("FH1 MH4 BH4", "kodille"),
    ],
)
def test_5_3_sacada_puesta_and_codille(played, outcome):
    fields = {"contract": "entrada", "declarer": "FH", "pool": 5, "tricks": tricks(played)}
    assert settled(BOOK, **fields).outcome == outcome


@pytest.mark.parametrize("contract", PRICES)
@pytest.mark.parametrize(("pool", "paid", "paid_by_four"), [(0, 15, 20), (5, 20, 25), (20, 35, 40)])
def test_6_2_puesta_doubles_the_pool_and_pays_five_for_each_in_the_game(contract, pool, paid, paid_by_four):
    assert chips(contract, pool, outcome="bete") == [-paid, 0, 0, paid]
    assert chips(contract, pool, 4, outcome="bete") == [-paid_by_four, 0, 0, 0, paid_by_four]


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        ("FH3 MH4 BH2", [-20, 20, 0, 0]),
        ("FH3 MH2 BH4", [-20, 0, 20, 0]),
        ("FH1 MH4 BH4", [-20, 10, 10, 0]),
    ],
)
def test_6_3_codille_is_paid_to_who_won_and_shared_by_two(played, expected):
    assert chips("entrada", tricks=tricks(played)) == expected


@pytest.mark.parametrize(
    ("declarer", "played", "expected"),
    [
        ("FH", "FH1 MH4 BH4", {"FH": -21, "MH": 11, "BH": 10, "POOL": 0}),
        ("MH", "FH4 MH1 BH4", {"FH": 10, "MH": -21, "BH": 11, "POOL": 0}),
        ("BH", "FH4 MH4 BH1", {"FH": 11, "MH": 10, "BH": -21, "POOL": 0}),
    ],
)
def test_6_3_the_odd_chip_is_the_ones_who_is_nearer_at_ombres_right(declarer, played, expected):
    fields = {"contract": "entrada", "declarer": declarer, "pool": 6, "tricks": tricks(played)}
    assert tokens(BOOK, **fields) == expected
    alone = get_rulebook("renegado", OFF | {"codille_shared": False})
    takes_all = max(expected, key=expected.get)
    assert {seat: paid for seat, paid in tokens(alone, **fields).items() if paid > 0} == {takes_all: 21}


def test_6_3_three_who_won_a_mort_share_it_and_have_three_each_for_the_first_five():
    mort = {"contract": "mort", "declarer": "IDLE", "pool": 6, "tricks": tricks("FH3 MH3 BH3 IDLE0")}
    assert tokens(BOOK, 4, **mort) == {"FH": 11, "MH": 12, "BH": 12, "IDLE": -35, "POOL": 0}
    assert tokens(BOOK, 4, **mort | {"pool": 5}) == {"FH": 11, "MH": 12, "BH": 11, "IDLE": -34, "POOL": 0}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"outcome": "kodille", "won_by": "BH"}, [-20, 0, 20, 0]),
        ({"outcome": "kodille", "won_by": ["BH", "MH"]}, [-20, 10, 10, 0]),
        ({"tricks": {"MH": 5}, "played_out": False}, [-20, 20, 0, 0]),
        ({"tricks": {"FH": 1, "MH": 6}}, [-20, 20, 0, 0]),
    ],
)
def test_6_3_who_won_is_said_or_told_by_the_tricks(fields, expected):
    assert chips("entrada", **fields) == expected


def test_6_3_at_a_table_of_four_codille_counts_four_in_the_game():
    assert chips("entrada", 5, 4, tricks=tricks("FH3 MH5 BH1")) == [-25, 25, 0, 0, 0]
    assert chips("entrada", 5, 4, {"idle_settles": False}, tricks=tricks("FH3 MH5 BH1")) == [-20, 20, 0, 0, 0]


def test_6_1_the_player_sitting_out_settles_unless_the_option_is_off():
    assert chips("entrada", 5, 4, {"idle_settles": False}, outcome="won") == [15, -5, -5, 0, -5]
    assert chips("entrada", 5, 4, {"idle_settles": False}, outcome="bete") == [-20, 0, 0, 0, 20]


@pytest.mark.parametrize(("contract", "price"), PRICES.items())
def test_6_4_the_vole_is_ten_more_from_each(contract, price):
    each = price + 10
    assert chips(contract, vole="won") == [2 * each + 5, -each, -each, -5]
    assert chips(contract, tricks=tricks("FH9 MH0 BH0")) == [2 * each + 5, -each, -each, -5]


@pytest.mark.parametrize(("contract", "each"), MISSED.items())
def test_6_4_a_missed_vole_costs_35_less_the_price_and_leaves_the_pool(contract, each):
    assert chips(contract, vole="failed", tricks=tricks("FH8 MH1 BH0")) == [-2 * each, each, each, 0]
    fields = {"contract": contract, "declarer": "FH", "pool": 5, "vole": "failed"}
    assert settled(BOOK, **fields).outcome == "vole_failed"
    assert settled(BOOK, **fields).extras == ()


def test_6_4_by_option_a_missed_vole_takes_the_pool():
    option = {"missed_vole_takes_pool": True}
    assert chips("entrada", pool=7, options=option, vole="failed") == [-53, 30, 30, -7]


@pytest.mark.parametrize(
    ("players", "fields", "expected"),
    [
        (3, {"vole": "won"}, [25, -10, -10, -5]),
        (3, {"outcome": "won", "first_five_by": "FH"}, [18, -7, -6, -5]),
        (4, {"vole": "won"}, [30, -8, -8, -9, -5]),
        (3, {"outcome": "bete", "first_five_by": "OPP"}, [-23, 2, 1, 20]),
        (4, {"outcome": "bete", "first_five_by": "OPP"}, [-28, 1, 1, 1, 25]),
    ],
)
def test_6_4_by_option_the_opponents_share_the_price_of_a_bonus(players, fields, expected):
    assert chips("entrada", players=players, options={"bonuses_once": True}, **fields) == expected


def test_6_4_a_shared_bonus_that_is_free_moves_nothing():
    option = {"bonuses_once": True, "price_vole": 0}
    assert chips("entrada", options=option, vole="won") == [15, -5, -5, -5]


@pytest.mark.parametrize(
    ("fields", "extras", "ombre"),
    [
        ({"outcome": "won", "first_five_by": "FH"}, ("primeras",), 21),
        ({"tricks": tricks("FH5 MH0 BH0"), "played_out": False, "first_five_by": "FH"}, ("primeras",), 21),
        ({"tricks": tricks("FH5 MH0 BH0"), "played_out": False}, ("primeras",), 21),
        ({"tricks": tricks("FH9 MH0 BH0"), "first_five_by": "FH"}, ("vole",), 35),
        ({"tricks": tricks("FH6 MH2 BH1"), "first_five_by": "FH"}, (), -60),
        ({"tricks": {"FH": 6}, "first_five_by": "FH"}, (), -60),
        ({"tricks": tricks("FH5 MH1 BH0"), "played_out": False, "first_five_by": "FH"}, (), -60),
        ({"tricks": {"FH": 5}, "played_out": True, "first_five_by": "FH"}, (), -60),
        ({"tricks": tricks("FH6 MH2 BH1"), "led_sixth": True}, (), -60),
        ({"tricks": tricks("FH6 MH2 BH1")}, (), 15),
    ],
)
def test_5_6_who_won_the_first_five_claims_or_leads_to_the_sixth_for_the_vole(fields, extras, ombre):
    came_to = settled(BOOK, contract="entrada", declarer="FH", pool=5, **fields)
    assert (came_to.extras, came_to.tokens[0]) == (extras, ombre)


@pytest.mark.parametrize("by", ["OPP", "MH"])
def test_6_4_losing_the_first_five_costs_three_more_to_each(by):
    assert chips("entrada", tricks=tricks("FH4 MH5 BH0"), first_five_by=by) == [-26, 23, 3, 0]
    assert chips("entrada", outcome="bete", first_five_by="OPP") == [-26, 3, 3, 20]
    assert chips("entrada", tricks=tricks("FH4 MH3 BH2"), first_five_by="OPP") == [15, -5, -5, -5]


@pytest.mark.parametrize(
    ("fields", "estuches", "expected"),
    [
        ({"outcome": "won"}, 1, [17, -6, -6, -5]),
        ({"outcome": "won"}, 4, [23, -9, -9, -5]),
        ({"outcome": "bete"}, 3, [-26, 3, 3, 20]),
        ({"outcome": "kodille", "won_by": "MH"}, 2, [-24, 22, 2, 0]),
        ({"vole": "won"}, 5, [45, -20, -20, -5]),
        ({"vole": "failed"}, 4, [-52, 26, 26, 0]),
        ({"surrendered": True}, 2, [-24, 2, 2, 20]),
    ],
)
def test_6_6_estuches_are_one_chip_each_for_the_winner(fields, estuches, expected):
    paid = tokens(COUNTED, contract="entrada", declarer="FH", pool=5, estuches=estuches, **fields)
    assert list(paid.values()) == expected


@pytest.mark.parametrize("contract", ["entrada", "vuelta", "voltereta", "gascarola", "spadille_force"])
def test_4_5_a_surrender_is_a_puesta(contract):
    assert chips(contract, surrendered=True, before_trick=4, takeover="none", accepted_by="both") == [
        -20,
        0,
        0,
        20,
    ]
    assert settled(BOOK, contract="entrada", declarer="FH", pool=5, surrendered=True).outcome == "bete"


def test_4_5_who_takes_over_is_ombre_as_if_he_had_bid():
    fields = {"surrendered": True, "before_trick": 3, "takeover": "MH"}
    assert chips("entrada", tricks=tricks("FH1 MH6 BH2"), **fields) == [-5, 15, -5, -5]
    assert chips("entrada", tricks=tricks("FH5 MH4 BH0"), **fields) == [20, -20, 0, 0]
    assert chips("entrada", tricks=tricks("FH0 MH9 BH0"), **fields) == [-15, 35, -15, -5]
    assert chips("entrada", tricks=tricks("FH1 MH6 BH2"), first_five_by="MH", **fields) == [30, -60, 30, 0]
    assert chips("entrada", outcome="kodille", won_by="FH", **fields) == [20, -20, 0, 0]


def test_3_6_mort_counts_as_entrada_against_three():
    mort = {"contract": "mort", "declarer": "IDLE", "pool": 5}
    won = {"FH": -5, "MH": -5, "BH": -5, "IDLE": 20, "POOL": -5}
    assert tokens(BOOK, 4, **mort, tricks=tricks("FH2 MH2 BH2 IDLE3")) == won
    nobody_sits_out = get_rulebook("renegado", OFF | {"idle_settles": False})
    assert tokens(nobody_sits_out, 4, **mort, tricks=tricks("FH2 MH2 BH2 IDLE3")) == won
    puesta = {"FH": 0, "MH": 0, "BH": 0, "IDLE": -25, "POOL": 25}
    assert tokens(BOOK, 4, **mort, tricks=tricks("FH3 MH2 BH1 IDLE3")) == puesta
    assert tokens(nobody_sits_out, 4, **mort, tricks=tricks("FH3 MH2 BH1 IDLE3")) == puesta


def test_6_5_the_dealer_pays_the_ante_and_the_pool_lives_through_the_deals():
    seating = Seating(3, 2)
    won = report(book="renegado", contract="entrada", declarer="FH", pool=5, outcome="won")
    at_table = settle_at_table(won, seating, BOOK)
    assert (at_table.tokens, at_table.pool) == ((15, -5, -10), 0)
    assert [part for part in at_table.parts if part.code == "ante"] == [("ante", 2, -1, 5, "ante", {})]
    assert pool_after(won, seating, BOOK) == 5
    puesta = report(book="renegado", contract="entrada", declarer="FH", pool=5, outcome="bete")
    assert pool_after(puesta, seating, BOOK) == 30
    passed = report(book="renegado", all_passed=True, pool=5)
    assert settle_at_table(passed, seating, BOOK).tokens == (0, 0, -5)
    assert pool_after(passed, seating, BOOK) == 10
    assert pool_after(report(book="renegado", all_passed=True), seating, BOOK) is None


def test_6_5_without_an_ante_nothing_is_paid_into_the_pool():
    book = get_rulebook("renegado", OFF | {"ante": 0})
    won = report(book="renegado", contract="entrada", declarer="FH", pool=0, outcome="won")
    assert settle_at_table(won, SEATINGS[3], book).tokens == (10, -5, -5)


def test_6_a_club_sets_its_own_prices():
    own = {
        "price_entrada": 6, "price_vuelta": 8, "price_solo": 16, "price_vole": 11, "price_primeras": 4,
        "price_puesta": 7, "price_missed_vole": 40, "price_estuche": 2, "ante": 9,
    }  # fmt: skip
    assert chips("entrada", options=own, outcome="won") == [17, -6, -6, -5]
    assert chips("gascarola", options=own, outcome="won") == [17, -6, -6, -5]
    assert chips("vuelta", options=own, vole="won") == [43, -19, -19, -5]
    assert chips("solo", options=own, outcome="won", first_five_by="FH") == [45, -20, -20, -5]
    assert chips("solo", options=own, outcome="bete") == [-26, 0, 0, 26]
    assert chips("solo", options=own, vole="failed") == [-48, 24, 24, 0]
    assert chips("solo", options=own, outcome="bete", first_five_by="OPP") == [-34, 4, 4, 26]
    book = get_rulebook("renegado", own)
    counted = tokens(book, contract="entrada", declarer="FH", pool=5, outcome="won", estuches=3)
    assert list(counted.values()) == [29, -12, -12, -5]
    assert book.pool.ante == 9


def test_6_2_a_losers_tokens_go_to_the_players_by_the_option():
    option = {"puesta_to_players": True}
    assert chips("entrada", options=option, outcome="bete") == [-15, 5, 5, 5]
    assert chips("entrada", 5, 4, option, outcome="bete") == [-20, 5, 5, 5, 5]
    assert chips("entrada", options=option, tricks=tricks("FH3 MH5 BH1")) == [-15, 10, 5, 0]
    assert chips("entrada", options=option, outcome="won") == [15, -5, -5, -5]


def test_the_parts_say_what_was_paid_for():
    fields = {"contract": "entrada", "declarer": "FH", "pool": 5, "estuches": 2}
    won = settled(COUNTED, **fields, outcome="won", first_five_by="FH")
    assert [in_words(part.text, part.params) for part in won.parts] == [
        "the pool", "Entrada won", "Entrada won", "primeras", "primeras", "2 estuches", "2 estuches",
    ]  # fmt: skip
    lost = settled(COUNTED, **fields, outcome="bete", first_five_by="OPP")
    assert [in_words(part.text, part.params) for part in lost.parts][:2] == [
        "Entrada lost", "the first five tricks lost",
    ]  # fmt: skip


@pytest.mark.parametrize("pool", [-1, 1_000_000, 10**4299], ids=["debt", "million", "more"])
def test_6_5_a_deal_that_is_passed_out_leaves_a_pool_that_can_be(pool):
    assert codes(BOOK, 3, all_passed=True, pool=pool) == ["pool_range"]
    assert not codes(BOOK, 3, all_passed=True, pool=999_999)


DEALER_OUT = get_rulebook("renegado", {"sits_out": "dealer"})


def test_1_1_a_dealer_who_sits_out_deals_pays_and_receives():
    seating = DEALER_OUT.seating(4, 0)
    won = report(4, book="renegado", contract="entrada", declarer="FH", outcome="won", pool=5, estuches=2)
    settled = settle_at_table(won, seating, DEALER_OUT)
    # The dealer antes 5 and pays 5 and two estuches like each of the two who played; the ombre takes the pool.
    assert settled.tokens == (-12, 26, -7, -7)
    assert settled.pool == 0
    alone = get_rulebook("renegado", {"sits_out": "dealer", "idle_settles": False})
    assert settle_at_table(won, alone.seating(4, 0), alone).tokens == (-5, 19, -7, -7)


def test_1_1_an_odd_token_is_of_who_is_nearer_at_the_right_of_ombre():
    lost = {"contract": "mort", "declarer": "IDLE", "outcome": "kodille", "pool": 6, "estuches": 1}
    told = report(4, book="renegado", **lost, won_by=["FH", "MH"])._replace(pool=7)

    def paid(book):
        seating = book.seating(4, 0)
        return dict(zip(seating.roles, settle(told, seating, book).tokens, strict=True))

    # Of 7 and 20 one winner gets 14, the other 13, and each an estuche.
    assert paid(DEALER_OUT) == {"IDLE": -30, "FH": 15, "MH": 14, "BH": 1}
    assert paid(COUNTED) == {"IDLE": -30, "FH": 14, "MH": 15, "BH": 1}


def test_10_1_a_dealer_who_plays_mort_plays_last_to_the_first_trick():
    seating = DEALER_OUT.seating(4, 2)
    state = Deal.dealt(DEALER_OUT, seating, 1).start()
    while state.to_play is None:
        act = Act.PASS if state.legal_calls() else None
        state = state.after(Step(state.to_act, act) if act else next_step(state))
    assert (state.declarer, state.playing) == (Role.IDLE, (Role.FH, Role.MH, Role.BH, Role.IDLE))


def test_1_1_whole_rounds_are_played_where_the_dealer_sits_out():
    for played in play_round(DEALER_OUT, 4, 40, 3):
        seating = played.state.table.seating
        assert seating.sits_out == seating.dealer == (played.number - 1) % 4
        assert sum(played.settlement.tokens) + played.settlement.pool == 0
        line = write_line(played.number, played.result, dealer_out=True)
        assert read_line(line, rulebook=DEALER_OUT) == (played.number, played.result)
        assert (
            read_deal(write_deal(deal_of(played.state))).replay().result(played.result.pool) == played.result
        )


def test_pairs_do_not_play_where_the_dealer_sits_out():
    assert not DEALER_OUT.for_pairs
