"""Championships: every stage with its groups, and who goes on, as the hall shows them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated

from django.urls import reverse
from ninja import Path, Router
from pydantic import Field

from clubs.table_file import number_of
from tournaments.api.answers import answered
from tournaments.api.clubs import host_and_union
from tournaments.api.cursors import page_by
from tournaments.api.references import NOBODY, Reference, player_refs, ref, team_refs
from tournaments.api.shapes import (
    LARGEST,
    USUAL_ON_A_PAGE,
    ClubRef,
    Cursor,
    Limit,
    Shape,
    Slug,
    replies,
)
from tournaments.hall.championship import find_championship, shown_stages
from tournaments.models import Championship

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.championships.stages import Group
    from tournaments.hall.championship import Line
    from tournaments.models import Tournament

router = Router(tags=["championships"])

ChampionshipId = Annotated[int, Path(ge=0, le=LARGEST)]


class ChampionshipLine(Shape):
    """A championship of a club or a union."""

    id: int
    name: str
    host: ClubRef
    date: date
    page: str = Field(description="The address of its page in the hall.")


class Championships(Shape):
    """A page of championships, the newest made first."""

    items: list[ChampionshipLine]
    next: str | None


class PartyShape(Shape):
    """A player, pair or team in a group.

    `score` is what places go by: a player's total; match points and tokens of a pair or team. `carried` is what of it
    was taken along from the stage before.
    """

    place: int
    shared: bool
    number: int
    name: str
    person: int | None
    club: str
    club_ref: ClubRef | None
    score: list[int | float]
    carried: list[int | float]
    withdrawn: bool
    goes_on: bool
    way: str = Field(description="group, next, moved up; withdrew, declined; empty for who does not go on.")


class GroupShape(Shape):
    """A group, which is a tournament; `letter` is empty where there is one group alone."""

    letter: str
    tournament: str
    name: str
    date: date
    finished: bool
    entered: int = Field(description="Players, or pairs or teams, who have not withdrawn.")
    items: list[PartyShape]


class StageShape(Shape):
    """A stage: so many of `each` group go on, and so many of the `next_best` of all."""

    number: int
    name: str
    over: bool
    each: int
    next_best: int
    groups: list[GroupShape]


class ChampionshipShape(ChampionshipLine):
    """A championship as it stands."""

    stages: list[StageShape]


def _line(championship: Championship) -> ChampionshipLine:
    return ChampionshipLine(
        id=championship.pk,
        name=championship.name,
        host=ref(championship.host),
        date=championship.date,
        page=reverse("hall_championship", args=[championship.pk]),
    )


@router.get("/clubs/{slug:slug}/championships", response=replies(Championships))
def club_championships(
    request: HttpRequest, slug: Slug, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The championships of a club and of its union, the newest made first."""
    found = Championship.objects.filter(host__in=host_and_union(slug)).select_related("host")
    rows, behind = page_by(request, found, "-pk", limit, cursor)
    return answered(request, Championships(items=[_line(one) for one in rows], next=behind))


@router.get("/championships/{int:pk}", response=replies(ChampionshipShape))
def championship(request: HttpRequest, pk: ChampionshipId) -> HttpResponseBase:
    """Every stage with its groups, as they stand, and who goes on."""
    found = find_championship(pk)
    stages = [
        StageShape(
            number=table.stage.number,
            name=table.stage.name,
            over=table.is_over,
            each=table.stage.each,
            next_best=table.stage.next_best,
            groups=[_group(group, lines) for group, lines in groups],
        )
        for table, groups in shown_stages(found)
    ]
    return answered(request, ChampionshipShape(**_line(found).model_dump(), stages=stages))


def _group(group: Group, lines: Sequence[Line]) -> GroupShape:
    tournament = group.tournament
    refs = _references(tournament)
    return GroupShape(
        letter=group.letter,
        tournament=tournament.code,
        name=tournament.name,
        date=tournament.date,
        finished=tournament.is_finished,
        entered=group.entered,
        items=[_party(line, refs.get(line.party.number, NOBODY)) for line in lines],
    )


def _references(tournament: Tournament) -> dict[int, Reference]:
    """Number -> person and club; a pair or team is no person."""
    if tournament.in_teams:
        return {number: Reference(None, club) for number, club in team_refs(tournament).items()}
    return player_refs(tournament)


def _party(line: Line, reference: Reference) -> PartyShape:
    party = line.party
    return PartyShape(
        place=party.rank,
        shared=party.shared,
        number=party.number,
        name=party.name,
        person=reference.person,
        club=party.club,
        club_ref=reference.club,
        score=[number_of(amount) for amount in party.score],
        carried=[number_of(amount) for amount in party.carried],
        withdrawn=party.withdrawn,
        goes_on=line.goes_on,
        way=line.way,
    )
