"""A season that is removed is nowhere until it is put back, and a tournament's file finds its season or makes it."""

from __future__ import annotations

import json

from django.urls import reverse

from tests.factories import make_player, make_tournament, player_name
from tests.tournaments.exports.test_transfer import forget
from tests.tournaments.seasons.test_seasons import FORM, url
from tournaments.exports.tournament_file import export_tournament, import_tournament, unlike_the_file
from tournaments.models import Award, Season
from tournaments.seasons.ladder_table import season_table


def test_a_removed_season_is_nowhere_until_it_is_put_back(as_alice, client, season, evening):
    hall = reverse("hall", args=[evening.code])
    ladder = season_table(season)
    assert season.name in client.get(hall).content.decode()
    listed = as_alice.post(url("club_season_delete", season), follow=True)
    assert [(list(page.context[name])) for page in [listed] for name in ("there", "removed")] == [
        [],
        [season],
    ]
    shown = [client.get(hall), client.get(reverse("hall_club", args=[season.host.slug]))]
    assert not any(season.name in page.content.decode() for page in shown)
    away = [client.get(season.get_absolute_url()), as_alice.get(url("club_season", season))]
    assert [page.status_code for page in away] == [404, 404]
    for _click in range(2):
        back = as_alice.post(url("club_season_put_back", season))
        assert back.headers["Location"] == url("club_season", season)
    assert season_table(Season.objects.get()) == ladder
    assert season.name in client.get(hall).content.decode()
    log = as_alice.get(reverse("club_log", args=[season.host.slug])).content.decode()
    assert [log.count(f"{done} the season “{season}”") for done in ("Removed", "Restored")] == [1, 1]


def test_a_removed_seasons_name_is_free_and_says_so_when_it_is_put_back(as_alice, club, season):
    as_alice.post(url("club_season_delete", season))
    as_alice.post(reverse("club_season_new", args=[club.slug]), FORM)
    refused = as_alice.post(url("club_season_put_back", season), follow=True)
    assert "Another one is now called “Efterår 2026”" in refused.content.decode()
    assert list(refused.context["removed"]) == [season]


def test_an_evening_changed_meanwhile_is_in_its_season_when_that_is_put_back(as_alice, club, season):
    tournament = make_tournament(4, club=club, started=False, drawn=False, season=season)
    as_alice.post(url("club_season_delete", season))
    page = reverse("tournament_setup", args=[tournament.code])
    form = as_alice.get(page).context["form"]
    values = {field.html_name: field.value() for field in form if field.value() not in (None, "")}
    values |= {"rulebook": form.chosen, "options_of": form.chosen, "host": club.pk}
    as_alice.post(page, values | {"name": "Ny aften"})
    tournament.refresh_from_db()
    assert (tournament.name, tournament.season, tournament.counts_in) == ("Ny aften", season, None)


def test_a_tournaments_file_has_its_season_and_finds_it_or_makes_it_again(club, season):
    """With its rule, and with the awards that went to players of this evening."""
    Season.objects.filter(pk=season.pk).update(rule="places", place_points=[9, 4])
    season.refresh_from_db()
    evening = make_tournament(4, club=club, drawn=False, season=season, comparison="average")
    Award.objects.create(season=season, title="Jokum", player=evening.entries.get(number=3).player)
    Award.objects.create(season=season, title="Klubmester", player=make_player("Var der ikke"), number=2)
    text = export_tournament(evening)
    forget(evening)
    taken = import_tournament(text)
    assert (taken.season, taken.comparison) == (season, "average")
    assert export_tournament(taken) == text
    assert unlike_the_file(text, taken) == []
    forget(taken)
    season.best_of = 7
    season.save()
    taken = import_tournament(text)
    assert (taken.season.best_of, len(unlike_the_file(text, taken))) == (7, 1)
    forget(taken)
    season.delete()
    taken = import_tournament(text)
    assert taken.season != season
    assert [str(award) for award in taken.season.awards.all()] == [f"Jokum: {player_name(2)}"]
    assert export_tournament(taken) == text


def test_a_file_that_has_only_its_seasons_name_finds_it_or_stands_by_itself(club, season):
    evening = make_tournament(4, club=club, drawn=False, season=season)
    data = json.loads(export_tournament(evening))
    data["series"] = {"season": {"host": club.slug, "name": season.name}, "stage": None}
    forget(evening)
    taken = import_tournament(json.dumps(data))
    assert (taken.season, unlike_the_file(json.dumps(data), taken)) == (season, [])
    forget(taken)
    season.delete()
    assert import_tournament(json.dumps(data)).season is None
