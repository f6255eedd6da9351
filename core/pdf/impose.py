"""Booklets to fold: two pages on each side of a sheet, in the order in which they lie when the sheets are folded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pikepdf

if TYPE_CHECKING:
    from collections.abc import Mapping
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
    """Write the pages of one size of a tagged file as a booklet to fold, to be printed on both sides.

    Screen readers find the tags of the source, in the order of its pages. Links are left out.
    """
    with pikepdf.open(source) as file:
        pages = list(file.pages)
        _left, _bottom, width, height = (float(length) for length in pages[0].mediabox)
        forms = [_as_form(page) for page in pages]
        moved: dict[tuple[int, int], _Place] = {}
        for index, numbers in enumerate(fold_order(len(pages))):
            side = file.add_blank_page(page_size=(2 * width, height))
            side.obj.Tabs = pikepdf.Name.S
            for number, at in zip(numbers, (0.0, width), strict=True):
                if number is not None:
                    side.add_overlay(forms[number], pikepdf.Rectangle(at, 0, at + width, height))
                    moved[pages[number].obj.objgen] = _Place(index, side.obj, forms[number])
        _move_tags(file.Root.StructTreeRoot, None, moved)
        with file.open_outline() as outline:
            entries = [(entry.title, moved[_page_of(entry).objgen].side) for entry in outline.root]
        del file.pages[: len(pages)]
        with file.open_outline() as outline:
            outline.root[:] = [pikepdf.OutlineItem(title, side) for title, side in entries]
        # The reader's printer turns the sheets at the short edge.
        file.Root.ViewerPreferences.Duplex = pikepdf.Name.DuplexFlipShortEdge
        file.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate)


class _Place(NamedTuple):
    """A page's place in the booklet: the number of its side, from 0, the side, and the page's content as a form."""

    side: int
    page: pikepdf.Object
    form: pikepdf.Object


def _as_form(page: pikepdf.Page) -> pikepdf.Object:
    """A page's content as a form XObject, with the numbers of its marked content."""
    form = page.as_form_xobject()
    form.StructParents = page.obj.StructParents
    return form


def _page_of(entry: pikepdf.OutlineItem) -> Any:
    """The page that an entry of the table of contents leads to."""
    destination: Any = entry.destination
    return destination[0]


def _move_tags(element: Any, page: Any, moved: Mapping[tuple[int, int], _Place]) -> None:
    """Let an element and those below it refer to the content where it is now; `page` is that of the element above."""
    page = element.get("/Pg", page)
    kids = element.get("/K", [])
    found: list[Any] = []
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, int):
            place = moved[page.objgen]
            found.append(pikepdf.Dictionary(Type=pikepdf.Name.MCR, Pg=place.page, Stm=place.form, MCID=kid))
        elif "/S" in kid:
            _move_tags(kid, page, moved)
            found.append(kid)
    element.K = pikepdf.Array(found)
    if "/Pg" in element:
        element.Pg = moved[page.objgen].page
