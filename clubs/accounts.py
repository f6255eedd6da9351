"""Accounts and roles: the first organiser, colleagues with temporary passwords, and role offers.

No mail server is needed: a colleague gets a temporary password by word of mouth, which opens only the page for choosing
their own. A person with an account is offered a role, and has it after accepting.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import TYPE_CHECKING

from axes.utils import reset
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.clubs import add_club, find_club, lock_club, lock_table, log_change
from clubs.models import Account, Club, Role, RoleOffer
from clubs.roles import GIVEN, keep_an_organiser
from clubs.sign_in import remove_factors
from core.errors import UserError
from core.log_messages import author_name
from core.text import clean_text

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account


# No letters or digits that are mistaken for each other on paper.
_LEGIBLE = "abcdefghjkmnpqrstuvwxyz23456789"
_DANISH = str.maketrans({"æ": "ae", "ø": "oe", "å": "aa"})


class NotTheFirstError(ValidationError):
    """An account was created by another request before this one held the lock."""


@transaction.atomic
def create_first_organiser(
    username: str, password: str, club_name: str, full_name: str = "", language: str = ""
) -> Account:
    """Create the account that everything else is set up with: it owns the program and organises a club.

    The club is made unless there is one of that name; its letters are in `language`. Raises ValidationError, with
    messages for a person, and NotTheFirstError where there is an account: the tables are locked until the commit.
    """
    lock_table(Club)
    lock_table(Account)
    if Account.objects.exists():
        raise NotTheFirstError(_("There is already an organiser. Ask them for an account."))
    club = first_club(club_name)
    account = first_account(username)
    for field, name in _name_parts(full_name).items():
        setattr(account, field, name)
    validate_password(password, account)
    account.set_password(password)
    account.save()
    if not club.pk:
        club.language = language
        add_club(club)
    give_role(club, account, Role.Kind.ORGANISER)
    return account


def first_club(name: str) -> Club:
    """The club of a name, or a new one that is not saved. Raises ValidationError."""
    name = clean_text(name)
    if not name:
        raise ValidationError(_("Type the name of the club."))
    club = find_club(name) or Club(name=name)
    club.clean_fields(exclude=["slug"])
    return club


def full_name(name: str) -> str:
    """A person's name as it is stored. Raises ValidationError."""
    name = clean_text(name)
    if not name:
        raise ValidationError(_("Type your name."))
    Account(**_name_parts(name)).clean_fields(exclude=["username", "password"])
    return name


def user_name_of(name: str) -> str:
    """A suggested user name: the first name in lower case without accents, or ""."""
    return slugify(name.lower().translate(_DANISH).partition(" ")[0])


def first_account(username: str) -> Account:
    """An account of this name that owns the program, not saved yet. Raises ValidationError."""
    account = Account(username=username.strip(), is_superuser=True)
    if not account.username:
        raise ValidationError(_("Type a user name."))
    account.clean_fields(exclude=["password"])
    if account_named(account.username):
        raise ValidationError(_("The user name “%(name)s” is taken.") % {"name": account.username})
    return account


def account_named(username: str) -> Account | None:
    """The account of a user name, whether or not a phone has made its first letter large."""
    found = Account.objects.filter(username__iexact=username.strip())
    return found.filter(username=username.strip()).first() or found.first()


@transaction.atomic
def add_colleague(
    club: Club, *, username: str, full_name: str, kind: str, email: str = ""
) -> tuple[Role, str]:
    """Create an account with a role in a club; returns it and its temporary password."""
    account, password = add_account(club, username=username, full_name=full_name, email=email)
    return give_role(club, account, kind), password


def add_account(club: Club, *, username: str, full_name: str, email: str = "") -> tuple[Account, str]:
    """Create an account without a role, made by a club; returns it and its temporary password."""
    account = Account(
        username=username, email=email, password_is_temporary=True, made_by=club, **_name_parts(full_name)
    )
    password = temporary_password()
    account.set_password(password)
    account.save()
    return account, password


def give_role(club: Club, account: Account, kind: str) -> Role:
    return Role.objects.create(club=club, account=account, kind=kind)


@transaction.atomic
def change_role(role: Role, kind: str, *, account: Account, now: datetime) -> None:
    """Raises LastOrganiser."""
    if kind != Role.Kind.ORGANISER:
        keep_an_organiser(role)
    role.kind = kind
    role.save(update_fields=["kind"])
    log_change(role.club, account, GIVEN[kind], now=now, colleague=role.account)


@transaction.atomic
def remove_role(role: Role, *, account: Account, now: datetime) -> None:
    """Take a role from an account, which stays. Raises LastOrganiser."""
    keep_an_organiser(role)
    role.delete()
    text = gettext_noop("{colleague} no longer has a role")
    log_change(role.club, account, text, now=now, colleague=role.account)


@transaction.atomic
def rename(account: Account, full_name: str, *, now: datetime) -> None:
    """Give an account the name that logs and printed notes have from now on; its clubs' logs say so."""
    before = str(account)
    for field, name in _name_parts(full_name).items():
        setattr(account, field, name)
    if str(account) == before:
        return
    account.save(update_fields=["first_name", "last_name"])
    for club in Club.objects.filter(roles__account=account):
        text = gettext_noop("{before} is now called {name}")
        log_change(club, account, text, now=now, before=before, name=account)


def renew_password(account: Account) -> str:
    """Give an account a new temporary password, and return it. Ends its sessions, its lock-out and its second factor.

    Who has lost the phone with the second factor too comes in by it.
    """
    password = temporary_password()
    account.set_password(password)
    account.password_is_temporary = True
    account.save(update_fields=["password", "password_is_temporary"])
    remove_factors(account)
    reset(username=account.username)
    return password


def temporary_password() -> str:
    """A random password such as "k7mw-p3xq-9trz": 59 bits, easy to read out."""
    return "-".join("".join(secrets.choice(_LEGIBLE) for _place in range(4)) for _group in range(3))


def _name_parts(full_name: str) -> dict[str, str]:
    first, _blank, last = clean_text(full_name).rpartition(" ")
    return {"first_name": first or last, "last_name": last if first else ""}


_OFFERED = {
    Role.Kind.ORGANISER.value: gettext_noop("{colleague} has been asked to be an organiser"),
    Role.Kind.HELPER.value: gettext_noop("{colleague} has been asked to be a helper"),
}


def offers_to(account: Account) -> QuerySet[RoleOffer]:
    """An account's role offers: the open ones, then the declined ones."""
    return account.offers.select_related("club").order_by("declined_at", "pk")


def offer(club: Club, asked: Account, kind: str, *, account: Account, now: datetime) -> RoleOffer:
    """Offer a role to an account; the caller holds the lock of the club."""
    made = RoleOffer.objects.create(
        club=club, account=asked, kind=kind, offered_by=author_name(account), offered_at=now
    )
    log_change(club, account, _OFFERED[kind], now=now, colleague=asked)
    return made


def take_back(offered: RoleOffer, *, account: Account, now: datetime) -> None:
    """Withdraw an offer; the caller holds the lock of the club."""
    if RoleOffer.objects.filter(pk=offered.pk).delete()[0]:
        text = gettext_noop("The offer of a role to {colleague} was withdrawn")
        log_change(offered.club, account, text, now=now, colleague=offered.account)


@transaction.atomic
def accept(number: int, *, account: Account, now: datetime) -> None:
    """Give `account` the role of this offer. Raises UserError if the offer was withdrawn.

    If the account got a role meanwhile, the one with more permissions counts.
    """
    offered = _locked_offer(number, account)
    offered.delete()
    role, is_new = Role.objects.get_or_create(
        club=offered.club, account=account, defaults={"kind": offered.kind}
    )
    if not is_new and offered.kind == Role.Kind.ORGANISER:
        role.kind = offered.kind
        role.save(update_fields=["kind"])
    log_change(offered.club, account, GIVEN[role.kind], now=now, colleague=account)


@transaction.atomic
def decline(number: int, *, account: Account, now: datetime) -> None:
    """Decline an offer; it can be accepted until the club withdraws it. Raises UserError if there is none."""
    offered = _locked_offer(number, account)
    offered.declined_at = now
    offered.save(update_fields=["declined_at"])
    log_change(
        offered.club, account, gettext_noop("{colleague} has declined the role"), now=now, colleague=account
    )


def _locked_offer(number: int, account: Account) -> RoleOffer:
    """Query an offer to an account by its primary key, under the lock of its club."""
    offers = RoleOffer.objects.filter(pk=number, account=account).select_related("club")
    if found := offers.first():
        lock_club(found.club)
        found = offers.first()
    if found is None:
        raise UserError(_("The club has withdrawn its offer."))
    return found


@transaction.atomic
def give_up(role: Role, *, account: Account, now: datetime) -> None:
    """Give up one's own role; it stays on offer until the club withdraws it. Raises LastOrganiser."""
    lock_club(role.club)
    keep_an_organiser(role)
    if not Role.objects.filter(pk=role.pk).delete()[0]:
        return
    RoleOffer.objects.update_or_create(
        club=role.club,
        account=account,
        defaults={
            "kind": role.kind,
            "offered_by": author_name(account),
            "offered_at": now,
            "declined_at": now,
        },
    )
    text = gettext_noop("{colleague} no longer has a role")
    log_change(role.club, account, text, now=now, colleague=account)
