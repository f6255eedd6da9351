"""`python -m scoring`: what goes in, what comes out, and the exit status."""

import io
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from scoring import rulebooks
from scoring.__main__ import main

CASES = Path(__file__).parent.parent / "conformance"
CASE = {
    "id": "a", "kind": "score", "rulebook": "union", "players": 3, "options": {},
    "situation": {"contract": "solo", "declarer": "FH", "outcome": "won"},
}  # fmt: skip
WON = {"outcome": "won", "extras": [], "tokens": {"FH": 6, "MH": -3, "BH": -3}}
GOOD = json.dumps(CASE).encode()


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command on some input; gives the exit status, what was printed and what was complained."""

    def run(*argv, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        status = main(list(argv))
        return status, *capsys.readouterr()

    return run


def test_answer_gives_a_line_for_each_line(run):
    status, out, _err = run("answer", stdin=GOOD + b"\n" + GOOD)
    assert status == 0
    assert [json.loads(line) for line in out.splitlines()] == [{"id": "a", "answer": WON}] * 2


@pytest.mark.parametrize(
    ("line", "name", "said"),
    [
        (b"", None, "empty"),
        (b"   ", None, "empty"),
        (b"{", None, "not JSON"),
        (b"\xff\xfe{}", None, "not UTF-8"),
        (b"\x00", None, "not JSON"),
        (b"[]", None, "object"),
        (b"17", None, "object"),
        (b"null", None, "object"),
        (b"NaN", None, "NaN is not JSON"),
        (b'{"id": "x", "players": NaN}', None, "NaN is not JSON"),
        (b"1" * 5000, None, "limit"),
        (b"[" * 100_000, None, "nested too deeply"),
        (b'{"id": "x"}', "x", "kind"),
        (b'{"id": 7, "kind": "score"}', 7, "situation"),
        (b'{"id": {"deep": []}, "kind": "score"}', None, "situation"),
        (b'{"id": 1e999, "kind": "score"}', None, "situation"),
        (b'{"id": "x", "text": "' + b"y" * 1_000_000 + b'"}', None, "longer than"),
        (json.dumps(CASE | {"situation": {"cards": 1}}).encode(), "a", "“cards”"),
        (json.dumps(CASE | {"options": {"bluff": True}}).encode(), "a", "bluff"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_answer_goes_on_after_a_line_that_cannot_be_read(run, line, name, said):
    status, out, _err = run("answer", stdin=line + b"\n" + GOOD + b"\n")
    spoiled, good = map(json.loads, out.splitlines())
    assert status == 0
    assert spoiled["id"] == name
    assert said in spoiled["error"]
    assert good == {"id": "a", "answer": WON}


def test_a_case_without_an_id_is_answered(run):
    case = {field: value for field, value in CASE.items() if field != "id"}
    _status, out, _err = run("answer", stdin=json.dumps(case).encode())
    assert json.loads(out) == {"id": None, "answer": WON}


def test_nothing_in_is_nothing_out(run):
    assert run("answer") == (0, "", "")


def test_answer_ends_in_peace_when_nobody_reads_on(monkeypatch, tmp_path):
    class Closed(io.FileIO):
        def write(self, _text):
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD)))
    with Closed(tmp_path / "closed", "w") as closed:
        monkeypatch.setattr(sys, "stdout", closed)
        assert main(["answer"]) == 0


def test_answer_says_that_standard_input_is_closed(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["answer"]) == main(["explain"]) == 2
    assert capsys.readouterr() == ("", "cannot be read: standard input is closed\n" * 2)


def test_the_module_runs_on_its_own():
    run = subprocess.run(
        [sys.executable, "-m", "scoring", "answer"],
        input=GOOD + b"\n\n",
        capture_output=True,
        check=True,
        cwd=CASES.parent.parent,
    )
    assert [json.loads(line).get("answer") for line in run.stdout.splitlines()] == [WON, None]
    assert run.stderr == b""


def test_check_counts_what_is_as_expected_and_what_is_not_answered(run):
    status, out, _err = run("check", str(CASES / "definition.jsonl"), str(CASES / "exchange.jsonl"))
    assert status == 0
    assert out.splitlines()[-1] == "43 cases: 43 as expected, 0 differ, 0 not answered"


def test_check_prints_what_differs(run, tmp_path):
    expected = [WON, {"outcome": "bete", "tokens": {"FH": 6}}, "won"]
    lines = [json.dumps(CASE | {"expected": one}) for one in expected]
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join([*lines, "{"]))
    status, out, _err = run("check", str(path))
    assert status == 1
    assert out.splitlines() == [
        (
            'cases.jsonl a: outcome: expected "bete", got "won"; '
            'tokens: expected {"FH": 6}, got {"FH": 6, "MH": -3, "BH": -3}'
        ),
        "cases.jsonl a: says nothing that is expected",
        (
            "cases.jsonl line 4: not answered: the line is not JSON: Expecting property name enclosed in "
            "double quotes at column 2"
        ),
        "4 cases: 1 as expected, 2 differ, 1 not answered",
    ]


def test_check_is_content_with_what_is_as_expected(run, tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(CASE | {"expected": WON}))
    assert run("check", str(path)) == (0, "1 cases: 1 as expected, 0 differ, 0 not answered\n", "")


def test_check_says_which_file_is_not_there(run, tmp_path):
    status, out, err = run("check", str(tmp_path / "none.jsonl"))
    assert (status, out) == (2, "")
    assert "none.jsonl" in err


def test_rulebooks_lists_options_with_defaults(run):
    status, out, _err = run("rulebooks")
    listed = {book["id"]: book for book in json.loads(out)}
    assert status == 0
    assert list(listed) == [book.id for book in rulebooks()]
    options = {option["name"]: option for option in listed["rasle"]["options"]}
    assert (options["grand_rate"]["minimum"], options["grand_rate"]["default"]) == (1, 2)
    assert options["one_four_four"]["values"] == ["kodille", "bete", "won"]
    assert options["idle_settles"]["default"] is True
    assert all(option["explanation"] for option in options.values())


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


def test_explain_says_that_all_passed(run):
    assert run("explain", "1 - pass") == (
        0,
        "Everybody has passed: the deal is a wash-out. (union §4.1)\ntokens: A +0, B +0, C +0, D +0\n",
        "",
    )


@pytest.mark.parametrize(
    ("question", "status", "said"),
    [
        ("calls", 0, "It is forehand's turn to call. (union §9.1)"),
        ("calls: game, tourné", 1, "not allowed: Tourné is not the lowest bid of its group that is still"),
        ("calls: pass, MH pass, pas", 0, "Everybody has passed: the deal is a wash-out and nobody pays."),
        ("calls: game, BH solo", 1, "not allowed: It is middlehand's turn to call, not backhand's."),
        ("calls: game, spade game, self", 0, "It is middlehand's turn to call."),
        ("calls: game, pass, pass, game", 1, "not allowed: The auction is over. (union §9.1)"),
        ("trick nolo: HK / SA", 0, "♥K is winning: it is the highest card so far of the suit led."),
        ("trick grand: SA / CA H2", 0, "♠A is winning: it is the highest trump so far. (union §10.3)"),
        ("trick h: / SA", 0, "Who leads may play any card. (union §10.1)"),
        ("exchange solo: 0, 9, 4", 0, "In Solo the declarer exchanges no cards. (union §4.3)"),
        ("exchange game: 0", 1, "not allowed: The declarer exchanges from 1 to 9 cards here, not 0."),
        ("define solo", 0, "The declarer may play Solo, or say instead: Spade solo. (union §4.2)"),
        ("define solo: game", 1, "not allowed: Who won the auction with Solo cannot play Game. (union §4.2)"),
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


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_what_cannot_be_written_comes_out_in_ascii(tmp_path, encoding):
    path = tmp_path / "cases.jsonl"
    path.write_text('{"id": "\\ud800♠", "kind": "weather"}')
    for argv, stdin in ((["check", str(path)], b""), (["explain"], b"\xff\xfe"), (["explain", "calls"], b"")):
        ran = subprocess.run(
            [sys.executable, "-m", "scoring", *argv],
            input=stdin,
            capture_output=True,
            check=False,
            cwd=CASES.parent.parent,
            env=os.environ | {"PYTHONIOENCODING": f"{encoding}:strict"},
        )
        assert b"Traceback" not in ran.stderr
        assert ran.stdout + ran.stderr


@pytest.mark.parametrize("players", ["0", "-1", "2", "99999999999999999999"])
def test_explain_refuses_a_table_that_the_rules_do_not_seat(run, players):
    said = (2, "", "cannot be read: union is played at tables of 3 or 4\n")
    assert run("explain", "1 A solo h won", "--players", players) == said


# Loaded once already, by this file's imports: that is what Python warns of.
@pytest.mark.filterwarnings("ignore:'scoring.__main__' found in sys.modules:RuntimeWarning")
@pytest.mark.parametrize("deals", ["0", "-5", "many", "9" * 5000])
def test_play_refuses_what_is_no_number_of_deals(run, capsys, deals):
    with pytest.raises(SystemExit, match="2"):
        run("play", "--deals", deals)
    assert "is no number of deals" in capsys.readouterr().err


def test_check_says_a_case_on_one_line_whatever_it_is_called(run, tmp_path):
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps(CASE | {"id": "a\nb", "expected": {"outcome": "bete"}}), encoding="utf-8")
    _status, out, _err = run("check", str(cases))
    assert out.splitlines() == [
        'cases.jsonl a\N{REPLACEMENT CHARACTER}b: outcome: expected "bete", got "won"',
        "1 cases: 0 as expected, 1 differ, 0 not answered",
    ]


def test_scoring_is_a_module_that_python_runs(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["scoring", "rulebooks"])
    monkeypatch.delitem(sys.modules, "scoring.__main__")
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("scoring", run_name="__main__")
    assert ended.value.code == 0
    assert "union" in capsys.readouterr().out
