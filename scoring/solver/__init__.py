"""The double-dummy solver: the outcome of a deal with best play by all players, all cards known.

- `solve`: outcome, tricks, tokens, a line of best play, and what each card that may be played now comes to
- `solve_outcome`: the outcome alone
- `DealSolver`: both for a position and those that follow from it
- `makeable`: how often a contract can be made from hands as dealt, over samples of the exchange
- `best_line`: a line of best play after a sampled exchange
- `range_of_tricks`: the fewest and the most tricks of best play, over samples of the exchange
- `CardPosition`: a deal while its cards are played, or before the first one
"""

from scoring.solver.exchanges import Makeable, TrickRange, best_line, makeable, range_of_tricks
from scoring.solver.levels import Value
from scoring.solver.solving import (
    NODE_LIMIT,
    CannotSolveError,
    CardPosition,
    DealSolver,
    Solution,
    solve,
    solve_outcome,
)

__all__ = [
    "NODE_LIMIT",
    "CannotSolveError",
    "CardPosition",
    "DealSolver",
    "Makeable",
    "Solution",
    "TrickRange",
    "Value",
    "best_line",
    "makeable",
    "range_of_tricks",
    "solve",
    "solve_outcome",
]
