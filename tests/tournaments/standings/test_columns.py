"""A column of the standings is written once: whatever shows standings shows it, with the same heading and cells."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from fractions import Fraction
from html import unescape

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_round, first_table, make_tournament, play_out, report
from tests.tournaments.seasons.test_season import make_teams, play
from tournaments.lifecycle.playing import start_round
from tournaments.lifecycle.rulings import penalise
from tournaments.models import Entry, Table
from tournaments.paper.kinds import KINDS, Order
from tournaments.paper.page import measured
from tournaments.paper.ranking import NAME_AT_LEAST, PAGE_WIDTH, TIES_IN_LITTLE_ROOM, columns_of
from tournaments.standings.columns import EVERYWHERE, FILES, GAP, PLAYERS, Column, On, select_columns
from tournaments.standings.players import standings
from tournaments.standings.team_text import TEAMS
from tournaments.standings.teams import team_standings

SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}


def plain(html):
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def page(client, name, tournament, *which):
    return client.get(reverse(name, args=[tournament.code, *which])).content.decode()


def rows_of(sheet):
    return list(csv.reader(io.StringIO(sheet.decode("utf-8-sig"))))


@pytest.fixture
def seven_played(club):
    """Seven players: 8 deals at the table of four, of which everybody sits two out, and 9 at that of three."""
    tournament = make_tournament(7, club=club, deals_per_round=8, deals_at_three=9)
    for table in Table.objects.filter(round__tournament=tournament):
        play_out(table)
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def teams_played(club, by_alice):
    """Four teams of four, with a round played."""
    tournament = make_teams(club, by_alice, teams=4)
    start_round(first_round(tournament), **by_alice)
    for table in Table.objects.filter(round=first_round(tournament)):
        play(table)
    tournament.refresh_from_db()
    return tournament


# Everywhere


NEWS = Column(
    name="honour",
    heading="Honour",
    on=EVERYWHERE,
    value=lambda line: 1000 + line.number,
    said=lambda line: f"<{line.number}>",
    explained="Whoever sits there.",
)


@pytest.fixture
def with_news(patch_display):
    """A new column, as a row beside the others, for players and for teams."""
    for module in ("hall.standings", "standings.team_text", "exports.result_tables", "paper.ranking"):
        patch_display.setattr(f"tournaments.{module}.PLAYERS", (*PLAYERS, NEWS))
    for module in ("hall.standings", "standings.team_text", "exports.result_tables", "paper.teams"):
        patch_display.setattr(f"tournaments.{module}.TEAMS", (*TEAMS, NEWS))


@pytest.mark.usefixtures("with_news")
@pytest.mark.parametrize("who", ["seven_played", "teams_played"])
def test_a_new_column_is_a_row_and_stands_on_pages_wall_paper_and_in_files(who, request, client):
    tournament = request.getfixturevalue(who)
    in_teams = tournament.in_teams
    numbers = [row.number for row in (team_standings if in_teams else standings)(tournament).rows]
    for name in ("standings", "projector", "hall"):
        said = plain(page(client, name, tournament))
        assert "Honour" in said, name
        shown = set(re.findall(r"<(\d+)>", said))
        # The front page shows the first; once all is played, those below the podium.
        assert (
            shown and shown <= set(map(str, numbers)) if name == "hall" else shown == set(map(str, numbers))
        ), name
    order = Order(first_round(tournament), "http://hall", timezone.now())
    printed = plain(
        "".join(render_to_string(one.template, dict(one.context)) for one in KINDS["standings"].pages(order))
    )
    for said in ("Honour", "Whoever sits there.", *(f"<{number}>" for number in numbers)):
        assert said in printed
    file = "hall_teams_file" if in_teams else "hall_standings_file"
    heads, *rows = rows_of(client.get(reverse(file, args=[tournament.code, "csv"])).content)
    assert [row[heads.index("Honour")] for row in rows] == [str(1000 + number) for number in numbers]
    told = json.loads(client.get(reverse(file, args=[tournament.code, "json"])).content)
    lines = told["divisions"][0]["teams"] if in_teams else told["standings"]
    assert [line["honour"] for line in lines] == [1000 + number for number in numbers]


@pytest.mark.parametrize("who", ["seven_played", "teams_played"])
def test_headings_and_cells_are_as_many_in_every_row(who, request, client):
    html = page(client, "standings", request.getfixturevalue(who))
    head, *rows = re.findall(r"<tr.*?</tr>", html, re.DOTALL)
    assert {len(re.findall(r"<t[hd]", row)) for row in rows} == {len(re.findall(r"<th ", head))}


@pytest.mark.parametrize("table", [PLAYERS, TEAMS])
def test_names_in_files_are_given_once_and_every_column_in_one_has_a_heading(table):
    columns = [column for column in table if isinstance(column, Column) and column.on & FILES]
    assert len({column.name for column in columns}) == len(columns)
    assert all(re.fullmatch(r"[a-z_]+", column.name) and str(column.heading) for column in columns)


def test_a_phone_is_not_shown_what_has_no_room_there(seven_played, client):
    html = page(client, "standings", seven_played)
    assert ['class="minor">Deals<' in html, 'class="minor">Gap<' in html] == [True, False]


def test_files_have_every_column_whatever_there_is_to_show(seven_played):
    on_pages = [column.name for column in select_columns(PLAYERS, On.SCREEN, standings(seven_played))]
    in_files = [column.name for column in select_columns(PLAYERS, On.SHEET, standings(seven_played))]
    assert "penalties" not in on_pages
    assert in_files == [
        "place", "number", "name", "club", "moved", "total", "gap", "taken_along", "penalties", "tokens", "deals",
        "round_1",
    ]  # fmt: skip


# Deals and gap


def test_deals_are_those_dealt_and_the_gap_is_to_the_leader(seven_played):
    rows = standings(seven_played).rows
    assert sorted(row.deals for row in rows) == [6, 6, 6, 6, 9, 9, 9]
    assert [row.gap for row in rows] == [rows[0].total - row.total for row in rows]
    assert rows[0].gap == 0


def test_the_gap_of_averages_is_exact_and_shown_with_two_decimals(seven_played):
    seven_played.comparison = "average"
    seven_played.version += 1
    rows = standings(seven_played).rows
    assert [row.gap for row in rows] == [rows[0].total - row.total for row in rows]
    last = rows[-1]
    assert isinstance(last.gap, Fraction)
    assert re.fullmatch(r"\d+\.\d\d", GAP.cell_text(last))


def test_the_gap_counts_penalties_and_what_was_taken_along_and_is_0_for_equals(club, by_alice):
    tournament = make_tournament(4, club=club, tie_breaks=["games_won"])
    table = first_table(tournament)
    report(table, 1, SOLO)
    seats = [seat.entry for seat in table.seats.order_by("position")]
    # The declarer has 6, the two against -3 each; who sits out has brought 4 along.
    penalise(seats[1], tokens=-2, reason="suit", round_=None, **by_alice)
    Entry.objects.filter(pk=seats[2].pk).update(carried=400)
    tournament.refresh_from_db()
    rows = {row.entry_id: row for row in standings(tournament).rows}
    assert [(rows[entry.pk].total, rows[entry.pk].rank, rows[entry.pk].gap) for entry in seats] == [
        (-3, 3, 7), (4, 1, 0), (4, 2, 0), (-3, 3, 7),
    ]  # fmt: skip


def test_before_anybody_leads_there_is_no_gap_to_show(club):
    tournament = make_tournament(4, club=club, started=False)
    assert [column.name for column in select_columns(PLAYERS, On.SCREEN, standings(tournament))] == ["total"]


def test_a_teams_gap_is_in_what_places_go_by_and_its_deals_are_those_of_its_matches(teams_played):
    rows = team_standings(teams_played).rows
    assert [row.gap for row in rows] == [rows[0].points - row.points for row in rows]
    played = Table.objects.filter(round__tournament=teams_played, match__isnull=False)
    reported = sum(table.dealt.filter(current__result__isnull=False).count() for table in played)
    # Each deal is one of either side's.
    assert sum(row.deals for row in rows) == 2 * reported > 0
    teams_played.by_average = True
    teams_played.version += 1
    rows = team_standings(teams_played).rows
    assert [row.gap for row in rows] == [rows[0].average_points - row.average_points for row in rows]


# On paper


def test_a_sheet_with_many_columns_leaves_out_deals_first_then_the_gap(seven_played):
    rows = standings(seven_played).rows
    columns = [
        column for column in select_columns(PLAYERS, On.PAPER, standings(seven_played)) if not column.css
    ]
    kept = {
        room: [column.name for column in measured(columns, rows, room) if column.gives_way]
        for room in (100, 16, 8)
    }
    assert kept == {100: ["gap", "deals"], 16: ["gap"], 8: []}
    assert [column.name for column in columns if not column.gives_way] == ["round_1"]


@pytest.mark.parametrize("rounds_played", [1, 8])
def test_however_many_rounds_a_line_is_no_wider_than_the_sheet(club, rounds_played):
    tournament = make_tournament(8, 1, club=club, name="Mange runder")
    table = standings(tournament)
    many = replace(table, rounds=list(range(1, rounds_played + 1)))
    for row in many.rows:
        row.rounds, row.penalties = [-120] * rounds_played, -10
    layout = columns_of(many, {}).layout(many.rows)
    assert layout.name >= NAME_AT_LEAST - 1e-9
    assert layout.figures * layout.figure + layout.ties + layout.name <= PAGE_WIDTH + 1e-9


def test_names_get_the_room_that_what_told_equal_totals_apart_does_not_need(seven_played):
    table = standings(seven_played)
    columns = columns_of(table, {})
    told = replace(columns, words=list(columns.numbers)[:1])
    assert 4 < told.layout(table.rows).ties < TIES_IN_LITTLE_ROOM
