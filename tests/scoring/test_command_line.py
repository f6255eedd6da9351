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
    assert out.splitlines()[-1] == "46 cases: 46 correct, 0 wrong, 0 not answered"


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
        "4 cases: 1 correct, 2 wrong, 1 not answered",
    ]


def test_check_is_content_with_what_is_as_expected(run, tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(CASE | {"expected": WON}))
    assert run("check", str(path)) == (0, "1 cases: 1 correct, 0 wrong, 0 not answered\n", "")


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


# Loaded once already, by this file's imports: that is what Python warns of.
@pytest.mark.filterwarnings("ignore:'scoring.__main__' found in sys.modules:RuntimeWarning")
@pytest.mark.parametrize("deals", ["0", "-5", "many", "9" * 5000])
def test_play_refuses_what_is_no_number_of_deals(run, capsys, deals):
    with pytest.raises(SystemExit, match="2"):
        run("play", "--deals", deals)
    assert "is not a number of deals" in capsys.readouterr().err


def test_check_says_a_case_on_one_line_whatever_it_is_called(run, tmp_path):
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps(CASE | {"id": "a\nb", "expected": {"outcome": "bete"}}), encoding="utf-8")
    _status, out, _err = run("check", str(cases))
    assert out.splitlines() == [
        'cases.jsonl a\N{REPLACEMENT CHARACTER}b: outcome: expected "bete", got "won"',
        "1 cases: 0 correct, 1 wrong, 0 not answered",
    ]


def test_scoring_is_a_module_that_python_runs(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["scoring", "rulebooks"])
    monkeypatch.delitem(sys.modules, "scoring.__main__")
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("scoring", run_name="__main__")
    assert ended.value.code == 0
    assert "union" in capsys.readouterr().out
