"""Abstract models, and the values that they store: clock, end, wall, removal, registration, announcements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from core.recorded_rows import RecordedQuerySet
from tournaments.domain.halls import Hall, hall_of, name_of_hall, read_halls

# A round's clock: the time left, computed from stored moments.
#
# It starts at a moment with a number of minutes, and does not run while paused. Nothing counts down in memory, so
# every process gives the same answer, also after a restart.

# A pause from one moment to another; the last may not have ended.
Pause = tuple[datetime, datetime | None]
MOST_MINUTES = 600
MOST_PAUSES = 200


@dataclass(frozen=True, slots=True)
class Clock:
    """`minutes` are those that were given, with what was added; `pauses` in their order."""

    started_at: datetime
    minutes: int
    pauses: Sequence[Pause] = ()

    @property
    def paused_at(self) -> datetime | None:
        """The beginning of the current pause; None while it runs."""
        return self.pauses[-1][0] if self.pauses and self.pauses[-1][1] is None else None

    @property
    def is_paused(self) -> bool:
        return self.paused_at is not None

    def time_run(self, until: datetime) -> timedelta:
        """The time run until a moment, without the pauses; 0 before the start."""
        paused = sum(
            (
                max(min(end or until, until) - begin, timedelta())
                for begin, end in self.pauses
                if begin < until
            ),
            timedelta(),
        )
        return max(until - self.started_at - paused, timedelta())

    def time_left(self, now: datetime) -> timedelta:
        """Less than nothing once the time is over."""
        return timedelta(minutes=self.minutes) - self.time_run(now)

    @property
    def ends_at(self) -> datetime | None:
        """The end of the time; None while paused."""
        if self.is_paused:
            return None
        paused = sum((end - begin for begin, end in self.pauses if end), timedelta())
        return self.started_at + timedelta(minutes=self.minutes) + paused


def read_pauses(stored: object) -> list[Pause]:
    """Pauses as they are stored: `[["2026-11-22T19:00:00+00:00", null]]`. Raises ValueError for anything else."""
    if not isinstance(stored, list) or len(stored) > MOST_PAUSES:
        raise ValueError(stored)
    pauses: list[Pause] = []
    last: datetime | None = datetime.min.replace(tzinfo=UTC)
    for pair in stored:
        if not (isinstance(pair, list) and len(pair) == 2):  # a beginning and an end
            raise ValueError(stored)
        begin, end = _moment(pair[0]), None if pair[1] is None else _moment(pair[1])
        if last is None or begin < last or (end is not None and end < begin):
            raise ValueError(stored)
        pauses.append((begin, end))
        last = end
    return pauses


def written_pauses(pauses: Sequence[Pause]) -> list[list[str | None]]:
    return [[_format_moment(begin), _format_moment(end) if end else None] for begin, end in pauses]


def _moment(text: object) -> datetime:
    if not isinstance(text, str):
        raise ValueError(text)  # noqa: TRY004 - a value of the file that is wrong, as any other
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(text)
    return moment


def _format_moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


# Revisions of an evening for calendars and feeds: they change with what those show, and with nothing else.

# Fields that calendars and feeds show.
TOLD = frozenset({"host_id", "name", "date", "begins_at", "place", "called_off_at", "entering", "entry_fee"})


M = TypeVar("M", bound=models.Model)


class AnnouncedQuerySet(RecordedQuerySet[M]):
    """Bulk updates raise the revision, too."""

    def update(self, **fields: Any) -> int:
        if not TOLD.isdisjoint(fields) or "host" in fields:
            fields = {"told_changes": F("told_changes") + 1, "told_at": timezone.now()} | fields
        return super().update(**fields)

    def announce(self, now: datetime) -> None:
        """Raise the revision for a change stored in another table, such as a match day."""
        super().update(told_changes=F("told_changes") + 1, told_at=now)


class IsAnnounced(models.Model):
    """Raises `told_changes` and sets `told_at` when a field shown in calendars and feeds changes, however it is
    saved.
    """

    told_changes = models.PositiveIntegerField(default=0)
    # The last change; None since it was made.
    told_at = models.DateTimeField(null=True, blank=True)

    # A tournament's.
    created_at: datetime | models.DateTimeField[datetime, datetime]

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if self._state.adding:
            super().save(*args, **options)
            return
        # What another saves meanwhile is a change of its own.
        with transaction.atomic(using=options.get("using"), savepoint=False):
            self._take_note(options)
            super().save(*args, **options)

    def _take_note(self, options: dict[str, Any]) -> None:
        saved = options.get("update_fields")
        named = {"host_id" if name == "host" else name for name in saved or ()}
        if not (touched := TOLD if saved is None else TOLD & named):
            return
        held = type(self)._base_manager.filter(pk=self.pk).select_for_update()
        stored = held.values("told_changes", "told_at", *touched).first()
        if stored is None:
            return
        self.told_changes, self.told_at = stored["told_changes"], stored["told_at"]
        if any(stored[name] != getattr(self, name) for name in touched):
            self.told_changes, self.told_at = self.told_changes + 1, timezone.now()
            if saved is not None:
                options["update_fields"] = {*saved, "told_changes", "told_at"}


# What is stored of a round's clock: moments, from which `values.clock` counts.


def check_pauses(value: object) -> None:
    """Raise ValidationError unless these are pauses, one after the other."""
    try:
        read_pauses(value)
    except ValueError:
        raise ValidationError(_("The pauses of a clock are in an unknown format.")) from None


class HasClock(models.Model):
    """A round that is played by the clock, or by none."""

    clock_started_at = models.DateTimeField(null=True, blank=True)
    # Those it was started for, with what was added.
    clock_minutes = models.PositiveSmallIntegerField(
        default=0, validators=[MinValueValidator(0), MaxValueValidator(MOST_MINUTES)]
    )
    # [[from, to], …] in ISO 8601; `to` is null while it is paused.
    clock_pauses = models.JSONField(default=list, blank=True, validators=[check_pauses])

    class Meta:
        abstract = True

    @property
    def clock(self) -> Clock | None:
        """None where there is no clock."""
        if self.clock_started_at is None:
            return None
        return Clock(self.clock_started_at, self.clock_minutes, read_pauses(self.clock_pauses))


# How a tournament ends: its final standings are posted, objections are heard, then they are final.


class Ends(models.Model):
    """The time at which standings become final: provisional until then; None for final at once.

    `posted_at` stays when they have become final: it separates later corrections.
    """

    posted_at = models.DateTimeField(null=True, blank=True)
    objections_until = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_posted(self) -> bool:
        """Whether the final standings are posted as provisional."""
        return self.objections_until is not None

    @property
    def objections_said(self) -> str:
        """The end of the objection period: the hour, and the day if it is not that of posting."""
        return moment_as_text(self.objections_until, self.posted_at)


def moment_as_text(moment: datetime | None, beside: datetime | None) -> str:
    """A moment as the hall's pages show it: the time, with the day unless it is that of `beside`."""
    if moment is None:
        return ""
    local = timezone.localtime(moment)
    hour = time_format(local, "TIME_FORMAT")
    if beside is not None and timezone.localtime(beside).date() == local.date():
        return hour
    return f"{date_format(local, 'MONTH_DAY_FORMAT')} {hour}"


# What can be removed, and put back, or called off, and taken up again: a state, not a deletion.

# The reason of what the program has called off by itself, as it is stored.
DRAWN_INTO_GROUPS = "drawn_into_groups"
SAMPLE_REMOVED = "sample_removed"


class All(models.Manager[Any]):
    """A queryset with removed objects, too."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return RecordedQuerySet(self.model, using=self._db)


class There(All):
    """The default queryset, without removed objects: for pages, choices and files."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().filter(removed_at=None)


class Removable(models.Model):
    """Removed, it is not shown and not counted, and its name is free; put back, it is as it was."""

    removed_at = models.DateTimeField(null=True, blank=True)

    objects = There()
    with_removed = All()

    class Meta:
        abstract = True

    @property
    def is_removed(self) -> bool:
        return self.removed_at is not None


class CanBeCalledOff(models.Model):
    """A cancelled event is in no list and counts nowhere; its own page shows that it is cancelled, and why."""

    called_off_at = models.DateTimeField(null=True, blank=True)
    called_off_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        abstract = True

    @property
    def is_called_off(self) -> bool:
        return self.called_off_at is not None

    @property
    def called_off_text(self) -> str:
        """Why: see `called_off_in_words`."""
        return called_off_in_words(self.called_off_reason)


def called_off_in_words(reason: str) -> str:
    """The reason as typed; cancellations by the program are translated."""
    if reason == DRAWN_INTO_GROUPS:
        return _("Its players have been drawn into the groups of a championship.")
    if reason == SAMPLE_REMOVED:
        return _("It was played with sample players, who have been removed.")
    return reason


# What an organiser allows of entering from home, and from when until when: hours of days before the evening.

MOST_DAYS = 366
MOST_PLACES = 2000


@dataclass(frozen=True, slots=True)
class FromHome:
    """Settings of entering from home.

    Off unless `is_on`. Days count back from the evening's; `opens_days` None: now.

    `places` limits the number of players, 0 is no limit. `waits` opens a waiting list when they are taken,
    `guests` admits non-members, `asks` requires the organiser's approval, `own_check_in` lets players check in on
    their own page on the day.
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

    def to_json(self) -> dict[str, Any]:
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
    """Parse the stored settings; disabled if empty. Raises ValueError for values that no desk can choose."""
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


# Content of the projector, as chosen at the desk; and how lists are divided into columns without leaving one name
# over.

T = TypeVar("T")

PODIUM, SEATS, STANDINGS, TABLES, PROGRESS = "podium", "seats", "standings", "tables", "progress"
SLIDES = (PODIUM, SEATS, STANDINGS, TABLES, PROGRESS)
USUAL = (PODIUM, SEATS, STANDINGS, PROGRESS)
USUAL_SECONDS = 12
SECONDS_OFFERED = (6, 9, 12, 20, 30, 60)


@dataclass(frozen=True, slots=True)
class Wall:
    """The slides of the projector, each for so many seconds; `on_paper` on a light ground, for a weak lamp."""

    shows: Sequence[str] = USUAL
    seconds: int = USUAL_SECONDS
    on_paper: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"shows": list(self.shows), "seconds": self.seconds, "on_paper": self.on_paper}


def read_wall(stored: object) -> Wall:
    """The wall as it is stored; the usual one where nothing is. Raises ValueError for what no desk has chosen."""
    if stored == {}:
        return Wall()
    if not isinstance(stored, dict) or stored.keys() != {"shows", "seconds", "on_paper"}:
        raise ValueError(stored)
    shows, seconds, on_paper = stored["shows"], stored["seconds"], stored["on_paper"]
    if not isinstance(shows, list) or not shows or any(name not in SLIDES for name in shows):
        raise ValueError(stored)
    if seconds not in SECONDS_OFFERED or not isinstance(on_paper, bool):
        raise ValueError(stored)
    return Wall(tuple(name for name in SLIDES if name in shows), seconds, on_paper)


def spread(items: Sequence[T], columns: int, most: int) -> list[list[Sequence[T]]]:
    """Pages of `columns` columns with `most` rows each at most, all of them about equally long; none for no items.

    So 37 names in two columns of 18 are two pages of 10 and 9 rows, and not one of 36 and one name.
    """
    pages = -(-len(items) // (columns * most))
    return [_shares(part, min(columns, len(part))) for part in _shares(items, pages)]


def _shares(items: Sequence[T], parts: int) -> list[Sequence[T]]:
    """Split into so many parts, in order, whose sizes differ by at most one; the longer ones first."""
    if not parts:
        return []
    each, over = divmod(len(items), parts)
    ends = [each * number + min(number, over) for number in range(parts + 1)]
    return [items[start:end] for start, end in pairwise(ends)]


# What a tournament's projector shows, as it is stored.


def check_wall(value: object) -> None:
    """Raise ValidationError unless this is a choice of slides."""
    try:
        read_wall(value)
    except (TypeError, ValueError):
        raise ValidationError(_("The projector’s settings are in an unknown format.")) from None


# The halls that a tournament is played in, as they are stored.


def check_halls(value: object) -> None:
    """Raise ValidationError unless these are halls."""
    try:
        read_halls(value)
    except ValueError:
        raise ValidationError(_("The halls are in an unknown format.")) from None


class HasHalls(models.Model):
    """[] for one place without a name."""

    # The tournament's.
    place: str | models.CharField[str, str]

    halls = models.JSONField(default=list, blank=True, validators=[check_halls])

    class Meta:
        abstract = True

    @property
    def hall_list(self) -> tuple[Hall, ...]:
        return read_halls(self.halls)

    def place_at(self, table: int) -> str:
        """The place of a table: that of its hall, else that of the event."""
        hall = hall_of(self.hall_list, table) if self.halls else None
        return hall.place if hall and hall.place else self.place

    def hall_at(self, table: int) -> str:
        """The name of the hall where a table is; "" where there are none."""
        return name_of_hall(self.hall_list, table) if self.halls else ""


class HasWall(models.Model):
    """{} for the defaults."""

    projector = models.JSONField(default=dict, blank=True, validators=[check_wall])

    class Meta:
        abstract = True

    @property
    def wall(self) -> Wall:
        return read_wall(self.projector)
