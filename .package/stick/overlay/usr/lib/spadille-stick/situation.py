"""What this machine finds: Wi-Fi cards, addresses, printers, sticks; written as JSON for the desk."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path

from system import ENCRYPTED, HOME, JOURNAL, MEDIUM, RUN, STATE, output, write

KEYBOARDS = ("dk", "se", "no", "fi", "is", "fo", "gb", "us", "de")
FILE_SYSTEMS = ("vfat", "exfat", "ext4")
OUTCOMES_KEPT = 20
BACKUPS_SHOWN = 20
TOO_OLD = 270  # days after which newer computers may refuse the signed boot loader


def wifi(choices: dict) -> dict:
    """The Wi-Fi as it is: what was chosen, whether it works, and why not."""
    told = {
        "mode": choices["wifi"],
        "name": choices["name"],
        "password": choices["password"],
        "hall": choices["hall_name"],
    }
    rows = [
        line.split(":")
        for line in output("nmcli", "-t", "-f", "TYPE,STATE,CONNECTION", "device").splitlines()
    ]
    cards = [row for row in rows if row[0] == "wifi"]
    told["cable"] = any(row[0] == "ethernet" and row[1] == "connected" for row in rows)
    told["works"] = any(row[1] == "connected" and row[2] == choices["wifi"] for row in cards)
    told["problem"] = ""
    if choices["wifi"] == "off" or told["works"]:
        return told
    if not cards:
        told["problem"] = "no-card"
    elif all(row[1] == "unavailable" for row in cards):
        told["problem"] = "switched-off"
    elif choices["wifi"] == "own" and not re.search(r"^\s*\* AP$", output("iw", "phy"), re.MULTILINE):
        told["problem"] = "no-access-point"
    else:
        told["problem"] = "not-joined" if choices["wifi"] == "hall" else "not-open"
    return told


def addresses() -> list[str]:
    """This machine's addresses on networks."""
    told = json.loads(output("ip", "-json", "-4", "address", "show", "scope", "global") or "[]")
    found = [info["local"] for link in told for info in link.get("addr_info", ()) if "local" in info]
    return [address for address in found if not address.startswith("10.43.")]


def printers() -> dict:
    names = output("lpstat", "-e", seconds=20).split()
    usual = re.search(r"destination: (\S+)", output("lpstat", "-d", seconds=20))
    return {"names": names[:30], "usual": usual[1] if usual else ""}


def own_disk() -> str:
    """The name of the disk this was started from, or nothing."""
    source = output("findmnt", "-no", "SOURCE", str(MEDIUM)).strip()
    return output("lsblk", "-no", "PKNAME", "--nodeps", source).strip() or Path(source).name if source else ""


def block_devices() -> list[dict]:
    columns = "NAME,PATH,TYPE,FSTYPE,LABEL,UUID,SIZE,TRAN,MOUNTPOINT"
    told = json.loads(output("lsblk", "--json", "--bytes", "--output", columns) or "{}")
    return told.get("blockdevices", [])


def sticks(disks: list[dict], own: str) -> list[dict]:
    """File systems on other USB disks that a journal can be written to."""
    found = []
    for disk in disks:
        if disk["name"] == own or disk.get("tran") != "usb":
            continue
        for part in disk.get("children") or [disk]:
            if part.get("fstype") in FILE_SYSTEMS and part.get("uuid"):
                label = part.get("label") or ""
                found.append(
                    {
                        "id": part["uuid"],
                        "label": label,
                        "size": part["size"],
                        "path": part["path"],
                        "kind": part["fstype"],
                    }
                )
    return found


def other_spadille(found: list[dict]) -> bool:
    """Whether another stick has Spadille's data: somebody put two in."""
    return any(stick["label"].startswith(("spadille-data", "SPADILLE")) for stick in found)


def journal(choices: dict, found: list[dict]) -> dict:
    if not choices["journal"]:
        return {"chosen": False, "here": False}
    return {
        "chosen": True,
        "here": any(stick["id"] == choices["journal"] for stick in found) and os.path.ismount(JOURNAL),
    }


def at_home() -> dict:
    """What lies where Windows reads it."""
    try:
        backups = sorted(HOME.glob("spadille-*.zip"), key=lambda file: file.stat().st_mtime, reverse=True)
        room = os.statvfs(HOME)
    except OSError:
        return {"backups": [], "free": 0}
    return {"backups": [file.name for file in backups[:BACKUPS_SHOWN]], "free": room.f_bavail * room.f_frsize}


def problems(found: list[dict]) -> list[str]:
    told = []
    if (RUN / "forgets").exists():
        told.append("forgets")
    if (RUN / "cut").exists():
        told.append("cut")
    if (RUN / "regained").exists():
        told.append("regained")
    if (RUN / "lost").exists():
        told.append("lost")
    if (RUN / "plain").exists():
        told.append("plain")
    if other_spadille(found):
        told.append("two")
    with suppress(OSError, ValueError):
        built = date.fromisoformat((MEDIUM / "live/built").read_text().strip())
        if (datetime.now(UTC).date() - built).days > TOO_OLD:
            told.append("old")
    return told


def write_state(choices: dict, *, look_at_nothing: bool = False, done: dict | None = None) -> dict:
    """Write what the desk shows, and return it; the outcomes of the last wishes stay in it."""
    try:
        before = json.loads(STATE.read_text())
    except (OSError, ValueError):
        before = {}
    outcomes = before.get("done", []) + ([done] if done else [])
    state = {key: choices[key] for key in ("keyboard", "zone")}
    state |= {"encrypted": ENCRYPTED.exists(), "keyboards": KEYBOARDS, "done": outcomes[-OUTCOMES_KEPT:]}
    if look_at_nothing:
        plain = {"mode": choices["wifi"], "name": choices["name"], "password": choices["password"]}
        state |= {
            "wifi": plain | {"hall": choices["hall_name"], "cable": False, "works": False, "problem": ""}
        }
        state |= {"addresses": [], "printers": {"names": [], "usual": ""}, "sticks": [], "home": at_home()}
        state |= {"journal": {"chosen": bool(choices["journal"]), "here": False}, "problems": []}
    else:
        found = sticks(block_devices(), own_disk())
        state |= {"wifi": wifi(choices), "addresses": addresses(), "printers": printers(), "home": at_home()}
        state |= {"sticks": [{key: stick[key] for key in ("id", "label", "size")} for stick in found]}
        state |= {"journal": journal(choices, found), "problems": problems(found)}
    write(STATE, json.dumps(state), 0o640, "spadille")
    return state
