"""Agreements between teams of a league, teams that clubs enter, and objections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club, Player
from core.errors import REASON_LENGTH
from tournaments.models.events import Tournament
from tournaments.models.play import Entry, Match, Team, make_secret

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
        if not (
            isinstance(pair, list) and len(pair) == 2 and all(type(part) is str for part in pair)
        ):  # a day and an hour
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


LONGEST_WORDS = 500


class Objection(models.Model):
    """An objection by a team, a player or a club. While one is open, the standings do not become final.

    What it is about is named by numbers: rounds and tables may be drawn again.
    """

    class About(models.TextChoices):
        MATCH = "match", gettext_lazy("a match")
        DEAL = "deal", gettext_lazy("a deal")
        STANDINGS = "standings", gettext_lazy("the standings")
        LINE_UP = "line_up", gettext_lazy("a line-up")

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("open")
        UPHELD = "upheld", gettext_lazy("upheld")
        REJECTED = "rejected", gettext_lazy("rejected")
        WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="objections")
    number = models.PositiveSmallIntegerField(gettext_lazy("number"))
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
            (gettext_lazy("round %(number)d"), self.round_number),
            (gettext_lazy("table %(number)d"), self.table_number),
            (gettext_lazy("deal %(number)d"), self.deal_number),
        )
        parts += [str(text) % {"number": number} for text, number in numbers if number is not None]
        return ", ".join(parts)


class TeamEntry(models.Model):
    """A team that a club enters; `team` is what the union's desk has made of it. Withdrawing is a state."""

    class State(models.TextChoices):
        ENTERED = "entered", gettext_lazy("entered")
        CHANGED = "changed", gettext_lazy("changed")
        WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")
        ACCEPTED = "accepted", gettext_lazy("accepted")
        DECLINED = "declined", gettext_lazy("declined")

    # Those that wait for the desk, and those that count.
    WAITING = (State.ENTERED, State.CHANGED)
    LIVE = (*WAITING, State.ACCEPTED)

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="team_entries")
    number = models.PositiveSmallIntegerField(gettext_lazy("number"))
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="team_entries", verbose_name=gettext_lazy("club")
    )
    # Empty where pairs are called by their players' names.
    name = models.CharField(gettext_lazy("name"), max_length=80, blank=True)
    place = models.CharField(gettext_lazy("plays at home at"), max_length=120, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.ENTERED)
    team = models.OneToOneField(
        Team, on_delete=models.SET_NULL, null=True, blank=True, related_name="team_entry"
    )
    # Why the desk declined it.
    answer = models.CharField(max_length=REASON_LENGTH, blank=True)
    entered_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "team entries"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_team_entry_a_number"),
            models.UniqueConstraint(
                fields=["tournament", "name"],
                condition=models.Q(state__in=["entered", "changed", "accepted"]) & ~models.Q(name=""),
                name="one_team_entry_a_name",
            ),
        ]

    def __str__(self) -> str:
        return self.name or " / ".join(str(one.player) for one in self.players.all() if not one.is_reserve)

    @property
    def is_waiting(self) -> bool:
        return self.state in self.WAITING

    @property
    def is_live(self) -> bool:
        return self.state in self.LIVE


class TeamEntryPlayer(models.Model):
    """A player of a team's entry, by `place`: those who play first, then the reserves. One of them is captain."""

    team_entry = models.ForeignKey(TeamEntry, on_delete=models.CASCADE, related_name="players")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="team_entries")
    place = models.PositiveSmallIntegerField()
    is_reserve = models.BooleanField(default=False)
    is_captain = models.BooleanField(default=False)

    class Meta:
        ordering = ["place", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["team_entry", "player"], name="a_player_once_a_team_entry"),
            models.UniqueConstraint(
                fields=["team_entry"], condition=models.Q(is_captain=True), name="one_captain_a_team_entry"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team_entry_id}: {self.player}"


class TeamEntryRuling(models.Model):
    """A change of a team's entry by the union's desk, with its reason: after the deadline there are no others."""

    class What(models.TextChoices):
        CHANGED = "changed", gettext_lazy("the team was changed")
        WITHDRAWN = "withdrawn", gettext_lazy("the team was withdrawn")
        BACK = "back", gettext_lazy("the team was brought back")
        DISSOLVED = "dissolved", gettext_lazy("the team was dissolved")

    team_entry = models.ForeignKey(TeamEntry, on_delete=models.CASCADE, related_name="rulings")
    what = models.CharField(max_length=10, choices=What.choices)
    reason = models.CharField(max_length=REASON_LENGTH)
    ruled_by = models.CharField(max_length=150)
    ruled_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.team_entry_id}: {self.reason}"


class TeamEntryLink(models.Model):
    """The link by which a club without an account enters its teams."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="team_entry_links")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="team_entry_links")
    secret = models.CharField(max_length=32, unique=True, default=make_secret)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "club"], name="one_team_entry_link_a_club"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.club}"
