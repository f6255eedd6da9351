"""The formats of play: one row each with all that is particular to it. `Tournament.format_row` is a tournament's.

A row has the ranked unit, seats in a match, set-up fields, steps of the evening, pages, sheets and exports, and
the words for partners. Codes in it (a step, a page, a sheet) are implemented in their own rooms. Hardly any other
code tests for a particular format: a test counts the places.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeVar

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from tournaments.draw.tables import CHAIRS, SPLITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.utils.functional import _StrPromise as StrPromise


class Held(Protocol):
    """The interface of a tournament for formats."""

    @property
    def format_row(self) -> Format: ...


T = TypeVar("T")
H = TypeVar("H", bound=Held)


# A double round robin of thirty teams, with room.
MOST_ROUNDS = 60
MOST_ROUNDS_ALONE = 8
# Who of a side sits at a table of a match, by their places in the side's line-up: the home side, the away side.
Sides = tuple[tuple[int, ...], tuple[int, ...]]


class Ranked(StrEnum):
    """The kind of participants that are ranked."""

    PLAYERS = "players"
    TEAMS = "teams"  # or pairs


class TakingOver(StrEnum):
    """Whether who sits out plays the hand of the declarer's partner, who sits opposite."""

    NEVER = "never"
    ASKED = "asked"  # the set-up decides
    ALWAYS = "always"


@dataclass(frozen=True)
class Words:
    """The terms of a format on pages: for pairs or teams, and actions on them.

    Empty where everybody plays for themselves, but for `entered`. What is counted has its number in it.
    """

    one: StrPromise | str = ""
    many: StrPromise | str = ""
    every: StrPromise | str = ""
    counted: StrPromise | str = ""
    entered: StrPromise | str = ""
    here: StrPromise | str = ""
    plays_in: StrPromise | str = ""
    its_place: StrPromise | str = ""
    prize: StrPromise | str = ""
    # Those who meet among themselves: the word, and one of them by its `%(number)d`.
    group: StrPromise | str = ""
    numbered_group: StrPromise | str = ""
    # Putting them together.
    put_together: StrPromise | str = ""
    in_this_order: StrPromise | str = ""
    by_lot: StrPromise | str = ""
    without: StrPromise | str = ""
    none_yet: StrPromise | str = ""
    another: StrPromise | str = ""
    split: StrPromise | str = ""
    bring_back: StrPromise | str = ""
    withdraw: StrPromise | str = ""
    dissolve: StrPromise | str = ""
    too_few: StrPromise | str = ""
    # Their matches.
    at_home: StrPromise | str = ""
    who_sits_where: StrPromise | str = ""
    line_up: StrPromise | str = ""
    did_not_come: StrPromise | str = ""
    who_wins: StrPromise | str = ""
    cross: StrPromise | str = ""
    whose_hand: StrPromise | str = ""


@dataclass(frozen=True)
class Asked:
    """Limits and defaults of rounds in the set-up; prefixes of the fields that it does not show."""

    most_rounds: int
    usual_rounds: int
    left_out: tuple[str, ...]
    about_rounds: StrPromise | str = ""


@dataclass(frozen=True)
class Format:
    """A format of play; `code` is what is stored."""

    code: str
    name: StrPromise
    about: StrPromise  # in a sentence, where it is chosen
    asked: Asked
    ranked: Ranked
    words: Words
    # What comes between the check-in and the first round, by the keys of the overview's steps.
    before_the_draw: tuple[str, ...] = ()
    # The pages and files that it has beyond those of every tournament, and the sheets that can be printed of a round.
    pages: frozenset[str] = frozenset()
    sheets: frozenset[str] = frozenset()
    # How a match is seated: the ways that take turns from round to round, of each the sides at every table. At the
    # first table the home side has seats 0 and 2, at the second 1 and 3. Empty where everybody plays for themselves.
    ways: tuple[tuple[Sides, ...], ...] = ()
    # The size of the tables; 0 where it is what the rulebook and the number of players make it.
    at_table: int = 0
    no_such_table: StrPromise | str = ""
    reserves: int = 0  # a team may bring reserves
    taking_over: TakingOver = TakingOver.NEVER
    cannot_take_over: StrPromise | str = ""
    # Whether those without a name of their own are called by their players' names, and known by who sits opposite.
    named_by_players: bool = False

    @property
    def in_teams(self) -> bool:
        """Whether pairs or teams meet, and not everybody plays for themselves."""
        return bool(self.ways)

    def divided(self, party: Sequence[T]) -> tuple[list[T], list[T]] | None:
        """Split a group that entered together into players and reserves; None if it is no valid team."""
        if not self.in_teams or len(party) < 2:  # a single player
            return None
        return list(party[: self.team_size]), list(party[self.team_size :])

    @property
    def team_size(self) -> int:
        """Players of a pair or team at a time; 1 where everybody plays for themselves."""
        return sum(len(home) for home, _away in self.ways[0]) if self.ways else 1

    def takes_over(self, *, asked: bool) -> bool:
        """Whether hands are taken over; `asked` is the answer of the set-up."""
        return self.taking_over is TakingOver.ALWAYS or (self.taking_over is TakingOver.ASKED and asked)

    @property
    def tables_of_match(self) -> int:
        return len(self.ways[0]) if self.ways else 1


SHEETS = frozenset(
    (
        *("names", "tables", "place-cards", "all-rounds", "cards", "movement", "blank", "ticked", "filled"),
        *(
            "standings",
            "press",
            "diploma",
            "evening-cards",
            "hands",
            "comparison",
            "booklet",
            "booklet-folded",
            "rules",
            "everything",
        ),
    )
)
OF_TEAMS = frozenset(("players", "cross", "schedule"))
# Fields of the set-up: of those who play for themselves, and what a match brings.
OF_PLAYERS = ("draw_mode", "deals_at_three", "tie_break_", "comparison", "three_factor", "least_share")
POINTS = ("points_won", "points_drawn", "points_lost")
WHEN_ALL_HAVE_MET = _(
    "Once everyone is entered, one click sets up as many rounds as it takes for everyone to meet."
)
FOUR_AT_A_TABLE = _("Pairs and teams need four at a table, which these rules do not allow.")

INDIVIDUAL = Format(
    code="individual",
    name=_("individual"),
    about=_("Individual: everyone plays for themselves."),
    ranked=Ranked.PLAYERS,
    asked=Asked(
        MOST_ROUNDS_ALONE,
        3,
        ("meetings", *POINTS, "by_average", "takes_over", "bye_teams", "promoted", "relegated", "up_limit"),
    ),
    words=Words(entered=ngettext_lazy("%(count)s player entered", "%(count)s players entered", "count")),
    sheets=SHEETS,
)

PAIRS = Format(
    code="pairs",
    name=_("pairs (makkerpar)"),
    about=_("Pairs: two against two at a table."),
    ranked=Ranked.TEAMS,
    asked=Asked(
        MOST_ROUNDS,
        5,
        (*OF_PLAYERS, "takes_over", "bye_teams", "promoted", "relegated", "up_limit"),
        WHEN_ALL_HAVE_MET,
    ),
    before_the_draw=("teams",),
    pages=frozenset(("matches", "teams")),
    sheets=SHEETS | OF_TEAMS,
    ways=((((0, 1), (0, 1)),),),
    at_table=CHAIRS,
    no_such_table=FOUR_AT_A_TABLE,
    taking_over=TakingOver.ALWAYS,
    cannot_take_over=_(
        "In pairs the player sitting out takes over a hand; these rules, or the option of "
        "mort, have another use for the fourth player."
    ),
    named_by_players=True,
    words=Words(
        one=_("Pair"),
        many=_("Pairs"),
        every=_("All pairs"),
        counted=ngettext_lazy("%(count)d pair", "%(count)d pairs", "count"),
        entered=ngettext_lazy("%(count)s pair entered", "%(count)s pairs entered", "count"),
        here=ngettext_lazy("%(present)s pair is here.", "%(present)s pairs are here.", "present"),
        plays_in=_("plays in the pair"),
        its_place=_("The pair’s place"),
        prize=_("A prize belongs to the pair: its two players share it."),
        group=_("Group"),
        numbered_group=_("Group %(number)d"),
        put_together=_("Form the pairs"),
        in_this_order=_("Pair them up in this order"),
        by_lot=_("Draw partners by lot"),
        without=_("Without a partner"),
        none_yet=_("No pairs have been formed yet."),
        another=_("Add a pair"),
        split=_("Split into groups"),
        bring_back=_("Bring the pair back"),
        withdraw=_("Withdraw the pair"),
        dissolve=_("Dissolve the pair"),
        too_few=_("At least two pairs are needed, with both players checked in."),
        at_home=_("At A and C"),
        who_sits_where=_(
            "The home pair sits at A and C. A player from a pair with a bye, or without a pair, can "
            "substitute."
        ),
        line_up=_(
            "Line-ups for your next matches. You can change them until the match begins. A substitute must "
            "be from your own club and have no match that day; only the desk can seat anyone else."
        ),
        did_not_come=_(
            "For example if a pair did not turn up. The match points count as ruled; nobody gets "
            "tokens from the match."
        ),
        who_wins=_("The pair with more tokens wins the match; a pair’s tokens are those of both players."),
        cross=_(
            "Each row shows what a pair has won against each of the others: match points, with "
            "tokens beside them."
        ),
        whose_hand=_(
            "A declarer always plays against the other pair: if the partner was dealt cards, the "
            "player sitting out takes them over before the exchange (§1.5)."
        ),
    ),
)

TEAMS = Format(
    code="teams",
    name=_("teams of four (hold)"),
    about=_(
        "Teams of four: a match is played at two tables, the home team sits at north and south of the first and at "
        "east and west of the second."
    ),
    ranked=Ranked.TEAMS,
    asked=Asked(MOST_ROUNDS, 11, OF_PLAYERS, WHEN_ALL_HAVE_MET),
    before_the_draw=("teams",),
    pages=frozenset(("matches", "teams")),
    sheets=SHEETS | OF_TEAMS,
    ways=tuple(((first, first), (second, second)) for first, second in SPLITS),
    at_table=CHAIRS,
    no_such_table=FOUR_AT_A_TABLE,
    reserves=4,
    taking_over=TakingOver.ASKED,
    cannot_take_over=_(
        "These rules, or the mort option, have another use for the fourth player: let the partner play."
    ),
    words=Words(
        one=_("Team"),
        many=_("Teams"),
        every=_("All teams"),
        counted=ngettext_lazy("%(count)d team", "%(count)d teams", "count"),
        entered=ngettext_lazy("%(count)s team entered", "%(count)s teams entered", "count"),
        here=ngettext_lazy("%(present)s team is here.", "%(present)s teams are here.", "present"),
        plays_in=_("plays in the team"),
        its_place=_("The team’s place"),
        prize=_("A prize belongs to the team: its regular players share it."),
        group=_("Division"),
        numbered_group=_("Division %(number)d"),
        put_together=_("Form the teams"),
        in_this_order=_("Form teams of four in this order"),
        by_lot=_("Draw teams by lot"),
        without=_("Without a team"),
        none_yet=_("No teams have been formed yet."),
        another=_("Add a team"),
        split=_("Split into divisions"),
        bring_back=_("Bring the team back"),
        withdraw=_("Withdraw the team"),
        dissolve=_("Dissolve the team"),
        too_few=_("At least two teams are needed, with four players each checked in."),
        at_home=_("At home"),
        who_sits_where=_(
            "The home team sits at A and C of the first table and at B and D of the second. A "
            "reserve, or a player from a team with a bye or without a team, can substitute: what "
            "they win counts for this team."
        ),
        line_up=_(
            "Line-ups for your next matches. You can change them until the match begins, using a reserve "
            "or a substitute from your own club who has no match that day; only the desk can seat anyone "
            "else."
        ),
        did_not_come=_(
            "For example if a team did not turn up. The match points count as ruled; nobody gets "
            "tokens from the match."
        ),
        who_wins=_(
            "A match is played at two tables: the home team sits at A and C of the first and at B and D of "
            "the second. The team with more tokens at both together wins."
        ),
        cross=_(
            "Each row shows what a team has won against each of the others: match points, with "
            "tokens beside them."
        ),
        whose_hand=_(
            "A declarer always plays against the other team: if the partner was dealt cards, the "
            "player sitting out takes them over before the exchange (§1.5)."
        ),
    ),
)

FORMATS: dict[str, Format] = {row.code: row for row in (INDIVIDUAL, PAIRS, TEAMS)}
# The codes of formats of pairs or teams, of those called by their players' names, and of those that rank players.
IN_TEAMS = [row.code for row in FORMATS.values() if row.in_teams]
NAMED_BY_PLAYERS = [row.code for row in FORMATS.values() if row.named_by_players]
RANKING_PLAYERS = [row.code for row in FORMATS.values() if row.ranked is Ranked.PLAYERS]
# Where none is chosen.
USUAL = INDIVIDUAL.code


def those_in_teams(held: Iterable[H]) -> list[H]:
    """Filter tournaments to those in which pairs or teams meet."""
    return [one for one in held if one.format_row.in_teams]


# What the places at a table are called, on screen and on paper: A deals first.

SEAT_LETTERS = "ABCDE"
