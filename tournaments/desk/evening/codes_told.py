"""Codes from captains' phones: whose they are, and what they say kept until it is decided at the desk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.roles import clubs_of
from core.errors import NotPossible
from tournaments.changes.log import write_down_at
from tournaments.ledger import UnreadableSubmission, keep_aside, read_submission
from tournaments.ledger.late_reports import BY_CODE, BY_OLD_CODE
from tournaments.ledger.report_codes import ReportCode, UnreadableCode, read_code
from tournaments.models import KeptReport, RevokedSecret, Table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Account
    from tournaments.ledger import Submission
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class TypedCode:
    """What came of a code: whose it was, and its deals that wait for the desk, or have been decided already."""

    table: Table
    waiting: tuple[int, ...]
    stored: tuple[int, ...]
    set_aside: tuple[int, ...]


@transaction.atomic
def keep_code(tournament: Tournament, typed: str, account: Account, *, now: datetime) -> TypedCode:
    """Keep a typed code's reports for the desk to decide; the same code twice is once.

    Raises `NotPossible` at the field `code`, in words, for what is mistyped or of no table of this tournament.
    """
    try:
        code = read_code(typed)
        sent = [read_submission(item) for item in code.items]
    except (UnreadableCode, UnreadableSubmission) as error:
        raise NotPossible(str(error), "code") from None
    table, why = _found(code, tournament, account)
    before = set(table.kept_reports.values_list("pk", flat=True))
    answers = keep_aside(table, sent, why, now=now, unlimited=True)
    if fresh := [
        item
        for item, answer in zip(sent, answers, strict=True)
        if answer.kept and answer.kept.pk not in before
    ]:
        text = gettext_noop(
            "Round {round}, table {table}: accepted a code from the captain’s phone, deals {deals}"
        )
        write_down_at(table, account, text, now=now, deals=_listed(fresh))
    states = [answer.kept.state if answer.kept else KeptReport.State.TAKEN for answer in answers]
    return TypedCode(table, *(_deals(sent, states, state) for state in ("waiting", "taken", "set_aside")))


def _listed(sent: list[Submission]) -> str:
    return ", ".join(str(item.deal) for item in sent)


def _deals(sent: list[Submission], states: list[str], state: str) -> tuple[int, ...]:
    return tuple(item.deal for item, stands in zip(sent, states, strict=True) if stands == state)


def _found(code: ReportCode, tournament: Tournament, account: Account) -> tuple[Table, str]:
    """The table whose link the code was made with, and why its reports are kept; raises `NotPossible`."""
    if found := _made_with(code, Table.objects.filter(round__tournament=tournament)):
        return found
    others = Table.objects.filter(round__tournament__host__in=clubs_of(account))
    if found := _made_with(code, others.exclude(round__tournament=tournament)):
        place = found[0].round
        raise NotPossible(
            _("This code is from another tournament: %(tournament)s, round %(round)d, table %(table)d.")
            % {"tournament": place.tournament.name, "round": place.number, "table": found[0].number},
            "code",
        )
    text = _(
        "This code was made with a link that belongs to no table of this tournament. Ask "
        "which table it came from."
    )
    raise NotPossible(text, "code")


def _made_with(code: ReportCode, tables: QuerySet[Table]) -> tuple[Table, str] | None:
    for pk, secret, why in _links(tables):
        if code.is_made_with(secret):
            return Table.objects.select_related("round__tournament__host").get(pk=pk), why
    return None


def _links(tables: QuerySet[Table]) -> Iterator[tuple[int, str, str]]:
    """Each table's link, then those that have been replaced."""
    for pk, secret in tables.order_by().values_list("pk", "secret"):
        yield pk, secret, BY_CODE
    replaced = RevokedSecret.objects.filter(table__in=tables.order_by())
    for pk, secret in replaced.values_list("table", "secret"):
        yield pk, secret, BY_OLD_CODE
