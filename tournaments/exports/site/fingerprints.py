"""Fingerprints of what a published page is made of; a page with an equal one is not rendered again."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import defaultdict
from datetime import date
from functools import cached_property
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db.models import Count, F, Max, Q

from clubs.models import Affiliation, Club, News, Player
from tournaments.models import (
    Award,
    Championship,
    Entry,
    EveningResult,
    MergedPlayer,
    OldEvent,
    OldPlace,
    PublishedList,
    PublishedRow,
    Season,
    Stage,
    Tournament,
)
from tournaments.models.points import people_now
from tournaments.people import visibility
from tournaments.people.club_years import FIELDS
from tournaments.people.evening_cards import HAND_LIES
from tournaments.people.person import bring_up_to_date
from tournaments.seasons.rating import Known
from tournaments.seasons.ratings import is_away, ratings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


# Fingerprints of the site's pages: for each tournament, person, club … a value that changes when its pages do.
#
# A tournament's version covers everything in it and the names of its persons and host. What a page shows of other
# objects is queried here for all pages at once. A page that shows data missing here would become stale: who adds
# data to a page must add it here.


def print_of(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def print_of_program() -> str:
    """Another when a template, a text, a rule or the look is."""
    return print_of(settings.PRINT_OF_PROGRAM(), getattr(staticfiles_storage, "manifest_hash", ""))


class Evening(NamedTuple):
    """The columns of a tournament that fingerprints need."""

    pk: int
    code: str
    version: int
    day: date
    host: int
    state: str
    called_off: bool
    season: int | None
    championship: int | None

    @property
    def is_over(self) -> bool:
        return self.state == Tournament.State.FINISHED

    @property
    def version_key(self) -> tuple[object, ...]:
        return self.pk, self.version


class MadeOf:
    """The fingerprints of all pages on a day; of one club (a union: with its clubs), or of all."""

    def __init__(self, today: date, club: Club | None = None) -> None:
        self.today, self.club = today, club
        bring_up_to_date(visibility.evenings())
        self.clubs = {one.pk: one for one in Club.objects.all()}
        self.unions: dict[int, list[int]] = defaultdict(list)
        for one, union in Affiliation.objects.filter(left=None).values_list("club", "union"):
            self.unions[one].append(union)
        self.known: dict[int, Known] = {}
        for whole in {self._rated_in(pk) for pk, one in self.clubs.items() if one.shows_rating}:
            self.known |= ratings(self.clubs[whole])

    def prints(self) -> dict[str, str]:
        """Print by what pages are of (`addresses.unit_of`); what is not in it has no page here."""
        program = print_of_program()
        told = chain(
            self._of_evenings(),
            self._of_people(),
            self._of_clubs(),
            self._of_seasons(),
            self._of_championships(),
        )
        found = {str(unit): print_of(program, *parts) for unit, *parts in told}
        found["rules"] = program
        if self.club is None:
            found["home"] = print_of(program, self._list_of(self.evenings), self._said_of(self.clubs))
        return found

    @cached_property
    def hosts(self) -> set[int]:
        """The clubs whose evenings are published."""
        if self.club is None:
            return set(self.clubs)
        return {pk for pk in self.clubs if self.club.pk in (pk, *self.unions[pk])}

    @cached_property
    def evenings(self) -> list[Evening]:
        """All, the oldest first."""
        rows = Tournament.objects.order_by("date", "pk").values_list(
            "pk", "code", "version", "date", "host", "state", "called_off_at", "season", "stage__championship"
        )
        return [Evening(*row[:6], row[6] is not None, *row[7:]) for row in rows]

    @cached_property
    def by_host(self) -> dict[int, list[Evening]]:
        found: dict[int, list[Evening]] = defaultdict(list)
        for one in self.evenings:
            found[one.host].append(one)
        return found

    @cached_property
    def people_at(self) -> dict[int, list[int]]:
        """Tournament -> players."""
        found: dict[int, list[int]] = defaultdict(list)
        for tournament, player in Entry.objects.order_by().values_list("tournament", "player"):
            found[tournament].append(player)
        return found

    def _said_of(self, clubs: Iterable[int]) -> list[tuple[object, ...]]:
        """The clubs' own data."""
        told = (self.clubs[pk] for pk in sorted(clubs))
        return [tuple(getattr(one, field.attname) for field in Club._meta.concrete_fields) for one in told]

    def _around(self, club: int) -> list[int]:
        """The club, its unions, and its clubs."""
        return [pk for pk in self.clubs if club in (pk, *self.unions[pk]) or pk in self.unions[club]]

    def _rated_in(self, club: int) -> int:
        """The union that the club joined first, or the club itself, as `ratings.around` has it."""
        return next(iter(self.unions[club]), club)

    def _list_of(self, evenings: Iterable[Evening]) -> str:
        """The fingerprint of a list of evenings: their versions, and which of them are still to come."""
        said = [(*one.version_key, one.is_over or one.day >= self.today) for one in evenings]
        return print_of(said)

    def _of_evenings(self) -> Iterator[tuple[object, ...]]:
        closed = self._closed
        for host, evenings in self.by_host.items():
            if host not in self.hosts:
                continue
            about = print_of(self._said_of(self._around(host)))
            for one, records in zip(evenings, self._records(evenings), strict=True):
                people = [pk for pk in self.people_at.get(one.pk, ()) if pk in closed]
                day = None if one.is_over else self.today
                stage = self._championships.get(one.championship or 0)
                season = self._seasons.get(one.season or 0)
                yield f"t/{one.code}", one.version, about, records, people, day, stage, season

    @cached_property
    def _seasons(self) -> dict[int, str]:
        """The fingerprint of the seasons' names."""
        return dict(Season.objects.values_list("pk", "name"))

    @cached_property
    def _closed(self) -> set[int]:
        """The players whose pages search engines may not index."""
        closed = Count("pk", filter=visibility.CLOSED)
        told = visibility.with_names(visibility.entries()).values("player").annotate(closed=closed)
        return {one["player"] for one in told if one["closed"]}

    def _records(self, evenings: list[Evening]) -> Iterator[tuple[int, ...]]:
        """For each evening the host's records until that day, to detect broken ones."""
        before: tuple[int, ...] = (0,) * len(FIELDS)
        for _day, of_day in groupby(evenings, key=lambda one: one.day):
            same = list(of_day)
            for one in same:
                beside = (
                    self._best[other.pk] for other in same if other.pk != one.pk and other.pk in self._best
                )
                yield _most(before, *beside)
            before = _most(before, *(self._best[one.pk] for one in same if one.pk in self._best))

    @cached_property
    def _best(self) -> dict[int, tuple[int, ...]]:
        """Tournament -> best values of each kind."""
        entries = visibility.told_of(Entry.objects.order_by())
        rows = (
            EveningResult.objects.filter(entry__in=entries.values("pk")).order_by().values_list("tournament")
        )
        most = {f"most_{kind}": Max(field) for kind, field in FIELDS.items()}
        return {pk: tuple(value or 0 for value in values) for pk, *values in rows.annotate(**most)}

    def _of_people(self) -> Iterator[tuple[object, ...]]:
        """A person's evenings, and those of the clubs visited: attendance is shown."""
        mine: dict[int, list[Evening]] = defaultdict(list)
        for one in self.evenings:
            for player in self.people_at.get(one.pk, ()):
                mine[player].append(one)
        flags = print_of(
            [
                (one.pk, one.name, one.slug, self.unions[one.pk], one.name_style, one.statistics, one.is_findable,
                 one.shows_rating, one.shows_achievements, one.gives_cards)
                for one in self.clubs.values()
            ]
        )  # fmt: skip
        names = dict(
            Player.objects.filter(
                pk__in=visibility.with_names(visibility.entries()).values("player")
            ).values_list("pk", "name")
        )
        until, old, points = self._until, self._old, self._points
        for player, name in names.items():
            evenings = mine.get(player, [])
            if not any(one.host in self.hosts for one in evenings):
                continue
            last = {one.host: one.day for one in evenings}
            clubs = [until(host, day) for host, day in last.items()]
            known = self.known.get(player)
            now = known and known.on(self.today)
            rated = now and (now.points, now.give_or_take, is_away(now, self.today))
            yield (
                f"person/{player}", name, [one.version_key for one in evenings], flags, clubs, rated, old.get(player),
                points.get(player),
            )  # fmt: skip

    @cached_property
    def _until(self) -> Any:
        """(host, day) -> a print of the host's evenings until then; once a year is over, until its end."""
        sums: dict[int, tuple[list[date], list[str]]] = {}
        for host, evenings in self.by_host.items():
            so_far, prints = "", []
            for one in evenings:
                so_far = print_of(so_far, one.version_key, one.is_over)
                prints.append(so_far)
            sums[host] = [one.day for one in evenings], prints

        def until(host: int, day: date) -> str:
            days, prints = sums[host]
            last = date(day.year, 12, 31) if day.year < self.today.year else day
            return prints[bisect_right(days, last) - 1]

        return until

    @cached_property
    def _old(self) -> dict[int, list[object]]:
        """Player -> what they won before the program."""
        found: dict[int, list[object]] = defaultdict(list)
        rows = OldPlace.objects.exclude(player=None).filter(event__in=OldEvent.objects.values("pk"))
        for player, *told in rows.order_by("pk").values_list(
            "player", "place", "tokens", "event", "event__name", "event__year", "event__date", "event__kind"
        ):
            found[player].append(told)
        return found

    @cached_property
    def _points(self) -> dict[int, list[object]]:
        """Player -> their rows in the newest lists of unions."""
        found: dict[int, list[object]] = defaultdict(list)
        newest = PublishedList.objects.order_by("union", "-day").values_list("union", "pk")
        for published in dict(reversed(newest)).values():
            rows = list(PublishedRow.objects.filter(published=published).values_list("person", "pk"))
            now = people_now(person for person, _row in rows)
            for person, row in rows:
                found[now.get(person, 0)].append(row)
        return found

    def _of_clubs(self) -> Iterator[tuple[object, ...]]:
        for pk in self.hosts:
            club = self.clubs[pk]
            of_it = [one for one in self.evenings if pk in (one.host, *self.unions[one.host])]
            evenings, about = self._list_of(of_it), print_of(self._said_of(self._around(pk)))
            beside = [pk, *self.unions[pk]]
            held = Q(host__in=beside)
            seasons = list(
                Season.objects.filter(held)
                .order_by("pk")
                .values_list("pk", "version", "name", "starts", "ends")
            )
            championships = [self._championships[one] for one in self._championships_of(beside)]
            shown = PublishedList.objects.filter(union__in=beside).values_list("pk", "day")
            lists = list(PublishedList.objects.filter(union=pk).values_list("pk", "digest"))
            news = print_of(list(News.objects.filter(club__in=beside).order_by("pk").values_list()))
            # A feed includes seasons of its unions in which others play, too.
            counted = {one[0] for one in seasons}
            standing = self._list_of(one for one in self.evenings if one.season in counted)
            # The front page begins with the season that runs.
            now = [one[0] for one in seasons if one[3] <= self.today <= one[4]]
            # It says who leads the ratings, and lays the best hand of a season that is over.
            ended = [one[0] for one in seasons if one[4] < self.today <= one[4] + HAND_LIES]
            rated = self._list_of(
                one for one in self.evenings if self._rated_in(one.host) == self._rated_in(pk)
            )
            away = sum(is_away(known, self.today) for known in self.known.values())
            yield (
                f"club/{club.slug}", evenings, about, seasons, championships, list(shown[:1]), standing, now, ended,
                (rated, away) if club.shows_rating else None,
            )  # fmt: skip
            yield f"follow/{club.slug}", evenings, about, seasons, standing, news, self.today
            over = [one[0] for one in seasons if one[4] < self.today]
            awards = list(Award.objects.filter(season__host=pk).order_by("pk").values_list())
            begun = [one for one in championships if one[1] < self.today]
            old = OldPlace.objects.filter(event__in=OldEvent.objects.filter(host__in=self._around(pk)))
            before = (
                list(old.order_by("pk").values_list()),
                list(OldEvent.objects.order_by("pk").values_list()),
            )
            numbers = sorted(club.memberships.values_list("player", "number")) if before[0] else None
            yield (
                f"history/{club.slug}",
                evenings,
                about,
                over,
                begun,
                awards,
                print_of(before, numbers),
                seasons,
            )
            if lists:
                yield f"points/{club.slug}", lists, about, self._names_in_lists(pk)
            if club.shows_rating:
                yield f"rating/{club.slug}", rated, about, self.today

    def _names_in_lists(self, union: int) -> str:
        """A print of what everybody is called who is in a list of the union, and who has a page."""
        persons = PublishedRow.objects.filter(published__union=union).values("person")
        names = Player.objects.filter(pk__in=persons).order_by("pk").values_list("pk", "name", "has_objected")
        merged = MergedPlayer.objects.filter(number__in=persons).order_by("number")
        return print_of(list(names), list(merged.values_list("number", "player__name")))

    @cached_property
    def _championships(self) -> dict[int, tuple[Any, ...]]:
        """Data of each championship and its stages."""
        stages: dict[int, list[Any]] = defaultdict(list)
        for row in Stage.objects.order_by("pk").values():
            stages[row["championship_id"]].append(sorted(row.items(), key=str))
        rows = Championship.objects.annotate(of=F("host")).order_by("pk")
        return {one.pk: (one.pk, one.date, one.host_id, one.name, stages[one.pk]) for one in rows}

    def _championships_of(self, hosts: list[int]) -> list[int]:
        return [pk for pk, one in self._championships.items() if one[2] in hosts]

    def _of_championships(self) -> Iterator[tuple[object, ...]]:
        for pk, said in self._championships.items():
            if said[2] in self.hosts:
                of_it = [one for one in self.evenings if one.championship == pk]
                yield f"championship/{pk}", said, self._list_of(of_it), self._said_of([said[2]])

    def _of_seasons(self) -> Iterator[tuple[object, ...]]:
        evenings: dict[int, list[Evening]] = defaultdict(list)
        for one in self.evenings:
            if one.season is not None:
                evenings[one.season].append(one)
        for season in Season.objects.filter(host__in=self.hosts):
            awards, deals = list(season.awards.values_list()), list(season.deals.values_list())
            cards = sorted({(one.host, self.clubs[one.host].gives_cards) for one in evenings[season.pk]})
            said = season.version, season.name, self._list_of(evenings[season.pk]), awards, deals
            yield (
                f"season/{season.pk}",
                *said,
                self._said_of([season.host_id]),
                season.ends < self.today,
                cards,
            )


def _most(*each: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(max(values) for values in zip(*each, strict=True))
