"""`python -m scoring explain`: results, questions and whole deals in words."""

import pytest


@pytest.mark.parametrize(
    "argv",
    [
        ["17", "B", "solo", "h", "won"],
        ["17 B solo h won"],
        ["B solo h won", "--dealer", "0"],
        ["17 B solo h won", "--dealer", "0"],
        ['{"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}', "--dealer", "0"],
    ],
)
def test_explain_settles_in_words(run, argv):
    assert run("explain", *argv) == (
        0,
        (
            "B plays Solo in hearts: won\n"
            "More tricks than each opponent: won. (union §5.3)\n"
            "The player who sits out neither pays nor receives. (union §6.1)\n"
            "D pays B 3: Solo won (union §6.2)\n"
            "A pays B 3: Solo won (union §6.2)\n"
            "tokens: A -3, B +6, C +0, D -3\n"
        ),
        "",
    )


def test_explain_reads_standard_input_and_options(run):
    status, out, _err = run(
        "explain", "--rulebook", "rasle", "--players", "3", "--option", "first_five_bonus=on", "--option",
        "one_four_four=won", "--option", "grand_rate=3", stdin=b"1 B game c 1-4-4 first five failed\n",
    )  # fmt: skip
    assert (status, out.splitlines()) == (
        0,
        [
            "B plays Game in clubs: won",
            "Forehand took 1 of 9 tricks. (rasle §5.1)",
            "One trick against four and four: won. (rasle §5.5)",
            "C pays B 1: Game won (rasle §6.2)",
            "A pays B 1: Game won (rasle §6.2)",
            "B pays C 1: The first five tricks not won (rasle §6.4)",
            "B pays A 1: The first five tricks not won (rasle §6.4)",
            "tokens: A +0, B +0, C +0",
        ],
    )


def test_explain_takes_options_as_json_too(run):
    line = "1 B game c 1-4-4"
    said = run("explain", "--rulebook", "rasle", "--options", '{"one_four_four": "won"}', line)
    assert said == run("explain", "--rulebook", "rasle", "--option", "one_four_four=won", line)
    assert said[0] == 0
    assert run("explain", "--options", "{", line)[0] == run("explain", "--options", '{"x": 1}', line)[0] == 2


def test_explain_says_that_all_passed(run):
    assert run("explain", "1 - pass") == (
        0,
        "Everybody has passed: the deal is a wash-out. (union §4.1)\ntokens: A +0, B +0, C +0, D +0\n",
        "",
    )


@pytest.mark.parametrize(
    ("question", "status", "said"),
    [
        ("calls", 0, "It is forehand’s turn to call. (union §9.1)"),
        ("calls: game, tourné", 1, "not allowed: Tourné is not the lowest bid still possible in its group"),
        ("calls: pass, MH pass, pas", 0, "Everybody has passed: the deal is a wash-out and nobody pays."),
        ("calls: game, BH solo", 1, "not allowed: It is middlehand’s turn to call, not backhand’s."),
        ("calls: game, spade game, self", 0, "It is middlehand’s turn to call."),
        ("calls: game, pass, pass, game", 1, "not allowed: The auction is over. (union §9.1)"),
        ("trick nolo: HK / SA", 0, "♥K is winning: it is the highest card so far of the suit led."),
        ("trick grand: SA / CA H2", 0, "♠A is winning: it is the highest trump so far. (union §10.3)"),
        ("trick h: / SA", 0, "The player who leads may play any card. (union §10.1)"),
        ("exchange solo: 0, 9, 4", 0, "In Solo the declarer exchanges no cards. (union §4.3)"),
        ("exchange game: 0", 1, "not allowed: The declarer exchanges from 1 to 9 cards here, not 0."),
        ("define solo", 0, "The declarer may play Solo, or say instead: Spade solo. (union §4.2)"),
        (
            "define solo: game",
            1,
            "not allowed: The winner of the auction with Solo cannot play Game. (union §4.2)",
        ),
    ],
)
def test_explain_answers_questions_about_the_game(run, question, status, said):
    got, out, err = run("explain", question)
    assert (got, err) == (status, "")
    assert out.startswith(said)


def test_explain_replays_a_whole_deal(run):
    deal = """union 4 dealer 0
        FH D5 SA C2 DK DQ S7 C7 C6 H5 | MH H4 CA SJ S4 S5 D6 HJ C4 D2 | BH S2 D3 HA C3 SK H3 HQ CK C5 | \
        talon SQ H7 S6 D7 HK S3 D4 H6 DJ H2 DA CJ CQ
        FH pass, MH pass, BH bid simple_game, BH bid solo"""
    status, out, _err = run("explain", stdin=deal.encode())
    assert status == 1
    assert out.startswith("step 4, BH bid solo:\nnot allowed: ")
    assert run("explain", "union 4\nFH D5")[0] == 2


def test_explain_asks_about_what_is_rare_and_says_what_is_not_possible(run):
    assert run("explain", "1 B ouvert won")[1].startswith(
        "please check: Nolo ouvert is rare. Is that right? (union §3.1)"
    )
    assert run("explain", "1 C solo h won") == (
        1,
        "not possible: The fourth player sits out this deal and cannot be declarer. (union §3.2)\n",
        "",
    )


@pytest.mark.parametrize(
    "argv",
    [
        ["1 B bridge"],
        ["{"],
        ["[" * 100_000],
        ["{" * 100_000],
        ['{"card": 1}'],
        ["1 B solo", "--rulebook", "bridge"],
        ["1 B solo", "--option", "kaske=on"],
        ["B solo won", "--players", "3", "--dealer", "3"],
        ["B solo won", "--players", "5"],
        ["calls: bridge"],
        ["trick: SA"],
        ["trick h: S1"],
        ["exchange game"],
        ["exchange game: many"],
        ["exchange game: 1 2 3 4"],
        ["define bridge"],
        ["define grand"],
        [""],
    ],
    ids=lambda argv: argv[0][:20],
)
def test_explain_says_what_it_cannot_read(run, argv):
    status, out, err = run("explain", *argv)
    assert (status, out) == (2, "")
    assert err.startswith("cannot be read: ")


@pytest.mark.parametrize("players", ["0", "-1", "2", "99999999999999999999"])
def test_explain_refuses_a_table_that_the_rules_do_not_seat(run, players):
    said = (2, "", "cannot be read: union is played at tables of 3 or 4\n")
    assert run("explain", "1 A solo h won", "--players", players) == said
