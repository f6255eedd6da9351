"""A folder played in the hall: a bot's move, the page's bytes, the end with the solver, and forty who play at once.

Each of the forty takes a seat, thinks for a second or two before each move, and plays a folder to its end; the server
is the program as `manage.py serve` runs it, on this machine.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from scoring import get_rulebook
from scoring.bots import next_step
from scoring.seats import ACTIVE
from tests.bench.stage import cpu_seconds, empty_folder, python, running
from tournaments.boards.dealing import deal_folder
from tournaments.boards.folder_game import deal_of_folder, play, review, write_moves

PEOPLE, FOLDERS = 40, 8
PLAYED = f"""
import django; django.setup()
import json
from django.core.management import call_command
call_command("prepare", verbosity=0)
from tests.evenings import close_round, play_folders
from tests.factories import make_tournament, tables_of
tournament = make_tournament(
    8, boards=True, board_sets=2, deals_per_round={FOLDERS}, deals_at_three={FOLDERS * 3 // 4}
)
for table in tables_of(tournament):
    play_folders(table)
close_round(tournament, tournament.host.roles.get().account)
print(json.dumps([tournament.code, tournament.board_sets_dealt.get().seed]))
"""


def main() -> None:
    in_process()
    with empty_folder() as folder:
        made = python("-c", PLAYED, folder=folder, DJANGO_SETTINGS_MODULE="config.settings").stdout
        code, seed = json.loads(made.splitlines()[-1])
        with running(folder) as (address, process):
            weigh(f"{address}/t/{code}/boards/1/folder/1/play/?seat=fh")
            people = [Person(address, code, seed, number) for number in range(PEOPLE)]
            with ThreadPoolExecutor(PEOPLE) as pool:
                begun, used = time.monotonic(), cpu_seconds(process)
                waits = [wait for waits in pool.map(Person.play, people) for wait in waits]
                seconds, used = time.monotonic() - begun, cpu_seconds(process) - used
    for what in ("a move", "the end", "best play"):
        print(f"{PEOPLE} at once, {what} {told([wait for kind, wait in waits if kind == what])}")
    rate = f"{len(waits) / seconds:.0f} answers a second"
    print(
        f"{rate}, each {1000 * used / len(waits):.1f} ms of a core; load of the machine {os.getloadavg()[0]:.0f}"
    )


def told(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    median, ninth, most = ordered[len(ordered) // 2], ordered[len(ordered) * 9 // 10], ordered[-1]
    return f"{1000 * median:.1f} ms, p90 {1000 * ninth:.1f} ms, most {1000 * most:.1f} ms"


def in_process() -> None:
    """A bot's step, all of a deal anew up to a turn, and the comparison at the end; of one core's time."""
    steps, turns, reviews = [], [], []
    rulebook = get_rulebook("union")
    for number in range(1, 41):
        deal = deal_of_folder(rulebook, deal_folder("5eed", number))
        role = ACTIVE[number % 3]
        moves, is_over = (), False
        while not is_over:
            begun = time.process_time()
            game = play(deal, role, moves)
            turns.append(time.process_time() - begun)
            is_over = game.is_over
            if not is_over:
                begun = time.process_time()
                step = next_step(game.state, stops_for_others=False)
                steps.append(time.process_time() - begun)
                moves = (*game.moves, step)
        begun = time.process_time()
        review(game)
        reviews.append(time.process_time() - begun)
    print(f"a bot's move {told(steps)}")
    print(f"all moves of a deal up to a turn {told(turns)}")
    print(f"the comparison with best play {told(reviews)}")


def weigh(page: str) -> None:
    """Bytes of the page with all that it loads, as they travel."""
    parts = {"the page itself": fetched(page)}
    waiting = re.findall(
        r'(?:src|href)="(/static/[^"]+\.(?:css|js|svg|woff2))"', parts["the page itself"].decode()
    )
    origin = "/".join(page.split("/")[:3])
    while waiting:
        name = waiting.pop()
        if name not in parts:
            parts[name] = fetched(origin + name)
            if name.endswith(".js"):
                beside = re.findall(r'from\s*"\./([^"]+)"', parts[name].decode())
                waiting += [f"{name.rsplit('/', 1)[0]}/{other}" for other in beside]
    total = sum(
        len(body) if name.endswith("woff2") else len(gzip.compress(body)) for name, body in parts.items()
    )
    own = len(gzip.compress(parts["the page itself"]))
    print(
        f"a turn's page: {own / 1000:.1f} kB, with all {len(parts)} files {total / 1000:.1f} kB, compressed"
    )


def fetched(address: str, **headers: str) -> bytes:
    with urlopen(Request(address, headers=headers)) as answer:  # noqa: S310 - our own server
        return bytes(answer.read())


class Person:
    """Somebody who plays one folder over the network, as a bot would, with time to think."""

    def __init__(self, address: str, code: str, seed: str, number: int) -> None:
        folder = number % FOLDERS + 1
        self.deal = deal_of_folder(get_rulebook("union"), deal_folder(seed, folder))
        self.role = ACTIVE[number % 3]
        self.page = f"{address}/t/{code}/boards/1/folder/{folder}/play/"
        self.thinks = Random(number)

    def play(self) -> list[tuple[str, float]]:
        """How long each move took to be answered, then the end, and best play after it."""
        waits = []
        moves, is_over = (), False
        while not is_over:
            game = play(self.deal, self.role, moves)
            is_over = game.is_over
            given = {"seat": self.role.value.lower(), "m": write_moves(game.moves, game.state.rulebook)}
            time.sleep(self.thinks.uniform(1, 2))
            waits.append(("the end" if is_over else "a move", self.wait(given)))
            if is_over:
                waits.append(("best play", self.wait(given | {"best": 1})))
            else:
                moves = (*game.moves, next_step(game.state, stops_for_others=False))
        return waits

    def wait(self, given: dict[str, object]) -> float:
        """Seconds until this is answered."""
        begun = time.monotonic()
        fetched(f"{self.page}?{urlencode(given)}", **{"HX-Request": "true"})
        return time.monotonic() - begun


if __name__ == "__main__":
    main()
