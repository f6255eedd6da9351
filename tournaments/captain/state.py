"""What the captain's page is told: the table, its seats, every deal with its versions, and the choices."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.seats import WITH_FOURTH, Seating
from tournaments.captain.offers import offers
from tournaments.captain.phone import phone_that_enters
from tournaments.domain.terms import reason_words, short_names
from tournaments.ledger.queries import names_at, rulebook_of
from tournaments.ledger.scoresheet import result_texts
from tournaments.ledger.seating import Names, names_then, seating_at, turns_at
from tournaments.models import Flag, Report, Round, Seat, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from scoring.rulebook import Rulebook
    from tournaments.ledger import Answer


def table_state(table: Table, *, now: datetime, since: int | None = None) -> dict[str, Any]:
    """The whole of a table; with `since` (a report's place in its ledger) only the deals changed after it.

    `table` comes with its round and tournament.
    """
    seats = list(table.seats.select_related("entry__player", "entry__club", "entry__tournament__host"))
    names = Names(table, [seat.entry.shown_name for seat in seats])
    taken_over = table.round.tournament.hands_taken_over and len(seats) in WITH_FOURTH
    partial = since is not None
    reports = table.reports.defer("parts").order_by("deal_number", "revision")
    if partial:
        changed = table.reports.filter(sequence__gt=since).values("deal_number")
        reports = reports.filter(deal_number__in=changed)
    rulebook = rulebook_of(table.round.tournament)
    versions = {number: list(same) for number, same in groupby(reports, key=attrgetter("deal_number"))}
    numbers: Iterable[int] = versions if partial else range(1, table.deals + 1)
    state = {
        "version": table.version,
        "sequence": table.reports_count,
        "partial": partial,
        "phone": phone_that_enters(table, now),
        "table": _table(table, len(seats)),
        "seats": [
            _seat(seat, name, short)
            for seat, name, short in zip(seats, names, short_names(names), strict=True)
        ],
        "seatings": [
            _seating(rulebook.seating(len(seats), dealer, in_pairs=taken_over))
            for dealer in range(len(seats))
        ],
        "deals": [_deal(rulebook, table, number, versions.get(number, []), names) for number in numbers],
        "flags": [
            {"kind": flag.kind, "deal": flag.deal, "words": reason_words(flag.words)}
            for flag in Flag.objects.filter(table=table, settled_at=None).exclude(
                kind__in=(Flag.Kind.CONFLICT, Flag.Kind.RARE)
            )
        ],
    }
    if not partial:
        state["choices"] = offers(rulebook, len(seats), get_language() or "en")
    return state


def _table(table: Table, players: int) -> dict[str, Any]:
    return {
        "tournament": table.round.tournament.name,
        "round": table.round.number,
        "number": table.number,
        "deals": table.deals,
        "first_dealer": turns_at(table, players).dealer(1),
        # How often the dealer or the seats have been changed: a report says how many of these changes it has seen.
        "turns": len(table.turns),
        # The folder of each deal; none where cards are dealt by hand.
        "folders": table.folders,
        "started": table.round.state != Round.State.DRAWN,
        "ended": table.ended_early_at is not None,
        # Whether the players' tokens come to a sum that says something: 0, or what the pool lacks.
        "sums": rulebook_of(table.round.tournament).zero_sum,
        # Whether those opposite each other play together: pairs and teams.
        "sides": table.match_id is not None and players in WITH_FOURTH,
    }


def _seat(seat: Seat, name: str, short: str) -> dict[str, Any]:
    return {
        "position": seat.position,
        "name": name,
        "called": short,
        "short": short,
        "number": seat.entry.number,
        "tokens": seat.tokens,
        "agreed": seat.agreed_at is not None,
    }


def _seating(seating: Seating) -> dict[str, Any]:
    """Who does what: nearly every deal's seating is one of a table's three or four, by who deals.

    In pairs `taken_over` says the same by declarer, where the player sitting out plays (`plays`) a partner's hand.
    """
    said = _roles(seating)
    taken = {
        str(position): _roles(played) | {"plays": played.position_of(played.taken_over)}
        for position, role in enumerate(seating.roles)
        if (played := seating.declared_by(role)).taken_over
    }
    return said | {"taken_over": taken} if taken else said


def _roles(seating: Seating) -> dict[str, Any]:
    return {"roles": [role.value for role in seating.roles], "sits_out": seating.sits_out}


def _deal(
    rulebook: Rulebook, table: Table, number: int, versions: Sequence[Report], names: Sequence[str]
) -> dict[str, Any]:
    """A deal: number and dealer; once reported, the version that counts and the older ones, oldest first."""
    seating = seating_at(table, len(names), number)
    deal: dict[str, Any] = {"number": number, "dealer": seating.dealer}
    if seating.order:
        deal |= _seating(seating)  # two have changed seats: it is none of the table's usual ones
    if versions:
        deal |= _version(rulebook, versions[-1], names)
    if len(versions) > 1:
        deal["older"] = [_version(rulebook, report, names) for report in versions[:-1]]
    return deal


def _version(rulebook: Rulebook, report: Report, names: Sequence[str]) -> dict[str, Any]:
    said = {
        "revision": report.revision,
        "result": report.result,
        "outcome": report.outcome,
        "tokens": report.tokens,
        "text": report_text(rulebook, report, names),
        # Pages that were open before a program was told apart know these two alone.
        "source": "desk" if report.source == Report.Source.DESK else "captain",
        "by": report.reported_by.value,
        "reported_at": report.recorded_at.isoformat(timespec="seconds"),
    }
    if report.reason:
        said["reason"] = reason_words(report.reason)
    return said


def report_text(rulebook: Rulebook, report: Report, names: Sequence[str]) -> str:
    """A report in few words, its declarer left to the result: “Solo ♥ · won”."""
    if report.result is None:
        return _("taken back")
    texts = result_texts(rulebook, report.result, report.outcome, names_then(names, report.deal_number))
    said = (f"{texts['contract']} {texts['trump']}".strip(), texts["result"], texts["remark"])
    return " · ".join(text for text in said if text)


def answer_json(rulebook: Rulebook, answer: Answer, names: Sequence[str]) -> dict[str, Any]:
    """One report's own answer. What counts meanwhile comes with a conflict only: answers are kept small."""
    said: dict[str, Any] = {"key": str(answer.key), "status": answer.status, "revision": answer.revision}
    if answer.problems:
        said["problems"] = [problem.to_json() for problem in answer.problems]
    if answer.warnings:
        said["warnings"] = [warning.to_json() for warning in answer.warnings]
    if answer.status == "conflict":
        said["current"] = _version(rulebook, answer.current, names) if answer.current else None
    return said


def answers_json(table: Table, answers: Sequence[Answer]) -> list[dict[str, Any]]:
    names = names_at(table) if any(answer.status == "conflict" for answer in answers) else []
    rulebook = rulebook_of(table.round.tournament)
    return [answer_json(rulebook, answer, names) for answer in answers]
