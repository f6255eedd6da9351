"""Reports and what belongs to them: boards, sheet pictures, printed codes, evidence."""

from __future__ import annotations

import secrets
from pathlib import Path

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models
from django.utils.translation import gettext_lazy as _

from tournaments.models.events import Season, Tournament
from tournaments.models.play import Entry, Round, Table, Team

# What was reported. A report is never updated and never deleted: the migrations give the database a trigger
# that refuses both, and each report carries the hash of the one before it at its table.


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
    # Tokens by position; [] for a deal taken back. `parts` lists who paid whom and why.
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

        Until 2026.12 a program's reports were stored with the source of a captain. Phones have no name, so an
        author identifies a program; the rows are unchanged, since the chain covers them.
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
    """A quarantined report, too late or by a revoked link.

    Stored unchanged, for the organiser to take in or set aside.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        TAKEN = "taken", _("accepted")
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
    """Tokens or match points given or taken by a ruling (strafpoint).

    A column of its own, outside a table's zero sum.

    Match points apply to a pair or team as a whole.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="penalties")
    # The subject of the ruling: a player, or a pair or team as a whole.
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
        """The tokens, or match points, given, or (negative) taken."""
        return self.match_points or self.tokens

    @property
    def whom(self) -> Entry | Team:
        """The player, or the pair or team, that it is ruled against."""
        return self.entry or self.team  # type: ignore[return-value] # one of them, by the constraint


# What each folder of boards could have been played for: worked out by a job once its round is closed.


class FolderAnalysis(models.Model):
    """The possible contracts of each seat of a folder (`tournaments.boards.analysis`); None until computed.

    It holds for these cards, by the fingerprint of their seed, and these rules. A sealed round has none.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="folder_analyses")
    round_number = models.PositiveSmallIntegerField()
    folder = models.PositiveSmallIntegerField()
    cards = models.CharField(max_length=64)
    rules = models.CharField(max_length=64)
    found = models.JSONField(null=True)

    class Meta:
        ordering = ["round_number", "folder"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "round_number", "folder"], name="one_analysis_a_folder"
            )
        ]

    def __str__(self) -> str:
        return f"{self.tournament} {self.round_number}.{self.folder}"


class SeasonDeal(models.Model):
    """A deal of a season's booklet: chosen by the program (`tournaments.seasons.deals`), dropped or commented by hand.

    `about` has the figures of the reason, `line` the hands and cards of a line of best play; both are {} once the round
    is sealed again.
    """

    class Reason(models.TextChoices):
        SPREAD = "spread", _("the tables differ most")
        UNFOUND = "unfound", _("nobody found the contract")
        DEFENCE = "defence", _("a narrow defence")

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="deals")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="season_deals")
    round_number = models.PositiveSmallIntegerField()
    folder = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=10, choices=Reason.choices)
    about = models.JSONField(default=dict)
    line = models.JSONField(default=dict)
    is_dropped = models.BooleanField(_("left out"), default=False)
    comment = models.TextField(_("comment"), max_length=500, blank=True)

    class Meta:
        ordering = ["place", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "tournament", "round_number", "folder"], name="a_deal_once_a_season"
            )
        ]

    def __str__(self) -> str:
        return f"{self.season}: {self.tournament} {self.round_number}.{self.folder}"


# Boards (kortmapper): the cards in a round's folders, and deals played with another folder than planned.
#
# The folder of each deal is stored with its table (`Table.folders`).


def make_seed() -> str:
    """128 random bits: too many to find the seed of a fingerprint by trying."""
    return secrets.token_hex(16)


class BoardSet(models.Model):
    """The cards of a round, derived from a seed that is secret until the round is over.

    Only its fingerprint is shown.

    It belongs to the round's number and not to its draw, since folders are prepared before, and survive a new
    draw.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="board_sets_dealt")
    round_number = models.PositiveSmallIntegerField(_("round"))
    seed = models.CharField(max_length=64, default=make_seed)
    dealt_at = models.DateTimeField()

    class Meta:
        ordering = ["round_number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round_number"], name="one_set_of_boards_a_round"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} {self.round_number}"


class FolderChange(models.Model):
    """A deal was played with another folder than planned: stored permanently, with the reason."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="folder_changes")
    deal_number = models.PositiveSmallIntegerField()
    was = models.PositiveSmallIntegerField()
    now = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=200)
    source = models.CharField(max_length=10, choices=Report.Source.choices)
    author = models.CharField(max_length=150, blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.table} {self.deal_number}: {self.was} > {self.now}"


# What is attached to a table as evidence.


class Photograph(models.Model):
    """A photograph of a table's paper slip. The picture is a JPEG in the folder of photographs."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="photographs")
    # A random name, so that it cannot be guessed.
    file = models.CharField(max_length=60, unique=True)
    attached_by = models.CharField(max_length=150)
    attached_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.table}: {self.file}"

    @property
    def path(self) -> Path:
        return photographs_folder() / self.file

    @property
    def is_there(self) -> bool:
        """Whether the picture is in this data folder: an exported tournament leaves it out."""
        return self.path.is_file()


def photographs_folder() -> Path:
    """Folder of the photographs; only a view that checks permissions serves its files."""
    folder = Path(settings.MEDIA_ROOT) / "photographs"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def pieces_of(picture: Path) -> Path:
    """Folder of the line images cut from the picture of a sheet; they can be cut again."""
    return picture.with_suffix(".lines.webp")


# Sheets to be ticked, as they were printed: a photograph of one is read by this, whatever the rules say by then.


class Printed(models.Model):
    """A page. `layout` is what `reporting.reader.layout.read_layout` reads, `code` its short print."""

    page = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=8)
    layout = models.JSONField()
    printed_at = models.DateTimeField()

    class Meta:
        abstract = True
        ordering = ["pk"]


class PrintedSheet(Printed):
    """A page for a table."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="printed_sheets")

    class Meta(Printed.Meta):
        constraints = [
            models.UniqueConstraint(fields=["table", "code"], name="a_layout_is_kept_once_a_table"),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.code}"


class PrintedList(Printed):
    """A page of the list on which people are ticked at the door."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="printed_lists")

    class Meta(Printed.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tournament", "code"], name="a_list_is_kept_once_a_tournament"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.code}"


# Photographs of sheets to be ticked, sent to be read, and what was read of them.


class SheetPictureQuerySet(models.QuerySet["SheetPicture"]):
    def worth_keeping(self) -> SheetPictureQuerySet:
        """Filter out pictures that could not be read, which are deleted after days: they may show anything."""
        return self.exclude(state=SheetPicture.State.UNREADABLE)


class SheetPicture(models.Model):
    """A picture as it was uploaded, re-encoded as JPEG; once read it becomes a photograph of its table.

    `why`: the reason why it was not read, a `Reason` of the reader or a code of `reporting.scans.text`. `reading`
    is the output of `reporting.scans.stored`. `answers` are the organisers' corrections as they took the table in.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        READ = "read"
        UNREADABLE = "unreadable"
        # A sheet of another tournament, of a round that is not running, of another table than the captain's own.
        ASIDE = "aside"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="sheet_pictures")
    # The table whose sheet it is, and the one whose captain sent it; a desk's are of any.
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, related_name="sheet_pictures")
    captains = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, related_name="captains_pictures")
    photograph = models.OneToOneField(
        Photograph, on_delete=models.CASCADE, null=True, related_name="sheet_picture"
    )
    # A random name in the folder of photographs, and the original file name.
    file = models.CharField(max_length=60, unique=True)
    name = models.CharField(max_length=100, blank=True)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)
    sent_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    why = models.CharField(max_length=20, blank=True)
    # Marks that were not found, and [tournament, round, table, page, layout, version] of the sheet that it names.
    missing = models.JSONField(default=list)
    sheet = models.JSONField(default=list)
    # Whether the captain fills the boxes that are meant, rather than crosses them; None if unknown.
    fills = models.BooleanField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    reading = models.JSONField(null=True)
    taken_at = models.DateTimeField(null=True)
    taken_by = models.CharField(max_length=150, blank=True)
    answers = models.JSONField(default=dict)
    # Number of wrong lines among those read with certainty; None if unknown.
    wrong = models.PositiveSmallIntegerField(null=True)

    objects = SheetPictureQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["tournament", "state"], name="sheet_pictures_by_state")]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.file}"

    @staticmethod
    def names_to_back_up() -> set[str]:
        """The names of all pictures of paper that a backup has to have: photographs, and those that wait to be read.

        Data of an earlier version, which are backed up too, know those alone that it has a table for.
        """
        there = connection.introspection.table_names()
        kinds = (Photograph.objects.all(), SheetPicture.objects.worth_keeping())
        known = (kind for kind in kinds if kind.model._meta.db_table in there)
        return {name for kind in known for name in kind.values_list("file", flat=True)}

    @property
    def path(self) -> Path:
        return photographs_folder() / self.file

    @property
    def is_there(self) -> bool:
        return self.path.is_file()
