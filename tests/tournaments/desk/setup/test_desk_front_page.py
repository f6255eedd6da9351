"""The desk's front page and a tournament's steps: the newest first, all a club has, and what is done."""

from __future__ import annotations

from datetime import date

from django.urls import reverse
from django.utils import timezone

from tests.factories import make_tournament
from tests.tournaments.seasons.test_season import make_teams
from tournaments.desk.evening.steps import Steps
from tournaments.entries import entering
from tournaments.models import Tournament


def test_the_newest_tournaments_are_shown_first(as_alice, club):
    days = [date(2026, 1, 1 + (7 * number) % 12) for number in range(12)]
    for day in days:
        make_tournament(0, club=club, drawn=False, started=False, date=day, state="finished")
    page = as_alice.get(reverse("desk"))
    newest = sorted(days, reverse=True)
    assert [tournament.date for tournament in page.context["finished"]] == newest[:10]
    everything = as_alice.get(reverse("desk"), {"all": ""})
    assert [tournament.date for tournament in everything.context["finished"]] == newest


def test_a_clubs_seasons_and_championships_are_a_step_away(as_alice, club):
    text = as_alice.get(reverse("desk")).content.decode()
    for name in ("club_rules", "club_seasons", "club_championships"):
        assert f'href="{reverse(name, args=[club.slug])}"' in text


def test_the_step_of_the_teams_is_done_once_they_are_drawn_though_somebody_is_in_none(club, alice):
    by = {"account": alice, "now": timezone.now()}
    tournament = make_teams(club, by, teams=2, drawn=False)
    entering.enter_guest(tournament, "Gæst Gunnar", **by)

    def done():
        (step,) = [step for step in Steps(Tournament.objects.get()) if step.key == "teams"]
        return step.done

    assert not done()
    make = tournament.rounds.create(number=1, seed=1)
    assert done()
    make.delete()
    assert not done()
