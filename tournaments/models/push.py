"""Who has asked on their phone to be told of an evening, and what each phone is told.

A phone is known by the address that its browser's push service has given it. Whoever has that address, and the key of
this installation, can make the phone ring: so it is shown nowhere, and forgotten with the evening.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from tournaments.models.events import Tournament
from tournaments.models.play import Entry

LONGEST_ENDPOINT = 1000


class PushSubscription(models.Model):
    """A browser that is told of one tournament; of a player's seats only where somebody has said who they are."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="phones")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, related_name="phones")
    endpoint = models.CharField(max_length=LONGEST_ENDPOINT)
    # Its SHA-256, by which it is found.
    endpoint_print = models.CharField(max_length=64)
    # What messages to it are enciphered with: its public key, and what it shares with us (RFC 8291), in base64url.
    # Without a public key its address is gone: nothing is sent to it until it says that it has another.
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    # Our own public key, which it was made for: it takes nothing that another has signed.
    made_for = models.CharField(max_length=100)
    language = models.CharField(max_length=10)
    # When it asked, or was last told anything.
    used_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "endpoint_print"], name="a_phone_asks_once_a_tournament"
            ),
        ]
        indexes = [models.Index(fields=["endpoint_print"], name="phones_by_address")]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.endpoint_print[:8]}"


class PushMessage(models.Model):
    """What a phone is told last of a topic: what is newer takes its place, whether it was sent or not."""

    class Topic(models.TextChoices):
        SEAT = "seat"
        STANDINGS = "standings"

    class State(models.TextChoices):
        WAITING = "waiting"
        SENDING = "sending"
        SENT = "sent"
        GIVEN_UP = "given up"

    UNDER_WAY: ClassVar = (State.WAITING, State.SENDING)

    subscription = models.ForeignKey(PushSubscription, on_delete=models.CASCADE, related_name="messages")
    topic = models.CharField(max_length=10, choices=Topic.choices)
    # Codes and numbers, said when it is sent: see `tournaments.changes.push_messages`.
    facts = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    next_try = models.DateTimeField()
    # After which it would come too late.
    until = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["subscription", "topic"], name="one_message_a_topic"),
        ]
        indexes = [
            models.Index(fields=["next_try"], condition=models.Q(state="waiting"), name="pushes_due"),
            models.Index(fields=["taken_at"], condition=models.Q(state="sending"), name="pushes_being_sent"),
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.pk}"


class PushTally(models.Model):
    """How many messages to phones have ended in a way, ever: messages themselves go with their evening."""

    class Outcome(models.TextChoices):
        SENT = "sent"
        REFUSED = "refused"
        TOO_LATE = "too late"
        GONE = "gone"

    IN_VAIN: ClassVar = (Outcome.REFUSED, Outcome.TOO_LATE)

    outcome = models.CharField(max_length=10, choices=Outcome.choices, unique=True)
    number = models.PositiveBigIntegerField(default=0)
    last_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.outcome}: {self.number}"
