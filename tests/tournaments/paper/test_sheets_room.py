"""What is printed has the room that there is: names are shrunk and shortened before they are cut, heads are whole."""

from __future__ import annotations

import sys
from datetime import date
from types import SimpleNamespace

import pytest
from django.utils import timezone

from core.pdf import store
from core.pdf.files import CannotMake
from core.pdf.fonts import ems
from tests.factories import make_club, make_tournament
from tests.pages import texts_of
from tournaments.hall.seasons import lines_of
from tournaments.models import Season
from tournaments.paper import season as season_sheet
from tournaments.paper import teams as cross
from tournaments.paper.page import FILLED, POINT, for_the_wall, heads, size_for, sizes_for, surname_first
from tournaments.seasons.ladder import Kind, Result, Rule, ladder
from tournaments.seasons.ladder_table import Evening, Placed, SeasonTable

LONG = "Niels Christian Overgaard-Madsen"


def text_of(data):
    return [" ".join(page.split()) for page in texts_of(data)]


def ladder_pdf(evenings, players):
    """The sheet of a ladder in which everybody has been at every evening."""
    season = Season.objects.create(
        host=make_club(), name="Efterår", starts=date(2026, 9, 1), ends=date(2026, 12, 31)
    )
    results = {
        player: {column: Result(-player, -player, 30, player) for column in range(len(evenings))}
        for player in range(1, players + 1)
    }
    lines = ladder(results, Rule(Kind.TOKENS))
    table = SeasonTable(
        tuple(evenings),
        tuple(Placed(line.player, f"{LONG} {line.player}", "Stilling", "C", 1, line) for line in lines),
    )

    def rows():
        return lines_of(table.rows, season, range(len(evenings)), in_parts=False)

    return season_sheet.season_pdf(season, table, rows, [], printed_at=timezone.localtime())


FOUR = [Evening(f"C{n}", f"Turnering {n}", date(2026, 11, 22), is_finished=True) for n in range(4)]


@pytest.mark.django_db
def test_a_ladder_that_would_keep_all_others_waiting_is_not_begun(monkeypatch):
    """Of a union over the years its lines alone take seconds."""
    monkeypatch.setattr(store, "MOST_CELLS", 4 * 6 - 1)
    monkeypatch.setattr(sys.modules[__name__], "lines_of", None)
    with pytest.raises(CannotMake, match="too long to be made"):
        ladder_pdf(FOUR, 6)


@pytest.mark.django_db
def test_a_ladder_of_as_many_as_can_be_drawn_is(monkeypatch):
    monkeypatch.setattr(store, "MOST_CELLS", 4 * 6)
    monkeypatch.setattr(season_sheet, "kept_file", lambda pages, _title, **_asked: len(pages))
    assert ladder_pdf(FOUR, 6) == 1


@pytest.mark.django_db
def test_evenings_on_one_day_have_numbers_and_are_named_below_the_ladder():
    evenings = [
        Evening(f"C{number}", f"Turnering {number}", date(2026, 11, 22), is_finished=True)
        for number in range(1, 9)
    ]
    (page,) = text_of(ladder_pdf(evenings, 8))
    assert " ".join(f"{number} 22/11" for number in range(1, 9)) in page
    assert all(f"{number} 22/11 ({number}) Turnering {number}" in page for number in range(1, 9))
    assert all(f"{LONG} {number} " in page for number in range(1, 9))
    assert "…" not in page


TEN = [Evening(f"C{day}", f"Aften {day}", date(2026, 9, day), is_finished=True) for day in range(1, 11)]


@pytest.mark.django_db
@pytest.mark.parametrize(("players", "pages"), [(34, 1), (36, 1), (44, 2), (68, 2), (80, 3)])
def test_the_rule_of_a_ladder_is_never_alone_on_a_page(players, pages):
    """Rows are lower where that saves a page, and a last page has more than a few of them."""
    found = text_of(ladder_pdf(TEN, players))
    assert len(found) == pages
    assert "added up" in found[-1]
    assert all(page.count(LONG) >= season_sheet.FEW_ROWS for page in found)


@pytest.mark.parametrize("least", season_sheet.EVENING.values())
def test_columns_of_evenings_leave_room_for_a_name(least):
    most = int((season_sheet.ROOM - season_sheet.LEAST_NAME) / least)
    for evenings in range(1, most + 1):
        width = season_sheet._width(evenings, least)
        assert width >= least
        assert season_sheet.ROOM - evenings * width >= season_sheet.LEAST_NAME


def test_names_of_a_list_have_one_size():
    """That of the longest; a name that is much longer than the others is smaller by itself."""
    names = ["Bo", "Karen Vestergaard", "Henning Christensen"]
    longest = size_for(names[-1], 34, 12, 4)
    assert 0.75 * 12 < longest < 12
    assert sizes_for(names, 34, 12, 4) == [longest] * 3
    *others, smallest = sizes_for([*names, LONG], 34, 12, 4)
    assert others == [longest] * 3
    assert smallest == size_for(LONG, 34, 12, 4) < longest
    assert sizes_for([], 34, 12, 4) == []


def test_a_text_is_as_large_as_its_room_lets_it_be():
    assert size_for("Bo", 50, 10, 6) == 10
    assert size_for(LONG, 5, 10, 6) == 6
    size = size_for(LONG, 50, 10, 6)
    assert 6 < size < 10
    assert ems(LONG) * size * POINT == pytest.approx(50 * FILLED, rel=0.01)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Bo Ahm", ("Bo Ahm",)),
        ("Karen Jensen", ("Karen", "Jensen")),
        ("Else Marie Sørensen", ("Else Marie", "Sørensen")),
        (LONG, ("Niels",)),
    ],
)
def test_a_head_has_the_whole_name_in_two_lines_or_a_short_one(name, lines):
    (head,) = heads([name], 14)
    assert head.lines == lines
    assert all(ems(line) * head.size * POINT <= 14.2 for line in head.lines)


def test_where_one_name_is_too_long_for_its_head_all_are_short():
    assert [head.lines for head in heads(["Karen Jensen", LONG, "Karen Vang"], 14)] == [
        ("Karen J.",),
        ("Niels",),
        ("Karen V.",),
    ]


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("Karen Vestergaard", "Vestergaard, Karen"),
        ("Anna Margrethe von Lund (Marstal)", "Lund, Anna Margrethe von (Marstal)"),
        ("Anna Lund (12)", "Lund, Anna (12)"),
        ("Zenia", "Zenia"),
        ("17", "17"),
        ("", ""),
    ],
)
def test_a_list_of_many_has_the_surname_first(name, called):
    assert surname_first(name) == called


@pytest.mark.django_db
@pytest.mark.parametrize(("players", "first"), [(60, "Anna Holm"), (61, "Dam, Carl")])
def test_more_than_sixty_are_listed_by_surname(players, first):
    entries = make_tournament(players, drawn=False).entries.select_related(
        "player", "club", "tournament__host"
    )
    assert for_the_wall(entries)[0][1] == first


@pytest.mark.parametrize(
    ("teams", "css", "size"), [(4, "", 16.0), (10, "landscape", 14.0), (30, "landscape", 7.0)]
)
def test_a_cross_table_is_as_large_as_the_page_allows(teams, css, size):
    """Upright where it is no larger lying."""
    rows = [
        SimpleNamespace(
            row=SimpleNamespace(name=f"Skovby Makkerpar {number}"),
            cells=[None if other == number else [("2", "+14")] for other in range(teams)],
        )
        for number in range(teams)
    ]
    layout = cross._layout(SimpleNamespace(rows=rows))
    assert (layout.css, layout.size) == (css, size)
