"""Wrong passwords from 16 addresses at once, on a server whose hall is looked at.

    python -m tests.faults.guessing

On loopback only: guessers at 127.0.0.2 and above, each for names of its own. Prints how long a page of the hall took
before and while they guess, and how the guesses were answered.
"""

from __future__ import annotations

import http.client
import re
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from urllib.parse import urlencode

from tests.bench.stage import hall, running
from tests.faults.idle_connections import timed
from tests.kept import lay_out

ADDRESSES, SECONDS = 16, 15


def guess(port: int, source: str, over: threading.Event, answers: Counter[int]) -> None:
    """Guess until it is over, one wrong password after the other."""
    host, number = {"Host": f"localhost:{port}"}, 0
    with closing(
        http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(source, 0))
    ) as line:
        line.request("GET", "/clubs/login/", headers=host)
        answer = line.getresponse()
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', answer.read().decode())
        cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
        form = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
        while not over.is_set():
            number += 1
            sent = {
                "csrfmiddlewaretoken": found[1] if found else "",
                "username": f"{source} {number}",
                "password": "wrong",
            }
            with suppress(OSError, http.client.HTTPException):
                line.request("POST", "/clubs/login/", urlencode(sent), host | form)
                answer = line.getresponse()
                answer.read()
                answers[answer.status] += 1


def measured(folder: str) -> dict[str, object]:
    """What came of it, by name."""
    code, _secrets = hall(8, folder)
    # Each time another one, which nobody has had answered yet.
    pages, answers, over = (f"/t/{code}/seats/?name={n}" for n in count()), Counter[int](), threading.Event()
    with running(folder, BACKUP_MINUTES="0") as (address, _process):
        port = int(address.rpartition(":")[2])
        before = max(timed(port, "GET", next(pages)) for _time in range(5))
        guessers = [
            threading.Thread(target=guess, args=(port, f"127.0.0.{2 + number}", over, answers))
            for number in range(ADDRESSES)
        ]
        for one in guessers:
            one.start()
        waited, until = [], time.monotonic() + SECONDS
        while time.monotonic() < until:
            waited.append(timed(port, "GET", next(pages)))
            time.sleep(0.1)
        over.set()
        for one in guessers:
            one.join()
    return {"page before": before, "page meanwhile": max(waited), "answers": dict(answers)}


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="spadille-guessing-") as folder:
        for name, value in measured(str(lay_out(Path(folder)))).items():
            print(f"{name}: {value:.3f} s" if isinstance(value, float) else f"{name}: {value}")


if __name__ == "__main__":
    main()
