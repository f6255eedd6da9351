"""Create clubs and unions, and write the log of a club."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db import connection
from django.db.models import Count, Model, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.text import slugify

from clubs.models import Account, Affiliation, Club, ClubLogEntry, Membership
from clubs.names import by_alphabet, folded
from core.log_messages import log_fields

MOST_SLUG_LETTERS = 40
# Addresses that stand where a club's would.
TAKEN_SLUGS = {"login", "logout", "mail", "my-account", "new", "password", "password-again"}


def lock_club(club: Club) -> None:
    """Lock a club until the transaction ends, so that what was checked still holds when it is stored.

    No effect in SQLite, which has one writer at a time.
    """
    if connection.features.has_select_for_update:
        list(Club.objects.select_for_update(no_key=True).filter(pk=club.pk).values_list("pk"))


def lock_table(kind: type[Model]) -> None:
    """Lock inserts into a table until the transaction ends, so that a free name stays free.

    No effect in SQLite, which has one writer at a time.
    """
    if connection.features.has_select_for_update:
        with connection.cursor() as cursor:
            table = connection.ops.quote_name(kind._meta.db_table)
            cursor.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")


def add_club(club: Club) -> Club:
    """Save a new club with a slug made of its name."""
    club.slug = free_slug(club.name)
    club.save()
    return club


def find_club(name: str) -> Club | None:
    """The club with this name, ignoring case, accents and blanks; None if there is none."""
    wanted = folded(name)
    return next((club for club in Club.objects.all() if folded(club.name) == wanted), None)


def free_slug(name: str) -> str:
    """A slug for a name that is free until the transaction ends; numbered if need be."""
    lock_table(Club)
    plain = slugify(folded(name))[: MOST_SLUG_LETTERS - 5].strip("-") or "club"
    taken = TAKEN_SLUGS | set(Club.objects.filter(slug__startswith=plain).values_list("slug", flat=True))
    candidates = (plain if count == 1 else f"{plain}-{count}" for count in range(1, len(taken) + 2))
    return next(slug for slug in candidates if slug not in taken)


def with_member_counts(clubs: QuerySet[Club]) -> QuerySet[Club]:
    """Clubs in alphabetical order, annotated with `members`: the number of present members."""
    present = Membership.objects.filter(Q(left=None) | Q(left__gt=timezone.localdate()))
    counted = present.filter(club=OuterRef("pk")).order_by().values("club").values(members=Count("pk"))
    return (
        clubs.annotate(members=Coalesce(Subquery(counted), 0))
        .prefetch_related(
            Prefetch("affiliations", Affiliation.objects.filter(left=None).select_related("union"))
        )
        .order_by(by_alphabet("name"))
    )


def people_in(clubs: QuerySet[Club]) -> int:
    """The number of people who are members of these clubs, each counted once."""
    present = Membership.objects.on(timezone.localdate()).filter(club__in=clubs.order_by().values("pk"))
    return present.order_by().values("player").distinct().count()


def log_change(
    club: Club, account: Account | None, text: str, *, now: datetime, **params: object
) -> ClubLogEntry:
    """Write a log line: an English text marked with gettext_noop, whose {placeholders} `params` fill.

    `account` is None for actions at the server itself.
    """
    return ClubLogEntry.objects.create(club=club, **log_fields(account, text, params, now))


def forget_name(name: str, instead: str, clubs: Iterable[Club], texts: Collection[str] = ()) -> None:
    """Replace the name of an erased person in the logs; with `texts` in these lines alone."""
    lines = ClubLogEntry.objects.filter(club__in=clubs)
    for written in lines.filter(text__in=texts) if texts else lines:
        kept = {key: instead if value == name else value for key, value in written.params.items()}
        if kept != written.params:
            ClubLogEntry.objects.filter(pk=written.pk).update(params=kept)
