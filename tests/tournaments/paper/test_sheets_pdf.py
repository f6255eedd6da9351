"""The paper itself: text is taken out of the PDF and compared with what is stored."""

import re
import subprocess
from datetime import date

import pytest
from django.utils import timezone, translation
from pypdf import PdfReader

from core.pdf import render
from tests.factories import first_round, first_table, make_club, make_tournament, play_out, report
from tests.pages import texts_of
from tournaments.changes.chain import find_head, short_head
from tournaments.lifecycle.rulings import penalise
from tournaments.models import Deal, Table, Tournament
from tournaments.paper.kinds import KINDS, Order
from tournaments.standings.players import standings

pytestmark = pytest.mark.django_db

A4 = (210, 297)
# Those of teams and of boards have tests of their own, with teams and boards.
OF_ANY_TOURNAMENT = [code for code, kind in KINDS.items() if kind.suits(Tournament())]
# A diploma is framed, and says it all in its own way.
WITH_A_HEAD = [code for code in OF_ANY_TOURNAMENT if not KINDS[code].needs_end]
WITHOUT_NAMES = {"rules"}  # whoever adds a sheet that names no player says so here
OF_A_ROUND = [code for code in OF_ANY_TOURNAMENT if not KINDS[code].of_event]
STRANGE_NAMES = (
    "W" * 200,
    "😀👨‍👩‍👧 Jørgensen 🏆",
    'O\'Brien "Bo" <script>alert(1)</script> & søn',
    "山田 太郎 " + "漢" * 60,
    "Z\u0335\u0322\u031b\u0347\u034e\u0329algo",
    "\u202eevil",
    "Anne-Margrethe Hjortshøj-Kristiansdatter von der Lippe",
    "Å",
)


@pytest.fixture
def eleven_played(alice):
    """Eleven players: two tables of four and one of three, all played out, with different totals."""
    tournament = make_tournament(11, 2, account=alice, name="Efterår & vinter", date=date(2026, 11, 21))
    for table in Table.objects.filter(round=first_round(tournament)):
        play_out(table)
        report(table, 1, base=1, reason="nobody bid")
        lost = {"contract": "solo", "declarer": 0, "trump": "D", "outcome": "kodille"}
        report(table, 2, lost | {"declarer": table.number % 2}, base=1, reason="lost after all")
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def printed(tmp_path):
    """Print a kind of sheet of a tournament's first round: (file, text of each page)."""

    def print_sheets(tournament, kind):
        order = Order(first_round(tournament), "http://192.168.1.24:8000", timezone.now())
        target = tmp_path / f"{kind}.pdf"
        pages = KINDS[kind].pages(order)
        told = []
        render.write(pages, "A title", target, tell=told.append)
        assert told[-1] == len(pages)
        reader = PdfReader(target)
        return reader, texts_of(target.read_bytes())

    return print_sheets


def number(text):
    return int(text.replace("−", "-"))


def test_the_totals_on_paper_are_those_of_the_standings(eleven_played, alice, printed):
    entry = eleven_played.entries.first()
    penalise(
        entry, tokens=-2, reason="Late", round_=first_round(eleven_played), account=alice, now=timezone.now()
    )
    eleven_played.refresh_from_db()
    _reader, (text,) = printed(eleven_played, "standings")
    lines = re.findall(r"^(\d+)=? (\d+) .*?([+−]?\d+) \d+$", text, re.MULTILINE)
    assert [(int(rank), int(entry), number(total)) for rank, entry, total in lines] == [
        (row.rank, row.number, row.total) for row in standings(eleven_played).rows
    ]


def test_clubs_stand_behind_names_only_where_players_are_of_several(eleven_played, printed):
    _reader, (text,) = printed(eleven_played, "standings")
    assert text.count("Stilling") == 1  # the host's
    eleven_played.entries.filter(number=1).update(club=make_club("Skovby"))
    Tournament.objects.update(version=eleven_played.version + 1)
    eleven_played.refresh_from_db()
    _reader, (text,) = printed(eleven_played, "standings")
    assert (text.count("Stilling"), text.count("Skovby")) == (11, 1)


def test_the_totals_on_score_sheets_are_those_of_the_seats(eleven_played, printed):
    _reader, texts = printed(eleven_played, "filled")
    tables = Table.objects.filter(round=first_round(eleven_played)).order_by("number")
    for table, text in zip(tables, texts, strict=True):
        players = table.seats.count()
        running = re.findall(rf"^([+−]?\d+(?: [+−]?\d+){{{players - 1}}})$", text, re.MULTILINE)
        total = re.search(rf"Total((?: [+−]?\d+){{{players}}})", text)[1]
        seats = [seat.tokens for seat in table.seats.all()]
        assert len(running) == table.deals
        assert any(seats)
        assert [number(tokens) for tokens in total.split()] == seats
        assert [number(tokens) for tokens in running[-1].split()] == seats


@pytest.mark.parametrize("kind", WITH_A_HEAD)
def test_every_page_says_what_it_is_of_and_which_page_it_is(eleven_played, printed, kind):
    reader, texts = printed(eleven_played, kind)
    for index, (page, text) in enumerate(zip(reader.pages, texts, strict=True), start=1):
        size = (page.mediabox.width / 72 * 25.4, page.mediabox.height / 72 * 25.4)
        assert tuple(round(float(side)) for side in size) == A4
        assert f"Page {index} of {len(texts)}" in text
        assert "Efterår & vinter" in text
        assert "Stilling · 21 November 2026" in text
        # Among everything for a round, the rules are of the whole tournament.
        is_of_round = kind in OF_A_ROUND and "Rules in force" not in text
        assert ("round 1 of 2" in text.lower()) == is_of_round
        assert text.count("Printed ") == 1
    assert reader.metadata.title == "A title"


@pytest.mark.slow
def test_every_page_has_the_check_code_of_what_it_shows(eleven_played, printed):
    """The table's own on its filled sheet, which its players sign; else that of the whole tournament."""
    whole = short_head(eleven_played.chain_head)
    tables = first_round(eleven_played).tables.order_by("number")
    for kind in ("standings", "tables", "blank"):
        _reader, texts = printed(eleven_played, kind)
        assert [re.findall(r"Check code (\S+)", text) for text in texts] == [[whole]] * len(texts)
    _reader, texts = printed(eleven_played, "filled")
    own = [short_head(table.last_hash) for table in tables]
    assert [re.findall(r"Check code (\S+)", text) for text in texts] == [[code] for code in own]
    assert [find_head(eleven_played, code).count for code in own] == [table.reports_count for table in tables]


def test_a_blank_sheet_has_names_deals_and_the_code_on_one_page_a_table(eleven_played, printed):
    reader, texts = printed(eleven_played, "blank")
    tables = Table.objects.filter(round=first_round(eleven_played)).order_by("number")
    assert [item.title for item in reader.outline] == ["Table 1", "Table 2", "Table 3"]
    for table, text in zip(tables, texts, strict=True):
        assert table.code in text
        for seat in table.seats.all():
            assert seat.entry.shown_name in text
        deals = re.findall(r"^(\d+)(?: [A-D]){0,2}$", text, re.MULTILINE)
        assert deals == [str(deal) for deal in range(1, table.deals + 1)]


def test_names_are_in_the_order_of_the_danish_alphabet(eleven_played, printed):
    for entry, name in zip(
        eleven_played.entries.all(), ("Åse", "Øjvind", "Ærø", "aage", "Zenia"), strict=False
    ):
        entry.player.name = name
        entry.player.save()
    _reader, (text,) = printed(eleven_played, "names")
    listed = re.findall(r"^(.+) (\d) ([A-D])$", text, re.MULTILINE)
    names = [name for name, _table, _letter in listed]
    assert names[-5:] == ["Zenia", "Ærø", "Øjvind", "aage", "Åse"]
    seats = {seat.entry.shown_name: seat for seat in first_round(eleven_played).seats.all()}
    for name, table, letter in listed:
        assert (seats[name].table.number, "ABCD"[seats[name].position]) == (int(table), letter)


def test_at_a_table_of_three_the_plan_by_table_says_which_chair_is_empty(eleven_played, printed):
    _reader, (text,) = printed(eleven_played, "tables")
    assert text.split("\n").count("empty chair") == 1
    assert text.rstrip().split("empty chair")[0].rstrip().split("\n")[-1].startswith("C")


def test_all_rounds_are_told_by_name_and_on_a_card_for_each_player(eleven_played, printed, tmp_path):
    """Eleven players at three tables: nobody is free."""
    printed(eleven_played, "all-rounds")
    command = ["pdftotext", "-layout", tmp_path / "all-rounds.pdf", "-"]
    text = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    listed = re.findall(r"^(\S+ \S+) +(\d) ?([A-D]) +(\d) ?([A-D])$", text, re.MULTILINE)
    _reader, texts = printed(eleven_played, "cards")
    cards = "\n".join(texts)
    told = {}
    for entry in eleven_played.entries.all():
        seats = [
            (str(seat.table.number), "ABCD"[seat.position]) for seat in entry.seats.order_by("round__number")
        ]
        told[entry.shown_name] = seats
        (card,) = re.findall(rf"^{entry.shown_name} no\. {entry.number}$(?:\n.*){{6}}", cards, re.MULTILINE)
        assert re.findall(r"Round \d: table (\d), seat ([A-D])", card) == seats
        for seat in entry.seats.all():
            others = seat.table.seats.exclude(entry=entry)
            assert all(other.entry.shown_name in card for other in others)
    assert {name: [(one, a), (two, b)] for name, one, a, two, b in listed} == told


@pytest.mark.parametrize("kind", OF_ANY_TOURNAMENT)
def test_no_name_breaks_a_sheet(alice, printed, tmp_path, kind):
    """Nor a deal that is missing; each is read aloud too, as whatever PDF a test makes."""
    tournament = make_tournament(8, account=alice)
    for entry, name in zip(tournament.entries.all(), STRANGE_NAMES, strict=True):
        entry.player.name = name
        entry.player.save()
    for table in Table.objects.filter(round=first_round(tournament)):
        play_out(table)
    Deal.objects.filter(number=1).delete()
    tournament.refresh_from_db()
    printed(tournament, kind)
    # Not by pypdf, which loses its way in a page's text after the first letter that no font has.
    command = ["pdftotext", tmp_path / f"{kind}.pdf", "-"]
    pages = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout.split("\f")[:-1]
    assert ("<script>" in "".join(pages)) == (kind not in WITHOUT_NAMES)  # as letters
    assert all("Page" in page for page in pages)


def test_a_sheet_is_printed_in_the_language_asked_for(eleven_played, printed):
    with translation.override("da"):
        _reader, (text,) = printed(eleven_played, "names")
    assert "21. november 2026" in text


@pytest.mark.slow
def test_standings_of_two_pages_count_on(alice, printed):
    tournament = make_tournament(84, account=alice)
    _reader, texts = printed(tournament, "standings")
    assert len(texts) == 2
    assert "Page 2 of 2" in texts[1]


def test_a_failure_leaves_no_file_behind(alice, tmp_path, monkeypatch):
    table = first_table(make_tournament(4))
    order = Order(table.round, "http://x", timezone.now())

    def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(render, "_join", full)
    with pytest.raises(OSError, match="No space"):
        render.write(KINDS["blank"].pages(order), "x", tmp_path / "x.pdf")
    assert list(tmp_path.iterdir()) == []
