"""Commands, files and choices of this machine, for `machine` and `situation`."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

RUN = Path(os.environ.get("MACHINE_RUN", "/run/spadille-stick"))
DATA = Path(os.environ.get("MACHINE_DATA", "/var/lib/spadille"))
ETC = Path(os.environ.get("MACHINE_ETC", "/etc"))
HOME = Path(os.environ.get("MACHINE_HOME", "/media/spadille"))
SLOWEST = 60  # seconds for any command of the system
MEDIUM = Path("/run/live/medium")
JOURNAL = Path("/media/journal")
# Beside Spadille's data and not among them: the web server cannot write there.
KEEP = Path(os.environ.get("MACHINE_KEEP", "/var/lib/spadille-stick/machine"))
WISHES, STATE = RUN / "wishes", RUN / "state.json"
CHOICES = KEEP / "choices.json"

# Where the data are encrypted: the name of the file or partition that they are in.
ENCRYPTED = RUN / "encrypted"
# Language: locale, keyboard, time zone, as the boot menu's entries mean them.
REGIONS = {
    "da": ("da_DK.UTF-8", "dk", "Europe/Copenhagen"),
    "sv": ("sv_SE.UTF-8", "se", "Europe/Stockholm"),
    "en": ("en_GB.UTF-8", "gb", "Europe/London"),
}

LEGIBLE = "abcdefghjkmnpqrstuvwxyz23456789"


class RefusedError(Exception):
    """A wish that cannot be carried out; its text is a code that the desk puts in words."""


def run(*command: str, seconds: float = SLOWEST) -> str:
    """What a command prints. Raises CalledProcessError or TimeoutExpired."""
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/root"}
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=seconds, env=environment
    )
    return done.stdout


def output(*command: str, seconds: float = SLOWEST) -> str:
    """What a command prints, or nothing where it fails."""
    try:
        return run(*command, seconds=seconds)
    except (OSError, subprocess.SubprocessError) as error:
        print(f"{command[0]}: {error}", file=sys.stderr)
        return ""


def write(path: Path, text: str, mode: int = 0o644, group: str = "") -> None:
    """Replace a file in one step, and have it on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w") as file:
        os.fchmod(file.fileno(), mode)
        if group:
            shutil.chown(new, group=group)
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def chosen_language(command_line: str) -> str:
    """The language of the boot menu, or nothing."""
    chosen = re.search(r"\bspadille\.language=([a-z]+)", command_line)
    return chosen[1] if chosen and chosen[1] in REGIONS else ""


def kept_region(device: str) -> tuple[str, str]:
    """Language and keyboard as an encrypted device says them to whoever is to type its password, or nothing."""
    said = output("cryptsetup", "luksDump", device)
    kept = re.search(r"^Subsystem:\s+([a-z]{2}) ([a-z]{2})$", said, re.MULTILINE)
    return (kept[1], kept[2]) if kept and kept[1] in REGIONS else ("", "")


def keep_region(choices: dict) -> None:
    """Say language and keyboard where they can be read before the data are opened."""
    if not ENCRYPTED.exists():
        return
    device, region = ENCRYPTED.read_text().strip(), (choices["language"], choices["keyboard"])
    if kept_region(device) != region:
        output("cryptsetup", "config", device, "--subsystem", " ".join(region))


def legible(length: int) -> str:
    return "".join(secrets.choice(LEGIBLE) for _place in range(length))


def read_choices() -> dict:
    """What was chosen on this stick, with a Wi-Fi name and password of its own from the first start on."""
    try:
        choices = json.loads(CHOICES.read_text())
    except (OSError, ValueError):
        choices = {}
    usual = {
        "language": "da",
        "keyboard": "dk",
        "zone": "Europe/Copenhagen",
        "wifi": "own",
        "name": f"Spadille-{legible(3)}",
        "password": legible(10),
        "hall_name": "",
        "hall_password": "",
        "printer": "",
        "journal": "",
    }
    return usual | {key: value for key, value in choices.items() if key in usual}


def store(choices: dict) -> None:
    write(CHOICES, json.dumps(choices, indent=1), 0o600)
