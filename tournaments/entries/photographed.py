"""Photographs on which names may stand as they were written: those of the tables where somebody sat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q

from tournaments.models import FormerSeat, Photograph, Seat, SheetPicture

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

    from clubs.models import Player


def photographs_of(players: Collection[Player]) -> QuerySet[Photograph]:
    """The photographs of slips and sheets of the tables where any of them sat."""
    # Two ways from who it is to what was photographed, each by indexes; one with "or" goes through all seats there are.
    found = Photograph.objects.order_by()
    sat = found.filter(table__seats__entry__player__in=players).values("pk")
    left = found.filter(table__former_seats__entry__player__in=players).values("pk")
    told = Photograph.objects.filter(pk__in=sat.union(left))
    return told.select_related("table__round__tournament").order_by("pk")


def set_aside_of(players: Collection[Player]) -> QuerySet[SheetPicture]:
    """The pictures of sheets of these tables, or sent by their captains, that are not their photographs."""
    # They go after two days: so each that lies there is asked whose it is, not each evening of theirs what lies there.
    there = Q(table=OuterRef("table")) | Q(table=OuterRef("captains"))
    sat, left = (model.objects.filter(there, entry__player__in=players) for model in (Seat, FormerSeat))
    lying = SheetPicture.objects.filter(Exists(sat) | Exists(left), photograph=None)
    return lying.select_related("tournament").order_by("pk")
