"""Records of a club apart from its tournaments: old results, own rules, fees to its union and their statements."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, MemberCount, Player
from core.recorded_rows import RecordedQuerySet
from tournaments.models.base import Removable

if TYPE_CHECKING:
    from datetime import date


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


# Øre.
MOST_FEE = 1_000_000
MOST_MEMBERS, MOST_TEAMS, MOST_VOTES, MOST_STEPS, MOST_DAYS = 5_000, 200, 1_000, 12, 365


def usual_votes() -> list[list[int]]:
    """Steps of votes for a union that has none yet: one, from 20 members two, from 40 three."""
    return [[1, 1], [20, 2], [40, 3]]


def check_votes(value: object) -> None:
    """Raise ValidationError unless these are [members, votes], both rising from step to step."""
    good = (
        isinstance(value, list)
        and len(value) <= MOST_STEPS
        and all(isinstance(step, list) and [type(part) for part in step] == [int, int] for step in value)
        and all(0 <= members <= MOST_MEMBERS and 0 <= votes <= MOST_VOTES for members, votes in value)
        and all(one[0] < two[0] and one[1] < two[1] for one, two in pairwise(value))
    )
    if not good:
        raise ValidationError(_("Members and votes must both rise from line to line."))


class UnionFees(models.Model):
    """The yearly fees of a union's clubs, in øre, and their votes."""

    union = models.OneToOneField(Club, on_delete=models.PROTECT, related_name="fees")
    per_member = models.PositiveIntegerField(default=0, validators=[MaxValueValidator(MOST_FEE)])
    # No club pays less than this for its members.
    least = models.PositiveIntegerField(default=0, validators=[MaxValueValidator(MOST_FEE)])
    per_team = models.PositiveIntegerField(default=0, validators=[MaxValueValidator(MOST_FEE)])
    # [[members, votes], …]: so many votes from so many members on.
    votes = models.JSONField(default=usual_votes, blank=True, validators=[check_votes])
    # Days until a statement is due, and where it is paid to.
    days = models.PositiveSmallIntegerField(default=30, validators=[MaxValueValidator(MOST_DAYS)])
    pay_to = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return str(self.union)


class Statement(models.Model):
    """A club's statement from its union, by a count of members. Its numbers and amounts never change."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        PAID = "paid", _("paid")

    union = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="statements_made")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="statements")
    count = models.ForeignKey(MemberCount, on_delete=models.PROTECT, related_name="statements")
    number = models.PositiveIntegerField(_("number"))
    members = models.PositiveIntegerField(_("members"))
    teams = models.PositiveIntegerField(_("teams"))
    votes = models.PositiveIntegerField(_("votes"))
    # Øre.
    per_member = models.PositiveIntegerField()
    for_members = models.PositiveBigIntegerField()
    per_team = models.PositiveIntegerField()
    for_teams = models.PositiveBigIntegerField()
    total = models.PositiveBigIntegerField()
    due = models.DateField(_("due"))
    pay_to = models.CharField(max_length=200, blank=True)
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    paid_on = models.DateField(null=True, blank=True)
    reminders = models.PositiveSmallIntegerField(default=0)
    reminded_at = models.DateTimeField(null=True, blank=True)

    objects = RecordedQuerySet["Statement"].as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["union", "number"], name="one_statement_a_number"),
            models.UniqueConstraint(fields=["count", "club"], name="one_statement_a_club_and_count"),
            models.CheckConstraint(
                condition=models.Q(total=models.F("for_members") + models.F("for_teams")),
                name="a_statement_adds_up",
            ),
            models.CheckConstraint(
                condition=models.Q(state="open", paid_on=None)
                | models.Q(state="paid", paid_on__isnull=False),
                name="a_paid_statement_has_its_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.union} {self.number}: {self.club}"

    def get_absolute_url(self) -> str:
        return reverse("club_statement", args=[self.club.slug, self.pk])

    @property
    def has_least_fee(self) -> bool:
        """Whether the club pays the least fee, which is more than its members come to."""
        return self.for_members > self.members * self.per_member

    @property
    def is_late(self) -> bool:
        today: date = timezone.localdate()
        return self.state == self.State.OPEN and self.due < today
