"""Championships: every stage with its groups, and who advances, as the hall shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from django.urls import reverse
from ninja import Path, Router
from pydantic import Field

from core.tables.files import number_of
from tournaments.api.base import (
    LARGEST,
    NOBODY,
    USUAL_ON_A_PAGE,
    ClubRef,
    Cursor,
    Day,
    Limit,
    Reference,
    Shape,
    Slug,
    answered,
    page_by,
    player_refs,
    ref,
    replies,
    team_refs,
)
from tournaments.api.clubs import host_and_union
from tournaments.domain.formats import Ranked
from tournaments.hall.seasons import find_championship, shown_stages
from tournaments.models import Championship

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.hall.seasons import Line
    from tournaments.models import Tournament
    from tournaments.seasons.stages import Group

router = Router(tags=["championships"])

ChampionshipId = Annotated[int, Path(ge=0, le=LARGEST, description="The championship’s id.")]


class ChampionshipLine(Shape):
    """A championship of a club or a union."""

    id: int = Field(description="The championship's id.")
    name: str = Field(description="The championship's name.")
    host: ClubRef = Field(description="The club or union that holds it.")
    date: Day = Field(description="The day of its first session.")
    page: str = Field(description="The address of its page in the hall.")


class Championships(Shape):
    """A page of championships, the newest made first."""

    items: list[ChampionshipLine] = Field(description="The championships on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class PartyShape(Shape):
    """A player, pair or team in a group.

    `score` is what places go by: a player's total; match points and tokens of a pair or team. `carried` is what of it
    was taken along from the stage before.
    """

    place: int = Field(description="The place in the group.")
    shared: bool = Field(description="Whether others have the same place.")
    number: int = Field(description="The number of the player, pair or team in the group's tournament.")
    name: str = Field(description="The name as the hall shows it.")
    person: int | None = Field(
        description="The player's id over the years; null for pairs, teams and who has no page."
    )
    club: str = Field(description="The club's name; empty for a guest.")
    club_ref: ClubRef | None = Field(description="The club; null for a guest.")
    score: list[int | float] = Field(description="What places go by, the most important first.")
    carried: list[int | float] = Field(
        description="What of the score was carried over from the stage before."
    )
    withdrawn: bool = Field(description="Whether they have withdrawn.")
    goes_on: bool = Field(description="Whether they go on to the next stage.")
    way: str = Field(description="group, next, moved up; withdrew, declined; empty for who does not go on.")


class GroupShape(Shape):
    """A group, which is a tournament; `letter` is empty where there is one group alone."""

    letter: str = Field(description="The group's letter; empty where there is one group alone.")
    tournament: str = Field(description="The code of the group's tournament.")
    name: str = Field(description="The tournament's name.")
    date: Day = Field(description="The day on which it is played.")
    finished: bool = Field(description="Whether it is over.")
    entered: int = Field(description="Players, or pairs or teams, who have not withdrawn.")
    items: list[PartyShape] = Field(description="The players, pairs or teams, the first place first.")


class StageShape(Shape):
    """A stage: so many of `each` group go on, and so many of the `next_best` of all."""

    number: int = Field(description="The stage's number, from 1.")
    name: str = Field(description="The stage's name.")
    over: bool = Field(description="Whether all of its groups are over.")
    each: int = Field(description="How many of each group go on.")
    next_best: int = Field(description="How many of the next best of all groups go on.")
    groups: list[GroupShape] = Field(description="The groups.")


class ChampionshipShape(ChampionshipLine):
    """A championship and its current stages."""

    stages: list[StageShape] = Field(description="The stages, in their order.")


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
    """Every stage with its groups, their current order, and who advances."""
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
    refs = REFERENCES[tournament.format_row.ranked](tournament)
    return GroupShape(
        letter=group.letter,
        tournament=tournament.code,
        name=tournament.name,
        date=tournament.date,
        finished=tournament.is_finished,
        entered=group.entered,
        items=[_party(line, refs.get(line.party.number, NOBODY)) for line in lines],
    )


def _team_references(tournament: Tournament) -> dict[int, Reference]:
    """Number -> club; a pair or team is no person."""
    return {number: Reference(None, club) for number, club in team_refs(tournament).items()}


REFERENCES = {Ranked.PLAYERS: player_refs, Ranked.TEAMS: _team_references}


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
