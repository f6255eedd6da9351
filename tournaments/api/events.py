"""Tournaments: the list, one at a glance, whether there is something new; the rules it is played by, and rulebooks."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated, Literal

from django.conf import settings
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Path, Query, Router
from pydantic import Field

from core.http.long_poll import HOLD_BACK
from scoring import UnknownRulebook, get_rulebook, rulebooks
from tournaments.api.base import (
    LARGEST,
    USUAL_ON_A_PAGE,
    ClubRef,
    Code,
    Cursor,
    Day,
    Limit,
    LocalTime,
    OptionalSlug,
    Shape,
    answered,
    of_tournament,
    page_of,
    read_cursor,
    ref,
    replies,
)
from tournaments.changes.versions import TOLD, mark_shared
from tournaments.hall.club import find_club, tournaments_of
from tournaments.hall.live import find_tournament
from tournaments.ledger.queries import current_round, progress_of
from tournaments.lifecycle.rules_text import rule_sheet, rule_sheet_of
from tournaments.models import Entry, Tournament

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.lifecycle.rules_text import RuleSaid, RuleSheet
    from tournaments.models import Round


rules_router = Router(tags=["rules"])

RulebookId = Annotated[
    str, Path(pattern=r"^[-a-z0-9_]{1,40}$", description="The rulebook’s id: see `/rulebooks`.")
]


class RulebookLine(Shape):
    """A rulebook that can be played by."""

    id: str = Field(description="The rulebook's id.")
    name: str = Field(description="Its name, in the language asked for.")
    version: str = Field(description="The version of its rules.")
    page: str = Field(description="The address of its page in the hall.")


class Rulebooks(Shape):
    """Every rulebook."""

    items: list[RulebookLine] = Field(description="The rulebooks.")


class RuleShape(Shape):
    """A rule: its subject, its value here, and an explanation; `usual` is the rulebook's own value if it differs."""

    title: str = Field(description="What the rule is about.")
    value: str = Field(description="How it is here.")
    explanation: str = Field(description="What that means.")
    paragraph: str = Field(description="The paragraph of the rulebook; may be empty.")
    usual: str = Field(description="How the rulebook has it elsewhere; empty where it is the same.")


class PriceShape(Shape):
    """The prices of a contract, by the columns of the table."""

    contract: str = Field(description="The contract's name, in the language asked for.")
    contract_code: str = Field(description="The contract's code, as in a report.")
    prices: list[str] = Field(description="Its prices in tokens, in the order of `price_columns`.")


class RuleSheetShape(Shape):
    """All rules in force: prices, options, and a tournament's additions."""

    rulebook: str = Field(description="The rulebook's id.")
    name: str = Field(description="The rulebook's name, in the language asked for.")
    own_name: str = Field(description="What the club calls it; empty where the rulebook stands.")
    source: str = Field(description="Where the rules come from.")
    version: str = Field(description="The version of the rules.")
    price_columns: list[str] = Field(description="The headings of the prices.")
    prices: list[PriceShape] = Field(description="What each contract costs.")
    options: list[RuleShape] = Field(description="The rulebook's options, as they are chosen here.")
    played_for: list[RuleShape] = Field(description="What a tournament adds: deals, stake, ranking.")


def sheet_shape(sheet: RuleSheet) -> RuleSheetShape:
    return RuleSheetShape(
        rulebook=sheet.rulebook,
        name=sheet.name,
        own_name=sheet.own_name,
        source=sheet.source,
        version=sheet.version,
        price_columns=[str(head) for head in sheet.prices.columns],
        prices=[
            PriceShape(
                contract=str(line.contract),
                contract_code=line.code,
                prices=[str(price) for price in line.prices],
            )
            for line in sheet.prices.lines
        ],
        options=[_rule(rule) for rule in sheet.options],
        played_for=[_rule(rule) for rule in sheet.played_for],
    )


def _rule(rule: RuleSaid) -> RuleShape:
    return RuleShape(
        title=str(rule.title),
        value=str(rule.value),
        explanation=str(rule.explanation),
        paragraph=str(rule.paragraph),
        usual=str(rule.usual),
    )


@rules_router.get("/rulebooks", response=replies(Rulebooks))
def all_rulebooks(request: HttpRequest) -> HttpResponseBase:
    """Every rulebook that can be played by."""
    items = [
        RulebookLine(
            id=book.id, name=_(book.name), version=book.version, page=reverse("rules_sheet", args=[book.id])
        )
        for book in rulebooks()
    ]
    return answered(request, Rulebooks(items=items))


@rules_router.get("/rulebooks/{str:rulebook}", response=replies(RuleSheetShape))
def one_rulebook(request: HttpRequest, rulebook: RulebookId) -> HttpResponseBase:
    """A rulebook with the defaults of its options."""
    try:
        book = get_rulebook(rulebook)
    except UnknownRulebook:
        raise Http404 from None
    return answered(request, sheet_shape(rule_sheet(book)))


router = Router(tags=["tournaments"])

State = Literal["setup", "running", "finished"]
RoundState = Literal["drawn", "running", "closed"]
# Seconds for which news is waited for at most.
LONGEST_WAIT = 25


class TournamentLine(Shape):
    """A tournament in a list."""

    code: str = Field(description="The tournament's code, as on its sheets.")
    name: str = Field(description="The tournament's name.")
    host: ClubRef = Field(description="The club or union that holds it.")
    date: Day = Field(description="The day on which it is played.")
    begins_at: LocalTime | None = Field(
        description="The local hour at which it begins; null where none is known."
    )
    time_zone: str = Field(description="The time zone of `begins_at`, by its IANA name.")
    begins: datetime | None = Field(
        description="The moment at which it begins, in UTC; null where no hour is known."
    )
    place: str = Field(description="Where it is played; may be empty.")
    state: State = Field(description="Whether it is being set up, is being played, or is over.")
    format: str = Field(description="individual, pairs, teams")
    rounds_planned: int = Field(description="How many rounds are planned.")
    page: str = Field(description="The address of its page in the hall.")


class Tournaments(Shape):
    """A page of tournaments, the newest first."""

    items: list[TournamentLine] = Field(description="The tournaments on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class RoundLine(Shape):
    """A round at a glance."""

    number: int = Field(description="The round's number, from 1.")
    state: RoundState = Field(description="Whether it is drawn, being played, or over.")
    date: Day | None = Field(description="The day on which it is played, where it has a day of its own.")
    started_at: datetime | None = Field(description="When it was started; null before that.")
    closed_at: datetime | None = Field(description="When it was closed; null before that.")


class ProgressShape(Shape):
    """Deals reported in a round, of all that its tables play."""

    reported: int = Field(description="Deals reported.")
    deals: int = Field(description="Deals to be played.")


class HallShape(Shape):
    """A hall, with the numbers of its tables; the last hall has all that are more, too."""

    name: str = Field(description="The hall's name.")
    place: str = Field(description="Where it is; may be empty.")
    first: int = Field(description="The number of its first table.")
    last: int = Field(description="The number of its last table.")


class TournamentShape(TournamentLine):
    """A tournament at a glance; `version` rises with every change in it."""

    version: int = Field(description="The version of all that is told of the tournament.")
    called_off: bool = Field(description="Whether it was called off.")
    called_off_reason: str = Field(description="Why it was called off; may be empty.")
    rulebook: str = Field(description="The id of the rulebook: see `/rulebooks`.")
    rules_name: str = Field(description="What the club calls its own rules; empty where the rulebook stands.")
    rules_version: str = Field(description="Empty while the rules may still change.")
    deals_per_round: int = Field(description="Deals in a round at a table of four.")
    deals_at_three: int = Field(description="Deals in a round at a table of three.")
    duplicate_boards: bool = Field(description="Whether all tables play the same cards.")
    players: int = Field(description="How many take part; withdrawn players are not counted.")
    season: int | None = Field(description="The season that it counts in.")
    draw_seed: int | None = Field(
        description="The seed of the draw, by which it can be repeated; null before a draw."
    )
    objections_until: datetime | None = Field(description="Until then the final standings are provisional.")
    current_round: int | None = Field(
        description="The number of the round that is played now, or comes next; null for none."
    )
    progress: ProgressShape | None = Field(description="Of the round that is played now.")
    rounds: list[RoundLine] = Field(description="The rounds that are drawn.")
    halls: list[HallShape] = Field(description="Its halls; none where it is played in one place.")


class Version(Shape):
    """The version of a tournament: it rises with every change in it."""

    version: int = Field(description="The version now.")


def line_of(tournament: Tournament) -> dict[str, object]:
    return {
        "code": tournament.code,
        "name": tournament.name,
        "host": ref(tournament.host),
        "date": tournament.date,
        "begins_at": tournament.begins_at,
        "time_zone": settings.TIME_ZONE,
        "begins": _begins(tournament),
        "place": tournament.place,
        "state": tournament.state,
        "format": tournament.format,
        "rounds_planned": tournament.rounds_planned,
        "page": reverse("hall", args=[tournament.code]),
    }


def _begins(tournament: Tournament) -> datetime | None:
    """The moment at which it begins, in UTC; None where no hour is known."""
    if tournament.begins_at is None:
        return None
    local = datetime.combine(tournament.date, tournament.begins_at, timezone.get_default_timezone())
    return local.astimezone(UTC)


def filter_listed(found: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Filter to the tournaments that the hall lists: played, running, or future; not cancelled ones."""
    coming = Q(state=Tournament.State.SETUP, date__gte=timezone.localdate())
    return found.filter(~Q(state=Tournament.State.SETUP) | coming).select_related("host")


@router.get("/tournaments", response=replies(Tournaments))
def tournaments(  # noqa: PLR0913, PLR0917 - the query parameters
    request: HttpRequest,
    club: OptionalSlug = "",
    state: Annotated[State | None, Query(description="Whether it is set up, played, or over.")] = None,
    since: Annotated[date | None, Query(description="The first day, as 2026-11-22.")] = None,
    until: Annotated[date | None, Query(description="The last day.")] = None,
    season: Annotated[int | None, Query(ge=0, le=LARGEST, description="The season’s id.")] = None,
    limit: Limit = USUAL_ON_A_PAGE,
    cursor: Cursor = "",
) -> HttpResponseBase:
    """Tournaments, the newest first: of a club (a union: with its clubs), in a state, of some days, of a season."""
    found = filter_listed(tournaments_of(find_club(club)) if club else Tournament.objects.not_called_off())
    wanted = {"state": state, "date__gte": since, "date__lte": until, "season": season}
    found = found.filter(**{name: value for name, value in wanted.items() if value is not None})
    if after := read_cursor(cursor, date, int):
        found = found.filter(Q(date__lt=after[0]) | Q(date=after[0], pk__lt=after[1]))
    rows, behind = page_of(
        request,
        list(found.order_by("-date", "-pk")[: limit + 1]),
        limit,
        lambda one: (one.date.isoformat(), one.pk),
    )
    return answered(
        request,
        Tournaments(items=[TournamentLine.model_validate(line_of(one)) for one in rows], next=behind),
    )


@router.get("/tournaments/{str:code}", response=replies(TournamentShape))
def tournament(request: HttpRequest, code: Code) -> HttpResponseBase:
    """A tournament at a glance, with how far it is."""
    found = find_tournament(code)
    return of_tournament(request, found, lambda: _shape(found))


def _shape(found: Tournament) -> TournamentShape:
    now, season = current_round(found), found.counts_in
    progress = progress_of(now) if now and now.is_running else None
    more = {
        "version": found.version,
        "called_off": found.is_called_off,
        "called_off_reason": found.called_off_text,
        "rulebook": found.rulebook,
        "rules_name": found.rules_name,
        "rules_version": found.rules_version,
        "deals_per_round": found.deals_per_round,
        "deals_at_three": found.deals_at_three,
        "duplicate_boards": found.boards,
        "players": found.entries.exclude(status=Entry.Status.WITHDRAWN).count(),
        "season": season.pk if season else None,
        "draw_seed": found.draw_seed,
        "objections_until": found.objections_until,
        "current_round": now.number if now else None,
        "progress": {"reported": progress.reported, "deals": progress.deals} if progress else None,
        "rounds": [round_line(one) for one in found.rounds.order_by("number")],
        "halls": [
            {"name": hall.name, "place": hall.place, "first": hall.first, "last": hall.last}
            for hall in found.hall_list
        ],
    }
    return TournamentShape.model_validate(line_of(found) | more)


def round_line(round_: Round) -> RoundLine:
    return RoundLine.model_validate({name: getattr(round_, name) for name in RoundLine.model_fields})


@router.get("/tournaments/{str:code}/rules", response=replies(RuleSheetShape))
def tournament_rules(request: HttpRequest, code: Code) -> HttpResponseBase:
    """The rules in force at a tournament."""
    found = find_tournament(code)
    return of_tournament(request, found, lambda: sheet_shape(rule_sheet_of(found)))


@router.get("/tournaments/{str:code}/version", response=replies(Version, etag=False))
def tournament_version(
    request: HttpRequest,
    code: Code,
    after: Annotated[int, Query(ge=0, le=LARGEST, description="The version that is known already.")] = 0,
    wait: Annotated[
        int, Query(ge=0, le=LONGEST_WAIT, description="Seconds to wait for a newer one than `after`.")
    ] = 0,
) -> HttpResponseBase:
    """Long polling: the version as soon as there is a newer one than `after`, at the latest after `wait` seconds.

    The response may come sooner than that, and at once where too many wait: where nothing is new, retry in a second.
    """
    found = find_tournament(code)
    version = request.META.get(TOLD) or found.version
    answer = HttpResponse(Version(version=version).model_dump_json(), content_type="application/json")
    answer.headers["Cache-Control"] = "no-store"
    if wait and version <= after:
        answer.headers[HOLD_BACK] = f"{wait} {version}"
    mark_shared(answer, found.pk, version)
    return answer
