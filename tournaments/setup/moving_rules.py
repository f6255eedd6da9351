"""A tournament that has begun is moved to another version of its rules, with what follows shown before.

A tournament keeps the version with which it started. Where a newer one reads some results otherwise, an organiser may
take it up for a tournament that is not finished: the deals concerned are told again, and everything else stays. A
finished evening stays as it was played. The way back is the same step, to a version that it was played by before.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible
from scoring import ENGINE_VERSION
from scoring.versions import VERSIONS, in_force
from tournaments.changes.locks import held_tables, locked
from tournaments.changes.log import write_down
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.resettling import tell_again
from tournaments.running.backups import VERSIONS_APART
from tournaments.setup.rules_outlook import RulesOutlook

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clubs.models import Account
    from tournaments.ledger.resettling import DealAnew
    from tournaments.models import Table, Tournament

MOVED = gettext_noop(
    "Now played by version {version} of the rules instead of {was}; deals scoring differently: {count}"
)


def versions_offered(tournament: Tournament) -> list[str]:
    """The versions that a tournament may be moved to: the newest, and those that it was played by before it was moved.

    None where nothing of what is read otherwise concerns its rulebook.
    """
    if not tournament.rules_frozen or tournament.is_finished or tournament.is_called_off:
        return []
    moves = tournament.log.filter(text=MOVED).values_list("params", flat=True)
    known = {ENGINE_VERSION, *(move["was"] for move in moves)} & set(VERSIONS)
    changes, here = rulebook_of(tournament).changes, tournament.rules_version
    return [
        version
        for version in reversed(VERSIONS)
        if version in known and any(in_force(one, version) != in_force(one, here) for one in changes)
    ]


@transaction.atomic
def move_rules(
    tournament: Tournament, version: str, *, seen: str, account: Account, now: datetime
) -> RulesOutlook:
    """Play a tournament by another version of its rules, and tell again every deal that comes to something else.

    `seen` is the mark of the outlook that was looked at. Raises NotPossible where the version is not offered (any
    more), where something was reported meanwhile, and where a deal cannot be by it.
    """
    tournament = locked(tournament)
    if tournament.rules_version == version:
        raise NotPossible(
            _("It is already played by version %(version)s of the rules.") % {"version": version}
        )
    if tournament.is_finished:
        raise NotPossible(_("The tournament is finished: it stays as it was played."))
    if version not in versions_offered(tournament):
        raise NotPossible(
            _("It cannot be played by version %(version)s of the rules.") % {"version": version}
        )
    outlook = RulesOutlook(tournament, version)
    if seen != outlook.seen:
        raise NotPossible(_("Something has been reported in the meantime. Check again what would change."))
    if outlook.impossible:
        raise NotPossible(
            _("These rules reject some deals: correct them, or make a ruling on their tokens, first.")
        )
    was, tournament.rules_version = tournament.rules_version, version
    tournament.save(update_fields=["rules_version"])
    concerned = _tell_again(tournament, outlook.deals, account=account, now=now)
    write_down(
        tournament, account, MOVED, now=now, about=[tournament, *concerned],
        version=version, was=was, count=len(outlook.deals),
    )  # fmt: skip
    return outlook


def _tell_again(
    tournament: Tournament, deals: Iterable[DealAnew], *, account: Account, now: datetime
) -> list[Table]:
    """Store the deals at their tables; returns those tables. Every phone reads its table, and what it offers, anew."""
    by_table: dict[int, list[DealAnew]] = defaultdict(list)
    for one in deals:
        by_table[one.table.pk].append(one)
    tables = list(held_tables().filter(round__tournament=tournament).order_by("pk"))
    for table in tables:
        tell_again(table, by_table[table.pk], account=account, now=now)
        if table.is_open:
            # A version far from the one that a phone knows is a table that it is to read from the start.
            table.version += VERSIONS_APART
            table.save(update_fields=["version"])
    return [table for table in tables if by_table[table.pk]]
