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

# What a link that stops letters is signed for. It opens nothing else, and tells nobody the address.
SALT = "clubs.mail.stop"
EVERYTHING = ""
LENGTH = 32  # of an address's print: 128 bits


def print_of(address: str) -> str:
    """What is kept of an address that wants no letters, however its letters are written."""
    return sha256(address.strip().casefold().encode()).hexdigest()[:LENGTH]


def is_stopped(address: str, topic: str) -> bool:
    return stops(print_of(address), topic)


def stops(address_print: str, topic: str) -> bool:
    return Stop.objects.filter(address_print=address_print, topic__in={topic, EVERYTHING}).exists()


def stopped_among(addresses: Iterable[str], topic: str) -> set[str]:
    """Those addresses that letters of a topic are stopped for."""
    prints = {print_of(address): address for address in addresses}
    found = Stop.objects.filter(topic__in={topic, EVERYTHING}, address_print__in=prints)
    return {prints[held] for held in found.values_list("address_print", flat=True)}


def has_agreed(player: Player, topic: str) -> bool:
    return not topic or player.agreements.filter(topic=topic).exists()


def who_agreed(topic: str) -> Q:
    """Players who may be written to about a topic: they have agreed, and have an address."""
    return Q(agreements__topic=topic) & ~Q(email="")


def agree(player: Player, topics: Collection[str], *, now: datetime) -> None:
    """From now on these topics, and no others."""
    player.agreements.exclude(topic__in=topics).delete()
    held = set(player.agreements.values_list("topic", flat=True))
    Agreement.objects.bulk_create(
        [Agreement(player=player, topic=topic, agreed_at=now) for topic in topics if topic not in held],
        ignore_conflicts=True,
    )


def agree_also(player: Player, topics: Collection[str], *, now: datetime) -> None:
    """These topics besides what they have agreed to already."""
    agree(player, {*topics, *player.agreements.values_list("topic", flat=True)}, now=now)


def token(address: str, topic: str) -> str:
    """What a link that stops letters to an address has in it."""
    return signing.Signer(salt=SALT).sign(f"{print_of(address)}{topic}")


def read_token(told: str) -> tuple[str, str] | None:
    """Whose letters, as a print, and of which topic; None where the link is not ours, or cut off."""
    try:
        signed = signing.Signer(salt=SALT).unsign(told)
    except signing.BadSignature:
        return None
    return signed[:LENGTH], signed[LENGTH:]


def stop(address_print: str, topic: str, *, now: datetime) -> None:
    """No more letters of a topic, or with EVERYTHING of any."""
    Stop.objects.get_or_create(address_print=address_print, topic=topic, defaults={"stopped_at": now})


def write_again(address_print: str) -> None:
    """Undo every stop of an address."""
    Stop.objects.filter(address_print=address_print).delete()


def topics_stopped(address: str) -> dict[str, datetime]:
    """What is stopped for an address, and since when."""
    held = Stop.objects.filter(address_print=print_of(address)).values_list("topic", "stopped_at")
    found = dict(held)
    if EVERYTHING in found:
        return dict.fromkeys(Topic.values, found[EVERYTHING])
    return found
