"""The structure of a PDF for screen readers (PDF/UA): what WeasyPrint's tags lack, tables of text lines, several files.

WeasyPrint tags each box by its HTML element. Corrected here, on its objects before they are written: header cells get
their scope, pictures without a description become artifacts, and the lines of text of an <article> become the rows
of its page's `TextTable`. `append` puts the pages of one file behind those of another with their tags.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pikepdf
import pydyf

from core.pdf.forms import Sample, UnknownDrawingError, cells_of, samples_of
from core.pdf.page import Head, Line, Pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.pdf.page import Lines, TextTable

HEADER, CELL = "/TH", "/TD"
# A text table is an element that no sheet has otherwise.
MARKER = "/Art"
_GLYPHS = re.compile(rb"<([0-9a-f]*)>|([^<>\[\]]+)")
_GLYPH = 4  # hexadecimal digits


# The cells of a table by row and column, each with how many columns and rows it spans.
Rows = dict[int, dict[int, tuple[Any, int, int]]]


class Finisher:
    """Completes the tags of a document whose last <article> elements are these tables, in their order."""

    def __init__(self, tables: Sequence[TextTable], before: int = 0) -> None:
        """`before`: how many <article> elements come before them, which are left as they are."""
        self.tables, self.before = tables, before

    def __call__(self, _document: object, pdf: pydyf.PDF) -> None:
        elements = [
            each
            for each in pdf.objects
            if isinstance(each, pydyf.Dictionary) and each.get("Type") == "/StructElem"
        ]
        pages = Pages(pdf)
        in_the_tree = {each.number for each in below(pdf, pages.document)}
        for element in elements:
            # Pictures without a description, and numbers of pages in their margins, which WeasyPrint puts nowhere.
            says_nothing = element["S"] == "/Figure" and not element.get("Alt")
            if says_nothing or element.number not in in_the_tree:
                pages.make_artifact(element)
        marked = [element for element in elements if element["S"] == MARKER]
        for element, table in zip(marked[self.before :], self.tables, strict=True):
            Table(pdf, pages, element, table).build()
        for row in [element for element in elements if element["S"] == "/TR"]:
            _scope(pdf, row)


def _scope(pdf: pydyf.PDF, row: pydyf.Dictionary) -> None:
    """Set the scope of each header cell of an HTML table: its column, or its row where that has other cells.

    WeasyPrint names its headers in each cell; PDF wants a tree of these names then, which it does not write.
    """
    cells = [cell for cell in children(pdf, row) if cell["S"] in (HEADER, CELL)]
    has_data = any(cell["S"] == CELL for cell in cells)
    for cell in cells:
        attributes = cell.setdefault("A", pydyf.Dictionary({"O": "/Table"}))
        cell.pop("ID", None)
        attributes.pop("Headers", None)
        if cell["S"] == HEADER:
            attributes["Scope"] = "/Row" if has_data else "/Column"


def children(pdf: pydyf.PDF, element: pydyf.Dictionary) -> list[pydyf.Dictionary]:
    found = (pdf.objects[int(kid.split()[0])] for kid in element["K"] if isinstance(kid, bytes))
    return [each for each in found if "S" in each]


def below(pdf: pydyf.PDF, element: pydyf.Dictionary) -> Iterator[pydyf.Dictionary]:
    """An element and all that are below it."""
    yield element
    for child in children(pdf, element):
        yield from below(pdf, child)


class Pages:
    """The content of a file's pages, by marked content."""

    def __init__(self, pdf: pydyf.PDF) -> None:
        self._pdf = pdf
        self._tree = pdf.objects[int(pdf.catalog["StructTreeRoot"].split()[0])]
        self._nums = pdf.objects[int(self._tree["ParentTree"].split()[0])]["Nums"]
        self.document = pdf.objects[int(self._tree["K"][0].split()[0])]
        self._begins: dict[int, dict[int, int]] = {}

    def content(self, element: pydyf.Dictionary) -> tuple[list[Any], dict[int, int], pydyf.Array]:
        """(operators, where each marked content begins in them, elements by marked content) of an element's page."""
        page = self._pdf.objects[int(element["Pg"].split()[0])]
        stream = self._pdf.objects[int(page["Contents"].split()[0])].stream
        number = page["StructParents"]
        if number not in self._begins:
            self._begins[number] = {
                each["MCID"]: index for index, each in enumerate(stream) if isinstance(each, pydyf.Dictionary)
            }
        return stream, self._begins[number], self._nums[2 * number + 1]

    def add_parents(self, elements: Sequence[bytes]) -> int:
        """The number of a new page, of whose marked content these are the elements, by reference."""
        number = int(self._nums[-2]) + 1
        self._nums.extend([number, b"[%b]" % b" ".join(elements)])
        return number

    def forget_parents(self, page: pydyf.Dictionary) -> None:
        """Leave out the elements of a page that is not to be in the file."""
        self._nums[2 * page["StructParents"] + 1] = pydyf.Array()

    def make_artifact(self, element: pydyf.Dictionary) -> None:
        """Take an element out of what is read aloud."""
        stream, begins, parents = self.content(element)
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
        stream, begins, parents = self.content(element)
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
        stream, begins, parents = self.content(elements[0])
        drawn = []
        for element, text in zip(elements, samples, strict=True):
            drawn.append(self.take_out(element, text)[0])
            parents[element["K"][0]] = b"null"
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

    def take_out(self, element: pydyf.Dictionary, text: str) -> tuple[Sample, int]:
        """Take the text of an element from its page; it as a sample, and where it was. Raises UnknownDrawingError."""
        taken, at = self.cut(element)
        return Sample(text, taken), at

    def cut(self, element: pydyf.Dictionary) -> tuple[list[Any], int]:
        """Take the content of an element from its page; its operators, and where they were."""
        stream, begins, _parents = self.content(element)
        if len(element["K"]) != 1 or element["K"][0] not in begins:
            raise UnknownDrawingError(element)
        at = begins[element["K"][0]]
        end = stream.index(b"EMC", at)
        taken = stream[at + 2 : end]
        stream[at - 1 : end + 1] = [b""] * (end + 2 - at)
        return taken, at

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


class Table:
    """An <article> on its way to a table."""

    def __init__(
        self,
        pdf: pydyf.PDF,
        pages: Pages,
        element: pydyf.Dictionary,
        table: TextTable,
        *,
        with_layers_apart: bool = False,
    ) -> None:
        """`with_layers_apart`: layers are left as they are, and gathered in `layers`."""
        self._pdf, self._pages, self._element, self._table = pdf, pages, element, table
        self._with_layers_apart = with_layers_apart
        self.rows: Rows = {}
        self.layers: dict[str, pydyf.Dictionary] = {}
        self.head_rows = 0

    def build(self) -> None:
        self.read()
        self._write()

    def read(self) -> None:
        """Gather the cells of all parts but layers without lines to lay out."""
        self._element["S"] = "/Table"
        for child, part in zip(children(self._pdf, self._element), self._table.parts, strict=True):
            if isinstance(part, Head):
                self.head_rows = max(self.head_rows, part.row + part.rows)
                self._put(part.row, part.column, child, part.span, part.rows, is_head=True)
            elif isinstance(part, Pieces):
                self._read(child, part.row, part.pieces, is_head=part.is_head)
            elif part.layer and self._with_layers_apart:
                self.layers[part.layer] = child
            elif len(samples := samples_of(part)) < len(part.lines):
                self._stamp(child, part, samples)
            else:
                for index, (row, line) in enumerate(
                    zip(children(self._pdf, child), part.lines, strict=True), start=part.row
                ):
                    self._read(row, index, [line] if line else [], is_head=part.is_head)

    def _stamp(self, element: pydyf.Dictionary, part: Lines, samples: Sequence[str]) -> None:
        """The lines that are written from the samples in an element become rows."""
        texts = [text for row in children(self._pdf, element) for text in children(self._pdf, row)]
        made = self._pages.stamp(texts, samples, part.lines, part.apart)
        for row, (line, elements) in enumerate(zip(part.lines, made, strict=True), start=part.row):
            for cell, each in zip(cells_of(line), elements, strict=False):
                self._put(row, cell.column, each, cell.span, is_head=part.is_head)

    def _read(
        self, element: pydyf.Dictionary, row: int, pieces: Sequence[str | int | tuple[str]], *, is_head: bool
    ) -> None:
        """The pieces of an element that is a row become cells."""
        if is_head:
            self.head_rows = max(self.head_rows, row + 1)
        for child, piece in zip(children(self._pdf, element), pieces, strict=True):
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
            attributes["Scope"] = "/Column" if row < self.head_rows else "/Row"
        if span > 1:
            attributes["ColSpan"] = span
        if rows > 1:
            attributes["RowSpan"] = rows
        if len(attributes) > 1:
            element["A"] = attributes
        self.rows.setdefault(row, {})[column] = element, span, rows

    def _write(self) -> None:
        self._element["K"] = pydyf.Array([])
        for row in complete(self.rows, self._table.columns):
            made = self._new("/TR", self._element)
            for cell, span in row:
                element = cell or self._new(CELL, made)
                if not cell and span > 1:
                    element["A"] = pydyf.Dictionary({"O": "/Table", "ColSpan": span})
                element["P"] = made.reference
                made["K"].append(element.reference)
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


def complete(rows: Rows, columns: int) -> Iterator[list[tuple[Any, int]]]:
    """The cells of each row with their spans; None is an empty cell, across the columns that a row has nothing in."""
    from_above: dict[int, set[int]] = {}
    for number, cells in sorted(rows.items()):
        taken = from_above.get(number, set())
        row: list[tuple[Any, int]] = []
        column = 0
        while column < columns:
            if column in taken:
                column += 1
                continue
            if column in cells:
                element, span, high = cells[column]
                for lower in range(number + 1, number + high):
                    from_above.setdefault(lower, set()).update(range(column, column + span))
            else:
                element, span = None, 1
                while column + span < columns and column + span not in cells and column + span not in taken:
                    span += 1
            row.append((element, span))
            column += span
        yield row


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
