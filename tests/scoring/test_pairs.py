"""§1.5 Pairs: the player sitting out takes over the hand of the declarer's partner, so that pair meets pair."""

from itertools import product

import pytest

from scoring import get_rulebook
from scoring.__main__ import main
from scoring.bots import play_round
from scoring.game import deal_of, read_deal, write_deal
from scoring.notation import read_line, write_line
from scoring.results import DealResult, UnreadableResult, read_result
from scoring.rulebooks import rulebooks
from scoring.seats import Role, Seating
from scoring.settlement import problems, settle

FH, MH, BH, IDLE = Role.FH, Role.MH, Role.BH, Role.IDLE
UNION, RASLE = get_rulebook("union"), get_rulebook("rasle")


def pair_sums(tokens):
    return tokens[0] + tokens[2], tokens[1] + tokens[3]


@pytest.mark.parametrize(
    ("dealer", "declarer", "plays", "sits_out"),
    [
        (0, FH, {FH: 1, MH: 2, BH: 0}, 3),  # Dora's hand is taken over by the dealer's partner
        (0, MH, {FH: 2, MH: 3, BH: 0}, 1),
        (0, BH, {FH: 1, MH: 3, BH: 0}, 2),  # the dealer's partner sits out anyway
        (0, None, {FH: 1, MH: 3, BH: 0}, 2),
        (3, FH, {FH: 0, MH: 1, BH: 3}, 2),
        (2, MH, {FH: 0, MH: 1, BH: 2}, 3),
    ],
)
def test_who_plays_which_hand(dealer, declarer, plays, sits_out):
    table = Seating(4, dealer, in_pairs=True).declared_by(declarer)
    assert table.positions == plays | {IDLE: sits_out}
    assert (table.forehand, table.sits_out) == ((dealer + 1) % 4, sits_out)
    assert table.declared_by(None) == Seating(4, dealer, in_pairs=True)


@pytest.mark.parametrize(
    ("rulebook", "declarer", "tokens"),
    [
        (UNION, FH, (-3, 6, -3, 0)),
        (UNION, MH, (-3, 0, -3, 6)),
        (UNION, BH, (6, -3, 0, -3)),
        (RASLE, FH, (-2, 6, -2, -2)),
    ],
)
def test_6_1_a_declarer_is_paid_by_the_other_pair_and_by_who_sits_out_where_agreed(
    rulebook, declarer, tokens
):
    won = DealResult("solo", declarer, trump="H", outcome="won")
    assert settle(won, Seating(4, 0, in_pairs=True), rulebook).tokens == tokens


@pytest.mark.parametrize("rulebook", [book.id for book in rulebooks() if book.for_pairs])
def test_what_a_pair_wins_is_the_same_whether_who_sits_out_settles_or_not(rulebook):
    books = [get_rulebook(rulebook, {"idle_settles": settles}) for settles in (False, True)]
    for dealer, declarer, contract, outcome in product(
        range(4), (FH, MH, BH), books[0].contracts_at(4), ("won", "bete", "kodille")
    ):
        tricks = ((declarer, 2 if outcome == "kodille" else 0),) if contract.extra_per_trick else ()
        said = outcome if not tricks or outcome != "bete" else None
        trump = "S" if contract.id in ("spade_game", "spade_solo") else None
        result = DealResult(contract.id, declarer, trump=trump, outcome=said, tricks=tricks)
        table = Seating(4, dealer, in_pairs=True)
        if any(not found.is_warning for found in problems(result, table, books[0])):
            continue
        with_four, with_three = (settle(result, table, book).tokens for book in books)
        assert pair_sums(with_four) == pair_sums(with_three)
        assert sum(pair_sums(with_four)) == 0


def test_tricks_fouls_and_who_joined_are_those_of_who_played_the_hand():
    table = Seating(4, 0, in_pairs=True)
    data = {"contract": "solo", "declarer": 1, "trump": "H", "tricks": {"1": 5, "2": 3, "0": 1}}
    result = read_result(data, table)
    assert dict(result.tricks) == {FH: 5, MH: 3, BH: 1}
    assert result.to_json(table) == data
    assert not problems(result, table, UNION)
    foul = read_result({"contract": "solo", "declarer": 1, "trump": "H", "foul": 2}, table)
    assert foul.foul is MH


def test_3_2_who_sits_out_declares_nothing_and_the_partner_who_gave_up_the_hand_takes_no_trick():
    table = Seating(4, 0, in_pairs=True)
    idle = read_result({"contract": "solo", "declarer": 2, "trump": "H", "outcome": "won"}, table)
    assert [found.code for found in problems(idle, table, UNION)] == ["declarer_sits_out"]
    partner = {"contract": "solo", "declarer": 1, "trump": "H", "tricks": {"1": 5, "3": 4}}
    found = problems(read_result(partner, table), table, UNION)
    assert "tricks_of_nobody" in [problem.code for problem in found]


def test_what_is_no_seat_stays_unreadable():
    with pytest.raises(UnreadableResult):
        read_result({"contract": "solo", "declarer": 7}, Seating(4, 0, in_pairs=True))


def test_a_line_of_the_slip_names_who_played():
    deal, result = read_line("1 B solo h won 5-3-1 foul C", in_pairs=True)
    assert result.foul is MH
    assert write_line(deal, result, in_pairs=True) == "1 B solo h won 5-3-1 foul C"


@pytest.mark.parametrize(
    ("rulebook", "options", "may"),
    [
        ("union", {}, True),
        ("rasle", {}, True),
        ("la_bete", {}, True),
        ("rasle", {"mort": True}, False),
        ("renegado", {}, False),
        ("crocodile", {}, False),
        ("ombre_two", {}, False),
    ],
)
def test_pairs_play_where_the_fourth_player_only_sits_out(rulebook, options, may):
    assert get_rulebook(rulebook, options).for_pairs == may


@pytest.mark.parametrize("players", [2, 3, 5])
def test_pairs_sit_at_tables_of_four(players):
    with pytest.raises(ValueError, match="no pairs"):
        Seating(players, 0, in_pairs=True)


def test_bots_play_in_pairs_and_a_deal_says_so():
    for played in play_round(RASLE, 4, 40, 3, in_pairs=True):
        table, tokens = played.state.table.seating, played.settlement.tokens
        text = write_deal(deal_of(played.state))
        assert read_deal(text).seating == table
        assert " in pairs" in text.splitlines()[0]
        declarer = played.result.declarer
        if declarer:
            own = table.position_of(declarer)
            again = read_result(played.result.to_json(table), table)
            assert again == played.result
            if played.settlement.outcome == "won" and not played.result.joined:
                assert tokens[own] + tokens[(own + 2) % 4] > 0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("1 B solo h won", "has taken over the hand of middlehand, the declarer’s partner. (union §1.5)"),
        ("1 B solo h won", "Together the declarer’s pair gets +6, the other pair −6. (union §1.5)"),
        ("1 B solo h won", "tokens: A -3, B +6, C -3, D +0"),
        ("1 D solo h kodille", "Together the declarer’s pair gets −8, the other pair +8. (union §1.5)"),
        ("1 A solo h won", "The dealer is declarer, and the dealer’s partner sits out anyway. (union §1.5)"),
        ("calls: pass, solo, pass", "takes over the hand of forehand, the declarer’s partner. (union §1.5)"),
        ("calls: pass, pass, solo", ("The dealer is declarer, and the dealer’s partner sits out anyway. "
        "(union §1.5)")),
        ("exchange game: 4", "takes over the hand of the declarer’s partner, unless the dealer declares. (union"),
        ("define game", "The declarer may play Game, or say instead: "),
    ],
)  # fmt: skip
def test_the_referee_says_whose_hand_is_taken_over(capsys, asked, said):
    assert main(["explain", "--pairs", asked]) == 0
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("asked", ["calls: pass, pass, pass", "calls: pass", "1 - pass", "trick h: HK"])
def test_the_referee_does_not_speak_of_pairs_where_nothing_is_taken_over(capsys, asked):
    assert main(["explain", "--pairs", asked]) == 0
    assert "§1.5" not in capsys.readouterr().out


def test_the_referee_knows_no_pairs_where_there_are_none(capsys):
    assert main(["explain", "--pairs", "--rulebook", "renegado", "1", "B", "solo", "h", "won"]) != 0
    assert "cannot be played in pairs" in capsys.readouterr().err


def test_bots_play_pairs_from_the_command_line(capsys):
    assert main(["play", "--pairs", "--deals", "2"]) == 0
    assert capsys.readouterr().out.count("in pairs") == 2
    assert main(["play", "--pairs", "--players", "3"]) != 0
