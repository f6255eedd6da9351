"""What other programs may do for a club: keys that it gave them, addresses that are told, and what waits to be told.

A key is stored as its SHA-256 alone: it is 256 bits from the system's generator, which nobody guesses, so nothing
slower is needed. The secret of an address that is told is needed to sign each message, and is kept as it is, as
captains' links are: whoever reads the database reads all that it could open.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.former_texts import translate_stored


class Scope(models.TextChoices):
    """What a key is good for; what the hall shows needs none."""

    READ = "read", _("read the club’s members and its tournaments’ desk")
    MONEY = "money", _("read its tournaments' money")
    ENTRIES = "entries", _("enter players")
    CHECK_IN = "check-in", _("check players in")
    REPORTS = "reports", _("report deals")


class Event(models.TextChoices):
    """What an address can be told of."""

    DRAW = "draw", _("seats are drawn")
    ROUND_CLOSED = "round.closed", _("a round is closed")
    FINISHED = "tournament.finished", _("a tournament is finished")
    REOPENED = "tournament.reopened", _("a finished tournament is reopened")


class ProgramKey(models.Model):
    """A key by which a program acts for a club. In logs it stands by its name, as an account does."""

    club = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, related_name="keys")
    name = models.CharField(_("name"), max_length=80)
    digest = models.CharField(max_length=64, unique=True)
    # Its first letters, so that one tells it from others.
    begins = models.CharField(max_length=12)
    scopes = models.JSONField(default=list)
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()
    # To the minute.
    used_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["ended_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def scopes_said(self) -> list[str]:
        return [str(label) for code, label in Scope.choices if code in self.scopes]


class ProgramAnswer(models.Model):
    """What a key's request was answered, for a day: sent again under the same name it is answered so again."""

    key = models.ForeignKey(ProgramKey, on_delete=models.CASCADE, related_name="answers")
    name = models.UUIDField()
    asked = models.CharField(max_length=64)
    answer = models.JSONField()
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key", "name"], name="one_answer_a_name")]

    def __str__(self) -> str:
        return f"{self.key}: {self.name}"


class Webhook(models.Model):
    """An address of somebody else's that is told of a club's evenings."""

    club = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, related_name="webhooks")
    url = models.URLField(_("address"), max_length=300)
    secret = models.CharField(max_length=100)
    events = models.JSONField(default=list)
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["club", "url"], name="an_address_is_told_once")]

    def __str__(self) -> str:
        return self.url

    @property
    def events_said(self) -> list[str]:
        return [str(label) for code, label in Event.choices if code in self.events]


class Message(models.Model):
    """What an address is told: stored with what it tells of, sent beside the pages until it is taken, or given up."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENDING = "sending", _("is being sent")
        SENT = "sent", _("sent")
        GIVEN_UP = "given up", _("given up")

    UNDER_WAY: ClassVar = (State.WAITING, State.SENDING)

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="messages")
    event = models.CharField(max_length=30)
    # As it is sent, letter by letter: what is signed.
    body = models.TextField()
    made_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    next_try = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    # What came of the last try: a status, or an English sentence, translated when shown.
    came_to = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["next_try"], condition=models.Q(state="waiting"), name="messages_due"),
            models.Index(
                fields=["taken_at"], condition=models.Q(state="sending"), name="messages_being_sent"
            ),
            models.Index(fields=["webhook", "-id"], name="messages_of_an_address"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.pk}"

    @property
    def came_to_words(self) -> str:
        return translate_stored(self.came_to) if self.came_to else ""
