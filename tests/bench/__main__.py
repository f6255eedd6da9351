"""Runs every benchmark, or those named: `python -m tests.bench reports sheets`.

`python -m tests.bench.years` makes a union with twenty years behind it, to measure with and to look at.
"""

from __future__ import annotations

import importlib
import subprocess
import sys

BENCHES = (
    "pages",
    "addresses",
    "settlements",
    "solver",
    "folder_play",
    "startup",
    "standings",
    "reports",
    "live",
    "changed_rows",
    "captains",
    "bell",
    "grouped",
    "parts",
    "country",
    "hall_wifi",
    "sheets",
    "page",
    "paint",
    "swap_prices",
    "sweep_draw",
    "fixtures",
    "bots",
    "rating",
    "mail",
    "api",
    "entering",
    "union_import",
    "register",
    "reading",
    "cards",
    "publish",
)

# Collecting static files starts processes that read this file again.
if __name__ == "__main__":
    names = sys.argv[1:] or BENCHES
    for name in names:
        if len(names) > 1:  # each in a process of its own: Django keeps the database that it was set up with
            subprocess.run([sys.executable, "-m", "tests.bench", name], check=True)
            continue
        print(f"\n== {name}", flush=True)
        importlib.import_module(f"tests.bench.{name}").main()
