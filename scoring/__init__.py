"""The rules engine of L'Hombre: rulebooks as values, and pure functions that settle reported deals.

>>> from scoring import get_rulebook
>>> from scoring.results import read_result
>>> from scoring.seats import Seating
>>> from scoring.settlement import settle
>>> seating = Seating(players=4, dealer=0)
>>> won = read_result({"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}, seating)
>>> settle(won, seating, get_rulebook("rasle")).tokens
(-2, 6, -2, -2)
"""

from scoring.rulebook import Rulebook
from scoring.rulebooks import ENGINE_VERSION, BadOption, UnknownRulebook, get_rulebook, rulebooks

__all__ = ["ENGINE_VERSION", "BadOption", "Rulebook", "UnknownRulebook", "get_rulebook", "rulebooks"]
