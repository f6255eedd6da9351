"""Queries of games, as in the explorer: of all public clubs, of a club or union, or of one person."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

from ninja import Query, Router
from pydantic import Field

from clubs.models import Club
from core.http.responses import problem_response
from core.throttle import MINUTE
from tournaments.api.base import (
    LARGEST,
    POLICY,
    RATE_LIMIT,
    USUAL_ON_A_PAGE,
    Cursor,
    Limit,
    Shape,
    Slug,
    answered,
    page_of,
    read_cursor,
    replies,
)
from tournaments.api.entries import GamesShape
from tournaments.api.people import PersonId, games_of
from tournaments.hall.years.explorer import (
    ASKED_A_MINUTE,
    LATER,
    Asked,
    Of,
    asks_too_often,
    further_text,
    of_person,
    question_text,
)
from tournaments.hall.years.links import club_with_history
from tournaments.people.explorer import WON

if TYPE_CHECKING:
    from django.http import HttpRequest, QueryDict
    from django.http.response import HttpResponseBase

    from tournaments.people.explorer import Row

router = Router(tags=["games"])

TOO_MANY, NOT_AS_IT_MUST_BE = 429, 422
Word = Annotated[str, Field(max_length=40)]


class GamesAsked(Shape):
    """The filter of games; an empty parameter does not filter. Values are those of the explorer's page."""

    contract: Word = Field("", description="As in `contracts` of a rulebook: solo, tourne, pure_nolo …")
    trump: Word = Field("", description="S, H, D or C.")
    seat: Word = Field("", description="The declarer's role: FH, MH or BH.")
    tout: Word = Field("", description="won, failed or none.")
    players: Word = Field("", description="At the table.")
    outcome: Word = Field(WON, description="How often it came: won, bet or kodille.")
    by: Word = Field(
        "contract",
        description="What the games are told apart by: contract, trump, seat, outcome, tout, players, year.",
    )
    then: Word = Field("", description="And by what else.")
    season: Word = Field("", description="The season's id.")
    year: Word = Field("", description="As 2026.")
    rulebook: Word = Field("", description="The rulebook's id: see `/rulebooks`.")
    format: Word = Field("", description="individual, pairs or teams.")
    club: Word = Field("", description="The host: the club's `slug` or `id`.")
    first: Word = Field("", description="The first day, as 2026-11-22.")
    last: Word = Field("", description="The last day.")


class GamesRow(Shape):
    """Games of one group: `key` has its values, in the order of `by`.

    `count` of `of` games had the requested outcome; `at_least` and `at_most` are the share's 95 % confidence
    interval. Tokens are the declarers'.
    """

    key: list[str] = Field(description="What the games have in common, as codes in the order of `by`.")
    games: GamesShape = Field(description="The games, and what they came to.")
    count: int = Field(description="How many came to the outcome asked for.")
    of: int = Field(description="Of how many games.")
    share: float | None = Field(description="The share, from 0 to 1; null where there are no games.")
    at_least: float = Field(description="The lower end of the interval of the true share.")
    at_most: float = Field(description="The upper end of the interval of the true share.")


class GamesAnswer(Shape):
    """The question as text, all games that it selects, and these by group."""

    question: str = Field(description="The question as a sentence, in the language asked for.")
    further: list[str] = Field(
        description="Further words of the question: the span, and what games are told apart by."
    )
    outcome: str = Field(description="The outcome that is counted: `won`, `bet` or `kodille`.")
    by: list[str] = Field(description="What the games are told apart by, as codes.")
    whole: GamesRow = Field(description="All games that the question is about.")
    items: list[GamesRow] = Field(description="The same games told apart.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


SLUG = re.compile(r"[-A-Za-z0-9_]{1,40}")
# Each query aggregates all deals, so the rate limit is lower than elsewhere.
GAMES_POLICY = f'{POLICY}, "games";q={ASKED_A_MINUTE};w={MINUTE}'
AskedOf = Query[GamesAsked]
REPLIES: Any = replies(GamesAnswer)


@router.get("/games", response=REPLIES)
def games(
    request: HttpRequest, asked: AskedOf, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """Games at the evenings of all public clubs."""
    del asked
    return _respond(request, Of(), limit, cursor)


@router.get("/clubs/{slug:slug}/games", response=REPLIES)
def club_games(
    request: HttpRequest, slug: Slug, asked: AskedOf, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """Games at the evenings of a club, or of a union and its clubs."""
    del asked
    return _respond(request, Of(club=club_with_history(slug)), limit, cursor)


@router.get("/persons/{int:pk}/games", response=REPLIES)
def person_games(
    request: HttpRequest, pk: PersonId, asked: AskedOf, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """Games that a person declared. 404 for a person without a page in the hall, as for an unknown one."""
    del asked
    return _respond(request, of_person(pk), limit, cursor)


def _respond(request: HttpRequest, of: Of, limit: int, cursor: str) -> HttpResponseBase:
    answer = _answer(request, of, limit, cursor)
    answer.headers[RATE_LIMIT] = GAMES_POLICY
    return answer


def _answer(request: HttpRequest, of: Of, limit: int, cursor: str) -> HttpResponseBase:
    """The forms of the explorer's page validate the same query parameters, and their errors become problems."""
    asked, after = Asked(_with_club_id(request.GET), of), read_cursor(cursor, int)
    if not asked.is_valid:
        wrong = {**asked.form.errors, **asked.span_form.errors}
        errors = [{"field": name, "message": str(each)} for name, told in wrong.items() for each in told]
        return problem_response(NOT_AS_IT_MUST_BE, errors=errors)
    if asks_too_often(request):
        return problem_response(TOO_MANY, headers=LATER)
    question = asked.question()
    answer, known = asked.answer(question), asked.games.knowing(question.contract)
    begin = int(after[0]) if after else 0
    numbered = list(enumerate(answer.rows[begin : begin + limit + 1], start=begin + 1))
    rows, behind = page_of(request, numbered, limit, lambda row: (row[0],))
    return answered(
        request,
        GamesAnswer(
            question=question_text(question, known),
            further=[*further_text(question, known), asked.span_form.summary],
            outcome=question.outcome or WON,
            by=list(question.by),
            whole=_row(answer.whole),
            items=[_row(row) for _number, row in rows],
            next=behind,
        ),
    )


def _with_club_id(data: QueryDict) -> QueryDict:
    """The question with the host's id for its short name: the forms of the hall's page know ids alone."""
    asked = data.get("club", "")
    club = Club.objects.filter(slug=asked).first() if SLUG.fullmatch(asked) else None
    if club is None or _is_an_id(club.slug):
        return data
    found = data.copy()
    found["club"] = str(club.pk)
    return found


def _is_an_id(slug: str) -> bool:
    """Whether a slug could also be parsed as the id of a club, which then takes precedence."""
    is_number = slug.isascii() and slug.isdigit() and int(slug) <= LARGEST
    return is_number and Club.objects.filter(pk=int(slug)).exists()


def _row(row: Row) -> GamesRow:
    rate = row.rate
    least, most = rate.interval
    return GamesRow(
        key=list(row.key),
        games=GamesShape(**games_of(row.games)),
        count=rate.count,
        of=rate.of,
        share=rate.share,
        at_least=least,
        at_most=most,
    )
