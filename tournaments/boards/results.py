"""Results on boards compared between tables, and the ranking by them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from django.core.cache import cache
from django.db.models import Q, Sum

from scoring.seats import Role
from tournaments.boards.dealing import Compared, Part, Score, compare
from tournaments.boards.folders import opened_rounds
from tournaments.boards.luck import LuckAndPlay, Residual, residuals_by_player, split_tokens
from tournaments.domain.formats import Format
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.seating import Sittings, seating_at
from tournaments.models import Deal, Entry, Match, Report, Round, Table, Tournament
from tournaments.standings.players import standings

if TYPE_CHECKING:
    from scoring.rulebook import Rulebook
    from scoring.seats import Seating


# Results of a round on boards, compared with others on the same cards.
#
# `tournaments/boards/dealing.py` defines the comparison. A seat is forehand, middlehand, the dealer or the fourth
# player; if the fourth player settles, tables of four are compared with tables of four only. Rulings and totals
# without deals have no cards, and are left out. Results are secret until the round is over: see
# `boards.folders.is_sealed`.

SEATS = (Role.FH, Role.MH, Role.BH, Role.IDLE)


@dataclass(frozen=True, slots=True)
class Place:
    """A player's part in a line: the seat, who sat there, and the tokens with what the others in that seat had."""

    role: Role
    position: int
    entry: Entry
    tokens: int
    compared: Compared | None


@dataclass(frozen=True, slots=True)
class Line:
    """A folder as one table played it."""

    round_number: int
    folder: int
    table: int
    deal: int
    report: Report
    names: tuple[str, ...]
    places: tuple[Place, ...]

    def place_of(self, role: Role) -> Place | None:
        return next((place for place in self.places if place.role is role), None)


def lines_of(rounds: Sequence[Round], *, folder: int | None = None) -> list[Line]:
    """Every deal of these rounds of one tournament that can be compared, by folder and table; in four queries.

    With a `folder`, the deals that were played with it, in one more.
    """
    if not rounds:
        return []
    rulebook = rulebook_of(rounds[0].tournament)
    dealt = (
        Deal.objects.filter(table__round__in=rounds, current__result__isnull=False)
        .select_related("table__round__tournament", "current")
        .order_by("table__round__number", "table__number", "number")
    )
    if folder is not None:
        dealt = dealt.filter(_played_with(folder, rounds))
    sittings = Sittings(Q(round__in=rounds))
    entries = Entry.objects.select_related("player", "club", "tournament__host", "team__tournament")
    sitting = entries.in_bulk({sat.entry for sat in sittings.all})
    found = [
        (deal, cards, [sitting[entry] for entry in sittings.entries_in_deal(deal.table_id, deal.number)])
        for deal in dealt
        if (cards := deal.table.folder_of(deal.number)) and "ruled" not in (deal.current.result or {})
    ]
    parts = [
        part for deal, folder, entries in found for part in _parts(deal, folder, entries, rulebook=rulebook)
    ]
    by_part = {(one.part.table, one.part.seat): one for one in compare(parts)}
    lines = [_line(deal, folder, entries, by_part) for deal, folder, entries in found]
    return sorted(lines, key=lambda line: (line.round_number, line.folder, line.table))


def _played_with(folder: int, rounds: Sequence[Round]) -> Q:
    """The deals played with a folder: at each table at most one."""
    tables: dict[int, list[int]] = defaultdict(list)
    for table, folders in Table.objects.filter(round__in=rounds).values_list("pk", "folders"):
        if folder in folders:
            tables[folders.index(folder) + 1].append(table)
    ways = [Q(number=number, table__in=found) for number, found in tables.items()]
    return reduce(or_, ways, Q(pk__in=()))


def _seating(deal: Deal, players: int) -> Seating:
    """The seating by hands of cards; in pairs with the hand that was taken over."""
    return seating_at(deal.table, players, deal.number, (deal.current.result or {}).get("declarer"))


def _parts(deal: Deal, folder: int, entries: Sequence[Entry], *, rulebook: Rulebook) -> Iterable[Part]:
    """The deal's parts for the comparison; a part's table is the deal itself, which identifies it."""
    seating = _seating(deal, len(entries))
    size = len(entries) if rulebook.house.idle_settles else 0
    cards = (deal.table.round_id, folder, size)
    for position, (entry, tokens) in enumerate(zip(entries, deal.current.tokens, strict=True)):
        yield Part(cards, seating.role_of(position), entry.pk, deal.pk, tokens)


def _line(
    deal: Deal, folder: int, entries: Sequence[Entry], compared: dict[tuple[object, object], Compared]
) -> Line:
    seating = _seating(deal, len(entries))
    places = [
        Place(role, position, entry, tokens, compared.get((deal.pk, role)))
        for position, (role, entry, tokens) in enumerate(
            zip(seating.roles, entries, deal.current.tokens, strict=True)
        )
    ]
    return Line(
        deal.table.round.number,
        folder,
        deal.table.number,
        deal.number,
        deal.current,
        tuple(entry.shown_name for entry in entries),
        tuple(sorted(places, key=lambda place: SEATS.index(place.role))),
    )


# The duplicate ranking: who made more of the same cards.

# Cache lifetime of a round's scores, in seconds.
KEPT = 3600


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of the duplicate ranking.

    For a player alone: `tokens`, `plain_rank` and `of` (how many there are) of the standings, and `split`, the tokens
    as cards and play.
    """

    rank: int
    shared: bool
    number: int
    name: str
    score: Score
    tokens: int | None = None
    plain_rank: int | None = None
    of: int = 0
    split: LuckAndPlay | None = None


def ranking_of_players(tournament: Tournament, rounds: Sequence[Round]) -> list[Ranked]:
    """Players by their duplicate scores in these rounds, with the ordinary standings."""
    splits = split_of_players(rounds)
    rows = {row.entry_id: row for row in standings(tournament).rows}
    return _ranked(
        [
            Ranked(
                rank=0,
                shared=False,
                number=rows[player].number,
                name=rows[player].name,
                score=Score(split.deals, split.play),
                tokens=rows[player].tokens,
                plain_rank=rows[player].rank,
                of=len(rows),
                split=split,
            )
            for player, split in splits.items()
        ]
    )


def split_of_players(rounds: Sequence[Round]) -> dict[int, LuckAndPlay]:
    """For each entry, the tokens of these rounds split into cards and play."""
    found: dict[int, list[Residual]] = defaultdict(list)
    for round_ in rounds:
        for player, residuals in _residuals_in(round_).items():
            found[player] += residuals
    return {player: split_tokens(residuals) for player, residuals in found.items()}


def play_by_entry(tournament: Tournament, numbers: Collection[int]) -> dict[int, Fraction]:
    """For each entry, the tokens beyond the field average in these rounds, as far as they are over."""
    opened = [round_ for round_ in opened_rounds(tournament) if round_.number in numbers]
    return {entry: split.play for entry, split in split_of_players(opened).items()}


def ranking_of_teams(tournament: Tournament, rounds: Sequence[Round]) -> list[Ranked]:
    """Pairs or teams, where they meet, by the sums of what their players had at the tables of their matches."""
    teams = {team.pk: team for team in tournament.teams.all()}
    if not teams:
        return []
    sides = _sides(tournament)
    found: dict[int, Score] = defaultdict(lambda: Score(0, Fraction()))
    for round_ in rounds:
        for player, residuals in _residuals_in(round_).items():
            team = sides.get((round_.number, player))
            if team is not None:
                split = split_tokens(residuals)
                found[team] += Score(split.deals, split.play)
    row = tournament.format_row
    return _ranked(
        [
            Ranked(0, False, teams[team].number, teams[team].name, _in_deals(score, row))
            for team, score in found.items()
        ]
    )


def _in_deals(score: Score, row: Format) -> Score:
    """The joint tokens of a side's players; a deal of theirs is a part for each of them at that table."""
    return Score(score.deals * row.tables_of_match // row.team_size, score.difference)


def _residuals_in(round_: Round) -> dict[int, list[Residual]]:
    """Each player's residuals of a round, worked out once: what is over stays as it is.

    Where it is opened again, it is closed at another time; a match played on another day brings more reports.
    """
    reports = round_.tables.aggregate(reports=Sum("reports_count"))["reports"]
    key = f"residuals:{round_.pk}:{round_.closed_at}:{reports}".replace(" ", "_")
    kept: dict[int, list[Residual]] | None = cache.get(key)
    if kept is None:
        kept = residuals_by_player(
            place.compared for line in lines_of([round_]) for place in line.places if place.compared
        )
        cache.set(key, kept, KEPT)
    return kept


def _sides(tournament: Tournament) -> dict[tuple[int, int], int]:
    """(round's number, entry) -> the pair or team that they played for there."""
    matches = {match.pk: match for match in Match.objects.filter(round__tournament=tournament)}
    first: dict[int, int] = {}
    tables = Table.objects.filter(round__tournament=tournament, match__isnull=False)
    match_of = dict(tables.values_list("pk", "match"))
    sides = {}
    for sat in Sittings(Q(table__in=tables.values("pk"))).all:
        match = matches[match_of[sat.table]]
        # At a match's second table the home team has the other seats.
        at_home = (sat.position + (first.setdefault(match.pk, sat.table) != sat.table)) % 2 == 0
        team = match.home_id if at_home else match.away_id
        if team is not None:
            sides[sat.round, sat.entry] = team
    return sides


def _ranked(rows: Sequence[Ranked]) -> list[Ranked]:
    """Rank by the differences; equal ones share the rank."""
    alike = Counter(row.score.difference for row in rows)
    places, place = {}, 1
    for difference in sorted(alike, reverse=True):
        places[difference] = place
        place += alike[difference]
    ranked = [
        replace(row, rank=places[row.score.difference], shared=alike[row.score.difference] > 1)
        for row in rows
    ]
    return sorted(ranked, key=lambda row: (row.rank, row.number))
