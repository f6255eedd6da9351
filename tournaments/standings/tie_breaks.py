"""Tie-breaks between players with equal totals, and their texts next to the names.

A new tie-break is a row of `TIE_BREAKS`: set-up, rules and standings read it from there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournaments.domain.comparison import Amount, Comparison, plain_factor
from tournaments.domain.terms import MINUS, said_by

if TYPE_CHECKING:
    from fractions import Fraction

    from scoring.rulebook import Rulebook


# A player's line in the standings.

SUM = Comparison()


@dataclass
class Row:
    """A player's row. `rounds` has tokens by round number - 1, None where the player did not sit.

    `carried` are tokens from the stage before; `deals` the number of deals dealt to the player, `at_three` the
    tokens from tables of three, both only where `comparison` needs them; players with too few deals rank after all
    others. `same_cards` is the difference to the field's average with the same cards, None where not shown. `gap`
    is the distance to the leader: 0 for the first place, and where only a tie-break decides. `moved` is the number
    of places gained in the last round, `moved_by_deal` by the last report; None without a previous place.
    """

    entry_id: int
    number: int
    name: str
    club: str
    withdrawn: bool
    rounds: list[int | None]
    penalties: int = 0
    carried: Amount = 0
    comparison: Comparison = SUM
    at_three: int = 0
    deals: int = 0
    same_cards: Fraction | None = None
    has_enough_deals: bool = True
    rank: int = 0
    shared: bool = False
    gap: Amount = 0
    moved: int | None = None
    moved_by_deal: int | None = None
    # Sort key: enough deals, the total and the values of the tie-breaks; and which of these decided between
    # neighbours.
    key: tuple[Amount, ...] = ()
    told_apart_by: tuple[str, ...] = ()
    games_won: int = 0
    kodilles: int = 0
    lot: int = 0

    def but(self, **changed: Any) -> Row:
        """The row with other values: `dataclasses.replace`, in a tenth of the time, for thousands of rows."""
        made = object.__new__(Row)
        made.__dict__ = self.__dict__ | changed
        return made

    @property
    def tokens(self) -> int:
        """Tokens won and lost at tables."""
        return sum(filter(None, self.rounds))

    @property
    def with_rulings(self) -> int:
        """The ledger's tokens and those given or taken by rulings: what is paid for."""
        return self.tokens + self.penalties

    @property
    def total(self) -> Amount:
        """The compared value: int for sums, else exact."""
        result = self.comparison.result(
            tokens=self.tokens, at_three=self.at_three, rulings=self.penalties, deals=self.deals
        )
        return result + self.carried

    @property
    def played(self) -> list[int]:
        return [tokens for tokens in self.rounds if tokens is not None]


@dataclass(frozen=True)
class TieBreak:
    """A tie-break: among equal totals the greater `value` ranks first.

    `name` and `explanation` are English source texts, which `tie_break_text` renders for a rulebook. `counted` is
    the text next to a player's name, if it is not the value; None shows nothing.
    """

    code: str
    name: str
    explanation: str
    value: Callable[[Row], int]
    counted: Callable[[Row], int | None] | None = None


TIE_BREAKS = {
    tie_break.code: tie_break
    for tie_break in (
        TieBreak(
            "best_round", _("best round"), _("the most tokens in one round"),
            lambda row: max(row.played, default=0),
        ),
        TieBreak(
            "last_round", _("last round"), _("the most tokens in the last round played"),
            lambda row: row.played[-1] if row.played else 0,
        ),
        TieBreak(
            "rounds_won", _("rounds in plus"), _("the most rounds ended with more than 0 tokens"),
            lambda row: sum(tokens > 0 for tokens in row.played),
        ),
        TieBreak(
            "games_won", _("games won"), _("the most games won as declarer"),
            lambda row: row.games_won,
        ),
        TieBreak(
            "fewest_kodilles", _("fewest kodilles"), _("the fewest kodilles as declarer"),
            lambda row: -row.kodilles, lambda row: row.kodilles,
        ),
        TieBreak(
            "fewest_penalties", _("fewest penalties"), _("the fewest tokens lost by rulings"),
            lambda row: row.penalties,
        ),
        TieBreak(
            "lot", _("lot"), _("by lot, from the tournament’s code and the player’s number"),
            lambda row: row.lot, lambda _row: None,
        ),
    )
}  # fmt: skip
DEFAULT_TIE_BREAKS = ["best_round", "games_won"]


def rank(rows: Iterable[Row], codes: Sequence[str]) -> list[Row]:
    """Sort the rows, and set rank, shared ranks, gaps to the leader, and the tie-break that decided."""
    by_key: dict[tuple[Amount, ...], list[Row]] = defaultdict(list)
    for row, key in keys_of(rows, codes):
        row.key = key
        by_key[key].append(row)
    place, best = 1, max(by_key, default=(True, 0))[1]
    ranked = []
    for key in sorted(by_key, reverse=True):
        equal = by_key[key]
        for row in equal:
            # Who has too few deals may have more than the leader.
            row.rank, row.shared, row.gap = place, len(equal) > 1, max(best - key[1], 0)
            row.told_apart_by = ()
        place += len(equal)
        ranked += sorted(equal, key=attrgetter("number")) if len(equal) > 1 else equal
    _tell_apart(ranked, codes)
    return ranked


def keys_of(rows: Iterable[Row], codes: Sequence[str]) -> Iterator[tuple[Row, tuple[Amount, ...]]]:
    """The sort key of each row: enough deals, the total, and the tie-breaks; greater ones come first."""
    values = [TIE_BREAKS[code].value for code in codes]
    for row in rows:
        yield row, (row.has_enough_deals, row.total, *[value(row) for value in values])


def places_by(keys: Mapping[int, tuple[Amount, ...]]) -> dict[int, int]:
    """The place of each by what it is ranked by; equals share one."""
    first: dict[tuple[Amount, ...], int] = {}
    for place, key in enumerate(sorted(keys.values(), reverse=True), 1):
        first.setdefault(key, place)
    return {one: first[key] for one, key in keys.items()}


def _tell_apart(ranked: Sequence[Row], codes: Sequence[str]) -> None:
    """Set the tie-breaks that separate neighbours with the same total."""
    first = [tuple(codes[:number]) for number in range(len(codes) + 1)]
    for upper, lower in pairwise(ranked):
        if upper.key[:2] != lower.key[:2] or upper.key == lower.key:
            continue
        both = zip(upper.key[1:], lower.key[1:], strict=True)
        needed = next(place for place, (one, other) in enumerate(both) if one != other)
        for row in (upper, lower):
            if len(row.told_apart_by) < needed:
                row.told_apart_by = first[needed]


class TieBreakText(NamedTuple):
    """A tie-break in the reader's language, in the words of the rulebook."""

    name: str
    explanation: str


def tie_break_text(rulebook: Rulebook, code: str) -> TieBreakText:
    tie_break = TIE_BREAKS[code]
    return TieBreakText(said_by(rulebook, tie_break.name), said_by(rulebook, tie_break.explanation))


def tie_breaks_text(rulebook: Rulebook, codes: Iterable[str]) -> list[TieBreakText]:
    return [tie_break_text(rulebook, code) for code in codes]


def tie_breaks_in_words(names: Mapping[str, str], row: Row) -> str:
    """Names of the tie-breaks that decided between a player and the neighbours in the standings.

    Empty if none did.

    `names` maps their codes.
    """
    return ", ".join(_counted_text(names[code], TIE_BREAKS[code], row) for code in row.told_apart_by)


def _counted_text(name: str, tie_break: TieBreak, row: Row) -> str:
    """ "best round 12" """
    count = (tie_break.counted or tie_break.value)(row)
    if count is None:
        return name
    return f"{name} {MINUS}{-count}" if count < 0 else f"{name} {count}"


def comparison_name(comparison: Comparison) -> str:
    """The name of the comparison, for a heading; "" where sums are compared."""
    match comparison.kind:
        case "average":
            return gettext("average per deal played")
        case "factor":
            return gettext("tables of three × %(factor)s") % {"factor": plain_factor(comparison.factor)}
    return ""


def comparison_in_words(comparison: Comparison) -> str:
    """The comparison as a sentence."""
    match comparison.kind:
        case "average":
            average = gettext(
                "The total is the average: a player’s tokens at all tables, plus or minus rulings "
                "(penalties), divided by the deals in which the player was dealt cards. It is "
                "compared exactly and shown with two decimals."
            )
            return f"{average} {_least_share(comparison)}".rstrip()
        case "factor":
            return gettext(
                "The total is the sum of a player’s tokens at all tables, with those of tables of "
                "three multiplied by %(factor)s, plus or minus rulings (penalties). It is compared "
                "exactly and shown with two decimals."
            ) % {"factor": plain_factor(comparison.factor)}
    return gettext(
        "The total is the sum of a player’s tokens at all tables, plus or minus rulings (penalties)."
    )


def _least_share(comparison: Comparison) -> str:
    if not comparison.least_share:
        return ""
    return gettext(
        "Players who were dealt fewer than %(share)d per cent of the largest number of deals "
        "are placed after all others."
    ) % {"share": comparison.least_share}


def carried_in_words() -> str:
    return gettext("Tokens carried over from the previous stage count in the total.")
