"""Whether what is kept of results (`models.kept`) is what they give, counted from the beginning.

In English, for `verify`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from core.sql import snapshot
from tournaments.models import Rating, RatingState
from tournaments.people.club_years import clubs_kept, kept_otherwise
from tournaments.seasons.rating import Known, games_of, move_on
from tournaments.seasons.ratings import counting, known_in, unsettled_from
from tournaments.seasons.results import FEATS, Feats, count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tournaments.ledger.deal_sums import Sums
    from tournaments.models import Tournament
    from tournaments.seasons.results import Played
    from tournaments.standings.players import Standings
    from tournaments.standings.teams import TeamStandings

OF_FEATS = ("entry__number", "entry", *FEATS)
OF_SUM = ("sort", "year", "deals", "tokens")
# Of a rating, what it is after and whose, then as `Known` has it.
RATED = ("entry__tournament__code", "player", "mu", "sigma", "tables", "date")


def result_differences(
    tournament: Tournament,
    results: Sequence[Played],
    shown: Standings,
    teams: TeamStandings | None,
    members: Sequence[tuple[int, int]],
) -> Iterator[str]:
    """Whether the results kept for its season are those of its standings; nothing where they wait to be counted."""
    if not tournament.results_kept:
        return
    kept = {one.entry: one for one in results}
    counted = dict(count(tournament, shown, teams, members))
    for entry in sorted(kept.keys() | counted.keys()):
        has, gives = kept.get(entry), counted.get(entry)
        if (has and has.result) != gives:
            number = has.number if has else tournament.entries.get(pk=entry).number
            yield f"no. {number} is kept for the season with {has and has.result}, the standings give {gives}"


def feat_differences(
    tournament: Tournament, kept: Iterable[Sequence[int]], counted: Mapping[int, Feats]
) -> Iterator[str]:
    """The same of what clubs keep records of (`OF_FEATS` has read it); `counted` is by entry."""
    if not tournament.results_kept:
        return
    for number, entry, *feats in kept:
        if (gives := counted.get(entry, Feats())) != Feats(*feats):
            yield f"no. {number} is kept for records with {Feats(*feats)}, the reports give {gives}"


def sum_differences(
    tournament: Tournament, kept: Iterable[tuple[str, int, int, int]], counted: Sums
) -> Iterator[str]:
    """Whether the sums kept are those of its deals; nothing where they wait to be counted.

    `kept` are as `OF_SUM` reads them, what each is of as it is said.
    """
    if not tournament.deals_summed:
        return
    year = tournament.date.year
    have = {said: (at, deals, tokens) for said, at, deals, tokens in kept if deals or tokens}
    give = {sort.said: (year, deals, tokens) for sort, (deals, tokens) in counted.items()}
    for said in sorted(have.keys() | give.keys()) if have != give else ():
        if have.get(said) != give.get(said):
            yield f"of deals {said} (year, deals, tokens) {have.get(said)} are kept, the reports give {give.get(said)}"


def kept_differences() -> Iterator[str]:
    """Whether what is kept of many evenings together, ratings and the years of clubs, is what their results give."""
    for part in (*parts_of_ratings(), *parts_of_years()):
        yield from part()


# Whether a part of what is kept follows from the results: what is wrong with it.
Part = Callable[[], list[str]]


def parts_of_ratings() -> list[Part]:
    """Few, of seconds each."""
    rated = RatingState.objects.order_by("club").values_list("club", flat=True)
    return [partial(_ratings_of, club) for club in rated]


def parts_of_years() -> list[Part]:
    """Many, nearly all of a tenth of a second or less, and these last."""
    return [partial(_years_of, club) for club in clubs_kept()]


def _ratings_of(club: int) -> list[str]:
    with snapshot():
        return [f"ratings: {text}" for text in rating_differences(RatingState.objects.get(club=club))]


def _years_of(club: int) -> list[str]:
    said = "kept for its history otherwise than the results give"
    return [f"{club}: {year or 'all years'} {said}" for club, year in kept_otherwise(club)]


def rating_differences(state: RatingState) -> Iterator[str]:
    """Whether the ratings kept are those of all games, rated again from the first; those that wait are left out."""
    until = unsettled_from(state) or date.max
    evenings = counting(state.hosts).filter(date__lt=until).order_by("date", "code")
    games = games_of(list(evenings.values_list("code", flat=True)))
    again = ((code, player, now) for code, after in move_on({}, games) for player, now in after.items())
    newest: dict[int, Known] = {}
    for has, gives in zip_longest(_kept(state, until), again):
        if has is None or has != gives:
            yield f"{state.club}: kept is {has}, the results give {gives}"
            return
        newest[has[1]] = has[2]
    rows = Rating.objects.filter(whole=state.club_id, is_newest=True)
    if until == date.max and newest != {row.player_id: known_in(row) for row in rows}:
        yield f"{state.club}: other ratings are marked as the newest than are"


def _kept(state: RatingState, until: date) -> Iterator[tuple[str, int, Known]]:
    """Each rating as it is kept: after which tournament, whose, and what."""
    rows = Rating.objects.filter(whole=state.club_id, date__lt=until).order_by("pk")
    for code, player, *known in rows.values_list(*RATED).iterator(2000):
        yield code, player, Known(*known)
