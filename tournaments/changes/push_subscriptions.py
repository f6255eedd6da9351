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
from core.delivery.push import are_keys, authorization, own_key, public_key, sealed
from core.errors import UserError
from tournaments.changes.push_messages import count, first_of_all, words
from tournaments.models import PushMessage, PushSubscription, PushTally, Tournament
from tournaments.models.push import LONGEST_ENDPOINT

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from django.db.models import QuerySet
    from py_vapid import Vapid02  # type: ignore[import-untyped]

    from clubs.models import Player


# Telling phones what is put down for them: beside the pages, again with growing pauses, and forgetting who is gone.
#
# A push service answers 201 where it has taken a message, 404 or 410 where the phone is not to be told any more. What
# it answers besides is never read, and no redirect is followed: see `core.delivery.http_client`.

logger = logging.getLogger(__name__)

PAUSES = tuple(timedelta(seconds=seconds) for seconds in (10, 30, 60, 300, 900, 1800))
LOST_AFTER = timedelta(minutes=5)  # nobody is at it any more who took it
UNUSED = timedelta(days=60)
TAKEN = range(200, 300)
GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
# The service is not well: what else waits for it waits too.
NOT_WELL = range(500, 600)
URGENCY = {PushMessage.Topic.SEAT.value: "high", PushMessage.Topic.STANDINGS.value: "normal"}
WAITING, SENDING = PushMessage.State.WAITING, PushMessage.State.SENDING
Outcome = PushTally.Outcome


def due(now: datetime) -> QuerySet[PushMessage]:
    """What is to be sent now; what is for a phone whose address is gone waits until it has said another."""
    return PushMessage.objects.filter(state=WAITING, next_try__lte=now).exclude(subscription__p256dh="")


def is_due(now: datetime) -> bool:
    """Whether a phone is to be told something now, or to be forgotten."""
    lost = PushMessage.objects.filter(state=SENDING, taken_at__lt=now - LOST_AFTER)
    if lost.exists():  # asked every other second: who writes nothing holds up nobody
        lost.update(state=WAITING, next_try=now)
    return bool(settings.PUSH and due(now).exists()) or over(now).exists()


def over(now: datetime) -> QuerySet[PushSubscription]:
    """Phones that have no evening to be told of any more."""
    waits = PushMessage.objects.filter(
        subscription=OuterRef("pk"), state__in=PushMessage.UNDER_WAY, until__gt=now
    )
    ended = Q(tournament__state=Tournament.State.FINISHED) | Q(tournament__called_off_at__isnull=False)
    return PushSubscription.objects.filter(Q(used_at__lt=now - UNUSED) | ended & ~Exists(waits))


def tell_due() -> int:
    """Tell what is due, service after service; how many were told."""
    forget(over(timezone.now()))
    if not settings.PUSH:
        return 0
    key, told = own_key(), 0
    forget(PushSubscription.objects.exclude(made_for=public_key(key)))
    with Services(key) as services:
        while message := _next():
            told += _take(message) and _told(message, services)
    forget(over(timezone.now()))
    return told


def _told(message: PushMessage, services: Services) -> bool:
    """Whether it was told; one that cannot be, for whatever reason, is given up, and those behind it are not."""
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
    """The push services that are told something just now, each by one line that stays open."""

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
        """The status of the answer. Raises NotThere."""
        parts = urlsplit(endpoint)
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self.lines:
            self.shown[origin] = authorization(self.key, origin)
            self.lines[origin] = Line(endpoint)
        headers["Authorization"] = self.shown[origin]
        return self.lines[origin].post(endpoint, body, headers)


def _take(message: PushMessage) -> bool:
    """Take a message as it was seen; False where somebody else was first, or it was replaced."""
    seen = PushMessage.objects.filter(pk=message.pk, state=WAITING, tries=message.tries, facts=message.facts)
    return bool(seen.update(state=SENDING, taken_at=timezone.now(), tries=F("tries") + 1))


def _tell(message: PushMessage, services: Services) -> bool:
    message.tries += 1
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
        logger.warning("A push service does not take a message: %s", status)
        _give_up(message, Outcome.REFUSED)
    return False


@transaction.atomic
def _give_up(message: PushMessage, outcome: PushTally.Outcome) -> None:
    """A phone that could not be told even that it is told is none: it takes no other's place.

    All of that is of the address that was asked. A phone that has got another meanwhile is told there; and services
    drop the old one before the browser tells of the new one, so that a phone whose address is gone may have moved.
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
    return now + PAUSES[min(message.tries, len(PAUSES)) - 1]


def topic_of(message: PushMessage) -> str:
    """What takes the place of what, at the push service; it tells the service nothing (RFC 8030, 5.4)."""
    about = f"{message.subscription_id} {message.topic}"
    return urlsafe_b64encode(sha256(about.encode()).digest()[:24]).decode()


def _service_later(message: PushMessage, why: str) -> None:
    """Let it wait, longer each time, with all that is due at the same service: nobody else waits behind it."""
    now = timezone.now()
    again = _again(message, now)
    parts = urlsplit(message.subscription.endpoint)
    logger.warning("%s is told later: %s", parts.hostname, why)
    _write(message, state=WAITING, next_try=again)
    service = f"{parts.scheme}://{parts.netloc}/"
    others = due(now).filter(subscription__endpoint__startswith=service)
    with transaction.atomic():
        # In an order, and without those that a step is just writing: it waits for nobody here.
        free = others.order_by("pk").select_for_update(skip_locked=True, of=("self",)).only("pk")
        PushMessage.objects.filter(pk__in=[one.pk for one in free]).update(
            tries=F("tries") + 1, next_try=again
        )


@transaction.atomic
def _write(message: PushMessage, outcome: PushTally.Outcome | None = None, **values: object) -> None:
    """Nothing where it was replaced meanwhile: what took its place waits. How it has ended is counted all the same.

    The count is last in its transaction, after the phone and the message, so that no two wait for each other.
    """
    mine = PushMessage.objects.filter(pk=message.pk, state=SENDING, tries=message.tries, facts=message.facts)
    mine.update(**values, taken_at=None)
    if outcome:
        count(outcome, timezone.now())


# A phone asks to be told of a tournament, or to be told no more; and is forgotten.
#
# Whoever asks proves nothing: it is told what everybody can see in the hall. What it can make us do is bounded: we
# write to push services alone that are known (`settings.PUSH_SERVICES`), and to so many phones for a tournament and a
# player.

MOST_OF_TOURNAMENT, MOST_OF_PLAYER = 2000, 10

OTHER_SERVICE = gettext_noop(
    "This browser’s push service is not supported here, so the phone cannot get notifications."
)


@dataclass(frozen=True)
class Phone:
    """What a browser says of itself (`PushSubscription.toJSON`), and the key it was asked with."""

    endpoint: str
    p256dh: str
    auth: str
    made_for: str


def begin(
    tournament: Tournament, phone: Phone, *, number: int | None, language: str, now: datetime
) -> PushSubscription:
    """Tell a phone from now on; without a number only what all are told. Raises UserError.

    Whoever calls holds the tournament, and has refused before what is no phone: that may take its time. A phone that
    asks again is told of whom it names now, in the language of now.
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
    first_of_all(made, now=now)
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
    # One spelling of an address only: each other would be a service of its own, and a line that is kept open.
    return parts.is_safe and urlsplit(endpoint).netloc == parts.host and any(names)


def end(tournament: Tournament, endpoint: str) -> None:
    """Tell a phone no more; whoever knows its address is it. Whether it was told is said to nobody."""
    forget(tournament.phones.filter(endpoint_print=print_of(endpoint)))


def tournaments_told_to(endpoint: str) -> list[int]:
    """The tournaments (primary keys) that a phone is told of; whoever knows its address is it."""
    told = PushSubscription.objects.filter(endpoint_print=print_of(endpoint))
    return list(told.order_by("tournament").values_list("tournament", flat=True))


def has_moved(tournament: int, was: str, was_auth: str, phone: Phone) -> None:
    """A phone has got another address from its browser's push service: what the old one was told, the new one is.

    Of a tournament (primary key). Whoever calls holds it, and has refused before what is no phone. What the new address
    has asked for itself meanwhile is newer. An address alone moves nothing, for push services know it too: `was_auth`
    is the secret that its browser made with it.
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
    """Forget phones and what they were to be told, also while a step puts down what they are to be told next."""
    with transaction.atomic():
        held = phones.select_for_update(of=("self",)).order_by("pk").only("pk")
        PushSubscription.objects.filter(pk__in=[phone.pk for phone in held]).delete()


def print_of(endpoint: str) -> str:
    return sha256(endpoint.encode()).hexdigest()


def forget_phones(player: Player) -> None:
    """No phone is told of a player any more, and none is known."""
    forget(PushSubscription.objects.filter(entry__player=player))


def phones_of(player: Player) -> list[dict[str, Any]]:
    """What is stored of phones that have asked for a player: of the addresses the service alone."""
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
