"""Teams of four: whose hand is played where the two beside the dealer are of one team."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_table, make_tournament, report
from tests.pages import SET_UP, values_on
from tests.tournaments.lifecycle.test_setup_formats import NEW, SEASON
from tournaments.entries import teams
from tournaments.exports.tournament_file import export_tournament
from tournaments.exports.verify.recount import differences
from tournaments.ledger.scoresheet import score_sheet
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import start_round
from tournaments.models import Tournament
from tournaments.reporting.captain_state import table_state
from tournaments.reporting.slip_grid import TypedLine, read_grid
from tournaments.standings.statistics import deals_of

SOLO = {"contract": "solo", "trump": "H", "outcome": "won"}


def page(name, tournament):
    return reverse(name, args=[tournament.code])


@pytest.fixture
def typed(club):
    return SET_UP | {"host": str(club.pk)}


def make_table(club, account, **fields):
    """Table 1 of a running match: A and C are of one team, A deals first."""
    by = {"account": account, "now": timezone.now()}
    fields = {"format": "teams", "deals_per_round": 4} | fields
    tournament = make_tournament(8, club=club, drawn=False, **fields)
    teams.put_together(tournament, **by)
    draw(tournament, seed=7, **by)
    start_round(tournament.rounds.get(), **by)
    return first_table(tournament)


def names_of(table):
    return [seat.entry.shown_name for seat in table.seats.order_by("position")]


@pytest.mark.parametrize(
    ("takes_over", "tokens", "sits_out"),
    [
        (True, [-3, 6, -3, 0], 3),
        (False, [-3, 6, 0, -3], 2),  # the team-mate on the dealer's other side pays
    ],
)
def test_a_declarer_is_defended_by_the_other_team_alone_where_hands_are_taken_over(
    club, alice, takes_over, tokens, sits_out
):
    table = make_table(club, alice, takes_over=takes_over)
    report(table, 1, SOLO | {"declarer": 1})
    line = score_sheet(table).lines[0]
    assert (list(line.tokens), line.sits_out) == (tokens, sits_out)
    assert list(differences(table.round.tournament)) == []


def test_it_is_told_on_the_captains_page_the_slip_both_sheets_and_counted_as_theirs(client, club, alice):
    table = make_table(club, alice, takes_over=True)
    names = names_of(table)
    state = table_state(table, now=timezone.now())
    assert state["seatings"][0]["taken_over"]["1"]["plays"] == 2
    line = read_grid(score_sheet(table), {1: TypedLine("B solo h won 5-4-0")})[0]
    assert (line.problem, line.tokens) == ("", (-3, 6, -3, 0))
    report(table, 1, SOLO | {"declarer": 1, "tricks": {"1": 5, "2": 4, "0": 0}, "outcome": None})
    assert score_sheet(table).lines[0].remark == f"{names[2]} for {names[3]}, 5-4-0"
    tournament = table.round.tournament
    sheet = client.get(reverse("hall_table", args=[tournament.code, 1, 1])).content.decode()
    assert f"{names[2]} for {names[3]}" in sheet
    assert "takes over the hand of the declarer’s partner" in sheet
    why = unescape(re.search(r'href="([^"]*/referee/result/\?[^"]+)"', sheet)[1])
    assert "has taken over the hand of middlehand" in client.get(why).content.decode()
    rules = client.get(reverse("hall_rules", args=[tournament.code])).content.decode()
    assert "always plays against the other team" in rules
    assert "takes over the hand" in client.get(reverse("captain_slip", args=[table.secret])).content.decode()
    kinds = [deals_of(seat.entry)[0].kind for seat in table.seats.order_by("position")]
    assert kinds == ["defended", "declared", "defended", "sat_out"]


def test_where_both_play_the_rules_say_so_and_no_sheet_tells_of_taking_over(client, club, alice):
    table = make_table(club, alice)
    report(table, 1, SOLO | {"declarer": 1})
    tournament = table.round.tournament
    rules = client.get(reverse("hall_rules", args=[tournament.code])).content.decode()
    assert "can have a team-mate among the defenders" in rules
    sheet = client.get(reverse("hall_table", args=[tournament.code, 1, 1])).content.decode()
    assert "takes over" not in sheet
    assert "taken_over" not in table_state(table, now=timezone.now())["seatings"][0]


@pytest.mark.parametrize(
    ("answer", "stored"), [({}, True), ({"takes_over": "True"}, True), ({"takes_over": "False"}, False)]
)
def test_new_teams_take_over_unless_the_organiser_says_otherwise(as_alice, typed, answer, stored):
    as_alice.post(reverse(NEW), typed | SEASON | answer)
    tournament = Tournament.objects.get()
    assert tournament.takes_over is stored
    again = values_on(as_alice.get(page("tournament_setup", tournament)))
    assert again["takes_over"] == str(stored)


def test_changing_it_is_written_down_and_ends_with_the_first_round(as_alice, club, alice):
    tournament = make_tournament(0, club=club, format="teams", drawn=False)
    shown = values_on(as_alice.get(page("tournament_setup", tournament)))
    as_alice.post(page("tournament_setup", tournament), shown | {"format_of": "teams", "takes_over": "True"})
    tournament.refresh_from_db()
    assert tournament.takes_over
    assert any(line.words.startswith("Set-up: changed whether the hand") for line in tournament.log.all())
    running = make_table(club, alice).round.tournament
    assert "takes_over" not in as_alice.get(page("tournament_setup", running)).context["form"].fields


@pytest.mark.parametrize("options", [{}, {"rasle-mort": "True", "rulebook": "rasle", "options_of": "rasle"}])
def test_where_the_fourth_player_has_other_uses_it_is_said_at_the_field(as_alice, typed, options):
    rulebook = {"rulebook": "renegado", "options_of": "renegado"} | options
    shown = as_alice.post(reverse(NEW), typed | SEASON | rulebook | {"takes_over": "True"})
    assert "takes_over" in shown.context["form"].errors
    as_alice.post(reverse(NEW), values_on(shown) | {"format_of": "teams", "takes_over": "False"} | rulebook)
    assert Tournament.objects.get().takes_over is False


def test_a_tournaments_file_says_it(club, alice):
    tournament = make_table(club, alice, takes_over=True).round.tournament
    assert '"takes_over": true' in json.dumps(json.loads(export_tournament(tournament)))
