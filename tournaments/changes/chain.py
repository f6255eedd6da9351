"""Hash chain over all decisions of a tournament, which reveals changes made outside the program.

Each step appends a link in its own transaction: its log line, and the content of every row that it changed (seats,
rulings, matches, rounds, set-up …). A link carries the hash of the link before; the tournament's row has the
newest hash with an HMAC ("seal") made with the program's key. Reports have a chain of their own at each table, so
that phones do not wait for one another; its head is part of each link about the table, such as the closing of its
round.

Someone with write access to the database and the key can rewrite the whole chain. So heads are printed on papers
that players take home and shown on public pages: a printed head that the chain never had is evidence.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple, Protocol

from django.apps import apps
from django.conf import settings
from django.db import connection, models, transaction
from django.utils.crypto import constant_time_compare, salted_hmac

from core.canonical_json import AsStored, as_text, canonical, hash_values, moment
from core.sql import bulk_insert, key_set
from core.text import CODE_LETTERS
from tournaments.changes.chain_contents import (
    Content,
    Models,
    as_they_stand,
    contents_of,
    everything,
    everything_of,
)
from tournaments.models import ChainLink, Report, Tournament

# Writing the chain: a link for each step, in the transaction that takes it.

ENDS = "SELECT code, chain_count, chain_head FROM tournaments_tournament WHERE id = %s"
CLOSE = "UPDATE tournaments_tournament SET chain_count = %s, chain_head = %s, chain_seal = %s WHERE id = %s"
SEAL = "UPDATE tournaments_table SET seal = %s WHERE id = %s AND seal = '' AND reports_count = 0"


def model_here(name: str) -> type[models.Model]:
    return apps.get_model("tournaments", name)


def link_hash(code: str, number: int, at: datetime | str, content: object, previous_hash: str) -> str:
    """SHA-256 over a link's content, number, moment, tournament code and the hash before it."""
    told = canonical(code), str(number), canonical(moment(at)), canonical(content), canonical(previous_hash)
    return hash_values(told)


@transaction.atomic(savepoint=False)
def append(tournament_id: int, about: Iterable[models.Model], *, now: datetime) -> None:
    """Append a link with the current content of the rows that a step changed.

    Locks the tournament's row until commit.
    """
    found = as_they_stand(about, model_here)
    things = dict(contents_of(found, model_here))
    # As raising the version does: reports that share the tournament go on meanwhile.
    lock = " FOR NO KEY UPDATE" if connection.features.has_select_for_update else ""
    with connection.cursor() as cursor:
        cursor.execute(ENDS + lock, [tournament_id])
        code, count, head = cursor.fetchone()
    _seal_started(code, (stands.now for stands in found.get("Table", ()) if stands.now))
    _write(model_here, tournament_id, (code, count, head), things, now)


def _seal_started(code: str, tables: Iterable[Any]) -> None:
    """Seal the report chain of each table at the start of its round: before the first report, an empty chain."""
    new = [one for one in tables if not one.seal and not one.reports_count and one.round.state != "drawn"]
    seals = [(seal(place(code, one.round.number, one.number), 0, one.last_hash), one.pk) for one in new]
    with connection.cursor() as cursor:
        cursor.executemany(SEAL, seals)


def begin(tournament: Any, model: Models = model_here) -> None:
    """Chain all that there is of a tournament that has no chain yet: of an earlier Spadille, or of its file."""
    things = dict(everything(tournament, model))
    _write(model, tournament.pk, (tournament.code, 0, ""), things, tournament.created_at)


def take_over(tournament: Any, model: Models = model_here) -> None:
    """Seal chains that have no valid seal of this program: from an older version, or from another machine.

    Starts a chain where there is none.
    """
    tables = model("Table")._default_manager.filter(round__tournament=tournament)
    sealed: list[Any] = list(tables.select_related("round__tournament"))
    for table in sealed:
        table.seal = seal_table(table)
    model("Table")._default_manager.bulk_update(sealed, ["seal"], batch_size=100)
    links = model("ChainLink")._default_manager.filter(tournament=tournament).order_by("-number")
    last = links.values_list("number", "hash").first()
    if last is None:
        begin(tournament, model)
    else:
        _close(tournament.pk, tournament.code, *last)


def _write(
    model: Models,
    tournament_id: int,
    end: tuple[str, int, str],
    things: Mapping[str, Content | None],
    at: datetime,
) -> None:
    link = next_link(model, end, things, at)
    link.tournament_id = tournament_id
    bulk_insert([link])
    _close(tournament_id, end[0], link.number, link.hash)


def next_link(
    model: Models, end: tuple[str, int, str], things: Mapping[str, Content | None], at: datetime
) -> Any:
    """The link of a step behind the `end` of a chain: its code, how many links there are, the newest's hash.

    Of no tournament yet, and not stored.
    """
    code, count, head = end
    number, content = count + 1, dict(things)
    new = link_hash(code, number, at, content, head)
    return model("ChainLink")(number=number, at=at, content=content, previous_hash=head, hash=new)


def ending(code: str, count: int, head: str) -> dict[str, Any]:
    """The tournament fields that store the end of its chain, by field name."""
    return {"chain_count": count, "chain_head": head, "chain_seal": seal(code, count, head)}


def _close(tournament_id: int, code: str, count: int, head: str) -> None:
    """Store the chain's head and seal in the tournament's row."""
    ends = ending(code, count, head)
    with connection.cursor() as cursor:
        cursor.execute(CLOSE, [*ends.values(), tournament_id])


# A chain's head as it is written on paper: sixteen letters and digits in groups of four, to be compared by eye.

# 31 to the power of 16 is 79 bits: finding another chain with the same head by trying is not feasible.
LETTERS, GROUP = 16, 4


def short_head(head: str) -> str:
    """A hash as it is printed; "" for a chain without links."""
    if not head:
        return ""
    rest, letters = int(head, 16), ""
    for _place in range(LETTERS):
        rest, letter = divmod(rest, len(CODE_LETTERS))
        letters += CODE_LETTERS[letter]
    return "-".join(letters[start : start + GROUP] for start in range(0, LETTERS, GROUP))


def plain_head(typed: str) -> str:
    """Normalize a typed head: letters and digits only, in capitals."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())


@dataclass(frozen=True)
class Found:
    """A head's place: its chain, the number of links (or of a table's reports) up to it and in all, and its time."""

    place: str
    count: int
    of: int
    at: datetime

    def __str__(self) -> str:
        return f"{self.place}, after {self.count} of {self.of}, at {self.at:%Y-%m-%d %H:%M} UTC"


def find_head(tournament: Tournament, typed: str) -> Found | None:
    """The place where the chain of a tournament, or of one of its tables, had this head; None if it never had.

    The chains themselves are to be checked besides.
    """
    wanted = plain_head(typed)
    for number, head, at in tournament.chain.values_list("number", "hash", "at").iterator():
        if plain_head(short_head(head)) == wanted:
            last = ChainLink.objects.filter(tournament=tournament).count()
            return Found(f"{tournament.code}, the whole tournament: steps", number, last, at)
    reports = Report.objects.filter(table__round__tournament=tournament)
    rows = reports.values_list("table__round__number", "table__number", "sequence", "hash", "recorded_at")
    for round_, table, sequence, head, at in rows.iterator():
        if plain_head(short_head(head)) == wanted:
            here = reports.filter(table__round__number=round_, table__number=table)
            place = f"{tournament.code} round {round_} table {table}: reports"
            return Found(place, sequence, here.count(), at)
    return None


# A seal is an HMAC over the end of a chain. Without it a chain that was cut off at its end would still verify.
#
# The key is the one that signs sessions, stored outside the database. A seal made with an unknown key (the backup of
# another machine, a key replaced long ago) can be neither confirmed nor rejected, and is reported as such.

SALT = "spadille.chain"
KEY_LETTERS, SEAL_LETTERS = 8, 32


def place_of(table: Any) -> str:
    """The table of a chain, as text that is the same on another machine."""
    return place(table.round.tournament.code, table.round.number, table.number)


def place(code: str, round_: int, table: int) -> str:
    """The table's text from the tournament's code and the two numbers."""
    return f"{code}/{round_}/{table}"


def seal_table(table: Any) -> str:
    """The seal of where a table's chain of reports ends now."""
    return seal(place_of(table), table.reports_count, table.last_hash)


def is_table_sealed(table: Any) -> bool | None:
    """Whether its chain of reports ends where the program left it; None as in `is_sealed`."""
    return is_sealed(table.seal, place_of(table), table.reports_count, table.last_hash)


def seal(place: str, count: int, head: str) -> str:
    """The seal to store with the end of a chain; `place` names the tournament or table."""
    return _sealed(settings.SECRET_KEY, place, count, head)


def is_sealed(sealed: str, place: str, count: int, head: str) -> bool | None:
    """Whether this is the seal of that end; None where it was made with a key that is not known here."""
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        if sealed[:KEY_LETTERS] == _name_of(key):
            return constant_time_compare(sealed, _sealed(key, place, count, head))
    return None if len(sealed) == KEY_LETTERS + SEAL_LETTERS else False


def _sealed(key: str, place: str, count: int, head: str) -> str:
    mac = hmac.digest(_salted(key), f"{place} {count} {head}".encode(), "sha256")
    return _name_of(key) + mac.hex()[:SEAL_LETTERS]


@lru_cache(maxsize=16)
def _salted(key: str) -> bytes:
    """The HMAC key of all seals, derived as Django's `salted_hmac` does.

    Cached, since a recount needs it for every table.
    """
    return hashlib.sha256((SALT + key).encode()).digest()


@lru_cache(maxsize=16)
def _name_of(key: str) -> str:
    """Identifier of the key that made a seal; it does not reveal the key."""
    return salted_hmac(f"{SALT}.name", "", secret=key, algorithm="sha256").hexdigest()[:KEY_LETTERS]


# Compare the stored rows of a tournament with the contents of its chain; in English, for the command line.

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
