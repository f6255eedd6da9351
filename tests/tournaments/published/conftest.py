"""Two evenings of four people, as their pages over the years have them."""

from tests.tournaments.hall.years.conftest import chairs, evenings, people, play

__all__ = ["chairs", "evenings", "people", "play"]
