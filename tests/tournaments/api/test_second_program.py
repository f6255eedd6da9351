"""Programs of others, run as they are: a scoreboard that follows a live evening, and the documentation's examples."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time

import pytest
from django.conf import settings
from django.utils import timezone

from clubs.api_keys import make_key
from clubs.models import Scope
from clubs.webhooks import signature
from tests.factories import first_round, first_table, make_tournament, report, won
from tests.patience import PATIENCE
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round
from tournaments.models import Entry

DOCS = settings.BASE_DIR / "docs"
BLOCK = re.compile(r"```(sh|python)\n(.*?)```", re.DOTALL)

pytestmark = pytest.mark.slow


@pytest.fixture
def evening(transactional_db, club, alice):
    return make_tournament(4, 1, club=club, account=alice, deals_per_round=4)


def until_it_says(board: subprocess.Popen[str], wanted: str) -> list[str]:
    """What the board says until the line that begins so."""
    said = []
    while not said or not said[-1].startswith(wanted):
        said.append(board.stdout.readline())
        assert said[-1], said
    return said


def test_a_scoreboard_follows_a_live_evening_through_the_api_alone(evening, alice, live_server):
    program = [sys.executable, DOCS / "examples/scoreboard.py", live_server.url, evening.code, "0.05"]
    by = {"account": alice, "now": timezone.now()}
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as board:
        try:
            until_it_says(board, f"{evening.name}: 0 of 4 deals")
            report(first_table(evening), 1, won(1))
            until_it_says(board, f"{evening.name}: 1 of 4 deals")
            first = board.stdout.readline().split()
            leader = max(
                first_table(evening).seats.select_related("entry__player"), key=lambda seat: seat.tokens
            )
            assert (first[0], first[-1]) == ("1", f"+{leader.tokens}")
            assert " ".join(first[1:-1]) == leader.entry.shown_name
            for deal in (2, 3, 4):
                report(first_table(evening), deal)
            until_it_says(board, f"{evening.name}: 4 of 4 deals")
            close_round(first_round(evening), force_reason="late", **by)
            evening.refresh_from_db()
            finish(evening, **by)
            assert board.wait(PATIENCE) == 0
        finally:
            board.kill()


def test_the_examples_of_the_documentation_run(evening, club, alice, live_server, tmp_path):
    _key, words = make_key(club, name="Docs", scopes=Scope.values, account=alice, now=timezone.now())
    told = os.environ | {"SPADILLE": live_server.url, "CODE": evening.code, "KEY": words}
    came_to = []
    for language, text in BLOCK.findall((DOCS / "api.md").read_text()):
        program = ["bash", "-euc", text] if language == "sh" else [sys.executable, "-c", text]
        ran = subprocess.run(program, env=told, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert ran.returncode == 0, (text, ran.stderr)
        assert "about:blank" not in ran.stdout, "a problem is no example"
        came_to.append(ran.stdout.strip())
    assert came_to[1:2] == ["4 players"]
    assert '"status":"entered"' in came_to[2]
    assert came_to[3:] == ["accepted", ""]
    assert Entry.objects.get(number=5).status == "present"


def test_the_check_of_a_signature_as_it_is_documented_believes_ours_and_no_other():
    text = BLOCK.findall((DOCS / "api.md").read_text())[-1][1]
    known: dict = {}
    exec(text, known)  # noqa: S102 - our own documentation
    now = time.time()
    header = f"t={int(now)},v1={signature('secret', int(now), b'{}')}"
    check = known["is_from_spadille"]
    assert check(header, b"{}", "secret", now)
    assert not check(header, b"{} ", "secret", now)
    assert not check(header, b"{}", "other", now)
    assert not check(header, b"{}", "secret", now + 600)
