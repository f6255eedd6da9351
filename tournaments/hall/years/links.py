"""Links between pages over the years, with the names of people; the pages of a club, and who may open them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

from django.http import Http404
from django.shortcuts import redirect
from django.urls import reverse

from clubs.models import Club
from tournaments.hall.about import render_page
from tournaments.hall.club import find_club
from tournaments.hall.live import player_pages
from tournaments.hall.years.span_form import SpanForm
from tournaments.models import Entry, MergedPlayer
from tournaments.models.names import Of, shown_names
from tournaments.people import visibility
from tournaments.people.history import History, history

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from datetime import date

    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase


# What people are called in lists over the years, and where one is led to from there.


class Named(NamedTuple):
    """A name as the hall may show it; `page` is the URL of the person's own, "" where there is none."""

    name: str
    page: str = ""


class AtEvening(NamedTuple):
    """A player at an evening, with the URL of their page there."""

    who: Named
    evening: str
    code: str
    day: date
    address: str


def people_of(entries: Collection[int]) -> dict[int, Named]:
    """Player -> name, by an entry of each (primary keys)."""
    told = Entry.objects.filter(pk__in=entries).order_by()
    rows = list(told.values_list("player", "club", "tournament__host", "number"))
    numbers = clubs_showing_numbers()
    names = shown_names(Of(player, club or host, number) for player, club, host, number in rows)
    # The link of a number to a person's page would reveal the name.
    pages = visibility.with_page(
        [player for player, club, host, _number in rows if (club or host) not in numbers]
    )
    return {player: Named(name, _page(player, pages)) for player, name in names.items()}


def at_evenings(entries: Collection[int]) -> dict[int, AtEvening]:
    """Entry -> its player's public name, and its evening."""
    told = Entry.objects.filter(pk__in=entries).select_related("player", "club", "tournament__host")
    rows = list(told.order_by())
    numbers, page_of = clubs_showing_numbers(), player_pages("hall_player")
    by_name = {row.pk for row in rows if (row.club_id or row.tournament.host_id) not in numbers}
    pages = visibility.with_page([row.player_id for row in rows if row.pk in by_name])
    return {
        row.pk: AtEvening(
            Named(row.shown_name, _page(row.player_id, pages if row.pk in by_name else ())),
            row.tournament.name,
            row.tournament.code,
            row.tournament.date,
            page_of(row.tournament.code, row.number),
        )
        for row in rows
    }


def pages_of(players: Iterable[int | None]) -> dict[int, str]:
    """The pages of those who have one."""
    found = visibility.with_page({player for player in players if player})
    return {player: reverse("person", args=[player]) for player in found}


def clubs_showing_numbers() -> set[int]:
    """The clubs (primary keys) that show their players as numbers."""
    return set(Club.objects.filter(name_style=Club.NameStyle.NUMBER).values_list("pk", flat=True))


def _page(player: int, pages: Collection[int]) -> str:
    return reverse("person", args=[player]) if player in pages else ""


# Permanent URLs: a merged player had two numbers, and both lead to the one page.

# URL parameters of a person, or of two persons.
PEOPLE = "pk", "other"


def led_on(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Decorator for pages of persons: a merged person's URL redirects permanently to the remaining one.

    Only to persons with a public page. A page about two persons who are now one redirects to that person's page.
    """

    @wraps(view)
    def led(request: HttpRequest, **said: Any) -> HttpResponseBase:
        try:
            return view(request, **said)
        except Http404:
            address = _now_at(request, said)
            if not address:
                raise
            return redirect(address, permanent=True)

    return led


def _now_at(request: HttpRequest, said: dict[str, Any]) -> str:
    """URL of the same page for the remaining persons; "" if none was merged, or there is no such page."""
    asked = {name: said[name] for name in PEOPLE if name in said}
    # One by one: a number that no database has is found nowhere.
    found = [MergedPlayer.objects.filter(number=number).first() for number in asked.values()]
    moved = {one.number: one.player_id for one in found if one}
    now = {name: moved.get(number, number) for name, number in asked.items()}
    here = request.resolver_match
    if here is None or not moved or len(visibility.with_page(set(now.values()))) < len(set(now.values())):
        return ""
    if len(set(now.values())) < len(now):
        return reverse("person", args=[now["pk"]])
    page = reverse(here.view_name, kwargs=said | now)
    asked_for = request.GET.urlencode()
    return f"{page}?{asked_for}" if asked_for else page


# The pages of a club over the years, and the permission to open them.

PAGES = ("hall_history", "hall_records", "hall_clubs", "hall_club_explorer")


@dataclass(frozen=True, slots=True)
class Asked:
    """The requested club and span; `history` is None where the URL is invalid."""

    club: Club
    span_form: SpanForm
    history: History | None

    @property
    def is_union(self) -> bool:
        return len({host for year in self.history.years for host in year.hosts} if self.history else ()) > 1


def club_with_history(slug: str) -> Club:
    """Raises Http404 where the club, and its clubs, have no statistics over the years."""
    club = find_club(slug)
    if not visibility.hosts(club).exists():
        raise Http404
    return club


def asked_of(request: HttpRequest, slug: str) -> Asked:
    club = club_with_history(slug)
    # Years are materialized; arbitrary days would have to be computed from a union's 144,000 results.
    form = SpanForm(request.GET, visibility.evenings(club), by_days=False)
    return Asked(club, form, history(club, form.span) if form.is_valid() else None)


def page_of(request: HttpRequest, page: str, asked: Asked, context: dict[str, Any]) -> HttpResponse:
    """A page, with the ways to the others; search engines list it for all years alone."""
    club = asked.club
    around = {
        "club": club,
        "span_form": asked.span_form,
        "span": asked.span_form.query,
        "is_union": club.clubs.exists(),
        "there": asked.history is not None,
    }
    found = visibility.may_club_be_found(club) and not request.GET
    return render_page(request, f"hall/years/{page}.html", around | context, may_be_found=found)
