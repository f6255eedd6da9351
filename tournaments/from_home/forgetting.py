"""What people have typed to enter from home is forgotten when the evening is over, where it has become no entry."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from clubs.models import Letter
from tournaments.from_home import telling
from tournaments.models import Application
from tournaments.models.names import NAMELESS

if TYPE_CHECKING:
    from datetime import datetime

# So long after the evening's day: who asks what became of their wish asks soon.
KEPT = timedelta(days=7)
KINDS = (telling.EntryLink.code, telling.EntryPartner.code, telling.EntryNews.code)


def forget_who_had_no_place(now: datetime) -> int:
    """Forget name, address and what was typed of guests, and of whom nobody knew, who never got a place; how many.

    Their letters with them. An address goes of whoever it is; that a member asked stays with the member.
    """
    over = Application.objects.filter(tournament__date__lt=timezone.localdate(now) - KEPT)
    strangers = over.filter(player=None, entry=None).exclude(typed=NAMELESS)
    forgotten = list(strangers.values_list("pk", flat=True))
    if forgotten:
        Letter.objects.filter(kind__in=KINDS, facts__application__in=forgotten).update(to="", answer="")
        strangers.update(typed=NAMELESS, name="", email="", team_name="")
    addressed, found_by_address = over.exclude(email=""), over.filter(typed__contains="@")
    if addressed.exists():  # asked every hour: who writes nothing holds up nobody
        addressed.update(email="")
    if found_by_address.exists():
        found_by_address.update(typed="")  # who was found by it is known
    return len(forgotten)
