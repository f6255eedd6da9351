"""An evening's story: who led when, what was declared, and what people talk about afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninja import Router
from pydantic import Field

from tournaments.api.base import Code, Shape, of_tournament, replies
from tournaments.domain.terms import contract_name
from tournaments.hall.live import find_tournament
from tournaments.hall.story_text import Teller

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.models import Tournament
    from tournaments.standings.story import Pace, StoryDeal

router = Router(tags=["story"])


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


@router.get("/tournaments/{str:code}/story", response=replies(StoryShape))
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
