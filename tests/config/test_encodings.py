"""Every command works under any encoding of its output: letters that the encoding lacks are escaped."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest
from django.conf import settings

from clubs.accounts import full_name
from core.serving.addresses import qr_code
from tests.factories import make_tournament
from tests.kept import ON_THEIR_OWN, lay_out
from tests.patience import PATIENCE
from tests.services import free_port
from tournaments.demo import Demo
from tournaments.exports.tournament_file import export_tournament
from tournaments.management.commands.demo import ways_in
from tournaments.management.commands.serve import Command
from tournaments.models import Table, Tournament

ENCODINGS = ("ascii", "cp1252")
SHELL = ("manage.py", "shell", "--no-imports", "-c", "print('Ærø ♥')")
INSTALLED = f"""
import sys
from config import installed
installed.PROGRAM = {str(settings.BASE_DIR)!r}
sys.argv = ["spadille", "manage", *{SHELL[1:]!r}]
installed.main()
"""


@pytest.fixture(params=ENCODINGS)
def encoding(request):
    return request.param


@pytest.fixture
def ask(encoding, tmp_path):
    """Run Python in the program's folder, with standard streams of that encoding; stops the test where it fails."""
    environment = {name: value for name, value in os.environ.items() if name not in ON_THEIR_OWN}
    environment |= {
        "PYTHONIOENCODING": f"{encoding}:strict",
        "SPADILLE_DATA": str(tmp_path / "data"),
        "PORT": str(free_port()),
        "LANGUAGE_CODE": "en",
    }

    def run(*arguments, way=subprocess.run, **more):
        told = {"cwd": settings.BASE_DIR, "env": environment | more, "stdout": subprocess.PIPE}
        if way is subprocess.Popen:
            return way([sys.executable, *arguments], **told, stderr=subprocess.STDOUT)
        ran = way([sys.executable, *arguments], **told, stderr=subprocess.PIPE, check=False)
        assert ran.returncode == 0, ran.stderr.decode(encoding)
        return ran.stdout.decode(encoding)

    return run


@pytest.mark.parametrize("entry", [SHELL, ("-c", INSTALLED)], ids=["manage.py", "installed"])
def test_letters_that_the_encoding_lacks_are_spelt_out(ask, encoding, entry, tmp_path):
    lay_out(tmp_path / "data")
    said = ask(*entry)
    assert said.strip() == {"ascii": r"\xc6r\xf8 \u2665", "cp1252": r"Ærø \u2665"}[encoding]


def test_the_engines_rulebooks_are_json(ask):
    assert len(json.loads(ask("-m", "scoring", "rulebooks"))) > 5


@pytest.mark.slow
@pytest.mark.django_db
def test_a_tournament_is_taken_in_and_its_links_are_json(ask, tmp_path):
    tournament = make_tournament(8, name="Ærø ♥")
    (tmp_path / "tournament.json").write_text(export_tournament(tournament), "utf-8")
    lay_out(tmp_path / "data")
    assert ask("manage.py", "import", str(tmp_path / "tournament.json")).startswith("Imported ")
    links = json.loads(ask("manage.py", "links", "--json"))
    assert [link["name"] for link in links] == ["Ærø ♥", "Ærø ♥"]


def test_the_square_code_is_left_out_where_its_blocks_cannot_be_written(encoding, monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="cp437"))
    assert "█" in qr_code("http://192.0.2.2:8000/")
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    assert qr_code("http://192.0.2.2:8000/") == ""
    demo = Demo("alice", "a password", Tournament(), Table(secret="secret", code="ABCDEF"))
    assert "scan" not in ways_in(demo)


@pytest.mark.slow
def test_it_serves_and_says_where(ask, encoding, tmp_path):
    lay_out(tmp_path / "data")
    ask(
        *("manage.py", "first_organiser", "--club", "Stilling", "--username", "alice"),
        SPADILLE_PASSWORD="tre gode ord",
    )
    server = ask("manage.py", "serve", way=subprocess.Popen, LC_ALL="sv_SE.UTF-8", BACKUP_MINUTES="0")
    try:
        lines = iter(server.stdout.readline, b"")
        hall = next(line for line in lines if b"Salen:" in line or b"Traceback" in line).decode(encoding)
        assert hall.rstrip().endswith(
            {"ascii": r"(f\xf6r telefoner p\xe5 det h\xe4r n\xe4tet)"}.get(
                encoding, "(för telefoner på det här nätet)"
            )
        )
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE)


def test_letters_that_cannot_be_read_are_asked_for_again(monkeypatch, capsys):
    typed = iter([b"Bj\xc3\xb8rn".decode("ascii", "surrogateescape"), "Bjorn"])
    monkeypatch.setattr("builtins.input", lambda _question: next(typed))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert Command()._ask("Your name:", full_name) == "Bjorn"
    assert (
        capsys.readouterr().out == "These letters cannot be read: Python thinks this terminal uses ascii.\n"
    )
