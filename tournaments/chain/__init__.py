"""One chain for all that is decided in a tournament, so that a change behind the program's back shows.

Every step writes a link in the transaction that takes it: the line of the log, and each thing that the step decided
(seats, rulings, matches, rounds, the set-up …) as it stands after it. A link carries the hash of the one before; the
tournament's row has the newest with a seal made with the program's own key. Reports have a chain of their own at each
table, so that phones do not wait for one another; its head is in the link of every step about the table, the closing
of its round among them.

Whoever may change the database and knows the key can write all of it anew. So heads are printed on what players take
home and shown in the hall: a head on paper that the chain never had is a witness that nobody can change.
"""

from tournaments.chain.checking import Chains, chain_differences, chain_notices
from tournaments.chain.heads import Found, find_head, short_head
from tournaments.chain.links import append, take_over
from tournaments.chain.seals import is_table_sealed, place_of, seal_table

__all__ = [
    "Chains",
    "Found",
    "append",
    "chain_differences",
    "chain_notices",
    "find_head",
    "is_table_sealed",
    "place_of",
    "seal_table",
    "short_head",
    "take_over",
]
