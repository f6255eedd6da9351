"""The real pages, as the program prints them: their pictures, layouts and rules, made once and kept in a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scoring.rulebook import Rulebook
from scoring.rulebooks import get_rulebook
from tests.photographs.made import page_of
from tournaments.reporting.reader.layout import Layout, read_layout

MORT = {"kaske": True, "mort": True, "mort_nolo": True, "grand": True}
# (rulebook, players, deals, options) of the sheets that are photographed: the union's most often.
KINDS = (
    ("union", 4, 40, {}),
    ("union", 4, 30, {}),
    ("union", 4, 40, {}),
    ("rasle", 4, 40, MORT),
    ("union", 4, 40, {}),
    ("crocodile", 3, 24, {}),
    ("renegado", 4, 20, {}),
    ("union", 3, 12, {}),
)


class Printed(NamedTuple):
    page: np.ndarray
    layout: Layout
    rulebook: Rulebook


def print_all(folder: Path) -> None:
    """Print a sheet of each kind; with Django set up on an empty database."""
    from django.utils import timezone

    from core.pdf.files import pdf_of
    from tests.factories import first_round, make_account, make_club, make_tournament
    from tournaments.models import PrintedSheet
    from tournaments.paper.kinds import KINDS as SHEETS
    from tournaments.paper.kinds import Order

    account = make_account("organiser")
    for rulebook, players, deals, options in {str(kind): kind for kind in KINDS}.values():
        tournament = make_tournament(
            players,
            club=make_club(name_of(rulebook, players, deals)),
            account=account,
            rulebook=rulebook,
            options=options,
            deals_per_round=deals,
            deals_at_three=deals,
        )
        order = Order(first_round(tournament), "http://192.168.1.24:8000", timezone.localtime())
        page = page_of(pdf_of(SHEETS["ticked"].pages(order), "Sheet"))
        kept = PrintedSheet.objects.get(table__round=order.round)
        np.savez(
            folder / f"{name_of(rulebook, players, deals)}.npz", page=page, layout=json.dumps(kept.layout)
        )


def name_of(rulebook: str, players: int, deals: int) -> str:
    return f"{rulebook}-{players}-{deals}"


def printed(folder: Path) -> list[Printed]:
    """The kinds in their order."""
    kept = [np.load(folder / f"{name_of(*kind[:3])}.npz") for kind in KINDS]
    return [
        Printed(one["page"], read_layout(json.loads(str(one["layout"]))), get_rulebook(kind[0], kind[3]))
        for one, kind in zip(kept, KINDS, strict=True)
    ]
