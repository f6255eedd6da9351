"""What ratings are worth: how well three models tell who comes ahead of whom, on evenings that they have not seen.

On made years in which people grow stronger and weaker (`tests.bench.years --strengths changing`), so that the truth is
known; `RATING_YEARS` names another folder of made years. Evening after evening is predicted by what a model knows
before it, then counted; those of the newer half are judged. Of two who have equally many tokens nothing is judged.

Brier score: the mean square of what a prediction was off; 0.25 and a log loss of 0.693 are those of a coin. `right`:
how often who was said to be the better one came ahead; `off`: how far predictions of a tenth (those around 55 %, 65 %,
…) lie from what came, in the mean. First of tables, then of whole evenings. `truth`: the correlation of ratings at the
end with the strength that players had then, of those with twenty tables.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations, groupby
from math import log, sqrt
from pathlib import Path
from statistics import correlation
from typing import Any, Protocol

from openskill.models import PlackettLuce

from tests.bench.years import CHANGING, TRUTH, Size, made

SIZE = Size(tournaments=1_000, clubs=4, people=250, members=0, crowds=())
JUDGED_FROM = 0.5
LEAST_TABLES = 20


class Model(Protocol):
    """What predicts; a game is `tournaments.seasons.rating.Game`, a player a primary key."""

    def count(self, evening: Sequence[Any]) -> None: ...

    def chance(self, one: int, other: int, deals: float, day: date) -> float: ...

    def strength(self, player: int) -> float: ...


class Places:
    """openskill's Plackett-Luce: a table is an order of places. `luck` is its beta, in so many of its own."""

    def __init__(self, luck: float = 1) -> None:
        self.model = PlackettLuce(beta=luck * PlackettLuce().beta)
        self.known: dict[int, Any] = {}

    def _of(self, player: int) -> Any:
        return self.known.get(player) or self.model.rating()

    def count(self, evening: Sequence[Any]) -> None:
        for game in evening:
            teams = [[self._of(player)] for player in game.players]
            after = self.model.rate(teams, scores=[float(tokens) for tokens in game.tokens])
            self.known |= {player: now for player, (now,) in zip(game.players, after, strict=True)}

    def chance(self, one: int, other: int, deals: float, day: date) -> float:
        del deals, day
        return self.model.predict_win([[self._of(one)], [self._of(other)]])[0]

    def strength(self, player: int) -> float:
        return float(self._of(player).mu)


class Margins:
    """The program's own: tokens a deal, by Bayes' rule."""

    def __init__(self) -> None:
        from tournaments.seasons import rating

        self.rating, self.known = rating, dict[int, Any]()

    def count(self, evening: Sequence[Any]) -> None:
        for _event, after in self.rating.move_on(self.known, evening):
            self.known |= after

    def chance(self, one: int, other: int, deals: float, day: date) -> float:
        first, second = (self.known.get(player, self.rating.Known()).on(day) for player in (one, other))
        return self.rating.chance(first, second, deals)

    def strength(self, player: int) -> float:
        return float(self.known[player].mu)


class Averages:
    """Tokens a deal in the mean, drawn towards nought by so many deals of nought; whoever sits at the table."""

    def __init__(self) -> None:
        from tournaments.seasons import rating

        self.rating = rating
        self.nought = 1 / rating.FIRST_SIGMA**2
        self.won, self.deals = Counter[int](), Counter[int]()

    def count(self, evening: Sequence[Any]) -> None:
        spread = self.rating.spread_of(evening)
        for game in evening:
            for player, tokens in zip(game.players, game.tokens, strict=True):
                self.won[player] += tokens / spread
                self.deals[player] += game.deals

    def _of(self, player: int) -> Any:
        deals = self.deals[player] + self.nought
        return self.rating.Known(self.won[player] / deals, 1 / sqrt(deals))

    def chance(self, one: int, other: int, deals: float, day: date) -> float:
        del day
        return self.rating.chance(self._of(one), self._of(other), deals)

    def strength(self, player: int) -> float:
        return float(self._of(player).mu)


@dataclass
class Judged:
    """How good a model's predictions were, of so many pairs."""

    pairs: int = 0
    square: float = 0.0
    loss: float = 0.0
    right: float = 0.0
    tenths: dict[int, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0]))

    def add(self, chance: float, came: bool) -> None:
        self.pairs += 1
        self.square += (chance - came) ** 2
        sure = min(max(chance if came else 1 - chance, 1e-9), 1.0)
        self.loss -= log(sure)
        self.right += 0.5 if chance == 0.5 else (chance > 0.5) == came
        tenth = self.tenths[int(chance * 10)]
        tenth[0] += chance
        tenth[1] += came

    def told(self) -> str:
        off = sum(abs(said - came) for said, came in self.tenths.values()) / self.pairs
        return (
            f"{self.square / self.pairs:.4f} | {self.loss / self.pairs:.4f} | {self.right / self.pairs:.1%}"
            f" | {off:.1%}"
        )


@dataclass
class Run:
    """What a model came to: at tables, at evenings, and the seconds that counting took."""

    model: Model
    tables: Judged = field(default_factory=Judged)
    evenings: Judged = field(default_factory=Judged)
    seconds: float = 0.0

    def judge(self, evening: Sequence[Any]) -> None:
        day = evening[0].day
        tokens, deals = Counter[int](), Counter[int]()
        for game in evening:
            for player, won in zip(game.players, game.tokens, strict=True):
                tokens[player] += won
                deals[player] += game.deals
            at_table = dict(zip(game.players, game.tokens, strict=True))
            for one, other in _apart(at_table):
                chance = self.model.chance(one, other, game.deals, day)
                self.tables.add(chance, at_table[one] > at_table[other])
        for one, other in _apart(tokens):
            # As if both had played the harmonic mean of their deals.
            both = 2 / (1 / deals[one] + 1 / deals[other])
            self.evenings.add(self.model.chance(one, other, both, day), tokens[one] > tokens[other])

    def count(self, evening: Sequence[Any]) -> None:
        begun = time.process_time()
        self.model.count(evening)
        self.seconds += time.process_time() - begun


def _apart(tokens: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Every two whose tokens differ, in an order that says nothing of where they sat."""
    return ((one, other) for one, other in combinations(sorted(tokens), 2) if tokens[one] != tokens[other])


def main() -> None:
    folder = Path(os.environ["RATING_YEARS"]) if "RATING_YEARS" in os.environ else None
    if folder is None:
        folder = made(
            SIZE, strengths=CHANGING, to=Path(os.environ["YEARS"]) if "YEARS" in os.environ else None
        )
    else:
        from tests.bench.stage import setup_django

        setup_django(str(folder))
    evenings = _evenings()
    models: dict[str, Model] = {
        "places: openskill's Plackett-Luce": Places(),
        "the same with ten times the luck": Places(luck=10),
        "margins: tokens a deal, by Bayes": Margins(),
        "averages: tokens a deal, shrunk": Averages(),
    }
    first = int(len(evenings) * JUDGED_FROM)
    truth = json.loads(told.read_text()) if (told := folder / TRUTH).exists() else {}
    print(f"{len(evenings):,} evenings, of which {len(evenings) - first:,} are judged\n")
    print("| model | Brier | log loss | right | off | Brier | log loss | right | off | truth | an evening |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name, model in models.items():
        run = Run(model)
        for place, evening in enumerate(evenings):
            if place >= first:
                run.judge(evening)
            run.count(evening)
        cost = f"{run.seconds / len(evenings) * 1000:.2f} ms"
        print(
            f"| {name} | {run.tables.told()} | {run.evenings.told()} | {_truth(model, evenings, truth)} | {cost} |",
            flush=True,
        )


def _evenings() -> list[list[Any]]:
    from tournaments.models import Tournament
    from tournaments.seasons.rating import games_of

    over = Tournament.objects.not_called_off().filter(state=Tournament.State.FINISHED)
    codes = list(over.order_by("date", "code").values_list("code", flat=True))
    return [list(tables) for _code, tables in groupby(games_of(codes), key=lambda game: game.event)]


def _truth(model: Model, evenings: Sequence[Sequence[Any]], truth: dict[str, dict[str, float]]) -> str:
    """How ratings at the end go with true strengths, of those who have played enough and still do."""
    tables = Counter(player for evening in evenings for game in evening for player in game.players)
    last = str(evenings[-1][0].day.year)
    known = [player for player, times in tables.items() if times >= LEAST_TABLES]
    pairs = [
        (model.strength(player), truth[str(player)][last])
        for player in known
        if last in truth.get(str(player), {})
    ]
    return f"{correlation(*zip(*pairs, strict=True)):.2f}" if len(pairs) > 1 else "–"
