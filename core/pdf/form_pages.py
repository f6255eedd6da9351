"""Pages written from a form that WeasyPrint laid out: their content, and their tags.

A form is a page of the document with a probe in each slot and samples of its letters (`core.pdf.forms`). From its
content and its tags every page is put together as bytes: a sheet has 600 tags, which take longer as objects than the
page takes to be laid out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import pydyf

from core.pdf.forms import PIXELS_A_POINT, PROBE, Sample, UnknownDrawingError, cells_of
from core.pdf.structure import CELL, HEADER, MARKER, Finisher, Pages, Table, below, children, complete

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from core.pdf.forms import Code, Form, FormPage, Slot
    from core.pdf.page import Page, TextTable
    from core.pdf.structure import Rows

# What WeasyPrint makes of <a>, which no page with slots has otherwise.
LINK, SPAN, FIGURE = "/Link", "/Span", "/Figure"
THOUSAND = 1000
_PATH = re.compile(r"([Mmh])(-?[\d.]+) ?(-?[\d.]+)?")


class FormFinisher(Finisher):
    """Completes a document that begins with forms: their pages take their place, among the other pages."""

    def __init__(
        self, forms: Sequence[Form], numbered: Sequence[tuple[int, Page]], tell: Callable[[int], None]
    ) -> None:
        """`numbered`: all pages in their order; those that no form has follow the forms in the document."""
        self.forms, self.numbered, self.tell = forms, numbered, tell
        of_forms = {page.number for form in forms for page in form.pages}
        others = [page for number, page in numbered if number not in of_forms]
        super().__init__(
            [table for page in others for table in page.tables],
            before=sum(len(form.pages[0].page.tables) for form in forms),
        )

    def __call__(self, document: object, pdf: pydyf.PDF) -> None:
        super().__call__(document, pdf)
        pages = Pages(pdf)
        numbers = pdf.pages["Kids"][::3]
        sections = list(pages.document["K"])
        sides = sum(page.sides for _number, page in self.numbered) - sum(
            len(form.pages) for form in self.forms
        )
        if not len(numbers) == len(sections) == len(self.forms) + sides:
            raise UnknownDrawingError(numbers)
        stamps = {}
        for form, number, section in zip(self.forms, numbers, sections, strict=False):
            stamp = _Stamp(pdf, pages, form, pdf.objects[number], pdf.objects[int(section.split()[0])])
            stamps.update({page.number: (stamp, page) for page in form.pages})
        others = iter([*zip(numbers, sections, strict=True)][len(self.forms) :])
        kids, sects = pydyf.Array(), pydyf.Array()
        for number, page in self.numbered:
            if number in stamps:
                stamp, made = stamps[number]
                taken = [stamp.write(made)]
                if number < self.numbered[-1][0]:
                    self.tell(number)
            else:
                taken = [next(others) for _side in range(page.sides)]
            for kid, section in taken:
                kids.extend([kid, 0, "R"])
                sects.append(section)
        pdf.pages["Kids"], pdf.pages["Count"], pages.document["K"] = kids, len(sects), sects


class _Written(pydyf.Object):
    """An object of a PDF whose bytes are known."""

    written = b"null"

    @property
    def data(self) -> bytes:
        return self.written


@dataclass
class _Tag:
    """An element of a form, with the numbers of its content and the indexes of the elements below it."""

    begins: bytes
    parent: int
    content: list[int] = field(default_factory=list)
    kids: list[int] = field(default_factory=list)
    is_table: bool = False


class _Place(NamedTuple):
    """A slot as it is laid out: where its text begins, the letters it is written with, and its place in the content."""

    probe: Sample
    case: Sample
    number: int
    at: int


class _Picture(NamedTuple):
    """A square code as it is laid out: its box in pixels, the number of its content, and its place there."""

    box: Sequence[float]
    number: int
    at: int


class _Cell(NamedTuple):
    """A cell of a line: the number of its content, and what it is."""

    number: int
    is_head: bool
    is_in_head: bool


class _Layer(NamedTuple):
    """A layer as it is laid out, and its place in the content."""

    samples: Sequence[Sample]
    at: int


class _Stamp:
    """A form that is laid out, and writing its pages."""

    def __init__(
        self, pdf: pydyf.PDF, pages: Pages, form: Form, page: pydyf.Dictionary, section: pydyf.Dictionary
    ) -> None:
        if "Annots" in page:
            raise UnknownDrawingError(page)
        self._pdf, self._pages, self._form, self._page = pdf, pages, form, page
        self._document = pages.document.reference
        self._stream, _begins, _parents = pages.content(section)
        self._tables: dict[int, tuple[int, Table]] = {}  # its number on the page, and its cells, by index
        self._layers: dict[str, _Layer] = {}
        self._tags: list[_Tag] = []
        self._owners: dict[int, int] = {}  # index of the element by number of content
        self._places = self._find_places(section)
        self._pictures = self._find_pictures(section)
        self._find(section, -1)
        pages.forget_parents(page)
        cuts = sorted(
            [
                *(place.at for place in self._places),
                *(layer.at for layer in self._layers.values()),
                *(picture.at for picture in self._pictures),
            ]
        )
        items = [_bytes(each) for each in self._stream]
        self._fixed = {
            after: b"\n".join(filter(None, items[after + 1 : before]))
            for after, before in pairwise([-1, *cuts, len(items)])
        }

    # Reading what is laid out.

    def _find_places(self, section: pydyf.Dictionary) -> list[_Place]:
        links = iter([each for each in below(self._pdf, section) if each["S"] == LINK])
        cases: dict[str, Sample] = {}
        places = []
        for slot, letters in self._form.texts():
            link = next(links, None)
            if link is None:
                raise UnknownDrawingError(slot)
            probe, at = self._pages.take_out(link, PROBE)
            link["S"] = SPAN
            if letters:
                case = next(links, None)
                if case is None:
                    raise UnknownDrawingError(slot)
                cases[slot.style], there = self._pages.take_out(case, letters)
                self._stream[there] = cases[slot.style].colours
                parent = self._pdf.objects[int(case["P"].split()[0])]
                parent["K"].remove(case.reference)
            places.append(_Place(probe, cases[slot.style], link["K"][0], at))
        if next(links, None):
            raise UnknownDrawingError(section)
        return places

    def _find_pictures(self, section: pydyf.Dictionary) -> list[_Picture]:
        figures = [each for each in below(self._pdf, section) if each["S"] == FIGURE]
        pictures = []
        for code in self._form.pages[0].codes:
            if code.picture >= len(figures):
                raise UnknownDrawingError(code)
            figure = figures[code.picture]
            taken, at = self._pages.cut(figure)
            if not taken:
                raise UnknownDrawingError(code)
            pictures.append(_Picture(figure["A"]["BBox"], figure["K"][0], at))
        return pictures

    def _find(self, element: pydyf.Dictionary, parent: int) -> int:
        """Add an element and those below it; its index."""
        index = len(self._tags)
        is_table = element["S"] == MARKER
        table = self._read_table(element) if is_table else None
        attributes = [b"/%b %b" % (key.encode(), element[key].data) for key in ("A", "Alt") if key in element]
        tag = _Tag(b"<</Type/StructElem/S %b%b" % (element["S"].encode(), b"".join(attributes)), parent)
        self._tags.append(tag)
        if table:
            tag.is_table = True
            self._tables[index] = len(self._tables), table
            for cells in table.rows.values():
                for column, (cell, span, high) in cells.items():
                    cells[column] = (self._find(cell, index), span, high)
            return index
        for kid in element["K"]:
            if isinstance(kid, int):
                self._owners[kid] = index
                tag.content.append(kid)
            else:
                tag.kids.append(self._find(self._pdf.objects[int(kid.split()[0])], index))
        return index

    def _read_table(self, element: pydyf.Dictionary) -> Table:
        """The table of an <article>; the samples of its layers are taken out of the content."""
        described = self._form.pages[0].page.tables[len(self._tables)]
        table = Table(self._pdf, self._pages, element, described, with_layers_apart=True)
        table.read()
        for name, child in table.layers.items():
            lines = [text for row in children(self._pdf, child) for text in children(self._pdf, row)]
            if len(lines) != len(self._form.layers[name]):
                raise UnknownDrawingError(name)
            taken = list(map(self._pages.take_out, lines, self._form.layers[name]))
            self._layers[name] = _Layer([sample for sample, _at in taken], taken[0][1])
        return table

    @cached_property
    def _widths(self) -> dict[bytes, dict[int, float]]:
        """The widths of glyphs, in thousandths of their size, by font."""

        def found(reference: Any) -> Any:
            return self._pdf.objects[int(reference.split()[0])]

        widths: dict[bytes, dict[int, float]] = {}
        for name, reference in found(found(self._page["Resources"])["Font"]).items():
            (below_it,) = found(reference)["DescendantFonts"]
            listed = iter(found(below_it)["W"])
            widths[b"/" + name.encode()] = {
                first + index: width
                for first, those in zip(listed, listed, strict=True)
                for index, width in enumerate(those)
            }
        return widths

    # Writing.

    def write(self, page: FormPage) -> tuple[int, bytes]:
        """Write a page: its number, and the reference of its section."""
        made = pydyf.Dictionary(self._page)
        self._pdf.add_object(made)
        drawn, empty = self._write_slots(page.slots)
        for picture, code in zip(self._pictures, page.codes, strict=True):
            drawn[picture.at] = _drawn_code(picture, code)
        objects = [self._add() for _tag in self._tags]
        first = objects[0].number
        owners = [b"null"] * (max(self._owners) + 1)
        for number, index in self._owners.items():
            owners[number] = objects[index].reference
        parents = {index: objects[tag.parent].reference for index, tag in enumerate(self._tags)}
        parents[0] = self._document
        rows = {}
        for index, (number, table) in self._tables.items():
            cells = self._write_lines(page.page.tables[number], table, drawn, owners)
            rows[index] = self._write_rows(
                cells, page.page.tables[number].columns, objects[index], made, parents, first, owners
            )
        for index, (tag, each) in enumerate(zip(self._tags, objects, strict=True)):
            if index in empty:
                continue
            kids = (
                rows[index]
                if tag.is_table
                else [
                    *(b"%d" % number for number in tag.content),
                    *(b"%d 0 R" % (first + kid) for kid in tag.kids if kid not in empty),
                ]
            )
            each.written = b"%b/P %b/Pg %b/K[%b]>>" % (
                tag.begins,
                parents[index],
                made.reference,
                b" ".join(kids),
            )
        stream = pydyf.Stream(
            [self._fixed[-1], *(part for at in sorted(drawn) for part in (drawn[at], self._fixed[at]))]
        )
        self._pdf.add_object(stream)
        made["Contents"], made["StructParents"] = stream.reference, self._pages.add_parents(owners)
        return made.number, objects[0].reference

    def _add(self, written: bytes = b"null") -> _Written:
        each = _Written()
        each.written = written
        self._pdf.add_object(each)
        return each

    def _write_slots(self, slots: Sequence[Slot]) -> tuple[dict[int, bytes], set[int]]:
        """What is written by its place in the content; the elements of slots without a text."""
        drawn: dict[int, bytes] = {}
        empty: set[int] = set()
        moved = 0.0
        for place, slot, next_one in zip(self._places, slots, [*slots[1:], None], strict=True):
            is_followed = next_one is not None and next_one.side == "after"
            if not slot.text:
                empty.update(self._with_elements_around(self._owners[place.number]))
                drawn[place.at] = place.probe.colours
                continue
            begins = {"after": moved, "right": -self._longer(place, slot)}.get(slot.side, 0.0)
            moved = begins + self._longer(place, slot) if is_followed else 0.0
            drawn[place.at] = place.case.write_in(place.probe, slot.text, slot.size, place.number, begins)
        return drawn, empty

    def _with_elements_around(self, index: int) -> Iterator[int]:
        """An element with those above it that hold nothing else."""
        yield index
        above = self._tags[index].parent
        if not self._tags[above].content and self._tags[above].kids == [index]:
            yield from self._with_elements_around(above)

    def _longer(self, place: _Place, slot: Slot) -> float:
        """By how many pixels a text is longer than what was laid out in its place."""
        size = slot.size * PIXELS_A_POINT if slot.size else place.probe.size
        return (
            place.case.advance(slot.text, self._widths) * size
            - place.probe.advance(PROBE, self._widths) * place.probe.size
        ) / THOUSAND

    def _write_lines(
        self, described: TextTable, table: Table, drawn: dict[int, bytes], owners: list[bytes]
    ) -> Rows:
        """Write the lines of the layers; all cells of the table, the new ones as they are to be."""
        rows = {number: dict(cells) for number, cells in table.rows.items()}
        for part in described.layers:
            layer = self._layers[part.layer]
            written = []
            for index, line in enumerate(part.lines):
                if not line:
                    continue
                at, sample = next(
                    each for each in enumerate(layer.samples) if each[1].letters.issuperset(line)
                )
                written.append(sample.write(line, len(owners), (index - at) * part.apart))
                row = rows.setdefault(part.row + index, {})
                for cell in cells_of(line):
                    is_head = part.is_head or cell.column == described.named_by
                    row[cell.column] = (
                        _Cell(len(owners), is_head, part.row + index < table.head_rows),
                        cell.span,
                        1,
                    )
                    owners.append(b"null")
            drawn[layer.at] = b"\n".join(written) or layer.samples[0].colours
        return rows

    def _write_rows(
        self,
        cells: Rows,
        columns: int,
        table: _Written,
        page: pydyf.Dictionary,
        parents: dict[int, bytes],
        first: int,
        owners: list[bytes],
    ) -> list[bytes]:
        """Write the elements of a table's rows and new cells; the references of the rows."""
        rows = []
        on_page = b"/Pg %b" % page.reference
        for row in complete(cells, columns):
            made = self._add()
            below_it = b"/P %b%b" % (made.reference, on_page)
            kids = []
            for cell, span in row:
                if isinstance(cell, int):
                    parents[cell] = made.reference
                    kids.append(b"%d 0 R" % (first + cell))
                    continue
                wide = b"/ColSpan %d" % span if span > 1 else b""
                if cell is None:
                    attributes = b"/A<</O/Table%b>>" % wide if wide else b""
                    kids.append(
                        self._add(b"<</Type/StructElem/S/TD%b%b/K[]>>" % (attributes, below_it)).reference
                    )
                    continue
                scope = (b"/Scope/Column" if cell.is_in_head else b"/Scope/Row") if cell.is_head else b""
                attributes = b"/A<</O/Table%b%b>>" % (scope, wide) if scope or wide else b""
                kind = HEADER if cell.is_head else CELL
                each = self._add(
                    b"<</Type/StructElem/S%b%b%b/K[%d]>>" % (kind.encode(), attributes, below_it, cell.number)
                )
                owners[cell.number] = each.reference
                kids.append(each.reference)
            made.written = b"<</Type/StructElem/S/TR/P %b%b/K[%b]>>" % (
                table.reference,
                on_page,
                b" ".join(kids),
            )
            rows.append(made.reference)
        return rows


def _drawn_code(picture: _Picture, code: Code) -> bytes:
    """The operators of a square code: a stroke for each dark part of a row."""
    left, top, right, _bottom = picture.box
    module = (right - left) / code.modules
    strokes, across, down = [], 0.0, 0.0
    for command, first, second in _PATH.findall(code.path):
        if command == "h":
            strokes.append(b"%g %g m %g %g l" % (across, down, across + float(first), down))
            across += float(first)
        else:
            begins = (across, down) if command == "m" else (0.0, 0.0)
            across, down = begins[0] + float(first), begins[1] + float(second)
    return b"/Figure <</MCID %d>> BDC\nq %f 0 0 %f %f %f cm 0 0 0 RG 1 w\n%b\nS Q\nEMC" % (
        picture.number,
        module,
        module,
        left,
        top,
        b"\n".join(strokes),
    )


def _bytes(item: Any) -> bytes:
    """An operator of a page's content, or a part of one."""
    if isinstance(item, bytes):
        return item
    return item.data if isinstance(item, pydyf.Object) else str(item).encode()
