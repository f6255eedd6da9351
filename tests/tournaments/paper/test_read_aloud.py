"""What a screen reader finds in a PDF (PDF/UA): its tags, read out of the file."""

import re
from types import SimpleNamespace

import pikepdf
import pytest
from django.utils import timezone, translation

from tests.factories import first_round, first_table, make_tournament, play_out
from tests.languages import LANGUAGES
from tournaments.ledger.scoresheet import score_sheet
from tournaments.models import Deal, Table, Tournament
from tournaments.paper import pdf
from tournaments.paper.evening_deals import deal_pages
from tournaments.paper.kinds import KINDS, Order
from tournaments.paper.pages import Occasion
from tournaments.paper.score import filled_pages
from tournaments.standings.players import standings
from tournaments.words.terms import signed

pytestmark = pytest.mark.django_db

OF_ANY_TOURNAMENT = [code for code, kind in KINDS.items() if kind.suits(Tournament())]
CODES = re.compile(r"<([0-9a-f]{4})> <([0-9a-f]+)>")


class Tagged:
    """A file as it is read aloud: its elements, and which text is in which."""

    def __init__(self, path):
        self.file = pikepdf.open(path)
        self.untagged = []
        self.texts = {page.objgen: self._texts_of(page) for page in self.file.pages}
        self.root = self.file.Root.StructTreeRoot.K[0]

    def _texts_of(self, page):
        """The text of each marked content of a page."""
        letters = {
            name: {
                code: bytes.fromhex(text).decode("utf-16-be")
                for code, text in CODES.findall(font.ToUnicode.read_bytes().decode())
            }
            for name, font in page.Resources.Font.items()
        }
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
        if len({int(page.StructParents) for page in self.file.pages}) != len(self.file.pages):
            found.append("pages share their parents")
        for page in self.file.pages:
            for number, text in self.texts[page.objgen].items():
                parent = parents[page.StructParents][number]
                if number not in list(parent.K) or parent.Pg.objgen != page.objgen:
                    found.append(("not in its parent", text))
                elif not self._is_below_the_root(parent):
                    found.append(("out of the tree", text))
        return found

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
        while element.objgen != self.root.objgen:
            if not any(
                isinstance(kid, pikepdf.Dictionary) and kid.objgen == element.objgen for kid in element.P.K
            ):
                return False
            element = element.P
        return True


@pytest.fixture
def tagged(tmp_path):
    def write(pages, title="A title"):
        pdf.write(pages, title, tmp_path / "x.pdf")
        return Tagged(tmp_path / "x.pdf")

    return write


@pytest.fixture
def played(alice):
    """Eleven players, played out but for the first deal of each table."""
    tournament = make_tournament(11, 2, account=alice)
    for table in Table.objects.filter(round=first_round(tournament)):
        play_out(table)
    Deal.objects.filter(number=1).delete()
    tournament.refresh_from_db()
    return tournament


@pytest.mark.parametrize("kind", OF_ANY_TOURNAMENT)
def test_every_sheet_is_read_aloud(played, tagged, kind):
    order = Order(first_round(played), "http://192.168.1.24:8000", timezone.now())
    assert tagged(KINDS[kind].pages(order)).faults() == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_score_sheet_is_a_table_with_a_row_for_each_deal(alice, tagged, language):
    """Its lines are texts across all columns, in three layers: every cell is found in its row and its column."""
    table = first_table(make_tournament(players=4, deals_per_round=44, account=alice))
    play_out(table)
    Deal.objects.filter(table=table, number__in=(1, 23)).delete()
    with translation.override(language):
        pages = filled_pages(table, Occasion(table.round, timezone.now()))
        file, sheet = tagged(pages), score_sheet(table)
    assert file.faults() == []
    first, second = (file.table(each) for each in file.all("/Table"))
    for rows, lines in ((first[2:-1], sheet.lines[:22]), (second[3:-1], sheet.lines[22:])):
        for row, line in zip(rows, lines, strict=True):
            amounts = [signed(each) for pair in zip(line.tokens, line.running, strict=True) for each in pair]
            if line.sits_out is not None and line.reported:
                amounts[2 * line.sits_out] = ""
            declarer = "ABCD"[line.declarer] if line.reported else ""
            assert row[0] == (str(line.number), True)
            assert [text for text, _head in row[1:4]] == [
                "ABCD"[line.dealer],
                "ABCD"[line.sits_out],
                declarer,
            ]
            assert [text for text, _head in row[4:7]] == [line.contract, line.trump, line.result]
            assert [text for text, _head in row[8:]] == (amounts or [""] * 8)
    assert all(head for row in first[:2] for _text, head in row)


def test_standings_are_a_table_with_a_row_for_each_player(played, tagged):
    order = Order(first_round(played), "http://192.168.1.24:8000", timezone.now())
    file = tagged(KINDS["standings"].pages(order))
    heads, *rows = file.table(next(file.all("/Table")))
    at = [text for text, _head in heads].index("Total")
    assert [(row[1][0], row[2], row[at][0]) for row in rows] == [
        (str(row.number), (row.name, True), signed(row.total)) for row in standings(played).rows
    ]


def test_every_deal_of_an_evening_is_a_row_of_a_table(played, tagged):
    deals = [SimpleNamespace(round=1, number=n, what="Solo", tokens=n, sum=-n) for n in range(1, 8)]
    common = {"occasion": {"printed_at": timezone.now(), "date": played.date}, "name": "Anna", "size": 9}
    file = tagged(deal_pages(deals, common))
    assert file.faults() == []
    tables = [file.table(each) for each in file.all("/Table")]
    assert [[text for text, _head in row] for table in tables for row in table[1:]] == [
        ["1", str(n), "Solo", f"+{n}", f"−{n}"] for n in range(1, 8)
    ]


def test_files_of_many_parts_are_read_aloud_from_end_to_end(alice, tagged):
    """Five pages are laid out at a time: what each part says of its own pages is true of the whole file."""
    table = first_table(make_tournament(players=4, deals_per_round=4, account=alice))
    play_out(table)
    pages = filled_pages(table, Occasion(table.round, timezone.now())) * 12
    file = tagged(pages)
    assert file.faults() == []
    tables = list(file.all("/Table"))
    assert [each.Pg.objgen for each in (next(file.all("/TR", table)) for table in tables)] == [
        page.objgen for page in file.file.pages
    ]


def test_pictures_that_say_nothing_are_not_read_aloud(played, tagged):
    order = Order(first_round(played), "http://192.168.1.24:8000", timezone.now())
    file = tagged(KINDS["ticked"].pages(order))
    assert {str(each.Alt) for each in file.all("/Figure")} == {"Score sheets to tick"}
