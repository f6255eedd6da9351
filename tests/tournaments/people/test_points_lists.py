"""Points lists of a union: published once, never changed, corrected by the next; pages, files, rights."""

from __future__ import annotations

import csv
import json
from datetime import date, timedelta
from fractions import Fraction
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, ClubLogEntry, Membership, Role
from core.errors import NotPossible
from tests.evenings import make_evening, play_evening
from tests.factories import (
    affiliate,
    make_account,
    make_championship,
    make_club,
    make_player,
    player_name,
    tampering,
)
from tournaments.demo import make_demo
from tournaments.entries import personal_data
from tournaments.entries.merging import merge
from tournaments.exports.verify.derived import place_differences
from tournaments.lifecycle.ending import finish, reopen_tournament
from tournaments.lifecycle.rulings import penalise
from tournaments.models import EveningPlaces, PublishedList, PublishedRow, Tournament
from tournaments.models.points import places_in
from tournaments.people.points_lists import list_of, publish, rule_of, shown_rows, store_rule
from tournaments.seasons.points import Rule
from tournaments.seasons.results import store_places

DAY = date(2026, 11, 28)
pytestmark = pytest.mark.time_machine("2026-11-28 18:00+01:00")
RULE = Rule(
    {"evening": [(4, [6, 3, 1])], "union": [(4, [10, 5])]},
    {"union": Fraction(3, 2)},
    [(12, Fraction(1)), (24, Fraction(2, 3)), (36, Fraction(1, 3))],
)
FORM = {
    "best_of": "10", "least_evenings": "0", "steps": "12: 1\n24: 2/3", "tables_evening": "4: 6 3 1",
    "weight_evening": "1", "tables_union": "", "weight_union": "3/2", "tables_championship": "",
    "weight_championship": "1", "tables_teams": "", "weight_teams": "1",
}  # fmt: skip


@pytest.fixture
def union(club, alice):
    """The union of Alice's club, which she organises as well."""
    union = make_club("Union")
    affiliate(club, union)
    Role.objects.create(account=alice, club=union, kind=Role.Kind.ORGANISER)
    return union


@pytest.fixture
def players(club):
    return [make_player(player_name(index), club, index + 1) for index in range(5)]


@pytest.fixture
def evening(club, union, alice, players):
    """An evening of four of the club's players, a year and two months ago."""
    made = make_evening(players[:4], club, alice, date=date(2025, 9, 3), name="Autumn Cup")
    return play_evening(made, alice)


@pytest.fixture
def ruled(union, alice, evening):
    store_rule(union, RULE, account=alice, now=timezone.now())
    return union


@pytest.fixture
def published(ruled, alice):
    return publish(ruled, DAY, account=alice, now=timezone.now())[0]


def places(published):
    return [(row.name, row.place, row.points) for row in shown_rows(published, published.rows.all())]


def in_order(evening):
    """The evening's players by place."""
    results = evening.results.select_related("entry__player").order_by("place")
    return [result.entry.player for result in results]


def test_a_list_is_counted_from_the_results_and_explains_each_number(client, published, evening):
    first, second, third, _last = in_order(evening)
    assert places(published) == [(first.name, 1, 4), (second.name, 2, 2), (third.name, 3, Fraction(2, 3))]
    page = client.get(reverse("person", args=[first.pk])).content.decode()
    assert "Place 1 of 3 with 4 points" in page
    said = "4 points: 1st of 4 in"
    assert said in page
    assert "(6), counts two thirds until September 2027" in page
    assert reverse("standings", args=[evening.code]) in page


def test_who_publishes_second_gets_the_list_that_is_there(ruled, alice):
    now = timezone.now()
    first = publish(ruled, DAY, account=alice, now=now)
    second = publish(ruled, DAY, account=alice, now=now)
    assert [is_new for _list, is_new in (first, second)] == [True, False]
    assert first[0] == second[0]
    assert PublishedRow.objects.count() == 3
    assert ClubLogEntry.objects.filter(text__startswith="Published the points list").count() == 1


def test_a_list_never_changes_and_a_correction_enters_the_next(ruled, alice, evening):
    now = timezone.now()
    before, _new = publish(ruled, DAY - timedelta(days=1), account=alice, now=now)
    shown = places(before)
    first = in_order(evening)[0]
    reopen_tournament(evening, reason="a mistake", account=alice, now=now)
    entry = evening.entries.get(player=first)
    penalise(entry, tokens=-900, reason="late", round_=None, account=alice, now=now)
    finish(evening, account=alice, now=now)
    after, _new = publish(ruled, DAY, account=alice, now=now)
    assert places(before) == shown
    assert first.name not in [name for name, _place, _points in places(after)]
    for change in (
        before.save,
        before.delete,
        lambda: PublishedList.objects.update(day=DAY),
        lambda: PublishedList.objects.all().delete(),
        lambda: PublishedRow.objects.update(place=1),
        lambda: before.rows.all().delete(),
        lambda: before.rows.first().save(),
        lambda: before.rows.first().delete(),
    ):
        with pytest.raises(TypeError, match="never changes"):
            change()


def test_an_earlier_day_a_day_to_come_and_a_list_of_nobody_are_refused(ruled, alice, published):
    for day in (DAY - timedelta(days=1), DAY + timedelta(days=1)):
        with pytest.raises(NotPossible):
            publish(ruled, day, account=alice, now=timezone.now())
    other = make_club("Other union")
    make_club("Nim", other)
    with pytest.raises(NotPossible, match="Nobody"):
        publish(other, DAY, account=alice, now=timezone.now())


def test_who_is_erased_loses_the_name_and_keeps_the_points(client, published, alice, evening, players):
    first = in_order(evening)[0]
    name = first.name
    personal_data.erase(first, account=alice, today=DAY, now=timezone.now())
    assert places(published)[0] == ("N.N.", 1, 4)
    personal_data.erase(in_order(evening)[1], account=alice, today=DAY, now=timezone.now())
    assert [name for name, _place, _points in places(published)][:2] == ["N.N.", "N.N."]
    assert call_command("verify", "--all") is None
    for address in ("hall_points_list", "hall_points_file"):
        kind = ["csv"] if address.endswith("file") else []
        page = client.get(reverse(address, args=[published.union.slug, published.pk, *kind])).content.decode()
        assert "N.N." in page
        assert name not in page
    assert name not in client.get(f"/api/v1/points-lists/{published.pk}").content.decode()


def test_whom_a_club_shows_by_number_is_a_number_and_leads_nowhere(client, club, published, evening):
    first, second = in_order(evening)[:2]
    Club.objects.filter(pk=club.pk).update(name_style=Club.NameStyle.NUMBER)
    Membership.objects.filter(player=second).update(number=None)
    number = str(Membership.objects.get(player=first).number)
    assert [name for name, _place, _points in places(published)][:2] == [number, "–"]
    page = client.get(published.get_absolute_url()).content.decode()
    assert first.name not in page
    assert "/person/" not in page


def test_who_is_merged_later_is_found_in_the_lists_before(ruled, alice, club, published, evening, players):
    first = in_order(evening)[0]
    other = make_player("Anna Andersen", club, 99)
    merge(other, first, account=alice, now=timezone.now())
    assert places(published)[0] == ("Anna Andersen", 1, 4)
    assert places_in(published)[other.pk] == 1
    assert [row["place"] for row in personal_data.known_of(other)["points_lists"]] == [1]


def test_verify_sees_what_is_edited_in_a_list(published):
    assert call_command("verify", "--all") is None
    for sql in (
        "UPDATE tournaments_publishedrow SET total = total + 1 WHERE place = 2",
        "UPDATE tournaments_publishedrow SET parts = '[]' WHERE place = 1",
        "DELETE FROM tournaments_publishedrow WHERE place = 3",
        "UPDATE tournaments_publishedlist SET day = '2026-11-27'",
        "UPDATE tournaments_publishedlist SET digest = 'x'",
    ):
        with tampering() as cursor:
            cursor.execute("SAVEPOINT edited")
            cursor.execute(sql)
            with pytest.raises(CommandError):
                call_command("verify", "--all")
            cursor.execute("ROLLBACK TO SAVEPOINT edited")
    assert call_command("verify", "--all") is None


def test_only_members_of_the_unions_clubs_are_listed_and_kinds_are_told_apart(ruled, alice, club, players):
    guest = make_player("Guest", make_club("Elsewhere"), 1)
    at_union = make_evening([guest, *players[:3]], ruled, alice, date=DAY, name="Union Cup")
    play_evening(at_union, alice, seed=4)
    championship = make_championship(ruled)
    found = list_of(ruled, RULE, DAY)
    assert guest.pk not in {line.player for line in found.lines}
    kinds = {pk: kind for _month, (pk, _day, kind, _groups) in found.evenings}
    assert kinds[at_union.pk] == "union"
    Tournament.objects.filter(pk=at_union.pk).update(stage=championship.stages.get(number=1))
    again = {pk: kind for _month, (pk, _day, kind, _groups) in list_of(ruled, RULE, DAY).evenings}
    assert at_union.pk not in again  # championships bring no points by this rule


def test_places_are_stored_with_the_results_and_again_when_the_tournament_changes(
    ruled, evening, players, alice, django_assert_num_queries
):
    lines = list_of(ruled, RULE, DAY).lines
    assert json.loads(EveningPlaces.objects.get().groups) == [
        [4, [one.pk for one in in_order(evening)], None]
    ]
    EveningPlaces.objects.update(groups="[]")
    with django_assert_num_queries(4):
        assert list_of(ruled, RULE, DAY).lines == []  # taken from what is stored
    Tournament.objects.filter(pk=evening.pk).update(version=99, results_kept=False)
    assert list_of(ruled, RULE, DAY).lines == lines


def test_places_of_before_they_were_stored_are_computed_once(ruled, evening, django_assert_num_queries):
    lines = list_of(ruled, RULE, DAY).lines
    EveningPlaces.objects.all().delete()
    assert list_of(ruled, RULE, DAY).lines == lines
    with django_assert_num_queries(4):
        assert list_of(ruled, RULE, DAY).lines == lines


def test_a_shared_place_and_a_player_without_one_are_stored_with_their_places(ruled, evening):
    list_of(ruled, RULE, DAY)
    EveningPlaces.objects.all().delete()
    first, second, third, last = in_order(evening)
    evening.results.filter(entry__player=second).update(place=1)
    evening.results.filter(entry__player=first).update(place=0)
    assert store_places([evening.pk]) == {
        evening.pk: [[4, [second.pk, third.pk, last.pk, first.pk], [1, 3, 4, 0]]]
    }


def test_verify_sees_places_that_are_not_those_of_the_results(ruled, evening):
    list_of(ruled, RULE, DAY)
    assert place_differences() == []
    EveningPlaces.objects.update(groups="[[4, [1, 2, 3, 4], null]]")
    said = "the places stored for points lists are not those of its results"
    assert place_differences() == [f"{evening.code}: {said}"]


def test_a_club_that_wants_no_statistics_gives_no_points(ruled, club):
    Club.objects.filter(pk=club.pk).update(statistics=Club.Statistics.NOWHERE)
    assert list_of(ruled, RULE, DAY).lines == []


# Pages


def test_a_union_says_what_counts_and_publishes(as_alice, union, evening):
    desk = reverse("club_points", args=[union.slug])
    assert "has no points list yet" in as_alice.get(desk).content.decode()
    edit = reverse("club_points_edit", args=[union.slug])
    assert as_alice.get(edit).status_code == 200
    assert as_alice.post(edit, FORM).headers["Location"] == desk
    rule = rule_of(union)
    assert rule.tables == {"evening": [(4, [6, 3, 1])]}
    page = as_alice.get(desk).content.decode()
    assert "Club evenings with at least 4 entered: 6, 3, 1 points by place." in page
    assert in_order(evening)[0].name in page
    answers = [
        as_alice.post(reverse("club_points_publish", args=[union.slug]), {"day": "2026-11-28"}, follow=True)
        for _click in range(2)
    ]
    assert "The list has been published." in answers[0].content.decode()
    assert "has already been published" in answers[1].content.decode()
    assert PublishedList.objects.count() == 1


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"tables_evening": ""}, "tables_evening"),
        ({"tables_evening": "10 8 6"}, "tables_evening"),
        ({"tables_evening": "8: 6 8"}, "tables_evening"),
        ({"tables_evening": "8: 6\n8: 7"}, "tables_evening"),
        ({"tables_evening": "0: 6"}, "tables_evening"),
        ({"tables_evening": "8: 99999"}, "tables_evening"),
        ({"tables_evening": "8: ³"}, "tables_evening"),
        ({"weight_evening": "1/0"}, "weight_evening"),
        ({"weight_evening": "a lot"}, "weight_evening"),
        ({"steps": ""}, "steps"),
        ({"steps": "12"}, "steps"),
        ({"steps": "24: 1\n12: 1/2"}, "steps"),
        ({"steps": "12: 1/2\n24: 1"}, "steps"),
        ({"steps": "999: 1"}, "steps"),
        ({"best_of": "-1"}, "best_of"),
        ({"least_evenings": "many"}, "least_evenings"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(as_alice, union, typed, field):
    answer = as_alice.post(reverse("club_points_edit", args=[union.slug]), FORM | typed)
    assert list(answer.context["form"].errors) == [field]
    assert rule_of(union) is None


@pytest.mark.parametrize("day", ["", "tomorrow", "2026-11-29", "2026-11-27"])
def test_a_day_that_cannot_be_is_refused_at_its_field(as_alice, published, day):
    answer = as_alice.post(reverse("club_points_publish", args=[published.union.slug]), {"day": day})
    assert list(answer.context["form"].errors) == ["day"]
    assert PublishedList.objects.count() == 1


def test_a_helper_looks_and_does_not_publish_and_a_club_has_no_list(client, as_alice, club, ruled):
    client.force_login(make_account("helge", ruled, Role.Kind.HELPER))
    assert client.get(reverse("club_points", args=[ruled.slug])).status_code == 200
    for name in ("club_points_edit", "club_points_publish"):
        assert client.post(reverse(name, args=[ruled.slug]), FORM).status_code == 403
    client.force_login(make_account("klara", club))  # of one of its clubs
    assert client.get(reverse("club_points", args=[ruled.slug])).status_code == 403
    assert as_alice.get(reverse("club_points", args=[club.slug])).status_code == 404
    assert client.get(reverse("hall_points", args=[ruled.slug])).status_code == 404


def test_the_hall_has_the_newest_list_and_those_before_with_the_places_before(client, ruled, alice, evening):
    now = timezone.now()
    early, _new = publish(ruled, DAY - timedelta(days=7), account=alice, now=now)
    newest, _new = publish(ruled, DAY, account=alice, now=now)
    page = client.get(reverse("hall_points", args=[ruled.slug])).content.decode()
    assert early.get_absolute_url() in page
    assert [row.before for row in shown_rows(newest, newest.rows.all())] == [1, 2, 3]
    assert [row.before for row in shown_rows(early, early.rows.all())] == [0, 0, 0]
    assert reverse("hall_points", args=[ruled.slug]) in client.get(f"/club/{ruled.slug}/").content.decode()
    assert client.get(reverse("hall_points_list", args=[ruled.slug, 0])).status_code == 404


def test_a_list_is_a_file_and_a_sheet_and_programs_read_it(client, published, evening):
    at = [published.union.slug, published.pk]
    file = client.get(reverse("hall_points_file", args=[*at, "csv"])).content.decode("utf-8-sig")
    first = in_order(evening)[0]
    assert list(csv.reader(StringIO(file)))[1] == ["1", first.name, "Stilling", "4", "1", ""]
    assert client.get(reverse("hall_points_file", args=[*at, "xlsx"])).content.startswith(b"PK")
    assert client.get(reverse("hall_points_file", args=[*at, "exe"])).status_code == 404
    assert client.get(reverse("hall_points_pdf", args=at)).status_code == 200
    lists = client.get(f"/api/v1/clubs/{at[0]}/points-lists").json()
    assert [one["id"] for one in lists["items"]] == [published.pk]
    part, behind = (
        client.get(f"/api/v1/points-lists/{published.pk}?limit=2").json()[key] for key in ("items", "next")
    )
    assert [(row["place"], row["name"]) for row in part] == [(1, first.name), (2, in_order(evening)[1].name)]
    assert (
        part[0]["results"][0] | {"tournament": evening.code, "points": 4, "place": 1, "field": 4}
        == part[0]["results"][0]
    )
    assert [row["place"] for row in client.get(behind).json()["items"]] == [3]


@pytest.mark.slow
def test_the_demo_has_published_its_list_twice(db):
    connection.ensure_connection()
    make_demo(timezone.now())
    first, second = PublishedList.objects.all()
    assert first.day > second.day
    assert first.rows.exists()
    assert second.rows.exists()
