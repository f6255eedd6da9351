"""Registration from home: applications and their states."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club, Player
from tournaments.models.base import FromHome, read_from_home

if TYPE_CHECKING:
    from datetime import date


def check_from_home(value: object) -> None:
    """Raise ValidationError unless this is what a desk can have chosen."""
    try:
        read_from_home(value)
    except (TypeError, ValueError):
        raise ValidationError(_("The settings for entry from home are in an unknown format.")) from None


class OpensFromHome(models.Model):
    """{} for the defaults: only the desk enters players."""

    entering = models.JSONField(default=dict, blank=True, validators=[check_from_home])

    # A tournament's.
    date: date | models.DateField[date, date]

    class Meta:
        abstract = True

    @property
    def from_home(self) -> FromHome:
        return read_from_home(self.entering)

    @property
    def entering_opens(self) -> datetime | None:
        """None where it has been open since it was allowed."""
        opens = self.from_home.opens(self.date)
        return timezone.make_aware(opens) if opens else None

    @property
    def entering_closes(self) -> datetime:
        return timezone.make_aware(self.from_home.closes(self.date))


class Application(models.Model):
    """A request for a place, by a player or by the partner who wants to play with them.

    `typed` holds the applicant's own data; `player` is the known player, None for an unknown one, and for a guest
    (`name`) until a place is given. `turn` orders the queue; it is assigned when all partners have agreed.
    """

    class State(models.TextChoices):
        ASKED = "asked", gettext_lazy("has not answered the email yet")
        PENDING = "pending", gettext_lazy("waiting for approval")
        WAITING = "waiting", gettext_lazy("on the waiting list")
        ENTERED = "entered", gettext_lazy("entered")
        WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")
        DECLINED = "declined", gettext_lazy("declined")

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.PROTECT, related_name="applications"
    )
    number = models.PositiveIntegerField()
    typed = models.CharField(max_length=254)
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, blank=True, related_name="applications"
    )
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, null=True, blank=True, related_name="applications"
    )
    name = models.CharField(max_length=200, blank=True)
    email = models.EmailField(blank=True)
    language = models.CharField(max_length=10, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.ASKED)
    # When they confirmed by their own link or code, or the organiser did so for them.
    yes_at = models.DateTimeField(null=True, blank=True)
    # When the organiser approved it, if approval is required.
    let_in_at = models.DateTimeField(null=True, blank=True)
    # The application of the partner who applied for both; None for that one itself.
    lead = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="partners")
    team_name = models.CharField(max_length=80, blank=True)
    turn = models.PositiveIntegerField(null=True, blank=True)
    entry = models.ForeignKey(
        "tournaments.Entry", on_delete=models.PROTECT, null=True, blank=True, related_name="applications"
    )
    # Of the link: what it is made of together with the program's key, and its hash, by which it is found.
    salt = models.CharField(max_length=32)
    key_hash = models.CharField(max_length=64, unique=True)
    # Whether the link reached its addressee alone, by mail or from the organiser: then opening it is a confirmation.
    # Where no mail is sent, anyone who typed the number has one.
    link_proves = models.BooleanField(default=True)
    asked_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    sent_count = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_application_a_number"),
            models.UniqueConstraint(
                fields=["tournament", "player"],
                condition=Q(yes_at__isnull=False, state__in=["pending", "waiting", "entered"]),
                name="one_application_a_player",
            ),
        ]
        indexes = [models.Index(fields=["tournament", "state", "turn"], name="applications_in_turn")]

    def __str__(self) -> str:
        return self.player.name if self.player else self.name or self.typed

    @property
    def is_known(self) -> bool:
        """Whether it is known who they are: a player, or a guest with a name."""
        return self.player_id is not None or bool(self.name)

    @property
    def is_live(self) -> bool:
        return self.state not in {self.State.WITHDRAWN, self.State.DECLINED}

    @property
    def shown_name(self) -> str:
        """The name as the club shows it; as typed until the identity is confirmed."""
        if self.entry:
            return self.entry.shown_name
        if self.yes_at is None or not self.is_known:
            return self.typed
        if self.player is None:
            return self.name
        club = self.club or self.tournament.host
        return self.player.name_in_style(club.name_style, self.number_in_club)

    @property
    def number_in_club(self) -> int | None:
        """Their member's number, by which a club may call them."""
        if self.player is None or self.club is None:
            return None
        held = self.player.memberships.filter(club=self.club, left=None)
        return held.values_list("number", flat=True).first()
