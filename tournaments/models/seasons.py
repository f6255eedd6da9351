"""A season: a club's evenings counted together, and what is given for them."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from core.recorded_rows import RecordedQuerySet
from tournaments.models.removable import Removable

MOST_EVENINGS = 100


def usual_points() -> list[int]:
    """Points for the first ten places, where nothing else is said."""
    return [15, 12, 10, 8, 6, 5, 4, 3, 2, 1]


def check_points(value: object) -> None:
    """Raise ValidationError unless these are points by place, the first place's first."""
    good = isinstance(value, list) and all(type(points) is int and 0 <= points <= 1000 for points in value)  # noqa: PLR2004
    if not good:
        raise ValidationError(_("The points are written in a way that is not known."))


class Season(Removable):
    """Evenings (tournaments) of a club whose results are put together to a ladder, by a rule of the club's own."""

    class Rule(models.TextChoices):
        TOKENS = "tokens", _("sum of tokens")
        AVERAGE = "average", _("average per played deal")
        PLACES = "places", _("points for places")

    host = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="seasons", verbose_name=_("host"))
    name = models.CharField(_("name"), max_length=120)
    starts = models.DateField(_("first day"))
    ends = models.DateField(_("last day"))
    rule = models.CharField(_("what counts"), max_length=10, choices=Rule.choices, default=Rule.TOKENS)
    # How many of a player's evenings count, the best of them; 0: all.
    best_of = models.PositiveSmallIntegerField(
        _("evenings that count"), default=0, validators=[MaxValueValidator(MOST_EVENINGS)]
    )
    # Whoever has played less stands below the ladder, without a place.
    least_evenings = models.PositiveSmallIntegerField(
        _("evenings at least"), default=0, validators=[MaxValueValidator(MOST_EVENINGS)]
    )
    least_deals = models.PositiveIntegerField(
        _("deals at least"), default=0, validators=[MaxValueValidator(100_000)]
    )
    # By place, the first place's first; further places get 0.
    place_points = models.JSONField(
        _("points by place"), default=usual_points, blank=True, validators=[check_points]
    )
    with_guests = models.BooleanField(_("guests are in the ladder"), default=False)
    # Whether an evening counts from which the player went home early.
    counts_withdrawn = models.BooleanField(_("an evening left early counts"), default=True)
    # Whether equal sums are told apart by the best evenings, one after the other.
    breaks_ties = models.BooleanField(_("equal sums are told apart by the best evenings"), default=True)
    # Goes up with every change, as a tournament's does.
    version = models.PositiveBigIntegerField(default=1)

    class Meta:
        ordering = ["-starts", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["host", "name"], condition=models.Q(removed_at=None), name="one_season_a_name"
            ),
            models.CheckConstraint(
                condition=models.Q(ends__gte=models.F("starts")), name="a_season_ends_after_it_starts"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("hall_season", args=[self.pk])


class Award(models.Model):
    """A title that a season gave somebody: "Klubmester", "Jokum"."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="awards")
    title = models.CharField(_("title"), max_length=80)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="awards")
    # Why, in a few words.
    words = models.CharField(_("words"), max_length=200, blank=True)
    number = models.PositiveSmallIntegerField(default=1, validators=[MinValueValidator(1)])

    objects = RecordedQuerySet["Award"].as_manager()

    class Meta:
        ordering = ["number", "pk"]

    def __str__(self) -> str:
        return f"{self.title}: {self.player}"
