"""Scanning the libraries: a known hole fails; what cannot be scanned is said, and fails nothing."""

from __future__ import annotations

import json

import pytest

from tests.audit import NOT_SCANNED, judge

GOOD = {"name": "django", "version": "5.2.9", "vulns": []}
HOLE = {"name": "pillow", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}
SKIPPED = {"name": "segno", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("libraries", "status", "lines"),
    [
        ([GOOD], 0, ["Dependencies: 1 scanned, 0 known holes."]),
        ([GOOD, HOLE], 1, ["pillow 1.0: PYSEC-1, mended in 1.1", "Dependencies: 2 scanned, 1 known holes."]),
        ([GOOD, SKIPPED], 0, ["Dependencies: 1 scanned, 0 known holes. Not scanned: segno."]),
        ([SKIPPED], 0, [NOT_SCANNED]),
        ([], 0, [NOT_SCANNED]),
    ],
)
def test_a_known_hole_fails_and_what_is_not_scanned_is_said(libraries, status, lines):
    assert judge(json.dumps({"dependencies": libraries})) == (status, lines)


@pytest.mark.parametrize("said", ["", "ERROR: no network", "{}"])
def test_without_advisories_nothing_fails(said):
    assert judge(said) == (0, [NOT_SCANNED])
