"""Booklets to fold: two pages on each side of a sheet, in the order in which they lie when the sheets are folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pikepdf

if TYPE_CHECKING:
    from pathlib import Path

# Pages on a sheet: two on its front, two on its back.
PAGES_A_SHEET = 4


def fold_order(pages: int) -> list[tuple[int | None, int | None]]:
    """The left and the right page of each side, counted from 0, fronts and backs in turn; None is a blank page.

    All sheets lie in each other and are folded once: the first side has the last page on the left, the first on the
    right.
    """
    blank = -pages % PAGES_A_SHEET
    order: list[int | None] = [*range(pages), *[None] * blank]
    sides = []
    for side in range(len(order) // 2):
        outer, inner = order[-1 - side], order[side]
        sides.append((inner, outer) if side % 2 else (outer, inner))
    return sides


def impose(source: Path, target: Path) -> None:
    """Write the pages of one size of a file as a booklet to fold, printed on both sides and turned at the short edge.

    It is for the printer: screen readers have the source, which keeps the order of reading and the tags.
    """
    with pikepdf.open(source) as read, pikepdf.new() as folded:
        _left, _bottom, width, height = (float(side) for side in read.pages[0].mediabox)
        for left, right in fold_order(len(read.pages)):
            side = folded.add_blank_page(page_size=(2 * width, height))
            for number, at in ((left, 0.0), (right, width)):
                if number is not None:
                    room = pikepdf.Rectangle(at, 0, at + width, height)
                    side.add_overlay(read.pages[number], room)
        folded.Root.Lang = read.Root.Lang
        folded.Root.ViewerPreferences = pikepdf.Dictionary(Duplex=pikepdf.Name.DuplexFlipShortEdge)
        folded.docinfo["/Title"] = read.docinfo["/Title"]
        folded.docinfo["/Creator"] = read.docinfo["/Creator"]
        folded.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate)
