"""What SQLite writes, as it writes it, and what a disk may have of it when the plug is pulled at any moment.

SQLite is given a layer of ours between itself and the system (a VFS), which writes down each write, sync, truncation
and removal before passing it on. A disk has all that was synced; of what was written since it may have anything: all,
nothing, some sectors and not others.
"""

from __future__ import annotations

import ctypes
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

SECTOR = 512  # bytes that a disk writes at once
OK = 0
WRITE, SYNC, CUT, REMOVED = "write", "sync", "cut", "removed"
POINTER = ctypes.sizeof(ctypes.c_void_p)
# Where in its structures SQLite has these functions, as sqlite3.h tells.
VFS_SIZE, VFS_NAME, VFS_OPEN, VFS_DELETE = 22 * POINTER, 3, 5, 6
METHODS_SIZE, XWRITE, XTRUNCATE, XSYNC = 19 * POINTER, 3, 4, 5
OPEN = ctypes.CFUNCTYPE(*[ctypes.c_int, *[ctypes.c_void_p] * 3, ctypes.c_int, ctypes.c_void_p])
DELETE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
WRITES = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64)
TRUNCATES = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64)
SYNCS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


class Event(NamedTuple):
    what: str
    file: str
    at: int = 0
    data: bytes = b""


class Recorder:
    """Every event since it was put between, of every database that is opened while it is."""

    def __init__(self) -> None:
        module = __import__("_sqlite3") if not hasattr(sqlite3, "_sqlite3") else sqlite3._sqlite3
        self.sqlite = ctypes.CDLL(module.__file__)
        self.sqlite.sqlite3_vfs_find.restype = ctypes.c_void_p
        self.sqlite.sqlite3_vfs_register.argtypes = [ctypes.c_void_p, ctypes.c_int]
        self.events: list[Event] = []
        self._names: dict[int, str] = {}
        self._methods: dict[int, ctypes.Array] = {}
        self._kept: list[object] = []
        self.system = self.sqlite.sqlite3_vfs_find(None)

    @contextmanager
    def between(self) -> Iterator[list[Event]]:
        own = self._like_the_systems()
        assert self.sqlite.sqlite3_vfs_register(ctypes.addressof(own), 1) == OK
        try:
            yield self.events
        finally:
            self.sqlite.sqlite3_vfs_register(self.system, 1)
            self.sqlite.sqlite3_vfs_unregister(ctypes.c_void_p(ctypes.addressof(own)))

    def _like_the_systems(self) -> ctypes.Array:
        own = _copied(self.system, VFS_SIZE)
        name = ctypes.c_char_p(b"recording")
        opens, deletes = OPEN(own[VFS_OPEN]), DELETE(own[VFS_DELETE])

        def opened(_vfs, path, file, flags, told):
            came_to = opens(self.system, path, file, flags, told)
            if came_to == OK and path:
                self._names[file] = Path(ctypes.string_at(path).decode()).name
                methods = ctypes.cast(file, ctypes.POINTER(ctypes.c_void_p))
                methods[0] = ctypes.addressof(self._recording(methods[0]))
            return came_to

        def deleted(_vfs, path, sync):
            self.events.append(Event(REMOVED, Path(ctypes.string_at(path).decode()).name))
            return deletes(self.system, path, sync)

        self._kept += [own, name, opens, deletes, opened_by := OPEN(opened), deleted_by := DELETE(deleted)]
        own[VFS_NAME] = ctypes.cast(name, ctypes.c_void_p).value
        own[VFS_OPEN], own[VFS_DELETE] = _address(opened_by), _address(deleted_by)
        return own

    def _recording(self, methods: int) -> ctypes.Array:
        if methods in self._methods:
            return self._methods[methods]
        own = _copied(methods, METHODS_SIZE)
        writes, truncates, syncs = WRITES(own[XWRITE]), TRUNCATES(own[XTRUNCATE]), SYNCS(own[XSYNC])

        def write(file, data, length, at):
            self.events.append(Event(WRITE, self._names[file], at, ctypes.string_at(data, length)))
            return writes(file, data, length, at)

        def truncate(file, size):
            self.events.append(Event(CUT, self._names[file], size))
            return truncates(file, size)

        def sync(file, flags):
            came_to = syncs(file, flags)
            self.events.append(Event(SYNC, self._names[file]))
            return came_to

        ours = WRITES(write), TRUNCATES(truncate), SYNCS(sync)
        own[XWRITE], own[XTRUNCATE], own[XSYNC] = map(_address, ours)
        self._kept += [*ours, writes, truncates, syncs]
        self._methods[methods] = own
        return own


def _copied(address: int, size: int) -> ctypes.Array:
    own = (ctypes.c_void_p * (size // POINTER))()
    ctypes.memmove(own, address, size)
    return own


def _address(function) -> int | None:
    return ctypes.cast(function, ctypes.c_void_p).value


class Disk:
    """Files as a disk may have them: what is synced, and what was written since."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.synced = {name: bytearray(data) for name, data in files.items()}
        self.since: dict[str, list[Event]] = {}

    def take(self, event: Event) -> None:
        if event.what == SYNC:
            self.synced[event.file] = _with(self.synced.get(event.file), self.since.pop(event.file, []))
        else:
            self.since.setdefault(event.file, []).append(event)

    def left(self, how: str, random: Random) -> dict[str, bytearray]:
        """The files after the plug was pulled: of what was not synced all of it, nothing, or some sectors."""
        found = {}
        for name in self.synced.keys() | self.since.keys():
            since = self.since.get(name, [])
            if how == "nothing":
                since = []
            elif how == "torn":
                since = [part for event in since for part in _sectors(event) if random.random() < 0.5]
            if since and since[-1].what == REMOVED:
                continue
            if since or name in self.synced:
                found[name] = _with(self.synced.get(name), since)
        return found


def _sectors(event: Event) -> Iterator[Event]:
    if event.what != WRITE:
        yield event
        return
    at, data = event.at, event.data
    while data:
        length = SECTOR - at % SECTOR
        yield Event(WRITE, event.file, at, data[:length])
        at, data = at + length, data[length:]


def _with(before: bytearray | None, events: Sequence[Event]) -> bytearray:
    data = bytearray(before or b"")
    for event in events:
        if event.what == WRITE:
            data.extend(bytes(max(0, event.at + len(event.data) - len(data))))
            data[event.at : event.at + len(event.data)] = event.data
        elif event.what == CUT:
            del data[event.at :]
        else:
            data.clear()
    return data


class Said(NamedTuple):
    """That so many events had been written when something was answered, and what the database held then."""

    events: int
    held: str


def wrong_after(
    base: dict[str, bytes],
    events: Sequence[Event],
    said: Sequence[Said],
    folder: Path,
    *,
    ask: str,
    every: int = 1,
    seed: int = 1,
) -> tuple[int, list[str]]:
    """Pull the plug after each event (or each `every`th, and at every sync), in three ways; open what is left.

    How often, and in words where what was answered is missing, or something is there by half. `ask` is the SQL whose
    answer is what is held.
    """
    disk, random, wrong, tried, next_seat_attribute = Disk(base), Random(seed), [], 0, 0
    for number, event in enumerate([*events, Event(SYNC, "")], start=0):
        while next_seat_attribute + 1 < len(said) and said[next_seat_attribute + 1].events <= number:
            next_seat_attribute += 1
        if number % every == 0 or event.what == SYNC:
            may_hold = {one.held for one in said[next_seat_attribute : next_seat_attribute + 2]}
            for how in ("all", "nothing", "torn"):
                tried += 1
                if found := _wrong(disk.left(how, random), folder, ask, may_hold):
                    wrong.append(f"event {number} ({event.what} {event.file}), {how} of the rest: {found}")
        if event.file:
            disk.take(event)
    return tried, wrong


def _wrong(files: dict[str, bytearray], folder: Path, ask: str, may_hold: set[str]) -> str:
    for path in folder.iterdir():
        path.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    name = min(files)  # before its -wal
    try:
        with closing(sqlite3.connect(folder / name)) as database:
            whole, held = (
                database.execute("PRAGMA quick_check(1)").fetchone()[0],
                database.execute(ask).fetchone()[0],
            )
    except sqlite3.Error as error:
        return str(error)
    return (
        whole if whole != "ok" else "" if held in may_hold else "what was answered is missing, or half there"
    )
