"""Those who play together: pairs and teams of four, and whom they meet."""

from __future__ import annotations

from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from core.recorded_rows import RecordedQuerySet
from tournaments.models.events import Tournament
from tournaments.models.seating import make_secret


class Team(models.Model):
    """A pair, or a team of four with its reserves; its members are entries. Withdrawing is a state."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="teams")
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=80)
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, null=True, blank=True, related_name="teams", verbose_name=_("club")
    )
    # Pairs or teams meet within their group (pairs) or division (teams), 1 the first.
    division = models.PositiveSmallIntegerField(_("division"), default=1, validators=[MinValueValidator(1)])
    withdrawn = models.BooleanField(_("withdrawn"), default=False)
    # The way in for the team's captain, who says who sits where in the team's matches.
    secret = models.CharField(max_length=32, unique=True, default=make_secret)
    # What was taken along from the stage before, in hundredths of a match point and of a token.
    carried_points = models.IntegerField(default=0)
    carried_tokens = models.IntegerField(default=0)
    # In a championship: who this was in the stage before, as CODE-number; teams of earlier Spadilles do not say.
    origin = models.CharField(max_length=40, blank=True)

    objects = RecordedQuerySet["Team"].as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_team_a_number"),
            models.UniqueConstraint(fields=["tournament", "name"], name="one_team_a_name"),
            models.CheckConstraint(condition=models.Q(division__gte=1), name="divisions_count_from_one"),
        ]

    def __str__(self) -> str:
        return self.name


class Match(models.Model):
    """Two teams that meet in a round, at one table (pairs) or two (teams of four).

    At a match's tables the home team has seats 0 and 2 (N+S), the away team 1 and 3 (E+W); at the second table of a
    match of teams it is the other way round. Without an away team the home team has a bye.
    """

    round = models.ForeignKey("tournaments.Round", on_delete=models.PROTECT, related_name="matches")
    number = models.PositiveSmallIntegerField(_("number"))
    home = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="home_matches")
    away = models.ForeignKey(
        Team, on_delete=models.PROTECT, null=True, blank=True, related_name="away_matches"
    )
    # The day a match is played that is not played with its round.
    postponed_to = models.DateField(_("postponed to"), null=True, blank=True)
    # When a postponed match was played to its end; until then its tables are open, its round closed or not.
    ended_at = models.DateTimeField(null=True, blank=True)
    # A match that is decided by a ruling and not by play: the match points as ruled, and why.
    awarded_home = models.PositiveSmallIntegerField(null=True, blank=True)
    awarded_away = models.PositiveSmallIntegerField(null=True, blank=True)
    awarded_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "matches"
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="one_match_a_number"),
            models.UniqueConstraint(fields=["round", "home"], name="one_home_match_a_round"),
            models.UniqueConstraint(fields=["round", "away"], name="one_away_match_a_round"),
            models.CheckConstraint(
                condition=models.Q(away__isnull=True) | ~models.Q(home=models.F("away")),
                name="nobody_meets_themselves",
            ),
        ]

    def __str__(self) -> str:
        away = self.away or _("bye")
        return f"{self.home} – {away}"

    @property
    def is_bye(self) -> bool:
        return self.away_id is None

    @property
    def is_postponed(self) -> bool:
        """Whether it is still to be played, on a day of its own."""
        return self.postponed_to is not None and self.ended_at is None and not self.is_awarded

    @property
    def is_awarded(self) -> bool:
        return self.awarded_home is not None
