# ruff: noqa: E501 - a row is read on one line
import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import get_rulebook, notation
from scoring.notation import UnreadableLine, read_line, read_words, write_line, write_words
from scoring.results import DealResult
from scoring.seats import ROLES, Role, Seating, dealer_of
from scoring.vocabulary import (
    CONTRACTS,
    CONTRACTS_MEANT,
    FLAGS,
    IN_LANGUAGE,
    ITEMS_MEANT,
    OUTCOMES,
    PASSED_MEANT,
    SUITS,
    WRITTEN,
    first_phrases,
    fold,
    row_in,
)
from tests.scoring.strategies import deals

# At a table of four whose deal 1 A dealt, A deals this one: B is forehand, C sits out, D is middlehand.
DEALT_BY_A = Seating(4, 0)


def test_the_examples_are_true():
    assert doctest.testmod(notation).failed == 0


@given(deals())
def test_what_is_written_is_read_back(deal):
    number, result, players, first_dealer = deal
    line = write_line(number, result, players, first_dealer)
    assert read_line(line, players, first_dealer) == (number, result)
    seating = Seating(players, dealer_of(number, players, first_dealer))
    for words in WRITTEN.values():
        assert read_words(write_words(result, seating, None, words), seating) == result


def test_who_won_is_no_part_of_the_tout():
    tout = DealResult(contract="simple_game", declarer=Role.FH, tout="won", won_by=(Role.FH,))
    assert write_line(1, tout, 2) == "1 B game tout won by B"
    assert read_line("1 B game tout won by B", 2) == (1, tout)


@pytest.mark.parametrize(
    ("language", "gave_up", "passed"),
    [("da", "D bedre spil s opgivet", "- pas pulje 15"), ("sv", "D bättre spel s gav upp", "- pass pott 15")],
)
def test_a_line_is_written_in_the_readers_words(language, gave_up, passed):
    played = read_words("D spade game s gave up", DEALT_BY_A)
    assert write_words(played, DEALT_BY_A, None, WRITTEN[language]) == gave_up
    assert write_words(DealResult(all_passed=True, pool=15), DEALT_BY_A, None, WRITTEN[language]) == passed


@pytest.mark.parametrize("language", IN_LANGUAGE)
def test_a_languages_words_are_of_rows_that_there_are_and_mean_what_these_mean(language):
    rows = IN_LANGUAGE[language]
    assert sorted(rows.keys() - set(first_phrases())) == []
    contracts = {phrases[0]: contract for contract, phrases in CONTRACTS.items()}
    for first, said in rows.items():
        for phrase in said:
            assert len(fold(phrase).split()) <= 3
            if first in contracts:  # where several contracts have a name, the rulebook decides
                assert contracts[first] in CONTRACTS_MEANT[fold(phrase)], phrase
            else:
                meant = ITEMS_MEANT | PASSED_MEANT
                assert meant[fold(phrase)] == meant[fold(first)], phrase


def test_a_legend_has_the_readers_words_before_those_of_everybody_and_none_of_others():
    assert row_in("sv", "won") == ("vunnet", "v", "hem", "won", "sacada")
    assert row_in("en", "won") == ("won", "sacada")


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("b spil h v", {"contract": "simple_game", "trump": "H", "outcome": "won"}),
        ("B Bättre ♠", {"contract": "spade_game", "trump": "S"}),
        ("B köpnolla 2 gick med C gav upp", {
            "contract": "simple_nolo", "tricks": (("FH", 2),), "joined": ("IDLE",), "idle_abandoned": True,
        }),
        ("B solo klöver vunnet fem första missade", {
            "contract": "solo", "trump": "C", "outcome": "won", "five_first": "failed",
        }),
        ("B turné ruter förlust", {"contract": "tourne", "trump": "D", "outcome": "lost"}),
        ("B entrada s kodilj vanns av AD pott 15 estucher 2", {
            "contract": "entrada", "trump": "S", "outcome": "kodille", "won_by": ("MH", "BH"), "pool": 15, "estuches": 2,
        }),
        ("B bs bet", {"contract": "spade_game", "outcome": "bete"}),
        ("B Bedre Spil kruk", {"contract": "spade_game", "outcome": "kodille"}),
        ("B TURNÉ klør k", {"contract": "tourne", "trump": "C", "outcome": "kodille"}),
        ("B t s tout tabt", {"contract": "tourne", "trump": "S", "tout": "failed"}),
        ("B tr ruder vundet", {"contract": "grand_tourne", "trump": "D", "outcome": "won"}),
        ("B tourné respekt ♥ b", {"contract": "grand_tourne", "trump": "H", "outcome": "bete"}),
        ("B solo spar won", {"contract": "spade_solo", "outcome": "won"}),
        ("B solo s won", {"contract": "solo", "trump": "S", "outcome": "won"}),
        ("B spade_solo won", {"contract": "spade_solo", "outcome": "won"}),
        ("B købe nolo opgivet", {"contract": "simple_nolo", "abandoned": True}),
        ("B rn v", {"contract": "pure_nolo", "outcome": "won"}),
        ("B nolo ouvert b", {"contract": "nolo_ouvert", "outcome": "bete"}),
        ("B no v", {"contract": "nolo_ouvert", "outcome": "won"}),
        ("B solo h, won, first five failed", {"contract": "solo", "trump": "H", "outcome": "won", "five_first": "failed"}),
        ("B game 5-0-0 stopped after 5", {
            "contract": "simple_game", "tricks": (("FH", 5), ("MH", 0), ("BH", 0)), "played_out": False, "claimed_after": 5,
        }),
        ("B game 5-x-1", {"contract": "simple_game", "tricks": (("FH", 5), ("BH", 1))}),
        ("B nolo 2-3-1 join C 3", {
            "contract": "simple_nolo", "tricks": (("FH", 2), ("MH", 3), ("BH", 1), ("IDLE", 3)), "joined": ("IDLE",),
        }),
        ("B nolo 2 med C opgivet", {
            "contract": "simple_nolo", "tricks": (("FH", 2),), "joined": ("IDLE",), "idle_abandoned": True,
        }),
        ("B nolo 2 join D 4 join C", {
            "contract": "simple_nolo", "tricks": (("FH", 2), ("MH", 4)), "joined": ("MH", "IDLE"),
        }),
        ("B solo fejl A", {"contract": "solo", "foul": "BH"}),
        ("B entrada s codille won by AD pool 15 estuches 2", {
            "contract": "entrada", "trump": "S", "outcome": "kodille", "won_by": ("MH", "BH"), "pool": 15, "estuches": 2,
        }),
        ("B vuelta surrendered accepted by ad before trick 3", {
            "contract": "vuelta", "abandoned": True, "accepted_by": ("MH", "BH"), "before_trick": 3,
        }),
        ("B e conceded taken over by D vole failed", {
            "contract": "entrada", "abandoned": True, "takeover": "MH", "tout": "failed",
        }),
        ("B voltereta turned sa first five against", {"contract": "voltereta", "turned": "SA", "first_five_by": "OPP"}),
        ("B play bid tout bid primeras lunch", {
            "contract": "play", "bonus_bid": ("primeras", "tout"), "outcome": "crocodile_lunch",
        }),
        ("B ask leave partner D remise", {"contract": "ask_leave", "partner": "MH", "outcome": "remise"}),
        ("B hand nolo contranolo", {"contract": "nolo", "outcome": "contranolo"}),
        ("C mort c 4-3-1-1", {
            "contract": "mort", "declarer": "IDLE", "trump": "C", "tricks": (("FH", 1), ("MH", 3), ("BH", 1), ("IDLE", 4)),
        }),
    ],
)  # fmt: skip
def test_words_that_people_write_are_read(line, fields):
    assert read_words(line, DEALT_BY_A) == DealResult(**({"declarer": "FH"} | fields))


@pytest.mark.parametrize(
    ("rulebook", "line", "contract"),
    [
        ("crocodile", "B nolo 0", "nolo"),
        ("rasle", "B nolo 0", "simple_nolo"),
        (None, "B nolo 0", "simple_nolo"),
        ("crocodile", "B tr h", "tournee_respect"),
        ("union", "B tr h", "grand_tourne"),
        ("crocodile", "B tourné h", "tournee"),
        ("union", "B tourné h", "tourne"),
        ("crocodile", "B købe nolo", "exchange_nolo"),
        ("crocodile", "B nolla", "nolo"),
        ("union", "B nolla", "simple_nolo"),
        ("crocodile", "B turné h", "tournee"),
        ("renegado", "B nolo", "simple_nolo"),
    ],
)
def test_a_name_that_contracts_share_is_the_rulebooks(rulebook, line, contract):
    assert read_words(line, DEALT_BY_A, rulebook and get_rulebook(rulebook)).contract == contract
    number, result = read_line(f"1 {line}", rulebook=rulebook and get_rulebook(rulebook))
    assert (number, result.contract) == (1, contract)


def test_a_wash_out_may_tell_what_lay_in_the_pool():
    assert read_words("- pass pool 15", DEALT_BY_A) == DealResult(all_passed=True, pool=15)
    assert write_words(DealResult(all_passed=True, pool=15), DEALT_BY_A) == "- pass pool 15"


@pytest.mark.parametrize("line", ["- pass", "pas", "\N{EN DASH} rundpas", "PASS"])
def test_a_wash_out_is_read(line):
    assert read_words(line, DEALT_BY_A) == DealResult(all_passed=True)


def test_the_fourth_players_tricks_may_be_told_too():
    four = read_words("B solo h 5-0-3-1", DEALT_BY_A)
    assert dict(four.tricks) == {"FH": 5, "MH": 3, "BH": 1, "IDLE": 0}
    assert write_words(four, DEALT_BY_A) == "B solo h 5-0-3-1"


def test_a_number_may_be_followed_by_a_point():
    assert read_line("17. - pass") == read_line("17: - pass") == (17, DealResult(all_passed=True))


@pytest.mark.parametrize(
    ("line", "word", "column"),
    [
        ("", "", 1),
        ("   ", "", 4),
        ("1", "", 2),
        ("0 B solo", "0", 1),
        ("10000 B solo", "10000", 1),
        ("1" * 5000 + " B solo", "1" * 40, 1),
        ("٣ B solo", "٣", 1),
        ("x B solo", "x", 1),
        ("1 E solo", "E", 3),
        ("1 BB solo", "BB", 3),
        ("1 B", "", 4),
        ("1 B bridge", "bridge", 5),
        ("1 B solo  hearts ws", "ws", 18),
        ("1 B solo h d", "d", 12),
        ("1 B solo won bet", "bet", 14),
        ("1 B solo 5-3-1 5", "5", 16),
        ("1 B solo 5-3", "5-3", 10),
        ("1 B solo 5-3-1-0-0", "5-3-1-0-0", 10),
        ("1 B solo 5--3", "5--3", 10),
        ("1 B solo -5", "-5", 10),
        ("1 B solo foul", "", 14),
        ("1 B solo foul X", "X", 15),
        ("1 B solo after", "", 15),
        ("1 B solo after won", "won", 16),
        ("1 B nolo join", "", 14),
        ("1 B nolo join D join D", "D", 22),
        ("1 B nolo join D 123", "123", 17),
        ("1 - pass B solo", "B", 10),
        ("1 - pass pool", "", 14),
        ("1 - pass pool 5 x", "x", 17),
        ("1 B entrada won by BX", "BX", 20),
        ("1 B entrada won by BB", "BB", 20),
        ("1 B entrada won by", "", 19),
        ("1 B vuelta turned H8", "H8", 19),
        ("1 B play bid tout bid tout", "bid", 19),
        ("1 B entrada pool 1000000", "1000000", 18),
        ("1 B entrada estuches 100", "100", 22),
        ("1 B pass", "pass", 5),
        ("1 B nolo fourth gave up join C gave up", "C", 30),
    ],
)
def test_reading_stumbles_over_a_word_and_says_where(line, word, column):
    with pytest.raises(UnreadableLine) as stumbled:
        read_line(line)
    error = stumbled.value
    assert (error.field, error.word, error.column) == ("line", word, column)
    assert error.text.format(**error.params) == str(error)


@given(st.lists(st.sampled_from([*"ABCDX-179", "5-3-1", "join", "foul", "first", "five", "by", *(
    words for table in (CONTRACTS, SUITS, FLAGS, OUTCOMES) for phrases in table.values() for words in phrases
)])).map(" ".join) | st.text())  # fmt: skip
def test_any_line_is_read_or_stumbled_over(line):
    try:
        read = read_line(line)
    except UnreadableLine as error:
        stumbled = error.column
    else:
        assert read_line(write_line(*read)) == read
        return
    assert 1 <= stumbled <= len(line) + 1


def test_what_is_no_contract_with_its_declarer_is_not_written():
    for result in (
        DealResult(),
        DealResult(contract="solo"),
        DealResult(contract="bridge", declarer=ROLES[4][0]),
        DealResult(all_passed=True, trump="H"),
    ):
        with pytest.raises(ValueError, match="can be written"):
            write_words(result, DEALT_BY_A)
    with pytest.raises(ValueError, match="no such seat"):
        write_words(DealResult(contract="mort", declarer=ROLES[4][3]), Seating(3, 0))
