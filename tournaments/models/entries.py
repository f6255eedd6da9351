"""Who takes part in a tournament, and under which name."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from core.recorded_rows import RecordedQuerySet
from tournaments.models.events import Tournament


class EntryQuerySet(RecordedQuerySet["Entry"]):
    def playing(self) -> EntryQuerySet:
        """Entries that are to be drawn: checked in and not withdrawn."""
        return self.filter(status=Entry.Status.PRESENT)


class Entry(models.Model):
    """A player in a tournament. Withdrawing is a state, never a removal."""

    class Status(models.TextChoices):
        ENTERED = "entered", _("entered")
        PRESENT = "present", _("checked in")
        WITHDRAWN = "withdrawn", _("withdrawn")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveSmallIntegerField(_("number"))
    # Club-mates are kept apart by this; a guest plays for no club.
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, null=True, blank=True, related_name="entries", verbose_name=_("club")
    )
    # The pair or team that this player plays for; a reserve sits only where a line-up says so.
    team = models.ForeignKey(
        "tournaments.Team", on_delete=models.PROTECT, null=True, blank=True, related_name="members"
    )
    reserve = models.BooleanField(_("reserve"), default=False)
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.ENTERED)
    # Whether somebody else in the tournament is shown under the same name; kept by `namesakes`.
    has_namesake = models.BooleanField(default=False)
    fee_paid = models.BooleanField(_("fee paid"), default=False)
    # What was taken along from the stage before, in hundredths of a token.
    carried = models.IntegerField(default=0)
    entered_at = models.DateTimeField(auto_now_add=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="a_player_enters_once"),
            models.UniqueConstraint(fields=["tournament", "number"], name="one_entry_a_number"),
        ]

    def __str__(self) -> str:
        return self.player.name

    @property
    def plain_name(self) -> str:
        """The name as the player's club has agreed to show it (the host's way for guests)."""
        club = self.club or self.tournament.host
        return self.player.named(club.name_style, self.number)

    @property
    def shown_name(self) -> str:
        """The name as everybody sees it in this tournament: with the number, where somebody else is called the same."""
        return told_apart(self.plain_name, self.number, has_namesake=self.has_namesake)


def told_apart(name: str, number: int, *, has_namesake: bool) -> str:
    """A player's name, with the number in brackets where somebody else is shown under the same one."""
    return f"{name} ({number})" if has_namesake else name


class MergedPlayer(models.Model):
    """Somebody who stood in the lists twice: what has the number of the line that is no more leads to who is left."""

    # The primary key that they had there.
    number = models.PositiveBigIntegerField(primary_key=True)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="former_numbers")

    objects = RecordedQuerySet["MergedPlayer"].as_manager()

    def __str__(self) -> str:
        return f"{self.number}: {self.player}"
