"""What tests of the journal share: the disk that is lost, and what was on it."""

from __future__ import annotations

import json
from pathlib import Path

from django.core.management import call_command

from core.journal import triggers
from core.journal.format import everything


def rows_now() -> list[str]:
    return sorted(line.decode() for line in everything())


def disk_is_lost() -> None:
    """A new machine: the database is there and empty, of another installation."""
    triggers.take_down()
    call_command("flush", verbosity=0, interactive=False, inhibit_post_migrate=True)
    triggers.state()


def restored(monkeypatch, *file: str, **options) -> None:
    """The command without what compresses static files, and without its recount."""
    monkeypatch.setattr("tournaments.management.commands.restore.call_command", lambda *_told, **_named: None)
    monkeypatch.setattr("tournaments.management.commands.restore.log_change", lambda *_told, **_named: None)
    monkeypatch.setattr("tournaments.management.commands.restore.jump_versions", lambda _seen: None)
    call_command("restore", *file, yes=True, **options)


def lines_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def begin_a_line(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b'{"in": "clubs_player", "row": {"id": 1')
