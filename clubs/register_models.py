"""Models of the register: which clubs belong to which unions, since when, and what each gives its union."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.recorded_rows import RecordedQuerySet

if TYPE_CHECKING:
    from datetime import date


class Gives(models.TextChoices):
    """The permissions that a club gives a union."""

    NOTHING = "nothing", _("nothing")
    NAMES = "names", _("names and numbers of its members")
    EVERYTHING = "everything", _("everything")


# Of these the union sees who their members are.
WITH_NAMES = (Gives.NAMES, Gives.EVERYTHING)


class AffiliationQuerySet(RecordedQuerySet["Affiliation"]):
    def on(self, day: date) -> AffiliationQuerySet:
        """Affiliations in force on `day`."""
        return self.filter(joined__lte=day).filter(models.Q(left=None) | models.Q(left__gt=day))


class Affiliation(models.Model):
    """A club's time in a union. It is in force until `left` is set, which is never a day to come."""

    club = models.ForeignKey("clubs.Club", on_delete=models.PROTECT, related_name="affiliations")
    union = models.ForeignKey("clubs.Club", on_delete=models.PROTECT, related_name="affiliated")
    joined = models.DateField(_("joined"))
    left = models.DateField(_("left"), null=True, blank=True)
    gives = models.CharField(
        _("what the union gets"), max_length=10, choices=Gives.choices, default=Gives.NOTHING
    )

    objects = AffiliationQuerySet.as_manager()

    class Meta:
        ordering = ["joined", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "union"], condition=models.Q(left=None), name="one_affiliation_at_a_time"
            ),
            models.CheckConstraint(
                condition=models.Q(left=None) | models.Q(left__gte=models.F("joined")),
                name="a_club_leaves_after_joining",
            ),
            models.CheckConstraint(
                condition=~models.Q(club=models.F("union")), name="no_club_is_its_own_union"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club} ({self.union})"


class AffiliationOffer(models.Model):
    """A union's invitation to a club: nothing changes until an organiser of the club accepts it."""

    club = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, related_name="union_offers")
    union = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, related_name="club_offers")
    offered_by = models.CharField(max_length=150)
    offered_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["club", "union"], name="one_invitation_a_club")]

    def __str__(self) -> str:
        return f"{self.club} ({self.union})?"


def clubs_in(unions: Any, **given: Any) -> AffiliationQuerySet:
    """Primary keys of the clubs that belong to a union now, for a subquery.

    `unions` is a club, its primary key, an OuterRef, or a collection or queryset of unions; `given` filters further,
    such as by `gives`.
    """
    return _keys("club", "union", unions, given)


def unions_with(clubs: Any, **given: Any) -> AffiliationQuerySet:
    """Primary keys of the unions that a club, or any of several clubs, belongs to now, for a subquery."""
    return _keys("union", "club", clubs, given)


def _keys(wanted: str, by: str, of: Any, given: dict[str, Any]) -> AffiliationQuerySet:
    many = isinstance(of, (models.QuerySet, list, tuple, set, frozenset))
    found = Affiliation.objects.filter(**{f"{by}__in" if many else by: of}, left=None, **given)
    return found.order_by().values(wanted)


def is_affiliated(club: Any, union: Any) -> bool:
    """Whether a club (or primary key) belongs to a union (or primary key) now."""
    return Affiliation.objects.filter(club=club, union=union, left=None).exists()


def first_unions() -> AffiliationQuerySet:
    """Filter to each club's oldest current affiliation: its evenings count in that union's rating."""
    older = models.Q(joined__lt=models.OuterRef("joined")) | models.Q(
        joined=models.OuterRef("joined"), pk__lt=models.OuterRef("pk")
    )
    before = Affiliation.objects.filter(older, club=models.OuterRef("club"), left=None)
    return Affiliation.objects.filter(~models.Exists(before), left=None).order_by()


class Transfer(models.Model):
    """A request to move a member from one club to another; the old club, or a union of both, answers it."""

    class State(models.TextChoices):
        ASKED = "asked", _("waiting for an answer")
        DONE = "done", _("transferred")
        REFUSED = "refused", _("refused")
        WITHDRAWN = "withdrawn", _("withdrawn")

    player = models.ForeignKey("clubs.Player", on_delete=models.CASCADE, related_name="transfers")
    origin = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, related_name="transfers_away")
    club = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, related_name="transfers_here")
    # From this day on they are a member of the new club; no longer of the old one.
    day = models.DateField(_("day"))
    # The member's number in the new club, if it is free then.
    number = models.PositiveIntegerField(_("member number"), null=True, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.ASKED)
    asked_by = models.CharField(max_length=150)
    asked_at = models.DateTimeField()
    # Who answered; empty where it was accepted by silence.
    answered_by = models.CharField(max_length=150, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    objects = RecordedQuerySet["Transfer"].as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=models.Q(state="asked"), name="one_open_transfer_a_player"
            )
        ]

    def __str__(self) -> str:
        return f"{self.origin} → {self.club}, {self.day}"

    @property
    def is_open(self) -> bool:
        return self.state == self.State.ASKED


class UnionNumber(models.Model):
    """A person's number in a union, the same whichever of its clubs they belong to."""

    player = models.ForeignKey("clubs.Player", on_delete=models.CASCADE, related_name="union_numbers")
    union = models.ForeignKey("clubs.Club", on_delete=models.CASCADE, related_name="numbers_given")
    number = models.PositiveIntegerField(_("number in the union"))

    objects = RecordedQuerySet["UnionNumber"].as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["union", "number"], name="one_person_a_union_number"),
            models.UniqueConstraint(fields=["union", "player"], name="one_union_number_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.union}: {self.number}"


class MainClub(models.Model):
    """A person's main club from a day on; the newest row counts, earlier ones stay as history."""

    player = models.ForeignKey("clubs.Player", on_delete=models.CASCADE, related_name="main_clubs")
    club = models.ForeignKey("clubs.Club", on_delete=models.PROTECT, related_name="main_club_of")
    day = models.DateField(_("from"))
    chosen_by = models.CharField(max_length=150)
    chosen_at = models.DateTimeField()

    objects = RecordedQuerySet["MainClub"].as_manager()

    class Meta:
        ordering = ["-day", "-pk"]

    def __str__(self) -> str:
        return f"{self.club}, {self.day}"


class MemberCount(models.Model):
    """The number of members of a union's clubs on a day, as counted; never changed, only counted again."""

    union = models.ForeignKey("clubs.Club", on_delete=models.PROTECT, related_name="counts")
    day = models.DateField(_("day"))
    # One a club: {"club": primary key, "name": …, "members": …, "main": …}; None where a club gives no names.
    rows = models.JSONField()
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()

    objects = RecordedQuerySet["MemberCount"].as_manager()

    class Meta:
        ordering = ["-day", "-pk"]

    def __str__(self) -> str:
        return f"{self.union} {self.day}"
