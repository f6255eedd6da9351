"""Results as CSV, XLSX and JSON: standings, teams, seasons, boards; ratings and results for other programs.

Column names are the same in every language. Public files have names as shown in the hall, without hidden persons;
`whole`, for organisers, has full names and members' numbers.
"""

from __future__ import annotations

import json
from datetime import MAXYEAR, MINYEAR
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import Q
from django.utils.translation import gettext as _

from clubs.models import Club, Membership, Player, format_name
from clubs.register_models import clubs_in
from core.tables.files import CONTENT_TYPES as SHEET_TYPES
from core.tables.files import Table, Value, number_of, stream_csv, table_file
from tournaments.boards.folders import opened_rounds
from tournaments.boards.results import lines_of, ranking_of_players, ranking_of_teams
from tournaments.domain.comparison import plain_factor
from tournaments.domain.terms import contract_name, outcome_name, seat_name, suit_name
from tournaments.ledger.queries import rulebook_of
from tournaments.models import EveningResult, Tournament
from tournaments.models.names import NAMELESS
from tournaments.models.play import told_apart
from tournaments.people import visibility
from tournaments.people.person import bring_up_to_date
from tournaments.seasons.ladder_table import awards_of
from tournaments.seasons.ratings import rating_list
from tournaments.seasons.season import season_in_words
from tournaments.standings.columns import PLAYERS, Column, On, Several, select_columns
from tournaments.standings.team_text import TEAMS, state
from tournaments.standings.teams import team_standings
from tournaments.standings.tie_breaks import comparison_in_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from django.db.models import QuerySet

    from scoring.rulebook import Rulebook
    from tournaments.boards.results import Line as BoardLine
    from tournaments.boards.results import Ranked
    from tournaments.models import Round, Season
    from tournaments.people.points_lists import ShownRow
    from tournaments.seasons.ladder import Evening
    from tournaments.seasons.ladder_table import Placed, SeasonTable
    from tournaments.standings.players import Standings
    from tournaments.standings.team_ranking import Result
    from tournaments.standings.team_ranking import Row as TeamRow
    from tournaments.standings.teams import TeamStandings
    from tournaments.standings.tie_breaks import Row


# Standings and matches of pairs and teams as a file: CSV, XLSX or JSON, with the names as the hall shows them.

TEAMS_CONTENT_TYPES = SHEET_TYPES | {"json": "application/json; charset=utf-8"}


def teams_file(tournament: Tournament, kind: str) -> bytes:
    """The standings as "csv", with the matches on a second sheet as "xlsx", or all of it as "json"."""
    table = team_standings(tournament)
    if kind == "json":
        return json.dumps(_plain_team(tournament, table), ensure_ascii=False, indent=1).encode()
    return table_file(kind, as_table(TEAMS, table.rows, table, _("Standings")), _matches(table))


def _matches(table: TeamStandings) -> Table:
    heads = [
        _("Round"), _("Date"), _("Home"), _("Away"), _("Points, home"), _("Points, away"), _("Tokens, home"),
        _("Tokens, away"), _("Remark"),
    ]  # fmt: skip
    rows = []
    for result in (result for results in table.rounds.values() for result in results):
        away = table.names[result.away] if result.away is not None else ""
        points, tokens = result.points or (None, None), result.tokens or (None, None)
        home = table.names[result.home]
        rows.append([result.round, result.day, home, away, *points, *tokens, state(result)])
    return Table(heads, rows, _("Matches"))


def _plain_team(tournament: Tournament, table: TeamStandings) -> dict[str, Any]:
    return {
        "tournament": tournament.name,
        "code": tournament.code,
        "match_points": tournament.match_points,
        "by_average": table.by_average,
        "provisional": table.provisional,
        "divisions": [
            {"number": division.number, "teams": [_team(row) for row in division.rows]}
            for division in table.divisions
        ],
        "matches": [_match(result) for results in table.rounds.values() for result in results],
    }


def _team(row: TeamRow) -> dict[str, Any]:
    return as_json(TEAMS, row) | {
        "promoted": row.promoted,
        "relegated": row.relegated,
        "withdrawn": row.withdrawn,
        "players": [
            {
                "number": player.number,
                "name": player.name,
                "matches": player.matches,
                "deals": player.deals,
                "tokens": player.tokens,
                "substitute": player.substitute,
            }
            for player in row.players
        ],
    }


def _match(result: Result) -> dict[str, Any]:
    return {
        "round": result.round,
        "number": result.number,
        "date": str(result.day) if result.day else None,
        "home": result.home,
        "away": result.away,
        "points": result.points,
        "tokens": result.tokens,
        "ruling": result.awarded_reason or None,
        "postponed_to": str(result.postponed_to) if result.postponed_to else None,
        "begins_at": result.begins_at.isoformat("minutes") if result.begins_at else None,
        "venue": result.place,
    }


# The comparison of a round on boards, and the ranking that follows, as tables for spreadsheets.


def ranking_csv(tournament: Tournament) -> bytes:
    """The duplicate ranking over all rounds that are over: pairs or teams, where they meet, then the players."""
    headings = [
        _("Place"),
        _("Name"),
        _("No."),
        _("Deals"),
        _("Difference"),
        _("Tokens"),
        _("Plain place"),
        _("Cards"),
        _("Give or take"),
    ]
    opened = opened_rounds(tournament)
    rows = [
        _ranked(row)
        for row in [*ranking_of_teams(tournament, opened), *ranking_of_players(tournament, opened)]
    ]
    return table_file("csv", Table(headings, rows))


def _ranked(row: Ranked) -> list[Value]:
    cells: list[Value] = [row.rank, row.name, row.number, row.score.deals, row.score.difference]
    if row.split is None:
        return [*cells, None, None, None, None]
    margin = None if row.split.margin is None else round(row.split.margin, 1)
    return [*cells, row.tokens, row.plain_rank, row.split.cards, margin]


def comparison_csv(round_: Round) -> bytes:
    """A line for each player's part in each deal.

    The datum is what the others got over how many they were, exactly; here it and the difference have four decimals.
    """
    headings = [
        _("Round"), _("Folder"), _("Table"), _("Deal"), _("Seat"), _("No."), _("Name"), _("Declarer"),
        _("Contract"), _("Trump"), _("Result"), _("Tokens"), _("Others"), _("Tokens of the others"), _("Datum"),
        _("Difference"),
    ]  # fmt: skip
    rulebook = rulebook_of(round_.tournament)
    rows = [row for line in lines_of([round_]) for row in _rows(line, rulebook)]
    return table_file("csv", Table(headings, rows))


def _rows(line: BoardLine, rulebook: Rulebook) -> Iterator[list[Value]]:
    report, result = line.report, line.report.result or {}
    for place in line.places:
        compared = place.compared
        name = line.names[place.position]
        yield [
            line.round_number,
            line.folder,
            line.table,
            line.deal,
            seat_name(rulebook, place.role),
            place.entry.number,
            name,
            int(place.position == report.declarer),
            contract_name(report.contract) if report.contract else "",
            suit_name(result["trump"]) if result.get("trump") else "",
            outcome_name(rulebook, report.outcome),
            place.tokens,
            compared.others if compared else 0,
            int(compared.datum * compared.others) if compared else None,
            compared.datum if compared else None,
            compared.difference if compared else None,
        ]


# The columns of standings in files: a table for CSV and XLSX, an object a row for JSON.

Line = TypeVar("Line")
Whole = TypeVar("Whole")


def as_table(
    columns: Iterable[Column[Line, Whole] | Several[Line, Whole]],
    lines: Iterable[Line],
    whole: Whole,
    title: str,
) -> Table:
    here = select_columns(columns, On.SHEET, whole)
    rows: list[Sequence[Value]] = [[column.value(line) for column in here] for line in lines]
    return Table([str(column.heading) for column in here], rows, title)


def as_json(columns: Iterable[Column[Line, Whole] | Several[Line, Whole]], line: Line) -> dict[str, Any]:
    """A line by the columns' names; those of which there are several are a list of another name."""
    here = [column for column in columns if isinstance(column, Column) and On.JSON in column.on]
    return {column.name: _plain(column.value(line)) for column in here}


def _plain(value: Value) -> str | int | float | None:
    if value is None or isinstance(value, (int, float)):
        return value
    return number_of(value) if isinstance(value, Fraction) else str(value)


# A season's ladder as a file: CSV, XLSX or JSON, with the names as the hall shows them.

SEASONS_CONTENT_TYPES = SHEET_TYPES | {"json": "application/json; charset=utf-8"}


def season_file(season: Season, table: SeasonTable, kind: str) -> Iterator[bytes]:
    """The ladder as "csv", "xlsx" or "json"; the lines of a CSV are made while it is sent."""
    if kind == "json":
        return iter([json.dumps(_plain_season(season, table), ensure_ascii=False, indent=1).encode()])
    heads = [_("Place"), _("Name"), _("Club"), _("Total"), _("Evenings played"), _("Deals")]
    columns = [f"{evening.date} {evening.name}" for evening in table.evenings]
    rows = (
        [
            *(row.line.rank or None, row.name, row.club, row.line.total, row.line.played, row.line.deals),
            *(evening.worth if evening else None for evening in _each(row, table)),
        ]
        for row in table.rows
    )
    ladder = Table([*heads, *columns], rows, _("Ladder"))
    return stream_csv(ladder) if kind == "csv" else iter([table_file(kind, ladder)])


def _plain_season(season: Season, table: SeasonTable) -> dict[str, Any]:
    return {
        "season": season.name,
        "host": season.host.name,
        "starts": str(season.starts),
        "ends": str(season.ends),
        "rule": season.rule,
        "rule_in_words": season_in_words(season, of_teams=table.of_teams),
        "evenings": [
            {"code": one.code, "name": one.name, "date": str(one.date), "finished": one.is_finished}
            for one in table.evenings
        ],
        "ladder": [
            {
                "place": row.line.rank or None,
                "shared": row.line.shared,
                "name": row.name,
                "club": row.club,
                "total": number_of(row.line.total),
                "deals": row.line.deals,
                "evenings": [_evening(evening) for evening in _each(row, table)],
            }
            for row in table.rows
        ],
        "awards": [
            {"title": award.title, "words": award.words, "name": name}
            for award, name in awards_of(season, table.names)
        ],
    }


def _each(row: Placed, table: SeasonTable) -> list[Evening | None]:
    """All evenings in a player's line, with None where the player was away."""
    return [row.line.evening(column) for column in range(len(table.evenings))]


def _evening(evening: Evening | None) -> dict[str, Any] | None:
    if evening is None:
        return None
    return {
        "worth": number_of(evening.worth),
        "counts": evening.counts,
        "tokens": evening.result.tokens,
        "deals": evening.result.deals,
        "place": evening.result.rank,
    }


# A tournament's standings as a file: CSV, XLSX or JSON, with the names as the hall shows them.

STANDINGS_CONTENT_TYPES = SHEET_TYPES | {"json": "application/json; charset=utf-8"}


def standings_file(tournament: Tournament, table: Standings, kind: str) -> bytes:
    """The standings as "csv", "xlsx" or "json"."""
    if kind == "json":
        return json.dumps(_plain_standing(tournament, table), ensure_ascii=False, indent=1).encode()
    return table_file(kind, as_table(PLAYERS, table.rows, table, _("Standings")))


def _plain_standing(tournament: Tournament, table: Standings) -> dict[str, Any]:
    return {
        "code": tournament.code,
        "tournament": tournament.name,
        "host": tournament.host.name,
        "date": str(tournament.date),
        "final": tournament.is_finished,
        "objections_until": tournament.objections_until and tournament.objections_until.isoformat(),
        "places_by": table.comparison.kind,
        "factor_at_three": plain_factor(table.comparison.factor)
        if table.comparison.kind == "factor"
        else None,
        "places_by_in_words": comparison_in_words(table.comparison),
        "rounds": table.rounds,
        "standings": [_row(row) for row in table.rows],
    }


def _row(row: Row) -> dict[str, Any]:
    more = {"shared": row.shared, "withdrawn": row.withdrawn, "by_round": row.rounds}
    return as_json(PLAYERS, row) | more


# A published points list as a file: CSV or XLSX, with the names as the hall shows them.


def published_list_file(kind: str, rows: Iterable[ShownRow]) -> bytes:
    """The rows as "csv" or "xlsx"."""
    heads = [_("Place"), _("Name"), _("Club"), _("Points"), _("Tournaments"), _("Place in the list before")]
    cells = [[row.place, row.name, row.club.name, row.points, row.played, row.before or None] for row in rows]
    return table_file(kind, Table(heads, cells, _("Points list")))


RESULTS = (
    "evening", "evening_name", "date", "host", "host_name", "season", "format", "rulebook",
    "number", "person", "name", "club", "place", "deals", "tokens", "total", "left_early",
)  # fmt: skip
RATING = ("place", "person", "name", "club", "rating", "give_or_take", "tables", "last_played")
# What who organises has besides.
MEMBER = "member_number"
# Evenings whose rows are read at once: the file is sent meanwhile.
EVENINGS_AT_ONCE = 100

_EVENING = ("code", "name", "date", "host__slug", "host__name", "season__name", "format", "rulebook")
_RESULT = (
    "tournament", "entry__number", "entry__player", "entry__player__name", "entry__player__has_objected",
    "entry__club", "entry__club__name", "entry__club__name_style", "entry__has_namesake",
    "place", "deals", "tokens", "total", "divided_by", "withdrawn", "tournament__host__name_style",
)  # fmt: skip


def of_year(evenings: QuerySet[Tournament], year: int) -> QuerySet[Tournament]:
    """The rows of a year; none for an impossible year."""
    return evenings.filter(date__year=year) if MINYEAR <= year <= MAXYEAR else evenings.none()


def results_table(evenings: QuerySet[Tournament], *, whole: bool) -> Table:
    """A row for everybody who was reported a deal at these evenings, in their order, by place; of final ones alone."""
    final = evenings.filter(state=Tournament.State.FINISHED, called_off_at=None).order_by("date", "pk")
    bring_up_to_date(final)
    about = {pk: row for pk, *row in final.values_list("pk", *_EVENING)}
    headings = [*RESULTS, *([MEMBER] if whole else [])]
    return Table(headings, _federation_rows(about, whole=whole))


def _federation_rows(about: Mapping[int, list[Any]], *, whole: bool) -> Iterator[list[Value]]:
    numbers = _member_numbers() if whole else {}
    known: set[int] = set()
    shown: set[int] = set()
    evenings = iter(about)
    while some := list(islice(evenings, EVENINGS_AT_ONCE)):
        of_evening: dict[int, list[tuple[Any, ...]]] = {pk: [] for pk in some}
        found = EveningResult.objects.filter(tournament__in=some).order_by("place", "entry__number")
        for row in found.values_list(*_RESULT):
            of_evening[row[0]].append(row)
        players = {row[2] for rows in of_evening.values() for row in rows} - known
        shown |= players if whole else visibility.with_page(players)
        known |= players
        yield from _rows_of(of_evening, about, shown, numbers, whole=whole)


def _rows_of(
    of_evening: Mapping[int, list[tuple[Any, ...]]],
    about: Mapping[int, list[Any]],
    shown: Collection[int],
    numbers: Mapping[tuple[int, int], int],
    *,
    whole: bool,
) -> Iterator[list[Value]]:
    for pk, rows in of_evening.items():
        # Who has no place of their own, a substitute, comes last.
        for row in sorted(rows, key=lambda row: not row[9]):
            yield [*about[pk], *_result(row, shown, whole=whole), *_member(row, numbers, whole=whole)]


def _result(row: tuple[Any, ...], shown: Collection[int], *, whole: bool) -> list[Value]:
    (_evening, number, player, name, objects, _club, club, style, namesake, *counted, host_style) = row
    place, deals, tokens, total, divided_by, left_early = counted
    shown_as = style or host_style
    # The link of a number to a person's page would reveal the name.
    leads = whole or shown_as != Club.NameStyle.NUMBER
    hidden = name == NAMELESS or (objects and not whole)
    if hidden:
        called = ""
    elif whole:
        called = name
    else:
        called = told_apart(format_name(name, shown_as, number), number, has_namesake=namesake)
    return [
        number,
        player if leads and player in shown and not hidden else None,
        called,
        club,
        place or None,
        deals,
        tokens,
        Fraction(total, divided_by),
        int(left_early),
    ]


def _member(row: tuple[Any, ...], numbers: Mapping[tuple[int, int], int], *, whole: bool) -> list[int | None]:
    return [numbers.get((row[2], row[5]))] if whole else []


def _member_numbers() -> dict[tuple[int, int], int]:
    """The numbers of members as they are today, by player and club."""
    held = Membership.objects.filter(left=None, number__isnull=False).order_by()
    return {
        (player, club): number
        for player, club, number in held.values_list("player", "club", "number")
        if number is not None
    }


def rating_table(club: Club, today: date, *, whole: bool) -> Table:
    """The club's rating list, a union's with those of all its clubs; who has been away for long has no place."""
    listed = rating_list(club, today)
    players = {one.player for one in listed}
    shown = players if whole else visibility.with_page(players)
    hidden = set() if whole else visibility.hidden()
    full = dict(Player.objects.filter(pk__in=players).values_list("pk", "name")) if whole else {}
    numbers = _member_numbers() if whole else {}
    around = Club.objects.filter(Q(pk=club.pk) | Q(pk__in=clubs_in(club))) if whole else Club.objects.none()
    clubs = dict(around.values_list("name", "pk"))
    rows: list[list[Value]] = [
        [
            one.place or None,
            one.player if one.player in shown and (whole or not one.by_number) else None,
            "" if one.player in hidden else full.get(one.player, one.name),
            one.club,
            one.rated.points,
            one.rated.give_or_take,
            one.rated.tables,
            one.rated.day,
            *([numbers.get((one.player, clubs.get(one.club, 0)))] if whole else []),
        ]
        for one in listed
    ]
    return Table([*RATING, *([MEMBER] if whole else [])], rows)
