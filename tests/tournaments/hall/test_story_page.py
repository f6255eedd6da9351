"""The evening's story in the hall: it says what the standings say, of every format, and what counts now."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.utils import timezone

from tests.evenings import play_round
from tests.factories import first_round, first_table, make_tournament, play_out, report
from tests.tournaments.lifecycle.test_pairs import make_pairs
from tests.tournaments.seasons.test_season import make_teams, play
from tournaments.domain.terms import people
from tournaments.hall import story
from tournaments.ledger import Author, Submission, record
from tournaments.lifecycle.playing import start_round
from tournaments.models import Penalty, Table, Tournament
from tournaments.standings.players import standings
from tournaments.standings.story_data import story_of

SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}


def page(client, tournament, path=""):
    answer = client.get(f"/t/{tournament.code}/story/{path}")
    assert answer.status_code == 200
    return answer.content.decode()


def individual(club, alice):
    """Seven players: a table of four and one of three, and somebody who was punished."""
    tournament = make_tournament(
        7, 2, club=club, account=alice, started=False, deals_per_round=4, deals_at_three=3
    )
    play_round(first_round(tournament), alice)
    entry = tournament.entries.get(number=3)
    Penalty.objects.create(
        tournament=tournament, entry=entry, round=first_round(tournament), tokens=-5, ruled_at=timezone.now()
    )
    return tournament


def crocodile(club, alice):
    tournament = make_tournament(
        4, club=club, account=alice, started=False, rulebook="crocodile", deals_per_round=4
    )
    play_round(first_round(tournament), alice)
    return tournament


def averages(club, alice):
    tournament = individual(club, alice)
    Tournament.objects.filter(pk=tournament.pk).update(comparison=Tournament.Comparison.AVERAGE)
    return tournament


def pairs(club, alice):
    tournament = make_pairs(4, club, {"account": alice, "now": timezone.now()}, deals_per_round=4)
    play_round(first_round(tournament), alice)
    return tournament


def teams(club, alice):
    by = {"account": alice, "now": timezone.now()}
    tournament = make_teams(club, by, teams=4)
    start_round(first_round(tournament), **by)
    for table in Table.objects.filter(round=first_round(tournament)).select_related("round__tournament"):
        play(table)
    return tournament


@pytest.mark.parametrize(
    "played", [individual, crocodile, averages, pairs, teams], ids=lambda made: made.__name__
)
def test_every_line_ends_where_the_player_stands(played, club, alice, client):
    tournament = played(club, alice)
    tournament.refresh_from_db()
    rows, race = standings(tournament).rows, story_of(tournament).race
    assert {row.entry_id: row.with_rulings for row in rows} == {
        player: line[-1] for player, line in race.lines.items()
    }
    text = page(client, tournament)
    assert all(text.count(f"/story/{row.number}/#race") == 2 for row in rows), (
        "a line, and a name in the table"
    )


def test_of_very_many_lines_the_first_are_drawn_and_whoever_is_followed(club, client, monkeypatch):
    monkeypatch.setattr(story, "MOST_LINES", 4)
    tournament = make_tournament(8, club=club, deals_per_round=4)
    for table in Table.objects.filter(round=first_round(tournament)).select_related("round__tournament"):
        play_out(table)
    tournament.refresh_from_db()
    rows = standings(tournament).rows
    text = page(client, tournament)
    drawn = [row for row in rows if f"/story/{row.number}/#race" in text]
    assert drawn[:4] == rows[:4]
    assert f"{8 - len(drawn)} players further down have no line here" in text
    last = rows[-1].number
    assert page(client, tournament, f"{last}/").count(f"/story/{last}/#race") == 2


def test_before_the_first_deal_there_is_nothing_to_tell(club, alice, client):
    tournament = make_tournament(4, club=club, started=False)
    assert "The story starts with the first deal" in page(client, tournament)
    start_round(first_round(tournament), account=alice, now=timezone.now())
    running = page(client, tournament)
    assert "Once a deal is reported, the race, the games and the best moments appear here" in running
    assert "<svg class=" not in running


def test_a_correction_shows_at_once(club, alice, client):
    tournament = make_tournament(4, club=club)
    table = first_table(tournament)
    report(table, 1, SOLO)
    names = [row.name for row in standings(Tournament.objects.get(pk=tournament.pk)).rows]
    assert f"{names[0]} leads by" in page(client, tournament)
    report(table, 1, SOLO | {"outcome": "bete"}, base=1, reason="misread")
    text = page(client, tournament)
    assert f"{names[0]} leads" not in text
    assert "0 of 1" in text
    report(table, 1, {"all_passed": True}, base=2, reason="misread")
    assert "What was declared" not in page(client, tournament)


def test_the_deal_of_the_evening_leads_to_its_line_in_the_sheet(club, client):
    tournament = make_tournament(4, club=club)
    table = first_table(tournament)
    report(table, 1, SOLO)
    report(table, 2, {"contract": "nolo_ouvert", "declarer": 2, "outcome": "won"})
    at = f"/t/{tournament.code}/round/1/table/1/"
    assert f'href="{at}#line-2">Deal of the evening' in page(client, tournament)
    assert 'id="line-2"' in client.get(at).content.decode()


def test_totals_alone_are_a_straight_line_and_no_deals(club, alice, client):
    tournament = make_tournament(4, club=club, deals_per_round=4)
    totals = Submission(key=uuid4(), deal=1, base=0, result={"ruled": [9, -4, -5, 0], "totals_only": True})
    record(first_table(tournament), [totals], Author("desk", alice.username), now=timezone.now())
    tournament.refresh_from_db()
    lines = story_of(tournament).race.lines.values()
    assert sorted(line[1:] for line in lines) == [(0, 0, 0, -5), (0, 0, 0, -4), (0, 0, 0, 0), (0, 0, 0, 9)]
    text = page(client, tournament)
    assert "Totals only" in text
    assert "What was declared" not in text


def test_whoever_is_followed_stands_out_and_a_number_that_nobody_has_is_no_page(club, client):
    tournament = make_tournament(8, club=club, deals_per_round=4)
    for table in Table.objects.filter(round=first_round(tournament)).select_related("round__tournament"):
        play_out(table)
    tournament.refresh_from_db()
    last = standings(tournament).rows[-1]
    assert f'class="l4" href="/t/{tournament.code}/story/{last.number}/' not in page(client, tournament)
    assert f'class="l4" href="/t/{tournament.code}/story/{last.number}/' in page(
        client, tournament, f"{last.number}/"
    )
    assert client.get(f"/t/{tournament.code}/story/99/").status_code == 404


def test_of_very_many_who_share_something_the_first_are_named():
    names = ["Anna", "Bo", "Carl", "Dorthe", "Egon", "Frede"]
    assert people(names[:5]) == "Anna, Bo, Carl, Dorthe and Egon"
    assert people(names) == "Anna, Bo, Carl, Dorthe and 2 others"
