"""What is chained of each thing, and what a thing is called in the chain.

Every field of a chained model is in it, but for those of `LEFT_OUT`: a field that is added later is chained from the
next step about its thing on. Names are made of numbers and codes alone, so that they are the same on another machine:
"table 2/3", "ruling 1", "log 40". A step names the things that it decided (`logbook.write_down`, `about`).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, models

Content = dict[str, Any]

PRINT_LETTERS = 16
MOST_KEYS = 500  # in one sentence of SQL
# Fields that are not chained, by model, and why.
PLACE = "its place is its name"
WITH = "is chained with it"
LEFT_OUT: Mapping[str, Mapping[str, str]] = {
    "Tournament": {
        "code": PLACE,
        "host": "decides nothing; the log tells of a change",
        "round_minutes": "decides nothing; the log tells of each clock",
        "projector": "what a wall shows decides nothing",
        "season": "a club's choice of evenings, in the club's log",
        "stage": "a club's choice of groups, in the club's log",
        "version": "tells pages that something changed",
        "results_kept": "whether what follows from the results is counted",
        "is_rated": "whether what follows from the results is counted",
        "deals_summed": "whether what follows from the results is counted",
        "created_at": "decides nothing",
        "chain_count": "the chain's own",
        "chain_head": "the chain's own",
        "chain_seal": "the chain's own",
    },
    "Round": {
        "tournament": PLACE,
        "number": PLACE,
        "clock_started_at": "decides nothing; the log tells of each step",
        "clock_minutes": "decides nothing; the log tells of each step",
        "clock_pauses": "decides nothing; the log tells of each step",
    },
    "Table": {
        "round": PLACE,
        "number": PLACE,
        "secret": "lets a phone in, and out again",
        "code": "lets a phone in, and out again",
        "phone": "which phone enters",
        "phone_seen_at": "which phone enters",
        "version": "tells phones that something changed",
        "last_hash": WITH,
        "reports_count": WITH,
        "last_report_at": "follows from the reports",
        "seal": "seals the chain of reports",
    },
    "Match": {"round": PLACE, "number": PLACE},
    "Entry": {
        "tournament": PLACE,
        "number": PLACE,
        "club": "whom one plays for is a wish of the draw",
        "has_namesake": "follows from the names",
        "entered_at": "decides nothing",
    },
    "Team": {
        "tournament": PLACE,
        "number": PLACE,
        "name": "follows what players are called, which they may ask to be forgotten",
        "club": "whom one plays for is a wish of the draw",
        "secret": "lets a captain in, and out again",
    },
    "Penalty": {"tournament": PLACE},
    "Payment": {"tournament": PLACE, "number": PLACE},
    "BoardSet": {"tournament": PLACE, "round_number": PLACE},
    "LogEntry": {"tournament": PLACE, "account": "its name is kept as the author"},
}
# Models that are not chained by themselves, and where what they say is kept from being changed unseen.
ELSEWHERE = {
    "Report": "in the chain of its table",
    "Deal": "recounted: it counts its newest report",
    "Seat": "who sits there is chained with its table; tokens are recounted; a yes is taken back by any change",
    "FolderChange": "chained with its table",
    "SeatChange": "chained with its table",
    "FormerSeat": "chained with its table; tokens are recounted",
    "ChainLink": "is the chain",
    "DealSort": "what sums of deals are of; decides nothing",
    "DealSum": "follows from the reports, and is counted anew",
    "EveningResult": "follows from the results, and is counted anew",
    "RatingState": "follows from the results, and is counted anew",
    "RatedEvening": "follows from the results, and is counted anew",
    "Rating": "follows from the results, and is counted anew",
    "KeptReport": "as it came, decided by nobody; taken in it is a report, and the log tells of each decision",
    "Flag": "a word to the desk: decides nothing",
    "RevokedSecret": "a dead link",
    "Photograph": "evidence beside the reports; the log tells of attaching and removing it",
    "ClubRules": "a club's own; what a tournament is played by is chained with it",
    "Season": "a club's own, counted from tournaments",
    "Award": "a club's own, in the club's log",
    "Championship": "a club's own, counted from tournaments",
    "Stage": "a club's own; what is taken along is chained with entries and teams",
}
# Texts that are codes: chained as they stand. All others are chained as prints.
CODES = {"rulebook", "rules_version", "three_factor", "text", "origin"}
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
RELATED = {
    "Table": ("round", "match"),
    "Match": ("round", "home", "away"),
    "Entry": ("team", "player"),
    "Penalty": ("entry", "team", "round"),
    "Payment": ("payer", "payee"),
}
Models = Callable[[str], type[models.Model]]


def print_of(value: object) -> str:
    """A text, or what fills a line of the log, as a print: it shows a change and does not say what was there."""
    said = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return "#" + hashlib.sha256(said.encode()).hexdigest()[:PRINT_LETTERS]


def name_of(thing: Any, place: int = 0) -> str:
    """What a thing is called in the chain; `place` is that of a ruling or a log line among its tournament's."""
    match type(thing).__name__:
        case "Tournament":
            return "tournament"
        case "Table" | "Match" as kind:
            return f"{kind.lower()} {thing.round.number}/{thing.number}"
        case "BoardSet":
            return f"boards {thing.round_number}"
        case "Penalty":
            return f"ruling {place}"
        case "LogEntry":
            return f"log {place}"
        case kind:
            return f"{kind.lower()} {thing.number}"


def everything(tournament: Any, model: Models) -> Iterator[tuple[str, Content]]:
    """Each thing of a tournament that is chained, as it stands; `model` finds a model by its name."""
    yield from everything_of([tournament], model)[tournament.pk].items()


def everything_of(tournaments: Sequence[Any], model: Models) -> dict[int, dict[str, Content]]:
    """The same of many by their primary keys, read at once: to ask for each by itself takes longer than to answer."""
    found = {one.pk: {name_of(one): content_of(one)} for one in tournaments}
    for kind, path in FROM_TOURNAMENT.items():
        rows = model(kind)._default_manager.filter(**{f"{path}__in": list(found)}).order_by("pk")
        things: list[Any] = list(rows.select_related(*RELATED[kind]) if kind in RELATED else rows)
        beside = _beside(kind, [thing.pk for thing in things], model)
        places: Counter[int] = Counter()
        for thing in things:
            of = thing.round.tournament_id if "round" in path else thing.tournament_id
            places[of] += 1
            found[of][name_of(thing, places[of])] = content_of(thing, beside.get(thing.pk))
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
    left_out = LEFT_OUT.get(type(thing).__name__, {})
    content = {
        field.name: _value(thing, field)
        for field in thing._meta.concrete_fields
        if not field.primary_key and field.name not in left_out
    }
    if "last_hash" in left_out:
        content["reports"] = [thing.reports_count, thing.last_hash]
    return content | (beside or {})


def _value(thing: Any, field: models.Field[Any, Any]) -> Any:
    if field.name == "player":
        return print_of(thing.player.name)
    value = getattr(thing, field.name)
    if isinstance(value, models.Model):
        return getattr(value, "number", None)
    if isinstance(field, models.CharField) and not field.choices and field.name not in CODES:
        return print_of(value) if value else ""
    if field.name == "params":
        return print_of(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return str(value) if isinstance(value, (date, time, UUID)) else value


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
