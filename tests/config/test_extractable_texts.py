"""Every text that is looked up in the catalogue can also be found by who makes the catalogue.

It reads sources without running them: what stands in an f-string, or is put together first, it does not see. Nobody
misses such a text in a test of the catalogue, since it never gets there; it stays English on a Danish page.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from scoring import get_rulebook
from tournaments.reporting.script_text import page_words

# How many texts each of them looks up: its first arguments.
TEXTS = {"gettext": 1, "ngettext": 2, "pgettext": 2, "npgettext": 3}
KINDS = TEXTS | {f"{name}_{kind}": count for name, count in TEXTS.items() for kind in ("lazy", "noop")}
PROGRAM: list[Path] = [
    settings.BASE_DIR / name for name in ("clubs", "config", "core", "scoring", "tournaments")
]
PYTHON = [path for folder in PROGRAM for path in folder.rglob("*.py") if "migrations" not in path.parts]
# A text that was named elsewhere, where it is marked with gettext_noop, is looked up by the name that it has here.
NAMED_ELSEWHERE = (ast.Name, ast.Attribute, ast.Subscript)
SAID_BY_SCRIPTS = re.compile(r"""\bsay\(["'`](\w+)["'`]""")
IN_TEMPLATES = re.compile(r"\{% *(?:trans|translate) +(?![\"'])[^%]*%\}|[=|:]_\((?![\"'])")

OF_A_TEXT = re.compile(r"\{% blocktranslate.*?\{% endblocktranslate %\}", re.DOTALL)


def names(tree: ast.Module) -> dict[str, str]:
    """What this file calls the functions that look texts up."""
    called = {name: name for name in KINDS} | {"_": "gettext"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation":
            called |= {alias.asname or alias.name: alias.name for alias in node.names if alias.name in KINDS}
    return called


def is_found(argument: ast.expr) -> bool:
    if isinstance(argument, ast.Constant):
        return isinstance(argument.value, str)
    if isinstance(argument, ast.Call):  # _(str(problem)): what an error says is named where it is raised
        return isinstance(argument.func, ast.Name) and argument.func.id == "str"
    return isinstance(argument, NAMED_ELSEWHERE)


def unseen(source: str) -> Iterator[str]:
    """Every call that looks up a text which no catalogue will have."""
    tree = ast.parse(source)
    called = names(tree)

    def looked_up(node: ast.AST) -> list[ast.expr] | None:
        if not isinstance(node, ast.Call):
            return None
        plain = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        return node.args[: KINDS[called[plain]]] if plain in called else None

    for node in ast.walk(tree):
        inside = list(ast.walk(node))[1:] if isinstance(node, ast.JoinedStr) else []
        yield from (f"{call.lineno}: {ast.unparse(call)}" for call in inside if looked_up(call) is not None)
        arguments = looked_up(node)
        context_or_text = arguments or ([] if arguments is None else [ast.Constant(None)])
        if not all(map(is_found, context_or_text)):
            yield f"{node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('_("Deal")', True),
        ('_("Deal " "and more")', True),
        ('_("Deal %(deal)d") % {"deal": 1}', True),
        ('ngettext("deal", "deals", count)', True),
        ("_(NAMES[code]), _(problem.text), _(str(problem)), gettext_lazy(text)", True),
        ("f\"{_('Deal')} 1\"", False),
        ("f\"{name} {pgettext('cards', 'Deal')!r}\"", False),
        ("f\"{ngettext('deal', 'deals', 2)}\"", False),
        ('_(f"Deal {number}")', False),
        ('_("Deal " + number)', False),
        ('_("Deal %d" % number)', False),
        ('_("Deal {}".format(number))', False),
        ('ngettext("deal", f"{count} deals", count)', False),
        ('translation.gettext("Deal" if one else "Deals")', False),
        ('from django.utils.translation import gettext_noop as n\nn(f"{one}")', False),
        ("_()", False),
    ],
)
def test_what_is_not_extracted_is_seen(source, found):
    assert (list(unseen(source)) == []) is found


@pytest.mark.slow
def test_every_text_of_the_program_is_extracted():
    assert len(PYTHON) > 300
    assert [f"{path}:{call}" for path in PYTHON for call in unseen(path.read_text())] == []


def test_every_text_of_a_page_is_extracted():
    pages = [*(settings.BASE_DIR / "templates").rglob("*.html")]
    assert len(pages) > 100
    assert [(page.name, found) for page in pages for found in IN_TEMPLATES.findall(page.read_text())] == []


def test_quotation_marks_are_those_of_the_reader():
    """“So” in English and Danish, ”so” in Swedish: what somebody wrote goes through `quoted`."""
    pages = [*(settings.BASE_DIR / "templates").rglob("*.html")]
    said = [
        path
        for path in PYTHON
        if path.relative_to(settings.BASE_DIR).parts[0] in ("clubs", "core", "tournaments")
    ]
    assert [page.name for page in pages if "“{{" in OF_A_TEXT.sub("", page.read_text("utf-8"))] == []
    assert [path.name for path in said if re.search(r"""f["'][^"'\n]*“\{""", path.read_text("utf-8"))] == []


def test_the_captains_scripts_say_nothing_but_what_the_page_gives_them():
    scripts = (settings.BASE_DIR / "static/js/captain").glob("*.js")
    said = {name for script in scripts for name in SAID_BY_SCRIPTS.findall(script.read_text())}
    assert len(said) > 50
    assert sorted(said - page_words(get_rulebook("union"), fixed=False).keys()) == []
