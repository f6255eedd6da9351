"""What a copied evening is called, and when it is: the next of its kind, as far as the earlier ones tell."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from tournaments.models import Tournament
from tournaments.setup.series import NUMBER_AT_END, WEEK, YEARS, next_name

if TYPE_CHECKING:
    from tournaments.models.events import TournamentQuerySet

# So many of a club's newest evenings are looked at; an event that has not been held for half a year comes once a year.
LOOKED_AT = 60
A_YEAR, HALF_A_YEAR = timedelta(weeks=52), timedelta(weeks=26)


def next_evening(earlier: Tournament, today: date) -> tuple[str, date]:
    """Name and day to propose for a copy: as long after the last of its kind as that was after the one before."""
    kind = _kind(earlier.name)
    evenings: TournamentQuerySet = Tournament.objects.filter(host=earlier.host_id)
    newest = evenings.not_called_off().order_by("-date", "-pk").values_list("name", "date")[:LOOKED_AT]
    same = [(name, day) for name, day in newest if _kind(name) == kind]
    name, last = max(same, key=lambda evening: evening[1], default=(earlier.name, earlier.date))
    if last.year not in YEARS:
        return name, today  # of a file that was taken in: no evening follows it
    days = sorted({day for _name, day in same}, reverse=True)
    gap = next((later - before for later, before in pairwise(days)), None)
    weeks = max(round((gap or (A_YEAR if today - last > HALF_A_YEAR else WEEK)) / WEEK), 1)
    day = last + weeks * WEEK
    while day < today:
        day += WEEK if weeks * WEEK > HALF_A_YEAR else weeks * WEEK
    return next_name(name, last, day), day


def _kind(name: str) -> str:
    """What evenings of one kind share: the name without the number or the year at its end."""
    return NUMBER_AT_END.sub("", name).strip().casefold()
