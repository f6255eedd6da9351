"""What a tournament's projector shows, as it is stored."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _

from tournaments.values.wall import Wall, read_wall


def check_wall(value: object) -> None:
    """Raise ValidationError unless this is a choice of slides."""
    try:
        read_wall(value)
    except (TypeError, ValueError):
        raise ValidationError(_("What the projector shows is written in a way that is not known.")) from None


class HasWall(models.Model):
    """{} where nobody has chosen."""

    projector = models.JSONField(default=dict, blank=True, validators=[check_wall])

    class Meta:
        abstract = True

    @property
    def wall(self) -> Wall:
        return read_wall(self.projector)
