"""A phone asks to be told of a tournament, or to be told no more; and is forgotten.

Whoever asks proves nothing: it is told what everybody can see in the hall. What it can make us do is bounded: we write
to push services alone that are known (`settings.PUSH_SERVICES`), and to so many phones for a tournament and a player.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.webhooks.reaching import NotThere, parts_of
from core.errors import Refusal
from tournaments.models import PushMessage, PushSubscription
from tournaments.models.push import LONGEST_ENDPOINT
from tournaments.push.keys import own_key, public_key
from tournaments.push.outbox import first_of_all
from tournaments.push.sealing import are_keys

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from django.db.models import QuerySet

    from clubs.models import Player
    from tournaments.models import Tournament

MOST_OF_TOURNAMENT, MOST_OF_PLAYER = 2000, 10

OTHER_SERVICE = gettext_noop("This browser’s push service is not known here, so the phone cannot be told.")


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
    """Tell a phone from now on; without a number only what all are told. Raises Refusal.

    Whoever calls holds the tournament, and has refused before what is no phone: that may take its time. A phone that
    asks again is told of whom it names now, in the language of now.
    """
    if not tournament.tells_phones:
        raise Refusal(_("The evening is over."))
    entry = None
    if number is not None:
        entry = tournament.entries.filter(number=number).first()
        if entry is None:
            raise Refusal(_("Nobody has this number here."), "number")
    mark = print_of(phone.endpoint)
    others = tournament.phones.exclude(endpoint_print=mark)
    others_of_player = others.filter(entry=entry).exclude(p256dh="")
    if others.count() >= MOST_OF_TOURNAMENT or (entry and others_of_player.count() >= MOST_OF_PLAYER):
        raise Refusal(_("Too many phones have asked for this already."))
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
    """Raise Refusal unless it is a phone of a push service that is known, which can read what we send."""
    if phone.made_for != public_key(own_key()):
        raise Refusal(_("Load this page again, then ask once more."))
    if len(phone.endpoint) > LONGEST_ENDPOINT or not is_known_service(phone.endpoint):
        raise Refusal(_(OTHER_SERVICE))
    if not are_keys(phone.p256dh, phone.auth):
        raise Refusal(_("The browser’s keys cannot be read."))


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
