"""The desk's front page and a tournament's steps: the newest first, all a club has, and what is done."""

from __future__ import annotations

from datetime import date, timedelta

from django.urls import reverse
from django.utils import timezone

from tests.factories import make_club, make_tournament
from tests.tournaments.seasons.test_season import make_teams
from tournaments.desk.evening.navigation import Steps
from tournaments.entries import entering
from tournaments.models import Tournament

NEW = "tournament_new"


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


def page(name, tournament):
    return reverse(name, args=[tournament.code])


def test_the_desk_lists_my_clubs_tournaments_by_state(as_alice, club):
    make_tournament(0, club=club, name="Tonight", state="running")
    make_tournament(0, club=club, name="Runs", state="running", date=timezone.localdate() - timedelta(days=9))
    make_tournament(0, club=club, name="Comes")
    make_tournament(0, club=club, name="Is over", state="finished")
    make_tournament(0, club=make_club("Ørbæk"), name="Theirs")
    answer = as_alice.get(reverse("desk"))
    context = answer.context
    assert context["tonight"].name == "Tonight"
    assert answer.content.count(b"Tonight") == 1  # the panel alone
    assert [tournament.name for tournament in context["running"]] == ["Runs"]
    assert [tournament.name for tournament in context["coming"]] == ["Comes"]
    assert [tournament.name for tournament in context["finished"]] == ["Is over"]


def test_evenings_are_copied_from_the_list_of_all_that_are_finished(as_alice, club):
    over = make_tournament(0, club=club, state="finished")
    copies = f'{reverse(NEW)}?copy={over.code}"'
    assert copies not in as_alice.get(reverse("desk")).content.decode()
    assert copies in as_alice.get(f"{reverse('desk')}?all").content.decode()
    assert f'<option value="{over.code}">' in as_alice.get(reverse(NEW)).content.decode()


def test_a_stranger_finds_nothing_at_the_desk(as_charlie, client, club):
    tournament = make_tournament(4, club=club)
    for url in (
        reverse("desk"),
        reverse(NEW),
        page("desk_tournament", tournament),
        page("tournament_setup", tournament),
    ):
        assert client.get(url).headers["Location"].startswith(reverse("login"))
    assert b"Efter" not in as_charlie.get(reverse("desk")).content
    for url in (reverse(NEW), page("desk_tournament", tournament), page("tournament_setup", tournament)):
        assert as_charlie.get(url).status_code == 403
        assert as_charlie.post(url, {"name": "Mine now"}).status_code == 403
