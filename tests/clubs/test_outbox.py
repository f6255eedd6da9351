"""The outbox of mail, webhooks and push messages: one process delivers a row, and its outcome is stored once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.letter_models import Letter
from clubs.models import Message, Webhook
from core.delivery.outbox import Outbox
from tests.factories import make_tournament
from tournaments.models import PushMessage, PushSubscription

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

PAUSES = (timedelta(minutes=1), timedelta(minutes=5))
LOST_AFTER = timedelta(minutes=10)


def queue_letter(club, now):
    until = now + timedelta(days=1)
    return Letter.objects.create(kind="x", to="a@b.dk", posted_at=now, next_try=now, until=until, facts={})


def queue_message(club, now):
    webhook = Webhook.objects.create(
        club=club, url="https://example.dk/", secret="x", made_by="a", made_at=now
    )
    return Message.objects.create(webhook=webhook, event="draw", body="{}", made_at=now, next_try=now)


def queue_push(club, now):
    phone = PushSubscription.objects.create(tournament=make_tournament(0, club=club), used_at=now)
    return PushMessage.objects.create(
        subscription=phone, topic="seat", facts={"round": 1}, next_try=now, until=now + timedelta(hours=1)
    )


@pytest.fixture(params=[queue_letter, queue_message, queue_push])
def queued(request, club):
    """A row that is due, and its outbox."""
    row = request.param(club, timezone.now())
    identity = ["facts"] if isinstance(row, PushMessage) else []
    return row, Outbox(type(row), PAUSES, lost_after=LOST_AFTER, identity=identity)


def test_a_row_that_two_processes_have_read_is_claimed_by_one(queued):
    row, outbox = queued
    (other,) = outbox.due(timezone.now())
    assert (outbox.claim(row), row.tries) == (True, 1)
    assert (outbox.claim(other), other.tries) == (False, 0)
    assert not outbox.due(timezone.now()).exists()
    other.refresh_from_db()
    assert (other.state, other.tries) == ("sending", 1)


def test_an_outcome_is_stored_once_and_by_who_holds_the_claim(queued):
    row, outbox = queued
    assert not outbox.store(row, state="sent")
    outbox.claim(row)
    assert outbox.store(row, state="waiting", next_try=timezone.now())
    assert not outbox.store(row, state="sent")
    row.refresh_from_db()
    assert (row.state, row.taken_at) == ("waiting", None)


def test_the_claim_of_a_process_that_ended_is_released_and_its_late_outcome_ignored(queued):
    row, outbox = queued
    outbox.claim(row)
    now = timezone.now()
    outbox.release_lost(now)
    assert not outbox.due(now).exists()
    outbox.release_lost(now + LOST_AFTER + timedelta(seconds=1))
    (again,) = outbox.due(now + LOST_AFTER + timedelta(seconds=1))
    assert outbox.claim(again)
    assert not outbox.store(row, state="given-up")
    assert outbox.store(again, state="sent")


def test_a_message_that_was_replaced_while_it_was_delivered_stays_queued(club):
    row = queue_push(club, timezone.now())
    outbox = Outbox(PushMessage, PAUSES, lost_after=LOST_AFTER, identity=["facts"])
    outbox.claim(row)
    PushMessage.objects.update(facts={"round": 2}, state="waiting", tries=0)
    assert not outbox.store(row, state="sent")
    assert outbox.due(timezone.now()).get().facts == {"round": 2}


def test_the_pauses_grow_and_the_last_one_is_repeated():
    outbox = Outbox(Letter, PAUSES, lost_after=LOST_AFTER)
    assert [outbox.pause_after(tries).seconds for tries in (1, 2, 3, 9)] == [60, 300, 300, 300]
