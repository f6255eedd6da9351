"""Standings of players, pairs and teams, with the columns of every page, sheet and file; and an evening's story."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import override
from ninja import Router
from pydantic import Field, create_model

from tournaments.api.base import (
    NOBODY,
    ClubRef,
    Code,
    Day,
    LocalTime,
    Reference,
    Shape,
    of_tournament,
    player_refs,
    replies,
    team_refs,
)
from tournaments.domain.terms import contract_name
from tournaments.exports.result_tables import as_json
from tournaments.hall.live import find_tournament
from tournaments.hall.standings import find_in_teams
from tournaments.hall.story import Teller
from tournaments.standings.columns import PLAYERS, Column, On
from tournaments.standings.players import standings
from tournaments.standings.team_text import TEAMS
from tournaments.standings.teams import team_standings
from tournaments.standings.tie_breaks import comparison_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.models import Tournament
    from tournaments.standings.story import Pace, StoryDeal
    from tournaments.standings.team_ranking import Result
    from tournaments.standings.team_ranking import Row as TeamRow
    from tournaments.standings.tie_breaks import Row


router = Router(tags=["standings"])

Value = int | float | str | None


class ColumnShape(Shape):
    """A column: its name in each line, its heading in the reader's language, and whether it has something to say."""

    name: str = Field(description="The field's name in each line.")
    heading: str = Field(description="The column's heading, in the language asked for.")
    shown: bool = Field(description="Whether pages show it in these standings.")


# What a heading is too short for; a column that is not here is described by its heading.
MEANINGS = {
    "place": "The place; null for who has none.",
    "number": "The number of the player, pair or team in the tournament.",
    "name": "The name as the hall shows it.",
    "club": "The name of the club; empty for none.",
    "division": "The division, 1 for the highest.",
    "moved": "Places gained in the last round, negative where lost; null without a place before.",
    "moved_by_deal": "Places gained by the latest report, negative where lost; null without a place before.",
    "total": "What places go by: tokens with penalties and what was carried over, or an average.",
    "gap": "How much less the total is than the leader's.",
    "taken_along": "What was carried over from the stage before.",
    "penalties": "Tokens added or taken by rulings.",
    "tokens": "Tokens won; a loss is negative.",
    "deals": "Deals played.",
    "points": "Match points.",
    "points_a_match": "Match points a match, on average.",
    "matches": "Matches played.",
    "won": "Matches won.",
    "drawn": "Matches drawn.",
    "lost": "Matches lost.",
    "tokens_a_match": "Tokens a match, on average.",
    "points_taken_along": "Match points carried over from the stage before.",
    "tokens_taken_along": "Tokens carried over from the stage before.",
    "ruled_points": "Match points added or taken by rulings.",
    "byes": "Rounds without an opponent.",
}


def _line(name: str, about: str, columns: Iterable[Any], **more: Any) -> type[Shape]:
    """Build the schema of a row from the definition of the columns: a new column is in it automatically."""
    with override("en"):  # the first request may be in Danish
        by_name = {
            column.name: (Value, Field(description=MEANINGS.get(column.name, str(column.heading))))
            for column in _json_columns(columns)
        }
    return create_model(name, __base__=Shape, __doc__=about, **(by_name | more))


def _json_columns(columns: Iterable[Any]) -> list[Column[Any, Any]]:
    return [column for column in columns if isinstance(column, Column) and On.JSON in column.on]


if TYPE_CHECKING:

    class Standing(Shape):
        """See below."""

    class TeamStanding(Shape):
        """See below."""

else:
    Standing = _line(
        "Standing",
        "A player's line in the standings.",
        PLAYERS,
        shared=(bool, Field(description="Whether others have the same place.")),
        withdrawn=(bool, Field(description="Whether they have withdrawn.")),
        person=(int | None, Field(description="The player's id over the years; null for who has no page.")),
        club_ref=(ClubRef | None, Field(description="The player's club; null for a guest.")),
        has_enough_deals=(
            bool,
            Field(
                description="False for who is placed after all others for having been dealt too few deals."
            ),
        ),
        by_round=(list[int | None], Field(description="Tokens by round; null where they did not sit.")),
    )


class StandingsShape(Shape):
    """The standings as they are now."""

    version: int = Field(description="The tournament's version that these standings are of.")
    final: bool = Field(description="Whether the tournament is over.")
    provisional: bool = Field(description="Whether a round is being played.")
    places_by: str = Field(description="What places go by, as a code.")
    places_by_in_words: str = Field(description="A sentence; empty where it is the sum of tokens.")
    rounds: list[int] = Field(description="The numbers of the rounds in `by_round`.")
    columns: list[ColumnShape] = Field(description="The columns of each line.")
    items: list[Standing] = Field(description="The players, the first place first.")


class TeamPlayer(Shape):
    """A player's results for a team."""

    number: int = Field(description="The player's number in the tournament.")
    name: str = Field(description="The name as the hall shows it.")
    person: int | None = Field(description="The player's id over the years; null for who has no page.")
    matches: int = Field(description="Matches that they played in.")
    deals: int = Field(description="Deals that they played for this team.")
    tokens: int = Field(description="Tokens that they won for this team.")
    substitute: bool = Field(description="Whether they belong to another team, or to none.")


if not TYPE_CHECKING:
    TeamStanding = _line(
        "TeamStanding",
        "The line of a pair or team.",
        TEAMS,
        shared=(bool, Field(description="Whether others have the same place.")),
        withdrawn=(bool, Field(description="Whether they have withdrawn.")),
        promoted=(bool, Field(description="Whether they go up a division.")),
        relegated=(bool, Field(description="Whether they go down a division.")),
        club_ref=(ClubRef | None, Field(description="The club that they play for; null for none.")),
        players=(list[TeamPlayer], Field(description="What each player has won for them.")),
    )


class MatchShape(Shape):
    """A match, or a bye (without an `away`); points and tokens are of home and away, null before the first report."""

    round: int = Field(description="The round's number.")
    number: int = Field(description="The match's number in the round.")
    date: Day | None = Field(description="The day on which it is played; null for the tournament's day.")
    home: int = Field(description="The number of the home team.")
    away: int | None = Field(description="The number of the away team; null for a bye.")
    points: tuple[int, int] | None = Field(
        description="Match points of home and away; null before the first report."
    )
    tokens: tuple[int, int] | None = Field(
        description="Tokens of home and away; null before the first report."
    )
    ruling: str | None = Field(description="Why the match was awarded by a ruling; null where it was not.")
    postponed_to: Day | None = Field(description="The day to which it was postponed; null where it was not.")
    begins_at: LocalTime | None = Field(
        description="The hour of a match on a day of its own; null where it is not known."
    )
    venue: str = Field(description="Where a match on a day of its own is played; may be empty.")


class TeamStandingsShape(Shape):
    """The standings of pairs or teams, division by division, and their matches."""

    version: int = Field(description="The tournament's version that these standings are of.")
    final: bool = Field(description="Whether the tournament is over.")
    provisional: bool = Field(description="Whether a round is being played.")
    by_average: bool = Field(
        description="Whether places go by averages, since not all have played as many matches."
    )
    columns: list[ColumnShape] = Field(description="The columns of each line.")
    items: list[TeamStanding] = Field(description="The pairs or teams, by division and place.")
    matches: list[MatchShape] = Field(description="The matches, by rounds.")


def standing_of(row: Row, reference: Reference = NOBODY) -> Standing:
    more = {
        "shared": row.shared,
        "withdrawn": row.withdrawn,
        "person": reference.person,
        "club_ref": reference.club,
        "has_enough_deals": row.has_enough_deals,
        "by_round": row.rounds,
    }
    return Standing.model_validate(as_json(PLAYERS, row) | more)


def _columns(columns: Iterable[Any], whole: object) -> list[ColumnShape]:
    return [
        ColumnShape(name=column.name, heading=str(column.heading), shown=column.there(whole))
        for column in _json_columns(columns)
    ]


@router.get("/tournaments/{str:code}/standings", response=replies(StandingsShape))
def tournament_standings(request: HttpRequest, code: Code) -> HttpResponseBase:
    """The current standings of all players; where pairs or teams are ranked, each player's own total."""
    found = find_tournament(code)
    return of_tournament(request, found, lambda: _standings(found))


def _standings(tournament: Tournament) -> StandingsShape:
    table, refs = standings(tournament), player_refs(tournament)
    return StandingsShape(
        version=tournament.version,
        final=tournament.is_finished,
        provisional=table.provisional,
        places_by=table.comparison.kind,
        places_by_in_words=comparison_in_words(table.comparison),
        rounds=table.rounds,
        columns=_columns(PLAYERS, table),
        items=[standing_of(row, refs.get(row.number, NOBODY)) for row in table.rows],
    )


@router.get("/tournaments/{str:code}/teams", response=replies(TeamStandingsShape))
def tournament_teams(request: HttpRequest, code: Code) -> HttpResponseBase:
    """The places of pairs or teams and their matches; 404 where everybody plays for themselves."""
    found = find_in_teams(code)
    return of_tournament(request, found, lambda: _teams(found))


def _teams(tournament: Tournament) -> TeamStandingsShape:
    table = team_standings(tournament)
    people, clubs = player_refs(tournament), team_refs(tournament)
    return TeamStandingsShape(
        version=tournament.version,
        final=tournament.is_finished,
        provisional=table.provisional,
        by_average=table.by_average,
        columns=_columns(TEAMS, table),
        items=[_team(row, people, clubs.get(row.number)) for row in table.rows],
        matches=[_match(result) for results in table.rounds.values() for result in results],
    )


def _team(row: TeamRow, people: Mapping[int, Reference], club: ClubRef | None) -> TeamStanding:
    players = [
        {
            name: getattr(player, name)
            for name in ("number", "name", "matches", "deals", "tokens", "substitute")
        }
        | {"person": people.get(player.number, NOBODY).person}
        for player in row.players
    ]
    same = {name: getattr(row, name) for name in ("shared", "withdrawn", "promoted", "relegated")}
    return TeamStanding.model_validate(as_json(TEAMS, row) | same | {"players": players, "club_ref": club})


def _match(result: Result) -> MatchShape:
    return MatchShape(
        round=result.round,
        number=result.number,
        date=result.day,
        home=result.home,
        away=result.away,
        points=result.points,
        tokens=result.tokens,
        ruling=result.awarded_reason or None,
        postponed_to=result.postponed_to,
        begins_at=result.begins_at,
        venue=result.place,
    )


# An evening's story: who led when, what was declared, and what people talk about afterwards.

story_router = Router(tags=["story"])


class PlayerRef(Shape):
    """A player, by their number in the tournament."""

    number: int = Field(description="The player's number in the tournament.")
    name: str = Field(description="The name as the hall shows it.")


class Moment(Shape):
    """A round and a deal in it, which all tables have played."""

    round: int = Field(description="The round's number.")
    deal: int = Field(description="The deal's number.")


class LeadShape(Shape):
    """A player's time alone in the lead: the deals after which they led."""

    player: PlayerRef = Field(description="Who led.")
    first: Moment = Field(description="The deal after which they took the lead.")
    last: Moment = Field(description="The last deal after which they still led.")


class GamesOf(Shape):
    """Games of a contract, and how many of them their declarers won."""

    contract: str = Field(description="The contract's code, as in a report.")
    contract_name: str = Field(description="The contract's name, in the language asked for.")
    deals: int = Field(description="How often it was declared.")
    won: int = Field(description="How often it was won.")


class ToldGame(Shape):
    """A notable game; `tokens` are the declarer's, `turnover` is all that changed hands, at both ends."""

    round: int = Field(description="The round's number.")
    table: int = Field(description="The table's number.")
    deal: int = Field(description="The deal's number.")
    contract: str = Field(description="The contract's code, as in a report.")
    contract_name: str = Field(description="The contract's name, in the language asked for.")
    declarer: PlayerRef | None = Field(description="Who declared it; null where it is not known.")
    won: bool = Field(description="Whether the declarer won.")
    tokens: int = Field(description="The declarer's tokens.")
    turnover: int = Field(description="All tokens that changed hands.")


class PaceShape(Shape):
    """The speed of a table."""

    round: int = Field(description="The round's number.")
    table: int = Field(description="The table's number.")
    deals: int = Field(description="Deals that the time was measured over.")
    seconds_a_deal: float = Field(description="Seconds a deal, on average.")


class MadeTouts(Shape):
    """The number of touts of a player as declarer."""

    player: PlayerRef = Field(description="Who made them.")
    touts: int = Field(description="How many.")


class StoryShape(Shape):
    """The statistics of an evening; sealed boards are not included yet."""

    headline: str = Field(description="How it stands, or what came of it, in the reader’s words.")
    deals: int = Field(description="Deals played.")
    declared: int = Field(description="Deals in which somebody declared.")
    won: int = Field(description="Games won by their declarers.")
    passed: int = Field(description="Deals in which all passed.")
    ruled: int = Field(description="Deals settled by a ruling.")
    contracts: list[GamesOf] = Field(description="Games by contract, the most declared first.")
    changes_of_lead: int = Field(description="How often the lead changed.")
    leads: list[LeadShape] = Field(description="One after the other; while two are level nobody leads.")
    longest_run: int = Field(description="Games won in a row as declarer.")
    longest_run_by: list[PlayerRef] = Field(description="Who had such a run.")
    deal_of_the_evening: ToldGame | None = Field(
        description="The game with the largest turnover; null before there is one."
    )
    dearest_game: ToldGame | None = Field(
        description="Which cost its declarer the most; null where it is the deal of the evening too."
    )
    touts: list[MadeTouts] = Field(description="Who made touts.")
    seconds_a_deal: float | None = Field(
        description="Seconds a deal, on average of all tables; null where not known."
    )
    quickest: PaceShape | None = Field(description="The quickest table; null where not known.")
    slowest: PaceShape | None = Field(description="The slowest table; null where not known.")


@story_router.get("/tournaments/{str:code}/story", response=replies(StoryShape))
def tournament_story(request: HttpRequest, code: Code) -> HttpResponseBase:
    """The story as far as it has come."""
    found = find_tournament(code)
    return of_tournament(request, found, lambda: _story(found))


def _story(tournament: Tournament) -> StoryShape:
    teller = Teller(tournament)
    story = teller.story
    people = {row.entry_id: PlayerRef(number=row.number, name=row.name) for row in teller.table.rows}
    counted, race, (runners, run), pace = story.counted, story.race, story.run, story.tempo

    def moment(step: int) -> Moment:
        round_, deal = race.where(step)
        return Moment(round=round_, deal=deal)

    return StoryShape(
        headline=teller.headline(),
        deals=counted.deals,
        declared=counted.declared.deals,
        won=counted.declared.won,
        passed=counted.passed,
        ruled=counted.ruled,
        contracts=[
            GamesOf(contract=name, contract_name=contract_name(name), deals=games.deals, won=games.won)
            for name, games in counted.contracts.items()
        ],
        changes_of_lead=race.changes,
        leads=[
            LeadShape(player=people[one.player], first=moment(one.first), last=moment(one.last))
            for one in race.spells
        ],
        longest_run=run,
        longest_run_by=_player_refs(people, runners),
        deal_of_the_evening=_game(people, story.deal),
        dearest_game=_game(people, story.dearest),
        touts=[
            MadeTouts(player=people[player], touts=made)
            for player, made in story.touts.items()
            if player in people
        ],
        seconds_a_deal=pace.average if pace else None,
        quickest=_pace(pace.quickest if pace else None),
        slowest=_pace(pace.slowest if pace else None),
    )


def _player_refs(people: dict[int, PlayerRef], players: Iterable[int]) -> list[PlayerRef]:
    return [people[player] for player in players if player in people]


def _game(people: dict[int, PlayerRef], deal: StoryDeal | None) -> ToldGame | None:
    if deal is None:
        return None
    return ToldGame(
        round=deal.round,
        table=deal.table,
        deal=deal.number,
        contract=deal.contract,
        contract_name=contract_name(deal.contract),
        declarer=None if deal.declarer is None else people.get(deal.declarer),
        won=deal.is_won,
        tokens=deal.declarers_tokens,
        turnover=deal.turnover,
    )


def _pace(pace: Pace | None) -> PaceShape | None:
    if pace is None:
        return None
    return PaceShape(round=pace.round, table=pace.table, deals=pace.deals, seconds_a_deal=pace.each)
