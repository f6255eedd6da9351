"""Ratings and results as tables for other programs; docs/reference/files.md documents the columns.

Column names are the same in every language. Public files have names as shown in the hall, without hidden persons;
`whole`, for organisers, has full names and members' numbers.
"""

from __future__ import annotations

from datetime import MAXYEAR, MINYEAR
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from clubs.models import Club, Membership, Player, format_name
from clubs.register_models import clubs_in
from core.tables.files import Table
from tournaments.models import EveningResult, Tournament
from tournaments.models.names import NAMELESS
from tournaments.models.play import told_apart
from tournaments.people import visibility
from tournaments.people.person import bring_up_to_date
from tournaments.seasons.ratings import rating_list

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from datetime import date

    from django.db.models import QuerySet

    from core.tables.files import Value


RESULTS = (
    "evening", "evening_name", "date", "host", "host_name", "season", "format", "rulebook",
    "number", "person", "name", "club", "place", "deals", "tokens", "total", "left_early",
)  # fmt: skip
RATING = ("place", "person", "name", "club", "rating", "give_or_take", "tables", "last_played")
# What who organises has besides.
MEMBER = "member_number"

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
    return Table(headings, _rows(about, whole=whole))


def _rows(about: Mapping[int, list[Any]], *, whole: bool) -> Iterator[list[Value]]:
    found = EveningResult.objects.filter(tournament__in=about).order_by("place", "entry__number")
    of_evening: dict[int, list[tuple[Any, ...]]] = {pk: [] for pk in about}
    for row in found.values_list(*_RESULT):
        of_evening[row[0]].append(row)
    players = {row[2] for rows in of_evening.values() for row in rows}
    shown = players if whole else visibility.with_page(players)
    numbers = _member_numbers(players) if whole else {}
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


def _member_numbers(players: Collection[int]) -> dict[tuple[int, int], int]:
    """The numbers of members as they are today, by player and club."""
    held = Membership.objects.filter(left=None, number__isnull=False).order_by()
    return {
        (player, club): number
        for player, club, number in held.values_list("player", "club", "number")
        if player in players and number is not None
    }


def rating_table(club: Club, today: date, *, whole: bool) -> Table:
    """The club's rating list, a union's with those of all its clubs; who has been away for long has no place."""
    listed = rating_list(club, today)
    players = {one.player for one in listed}
    shown = players if whole else visibility.with_page(players)
    hidden = set() if whole else visibility.hidden()
    full = dict(Player.objects.filter(pk__in=players).values_list("pk", "name")) if whole else {}
    numbers = _member_numbers(players) if whole else {}
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
