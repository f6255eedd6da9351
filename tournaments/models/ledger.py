"""What was reported. A report is never updated and never deleted: the migrations give the database a trigger
that refuses both, and each report carries the hash of the one before it at its table."""

from __future__ import annotations

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.entries import Entry
from tournaments.models.events import Tournament
from tournaments.models.seating import Round, Table
from tournaments.models.teams import Team


class Report(models.Model):
    """One version of a deal's result, as reported, with the settlement it gave."""

    class Source(models.TextChoices):
        CAPTAIN = "captain", _("captain")
        DESK = "desk", _("desk")
        PROGRAM = "program", _("program")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="reports")
    sequence = models.PositiveIntegerField()
    deal_number = models.PositiveSmallIntegerField()
    # 1 for the first report of a deal; every correction is the next.
    revision = models.PositiveSmallIntegerField()
    key = models.UUIDField()

    # NULL takes the deal back: it counts as not reported.
    result = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder)
    dealer = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=20, blank=True)
    contract = models.CharField(max_length=20, blank=True)
    declarer = models.PositiveSmallIntegerField(null=True, blank=True)
    # Tokens by position; [] for a deal taken back. `parts` says who paid whom and why.
    tokens = models.JSONField(blank=True)
    parts = models.JSONField(blank=True)

    source = models.CharField(max_length=10, choices=Source.choices)
    # Who at the desk, or which program; the name is part of the chain. The account may be unknown where a
    # tournament was imported.
    author = models.CharField(max_length=150, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    # When it was entered by the phone's clock, and when it was stored by ours.
    made_at = models.DateTimeField(null=True, blank=True)
    recorded_at = models.DateTimeField()

    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["table", "sequence"]
        constraints = [
            models.UniqueConstraint(fields=["table", "key"], name="sending_twice_is_sending_once"),
            models.UniqueConstraint(fields=["table", "sequence"], name="one_report_a_place_in_the_chain"),
            models.UniqueConstraint(
                fields=["table", "deal_number", "revision"], name="one_report_a_revision"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.deal_number}.{self.revision}"

    @property
    def reported_by(self) -> Source:
        """The source: a captain's phone, the desk or a program.

        Until 2026.12 a program's reports were stored as a captain's. Phones have no name, so an author tells them
        apart; the rows stay as they are, for the chain holds them.
        """
        by_program = self.source == self.Source.CAPTAIN and self.author
        return self.Source.PROGRAM if by_program else self.Source(self.source)


class Deal(models.Model):
    """A deal that has been reported at a table, and the report that counts."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="dealt")
    number = models.PositiveSmallIntegerField()
    current = models.OneToOneField(Report, on_delete=models.PROTECT, related_name="current_of")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_deal_a_number"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="deals_count_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"


class KeptReport(models.Model):
    """A report that came too late or by a dead link: kept as it came, for the organiser to take in or set aside."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        TAKEN = "taken", _("taken in")
        SET_ASIDE = "set_aside", _("set aside")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="kept_reports")
    key = models.UUIDField()
    item = models.JSONField()
    why = models.CharField(max_length=20)
    received_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "key"], name="kept_once"),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.key}"


class Penalty(models.Model):
    """Tokens or match points given or taken by a ruling (strafpoint): its own column, outside a table's zero sum.

    Match points are those of a pair or team as a whole.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="penalties")
    # Whom it is ruled against: a player, or a pair or team as a whole.
    entry = models.ForeignKey(
        Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="penalties"
    )
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, blank=True, related_name="penalties")
    round = models.ForeignKey(
        Round, on_delete=models.PROTECT, null=True, blank=True, related_name="penalties"
    )
    tokens = models.IntegerField(_("tokens"))
    match_points = models.IntegerField(_("match points"), default=0)
    reason = models.CharField(_("reason"), max_length=200)
    ruled_by = models.CharField(max_length=150)
    ruled_at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True, blank=True)
    cancelled_by = models.CharField(max_length=150, blank=True)
    cancel_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "penalties"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(entry__isnull=False, team__isnull=True)
                | models.Q(entry__isnull=True, team__isnull=False),
                name="a_penalty_is_a_players_or_a_teams",
            ),
            models.CheckConstraint(
                condition=models.Q(match_points=0) | models.Q(tokens=0, team__isnull=False),
                name="match_points_are_ruled_to_a_team",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.whom}: {self.amount:+d}"

    @property
    def amount(self) -> int:
        """How many tokens, or match points, are given, or taken where it is negative."""
        return self.match_points or self.tokens

    @property
    def whom(self) -> Entry | Team:
        """The player, or the pair or team, that it is ruled against."""
        return self.entry or self.team  # type: ignore[return-value] # one of them, by the constraint
