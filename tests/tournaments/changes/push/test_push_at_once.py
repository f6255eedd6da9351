"""Two draws at once, and a phone that asks meanwhile: each phone is told once, and what holds in the end."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.utils import timezone

from core.delivery.push import own_key, public_key
from tests.factories import make_tournament
from tests.push_service import Phone, PushService
from tests.tournaments.attacks.test_two_at_once import at_once
from tournaments.changes import push_subscriptions
from tournaments.changes.locks import hold
from tournaments.lifecycle.drawing import draw
from tournaments.models import PushMessage

pytestmark = pytest.mark.django_db(transaction=True)


def test_phones_are_told_once_of_the_draw_that_holds(settings, tmp_path, club, alice):
    service = PushService()
    settings.DATA_DIR, settings.PUSH, settings.WEBHOOKS_TO_PRIVATE = tmp_path, True, True
    settings.PUSH_SERVICES = [service.url]
    evening = make_tournament(8, 2, club=club, account=alice, drawn=False)
    phones = {number: Phone(service.url, str(number)) for number in (3, 5)}
    key = public_key(own_key())

    def ask(number):
        told = phones[number].asks(number)
        phone = push_subscriptions.Phone(told["endpoint"], told["keys"]["p256dh"], told["keys"]["auth"], key)
        with transaction.atomic():
            hold(evening.pk)
            push_subscriptions.begin(evening, phone, number=number, language="en", now=timezone.now())

    ask(3)
    draws = [lambda seed=seed: draw(evening, seed=seed, account=alice, now=timezone.now()) for seed in (1, 2)]
    at_once(*draws, lambda: ask(5))
    seats = {number: evening.entries.get(number=number).seats.get(round__number=1) for number in phones}
    messages = PushMessage.objects.filter(topic="seat").select_related("subscription__entry")
    assert {
        one.subscription.entry.number: (one.facts["table"], one.facts["position"]) for one in messages
    } == {number: (seat.table.number, seat.position) for number, seat in seats.items()}
    messages.update(next_try=timezone.now())
    assert push_subscriptions.tell_due() == len(service.came) == len(phones)
    assert not push_subscriptions.is_due(timezone.now())
    service.close()
