"""What phones send, and what is due to them sent at once."""

from __future__ import annotations

import json

from django.utils import timezone

from tournaments.changes import push_subscriptions
from tournaments.changes.push_messages import SETTLED
from tournaments.models import PushMessage


def ask(client, tournament, phone, number=None, status=200, changed=None, hello=False):
    """What a phone's page sends; without what it is told first, unless `hello`."""
    asked = phone.asks(number) | (changed or {})
    page = f"/t/{tournament.code}/phone/"
    answer = client.post(f"{page}ask", json.dumps(asked), content_type="application/json")
    assert answer.status_code == status, answer.content
    if not hello:
        PushMessage.objects.filter(facts__has_key="hello").update(state="sent")
    return answer.json()


def tell(later=SETTLED):
    """Send what is due now, and what would be in a moment."""
    PushMessage.objects.filter(state="waiting", next_try__lte=timezone.now() + later).update(
        next_try=timezone.now()
    )
    return push_subscriptions.tell_due()


def seat_of(tournament, number, round_number=1):
    seat = tournament.entries.get(number=number).seats.get(round__number=round_number)
    return f"Round {round_number}: table {seat.table.number}, seat {'ABCDE'[seat.position]}"
