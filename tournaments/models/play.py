"""Entries, teams, rounds, tables, seats and payments of a tournament."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from core.recorded_rows import RecordedQuerySet
from core.text import make_code
from tournaments.models.base import Clock, HasClock
from tournaments.models.events import Tournament

if TYPE_CHECKING:
    from datetime import date, time

# Who takes part in a tournament, and under which name.


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
    # The draw separates players of one club; a guest has none.
    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, null=True, blank=True, related_name="entries", verbose_name=_("club")
    )
    # The pair or team that this player plays for; a reserve is seated by line-ups only.
    team = models.ForeignKey(
        "tournaments.Team", on_delete=models.PROTECT, null=True, blank=True, related_name="members"
    )
    reserve = models.BooleanField(_("reserve"), default=False)
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.ENTERED)
    # Whether another entry of the tournament has the same shown name; updated by `namesakes`.
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
        return self.player.name_in_style(club.name_style, self.number)

    @property
    def shown_name(self) -> str:
        """The name shown in this tournament: with the number, if there is a namesake."""
        return told_apart(self.plain_name, self.number, has_namesake=self.has_namesake)


def told_apart(name: str, number: int, *, has_namesake: bool) -> str:
    """A player's name, with the number in brackets if there is a namesake."""
    return f"{name} ({number})" if has_namesake else name


# Rounds, tables and seats.
#
# A table's seats are positions 0.. in order of play (counter-clockwise, or clockwise by some rulebooks):
# position 0 deals first, unless the table has another first dealer; at a table of four the player opposite the dealer
# sits out (rules of all rulebooks for four).


def make_secret() -> str:
    """A captain's secret: 128 bits, safe in an address."""
    return secrets.token_urlsafe(16)


def _are_numbers(value: object) -> bool:
    """Whether these are distinct whole numbers from 1."""
    if not isinstance(value, list) or not all(type(number) is int and number > 0 for number in value):
        return False
    return len(set(value)) == len(value)


def check_folders(value: object) -> None:
    """Raise ValidationError unless these are folders, numbered from 1, each once."""
    if not _are_numbers(value):
        raise ValidationError(_("The folders are in an unknown format."))


def check_entry_numbers(value: object) -> None:
    """Raise ValidationError unless these are numbers of entries, each once."""
    if not _are_numbers(value):
        raise ValidationError(_("The players without a seat are in an unknown format."))


class Round(HasClock):
    class State(models.TextChoices):
        DRAWN = "drawn", _("drawn")
        RUNNING = "running", _("running")
        CLOSED = "closed", _("closed")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("round"))
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAWN)
    # The day it is played, where a season is played on many.
    date = models.DateField(_("date"), null=True, blank=True)
    # The draw that seated this round, and whether the organiser swapped players after it.
    seed = models.PositiveBigIntegerField()
    swapped = models.BooleanField(default=False)
    # Who was here when it was drawn and got no seat, by entry number: they have a bye. Who comes later has none.
    byes = models.JSONField(default=list, blank=True, validators=[check_entry_numbers])
    # The standings that it was drawn by: entry numbers, the leader first; [] where it was drawn otherwise.
    ranking = models.JSONField(default=list, blank=True, validators=[check_entry_numbers])
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    # When its results were sent by e-mail.
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        indexes = [
            models.Index(
                fields=["closed_at"],
                condition=models.Q(state="closed", told_at=None),
                name="rounds_not_told_by_end",
            ),
            models.Index(
                fields=["date"],
                condition=models.Q(state="drawn", date__isnull=False),
                name="rounds_to_come_by_day",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_round_a_number"),
            models.UniqueConstraint(
                fields=["tournament"], condition=models.Q(state="running"), name="one_round_runs_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} {self.number}"

    @property
    def is_match_by_match(self) -> bool:
        """Whether each of its matches has a day of its own, on which it is started alone."""
        matches = self.matches.filter(away__isnull=False)
        return matches.exclude(day=None).exists() and not matches.filter(day=None).exists()

    @property
    def state_text(self) -> str:
        """Its state in words; a round whose matches are played one by one is closed only after the last of them."""
        is_between = self.is_closed and self.closed_at is None and self.is_match_by_match
        return str(_("match by match")) if is_between else str(self.get_state_display())

    @property
    def is_drawn(self) -> bool:
        return self.state == self.State.DRAWN

    @property
    def is_running(self) -> bool:
        return self.state == self.State.RUNNING

    @property
    def is_closed(self) -> bool:
        return self.state == self.State.CLOSED


class Table(models.Model):
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField(_("table"))
    # The match that is played here, where pairs or teams meet.
    match = models.ForeignKey(
        "tournaments.Match", on_delete=models.PROTECT, null=True, blank=True, related_name="tables"
    )
    deals = models.PositiveSmallIntegerField(_("deals"))
    # The folder that each deal is played with, from deal 1 on; [] where cards are dealt by hand.
    folders = models.JSONField(default=list, blank=True, validators=[check_folders])
    # Which of the four chairs is empty while three sit here, where four can: it stays empty whatever happens elsewhere.
    empty_chair = models.PositiveSmallIntegerField(null=True, blank=True)
    # Position that deals first, unless `turns` say otherwise.
    first_dealer = models.PositiveSmallIntegerField(default=0)
    # Changes of dealer and seats, in the order in which they were made: the `change` of each `SeatChange`, which has
    # author and reason. Read by `ledger.seating.seating_at`.
    turns = models.JSONField(default=list, blank=True)

    # The way in for the captain's phone: the secret in the QR code, the code for typing. New ones revoke the old.
    secret = models.CharField(max_length=32, unique=True, default=make_secret)
    code = models.CharField(max_length=8, unique=True, default=make_code)

    # The phone that enters the deals (a name it made up for itself), and when it was last heard of.
    phone = models.CharField(max_length=36, blank=True)
    phone_seen_at = models.DateTimeField(null=True, blank=True)

    # Raised by every change at this table: a phone compares it with the version that it has.
    version = models.PositiveIntegerField(default=1)
    # The newest report's hash and how many there are: a report cut off the end of the chain shows.
    last_hash = models.CharField(max_length=64, blank=True)
    reports_count = models.PositiveIntegerField(default=0)
    # Seal of the two fields above (`tournaments.changes.chain`).
    seal = models.CharField(max_length=40, blank=True)
    last_report_at = models.DateTimeField(null=True, blank=True)
    # Set when the organiser closes an incomplete or unsigned sheet.
    ended_early_at = models.DateTimeField(null=True, blank=True)
    ended_early_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="one_table_a_number"),
            models.CheckConstraint(
                condition=models.Q(first_dealer__gte=0, first_dealer__lte=4), name="first_dealer_has_a_seat"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round} / {self.number}"

    @staticmethod
    def open_ones() -> models.QuerySet[Table]:
        """Filter to tables that accept reports, as `is_open`."""
        runs = models.Q(round__state=Round.State.RUNNING)
        later = models.Q(round__state=Round.State.CLOSED, match__ended_at=None) & has_begun_alone("match__")
        return Table.objects.filter(runs | later).exclude(match__awarded_home__isnull=False)

    @property
    def is_open(self) -> bool:
        """Whether deals are reported here: its round runs, or its match is played on another day.

        Not where a ruling has decided the match.
        """
        match = self.match
        if match is not None and match.is_awarded:
            return False
        return self.round.is_running or (self.has_begun and match is not None and match.waits)

    @property
    def has_begun(self) -> bool:
        """Whether its round was started, and its match too where that is started alone."""
        awaits_start = self.match is not None and self.match.awaits_start
        return self.round.is_running or (self.round.is_closed and not awaits_start)

    @property
    def is_over(self) -> bool:
        """Whether what is reported here comes too late."""
        too_late = self.round.tournament.is_called_off or self.has_begun
        return too_late and not self.is_open

    def folder_of(self, deal: int) -> int | None:
        """The folder that a deal is played with; None where cards are dealt by hand."""
        return self.folders[deal - 1] if 1 <= deal <= len(self.folders) else None


class RevokedSecret(models.Model):
    """A revoked captain's link: opening it shows why it no longer works."""

    secret = models.CharField(max_length=32, primary_key=True)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="revoked_secrets")
    revoked_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.table}"


class Seat(models.Model):
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seats")
    # The table's round, repeated for a unique constraint: an entry has one seat in a round.
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="seats")
    position = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seats")
    tokens = models.IntegerField(default=0)
    # The player's signature under the finished sheet, and the tokens that it confirms.
    agreed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["table", "position"], name="a_seat_is_one_entrys"),
            models.UniqueConstraint(fields=["round", "entry"], name="an_entry_sits_once_a_round"),
            models.CheckConstraint(
                condition=models.Q(position__gte=0, position__lte=4), name="position_is_0_to_4"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.position}: {self.entry}"

    @property
    def letter(self) -> str:
        """The seat's letter at the table: A, B, C… in the order of the deal."""
        return chr(ord("A") + self.position)


class SeatChange(models.Model):
    """A change of dealer or seats at a table from a deal on, with its reason; append-only.

    `change` is one of these; the first two are defined in `scoring.seats`.

    {"deal": 5, "dealer": 2}        another player deals
    {"deal": 7, "swap": [0, 1]}     two players change seats
    {"deal": 9, "insert": 1}        a forgotten deal was inserted, and the later ones moved up
    {"deal": 9, "insert": -1}       a deal that was not played was removed, and the later ones moved down
    {"deal": 12, "seat": 3, "left": 8, "came": 31}   a substitute (by entry number) sits at position 3 from deal 12 on
    {"deal": 1, "seat": 3, "came": 31}  a late player sat down as the fourth
    {"deal": 1, "seat": 3, "left": 31}  and left again before a deal was reported
    {"back": 0}                     undo of the change at this index of the table's list
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seat_changes")
    # 1 for the table's first; its place in `Table.turns` is one less.
    sequence = models.PositiveSmallIntegerField()
    change = models.JSONField()
    reason = models.CharField(max_length=200, blank=True)
    # Who at the desk; empty where the captain did it.
    author = models.CharField(max_length=150, blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["table", "sequence"]
        constraints = [
            models.UniqueConstraint(fields=["table", "sequence"], name="one_seat_change_a_place"),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.change}"


class FormerSeat(models.Model):
    """The player at a position until a substitute joined, with the tokens won until then.

    The seat itself belongs to the substitute, with the tokens of the position over all deals.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="former_seats")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="former_seats")
    position = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="former_seats")
    # The last deal that counts for them; 0 where they left before the first.
    through = models.PositiveSmallIntegerField()
    tokens = models.IntegerField(default=0)

    class Meta:
        ordering = ["table", "position", "through", "pk"]

    def __str__(self) -> str:
        return f"{self.table} {self.position}: {self.entry}"


class Flag(models.Model):
    """A word from a table to the desk: the organiser is called, a deal is to be looked at, two phones differ."""

    class Kind(models.TextChoices):
        CALL = "call", _("calls the organiser")
        LATER = "later", _("deal to check later")
        # Raised by the ledger, not by a captain.
        CONFLICT = "conflict", _("another phone differs")
        RARE = "rare", _("rare, to be checked")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="flags")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    deal = models.PositiveSmallIntegerField(null=True, blank=True)
    # The text that a user typed. The program's own questions are rendered from `about`.
    words = models.CharField(max_length=200, blank=True)
    # RARE: `warnings`, with codes and params of the rules engine. CONFLICT: `result` and `outcome` from the second
    # phone. RARE, after the round is closed: `cards`, the tricks of best play with the folder.
    about = models.JSONField(default=dict, blank=True)
    # The phone's: sending a call twice is sending it once.
    key = models.UUIDField(null=True, blank=True)
    raised_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "key"], name="a_call_sent_twice_is_one"),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.kind}"


# Payments at the end of a tournament.


class Payment(models.Model):
    """A line of a tournament's payment list; the payer or payee None is the club's cash box."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="payments")
    number = models.PositiveIntegerField(_("number"))
    payer = models.ForeignKey(
        Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="payments_made"
    )
    payee = models.ForeignKey(
        Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="payments_received"
    )
    # In øre.
    amount = models.PositiveBigIntegerField(_("amount"), validators=[MinValueValidator(1)])
    # The log has who marked it as paid, and who undid that.
    paid_at = models.DateTimeField(null=True, blank=True)
    ticked_by = models.CharField(max_length=150, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_payment_a_number"),
            models.CheckConstraint(condition=models.Q(amount__gt=0), name="a_payment_is_of_something"),
            models.CheckConstraint(
                condition=models.Q(payer__isnull=False) | models.Q(payee__isnull=False),
                name="the_box_does_not_pay_itself",
            ),
            models.CheckConstraint(
                condition=models.Q(payer__isnull=True)
                | models.Q(payee__isnull=True)
                | ~models.Q(payer=models.F("payee")),
                name="nobody_pays_themselves",
            ),
        ]

    def __str__(self) -> str:
        box = _("the club’s cash box")
        return f"{self.number}: {self.payer or box} → {self.payee or box}"


# Pairs and teams of four, and their matches.


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
    # The default place of its matches at home.
    place = models.CharField(_("plays at home at"), max_length=120, blank=True)
    # Secret of the team captain's link, for line-ups of the team's matches.
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

    @property
    def is_named_by_players(self) -> bool:
        """Whether its name is its players' unless another is chosen, as a pair's is."""
        return self.tournament.format_row.named_by_players


def on_own_day(path: str = "") -> models.Q:
    """Matches that are not played with their round; `path` leads to the match, such as "match__"."""
    return models.Q(**{f"{path}postponed_to__isnull": False}) | models.Q(**{f"{path}day__isnull": False})


def has_begun_alone(path: str = "") -> models.Q:
    """Matches on a day of their own that are not to be started first."""
    put_off = models.Q(**{f"{path}postponed_to__isnull": False, f"{path}day": None})
    return put_off | models.Q(**{f"{path}day__isnull": False, f"{path}started_at__isnull": False})


class Match(models.Model):
    """Two teams that meet in a round, at one table (pairs) or two (teams of four).

    In a league played at home each match has a `day` and is started alone. A match without one is played with its
    round, or put off to another day.

    At a match's tables the home team has seats 0 and 2 (N+S), the away team 1 and 3 (E+W); at the second table of a
    match of teams it is the other way round. Without an away team the home team has a bye.
    """

    round = models.ForeignKey("tournaments.Round", on_delete=models.PROTECT, related_name="matches")
    number = models.PositiveSmallIntegerField(_("number"))
    home = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="home_matches")
    away = models.ForeignKey(
        Team, on_delete=models.PROTECT, null=True, blank=True, related_name="away_matches"
    )
    # The day that the schedule gives this match alone, where its teams play it at home.
    day = models.DateField(_("day"), null=True, blank=True)
    # The hour and the place of a match on a day of its own, where they are known.
    begins_at = models.TimeField(_("begins at"), null=True, blank=True)
    place = models.CharField(_("place"), max_length=120, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    # The day a match is played that is not played with its round, or not on its day.
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
        indexes = [
            models.Index(
                fields=["ended_at"], condition=models.Q(ended_at__isnull=False), name="matches_by_end"
            ),
        ]
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
    def own_day(self) -> date | None:
        """The day on which it is played; None where that is its round's."""
        return self.postponed_to or self.day

    @property
    def hour(self) -> time | None:
        """The hour of the match on its own day, as far as it is known: a league has a usual hour."""
        return self.begins_at or (self.round.tournament.begins_at if self.day is not None else None)

    @property
    def waits(self) -> bool:
        """Whether it is still to be played, on a day of its own."""
        return self.own_day is not None and self.ended_at is None and not self.is_awarded

    @property
    def awaits_start(self) -> bool:
        """Whether it is still to be started, alone."""
        return self.day is not None and self.started_at is None and self.waits

    @property
    def is_running(self) -> bool:
        """Whether it was started alone and has not been ended."""
        return self.started_at is not None and self.waits

    @property
    def clock(self) -> Clock | None:
        """Counts the minutes of a round from the start of a match that was started alone; else None."""
        minutes = self.round.tournament.round_minutes
        return Clock(self.started_at, minutes) if self.started_at is not None and minutes else None

    @property
    def where(self) -> str:
        """The place of a match on a day of its own: the home team's, unless another was agreed."""
        return self.place or self.home.place

    @property
    def is_awarded(self) -> bool:
        return self.awarded_home is not None
