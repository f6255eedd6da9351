"""Endpoints for a key of a union, or of one of its clubs: teams that clubs have entered, and objections."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal

from django.db.models import Q
from ninja import Router
from pydantic import Field

from clubs.models import Scope
from tournaments.api.base import (
    USUAL_ON_A_PAGE,
    ClubRef,
    Cursor,
    Key,
    Limit,
    Shape,
    key_in,
    page_by,
    private,
    ref,
    replies,
)
from tournaments.models import Objection, TeamEntry

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

router = Router(tags=["with a key"])


class EnteredPlayer(Shape):
    """A player of a team that a club has entered."""

    name: str = Field(description="The player's own name.")
    captain: bool = Field(description="Whether they are the team's captain.")
    reserve: bool = Field(description="Whether they are a reserve.")


class EntryRuling(Shape):
    """A change of a team by the union's desk after the deadline."""

    what: Literal["changed", "withdrawn", "back", "dissolved"] = Field(description="What was done to it.")
    reason: str = Field(description="Why, as the desk has typed it.")
    ruled_at: datetime = Field(description="When it was ruled.")


class TeamEntryShape(Shape):
    """A team that a club has entered in a union's tournament."""

    tournament: str = Field(description="The tournament's code.")
    number: int = Field(description="The entry's number in the tournament.")
    club: ClubRef = Field(description="The club that entered it.")
    name: str = Field(description="The team's name; a pair without one is called by its players.")
    place: str = Field(description="Where its home matches are; may be empty.")
    status: Literal["entered", "changed", "withdrawn", "accepted", "declined"] = Field(
        description="What has become of it; `entered` and `changed` wait for the union's desk."
    )
    team: int | None = Field(description="The number of the team that was made of it; null for none.")
    answer: str = Field(description="Why it was declined; empty otherwise.")
    entered_at: datetime = Field(description="When it was entered.")
    changed_at: datetime = Field(description="When it was changed last.")
    players: list[EnteredPlayer] = Field(description="Those who play, in their order, then the reserves.")
    rulings: list[EntryRuling] = Field(description="The rulings about it, the first one first.")


class TeamEntries(Shape):
    """A page of teams that clubs have entered, the newest first."""

    items: list[TeamEntryShape] = Field(description="The entries on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class ObjectionShape(Shape):
    """An objection to a match, a deal, the standings or a line-up; an open one keeps the standings provisional."""

    tournament: str = Field(description="The tournament's code.")
    number: int = Field(description="The objection's number in the tournament.")
    by: str = Field(description="Who objects: a team, a player or a club.")
    about: Literal["match", "deal", "standings", "line_up"] = Field(description="What it is about.")
    round: int | None = Field(description="The round's number; null where it is about none.")
    table: int | None = Field(
        description="The table's number, or that of the match; null where it is about none."
    )
    deal: int | None = Field(description="The deal's number; null where it is about none.")
    words: str = Field(description="The objection, as it was typed.")
    made_at: datetime = Field(description="When it was made.")
    status: Literal["open", "upheld", "rejected", "withdrawn"] = Field(description="What has become of it.")
    answer: str = Field(description="The desk's answer; empty while it is open.")
    decided_at: datetime | None = Field(description="When it was decided; null while it is open.")


class Objections(Shape):
    """A page of objections, the newest first."""

    items: list[ObjectionShape] = Field(description="The objections on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


@router.get("/club/team-entries", response=replies(TeamEntries, 401, 403, etag=False), auth=Key(Scope.READ))
def own_team_entries(
    request: HttpRequest, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The teams that the key's club has entered, and those entered in its own tournaments by any club."""
    club = key_in(request).club
    found = TeamEntry.objects.filter(Q(tournament__host=club) | Q(club=club))
    there = found.select_related("tournament", "club", "team").prefetch_related("players__player", "rulings")
    rows, behind = page_by(request, there, "-pk", limit, cursor)
    return private(TeamEntries(items=[_entry(one) for one in rows], next=behind))


def _entry(one: TeamEntry) -> TeamEntryShape:
    told = {
        "tournament": one.tournament.code,
        "number": one.number,
        "club": ref(one.club),
        "name": str(one),
        "place": one.place,
        "status": one.state,
        "team": one.team.number if one.team else None,
        "answer": one.answer,
        "entered_at": one.entered_at,
        "changed_at": one.changed_at,
        "players": [
            EnteredPlayer(name=held.player.name, captain=held.is_captain, reserve=held.is_reserve)
            for held in one.players.all()
        ],
        "rulings": [
            {"what": ruling.what, "reason": ruling.reason, "ruled_at": ruling.ruled_at}
            for ruling in one.rulings.all()
        ],
    }
    return TeamEntryShape.model_validate(told)


@router.get("/club/objections", response=replies(Objections, 401, 403, etag=False), auth=Key(Scope.READ))
def own_objections(
    request: HttpRequest, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The objections in the tournaments of the key's club, and those of its teams and its own elsewhere."""
    club = key_in(request).club
    found = Objection.objects.filter(Q(tournament__host=club) | Q(club=club) | Q(team__club=club))
    there = found.select_related("tournament__host", "club", "team", "entry__player", "entry__club")
    rows, behind = page_by(request, there, "-pk", limit, cursor)
    return private(Objections(items=[_objection(one) for one in rows], next=behind))


def _objection(one: Objection) -> ObjectionShape:
    same = ("number", "about", "words", "made_at", "answer", "decided_at")
    told = {name: getattr(one, name) for name in same}
    told |= {
        "tournament": one.tournament.code,
        "by": str(one.who),
        "round": one.round_number,
        "table": one.table_number,
        "deal": one.deal_number,
        "status": one.state,
    }
    return ObjectionShape.model_validate(told)
