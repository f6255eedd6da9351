"""Telling what is put out: beside the pages, signed, again and again with growing pauses, and given up after a day.

Each message is signed with the address's secret: `Spadille-Signature: t=<seconds>,v1=<hex>`, where v1 is the
HMAC-SHA256 of `<seconds>.<body>`. Whoever is told checks it, and that the seconds are of these minutes, before
believing a word. The same message may come twice: its `id` says so.
"""

from __future__ import annotations

import hmac
import logging
from datetime import timedelta
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop

from clubs.club_log import write_down
from clubs.models import Message
from clubs.webhooks.reaching import NotThere, post

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

logger = logging.getLogger(__name__)

PAUSES = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(hours=1),
    timedelta(hours=3),
    timedelta(hours=6),
    timedelta(hours=12),
)
LOST_AFTER = timedelta(minutes=5)  # nobody is at it any more who took it
KEPT = timedelta(days=7)
TAKEN = range(200, 300)

GAVE_UP = gettext_noop("{address} did not accept an event, and no more attempts are made: {event}")


def due(now: datetime) -> QuerySet[Message]:
    return Message.objects.filter(state=Message.State.WAITING, next_try__lte=now)


def is_due(now: datetime) -> bool:
    """Whether somebody is to be told something now."""
    lost = Message.objects.filter(state=Message.State.SENDING, taken_at__lt=now - LOST_AFTER)
    if lost.exists():  # asked every other second: who writes nothing holds up nobody
        lost.update(state=Message.State.WAITING, next_try=now)
    return due(now).exists()


def tell_due() -> int:
    """Tell what is due, one after the other; how many were told."""
    told = 0
    Message.objects.filter(made_at__lt=timezone.now() - KEPT, state=Message.State.SENT).delete()
    while message := due(timezone.now()).select_related("webhook__club").order_by("next_try", "pk").first():
        told += _take(message) and _tell(message)
    return told


def _take(message: Message) -> bool:
    """Take a message as it was seen; False where somebody else was first."""
    seen = Message.objects.filter(pk=message.pk, state=Message.State.WAITING, tries=message.tries)
    return bool(seen.update(state=Message.State.SENDING, taken_at=timezone.now(), tries=F("tries") + 1))


def _tell(message: Message) -> bool:
    message.tries += 1
    webhook, body = message.webhook, message.body.encode()
    seconds = int(timezone.now().timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Spadille",
        "Spadille-Event": message.event,
        "Spadille-Signature": f"t={seconds},v1={signature(webhook.secret, seconds, body)}",
    }
    try:
        status = post(webhook.url, body, headers)
    except NotThere as why:
        _later(message, str(why))
        _others_later(message, str(why))
        return False
    if status in TAKEN:
        _write(message, state=Message.State.SENT, sent_at=timezone.now(), came_to=str(status))
        return True
    if status == HTTPStatus.GONE:
        _give_up(message, str(status))
    else:
        _later(message, str(status))
    return False


def signature(secret: str, seconds: int, body: bytes) -> str:
    return hmac.new(secret.encode(), f"{seconds}.".encode() + body, sha256).hexdigest()


def _later(message: Message, why: str) -> None:
    if message.tries > len(PAUSES):
        _give_up(message, why)
        return
    again = timezone.now() + PAUSES[message.tries - 1]
    _write(message, state=Message.State.WAITING, next_try=again, came_to=why)


def _others_later(message: Message, why: str) -> None:
    """Whatever else waits for an address that does not answer has been tried with it: nobody else waits behind it."""
    again = timezone.now() + PAUSES[min(message.tries, len(PAUSES)) - 1]
    others = due(timezone.now()).filter(webhook=message.webhook_id)
    others.update(tries=F("tries") + 1, next_try=again, came_to=why)


@transaction.atomic
def _give_up(message: Message, why: str) -> None:
    """Say so where organisers look: in the club's log, and beside the address."""
    if _write(message, state=Message.State.GIVEN_UP, came_to=why):
        club, now = message.webhook.club, timezone.now()
        write_down(club, None, GAVE_UP, now=now, address=message.webhook.url, event=message.event)


def _write(message: Message, **values: object) -> bool:
    mine = Message.objects.filter(pk=message.pk, state=Message.State.SENDING, tries=message.tries)
    return bool(mine.update(**values, taken_at=None))
