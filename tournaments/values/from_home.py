"""What an organiser allows of entering from home, and from when until when: hours of days before the evening."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from datetime import date, datetime, time
from typing import Any

MOST_DAYS = 366
MOST_PLACES = 2000


@dataclass(frozen=True, slots=True)
class FromHome:
    """Off unless `is_on`. Days are counted back from the evening's; `opens_days` None is from now on.

    `places` is how many players there is room for, 0 for any number. `waits` keeps a waiting list when they are taken,
    `guests` lets in who is no member, `asks` has the organiser say yes to each, `own_check_in` lets people say on the
    day, on their own page, that they are here.
    """

    is_on: bool = False
    opens_days: int | None = None
    opens_hour: str = "12:00"
    closes_days: int = 1
    closes_hour: str = "18:00"
    places: int = 0
    waits: bool = True
    guests: bool = False
    asks: bool = False
    own_check_in: bool = False

    def stored(self) -> dict[str, Any]:
        return asdict(self)

    def opens(self, day: date) -> datetime | None:
        """The hour by the hall's clock, without a time zone, at which an evening of that day opens; None for now."""
        return None if self.opens_days is None else _before(day, self.opens_days, self.opens_hour)

    def closes(self, day: date) -> datetime:
        return _before(day, self.closes_days, self.closes_hour)


def _before(day: date, days: int, hour: str) -> datetime:
    """Days before the calendar begins are its first."""
    least = date.min.toordinal()
    return datetime.combine(date.fromordinal(max(day.toordinal() - days, least)), time.fromisoformat(hour))


WHAT = {field.name: field for field in fields(FromHome)}
FLAGS = ("is_on", "waits", "guests", "asks", "own_check_in")


def read_from_home(stored: object) -> FromHome:
    """As it is stored; off where nothing is. Raises ValueError for what no desk has chosen."""
    if stored == {}:
        return FromHome()
    if not isinstance(stored, dict) or stored.keys() != WHAT.keys():
        raise ValueError(stored)
    read = FromHome(**stored)
    numbers = (read.opens_days or 0, MOST_DAYS), (read.closes_days, MOST_DAYS), (read.places, MOST_PLACES)
    if any(type(number) is not int or not 0 <= number <= most for number, most in numbers):
        raise ValueError(stored)
    if any(type(getattr(read, name)) is not bool for name in FLAGS):
        raise ValueError(stored)
    for hour in (read.opens_hour, read.closes_hour):
        if type(hour) is not str or time.fromisoformat(hour).isoformat("minutes") != hour:
            raise ValueError(stored)
    opens, closes = read.opens(A_DAY), read.closes(A_DAY)
    if opens is not None and opens >= closes:
        raise ValueError(stored)
    return read


A_DAY = date(2001, 1, 1)  # which of two moments before a day comes first is the same for all days
