"""Settling the deals of a table again, by the rules alone: what each gives, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from core.canonical_json import json_of
from scoring.results import UnreadableResult, read_result
from scoring.seats import Turns
from scoring.settlement import IllegalResult, settle_at_table
from tournaments.domain.outcomes import declarer_of
from tournaments.ledger.deal_sums import counted
from tournaments.ledger.report_chain import ReportRow

if TYPE_CHECKING:
    from scoring.rulebook import Rulebook
    from scoring.seats import Seating
    from tournaments.files.stored_tables import AtTable
    from tournaments.ledger.deal_sums import CountedDeal
    from tournaments.seasons.results import PlayedDeal


def deals_again(
    at: AtTable,
    rulebook: Rulebook,
    counting: Sequence[ReportRow],
    tokens: dict[int, tuple[int, ...]],
    deals: list[PlayedDeal],
) -> Iterator[str]:
    """What is wrong with the deals of a table; adds the tokens that they give by the rules alone, and the deals."""
    table = at.table
    turns, in_pairs = (
        Turns(len(at.seats), table.first_dealer, table.turns, rulebook.dealer_sits_out),
        table.round.tournament.hands_taken_over,
    )
    in_turn = [(dealt, _settling(rulebook, dealt)) for dealt in turns.in_turn(in_pairs=in_pairs)]
    for report in counting:
        number = report.deal_number
        if in_turn:
            dealt, settled = in_turn[(number - 1) % len(in_turn)]
        else:
            dealt = turns.seating(number, in_pairs=in_pairs)
            settled = _settling(rulebook, dealt)
        again = settled(report[_FIRST_SAID:_LAST_SAID])
        for text in again.wrong:
            yield f"deal {number} {text}"
        if report.result is not None and again.tokens is not None:
            tokens[number] = again.tokens
            # What is wrong may have been changed so that it cannot be counted.
            deal = again.deal or counted(report.result, report.outcome, report.tokens, dealt)
            deals.append((table.pk, number, deal))


# What a report, as it is stored, says of its deal.
_Said = tuple[Any, ...]
_SAID = ("contract", "declarer", "result", "dealer", "outcome", "tokens")
_FIRST_SAID = ReportRow._fields.index(_SAID[0])
_LAST_SAID = _FIRST_SAID + len(_SAID)


class _Settled(NamedTuple):
    """A deal settled again: tokens by position as the rules alone give them; None where it is against them.

    `wrong` is what is wrong with it; `deal` is how it counts, where nothing is.
    """

    tokens: tuple[int, ...] | None
    wrong: tuple[str, ...] = ()
    deal: CountedDeal | None = None


@lru_cache(maxsize=256)
def _settling(rulebook: Rulebook, dealt: Seating) -> Callable[[_Said], _Settled]:
    """What settles a report's deal by these rules where it was dealt so.

    Much comes again and again: the same game, won by the same seat.
    """
    return lru_cache(maxsize=1024)(partial(_settled, rulebook, dealt))


def _settled(rulebook: Rulebook, dealt: Seating, report: _Said) -> _Settled:
    """What a deal gives by the rules alone, where its report says this; it `told` these tokens."""
    contract, declarer, said, dealer, outcome, told = report
    result, wrong = json_of(said), []
    if said is not None and dealer != dealt.dealer:
        wrong.append("was settled with another dealer than dealt it")
    try:
        tokens = _tokens_of(result, dealt, rulebook)
    except (UnreadableResult, IllegalResult) as error:
        return _Settled(None, (*wrong, f"is against the rules: {error}"))
    if list(tokens) != (stored := json_of(told)):
        wrong.append(f"gives {list(tokens)}, stored is {stored}")
    counts = (None, "") if result is None else (declarer_of(result), result.get("contract", ""))
    if counts != (declarer, contract):
        wrong.append("counts as another declarer's or another contract than was reported")
    deal = None if wrong or said is None else counted(said, outcome, told, dealt)
    return _Settled(tokens, tuple(wrong), deal)


def _tokens_of(result: Any, dealt: Seating, rulebook: Rulebook) -> tuple[int, ...]:
    """None where the deal was taken back."""
    if result is None:
        return ()
    if "ruled" in result:
        return tuple(result["ruled"])
    return settle_at_table(read_result(result, dealt), dealt, rulebook).tokens
