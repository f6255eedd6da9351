"""How a process begins that works beside another."""

from __future__ import annotations

import gc
import pickle
from unittest.mock import Mock

import pytest
from django.conf import settings

from core import processes
from tournaments.exports.site import pages, pool_start

NAME = str(settings.DATABASES["default"]["NAME"])


@pytest.mark.parametrize(
    ("begin", "told", "collects"),
    [
        (processes.begin_copied, (), True),
        (processes.begin, (NAME,), True),
        (pool_start.begin, (NAME, pickle.dumps(())), True),
        (processes.begin_parts, (processes.begin_copied,), False),
        (processes.begin_parts, (processes.begin, NAME), False),
    ],
    ids=["copied", "by its name", "for pages", "copied, in parts", "by its name, in parts"],
)
def test_only_whoever_looks_for_garbage_behind_each_part_of_its_work_looks_for_none_meanwhile(
    begin, told, collects, monkeypatch
):
    for done, where in (
        ("end_with_parent", processes),
        ("settle_garbage", processes),
        ("Maker", pages),
    ):
        monkeypatch.setattr(where, done, Mock())
    monkeypatch.setattr(processes.signal, "signal", Mock())
    monkeypatch.setattr(processes.django, "setup", Mock())
    monkeypatch.setattr(pages, "maker", None)
    for setting in (settings.DATABASES["default"], settings.CACHES):
        kept = dict(setting)
        for key, value in kept.items():
            monkeypatch.setitem(setting, key, value)
    was_on = gc.isenabled()
    gc.enable()
    try:
        begin(*told)
        assert gc.isenabled() is collects
    finally:
        (gc.enable if was_on else gc.disable)()
