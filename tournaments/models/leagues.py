"""Agreements between teams of a league about their matches."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models.events import Tournament
from tournaments.models.play import Match, Team

MOST_DAYS_PROPOSED = 3


@dataclass(frozen=True, slots=True)
class ProposedDay:
    """A day that a team proposes for a match, with the hour where it names one."""

    day: date
    begins_at: time | None = None

    def to_json(self) -> list[str]:
        return [self.day.isoformat(), self.begins_at.isoformat("minutes") if self.begins_at else ""]


def read_days(stored: object) -> list[ProposedDay]:
    """Return days as they are stored: `[["2026-11-03", "19:00"], ["2026-11-05", ""]]`. Raises ValueError otherwise."""
    if not isinstance(stored, list) or not 1 <= len(stored) <= MOST_DAYS_PROPOSED:
        raise ValueError(stored)
    days = []
    for pair in stored:
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(part) is str for part in pair)):  # noqa: PLR2004 - a day and an hour
            raise ValueError(stored)
        days.append(
            ProposedDay(date.fromisoformat(pair[0]), time.fromisoformat(pair[1]) if pair[1] else None)
        )
    return days


def check_days(value: object) -> None:
    """Raise ValidationError unless these are one to three days."""
    try:
        read_days(value)
    except ValueError:
        raise ValidationError(_("The proposed days are in an unknown format.")) from None


class FixtureWish(models.Model):
    """A team's wish for the season's plan: not at home in the week of a `day`, or when `other` is at home."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="fixture_wishes")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="fixture_wishes")
    other = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    day = models.DateField(null=True, blank=True)
    # Whether the plan must grant it if it can, before all that is only wished.
    is_hard = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "fixture wishes"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(other__isnull=True, day__isnull=False)
                | models.Q(other__isnull=False, day__isnull=True) & ~models.Q(team=models.F("other")),
                name="a_wish_is_of_a_day_or_of_another_team",
            ),
            models.UniqueConstraint(fields=["team", "day"], name="one_wish_a_team_and_day"),
            models.UniqueConstraint(fields=["team", "other"], name="one_wish_of_two_teams"),
        ]

    def __str__(self) -> str:
        return f"{self.team}: {self.other or self.day}"


class MatchConfirmation(models.Model):
    """A captain's yes to the result of a match, in tokens of home and away: any other result it does not confirm."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="confirmations")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="confirmations")
    home_tokens = models.IntegerField()
    away_tokens = models.IntegerField()
    confirmed_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["match", "team"], name="one_confirmation_a_team"),
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.team}"


class Postponement(models.Model):
    """A team's proposal to play a match on another day: one open at a time; the other team chooses or refuses."""

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("waiting for an answer")
        ACCEPTED = "accepted", gettext_lazy("accepted")
        REFUSED = "refused", gettext_lazy("refused")
        WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")
        OVERTAKEN = "overtaken", gettext_lazy("overtaken by a decision of the organiser")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="postponements")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="postponements")
    days = models.JSONField(validators=[check_days])
    place = models.CharField(max_length=120, blank=True)
    reason = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    # The day that was chosen, and the other team's reason for a refusal, if any.
    chosen = models.DateField(null=True, blank=True)
    answer = models.CharField(max_length=200, blank=True)
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=models.Q(state="open"), name="one_open_postponement_a_match"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.team}"

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def proposed(self) -> list[ProposedDay]:
        return read_days(self.days)
