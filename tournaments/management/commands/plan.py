"""`manage.py plan`: a seat plan for so many players and rounds, without any tournament."""

from __future__ import annotations

import json
import math
import secrets
import time
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.domain.draw_text import quality_in_words, refusal_in_words
from tournaments.draw.chairs import chairs_of
from tournaments.draw.planner import Plan, plan
from tournaments.draw.tables import DrawError

MOST_PLAYERS = 2000
MOST_ROUNDS = 60


class Command(BaseCommand):
    help = "Plans who sits where. Players are numbered from 0; the first player at a table deals first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, required=True, help="how many")
        parser.add_argument("--rounds", type=int, required=True, help="how many")
        parser.add_argument(
            "--groups",
            metavar="FILE",
            help="a file with one club per line, for player 0, 1, …; an empty line for no club",
        )
        parser.add_argument("--seed", type=int, help="the same seed gives the same plan (default: random)")
        parser.add_argument(
            "--seconds",
            type=float,
            default=0.0,
            help="keep trying further seeds for this long, and print the best plan",
        )
        parser.add_argument(
            "--fewest-repeats",
            action="store_true",
            help="prefer fewer repeated meetings to an even share of tables of three",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        players, rounds = options["players"], options["rounds"]
        if players > MOST_PLAYERS or rounds > MOST_ROUNDS:
            raise CommandError(f"There can be at most {MOST_PLAYERS} players and {MOST_ROUNDS} rounds.")
        if players < 0 or not math.isfinite(options["seconds"]) or options["seconds"] < 0:
            raise CommandError("Players and seconds cannot be negative.")
        seed = options["seed"] if options["seed"] is not None else secrets.randbelow(10**6)
        if seed < 0:
            raise CommandError("A seed cannot be negative.")
        groups = _groups(options["groups"], players) if options["groups"] else None
        try:
            one = partial(plan, players, rounds, groups=groups, even_threes=not options["fewest_repeats"])
            found = _best(one, seed, options["seconds"])
        except DrawError as error:
            raise CommandError(refusal_in_words(error)) from error
        self.stdout.write(_as_json(found) if options["json"] else _as_text(found, groups))


def _groups(file: str, players: int) -> list[str | None]:
    """Each player's club by the file's lines; raises CommandError where they are not as many as the players."""
    try:
        lines = Path(file).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} cannot be read: {error}") from error
    while len(lines) > players and not lines[-1].strip():
        lines.pop()  # many editors leave empty lines at the end
    if len(lines) != players:
        raise CommandError(
            f"{file} has {len(lines)} lines, but there must be one for each of the {players} players."
        )
    return [line.strip() or None for line in lines]


def _best(one: Callable[..., Plan], seed: int, seconds: float) -> Plan:
    """The seed's plan, or the best of the seeds that follow it, as many as the time is enough for."""
    started = time.monotonic()
    best = one(seed=seed)
    longest = before = time.monotonic() - started
    while before + longest < seconds:
        seed += 1
        best = min(best, one(seed=seed), key=_badness)
        now = time.monotonic() - started
        longest, before = max(longest, now - before), now
    return best


def _badness(found: Plan) -> tuple[int, ...]:
    figures = found.quality
    fewest, most = figures.tables_of_three
    return figures.most_meetings, figures.repeats, *figures.club_mates, most - fewest, figures.seat_imbalance


def _as_json(found: Plan) -> str:
    """The plan; `empty_seats` has the seat that each table of three leaves empty, null for a full table."""
    chairs = [chairs_of(tables, index) for index, tables in enumerate(found.rounds)]
    empty = [[table.index(None) if None in table else None for table in tables] for tables in chairs]
    return json.dumps(
        {
            "rounds": found.rounds,
            "seed": found.seed,
            "quality": found.quality.as_dict(),
            "empty_seats": empty,
        }
    )


def _as_text(found: Plan, groups: list[str | None] | None) -> str:
    lines = [f"Seed {found.seed}"]
    for number, tables in enumerate(found.rounds, start=1):
        lines += ["", f"Round {number}"]
        lines += [
            f"  table {place}: {' '.join(str(player) for player in table)}"
            for place, table in enumerate(tables, start=1)
        ]
    clubs = len(set(groups or ()) - {None})
    lines += ["", *(f"{said.title}: {said.value}" for said in quality_in_words(found.quality, clubs=clubs))]
    return "\n".join(lines)
