"""Standings: each player's tokens over all tables, compared as configured, with penalties and tie-breaks.

Tokens come from the seats, which the ledger keeps equal to the sum of the current reports (`manage.py verify`
recounts them). The result is cached by the tournament's version, so pages query the database only after a change.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, ExpressionWrapper, F, Field, Q, Sum
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club, format_name
from core.caching import memoize, memoized
from core.sql import key_set, prepared_query
from scoring.rulebook import Rulebook
from scoring.seats import Role
from tournaments.domain.comparison import Comparison, read_factor
from tournaments.domain.formats import those_in_teams
from tournaments.domain.outcomes import LOST_DEARLY, WON, is_totals_only
from tournaments.domain.terms import people
from tournaments.draw.tables import SMALL_TABLE
from tournaments.ledger.queries import bound_rulebook, rules_of
from tournaments.ledger.seating import Sittings, sittings_in, turns_at
from tournaments.models import Entry, Penalty, Report, Round, Table, Tournament
from tournaments.models.play import on_own_day, told_apart
from tournaments.standings.statistics import Games, games_of
from tournaments.standings.tie_breaks import SUM, TIE_BREAKS, Row, keys_of, places_by, rank

if TYPE_CHECKING:
    from django.db.models import QuerySet


# Places gained or lost: since the round before, and by the last report.
#
# The previous places are computed without what came since, with the same tie-breaks. Players who had not played
# before have no previous place.


@dataclass(frozen=True, slots=True)
class LastRound:
    """The figures of the last round shown, by entry: games, rulings, and tokens at tables of three."""

    games: Mapping[int, Games]
    penalties: Mapping[int, int]
    at_three: Mapping[int, int]

    def without(self, row: Row) -> Row:
        """A player's line as it was when that round began."""
        pk, games = row.entry_id, self.games.get(row.entry_id)
        before = row.but(
            rounds=row.rounds[:-1],
            penalties=row.penalties - self.penalties.get(pk, 0),
            at_three=row.at_three - self.at_three.get(pk, 0),
        )
        if games:
            before.deals -= games.dealt
            before.games_won -= games.won
            before.kodilles -= games.kodilles
        return before


def mark_since_round(rows: Iterable[Row], last: LastRound, codes: Sequence[str]) -> None:
    """Set each row's change of place in the last round shown: positive is up."""
    there = {row.entry_id: row for row in rows}
    before = (one for one in map(last.without, there.values()) if one.played or not one.rounds)
    keys = {one.entry_id: key for one, key in keys_of(before, codes)}
    for pk, place in places_by(keys).items():
        there[pk].moved = place - there[pk].rank


def mark_by_deal(
    tournament: Tournament,
    ranked: Iterable[Row],
    rounds: Sequence[int],
    sittings: Sittings,
    codes: Sequence[str],
) -> None:
    """Places gained or lost by the last report: a deal, its correction, or its removal.

    None if the last report was a table's totals without deals.
    """
    found = last_report(tournament, rounds)
    if found is None:
        return
    table, last = found
    former = _revision.first(table.pk, last.deal_number, last.revision - 1) if last.revision > 1 else None
    if any(is_totals_only(one.result) for one in (last, former) if one):
        return
    rows = {row.entry_id: row for row in ranked}
    column = rounds.index(table.round.number)
    sat = [rows[pk] for pk in sittings.entries_in_deal(table.pk, last.deal_number)]
    who = [row.but(rounds=list(row.rounds)) for row in sat]
    _add(who, table, last, column, times=-1)
    if former:
        _add(who, table, former, column, times=1)
    # The others are ranked by what they have now: nearly sorted as they come.
    keys = {pk: row.key for pk, row in rows.items()}
    keys |= {row.entry_id: key for row, key in keys_of(who, codes)}
    for pk, place in places_by(keys).items():
        rows[pk].moved_by_deal = place - rows[pk].rank


def last_report(tournament: Tournament, rounds: Collection[int]) -> tuple[Table, Report] | None:
    """The last report with its table; None if there is none, or if it is of another round than these."""
    table = _reported_last.first(tournament.pk)
    if table is None or table.round.number not in rounds:
        return None
    (report,) = _report(table.pk, table.reports_count)
    return table, report


@prepared_query
def _reported_last(tournament: int) -> QuerySet[Table]:
    """The table with the last report, among the rounds that have begun."""
    reported = Table.objects.filter(round__tournament=tournament, last_report_at__isnull=False)
    begun = reported.exclude(round__state=Round.State.DRAWN).select_related("round__tournament")
    return begun.order_by("-last_report_at", "-pk")[:1]


@prepared_query
def _report(table: int, sequence: int) -> QuerySet[Report]:
    return Report.objects.filter(table=table, sequence=sequence).order_by()


@prepared_query
def _revision(table: int, deal: int, revision: int) -> QuerySet[Report]:
    return Report.objects.filter(table=table, deal_number=deal, revision=revision).order_by()


def _add(who: Sequence[Row], table: Table, report: Report, column: int, *, times: int) -> None:
    """Add a report to the lines of those who sat there, by position, or take it away."""
    if report.result is None:
        return
    roles = turns_at(table, len(who)).seating(report.deal_number).roles
    for position, (row, tokens) in enumerate(zip(who, report.tokens, strict=True)):
        row.rounds[column] = (row.rounds[column] or 0) + times * tokens
        row.deals += times * (roles[position] is not Role.IDLE)
        if len(who) == SMALL_TABLE:
            row.at_three += times * tokens
        if position == report.declarer:
            row.games_won += times * (report.outcome in WON)
            row.kodilles += times * (report.outcome in LOST_DEARLY)


@dataclass(frozen=True)
class Standings:
    rows: list[Row]
    # Numbers of the rounds shown, and whether the last of them is still being played.
    rounds: list[int]
    provisional: bool
    tie_break_codes: tuple[str, ...]
    # By what is played, as `bound_rulebook` takes it.
    rules: tuple[str, str, str]
    comparison: Comparison = SUM

    @property
    def rulebook(self) -> Rulebook:
        return bound_rulebook(*self.rules)

    @property
    def first(self) -> list[Row]:
        """The players in first place; empty before a round has begun."""
        return [row for row in self.rows if row.rank == 1 and self.rounds]

    @property
    def has_gaps(self) -> bool:
        """Whether gaps to the leader are shown: before a round has begun all are equal, apart from carried tokens."""
        return bool(self.rounds) or self.has_carried

    @cached_property
    def has_moved(self) -> bool:
        """Whether there were places before the last round."""
        return any(row.moved is not None for row in self.rows)

    @cached_property
    def has_moved_by_deal(self) -> bool:
        return any(row.moved_by_deal is not None for row in self.rows)

    @cached_property
    def has_deals(self) -> bool:
        return any(row.deals for row in self.rows)

    @cached_property
    def has_same_cards(self) -> bool:
        return any(row.same_cards is not None for row in self.rows)

    @cached_property
    def has_clubs(self) -> bool:
        """Whether players of several clubs take part."""
        return len({row.club for row in self.rows}) > 1

    @cached_property
    def shows_tie_breaks(self) -> bool:
        return any(row.told_apart_by for row in self.rows)

    @cached_property
    def has_penalties(self) -> bool:
        return any(row.penalties for row in self.rows)

    @cached_property
    def has_carried(self) -> bool:
        return any(row.carried for row in self.rows)


def standings(tournament: Tournament, *, through: int | None = None, moved: bool = True) -> Standings:
    """The standings after round `through`, or after all reports.

    The caller's `tournament` must be fresh: its version is the cache key. With `moved=False` places gained or lost
    are included only if they are in the cache already.
    """
    # A page asks several times: unpickling thousands of rows takes a tenth of what counting them does.
    about = "standings", tournament.pk, tournament.version, through
    whole: Standings | None = None if moved else memoized((*about, True))
    if whole is not None:
        return whole
    return memoize((*about, moved), lambda: _cached(tournament, through, moved=moved))


def _cached(tournament: Tournament, through: int | None, *, moved: bool) -> Standings:
    key = f"standings:{tournament.pk}:{tournament.version}:{through}"
    cached: Standings | None = cache.get(key)
    if cached is None and not moved:
        key += ":places"
        cached = cache.get(key)
    if cached is None:
        cached = compute_standings(tournament, through, moved=moved)
        cache.set(key, cached, 3600)
    return cached


def compute_standings(tournament: Tournament, through: int | None = None, *, moved: bool = True) -> Standings:
    """The standings from the database, without any cache."""
    return Counted([tournament], through).standings(tournament.pk, moved=moved)


class Counted:
    """Standings of some tournaments after round `through` of each, or all; what they are counted from is read at once.

    To ask for each by itself takes longer than to count it.
    """

    def __init__(
        self, tournaments: Sequence[Tournament], through: int | None = None, *, with_games: bool = True
    ) -> None:
        """The tournaments come with their hosts. Who counts the games otherwise adds them (`add_games`)."""
        self.tournaments = {one.pk: one for one in tournaments}
        self.through = through
        # Those that have begun, in their order.
        self.rounds: dict[int, list[Round]] = {pk: [] for pk in self.tournaments}
        started = Round.objects.filter(tournament__in=key_set(self.tournaments)).exclude(
            state=Round.State.DRAWN
        )
        for round_ in started.order_by("number").only("tournament", "number", "state"):
            if through is None or round_.number <= through:
                self.rounds[round_.tournament_id].append(round_)
        shown = {round_.pk for rounds in self.rounds.values() for round_ in rounds}
        last = {rounds[-1].pk for rounds in self.rounds.values() if rounds}
        self.sittings = self._sittings(shown)
        self.penalties = _penalties(self.tournaments)
        self.present: set[int] = set()
        self.rows = self._rows(shown)
        # Who has moved since the last round is counted from what it brought.
        dealer_out = {
            round_.pk: self.tournaments[pk].dealer_sits_out
            for pk, rounds in self.rounds.items()
            for round_ in rounds
        }
        self.games, before = games_of(dealer_out, last, self.sittings) if with_games else ({}, {})
        self.add_games(before, self.games)

    def _sittings(self, shown: Collection[int]) -> Sittings:
        where = Q(round__in=key_set(shown))
        if those_in_teams(self.tournaments.values()):
            # Whose match is decided by a ruling, or still to come, has not sat there yet.
            decided = Q(table__match__awarded_home__isnull=False)
            where &= ~((decided | on_own_day("table__match__")) & Q(table__reports_count=0))
        elif len(self.tournaments) == 1:
            for pk, tournament in self.tournaments.items():
                return sittings_in(tournament, [round_.number for round_ in self.rounds[pk]])
        return Sittings(where)

    def standings(self, pk: int, *, moved: bool) -> Standings:
        """The standings of one of the tournaments (primary key); `moved`: with each player's change of place."""
        tournament, rounds = self.tournaments[pk], self.rounds[pk]
        numbers, is_played = [round_.number for round_ in rounds], any(one.is_running for one in rounds)
        rows = self._rows_by_entry(tournament)
        _compare(tournament, rows, rounds)
        if tournament.boards and tournament.shows_same_cards:
            # Boards are above the standings in the order of imports.
            played: Mapping[int, Fraction] = import_string(settings.SAME_CARDS)(tournament, numbers)
            for entry, row in rows.items():
                row.same_cards = played.get(entry)
        codes = tuple(code for code in tournament.tie_breaks if code in TIE_BREAKS)
        ranked = rank(rows.values(), codes)
        if moved and (len(numbers) > 1 or any(row.carried for row in ranked)):
            mark_since_round(ranked, self._last_round(rounds[-1:], rows), codes)
        if moved and is_played and self.through is None:
            mark_by_deal(tournament, ranked, numbers, self.sittings, codes)
        return Standings(
            rows=ranked,
            rounds=numbers,
            provisional=is_played,
            tie_break_codes=codes,
            rules=rules_of(tournament),
            comparison=comparison_of(tournament),
        )

    def _rows(self, shown: Collection[int]) -> dict[int, dict[int, Row]]:
        """Tournament -> a line for each entry."""
        # Values, not models: a thousand players are recounted after every deal in the hall.
        entries = list(
            Entry.objects.filter(tournament__in=key_set(self.tournaments))
            .order_by()
            .values_list(
                *("pk", "tournament", "number", "player__name", "club", "status", "carried"),
                # As the database has it, 0 or 1: then no row has to be looked through.
                ExpressionWrapper(F("has_namesake"), Field()),
            )
        )
        clubs = Club.objects.in_bulk({entry[4] for entry in entries if entry[4]})
        found: dict[int, dict[int, Row]] = {pk: {} for pk in self.tournaments}
        columns = {
            pk: {round_.number: index for index, round_ in enumerate(rounds)}
            for pk, rounds in self.rounds.items()
        }
        column_of: dict[int, dict[int, int]] = {}
        styles = {pk: tournament.host.name_style for pk, tournament in self.tournaments.items()}
        for pk, of, number, name, club_id, status, carried, has_namesake in entries:
            club, tournament = clubs.get(club_id), self.tournaments[of]
            style = club.name_style if club else styles[of]
            found[of][pk] = Row(
                entry_id=pk,
                number=number,
                name=told_apart(format_name(name, style, number), number, has_namesake=has_namesake),
                club=club.name if club else "",
                withdrawn=status == Entry.Status.WITHDRAWN,
                rounds=[None] * len(self.rounds[of]),
                lot=_lot(tournament.code, number),
                carried=Fraction(carried, 100) if carried else 0,
            )
            column_of[pk] = columns[of]
            if status == Entry.Status.PRESENT:
                self.present.add(pk)
        self._every = {pk: row for rows in found.values() for pk, row in rows.items()}
        for sat in self.sittings.all:
            # A player who left and came back sat there twice.
            in_rounds, at = self._every[sat.entry].rounds, column_of[sat.entry][sat.round]
            in_rounds[at] = (in_rounds[at] or 0) + sat.tokens
        for (entry, round_), tokens in self.penalties.items():
            if round_ is None or round_ in shown:
                self._every[entry].penalties += tokens
        return found

    def add_games(self, *parts: Mapping[int, Games]) -> None:
        """Add games by entry to the lines."""
        for part in parts:
            for entry, games in part.items():
                row = self._every[entry]
                row.deals += games.dealt
                row.games_won += games.won
                row.kodilles += games.kodilles

    def _rows_by_entry(self, tournament: Tournament) -> dict[int, Row]:
        """The rows of all who play or have played, by entry."""
        rows = self.rows[tournament.pk]
        listed = {pk for pk, row in rows.items() if row.played}
        # A reserve who never sat at a table is no better than who lost there.
        if not (tournament.in_teams and listed):
            listed |= self.present & rows.keys()
        return {pk: row for pk, row in rows.items() if pk in listed}

    def _last_round(self, last: Sequence[Round], rows: Mapping[int, Row]) -> LastRound:
        factor = any(row.comparison.kind == Tournament.Comparison.FACTOR for row in rows.values())
        keys = {round_.pk for round_ in last}
        return LastRound(
            self.games,
            {entry: tokens for (entry, round_), tokens in self.penalties.items() if round_ in keys},
            _tokens_at_three(last) if factor else {},
        )


def _penalties(tournaments: Collection[int]) -> dict[tuple[int, int | None], int]:
    """(entry, round or None) -> tokens by rulings; a team's are the team's."""
    counting = Penalty.objects.filter(tournament__in=key_set(tournaments), cancelled_at=None).exclude(
        entry=None
    )
    told = counting.values_list("entry", "round").annotate(Sum("tokens")).order_by()
    return {(entry, round_): tokens for entry, round_, tokens in told}


def comparison_of(tournament: Tournament) -> Comparison:
    """The comparison by which a tournament is ranked."""
    return Comparison(tournament.comparison, read_factor(tournament.three_factor), tournament.least_share)


def _compare(tournament: Tournament, rows: Mapping[int, Row], rounds: Sequence[Round]) -> None:
    """Add carried tokens, and the values that the comparison needs apart from tokens."""
    comparison = comparison_of(tournament)
    parts = any(row.carried.denominator > 1 for row in rows.values())
    at_three = _tokens_at_three(rounds) if comparison.kind == Tournament.Comparison.FACTOR else {}
    most = max((row.deals for row in rows.values()), default=0)
    for pk, row in rows.items():
        row.has_enough_deals = comparison.is_enough(row.deals, most)
        row.comparison, row.at_three = comparison, at_three.get(pk, 0)
        row.carried = row.carried if parts else int(row.carried)


def _tokens_at_three(rounds: Sequence[Round]) -> dict[int, int]:
    """Entry -> tokens from tables of three."""
    small = Table.objects.filter(round__in=rounds)
    small = small.annotate(players=Count("seats")).filter(players=SMALL_TABLE)
    tokens: Counter[int] = Counter()
    for sat in Sittings(Q(table__in=small.values("pk"))).all:
        tokens[sat.entry] += sat.tokens
    return dict(tokens)


@lru_cache(maxsize=8192)
def _lot(code: str, number: int) -> int:
    """Random number of an entry as the last tie-break, reproducible by anyone.

    The code existed before the numbers.
    """
    return int.from_bytes(hashlib.sha256(f"{code}/{number}".encode()).digest()[:4], "big")


# Who has won, when all is over.


def winners_in_words(names: Sequence[str]) -> str:
    """Names of the winner, or of those who share first place; empty if there is none."""
    if not names:
        return ""
    return ngettext("Winner: %(names)s", "Winners: %(names)s", len(names)) % {"names": ", ".join(names)}


def won_in_words(names: Sequence[str]) -> str:
    """The winners as a sentence, for pages that begin with it."""
    if not names:
        return ""
    if len(names) == 1:
        return _("%(name)s won") % {"name": names[0]}
    return _("%(names)s share the win") % {"names": people(names)}
