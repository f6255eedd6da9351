"""Who sits where: a seat plan for a tournament, as plain numbers in and plain tuples out.

    plan(27, 4, seed=2024)                                    the whole event
    plan_next(present, 1, seed=…, history=played, total=4)    the next round, whoever is there
    plan_by_standings(ranking, seed=…, history=played)        the next round, neighbours together ("Swiss")
    plan_by_lot(present, 1, seed=…, history=played)           by lot alone
    plan_as_given(rounds, present)                            as the organiser says
    quality(rounds, groups)                                   how good a seating is
    swap_cost(rounds, 2, p, q)                                the price of letting two players change places
    swap_changes(rounds, 2, p)                                the same for everybody p could change with

The draw is published with its seed: the same seed and the same input give the same plan on any machine.
"""

from tournaments.draw.chairs import chairs_of, empty_seat
from tournaments.draw.other_ways import plan_as_given, plan_by_lot, plan_by_standings
from tournaments.draw.planner import Plan, plan, plan_next, prices_of_even_threes
from tournaments.draw.quality import Quality, quality, swap_cost, swapped
from tournaments.draw.swaps import SwapChange, swap_changes
from tournaments.draw.tables import (
    ONE_SITS_OUT,
    THREE_AND_FOUR,
    DrawError,
    Groups,
    Round,
    SmallTable,
    Table,
    table_sizes,
)
from tournaments.draw.wishes import Apart

__all__ = [
    "ONE_SITS_OUT",
    "THREE_AND_FOUR",
    "Apart",
    "DrawError",
    "Groups",
    "Plan",
    "Quality",
    "Round",
    "SmallTable",
    "SwapChange",
    "Table",
    "chairs_of",
    "empty_seat",
    "plan",
    "plan_as_given",
    "plan_by_lot",
    "plan_by_standings",
    "plan_next",
    "prices_of_even_threes",
    "quality",
    "swap_changes",
    "swap_cost",
    "swapped",
    "table_sizes",
]
