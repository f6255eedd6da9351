"""A tournament that is called off is in no list and counts nowhere; nothing of it is deleted, and it comes back."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Account, Club, Role
from core.errors import NotPossible
from tests.factories import first_round, first_table, make_account, make_club, make_tournament, play_out
from tests.tournaments.exports.test_transfer import forget
from tournaments.exports.tournament_file import export_tournament, import_tournament
from tournaments.lifecycle.ending import call_off, finish, take_up_again
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Report, Season, Tournament
from tournaments.seasons.ladder_table import season_table
from tournaments.seasons.ratings import ratings
from tournaments.seasons.season import evenings_for

pytestmark = pytest.mark.django_db
NAME = "Forkert aften"


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def alice(club: Club) -> Account:
    return make_account("alice", club)


@pytest.fixture
def season(club: Club) -> Season:
    return Season.objects.create(
        host=club, name="Efteråret", starts=date(2026, 1, 1), ends=date(2026, 12, 31)
    )


@pytest.fixture
def played(alice: Account, season: Season) -> Tournament:
    """A finished evening that counts in the season."""
    tournament = make_tournament(4, name=NAME, season=season)
    play_out(first_table(tournament), agreed=True)
    close_round(first_round(tournament), account=alice, now=timezone.now())
    return finish(tournament, account=alice, now=timezone.now())


def off(tournament: Tournament, account: Account, reason: str = "to gange sat op") -> Tournament:
    return call_off(tournament, reason=reason, account=account, now=timezone.now())


def page(client: Client, view: str, *args: Any) -> str:
    return client.get(reverse(view, args=args)).getvalue().decode()


def test_it_is_in_no_list_and_counts_nowhere_and_comes_back_as_it_was(
    client: Client, club: Club, alice: Account, season: Season, played: Tournament
) -> None:
    seen: list[list[bool]] = []
    reports = Report.objects.count()

    def look() -> None:
        seen.append(
            [
                NAME in page(client, "home"),
                NAME in page(client, "hall_club", club.slug),
                "STATUS:CONFIRMED" in page(client, "hall_calendar", club.slug),
                NAME in page(client, "hall_season", season.pk),
                bool(season_table(season).rows),
                bool(evenings_for(season)),
                bool(ratings(club)),
            ]
        )

    look()
    off(played, alice)
    look()
    take_up_again(played, account=alice, now=timezone.now())
    look()
    assert seen == [[True] * 7, [False] * 7, [True] * 7]
    assert Report.objects.count() == reports
    assert [line.words for line in played.log.all()[:2]] == [
        "Reinstated the tournament",
        "Called off the tournament: to gange sat op",
    ]


@pytest.mark.parametrize("view", ["hall", "standings", "projector"])
def test_its_own_pages_say_so_and_why(client: Client, alice: Account, view: str) -> None:
    tournament = off(make_tournament(4, started=False), alice)
    shown = page(client, view, tournament.code)
    assert "This tournament has been called off." in shown
    assert "to gange sat op" in shown


def test_it_is_called_off_at_the_desk_stands_below_and_is_taken_up_there(
    client: Client, alice: Account
) -> None:
    tournament = make_tournament(4, name=NAME, started=False)
    client.force_login(alice)
    assert reverse("desk_call_off", args=[tournament.code]) in page(
        client, "desk_tournament", tournament.code
    )
    wrong = client.post(reverse("desk_call_off", args=[tournament.code]), {"reason": " "})
    assert "Say why, in a few words." in wrong.content.decode()
    client.post(reverse("desk_call_off", args=[tournament.code]), {"reason": "to gange sat op"})
    desk = page(client, "desk")
    assert desk.index("Called off") < desk.index(NAME) < desk.index("Reinstate it")
    assert "to gange sat op" in page(client, "desk_tournament", tournament.code)
    client.post(reverse("desk_take_up_again", args=[tournament.code]))
    tournament.refresh_from_db()
    assert (tournament.is_called_off, tournament.called_off_reason) == (False, "")


@pytest.mark.parametrize("view", ["desk_start_round", "tournament_setup"])
def test_nothing_is_done_in_it_until_it_is_taken_up(client: Client, alice: Account, view: str) -> None:
    tournament = off(make_tournament(4, started=False), alice)
    client.force_login(alice)
    args = [tournament.code, 1] if view == "desk_start_round" else [tournament.code]
    answer = client.post(reverse(view, args=args), follow=True)
    assert "Reinstate it first." in answer.content.decode()
    with pytest.raises(NotPossible, match="Reinstate it first"):
        start_round(first_round(tournament), account=alice, now=timezone.now())


def test_a_captains_link_says_so_in_words(client: Client, alice: Account) -> None:
    tournament = off(make_tournament(4, started=False), alice)
    secret = first_table(tournament).secret
    dead = client.get(reverse("captain", args=[secret]))
    assert dead.status_code == 410
    assert "to gange sat op" in dead.content.decode()
    told = client.get(reverse("captain_state", args=[secret]))
    assert (told.status_code, told.json()["message"]) == (410, "The tournament has been called off.")


def test_not_while_a_round_is_running(client: Client, alice: Account) -> None:
    tournament = make_tournament(4)
    with pytest.raises(NotPossible, match="Round 1 is running"):
        off(tournament, alice)
    client.force_login(alice)
    asked = client.get(reverse("desk_call_off", args=[tournament.code]), follow=True)
    assert "Round 1 is running. Close it first." in asked.content.decode()


@pytest.mark.parametrize("view", ["desk_call_off", "desk_take_up_again"])
def test_not_by_a_helper_nor_by_a_stranger(client: Client, club: Club, alice: Account, view: str) -> None:
    tournament = make_tournament(4, started=False, account=alice)
    address = reverse(view, args=[tournament.code])
    for account in (make_account("bob", club, Role.Kind.HELPER), make_account("charlie")):
        client.force_login(account)
        assert client.post(address, {"reason": "x"}).status_code == 403
    tournament.refresh_from_db()
    assert not tournament.is_called_off


def test_its_file_says_so(alice: Account) -> None:
    tournament = off(make_tournament(4, drawn=False), alice)
    text = export_tournament(Tournament.objects.get(pk=tournament.pk))
    forget(tournament)
    taken_in = import_tournament(text)
    assert (taken_in.called_off_at, taken_in.called_off_reason) == (
        tournament.called_off_at,
        "to gange sat op",
    )
