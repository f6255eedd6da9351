"""Luck and play on the same cards: where it is shown, to whom, and not before a round is over."""

from __future__ import annotations

import csv
import io

import pytest
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_round, make_tournament
from tests.pages import words_at
from tournaments.boards.folders import opened_rounds, show_same_cards
from tournaments.boards.results import lines_of, ranking_of_players
from tournaments.boards.text import in_tenths
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import reopen_round
from tournaments.models import Tournament
from tournaments.people import person_statistics, visibility
from tournaments.people.person_statistics import play_over_the_years
from tournaments.standings.columns import PLAYERS, On, select_columns
from tournaments.standings.players import standings

pytestmark = pytest.mark.django_db


def best_of(tournament):
    return ranking_of_players(tournament, opened_rounds(tournament))[0]


def column(tournament, on=On.SCREEN):
    """The column of the standings, None where there is none."""
    table = standings(Tournament.objects.get(pk=tournament.pk))
    found = [one for one in select_columns(PLAYERS, on, table) if one.name == "same_cards"]
    return [found[0].cell_text(row) for row in table.rows] if found else None


def switch(tournament, alice, *, shown):
    return show_same_cards(tournament, shown=shown, account=alice, now=timezone.now())


def test_cards_and_play_are_the_tokens_of_the_standings_where_all_is_compared(played):
    rows = ranking_of_players(played, opened_rounds(played))
    assert len(rows) == 16
    assert all(row.split.tokens == row.tokens for row in rows)
    assert sum(row.split.play for row in rows) == 0
    assert all(row.split.margin > 0 for row in rows)


def test_a_player_reads_both_places_and_both_figures(played, client):
    best = best_of(played)
    said = words_at(client, reverse("hall_player", args=[played.code, best.number]))
    assert f"Place {best.plain_rank} of 16 in tokens, place 1 on the same cards." in said
    split = best.split
    assert (
        f"Cards {in_tenths(split.cards)}, play {in_tenths(split.play)} (give or take {split.margin:.1f})."
        in said
    )
    assert ("So far this may be down to chance." in said) is not split.is_clear


def test_nothing_is_said_of_it_before_the_round_is_over(evening, played, alice, client):
    address = reverse("hall_player", args=[played.code, 1])
    assert "on the same cards" in words_at(client, address)
    switch(played, alice, shown=True)
    reopen_round(first_round(played), reason="a slip was found", account=alice, now=timezone.now())
    assert "on the same cards" not in words_at(client, address)
    assert column(played) is None
    assert "Same cards" not in words_at(client, reverse("standings", args=[played.code]))


def test_the_ranking_has_cards_play_and_interval(played, client):
    best = best_of(played)
    said = words_at(client, reverse("hall_boards", args=[played.code]))
    cells = (best.split.play, best.split.cards)
    play, cards = map(in_tenths, cells)
    rank = f"{best.rank}{'=' if best.shared else ''}"
    assert f"{rank} {best.name} {play} {best.split.margin:.1f} {cards} 16" in said
    file = client.get(reverse("hall_duplicate", args=[played.code])).content.decode("utf-8-sig")
    heads, first, *_rest = csv.reader(io.StringIO(file))
    row = dict(zip(heads, first, strict=True))
    assert float(row["Cards"]) == pytest.approx(float(best.split.cards), abs=1e-4)
    assert float(row["Give or take"]) == round(best.split.margin, 1)


def test_organisers_show_the_column_and_leave_it_out(played, as_alice, as_charlie, client):
    address = reverse("desk_boards_column", args=[played.code])
    page = reverse("standings", args=[played.code])
    assert column(played) is None
    assert as_charlie.post(address, {"shown": "1"}).status_code in (302, 403, 404)
    assert column(played) is None
    for _twice in range(2):
        assert as_alice.post(address, {"shown": "1"}).status_code == 302
    assert "Same cards" in words_at(client, page)
    assert played.log.filter(text__contains="show results on the same cards").count() == 1
    for on in (On.SCREEN, On.PAPER, On.SHEET, On.JSON):
        assert len(column(played, on)) == 16
    as_alice.post(address, {"shown": "0"})
    assert column(played) is None
    assert "Same cards" not in words_at(client, page)


def test_a_tournament_without_boards_has_no_such_page(club, alice, as_alice):
    plain = make_tournament(8, club=club, account=alice)
    assert as_alice.post(reverse("desk_boards_column", args=[plain.code]), {"shown": "1"}).status_code == 404


def test_a_persons_page_has_play_over_the_years_once_the_evening_is_over(played, alice, client):
    best = best_of(played)
    entry = played.entries.get(number=best.number)
    assert play_over_the_years(entry.player) is None
    finish(Tournament.objects.get(pk=played.pk), account=alice, now=timezone.now())
    found = play_over_the_years(entry.player)
    # On one evening with four tables a player is compared with the three who had the same seat at the other tables.
    assert (found.deals, found.players) == (16, 4)
    assert found.play == pytest.approx(float(best.split.play) * 3 / 4 / 16)
    said = words_at(client, reverse("person", args=[entry.player_id]))
    assert "A deal on the same cards" in said
    assert "in 16 deals" in said


def test_all_evenings_are_read_at_once_with_the_results_that_pages_show(played, alice):
    finish(Tournament.objects.get(pk=played.pk), account=alice, now=timezone.now())
    evenings = visibility.evenings().filter(boards=True)
    shown = [
        (place.role.value, place.entry.player_id, float(place.tokens))
        for line in lines_of(opened_rounds(evenings.get()))
        for place in line.places
        if place.compared
    ]
    read = [(one.cell[1], one.player, one.tokens) for one in person_statistics._observations(evenings)]
    assert len(read) > 60
    assert sorted(read) == sorted(shown)


def test_many_evenings_are_fitted_by_the_process_for_jobs(played, alice, monkeypatch):
    monkeypatch.setattr(person_statistics, "AT_ONCE", 0)
    player = played.entries.get(number=best_of(played).number).player
    finish(Tournament.objects.get(pk=played.pk), account=alice, now=timezone.now())
    assert play_over_the_years(player) is None
    person_statistics.refresh_fit(timezone.now())
    fitted = play_over_the_years(player)
    assert fitted.deals == 16
    # Until it has fitted anew, the one before is shown.
    Tournament.objects.filter(pk=played.pk).update(version=F("version") + 1)
    assert play_over_the_years(player) == fitted


def test_a_person_who_never_played_with_folders_has_no_such_figure(club, alice, client):
    plain = make_tournament(8, club=club, account=alice)
    assert play_over_the_years(plain.entries.first().player) is None
