"""What is stored of a round's clock: moments, from which `values.clock` counts."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext as _

from tournaments.values.clock import MOST_MINUTES, Clock, read_pauses


def check_pauses(value: object) -> None:
    """Raise ValidationError unless these are pauses, one after the other."""
    try:
        read_pauses(value)
    except ValueError:
        raise ValidationError(_("The pauses of a clock are written in a way that is not known.")) from None


class HasClock(models.Model):
    """A round that is played by the clock, or by none."""

    clock_started_at = models.DateTimeField(null=True, blank=True)
    # Those it was started for, with what was added.
    clock_minutes = models.PositiveSmallIntegerField(
        default=0, validators=[MinValueValidator(0), MaxValueValidator(MOST_MINUTES)]
    )
    # [[from, to], …] in ISO 8601; `to` is null while it is paused.
    clock_pauses = models.JSONField(default=list, blank=True, validators=[check_pauses])

    class Meta:
        abstract = True

    @property
    def clock(self) -> Clock | None:
        """None where there is no clock."""
        if self.clock_started_at is None:
            return None
        return Clock(self.clock_started_at, self.clock_minutes, read_pauses(self.clock_pauses))
