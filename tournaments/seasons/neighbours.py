"""Clubs that are neighbours: their union says up to how many kilometres, their positions how far apart they are."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.formats import number_format

from clubs.models import Affiliation, Club
from clubs.register_models import unions_with

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Neighbourhood:
    """A club, or a union with its clubs, and the clubs of known position in one union with them, by key."""

    own: frozenset[int]
    clubs: Mapping[int, Club]
    # Of each union how many kilometres apart neighbours are at most, and its clubs and itself.
    unions: tuple[tuple[int, frozenset[int]], ...]

    @classmethod
    def of(cls, club: Club) -> Neighbourhood:
        unions = Club.objects.filter(Q(pk=club.pk) | Q(pk__in=unions_with(club.pk)))
        limits = dict(unions.values_list("pk", "neighbours_km"))
        members: defaultdict[int, set[int]] = defaultdict(set)
        belonging = Affiliation.objects.filter(union__in=limits, left=None).order_by()
        for union, member in belonging.values_list("union", "club"):
            members[union].add(member)
        groups = tuple((limits[pk], frozenset({pk, *keys})) for pk, keys in members.items() if limits[pk])
        keys = frozenset().union(*(keys for _limit, keys in groups))
        clubs = Club.objects.exclude(position="").in_bulk(keys) if keys else {}
        return cls(frozenset({club.pk, *members[club.pk]}), clubs, groups)

    def kilometres(self, one: int, other: int) -> float | None:
        """The distance of two neighbours, one of them this club or of this union; None if they are not neighbours."""
        if one == other or self.own.isdisjoint({one, other}):
            return None
        most = max((limit for limit, keys in self.unions if {one, other} <= keys), default=0)
        distance = self.clubs[one].kilometres_to(self.clubs[other]) if most else None
        return distance if distance is not None and distance <= most else None

    def others(self) -> list[int]:
        """The neighbours outside."""
        here = self.own & self.clubs.keys()
        return [
            pk
            for pk in self.clubs.keys() - self.own
            if any(self.kilometres(one, pk) is not None for one in here)
        ]


def in_km(kilometres: float) -> str:
    """A distance for reading: whole kilometres from ten on."""
    digits = 0 if kilometres >= 10 else 1
    # `number_format` cuts further digits off.
    return number_format(round(kilometres, digits), digits)
