"""The days on which a tournament of matches is played: those of its rounds, and those of postponed matches."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils.timezone import localdate

from tournaments.domain.formats import FORMATS
from tournaments.models import Match, Round, Tournament

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from django.db.models import QuerySet


OF_MATCHES = [row.code for row in FORMATS.values() if "matches" in row.pages]
# A round that was played yesterday may have gone on past midnight.
A_NIGHT = timedelta(days=1)


@dataclass
class MatchDay:
    """A day on which matches are played: of which rounds, and which postponed ones (round, number, name)."""

    day: date
    rounds: list[int] = field(default_factory=list)
    postponed: list[tuple[int, int, str]] = field(default_factory=list)


def match_days(tournaments: QuerySet[Tournament]) -> Mapping[int, list[MatchDay]]:
    """Return the match days of the tournaments that have several, by primary key, in order; in two queries.

    The first round is on the tournament's day where it has none of its own; other rounds without one are left out.
    """
    of_matches = tournaments.filter(format__in=OF_MATCHES).order_by().values("pk")
    days: defaultdict[int, dict[date, MatchDay]] = defaultdict(dict)
    rounds = Round.objects.filter(tournament__in=of_matches).order_by("number")
    for pk, number, own, first in rounds.values_list("tournament", "number", "date", "tournament__date"):
        if day := own or (first if number == 1 else None):
            days[pk].setdefault(day, MatchDay(day)).rounds.append(number)
    # What a ruling has decided is not played.
    postponed = Match.objects.filter(
        round__tournament__in=of_matches, postponed_to__isnull=False, awarded_home=None
    ).order_by("round__number", "number")
    for pk, round_, number, day, home, away in postponed.values_list(
        "round__tournament", "round__number", "number", "postponed_to", "home__name", "away__name"
    ):
        if day:
            match_day = days[pk].setdefault(day, MatchDay(day))
            match_day.postponed.append((round_, number, f"{home} – {away}"))
    return {pk: [found[day] for day in sorted(found)] for pk, found in days.items() if len(found) > 1}


def next_days(tournaments: Iterable[Tournament], today: date) -> dict[int, date]:
    """Next match day of running tournaments that are between two match days, by primary key.

    Those played today, or without a date for the next round, are omitted.
    """
    running = [one.pk for one in tournaments if one.is_running and one.format in OF_MATCHES]
    coming: defaultdict[int, list[date]] = defaultdict(list)
    playing: set[int] = set()
    drawn: set[int] = set()
    rounds = Round.objects.filter(tournament__in=running).exclude(state=Round.State.CLOSED)
    for round_ in rounds.order_by("number") if running else ():
        pk, day = round_.tournament_id, round_.date
        is_next = round_.is_running or pk not in drawn
        if (day is None and is_next) or _is_played(round_, today):
            playing.add(pk)
        elif day is not None and day > today:
            coming[pk].append(day)
        if round_.is_drawn:
            drawn.add(pk)
    waiting = Match.objects.filter(
        round__tournament__in=running, postponed_to__gte=today, ended_at=None, awarded_home=None
    )
    for pk, day in waiting.values_list("round__tournament", "postponed_to") if running else ():
        if day == today:
            playing.add(pk)
        elif day:
            coming[pk].append(day)
    return {pk: min(days) for pk, days in coming.items() if pk not in playing}


def _is_played(round_: Round, today: date) -> bool:
    """Whether a round with a day is played today: that is its day, or was yesterday, or it was started today."""
    if round_.is_running and round_.started_at and localdate(round_.started_at) == today:
        return True
    earliest = today - A_NIGHT if round_.is_running else today
    return round_.date is not None and earliest <= round_.date <= today
