"""Reports of several tables in one transaction: what they change in common is changed once, at its end.

That is a tournament's version and its sums of deals. Until then the transaction locks its own tables alone, so that on
PostgreSQL other processes go on beside it; each table takes four statements less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import connection, transaction
from django.db.transaction import Atomic

from core.sql import Statement, execute_batch
from tournaments.changes.versions import announce, announced_later, announcing
from tournaments.ledger.deal_sums import Sums, moving_sums
from tournaments.models import Tournament

# By primary keys of tournaments: the year, and what the sums change by. None outside of a group.
_moved_later: ContextVar[dict[int, tuple[int, Sums]] | None] = ContextVar("moved_later", default=None)


# As `changes.locks.share`, for the tournaments of several tables.
SHARED = """
    SELECT id FROM tournaments_tournament WHERE id IN (
        SELECT r.tournament_id FROM tournaments_round r JOIN tournaments_table t ON t.round_id = r.id
        WHERE t.secret IN ({secrets})) ORDER BY id FOR KEY SHARE"""


@contextmanager
def changed_at_the_end(paths: Sequence[str]) -> Iterator[None]:
    """Put off to the end of the block what reports change in common; an exception leaves it out.

    Runs inside a transaction, which an exception of a report that was stored must undo as a whole. `paths` are those of
    the reports' requests: their tournaments are locked first, in the order of their keys, as by everybody who locks
    several (`changes.locks.hold_each`).
    """
    if connection.features.has_select_for_update:
        secrets = sorted({path.split("/")[2].replace("\0", "") for path in paths})
        execute_batch(Statement(SHARED.format(secrets=", ".join(["%s"] * len(secrets))), secrets))
    announced: set[int] = set()
    moved: dict[int, tuple[int, Sums]] = {}
    reset = announced_later.set(announced), _moved_later.set(moved)
    try:
        yield
    finally:
        announced_later.reset(reset[0])
        _moved_later.reset(reset[1])
    # In the order of their keys, as everybody who changes several tournaments (`changes.locks`).
    changes = [announcing(tournament) for tournament in sorted(announced)]
    for tournament, (year, sums) in sorted(moved.items()):
        changes += moving_sums(tournament, year, sums)
    execute_batch(*changes)


def atomic_report() -> Atomic:
    """A transaction of a report's changes; in a group without a savepoint, since an error undoes the whole group."""
    return transaction.atomic(savepoint=_moved_later.get() is None)


def changes_in_common(tournament: Tournament, moved: Sums) -> list[Statement]:
    """Statements that raise the tournament's version and change its sums; none if that is put off."""
    moved_later, year = _moved_later.get(), tournament.date.year
    if moved_later is None:
        return [announcing(tournament.pk), *moving_sums(tournament.pk, year, moved)]
    announce(tournament.pk)
    moved_later.setdefault(tournament.pk, (year, Sums()))[1].join(moved)
    return []
