"""Each report carries the hash of the one before it at its table, so that a change behind the program's back shows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from core.canonical_json import (
    AsStored,
    as_text,
    canonical,
    canonical_of,
    canonical_text,
    json_of,
    key,
    moment,
)
from tournaments.changes.chain import is_table_sealed, place_of
from tournaments.models import Report, Table


class ReportRow(NamedTuple):
    """A report's row as raw values of the columns `STORED`: JSON, key and timestamps as text.

    Columns that repeat often come last, together, so that their serialization can be cached.
    """

    id: int
    table_id: int
    sequence: int
    deal_number: int
    revision: int
    key: Any
    made_at: Any
    recorded_at: Any
    previous_hash: str
    hash: str
    contract: str
    declarer: int | None
    result: str | None
    dealer: int
    outcome: str
    tokens: str
    parts: str
    source: str
    author: str
    reason: str

    @property
    def parsed_result(self) -> Any:
        """The parsed result, shared, so not to be changed; None for a deal that was taken back."""
        return json_of(self.result)


_AS_TEXT, _AS_STORED = {"key", "result", "tokens", "parts"}, {"made_at", "recorded_at"}
STORED = [
    as_text(name) if name in _AS_TEXT else AsStored(name) if name in _AS_STORED else name
    for name in ReportRow._fields
]


# What is hashed of a report: what is its own …
_OWN = ("sequence", "deal_number", "revision", "key", "made_at", "recorded_at", "previous_hash")
_FIRST_OWN, _FIRST_SAID = ReportRow._fields.index("sequence"), ReportRow._fields.index("result")
# … and the result, which many reports share.
_SAID = ReportRow._fields[_FIRST_SAID:]
HASHED = (*_OWN, *_SAID)
_own, _said_of = attrgetter(*_OWN), attrgetter(*_SAID)
_NOTHING = hashlib.sha256()


def report_hash(report: Report, place: str) -> str:
    """SHA-256 over a report's content and the hash before it."""
    return _hash(canonical_text(place), _own(report), _serialize_shared(_said_of(report), canonical))


def stored_hash(report: ReportRow, place: str) -> str:
    """The hash of a stored report."""
    own = report[_FIRST_OWN : _FIRST_OWN + len(_OWN)]
    return _hash(canonical_text(place), own, _said_in_texts(report[_FIRST_SAID:]))


@lru_cache(maxsize=16384)
def _said_in_texts(said: tuple[Any, ...]) -> str:
    return _serialize_shared(said, canonical_of)


def _serialize_shared(said: tuple[Any, ...], in_json: Callable[[Any], str]) -> str:
    """Serialize the shared columns (`_SAID`) for hashing; `in_json` serializes the JSON columns."""
    result, dealer, outcome, tokens, parts, *by_whom = said
    deal = in_json(result), str(dealer), canonical_text(outcome), in_json(tokens), in_json(parts)
    return ",".join((*deal, *map(canonical_text, by_whom)))


def _hash(place: str, own: tuple[Any, ...], said: str) -> str:
    sequence, deal, revision, sent, made_at, recorded_at, previous = own
    if isinstance(recorded_at, str) and "-" not in sent:
        # As SQLite has them. What `moment` and `key` do, without asking them a million times.
        made = f'"{made_at.replace(" ", "T")}+00:00"' if made_at else "null"
        recorded: str | None = recorded_at.replace(" ", "T") + "+00:00"
        sent = f"{sent[:8]}-{sent[8:12]}-{sent[12:16]}-{sent[16:20]}-{sent[20:]}"
    else:
        made = f'"{moment(made_at)}"' if made_at else "null"
        recorded, sent = moment(recorded_at), key(sent)
    text = f'[{place},"{previous}",{sequence},{deal},{revision},"{sent}",{said},{made},"{recorded}"]'
    # A copy of none is there sooner than a new one.
    hashed = _NOTHING.copy()
    hashed.update(text.encode())
    return hashed.hexdigest()


def put_at_end(report: Report, table: Table) -> None:
    """Make a report the newest at its table. Neither is stored."""
    table.reports_count += 1
    report.sequence, report.previous_hash = table.reports_count, table.last_hash
    report.hash = table.last_hash = report_hash(report, place_of(table))


def broken_chain(table: Any, reports: Iterable[Any], hashed: Callable[[Any, str], str] = report_hash) -> str:
    """The first thing wrong with a table's chain of reports (in order of sequence), in English; "" if nothing is.

    `hashed` gives the hash of such a report: `report_hash`, or `stored_hash` of rows. The table may be a row too.
    """
    place = place_of(table)
    previous, count = "", 0
    for count, report in enumerate(reports, start=1):
        if report.sequence != count:
            return f"report {count} is missing"
        if report.previous_hash != previous:
            return f"report {count} does not follow the one before it"
        if report.hash != hashed(report, place):
            return f"report {count} (deal {report.deal_number}) is not what was recorded"
        previous = report.hash
    return _wrong_end(table, count, previous)


def _wrong_end(table: Any, count: int, previous: str) -> str:
    if (count, previous) != (table.reports_count, table.last_hash):
        return f"the chain ends at report {count}, the table counted {table.reports_count}"
    is_new = not table.seal and not count and table.round.is_drawn
    if not is_new and is_table_sealed(table) is False:
        return (
            f"reports were cut off, or written anew, after report {count}: the table's seal is not of these"
        )
    return ""
