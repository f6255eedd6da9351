"""Objections: a match, a deal, the standings or a line-up is disputed, and the desk decides."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from core.errors import REASON_LENGTH
from tournaments.models.events import Tournament
from tournaments.models.play import Entry, Team

LONGEST_WORDS = 500


class Objection(models.Model):
    """An objection by a team, a player or a club. While one is open, the standings do not become final.

    What it is about is named by numbers: rounds and tables may be drawn again.
    """

    class About(models.TextChoices):
        MATCH = "match", _("a match")
        DEAL = "deal", _("a deal")
        STANDINGS = "standings", _("the standings")
        LINE_UP = "line_up", _("a line-up")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        UPHELD = "upheld", _("upheld")
        REJECTED = "rejected", _("rejected")
        WITHDRAWN = "withdrawn", _("withdrawn")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="objections")
    number = models.PositiveSmallIntegerField(_("number"))
    # Who objects: one of these.
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, blank=True, related_name="objections")
    entry = models.ForeignKey(
        Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="objections"
    )
    club = models.ForeignKey(Club, on_delete=models.PROTECT, null=True, blank=True, related_name="objections")
    about = models.CharField(max_length=10, choices=About.choices)
    round_number = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(60)]
    )
    table_number = models.PositiveSmallIntegerField(null=True, blank=True, validators=[MinValueValidator(1)])
    deal_number = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(80)]
    )
    words = models.CharField(max_length=LONGEST_WORDS)
    # The account of the desk that wrote it down; empty where a team did so by its link.
    made_by = models.CharField(max_length=150, blank=True)
    made_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    answer = models.CharField(max_length=REASON_LENGTH, blank=True)
    decided_by = models.CharField(max_length=150, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_objection_a_number"),
            models.CheckConstraint(
                condition=models.Q(team__isnull=False, entry=None, club=None)
                | models.Q(team=None, entry__isnull=False, club=None)
                | models.Q(team=None, entry=None, club__isnull=False),
                name="an_objection_is_by_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.who}"

    @property
    def who(self) -> Team | Entry | Club | None:
        """The one who objects; never None in a stored row."""
        return self.team or self.entry or self.club

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def subject(self) -> str:
        """The subject as text, in the reader's language: “a deal, round 2, table 3, deal 14”."""
        parts = [str(self.get_about_display())]
        numbers = (
            (_("round %(number)d"), self.round_number),
            (_("table %(number)d"), self.table_number),
            (_("deal %(number)d"), self.deal_number),
        )
        parts += [str(text) % {"number": number} for text, number in numbers if number is not None]
        return ", ".join(parts)
