"""`manage.py plan`: a seat plan on the command line, without a database."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from tournaments.draw.planner import plan
from tournaments.draw.quality import quality


def printed(capsys, *words):
    call_command("plan", *words)
    return capsys.readouterr().out


def test_as_json_it_is_the_planners_plan_with_its_seed_and_quality(capsys):
    told = json.loads(printed(capsys, "--players", "27", "--rounds", "4", "--seed", "7", "--json"))
    assert told["rounds"] == [[list(table) for table in tables] for tables in plan(27, 4, seed=7).rounds]
    assert told["seed"] == 7
    assert told["quality"] == json.loads(json.dumps(quality(told["rounds"]).as_dict()))


def test_in_a_table_of_three_the_empty_seat_moves_on_every_round(capsys):
    told = json.loads(printed(capsys, "--players", "7", "--rounds", "5", "--seed", "1", "--json"))
    assert told["empty_seats"] == [[None, 3], [None, 2], [None, 1], [None, 0], [None, 3]]


def test_the_seed_that_was_picked_is_told_and_repeats_the_plan(capsys):
    told = json.loads(printed(capsys, "--players", "12", "--rounds", "3", "--json"))
    again = json.loads(
        printed(capsys, "--players", "12", "--rounds", "3", "--json", "--seed", str(told["seed"]))
    )
    assert told == again


def test_with_seconds_more_seeds_are_tried_and_the_best_ones_seed_is_told(capsys):
    told = json.loads(
        printed(capsys, "--players", "13", "--rounds", "5", "--seed", "1", "--seconds", "0.2", "--json")
    )
    assert told["rounds"] == [
        [list(table) for table in tables] for tables in plan(13, 5, seed=told["seed"]).rounds
    ]
    assert told["quality"]["repeats"] <= plan(13, 5, seed=1).quality.repeats


def test_groups_come_a_line_each_and_club_mates_sit_apart(capsys, tmp_path):
    file = tmp_path / "clubs.txt"
    file.write_text("Ribe\nRibe\nVarde\nVarde\n\n\nEsbjerg\nEsbjerg\n\n", encoding="utf-8")
    told = json.loads(
        printed(capsys, "--players", "8", "--rounds", "1", "--groups", str(file), "--seed", "1", "--json")
    )
    assert told["quality"]["club_mates"] == [0]
    assert "Pairs of club-mates at a table: round 1: 0" in printed(
        capsys, "--players", "8", "--rounds", "1", "--groups", str(file)
    )


def test_as_text_every_table_has_a_line(capsys):
    lines = printed(capsys, "--players", "7", "--rounds", "2", "--seed", "1").splitlines()
    assert lines[:3] == ["Seed 1", "", "Round 1"]
    assert [line.split(":")[0] for line in lines if line.startswith("  table")] == [
        "  table 1",
        "  table 2",
    ] * 2
    assert "Deals first: 0 to 1 times each" in lines


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--players", "5", "--rounds", "2"), "Five players cannot be seated at tables of three and four."),
        (("--players", "2", "--rounds", "2"), "A draw needs at least three players; there are 2."),
        (("--players", "8", "--rounds", "0"), "A draw needs at least one round."),
        (("--players", "2001", "--rounds", "1"), "There can be at most 2000 players and 60 rounds."),
        (("--players", "8", "--rounds", "61"), "There can be at most 2000 players and 60 rounds."),
        (("--players", "8", "--rounds", "1", "--seed=-1"), "A seed cannot be negative."),
        (("--players=-8", "--rounds", "1"), "Players and seconds cannot be negative."),
        (("--players", "8", "--rounds", "1", "--seconds=-1"), "Players and seconds cannot be negative."),
        (("--players", "8", "--rounds", "1", "--seconds", "nan"), "Players and seconds cannot be negative."),
    ],
)
def test_what_cannot_be_planned_is_said_in_words(words, why):
    with pytest.raises(CommandError, match=f"^{why}$"):
        call_command("plan", *words)


def test_a_groups_file_that_does_not_fit_is_said(tmp_path):
    file = tmp_path / "clubs.txt"
    file.write_text("Ribe\nVarde\n", encoding="utf-8")
    with pytest.raises(CommandError, match="has 2 lines, but there must be one for each of the 8 players"):
        call_command("plan", "--players", "8", "--rounds", "1", "--groups", str(file))
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("plan", "--players", "8", "--rounds", "1", "--groups", str(tmp_path / "none.txt"))


def test_the_fewest_repeats_may_be_asked_for_rather_than_an_even_share_of_tables_of_three(capsys):
    figures = []
    for asked in ([], ["--fewest-repeats"]):
        call_command("plan", "--players", "13", "--rounds", "4", "--seed", "3", "--json", *asked)
        quality = json.loads(capsys.readouterr().out)["quality"]
        figures.append((quality["repeats"], quality["tables_of_three"]))
    assert figures == [(6, [2, 3]), (0, [1, 4])]
