"""Records of a club apart from its tournaments: old results and its own rules."""

from __future__ import annotations

from fractions import Fraction

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from core.recorded_rows import RecordedQuerySet
from tournaments.models.base import Removable

# Final standings of years before the program, entered by hand or imported.

FIRST_YEAR, LAST_YEAR = 1800, 2100


class OldEvent(Removable):
    """An evening, or a season or championship, that was played before there was a program to report it."""

    class Kind(models.TextChoices):
        TITLE = "title", _("a season or a championship")
        EVENING = "evening", _("an evening")

    host = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="old_events")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    name = models.CharField(max_length=120)
    year = models.SmallIntegerField()
    # The day, where it is known.
    date = models.DateField(null=True, blank=True)
    entered_at = models.DateTimeField()
    entered_by = models.CharField(max_length=150)

    class Meta:
        ordering = ["-year", "-date", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(year__gte=FIRST_YEAR, year__lte=LAST_YEAR), name="an_old_event_has_a_year"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.year}"


class OldPlace(models.Model):
    """A place at an old event, of a known player or of a name alone; `tokens` where known."""

    event = models.ForeignKey(OldEvent, on_delete=models.CASCADE, related_name="places")
    place = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=200)
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, blank=True, related_name="old_places"
    )
    # Books have halves.
    tokens = models.DecimalField(max_digits=9, decimal_places=2, null=True, blank=True)

    objects = RecordedQuerySet["OldPlace"].as_manager()

    class Meta:
        ordering = ["place", "pk"]

    def __str__(self) -> str:
        return f"{self.place}. {self.name}"

    @property
    def amount(self) -> int | Fraction | None:
        """The tokens, as int if they are a whole number."""
        if self.tokens is None:
            return None
        return int(self.tokens) if self.tokens == int(self.tokens) else Fraction(self.tokens)


# A club's own rules: a rulebook with its options and prices as the club plays them, under a name.


class ClubRules(models.Model):
    """A named set. A tournament that begins with it takes a copy: what happens here later does not reach it."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="own_rules")
    name = models.CharField(_("name"), max_length=80)
    rulebook = models.CharField(_("rulebook"), max_length=20)
    # The value of every option and price that the rulebook had when this was stored.
    options = models.JSONField(_("options"), default=dict, blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "pk"]
        verbose_name_plural = "club rules"
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="one_set_of_rules_a_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def choice(self) -> str:
        """Its value in a choice field of rulebooks, whose ids have no dash."""
        return f"own-{self.pk}"


# What the next organiser needs to know, typed by the one who hands over.


# A note of this length, on at most so many lines, is shorter than a page.
MOST_NOTE, MOST_NOTE_LINES = 400, 8
NOTES = ("keys", "things", "backup", "more")


class HandOver(models.Model):
    """Notes of a club for its next organiser: who has which key, where things and the backup are."""

    club = models.OneToOneField(Club, on_delete=models.PROTECT, related_name="hand_over")
    keys = models.TextField(_("who has which key"), max_length=MOST_NOTE, blank=True)
    things = models.TextField(_("where cards, chips and the cash box are"), max_length=MOST_NOTE, blank=True)
    backup = models.TextField(_("where the backup is"), max_length=MOST_NOTE, blank=True)
    more = models.TextField(_("what else the next organiser must know"), max_length=MOST_NOTE, blank=True)
    changed_by = models.CharField(max_length=150)
    changed_at = models.DateTimeField()

    objects = RecordedQuerySet["HandOver"].as_manager()

    def __str__(self) -> str:
        return str(self.club)
