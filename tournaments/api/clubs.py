"""Clubs and unions, with what the hall publishes about them over the years."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Prefetch
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Router
from pydantic import Field

from clubs.models import Affiliation, Club
from clubs.roles import is_union
from tournaments.api.base import (
    USUAL_ON_A_PAGE,
    ClubRef,
    Cursor,
    Day,
    Limit,
    Shape,
    Slug,
    answered,
    club_refs,
    page_by,
    ref,
    replies,
)
from tournaments.hall.club import find_club
from tournaments.hall.years.links import at_evenings, club_with_history
from tournaments.models import Tournament
from tournaments.people import visibility
from tournaments.people.history import EVENINGS, NAMES, RUN, history
from tournaments.seasons.ratings import around, rating_list, refresh_ratings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

router = Router(tags=["clubs"])

# What was done over many evenings, none of which made it.
OVER_MANY = (RUN, EVENINGS)


class ClubShape(Shape):
    """A club, or a union of clubs."""

    id: int = Field(description="The club's number, the same for good.")
    slug: str = Field(description="The club's short name in addresses.")
    name: str = Field(description="The club's name.")
    town: str = Field(description="The town; may be empty.")
    union: ClubRef | None = Field(description="The union that the club joined first; null for none.")
    unions: list[ClubRef] = Field(description="All unions that the club is a member of now.")
    is_union: bool = Field(description="Whether other clubs are members of it.")
    colour: str = Field(description="As #1a5f3f; empty where the club has none of its own.")
    crest: str | None = Field(description="The address of its picture (WebP).")
    page: str = Field(description="The address of its page in the hall.")


class Clubs(Shape):
    """A page of clubs, in the order in which they were made."""

    items: list[ClubShape] = Field(description="The clubs and unions on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class RecordShape(Shape):
    """A record of a club or union, and who holds it."""

    kind: str = Field(description="Which record, as a code.")
    name: str = Field(description="Which record, in the language asked for.")
    value: int = Field(description="The record: tokens, deals, games or evenings.")
    holder: str = Field(description="The name of who holds it, as the hall shows it.")
    person: int | None = Field(description="The holder's id over the years; null for who has no page.")
    others: int = Field(description="How many hold it too.")
    tournament: str | None = Field(description="The code of the evening that made it; null for many.")
    date: Day | None = Field(description="The day of that evening; null where many evenings made the record.")


class Records(Shape):
    """The records that the hall shows of a club or union."""

    club: ClubRef = Field(description="The club or union.")
    items: list[RecordShape] = Field(description="The records.")


class RatingLine(Shape):
    """A player's rating; `place` is null for who has not played for a year."""

    place: int | None = Field(description="The place; null for who has not played for a year.")
    name: str = Field(description="The name as the hall shows it.")
    person: int | None = Field(description="The player's id over the years; null for who has no page.")
    club: str = Field(description="The name of the player's club.")
    club_ref: ClubRef | None = Field(description="The player's club.")
    rating: int = Field(description="The rating, in points.")
    give_or_take: int = Field(description="How uncertain the rating is, in points either way.")
    tables: int = Field(description="How many tables the rating is made of.")
    tournament: str = Field(description="The code of their newest evening.")
    number: int = Field(description="Their number there.")


class RatingList(Shape):
    """The rating of a club's, or a union's, players."""

    club: ClubRef = Field(description="The club or union.")
    recount_since: datetime | None = Field(
        description="Since when all ratings are being recalculated, after an older evening was corrected: until that is"
        " done, the list is the one from before. Null when it is up to date."
    )
    items: list[RatingLine] = Field(description="The players, the highest rating first.")


def host_and_union(slug: str) -> list[int]:
    """A club and its unions (primary keys): their tournaments are listed on the club's pages."""
    return find_club(slug).itself_and_unions()


def _shape(club: Club, of: Iterable[Club], *, is_union: bool) -> ClubShape:
    unions = [ref(union) for union in of]
    crest = reverse("hall_crest", args=[club.slug, club.crest]) if club.crest else None
    return ClubShape(
        id=club.pk,
        slug=club.slug,
        name=club.name,
        town=club.town,
        union=unions[0] if unions else None,
        unions=unions,
        is_union=is_union,
        colour=club.colour,
        crest=crest,
        page=reverse("hall_club", args=[club.slug]),
    )


@router.get("/clubs", response=replies(Clubs))
def clubs(request: HttpRequest, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = "") -> HttpResponseBase:
    """Clubs and unions that have held, or hold, a tournament, as the hall's front door lists them."""
    held = Tournament.objects.not_called_off().filter(host=OuterRef("pk"))
    joined = Affiliation.objects.filter(left=None).select_related("union")
    found = Club.objects.filter(Exists(held) | is_union()).annotate(has_clubs=is_union())
    found = found.prefetch_related(Prefetch("affiliations", joined))
    rows, behind = page_by(request, found, "pk", limit, cursor)
    return answered(
        request,
        Clubs(
            items=[
                _shape(club, [one.union for one in club.affiliations.all()], is_union=club.has_clubs)
                for club in rows
            ],
            next=behind,
        ),
    )


@router.get("/clubs/{slug:slug}", response=replies(ClubShape))
def club(request: HttpRequest, slug: Slug) -> HttpResponseBase:
    """A club or union."""
    found = find_club(slug)
    return answered(request, _shape(found, found.unions, is_union=found.clubs.exists()))


@router.get("/clubs/{slug:slug}/records", response=replies(Records))
def club_records(request: HttpRequest, slug: Slug) -> HttpResponseBase:
    """The records of all years; a club that has no statistics over the years has none (404)."""
    found = club_with_history(slug)
    records = history(found).records()
    at = at_evenings([one.entry for one in records])
    items = [
        RecordShape(
            kind=one.kind,
            name=_(NAMES[one.kind]),
            value=one.value,
            holder=at[one.entry].who.name,
            person=one.player if at[one.entry].who.page else None,
            others=one.shared_by - 1,
            tournament=None if one.kind in OVER_MANY else at[one.entry].code,
            date=None if one.kind in OVER_MANY else at[one.entry].day,
        )
        for one in records
    ]
    return answered(request, Records(club=ref(found), items=items))


@router.get("/clubs/{slug:slug}/rating", response=replies(RatingList))
def club_rating(request: HttpRequest, slug: Slug) -> HttpResponseBase:
    """The rating of the club's, or the union's, players; a club that does not show it has none (404)."""
    found = find_club(slug)
    if not found.shows_rating:
        raise Http404
    recount_since = refresh_ratings(around(found))
    listed = rating_list(found, timezone.localdate())
    # A number with a link to a person's page would identify them.
    pages = visibility.with_page([line.player for line in listed if not line.by_number])
    clubs_of = club_refs([line.club_id for line in listed])
    items = [
        RatingLine(
            place=line.place or None,
            name=line.name,
            person=line.player if line.player in pages else None,
            club=line.club,
            club_ref=clubs_of.get(line.club_id),
            rating=line.rated.points,
            give_or_take=line.rated.give_or_take,
            tables=line.rated.tables,
            tournament=line.code,
            number=line.number,
        )
        for line in listed
    ]
    return answered(request, RatingList(club=ref(found), recount_since=recount_since, items=items))
