"""Compare the stored rows of a tournament with the contents of its chain; in English, for the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, Protocol

from core.canonical_json import AsStored, as_text
from core.sql import key_set
from tournaments.changes.chain import is_sealed, link_hash, model_here
from tournaments.changes.chain_contents import Content, everything_of
from tournaments.models import ChainLink, Report, Tournament

STORED = ("tournament", "number", AsStored("at"), as_text("content"), "previous_hash", "hash")
WORDS = {
    "round": "round {0}",
    "table": "round {0} table {1}",
    "match": "round {0} match {1}",
    "entry": "player no. {0}",
    "team": "pair or team no. {0}",
    "ruling": "ruling {0}",
    "payment": "payment {0}",
    "boards": "boards of round {0}",
    "objection": "objection {0}",
    "team-entry": "entry of team no. {0}",
    "log": "line {0} of the log",
    "tournament": "set-up",
}


def chain_differences(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """(place, what is wrong) for the chain itself, then for each thing that is not as it was decided."""
    # As it is stored, whatever was seen before.
    return Chains([Tournament.objects.get(pk=tournament.pk)]).differences(tournament.pk)


class Chains:
    """The chains of several tournaments and the rows that they cover, loaded in batches.

    A caller that queries the reports anyway, table by table, passes them to `reported`, with `read=False` here.
    """

    def __init__(self, tournaments: Sequence[Tournament], *, read: bool = True) -> None:
        self.tournaments = {one.pk: one for one in tournaments}
        self._links: dict[int, list[_Stored]] = {pk: [] for pk in self.tournaments}
        links = ChainLink.objects.filter(tournament__in=key_set(self.tournaments)).order_by(
            "tournament", "number"
        )
        for pk, number, at, content, *hashes in links.values_list(*STORED):
            self._links[pk].append(_Stored(number, at, json.loads(content), *hashes))
        self._now = everything_of(tournaments, model_here)
        self._counts = _counts_reported(self._links)
        self._heads = _heads_reported(self._counts) if read else {}

    def reported(self, pk: int, round_: int, table: int, reports: Sequence[ReportEnd]) -> None:
        """All reports at a table of the tournament with this primary key, in their order."""
        name = f"table {round_}/{table}"
        for count in self._counts[pk].get(name, ()):
            # Nearly always in its place.
            likely = reports[count - 1 : count]
            for one in likely if likely and likely[0].sequence == count else reports:
                if one.sequence == count:
                    self._heads[pk, name, count] = one.hash

    def waits(self, pk: int) -> bool:
        """Whether the differences of the tournament with this primary key have not been requested yet."""
        return pk in self._links

    def differences(self, pk: int) -> Iterator[tuple[str, str]]:
        """The differences of this tournament, as `chain_differences`; can be read once."""
        if pk not in self._links:
            return
        tournament, links = self.tournaments[pk], self._links.pop(pk)
        decided: dict[str, Content | None] = {}
        last: dict[str, int] = {}
        broken = ""
        for link in _checked(links, tournament.code):
            broken = broken or link.wrong
            decided |= link.content
            last |= dict.fromkeys(link.content, link.number)
        broken = broken or _wrong_end(tournament, links)
        if broken:
            yield "chain", broken
        yield from self._unlike(pk, decided, last)

    def _unlike(
        self, pk: int, decided: dict[str, Content | None], last: Mapping[str, int]
    ) -> Iterator[tuple[str, str]]:
        """The rows that differ from their last step; `last` has these steps."""
        now = self._now.pop(pk)
        for kind in ("ruling", "log"):
            yield from _missing(kind, decided, now, last)
        for name, content in decided.items():
            if content is not None and name not in now:
                yield _place(name), f"is gone; step {last[name]} decided: {_content_text(content)}"
            elif content is None and name in now:
                yield _place(name), f"is there, although step {last[name]} took it away"
            elif content is not None:
                for text in (*_changes(content, now[name]), *self._cut_off(pk, name, content)):
                    yield _place(name), f"{text} (step {last[name]})"
        for name in now.keys() - decided.keys():
            yield _place(name), f"was never decided: {_content_text(now[name])}"

    def _cut_off(self, pk: int, name: str, content: Content) -> Iterator[str]:
        count, head = content.get("reports", [0, ""])
        if count and self._heads.get((pk, name, count)) != head:
            yield f"report {count} is not the one with which its chain ended"


def _missing(
    kind: str, decided: dict[str, Content | None], now: dict[str, Content], last: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """Rows missing or added among those that are identified by their place alone; other fields are not compared."""
    then, here = ([name for name in names if name.startswith(f"{kind} ")] for names in (decided, now))
    if len(then) == len(here):
        return
    place = next((name for name in then if decided[name] != now.get(name)), f"{kind} {len(then) + 1}")
    gone = decided.get(place)
    if gone is not None and len(then) > len(here):
        yield _place(place), f"is gone; step {last[place]} decided: {_content_text(gone)}"
    else:
        yield _place(place), f"was never decided: {_content_text(now[place])}"
    for name in {*then, *here}:
        decided.pop(name, None)
        now.pop(name, None)


def chain_notices(tournament: Tournament) -> Iterator[str]:
    """Ends of chains that were sealed with a key that is not known here."""
    if _is_sealed(tournament) is None:
        yield "the end of the chain was sealed with another machine's key: compare its head with one on paper"


class ReportEnd(Protocol):
    """The columns of the report with which a table's chain ended."""

    @property
    def sequence(self) -> int: ...
    @property
    def hash(self) -> str: ...


class _Stored(NamedTuple):
    """A link as it is stored; `at` as the database has it."""

    number: int
    at: Any
    content: Mapping[str, Content | None]
    previous_hash: str
    hash: str


class _Link:
    """A link as it is stored, and what is wrong with it, "" if nothing is."""

    def __init__(self, link: _Stored, code: str, before: int, previous_hash: str) -> None:
        self.number, self.content, self.hash = link.number, link.content, link.hash
        self.wrong = ""
        if link.number != before + 1:
            self.wrong = f"step {before + 1} is missing"
        elif link.previous_hash != previous_hash:
            self.wrong = f"step {link.number} does not follow the one before it"
        elif link.hash != link_hash(code, link.number, link.at, link.content, link.previous_hash):
            self.wrong = f"step {link.number} is not what was chained"


def _checked(links: Sequence[_Stored], code: str) -> Iterator[_Link]:
    before, head = 0, ""
    for stored in links:
        link = _Link(stored, code, before, head)
        before, head = link.number, link.hash
        yield link


def _wrong_end(tournament: Tournament, links: Sequence[_Stored]) -> str:
    """The difference between the stored and the computed head of the chain; "" if there is none."""
    end = (links[-1].number, links[-1].hash) if links else (0, "")
    told = (tournament.chain_count, tournament.chain_head)
    if end != told:
        return f"it ends after step {end[0]}, the tournament counted {told[0]}"
    if not links:
        return "there is none: it was taken away"
    return (
        "" if _is_sealed(tournament) is not False else f"it was cut off, or written anew, after step {end[0]}"
    )


def _is_sealed(tournament: Tournament) -> bool | None:
    sealed = tournament.chain_seal
    return is_sealed(sealed, tournament.code, tournament.chain_count, tournament.chain_head)


def _place(name: str) -> str:
    kind, _blank, numbers = name.partition(" ")
    return WORDS.get(kind, name).format(*numbers.split("/"))


def _content_text(content: Any) -> str:
    """Describe a changed row: deleted, or created without a decision; in a tampered database any value is possible."""
    if not isinstance(content, dict):
        return "it"
    told = {
        key.replace("_", " "): value
        for key, value in sorted(content.items())
        if value not in (None, "", [], {}, False) and not str(value).startswith("#")
    }
    return "it" if not told else ", ".join(f"{key} {value}" for key, value in told.items())


def _changes(decided: Content, now: Content) -> Iterator[str]:
    """The differences of a row from its last decision; fields that one of the two lacks are not compared."""
    if decided == now:
        return
    for key in decided.keys() & now.keys() - {"reports"}:
        was, is_now = decided[key], now[key]
        if was == is_now:
            continue
        if key == "seats":
            for seat in sorted({*was, *is_now}):
                if was.get(seat) != is_now.get(seat):
                    yield f"at seat {seat} sits {_who(is_now.get(seat))}, decided was {_who(was.get(seat))}"
        elif key in WITHIN_SAID:
            yield from _changes_within(WITHIN_SAID[key], was, is_now)
        elif str(was).startswith("#") or str(is_now).startswith("#"):
            yield f"its {key.replace('_', ' ')} is not what was written down"
        else:
            yield f"{key.replace('_', ' ')} is {is_now}, decided was {was}"


# What one of the rows is called that are chained with another.
WITHIN_SAID = {
    "confirmations": "confirmation", "postponements": "postponement", "wishes": "wish",
    "players": "player", "rulings": "ruling",
}  # fmt: skip


def _changes_within(word: str, decided: Sequence[Content], now: Sequence[Content]) -> Iterator[str]:
    """The differences of rows that are chained with another, each by its place."""
    for place, (then, one) in enumerate(zip_longest(decided, now), start=1):
        if one is None:
            yield f"{word} {place} is gone; decided was {_content_text(then)}"
        elif then is None:
            yield f"{word} {place} was never decided: {_content_text(one)}"
        else:
            yield from (f"{word} {place}: {text}" for text in _changes(then, one))


def _who(number: int | None) -> str:
    return "nobody" if number is None else f"no. {number}"


# Of each tournament, by table as the chain calls it: after how many reports its steps say that its chain ended.
_Counts = Mapping[int, Mapping[str, set[int]]]


def _counts_reported(links: Mapping[int, Sequence[_Stored]]) -> _Counts:
    counts: dict[int, dict[str, set[int]]] = {}
    for pk, steps in links.items():
        here = counts[pk] = {}
        for link in steps:
            for name, content in link.content.items():
                if isinstance(content, dict) and (count := content.get("reports", [0])[0]):
                    here.setdefault(name, set()).add(count)
    return counts


def _heads_reported(counts: _Counts) -> dict[tuple[int, str, int], str]:
    """(tournament, table as the chain calls it, sequence) -> hash, of the reports with which steps say chains ended."""
    wanted = {count for tables in counts.values() for several in tables.values() for count in several}
    place = "table__round__tournament", "table__round__number", "table__number", "sequence", "hash"
    reports = Report.objects.filter(table__round__tournament__in=key_set(counts), sequence__in=wanted)
    rows = reports.values_list(*place)
    return {(pk, f"table {round_}/{table}", sequence): head for pk, round_, table, sequence, head in rows}
