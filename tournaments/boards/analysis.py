"""Analysis of folders: what each seat could have made, by the solver; stored once the round is closed.

It gives the result of best play with all cards known: exact for contracts without exchange. Otherwise discards are
sampled, since they are not recorded, and the result is a proportion with its interval.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from django.db import transaction

from scoring.rulebook import Trumps
from scoring.seats import ROLES
from scoring.settlement import IllegalResult
from scoring.solver import CannotSolveError, Makeable, makeable
from tournaments.boards.dealing import fingerprint
from tournaments.boards.doubts import deal_of, doubts_at, find_doubts_in, raise_doubts
from tournaments.boards.folders import cards_of, is_sealed
from tournaments.ledger.queries import rulebook_of, rules_of
from tournaments.models import BoardSet, FolderAnalysis, Round, SeasonDeal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet

    from scoring.rulebook import Contract, Rulebook
    from scoring.seats import Role
    from tournaments.boards.dealing import Folder

SAMPLES = 30
# Version: changes when the solver, or the number of samples, changes an analysis.
METHOD = "2"


@dataclass(frozen=True, slots=True)
class Makes:
    """The share with which a contract can be made from a seat; `exact`: without exchange, so `made` is 0 or 1 of 1.

    `trump` is "" if the contract implies it, or if the talon decides.
    """

    role: str
    contract: str
    trump: str
    made: int
    solved: int
    exact: bool

    @property
    def odds(self) -> Makeable:
        return Makeable(self.made, self.solved)


def analyse(rulebook: Rulebook, folder: Folder) -> list[Makes]:
    """Every contract that each seat may play with these cards, in some ten seconds of one core.

    A contract that the solver cannot play from a seat (it needs other cards, or another seat may not pass) is left out.
    """
    deal = deal_of(rulebook, folder)
    found = []
    for role, contract, trump in _choices(rulebook, max(rulebook.players)):
        try:
            odds = makeable(deal, role, contract, trump or None, samples=SAMPLES, seed=folder.number)
        except (CannotSolveError, IllegalResult):
            continue
        exact = not contract.exchange.most and not contract.exchange.defenders
        found.append(Makes(role.value, contract.id, trump, odds.made, odds.solved, exact))
    return found


def _choices(rulebook: Rulebook, size: int) -> Iterator[tuple[Role, Contract, str]]:
    for role in ROLES[size]:
        for contract in rulebook.contracts:
            if role in contract.declarers_at(size):
                suits = contract.suits if contract.trumps is Trumps.CHOSEN else ()
                for trump in (*suits, "") if contract.or_sans or not suits else suits:
                    yield role, contract, trump


def rules_print(round_: Round) -> str:
    """Fingerprint of the rules and of the method of an analysis."""
    told = json.dumps([METHOD, SAMPLES, *rules_of(round_.tournament)])
    return sha256(told.encode()).hexdigest()


def await_analysis(round_: Round) -> int:
    """Note that the folders that were played in a round that is over are to be analysed; how many wait now.

    What is analysed already with these cards and rules stays.
    """
    board_set = _opened_set(round_)
    if board_set is None:
        return 0
    is_for = {"cards": fingerprint(board_set.seed), "rules": rules_print(round_)}
    kept = _of_round(round_)
    kept.exclude(**is_for).delete()
    there = set(kept.values_list("folder", flat=True))
    FolderAnalysis.objects.bulk_create(
        (
            FolderAnalysis(tournament=round_.tournament, round_number=round_.number, folder=folder, **is_for)
            for folder in sorted(_folders_played(round_) - there)
        ),
        ignore_conflicts=True,
    )
    return kept.filter(found__isnull=True).count()


def count_lacking(round_: Round) -> int:
    """The number of played folders without an analysis; 0 while the round is sealed."""
    if _opened_set(round_) is None:
        return 0
    analyses = analyses_of(round_)
    return sum(analyses.get(folder) is None for folder in _folders_played(round_))


def _folders_played(round_: Round) -> set[int]:
    """The folders that the tables of a round had."""
    return {folder for folders in round_.tables.values_list("folders", flat=True) for folder in folders}


def forget_analysis(round_: Round) -> None:
    """Delete the analysis of a round that is sealed again, with the questions about its results."""
    _of_round(round_).delete()
    doubts_at(round_).delete()
    of_booklets = SeasonDeal.objects.filter(tournament=round_.tournament_id, round_number=round_.number)
    of_booklets.update(about={}, line={})


def analyse_next(round_: Round, *, now: datetime) -> bool:
    """Analyse a folder of the round that waits for it, and ask about its doubtful results; whether there was one."""
    waiting = _of_round(round_).filter(found__isnull=True).first()
    board_set = _opened_set(round_)
    if waiting is None or board_set is None:
        return False
    folder = cards_of(board_set)[waiting.folder - 1]
    rulebook = rulebook_of(round_.tournament)
    found = [asdict(makes) for makes in analyse(rulebook, folder)]
    doubts = find_doubts_in(round_, rulebook, folder)
    # Where the round was sealed meanwhile the row is gone, and what was found is dropped.
    with transaction.atomic():
        if FolderAnalysis.objects.filter(pk=waiting.pk).update(found=found):
            raise_doubts(round_, doubts, now=now)
    return True


def analyses_of(round_: Round) -> dict[int, list[Makes] | None]:
    """Analysis by folder, None while it is running; folders that are not analysed are missing.

    Empty while the round is sealed.
    """
    board_set = _opened_set(round_)
    if board_set is None:
        return {}
    rows = _of_round(round_).filter(cards=fingerprint(board_set.seed), rules=rules_print(round_))
    return {
        row.folder: None if row.found is None else [Makes(**makes) for makes in row.found] for row in rows
    }


def _of_round(round_: Round) -> QuerySet[FolderAnalysis]:
    return FolderAnalysis.objects.filter(tournament=round_.tournament_id, round_number=round_.number)


def _opened_set(round_: Round) -> BoardSet | None:
    """The round's cards; None where there are none, or they are sealed."""
    if not round_.tournament.boards or is_sealed(round_):
        return None
    return BoardSet.objects.filter(tournament=round_.tournament_id, round_number=round_.number).first()
