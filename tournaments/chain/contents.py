"""What is chained of each thing, and what a thing is called in the chain.

Names are made of numbers and codes alone, so that they are the same on another machine:
"table 2/3", "ruling 1", "log 40". A step names the things that it decided (`logbook.write_down`, `about`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import connection, models

from core.sql import among
from tournaments.chain.fields import chained_fields, print_of

Content = dict[str, Any]

MOST_KEYS = 500  # in one sentence of SQL
# Where rows of a model are found from their tournament.
FROM_TOURNAMENT = {
    "Round": "tournament",
    "Table": "round__tournament",
    "Match": "round__tournament",
    "Entry": "tournament",
    "Team": "tournament",
    "Penalty": "tournament",
    "Payment": "tournament",
    "BoardSet": "tournament",
    "LogEntry": "tournament",
}
# What the chain calls them, and by which of their numbers; none: by their place among their tournament's.
NAMES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "Round": ("round", ("number",)),
    "Table": ("table", ("round__number", "number")),
    "Match": ("match", ("round__number", "number")),
    "Entry": ("entry", ("number",)),
    "Team": ("team", ("number",)),
    "Penalty": ("ruling", ()),
    "Payment": ("payment", ("number",)),
    "BoardSet": ("boards", ("round_number",)),
    "LogEntry": ("log", ()),
}
RELATED = {
    "Table": ("round", "match"),
    "Match": ("round", "home", "away"),
    "Entry": ("team", "player"),
    "Penalty": ("entry", "team", "round"),
    "Payment": ("payer", "payee"),
}
# What the chain calls a thing of these, but for its number or place.
ENTRY, LOG_LINE, PAYMENT = (f"{NAMES[kind][0]} " for kind in ("Entry", "LogEntry", "Payment"))
Models = Callable[[str], type[models.Model]]


def name_of(thing: Any, place: int = 0) -> str:
    """What a thing is called in the chain; `place` is that of a ruling or a log line among its tournament's."""
    kind = type(thing).__name__
    if kind == "Tournament":
        return "tournament"
    word, numbers = NAMES[kind]
    own = [str(attrgetter(number.replace("__", "."))(thing)) for number in numbers]
    return f"{word} {'/'.join(own) or place}"


def everything(tournament: Any, model: Models) -> Iterator[tuple[str, Content]]:
    """Each thing of a tournament that is chained, as it stands; `model` finds a model by its name."""
    yield from everything_of([tournament], model)[tournament.pk].items()


def everything_of(tournaments: Sequence[Any], model: Models) -> dict[int, dict[str, Content]]:
    """The same of many by their primary keys, read at once: to ask for each by itself takes longer than to answer.

    As rows: making a model of each thing takes longer than comparing it.
    """
    found = {one.pk: {name_of(one): content_of(one)} for one in tournaments}
    for kind, path in FROM_TOURNAMENT.items():
        chained, (word, numbers) = chained_fields(model(kind)), NAMES[kind]
        also = ("reports_count", "last_hash") if kind == "Table" else ()
        rows = model(kind)._default_manager.filter(**{f"{path}__in": among(found)}).order_by("pk")
        told = list(rows.values_list("pk", path, *numbers, *also, *(field.stored for field in chained)))
        beside = _beside(kind, [pk for pk, *_row in told], model)
        places: Counter[int] = Counter()
        first, said_of = len(numbers) + len(also), [(field.name, field.said_of_row) for field in chained]
        for pk, of, *row in told:
            places[of] += 1
            place = "/".join(map(str, row[: len(numbers)])) if numbers else places[of]
            content = {
                name: said(value) if said else value
                for (name, said), value in zip(said_of, row[first:], strict=True)
            }
            if also:
                content["reports"] = row[len(numbers) : first]
                content |= beside[pk]
            found[of][f"{word} {place}"] = content
    return found


class Stands(NamedTuple):
    """A thing that a step was about, as it was passed, and read again as it stands now; None where it is gone."""

    passed: Any
    now: Any


def as_they_stand(about: Iterable[models.Model], model: Models) -> dict[str, list[Stands]]:
    """The things that a step was about by their models, each once."""
    by_kind: dict[str, dict[Any, Any]] = defaultdict(dict)
    for thing in about:
        by_kind[type(thing).__name__][thing.pk] = thing
    found: dict[str, list[Stands]] = {}
    for kind, things in by_kind.items():
        now = _read(model(kind), things)
        for name in RELATED.get(kind, ()):
            _relate(list(now.values()), name)
        found[kind] = [Stands(thing, now.get(pk)) for pk, thing in things.items()]
    return found


def contents_of(found: Mapping[str, Sequence[Stands]], model: Models) -> Iterator[tuple[str, Content | None]]:
    """What is chained of these things; None for each that is gone."""
    for kind, things in found.items():
        beside = _beside(kind, [stands.now.pk for stands in things if stands.now], model)
        places = _places(kind, [now or thing for thing, now in things])
        for thing, now in things:
            name = name_of(now or thing, places.get((now or thing).pk, 0))
            yield name, content_of(now, beside.get(now.pk)) if now else None


def _read(model: type[models.Model], keys: Collection[Any]) -> dict[Any, Any]:
    """Rows by their keys. In SQL: each step asks for a few of each kind, and Django thinks long about each sentence."""
    sql = f"SELECT * FROM {model._meta.db_table} WHERE id IN ({{}})"
    raw = model._default_manager.raw
    return {row.pk: row for some in _parts(keys) for row in raw(sql.format(_holes(some)), some)}


def _relate(rows: Collection[Any], name: str) -> None:
    """Give each row what its foreign key `name` points to, read at once for all."""
    if not rows:
        return
    field = next(iter(rows))._meta.get_field(name)
    of = [getattr(row, field.attname) for row in rows]
    found = _read(field.related_model, {key for key in of if key is not None})
    for row, key in zip(rows, of, strict=True):
        setattr(row, name, None if key is None else found[key])


def _parts(keys: Iterable[Any]) -> Iterator[list[Any]]:
    """As many keys at once as every database takes."""
    rest = list(keys)
    while rest:
        yield rest[:MOST_KEYS]
        rest = rest[MOST_KEYS:]


def _holes(keys: Sequence[Any]) -> str:
    return ", ".join(["%s"] * len(keys))


def _places(kind: str, things: Sequence[Any]) -> dict[int, int]:
    """Primary key -> the place of a ruling or a log line among its tournament's; `things` are of one tournament.

    Those before the first of them are counted, the others are few and read: a step may write hundreds of lines.
    """
    if kind not in ("Penalty", "LogEntry"):
        return {}
    first, rows = (
        min(things, key=lambda thing: thing.pk),
        f"{things[0]._meta.db_table} WHERE tournament_id = %s",
    )
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {rows} AND id <= %s", [first.tournament_id, first.pk])
        before = int(cursor.fetchone()[0])
        if len(things) == 1:
            return {first.pk: before}
        cursor.execute(f"SELECT id FROM {rows} AND id >= %s ORDER BY id", [first.tournament_id, first.pk])
        return {pk: place for place, (pk,) in enumerate(cursor.fetchall(), start=before)}


def content_of(thing: Any, beside: Content | None = None) -> Content:
    """What is chained of a thing, with what is chained `beside` its fields."""
    model: type[models.Model] = type(thing)
    content = {
        name: said(of(thing)) if said else of(thing)
        for name, of, _stored, said, _read in chained_fields(model)
    }
    if type(thing).__name__ == "Table":
        content["reports"] = [thing.reports_count, thing.last_hash]
    return content | (beside or {})


def _beside(kind: str, tables: Iterable[int], model: Models) -> Mapping[int, Content]:
    """Table's primary key -> who sits at it, and sat before, by entry numbers, and what was changed in the round."""
    if kind != "Table":
        return {}
    found = {pk: unchanged_table(()) for pk in tables}
    entry = f"(SELECT number FROM {model('Entry')._meta.db_table} entry WHERE entry.id = entry_id)"
    for pk, position, number in _rows(model("Seat"), found, "position", entry):
        found[pk]["seats"][chr(ord("A") + position)] = number
    for pk, *former in _rows(model("FormerSeat"), found, "position", "through", entry):
        found[pk]["former_seats"].append(former)
    changes = model("SeatChange")
    read = changes._meta.get_field("change").from_db_value  # type: ignore[union-attr]
    for pk, _place, change, reason in _rows(changes, found, "sequence", "change", "reason"):
        found[pk]["seat_changes"].append([read(change, None, connection), print_of(reason)])
    for pk, _place, *change in _rows(model("FolderChange"), found, "id", "deal_number", "was", "now"):
        found[pk]["folder_changes"].append(change)
    return found


def unchanged_table(entries: Sequence[int]) -> Content:
    """What is chained beside a table's fields where nothing was changed in the round; entry numbers by position."""
    seats = {chr(ord("A") + position): number for position, number in enumerate(entries)}
    return {"seats": seats, "former_seats": [], "seat_changes": [], "folder_changes": []}


def _rows(model: type[models.Model], tables: Collection[int], *columns: str) -> Iterator[Sequence[Any]]:
    """What stands at these tables, table by table; the first two columns say in which order."""
    sql = f"""
        SELECT table_id, {", ".join(columns)} FROM {model._meta.db_table}
        WHERE table_id IN ({{}}) ORDER BY table_id, {columns[0]}, {columns[1]}"""
    with connection.cursor() as cursor:
        for some in _parts(tables):
            cursor.execute(sql.format(_holes(some)), some)
            yield from cursor.fetchall()
