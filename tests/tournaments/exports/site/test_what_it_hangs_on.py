"""What a site is made of: it is another when a season, a title, news, or a result from before is."""

from __future__ import annotations

from datetime import date

import pytest
from django.db.models import F
from django.utils import timezone

from clubs.mail.letters import publish_news
from clubs.models import News
from core.jobs.kinds import kind_of
from core.jobs.models import Job
from tests.factories import make_club, make_player, make_tournament
from tournaments.entries import personal_data
from tournaments.exports.site.fingerprints import MadeOf
from tournaments.exports.site.publishing import SITE
from tournaments.models import Award, OldEvent, OldPlace, Season, SeasonDeal

pytestmark = pytest.mark.django_db
TODAY = date(2026, 1, 2)


@pytest.fixture
def season(club):
    return Season.objects.create(host=club, name="Efteråret", starts=TODAY, ends=TODAY)


def job_of(club, alice, state=Job.State.DONE):
    return Job.objects.create(
        kind=SITE,
        thing=f"club {club.pk}",
        key="k",
        language="en",
        asked_by=alice,
        asked_at=timezone.now(),
        state=state,
    )


def before_the_program(club, name, player=None):
    event = OldEvent.objects.create(
        host=club, kind="title", name="Mester", year=1999, entered_at=timezone.now(), entered_by="alice"
    )
    return OldPlace.objects.create(event=event, place=1, name=name, player=player)


def test_the_file_is_as_the_hall_no_more_once_anything_in_it_is_otherwise(club, alice, season):
    bob = make_player("Bob", club)
    news = publish_news(club, subject="Jul", text="…", is_public=True, account=alice, now=timezone.now())
    done = {
        "a season": lambda: Season.objects.update(version=F("version") + 1),
        "a title": lambda: Award.objects.create(season=season, title="Jokum", player=bob),
        "a deal of the season": lambda: SeasonDeal.objects.create(
            season=season,
            tournament=make_tournament(4, club=club),
            round_number=1,
            folder=1,
            place=1,
            reason=SeasonDeal.Reason.SPREAD,
        ),
        "what is said of it": lambda: SeasonDeal.objects.update(comment="Read the discards."),
        "its words": lambda: Award.objects.update(words="for et tourné"),
        "news taken out": lambda: News.objects.filter(pk=news.pk).update(is_public=False),
        "an old result": lambda: before_the_program(club, "Bob"),
        "its name": lambda: OldPlace.objects.update(name="Bo"),
    }
    versions = [kind_of(SITE).version(job_of(club, alice))]
    for do in done.values():
        do()
        versions.append(kind_of(SITE).version(job_of(club, alice)))
    assert len(set(versions)) == len(done) + 1


def test_an_evenings_pages_say_what_its_season_is_called(club, season):
    code = make_tournament(4, club=club, season=season).code
    before = MadeOf(TODAY).prints()
    Season.objects.update(name="Foråret")
    after = MadeOf(TODAY).prints()
    assert before[f"t/{code}"] != after[f"t/{code}"]


@pytest.mark.parametrize("was_there", ["as a guest", "before Spadille"])
def test_who_is_erased_goes_from_files_of_clubs_that_they_never_were_members_of(club, alice, was_there):
    other = make_club("Naboen")
    if was_there == "as a guest":
        tournament = make_tournament(4, club=other, started=False)
        bob = tournament.entries.first().player
        bob.memberships.all().delete()
    else:
        bob = make_player("Bob", club)
        before_the_program(other, "Bob", bob)
    theirs, nobodys = job_of(other, alice), job_of(make_club("Langt væk"), alice)
    personal_data.erase(bob, account=alice, today=TODAY, now=timezone.now())
    states = dict(Job.objects.values_list("pk", "state"))
    assert (states[theirs.pk], states[nobodys.pk]) == (Job.State.FAILED, Job.State.DONE)
