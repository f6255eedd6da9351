"""A championship: groups, a semifinal, a final, each of them one or more tournaments."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from core.recorded_rows import RecordedQuerySet
from tournaments.models.removable import Removable

MOST_STAGES, MOST_GROUPS = 6, 26


class Championship(Removable):
    """Stages, one after the other; who goes on from one plays in the next."""

    host = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="championships", verbose_name=_("host")
    )
    name = models.CharField(_("name"), max_length=100)
    date = models.DateField(_("first day"))

    class Meta:
        ordering = ["-date", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["host", "name"], condition=models.Q(removed_at=None), name="one_championship_a_name"
            )
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("hall_championship", args=[self.pk])


class Stage(models.Model):
    """One stage. Its groups are tournaments; `each` and `next_best` say who goes on from them to the next stage."""

    championship = models.ForeignKey(Championship, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(
        _("number"), validators=[MinValueValidator(1), MaxValueValidator(MOST_STAGES)]
    )
    name = models.CharField(_("name"), max_length=60)
    groups = models.PositiveSmallIntegerField(
        _("groups"), default=1, validators=[MinValueValidator(1), MaxValueValidator(MOST_GROUPS)]
    )
    # A round is a session.
    sessions = models.PositiveSmallIntegerField(
        _("sessions"), default=3, validators=[MinValueValidator(1), MaxValueValidator(8)]
    )
    deals = models.PositiveSmallIntegerField(
        _("deals of a session"), default=40, validators=[MinValueValidator(4), MaxValueValidator(80)]
    )
    # The best so many of each group go on, and so many of the next best of all groups; 0 and 0 in the last stage.
    each = models.PositiveSmallIntegerField(
        _("go on from each group"), default=0, validators=[MaxValueValidator(200)]
    )
    next_best = models.PositiveSmallIntegerField(
        _("next best of all groups"), default=0, validators=[MaxValueValidator(200)]
    )
    # Per cent of a total that are taken along into this stage.
    carried = models.PositiveSmallIntegerField(
        _("taken along, per cent"), default=0, validators=[MaxValueValidator(100)]
    )

    objects = RecordedQuerySet["Stage"].as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["championship", "number"], name="one_stage_a_number")]

    def __str__(self) -> str:
        return self.name
