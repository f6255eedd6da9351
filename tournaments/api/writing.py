"""Endpoints of a club's key: read its members and entries; enter, check in and report, by the desk's functions.

What is sent twice is done once: reports have keys of their own, as those of a captain's phone; to enter players takes a
key for the request (`Idempotency-Key`); a retry with it gets the same response.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Header, Router
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from clubs.models import Membership, ProgramAnswer, ProgramKey, Scope
from clubs.register_models import WITH_NAMES, clubs_in
from core.errors import NotPossible, UserError
from core.http.responses import BadBody
from tournaments import ledger
from tournaments.api.base import (
    USUAL_ON_A_PAGE,
    Asked,
    ClubRef,
    Code,
    Cursor,
    Key,
    Limit,
    Number,
    OtherClub,
    RoundNumber,
    Shape,
    Source,
    key_in,
    own_tournament,
    page_by,
    private,
    private_again,
    ref,
    replies,
)
from tournaments.entries import entering
from tournaments.models import Entry
from tournaments.reporting.captain_page import MOST_REPORTS, Unread, read_reports
from tournaments.reporting.captain_state import answers_json
from tournaments.web.guards import find_entry, find_table, one_by_one

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.ledger import Submission
    from tournaments.models import Tournament


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


MOST_ENTERED = 100
KEPT = timedelta(days=1)
WRITES = (401, 403, 409, 413)

RequestName = Annotated[
    UUID,
    Header(alias="Idempotency-Key", description="A UUID of this request: sent again, it is answered again."),
]


class WhoEnters(Asked):
    """A member by the number that their club gave them, or a guest by name: one of the two."""

    member: int | None = Field(
        default=None,
        ge=0,
        le=2_147_483_647,
        description="The member's number in their club; null for a guest.",
    )
    club: str = Field(default="", max_length=40, description="The member's club, where a union is the host.")
    guest: str | None = Field(
        default=None, min_length=1, max_length=200, description="The guest's name; null for a member."
    )
    here: bool = Field(default=False, description="Whether they are here, and checked in at once.")

    @model_validator(mode="after")
    def one_of_two(self) -> WhoEnters:
        if (self.member is None) is (self.guest is None):
            raise PydanticCustomError("member_or_guest", "a member or a guest")
        return self


class EntriesAsked(Asked):
    """The request body of entering players."""

    entries: list[WhoEnters] = Field(
        min_length=1, max_length=MOST_ENTERED, description="Who enters, up to a hundred."
    )


class Entered(Shape):
    """The result for one player: `refused` with a message, `already` where they are entered."""

    status: Literal["entered", "already", "refused"] = Field(
        description="Whether they were entered, were entered already, or were refused."
    )
    entry: DeskEntry | None = Field(description="The player's entry; null where they were refused.")
    message: str = Field(description="Why they were refused, in the language asked for; else empty.")


class EntriesAnswer(Shape):
    """The results, in the order of the request."""

    results: list[Entered] = Field(description="One result for each that was sent, in the same order.")


class CheckInAsked(Asked):
    """Whether the player is here."""

    here: bool = Field(default=True, description="True to check the player in, false to take it back.")


class ReportAsked(Asked):
    """A deal as in the captain's protocol. `base` is the revision that was seen; no result takes the deal back."""

    key: UUID = Field(description="Made by who reports: sent again, it is the same report.")
    deal: int = Field(ge=0, le=32_767, description="The deal's number, from 1.")
    base: int = Field(
        default=0,
        ge=0,
        le=32_767,
        description="The revision of the deal that was seen; 0 where none was reported.",
    )
    result: dict[str, Any] | None = Field(
        description="The result, as in the conformance cases; null takes the deal back."
    )
    made_at: str | None = Field(
        default=None, max_length=40, description="When it was entered, by the sender's clock, in ISO 8601."
    )
    reason: str = Field(
        default="", max_length=200, description="Why the deal is corrected; needed where one counts already."
    )
    turns: int | None = Field(
        default=None,
        ge=0,
        le=32_767,
        description="How many changes of dealer and seats were seen; null for all of them.",
    )


class ReportsAsked(Asked):
    """Up to a hundred reports."""

    reports: list[ReportAsked] = Field(
        min_length=1, max_length=MOST_REPORTS, description="The reports, up to a hundred."
    )


class ProblemSaidShape(Shape):
    """A problem that the rules find in a report."""

    code: str = Field(description="What is wrong, for programs.")
    field: str = Field(description="The field of the result; may be empty.")
    message: str = Field(description="What is wrong, in the language asked for.")


class CurrentDeal(Shape):
    """The version of a deal that counts now."""

    revision: int = Field(description="Its revision, to be sent as `base` of a correction.")
    result: dict[str, Any] | None = Field(
        description="The result as it was reported; null where the deal was taken back."
    )
    outcome: str = Field(description="The outcome's code, such as `won`; empty where nobody declared.")
    tokens: list[int] = Field(description="Tokens by position; empty where the deal was taken back.")
    text: str = Field(description="What it came to, in the language asked for.")
    source: Source = Field(
        description="Who reported it: a captain's phone, the organiser's desk, or a program with a key."
    )
    reported_at: datetime = Field(description="When it was stored.")
    reason: str = Field(default="", description="Why the deal was corrected; may be empty.")


class ReportAnswer(Shape):
    """The result of a report; `kept`: it was late and waits for the organiser. `current` counts instead."""

    key: UUID = Field(description="The key of the report.")
    status: Literal["accepted", "duplicate", "conflict", "refused", "kept"] = Field(
        description="What came of the report."
    )
    revision: int = Field(description="The deal's revision that it became, or that counts now; 0 for none.")
    problems: list[ProblemSaidShape] = Field(default_factory=list, description="Why it was refused.")
    warnings: list[ProblemSaidShape] = Field(
        default_factory=list, description="What is rare about it, though it was accepted."
    )
    current: CurrentDeal | None = Field(
        default=None, description="With `conflict`: the version that counts now; else null."
    )


class ReportsAnswer(Shape):
    """The results, in the order of the request; `open`: whether the table still accepts reports."""

    results: list[ReportAnswer] = Field(description="One answer for each report, in the same order.")
    open: bool = Field(description="Whether the table still takes reports.")
    table_version: int = Field(description="The table's version now.")
    tokens: list[int] = Field(description="What each seat has won now, by position.")


def _not_called_off(tournament: Tournament) -> None:
    if tournament.is_called_off:
        raise NotPossible(_("The tournament is called off. Reinstate it first."))


@router.post(
    "/club/tournaments/{str:code}/entries",
    response=replies(EntriesAnswer, *WRITES, etag=False),
    auth=Key(Scope.ENTRIES),
)
def enter_players(
    request: HttpRequest, code: Code, asked: EntriesAsked, idempotency_key: RequestName
) -> HttpResponseBase:
    """Enter members and guests; each is settled by itself. Who is entered already stays as they are."""
    key, now = key_in(request), timezone.now()
    with one_by_one(own_tournament(request, code)) as tournament:
        _not_called_off(tournament)
        digest = sha256(f"{tournament.code}{asked.model_dump_json()}".encode()).hexdigest()
        known = ProgramAnswer.objects.filter(key=key, name=idempotency_key).first()
        if known is None:
            answer = EntriesAnswer(results=[_enter(tournament, who, key, now) for who in asked.entries])
            ProgramAnswer.objects.filter(at__lt=now - KEPT).delete()
            ProgramAnswer.objects.create(
                key=key, name=idempotency_key, asked=digest, answer=answer.model_dump(mode="json"), at=now
            )
            return private(answer)
    if known.asked != digest:
        raise NotPossible(_("Another request has used this key. Give this one a key of its own."))
    return private_again(known.answer)


def _enter(tournament: Tournament, who: WhoEnters, key: ProgramKey, now: datetime) -> Entered:
    by: dict[str, Any] = {"account": key, "now": now}
    last = tournament.entries.count()
    try:
        if who.guest is not None:
            entry = entering.enter_guest(tournament, who.guest, **by)
        else:
            held = _membership(tournament, who, key)
            entry = entering.enter(tournament, held.player, club=held.club, **by)
        if who.here:
            entry = entering.check_in(entry, present=True, **by)
    except UserError as refusal:
        return Entered(status="refused", entry=None, message=refusal.message)
    is_new = tournament.entries.count() > last
    return Entered(status="entered" if is_new else "already", entry=_entry_shape(entry), message="")


def _membership(tournament: Tournament, who: WhoEnters, key: ProgramKey) -> Membership:
    """The member of that number in the host, or in a club of the union that hosts. Raises UserError."""
    club = key.club
    if who.club and who.club != club.slug:
        of_union = club.clubs.filter(slug=who.club).first()
        if of_union is None:
            raise OtherClub
        club = of_union
    found = Membership.objects.on(tournament.date).filter(club=club, number=who.member)
    held = found.select_related("player", "club").first()
    if held is None:
        raise UserError(_("The club has no member with this number."))
    return held


def _entry_shape(entry: Entry) -> DeskEntry:
    whole = Entry.objects.select_related("player", "club").get(pk=entry.pk)
    return desk_entry(whole, member_numbers([whole]))


@router.post(
    "/club/tournaments/{str:code}/entries/{int:number}/check-in",
    response=replies(DeskEntry, *WRITES, etag=False),
    auth=Key(Scope.CHECK_IN),
)
def check_in_player(
    request: HttpRequest, code: Code, number: Number, asked: CheckInAsked
) -> HttpResponseBase:
    """Check a player in; or, before their first round, undo that."""
    with one_by_one(own_tournament(request, code)) as tournament:
        _not_called_off(tournament)
        entry = find_entry(tournament, number)
        entering.check_in(entry, present=asked.here, account=key_in(request), now=timezone.now())
        return private(_entry_shape(entry))


@router.post(
    "/club/tournaments/{str:code}/rounds/{int:round_number}/tables/{int:number}/reports",
    response=replies(ReportsAnswer, *WRITES, etag=False),
    auth=Key(Scope.REPORTS),
)
def report_deals(
    request: HttpRequest, code: Code, round_number: RoundNumber, number: Number, asked: ReportsAsked
) -> HttpResponseBase:
    """Report deals in a captain's place, by the captain's protocol: each report has its own result."""
    tournament = own_tournament(request, code)
    table = find_table(tournament, round_number, number)
    read = _read(asked)
    readable = [item for item in read if not isinstance(item, Unread)]
    author = ledger.Author("program", key_in(request))
    settled = ledger.settle(table, readable, author, now=timezone.now())
    said = (_with_source(one) for one in answers_json(settled.table, settled.answers))
    results = [_refused(item) if isinstance(item, Unread) else next(said) for item in read]
    return private(
        ReportsAnswer(
            results=[ReportAnswer.model_validate(one) for one in results],
            open=settled.table.is_open,
            table_version=settled.table.version,
            tokens=settled.tokens,
        )
    )


def _with_source(answer: dict[str, Any]) -> dict[str, Any]:
    """A response of the captain's protocol with the report's source in a field of its own."""
    current = answer.get("current")
    return answer | {"current": current | {"source": current["by"]}} if current else answer


def _read(asked: ReportsAsked) -> list[Submission | Unread]:
    try:
        return read_reports(asked.model_dump(mode="json"))
    except BadBody as error:
        raise NotPossible(error.message, "reports") from None


def _refused(item: Unread) -> dict[str, Any]:
    problem = {"code": "unreadable", "field": item.field, "message": item.message}
    return {"key": item.key, "status": "refused", "revision": 0, "problems": [problem]}
