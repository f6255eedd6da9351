"""The server killed, frozen, starved and set back while reports come in: nothing is lost, nothing is there twice.

Real processes on a database of their own (SQLite, or a new one on the PostgreSQL of DATABASE_URL), and phones that send
again what was not answered. `python -m tests.bench faults` is the same for minutes, and at random.
"""

from __future__ import annotations

import os

import pytest

from tests.faults import faults
from tests.faults.run import DEALS, under_fire
from tests.faults.stage import Stage
from tests.kept import lay_out

pytestmark = pytest.mark.databases

TABLES = 3


@pytest.mark.slow
def test_no_fault_loses_a_report_or_doubles_one(tmp_path, capsys):
    address = os.environ.get("DATABASE_URL", "")
    kinds = faults.EITHER + (faults.TO_POSTGRESQL if address else faults.TO_SQLITE)
    kinds = [
        kind for kind in kinds if kind != "backup_while_reports_come_in"
    ]  # one comes before the first fault
    stage = Stage(lay_out(tmp_path), address=address, tables=TABLES, deals=DEALS)
    count = under_fire(stage, kinds, seed=1)
    with capsys.disabled():
        print(f"\n{count}")
    assert (count.lost, count.doubled, count.left) == (0, 0, 0)
    assert (count.refused, count.errors, count.traceback) == ([], 0, [])
    assert count.stored >= TABLES * DEALS
    assert count.unanswered > 0
    assert "every total agrees" in count.verified
