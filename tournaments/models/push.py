"""Push subscriptions of phones to a tournament, and the messages queued for them.

A subscription is identified by the address that its browser's push service assigned. With that address and the key
of this installation one could send messages to the phone: so it is never shown, and is deleted with the evening.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from tournaments.models.events import Tournament
from tournaments.models.play import Entry

LONGEST_ENDPOINT = 1000


class PushSubscription(models.Model):
    """A browser's subscription to one tournament, with an entry if the user has identified themselves."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="phones")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, related_name="phones")
    endpoint = models.CharField(max_length=LONGEST_ENDPOINT)
    # Its SHA-256, by which it is found.
    endpoint_print = models.CharField(max_length=64)
    # Keys for encrypting messages: the browser's public key and its shared secret (RFC 8291), in base64url.
    # Without a public key its address is gone: nothing is sent until the browser reports a new one.
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    # Our own public key, which it was made for: it takes nothing that another has signed.
    made_for = models.CharField(max_length=100)
    language = models.CharField(max_length=10)
    # When it was made or last received a message.
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
    """The last message of a topic for a phone; a newer one replaces it, sent or not."""

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
    # Codes and numbers, rendered as text when it is sent: see `tournaments.changes.push_messages`.
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
    """The number of messages to phones ever, by outcome: messages themselves are deleted with their evening."""

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
