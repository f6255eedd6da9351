"""Read and restore a journal: onto the backup that it continues, or from its own beginning."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from django.apps import apps as all_apps
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.models import sql
from django.db.models.constants import OnConflict

from core.backup.archive import holds_data
from core.backup.backups import kind_here
from core.data_hooks import data_hooks
from core.database import of_a_newer_program, whole_or_not_at_all
from core.files import write_atomically
from core.journal import triggers
from core.journal.format import CLOSING, Chain, begun_of, parts, values_of
from core.journal.models import ChangedRow, JournalState, followed
from core.journal.places import PICTURES, Book, JournalError, Place, books_in, read_header

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db import models


MOST_ROWS = 2000  # of a beginning that are read at once


@dataclass
class Checked:
    """The intact part of a book; `broken` is where it is damaged, `left` what was incomplete at its end."""

    book: Book
    header: dict[str, Any]
    # Of each step its hash, and when it was written.
    heads: dict[int, str] = field(default_factory=dict)
    times: dict[int, str] = field(default_factory=dict)
    broken: str = ""
    left: int = 0

    @property
    def last(self) -> int:
        return max(self.heads, default=-1)

    @property
    def until(self) -> str:
        return self.times.get(self.last, "")

    def __str__(self) -> str:
        return (
            f"{self.book.name}, {self.last} step(s), until {self.until or 'before its beginning was whole'}"
        )


class Rows(NamedTuple):
    """Rows of a step, or a part of those of a beginning: (table, row) stored, and (table, key) deleted."""

    there: list[tuple[str, dict[str, Any]]]
    gone: list[tuple[str, str]]


def checked(place: Place, book: Book) -> Checked:
    """Check a book to its end. Raises `JournalError` if it has no beginning."""
    chain, found, number = Chain(), Checked(book, {}), 0
    for file in book.files:
        with place.open_file(file) as lines:
            for number, text in enumerate(lines, start=1):
                if number == 1:
                    found.header, found.broken = _going_on(found, read_header(text, file), file)
                    if found.broken:
                        return found
                closing = CLOSING.fullmatch(text)
                if closing is None:
                    chain.add(text)
                    found.left += number > 1
                    continue
                if chain.close(begun_of(text)) != closing[3].decode() or int(closing[1]) != found.last + 1:
                    found.broken = f"{file}, line {number}: what stands before it is not as it was written."
                    return found
                found.heads[int(closing[1])], found.times[int(closing[1])] = chain.head, closing[2].decode()
                found.left = 0
    return found


def _going_on(found: Checked, header: dict[str, Any], file: str) -> tuple[dict[str, Any], str]:
    """The header of a file if it continues what was read before; else what is missing."""
    if not found.header:
        return header, "" if header["step"] == 0 and not header[
            "sha256"
        ] else f"{file}: no beginning is before it."
    if found.left:
        return header, f"{file}: the file before it breaks off."
    if (header["step"], header["sha256"]) != (found.last, found.heads.get(found.last)):
        return (
            header,
            f"{file}: it goes on from step {header['step']}, and what is before it ends at {found.last}.",
        )
    return header, ""


def steps(place: Place, book: Book, *, after: int, through: int) -> Iterator[Rows]:
    """The rows of the steps after `after`, in order; a beginning (step 0) comes in parts."""
    number, rows = 0, Rows([], [])
    for file in book.files:
        with place.open_file(file) as lines:
            next(lines)
            for text in lines:
                if closing := CLOSING.fullmatch(text):
                    if number > after:
                        yield rows
                    number, rows = int(closing[1]) + 1, Rows([], [])
                    if number > through:
                        return
                    continue
                if number <= after:
                    continue
                told = json.loads(text)
                if "row" in told:
                    rows.there.append((told["in"], told["row"]))
                else:
                    rows.gone.append((told["in"], told["gone"]))
                if not number and len(rows.there) >= MOST_ROWS:
                    yield rows
                    rows = Rows([], [])


def whole_book(place: Place, books: list[Book]) -> Checked:
    """The newest book with a complete beginning. Raises `JournalError` if there is none."""
    why = "there is no journal"
    for book in reversed(books):
        try:
            found = checked(place, book)
        except JournalError as problem:
            why = str(problem)
            continue
        if found.last >= 0 or found.broken:
            return found
        why = f"{book.name} has no whole beginning"
    raise JournalError(f"{place.said}: {why}.")


Targets = list[tuple[str, str]]


@dataclass(frozen=True)
class Found:
    """A journal that can be restored up to step `through`, checked completely."""

    place: Place
    checked: Checked
    through: int

    @property
    def until(self) -> str:
        return self.checked.times[self.through]

    @property
    def targets(self) -> Targets:
        """The migrations that its rows were stored under."""
        return sorted(self.checked.header["migrations"].items())

    def goes_on_from(self, state: JournalState | None) -> bool:
        """Whether the database is a backup of one of its steps, and only lacks later ones."""
        return (
            state is not None
            and state.book == self.checked.book.name
            and self.checked.heads.get(state.step) == state.head
            and state.step <= self.through
        )


def found_in(place: Place, *, up_to: int | None) -> Found:
    """The newest complete book of a place, checked. Raises `JournalError`, `PlaceError`; changes nothing.

    A damaged one is refused, unless it is intact up to the requested step.
    """
    checked = whole_book(place, books_in(place.names()))
    if checked.broken and (up_to is None or up_to > checked.last):
        raise JournalError(
            f"The journal is broken: {checked.broken}"
            + (
                f" It is intact up to step {checked.last}, of {checked.until}: use --up-to {checked.last}"
                if checked.heads
                else ""
            )
        )
    if up_to is not None and up_to not in checked.heads:
        raise JournalError(f"The journal has no step {up_to}: it ends at step {checked.last}.")
    if name := of_a_newer_program(checked.header["migrations"].items()):
        raise JournalError(
            f"The journal was written by a newer version of Spadille ({name}). Upgrade this one first."
        )
    return Found(place, checked, checked.last if up_to is None else up_to)


def count_missing(found: Found) -> int:
    """The number of steps that the journal has and the database lacks: its disk lost committed data.

    A step is written before the database records that; a row that is still noted as changed is not missing.
    """
    state = JournalState.objects.first()
    if state is None or not found.goes_on_from(state):
        return 0
    keys = {model._meta.db_table: model._meta.pk.attname for model in followed()}
    noted = set(ChangedRow.objects.values_list("place", "key"))
    missing = 0
    for rows in steps(found.place, found.checked.book, after=state.step, through=found.through):
        written = {(table, str(row[keys[table]])) for table, row in rows.there} | set(rows.gone)
        missing += not written <= noted
    return missing


def make_room(found: Found) -> None:
    """Empty the database and migrate it to where the rows were stored; the caller has saved the old data."""
    loader = MigrationLoader(connection)
    is_of_today = _are_of_today(found.targets)
    if is_of_today and loader.applied_migrations.keys() >= {*loader.graph.leaf_nodes()} and not holds_data():
        return
    kind_here().empty(connection)
    if is_of_today:
        with whole_or_not_at_all():
            call_command("migrate", verbosity=0, interactive=False)
    else:
        _migrate_to(found.targets)


def _are_of_today(targets: Targets) -> bool:
    """Whether these are the newest migrations of this version."""
    newest = dict(sorted(MigrationLoader(None).disk_migrations or ()))
    return newest == {app: name for app, name in targets if app in newest}


def _migrate_to(targets: Targets) -> None:
    """Migrate an empty database to the state of another version, which may be inside a squashed migration."""
    executor = MigrationExecutor(connection)
    squashed = executor.loader.replacements.values()
    if inside := [
        step.replaces[0] for step in squashed for target in targets if target in step.replaces[:-1]
    ]:
        # A database with the first of these migrations is migrated by them, one by one.
        executor.loader = MigrationLoader(connection, replace_migrations=False)
        executor.migrate(inside)
    for target in targets:
        loader = MigrationLoader(connection)
        if target[0] in loader.migrated_apps:
            call_command("migrate", *_in_the_graph(loader, target), verbosity=0, interactive=False)


def _in_the_graph(loader: MigrationLoader, target: tuple[str, str]) -> tuple[str, str]:
    """The migration itself, or the squashed one that ends with it."""
    for name, step in loader.replacements.items():
        if target == step.replaces[-1] and name in loader.graph.nodes:
            return name
    return target


def bring_back(found: Found, *, onto_backup: bool) -> int:
    """Store the rows of the journal in one transaction; returns the number of steps.

    The database is empty, or that backup. Missing files are restored. Raises `JournalError` if rows cannot be stored.
    """
    triggers.take_down()
    state = triggers.state()
    after = state.step if onto_backup else -1
    apps = _apps_of(found.targets)
    models = {model._meta.db_table: model for model in followed(apps)}
    try:
        _store_all(found, models, after)
    except (KeyError, ValueError, TypeError, ValidationError, DatabaseError) as error:
        raise JournalError(f"Its contents cannot be stored: {error!r}") from error
    triggers.begin_anew()
    _put_pictures_back(found.place)
    return found.through - after


@transaction.atomic
def _store_all(found: Found, models: dict[str, type[models.Model]], after: int) -> None:
    for table in models.keys() - data_hooks().append_only if after < 0 else ():
        models[table]._base_manager.all()._raw_delete("default")  # what migrations have put in
    for rows in steps(found.place, found.checked.book, after=after, through=found.through):
        _store(models, rows)
    _set_next_keys(models.values())
    JournalState.objects.update(installation=found.checked.header["installation"])


def _apps_of(targets: Targets) -> Apps:
    if _are_of_today(targets):
        return all_apps
    loader = MigrationLoader(connection)
    nodes = [_in_the_graph(loader, target) for target in targets]
    return loader.project_state([node for node in nodes if node in loader.graph.nodes]).apps


def _store(models: dict[str, type[models.Model]], rows: Rows) -> None:
    """Delete rows that are gone or about to be replaced, then insert: so no two rows clash meanwhile."""
    old: dict[str, list[Any]] = defaultdict(list)
    new: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for table, key in rows.gone:
        old[table].append(key)
    for table, row in rows.there:
        old[table].append(row[str(models[table]._meta.pk.column)])
        new[table].append(row)
    for table, keys in old.items():
        if table not in data_hooks().append_only:
            for some in parts(keys):
                models[table]._base_manager.filter(pk__in=some)._raw_delete("default")
    for table, there in new.items():
        model = models[table]
        ready = [model(**dict(values_of(model, row))) for row in there]
        fields = model._meta.concrete_fields
        size = connection.ops.bulk_batch_size(fields, ready)
        for first in range(0, len(ready), size):
            query = sql.InsertQuery(
                model, on_conflict=OnConflict.IGNORE if table in data_hooks().append_only else None
            )
            # As they were: no field sets itself to now.
            query.insert_values(fields, ready[first : first + size], raw=True)
            query.get_compiler(connection=connection).execute_sql()


def _set_next_keys(models: Iterable[type[models.Model]]) -> None:
    with connection.cursor() as cursor:
        for sentence in connection.ops.sequence_reset_sql(no_style(), list(models)):
            cursor.execute(sentence)


def _put_pictures_back(place: Place) -> None:
    there = set(place.names(PICTURES))
    for name in data_hooks().files():
        target = data_hooks().files_folder() / name
        if name in there and not target.exists():
            with place.open_file(f"{PICTURES}/{name}") as picture, suppress(FileNotFoundError):
                write_atomically(target, picture.read())
