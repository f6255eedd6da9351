"""The recount at the desk: a job that tells of what was changed by hand."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from clubs.models import Account
from core.jobs.models import Job
from core.jobs.queue import do_here
from tests.factories import first_table, make_tournament, report
from tournaments.models import EveningResult, Season, Seat, Tournament

pytestmark = pytest.mark.django_db


def text_of(answer) -> str:
    return " ".join(answer.content.decode().split())


@pytest.fixture
def tournament(alice):
    tournament = make_tournament(4, account=alice)
    report(first_table(tournament), 1, {"contract": "solo", "declarer": 1, "trump": "D", "outcome": "won"})
    return tournament


def counted(browser, address) -> str:
    page = browser.post(address).url
    assert browser.post(address).url == page  # a double tap
    do_here(Job.objects.get(state="waiting"))
    return text_of(browser.get(page))


def test_an_organiser_has_a_tournament_recounted_each_time_anew(as_alice, as_helper, tournament):
    address = reverse("desk_verify", args=[tournament.code])
    assert address in text_of(as_alice.get(reverse("desk_log", args=[tournament.code])))
    assert address not in text_of(as_helper.get(reverse("desk_log", args=[tournament.code])))
    shown = counted(as_alice, address)
    assert "1 report was counted." in shown
    assert "Every total agrees" in shown
    Seat.objects.filter(position=0).update(tokens=99)
    shown = counted(as_alice, address)
    assert "2 differences were found:" in shown  # the seat, and the standings that it gives
    assert f"{tournament.code} round 1 table 1" in shown


def test_the_owner_has_ratings_and_ladders_counted_anew(tournament, as_alice):
    owner = Client()
    owner.force_login(Account.objects.create_superuser("olga", password="a long password"))
    tournament.rounds.update(state="closed")
    season = Season.objects.create(
        host=tournament.host, name="Efterår", starts=tournament.date, ends=tournament.date
    )
    Tournament.objects.update(season=season)
    seat = first_table(tournament).seats.get(position=1)
    EveningResult.objects.create(
        tournament=tournament, entry=seat.entry, place=1, total=99, tokens=99, deals=1
    )
    Tournament.objects.update(results_kept=True)
    assert as_alice.post(reverse("desk_count_anew")).status_code == 403
    shown = counted(owner, reverse("desk_count_anew"))
    assert "0 ratings, 3 season results and 1 deal totals recalculated." in shown
    assert EveningResult.objects.get(entry=seat.entry).total == 6


def test_the_owner_has_everything_recounted(tournament, as_alice):
    owner = Client()
    owner.force_login(Account.objects.create_superuser("olga", password="a long password"))
    assert "Every total agrees" in counted(owner, reverse("desk_verify_all"))
    job = Job.objects.get()
    assert (job.done, job.total) == (1, 1)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE clubs_role SET kind = 'helper'")
    assert "kind is &quot;helper&quot;, it was &quot;organiser&quot;" in counted(
        owner, reverse("desk_verify_all")
    )
    assert as_alice.get(reverse("desk_job", args=[job.pk])).url == reverse("desk_jobs")
