"""Boards (kortmapper): the same cards at every table, in numbered folders; plain values in, plain values out.

fingerprint(seed)             what is published before the round, so that the seed cannot be changed afterwards
deal_folder(seed, 17)         the three hands and the talon of folder 17
sequences(deals, sets, size)  which folder each table plays in each of its deals
compare(parts)                every result against the same cards in the same seat elsewhere
"""

from tournaments.boards.comparison import Compared, Part, Score, compare
from tournaments.boards.dealing import Folder, deal_folder, fingerprint
from tournaments.boards.movement import Shortage, dealer_seat, sequences, set_of

__all__ = [
    "Compared",
    "Folder",
    "Part",
    "Score",
    "Shortage",
    "compare",
    "deal_folder",
    "dealer_seat",
    "fingerprint",
    "sequences",
    "set_of",
]
