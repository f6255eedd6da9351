"""The sheet of a table as it is printed, ticked as its deals went, and photographed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from django.utils import timezone

from core.pdf.files import pdf_of
from tests.photographs.camera import LEVELS, photographed
from tests.photographs.hands import HANDS
from tests.photographs.made import page_of, ticked
from tournaments.paper.kinds import KINDS, Order
from tournaments.reporting.reader.layout import Layout, read_layout

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.models import Table


def printed_page(table: Table) -> tuple[np.ndarray, Layout]:
    """The first page of a table's sheet in grey, ten pixels a millimetre, and its layout."""
    order = Order(table.round, "http://192.168.1.24:8000", timezone.localtime(), table.number)
    page = page_of(pdf_of(KINDS["ticked"].pages(order), "Sheet"))
    return page, read_layout(table.printed_sheets.get(page=1).layout)


def scanned(page: np.ndarray, layout: Layout, lines: Sequence[Mapping[str, str]]) -> bytes:
    """The ticked page as a flat scanner has it, at five pixels a millimetre: much cheaper than a photograph."""
    random = np.random.default_rng(1)
    drawn, _truth = ticked(page.astype(np.float32), layout, lines, HANDS["crosses"], random, dirt=0)
    return bytes(
        cv2.imencode(".jpg", cv2.resize(drawn, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))[1]
    )


def photograph(
    page: np.ndarray,
    layout: Layout,
    lines: Sequence[Mapping[str, str]],
    *,
    hand: str = "crosses",
    level: str = "easy",
    seed: int = 1,
    dirt: float = 0.0,
) -> bytes:
    """A JPEG of the page with what stands in each line, group -> value; {} for a deal that was not played."""
    random = np.random.default_rng(seed)
    drawn, _truth = ticked(page.astype(np.float32), layout, lines, HANDS[hand], random, dirt=dirt)
    return photographed(drawn, LEVELS[level], random)
