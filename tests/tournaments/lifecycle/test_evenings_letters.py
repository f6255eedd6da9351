"""Seats the day before, and results when they are final: to who has agreed, once, and as it stands when it is sent."""

from __future__ import annotations

from datetime import datetime, time, timedelta

import pytest
from django.utils import timezone

from clubs.mail import sending
from clubs.mail.kinds import set_consent
from clubs.mail.sending import send_due
from clubs.models import Letter, Player
from tests.factories import make_tournament
from tests.post_office import text_of
from tournaments.lifecycle import mail
from tournaments.lifecycle.drawing import discard_draw, draw
from tournaments.management.commands import jobs
from tournaments.models import Tournament
from tournaments.running.worker import PeriodicTask


def evening(alice, *, topics, begins=time(19), **fields):
    """Anna and Bo have agreed, of the eight who play tomorrow; Bo reads Danish."""
    day = timezone.localdate() + timedelta(days=1)
    made = make_tournament(8, account=alice, started=False, date=day, begins_at=begins, **fields)
    for name, language in (("Anna Holm", "en"), ("Bo Krogh", "da")):
        player = Player.objects.get(name=name)
        player.email, player.language = f"{name[:2].strip().lower()}@example.dk", language
        player.save()
        set_consent(player, topics, now=timezone.now())
    return made


def at(hour, minute=0):
    return timezone.make_aware(datetime.combine(timezone.localdate(), time(hour, minute)))


def send_now():
    Letter.objects.filter(state="waiting").update(next_try=timezone.now() - timedelta(seconds=1))
    return send_due()


def test_the_seat_is_told_the_day_before_and_once(alice, post_office):
    tournament = evening(alice, topics=["evening"], place="Kroen")
    assert mail.post_seats(at(8, 59)) == 0, "not in the night"
    assert mail.post_seats(at(9)) == 2
    assert mail.post_seats(at(9, 1)) == 0
    settled = {letter.next_try for letter in Letter.objects.all()}
    assert settled == {at(9, 10)}, "a draw that is made anew at once is told once"
    assert send_now() == 2
    seat = tournament.rounds.get().seats.select_related("table").get(entry__player__name="Anna Holm")
    said = text_of(post_office.to("an@example.dk"))
    assert f"You start at table {seat.table.number}, seat {'ABCDE'[seat.position]}." in said
    assert "Kroen" in said
    assert f"https://lhombre.example.dk/t/{tournament.code}/seats/" in said
    assert post_office.to("an@example.dk")["From"].startswith(str(tournament.host))
    assert {letter["Content-Language"] for letter in post_office.came} == {"en", "da"}


def test_who_sits_elsewhere_after_another_draw_is_told_that_alone(alice, post_office):
    tournament = evening(alice, topics=["evening"])
    mail.post_seats(at(9))
    by_alice = {"account": alice, "now": timezone.now()}
    places = set()
    for seed in range(8, 20):
        discard_draw(tournament, **by_alice)
        draw(tournament, seed=seed, **by_alice)
        places.add(mail.post_seats(at(9)))
        if 2 in places:
            break
    assert send_now() == 2
    given_up = Letter.objects.filter(state="given up")
    assert {letter.error for letter in given_up} == {mail.OTHERWISE}


@pytest.mark.parametrize(
    ("fields", "topics"),
    [
        ({"called_off_at": timezone.now()}, ["evening"]),
        ({}, ["results", "news"]),
        ({"state": "finished"}, ["evening"]),
    ],
)
def test_nobody_is_told_of_what_is_not_held_or_not_wanted(alice, post_office, fields, topics):
    tournament = evening(alice, topics=topics)
    Tournament.objects.filter(pk=tournament.pk).update(**fields)
    assert mail.post_seats(at(10)) == 0
    tournament.rounds.update(date=tournament.date)
    assert mail.post_seats(at(10)) == 0


def test_a_round_that_has_a_day_of_its_own_is_told_before_that_one(alice, post_office):
    tournament = evening(alice, topics=["evening"])
    tournament.rounds.update(date=tournament.date + timedelta(days=7))
    assert mail.post_seats(at(10)) == 0
    Tournament.objects.filter(pk=tournament.pk).update(date=tournament.date - timedelta(days=30))
    tournament.rounds.update(date=timezone.localdate() + timedelta(days=1))
    assert mail.post_seats(at(10)) == 2


def test_what_begins_already_is_not_told(alice, post_office):
    tournament = evening(alice, topics=["evening"])
    Tournament.objects.filter(pk=tournament.pk).update(date=timezone.localdate(), begins_at=time(10))
    assert mail.post_seats(at(10)) == 0
    assert mail.post_seats(at(8)) == 2
    assert {letter.until for letter in Letter.objects.all()} == {at(10)}


def finished(tournament, minutes_ago):
    at = timezone.now() - timedelta(minutes=minutes_ago)
    Tournament.objects.filter(pk=tournament.pk).update(
        state="finished", finished_at=at, version=tournament.version + 1
    )


def test_results_are_told_when_they_have_been_final_for_a_while(alice, post_office):
    tournament = evening(alice, topics=["results"])
    finished(tournament, 9)
    assert mail.post_results(timezone.now()) == 0
    finished(tournament, 11)
    assert mail.post_results(timezone.now()) == 2
    assert mail.post_results(timezone.now()) == 0
    assert send_due() == 2
    entry = tournament.entries.get(player__name="Anna Holm")
    said = text_of(post_office.to("an@example.dk"))
    assert f"https://lhombre.example.dk/t/{tournament.code}/player/{entry.number}/" in said
    assert "Your place: 1 of 8, with 0." in said
    finished(tournament, 60 * 24 * 4)
    assert mail.post_results(timezone.now()) == 0, "nobody is told of what is long over"


def test_results_that_are_reopened_are_not_sent(alice, post_office):
    tournament = evening(alice, topics=["results"])
    finished(tournament, 11)
    mail.post_results(timezone.now())
    Tournament.objects.filter(pk=tournament.pk).update(state="running", finished_at=None)
    assert send_due() == 0
    assert {letter.error for letter in Letter.objects.all()} == {mail.REOPENED}


def test_it_is_looked_for_beside_the_pages(alice, post_office, monkeypatch):
    tournament = evening(alice, topics=["results"])
    finished(tournament, 11)
    due = [
        PeriodicTask(one.seconds, *one.does, where=one.where) for one in jobs.DUE
    ]  # as a new process has it
    monkeypatch.setattr(jobs, "DUE", due)
    jobs._do_what_is_due(timezone.now())
    assert Letter.objects.count() == 2
    Letter.objects.all().delete()
    jobs._do_what_is_due(timezone.now())
    assert not Letter.objects.exists(), "not twice in half a minute"
    assert sending.is_due(timezone.now()) is False


def test_an_imported_tournament_sends_no_results_of_what_was_final_before(alice, post_office):
    tournament = evening(alice, topics=["results"])
    finished(tournament, 11)
    Tournament.objects.filter(pk=tournament.pk).update(imported_at=timezone.now())
    assert mail.post_results(timezone.now()) == 0
    finished(tournament, -1)
    assert mail.post_results(timezone.now() + timedelta(minutes=12)) == 2
