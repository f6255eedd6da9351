"""Materialized results, which can be computed again from the reports at any time."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from clubs.models import Club, Player
from tournaments.models.events import Tournament
from tournaments.models.play import Entry

# What is worked out of results and kept: it says nothing that they do not, and is counted anew when they change.
#
# Whatever changes anything of a tournament takes back, in the same transaction, that these were counted of it
# (`changes.versions.announce`); who asks next counts again. Sums of deals alone move with each report
# (`ledger.deal_sums`).


class EveningResult(models.Model):
    """What an evening is to a player's season (`seasons.ladder.Result`), for everybody who was reported a deal.

    The total is exact: `total` by `divided_by`. `place` is 0 where a pair or team has none; it is a place among `field`
    players, or pairs or teams of the same `division` (1 the highest, and where there are none). The fields after
    `withdrawn` are what clubs keep records of (`seasons.results.Feats`).
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

    def __str__(self) -> str:
        return f"{self.entry}: {self.place}"


class KeptYear(models.Model):
    """What a year's evenings came to together, on the pages of a club or a union: see `people.club_years`.

    `part` says of which of them (a `people.span.Span` as a query), "" of all.
    """

    around = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="kept_years")
    part = models.CharField(max_length=120, blank=True)
    year = models.SmallIntegerField()
    # Of which evenings: how many, and a print of their versions. Where that is another by now, it is counted anew.
    evenings = models.PositiveIntegerField()
    versions = models.PositiveBigIntegerField()
    # Records, clubs, contracts; and, as they are many, by itself what is kept of each person.
    said = models.JSONField()
    own = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["around", "part", "year"], name="one_row_a_year")]

    def __str__(self) -> str:
        return f"{self.around} {self.year}"


class RatingState(models.Model):
    """How far the ratings of a union, or of a club without one, are counted."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="rating_state")
    # The clubs, by primary key in order, whose evenings are in them.
    hosts = models.JSONField(default=list)
    # The day from which on they are to be counted anew; None where they are counted to the end.
    anew_from = models.DateField(null=True, blank=True)
    # By which model (`seasons.rating.MODEL`): what another one counted is counted anew.
    model = models.PositiveSmallIntegerField(default=1)
    # Goes up whenever some are.
    version = models.PositiveBigIntegerField(default=1)

    def __str__(self) -> str:
        return f"{self.club}: {self.anew_from}"


class RatedEvening(models.Model):
    """An evening as it was rated: for whom, on which day, and a print of its games."""

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

    class Meta:
        indexes = [
            models.Index(fields=["player", "whole"], name="ratings_of_a_player"),
            models.Index(fields=["whole", "date"], name="ratings_by_day"),
            models.Index(fields=["whole"], condition=Q(is_newest=True), name="ratings_now"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.mu:.2f} ± {self.sigma:.2f}"


class DealSort(models.Model):
    """What deals that are counted together have in common (`ledger.deal_sums.Sort`); some thousand there ever are.

    Nothing is said of a sort that is not said of the deals themselves, so a row is never changed.
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
    """How many deals of a sort count at a tournament, and the tokens that they brought who declared them.

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
    """What feeds have told last of an evening or a season (`result ABCDEF`, `season 3`), as a print of it.

    Told otherwise, by a correction or since somebody was erased, it is news again, and of another moment.
    """

    thing = models.CharField(max_length=20, unique=True)
    print = models.CharField(max_length=64)
    changed_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.thing
