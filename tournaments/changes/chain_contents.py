"""The contents of the hash chain: the fields of each model, and the serialized form of a row."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import connection, models

from core.canonical_json import AsStored, as_text, canonical, canonical_of, json_of, moment
from core.sql import fetch_models, key_set

# What is chained of each thing, and what a thing is called in the chain.
#
# Names are made of numbers and codes alone, so that they are the same on another machine:
# "table 2/3", "ruling 1", "log 40". A step names the things that it decided (`logbook.write_down`, `about`).

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
    "TeamEntry": "tournament",
    "Objection": "tournament",
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
    "TeamEntry": ("team-entry", ("number",)),
    "Objection": ("objection", ("number",)),
    "LogEntry": ("log", ()),
}
# Rows that are chained with another row: by its model, what its content calls them, their model and foreign key.
WITHIN: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "Match": {"confirmations": ("MatchConfirmation", "match"), "postponements": ("Postponement", "match")},
    "Team": {"wishes": ("FixtureWish", "team")},
    "TeamEntry": {
        "players": ("TeamEntryPlayer", "team_entry"),
        "rulings": ("TeamEntryRuling", "team_entry"),
    },
}
RELATED = {
    "Table": ("round", "match"),
    "Match": ("round", "home", "away"),
    "Entry": ("team", "player"),
    "Penalty": ("entry", "team", "round"),
    "Payment": ("payer", "payee"),
    "TeamEntry": ("team",),
    "Objection": ("team", "entry"),
}
# What the chain calls a thing of these, but for its number or place.
ENTRY, LOG_LINE, PAYMENT = (f"{NAMES[kind][0]} " for kind in ("Entry", "LogEntry", "Payment"))
Models = Callable[[str], type[models.Model]]


def name_of(thing: Any, place: int = 0) -> str:
    """The name of a row in the chain; `place` is the index of a ruling or a log line in its tournament."""
    kind = type(thing).__name__
    if kind == "Tournament":
        return "tournament"
    word, numbers = NAMES[kind]
    own = [str(attrgetter(number.replace("__", "."))(thing)) for number in numbers]
    return f"{word} {'/'.join(own) or place}"


def everything(tournament: Any, model: Models) -> Iterator[tuple[str, Content]]:
    """Each chained row of a tournament with its current content; `model` finds a model by name."""
    yield from everything_of([tournament], model)[tournament.pk].items()


def everything_of(tournaments: Sequence[Any], model: Models) -> dict[int, dict[str, Content]]:
    """The chained content of many rows by their primary keys, in one query for all.

    As rows: making a model of each thing takes longer than comparing it.
    """
    found = {one.pk: {name_of(one): content_of(one)} for one in tournaments}
    for kind, path in FROM_TOURNAMENT.items():
        try:
            table = model(kind)
        except LookupError:  # a migration's models may lack it
            continue
        chained, (word, numbers) = chained_fields(table), NAMES[kind]
        also = ("reports_count", "last_hash") if kind == "Table" else ()
        rows = table._default_manager.filter(**{f"{path}__in": key_set(found)}).order_by("pk")
        told = list(rows.values_list("pk", path, *numbers, *also, *(field.stored for field in chained)))
        beside = _additional_contents(kind, [pk for pk, *_row in told], model)
        places: Counter[int] = Counter()
        first, said_of = len(numbers) + len(also), [(field.name, field.serialize_row) for field in chained]
        for pk, of, *row in told:
            places[of] += 1
            place = "/".join(map(str, row[: len(numbers)])) if numbers else places[of]
            content = {
                name: said(value) if said else value
                for (name, said), value in zip(said_of, row[first:], strict=True)
            }
            if also:
                content["reports"] = row[len(numbers) : first]
            content |= beside.get(pk, {})
            found[of][f"{word} {place}"] = content
    return found


class Stands(NamedTuple):
    """A row that a step changed: as it was passed, and as stored now; None where it was deleted."""

    passed: Any
    now: Any


def as_they_stand(about: Iterable[models.Model], model: Models) -> dict[str, list[Stands]]:
    """The rows that a step changed, by model, each once."""
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
    """The chained content of these rows; None for each deleted one."""
    for kind, things in found.items():
        beside = _additional_contents(kind, [stands.now.pk for stands in things if stands.now], model)
        places = _places(kind, [now or thing for thing, now in things])
        for thing, now in things:
            name = name_of(now or thing, places.get((now or thing).pk, 0))
            yield name, content_of(now, beside.get(now.pk)) if now else None


def _read(model: type[models.Model], keys: Collection[Any]) -> dict[Any, Any]:
    """Rows by primary key.

    In SQL: each step queries a few rows of each kind, and the ORM takes longer than the query.
    """
    begins = _select(model)
    return {
        row.pk: row
        for some in _parts(keys)
        for row in fetch_models(model, f"{begins} WHERE id IN ({_holes(some)})", some)
    }


@lru_cache(maxsize=64)
def _select(model: type[models.Model]) -> str:
    columns = ", ".join(str(field.column) for field in model._meta.concrete_fields)
    return f"SELECT {columns} FROM {model._meta.db_table}"


def _relate(rows: Collection[Any], name: str) -> None:
    """Set each row's related object of the foreign key `name`, in one query for all."""
    if not rows:
        return
    field = next(iter(rows))._meta.get_field(name)
    of = [getattr(row, field.attname) for row in rows]
    found = _read(field.related_model, {key for key in of if key is not None})
    for row, key in zip(rows, of, strict=True):
        setattr(row, name, None if key is None else found[key])


def _parts(keys: Iterable[Any]) -> Iterator[list[Any]]:
    """Batches of keys, as large as every database allows."""
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
    """The chained content of a row: its fields, with the additional content of `beside`."""
    model: type[models.Model] = type(thing)
    content = {
        name: said(of(thing)) if said else of(thing)
        for name, of, _stored, said, _read in chained_fields(model)
    }
    if type(thing).__name__ == "Table":
        content["reports"] = [thing.reports_count, thing.last_hash]
    return content | (beside or {})


def _additional_contents(kind: str, keys: Collection[int], model: Models) -> Mapping[int, Content]:
    """The additional content of rows by their primary keys, in one query for all."""
    if kind == "Table":
        return _seats_and_changes(keys, model)
    found: dict[int, Content] = {pk: {} for pk in keys} if kind in WITHIN else {}
    for name, (part, path) in WITHIN.get(kind, {}).items() if found else ():
        with suppress(LookupError):  # a migration's models may lack it
            for pk, rows in _rows_within(model(part), path, keys).items():
                found[pk][name] = rows
    return found


def _rows_within(part: type[models.Model], path: str, keys: Collection[int]) -> dict[int, list[Content]]:
    """Primary key of a row -> the content of each row of the model `part` that points to it by `path`, in order."""
    fields = [(field.name, field.stored, field.serialize_row) for field in chained_fields(part)]
    rows = part._default_manager.filter(**{f"{path}__in": key_set(keys)}).order_by("pk")
    if any(field.name == "tournament" for field in part._meta.concrete_fields):
        rows = rows.filter(tournament=models.F(f"{path}__tournament"))
    found: dict[int, list[Content]] = {pk: [] for pk in keys}
    for pk, *row in rows.values_list(path, *(stored for _name, stored, _said in fields)):
        found[pk].append(
            {
                name: said(value) if said else value
                for (name, _stored, said), value in zip(fields, row, strict=True)
            }
        )
    return found


def _seats_and_changes(tables: Collection[int], model: Models) -> Mapping[int, Content]:
    """Table's primary key -> who sits at it, and sat before, by entry numbers, and what was changed in the round."""
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
    """The additional content of a table where nothing changed during the round; entry numbers by position."""
    seats = {chr(ord("A") + position): number for position, number in enumerate(entries)}
    return {"seats": seats, "former_seats": [], "seat_changes": [], "folder_changes": []}


def _rows(model: type[models.Model], tables: Collection[int], *columns: str) -> Iterator[Sequence[Any]]:
    """Rows of these tables, table by table; the first two columns give the order."""
    sql = f"""
        SELECT table_id, {", ".join(columns)} FROM {model._meta.db_table}
        WHERE table_id IN ({{}}) ORDER BY table_id, {columns[0]}, {columns[1]}"""
    with connection.cursor() as cursor:
        for some in _parts(tables):
            cursor.execute(sql.format(_holes(some)), some)
            yield from cursor.fetchall()


# Which fields of which models are chained, and how each value is serialized.
#
# All fields of a chained model are, except those in `LEFT_OUT`: a new field is chained from the next step about its
# row on.

PRINT_LETTERS = 16
# Fields that are not chained, by model, and why.
PLACE = "its place is its name"
WITH = "is chained with it"
LEFT_OUT: Mapping[str, Mapping[str, str]] = {
    "Tournament": {
        "code": PLACE,
        "host": "in the register",
        "held_by": "who helps at the desk decides nothing; the log tells of each change",
        "held_by_organises": "who works at the desk decides nothing; the log tells of each change",
        "round_minutes": "decides nothing; the log tells of each clock",
        "halls": "where a table stands decides nothing; the log tells of each change",
        "projector": "what a wall shows decides nothing",
        "shows_same_cards": "what standings show beside the total decides nothing",
        "season": "in the register",
        "stage": "in the register",
        "version": "tells pages that something changed",
        "told_changes": "tells calendars and feeds that something changed",
        "told_at": "tells calendars and feeds that something changed",
        "results_kept": "whether what follows from the results is counted",
        "is_rated": "whether what follows from the results is counted",
        "deals_summed": "whether what follows from the results is counted",
        "created_at": "decides nothing",
        "imported_at": "when it came here decides nothing",
        "draw_prices": "what another draw would have cost decides nothing",
        "chain_count": "the chain's own",
        "chain_head": "the chain's own",
        "chain_seal": "the chain's own",
    },
    "Round": {
        "tournament": PLACE,
        "number": PLACE,
        "told_at": "when it was written about decides nothing",
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
        "name": "in the register: it follows what players are called, which they may ask to be forgotten",
        "club": "whom one plays for is a wish of the draw",
        "secret": "lets a captain in, and out again",
    },
    "TeamEntry": {"tournament": PLACE, "number": PLACE, "club": "the log tells which club entered it"},
    "Objection": {"tournament": PLACE, "number": PLACE, "club": "the log tells who objects"},
    "TeamEntryPlayer": {"team_entry": WITH},
    "TeamEntryRuling": {"team_entry": WITH},
    "FixtureWish": {"tournament": "that of its team", "team": WITH},
    "MatchConfirmation": {"match": WITH},
    "Postponement": {"match": WITH},
    "Penalty": {"tournament": PLACE},
    "Payment": {"tournament": PLACE, "number": PLACE},
    "BoardSet": {"tournament": PLACE, "round_number": PLACE},
    "LogEntry": {"tournament": PLACE, "account": "its name is kept as the author"},
}
# Models that have no chain content of their own, and what protects their rows from unnoticed changes.
IN_REGISTER = "in the chain of the register: `changes.register`"
ELSEWHERE = {
    "Report": "in the chain of its table",
    "RegisterLink": "is the register's chain",
    "RegisterHead": "is where the register's chain ends",
    "Deal": "recounted: it counts its newest report",
    "Seat": "who sits there is chained with its table; tokens are recounted; a yes is taken back by any change",
    "SeasonDeal": "chosen from the results; an editor's comment decides nothing",
    "FolderAnalysis": "follows from the cards, and is worked out anew",
    "FolderChange": "chained with its table",
    "SeatChange": "chained with its table",
    "FormerSeat": "chained with its table; tokens are recounted",
    "ChainLink": "is the chain",
    "DealSort": "what sums of deals are of; decides nothing",
    "DealSum": "follows from the reports, and is counted anew",
    "EveningResult": "follows from the results, and is counted anew",
    "HandOver": "notes for the next organiser: decide nothing",
    "KeptYear": "follows from the results, and is counted anew",
    "MergedPlayer": IN_REGISTER,
    "PlayerMerge": IN_REGISTER,
    "ErasureProposal": "a question to an organiser; the log tells of the answer",
    "TwoPeople": "what is not proposed any more: decides nothing",
    "Official": "who works at the desk decides nothing; the log tells of each change",
    "OldEvent": IN_REGISTER,
    "OldPlace": IN_REGISTER,
    "EveningPlaces": "follows from the results, and is counted anew",
    "RatingState": "follows from the results, and is counted anew",
    "RatedEvening": "follows from the results, and is counted anew",
    "Rating": "follows from the results, and is counted anew",
    "KeptReport": "as it came, decided by nobody; taken in it is a report, and the log tells of each decision",
    "Flag": "a word to the desk: decides nothing",
    "RevokedSecret": "a dead link",
    "FixtureWish": "chained with its team",
    "MatchConfirmation": "chained with its match",
    "Postponement": "chained with its match",
    "TeamEntryPlayer": "chained with its team's entry",
    "TeamEntryRuling": "chained with its team's entry",
    "TeamEntryLink": "lets a club in; the log tells of each team that it enters",
    "Photograph": "evidence beside the reports; the log tells of attaching and removing it",
    "PointsRule": "what the next list goes by; what a published one went by is chained with it",
    "PointsTable": "what the next list goes by; what a published one went by is chained with it",
    "PublishedList": IN_REGISTER,
    "PublishedRow": "the digest of a list's rows is in the chain of the register",
    "PrintedList": "what a list for the door looked like: decides nothing",
    "PrintedSheet": "what a sheet for the pencil looked like: decides nothing",
    "PushSubscription": "a phone that is told: decides nothing",
    "PushMessage": "what it is told: decides nothing",
    "PushTally": "how many of these were sent: decides nothing",
    "SheetPicture": "what was read of a photograph; taken in it is reports, and the log tells of it",
    "ToldResult": "a print of what follows from the results, as feeds have told it",
    "ChangedRow": "what the journal is still to be told of",
    "JournalState": "how far the journal is",
    "ClubRules": "a club's own; what a tournament is played by is chained with it",
    "Season": IN_REGISTER,
    "Award": IN_REGISTER,
    "Application": "a wish, until its entry is chained; the log tells of each step",
    "Championship": IN_REGISTER,
    "Stage": IN_REGISTER,
    "Quota": IN_REGISTER,
    "Qualifier": IN_REGISTER,
    "QualifierQuestion": "whom a letter has asked; the answer is in the register",
    "Statement": IN_REGISTER,
    "UnionFees": "what the next statements go by; each statement has its own amounts",
}
# Texts that are codes: chained as they stand. All others are chained as prints.
CODES = {"rulebook", "rules_version", "three_factor", "text", "origin"}


def print_of(value: object) -> str:
    """The digest of a text or of a log line's parameters: it reveals a change, and not the content."""
    return _print(canonical(value))


def _print(said: str) -> str:
    return "#" + hashlib.sha256(said.encode()).hexdigest()[:PRINT_LETTERS]


@lru_cache(maxsize=8192)
def digest_of_text(text: str) -> str:
    """The digest of a text, cached because texts repeat; empty for an empty text."""
    return print_of(text) if text else ""


def _print_of_json(text: str | None) -> str:
    return _print(canonical_of(text))


class ChainedField(NamedTuple):
    """A chained field and its `name` in the link.

    `of` gets its value from a model instance, `stored` is the column for raw rows, `said` serializes either; where
    a raw row holds the value in another form, `read` converts it.
    """

    name: str
    of: Callable[[Any], Any]
    stored: Any
    said: Callable[[Any], Any] | None = None
    read: Callable[[Any], Any] | None = None

    @property
    def serialize_row(self) -> Callable[[Any], Any] | None:
        return self.read or self.said


@lru_cache(maxsize=64)
def chained_fields(model: type[models.Model]) -> tuple[ChainedField, ...]:
    """The chained fields of a current model, or of a migration's."""
    left_out = LEFT_OUT.get(model.__name__, {})
    own = (field for field in model._meta.concrete_fields if not field.primary_key)
    return tuple(_chained(field) for field in own if field.name not in left_out)


def _chained(field: models.Field[Any, Any]) -> ChainedField:
    name = field.name
    if name == "player":
        return ChainedField(name, attrgetter("player.name"), "player__name", digest_of_text)
    if field.related_model is not None:
        # The target has a number that identifies it outside the database.
        return ChainedField(
            name, lambda thing: getattr(getattr(thing, name), "number", None), f"{name}__number"
        )
    if isinstance(field, models.CharField) and not field.choices and name not in CODES:
        return ChainedField(name, attrgetter(name), name, digest_of_text)
    if name == "params":
        return ChainedField(name, lambda thing: canonical(thing.params), as_text(name), _print_of_json)
    if isinstance(field, models.DateTimeField):
        return ChainedField(name, attrgetter(name), AsStored(name), moment)
    said = _as_str if isinstance(field, (models.DateField, models.TimeField, models.UUIDField)) else None
    # Lists that nearly every row has empty, or the same as others: each text is parsed once.
    stored, read = (as_text(name), json_of) if isinstance(field, models.JSONField) else (name, None)
    return ChainedField(name, attrgetter(name), stored, said, read)


def _as_str(value: object) -> str | None:
    return None if value is None else str(value)
