"""Duplicate boards: the ranking on the same cards; of a round that is over each folder, and what was made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from ninja import Router
from pydantic import Field

from core.tables.files import number_of
from scoring.seats import ACTIVE
from tournaments.api.base import Code, Number, RoundNumber, Shape, of_tournament, replies
from tournaments.boards.analysis import analyses_of
from tournaments.boards.folders import folder_count, is_sealed
from tournaments.boards.results import lines_of
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.hall.tables import find_with_boards, opened_folders, ranking
from tournaments.web.lookup import find_round

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.boards.analysis import Makes
    from tournaments.boards.dealing import Folder
    from tournaments.boards.results import Line, Place, Ranked
    from tournaments.models import Round

router = Router(tags=["boards"])


class BoardSetShape(Shape):
    """A round's boards; the seed that they were dealt from is published when the round is over."""

    round: int = Field(description="The round's number.")
    fingerprint: str = Field(description="The SHA-256 of the seed.")
    seed: str | None = Field(
        description="The seed that the cards were dealt from; null until the round is over."
    )


class RankedShape(Shape):
    """A line of the ranking on the same cards; `difference` is the tokens less the mean of the others' in that seat.

    `tokens` and `place_by_tokens` are those of the standings, null for pairs and teams.
    """

    place: int = Field(description="The place in this ranking.")
    shared: bool = Field(description="Whether others have the same place.")
    number: int = Field(description="The number of the player, pair or team.")
    name: str = Field(description="The name as the hall shows it.")
    deals: int = Field(description="Deals that were compared.")
    difference: int | float = Field(description="The sum of differences from the mean.")
    tokens: int | None = Field(description="Tokens in the standings; null for pairs and teams.")
    place_by_tokens: int | None = Field(description="The place in the standings; null for pairs and teams.")


class BoardsShape(Shape):
    """The ranking over all rounds that are over."""

    sets: list[BoardSetShape] = Field(description="The boards of each round.")
    players: list[RankedShape] = Field(description="The players, the first place first.")
    teams: list[RankedShape] = Field(description="The pairs or teams, the first place first.")


class HandShape(Shape):
    """The cards that a role was dealt: FH, MH or BH (forehand, middlehand, backhand)."""

    role: str = Field(description="The role: `FH`, `MH` or `BH`.")
    cards: list[str] = Field(description="The cards, suit before rank: `SA` is the ace of spades.")


class PartShape(Shape):
    """A player's part in a deal; `others` held the same cards, `datum` is the mean of what they got.

    Without other results there is neither `datum` nor `difference`.
    """

    role: str = Field(description="The role: `FH`, `MH` or `BH`.")
    seat: str = Field(description="The seat: A, B, C, D or E.")
    number: int = Field(description="The player's number in the tournament.")
    name: str = Field(description="The name as the hall shows it.")
    tokens: int = Field(description="Tokens won in this deal.")
    others: int = Field(description="How many others held the same cards.")
    datum: int | float | None = Field(
        description="The mean of the others' tokens; null with nobody to compare with."
    )
    difference: int | float | None = Field(
        description="Tokens less `datum`; null with nobody to compare with."
    )


class PlayedShape(Shape):
    """A folder as one table played it; `declarer` is a seat's letter, empty where all passed."""

    table: int = Field(description="The table's number.")
    deal: int = Field(description="The deal's number.")
    result: dict[str, Any] = Field(description="The result as it was reported.")
    outcome: str = Field(description="The outcome's code, such as `won`; empty where nobody declared.")
    declarer: str = Field(description="The declarer's seat; empty where nobody declared.")
    places: list[PartShape] = Field(description="The players' parts, by seat.")


class MakeableShape(Shape):
    """The share of sampled exchanges with which best play makes a contract from a seat, all cards known."""

    role: str = Field(description="The declarer's role: `FH`, `MH`, `BH`, or `IDLE`, the fourth player.")
    contract_code: str = Field(description="The contract's code, such as `solo`.")
    trump_code: str = Field(
        description="The trump suit: `S`, `H`, `D` or `C`; empty where the contract or the talon decides."
    )
    made: int = Field(description="Exchanges after which best play makes it.")
    solved: int = Field(description="Exchanges that were worked out.")
    exact: bool = Field(description="Whether nobody exchanges: then it is certain.")
    at_least: float = Field(description="The lower end of the share's 95 per cent interval.")
    at_most: float = Field(description="The upper end of the share's 95 per cent interval.")


class FolderShape(Shape):
    """A folder; `sealed`: others are still to play it, so neither cards nor results are published."""

    round: int = Field(description="The round's number.")
    folder: int = Field(description="The folder's number.")
    sealed: bool = Field(description="Whether others are still to play it: then nothing else is told.")
    hands: list[HandShape] = Field(description="The hands as they were dealt.")
    talon: list[str] = Field(description="The talon as it was dealt.")
    items: list[PlayedShape] = Field(description="The tables that have played it.")
    makeable: list[MakeableShape] | None = Field(
        description="What could be made with it, by seat; null until it is worked out."
    )


@router.get("/tournaments/{str:code}/boards", response=replies(BoardsShape))
def tournament_boards(request: HttpRequest, code: Code) -> HttpResponseBase:
    """The ranking on the same cards; 404 where boards are not duplicated."""
    found = find_with_boards(code)
    return of_tournament(request, found, lambda: _ranking(ranking(found)))


def _ranking(told: dict[str, Any]) -> BoardsShape:
    return BoardsShape(
        sets=[
            BoardSetShape(round=one.number, fingerprint=one.fingerprint, seed=one.seed or None)
            for one in told["sets"]
        ],
        players=_ranked(told["players"]),
        teams=_ranked(told["teams"]),
    )


def _ranked(rows: Iterable[Ranked]) -> list[RankedShape]:
    return [
        RankedShape(
            place=row.rank,
            shared=row.shared,
            number=row.number,
            name=row.name,
            deals=row.score.deals,
            difference=number_of(row.score.difference),
            tokens=row.tokens,
            place_by_tokens=row.plain_rank,
        )
        for row in rows
    ]


@router.get(
    "/tournaments/{str:code}/boards/{int:round_number}/folders/{int:number}", response=replies(FolderShape)
)
def board_folder(
    request: HttpRequest, code: Code, round_number: RoundNumber, number: Number
) -> HttpResponseBase:
    """A folder's cards, and what every table made of them."""
    found = find_with_boards(code)
    one = find_round(found, round_number)
    if not 1 <= number <= folder_count(found):  # also while they are sealed: each response is stored
        raise Http404
    return of_tournament(request, found, lambda: _folder(one, number))


def _folder(round_: Round, number: int) -> FolderShape:
    if is_sealed(round_):
        return FolderShape(
            round=round_.number, folder=number, sealed=True, hands=[], talon=[], items=[], makeable=None
        )
    folders = opened_folders(round_)
    if not 1 <= number <= len(folders):
        raise Http404
    folder = folders[number - 1]
    return FolderShape(
        round=round_.number,
        folder=number,
        sealed=False,
        hands=hand_shapes(folder),
        talon=list(folder.talon),
        items=[played_shape(line) for line in lines_of([round_], folder=number)],
        makeable=_makeable(analyses_of(round_).get(number)),
    )


def _makeable(found: list[Makes] | None) -> list[MakeableShape] | None:
    if found is None:
        return None
    shapes = []
    for one in found:
        # Nothing is sampled where no player exchanges.
        low, high = (one.odds.share, one.odds.share) if one.exact else one.odds.interval
        shapes.append(
            MakeableShape(
                role=one.role,
                contract_code=one.contract,
                trump_code=one.trump,
                made=one.made,
                solved=one.solved,
                exact=one.exact,
                at_least=round(low, 3),
                at_most=round(high, 3),
            )
        )
    return shapes


def hand_shapes(folder: Folder) -> list[HandShape]:
    """A folder's hands as they were dealt."""
    return [HandShape(role=role.value, cards=list(folder.hand(role))) for role in ACTIVE]


def played_shape(line: Line) -> PlayedShape:
    """A folder as one table played it."""
    report = line.report
    return PlayedShape(
        table=line.table,
        deal=line.deal,
        result=report.result or {},
        outcome=report.outcome,
        declarer="" if report.declarer is None else SEAT_LETTERS[report.declarer],
        places=[_part(line, place) for place in line.places],
    )


def _part(line: Line, place: Place) -> PartShape:
    compared = place.compared
    return PartShape(
        role=place.role.value,
        seat=SEAT_LETTERS[place.position],
        number=place.entry.number,
        name=line.names[place.position],
        tokens=place.tokens,
        others=compared.others if compared else 0,
        datum=number_of(compared.datum) if compared else None,
        difference=number_of(compared.difference) if compared else None,
    )
