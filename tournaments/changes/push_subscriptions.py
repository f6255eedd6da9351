"""Push subscriptions of phones, and the delivery of queued messages to push services."""

from __future__ import annotations

import logging
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.delivery.http_client import Line, NotThere, parts_of
from core.delivery.outbox import Outbox
from core.delivery.push import are_keys, authorization, own_key, public_key, sealed
from core.errors import UserError
from tournaments.changes.push_messages import count, queue_first_message, words
from tournaments.models import PushMessage, PushSubscription, PushTally, Tournament
from tournaments.models.push import LONGEST_ENDPOINT

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from django.db.models import QuerySet
    from py_vapid import Vapid02

    from clubs.models import Player


# Delivery of queued push messages by a worker, with retries and backoff, and removal of subscriptions that are gone.
#
# A push service responds 201 where it has accepted a message, 404 or 410 where the subscription is gone. The rest of
# its response is never read, and no redirect is followed: see `core.delivery.http_client`.

logger = logging.getLogger(__name__)

PAUSES = tuple(timedelta(seconds=seconds) for seconds in (10, 30, 60, 300, 900, 1800))
UNUSED = timedelta(days=60)
TAKEN = range(200, 300)
GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
# The service is not well: what else waits for it waits too.
NOT_WELL = range(500, 600)
URGENCY = {PushMessage.Topic.SEAT.value: "high", PushMessage.Topic.STANDINGS.value: "normal"}
WAITING = PushMessage.State.WAITING
Outcome = PushTally.Outcome
# A step may put a newer message in the place of one that is being delivered.
OUTBOX = Outbox(PushMessage, PAUSES, lost_after=timedelta(minutes=5), identity=["facts"])


def due(now: datetime) -> QuerySet[PushMessage]:
    """The due messages; one to a phone whose address is gone waits until the phone gives another."""
    return OUTBOX.due(now).exclude(subscription__p256dh="")


def is_due(now: datetime) -> bool:
    """Whether a message is due, or a subscription is to be deleted."""
    OUTBOX.release_lost(now)
    return bool(settings.PUSH and due(now).exists()) or over(now).exists()


def over(now: datetime) -> QuerySet[PushSubscription]:
    """Subscriptions whose tournaments are over."""
    waits = PushMessage.objects.filter(
        subscription=OuterRef("pk"), state__in=PushMessage.UNDER_WAY, until__gt=now
    )
    ended = Q(tournament__state=Tournament.State.FINISHED) | Q(tournament__called_off_at__isnull=False)
    return PushSubscription.objects.filter(Q(used_at__lt=now - UNUSED) | ended & ~Exists(waits))


def tell_due() -> int:
    """Send the due messages, one push service after another; returns how many were delivered."""
    forget(over(timezone.now()))
    if not settings.PUSH:
        return 0
    key, told = own_key(), 0
    forget(PushSubscription.objects.exclude(made_for=public_key(key)))
    with Services(key) as services:
        while message := _next():
            told += OUTBOX.claim(message) and _deliver(message, services)
    forget(over(timezone.now()))
    return told


def _deliver(message: PushMessage, services: Services) -> bool:
    """Deliver a message; True if it was accepted.

    One that fails permanently is given up without stopping the others.
    """
    try:
        return _tell(message, services)
    except (InterfaceError, OperationalError):
        raise
    except Exception:
        logger.exception("Push message %s", message.pk)
        _write(message, Outcome.REFUSED, state=PushMessage.State.GIVEN_UP)
        return False


def _next() -> PushMessage | None:
    needed = due(timezone.now()).select_related("subscription__tournament", "subscription__entry")
    return needed.order_by("next_try", "pk").first()


class Services:
    """The push services in use now, each with one persistent connection."""

    def __init__(self, key: Vapid02) -> None:
        self.key = key
        self.lines: dict[str, Line] = {}
        self.shown: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for line in self.lines.values():
            line.close()

    def post(self, endpoint: str, body: bytes, headers: dict[str, str]) -> int:
        """The status of the response. Raises NotThere."""
        parts = urlsplit(endpoint)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self.lines:
            self.shown[origin] = authorization(self.key, origin)
            self.lines[origin] = Line(endpoint)
        headers["Authorization"] = self.shown[origin]
        return self.lines[origin].post(endpoint, body, headers)


def _tell(message: PushMessage, services: Services) -> bool:
    subscription, now = message.subscription, timezone.now()
    left = int((message.until - now).total_seconds())
    if left <= 0:
        _give_up(message, Outcome.TOO_LATE)
        return False
    headers = {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(left),
        "Urgency": URGENCY[message.topic],
        "Topic": topic_of(message),
    }
    body = sealed(words(message), subscription.p256dh, subscription.auth)
    try:
        status = services.post(subscription.endpoint, body, headers)
    except NotThere as why:
        _service_later(message, str(why))
        return False
    if status in TAKEN:
        with transaction.atomic():
            PushSubscription.objects.filter(pk=subscription.pk).update(used_at=now)
            _write(message, Outcome.SENT, state=PushMessage.State.SENT)
        return True
    if status in GONE:
        _give_up(message, Outcome.GONE)
    elif status == HTTPStatus.TOO_MANY_REQUESTS:  # of this phone, as some services say it
        _write(message, state=WAITING, next_try=_again(message, now))
    elif status in NOT_WELL:
        _service_later(message, str(status))
    else:
        logger.warning("A push service rejected a message: %s", status)
        _give_up(message, Outcome.REFUSED)
    return False


@transaction.atomic
def _give_up(message: PushMessage, outcome: PushTally.Outcome) -> None:
    """Give up a message; a subscription that did not even accept its confirmation is deleted.

    All of this applies to the address that was used. A phone that has got another meanwhile is sent the message
    there; push services drop the old address before the browser reports the new one, so a gone address may mean a
    move.
    """
    phone, now = PushSubscription.objects.filter(pk=message.subscription_id), timezone.now()
    asked = phone.filter(endpoint_print=message.subscription.endpoint_print)
    if "hello" in message.facts:
        forget(asked)
    elif outcome == Outcome.GONE:
        asked.update(p256dh="")
    if outcome == Outcome.GONE or phone.exclude(endpoint_print=message.subscription.endpoint_print).exists():
        _write(message, outcome, state=WAITING, next_try=now)
    else:
        _write(message, outcome, state=PushMessage.State.GIVEN_UP)


def _again(message: PushMessage, now: datetime) -> datetime:
    return now + OUTBOX.pause_after(message.tries)


def topic_of(message: PushMessage) -> str:
    """Topic header: a newer message replaces a waiting one of its topic.

    Opaque to the push service (RFC 8030, 5.4).
    """
    about = f"{message.subscription_id} {message.topic}"
    return urlsafe_b64encode(sha256(about.encode()).digest()[:24]).decode()


def _service_later(message: PushMessage, why: str) -> None:
    """Postpone a message, and all that are due at the same push service, with growing backoff."""
    now = timezone.now()
    again = _again(message, now)
    parts = urlsplit(message.subscription.endpoint)
    logger.warning("Push message to %s is retried later: %s", parts.hostname, why)
    _write(message, state=WAITING, next_try=again)
    service = f"{parts.scheme}://{parts.netloc}/"
    others = due(now).filter(subscription__endpoint__startswith=service)
    with transaction.atomic():
        # In a fixed order, skipping rows that a step has locked: delivery never waits for a step.
        free = others.order_by("pk").select_for_update(skip_locked=True, of=("self",)).only("pk")
        PushMessage.objects.filter(pk__in=[one.pk for one in free]).update(
            tries=F("tries") + 1, next_try=again
        )


@transaction.atomic
def _write(message: PushMessage, outcome: PushTally.Outcome | None = None, **values: object) -> None:
    """Store the outcome unless the message was replaced meanwhile; the outcome is counted in any case.

    The count is last in its transaction, after the phone and the message, so that no two wait for each other.
    """
    OUTBOX.store(message, **values)
    if outcome:
        count(outcome, timezone.now())


# Subscribing a phone to the push messages of a tournament, unsubscribing, and erasing.
#
# A subscriber proves nothing: messages hold only what the hall's pages show to everybody. Abuse is bounded: only
# known push services are contacted (`settings.PUSH_SERVICES`), and the number of subscriptions for a tournament and
# for a player is limited.

MOST_OF_TOURNAMENT, MOST_OF_PLAYER = 2000, 10

OTHER_SERVICE = gettext_noop(
    "This browser’s push service is not supported here, so the phone cannot get notifications."
)


@dataclass(frozen=True)
class Phone:
    """A browser's push subscription (`PushSubscription.toJSON`), and the key it was made with."""

    endpoint: str
    p256dh: str
    auth: str
    made_for: str


def begin(
    tournament: Tournament, phone: Phone, *, number: int | None, language: str, now: datetime
) -> PushSubscription:
    """Subscribe a phone; without a number to messages for everybody only. Raises UserError.

    The caller holds the tournament's lock, and has validated the address before, which may take a while. A phone
    that subscribes again changes its player and language.
    """
    if not tournament.tells_phones:
        raise UserError(_("The evening is over."))
    entry = None
    if number is not None:
        entry = tournament.entries.filter(number=number).first()
        if entry is None:
            raise UserError(_("No one here has this number."), "number")
    mark = print_of(phone.endpoint)
    others = tournament.phones.exclude(endpoint_print=mark)
    others_of_player = others.filter(entry=entry).exclude(p256dh="")
    if others.count() >= MOST_OF_TOURNAMENT or (entry and others_of_player.count() >= MOST_OF_PLAYER):
        raise UserError(_("Too many phones have already asked for this."))
    made, _new = PushSubscription.objects.update_or_create(
        tournament=tournament,
        endpoint_print=mark,
        defaults={
            "entry": entry,
            "endpoint": phone.endpoint,
            "p256dh": phone.p256dh,
            "auth": phone.auth,
            "made_for": phone.made_for,
            "language": language,
            "used_at": now,
        },
    )
    queue_first_message(made, now=now)
    return made


def refuse_what_is_none(phone: Phone) -> None:
    """Raise UserError unless it is a phone of a push service that is known, which can read what we send."""
    if phone.made_for != public_key(own_key()):
        raise UserError(_("Reload this page, then ask again."))
    if len(phone.endpoint) > LONGEST_ENDPOINT or not is_known_service(phone.endpoint):
        raise UserError(_(OTHER_SERVICE))
    if not are_keys(phone.p256dh, phone.auth):
        raise UserError(_("The browser’s keys cannot be read."))


def is_known_service(endpoint: str) -> bool:
    """Whether an address is of one of the push services that we write to, over https and at its usual port."""
    try:
        parts = parts_of(endpoint)
    except NotThere:
        return False
    origin = f"{'https' if parts.is_safe else 'http'}://{parts.host}:{parts.port}"
    if origin in settings.PUSH_SERVICES:  # as tests write it: no setting of the environment can
        return True
    names = (parts.host == name or parts.host.endswith(f".{name}") for name in settings.PUSH_SERVICES)
    # One spelling of an address only: each variant would count as a service of its own with its own connection.
    return parts.is_safe and urlsplit(endpoint).netloc == parts.host and any(names)


def end(tournament: Tournament, endpoint: str) -> None:
    """Unsubscribe a phone; knowing its address is the authorization. Does not reveal whether it was subscribed."""
    forget(tournament.phones.filter(endpoint_print=print_of(endpoint)))


def tournaments_told_to(endpoint: str) -> list[int]:
    """Primary keys of the tournaments that a phone is subscribed to; knowing its address is the authorization."""
    told = PushSubscription.objects.filter(endpoint_print=print_of(endpoint))
    return list(told.order_by("tournament").values_list("tournament", flat=True))


def has_moved(tournament: int, was: str, was_auth: str, phone: Phone) -> None:
    """Move a phone's subscription to the new address that its browser got from the push service.

    The caller holds the lock of the tournament (primary key), and has validated the address. A subscription that
    the new address has made itself meanwhile is newer, and wins. Knowing the old address is not enough, since push
    services know it too: `was_auth` is the secret that the browser made with it.
    """
    told, mark = PushSubscription.objects.filter(tournament=tournament), print_of(phone.endpoint)
    old = told.filter(endpoint_print=print_of(was))
    if not any(constant_time_compare(auth, was_auth) for auth in old.values_list("auth", flat=True)):
        return
    if phone.endpoint != was and told.filter(endpoint_print=mark).exists():
        forget(old)
        return
    old.update(
        endpoint=phone.endpoint,
        endpoint_print=mark,
        p256dh=phone.p256dh,
        auth=phone.auth,
        made_for=phone.made_for,
    )


def forget(phones: QuerySet[PushSubscription]) -> None:
    """Delete subscriptions with their queued messages, also while a step is queueing the next ones."""
    with transaction.atomic():
        held = phones.select_for_update(of=("self",)).order_by("pk").only("pk")
        PushSubscription.objects.filter(pk__in=[phone.pk for phone in held]).delete()


def print_of(endpoint: str) -> str:
    return sha256(endpoint.encode()).hexdigest()


def forget_phones(player: Player) -> None:
    """Delete all subscriptions to a player."""
    forget(PushSubscription.objects.filter(entry__player=player))


def phones_of(player: Player) -> list[dict[str, Any]]:
    """Personal data stored with subscriptions to a player: of each address the push service alone."""
    held = PushSubscription.objects.filter(entry__player=player).select_related("tournament")
    return [
        {
            "tournament": phone.tournament.name,
            "code": phone.tournament.code,
            "push_service": urlsplit(phone.endpoint).hostname,
            "language": phone.language,
            "last_used": phone.used_at,
            "told": list(
                PushMessage.objects.filter(subscription=phone).order_by("topic").values("topic", "facts")
            ),
        }
        for phone in held.order_by("tournament__date", "pk")
    ]
