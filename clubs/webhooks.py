"""Webhooks of a club: register and remove addresses, queue messages, deliver them.

A message is queued in the transaction of what it reports. It is delivered by a worker process, retried with exponential
backoff, and given up after a day. It is signed with the address's secret: `Spadille-Signature: t=<seconds>,v1=<hex>`,
where v1 is the HMAC-SHA256 of `<seconds>.<body>`. Recipients check it, and that the seconds are recent, before they
believe it. The same message may come twice: its `id` is the same.
"""

from __future__ import annotations

import hmac
import json
import logging
import secrets
from datetime import UTC, timedelta
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import log_change
from clubs.models import Event, Message, Webhook
from clubs.register_models import unions_with
from core.delivery.http_client import NotThere, parts_of, post
from core.delivery.outbox import Outbox
from core.errors import UserError
from core.log_messages import author_name

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from clubs.models import Account, Club, Event


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
KEPT = timedelta(days=7)
TAKEN = range(200, 300)

GAVE_UP = gettext_noop("{address} did not accept an event; no more attempts will be made: {event}")


OUTBOX = Outbox(Message, PAUSES, lost_after=timedelta(minutes=5))


def is_due(now: datetime) -> bool:
    """Whether a message is due."""
    OUTBOX.release_lost(now)
    return OUTBOX.due(now).exists()


def deliver_due() -> int:
    """Deliver all due messages; returns how many."""
    delivered = 0
    Message.objects.filter(made_at__lt=timezone.now() - KEPT, state=Message.State.SENT).delete()
    while message := _next():
        delivered += OUTBOX.claim(message) and _deliver(message)
    return delivered


def _next() -> Message | None:
    due = OUTBOX.due(timezone.now()).select_related("webhook__club")
    return due.order_by("next_try", "pk").first()


def _deliver(message: Message) -> bool:
    """Post a claimed message and store the outcome; True if it was accepted."""
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
        OUTBOX.store(message, state=Message.State.SENT, sent_at=timezone.now(), came_to=str(status))
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
    again = timezone.now() + OUTBOX.pause_after(message.tries)
    OUTBOX.store(message, state=Message.State.WAITING, next_try=again, came_to=why)


def _others_later(message: Message, why: str) -> None:
    """Postpone all other messages to an address that does not respond: they would block other addresses."""
    now = timezone.now()
    again = now + OUTBOX.pause_after(message.tries)
    others = OUTBOX.due(now).filter(webhook=message.webhook_id)
    others.update(tries=F("tries") + 1, next_try=again, came_to=why)


@transaction.atomic
def _give_up(message: Message, why: str) -> None:
    """Record a message that was given up in the club's log and at the webhook."""
    if OUTBOX.store(message, state=Message.State.GIVEN_UP, came_to=why):
        club, now = message.webhook.club, timezone.now()
        log_change(club, None, GAVE_UP, now=now, address=message.webhook.url, event=message.event)


def moment_text(moment: datetime) -> str:
    """A time in the format of the API: ISO 8601 in UTC, 2026-11-28T18:30:00.123456Z."""
    return moment.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"


def enqueue_event(club: Club, event: Event, about: Mapping[str, Any], *, now: datetime) -> None:
    """Queue a message to every webhook of the club, and of its unions, for this event."""
    around = Q(club=club) | Q(club__in=unions_with(club))
    club_ref = {"id": club.pk, "slug": club.slug, "name": club.name}
    webhooks = [webhook for webhook in Webhook.objects.filter(around) if event.value in webhook.events]
    Message.objects.bulk_create(
        Message(
            webhook=webhook,
            event=event.value,
            body=json.dumps(
                {
                    "id": str(uuid4()),
                    "event": event.value,
                    "at": moment_text(now),
                    "club": club.slug,
                    "club_ref": club_ref,
                    **about,
                },
                ensure_ascii=False,
                sort_keys=True,
            ),
            made_at=now,
            next_try=now,
        )
        for webhook in webhooks
    )


MOST = 10


@transaction.atomic
def register_webhook(
    club: Club, *, url: str, secret: str, events: Collection[str], account: Account, now: datetime
) -> Webhook:
    """Register an address for events; generates a secret if none is given. Raises UserError."""
    try:
        parts_of(url)
    except NotThere as why:
        raise UserError(_(str(why)), "url") from None
    if club.webhooks.count() >= MOST:
        raise UserError(_("%(most)d addresses already receive events: remove one first.") % {"most": MOST})
    if club.webhooks.filter(url=url).exists():
        raise UserError(_("This address already receives events."), "url")
    made = Webhook.objects.create(
        club=club,
        url=url,
        secret=secret or secrets.token_urlsafe(32),
        events=[event for event in Event.values if event in events],
        made_by=author_name(account),
        made_at=now,
    )
    log_change(club, account, gettext_noop("{address} now receives events"), now=now, address=url)
    return made


@transaction.atomic
def remove_webhook(webhook: Webhook, *, account: Account, now: datetime) -> None:
    """Remove a webhook with its queued messages."""
    if Webhook.objects.filter(pk=webhook.pk).delete()[0]:
        text = gettext_noop("{address} no longer receives events")
        log_change(webhook.club, account, text, now=now, address=webhook.url)


@transaction.atomic
def retry_given_up(webhook: Webhook, *, account: Account, now: datetime) -> int:
    """Queue the messages again that were given up; returns how many."""
    given_up = Message.objects.filter(webhook=webhook, state=Message.State.GIVEN_UP)
    again = given_up.update(state=Message.State.WAITING, tries=0, next_try=now, came_to="")
    if again:
        text = gettext_noop("Events that could not be delivered to {address} are sent again: {count}")
        log_change(webhook.club, account, text, now=now, address=webhook.url, count=again)
    return again
