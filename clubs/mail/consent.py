"""Consent to topics of e-mail, and unsubscriptions of addresses.

An unsubscription overrides every consent: an organiser who ticks it again, or an import, does not undo it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from django.core import signing
from django.db.models import Q

from clubs.models import Agreement, Player, Stop, Topic

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

# The salt of unsubscribe links: they give no other access and do not contain the address.
SALT = "clubs.mail.stop"
EVERYTHING = ""
LENGTH = 32  # of an address's print: 128 bits


def address_digest(address: str) -> str:
    """The digest of an address, equal however it is written."""
    return sha256(address.strip().casefold().encode()).hexdigest()[:LENGTH]


def is_unsubscribed(address: str, topic: str) -> bool:
    return stops(address_digest(address), topic)


def stops(address_print: str, topic: str) -> bool:
    return Stop.objects.filter(address_print=address_print, topic__in={topic, EVERYTHING}).exists()


def unsubscribed_among(addresses: Iterable[str], topic: str) -> set[str]:
    """Those of these addresses that are unsubscribed from a topic."""
    prints = {address_digest(address): address for address in addresses}
    found = Stop.objects.filter(topic__in={topic, EVERYTHING}, address_print__in=prints)
    return {prints[held] for held in found.values_list("address_print", flat=True)}


def has_consent(player: Player, topic: str) -> bool:
    return not topic or player.agreements.filter(topic=topic).exists()


def players_with_consent(topic: str) -> Q:
    """Players who consent to a topic and have an address."""
    return Q(agreements__topic=topic) & ~Q(email="")


def set_consent(player: Player, topics: Collection[str], *, now: datetime) -> None:
    """Set the topics a player consents to, and no others."""
    player.agreements.exclude(topic__in=topics).delete()
    held = set(player.agreements.values_list("topic", flat=True))
    Agreement.objects.bulk_create(
        [Agreement(player=player, topic=topic, agreed_at=now) for topic in topics if topic not in held],
        ignore_conflicts=True,
    )


def add_consent(player: Player, topics: Collection[str], *, now: datetime) -> None:
    """Add topics to those a player consents to."""
    set_consent(player, {*topics, *player.agreements.values_list("topic", flat=True)}, now=now)


def unsubscribe_token(address: str, topic: str) -> str:
    """The token of an unsubscribe link for an address and a topic."""
    return signing.Signer(salt=SALT).sign(f"{address_digest(address)}{topic}")


def parse_unsubscribe_token(told: str) -> tuple[str, str] | None:
    """The address digest and the topic of a token; None if it is not ours, or truncated."""
    try:
        signed = signing.Signer(salt=SALT).unsign(told)
    except signing.BadSignature:
        return None
    return signed[:LENGTH], signed[LENGTH:]


def unsubscribe(address_print: str, topic: str, *, now: datetime) -> None:
    """Unsubscribe an address from a topic, or with EVERYTHING from all."""
    Stop.objects.get_or_create(address_print=address_print, topic=topic, defaults={"stopped_at": now})


def resubscribe(address_print: str) -> None:
    """Delete every unsubscription of an address."""
    Stop.objects.filter(address_print=address_print).delete()


def unsubscribed_topics(address: str) -> dict[str, datetime]:
    """The topics that an address is unsubscribed from, with the times."""
    held = Stop.objects.filter(address_print=address_digest(address)).values_list("topic", "stopped_at")
    found = dict(held)
    if EVERYTHING in found:
        return dict.fromkeys(Topic.values, found[EVERYTHING])
    return found
