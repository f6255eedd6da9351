"""Results of evenings as seasons and ratings use them, stored and recomputed."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import partial
from itertools import accumulate, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.db.models import Case, ExpressionWrapper, F, Field, Q, When

from clubs.models import format_name
from core.sql import key_set
from scoring.cards import SUITS
from tournaments.changes.locks import hold
from tournaments.domain.outcomes import LOST, LOST_DEARLY, WON
from tournaments.domain.terms import signed
from tournaments.ledger.deal_sums import (
    CountedDeal,
    deals_at,
    forget_sums,
    lacking,
    sum_what_is_lacking,
)
from tournaments.ledger.seating import Sittings
from tournaments.models import (
    EveningPlaces,
    EveningResult,
    KeptYear,
    RatedEvening,
    Rating,
    RatingState,
    Round,
    Table,
    Tournament,
)
from tournaments.models.events import First
from tournaments.models.play import told_apart
from tournaments.seasons.ladder import Result
from tournaments.seasons.ratings import to_bring_up_to_date, update_ratings
from tournaments.standings.players import Counted, standings
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from tournaments.domain.comparison import Amount
    from tournaments.standings.players import Standings
    from tournaments.standings.teams import TeamStandings
    from tournaments.standings.tie_breaks import Row


# Each evening's contribution to a season: computed from its standings, and stored until the evening changes.
#
# A running evening is computed on each request, since deals keep coming.


class Played(NamedTuple):
    """A player's evening: the entry, its number and club, and what it brought; `evening` is a tournament.

    `suit` is that of the card of the evening, "" while a round is running.
    """

    evening: int
    entry: int
    player: int
    club: int | None
    number: int
    result: Result
    suit: str = ""


KEPT = (
    "tournament_id", "entry_id", "entry__player_id", "entry__club_id", "entry__number",
    "total", "divided_by", "tokens", "deals", "place", "field", "division",
    # As the database has it, 0 or 1: then no row has to be looked through.
    ExpressionWrapper(F("withdrawn"), Field()),
    "suit",
)  # fmt: skip


def results_of(evenings: Sequence[int]) -> list[Played]:
    """The results of all players with a reported deal at these tournaments (by primary key)."""
    lacking = not_kept().filter(pk__in=evenings).order_by("pk")
    playing = set(
        Round.objects.filter(tournament__in=lacking.values("pk"), state=Round.State.RUNNING)
        .order_by()
        .values_list("tournament", flat=True)
    )
    live = []
    for evening in lacking.select_related("host"):
        if evening.pk not in playing:
            keep(evening.pk)
        else:
            live += _count_evening(evening)
    rows = EveningResult.objects.filter(tournament__in=set(evenings) - playing)
    return live + parse_results(rows.values_list(*KEPT))


def parse_results(rows: Iterable[Sequence[Any]]) -> list[Played]:
    """Parse materialized results (rows of `KEPT`)."""
    return [_row_to_played(*row) for row in rows]


def _row_to_played(*row: Any) -> Played:
    evening, entry, player, club, number, total, by, tokens, deals, place, field, division, *rest = row
    withdrawn, suit = rest
    amount = total if by == 1 else Fraction(total, by)
    result = Result(amount, tokens, deals, place, withdrawn, field, division)
    return Played(evening, entry, player, club, number, result, suit_or_usual(suit, number))


def not_kept() -> QuerySet[Tournament]:
    """Tournaments that have begun and whose results are not up to date."""
    return Tournament.objects.filter(results_kept=False).exclude(state=Tournament.State.SETUP)


@transaction.atomic
def keep(*evenings: int) -> None:
    """Compute and store the results of evenings for seasons and records, by primary keys in their order."""
    for pk in evenings:
        hold(pk)
    # Skip what another process has computed meanwhile.
    lacking = Tournament.objects.select_related("host").filter(pk__in=evenings, results_kept=False)
    found = {evening.pk: evening for evening in lacking.order_by("pk")}
    feats, counted = feats_of(*found.values()), Counted(list(found.values()))
    EveningResult.objects.filter(tournament__in=found).delete()
    EveningResult.objects.bulk_create(
        EveningResult(
            tournament_id=pk,
            entry_id=entry,
            place=result.rank,
            field=result.field,
            division=result.division,
            total=Fraction(result.total).numerator,
            divided_by=Fraction(result.total).denominator,
            tokens=result.tokens,
            deals=result.deals,
            withdrawn=result.withdrawn,
            **asdict(feats.get(entry, Feats())),
        )
        for pk, evening in found.items()
        for entry, result in count(evening, counted.standings(pk, moved=False))
    )
    finished = [pk for pk, evening in found.items() if evening.is_finished]
    EveningPlaces.objects.filter(tournament__in=finished).delete()
    store_places(finished)
    Tournament.objects.filter(pk__in=found).update(results_kept=True)


def store_places(evenings: Iterable[int]) -> dict[int, list[Any]]:
    """Store the places of finished tournaments, for points lists, where there are none; returns them by tournament.

    Their results must be stored.
    """
    groups = places_by_results(evenings)
    EveningPlaces.objects.bulk_create(
        [EveningPlaces(tournament_id=pk, groups=json.dumps(found)) for pk, found in groups.items()],
        batch_size=1000,
        # Stored by `keep` meanwhile, from newer results.
        ignore_conflicts=True,
    )
    return groups


def places_by_results(evenings: Iterable[int]) -> dict[int, list[Any]]:
    """The places by the stored results, by tournament, as in `EveningPlaces.groups`.

    A division's players are sorted by place, players without one last, with place 0.
    """
    groups: dict[int, list[Any]] = {pk: [] for pk in evenings}
    rows = EveningResult.objects.filter(tournament__in=key_set(groups)).order_by(
        "tournament", "division", Case(When(place=0, then=1), default=0), "place", "entry__number"
    )
    kept = rows.values_list("tournament", "division", "place", "field", "entry__player")
    for (pk, _division), players in groupby(kept, key=itemgetter(0, 1)):
        _pk, _division, places, fields, keys = map(list, zip(*players, strict=True))
        in_order = places == list(range(1, len(places) + 1))
        groups[pk].append([max(fields), keys, None if in_order else places])
    return groups


def count(
    evening: Tournament,
    shown: Standings | None = None,
    teams: TeamStandings | None = None,
    members: Iterable[tuple[int, int]] | None = None,
) -> Iterable[tuple[int, Result]]:
    """Each entry of a fresh `evening` that was reported a deal, with what it brought.

    Where they are at hand: `shown` and `teams` are its standings, `members` as `places_of_teams` takes them.
    """
    rows = (shown or standings(evening)).rows
    of_teams = places_of_teams(evening, teams, members) if evening.in_teams else None
    # An evening counts for a player, and a player for the places of others, from the first deal of theirs on:
    # before it, 0 tokens would stand above everybody who has lost some.
    waiting = [row.rank for row in rows if not row.deals]
    field = len(rows) - len(waiting)
    for row in rows:
        if row.deals:
            if of_teams is None:
                place = TeamPlace(row.rank - bisect_left(waiting, row.rank), 1, field)
            else:
                place = of_teams.get(row.number, NO_PLACE)
            yield (
                row.entry_id,
                Result(
                    _total(row),
                    row.with_rulings,
                    row.deals,
                    place.rank,
                    row.withdrawn,
                    place.field,
                    place.division,
                ),
            )


def _count_evening(evening: Tournament) -> list[Played]:
    entries = {
        pk: (player, club, number)
        for pk, player, club, number in evening.entries.values_list("pk", "player", "club", "number")
    }
    return [Played(evening.pk, entry, *entries[entry], result) for entry, result in count(evening)]


def _total(row: Row) -> Amount:
    """An evening's tokens for a sum: averages are no tokens, and tokens carried over belong to another day."""
    if row.comparison.kind == Tournament.Comparison.AVERAGE:
        return row.with_rulings
    total = Fraction(row.total - row.carried)
    return total.numerator if total.denominator == 1 else total


class TeamPlace(NamedTuple):
    """A place among the pairs or teams of a division: `field` is how many of them there are."""

    rank: int
    division: int
    field: int


NO_PLACE = TeamPlace(0, 1, 0)


def places_of_teams(
    evening: Tournament,
    shown: TeamStandings | None = None,
    members: Iterable[tuple[int, int]] | None = None,
) -> dict[int, TeamPlace]:
    """Player's number -> the place of their pair or team in its division.

    Who only played as a substitute has the place of the team they played the most deals for. `members` are the numbers
    of those who are in a team, and of their teams.
    """
    rows = (shown or team_standings(evening)).rows
    sizes = Counter(row.division for row in rows)
    ranks = {row.number: TeamPlace(row.rank, row.division, sizes[row.division]) for row in rows}
    found: dict[int, tuple[int, TeamPlace]] = {}
    for row in rows:
        for player in row.players:
            found[player.number] = max(
                found.get(player.number, (0, NO_PLACE)), (player.deals, ranks[row.number])
            )
    substitutes = {number: place for number, (_deals, place) in found.items()}
    if members is None:
        members = evening.entries.exclude(team=None).values_list("number", "team__number")
    return substitutes | {number: ranks[team] for number, team in members if team in ranks}


# All materialized results (`models.derived`): compute missing ones, or all.

# Evenings that are counted in one transaction: a tenth of a second or two.
AT_ONCE = 20


def count_what_is_lacking(tell: Callable[[int, int | None], object] = lambda _done, _total: None) -> None:
    """Compute what pages would compute on their next request: after an upgrade that is everything.

    `tell` is called from time to time with the number of unions and evenings done, and the total.
    """
    playing = Round.objects.filter(state=Round.State.RUNNING)
    evenings = not_kept().exclude(pk__in=playing.values("tournament")).order_by("pk")
    keys = list(evenings.values_list("pk", flat=True))
    steps = [(partial(update_ratings, whole), 1) for whole in to_bring_up_to_date()]
    parts = [keys[first : first + AT_ONCE] for first in range(0, len(keys), AT_ONCE)]
    steps += [(partial(keep, *part), len(part)) for part in parts]
    done, not_summed = 0, lacking().count()
    tell(0, sum(counts for _step, counts in steps) + not_summed)
    for step, counts in steps:
        step()
        done += counts
        tell(done, None)
    sum_what_is_lacking(lambda summed: tell(done + summed, None))


@transaction.atomic
def forget_everything() -> None:
    """Delete all materialized results; the next request computes them."""
    for model in (EveningResult, EveningPlaces, KeptYear, Rating, RatedEvening, RatingState):
        model.objects.all()._raw_delete("default")  # nothing hangs on them
    forget_sums()
    Tournament.objects.update(results_kept=False, is_rated=False)


# What a player did at an evening that clubs keep records of, counted from its deals as they were played.

SOLOS = frozenset(("solo", "spade_solo"))
WITH_A_BET = {*LOST, *LOST_DEARLY}


@dataclass(frozen=True, slots=True)
class Feats:
    """A player's evening: `games` declared, `solos` among them that were won, and the most tokens of a round, a deal, a
    game with its tout made.

    `suit` is the trump suit that they won the most games in, else the one that was trumps most often. `comeback` is how
    far the tokens rose from their lowest, below nought, to the end. Runs are of games declared in a row without a bet:
    `first_run` from the evening's first on, `last_run` up to its last; evenings are joined by them.
    """

    games: int = 0
    solos: int = 0
    best_round: int = 0
    best_deal: int = 0
    best_tout: int = 0
    comeback: int = 0
    first_run: int = 0
    last_run: int = 0
    longest_run: int = 0
    suit: str = ""


FEATS = tuple(Feats.__dataclass_fields__)


# A deal with its table's primary key and its number there.
PlayedDeal = tuple[int, int, CountedDeal]


def feats_of(*tournaments: Tournament) -> dict[int, Feats]:
    """Entry -> feats, of everybody at these tournaments at whose table a deal is reported."""
    tables = Table.objects.filter(round__tournament__in=tournaments, reports_count__gt=0)
    rounds = dict(tables.order_by().values_list("pk", "round__number"))
    sittings = Sittings(Q(table__in=tables.order_by().values("pk")))
    return feats_in(rounds, sittings, ((deal.table, deal.number, deal) for deal in deals_at(tables)))


def feats_in(rounds: Mapping[int, int], sittings: Sittings, deals: Iterable[PlayedDeal]) -> dict[int, Feats]:
    """The feats from the `deals` of these tables, given with the numbers of their rounds; `sittings` has their seats.

    At each table in their order.
    """
    own: dict[int, _Own] = defaultdict(_Own)
    for table, played in _in_order(rounds, sittings, deals):
        at = sittings.entries_in_deal(table, played[0][0])
        by_position = zip(*(deal.tokens for _number, deal in played), strict=False)
        for entry, tokens in zip(at, by_position, strict=False):
            own[entry].tokens.extend(tokens)
        for _number, deal in played:
            _add_game(own, at, deal)
    best: dict[int, int] = {}
    for table in rounds:
        for sat in sittings.at_table[table]:
            best[sat.entry] = max(sat.tokens, best.get(sat.entry, sat.tokens))
    return {entry: told.feats(best[entry]) for entry, told in own.items()}


def _add_game(own: dict[int, _Own], at: Sequence[int], deal: CountedDeal) -> None:
    """Add a deal's game, its trumps, or its totals, to those who sat `at` the table."""
    if deal.sort.trump in SUITS:
        for position, entry in enumerate(at):
            own[entry].trumps.add(deal.sort.trump, won=deal.declarer == position and deal.sort.is_won)
    if deal.declarer is not None and deal.sort.contract:
        own[at[deal.declarer]].declared.append(deal)
    elif deal.is_totals_only:
        for entry, total in zip(at, deal.tokens, strict=False):
            own[entry].totals.append(total)


def _in_order(
    rounds: Mapping[int, int], sittings: Sittings, deals: Iterable[PlayedDeal]
) -> Iterator[tuple[int, Sequence[tuple[int, CountedDeal]]]]:
    """Each table with such of its deals, by their numbers, as the same people sat at, round by round."""
    if sittings.changed:
        # Who left one table may have gone on at another.
        deals = sorted(deals, key=lambda at: (rounds[at[0]], at[1]))
        yield from ((table, [(number, deal)]) for table, number, deal in deals)
        return
    at_each: dict[int, list[tuple[int, CountedDeal]]] = defaultdict(list)
    for table, number, deal in deals:
        at_each[table].append((number, deal))
    for table in sorted(at_each, key=rounds.__getitem__):
        yield table, at_each[table]


class Trumps:
    """The number of a player's deals, and of their games won, by suit of trumps."""

    def __init__(self) -> None:
        self.won: Counter[str] = Counter()
        self.played: Counter[str] = Counter()

    def add(self, suit: str, *, won: bool) -> None:
        for counts in (self.won, self.played) if won else (self.played,):
            counts[suit] = counts.pop(suit, 0) + 1  # the last one added is the last in order

    @property
    def suit(self) -> str:
        """The suit of the most; of several the one that was trumps last, "" where there was none."""
        counts = self.won or self.played
        return max(reversed(counts), key=counts.__getitem__, default="")


def suit_or_usual(suit: str, number: int) -> str:
    """The suit; of a player of whom no deal with trumps is known (only a table's totals), one by their number."""
    return suit or SUITS[number % len(SUITS)]


@dataclass(slots=True)
class _Own:
    """Sums of a player's deals, in their order, of their declared games, and of tables with totals only."""

    tokens: list[int] = field(default_factory=list)
    declared: list[CountedDeal] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    trumps: Trumps = field(default_factory=Trumps)

    def feats(self, best_round: int) -> Feats:
        lowest = min(accumulate(self.tokens), default=0)
        deals = list((Counter(self.tokens) - Counter(self.totals)).elements()) if self.totals else self.tokens
        sorts = [deal.sort for deal in self.declared]
        first, last, longest = runs([sort.outcome not in WITH_A_BET for sort in sorts])
        return Feats(
            games=len(sorts),
            solos=len([sort for sort in sorts if sort.contract in SOLOS and sort.outcome in WON]),
            best_round=best_round,
            best_deal=max(deals, default=0),
            best_tout=max(
                [deal.declarers_tokens for deal in self.declared if deal.sort.tout == "won"], default=0
            ),
            comeback=sum(self.tokens) - lowest if lowest < 0 else 0,
            first_run=first,
            last_run=last,
            longest_run=longest,
            suit=self.trumps.suit,
        )


def runs(won: Iterable[bool]) -> tuple[int, int, int]:
    """The lengths of the first, the last and the longest run."""
    first = last = longest = 0
    unbroken = True
    for good in won:
        last = last + 1 if good else 0
        unbroken = unbroken and good
        first += unbroken
        longest = max(longest, last)
    return first, last, longest


def joined(evenings: Iterable[Sequence[int]]) -> tuple[int, int, int, int]:
    """Evenings in their order, each (games, first_run, last_run, longest_run), as one: the same of all of them."""
    games = first = last = longest = 0
    for played, begins, ends, within in evenings:
        longest = max(longest, last + begins, within)
        first += begins if first == games else 0
        last = last + played if begins == played else ends
        games += played
    return games, first, last, longest


# The first three of finished evenings, with their names for lists.

FIRSTS = 3
# A place shared by more than this is not shown.
MOST_AT_A_PLACE = 2
TOLD = (
    "tournament", "place", "entry__number", "entry__player__name", "entry__club__name_style", "entry__has_namesake",
    "total", "divided_by", "entry__carried",
)  # fmt: skip


def tell_firsts(evenings: Sequence[Tournament]) -> None:
    """Set `firsts` of each evening, if its materialized results are up to date.

    A pair is named by both players; teams have too many names. Totals are those that places are decided by: none of
    pairs, of averages, and with tokens from another day. Nor is one below zero shown.
    """
    kept = {one.pk: one for one in evenings if one.results_kept and one.is_finished}
    rows = EveningResult.objects.filter(tournament__in=kept, place__range=(1, FIRSTS), division=1)
    names: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    totals: dict[tuple[int, int], str] = {}
    carry: set[int] = set()
    # Values, not models: only the name is used.
    found = rows.order_by("place", "entry__number").values_list(*TOLD)
    for pk, place, number, name, style, has_namesake, total, by, carried in found:
        shown = format_name(name, style or kept[pk].host.name_style, number)
        names[pk][place].append(told_apart(shown, number, has_namesake=has_namesake))
        totals[pk, place] = signed(total if by == 1 else Fraction(total, by)) if total >= 0 else ""
        if carried:
            carry.add(pk)
    for one in evenings:
        by_total = not (one.in_teams or one.comparison == Tournament.Comparison.AVERAGE or one.pk in carry)
        one.firsts = [
            First(place, of_place, totals[one.pk, place] if by_total else "")
            for place, of_place in names[one.pk].items()
            if len(of_place) <= MOST_AT_A_PLACE
        ]
