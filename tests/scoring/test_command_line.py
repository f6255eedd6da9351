"""`python -m scoring`: what goes in, what comes out, and the exit status."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

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
    assert status == 1
    assert out.splitlines()[-1] == "43 cases: 31 as expected, 0 differ, 12 not answered"


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
    assert list(listed) == ["union", "rasle"]
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
            "D pays B 3: Solo won\n"
            "A pays B 3: Solo won\n"
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
            "C pays B 1: Game won",
            "A pays B 1: Game won",
            "B pays C 1: the first five tricks not won",
            "B pays A 1: the first five tricks not won",
            "tokens: A +0, B +0, C +0",
        ],
    )


def test_explain_says_that_all_passed(run):
    assert run("explain", "1 - pass") == (0, "all passed: nobody pays\ntokens: A +0, B +0, C +0, D +0\n", "")


def test_explain_asks_about_what_is_rare_and_says_what_is_not_possible(run):
    assert run("explain", "1 B ouvert won")[1].startswith(
        "please check: Nolo ouvert is rare. Is that right? (union §3.1)"
    )
    assert run("explain", "1 C solo h won") == (
        1,
        "not possible: the fourth player sits out this deal and cannot be declarer. (union §3.2)\n",
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
        [""],
    ],
    ids=lambda argv: argv[0][:20],
)
def test_explain_says_what_it_cannot_read(run, argv):
    status, out, err = run("explain", *argv)
    assert (status, out) == (2, "")
    assert err.startswith("cannot be read: ")
