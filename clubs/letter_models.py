"""Models of e-mail: letters with their delivery state, consent, and unsubscriptions."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.former_texts import translate_stored

MOST_LETTERS_OF_ADDRESS = 254


class Topic(models.TextChoices):
    """Topics that need consent. Letters that a recipient requested, or must get, need none."""

    EVENING = "evening", _("the draw and your seat, the day before an evening")
    RESULTS = "results", _("results after an evening")
    NEWS = "news", _("news about the season")


# Letters to organisers, without consent; an organiser unsubscribes as from any topic.
OF_ORGANISERS = "asks"


def topic_text(topic: str) -> str:
    """The description of a topic; "" for none."""
    if topic == OF_ORGANISERS:
        return gettext("someone is waiting for an organiser’s approval")
    return str(Topic(topic).label) if topic in Topic.values else ""


class Letter(models.Model):
    """A letter to one address. It is rendered when it is sent: the row has codes and values only.

    Secret links are created then too, and never stored.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENDING = "sending", _("being sent")
        SENT = "sent", _("sent")
        FAILED = "failed", _("bounced")
        GIVEN_UP = "given up", _("given up")

    # The states of queued letters, and those of failed ones.
    UNDER_WAY: ClassVar = (State.WAITING, State.SENDING)
    IN_VAIN: ClassVar = (State.FAILED, State.GIVEN_UP)

    # A code of `settings.LETTER_KINDS`; what fills its words: see `core.log_messages.to_stored`.
    kind = models.CharField(max_length=20)
    to = models.CharField(max_length=MOST_LETTERS_OF_ADDRESS)
    language = models.CharField(max_length=10)
    facts = models.JSONField(default=dict)
    club = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, null=True, related_name="posted")
    player = models.ForeignKey("clubs.Player", on_delete=models.SET_NULL, null=True, related_name="posted")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="posted"
    )
    # Unique key of a letter that is queued once, such as “results 12 of 34”; empty for others.
    key = models.CharField(max_length=100, null=True, unique=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    posted_at = models.DateTimeField()
    # After which it would come too late, or is not tried any more.
    until = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    next_try = models.DateTimeField()
    # When a process claimed it; the claim of one that ended is released: see `core.delivery.outbox`.
    taken_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    # An English sentence, translated when shown; and the mail server's response.
    error = models.CharField(max_length=200, blank=True)
    answer = models.CharField(max_length=300, blank=True)
    # Thrown away by an organiser: it is shown no more, and its key stays.
    is_hidden = models.BooleanField(default=False)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["next_try"], condition=models.Q(state="waiting"), name="letters_due"),
            models.Index(fields=["taken_at"], condition=models.Q(state="sending"), name="letters_being_sent"),
            models.Index(fields=["club", "-id"], name="letters_of_a_club"),
            models.Index(
                fields=["club"],
                condition=models.Q(state__in=["failed", "given up"], is_hidden=False),
                name="letters_in_vain",
            ),
            models.Index(fields=["state"], name="letters_by_state"),
            models.Index(fields=["posted_at"], name="letters_by_age"),
            models.Index(fields=["to"], name="letters_to_an_address"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def error_words(self) -> str:
        return translate_stored(self.error) if self.error else ""

    @property
    def is_under_way(self) -> bool:
        return self.state in self.UNDER_WAY

    @property
    def is_in_vain(self) -> bool:
        return self.state in self.IN_VAIN


class News(models.Model):
    """News as an organiser typed them: for members who consent, or for everybody who follows the club's feed."""

    club = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, related_name="news")
    subject = models.CharField(max_length=120)
    text = models.TextField(max_length=10_000)
    written_by = models.CharField(max_length=150)
    written_at = models.DateTimeField()
    # To how many it was posted.
    posted = models.PositiveIntegerField(default=0)
    # Whether everybody may read it, in the club's feed.
    is_public = models.BooleanField(default=False)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "news"

    def __str__(self) -> str:
        return self.subject


class Agreement(models.Model):
    """Consent to a topic, for whatever address the player has."""

    player = models.ForeignKey("clubs.Player", on_delete=models.CASCADE, related_name="agreements")
    topic = models.CharField(max_length=10, choices=Topic.choices)
    agreed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "topic"], name="one_agreement_a_topic"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_topic_display()}"


class Stop(models.Model):
    """An unsubscription of an address from a topic, or (“”) from all; only the reader of its mail can undo it.

    Only a digest of the address is stored, so that an erased person is not written to again when an old list is
    imported.
    """

    address_print = models.CharField(max_length=32)
    topic = models.CharField(max_length=10, blank=True)
    stopped_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["address_print", "topic"], name="one_stop_a_topic"),
        ]

    def __str__(self) -> str:
        return f"{self.address_print[:8]}: {self.topic or 'all'}"
