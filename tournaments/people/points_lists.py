"""The current points list of a union, in rows and in words, and publishing it."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.db.models import CharField, OuterRef, Q, Subquery
from django.db.models.functions import Cast
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext_lazy, gettext_noop, ngettext
from django.utils.translation import gettext as _

from clubs.clubs import lock_club, log_change
from clubs.models import Affiliation, Club, Membership, Player
from clubs.register import main_memberships
from core.canonical_json import canonical
from core.errors import NotPossible
from core.sql import key_set
from tournaments.domain.comparison import plain_factor
from tournaments.domain.formats import FORMATS
from tournaments.domain.terms import unsigned
from tournaments.models import (
    MergedPlayer,
    PointsRule,
    PointsTable,
    PublishedList,
    PublishedRow,
    Tournament,
)
from tournaments.models.names import Of, shown_names
from tournaments.models.points import people_now, rows_of
from tournaments.people import visibility
from tournaments.seasons.points import (
    MONTHS,
    Line,
    Part,
    PointsList,
    Rule,
    first_day,
    month_of,
    points_list,
    read_part,
    read_rule,
)
from tournaments.seasons.results import keep, store_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date, datetime

    from django.db.models import QuerySet
    from django.utils.safestring import SafeString

    from clubs.models import Account


# How a union's list counts.

Kind = PointsTable.Kind


def rule_of(union: Club) -> Rule | None:
    """The union's current rule; None without a table of points."""
    tables: dict[str, list[tuple[int, Sequence[int]]]] = defaultdict(list)
    for kind, field, points in union.points_tables.order_by("kind", "-field").values_list(
        "kind", "field", "points"
    ):
        tables[kind].append((field, points))
    stored = PointsRule.objects.filter(union=union).first()
    if stored is None or not tables:
        return None
    weights = {kind: Fraction(factor) for kind, factor in stored.weights.items() if kind in tables}
    steps = [(months, Fraction(share)) for months, share in stored.steps]
    return Rule(tables, weights, steps, stored.best_of, stored.least_evenings)


@transaction.atomic
def store_rule(union: Club, rule: Rule, *, account: Account, now: datetime) -> None:
    """Store the rule by which the union's next list is computed."""
    lock_club(union)
    PointsTable.objects.filter(union=union).delete()
    PointsTable.objects.bulk_create(
        PointsTable(union=union, kind=kind, field=field, points=list(points))
        for kind, rows in rule.tables.items()
        for field, points in rows
    )
    values = {
        "steps": [[months, plain_factor(share)] for months, share in rule.steps],
        "weights": {kind: plain_factor(factor) for kind, factor in rule.weights.items()},
        "best_of": rule.best_of,
        "least_evenings": rule.least_evenings,
    }
    PointsRule.objects.update_or_create(union=union, defaults=values)
    log_change(union, account, gettext_noop("Changed how the points list counts"), now=now)


# The current list, computed from the places that are stored for each tournament.


def list_of(union: Club, rule: Rule, day: date) -> PointsList:
    """Compute the list of a day: the union's members on that day, by the tournaments finished until then."""
    return points_list(months_of(union, rule, day), rule, day, clubs_of_members(union, day).keys())


def clubs_of_members(union: Club, day: date) -> dict[int, int]:
    """Player -> club (primary keys) of every member of the union's clubs on the day: the main club.

    Of clubs that give the union no names, too, whose members can have no main club there: the club joined first.
    """
    clubs = Affiliation.objects.on(day).filter(union=union).order_by().values("club")
    held = Membership.objects.on(day).filter(Q(club__in=clubs) | Q(club=union))
    first = dict(held.order_by("-joined", "-pk").values_list("player", "club"))
    return first | dict(main_memberships(union, day).order_by().values_list("player", "club"))


def months_of(union: Club, rule: Rule, day: date) -> dict[int, list[Any]]:
    """The evenings of each month in the rule's range, as the arguments of `seasons.points.points_list`.

    The last month is complete.
    """
    counting = _counting(union, month_of(day) - rule.months + 1, month_of(day)).order_by("date", "pk")
    # The date as text: on SQLite the parts of a date are computed by a slow Python function.
    dated = counting.annotate(day=Cast("date", CharField()))
    rows = list(dated.values_list("pk", "day", "host", "stage", "format", "results_kept", "places__groups"))
    lacking = [row[0] for row in rows if not (row[5] and row[6])]
    stored = {}
    if lacking:  # computed once, after an upgrade or a correction
        if outdated := [row[0] for row in rows if not row[5]]:
            keep(*outdated)
        stored = store_places(lacking)
    # Parsed as one document: ten thousand calls would take as long as the rest.
    groups = json.loads(f"[{','.join([row[6] or '[]' for row in rows])}]")
    found: dict[int, list[Any]] = defaultdict(list)
    for (pk, date_, host, stage, format_, _is_kept, _text), own in zip(rows, groups, strict=True):
        kind = kind_of(format_, union, host=host, is_staged=stage is not None)
        evening = [pk, int(date_[8:10]), kind, stored.get(pk, own)]
        found[int(date_[:4]) * MONTHS + int(date_[5:7]) - 1].append(evening)
    return found


def _counting(union: Club, first: int, last: int) -> QuerySet[Tournament]:
    """The finished tournaments of these months whose hosts allow union statistics."""
    over = Tournament.objects.not_called_off().filter(state=Tournament.State.FINISHED)
    hosts = list(visibility.hosts(union).values_list("pk", flat=True))
    begins, ends = first_day(max(first, MONTHS)), first_day(last + 1) - timedelta(days=1)
    return over.filter(host__in=hosts, date__range=(begins, ends)).order_by()


def kind_of(format_: str, union: Club, *, host: int, is_staged: bool) -> str:
    """The kind of tournament, which selects the table of points."""
    if FORMATS[format_].in_teams:
        return Kind.TEAMS.value
    if is_staged:
        return Kind.CHAMPIONSHIP.value
    return Kind.UNION.value if host == union.pk else Kind.EVENING.value


class NamedLine(NamedTuple):
    """A line of the current list as the desk shows it."""

    place: int
    shared: bool
    name: str
    club: str
    points: str
    played: int


def named_lines(union: Club, found: PointsList, lines: Iterable[Line], day: date) -> list[NamedLine]:
    """Lines of the list of a day, with names as the clubs show them."""
    some = list(lines)
    of = clubs_of_members(union, day)
    clubs = dict(Club.objects.filter(pk__in={of[line.player] for line in some}).values_list("pk", "name"))
    names = _names((line.player, of[line.player]) for line in some)
    totals = points_column([Fraction(line.total, found.rule.scale) for line in some])
    return [
        NamedLine(
            *(line.place, line.shared, names[line.player], clubs[of[line.player]]),
            total,
            line.played,
        )
        for line, total in zip(some, totals, strict=True)
    ]


NO_NUMBER = "–"


def _names(players: Iterable[tuple[int, int]]) -> dict[int, str]:
    """Player -> name as the club shows it; a dash instead of a number that a former member no longer has."""
    shown = shown_names(Of(player, club, 0) for player, club in players)
    return {player: NO_NUMBER if name == "0" else name.removesuffix(" (0)") for player, name in shown.items()}


# Published lists.


@transaction.atomic
def publish(union: Club, day: date, *, account: Account, now: datetime) -> tuple[PublishedList, bool]:
    """Publish the list of a day, and return it with True; if it is already published, with False.

    Raises NotPossible where nothing counts yet, and where a list of a later day is published.
    """
    lock_club(union)
    newest = PublishedList.objects.filter(union=union).first()
    if newest is not None and newest.day == day:
        return newest, False
    if newest is not None and newest.day > day:
        raise NotPossible(
            _("The list of %(day)s is published. A correction enters the next list.")
            % {"day": date_format(newest.day, "DATE_FORMAT")},
            "day",
        )
    if day > timezone.localdate(now):
        raise NotPossible(_("This day is in the future."), "day")
    rule = rule_of(union)
    found = list_of(union, rule, day) if rule else None
    if rule is None or found is None or not found.lines:
        raise NotPossible(_("Nobody has won points yet."), "day")
    clubs, evenings = clubs_of_members(union, day), _names_of(found)
    rows = [
        PublishedRow(
            person=line.player,
            club_id=clubs[line.player],
            place=line.place,
            shared=line.shared,
            total=line.total,
            played=line.played,
            parts=[[*part.to_json(), *evenings[part.evening]] for part in found.parts(line)],
        )
        for line in found.lines
    ]
    published = PublishedList.objects.create(
        union=union,
        day=day,
        published_at=now,
        author=str(account)[:150],
        rule=rule.to_json(),
        players=len(rows),
        divided_by=rule.scale,
        digest=digest_of(rows),
    )
    for row in rows:
        row.published = published
    PublishedRow.objects.bulk_create(rows, batch_size=1000)
    text = gettext_noop("Published the points list of {day}")
    log_change(union, account, text, now=now, day=day)
    return published, True


def _names_of(found: PointsList) -> dict[int, tuple[str, str]]:
    """Tournament -> its code and current name, of all that count for at least one player."""
    counted = {found.evenings[number][1][0] for line in found.lines for number in line.counted}
    rows = Tournament.objects.filter(pk__in=key_set(counted)).order_by()
    return {pk: (code, name) for pk, code, name in rows.values_list("pk", "code", "name")}


def digest_of(rows: Iterable[PublishedRow]) -> str:
    """SHA-256 of a list's rows, in the order of places and persons."""
    ordered = sorted(rows, key=lambda row: (row.place, row.person))
    return sha256(canonical([row.digested for row in ordered]).encode()).hexdigest()


def list_differences() -> Iterator[str]:
    """For `verify`, in English: each published list whose rows differ from its digest."""
    for published in PublishedList.objects.select_related("union").order_by("pk"):
        rows = list(published.rows.all())
        if len(rows) != published.players:
            yield f"points list {published.pk}: it has {len(rows)} rows, {published.players} were published"
        elif digest_of(rows) != published.digest:
            yield f"points list {published.pk}: its rows are not what was published"


class Counted(NamedTuple):
    """A result that counts in a row, with the tournament's code and its name at publication."""

    part: Part
    code: str
    name: str


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row as pages show it: the name as the club shows it, the current player, and the place in the previous list.

    `player` is None for players without a page under this name; `before` is 0 if they were not in it.
    """

    place: int
    shared: bool
    name: str
    player: int | None
    club: Club
    points: Fraction
    played: int
    counted: Sequence[Counted]
    before: int = 0


def shown_rows(published: PublishedList, rows: Iterable[PublishedRow]) -> list[ShownRow]:
    """Rows of a published list with current names; erased players appear as N.N., with place and points."""
    found = list(rows)
    clubs = Club.objects.in_bulk({row.club_id for row in found})
    now = people_now(row.person for row in found)
    names = _names((now[row.person], row.club_id) for row in found if row.person in now)
    open_names = {row.person for row in found if clubs[row.club_id].name_style != Club.NameStyle.NUMBER}
    pages = visibility.with_page([now[person] for person in open_names & now.keys()])
    before = _places_before(published, found, now)
    return [
        ShownRow(
            row.place,
            row.shared,
            names[player] if player else NO_NUMBER,
            player if row.person in open_names and player in pages else None,
            clubs[row.club_id],
            Fraction(row.total, published.divided_by),
            row.played,
            counted_in(row),
            before.get(player, 0) if player else 0,
        )
        for row in found
        for player in [now.get(row.person)]
    ]


def _places_before(
    published: PublishedList, rows: Sequence[PublishedRow], now: Mapping[int, int]
) -> dict[int, int]:
    """Player -> place in the previous list."""
    earlier = PublishedList.objects.filter(union=published.union_id, day__lt=published.day).first()
    if earlier is None:
        return {}
    wanted = {player for row in rows if (player := now.get(row.person))}
    merged = MergedPlayer.objects.filter(player__in=key_set(wanted)).values_list("number", "player")
    known = {player: player for player in wanted} | dict(merged)
    there = earlier.rows.filter(person__in=key_set(known)).order_by("-place")
    return {known[person]: place for person, place in there.values_list("person", "place")}


def counted_in(row: PublishedRow) -> list[Counted]:
    return [Counted(read_part(stored), code, name) for *stored, code, name in row.parts]


def rule_in(published: PublishedList) -> Rule:
    return read_rule(published.rule)


def newest_rows_of(player: Player) -> list[tuple[PublishedList, PublishedRow]]:
    """A player's row in the newest list of each union; without rows of clubs that show numbers."""
    newest = (
        PublishedList.objects.filter(union=OuterRef("published__union")).order_by("-day").values("pk")[:1]
    )
    rows = rows_of(player).filter(published=Subquery(newest))
    named = rows.exclude(club__name_style=Club.NameStyle.NUMBER)
    return [(row.published, row) for row in named.select_related("published__union").order_by("place")]


# The points list in words: its rule, and an explanation of each number of a row.

SHARES = {
    Fraction(1): gettext_lazy("in full"),
    Fraction(2, 3): gettext_lazy("two thirds"),
    Fraction(1, 2): gettext_lazy("half"),
    Fraction(1, 3): gettext_lazy("one third"),
}
# English ordinals: 11th, 12th and 13th are exceptions.
TEENS = range(11, 14)


def points_in_words(rule: Rule) -> list[str]:
    """The rule in sentences: points by kind of tournament, months, best results, least number of tournaments."""
    return list(_sentences(rule))


def _sentences(rule: Rule) -> Iterator[str]:
    for kind in [kind for kind in PointsTable.Kind if kind in rule.tables]:
        for least, points in reversed(rule.tables[kind]):
            yield _("%(kind)s with at least %(field)d entered: %(points)s points by place.") % {
                "kind": capfirst(kind.label),
                "field": least,
                "points": ", ".join(map(str, points)),
            }
        if (weight := rule.weight(kind)) != 1:
            yield _("%(kind)s count %(factor)s times.") % {
                "kind": capfirst(kind.label),
                "factor": plain_factor(weight),
            }
    before = 0
    for months, share in rule.steps:
        words = {"share": share_in_words(share), "before": before, "months": months}
        if before:
            yield _("From month %(before)d to month %(months)d the tournament counts %(share)s.") % words
        else:
            yield _("A tournament counts %(share)s for %(months)d months.") % words
        before = months
    yield _("After %(months)d months it no longer counts.") % {"months": before}
    if rule.best_of:
        yield ngettext(
            "Only a player’s best result counts.",
            "Only a player’s best %(count)d results count.",
            rule.best_of,
        ) % {"count": rule.best_of}
    if rule.least_evenings:
        yield ngettext(
            "Players with at least %(count)d tournament in these months are listed.",
            "Players with at least %(count)d tournaments in these months are listed.",
            rule.least_evenings,
        ) % {"count": rule.least_evenings}
    yield _("Only those who are members of one of the union’s clubs on the day of the list are listed.")
    yield _("Players with equal points share the place.")


def share_in_words(share: Fraction) -> str:
    return str(SHARES.get(share) or plain_factor(share))


def part_in_words(part: Part, code: str, name: str) -> SafeString:
    """Explain a number: “14 points: 3rd of 31 in the Autumn Cup (21 points), counts two thirds until May”."""
    words = {
        "points": _points(part.worth),
        "place": ordinal(part.place),
        "field": part.field,
        "tournament": format_html('<a href="{}">{}</a>', reverse("standings", args=[code]), name),
        "reckoned": _reckoned(part),
        "share": share_in_words(part.share),
        "month": date_format(first_day(part.until), "YEAR_MONTH_FORMAT"),
    }
    if part.worth == part.points:
        text = _("{points}: {place} of {field} in {tournament}, counts {share} until {month}")
    else:
        text = _("{points}: {place} of {field} in {tournament} ({reckoned}), counts {share} until {month}")
    return format_html(text, **words)


def _points(worth: Fraction) -> str:
    said = ngettext("{points} point", "{points} points", 1 if worth == 1 else 2)
    return said.format(points=total_points_text(worth))


def _reckoned(part: Part) -> str:
    """The points for the place, with the weight unless it is 1."""
    if part.weight == 1:
        return str(part.points)
    return f"{part.points} × {plain_factor(part.weight)}"


def _plain(worth: Fraction) -> int | Fraction:
    return worth.numerator if worth.denominator == 1 else worth


def total_points_text(points: Fraction) -> str:
    """A total: whole, or with two decimals."""
    return unsigned(_plain(points))


def points_column(points: Sequence[Fraction]) -> list[str]:
    """The totals of a list: each with two decimals where one is fractional, so that the figures align."""
    is_whole = all(total.denominator == 1 for total in points)
    return [unsigned(total.numerator if is_whole else total) for total in points]


def ordinal(place: int) -> str:
    """An ordinal in English; the plain number in other languages, whose texts add what they need."""
    if not (get_language() or "en").startswith("en"):
        return str(place)
    ending = "th" if place % 100 in TEENS else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"
