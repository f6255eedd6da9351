"""What desk and captain share: a table's whole slip typed in a grid, and changes of its dealer and seats."""

from tournaments.slip.grid import GridLine, TypedLine, as_it_stands, read_grid
from tournaments.slip.legend import Legend, legend_of
from tournaments.slip.storing import Stored, store

__all__ = [
    "GridLine",
    "Legend",
    "Stored",
    "TypedLine",
    "as_it_stands",
    "legend_of",
    "read_grid",
    "store",
]
