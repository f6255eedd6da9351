"""A season from its making to the awards: evenings by bots, the ladder recounted, every page and file."""

from __future__ import annotations

import json
from datetime import date
from io import BytesIO

import pytest
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar
from openpyxl import load_workbook

from tests.evenings import make_evening, play_evening, play_table, tokens_by_player
from tests.factories import make_club, make_player, make_tournament, player_name
from tests.tournaments.files.test_transfer import forget
from tournaments import rounds
from tournaments.entries import personal_data
from tournaments.files.transfer import export_tournament, import_tournament, unlike_the_file
from tournaments.models import Award, Season, Table, Tournament
from tournaments.seasons.said import days_of
from tournaments.seasons.table import season_table
from tournaments.teams import making
from tournaments.teams.standings import team_standings

pytestmark = pytest.mark.databases

DAYS = [date(2026, 9, 3), date(2026, 10, 1), date(2026, 11, 5)]
FORM = {
    "name": "Efterår 2026", "starts": "2026-09-01", "ends": "2026-12-31", "rule": "tokens", "best_of": "2",
    "least_evenings": "2", "least_deals": "0", "place_points": "10 6 3 1", "breaks_ties": "on",
    "counts_withdrawn": "on",
}  # fmt: skip


@pytest.fixture
def players(club):
    return [make_player(player_name(index), club, index + 1) for index in range(8)]


@pytest.fixture
def season(club):
    return Season.objects.create(
        host=club,
        name="Efterår 2026",
        starts=date(2026, 9, 1),
        ends=date(2026, 12, 31),
        best_of=2,
        least_evenings=2,
    )


@pytest.fixture
def evenings(club, alice, players):
    """Three evenings: all are at the first, the last two of them are away from the others, a guest is at all."""
    guest = make_player("Gæst Gunnar")
    there = [[*players[:7], guest], [*players[:5], guest, players[6]], [*players[:6], guest]]
    return [
        play_evening(
            make_evening(some, club, alice, date=day, name=f"Aften {day.month}"), alice, seed=day.month
        )
        for some, day in zip(there, DAYS, strict=True)
    ]


@pytest.fixture
def evening(club, alice, players, season):
    """One evening of the season, of four players."""
    return play_evening(make_evening(players[:4], club, alice, date=DAYS[0], season=season), alice)


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
    told = json.loads(client.get(reverse("hall_season_file", args=[season.pk, "json"])).content)
    assert [(line["place"], line["total"]) for line in told["ladder"]] == [
        (row.line.rank or None, row.line.total) for row in table.rows
    ]
    csv = client.get(reverse("hall_season_file", args=[season.pk, "csv"])).content.decode("utf-8-sig")
    assert csv.count("\r\n") == len(table.rows) + 1
    sheet = load_workbook(
        BytesIO(client.get(reverse("hall_season_file", args=[season.pk, "xlsx"])).content)
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
    rounds.start_round(running.rounds.get(), account=alice, now=timezone.now())
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
    rounds.penalise(entry, tokens=-50, reason="late", round_=None, account=alice, now=timezone.now())
    after = {row.player_id: row.line.total for row in season_table(season).rows}
    assert after[entry.player_id] < before[entry.player_id]


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"name": ""}, "name"),
        ({"ends": "2026-08-31"}, "ends"),
        ({"starts": "0202-09-01"}, "starts"),
        ({"starts": "tomorrow"}, "starts"),
        ({"best_of": "-1"}, "best_of"),
        ({"best_of": "many"}, "best_of"),
        ({"rule": "places", "place_points": ""}, "place_points"),
        ({"place_points": "ten, eight"}, "place_points"),
        ({"place_points": "99999"}, "place_points"),
        ({"place_points": "9,5 8 7"}, "place_points"),
        ({"place_points": "9 5 8 7"}, "place_points"),
        ({"rule": "luck"}, "rule"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(as_alice, club, typed, field):
    answer = as_alice.post(reverse("club_season_new", args=[club.slug]), FORM | typed)
    assert list(answer.context["form"].errors) == [field]
    assert not club.seasons.exists()


def test_a_double_click_makes_one_season_and_another_of_its_name_is_refused(as_alice, club):
    new = reverse("club_season_new", args=[club.slug])
    ways = {as_alice.post(new, FORM).headers["Location"] for _click in range(2)}
    assert ways == {url("club_season", club.seasons.get())}
    answer = as_alice.post(new, FORM | {"best_of": "5"})
    assert "another season of this name" in answer.content.decode()


def test_only_organisers_change_a_season_and_only_its_own_clubs(as_charlie, as_alice, season):
    other = make_club("Nim")
    theirs = Season.objects.create(host=other, name="Nims", starts=date(2026, 1, 1), ends=date(2026, 12, 31))
    for name in ("club_season", "club_season_edit", "club_season_delete"):
        assert as_charlie.get(url(name, season)).status_code == 403
        assert as_alice.get(url(name, theirs)).status_code == 403
        assert as_alice.get(reverse(name, args=[season.host.slug, theirs.pk])).status_code in (302, 404)


def test_an_award_goes_to_somebody_of_the_season_and_can_be_taken_back(as_alice, season, evening, players):
    award = {"title": "Jokum", "player": players[7].pk, "words": ""}
    answer = as_alice.post(url("club_season_award", season), award)
    assert "Choose one of the players" in answer.content.decode()
    as_alice.post(url("club_season_award", season), award | {"player": players[0].pk})
    as_alice.post(url("club_season_award", season), award | {"player": players[0].pk})
    given = Award.objects.get()
    as_alice.post(url("club_season_no_award", season, given.pk))
    assert not Award.objects.exists()


def test_who_erases_is_in_the_ladder_without_a_name(client, alice, season, evening, players):
    Award.objects.create(season=season, title="Jokum", player=players[0])
    assert player_name(0) in client.get(season.get_absolute_url()).content.decode()
    personal_data.erase(players[0], account=alice, today=date(2026, 12, 1), now=timezone.now())
    text = client.get(season.get_absolute_url()).content.decode()
    assert player_name(0) not in text
    assert "N.N." in text


@pytest.mark.parametrize(("style", "shown"), [("initial", "Anna H."), ("number", ">1<")])
def test_names_are_shown_as_the_club_has_agreed(client, club, season, evening, style, shown):
    club.name_style = style
    club.save()
    text = client.get(season.get_absolute_url()).content.decode()
    assert shown in text
    assert "Anna Holm" not in text


def test_a_tournaments_set_up_offers_the_season_of_its_host_and_no_other(as_alice, club, season):
    other = Season.objects.create(
        host=make_club("Nim"), name="Nims", starts=date(2026, 1, 1), ends=date(2026, 12, 31)
    )
    form = as_alice.get(reverse("tournament_new")).context["form"]
    assert list(form.fields["season"].queryset) == [season]
    tournament = make_tournament(4, club=club, started=False, drawn=False)
    page = reverse("tournament_setup", args=[tournament.code])
    form = as_alice.get(page).context["form"]
    values = {field.html_name: field.value() for field in form if field.value() not in (None, "")}
    values |= {"rulebook": form.chosen, "options_of": form.chosen, "host": club.pk}
    refused = as_alice.post(page, values | {"season": other.pk})
    assert "not there any more" in refused.content.decode()
    as_alice.post(page, values | {"season": season.pk, "comparison": "factor", "three_factor": "0,75"})
    tournament.refresh_from_db()
    assert (tournament.season, tournament.comparison, tournament.three_factor) == (season, "factor", "3/4")


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
    assert [log.count(f"{done} the season “{season}”") for done in ("Removed", "Put back")] == [1, 1]


def test_a_removed_seasons_name_is_free_and_says_so_when_it_is_put_back(as_alice, club, season):
    as_alice.post(url("club_season_delete", season))
    as_alice.post(reverse("club_season_new", args=[club.slug]), FORM)
    refused = as_alice.post(url("club_season_put_back", season), follow=True)
    assert "Another one is called “Efterår 2026” by now" in refused.content.decode()
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


def test_a_clubs_page_has_its_calendar_and_seasons(client, club, season):
    coming = make_tournament(
        4, club=club, started=False, drawn=False, name="Jul; å, ø", date=date(2099, 12, 24), place="Kroen"
    )
    page = client.get(reverse("hall_club", args=[club.slug])).content.decode()
    assert coming.name in page
    assert season.name in page
    answer = client.get(reverse("hall_calendar", args=[club.slug]))
    assert answer.headers["Content-Type"].startswith("text/calendar")
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert str(event["summary"]) == f"Jul; å, ø ({club})"
    assert event["dtstart"].dt == date(2099, 12, 24)
    assert str(event["location"]) == "Kroen"


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


def test_on_an_evening_of_pairs_each_player_has_the_place_of_the_pair(as_alice, client, alice, club, season):
    """By places the pair's counts; by tokens each player's own, which the pages say."""
    pairs = make_tournament(
        8, 3, club=club, format="pairs", drawn=False, deals_per_round=4, date=DAYS[0], season=season
    )
    now = timezone.now()
    making.put_together(pairs, account=alice, now=now)
    rounds.draw(pairs, seed=3, account=alice, now=now)
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
    assert "The pair's place</dt><dd>1" in page.replace("&#x27;", "'")


def test_evenings_on_the_same_day_are_told_apart_by_a_number():
    days = [date(2026, 11, 15), date(2026, 11, 22), date(2026, 11, 22)]
    assert days_of(days) == ["15/11", "22/11 (1)", "22/11 (2)"]
