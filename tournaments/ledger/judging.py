"""What the rules engine says of a report, with the reasons in the reader's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.results import UnreadableResult, read_result
from scoring.rulebooks import Rulebook
from scoring.settlement import problems, settle_at_table
from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.domain.terms import ProblemSaid, doubt_of, problem_said, sentence
from tournaments.ledger.sitting import seating_at
from tournaments.ledger.tables import names_at, rulebook_of
from tournaments.models import Table

MOST_TOKENS = 10_000


@dataclass(frozen=True, slots=True)
class Judged:
    """A result that the rules accept: canonical, with outcome, tokens by position and the parts they add up from."""

    result: dict[str, Any] | None
    outcome: str = ""
    tokens: tuple[int, ...] = ()
    parts: tuple[dict[str, Any], ...] = ()
    warnings: tuple[ProblemSaid, ...] = ()
    # The same warnings as they are stored.
    doubts: tuple[dict[str, Any], ...] = ()


class Refused(Exception):  # noqa: N818 - says what happened
    """The rules or the form forbid a report; `problems` say why, in words, and at which field."""

    def __init__(self, *problems: ProblemSaid) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems


TAKEN_BACK = Judged(result=None)


def judge(
    table: Table,
    rulebook: Rulebook,
    names: Sequence[str],
    deal: int,
    result: dict[str, Any],
    *,
    at_desk: bool = False,
) -> Judged:
    """Judge a result reported for a deal; `names` by position are used in what is said. Raises `Refused`."""
    if not 1 <= deal <= table.deals:
        raise Refused(
            ProblemSaid(
                "no_such_deal",
                "deal",
                _("There is no deal %(deal)d: this table plays %(deals)d.")
                % {"deal": deal, "deals": table.deals},
            )
        )
    if "ruled" in result:
        return _ruled(rulebook, len(names), result, at_desk=at_desk)
    seating = seating_at(table, len(names), deal)
    try:
        read = read_result(result, seating)
    except UnreadableResult as error:
        raise Refused(
            ProblemSaid(
                "unreadable", error.field, sentence(rulebook, error.text, error.params, names, seating)
            )
        ) from None
    played = seating.declared_by(read.declarer)
    against = problems(read, seating, rulebook)
    found = [problem_said(rulebook, problem, names, played) for problem in against]
    wrong = [problem for problem in found if not problem.is_warning]
    if wrong:
        raise Refused(*wrong)
    settlement = settle_at_table(read, seating, rulebook)
    return Judged(
        result=read.to_json(seating),
        outcome=settlement.outcome,
        tokens=settlement.tokens,
        parts=tuple(part.to_json() for part in settlement.parts),
        warnings=tuple(found),
        doubts=tuple(doubt_of(problem, played) for problem in against),
    )


def _ruled(rulebook: Rulebook, players: int, result: dict[str, Any], *, at_desk: bool) -> Judged:
    """Tokens set by the organiser: of a deal that the rules have no result for, or of all deals (totals only)."""
    tokens = result["ruled"]
    problem = ""
    if not at_desk:
        problem = _("Only the organiser can rule a deal's tokens.")
    elif (
        not set(result) <= {"ruled", TOTALS_ONLY}
        or result.get(TOTALS_ONLY, True) is not True
        or not isinstance(tokens, list)
        or len(tokens) != players
        or not all(type(amount) is int and abs(amount) <= MOST_TOKENS for amount in tokens)
    ):
        problem = _("A ruling needs a whole number of tokens for each player.")
    elif adds_up_to_zero(rulebook) and sum(tokens) != 0:
        problem = _("The tokens must add up to 0; they add up to %(sum)d.") % {"sum": sum(tokens)}
    if problem:
        raise Refused(ProblemSaid("ruling", "ruled", problem))
    outcome = TOTALS_ONLY if TOTALS_ONLY in result else "ruled"
    return Judged(result=result, outcome=outcome, tokens=tuple(tokens))


def adds_up_to_zero(rulebook: Rulebook) -> bool:
    """Whether the players' tokens of a deal add up to 0: not where a pool pays and takes, or one alone scores."""
    return rulebook.zero_sum and rulebook.pool is None


def preview(table: Table, deal: int, result: dict[str, Any], *, at_desk: bool = True) -> Judged:
    """What a report would give, with nothing stored. Raises `Refused`."""
    return judge(table, rulebook_of(table.round.tournament), names_at(table), deal, result, at_desk=at_desk)
