"""Create clubs and unions, and write the log of a club."""

from datetime import datetime

from django.db import connection
from django.db.models import Count, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.text import slugify

from clubs.models import Account, Club, ClubLogEntry, Membership
from clubs.names import by_alphabet, folded
from core.log_messages import log_fields

MOST_SLUG_LETTERS = 40
# Addresses that stand where a club's would.
TAKEN_SLUGS = {"login", "logout", "mail", "my-account", "new", "password", "password-again"}


def hold(club: Club) -> None:
    """Keep others from changing the club until the transaction ends: what is checked still holds when it is stored.

    SQLite has one writer at a time, and needs none of this.
    """
    if connection.features.has_select_for_update:
        list(Club.objects.select_for_update(no_key=True).filter(pk=club.pk).values_list("pk"))


def hold_all(kind: type[Model]) -> None:
    """Let nobody else store a row of this kind until the transaction ends: a name that is free now stays free.

    SQLite has one writer at a time, and needs none of this.
    """
    if connection.features.has_select_for_update:
        with connection.cursor() as cursor:
            table = connection.ops.quote_name(kind._meta.db_table)
            cursor.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")


def add_club(club: Club) -> Club:
    """Save a new club under an address made of its name."""
    club.slug = free_slug(club.name)
    club.save()
    return club


def club_named(name: str) -> Club | None:
    """The club of a name, without regard to case, accents and double blanks."""
    wanted = folded(name)
    return next((club for club in Club.objects.all() if folded(club.name) == wanted), None)


def free_slug(name: str) -> str:
    """A club's address, nobody else's until the transaction ends: its name in plain letters, numbered if need be."""
    hold_all(Club)
    plain = slugify(folded(name))[: MOST_SLUG_LETTERS - 5].strip("-") or "club"
    taken = TAKEN_SLUGS | set(Club.objects.filter(slug__startswith=plain).values_list("slug", flat=True))
    candidates = (plain if count == 1 else f"{plain}-{count}" for count in range(1, len(taken) + 2))
    return next(slug for slug in candidates if slug not in taken)


def with_member_counts(clubs: QuerySet[Club]) -> QuerySet[Club]:
    """Clubs in the order of the alphabet, each with `members`: how many have not left it."""
    present = Membership.objects.filter(Q(left=None) | Q(left__gt=timezone.localdate()))
    counted = present.filter(club=OuterRef("pk")).order_by().values("club").values(members=Count("pk"))
    return (
        clubs.annotate(members=Coalesce(Subquery(counted), 0))
        .select_related("union")
        .order_by(by_alphabet("name"))
    )


def people_in(clubs: QuerySet[Club]) -> int:
    """How many people are members of these clubs now; who is in several is one."""
    present = Membership.objects.on(timezone.localdate()).filter(club__in=clubs.order_by().values("pk"))
    return present.order_by().values("player").distinct().count()


def write_down(
    club: Club, account: Account | None, text: str, *, now: datetime, **params: object
) -> ClubLogEntry:
    """Log `text`, an English sentence marked with gettext_noop whose {placeholders} `params` fill.

    `account` is None for what was done at the server itself.
    """
    return ClubLogEntry.objects.create(club=club, **log_fields(account, text, params, now))


def forget_name(name: str, instead: str, clubs: list[Club]) -> None:
    """Put other words for the name of somebody who is to be forgotten."""
    for written in ClubLogEntry.objects.filter(club__in=clubs):
        kept = {key: instead if value == name else value for key, value in written.params.items()}
        if kept != written.params:
            ClubLogEntry.objects.filter(pk=written.pk).update(params=kept)
