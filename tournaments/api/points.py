"""Published points lists of unions, as the hall shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from django.http import Http404
from ninja import Path, Router
from pydantic import Field

from core.tables.files import number_of
from tournaments.api.base import (
    LARGEST,
    USUAL_ON_A_PAGE,
    ClubRef,
    Cursor,
    Day,
    Limit,
    Shape,
    Slug,
    answered,
    page_by,
    page_of,
    read_cursor,
    ref,
    replies,
)
from tournaments.hall.club import find_club
from tournaments.models import PublishedList
from tournaments.people.points_lists import rule_in, shown_rows
from tournaments.seasons.points import first_day
from tournaments.seasons.points_text import points_in_words

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.people.points_lists import Counted, ShownRow

router = Router(tags=["points lists"])

ListId = Annotated[int, Path(ge=0, le=LARGEST, description="The list’s id.")]


class PointsListLine(Shape):
    """A points list that a union has published; it never changes."""

    id: int = Field(description="The list's id.")
    union: ClubRef = Field(description="The union that published it.")
    date: Day = Field(description="The day of the list.")
    players: int = Field(description="How many players the whole list has.")
    page: str = Field(description="The address of its page in the hall.")


class PointsLists(Shape):
    """A page of published lists, the newest made first."""

    items: list[PointsListLine] = Field(description="The lists on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class CountedResult(Shape):
    """A result that counts in a player's points."""

    tournament: str = Field(description="The tournament's code.")
    name: str = Field(description="The tournament's name when the list was published.")
    kind: str = Field(description="evening, union, championship, teams")
    place: int = Field(description="The player's place there.")
    field: int = Field(description="How many players, pairs or teams the place was among.")
    table_points: int = Field(description="The points for the place.")
    weight: float = Field(description="The weight of tournaments of this kind.")
    share: float = Field(description="The share with which the tournament counts at its age.")
    points: int | float = Field(description="What the result counts: points times weight times share.")
    counts_less_from: Day = Field(description="The day from which on it counts less.")


class PointsListRow(Shape):
    """A player's row."""

    place: int = Field(description="The place.")
    shared: bool = Field(description="Whether others have the same place.")
    name: str = Field(description="The name as the hall shows it; N.N. for who was erased.")
    person: int | None = Field(description="The player's id over the years; null for who has no page.")
    club_ref: ClubRef = Field(description="The player's club.")
    points: int | float = Field(description="The points.")
    tournaments: int = Field(description="How many tournaments the player was at that could count.")
    place_before: int | None = Field(description="The place in the list before; null for who was not in it.")
    results: list[CountedResult] = Field(description="The results that count, the best first.")


class PointsListShape(PointsListLine):
    """A published list with a page of its rows."""

    rule_in_words: list[str] = Field(description="How it counts, as sentences in the language asked for.")
    items: list[PointsListRow] = Field(description="The players on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


def _line(published: PublishedList) -> PointsListLine:
    return PointsListLine(
        id=published.pk,
        union=ref(published.union),
        date=published.day,
        players=published.players,
        page=published.get_absolute_url(),
    )


@router.get("/clubs/{slug:slug}/points-lists", response=replies(PointsLists))
def club_points_lists(
    request: HttpRequest, slug: Slug, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The points lists that a union has published, the newest made first."""
    found = find_club(slug).published_lists.select_related("union")
    rows, behind = page_by(request, found, "-pk", limit, cursor)
    return answered(request, PointsLists(items=[_line(one) for one in rows], next=behind))


@router.get("/points-lists/{int:pk}", response=replies(PointsListShape))
def points_list(
    request: HttpRequest, pk: ListId, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """A published points list, in pages of players, with the results that count for each."""
    published = PublishedList.objects.select_related("union").filter(pk=pk).first()
    if published is None:
        raise Http404
    after = read_cursor(cursor, int)
    begin = int(after[0]) if after else 0
    found = published.rows.all()[begin : begin + limit + 1]
    numbered = list(enumerate(shown_rows(published, found), start=begin + 1))
    rows, behind = page_of(request, numbered, limit, lambda row: (row[0],))
    shape = PointsListShape(
        **_line(published).model_dump(),
        rule_in_words=points_in_words(rule_in(published)),
        items=[_row(row) for _number, row in rows],
        next=behind,
    )
    return answered(request, shape)


def _row(row: ShownRow) -> PointsListRow:
    return PointsListRow(
        place=row.place,
        shared=row.shared,
        name=row.name,
        person=row.player,
        club_ref=ref(row.club),
        points=number_of(row.points),
        tournaments=row.played,
        place_before=row.before or None,
        results=[_result(counted) for counted in row.counted],
    )


def _result(counted: Counted) -> CountedResult:
    part = counted.part
    return CountedResult(
        tournament=counted.code,
        name=counted.name,
        kind=part.kind,
        place=part.place,
        field=part.field,
        table_points=part.points,
        weight=number_of(part.weight),
        share=number_of(part.share),
        points=number_of(part.worth),
        counts_less_from=first_day(part.until),
    )
