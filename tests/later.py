"""Run the tests, or another command, with the clock set to a later moment.

    python -m tests.later                                  every moment of MOMENTS, all tests
    python -m tests.later --at leap-day tests/clubs -k x   one of them; the rest is for pytest
    python -m tests.later --at 2031-02-03T18:00            a moment of one's own, in UTC where it names no other
    python -m tests.later --at leap-day --by-day           only test files that go by days
    python -m pytest -p tests.later                        all but these files, now
    python -m tests.later --at year --zone America/Lima    on a machine that is there
    python -m tests.later --at year --run manage.py demo   a command instead of the tests

The clock is set inside of each Python process, by `tests/clock/sitecustomize.py`: processes that a test starts have it
too. Browsers, PostgreSQL and Redis keep the machine's.
"""

from __future__ import annotations

import argparse
import calendar
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

TOP = Path(__file__).resolve().parent.parent
CLOCK = TOP / "tests" / "clock"
HERE = ZoneInfo("Europe/Copenhagen")
# What a test file says that asks for today or reckons with days.
GOES_BY_DAYS = re.compile(r"localdate\(|date\.today|timedelta\(days|time_machine|make_sample\(|make_demo\(")
# time-machine is a plugin of pytest's too, which would rewrite its asserts if it were not loaded yet.
LOADED = "ignore:Module already imported so cannot be rewritten:pytest.PytestAssertRewriteWarning"


def moments(now: datetime) -> dict[str, datetime]:
    """Each moment that the tests must pass at, by its name; the clocks change a minute after two of them."""
    noon = now.replace(hour=12, minute=0, second=0, microsecond=0)
    leap_year = next(year for year in range(now.year + 1, now.year + 10) if calendar.isleap(year))
    return {
        "tomorrow": now + timedelta(days=1),
        "month": now + timedelta(days=31),
        "year": now + timedelta(days=366),
        "five-years": now + timedelta(days=5 * 366),
        "leap-day": noon.replace(year=leap_year, month=2, day=29),
        "clocks-forward": _last_sunday(now.year + 1, 3).replace(hour=1, minute=59).astimezone(UTC),
        "clocks-back": _last_sunday(now.year + 1, 10).replace(hour=2, minute=59).astimezone(UTC),
    }


def _last_sunday(year: int, month: int) -> datetime:
    last = datetime(year, month, 31, tzinfo=HERE)
    return last - timedelta(days=last.isoweekday() % 7)


def goes_by_days(file: Path) -> bool:
    """Whether a test file is one without a browser whose outcome may depend on what day it is."""
    is_one = file.match("test_*.py") and "browser" not in file.parts
    return is_one and bool(GOES_BY_DAYS.search(file.read_text(encoding="utf-8")))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave these files out: `pytest -p tests.later` runs what `--by-day` does not."""
    return goes_by_days(collection_path) or None


def run_at(moment: datetime, command: Iterable[str], zone: str = "") -> int:
    """Run a command of Python's with the clock set to `moment`; return its exit status."""
    ahead = int(moment.timestamp() - datetime.now(UTC).timestamp())
    paths = [str(CLOCK), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "TESTS_CLOCK_AHEAD": str(ahead)}
    if zone:
        environment |= {"TZ": zone, "TIME_ZONE": zone}
    return subprocess.run([sys.executable, *command], cwd=TOP, env=environment, check=False).returncode


def main() -> int:
    known = moments(datetime.now(UTC))
    parser = argparse.ArgumentParser(prog="python -m tests.later", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--at", default="all", help=f"all, {', '.join(known)}, or a moment as 2031-02-03T18:00"
    )
    parser.add_argument("--by-day", action="store_true", help="only test files that go by days")
    parser.add_argument("--zone", default="", help="the time zone of the machine and of the program")
    parser.add_argument(
        "--run", action="store_true", help="the rest is a command instead of arguments for pytest"
    )
    asked, rest = parser.parse_known_args()
    if asked.at not in known and asked.at != "all":
        known[asked.at] = _typed(asked.at, parser)
    status = 0
    files = sorted(str(file.relative_to(TOP)) for file in (TOP / "tests").rglob("*.py") if goes_by_days(file))
    for name, moment in known.items():
        if asked.at in ("all", name):
            zone = f", {asked.zone}" if asked.zone else ""
            print(f"With the clock set to {moment:%Y-%m-%d %H:%M} UTC ({name}{zone})", flush=True)
            tests = [
                "-m",
                "pytest",
                "-q",
                "-W",
                LOADED,
                *(files if asked.by_day else []),
                *rest,
            ]
            status |= run_at(moment, rest if asked.run else tests, asked.zone)
    return status


def _typed(text: str, parser: argparse.ArgumentParser) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        parser.error(f"--at {text}: no such moment")
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


if __name__ == "__main__":
    raise SystemExit(main())
