"""A season from its making to the awards: evenings by bots, the ladder recounted, every rule and file."""

from __future__ import annotations

import json
from datetime import date
from io import BytesIO

import pytest
from django.urls import reverse
from django.utils import timezone
from openpyxl import load_workbook

from tests.evenings import make_evening, play_evening, play_table, tokens_by_player
from tests.factories import made_once, make_player, make_tournament
from tournaments.entries import teams
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import start_round
from tournaments.lifecycle.rulings import penalise
from tournaments.models import Season, Table, Tournament
from tournaments.seasons.ladder_table import season_table
from tournaments.seasons.season import days_of
from tournaments.standings.teams import team_standings

DAYS = [date(2026, 9, 3), date(2026, 10, 1), date(2026, 11, 5)]
FORM = {
    "name": "Efterår 2026", "starts": "2026-09-01", "ends": "2026-12-31", "rule": "tokens", "best_of": "2",
    "least_evenings": "2", "least_deals": "0", "place_points": "10 6 3 1", "breaks_ties": "on",
    "counts_withdrawn": "on",
}  # fmt: skip


@pytest.fixture
def evenings(club, alice, players):
    """Three evenings: all are at the first, the last two of them are away from the others, a guest is at all."""
    made_once("evenings", [club, alice, *players], lambda: _evenings(club, alice, players)[0])
    return list(Tournament.objects.order_by("date"))


def _evenings(club, alice, players):
    guest = make_player("Gæst Gunnar")
    there = [[*players[:7], guest], [*players[:5], guest, players[6]], [*players[:6], guest]]
    return [
        play_evening(
            make_evening(some, club, alice, date=day, name=f"Aften {day.month}"), alice, seed=day.month
        )
        for some, day in zip(there, DAYS, strict=True)
    ]


def url(name, season, *which):
    return reverse(name, args=[season.host.slug, season.pk, *which])


def best_two(evenings, players):
    """An independent count: player -> the sum of the two best evenings, for those who played two at least."""
    counts = [tokens_by_player(evening) for evening in evenings]
    won = {
        player: sorted((count[player] for count in counts if player in count), reverse=True)
        for player in players
    }
    return {player: sum(amounts[:2]) for player, amounts in won.items() if len(amounts) >= 2}


@pytest.mark.databases
@pytest.mark.slow
def test_a_season_from_its_making_to_the_awards(as_alice, client, club, players, evenings):
    made = as_alice.post(reverse("club_season_new", args=[club.slug]), FORM, follow=True)
    season = club.seasons.get()
    assert made.redirect_chain == [(url("club_season", season), 302)]
    assert [evening.code for evening in made.context["evenings"]] == [evening.code for evening in evenings]
    chosen = as_alice.post(
        url("club_season_evenings", season), {"evening": [evening.code for evening in evenings]}, follow=True
    )
    assert list(season.evenings.order_by("date")) == evenings
    page = client.get(season.get_absolute_url())
    expected = best_two(evenings, [player.pk for player in players])
    shown = {line.row.player_id: line.row.line for line in page.context["placed"]}
    assert {player: line.total for player, line in shown.items()} == expected
    by_place = sorted(shown.values(), key=lambda line: line.rank)
    assert [line.total for line in by_place] == sorted(expected.values(), reverse=True)
    # The seventh player was there twice, the sixth too; nobody but the eighth, who never came, is missing.
    assert players[7].pk not in shown
    assert "Gæst Gunnar" not in page.content.decode()
    assert "does not count" in page.content.decode()
    best = by_place[0].player
    answer = as_alice.post(
        url("club_season_award", season),
        {"title": "Klubmester", "player": best, "words": "for tålmodighed"},
        follow=True,
    )
    assert chosen.status_code == answer.status_code == 200
    text = client.get(season.get_absolute_url()).content.decode()
    assert "Klubmester" in text
    assert "for tålmodighed" in text
    pdf = client.get(reverse("hall_season_pdf", args=[season.pk]))
    assert pdf.content.startswith(b"%PDF")


def test_the_files_say_what_the_page_says(client, season, evening):
    table = season_table(season)
    told = json.loads(client.get(reverse("hall_season_file", args=[season.pk, "json"])).getvalue())
    assert [(line["place"], line["total"]) for line in told["ladder"]] == [
        (row.line.rank or None, row.line.total) for row in table.rows
    ]
    csv = client.get(reverse("hall_season_file", args=[season.pk, "csv"])).getvalue().decode("utf-8-sig")
    assert csv.count("\r\n") == len(table.rows) + 1
    sheet = load_workbook(
        BytesIO(client.get(reverse("hall_season_file", args=[season.pk, "xlsx"])).getvalue())
    ).active
    assert [row[1].value for row in sheet.iter_rows(min_row=2)] == [row.name for row in table.rows]
    assert client.get(reverse("hall_season_file", args=[season.pk, "exe"])).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["tokens", "average", "places"])
def test_every_rule_is_counted_and_said(client, season, evenings, rule):
    season.evenings.set(evenings)
    Season.objects.filter(pk=season.pk).update(rule=rule, best_of=0, least_evenings=0, with_guests=True)
    page = client.get(season.get_absolute_url())
    lines = page.context["placed"]
    assert len(lines) == 8
    by_evening = [tokens_by_player(evening) for evening in evenings]
    for line in lines:
        won = [tokens[line.row.player_id] for tokens in by_evening if line.row.player_id in tokens]
        if rule == "tokens":
            assert line.row.line.total == sum(won)
        if rule == "average":
            assert line.row.line.total * line.row.line.deals == sum(won)
    assert page.context["said"]


@pytest.mark.parametrize("rule", [Season.Rule.TOKENS, Season.Rule.PLACES])
def test_an_evening_counts_for_a_player_from_the_first_deal_of_theirs_on(alice, club, players, season, rule):
    Season.objects.filter(pk=season.pk).update(rule=rule, place_points=[10, 6, 3, 1], least_evenings=0)
    running = make_evening(players, club, alice, date=DAYS[0], season=season)
    start_round(running.rounds.get(), account=alice, now=timezone.now())
    first, second = Table.objects.filter(round__tournament=running).order_by("number")
    play_table(first, seed=3, now=timezone.now())
    table = season_table(Season.objects.get(pk=season.pk))
    tokens = tokens_by_player(running)
    at_first = set(first.seats.values_list("entry__player", flat=True))
    assert {row.player_id for row in table.rows} == at_first
    assert all(row.line.played == 1 for row in table.rows)
    # The four of the other table, at 0, take no place before those who have lost.
    best_first = sorted((tokens[player] for player in at_first), reverse=True)
    worth = {amount: place for place, amount in reversed(list(enumerate(best_first)))}
    expected = {
        player: tokens[player] if rule == Season.Rule.TOKENS else [10, 6, 3, 1][worth[tokens[player]]]
        for player in at_first
    }
    assert {row.player_id: row.line.total for row in table.rows} == expected
    play_table(second, seed=4, now=timezone.now())
    assert len(season_table(Season.objects.get(pk=season.pk)).rows) == 8


def test_an_evening_by_the_average_brings_its_tokens_to_a_sum(season, evening):
    tokens = tokens_by_player(evening)
    Tournament.objects.filter(pk=evening.pk).update(comparison="average", version=99)
    Season.objects.filter(pk=season.pk).update(least_evenings=0)
    season.refresh_from_db()
    assert {row.player_id: row.line.total for row in season_table(season).rows} == tokens


def test_penalties_count_and_the_ladder_follows_a_change_at_once(alice, season, evening):
    before = {row.player_id: row.line.total for row in season_table(season).rows}
    Tournament.objects.filter(pk=evening.pk).update(state="running")
    evening.refresh_from_db()
    entry = evening.entries.get(number=1)
    penalise(entry, tokens=-50, reason="late", round_=None, account=alice, now=timezone.now())
    after = {row.player_id: row.line.total for row in season_table(season).rows}
    assert after[entry.player_id] < before[entry.player_id]


def test_on_an_evening_of_pairs_each_player_has_the_place_of_the_pair(as_alice, client, alice, club, season):
    """By places the pair's counts; by tokens each player's own, which the pages say."""
    pairs = make_tournament(
        8, 3, club=club, format="pairs", drawn=False, deals_per_round=4, date=DAYS[0], season=season
    )
    now = timezone.now()
    teams.put_together(pairs, account=alice, now=now)
    draw(pairs, seed=3, account=alice, now=now)
    play_evening(pairs, alice, seed=11)
    season.rule, season.place_points, season.least_evenings = "places", [9, 5, 2], 0
    season.save()
    ranked = {row.number: row.rank for row in team_standings(Tournament.objects.get(pk=pairs.pk)).rows}
    points = dict(enumerate(season.place_points, start=1))
    expected = {
        player: points.get(ranked[team], 0)
        for player, team in pairs.entries.values_list("player", "team__number")
    }
    assert {row.player_id: row.line.total for row in season_table(season).rows} == expected
    assert sorted(expected.values())[-2:] == [9, 9]
    assert "place of the pair" in client.get(season.get_absolute_url()).content.decode()
    assert "place of the pair" in as_alice.get(url("club_season", season)).content.decode()
    season.rule, season.version = "tokens", season.version + 1
    season.save()
    totals = {row.player_id: row.line.total for row in season_table(season).rows}
    assert totals == tokens_by_player(pairs)
    assert "own tokens count" in client.get(season.get_absolute_url()).content.decode()
    winner = pairs.entries.filter(team__number=min(ranked, key=ranked.__getitem__)).first()
    page = client.get(reverse("hall_player", args=[pairs.code, winner.number])).content.decode()
    assert "The pair’s place</dt><dd>1" in page.replace("&#x27;", "'")


def test_evenings_on_the_same_day_are_told_apart_by_a_number():
    days = [date(2026, 11, 15), date(2026, 11, 22), date(2026, 11, 22)]
    assert days_of(days) == ["15/11", "22/11 (1)", "22/11 (2)"]
