"""Plan a season's evenings: their days and hosts, with holidays and what else is on; make them all."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext_noop

from clubs.clubs import lock_club, log_change
from clubs.models import Club
from clubs.register_models import clubs_in, unions_with
from tournaments.lifecycle import creating
from tournaments.lifecycle.creating import FROZEN_AT_START, holiday, next_name, repeated
from tournaments.models import Tournament
from tournaments.models.events import free_codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date, datetime

    from clubs.models import Account
    from tournaments.models import Season

# What an evening copies from its template evening, besides the season's own values.
FROM_EARLIER = (
    *(name for name in FROZEN_AT_START if name != "host"),
    "rounds_planned",
    "draw_mode",
    *creating.KEPT,
)


@dataclass(frozen=True)
class PlannedEvening:
    """A day of the plan with its host; `holiday` and `clashes` (names of other evenings) speak against it."""

    day: date
    host: Club
    holiday: str
    clashes: tuple[str, ...]

    @property
    def is_free(self) -> bool:
        return not (self.holiday or self.clashes)


def plan_evenings(
    season_host: Club, hosts: Sequence[Club], first: date, weeks: int, until: date
) -> list[PlannedEvening]:
    """The days every so many weeks until a day; `hosts` take turns on those that nothing speaks against."""
    days = repeated(first, weeks, until)
    clashes = _clashes({season_host, *hosts}, days)
    turns, planned = cycle(hosts), []
    host = next(turns)
    for day in days:
        one = PlannedEvening(day, host, holiday(day), tuple(clashes[day]))
        planned.append(one)
        if one.is_free:
            host = next(turns)
    return planned


def _clashes(clubs: Iterable[Club], days: Sequence[date]) -> Mapping[date, list[str]]:
    """The evenings on these days of the clubs, of their unions and of their unions' clubs, by day."""
    keys = {club.pk for club in clubs}
    unions = set(unions_with(keys).values_list("union", flat=True))
    around = keys | unions | set(clubs_in(keys | unions).values_list("club", flat=True))
    found: dict[date, list[str]] = defaultdict(list)
    evenings = Tournament.objects.not_called_off().filter(host__in=around, date__in=days)
    for one in evenings.select_related("host").order_by("date", "pk"):
        found[one.date].append(f"{one.name} ({one.host})")
    return found


@transaction.atomic
def make_evenings(
    season: Season,
    evenings: Sequence[PlannedEvening],
    values: Mapping[str, Any],
    like: Tournament | None,
    *,
    account: Account,
    now: datetime,
) -> list[Tournament]:
    """Set up a plan's evenings in a season just stored, with these values and otherwise like an earlier evening."""
    lock_club(season.host)
    earlier = {name: getattr(like, name) for name in FROM_EARLIER} if like else {}
    name, first = str(values["name"]), evenings[0].day
    made = [
        creating.create(
            code,
            {
                **earlier,
                **values,
                "name": next_name(name, first, one.day, steps=step),
                "date": one.day,
                "host": one.host,
                "season": season,
            },
            account=account,
            now=now,
        )
        for step, (code, one) in enumerate(zip(free_codes(Tournament, len(evenings)), evenings, strict=True))
    ]
    text = gettext_noop("Set up {evenings} evenings of “{season}”")
    log_change(season.host, account, text, now=now, evenings=len(made), season=season)
    return made
