"""A PDF as a screen reader finds it: its elements, which text is in which, and what PDF/UA misses."""

import re

import pikepdf

CODES = re.compile(r"<([0-9a-f]{4})> <([0-9a-f]+)>")


class Tagged:
    """A file as it is read aloud: its elements, and which text is in which."""

    def __init__(self, path):
        self.file = pikepdf.open(path)
        self.untagged = []
        self.in_tree = set()  # objgen of each element that is known to be below the root
        self.kids = {}  # objgen of each element: those of the elements in it
        self.letters = {}  # objgen of each font
        # Content by what has it: a page, or a form on the sides of a booklet that is folded.
        self.parts = [part for page in self.file.pages for part in (page.obj, *self._forms_of(page))]
        self.texts = {part.objgen: self._texts_of(part) for part in self.parts}
        self.root = self.file.Root.StructTreeRoot.K[0]

    @staticmethod
    def _forms_of(page):
        """The forms on a page with marked content of their own."""
        forms = page.obj.get("/Resources", {}).get("/XObject", {}).values()
        return [form for form in forms if "/StructParents" in form]

    def _texts_of(self, page):
        """The text of each marked content of a page or form."""
        letters = {name: self._letters_of(font) for name, font in page.Resources.get("/Font", {}).items()}
        texts, number, font, depth = {}, None, "", 0
        for operands, operator in pikepdf.parse_content_stream(page):
            match str(operator):
                case "BDC":
                    number, depth = int(operands[1].MCID), depth + 1
                    assert number not in texts
                    texts[number] = ""
                case "BMC":
                    number, depth = None, depth + 1
                case "EMC":
                    number, depth = None, depth - 1
                case "Tf":
                    font = str(operands[0])
                case "TJ":
                    codes = b"".join(
                        bytes(each) for each in operands[0] if isinstance(each, pikepdf.String)
                    ).hex()
                    text = "".join(
                        letters[font].get(codes[at : at + 4], "?") for at in range(0, len(codes), 4)
                    )
                    if number is not None:
                        texts[number] += text
                    elif depth == 0:
                        self.untagged.append(text)
        assert depth == 0
        return texts

    def _letters_of(self, font):
        """The letters of a font by its codes; read once, for many pages have the same."""
        if font.objgen not in self.letters:
            self.letters[font.objgen] = {
                code: bytes.fromhex(text).decode("utf-16-be")
                for code, text in CODES.findall(font.ToUnicode.read_bytes().decode())
            }
        return self.letters[font.objgen]

    def all(self, kind, root=None):
        """The elements of a kind below one, in their order."""
        for kid in (self.root if root is None else root).K:
            if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
                if str(kid.S) == kind:
                    yield kid
                else:
                    yield from self.all(kind, kid)

    def text(self, element):
        told = ""
        for kid in element.K:
            if isinstance(kid, int):
                told += self.texts[element.Pg.objgen][kid]
            elif "/MCID" in kid:
                told += self.texts[kid.get("/Stm", kid.Pg).objgen][int(kid.MCID)]
            elif "/S" in kid:
                told += " " + self.text(kid)
        return " ".join(told.split())

    def table(self, element):
        """The texts of a table by row, each cell as often as it is wide and high; whether it is a head."""
        rows, below = [], {}
        for index, row in enumerate(self.all("/TR", element)):
            cells, column = [], 0
            for cell in row.K:
                while (index, column) in below:
                    cells.append(below[index, column])
                    column += 1
                told = (self.text(cell), cell.S == "/TH")
                attributes = cell.get("/A", {})
                for _again in range(int(attributes.get("/ColSpan", 1))):
                    for down in range(1, int(attributes.get("/RowSpan", 1))):
                        below[index + down, column] = told
                    cells.append(told)
                    column += 1
            rows.append(cells)
        return rows

    def faults(self):
        """What PDF/UA-1 asks of every file, and is not so here."""
        figures = [("no alternative", each) for each in self.all("/Figure") if not str(each.get("/Alt", ""))]
        return self._faults_of_file() + self._faults_of_content() + figures + self._faults_of_tables()

    def _faults_of_file(self):
        root, found = self.file.Root, []
        with self.file.open_metadata() as meta:
            marks = {key: meta.get(key) for key in ("pdfuaid:part", "dc:title")}
        if marks["pdfuaid:part"] != "1" or not marks["dc:title"]:
            found.append(("metadata", marks))
        if not root.MarkInfo.Marked or not root.ViewerPreferences.DisplayDocTitle or not str(root.Lang):
            found.append("catalog")
        return found

    def _faults_of_content(self):
        root = self.file.Root
        found = [("not tagged", text) for text in self.untagged if text.strip()]
        parents = dict(zip(*[iter(root.StructTreeRoot.ParentTree.Nums)] * 2, strict=True))
        parts = [part for part in self.parts if self.texts[part.objgen] or "/StructParents" in part]
        if len({int(part.StructParents) for part in parts}) != len(parts):
            found.append("pages share their parents")
        for part in parts:
            for number, text in self.texts[part.objgen].items():
                parent = parents[part.StructParents][number]
                if (part.objgen, number) not in self._content_of(parent):
                    found.append(("not in its parent", text))
                elif not self._is_below_the_root(parent):
                    found.append(("out of the tree", text))
        return found

    def _content_of(self, element):
        """The marked content of an element: what has it, and its number there."""
        for kid in element.K:
            if isinstance(kid, int):
                yield element.Pg.objgen, kid
            elif "/MCID" in kid:
                yield kid.get("/Stm", kid.Pg).objgen, int(kid.MCID)

    def _faults_of_tables(self):
        found = []
        for table in self.all("/Table"):
            rows = self.table(table)
            if len({len(row) for row in rows}) != 1:
                found.append(("rows of unlike length", rows))
            heads = list(self.all("/TH", table))
            if not heads or any("/Scope" not in cell.A for cell in heads):
                found.append(("heads", rows[0]))
        return found

    def _is_below_the_root(self, element):
        """Walk up by /P; each parent's kids are read once, since a page has a thousand texts in few parents."""
        if element.objgen == self.root.objgen or element.objgen in self.in_tree:
            return True
        parent = element.P
        if parent.objgen not in self.kids:
            self.kids[parent.objgen] = {kid.objgen for kid in parent.K if isinstance(kid, pikepdf.Dictionary)}
        if element.objgen not in self.kids[parent.objgen] or not self._is_below_the_root(parent):
            return False
        self.in_tree.add(element.objgen)
        return True
