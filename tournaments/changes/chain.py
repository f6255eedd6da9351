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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.conf import settings
from django.db import connection, models, transaction
from django.utils.crypto import constant_time_compare, salted_hmac

from core.canonical_json import canonical, hash_values, moment
from core.sql import bulk_insert
from core.text import CODE_LETTERS
from tournaments.changes.chain_contents import Content, Models, as_they_stand, contents_of, everything
from tournaments.models import ChainLink, Report

if TYPE_CHECKING:
    from tournaments.models import Tournament


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
