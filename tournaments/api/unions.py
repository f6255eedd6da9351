"""Unions: published points lists; for keys a tournament's money, a union's dues, counts of members, who qualifies."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from django.db.models import Q
from django.http import Http404
from ninja import Path, Router
from pydantic import Field

from clubs.models import MemberCount, Scope
from core.tables.files import number_of
from tournaments.api.base import (
    LARGEST,
    USUAL_ON_A_PAGE,
    ClubRef,
    Code,
    Cursor,
    Day,
    Key,
    Limit,
    Shape,
    Slug,
    answered,
    key_in,
    own_tournament,
    page_by,
    page_of,
    private,
    read_cursor,
    ref,
    replies,
)
from tournaments.api.seasons import ChampionshipId
from tournaments.hall.club import find_club
from tournaments.lifecycle import money
from tournaments.models import PublishedList, Stage, Statement
from tournaments.people.points_lists import points_in_words, rule_in, shown_rows
from tournaments.seasons.points import first_day
from tournaments.seasons.quotas import QualifiedTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.lifecycle.money import Balance
    from tournaments.models import Payment
    from tournaments.people.points_lists import Counted, ShownRow
    from tournaments.seasons.quotas import Person, ShownQuota


router = Router(tags=["with a key"])


def _for_money(name: str, shape: type[Shape]) -> Callable[..., Any]:
    """Endpoints that a key with the money scope may request for its club's tournaments."""
    path = f"/club/tournaments/{{str:code}}/{name}"
    operation: Callable[..., Any] = router.get(
        path, response=replies(shape, 401, 403, etag=False), auth=Key(Scope.MONEY)
    )
    return operation


class BalanceShape(Shape):
    """A player's balance in øre: to be paid out, or (negative) owed, with its parts; by their own name."""

    number: int = Field(description="The player's number in the tournament.")
    name: str = Field(description="The player's own name.")
    tokens: int = Field(description="What their tokens come to.")
    prize: int = Field(description="The prize, in øre.")
    fee: int = Field(description="What they owe of the entry fee, never above 0.")
    amount: int = Field(description="What they get, or owe where negative, in øre.")


class MoneyShape(Shape):
    """The money of a tournament, in øre, by the standings as they are; a page of balances by number."""

    stake: int = Field(description="A token.")
    entry_fee: int = Field(description="The entry fee, in øre.")
    fees_paid: int = Field(description="How many have paid the entry fee.")
    fees_owed: int = Field(description="How many owe it.")
    pool: int = Field(description="The pool of entry fees that prizes are paid from, in øre.")
    prizes: list[int] = Field(description="By place, whether or not somebody has it.")
    prize_things: list[str] = Field(description="By place, what is no money; empty where there is none.")
    box: int = Field(description="What the club's box gets when all is settled, or with a minus gives.")
    items: list[BalanceShape] = Field(description="The balances on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class PaymentShape(Shape):
    """A payment of the list; `payer` or `payee` is null where it is the club's box."""

    number: int = Field(description="The payment's number in the list.")
    payer: int | None = Field(description="The number of the player who pays; null for the club's box.")
    payee: int | None = Field(description="The number of the player who is paid; null for the club's box.")
    amount: int = Field(description="In øre.")
    paid_at: datetime | None = Field(description="When it was ticked off as paid; null before that.")


class Payments(Shape):
    """A page of the payment list, by numbers; empty before there is one."""

    items: list[PaymentShape] = Field(description="The payments on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


@_for_money("money", MoneyShape)
def own_money(
    request: HttpRequest, code: Code, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The pool, its prizes and everybody's balance, of a tournament of the key's club."""
    tournament, after = own_tournament(request, code), read_cursor(cursor, int)
    reckoning = money.reckon(tournament)
    behind_it = int(after[0]) if after else -1
    found = sorted(reckoning.balances, key=lambda one: one.row.number)
    there = [one for one in found if one.row.number > behind_it][: limit + 1]
    rows, behind = page_of(request, there, limit, lambda one: (one.row.number,))
    return private(
        MoneyShape(
            stake=tournament.stake,
            entry_fee=tournament.entry_fee,
            fees_paid=reckoning.fees_paid,
            fees_owed=reckoning.fees_owed,
            pool=reckoning.pool,
            prizes=list(reckoning.by_place),
            prize_things=list(tournament.prize_things),
            box=reckoning.box,
            items=[_balance(one) for one in rows],
            next=behind,
        )
    )


def _balance(one: Balance) -> BalanceShape:
    return BalanceShape(
        number=one.row.number,
        name=one.name,
        tokens=one.by_tokens,
        prize=one.prize,
        fee=one.fee,
        amount=one.amount,
    )


@_for_money("payments", Payments)
def own_payments(
    request: HttpRequest, code: Code, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The payments of a tournament of the key's club, and which of them are ticked off."""
    found = money.payment_list(own_tournament(request, code))
    rows, behind = page_by(request, found, "number", limit, cursor)
    return private(Payments(items=[_payment(one) for one in rows], next=behind))


def _payment(one: Payment) -> PaymentShape:
    return PaymentShape(
        number=one.number,
        payer=one.payer.number if one.payer else None,
        payee=one.payee.number if one.payee else None,
        amount=one.amount,
        paid_at=one.paid_at,
    )


StageNumber = Annotated[int, Path(ge=0, le=LARGEST, description="The stage’s number, from 1.")]


class StatementShape(Shape):
    """A club's statement from its union by a count of members, in øre; the amounts never change."""

    number: int = Field(description="The statement's number in the union.")
    union: ClubRef = Field(description="The union that made it.")
    club: ClubRef = Field(description="The club that owes it.")
    counted: Day = Field(description="The day of the count that it goes by.")
    members: int = Field(description="How many members the club pays for.")
    teams: int = Field(description="How many teams the club pays for.")
    votes: int = Field(description="How many votes the club has.")
    for_members: int = Field(description="The fee for the members, in øre.")
    for_teams: int = Field(description="The fee for the teams, in øre.")
    total: int = Field(description="Both together, in øre.")
    due: Day = Field(description="The day until which it is to be paid.")
    status: Literal["open", "paid"] = Field(description="Whether it is paid.")
    paid_on: Day | None = Field(description="The day on which it was paid; null before that.")
    reminders: int = Field(description="How often the club was reminded.")


class Statements(Shape):
    """A page of statements, the newest made first."""

    items: list[StatementShape] = Field(description="The statements on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class CountedClub(Shape):
    """A club in a count."""

    id: int = Field(description="The club's number, the same for good.")
    name: str = Field(description="The club's name on that day.")
    members: int | None = Field(description="All its members; null for a club that gives no names.")
    main: int | None = Field(description="Those whose main club it is; null for a club that gives no names.")


class CountShape(Shape):
    """A count of a union's members on a day; it never changes."""

    id: int = Field(description="The count's id.")
    counted: Day = Field(description="The day of the count.")
    made_at: datetime = Field(description="When it was made.")
    clubs: list[CountedClub] = Field(description="The clubs of that day, by name.")


class Counts(Shape):
    """A page of counts, the newest made first."""

    items: list[CountShape] = Field(description="The counts on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class QualifierShape(Shape):
    """A player in the line of a quota, by the name that the hall shows."""

    name: str = Field(description="The name as the hall shows it.")
    club: str = Field(description="The club's name; empty for a guest.")
    place: int = Field(description="The place in the source.")
    why: str = Field(description="Why they qualify, or do not take part, in the language asked for.")
    answer: Literal["", "yes", "no"] = Field(description="What they have answered; empty for nothing yet.")
    is_entered: bool = Field(description="Whether they are entered in the stage.")


class QuotaShape(Shape):
    """So many places for the best of a source, as they are filled now."""

    number: int = Field(description="The quota's number: they are filled in this order.")
    source: Literal["season", "tournament", "list", "hand"] = Field(description="What kind of source it has.")
    name: str = Field(description="The name of the source.")
    places: int = Field(description="How many places it has.")
    each_club: bool = Field(description="Whether each club has so many places of its own.")
    missing: int = Field(description="For how many places there is nobody.")
    going: list[QualifierShape] = Field(description="Who qualifies, the first one first.")
    tied: list[QualifierShape] = Field(description="Who shares the last places: the organiser decides.")
    following: list[QualifierShape] = Field(description="Who is next in line.")
    passed: list[QualifierShape] = Field(description="Who would have a place, and does not take it.")


class QualifiedShape(Shape):
    """The qualified players of a stage of a championship."""

    championship: int = Field(description="The championship's id.")
    stage: int = Field(description="The stage's number.")
    quotas: list[QuotaShape] = Field(description="The quotas, in the order in which they are filled.")


@router.get("/club/statements", response=replies(Statements, 401, 403, etag=False), auth=Key(Scope.MONEY))
def own_statements(
    request: HttpRequest, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The statements of dues that the key's club has made as a union, and those that it has got."""
    club = key_in(request).club
    found = Statement.objects.filter(Q(union=club) | Q(club=club)).select_related("club", "union", "count")
    rows, behind = page_by(request, found, "-pk", limit, cursor)
    return private(Statements(items=[_statement(one) for one in rows], next=behind))


def _statement(one: Statement) -> StatementShape:
    told = {name: getattr(one, name) for name in StatementShape.model_fields if hasattr(one, name)}
    told |= {"union": ref(one.union), "club": ref(one.club), "counted": one.count.day, "status": one.state}
    return StatementShape.model_validate(told)


@router.get("/club/counts", response=replies(Counts, 401, 403, etag=False), auth=Key(Scope.READ))
def own_counts(request: HttpRequest, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = "") -> HttpResponseBase:
    """The counts of members that the key's club has kept as a union, the newest made first."""
    found = MemberCount.objects.filter(union=key_in(request).club)
    rows, behind = page_by(request, found, "-pk", limit, cursor)
    return private(Counts(items=[_count(one) for one in rows], next=behind))


def _count(one: MemberCount) -> CountShape:
    clubs = [
        CountedClub(id=row["club"], name=row["name"], members=row["members"], main=row["main"])
        for row in one.rows
    ]
    return CountShape(id=one.pk, counted=one.day, made_at=one.made_at, clubs=clubs)


@router.get(
    "/club/championships/{int:pk}/stages/{int:number}/qualified",
    response=replies(QualifiedShape, 401, 403, etag=False),
    auth=Key(Scope.READ),
)
def own_qualified(request: HttpRequest, pk: ChampionshipId, number: StageNumber) -> HttpResponseBase:
    """The qualified players of a stage of the key's club: with reasons, next in line and absent players."""
    mine = Stage.objects.filter(championship__host=key_in(request).club, championship__removed_at=None)
    stage = mine.select_related("championship__host").filter(championship=pk, number=number).first()
    if stage is None:
        raise Http404
    quotas = [_quota(shown) for shown in QualifiedTable(stage).shown_quotas]
    return private(QualifiedShape(championship=pk, stage=number, quotas=quotas))


def _quota(shown: ShownQuota) -> QuotaShape:
    quota = shown.quota
    return QuotaShape.model_validate(
        {
            "number": quota.number,
            "source": quota.source,
            "name": shown.name,
            "places": quota.places,
            "each_club": quota.each_club,
            "missing": shown.missing,
            "going": _people(shown.going),
            "tied": _people(one for tie in shown.ties for one in tie.people),
            "following": _people(shown.following),
            "passed": _people(shown.passed),
        }
    )


def _people(people: Iterable[Person]) -> list[QualifierShape]:
    return [
        QualifierShape.model_validate(
            {
                "name": one.name,
                "club": one.club,
                "place": one.place,
                "why": "; ".join(filter(None, [one.why, one.instead_of, one.reason])),
                "answer": one.answer,
                "is_entered": one.is_entered,
            }
        )
        for one in people
    ]


# Published points lists of unions, as the hall shows them.

points_router = Router(tags=["points lists"])

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


@points_router.get("/clubs/{slug:slug}/points-lists", response=replies(PointsLists))
def club_points_lists(
    request: HttpRequest, slug: Slug, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The points lists that a union has published, the newest made first."""
    found = find_club(slug).published_lists.select_related("union")
    rows, behind = page_by(request, found, "-pk", limit, cursor)
    return answered(request, PointsLists(items=[_line(one) for one in rows], next=behind))


@points_router.get("/points-lists/{int:pk}", response=replies(PointsListShape))
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
