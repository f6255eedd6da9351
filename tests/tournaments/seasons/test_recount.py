"""A correction of an old evening: pages show the ratings from before it until a job has recalculated them."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from clubs.models import Affiliation, Role
from core.jobs.models import Job
from core.jobs.queue import run_now
from tests.evenings import make_evening, play_evening
from tests.factories import affiliate, made_once, make_club, make_player, player_name
from tests.tournaments.seasons.test_kept import correct_first_deal
from tournaments.exports.verify.derived import kept_differences
from tournaments.lifecycle.ending import call_off, reopen_tournament
from tournaments.models import Rating, RatingState, Tournament
from tournaments.seasons import ratings as rated
from tournaments.seasons.ratings import ratings, refresh_ratings
from tournaments.seasons.results import forget_everything

TODAY = date(2026, 4, 2)
KODILLE = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "kodille"}
NOTE = "Older results have changed"
NOTED = re.compile('<p class="message" role="status">[^<]*</p>\n')


@pytest.fixture
def union(db):
    return make_club("Unionen")


@pytest.fixture
def evenings(club, alice, union, patch_display):
    """Four evenings of a club of a union, one in each of four years, rated; more than one is much to recalculate."""
    affiliate(club, union)
    players = [make_player(player_name(index), club, index + 1) for index in range(8)]

    def played(year):
        evening = make_evening(players, club, alice, date=date(year, 3, 1))
        return play_evening(evening, alice, seed=year)

    made = [
        made_once(f"evening of {year}", [club, alice, *players], lambda year=year: played(year))
        for year in (2023, 2024, 2025, 2026)
    ]
    for name, number in {"FEW_EVENINGS": 1, "AT_ONCE": 1, "LEAST_TABLES": 1, "DELETED_AT_ONCE": 7}.items():
        patch_display.setattr(rated, name, number)
    ratings(club)
    return made


def stored(union):
    """The ratings that pages show, in the order in which they were counted, and which are the newest."""
    rows = rated._shown_ratings(union).order_by("pk")
    fields = ("player", "entry", "date", "mu", "sigma", "tables", "is_newest")
    return list(rows.values_list(*fields))


def from_nothing(union):
    """The same counted from the first evening, without a job."""
    forget_everything()
    cache.clear()
    ratings(union)
    return stored(union)


def finish_job():
    (job,) = Job.objects.filter(state__in=Job.UNDER_WAY)
    assert run_now(job).state == Job.State.DONE
    assert not Job.objects.filter(state__in=Job.UNDER_WAY).exists()


@pytest.mark.slow
@pytest.mark.databases
def test_pages_show_the_ratings_from_before_until_the_job_is_done(
    client, as_alice, alice, club, union, evenings
):
    list_of = {
        name: reverse("hall_rating", args=[of.slug]) for name, of in (("club", club), ("union", union))
    }
    curve = reverse("hall_player_rating", args=[evenings[-1].code, 1])
    before = {address: client.get(address).content.decode() for address in (*list_of.values(), curve)}
    was = stored(union)
    correct_first_deal(evenings[0], KODILLE, alice)
    for address, page_before in before.items():
        note = NOTED.search(page := client.get(address).content.decode())
        assert NOTE in note[0]
        assert page.replace(note[0], "") == page_before
    assert NOTE in client.get(reverse("hall_clubs", args=[union.slug])).content.decode()
    told = client.get(f"/api/v1/clubs/{club.slug}/rating").json()
    assert told["recount_since"]
    assert stored(union) == was
    assert list(kept_differences()) == []

    job = Job.objects.get(state=Job.State.WAITING)
    assert job.asked_by is None
    assert as_alice.get(reverse("desk_job", args=[job.pk])).url == reverse("desk_jobs")
    Role.objects.create(account=alice, club=union, kind=Role.Kind.ORGANISER)
    page = as_alice.get(reverse("desk_job", args=[job.pk])).content.decode()
    assert "Recalculation of the ratings · Unionen" in page
    assert "None" not in page
    finish_job()
    now = stored(union)
    assert now != was
    assert Rating.objects.count() == len(now)
    assert list(kept_differences()) == []
    pages = {address: client.get(address).content.decode() for address in before}
    assert all(NOTE not in page for page in pages.values())
    assert pages[list_of["union"]] != before[list_of["union"]]
    assert client.get(f"/api/v1/clubs/{club.slug}/rating").json()["recount_since"] is None
    assert from_nothing(union) == now


@pytest.mark.slow
@pytest.mark.parametrize("also", [0, 2, 3])
@pytest.mark.parametrize("steps", [1, 4])
def test_what_changes_during_a_recount_is_in_it(alice, club, union, evenings, also, steps):
    """The third evening is corrected; after some steps of the recount, another one is called off."""
    correct_first_deal(evenings[2], KODILLE, alice)
    assert refresh_ratings(union)
    for _step in range(steps):
        if RatingState.objects.get().recount_since:
            rated._advance(union, rated.hosts_of(union), waits=True)
            assert list(kept_differences()) == []
    if also == 2:
        reopen_tournament(evenings[2], reason="fejl", account=alice, now=timezone.now())
    else:
        call_off(
            Tournament.objects.get(pk=evenings[also].pk), reason="fejl", account=alice, now=timezone.now()
        )
    while refresh_ratings(union):
        finish_job()
        assert list(kept_differences()) == []
    now = stored(union)
    assert from_nothing(union) == now


@pytest.mark.slow
def test_the_newest_evening_is_rated_by_whoever_reads_next(client, alice, club, union, evenings):
    was = stored(union)
    correct_first_deal(evenings[-1], KODILLE, alice)
    page = client.get(reverse("hall_rating", args=[club.slug])).content.decode()
    assert NOTE not in page
    assert not Job.objects.exists()
    now = stored(union)
    assert now != was
    assert from_nothing(union) == now


@pytest.mark.slow
def test_a_large_evening_is_left_to_the_job(alice, club, union, evenings, monkeypatch):
    monkeypatch.setattr(rated, "FEW_ENTRIES", 7)
    correct_first_deal(evenings[-1], KODILLE, alice)
    assert refresh_ratings(union)
    finish_job()
    assert refresh_ratings(union) is None


@pytest.mark.slow
def test_many_changed_evenings_are_compared_by_the_job(alice, club, union, evenings, monkeypatch):
    monkeypatch.setattr(rated, "COMPARED_AT_ONCE", 2)
    was = stored(union)
    Tournament.objects.update(is_rated=False)  # as where a member's name changes everywhere
    correct_first_deal(evenings[1], KODILLE, alice)
    since = refresh_ratings(union)
    assert since
    assert since == refresh_ratings(union)
    assert Tournament.objects.filter(is_rated=False).count() == len(evenings)
    assert stored(union) == was
    finish_job()
    assert refresh_ratings(union) is None
    now = stored(union)
    assert now != was
    assert from_nothing(union) == now


@pytest.mark.slow
def test_what_decides_something_waits_for_the_recount(alice, club, union, evenings):
    was = ratings(union)
    correct_first_deal(evenings[0], KODILLE, alice)
    assert refresh_ratings(union)
    assert ratings(union) != was
    assert refresh_ratings(union) is None
    # The job that was queued finds nothing to do.
    finish_job()
    now = stored(union)
    assert from_nothing(union) == now


@pytest.mark.slow
def test_a_second_visitor_queues_no_second_job_and_waits_for_nothing(
    alice, club, union, evenings, django_assert_num_queries
):
    correct_first_deal(evenings[0], KODILLE, alice)
    since = refresh_ratings(union)
    with django_assert_num_queries(3):  # the clubs, how far the ratings are, the job
        assert refresh_ratings(union) == since
    assert Job.objects.count() == 1


@pytest.mark.slow
def test_clubs_join_and_leave_the_union_during_a_recount(alice, club, union, evenings):
    correct_first_deal(evenings[2], KODILLE, alice)
    assert refresh_ratings(union)
    # One that has held nothing.
    affiliate(make_club("Ny klub"), union)
    assert refresh_ratings(union)
    finish_job()
    assert refresh_ratings(union) is None
    now = stored(union)
    assert from_nothing(union) == now
    # The only one that has.
    correct_first_deal(evenings[2], None, alice)
    assert refresh_ratings(union)
    Affiliation.objects.update(left=timezone.localdate())
    finish_job()
    assert stored(union) == []


@pytest.mark.slow
def test_another_model_during_a_recount_copies_nothing(alice, club, union, evenings):
    correct_first_deal(evenings[2], KODILLE, alice)
    assert refresh_ratings(union)
    Rating.objects.update(mu=7)
    RatingState.objects.update(model=1)
    finish_job()
    now = stored(union)
    assert from_nothing(union) == now
