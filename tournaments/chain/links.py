"""Writing the chain: a link for each step, in the transaction that takes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction

from core.canonical_json import canonical, hash_of, moment
from tournaments.chain.contents import Content, Models, as_they_stand, contents_of, everything
from tournaments.chain.seals import place, seal, seal_table

ENDS = "SELECT code, chain_count, chain_head FROM tournaments_tournament WHERE id = %s"
CLOSE = "UPDATE tournaments_tournament SET chain_count = %s, chain_head = %s, chain_seal = %s WHERE id = %s"
SEAL = "UPDATE tournaments_table SET seal = %s WHERE id = %s AND seal = '' AND reports_count = 0"


def model_here(name: str) -> type[models.Model]:
    return apps.get_model("tournaments", name)


def link_hash(code: str, number: int, at: datetime | str, content: object, previous_hash: str) -> str:
    """SHA-256 over all that a link says, whose it is, and the hash before it."""
    told = canonical(code), str(number), canonical(moment(at)), canonical(content), canonical(previous_hash)
    return hash_of(told)


@transaction.atomic(savepoint=False)
def append(tournament_id: int, about: Iterable[models.Model], *, now: datetime) -> None:
    """Chain what a step decided, as it stands now. Who writes holds the tournament's row until the transaction ends."""
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
    """From its round's start on every table has the seal of its reports: before the first, of none."""
    new = [one for one in tables if not one.seal and not one.reports_count and one.round.state != "drawn"]
    seals = [(seal(place(code, one.round.number, one.number), 0, one.last_hash), one.pk) for one in new]
    with connection.cursor() as cursor:
        cursor.executemany(SEAL, seals)


def begin(tournament: Any, model: Models = model_here) -> None:
    """Chain all that there is of a tournament that has no chain yet: of an earlier Spadille, or of its file."""
    things = dict(everything(tournament, model))
    _write(model, tournament.pk, (tournament.code, 0, ""), things, tournament.created_at)


def take_over(tournament: Any, model: Models = model_here) -> None:
    """Seal what came without the program's own seals, an earlier Spadille's or another machine's.

    Where there is no chain yet one begins.
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
    link.save(force_insert=True)
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
    """What a tournament's row says of where its chain ends, by field."""
    return {"chain_count": count, "chain_head": head, "chain_seal": seal(code, count, head)}


def _close(tournament_id: int, code: str, count: int, head: str) -> None:
    """Say at the tournament where its chain ends."""
    ends = ending(code, count, head)
    with connection.cursor() as cursor:
        cursor.execute(CLOSE, [*ends.values(), tournament_id])
