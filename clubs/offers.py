"""Roles for people who have an account already: offered, and theirs when they say yes.

Whoever has a role stands in a club's log and answers for what is done by it: nobody is given one without being asked.
A new account needs no offer: signing in with it for the first time is the yes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.club_log import write_down
from clubs.clubs import hold
from clubs.models import Club, Role, RoleOffer
from clubs.roles import GIVEN, keep_an_organiser
from core.errors import Refusal
from core.log_messages import name_of

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account

_OFFERED = {
    Role.Kind.ORGANISER.value: gettext_noop("{colleague} has been asked to be an organiser"),
    Role.Kind.HELPER.value: gettext_noop("{colleague} has been asked to be a helper"),
}


def offers_to(account: Account) -> QuerySet[RoleOffer]:
    """What somebody is asked and has not answered, and what they said no to, in that order."""
    return account.offers.select_related("club").order_by("declined_at", "pk")


def offer(club: Club, asked: Account, kind: str, *, account: Account, now: datetime) -> RoleOffer:
    """Ask somebody to take a role; the club is held."""
    made = RoleOffer.objects.create(
        club=club, account=asked, kind=kind, offered_by=name_of(account), offered_at=now
    )
    write_down(club, account, _OFFERED[kind], now=now, colleague=asked)
    return made


def take_back(offered: RoleOffer, *, account: Account, now: datetime) -> None:
    """Ask no longer; the club is held."""
    if RoleOffer.objects.filter(pk=offered.pk).delete()[0]:
        text = gettext_noop("The offer of a role to {colleague} was withdrawn")
        write_down(offered.club, account, text, now=now, colleague=offered.account)


@transaction.atomic
def accept(number: int, *, account: Account, now: datetime) -> None:
    """Let `account` have the role of this offer. Raises Refusal where they are not asked any more.

    Who has been given a role meanwhile has the one that may do more.
    """
    offered = _held(number, account)
    offered.delete()
    role, is_new = Role.objects.get_or_create(
        club=offered.club, account=account, defaults={"kind": offered.kind}
    )
    if not is_new and offered.kind == Role.Kind.ORGANISER:
        role.kind = offered.kind
        role.save(update_fields=["kind"])
    write_down(offered.club, account, GIVEN[role.kind], now=now, colleague=account)


@transaction.atomic
def decline(number: int, *, account: Account, now: datetime) -> None:
    """Say no; until the club takes the offer back it can be accepted. Raises Refusal where there is none."""
    offered = _held(number, account)
    offered.declined_at = now
    offered.save(update_fields=["declined_at"])
    write_down(
        offered.club, account, gettext_noop("{colleague} declines the role"), now=now, colleague=account
    )


def _held(number: int, account: Account) -> RoleOffer:
    """The offer to somebody, by its primary key, as it stands while its club is held."""
    offers = RoleOffer.objects.filter(pk=number, account=account).select_related("club")
    if found := offers.first():
        hold(found.club)
        found = offers.first()
    if found is None:
        raise Refusal(_("The club has withdrawn its offer."))
    return found


@transaction.atomic
def give_up(role: Role, *, account: Account, now: datetime) -> None:
    """Give one's own role up; until the club says otherwise one may take it again. Raises LastOrganiser."""
    hold(role.club)
    keep_an_organiser(role)
    if not Role.objects.filter(pk=role.pk).delete()[0]:
        return
    RoleOffer.objects.update_or_create(
        club=role.club,
        account=account,
        defaults={
            "kind": role.kind,
            "offered_by": name_of(account),
            "offered_at": now,
            "declined_at": now,
        },
    )
    text = gettext_noop("{colleague} no longer has a role")
    write_down(role.club, account, text, now=now, colleague=account)
