"""What a club that is new to the program does first: three steps, each ticked when it is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clubs.models import Membership, Role, RoleOffer
from clubs.roles import clubs_of, home_of
from tournaments.demo.play import sample_of
from tournaments.models import Tournament

if TYPE_CHECKING:
    from clubs.models import Account, Club, SampleClub


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """`club` is where the steps lead, None where there are none to take; `sample` is what there is to be removed."""

    club: Club | None
    sample: SampleClub | None
    members: bool = False
    helpers: bool = False
    evening: bool = False


def first_steps(account: Account) -> FirstSteps:
    """The steps of somebody who organises, until an evening has begun, or is set up for members: helpers may wait."""
    sample = sample_of(account)
    mine = clubs_of(account, organise=True).filter(sample=None)
    club = home_of(account) or mine.first()
    held = mine.order_by().values("pk")
    evenings = Tournament.objects.not_called_off().filter(host__in=held)
    if club is None or evenings.exclude(state=Tournament.State.SETUP).exists():
        return FirstSteps(None, sample)
    members = Membership.objects.filter(club__in=held, left=None).exists()
    evening = evenings.exists()
    helpers = (
        Role.objects.filter(club__in=held).exclude(account=account).exists()
        or RoleOffer.objects.filter(club__in=held).exists()
    )
    return FirstSteps(None if members and evening else club, sample, members, helpers, evening)
