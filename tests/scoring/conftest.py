"""The engine knows no settings, so that its many small tests need none put right."""

import io
import sys

import pytest

from scoring.__main__ import main


@pytest.fixture(autouse=True)
def _plain_settings():
    """In place of the one for tests of the site."""


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a command on some input; gives the exit status, what was printed and what was complained."""

    def run(*argv, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        status = main(list(argv))
        return status, *capsys.readouterr()

    return run
