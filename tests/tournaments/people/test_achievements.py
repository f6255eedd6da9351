"""Achievements: earned by play alone, taken away by a correction, hidden by one setting of the club."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

import pytest
from django.urls import reverse

from clubs.models import Club
from scoring.outcomes import Outcome
from scoring.seats import Role
from tests.factories import make_player, make_tournament, player_name
from tournaments.ledger.deal_sums import CountedDeal, Sort
from tournaments.models import Entry, EveningResult, Round, Seat, Table, Tournament
from tournaments.people import achievements as of
from tournaments.people.achievements import NAMES, WAYS
from tournaments.people.person import Evening
from tournaments.people.person_statistics import OwnDeal, Place

DAY = date(2025, 1, 3)
WON, BET, KODILLE = Outcome.WON, Outcome.BETE, Outcome.KODILLE


def deal(evening, outcome, contract="simple_game", trump="H", tout="", declarer=0):
    """A deal of the person at position 0."""
    sort = Sort(contract, trump, "FH", str(outcome), tout, 4)
    counted = CountedDeal(1, 1, sort, (0, 0, 0, 0), (Role.FH, Role.MH, Role.BH, Role.IDLE), declarer, ())
    return OwnDeal(Place(DAY + timedelta(evening), evening, "A", 1, 1), 1, 1, 0, counted)


def games(evening, *outcomes, **more):
    return [deal(evening, outcome, **more) for outcome in outcomes]


def evening(number, *, place=2, tokens=1, deals=20, day=None):
    at = day or DAY + timedelta(number)
    return Evening(number, "A", "E", at, "Club", "union", "individual", 1, place, 12, tokens, deals)


def solo(at, trump, outcome=WON):
    return deal(at, outcome, "spade_solo" if trump == "S" else "solo", trump)


@pytest.mark.parametrize(
    ("deals", "expected"),
    [
        (games(1, WON, BET), []),
        (games(1, WON, tout="failed"), []),
        # The first alone, and not one that somebody else has made.
        ([deal(1, WON, tout="won", declarer=1), *games(2, WON, WON, tout="won")], [("first_tout", 2)]),
        ([solo(1, "H"), solo(1, "D"), solo(2, "S"), solo(3, "C", BET)], []),
        ([solo(1, "H"), solo(1, "D"), solo(2, "S"), solo(3, "C"), solo(4, "C")], [("suits", 3)]),
        # What was lost on another evening, or before a game that was won, is no odds.
        ([*games(1, BET, KODILLE, BET), solo(1, "H")], [("odds", 1)]),
        ([*games(1, BET, KODILLE, BET), solo(2, "H")], []),
        ([*games(1, BET, KODILLE, WON, BET), solo(1, "H")], []),
        (games(1, *[WON] * 5), [("clean", 1)]),
        (games(1, *[WON] * 4), []),
        (games(1, *[WON] * 5, BET), []),
        (games(3, *[WON] * 5), []),  # not over
        ([deal(1, WON, declarer=1)] * 99 + [deal(2, WON, declarer=1)] * 2, [("hundred", 2)]),
    ],
)
def test_what_deals_decide(deals, expected):
    assert list(of._of_deals(deals, {1, 2})) == expected


@pytest.mark.parametrize(
    ("evenings", "expected"),
    [
        ([evening(1, tokens=0), evening(2, tokens=0, deals=19)], [("nought", 1)]),
        ([evening(n, place=1) for n in (1, 2, 3, 4)], [("hat_trick", 3)]),
        ([evening(1, place=1), evening(2), evening(3, place=1), evening(4, place=1)], []),
        ([evening(n, day=date(2000 + n, 5, 1)) for n in range(9)], []),
        ([evening(n, day=date(2000 + n, 5, 1)) for n in range(11)], [("years", 9)]),
        ([evening(n, day=date(2000, 5, n)) for n in range(1, 12)], []),
    ],
)
def test_what_evenings_decide(evenings, expected):
    assert list(of._of_evenings(evenings)) == expected


def test_all_of_them_have_a_name_and_say_how():
    assert set(of.KINDS) == NAMES.keys() == WAYS.keys()
    assert 8 <= len(of.KINDS) <= 12


@pytest.fixture
def people(club):
    return [make_player(player_name(index), club, index + 1) for index in range(9)]


def held(club, alice, day, *rounds, winner=None):
    """An evening that is over: its rounds, each of them tables, each of them players with their tokens."""
    tournament = make_tournament(0, club=club, account=alice, date=day)
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINISHED)
    entries, total = {}, Counter()
    for number, tables in enumerate(rounds, start=1):
        round_, _new = Round.objects.get_or_create(
            tournament=tournament, number=number, defaults={"state": Round.State.CLOSED, "seed": 1}
        )
        for place, sitting in enumerate(tables, start=1):
            table = Table.objects.create(round=round_, number=place, deals=20, reports_count=1)
            for position, (player, tokens) in enumerate(sitting.items()):
                entry = entries.get(player) or Entry.objects.create(
                    tournament=tournament, player=player, club=club, number=len(entries) + 1
                )
                entries[player] = entry
                Seat.objects.create(table=table, round=round_, position=position, entry=entry, tokens=tokens)
                total[player] += tokens
    EveningResult.objects.bulk_create(
        EveningResult(
            tournament=tournament,
            entry=entry,
            place=1 if player == winner else 2,
            total=total[player],
            tokens=total[player],
            deals=20,
        )
        for player, entry in entries.items()
    )
    Tournament.objects.filter(pk=tournament.pk).update(results_kept=True)
    tournament.refresh_from_db()
    return tournament


def kinds(player, today=date(2026, 1, 2)):
    return {one.kind: [at.day for at in one.evenings] for one in of.of_player(player, today)}


def level(players):
    return dict.fromkeys(players, 1)


@pytest.mark.django_db
def test_ten_evenings_in_a_row_are_a_clubs_days_one_after_the_other(club, alice, people):
    anna, others = people[0], people[1:4]
    days = [DAY + timedelta(7 * week) for week in range(12)]
    for day in days:
        # The second day without Anna.
        held(club, alice, day, [level([*others, *([] if day == days[1] else [anna])])])
    assert kinds(anna)["series"] == [days[11]]
    assert kinds(others[0])["series"] == [days[9]]


@pytest.mark.django_db
def test_to_have_met_everybody_is_to_have_sat_with_all_who_came_often_in_a_year_that_is_over(
    club, alice, people
):
    anna, *others = people
    near, far = others[:3], others[3:]
    days = [DAY + timedelta(7 * week) for week in range(4)]
    for day in days[:3]:
        held(club, alice, day, [level([anna, *near]), level(far[:3]), level(far[3:])])
    assert "everybody" not in kinds(anna)
    held(club, alice, days[3], [level([anna, *far[:3]]), level(far[3:])], [level([anna, *far[3:]])])
    assert kinds(anna)["everybody"] == [days[3]]
    assert "everybody" not in kinds(anna, today=date(2025, 12, 31))
    assert "everybody" not in kinds(near[0])


@pytest.mark.databases
def test_who_was_last_and_won_has_risen_until_a_correction_or_the_club_says_otherwise(
    client, club, alice, people
):
    anna, *others = people[:4]
    first = [{anna: -9, others[0]: 3, others[1]: 3, others[2]: 3}]
    second = [{anna: 30, others[0]: -10, others[1]: -10, others[2]: -10}]
    one = held(club, alice, DAY, first, second, winner=anna)
    for days in (1, 2):
        held(club, alice, DAY + timedelta(days), second)
    assert kinds(anna) == {"risen": [DAY]}
    page, earned = (reverse(name, args=[one.code, 1]) for name in ("hall_player", "hall_player_achievements"))
    said = str(NAMES["risen"])
    assert earned in client.get(page).content.decode()
    assert said in client.get(earned).content.decode()
    part = client.get(earned, headers={"HX-Request": "true"}).content.decode()
    assert said in part
    assert "<html" not in part
    assert said not in client.get(reverse("hall_player_achievements", args=[one.code, 2])).content.decode()

    years = reverse("person", args=[anna.pk])
    assert said in client.get(years).content.decode()
    assert said not in client.get(years, {"year": DAY.year}).content.decode()

    seat = Seat.objects.get(round__tournament=one, round__number=1, entry__player=anna)
    Seat.objects.filter(pk=seat.pk).update(tokens=3)
    assert kinds(anna) == {}
    Seat.objects.filter(pk=seat.pk).update(tokens=-9)
    for field, value in (("statistics", Club.Statistics.CLUB), ("shows_achievements", False)):
        before = getattr(club, field)
        Club.objects.filter(pk=club.pk).update(**{field: value})
        assert kinds(anna) == {}
        assert said not in client.get(earned).content.decode()
        Club.objects.filter(pk=club.pk).update(**{field: before})
    assert kinds(anna) == {"risen": [DAY]}


@pytest.mark.django_db
def test_one_setting_of_the_club_hides_them(as_alice, client, club, alice, people):
    one = held(club, alice, DAY, [level(people[:4])])
    earned = reverse("hall_player_achievements", args=[one.code, 1])
    assert earned in client.get(reverse("hall_player", args=[one.code, 1])).content.decode()
    as_alice.post(
        reverse("club_edit", args=[club.slug]),
        {"name": club.name, "name_style": "full", "shows_rating": "on"},
    )
    club.refresh_from_db()
    assert not club.shows_achievements
    assert earned not in client.get(reverse("hall_player", args=[one.code, 1])).content.decode()
