"""Materialized results, which can be computed again from the reports at any time."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from clubs.models import Club, Player
from tournaments.models.events import Tournament
from tournaments.models.play import Entry

# Materialized results: derived from other rows, recomputed when those change.
#
# A transaction that changes a tournament marks them as outdated (`changes.versions.announce`); the next reader
# recomputes them. Sums of deals alone are updated with each report (`ledger.deal_sums`).


class EveningResult(models.Model):
    """An evening's result for a player's season (`seasons.ladder.Result`), of all players with a reported deal.

    The total is exact: `total` by `divided_by`. `place` is 0 where a pair or team has none; it is a place among `field`
    players, or pairs or teams of the same `division` (1 the highest, and where there are none). The fields after
    `withdrawn` are what clubs keep records of (`seasons.results.Feats`); `suit` is that of the card of the evening, ""
    where no deal had trumps.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="results")
    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="result")
    place = models.PositiveIntegerField()
    field = models.PositiveIntegerField(default=0)
    division = models.PositiveSmallIntegerField(default=1)
    total = models.BigIntegerField()
    divided_by = models.BigIntegerField(default=1)
    tokens = models.IntegerField()
    deals = models.PositiveIntegerField()
    withdrawn = models.BooleanField(default=False)
    games = models.PositiveSmallIntegerField(default=0)
    solos = models.PositiveSmallIntegerField(default=0)
    best_round = models.IntegerField(default=0)
    best_deal = models.IntegerField(default=0)
    best_tout = models.IntegerField(default=0)
    comeback = models.PositiveIntegerField(default=0)
    first_run = models.PositiveSmallIntegerField(default=0)
    last_run = models.PositiveSmallIntegerField(default=0)
    longest_run = models.PositiveSmallIntegerField(default=0)
    suit = models.CharField(max_length=1, default="", blank=True)

    def __str__(self) -> str:
        return f"{self.entry}: {self.place}"


class EveningPlaces(models.Model):
    """A finished tournament's players by place, as points lists read them: of thousands of tournaments at once.

    `groups` is JSON: the fields of `seasons.points.Group`, a list for each division. Written with the results, valid as
    long as these are (`Tournament.results_kept`).
    """

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="places")
    groups = models.TextField()

    def __str__(self) -> str:
        return str(self.tournament)


class KeptYear(models.Model):
    """Materialized statistics of a year, for the pages of a club or union: see `people.club_years`.

    `part` is the subset of evenings (a `people.span.Span` as a query string), "" for all.
    """

    around = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="kept_years")
    part = models.CharField(max_length=120, blank=True)
    year = models.SmallIntegerField()
    # Number of its evenings, and a fingerprint of their versions: if either differs, the row is outdated.
    evenings = models.PositiveIntegerField()
    versions = models.PositiveBigIntegerField()
    # Records, clubs, contracts; the figures of each player are in a column of their own, as they are many.
    said = models.JSONField()
    own = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["around", "part", "year"], name="one_row_a_year")]

    def __str__(self) -> str:
        return f"{self.around} {self.year}"


class RatingState(models.Model):
    """The progress of a union's ratings, or of a club's without one."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="rating_state")
    # The clubs, by primary key in order, whose evenings are in them.
    hosts = models.JSONField(default=list)
    # The first day to be recomputed; None if all is up to date.
    anew_from = models.DateField(null=True, blank=True)
    # Version of the rating model (`seasons.rating.MODEL`): rows of another one are recomputed.
    model = models.PositiveSmallIntegerField(default=1)
    # Raised by every change of the ratings that are shown.
    version = models.PositiveBigIntegerField(default=1)
    # Which of two copies of the ratings is shown, 0 or 1. A recount of many evenings, begun at `recount_since`, fills
    # the other one; rows of days before `valid_until` are still valid, and copied.
    shown_copy = models.PositiveSmallIntegerField(default=0)
    recount_since = models.DateTimeField(null=True, blank=True)
    valid_until = models.DateField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.club}: {self.anew_from}"

    @property
    def counted_copy(self) -> int:
        """The copy that new ratings are stored in."""
        return self.shown_copy if self.recount_since is None else 1 - self.shown_copy


class RatedEvening(models.Model):
    """A rated evening: its ladder, its day, and a fingerprint of its games."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="rated")
    whole = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="rated_evenings")
    date = models.DateField()
    games = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.tournament} {self.date}"


class Rating(models.Model):
    """A player's rating after an evening, as the model has it; `tables` are those sat at until then.

    Rows are made in the order in which evenings are rated, so a player's last one is the rating now.
    """

    whole = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="ratings", db_index=False)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="ratings")
    date = models.DateField()
    mu = models.FloatField()
    sigma = models.FloatField()
    tables = models.PositiveIntegerField()
    is_newest = models.BooleanField(default=False)
    # See `RatingState.shown_copy`.
    copy = models.PositiveSmallIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["player", "whole"], name="ratings_of_a_player"),
            models.Index(fields=["whole", "copy", "date"], name="ratings_by_day"),
            models.Index(fields=["whole", "copy"], condition=Q(is_newest=True), name="ratings_now"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.mu:.2f} ± {self.sigma:.2f}"


class DealSort(models.Model):
    """Key of deals that are counted together (`ledger.deal_sums.Sort`); there are some thousand at most.

    Rows are immutable: they hold nothing but the key.
    """

    # All that follows as one text.
    said = models.CharField(max_length=90, unique=True)
    contract = models.CharField(max_length=20, blank=True)
    trump = models.CharField(max_length=4, blank=True)
    seat = models.CharField(max_length=4, blank=True)
    outcome = models.CharField(max_length=20)
    tout = models.CharField(max_length=10, blank=True)
    players = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return self.said


class DealSum(models.Model):
    """The number of deals of a sort at a tournament, and their declarers' tokens.

    `year` is that of the tournament's day.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="deal_sums", db_index=False
    )
    sort = models.ForeignKey(DealSort, on_delete=models.PROTECT, related_name="+", db_index=False)
    year = models.SmallIntegerField()
    # Signed: what a correction takes away may be written before what it brings.
    deals = models.IntegerField()
    tokens = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "sort"], name="one_sum_a_sort"),
        ]
        # Each has all that is summed up, so that no row is looked up: of all evenings, and of all years.
        indexes = [
            models.Index(fields=["sort", "tournament", "deals", "tokens"], name="sums_by_sort"),
            models.Index(fields=["year", "sort", "tournament", "deals", "tokens"], name="sums_by_year"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} {self.sort}: {self.deals}"


class ToldResult(models.Model):
    """The last result of an evening or a season that feeds have published (`result ABCDEF`, `season 3`), as a
    fingerprint.

    Another fingerprint, after a correction or an erasure, makes it a new entry of the feed.
    """

    thing = models.CharField(max_length=20, unique=True)
    print = models.CharField(max_length=64)
    changed_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.thing
