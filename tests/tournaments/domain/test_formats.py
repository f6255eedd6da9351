"""A format of play is a row: hardly anything asks which one it is, and another row is another format."""

from __future__ import annotations

import ast
import re
from dataclasses import fields, replace
from pathlib import Path
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.pages import SET_UP, set_up_together
from tournaments.demo.play import results
from tournaments.desk.setup.setup_form import SetupForm
from tournaments.domain.formats import FORMATS, TEAMS, Ranked, TakingOver, Words
from tournaments.draw.tables import SMALL_TABLE
from tournaments.exports.verify.recount import differences
from tournaments.hall.standings import PLACES
from tournaments.ledger import Author, Submission, record
from tournaments.ledger.queries import rulebook_of
from tournaments.lifecycle.money import PRIZES
from tournaments.models import Seat, Tournament
from tournaments.paper.kinds import KINDS, STANDINGS, Order
from tournaments.seasons.championships import ENTER, PARTIES
from tournaments.seasons.first_groups import WHO_TAKES_PART
from tournaments.standings.teams import team_standings

ROOT = Path(__file__).parents[3]
MOST_QUESTIONS = 60
# What says which format it is; all of a row does where it decides. To read its words, or to look up what goes with
# it, asks nothing.
SAYS = {"in_teams", "ranked", "taking_over", "named_by_players", "format_row"}
CODES = {"individual", "pairs", "teams"}
ROWS = {"INDIVIDUAL", "PAIRS", "TEAMS"}


def is_of_a_format(node):
    """Whether it is the code of a tournament's format, or compares it: a string's own `format` is called."""
    named = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
    told = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
    return "format" in named and (bool(told & CODES) or isinstance(node, ast.Compare))


def conditions(node):
    """What decides which way it goes on."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        return [node.test]
    if isinstance(node, ast.Match):
        return [node.subject]
    if isinstance(node, ast.comprehension):
        return node.ifs
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return [node.operand]
    return [node] if isinstance(node, ast.Compare) else []


def questions_in(source):
    """The numbers of the lines that ask which format it is."""
    tree = ast.parse(source)
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "tournaments.domain.formats"
        for alias in node.names
    }
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "in_teams":
            found.add(node.lineno)
        if isinstance(node, ast.Name) and node.id in ROWS & names:
            found.add(node.lineno)
        if isinstance(node, ast.Compare) and is_of_a_format(node):
            found.add(node.lineno)
        for condition in conditions(node):
            asked = [part for part in ast.walk(condition) if isinstance(part, ast.Attribute)]
            found |= {part.lineno for part in asked if part.attr in SAYS}
    return found


IN_TEMPLATE = re.compile(r"{%\s*(?:el)?if\b[^%]*\b(in_teams|format_row|tournament\.format|pairs)\b[^%]*%}")


def asked_in_templates(text):
    return {
        number
        for number, line in enumerate(text.splitlines(), start=1)
        if any("rules." not in tag[0] and "field.name" not in tag[0] for tag in IN_TEMPLATE.finditer(line))
    }


def all_questions():
    for path in sorted(ROOT.glob("tournaments/**/*.py")):
        if "migrations" not in path.parts and path != ROOT / "tournaments/domain/formats.py":
            for number in sorted(questions_in(path.read_text())):
                yield f"{path.relative_to(ROOT)}:{number}"
    for path in sorted(ROOT.glob("templates/**/*.html")):
        for number in sorted(asked_in_templates(path.read_text())):
            yield f"{path.relative_to(ROOT)}:{number}"


def test_hardly_a_line_asks_which_format_it_is():
    found = list(all_questions())
    assert len(found) <= MOST_QUESTIONS, "\n".join(found)


@pytest.mark.parametrize(
    ("source", "asks"),
    [
        ("if tournament.in_teams: pass", True),
        ("x = 1 if tournament.format == 'pairs' else 2", True),
        ("x = [t for t in found if t.format != code]", True),
        ("if tournament.format_row.team_size == 2: pass", True),
        ("if row.ranked is Ranked.TEAMS: pass", True),
        ("from tournaments.domain.formats import PAIRS\nx = PAIRS", True),
        ("x = tournament.format_row.words.one", False),
        ("many = 2 * tournament.format_row.team_size", False),
        ("x = TABLES[tournament.format_row.ranked](tournament)", False),
        ("if 'x'.format(1): pass", False),
    ],
)
def test_what_counts_as_asking(source, asks):
    assert bool(questions_in(source)) == asks


@pytest.mark.parametrize("row", FORMATS.values(), ids=list(FORMATS))
def test_what_a_row_names_is_there(row):
    assert row.sheets <= KINDS.keys()
    assert all(
        any(name.startswith(left) for name in [*SetupForm.base_fields, "tie_break_1"])
        for left in row.asked.left_out
    )
    unsaid = [field.name for field in fields(Words) if not getattr(row.words, field.name)]
    assert not (row.in_teams and unsaid)


@pytest.mark.parametrize("table", [PLACES, STANDINGS, PRIZES, PARTIES, ENTER, WHO_TAKES_PART], ids=range(6))
def test_what_goes_by_who_is_ranked_knows_all_who_can_be(table):
    assert set(table) == set(Ranked)


# A fourth format: teams of three who meet at two tables of three, two of each at one and one at the other.
TRIOS = replace(
    TEAMS,
    code="trios",
    name="trios",
    about="Trios: three at two tables.",
    ways=(
        (((0, 1), (0,)), ((2,), (1, 2))),
        (((0, 2), (1,)), ((1,), (0, 2))),
        (((1, 2), (2,)), ((0,), (0, 1))),
    ),
    at_table=SMALL_TABLE,
    no_such_table="Not for three.",
    taking_over=TakingOver.NEVER,
    asked=replace(
        TEAMS.asked, left_out=("draw_mode", "deals_per_round", "tie_break_", "comparison", "takes_over")
    ),
    words=replace(TEAMS.words, one="Trio", many="Trios", who_wins="Two tables of three."),
)


@pytest.fixture
def a_fourth_format(monkeypatch):
    """Nothing else is changed anywhere: a row, and what a migration would do to the stored field's choices."""
    monkeypatch.setitem(FORMATS, TRIOS.code, TRIOS)
    field = Tournament._meta.get_field("format")
    monkeypatch.setattr(field, "choices", [(row.code, row.name) for row in FORMATS.values()])
    return TRIOS


def page(name, tournament, *which):
    return reverse(name, args=[tournament.code, *which])


def play_round(client, tournament, number):
    client.post(page("desk_start_round", tournament, number))
    for table in tournament.rounds.get(number=number).tables.select_related("round__tournament"):
        played = results(rulebook_of(tournament), SMALL_TABLE, table.deals, seed=table.number * 7 + number)
        sent = [Submission(uuid4(), deal, 0, result) for deal, result in enumerate(played, start=1)]
        assert {answer.status for answer in record(table, sent, Author("captain"), now=timezone.now())} == {
            "accepted"
        }
        table.seats.update(agreed_at=timezone.now())
        assert Client().get(reverse("captain", args=[table.secret])).status_code == 200
    client.post(page("desk_close_round", tournament, number))
    tournament.refresh_from_db()


def test_a_format_that_has_no_row_is_none(as_alice, club):
    typed = SET_UP | {"host": str(club.pk), "format": "trios", "format_of": "trios"}
    shown = as_alice.post(reverse("tournament_new"), typed)
    assert shown.context["form"].chosen_format == "individual"
    assert "trios" not in shown.content.decode()
    assert not Tournament.objects.exists()


def test_a_fourth_format_takes_a_row_alone(as_alice, client, club, a_fourth_format):
    tournament = set_up_together(as_alice, club, "trios", TRIOS.team_size * 4, deals_at_three="6")
    assert (tournament.format, tournament.rounds_planned, tournament.rounds.count()) == ("trios", 3, 3)
    assert (
        "4 teams: round robin in 3 rounds"
        in as_alice.get(page("desk_tournament", tournament)).content.decode()
    )
    sides = {}
    for seat in Seat.objects.filter(round__tournament=tournament, round__number=1).select_related(
        "entry__team", "table"
    ):
        sides.setdefault(seat.table.number, []).append(seat.entry.team_id)
    for first, second in ((1, 2), (3, 4)):
        home, away = sides[first], sides[second]
        assert [home[0], home[2], away[1]] == [home[0]] * 3
        assert [away[0], away[2], home[1]] == [away[0]] * 3
        assert home[0] != away[0]

    for number in (1, 2, 3):
        play_round(as_alice, tournament, number)
    as_alice.post(page("desk_finish", tournament), {"minutes": "0"})
    tournament.refresh_from_db()
    assert tournament.is_finished
    assert list(differences(tournament)) == []
    rows = team_standings(tournament).rows
    assert [row.played for row in rows] == [3] * 4
    assert sum(row.points for row in rows) == 2 * 6
    assert sum(row.tokens for row in rows) == 0

    for name in ("standings", "hall_matches", "hall_cross_table", "hall", "projector", "hall_rules"):
        shown = client.get(page(name, tournament))
        assert shown.status_code == 200, name
        assert rows[0].name in shown.content.decode() or name == "hall_rules", name
    standings = client.get(page("standings", tournament)).content.decode()
    assert "Trio" in standings
    assert "Two tables of three." in standings
    assert client.get(page("hall_teams_file", tournament, "csv")).status_code == 200
    printed = as_alice.get(page("desk_print", tournament)).content.decode()
    assert all(title in printed for title in ("Cross table", "Schedule", "Each player’s tokens"))
    round_ = tournament.rounds.get(number=3)
    for kind in KINDS.values():
        if kind.suits(tournament):
            assert kind.missing(round_) or kind.pages(Order(round_, "http://hall", timezone.now())), kind.code
