"""Qualification for a stage of a championship: its quotas, and the desk's records of players."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from core.recorded_rows import RecordedQuerySet
from tournaments.models.events import Season, Stage, Tournament
from tournaments.models.points import PublishedList

MOST_QUOTAS, MOST_QUALIFIERS = 8, 200


class Quota(models.Model):
    """So many places in a stage for the best of a source; a stage's quotas are filled in the order of their numbers."""

    class Source(models.TextChoices):
        SEASON = "season", _("the ladder of a season")
        TOURNAMENT = "tournament", _("the standings of a tournament")
        LIST = "list", _("a published points list")
        HAND = "hand", _("chosen by hand")

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="quotas")
    number = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    source = models.CharField(max_length=12, choices=Source.choices)
    season = models.ForeignKey(Season, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    published = models.ForeignKey(
        PublishedList, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    places = models.PositiveSmallIntegerField(
        validators=[MinValueValidator(1), MaxValueValidator(MOST_QUALIFIERS)]
    )
    # Whether each club has so many places of its own.
    each_club = models.BooleanField(default=False)

    objects = RecordedQuerySet["Quota"].as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="one_quota_a_number"),
            models.CheckConstraint(
                condition=models.Q(source="season", season__isnull=False, tournament=None, published=None)
                | models.Q(source="tournament", season=None, tournament__isnull=False, published=None)
                | models.Q(source="list", season=None, tournament=None, published__isnull=False)
                | models.Q(source="hand", season=None, tournament=None, published=None),
                name="a_quota_has_its_source",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage}: {self.number}"


class QualifierQuestion(models.Model):
    """A letter that asks a qualified player whether they take part, with the last day of an answer by its link.

    The answer is in `Qualifier`.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="questions")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    until = models.DateField()
    asked_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "player"], name="one_question_a_player_and_stage")
        ]

    def __str__(self) -> str:
        return f"{self.stage}: {self.player}"


class Qualifier(models.Model):
    """The desk's record of a player for a stage: chosen by hand, an answer, or put first among equals."""

    class Answer(models.TextChoices):
        NONE = "", _("no answer yet")
        YES = "yes", _("takes part")
        NO = "no", _("does not take part")

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="qualifiers")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="qualified")
    # The place, from 1, among those chosen by hand.
    by_hand = models.PositiveSmallIntegerField(null=True, blank=True)
    answer = models.CharField(max_length=3, choices=Answer.choices, blank=True, default=Answer.NONE)
    # Goes before those who have the same place in the same source.
    is_first = models.BooleanField(default=False)
    said_by = models.CharField(max_length=150)
    said_at = models.DateTimeField()

    objects = RecordedQuerySet["Qualifier"].as_manager()

    class Meta:
        ordering = ["by_hand", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "player"], name="one_qualifier_a_player_and_stage")
        ]

    def __str__(self) -> str:
        return f"{self.stage}: {self.player}"
