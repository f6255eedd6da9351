"""Seasons of clubs and their ladders; championships with their stages, groups and who advances."""

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
    club_refs,
    page_by,
    page_of,
    player_refs,
    read_cursor,
    ref,
    replies,
    team_refs,
)
from tournaments.api.clubs import host_and_union
from tournaments.api.tables import HandShape, PlayedShape, hand_shapes, played_shape
from tournaments.domain.formats import Ranked
from tournaments.hall.seasons import find_championship, find_season, shown_stages
from tournaments.hall.years.links import clubs_showing_numbers
from tournaments.ledger.queries import rulebook_of
from tournaments.models import Championship, Season
from tournaments.people import visibility
from tournaments.seasons.deals import reason_text, shown_deals
from tournaments.seasons.ladder_table import awards_of, season_table
from tournaments.seasons.season import season_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.hall.seasons import Line
    from tournaments.models import SeasonDeal, Tournament
    from tournaments.seasons.championships import Group
    from tournaments.seasons.deals import ShownDeal
    from tournaments.seasons.ladder_table import Placed, SeasonTable


router = Router(tags=["seasons"])

SeasonId = Annotated[int, Path(ge=0, le=LARGEST, description="The season’s id.")]


class SeasonLine(Shape):
    """A season of a club."""

    id: int = Field(description="The season's id.")
    name: str = Field(description="The season's name.")
    host: ClubRef = Field(description="The club or union that holds it.")
    starts: Day = Field(description="Its first day.")
    ends: Day = Field(description="Its last day.")
    rule: str = Field(description="tokens, average, places")
    page: str = Field(description="The address of its page in the hall.")


class Seasons(Shape):
    """A page of seasons, the newest made first."""

    items: list[SeasonLine] = Field(description="The seasons on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class SeasonEvening(Shape):
    """An evening of a season."""

    tournament: str = Field(description="The tournament's code.")
    name: str = Field(description="The tournament's name.")
    date: Day = Field(description="The day on which it is played.")
    finished: bool = Field(description="Whether it is over.")


class LadderCell(Shape):
    """The value of an evening (by its index in `evenings`) for a player, and whether it counts."""

    evening: int = Field(description="The evening's index in `evenings`, from 0.")
    worth: int | float = Field(description="What the evening is worth by the season's rule.")
    counts: bool = Field(description="Whether it is among those that count.")
    tokens: int = Field(description="Tokens won that evening.")
    deals: int = Field(description="Deals played that evening.")
    place: int = Field(description="The place that evening.")


class LadderLine(Shape):
    """A player in the ladder; `place` is null for who has played too little."""

    place: int | None = Field(description="The place; null for who has played too little.")
    shared: bool = Field(description="Whether others have the same place.")
    name: str = Field(description="The name as the hall shows it.")
    person: int | None = Field(description="The player's id over the years; null for who has no page.")
    club: str = Field(description="The name of the player's club; empty for a guest.")
    club_ref: ClubRef | None = Field(description="The player's club; null for a guest.")
    total: int | float = Field(description="What places go by: the sum or average of what counts.")
    deals: int = Field(description="Deals played in the season.")
    evenings: list[LadderCell] = Field(description="The player's evenings.")


class SeasonAward(Shape):
    """An award of a season."""

    title: str = Field(description="The award's title.")
    words: str = Field(description="What it was given for; may be empty.")
    name: str = Field(description="The name of who has it, as the hall shows it.")


class SeasonShape(SeasonLine):
    """A season with a page of its ladder."""

    rule_in_words: list[str] = Field(description="The season's rule as sentences, in the language asked for.")
    provisional: bool = Field(description="Whether an evening is still being played.")
    evenings: list[SeasonEvening] = Field(description="The evenings that have begun, in their order.")
    awards: list[SeasonAward] = Field(description="The awards that were given.")
    players: int = Field(description="How many players the whole ladder has.")
    items: list[LadderLine] = Field(description="The players on this page of the ladder.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class BestPlayShape(Shape):
    """A line of best play, all cards known, after one likely exchange."""

    contract_code: str = Field(description="The contract's code, such as `solo`.")
    trump_code: str = Field(description="The trump suit: `S`, `H`, `D` or `C`; empty where none is named.")
    declarer: str = Field(description="The declarer's role: `FH`, `MH` or `BH`.")
    hands: list[HandShape] = Field(description="The hands after the exchange, by role.")
    cards: list[tuple[str, str]] = Field(description="Role and card in the order of play.")
    outcome: str = Field(description="What the line comes to, as an outcome's code, such as `won`.")
    tricks: int = Field(description="The declarer's tricks.")


class SeasonDealShape(Shape):
    """A deal of a season's booklet, with its cards, what every table made of it, and a line of best play."""

    tournament: str = Field(description="The tournament's code.")
    name: str = Field(description="The tournament's name.")
    date: Day = Field(description="The day on which it was played.")
    round: int = Field(description="The round's number.")
    folder: int = Field(description="The folder's number.")
    reason: str = Field(
        description="Why it was chosen: `spread` (the tables differ most), `unfound` (nobody found the contract) or "
        "`defence` (a narrow defence)."
    )
    explanation: str = Field(description="The reason as a sentence, in the language asked for.")
    comment: str = Field(description="What the organiser says of it; may be empty.")
    hands: list[HandShape] = Field(description="The hands as they were dealt.")
    talon: list[str] = Field(description="The talon as it was dealt.")
    items: list[PlayedShape] = Field(description="The tables that have played it.")
    line: BestPlayShape | None = Field(description="A line of best play; null where none was worked out.")


class SeasonDeals(Shape):
    """The deals of a season's booklet, in its order; empty where none were chosen."""

    items: list[SeasonDealShape] = Field(description="The deals.")


def _line(season: Season) -> SeasonLine:
    return SeasonLine(
        id=season.pk,
        name=season.name,
        host=ref(season.host),
        starts=season.starts,
        ends=season.ends,
        rule=season.rule,
        page=reverse("hall_season", args=[season.pk]),
    )


@router.get("/clubs/{slug:slug}/seasons", response=replies(Seasons))
def club_seasons(
    request: HttpRequest, slug: Slug, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The seasons of a club and of its union, the newest made first."""
    found = Season.objects.filter(host__in=host_and_union(slug)).select_related("host")
    rows, behind = page_by(request, found, "-pk", limit, cursor)
    return answered(request, Seasons(items=[_line(one) for one in rows], next=behind))


@router.get("/seasons/{int:pk}", response=replies(SeasonShape))
def season(
    request: HttpRequest, pk: SeasonId, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """A season's ladder, in pages of players; the evenings are those of the entire season."""
    found, after = find_season(pk), read_cursor(cursor, int)
    table = season_table(found)
    begin = int(after[0]) if after else 0
    numbered = list(enumerate(table.rows[begin : begin + limit + 1], start=begin + 1))
    rows, behind = page_of(request, numbered, limit, lambda row: (row[0],))
    return answered(request, _shape(found, table, [row for _number, row in rows], behind))


def _shape(season: Season, table: SeasonTable, rows: Sequence[Placed], behind: str | None) -> SeasonShape:
    # A number with a link to a person's page would identify them.
    numbers = clubs_showing_numbers()
    pages = visibility.with_page([row.player_id for row in rows if row.shown_by not in numbers])
    clubs = club_refs([row.club_id for row in rows if row.club_id])
    return SeasonShape(
        **_line(season).model_dump(),
        rule_in_words=[str(sentence) for sentence in season_in_words(season)],
        provisional=table.provisional,
        evenings=[
            SeasonEvening(tournament=one.code, name=one.name, date=one.date, finished=one.is_finished)
            for one in table.evenings
        ],
        awards=[
            SeasonAward(title=award.title, words=award.words, name=name)
            for award, name in awards_of(season, table.names)
        ],
        players=len(table.rows),
        items=[_ladder_line(row, pages, clubs) for row in rows],
        next=behind,
    )


def _ladder_line(row: Placed, pages: set[int], clubs: Mapping[int, ClubRef]) -> LadderLine:
    line = row.line
    cells = ((column, line.evening(column)) for column in sorted(line.results))
    return LadderLine(
        place=line.rank or None,
        shared=line.shared,
        name=row.name,
        person=row.player_id if row.player_id in pages else None,
        club=row.club,
        club_ref=clubs.get(row.club_id) if row.club_id else None,
        total=number_of(line.total),
        deals=line.deals,
        evenings=[
            LadderCell(
                evening=column,
                worth=number_of(cell.worth),
                counts=cell.counts,
                tokens=cell.result.tokens,
                deals=cell.result.deals,
                place=cell.result.rank,
            )
            for column, cell in cells
            if cell
        ],
    )


@router.get("/seasons/{int:pk}/deals", response=replies(SeasonDeals))
def season_deals(request: HttpRequest, pk: SeasonId) -> HttpResponseBase:
    """The most instructive deals of a season, as its booklet has them; none of a round that is open."""
    return answered(request, SeasonDeals(items=[_deal(one) for one in shown_deals(find_season(pk))]))


def _deal(deal: ShownDeal) -> SeasonDealShape:
    tournament = deal.round.tournament
    return SeasonDealShape(
        tournament=tournament.code,
        name=tournament.name,
        date=tournament.date,
        round=deal.round.number,
        folder=deal.folder.number,
        reason=deal.row.reason,
        explanation=reason_text(rulebook_of(tournament), deal.row),
        comment=deal.row.comment,
        hands=hand_shapes(deal.folder),
        talon=list(deal.folder.talon),
        items=[played_shape(line) for line in deal.lines],
        line=_best_play(deal.row),
    )


def _best_play(row: SeasonDeal) -> BestPlayShape | None:
    line, about = row.line, row.about
    if not line.get("cards"):
        return None
    return BestPlayShape(
        contract_code=about["contract"],
        trump_code=about["trump"],
        declarer=about["role"],
        hands=[HandShape(role=role, cards=cards) for role, cards in line["hands"].items()],
        cards=line["cards"],
        outcome=line["outcome"],
        tricks=line["tricks"],
    )


# Championships: every stage with its groups, and who advances, as the hall shows them.

championships_router = Router(tags=["championships"])

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


def _championship_line(championship: Championship) -> ChampionshipLine:
    return ChampionshipLine(
        id=championship.pk,
        name=championship.name,
        host=ref(championship.host),
        date=championship.date,
        page=reverse("hall_championship", args=[championship.pk]),
    )


@championships_router.get("/clubs/{slug:slug}/championships", response=replies(Championships))
def club_championships(
    request: HttpRequest, slug: Slug, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The championships of a club and of its union, the newest made first."""
    found = Championship.objects.filter(host__in=host_and_union(slug)).select_related("host")
    rows, behind = page_by(request, found, "-pk", limit, cursor)
    return answered(request, Championships(items=[_championship_line(one) for one in rows], next=behind))


@championships_router.get("/championships/{int:pk}", response=replies(ChampionshipShape))
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
    return answered(request, ChampionshipShape(**_championship_line(found).model_dump(), stages=stages))


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
