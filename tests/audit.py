"""Known holes in the locked libraries, as far as today's advisories can be had: `python -m tests.audit`.

Exit 1 for a hole. Without the Internet, or with an index that has no advisories, it says that nothing was scanned.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 60  # seconds for all of it
NOT_SCANNED = "Dependencies: not scanned: no advisories reachable."


def ask(lock: Path) -> str:
    """What pip-audit says of a lock file, in JSON; empty if it cannot say anything."""
    program = str(Path(sys.executable).with_name("pip-audit"))
    how = [
        "--disable-pip",
        "--require-hashes",
        "--timeout",
        "3",
        "--progress-spinner",
        "off",
        "--format",
        "json",
    ]
    try:
        ran = subprocess.run(
            [program, *how, "-r", str(lock)], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return ""
    return ran.stdout


def judge(said: str) -> tuple[int, list[str]]:
    """The exit status, and what to print."""
    try:
        libraries: Sequence[dict[str, Any]] = json.loads(said)["dependencies"]
    except (ValueError, KeyError):
        return 0, [NOT_SCANNED]
    scanned = [library for library in libraries if "vulns" in library]
    if not scanned:
        return 0, [NOT_SCANNED]
    holes = [
        f"{library['name']} {library['version']}: {hole['id']},"
        f" mended in {', '.join(hole['fix_versions']) or 'none yet'}"
        for library in scanned
        for hole in library["vulns"]
    ]
    skipped = [library["name"] for library in libraries if "vulns" not in library]
    told = f"Dependencies: {len(scanned)} scanned, {len(holes)} known holes."
    missed = f" Not scanned: {', '.join(skipped)}." if skipped else ""
    return int(bool(holes)), [*holes, told + missed]


def main() -> int:
    status, lines = judge(ask(ROOT / "requirements.lock"))
    print("\n".join(lines))
    return status


if __name__ == "__main__":
    sys.exit(main())
