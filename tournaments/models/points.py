"""The points list of a union: its rule, and the published lists, which never change."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from core.recorded_rows import RecordedQuerySet
from core.sql import key_set
from tournaments.domain.comparison import read_factor
from tournaments.models.events import MOST_EVENINGS, check_points
from tournaments.models.people import MergedPlayer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

M = TypeVar("M", bound=models.Model)

MOST_STEPS, MOST_MONTHS, MOST_FIELD = 6, 120, 1000


def usual_steps() -> list[list[Any]]:
    """The default decay of three years: in full, two thirds, one third."""
    return [[12, "1"], [24, "2/3"], [36, "1/3"]]


def check_steps(value: object) -> None:
    """Raise ValidationError unless these are [months, share] whose months rise and whose shares do not."""
    if not _are_steps(value):
        raise ValidationError(_("The months are in an unknown format."))


def _are_steps(value: object) -> bool:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_STEPS:
        return False
    if any(not isinstance(step, list) or [type(part) for part in step] != [int, str] for step in value):
        return False
    try:
        shares = [read_factor(share) for _months, share in value]
    except ValueError:
        return False
    months = [months for months, _share in value]
    rises = all(before < after for before, after in zip([0, *months], months, strict=False))
    return rises and months[-1] <= MOST_MONTHS and shares == sorted(shares, reverse=True)


def check_weights(value: object) -> None:
    """Raise ValidationError unless these are factors by kind of tournament."""
    good = isinstance(value, dict) and value.keys() <= set(PointsTable.Kind.values)
    try:
        for factor in value.values() if isinstance(value, dict) else ():
            read_factor(factor)
    except (TypeError, ValueError, AttributeError):
        good = False
    if not good:
        raise ValidationError(_("The weights are in an unknown format."))


class PointsRule(models.Model):
    """The rule of a union's points list: months and shares, weights by kind, number of best results, least number."""

    union = models.OneToOneField(Club, on_delete=models.PROTECT, related_name="points_rule")
    # [[months, share], …]: a tournament counts with the share of the first step that it is younger than.
    steps = models.JSONField(default=usual_steps, validators=[check_steps])
    # Factor by kind of tournament; 1 where there is none.
    weights = models.JSONField(default=dict, blank=True, validators=[check_weights])
    best_of = models.PositiveSmallIntegerField(default=0, validators=[MaxValueValidator(MOST_EVENINGS)])
    least_evenings = models.PositiveSmallIntegerField(
        default=0, validators=[MaxValueValidator(MOST_EVENINGS)]
    )

    def __str__(self) -> str:
        return str(self.union)


class PointsTable(models.Model):
    """Points by place in tournaments of a kind with at least `field` players, pairs or teams."""

    class Kind(models.TextChoices):
        EVENING = "evening", _("club evenings")
        UNION = "union", _("the union’s own tournaments")
        CHAMPIONSHIP = "championship", _("championships")
        TEAMS = "teams", _("pairs and teams")

    union = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="points_tables")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    field = models.PositiveSmallIntegerField(validators=[MinValueValidator(1), MaxValueValidator(MOST_FIELD)])
    # By place, the first place's first; further places get 0.
    points = models.JSONField(validators=[check_points])

    class Meta:
        ordering = ["kind", "field"]
        constraints = [
            models.UniqueConstraint(fields=["union", "kind", "field"], name="one_points_table_a_field")
        ]

    def __str__(self) -> str:
        return f"{self.union}: {self.kind}, {self.field}"


# Published lists.


class Unchanging(RecordedQuerySet[M]):
    """Rejects updates and deletes."""

    def update(self, **_values: Any) -> int:
        raise TypeError("a published list never changes")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError("a published list never changes")


class NeverChanges(models.Model):
    """A row that is inserted once; corrections are in the next list."""

    objects = Unchanging.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise TypeError("a published list never changes")
        super().save(*args, **options)

    def delete(self, *_args: Any, **_options: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("a published list never changes")


class PublishedList(NeverChanges):
    """A union's points list of a day, with the rule by which it was computed; its rows are in `PublishedRow`.

    `digest` is the SHA-256 of the rows: `verify` compares. Totals of rows are divided by `divided_by`.
    """

    union = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="published_lists")
    day = models.DateField(_("day"))
    published_at = models.DateTimeField()
    author = models.CharField(max_length=150)
    rule = models.JSONField()
    players = models.PositiveIntegerField()
    divided_by = models.PositiveBigIntegerField(default=1)
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["-day", "-pk"]
        constraints = [models.UniqueConstraint(fields=["union", "day"], name="one_list_a_day")]

    def __str__(self) -> str:
        return f"{self.union} {self.day}"

    def get_absolute_url(self) -> str:
        return reverse("hall_points_list", args=[self.union.slug, self.pk])

    @property
    def name(self) -> str:
        """The name in logs."""
        return str(self)


class PublishedRow(NeverChanges):
    """A player's row of a published list. No name is stored: erased players keep place and points.

    `person` is the player's primary key on that day; `MergedPlayer` maps players merged later. `parts` are the
    results that count, the best first, as `seasons.points.Part.to_json` has them.
    """

    published = models.ForeignKey(PublishedList, on_delete=models.PROTECT, related_name="rows")
    person = models.PositiveBigIntegerField(db_index=True)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    place = models.PositiveIntegerField()
    shared = models.BooleanField(default=False)
    total = models.PositiveBigIntegerField()
    played = models.PositiveIntegerField()
    parts = models.JSONField()

    class Meta:
        ordering = ["place", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["published", "person"], name="one_published_row_a_person")
        ]
        indexes = [models.Index(fields=["published", "place", "id"], name="published_rows_by_place")]

    def __str__(self) -> str:
        return f"{self.published}: {self.place}"

    @property
    def points(self) -> Fraction:
        return Fraction(self.total, self.published.divided_by)

    @property
    def digested(self) -> Sequence[Any]:
        """The values of the row in the list's digest."""
        return (self.person, self.club_id, self.place, self.shared, self.total, self.played, self.parts)


def people_now(persons: Iterable[int]) -> dict[int, int]:
    """Map persons of a list to current players (primary keys), following merges."""
    wanted = set(persons)
    merged = MergedPlayer.objects.filter(number__in=key_set(wanted)).values_list("number", "player")
    there = Player.objects.filter(pk__in=key_set(wanted)).order_by().values_list("pk", flat=True)
    return {player: player for player in there} | dict(merged)


def rows_of(player: Player) -> models.QuerySet[PublishedRow]:
    """A player's rows in all lists, including those of players merged into them."""
    merged = MergedPlayer.objects.filter(player=player).values_list("number", flat=True)
    return PublishedRow.objects.filter(person__in=[player.pk, *merged])


def places_in(published: PublishedList) -> dict[int, int]:
    """Current player -> place in a published list."""
    rows = list(published.rows.order_by("-place").values_list("person", "place"))
    now = people_now(person for person, _place in rows)
    return {now[person]: place for person, place in rows if person in now}
