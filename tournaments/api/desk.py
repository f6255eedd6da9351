"""Data for a club's key beyond the hall: its members and entries, as the desk lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from django.db.models import Q
from django.utils import timezone
from ninja import Router
from pydantic import Field

from clubs.models import Membership, Scope
from clubs.register_models import WITH_NAMES, clubs_in
from tournaments.api.base import (
    USUAL_ON_A_PAGE,
    ClubRef,
    Code,
    Cursor,
    Key,
    Limit,
    Shape,
    key_in,
    own_tournament,
    page_by,
    private,
    replies,
)
from tournaments.api.references import ref

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.models import Entry

router = Router(tags=["with a key"])


class KeyShape(Shape):
    """The API key of the request."""

    name: str = Field(description="What the key is for, as the organiser named it.")
    club: ClubRef = Field(description="The club or union that the key acts for.")
    scopes: list[str] = Field(
        description="What it may do: `read`, `money`, `entries`, `check-in`, `reports`."
    )


class MemberShape(Shape):
    """A member of the club now, by their own name; addresses and phones are not published here."""

    club: ClubRef = Field(description="The member's club.")
    number: int | None = Field(description="The member's number in the club; null for none.")
    name: str = Field(description="The member's own name.")


class Members(Shape):
    """A page of members."""

    items: list[MemberShape] = Field(description="The members on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class DeskEntry(Shape):
    """A player as the desk lists them, by their own name."""

    number: int = Field(description="The player's number in the tournament.")
    name: str = Field(description="The player's own name.")
    club: ClubRef | None = Field(description="The player's club; null for a guest.")
    member: int | None = Field(description="The number in their club.")
    status: Literal["entered", "present", "withdrawn"] = Field(
        description="Whether they are entered, present, or have withdrawn."
    )
    fee_paid: bool = Field(description="Whether they have paid the entry fee.")


class DeskEntries(Shape):
    """A page of players."""

    items: list[DeskEntry] = Field(description="The players on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


@router.get("/club", response=replies(KeyShape, 401, 403, etag=False), auth=Key())
def own_key(request: HttpRequest) -> HttpResponseBase:
    """The API key of the request, and its scopes."""
    key = key_in(request)
    return private(KeyShape(name=key.name, club=ref(key.club), scopes=key.scopes))


@router.get("/club/members", response=replies(Members, 401, 403, etag=False), auth=Key(Scope.READ))
def own_members(
    request: HttpRequest, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The members of the key's club now; of a union those of its clubs that give it names and numbers."""
    club = key_in(request).club
    given = clubs_in(club, gives__in=WITH_NAMES)
    found = Membership.objects.on(timezone.localdate()).filter(Q(club=club) | Q(club__in=given))
    rows, behind = page_by(request, found.select_related("player", "club"), "pk", limit, cursor)
    items = [MemberShape(club=ref(one.club), number=one.number, name=one.player.name) for one in rows]
    return private(Members(items=items, next=behind))


@router.get(
    "/club/tournaments/{str:code}/entries",
    response=replies(DeskEntries, 401, 403, etag=False),
    auth=Key(Scope.READ),
)
def own_entries(
    request: HttpRequest, code: Code, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """All entries of a tournament of the key's club, by their numbers."""
    tournament = own_tournament(request, code)
    found = tournament.entries.select_related("player", "club")
    rows, behind = page_by(request, found, "number", limit, cursor)
    numbers = member_numbers(rows)
    return private(DeskEntries(items=[desk_entry(one, numbers) for one in rows], next=behind))


def member_numbers(entries: Any) -> dict[tuple[int, int], int | None]:
    """(player, club) -> the number that they have there now."""
    held = Membership.objects.filter(player__in=[one.player_id for one in entries], left=None)
    return {(player, club): number for player, club, number in held.values_list("player", "club", "number")}


def desk_entry(entry: Entry, numbers: dict[tuple[int, int], int | None]) -> DeskEntry:
    told = {
        "number": entry.number,
        "name": entry.player.name,
        "club": ref(entry.club) if entry.club else None,
        "member": numbers.get((entry.player_id, entry.club_id or 0)),
        "status": entry.status,
        "fee_paid": entry.fee_paid,
    }
    return DeskEntry.model_validate(told)
