"""The machine that is Spadille's own, started from a stick or a card: its state, and requests to it.

The web server has no rights there. It reads a state that root writes, and leaves requests in a folder, each one verb
with its arguments; root's side is in `.package/stick`, and takes no other. Both are in the folder `MACHINE`.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

# So many wishes wait at most: whatever taps a button again and again does not fill the memory.
MOST_WISHES = 20


class MachineDoesNotAnswerError(Exception):
    """A wish cannot be left, or too many wait."""


@dataclass(frozen=True, slots=True)
class Wifi:
    """The Wi-Fi of phones; `mode` is "own" (an access point), "hall" (joined by name) or "off"; `problem` is a code."""

    mode: str
    name: str
    password: str
    hall: str
    cable: bool
    works: bool
    problem: str

    @property
    def is_open_to_phones(self) -> bool:
        """Whether phones can join an access point of this machine."""
        return self.mode == "own" and not self.problem


@dataclass(frozen=True, slots=True)
class Stick:
    """A file system on another USB stick; `size` in bytes."""

    id: str
    label: str
    size: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a request to the machine; `reason` is a code."""

    id: str
    verb: str
    ok: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Machine:
    """The state as root wrote it last. Sizes in bytes."""

    # Whether the data are encrypted with a password; backups and a second stick are not.
    encrypted: bool
    keyboard: str
    zone: str
    keyboards: tuple[str, ...]
    wifi: Wifi
    addresses: tuple[str, ...]
    printers: tuple[str, ...]
    usual_printer: str
    sticks: tuple[Stick, ...]
    journal_chosen: bool
    journal_here: bool
    backups_at_home: tuple[str, ...]
    free_at_home: int
    problems: tuple[str, ...]
    outcomes: tuple[Outcome, ...]

    def outcome(self, wish: str) -> Outcome | None:
        return next((outcome for outcome in self.outcomes if outcome.id == wish), None)


def read_machine() -> Machine | None:
    """The machine's state, or None where this is no machine of Spadille's own."""
    if not settings.MACHINE:
        return None
    try:
        told = json.loads((Path(settings.MACHINE) / "state.json").read_text("utf-8"))
        return _parse(told)
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _parse(told: dict[str, Any]) -> Machine:
    printers, journal, home = told["printers"], told["journal"], told["home"]
    return Machine(
        encrypted=told["encrypted"],
        keyboard=told["keyboard"],
        zone=told["zone"],
        keyboards=tuple(told["keyboards"]),
        wifi=Wifi(**told["wifi"]),
        addresses=tuple(told["addresses"]),
        printers=tuple(printers["names"]),
        usual_printer=printers["usual"],
        sticks=tuple(Stick(**stick) for stick in told["sticks"]),
        journal_chosen=journal["chosen"],
        journal_here=journal["here"],
        backups_at_home=tuple(home["backups"]),
        free_at_home=home["free"],
        problems=tuple(told["problems"]),
        outcomes=tuple(Outcome(**done) for done in told["done"]),
    )


def ask_machine(verb: str, **arguments: str) -> str:
    """Leave a wish, and return its id. Raises MachineDoesNotAnswerError.

    The same wish that still waits is not left twice, so that a double tap does nothing more.
    """
    folder = Path(settings.MACHINE) / "wishes"
    wish = {"verb": verb, **arguments}
    try:
        waiting = sorted(folder.glob("*.json"))
        for path in waiting:
            if (same := _same_wish(path, wish)) is not None:
                return same
        if len(waiting) >= MOST_WISHES:
            raise MachineDoesNotAnswerError
        name = secrets.token_hex(8)
        new = folder / f".{name}"
        new.write_text(json.dumps(wish | {"id": name}), "utf-8")
        new.rename(folder / f"{name}.json")
    except OSError as error:
        raise MachineDoesNotAnswerError from error
    return name


def _same_wish(path: Path, wish: dict[str, str]) -> str | None:
    """The id of a waiting wish if it is the same one; None where it has just been taken."""
    try:
        told = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    name = str(told.pop("id", ""))
    return name if told == wish else None
