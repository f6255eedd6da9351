"""Every response of the program carries its header: scripts take nothing else for an answer (`answers.js`)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from tests.factories import first_table, make_tournament

SCRIPTS = Path(settings.STATICFILES_DIRS[0]) / "js"
# The door itself, and workers, which can import nothing; the captain's page asks once for its worker's sake alone.
# A stream has no head that a script can read: live.js takes no event that is not whole, but asks through the door then.
MAY_FETCH = {"answers.js", "captain/worker.js", "phone_worker.js", "captain/main.js", "live.js"}


@pytest.mark.django_db
def test_whatever_is_answered_is_marked(client) -> None:
    table = first_table(make_tournament(players=4))
    code = table.round.tournament.code
    version = client.get(f"/t/{code}/version").json()["version"]
    answers = {
        "a page": client.get(f"/t/{code}/"),
        "JSON": client.get(f"/c/{table.secret}/state"),
        "nothing new": client.get(f"/c/{table.secret}/state?v={table.version}"),
        "a version": client.get(f"/t/{code}/version?v={version}"),
        "a refusal": client.post(f"/c/{table.secret}/reports", "{}", "application/json"),
        "a dead link": client.get("/c/nobody/state"),
        "no page": client.get("/nowhere/"),
        "no such method": client.post(f"/t/{code}/"),
        "a redirect": client.get("/desk/"),
        "the API": client.get("/api/v1/nowhere"),
        "too much": client.post("/c/", b"", "text/plain", headers={"Content-Length": str(10**9)}),
    }
    assert [what for what, answer in answers.items() if answer.headers.get("X-Spadille") != "1"] == []


def test_scripts_ask_the_server_through_one_door_alone() -> None:
    fetching = {
        str(script.relative_to(SCRIPTS))
        for script in SCRIPTS.rglob("*.js")
        if re.search(r"\bfetch\(|XMLHttpRequest\(|EventSource\(|sendBeacon\(", script.read_text())
    }
    assert fetching == MAY_FETCH
