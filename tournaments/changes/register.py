"""The register: a hash chain over the records that belong to no single tournament, and the list of tournaments.

A link is written in the transaction that writes one of these rows: clubs, their logs, members and roles, accounts'
rights, seasons, awards, championships and who qualifies for them, published points lists, statements to clubs, old
results, merged players; and of each tournament its host, season and stage, the player of each entry, and its teams'
names. `verify` compares the rows with the chain.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from django.apps import apps
from django.db import connection, models, transaction
from django.db.models.signals import post_delete, post_save
from django.utils import timezone

from core.canonical_json import AsStored, as_text, canonical, moment
from core.recorded_rows import rows_written
from core.sql import bulk_insert, prepared_query
from tournaments.changes.chain import is_sealed, link_hash, seal
from tournaments.changes.chain_contents import print_of

NAME = "register"
Content = dict[str, Any]
# Finds a model by app and name: today's, or a migration's.
Models = Callable[[str, str], Any]
# Names in one link of a register that is begun: a union has hundreds of thousands of rows.
AT_ONCE, MOST_KEYS = 2000, 500
# By Django's way to save a row it takes three times as long, and each row that is written comes by here.
CLOSE = "UPDATE tournaments_registerhead SET count = %s, head = %s, seal = %s WHERE id = %s"


class Kind(NamedTuple):
    """Rows of a model in the register: what they are called there, before their primary key, and their fields."""

    app: str
    model: str
    word: str
    fields: tuple[str, ...]


KINDS = (
    Kind("clubs", "Club", "club", ("name", "slug")),
    Kind("clubs", "Affiliation", "affiliation", ("club_id", "union_id", "joined", "left", "gives")),
    Kind("clubs", "Transfer", "transfer", ("player_id", "origin_id", "club_id", "day", "number", "state")),
    Kind("clubs", "UnionNumber", "union number", ("player_id", "union_id", "number")),
    Kind("clubs", "MainClub", "main club", ("player_id", "club_id", "day", "chosen_by", "chosen_at")),
    Kind("clubs", "MemberCount", "member count", ("union_id", "day", "rows", "made_by", "made_at")),
    Kind("clubs", "ClubLogEntry", "club log line", ("club_id", "at", "author", "text", "params")),
    Kind("clubs", "Membership", "membership", ("club_id", "player_id", "number", "joined", "left")),
    Kind("clubs", "Role", "role", ("club_id", "account_id", "kind")),
    Kind("clubs", "Account", "account", ("username", "is_active", "is_staff", "is_superuser")),
    Kind(
        "tournaments",
        "Season",
        "season",
        (
            *("host_id", "name", "starts", "ends", "rule", "best_of", "least_evenings", "least_deals"),
            *("place_points", "with_guests", "counts_withdrawn", "breaks_ties", "removed_at"),
        ),
    ),
    Kind("tournaments", "Award", "award", ("season_id", "title", "player_id", "words", "number")),
    Kind("tournaments", "Championship", "championship", ("host_id", "name", "date", "removed_at")),
    Kind(
        "tournaments",
        "Stage",
        "stage",
        ("championship_id", "number", "name", "groups", "sessions", "deals", "each", "next_best", "carried"),
    ),
    Kind(
        "tournaments",
        "Quota",
        "quota",
        ("stage_id", "number", "source", "season_id", "tournament_id", "published_id", "places", "each_club"),
    ),
    Kind(
        "tournaments",
        "Qualifier",
        "qualifier",
        ("stage_id", "player_id", "by_hand", "answer", "is_first", "said_by", "said_at"),
    ),
    Kind("tournaments", "OldEvent", "old event", ("host_id", "kind", "name", "year", "date", "removed_at")),
    Kind("tournaments", "OldPlace", "old place", ("event_id", "place", "name", "player_id", "tokens")),
    Kind(
        "tournaments",
        "PublishedList",
        "points list",
        ("union_id", "day", "published_at", "author", "rule", "players", "divided_by", "digest"),
    ),
    Kind(
        "tournaments",
        "Statement",
        "statement",
        (
            *"union_id club_id count_id number members teams votes per_member for_members per_team".split(),
            *"for_teams total due pay_to made_by made_at state paid_on".split(),
        ),
    ),
    Kind("tournaments", "MergedPlayer", "merged person", ("player_id",)),
    Kind(
        "tournaments",
        "PlayerMerge",
        "merge",
        ("desk_id", "kept", "gone", "moved", "merged_by", "merged_at", "undone_by", "undone_at"),
    ),
    Kind("tournaments", "Tournament", "tournament", ("code", "host_id", "season_id", "stage_id")),
)
# What is chained with a tournament of the rows that belong to it.
PARTS = {"Entry": ("people", "player_id"), "Team": ("teams", "name")}
BY_MODEL = {(kind.app, kind.model): kind for kind in KINDS}
# Texts that are codes, chained as they stand.
CODES = {"slug", "kind", "source", "answer", "rule", "code", "text", "digest"}


def model_here(app: str, name: str) -> Any:
    return apps.get_model(app, name)


# Current rows


def contents_of(kind: Kind, keys: Collection[Any] | None, model: Models) -> dict[str, Content | None]:
    """The chained content of the rows of a kind with these primary keys, by their names; None for each deleted one."""
    found: dict[str, Content | None] = {} if keys is None else {f"{kind.word} {key}": None for key in keys}
    for some in [None] if keys is None else _parts(keys):
        found |= _contents(kind, some, model)
    return found


def _contents(kind: Kind, keys: Collection[Any] | None, model: Models) -> dict[str, Content | None]:
    fields = _fields(kind, model)
    beside = _entry_and_team_digests(keys, model) if kind.model == "Tournament" else {}
    found: dict[str, Content | None] = {}
    for pk, *values in _rows(kind, keys, model):
        content = {
            name.removesuffix("_id"): _serialize(name, field, value)
            for (name, field), value in zip(fields.items(), values, strict=True)
        }
        found[f"{kind.word} {pk}"] = (
            content | beside.get(pk, NOBODY) if kind.model == "Tournament" else content
        )
    return found


def _fields(kind: Kind, model: Models) -> dict[str, Any]:
    """The fields of a kind by their names, those that the model has: a migration's may have fewer."""
    there = {field.attname: field for field in model(kind.app, kind.model)._meta.concrete_fields}
    return {name: there[name] for name in kind.fields if name in there}


def _rows(kind: Kind, keys: Collection[Any] | None, model: Models) -> Any:
    """Primary key and columns of all rows, or of those with these keys, in the order of the keys."""
    if one := _only_key(keys, model):
        return _row(kind)(one)
    rows = _all_rows(kind, model)
    return rows if keys is None else rows.filter(pk__in=keys)


def _all_rows(kind: Kind, model: Models) -> Any:
    # A raw column, where a driver would convert it otherwise.
    columns = [_column(name, field) for name, field in _fields(kind, model).items()]
    return model(kind.app, kind.model)._base_manager.order_by("pk").values_list("pk", *columns)


def _only_key(keys: Collection[Any] | None, model: Models) -> int:
    """The key, where it is a single one of today's models, as of nearly every write: for that, queries are prepared."""
    if model is not model_here or keys is None or len(keys) != 1:
        return 0
    (key,) = keys
    return key if type(key) is int else 0


@cache
def _row(kind: Kind) -> prepared_query[[int], tuple[Any, ...]]:
    return prepared_query(lambda key: _all_rows(kind, model_here).filter(pk=key))


@cache
def _part(name: str) -> prepared_query[[int], tuple[Any, ...]]:
    return prepared_query(lambda key: _all_parts(name, model_here).filter(tournament=key))


def _all_parts(name: str, model: Models) -> Any:
    rows = model("tournaments", name)._base_manager.order_by("number", "pk")
    return rows.values_list("tournament_id", "number", PARTS[name][1])


@cache
def _tournament_of(name: str) -> prepared_query[[int], int]:
    """The tournament of an entry or team."""
    rows = model_here("tournaments", name)._base_manager.order_by()
    return prepared_query(lambda key: rows.filter(pk=key).values_list("tournament_id", flat=True))


@prepared_query
def _end() -> models.QuerySet[Any]:
    """The end of the register, locked."""
    rows: models.QuerySet[Any] = model_here("tournaments", "RegisterHead")._base_manager.order_by("pk")
    return rows.select_for_update()


def _column(name: str, field: Any) -> Any:
    if isinstance(field, models.DateTimeField):
        return AsStored(name)
    return as_text(name) if isinstance(field, models.JSONField) else name


def _serialize(name: str, field: Any, value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(field, models.DateTimeField):
        return moment(value)
    if isinstance(field, models.JSONField):
        return print_of(json.loads(value)) if isinstance(value, str) else print_of(value)
    if isinstance(value, (date, datetime, Decimal)):
        return _plain(value)
    if isinstance(value, str) and name not in CODES:
        return print_of(value) if value else ""
    return value


def _plain(value: date | Decimal) -> str | int:
    """Serialize a day or decimal; whole numbers as int, as they were chained before halves were stored."""
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else f"{value.normalize():f}"
    return value.isoformat()


NOBODY: Content = {part: print_of([]) for part, _field in PARTS.values()}


def _entry_and_team_digests(tournaments: Collection[Any] | None, model: Models) -> dict[Any, Content]:
    """Tournament's primary key -> prints of who its entries are and what its teams are called, by their numbers."""
    found: dict[Any, Content] = {}
    for name, (part, _field) in PARTS.items():
        if one := _only_key(tournaments, model):
            rows = _part(name)(one)
        else:
            rows = _all_parts(name, model)
            rows = rows if tournaments is None else rows.filter(tournament__in=tournaments)
        of: dict[Any, list[Any]] = defaultdict(list)
        for tournament, *told in rows:
            of[tournament].append(told)
        for tournament, told in of.items():
            found.setdefault(tournament, dict(NOBODY))[part] = print_of(told)
    return found


def _parts(keys: Iterable[Any]) -> Iterator[list[Any]]:
    rest = list(keys)
    while rest:
        yield rest[:MOST_KEYS]
        rest = rest[MOST_KEYS:]


# Writing it


@transaction.atomic
def chain(things: Mapping[str, Content | None], model: Models = model_here) -> None:
    """Append links with the current contents; locks the register until the transaction ends."""
    if not things:
        return
    head = model("tournaments", "RegisterHead")
    is_today = model is model_here
    stored = _end.first() if is_today else head._base_manager.select_for_update().order_by("pk").first()
    end = stored or head(pk=1)
    names = sorted(things)
    for first in range(0, len(names), AT_ONCE):
        content = {name: things[name] for name in names[first : first + AT_ONCE]}
        at = timezone.now()
        end.count, previous = end.count + 1, end.head
        end.head = link_hash(NAME, end.count, at, content, previous)
        link = model("tournaments", "RegisterLink")(
            number=end.count, at=at, content=content, previous_hash=previous, hash=end.head
        )
        bulk_insert([link])
    end.seal = seal(NAME, end.count, end.head)
    if is_today and stored:
        with connection.cursor() as cursor:
            cursor.execute(CLOSE, [end.count, end.head, end.seal, end.pk])
    else:
        end.save()


def begin(model: Models = model_here) -> None:
    """Chain all current rows, where there is no register yet (after an upgrade)."""
    if not model("tournaments", "RegisterLink")._base_manager.exists():
        chain_all_that_stands(model)


def chain_all_that_stands(model: Models = model_here) -> None:
    """Chain every row with its current content, of the models that exist: those of a migration may be fewer."""
    for kind in KINDS:
        with suppress(LookupError):
            model(kind.app, kind.model)
            chain(contents_of(kind, None, model), model)


def chain_kind(name: str, model: Models = model_here) -> None:
    """Chain every row of a model of clubs, for the migration that adds it to a register that has begun."""
    if model("tournaments", "RegisterLink")._base_manager.exists():
        chain(contents_of(BY_MODEL["clubs", name], None, model), model)


def _note(sender: Any, keys: Iterable[Any], fields: Collection[str] | None) -> None:
    """Chain rows that were written, where what was written of them is chained."""
    app, name = sender._meta.app_label, sender._meta.object_name
    if name in PARTS:
        if fields is None or not {"number", "tournament", PARTS[name][1].removesuffix("_id")}.isdisjoint(
            fields
        ):
            keys = list(keys)
            if one := _only_key(keys, model_here):
                _note_tournaments(set(_tournament_of(name)(one)))
            else:
                rows = sender._base_manager.filter(pk__in=keys)
                _note_tournaments(set(rows.values_list("tournament_id", flat=True)))
        return
    kind = BY_MODEL[app, name]
    chained = {field.removesuffix("_id") for field in kind.fields}
    if fields is None or not chained.isdisjoint(field.removesuffix("_id") for field in fields):
        chain(contents_of(kind, list(keys), model_here))


def _note_tournaments(keys: Collection[int]) -> None:
    chain(contents_of(BY_MODEL["tournaments", "Tournament"], list(keys), model_here))


def _rows_written(sender: Any, keys: Iterable[Any], fields: Collection[str] | None, **_told: Any) -> None:
    if sender in HEARD:
        _note(sender, keys, fields)


def _saved(
    sender: Any, instance: Any, raw: bool, update_fields: Collection[str] | None, **_told: Any
) -> None:
    if sender in HEARD and not raw:
        _note(sender, [instance.pk], update_fields)


def _deleted(sender: Any, instance: Any, **_told: Any) -> None:
    if sender not in HEARD:
        return
    if sender._meta.object_name in PARTS:
        _note_tournaments({instance.tournament_id})
    else:
        _note(sender, [instance.pk], None)


HEARD: set[type[models.Model]] = set()


def listen() -> None:
    """Chain whatever is written of these models from now on."""
    HEARD.update(model_here(kind.app, kind.model) for kind in KINDS)
    HEARD.update(model_here("tournaments", name) for name in PARTS)
    for one in HEARD:
        rows_written.connect(_rows_written, sender=one, dispatch_uid=f"register of {one.__name__}")
        post_save.connect(_saved, sender=one, dispatch_uid=f"register of {one.__name__}")
        post_delete.connect(_deleted, sender=one, dispatch_uid=f"register of {one.__name__}")


# Checking it


def register_differences() -> Iterator[str]:
    """Differences from the chained register, in English: of the chain itself, then row by row."""
    decided: dict[str, tuple[Content | None, int]] = {}
    number, head = 0, ""
    links = model_here("tournaments", "RegisterLink")._base_manager.order_by("number")
    stored = ("number", AsStored("at"), as_text("content"), "previous_hash", "hash")
    broken = ""
    for there, at, text, previous, own in links.values_list(*stored).iterator():
        content = json.loads(text)
        if not broken and there != number + 1:
            broken = f"link {number + 1} is missing"
        elif not broken and (previous != head or own != link_hash(NAME, there, at, content, previous)):
            broken = f"link {there} is not what was chained"
        number, head = there, own
        decided |= {name: (held, there) for name, held in content.items()}
    broken = broken or _wrong_end(number, head)
    if broken:
        yield f"register: {broken}"
    yield from _unlike(decided)


def _wrong_end(number: int, head: str) -> str:
    end = model_here("tournaments", "RegisterHead")._base_manager.order_by("pk").first()
    if end is None or not number:
        return "" if end is None and not number and not _anything() else "it was taken away"
    if (end.count, end.head) != (number, head):
        return f"it ends after link {number}, {end.count} were counted"
    return (
        ""
        if is_sealed(end.seal, NAME, end.count, end.head) is not False
        else "it was cut off, or written anew"
    )


def _anything() -> bool:
    return bool(model_here("clubs", "Club")._base_manager.exists())


def register_notices() -> Iterator[str]:
    """A notice if the register was sealed with an unknown key."""
    end = model_here("tournaments", "RegisterHead")._base_manager.order_by("pk").first()
    if end is not None and is_sealed(end.seal, NAME, end.count, end.head) is None:
        yield "the end of the register was sealed with another machine's key"


def _unlike(decided: dict[str, tuple[Content | None, int]]) -> Iterator[str]:
    for kind in KINDS:
        for name, now in contents_of(kind, None, model_here).items():
            then, link = decided.pop(name, (None, 0))
            if then is None:
                yield f"{name}: was never written by the program{f' since link {link}' if link else ''}"
            elif now is not None and then != now:
                for field in sorted(then.keys() & now.keys()):
                    if then[field] != now[field]:
                        yield f"{name}: {_change(field, then[field], now[field])} (link {link})"
    for name, (then, link) in decided.items():
        if then is not None:
            yield f"{name}: is gone; link {link} has it"


def _change(field: str, then: Any, now: Any) -> str:
    if str(then).startswith("#") or str(now).startswith("#"):
        return f"its {field.replace('_', ' ')} is not what was written down"
    return f"{field.replace('_', ' ')} is {canonical(now)}, it was {canonical(then)}"


def orphans() -> Iterator[str]:
    """Rows with foreign keys that point nowhere, as happens where a database was changed with its checks off."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA foreign_key_check")
            counted: dict[tuple[str, str], int] = defaultdict(int)
            for table, _row, parent, _place in cursor.fetchall():
                counted[table, parent] += 1
    else:
        counted = _orphans_elsewhere()
    for (table, parent), count in sorted(counted.items()):
        yield f"{table}: {count} row(s) point to rows of {parent} that are not there"


def _orphans_elsewhere() -> dict[tuple[str, str], int]:
    counted: dict[tuple[str, str], int] = defaultdict(int)
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            for field in model._meta.concrete_fields:
                if not isinstance(field, models.ForeignKey):
                    continue
                parent = field.related_model._meta
                key = field.target_field.column
                cursor.execute(
                    f"SELECT count(*) FROM {model._meta.db_table} one"
                    f" WHERE one.{field.column} IS NOT NULL AND NOT EXISTS"
                    f" (SELECT 1 FROM {parent.db_table} other WHERE other.{key} = one.{field.column})"
                )
                if count := cursor.fetchone()[0]:
                    counted[model._meta.db_table, parent.db_table] += count
    return counted
