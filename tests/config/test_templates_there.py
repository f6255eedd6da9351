"""Every template that the program or another template names is there."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

NAMED = re.compile(r"""["']([\w/{}-]+\.html(?:#\w+)?)["']""")
FOLDERS = ("clubs", "config", "core", "templates", "tournaments")


def named():
    """File and a template that it names; one that is put together has `{…}` where anything may stand."""
    for folder in FOLDERS:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.suffix in (".py", ".html"):
                for name in sorted(set(NAMED.findall(path.read_text()))):
                    yield str(path.relative_to(settings.BASE_DIR)), name


def is_there(name):
    if "{" in name:
        pattern = re.sub(r"\{\w+\}", "*", name)
        return any(Path(settings.BASE_DIR / "templates").glob(pattern))
    try:
        return bool(get_template(name))
    except TemplateDoesNotExist:
        return False


def test_every_template_that_is_named_is_there():
    found = list(named())
    assert len(found) > 100
    assert [(file, name) for file, name in found if not is_there(name)] == []
