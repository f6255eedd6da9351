"""A result as the phrases of its line on a slip, in English: what `notation` writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring import vocabulary
from scoring.results import DealResult
from scoring.seats import Role, Seating, order_around

if TYPE_CHECKING:
    from scoring.rulebook import Rulebook

# The seats as slips name them, in order of play.
LETTERS = "ABCDE"


def phrases_of(result: DealResult, seating: Seating, rulebook: Rulebook | None) -> list[str]:
    """The phrases of its line; raises ValueError without a known contract and declarer."""
    if result == DealResult(all_passed=True, pool=result.pool):
        pool = [] if result.pool is None else [vocabulary.COUNTS["pool"][0], str(result.pool)]
        return ["-", vocabulary.PASSED[0], *pool]
    if result.all_passed or result.declarer is None or result.contract not in vocabulary.CONTRACTS:
        raise ValueError("only a wash-out, or a contract that there is with its declarer, can be written")
    seating = seating.declared_by(result.declarer)
    words = [_letter(result.declarer, seating), vocabulary.CONTRACTS[result.contract][0]]
    if result.trump:
        words.append(vocabulary.SUITS[result.trump][0])
    if result.outcome:
        outcome = vocabulary.OUTCOMES[result.outcome][0]
        words.append(rulebook.in_own_words(outcome) if rulebook else outcome)
    words += _written_tricks(result, seating)
    return [*words, *_written_rest(result, seating), *_written_joined(result, seating)]


def _written_rest(result: DealResult, seating: Seating) -> list[str]:
    """What else happened, one phrase after the other."""
    words = [
        phrases[0] for (field, value), phrases in vocabulary.FLAGS.items() if getattr(result, field) == value
    ]
    words += [vocabulary.BIDS[bid][0] for bid in result.bonus_bid]
    for field, phrases in vocabulary.SEATS.items():
        role = getattr(result, field)
        if isinstance(role, Role):
            words += [phrases[0], _letter(role, seating)]
    for field, phrases in vocabulary.COUNTS.items():
        if (count := getattr(result, field)) is not None:
            words += [phrases[0], str(count)]
    if result.turned:
        words += [vocabulary.TURNED[0], result.turned]
    for field, phrases in vocabulary.SEAT_LISTS.items():
        if roles := getattr(result, field):
            words += [phrases[0], "".join(_letter(role, seating) for role in roles)]
    return words


def _written_joined(result: DealResult, seating: Seating) -> list[str]:
    """Who joined a nolo, each with the tricks."""
    words: list[str] = []
    tricks = dict(result.tricks)
    for role in result.joined:
        words += [vocabulary.JOINED[0], _letter(role, seating)]
        if role in tricks and role is not result.declarer:
            words.append(str(tricks[role]))
    return words


def _letter(role: Role, seating: Seating) -> str:
    if role not in seating.positions:
        raise ValueError("there is no such seat at this table")
    return LETTERS[seating.positions[role]]


def _written_tricks(result: DealResult, seating: Seating) -> list[str]:
    """`5-3-1`, `5-x-1` where a count is not known, `5` for the declarer's alone; who joined follows later."""
    counted = seats_counted(result, seating, with_fourth=True)
    tricks = {role: count for role, count in result.tricks if role in counted}
    if not tricks:
        return []
    if list(tricks) == [result.declarer]:
        return [str(count) for count in tricks.values()]
    fourth = Role.IDLE in (result.declarer, *tricks)
    return [
        "-".join(str(tricks.get(role, "x")) for role in seats_counted(result, seating, with_fourth=fourth))
    ]


def seats_counted(result: DealResult, seating: Seating, *, with_fourth: bool) -> list[Role]:
    """Whose tricks stand in a row: the declarer's, then in order of play those of all who did not join."""
    order = order_around(seating.players, dealer_out=seating.dealer_out)
    start = order.index(result.declarer) if result.declarer else 0
    return [
        role
        for role in (*order[start:], *order[:start])
        if role is result.declarer or (role not in result.joined and (with_fourth or role is not Role.IDLE))
    ]
