"""Roles for people who have an account already: offered, and theirs when they say yes.

Whoever has a role stands in a club's log and answers for what is done by it: nobody is given one without being asked.
A new account needs no offer: signing in with it for the first time is the yes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext_noop

from clubs.club_log import write_down
from clubs.clubs import hold
from clubs.models import Club, Role, RoleOffer
from clubs.roles import GIVEN, keep_an_organiser

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account

_OFFERED = {
    Role.Kind.ORGANISER.value: gettext_noop("{colleague} is asked to be an organiser"),
    Role.Kind.HELPER.value: gettext_noop("{colleague} is asked to be a helper"),
}


def offers_to(account: Account) -> QuerySet[RoleOffer]:
    """What somebody is asked and has not answered, and what they said no to, in that order."""
    return account.offers.select_related("club").order_by("declined_at", "pk")


def offer(club: Club, account: Account, kind: str, *, by: Account, now: datetime) -> RoleOffer:
    """Ask somebody to take a role; the club is held."""
    made = RoleOffer.objects.create(
        club=club, account=account, kind=kind, offered_by=str(by)[:150], offered_at=now
    )
    write_down(club, by, _OFFERED[kind], colleague=account)
    return made


def take_back(offered: RoleOffer, *, by: Account) -> None:
    """Ask no longer; the club is held."""
    if RoleOffer.objects.filter(pk=offered.pk).delete()[0]:
        text = gettext_noop("{colleague} is not asked any more to take a role")
        write_down(offered.club, by, text, colleague=offered.account)


@transaction.atomic
def accept(offered: RoleOffer) -> bool:
    """Let somebody have the role they are asked to take; False where they are not asked any more."""
    hold(offered.club)
    found = RoleOffer.objects.filter(pk=offered.pk).first()
    if found is None:
        return False
    found.delete()
    Role.objects.get_or_create(club=offered.club, account=offered.account, defaults={"kind": found.kind})
    write_down(offered.club, offered.account, GIVEN[found.kind], colleague=offered.account)
    return True


@transaction.atomic
def decline(offered: RoleOffer, *, now: datetime) -> bool:
    """Say no; False where they are not asked any more. Until the club takes the offer back it can be accepted."""
    hold(offered.club)
    if not RoleOffer.objects.filter(pk=offered.pk).update(declined_at=now):
        return False
    write_down(
        offered.club, offered.account, gettext_noop("{colleague} takes no role"), colleague=offered.account
    )
    return True


@transaction.atomic
def give_up(role: Role, *, now: datetime) -> None:
    """Give one's own role up; until the club says otherwise one may take it again. Raises LastOrganiserError."""
    hold(role.club)
    keep_an_organiser(role)
    if not Role.objects.filter(pk=role.pk).delete()[0]:
        return
    RoleOffer.objects.update_or_create(
        club=role.club,
        account=role.account,
        defaults={
            "kind": role.kind,
            "offered_by": str(role.account)[:150],
            "offered_at": now,
            "declined_at": now,
        },
    )
    text = gettext_noop("{colleague} has no role any more")
    write_down(role.club, role.account, text, colleague=role.account)
