"""Teams that clubs enter in a union's tournament, from their own desk or by a link."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from core.errors import REASON_LENGTH
from tournaments.models.events import Tournament
from tournaments.models.play import Team, make_secret


class TeamEntry(models.Model):
    """A team that a club enters; `team` is what the union's desk has made of it. Withdrawing is a state."""

    class State(models.TextChoices):
        ENTERED = "entered", _("entered")
        CHANGED = "changed", _("changed")
        WITHDRAWN = "withdrawn", _("withdrawn")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")

    # Those that wait for the desk, and those that count.
    WAITING = (State.ENTERED, State.CHANGED)
    LIVE = (*WAITING, State.ACCEPTED)

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="team_entries")
    number = models.PositiveSmallIntegerField(_("number"))
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="team_entries", verbose_name=_("club")
    )
    # Empty where pairs are called by their players' names.
    name = models.CharField(_("name"), max_length=80, blank=True)
    place = models.CharField(_("plays at home at"), max_length=120, blank=True)
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
        CHANGED = "changed", _("the team was changed")
        WITHDRAWN = "withdrawn", _("the team was withdrawn")
        BACK = "back", _("the team was brought back")
        DISSOLVED = "dissolved", _("the team was dissolved")

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
