"""The years of a club, or of a union, as they are kept: what is told of many is put together from them. Of a union's
144,000 results it would take seconds each time.

A year is kept by how many evenings it is of and by a print of their versions, which any change of one of them, of who
is told of there, and of what they are called makes another. So is a part of it: the evenings by a rulebook, of a
format, a club or a season, where these are many.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from django.db.models import CharField, Count, Q
from django.db.models.functions import Cast, Substr

from clubs.models import Club
from tournaments.changes.versions import print_of_versions
from tournaments.models import KeptYear
from tournaments.people import who
from tournaments.people.person import bring_up_to_date
from tournaments.people.span import Span, read
from tournaments.people.years import AtHost, Best, Own, Year, count, counted, together
from tournaments.standings.statistics import Declared

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.db.models import QuerySet

# The year under which all years together are kept.
ALL = 0
# So many evenings are counted in a twentieth of a second: a part of no more is not kept.
FEW = 150

# By year: how many evenings are counted, and a print of their versions.
Versions = dict[int, tuple[int, int]]


class Kept(NamedTuple):
    """Whose years are kept, and of which evenings: a span without a year."""

    around: Club
    span: Span

    @property
    def part(self) -> str:
        """As the database knows it; "" for all evenings."""
        return urlencode(self.span.as_query())

    @property
    def rows(self) -> QuerySet[KeptYear]:
        return KeptYear.objects.filter(around=self.around, part=self.part)


def years(around: Club, span: Span | None = None) -> tuple[list[Year], dict[int, Own]]:
    """The years in their order, and each person over all of them; of some days, or some evenings, nothing is kept."""
    span = span or Span()
    bring_up_to_date(who.evenings(around, span))
    of, now = Kept(around, replace(span, year=None)), _versions(around, span)
    is_few = sum(evenings for evenings, _versions in now.values()) <= FEW
    by_itself = span.first or span.last or span.evenings is not None
    if by_itself or (is_few and not of.span.is_all):
        found = count(around, span)
        return found, together(year.own for year in found)
    if span.year is not None:
        kept = [_read(row) for row in _kept(of, of.rows, now)]
        return kept, together(year.own for year in kept)
    brief = [_read(row, in_brief=True) for row in _kept(of, of.rows.defer("own"), now)]
    return brief, _whole(of, now)


def _whole(of: Kept, now: Versions) -> dict[int, Own]:
    """Each person over all years: kept too, by all evenings."""
    row = of.rows.filter(year=ALL, evenings=_of_all(now)[0], versions=_of_all(now)[1]).first()
    if row is not None:
        return _read_own(row)
    own = together(_read_own(row) for row in of.rows.filter(year__in=now).order_by("year"))
    _store(of, ALL, _of_all(now), {"said": {}, "own": _written_own(own)})
    return own


def _of_all(now: Versions) -> tuple[int, int]:
    evenings, versions = (sum(each) for each in zip(*now.values(), strict=True)) if now else (0, 0)
    return evenings, versions


def _kept(of: Kept, rows: QuerySet[KeptYear], now: Versions) -> list[KeptYear]:
    """The years as they are kept, in their order; such whose evenings have other versions `now` are counted anew."""
    kept = {row.year: row for row in rows.filter(year__in=now)}
    for year, version in now.items():
        if year not in kept or (kept[year].evenings, kept[year].versions) != version:
            found = count(of.around, replace(of.span, year=year))
            kept[year] = _store(of, year, version, _written(found[0] if found else Year(year)))
    return [kept[year] for year in sorted(now)]


def best_beside(host: Club, evening: int, year: int) -> dict[str, int]:
    """The host's records by kind until the end of this year, without those of one evening; nothing where it is all."""
    span = Span(last=date(year, 12, 31))
    bring_up_to_date(who.evenings(host, span))
    of = Kept(host, Span())
    found: dict[str, int] = {}
    for row in _kept(of, of.rows.defer("own"), _versions(host, span)):
        for kind, (most, at, other) in row.said["at_home"].items():
            value = other if at == evening else most
            if value >= 0:
                found[kind] = max(value, found.get(kind, 0))
    return found


def keep_what_is_lacking() -> None:
    """Keep the years of every club that has some: after an upgrade that is everything."""
    held = Club.objects.exclude(statistics=Club.Statistics.NOWHERE)
    for club in held.filter(Q(tournaments__isnull=False) | Q(clubs__tournaments__isnull=False)).distinct():
        years(club)


def clubs_kept() -> list[int]:
    """The clubs and unions of whom years are kept, by primary key: what takes longest to count, a union, first."""
    clubs = Club.objects.filter(pk__in=KeptYear.objects.values("around"))
    return list(clubs.annotate(many=Count("clubs")).order_by("-many", "pk").values_list("pk", flat=True))


def kept_otherwise(club: int) -> Iterator[tuple[Club, int]]:
    """Which years of a club are kept as their results do not give them, `ALL` together last; such that wait to be
    counted anew are passed over, as do those of which an evening changes while they are counted here.
    """
    around = Club.objects.get(pk=club)
    parts = KeptYear.objects.filter(around=club).order_by("part").values_list("part", flat=True).distinct()
    for part in parts:
        of = Kept(around, read(dict(parse_qsl(part))))
        before, gives, now = _versions(*of), count(*of), _versions(*of)
        gives_of = {year.year: _written(year) for year in gives}
        gives_of[ALL] = {"said": {}, "own": _written_own(together(year.own for year in gives))}
        before[ALL], now[ALL] = _of_all(before), _of_all(now)
        for row in of.rows.order_by("-year"):
            if not before.get(row.year) == now.get(row.year) == (row.evenings, row.versions):
                continue
            said = json.loads(json.dumps(gives_of.get(row.year) or _written(Year(row.year))))
            if {"said": row.said, "own": row.own} != said:
                yield around, row.year


# A date as text: SQLite has Django's own, slow, function for the year of one.
YEAR = Substr(Cast("date", CharField()), 1, 4)


def _versions(around: Club, span: Span) -> Versions:
    by_year = counted(around, span).values_list(YEAR).annotate(Count("pk"), versions=print_of_versions())
    return {int(year): (evenings, int(versions)) for year, evenings, versions in by_year}


def _store(of: Kept, year: int, version: tuple[int, int], said: Mapping[str, Any]) -> KeptYear:
    evenings, versions = version
    of_evenings = {"evenings": evenings, "versions": versions}
    return of.rows.update_or_create(
        around=of.around, part=of.part, year=year, defaults={**of_evenings, **said}
    )[0]


def _written(year: Year) -> dict[str, Any]:
    said = {
        "best": year.best,
        "hosts": [[host, *at] for host, at in year.hosts.items()],
        "people": year.people,
        "at_home": year.at_home,
        "contracts": {
            name: [line.deals, line.tokens, line.won, line.bete, line.kodille]
            for name, line in year.contracts.items()
        },
    }
    return {"said": said, "own": _written_own(year.own)}


def _written_own(own: Mapping[int, Own]) -> list[list[int]]:
    return [[player, *of_player] for player, of_player in own.items()]


def _read_own(row: KeptYear) -> dict[int, Own]:
    return {player: Own(*own) for player, *own in row.own}


def _read(row: KeptYear, *, in_brief: bool = False) -> Year:
    """A year as it is kept; in brief, nothing of each person."""
    said = row.said
    return Year(
        row.year,
        {kind: Best(*best) for kind, best in said["best"].items()},
        {} if in_brief else _read_own(row),
        {host: AtHost(*at) for host, *at in said["hosts"]},
        said["people"],
        {name: Declared(*line) for name, line in said["contracts"].items()},
        {kind: (most, evening, other) for kind, (most, evening, other) in said["at_home"].items()},
    )
