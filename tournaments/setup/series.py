"""An evening that repeats: on which days, under which names, and all of them made at once."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.clubs import hold
from tournaments.models import Tournament
from tournaments.models.events import free_codes
from tournaments.setup import making

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from clubs.models import Account

MOST_EVENINGS = 60
YEARS = range(1900, 2100)
LONGEST_NAME = Tournament._meta.get_field("name").max_length or 120
WEEK = timedelta(weeks=1)
NUMBER_AT_END = re.compile(r"(?<!\d)(\d{1,4})(\D?)$")


def repeated(first: date, weeks: int, until: date) -> list[date]:
    """The same weekday every so many weeks, from the first day until the last one at most."""
    return [first + number * weeks * WEEK for number in range(how_many(first, weeks, until))]


def how_many(first: date, weeks: int, until: date) -> int:
    return (until - first) // (weeks * WEEK) + 1


def holiday(day: date) -> str:
    """What a day is called on which clubs do not meet, in Denmark; empty for any other."""
    # By the law on public holidays (lov om helligdage), and the evenings that families have.
    fixed = {
        (1, 1): _("New Year’s Day"),
        (12, 24): _("Christmas Eve"),
        (12, 25): _("Christmas Day"),
        (12, 26): _("Boxing Day"),
        (12, 31): _("New Year’s Eve"),
    }
    moved = {
        -3: _("Maundy Thursday"),
        -2: _("Good Friday"),
        0: _("Easter Sunday"),
        1: _("Easter Monday"),
        39: _("Ascension Day"),
        49: _("Whit Sunday"),
        50: _("Whit Monday"),
    }
    return fixed.get((day.month, day.day)) or moved.get((day - easter(day.year)).days, "")


def easter(year: int) -> date:
    """Easter Sunday, by the rule of Gauss as H. Lichtenberg completed it; for all years of the calendar of 1582."""
    century = year // 100
    moon = 15 + (3 * century + 3) // 4 - (8 * century + 13) // 25
    sun = 2 - (3 * century + 3) // 4
    epact = (19 * (year % 19) + moon) % 30
    full_moon = 21 + epact - (epact + year % 19 // 11) // 29
    first_sunday = 7 - (year + year // 4 + sun) % 7
    return date(year, 3, 1) + timedelta(days=full_moon + 7 - (full_moon - first_sunday) % 7 - 1)


def next_easter(today: date) -> date:
    """The Saturday before the next Easter Sunday: until then a winter's evenings are played."""
    days = (easter(year) - timedelta(days=1) for year in (today.year, today.year + 1))
    return next(day for day in days if day > today)


def next_name(name: str, day: date, after: date, *, steps: int = 1) -> str:
    """What an evening is called that follows one of that name: its number goes on, a year is the new one's."""
    found = NUMBER_AT_END.search(name)
    if not found:
        return name
    number = int(found[1])
    new = after.year if number == day.year else number if number in YEARS else number + steps
    following = f"{name[: found.start()]}{new}{found[2]}"
    return following if len(following) <= LONGEST_NAME else name


@transaction.atomic
def make_all(
    code: str,
    values: Mapping[str, object],
    days: Sequence[date],
    *,
    account: Account,
    now: datetime,
) -> list[Tournament]:
    """Make an evening on each of these days, the first under `code`: asking twice is asking once.

    Who asks again gets none.
    """
    host: Any = values["host"]
    hold(host)  # who asks twice at once takes turns
    if Tournament.objects.filter(code=code).exists():
        return []
    name, first = str(values["name"]), days[0]
    return [
        making.create(
            code,
            {**values, "date": day, "name": next_name(name, first, day, steps=step)},
            account=account,
            now=now,
        )
        for step, (code, day) in enumerate(
            zip([code, *free_codes(Tournament, len(days) - 1)], days, strict=True)
        )
    ]
