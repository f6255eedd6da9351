"""Once a round of a league is complete, its results go by letter to players who want them, once, and on demand."""

from __future__ import annotations

import html
from datetime import timedelta

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from clubs.mail.kinds import LetterObsolete, render_letter
from clubs.models import Club, Letter, Player
from core.errors import NotPossible
from tests.tournaments.exports.test_transfer import forget
from tests.tournaments.lifecycle.test_home_matches import a_match, league
from tests.tournaments.seasons.test_season import play
from tournaments.exports.tournament_file import export_tournament, import_tournament
from tournaments.lifecycle.home_matches import start_match
from tournaments.lifecycle.league_mail import is_complete, post_rounds, preview, send_round
from tournaments.lifecycle.rulings import end_match, resume_match
from tournaments.models import Round

__all__ = ["league"]


@pytest.fixture
def reader(settings, league):
    """A player who wants letters with results, and another one who wants none."""
    settings.MAIL_SERVER = object()
    Club.objects.update(language="en")
    wants, wants_none = (entry.player for entry in league.entries.order_by("number")[:2])
    for player in (wants, wants_none):
        Player.objects.filter(pk=player.pk).update(email=f"p{player.pk}@example.org")
    wants.agreements.create(topic="results", agreed_at=timezone.now())
    return wants


def play_match(match, by):
    match = start_match(match, **by)
    for table in match.tables.select_related("round__tournament", "match"):
        play(table)
    end_match(match, **by)


@pytest.fixture
def complete(league, reader, by_alice):
    """The first round of the league, each match of which has been played."""
    for match in Round.objects.get(tournament=league, number=1).matches.filter(away__isnull=False):
        play_match(match, by_alice)
    return league.rounds.get(number=1)


def later(minutes=20):
    return timezone.now() + timedelta(minutes=minutes)


def test_a_round_is_written_about_once_when_its_last_match_has_been_played(league, reader, by_alice):
    first, *others = league.rounds.get(number=1).matches.filter(away__isnull=False)
    play_match(first, by_alice)
    assert not is_complete(league.rounds.get(number=1))
    assert post_rounds(later()) == 0
    for match in others:
        play_match(match, by_alice)
    assert post_rounds(later(5)) == 0  # it may be opened again at once
    assert [post_rounds(later()), post_rounds(later())] == [1, 0]
    (letter,) = Letter.objects.all()
    assert (letter.kind, letter.player, letter.language) == ("round_played", reader, "en")


def test_a_letter_has_the_results_the_standings_and_the_next_match(complete, league):
    post_rounds(later())
    letter = render_letter(Letter.objects.get())
    assert letter.subject == f"{league}: results of round 1"
    match = complete.matches.filter(away__isnull=False).first()
    assert f"{match}  " in letter.text
    assert f"1. {match.home}" in letter.text or f"2. {match.home}" in letter.text
    coming = a_match(league, 2)
    own = league.entries.order_by("number").first().team
    assert f"Next match of {own}: " in letter.text
    assert coming.own_day.strftime("%Y") in letter.text


def test_a_round_that_was_opened_again_is_not_written_about(complete, by_alice):
    post_rounds(later())
    resume_match(complete.matches.filter(away__isnull=False).first(), **by_alice)
    with pytest.raises(LetterObsolete):
        render_letter(Letter.objects.get())


def test_nothing_is_sent_of_rounds_of_days_ago_nor_of_one_evening(complete):
    assert post_rounds(timezone.now() + timedelta(days=4)) == 0
    complete.matches.update(day=None)
    Round.objects.update(date=None)
    assert post_rounds(later()) == 0


def test_the_desk_sees_a_preview_and_sends_what_nobody_has_yet(complete, league, reader, as_alice):
    page = reverse("desk_round_mail", args=[league.code, 1])
    shown = html.unescape(as_alice.get(page).content.decode())
    assert preview(league, complete).subject in shown
    assert "round 1 of" in shown
    assert "/mail/stop/" not in shown
    assert "1 player wants letters with results." in shown
    answers = [html.unescape(as_alice.post(page, follow=True).content.decode()) for _pressed in range(2)]
    assert "1 email is on its way." in answers[0]
    assert "Everyone who wants these results has them already." in answers[1]
    assert Letter.objects.count() == 1
    assert post_rounds(later()) == 0
    assert league.log.filter(text__startswith="Round {round}: sent").count() == 2


def test_the_desk_sends_nothing_of_a_round_that_is_not_complete(league, reader, by_alice, as_alice):
    with pytest.raises(NotPossible, match="Not every match"), transaction.atomic():
        send_round(league.rounds.get(number=2), **by_alice)
    page = as_alice.get(reverse("desk_round_mail", args=[league.code, 2])).content.decode()
    assert "Not every match of the round has been played." in page


def test_an_imported_league_sends_no_letters_of_rounds_played_before(complete, league, by_alice):
    league.refresh_from_db()
    text = export_tournament(league)
    forget(league)
    taken = import_tournament(text)
    assert post_rounds(later()) == 0
    match = taken.rounds.get(number=1).matches.filter(away__isnull=False).first()
    now = by_alice | {"now": timezone.now()}
    resume_match(match, **now)
    end_match(match, **now)
    assert post_rounds(later()) == 1
