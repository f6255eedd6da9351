"""A long ladder is shown in parts: the newest evenings first, players by pages, one of them by the name."""

from __future__ import annotations

import csv
import re
from datetime import date, timedelta
from html import unescape

import pytest
from django.urls import reverse

from tests.factories import make_player
from tournaments.models import Entry, EveningResult, Season, Tournament
from tournaments.seasons import ladder_table

FIRST = date(2025, 9, 1)
NAMES = [
    "Anna Holm",
    "Bo Krogh",
    "Carl Lund",
    "Dorte Munk",
    "Erik Nord",
    "Fie Olsen",
    "Gert Holm",
    "Hans Ravn",
]
EVENINGS = 30


@pytest.fixture
def season(club):
    """Thirty evenings at which everybody but one, in turn, has been; who comes first in NAMES has won the most."""
    season = Season.objects.create(host=club, name="Lang", starts=FIRST, ends=date(2026, 12, 31), best_of=20)
    players = [make_player(name, club, number) for number, name in enumerate(NAMES, start=1)]
    for week in range(EVENINGS):
        evening = Tournament.objects.create(
            host=club, name=f"Aften {week}", code=f"LANG{week:02}", date=FIRST + timedelta(weeks=week),
            season=season, state=Tournament.State.FINISHED, results_kept=True,
        )  # fmt: skip
        for number, player in enumerate(players, start=1):
            if number - 1 != week % len(NAMES):
                entry = Entry.objects.create(tournament=evening, player=player, club=club, number=number)
                tokens = 100 * (len(NAMES) - number) + week
                EveningResult.objects.create(
                    tournament=evening, entry=entry, place=number, total=tokens, tokens=tokens, deals=30
                )
    return season


@pytest.fixture(autouse=True)
def _small(patch_display):
    patch_display.setattr(ladder_table, "PLAYERS", 3)
    patch_display.setattr(ladder_table, "OVER", 0)


def look(client, season, **asked):
    """The page, the codes of its evenings, and for each player place, name, total and what stands below these."""
    answer = client.get(season.get_absolute_url(), asked)
    heads = [evening.code for evening, _day in answer.context["evenings"]]
    rows = [
        (line.row.line.rank, line.row.name, line.total, [cell.text for cell in line.cells])
        for line in answer.context["placed"]
    ]
    return answer.content.decode(), heads, rows


def links(page):
    return re.findall(r'href="(\?[^"#]*)', unescape(page))


def whole(client, season):
    """What the ladder's file has: the columns' heads, and a row for each player."""
    data = client.get(reverse("hall_season_file", args=[season.pk, "csv"])).getvalue().decode("utf-8-sig")
    head, *rows = csv.reader(data.splitlines(), delimiter=",")
    return head[6:], rows


def test_all_parts_together_are_the_whole_ladder(client, season):
    _heads, rows = whole(client, season)
    totals = {row[1]: row[3] for row in rows}
    cells = {name: [""] * EVENINGS for name in totals}
    for evenings in ("1", "2", "3"):
        for page in ("1", "2", "3"):
            _page, heads, shown = look(client, season, page=page, evenings=evenings)
            for place, name, total, texts in shown:
                assert (place, total) == (1 + NAMES.index(name), f"+{totals[name]}")
                for code, text in zip(heads, texts, strict=True):
                    cells[name][int(code[4:])] = text.strip("+–")
    assert cells == {row[1]: row[6:] for row in rows}


def test_the_newest_dozen_comes_first_and_links_lead_on_with_what_was_asked(client, season):
    page, heads, rows = look(client, season)
    assert heads == [f"LANG{week:02}" for week in range(18, 30)]
    assert [row[1] for row in rows] == NAMES[:3]
    assert "12 of 30 evenings" in page
    last, heads, rows = look(client, season, evenings="3", page="3")
    assert heads == [f"LANG{week:02}" for week in range(6)]
    assert [row[1] for row in rows] == NAMES[6:]
    assert "?evenings=2" in links(page)
    assert "?evenings=2&page=3" in links(last)


def test_a_player_is_found_by_the_name_as_the_hall_shows_it(client, club, season):
    _page, _heads, rows = look(client, season, name="holm")
    assert [(row[0], row[1]) for row in rows] == [(1, "Anna Holm"), (7, "Gert Holm")]
    page, _heads, rows = look(client, season, name="zita")
    assert not rows
    assert "No one in the ladder is called “zita”" in page
    club.name_style = "number"
    club.save()
    assert [row[1] for row in look(client, season, name="7")[2]] == ["7"]
    assert look(client, season, name="holm")[2] == []


@pytest.mark.parametrize(
    ("asked", "first"),
    [({"page": "0"}, 6), ({"page": "x"}, 0), ({"page": "99"}, 6), ({"evenings": "9" * 5000}, 0)],
)
def test_a_part_that_is_not_there_is_the_first_or_the_last(client, season, asked, first):
    assert look(client, season, **asked)[2][0][1] == NAMES[first]


def test_a_page_of_many_evenings_asks_no_more_than_one_of_few(client, season, django_assert_max_num_queries):
    with django_assert_max_num_queries(14):  # one of them: whether deals of the season were chosen
        look(client, season, page="2")
