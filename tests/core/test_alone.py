"""`core` works without the rest of the program: every module of it can be imported while the others cannot."""

from __future__ import annotations

import subprocess
import sys

from django.conf import settings

# Optional libraries, each imported by one module that is loaded where the library is there.
PROGRAM = """
import importlib, pkgutil, sys
from pathlib import Path

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"clubs", "config", "scoring", "tournaments"}:
            raise ImportError(f"core imports {name}")

sys.meta_path.insert(0, Blocked())
import django
from django.conf import settings

settings.configure(
    SECRET_KEY="-",
    BASE_DIR=Path.cwd(),
    API_PATH="/api/",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "core"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
)
django.setup()
import core

names = [module.name for module in pkgutil.walk_packages(core.__path__, "core.")]
for name in names:
    importlib.import_module(name)
print(*names)
"""


def test_every_module_can_be_imported_without_the_other_packages():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert {"core.errors", "core.files", "core.sql"} <= set(done.stdout.split())
