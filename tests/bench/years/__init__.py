"""A union of forty clubs with twenty years behind it, to measure with and to look at.

    python -m tests.bench.years                                    10,000 tournaments, 1,500,000 deals; some minutes
    python -m tests.bench.years --scale 0.01                       a hundredth of it, in seconds
    python -m tests.bench.years --tournaments 5000 --members 0     without the club of 100,000 members
    SPADILLE_DATA=data/bench/years-1-100-1000-50,200 .venv/bin/python manage.py serve

Tournaments of every format by every rulebook, their deals played by bots of different strength and settled by the
rules engine, all chained and sealed as by the program: `manage.py verify` finds nothing. Beside them a club of 100,000
members and two tournaments in the middle of their second round, of 5,000 players and of 20,000.

With `--strengths changing` everybody grows stronger or weaker over the years, some come later and some stop, and who is
weak bids what they should not. Who is how strong stands in `strengths.json` beside the data: the truth that ratings are
measured by (`tests.bench rating`).

Each is a data folder of its own by its strengths, seed and size, made once and kept; the command prints it, and who can
sign in. `--to` says where folders are made. Where DATABASE_URL names a PostgreSQL (`python -m tests.services …` begins
one), what was made is taken over into it, if it is empty.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DONE, TRUTH = "made", "strengths.json"
# The same all the years, and in slips of any kind; or as `--strengths changing` has them.
STEADY, CHANGING = "steady", "changing"


@dataclass(frozen=True)
class Size:
    """How much there is; `members` are those of the one large club, `crowds` the players of each large tournament."""

    tournaments: int = 10_000
    clubs: int = 40
    people: int = 2_500
    members: int = 100_000
    crowds: tuple[int, ...] = (5_000, 20_000)

    def scaled(self, scale: float) -> Size:
        return Size(
            max(round(self.tournaments * scale), 20),
            max(round(self.clubs * scale), 3),
            max(round(self.people * scale), 100),
            round(self.members * scale),
            tuple(max(round(crowd * scale), 8) for crowd in self.crowds),
        )

    def __str__(self) -> str:
        return f"{self.tournaments}-{self.members}-{'+'.join(map(str, self.crowds))}"


def main(words: Sequence[str] = ()) -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.bench.years")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--scale", type=float, default=1.0, help="so much of everything")
    asked.add_argument("--tournaments", type=int, default=Size.tournaments)
    asked.add_argument(
        "--members", type=int, default=Size.members, help="of the one large club; 0: no such club"
    )
    asked.add_argument(
        "--crowds", type=int, nargs="*", default=Size.crowds, help="players of large tournaments"
    )
    asked.add_argument("--strengths", choices=(STEADY, CHANGING), default=STEADY)
    asked.add_argument("--to", type=Path, default=None, help="where folders are made (data/bench)")
    told = asked.parse_args(words)
    size = Size(told.tournaments, members=told.members, crowds=tuple(told.crowds)).scaled(told.scale)
    folder = made(size, told.seed, told.to, strengths=told.strengths)
    print(f"SPADILLE_DATA={folder} .venv/bin/python manage.py serve")


def made(size: Size, seed: int = 1, to: Path | None = None, *, strengths: str = STEADY) -> Path:
    """The data folder with these years, made now if it is not there, and Django set up to use it."""
    kind = "" if strengths == STEADY else f"{strengths}-"
    folder = (to or ROOT / "data" / "bench") / f"years-{kind}{seed}-{size}"
    folder.mkdir(parents=True, exist_ok=True)
    elsewhere = "DATABASE_URL" in os.environ
    if elsewhere:
        here = {
            name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "CACHE_URL")
        }
        again = "import sys; from pathlib import Path; from tests.bench.years import Size, made"
        again += f"; made({size!r}, {seed}, Path(sys.argv[1]), strengths={strengths!r})"
        subprocess.run([sys.executable, "-c", again, str(folder.parent)], cwd=ROOT, env=here, check=True)
    from tests.bench.stage import setup_django

    whole = folder / DONE
    if not whole.exists():
        # What was begun and not ended is begun anew.
        for left in folder.glob("*.sqlite3*"):
            left.unlink()
    setup_django(str(folder))
    if elsewhere:
        _take_over(folder)
    elif not whole.exists():
        from tests.bench.years.making import make

        begun = time.process_time()
        making = make(size, seed, strengths == CHANGING, tell=lambda text: print(text, flush=True))
        (folder / TRUTH).write_text(json.dumps(making.people.truth()))
        whole.write_text(f"{size} by {os.environ['SPADILLE_DATA']}\n")
        print(f"made in {time.process_time() - begun:.0f} s of a core")
    return folder


def _take_over(folder: Path) -> None:
    from tests.bench.years.taking_over import take_over
    from tournaments.models import Tournament

    if not Tournament.objects.exists():
        take_over(folder / "spadille.sqlite3", tell=lambda text: print(text, flush=True))
