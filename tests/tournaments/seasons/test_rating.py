"""Ratings: worked out from the results alone, shown to whom the club allows, deciding nothing."""

from __future__ import annotations

from datetime import date, timedelta
from math import sqrt

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.evenings import make_evening, play_evening
from tests.factories import affiliate, made_once, make_club, make_player, player_name
from tournaments.changes.versions import announce
from tournaments.entries import personal_data
from tournaments.exports.verify.derived import kept_differences
from tournaments.models import Entry, Rating, RatingState, Seat, Table, Tournament
from tournaments.seasons.rating import (
    FIRST,
    FIRST_SIGMA,
    MODEL,
    Game,
    Known,
    chance,
    fold,
    games_of,
    move_on,
)
from tournaments.seasons.ratings import (
    AWAY,
    LEAST_TABLES,
    around,
    rating_list,
    rating_of,
    ratings,
    to_bring_up_to_date,
)

ANNA, BO, CARL, DORA = range(4)
DAY = date(2026, 9, 4)


def games(*tokens, event="A", deals=10):
    return [Game(event, (ANNA, BO, CARL, DORA)[: len(won)], won, deals, DAY) for won in tokens]


def test_a_table_is_an_observation_by_bayes_rule():
    # Two of whom nothing is known, one deal, 3 tokens to -3: a spread of sqrt(18) a deal, so ±0.7071 of it.
    (game,) = games((3, -3), deals=1)
    ((_event, after),) = move_on({}, [game])
    half = FIRST_SIGMA**2 / (FIRST_SIGMA**2 + 1)
    assert after[ANNA].mu == pytest.approx(half * sqrt(0.5))
    assert after[BO].mu == -after[ANNA].mu
    # The sum of both is not observed: half of what is not known of each stays.
    assert after[ANNA].sigma ** 2 == pytest.approx(FIRST_SIGMA**2 * (1 - half / 2))
    assert (after[ANNA].tables, after[ANNA].day) == (1, DAY)


def test_margins_and_deals_tell_more_and_dear_rules_do_not():
    def gain(*tokens, deals=10):
        return fold(games(*tokens, deals=deals))[ANNA].points

    level = (1, -1, 1, -1)
    assert gain((40, 0, -20, -20), level) > gain((30, 10, -20, -20), level) > FIRST
    assert gain((30, 10, -20, -20)) == gain((300, 100, -200, -200))
    # As many tokens a deal over four times the deals are four times the evidence.
    assert gain((36, 4, -4, -36), deals=40) > gain((9, 1, -1, -9), deals=10)


def test_who_stays_away_is_known_less_and_never_less_than_nothing():
    known = Known(0.01, 0.02, 30, DAY)
    assert known.on(DAY) == known
    assert known.on(DAY + timedelta(days=365 * 5)).sigma == pytest.approx(sqrt(0.02**2 + 5 * 0.01**2))
    assert known.on(DAY + timedelta(days=365 * 100)).sigma == FIRST_SIGMA


def test_a_chance_is_even_for_equals_and_grows_with_deals():
    strong, weak = Known(0.05, 0.0), Known(-0.05, 0.0)
    assert chance(weak, weak, 40) == 0.5
    assert chance(strong, weak, 50) == pytest.approx(0.691462, abs=1e-6)  # half a standard deviation
    assert chance(strong, weak, 200) == pytest.approx(0.841345, abs=1e-6)  # one
    assert chance(weak, strong, 50) == pytest.approx(0.308538, abs=1e-6)


def test_who_wins_gains_and_who_loses_loses_and_all_begin_alike():
    rated = fold(games((9, 1, -1, -9)))
    assert rated[ANNA].points > rated[BO].points > FIRST > rated[CARL].points > rated[DORA].points


def test_equals_stay_where_they_were():
    assert {line.points for line in fold(games((0, 0, 0, 0))).values()} == {FIRST}


def test_tables_of_three_and_of_four_are_games_alike():
    rated = fold(games((5, 0, -5), (5, 0, -5, 0)))
    assert (rated[ANNA].tables, rated[DORA].tables) == (2, 1)


def test_winning_against_the_strong_brings_more():
    before = games(*[(9, 1, -1, -9)] * 6)
    both = fold([*before, Game("B", (7, ANNA), (5, -5), 10, DAY), Game("B", (8, DORA), (5, -5), 10, DAY)])
    assert both[7].points > both[8].points > FIRST


def test_a_rating_gets_surer_with_every_table():
    few, many = fold(games((3, 1, -1, -3))), fold(games(*[(3, 1, -1, -3), (-3, -1, 1, 3)] * 10))
    assert many[ANNA].give_or_take < few[ANNA].give_or_take


def test_the_history_has_one_point_a_tournament():
    rated = fold([*games((3, 1, -1, -3), (3, 1, -1, -3)), *games((-3, 1, -1, 3), event="B")])
    assert [event for event, _points in rated[ANNA].history] == ["A", "B"]
    assert rated[ANNA].history[-1][1] == rated[ANNA].points


@pytest.fixture
def union(db):
    return make_club("Unionen")


@pytest.fixture
def played(club, alice, union):
    """Five tables each for eight members, in two tournaments of a club of a union."""
    affiliate(club, union)
    players = [make_player(player_name(index), club, index + 1) for index in range(8)]

    def play():
        for count in (3, 2):
            evening = make_evening(players, club, alice, rounds_planned=count, date=date(2026, 9, count))
            made = play_evening(evening, alice)
        return made

    members = [player.memberships.get() for player in players]
    made_once("rated", [union, club, alice, *players, *members], play)
    return [Tournament.objects.get(date=date(2026, 9, count)) for count in (3, 2)]


@pytest.mark.databases
def test_the_order_is_that_of_dates_and_nothing_else_counts(club, played):
    by_date = [played[1].code, played[0].code]
    expected = fold(games_of(by_date))
    assert {player: (now.points, now.give_or_take, now.tables) for player, now in ratings(club).items()} == {
        player: (rated.points, rated.give_or_take, rated.tables) for player, rated in expected.items()
    }
    entry = Entry.objects.select_related("player", "club", "tournament__host").get(
        tournament=played[0], number=1
    )
    assert [point.points for point in rating_of(entry, DAY).history] == [
        points for _code, points in expected[entry.player_id].history
    ]
    tables = {code: [game for game in games_of(by_date) if game.event == code] for code in by_date}
    assert [len(tables[code]) for code in by_date] == [4, 6]
    won = {(game.event, player): 0 for game in games_of(by_date) for player in game.players}
    for game in games_of(by_date):
        for player, tokens in zip(game.players, game.tokens, strict=True):
            won[game.event, player] += tokens
    seats = Seat.objects.select_related("entry", "round__tournament")
    recounted = dict.fromkeys(won, 0)
    for seat in seats:
        recounted[seat.round.tournament.code, seat.entry.player_id] += seat.tokens
    assert won == recounted


def test_a_table_counts_by_its_deals_and_by_those_reported_where_it_was_ended_early(played):
    def deals():
        return [game.deals for game in games_of([played[0].code])]

    whole = Table.objects.filter(round__tournament=played[0])
    assert deals() == list(whole.order_by("round__number", "number").values_list("deals", flat=True))
    whole.update(deals=40)
    assert set(deals()) == {40}
    whole.update(ended_early_at=timezone.now())
    assert deals() == [table.dealt.count() for table in whole.order_by("round__number", "number")]
    assert set(deals()) != {40}


def test_a_result_that_changes_changes_the_ratings(club, played):
    before = ratings(club)
    seat = Seat.objects.filter(round__tournament=played[0]).order_by("tokens").first()
    Seat.objects.filter(pk=seat.pk).update(tokens=seat.tokens + 500)
    assert ratings(club) == before
    announce(played[0].pk)
    assert ratings(club) != before


@pytest.mark.databases
@pytest.mark.time_machine("2026-09-04 20:00+02:00")
def test_the_list_and_a_players_curve_are_in_the_hall(client, club, union, played):
    for of in (club, union):
        page = client.get(reverse("hall_rating", args=[of.slug])).content.decode()
        assert all(player_name(index) in page for index in range(8))
        assert "decides no evening’s draw" in page
    listed = rating_list(club, DAY)
    assert [line.rated.points for line in listed] == sorted(
        (line.rated.points for line in listed), reverse=True
    )
    assert {line.rated.tables for line in listed} == {LEAST_TABLES}
    first = f"{listed[0].name} leads with {listed[0].rated.points}."
    assert first in client.get(reverse("hall_rating", args=[club.slug])).content.decode()
    front = client.get(reverse("hall_club", args=[club.slug])).context["facts"]
    assert front.rating == f"In the lead: {listed[0].name}, {listed[0].rated.points}"
    url = reverse("hall_player_rating", args=[played[0].code, 1])
    assert url in client.get(reverse("hall_player", args=[played[0].code, 1])).content.decode()
    page = client.get(url)
    assert '<path class="l1"' in page.content.decode()
    part = client.get(url, headers={"HX-Request": "true"}).content.decode()
    assert '<path class="l1"' in part
    assert "<html" not in part
    person = client.get(reverse("person", args=[listed[0].player]))
    assert person.context["rating_curve"].last == listed[0].rated.points
    assert person.content.decode().count('<svg class="line" role="img"') == 1


def test_who_has_been_away_for_a_year_has_no_place(club, played):
    last = max(evening.date for evening in played)
    assert {line.place for line in rating_list(club, last + AWAY)} == set(range(1, 9))
    away = rating_list(club, last + AWAY + timedelta(days=1))
    assert {line.place for line in away} == {0}
    points = [line.rated.points for line in away]
    assert points == sorted(points, reverse=True)


def test_ratings_of_another_model_are_counted_anew(club, played):
    now = ratings(club)
    Rating.objects.update(mu=7)
    RatingState.objects.update(model=1)
    assert list(kept_differences()) == []
    assert to_bring_up_to_date() == [around(club)]
    assert ratings(club) == now
    assert RatingState.objects.get().model == MODEL


def test_a_club_switches_ratings_off_for_its_tournaments_and_its_players(
    as_alice, client, club, union, played
):
    form = as_alice.get(reverse("club_edit", args=[club.slug])).context["form"]
    assert form["shows_rating"].value() is True
    as_alice.post(reverse("club_edit", args=[club.slug]), {"name": club.name, "name_style": "full"})
    club.refresh_from_db()
    assert not club.shows_rating
    assert client.get(reverse("hall_rating", args=[club.slug])).status_code == 404
    assert player_name(0) not in client.get(reverse("hall_rating", args=[union.slug])).content.decode()
    url = reverse("hall_player_rating", args=[played[0].code, 1])
    assert '<path class="l1"' not in client.get(url).content.decode()
    assert url not in client.get(reverse("hall_player", args=[played[0].code, 1])).content.decode()


def test_guests_are_in_the_games_and_not_in_the_list(client, club, played):
    entry = played[0].entries.get(number=2)
    Entry.objects.filter(player=entry.player).update(club=None)
    assert entry.player_id in ratings(club)
    assert player_name(1) not in client.get(reverse("hall_rating", args=[club.slug])).content.decode()
    assert (
        '<path class="l1"'
        not in client.get(reverse("hall_player_rating", args=[played[0].code, 2])).content.decode()
    )


def test_who_erases_is_not_in_the_list_but_the_games_stay(client, alice, club, played):
    entry = played[0].entries.get(number=1)
    before = ratings(club)
    personal_data.erase(entry.player, account=alice, today=date(2026, 12, 1), now=timezone.now())
    assert ratings(club) == before
    page = client.get(reverse("hall_rating", args=[club.slug])).content.decode()
    assert player_name(0) not in page
    assert "N.N." not in page
    assert (
        '<path class="l1"'
        not in client.get(reverse("hall_player_rating", args=[played[0].code, 1])).content.decode()
    )


def test_who_wants_no_page_over_the_years_is_not_in_the_list_but_the_games_stay(client, club, played):
    before = ratings(club)
    page = reverse("hall_rating", args=[club.slug])
    assert player_name(0) in client.get(page).content.decode()
    player = played[0].entries.get(number=1).player
    player.has_objected = True
    player.save()
    assert ratings(club) == before
    assert player_name(0) not in client.get(page).content.decode()
    own = reverse("hall_player_rating", args=[played[0].code, 1])
    assert '<path class="l1"' not in client.get(own).content.decode()
    assert own not in client.get(reverse("hall_player", args=[played[0].code, 1])).content.decode()


@pytest.mark.slow
def test_names_are_shown_as_the_club_has_agreed(client, club, played):
    club.name_style = "initial"
    club.save()
    page = client.get(reverse("hall_rating", args=[club.slug])).content.decode()
    assert "Anna H." in page
    assert "Anna Holm" not in page
