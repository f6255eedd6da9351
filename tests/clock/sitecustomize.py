"""Sets the clock of each Python process that has this folder in its PYTHONPATH, and the times of files with it.

TESTS_CLOCK_AHEAD is how many seconds it is ahead. It ticks on from there, and a file that is written now is of now.
See `tests.later`.
"""

import os
import time

import time_machine

TIMES = ("st_atime", "st_mtime", "st_ctime")


def set_clock(ahead: int) -> None:
    time_machine.travel(time.time() + ahead).start()
    time.time()  # it ticks from when it is first read: else a file would be newer than now
    os.stat, os.lstat, os.fstat = (_read_ahead(read, ahead) for read in (os.stat, os.lstat, os.fstat))
    os.utime = _write_behind(os.utime, ahead)


def _read_ahead(read, ahead):
    """`read`, which returns a stat_result, with the file's times so many seconds later."""

    def stat(*args, **kwargs):
        result = read(*args, **kwargs)
        fields = {name: getattr(result, name) for name in dir(result) if name.startswith("st_")}
        for name in TIMES:
            fields[name] += ahead
            fields[f"{name}_ns"] += ahead * 10**9
        return os.stat_result([*result[:7], *(int(fields[name]) for name in TIMES)], fields)

    return stat


def _write_behind(write, ahead):
    """`write`, which sets a file's times, given times that are so many seconds later."""

    def utime(path, times=None, *, ns=None, **kwargs):
        if ns is not None:
            return write(path, ns=tuple(moment - ahead * 10**9 for moment in ns), **kwargs)
        return write(path, times and tuple(moment - ahead for moment in times), **kwargs)

    return utime


if seconds := os.environ.get("TESTS_CLOCK_AHEAD"):
    set_clock(int(seconds))
