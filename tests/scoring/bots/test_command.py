"""`python -m scoring play`: whole deals, a line of JSON each."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scoring import get_rulebook
from scoring.__main__ import main
from scoring.game import read_deal
from scoring.results import read_result
from scoring.seats import Seating, dealer_of
from scoring.settlement import settle_at_table


@pytest.fixture
def played(capsys):
    """The lines that the command prints, and what it complains of."""

    def played(*argv):
        status = main(["play", *argv])
        out, err = capsys.readouterr()
        return status, out, err

    return played


def test_the_same_seed_gives_the_same_bytes(played):
    first = played("--rulebook", "union", "--deals", "5", "--seed", "7")
    assert first == played("--rulebook", "union", "--deals", "5", "--seed", "7")
    assert first != played("--rulebook", "union", "--deals", "5", "--seed", "8")


def test_it_makes_no_difference_how_python_hashes():
    lines = [
        subprocess.run(
            [sys.executable, "-m", "scoring", "play", "--rulebook", "rasle", "--deals", "30"],
            env={"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            check=True,
        ).stdout
        for seed in "12"
    ]
    assert lines[0] == lines[1]


def test_a_line_tells_the_deal_from_its_cards_to_its_settlement(played):
    status, out, _err = played("--deals", "8", "--seed", "3", "--players", "4")
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [line["deal"] for line in lines] == list(range(1, 9))
    assert [line["dealer"] for line in lines] == [dealer_of(deal, 4) for deal in range(1, 9)]
    for line in lines:
        pack = sorted([card for hand in line["hands"].values() for card in hand] + line["talon"])
        assert pack == sorted(get_rulebook("union").pack.cards)
        deal = read_deal(line["text"])
        state, seating = deal.replay(), Seating(4, line["dealer"])
        assert [call["seat"] for call in line["calls"]] == [
            step.role for step in state.steps[: len(line["calls"])]
        ]
        assert [trick["winner"] for trick in line["tricks"]] == list(state.winners)
        for exchange in line["exchanges"]:
            assert len(exchange["drawn"]) == len(exchange["discarded"])
        result = read_result(line["result"], seating)
        assert result == state.result()
        assert line["settlement"] == json.loads(
            json.dumps(settle_at_table(result, seating, get_rulebook("union")).to_json())
        )


@pytest.mark.parametrize(
    "options",
    [
        ("--options", '{"kaske": true, "grand_rate": 3}'),
        ("--option", "kaske=on", "--option", "grand_rate=3"),
        ("--options", '{"kaske": true}', "--option", "grand_rate=3"),
    ],
)
def test_options_are_json_or_words(played, options):
    _status, out, _err = played("--rulebook", "rasle", "--deals", "1", *options)
    assert json.loads(out)["text"].startswith("rasle 4 dealer 0 kaske=on grand_rate=3\n")


def test_a_pool_lives_through_the_deals(played):
    _status, out, _err = played("--rulebook", "renegado", "--deals", "12", "--seed", "5")
    pool = 0
    for line in out.splitlines():
        deal = json.loads(line)
        assert deal["result"]["pool"] == pool + 5
        pool += deal["settlement"]["pool"]
        assert sum(deal["settlement"]["tokens"]) + deal["settlement"]["pool"] == 0


@pytest.mark.parametrize(
    ("rulebook", "players"), [("crocodile", 3), ("ombre_two", 2), ("ombre_five", 5), ("union", 4)]
)
def test_the_table_is_of_four_or_as_many_as_the_rules_seat(played, rulebook, players):
    _status, out, _err = played("--rulebook", rulebook, "--deals", "1")
    assert json.loads(out)["players"] == players


@pytest.mark.parametrize(
    "argv",
    [
        ("--rulebook", "bridge"),
        ("--players", "5"),
        ("--options", "{"),
        ("--options", '{"bluff": true}'),
        ("--option", "bluff=on"),
    ],
)
def test_what_cannot_be_played_is_said(played, argv):
    status, out, err = played(*argv)
    assert (status, out) == (2, "")
    assert err.startswith("cannot be read: ")
