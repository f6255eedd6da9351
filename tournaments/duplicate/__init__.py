"""What rounds on boards came to: every result against the same cards elsewhere, and the ranking that follows.

All of it is sealed until a round is over: `tournaments.folders.is_sealed` says whether it is.
"""

from tournaments.duplicate.ranking import Ranked, ranking_of_players, ranking_of_teams
from tournaments.duplicate.results import Line, Place, lines_of
from tournaments.duplicate.words import Told, in_tenths, seat_titles, seats_in, to_tenths, told

__all__ = [
    "Line",
    "Place",
    "Ranked",
    "Told",
    "in_tenths",
    "lines_of",
    "ranking_of_players",
    "ranking_of_teams",
    "seat_titles",
    "seats_in",
    "to_tenths",
    "told",
]
