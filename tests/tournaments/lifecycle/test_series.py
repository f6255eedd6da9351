"""An evening that repeats, and what a copy proposes: days, names, holidays."""

from __future__ import annotations

from datetime import date
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_club, make_player, make_tournament
from tournaments.lifecycle.creating import easter, holiday, next_easter, next_evening, next_name, repeated
from tournaments.models import Tournament

TUESDAY = date(2026, 11, 24)
NEW = "tournament_new"


def test_the_same_weekday_is_repeated_up_to_the_last_day():
    assert repeated(TUESDAY, 1, date(2026, 12, 8)) == [TUESDAY, date(2026, 12, 1), date(2026, 12, 8)]
    assert repeated(TUESDAY, 2, date(2026, 12, 21)) == [TUESDAY, date(2026, 12, 8)]
    assert repeated(TUESDAY, 4, TUESDAY) == [TUESDAY]


@pytest.mark.parametrize(
    ("day", "name"),
    [
        (date(2026, 12, 24), "Christmas Eve"),
        (date(2027, 1, 1), "New Year’s Day"),
        (date(2027, 3, 25), "Maundy Thursday"),
        (date(2027, 3, 29), "Easter Monday"),
        (date(2027, 5, 6), "Ascension Day"),
        (date(2027, 5, 17), "Whit Monday"),
        (date(2026, 12, 22), ""),
    ],
)
def test_holidays_are_those_of_denmark(day, name):
    assert holiday(day) == name


def test_until_easter_is_until_the_saturday_before():
    assert next_easter(TUESDAY) == date(2027, 3, 27)
    assert next_easter(date(2027, 3, 27)) == date(2028, 4, 15)


@pytest.mark.parametrize(
    ("name", "following"),
    [
        ("Tuesday evening no. 9", "Tuesday evening no. 10"),
        ("9", "10"),
        ("Evening 9.", "Evening 10."),
        ("Club evening", "Club evening"),
        ("Autumn 2026", "Autumn 2027"),
        ("Cup of 1994", "Cup of 1994"),
        ("x" * 119 + "9", "x" * 119 + "9"),  # there is no room for another digit
    ],
)
def test_an_evenings_number_goes_on_and_its_year_is_the_new_one(name, following):
    assert next_name(name, TUESDAY, date(2027, 1, 5)) == following


def held(club, *evenings):
    return [
        make_tournament(0, club=club, name=name, date=day, drawn=False, started=False)
        for name, day in evenings
    ]


@pytest.mark.parametrize(
    ("evenings", "today", "proposed"),
    [
        # One alone: a week later.
        ([("Club evening", date(2026, 11, 17))], TUESDAY, ("Club evening", TUESDAY)),
        # Every second week so far, by whatever number is copied; never before today.
        (
            [("No. 8", date(2026, 11, 3)), ("No. 9", date(2026, 11, 17)), ("Other", date(2026, 11, 20))],
            date(2026, 12, 2),
            ("No. 10", date(2026, 12, 15)),
        ),
        # Once a year, and as soon as that weekday comes where the day is over.
        ([("Autumn 2025", date(2025, 11, 22))], date(2026, 10, 1), ("Autumn 2026", date(2026, 11, 21))),
        ([("Autumn 2025", date(2025, 11, 22))], date(2026, 11, 23), ("Autumn 2026", date(2026, 11, 28))),
    ],
)
def test_a_copy_is_the_next_of_its_kind(club, evenings, today, proposed):
    earlier, *_others = held(club, *evenings)
    assert next_evening(earlier, today) == proposed


@pytest.fixture
def typed(club):
    return {
        "code": "ABCDEF", "name": "Tuesday no. 1", "host": club.pk, "date": "2026-12-10", "rounds_planned": "2",
        "deals_per_round": "40", "deals_at_three": "30", "draw_mode": "whole", "rulebook": "union",
        "union-idle_settles": "False", "union-forced_spadille": "True",
        "repeat_every": "1", "repeat_until": "2027-01-10",
    }  # fmt: skip


def test_days_are_shown_before_any_evening_is_made_and_holidays_are_not_ticked(as_alice, typed):
    page = as_alice.post(reverse(NEW), typed)
    assert not Tournament.objects.exists()
    repeat = page.context["repeat"]
    assert [(each.day.isoformat(), each.ticked) for each in repeat.days] == [
        ("2026-12-10", True), ("2026-12-17", True), ("2026-12-24", False), ("2026-12-31", False),
        ("2027-01-07", True),
    ]  # fmt: skip
    seen = {"repeat_seen": repeat.mark, "repeat_day": ["2026-12-10", "2027-01-07"]}
    for _twice in range(2):
        assert as_alice.post(reverse(NEW), typed | seen).status_code == 302
    made = Tournament.objects.order_by("date").values_list("name", "date", "rounds_planned")
    assert list(made) == [("Tuesday no. 1", date(2026, 12, 10), 2), ("Tuesday no. 2", date(2027, 1, 7), 2)]
    assert Tournament.objects.get(date=date(2026, 12, 10)).code == "ABCDEF"


def test_other_days_than_those_that_were_seen_are_shown_first(as_alice, typed):
    mark = as_alice.post(reverse(NEW), typed).context["repeat"].mark
    later = typed | {"repeat_seen": mark, "repeat_day": ["2026-12-10"], "date": "2026-12-11"}
    assert as_alice.post(reverse(NEW), later).context["repeat"].chosen[0] == date(2026, 12, 11)
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"repeat_until": ""}, "repeat_until"),
        ({"repeat_until": "soon"}, "repeat_until"),
        ({"repeat_until": "2026-12-09"}, "repeat_until"),
        ({"repeat_until": "2036-12-10"}, "repeat_until"),
        ({"repeat_every": "9"}, "repeat_every"),
        ({"repeat_seen": "2026-12-10/2027-01-07/5"}, "__all__"),  # nothing is ticked
    ],
)
def test_what_cannot_be_repeated_is_said_at_its_field(as_alice, typed, wrong, field):
    page = as_alice.post(reverse(NEW), typed | wrong)
    assert list(page.context["repeat"].errors) == [field]
    (said,) = page.context["repeat"].errors[field]
    assert said in unescape(page.content.decode())
    assert not Tournament.objects.exists()


def test_a_series_enters_the_players_of_the_evening_that_is_copied_each_time(as_alice, club, typed):
    earlier = make_tournament(5, club=club, started=False, drawn=False, date=timezone.localdate())
    seen = {"repeat_seen": "2026-12-10/2027-01-07/5", "repeat_day": ["2026-12-10", "2027-01-07"]}
    as_alice.post(f"{reverse(NEW)}?copy={earlier.code}", typed | seen | {"copy_players": "on"})
    made = Tournament.objects.exclude(pk=earlier.pk)
    assert [tournament.entries.count() for tournament in made] == [5, 5]


def test_the_sentences_follow_what_is_chosen(as_alice, typed):
    page = as_alice.post(
        reverse(NEW), typed | {"show_options": "1", "deals_per_round": "36", "union-forced_spadille": "True"}
    )
    folds = page.context["folds"]
    assert folds.played == (
        "individual · Danish union, tournament rules · 1 rule of your own · 36 deals per round · "
        "30 at a table of three · drawn: all rounds at once"
    )
    assert folds.counts == "total tokens · when level: best round, games won"


def test_what_is_wrong_is_never_folded_away(as_alice, typed):
    page = as_alice.post(reverse(NEW), typed | {"deals_per_round": "many"})
    assert (page.context["folds"].played_open, page.context["folds"].counts_open) == (True, False)


def test_easter_is_when_the_church_has_it():
    # 1954 and 1981 are the exceptions of the rule; 2038 is as late as it can be.
    days = {1954: (4, 18), 1981: (4, 19), 2026: (4, 5), 2038: (4, 25), 2049: (4, 18), 2076: (4, 19)}
    assert {year: (easter(year).month, easter(year).day) for year in days} == days


def test_all_members_of_the_host_are_entered_where_that_is_ticked_and_nobody_who_has_left(
    as_alice, club, typed
):
    for number, name in enumerate(["Anna Holm", "Bo Krogh"], start=1):
        make_player(name, club, number)
    make_player("Gone Away", club).memberships.update(left=date(2021, 1, 1))
    make_player("Of Another Club", make_club("Viby"))
    as_alice.post(reverse(NEW), typed | {"repeat_every": "", "repeat_until": "", "enter_members": "on"})
    entered = Tournament.objects.get().entries.values_list("player__name", "club", "status")
    assert list(entered) == [("Anna Holm", club.pk, "entered"), ("Bo Krogh", club.pk, "entered")]


def test_an_evening_at_the_end_of_all_years_is_followed_by_today(club):
    (last,) = held(club, ("Club evening", date(9999, 12, 31)))
    assert next_evening(last, TUESDAY) == ("Club evening", TUESDAY)
