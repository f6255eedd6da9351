"""`manage.py boards`: the cards of a set of folders from its seed, without any tournament."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.seats import ACTIVE
from tournaments.boards.dealing import Folder, deal_folder, fingerprint
from tournaments.models.ledger import make_seed

MOST_FOLDERS = 1000


class Command(BaseCommand):
    help = "Deals a set of duplicate boards: the hands of forehand, middlehand and dealer, and the talon "
    "in the order it is drawn."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", help="the same seed gives the same cards (default: random)")
        parser.add_argument("--folders", type=int, default=40, help="how many (default: 40)")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["folders"] <= MOST_FOLDERS:
            raise CommandError(f"1 to {MOST_FOLDERS} folders.")
        seed = options["seed"] or make_seed()
        folders = [deal_folder(seed, number) for number in range(1, options["folders"] + 1)]
        self.stdout.write(_as_json(seed, folders) if options["json"] else _as_text(seed, folders))


def _as_json(seed: str, folders: list[Folder]) -> str:
    cards = [
        {
            "folder": folder.number,
            **dict(zip(ACTIVE, folder.hands, strict=True)),
            "talon": folder.talon,
        }
        for folder in folders
    ]
    return json.dumps({"seed": seed, "fingerprint": fingerprint(seed), "folders": cards})


def _as_text(seed: str, folders: list[Folder]) -> str:
    lines = [f"Seed {seed}", f"Fingerprint {fingerprint(seed)}"]
    for folder in folders:
        lines += ["", f"Folder {folder.number}"]
        lines += [f"  {role:5} {' '.join(hand)}" for role, hand in zip(ACTIVE, folder.hands, strict=True)]
        lines.append(f"  talon {' '.join(folder.talon)}")
    return "\n".join(lines)
