"""The structure of a PDF for screen readers (PDF/UA): what WeasyPrint's tags lack, tables of text lines, several files.

WeasyPrint tags each box by its HTML element. Corrected here, on its objects before they are written: header cells get
their scope, pictures without a description become artifacts, and the lines of text of an <article> become the rows
of its page's `TextTable`. `append` puts the pages of one file behind those of another with their tags.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pikepdf
import pydyf

from core.pdf.stamping import Sample, cells_of, samples_of
from core.pdf.text_tables import Head, Line, Pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.pdf.text_tables import Lines, TextTable

HEADER, CELL = "/TH", "/TD"
# A text table is an element that no sheet has otherwise.
MARKER = "/Art"
_GLYPHS = re.compile(rb"<([0-9a-f]*)>|([^<>\[\]]+)")
_GLYPH = 4  # hexadecimal digits


@dataclass
class _Row:
    cells: dict[int, tuple[pydyf.Dictionary, int, int]] = field(default_factory=dict)


class Finisher:
    """Completes the tags of a document whose <article> elements are these tables, in their order."""

    def __init__(self, tables: Sequence[TextTable]) -> None:
        self.tables = tables

    def __call__(self, _document: object, pdf: pydyf.PDF) -> None:
        elements = [
            each
            for each in pdf.objects
            if isinstance(each, pydyf.Dictionary) and each.get("Type") == "/StructElem"
        ]
        pages = _Pages(pdf)
        in_the_tree = {each.number for each in _below(pdf, pages.document)}
        for element in elements:
            # Pictures without a description, and numbers of pages in their margins, which WeasyPrint puts nowhere.
            says_nothing = element["S"] == "/Figure" and not element.get("Alt")
            if says_nothing or element.number not in in_the_tree:
                pages.make_artifact(element)
        marked = [element for element in elements if element["S"] == MARKER]
        for element, table in zip(marked, self.tables, strict=True):
            _Table(pdf, pages, element, table).build()
        for row in [element for element in elements if element["S"] == "/TR"]:
            _scope(pdf, row)


def _scope(pdf: pydyf.PDF, row: pydyf.Dictionary) -> None:
    """Set the scope of each header cell of an HTML table: its column, or its row where that has other cells.

    WeasyPrint names its headers in each cell; PDF wants a tree of these names then, which it does not write.
    """
    cells = [cell for cell in _children(pdf, row) if cell["S"] in (HEADER, CELL)]
    has_data = any(cell["S"] == CELL for cell in cells)
    for cell in cells:
        attributes = cell.setdefault("A", pydyf.Dictionary({"O": "/Table"}))
        cell.pop("ID", None)
        attributes.pop("Headers", None)
        if cell["S"] == HEADER:
            attributes["Scope"] = "/Row" if has_data else "/Column"


def _children(pdf: pydyf.PDF, element: pydyf.Dictionary) -> list[pydyf.Dictionary]:
    found = (pdf.objects[int(kid.split()[0])] for kid in element["K"] if isinstance(kid, bytes))
    return [each for each in found if "S" in each]


def _below(pdf: pydyf.PDF, element: pydyf.Dictionary) -> Iterator[pydyf.Dictionary]:
    """An element and all that are below it."""
    yield element
    for child in _children(pdf, element):
        yield from _below(pdf, child)


class _Pages:
    """The content of a file's pages, by marked content."""

    def __init__(self, pdf: pydyf.PDF) -> None:
        self._pdf = pdf
        self._tree = pdf.objects[int(pdf.catalog["StructTreeRoot"].split()[0])]
        self._nums = pdf.objects[int(self._tree["ParentTree"].split()[0])]["Nums"]
        self.document = pdf.objects[int(self._tree["K"][0].split()[0])]
        self._begins: dict[int, dict[int, int]] = {}

    def _content(self, element: pydyf.Dictionary) -> tuple[list[Any], dict[int, int], pydyf.Array]:
        """(operators, where each marked content begins in them, elements by marked content) of an element's page."""
        page = self._pdf.objects[int(element["Pg"].split()[0])]
        stream = self._pdf.objects[int(page["Contents"].split()[0])].stream
        number = page["StructParents"]
        if number not in self._begins:
            self._begins[number] = {
                each["MCID"]: index for index, each in enumerate(stream) if isinstance(each, pydyf.Dictionary)
            }
        return stream, self._begins[number], self._nums[2 * number + 1]

    def make_artifact(self, element: pydyf.Dictionary) -> None:
        """Take an element out of what is read aloud."""
        stream, begins, parents = self._content(element)
        for number in [kid for kid in element["K"] if isinstance(kid, int)]:
            at = begins[number]
            stream[at - 1 : at + 2] = [b"/Artifact", b"", b"BMC"]
            parents[number] = b"null"
        parent = self._pdf.objects[int(element["P"].split()[0])]
        if element.reference in parent["K"]:
            parent["K"].remove(element.reference)

    def split(self, element: pydyf.Dictionary, line: Line) -> list[pydyf.Dictionary]:
        """An element for each cell of a line of text, the first of them this one; none where its glyphs are not known.

        Each character of such a line is one glyph; where it is not (a letter with an accent of its own, a script that
        joins its letters), the line is left as it is.
        """
        stream, begins, parents = self._content(element)
        (number,) = element["K"]
        at = begins[number] + 2
        end = stream.index(b"EMC", at)
        shown = [index for index in range(at, end) if _is_shown(stream[index])]
        if sum(_count(stream[index]) for index in shown) != len(line):
            return []
        elements = [element]
        bounds = [cell.end for cell in line.cells[:-1]]
        done = 0
        for index in shown:
            parts: list[bytes] = []
            run = b""
            for digits, other in _GLYPHS.findall(stream[index]):
                if other:
                    run += b"" if other.strip() == b"TJ" else b" " + other
                    continue
                glyphs = [digits[start : start + _GLYPH] for start in range(0, len(digits), _GLYPH)]
                for glyph in glyphs:
                    if bounds and done == bounds[0]:
                        bounds.pop(0)
                        elements.append(self._new_cell(element, len(parents)))
                        parents.append(elements[-1].reference)
                        parts.append(b"[" + run + b"] TJ EMC /Span <</MCID %d>> BDC" % (len(parents) - 1))
                        run = b""
                    run += b"<" + glyph + b">"
                    done += 1
            stream[index] = b" ".join([*parts, b"[" + run + b"] TJ"]).replace(b"><", b"")
        return elements

    def stamp(
        self, elements: Sequence[pydyf.Dictionary], samples: Sequence[str], lines: Sequence[str], apart: float
    ) -> list[list[pydyf.Dictionary]]:
        """Write lines `apart` millimetres in place of the samples in these elements; the cells of each line."""
        stream, begins, parents = self._content(elements[0])
        drawn = []
        for element, text in zip(elements, samples, strict=True):
            (number,) = element["K"]
            at = begins[number]
            end = stream.index(b"EMC", at)
            drawn.append(Sample(text, stream[at + 2 : end]))
            stream[at - 1 : end + 1] = [b""] * (end + 2 - at)
            parents[number] = b"null"
        written, found = [], []
        for place, line in enumerate(lines):
            cells: list[pydyf.Dictionary] = []
            if line:
                index = next(index for index, each in enumerate(drawn) if each.letters.issuperset(line))
                written.append(drawn[index].write(line, len(parents), (place - index) * apart))
                for _cell in cells_of(line):
                    cells.append(self._new_cell(elements[0], len(parents)))
                    parents.append(cells[-1].reference)
            found.append(cells)
        stream[begins[elements[0]["K"][0]]] = b"\n".join(written)
        return found

    def _new_cell(self, like: pydyf.Dictionary, number: int) -> pydyf.Dictionary:
        element = pydyf.Dictionary(
            {"Type": "/StructElem", "S": CELL, "K": pydyf.Array([number]), "Pg": like["Pg"], "P": like["P"]}
        )
        self._pdf.add_object(element)
        return element


def _is_shown(operator: Any) -> bool:
    return isinstance(operator, bytes) and operator.endswith(b"TJ")


def _count(operator: bytes) -> int:
    return sum(len(digits) for digits, _other in _GLYPHS.findall(operator)) // _GLYPH


class _Table:
    """An <article> on its way to a table."""

    def __init__(self, pdf: pydyf.PDF, pages: _Pages, element: pydyf.Dictionary, table: TextTable) -> None:
        self._pdf, self._pages, self._element, self._table = pdf, pages, element, table
        self._rows: dict[int, _Row] = {}
        self._head_rows = 0

    def build(self) -> None:
        self._element["S"] = "/Table"
        for child, part in zip(_children(self._pdf, self._element), self._table.parts, strict=True):
            if isinstance(part, Head):
                self._head_rows = max(self._head_rows, part.row + part.rows)
                self._put(part.row, part.column, child, part.span, part.rows, is_head=True)
            elif isinstance(part, Pieces):
                self._read(child, part.row, part.pieces, is_head=part.is_head)
            elif len(samples := samples_of(part)) < len(part.lines):
                self._stamp(child, part, samples)
            else:
                for index, (row, line) in enumerate(
                    zip(_children(self._pdf, child), part.lines, strict=True), start=part.row
                ):
                    self._read(row, index, [line] if line else [], is_head=part.is_head)
        self._write()

    def _stamp(self, element: pydyf.Dictionary, part: Lines, samples: Sequence[str]) -> None:
        """The lines that are written from the samples in an element become rows."""
        texts = [text for row in _children(self._pdf, element) for text in _children(self._pdf, row)]
        made = self._pages.stamp(texts, samples, part.lines, part.apart)
        for row, (line, elements) in enumerate(zip(part.lines, made, strict=True), start=part.row):
            for cell, each in zip(cells_of(line), elements, strict=False):
                self._put(row, cell.column, each, cell.span, is_head=part.is_head)

    def _read(
        self, element: pydyf.Dictionary, row: int, pieces: Sequence[str | int | tuple[str]], *, is_head: bool
    ) -> None:
        """The pieces of an element that is a row become cells."""
        if is_head:
            self._head_rows = max(self._head_rows, row + 1)
        for child, piece in zip(_children(self._pdf, element), pieces, strict=True):
            if isinstance(piece, int):
                self._put(row, piece, child, is_head=is_head)
                continue
            if isinstance(piece, tuple):
                self._read(child, row, piece, is_head=is_head)
                continue
            cells = cells_of(piece)
            split = self._pages.split(child, piece) if isinstance(piece, Line) and len(cells) > 1 else []
            for each, cell in zip(split or [child], cells, strict=False):
                self._put(row, cell.column, each, cell.span, is_head=is_head)

    def _put(
        self,
        row: int,
        column: int,
        element: pydyf.Dictionary,
        span: int = 1,
        rows: int = 1,
        *,
        is_head: bool,
    ) -> None:
        is_head = is_head or column == self._table.named_by
        element["S"] = HEADER if is_head else CELL
        attributes = pydyf.Dictionary({"O": "/Table"})
        if is_head:
            attributes["Scope"] = "/Column" if row < self._head_rows else "/Row"
        if span > 1:
            attributes["ColSpan"] = span
        if rows > 1:
            attributes["RowSpan"] = rows
        if len(attributes) > 1:
            element["A"] = attributes
        self._rows.setdefault(row, _Row()).cells[column] = element, span, rows

    def _write(self) -> None:
        """The rows, complete: an empty cell spans the columns that a row has nothing in."""
        self._element["K"] = pydyf.Array([])
        from_above: dict[int, set[int]] = {}
        for number, row in sorted(self._rows.items()):
            made = self._new("/TR", self._element)
            taken = from_above.get(number, set())
            column = 0
            while column < self._table.columns:
                if column in taken:
                    column += 1
                    continue
                if column in row.cells:
                    element, span, rows = row.cells[column]
                    for below in range(number + 1, number + rows):
                        from_above.setdefault(below, set()).update(range(column, column + span))
                else:
                    span = 1
                    while (
                        column + span < self._table.columns
                        and column + span not in row.cells
                        and column + span not in taken
                    ):
                        span += 1
                    element = self._new(CELL, made)
                    if span > 1:
                        element["A"] = pydyf.Dictionary({"O": "/Table", "ColSpan": span})
                element["P"] = made.reference
                made["K"].append(element.reference)
                column += span
            self._element["K"].append(made.reference)

    def _new(self, kind: str, parent: pydyf.Dictionary) -> pydyf.Dictionary:
        element = pydyf.Dictionary(
            {
                "Type": "/StructElem",
                "S": kind,
                "K": pydyf.Array([]),
                "Pg": self._element["Pg"],
                "P": parent.reference,
            }
        )
        self._pdf.add_object(element)
        return element


def append(whole: pikepdf.Pdf, part: pikepdf.Pdf) -> None:
    """Put the pages of one tagged file behind those of another, with what is read aloud of them."""
    begins = len(whole.pages)
    whole.pages.extend(part.pages)
    ours = whole.Root.StructTreeRoot
    theirs = whole.copy_foreign(part.Root.StructTreeRoot)
    document, added = ours.K[0], theirs.K[0]
    for kid in added.K:
        kid.P = document
        document.K.append(kid)
    numbers = ours.ParentTree.Nums
    first = int(numbers[-2]) + 1 if len(numbers) else 0
    for page in whole.pages[begins:]:
        page.StructParents += first
        for annotation in page.get("/Annots", []):
            if "/StructParent" in annotation:
                annotation.StructParent += first
    for index, entry in enumerate(theirs.ParentTree.Nums):
        numbers.append(entry if index % 2 else int(entry) + first)
