"""The plug pulled after every single write, sync and truncation of an evening, in three ways each.

python -m tests.bench torn
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

DEALS = 20


def main() -> None:
    from tests.kept import lay_out

    with tempfile.TemporaryDirectory(prefix="spadille-torn-") as name:
        environment = os.environ | {"SPADILLE_DATA": str(lay_out(Path(name, "data")))}
        environment.pop("DATABASE_URL", None)
        environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
        subprocess.run([sys.executable, "-m", "tests.bench.torn"], env=environment, check=True)


def pull() -> None:
    import django

    django.setup()
    from django.conf import settings
    from django.utils import timezone

    from config.environment import SQLITE_OPTIONS
    from tests.factories import make_account, make_club, make_tournament
    from tests.faults.evening import ASK, an_evening, recorded
    from tests.faults.torn import wrong_after

    account = make_account("alice", make_club())
    tournament = make_tournament(4, deals_per_round=DEALS)
    evening = an_evening(tournament, account, timezone.now())
    base, events, said = recorded(str(SQLITE_OPTIONS["init_command"]), evening)
    with tempfile.TemporaryDirectory(dir=settings.DATA_DIR) as folder:
        tried, wrong = wrong_after(base, events, said, Path(folder), ask=ASK)
    syncs = sum(event.what == "sync" for event in events)
    print(f"{len(said) - 1} answers, {len(events)} events ({syncs} syncs); the plug pulled {tried} times:")
    print(f"missing or half: {len(wrong)}")
    if wrong:
        raise SystemExit("\n".join(wrong[:5]))


if __name__ == "__main__":
    pull()
