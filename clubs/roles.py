"""Permissions: who may do what.

An organiser does everything for a club: sets up, rules, finishes, manages money, members and roles.
A helper does what an evening needs: checks in, draws, starts and closes rounds, types slips, corrects deals, prints.
A role in a union holds in each of its clubs that gives the union everything; but a union's helper sees no member list
of them.
Who works for the club that holds a union's tournament helps at that tournament. What officials may do at one
tournament, season or championship is in `tournaments.changes.permissions`.
"""

from collections import defaultdict
from collections.abc import Collection

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Account, Affiliation, Club, Gives, Role
from clubs.register_models import clubs_in, unions_with
from core.errors import UserError
from core.sql import prepared_query

Visitor = Account | AnonymousUser

# The log entries of a given role.
GIVEN = {
    Role.Kind.ORGANISER.value: gettext_noop("{colleague} is an organiser"),
    Role.Kind.HELPER.value: gettext_noop("{colleague} is a helper"),
}


class LastOrganiser(UserError):
    """A club would be left without an organiser of its own."""

    def __init__(self) -> None:
        super().__init__(_("A club needs an organiser: give someone else that role first."))


def keep_an_organiser(role: Role) -> None:
    """Raise LastOrganiser where the club would have no organiser without this role."""
    organisers = Role.objects.filter(club=role.club, kind=Role.Kind.ORGANISER, account__is_active=True)
    if role.kind == Role.Kind.ORGANISER and not organisers.exclude(pk=role.pk).exists():
        raise LastOrganiser


@prepared_query
def _kinds(account: int, club: int) -> QuerySet[Role, str]:
    """The kinds of the roles that an account has at a club, or in a union that it gives everything."""
    unions = unions_with(club, gives=Gives.EVERYTHING)
    held = Role.objects.filter(Q(club=club) | Q(club__in=unions), account=account)
    return held.order_by().values_list("kind", flat=True)


def _roles_of(visitor: Visitor, club: Club) -> list[str]:
    return _kinds(visitor.pk, club.pk) if visitor.is_authenticated else []


def may_organise(visitor: Visitor, club: Club) -> bool:
    return bool(getattr(visitor, "is_superuser", False)) or Role.Kind.ORGANISER in _roles_of(visitor, club)


def may_help(visitor: Visitor, *clubs: Club | None) -> bool:
    """Whether a visitor has a role in one of the clubs, or in a union that it gives everything; None is no club."""
    is_owner = bool(getattr(visitor, "is_superuser", False))
    return is_owner or any(_roles_of(visitor, club) for club in clubs if club is not None)


def may_see_members(visitor: Visitor, club: Club) -> bool:
    """Whether a visitor may open a club's member list: who organises it, and who helps in the club itself."""
    return may_organise(visitor, club) or clubs_seen_by(visitor).filter(pk=club.pk).exists()


def unions_of(visitor: Visitor) -> QuerySet[Club]:
    """The unions that a visitor may add clubs to; for the program's owner every club that is in no union."""
    in_none = ~Exists(Affiliation.objects.filter(club=OuterRef("pk"), left=None))
    may_have_clubs = clubs_of(visitor, organise=True).filter(in_none)
    if not visitor.is_authenticated or visitor.is_superuser:
        return may_have_clubs
    return may_have_clubs.filter(is_union(), roles__account=visitor).distinct()


def is_union() -> Exists:
    """The filter of clubs to which other clubs belong."""
    return Exists(Affiliation.objects.filter(union=OuterRef("pk"), left=None))


def may_add_club(visitor: Visitor) -> bool:
    return bool(getattr(visitor, "is_superuser", False)) or unions_of(visitor).exists()


def may_renew_password(visitor: Visitor, account: Account) -> bool:
    """Whether a visitor organises the club that made the account, and every club that it has a role in or works for.

    The one who resets an account's password can sign in as its owner: so never for an account from another club.
    """
    return account in may_renew_passwords(visitor, [account])


def may_renew_passwords(visitor: Visitor, accounts: Collection[Account]) -> set[Account]:
    """The accounts among these whose passwords the visitor may reset; in two queries."""
    if getattr(visitor, "is_superuser", False):
        return set(accounts)
    if not visitor.is_authenticated:
        return set()
    mine = set(clubs_of(visitor, organise=True).values_list("pk", flat=True))
    held: dict[int, set[int]] = defaultdict(set)
    for account, club in Role.objects.filter(account__in=accounts).values_list("account", "club"):
        held[account].add(club)
    # Officials of a tournament, season or championship of another club; that app is not imported here.
    host = Coalesce("officials__tournament__host", "officials__season__host", "officials__championship__host")
    officials = Account.objects.filter(pk__in=[account.pk for account in accounts], officials__isnull=False)
    for account, club in officials.values_list("pk", host):
        held[account].add(club)
    return {
        account
        for account in accounts
        if not account.is_superuser
        and account.made_by_id in mine
        and held[account.pk]
        and held[account.pk] <= mine
    }


def home_of(visitor: Visitor) -> Club | None:
    """The club or union that a visitor organises by their own role there, the first of several; not one to try with."""
    if not visitor.is_authenticated:
        return None
    roles = Role.objects.filter(account=visitor, kind=Role.Kind.ORGANISER, club__sample=None)
    first = roles.select_related("club").order_by("pk").first()
    return first.club if first else None


def clubs_of(visitor: Visitor, *, organise: bool = False) -> QuerySet[Club]:
    """The clubs whose desk a visitor may open; with `organise`, those they may set tournaments up for."""
    if not visitor.is_authenticated:
        return Club.objects.none()
    if visitor.is_superuser:
        return Club.objects.filter(sample__removed_at=None)
    roles = Role.objects.filter(account=visitor)
    if organise:
        roles = roles.filter(kind=Role.Kind.ORGANISER)
    held = roles.values("club")
    return Club.objects.filter(Q(pk__in=held) | Q(pk__in=clubs_in(held, gives=Gives.EVERYTHING)))


def clubs_seen_by(visitor: Visitor) -> QuerySet[Club]:
    """The clubs whose members a visitor may look up: those of `clubs_of`, without what a union's helper may not see."""
    if not visitor.is_authenticated or visitor.is_superuser:
        return clubs_of(visitor)
    roles = Role.objects.filter(account=visitor)
    organised = roles.filter(kind=Role.Kind.ORGANISER).values("club")
    given = clubs_in(organised, gives=Gives.EVERYTHING)
    return Club.objects.filter(Q(pk__in=roles.values("club")) | Q(pk__in=given))
