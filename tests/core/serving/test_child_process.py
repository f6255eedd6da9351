"""How a process begins that works beside another."""

from __future__ import annotations

import gc
import pickle
from unittest.mock import Mock

import pytest
from django.conf import settings

from core.serving import child_process
from tournaments.exports.site import pages, pool_start

NAME = str(settings.DATABASES["default"]["NAME"])


@pytest.mark.parametrize(
    ("begin", "told", "collects"),
    [
        (child_process.begin_copied, (), True),
        (child_process.begin, (NAME,), True),
        (pool_start.begin, (NAME, pickle.dumps(())), True),
        (child_process.begin_parts, (child_process.begin_copied,), False),
        (child_process.begin_parts, (child_process.begin, NAME), False),
    ],
    ids=["copied", "by its name", "for pages", "copied, in parts", "by its name, in parts"],
)
def test_only_whoever_looks_for_garbage_behind_each_part_of_its_work_looks_for_none_meanwhile(
    begin, told, collects, monkeypatch
):
    for done, where in (
        ("end_with_parent", child_process),
        ("settle_garbage", child_process),
        ("Maker", pages),
    ):
        monkeypatch.setattr(where, done, Mock())
    monkeypatch.setattr(child_process.signal, "signal", Mock())
    monkeypatch.setattr(child_process.django, "setup", Mock())
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
