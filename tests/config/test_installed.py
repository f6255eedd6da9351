"""The package: one name in an environment, one command, all of the program in it."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from pathlib import Path

import pytest
from django.conf import settings

from config import command
from config.command import Commands
from config.installed import COMMANDS
from config.version import VERSION
from tests.bench.stage import wait_for
from tests.kept import lay_out
from tests.patience import PATIENCE
from tests.services import free_port

ROOT = Path(settings.BASE_DIR)
HELD = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"][
    "force-include"
]
NOT_THEIRS = ("DATABASE_URL", "CACHE_URL", "DJANGO_SETTINGS_MODULE", "SPADILLE_DATA")


def tracked(path):
    told = subprocess.run(
        ["git", "ls-files", path], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return told.splitlines()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built as `make wheel` does, without the network."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", folder, ROOT], check=True)
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Into an empty folder; what it needs is that of the tests. Gives a way to ask the command, from elsewhere."""
    place, elsewhere = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("elsewhere")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*command, "--target", place, wheel], check=True, stderr=subprocess.DEVNULL)
    environment = {name: value for name, value in os.environ.items() if name not in NOT_THEIRS}
    environment |= {"PYTHONPATH": str(place), "XDG_DATA_HOME": str(elsewhere / "users")}

    def spadille(*arguments, ask=subprocess.run, **more):
        told = {"cwd": elsewhere, "env": environment | more, "text": True}
        streams = {"capture_output": True} if ask is subprocess.run else {"stdout": subprocess.DEVNULL}
        return ask([place / "bin/spadille", *arguments], **told, **streams)

    return spadille


def test_every_command_of_ours_is_one_of_the_packages():
    folders = (ROOT / app / "management/commands" for app in ("core", "tournaments"))
    ours = {path.stem for folder in folders for path in folder.glob("[a-z]*.py")}
    assert {*COMMANDS} == ours | {"check"}


def test_no_command_of_ours_waits_for_the_checks():
    """They read every page; nobody who verifies or restores needs one."""
    find = Commands(["manage.py"]).fetch_command
    assert [name for name in COMMANDS if find(name).requires_system_checks] == []
    assert find("dumpdata").requires_system_checks == "__all__"


BEGUN = """
import gc, os, sys
os.environ.pop("DATABASE_URL", None)
from config import command
find = command.Commands.fetch_command
def found(*told):
    find(*told)
    print(gc.isenabled(), len(gc.get_objects()) < 50_000 < gc.get_freeze_count(), "psycopg" in sys.modules)
    sys.exit()
command.Commands.fetch_command = found
command.run(["manage.py", "verify"])
"""


def test_a_command_looks_for_no_garbage_in_what_has_been_read_and_reads_nothing_of_another_database():
    told = subprocess.run([sys.executable, "-c", BEGUN], cwd=ROOT, capture_output=True, check=True)
    assert told.stdout == b"True True False\n"


def test_ctrl_c_while_settings_are_read_ends_a_command_without_a_word(monkeypatch):
    class Stopped:
        @property
        def configured(self):
            raise KeyboardInterrupt

    monkeypatch.setattr(command, "settings", Stopped())
    with pytest.raises(SystemExit) as ended:
        command.run(["manage.py", "verify"])
    gc.enable()
    assert ended.value.code == 130


@pytest.mark.slow
def test_the_wheel_has_one_name_and_all_of_the_program(wheel):
    assert wheel.name == f"spadille-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
    assert {name.partition("/")[0] for name in names} == {"spadille", f"spadille-{VERSION}.dist-info"}
    wanted = {path.replace(held, put, 1) for held, put in HELD.items() for path in tracked(held)}
    assert wanted - names == set()
    assert len([name for name in names if "/licenses/" in name]) == 3
    loose = {path.partition("/")[0] for path in tracked("*/__init__.py")} - {"tests"}
    assert loose - HELD.keys() == set(), "new packages: what is theirs goes into the wheel too"


@pytest.mark.slow
def test_the_installed_command_says_what_it_is_and_serves_on_the_users_own_folder(installed, tmp_path):
    assert installed("--version").stdout.startswith(f"Spadille {VERSION} (")
    nothing = installed("nothing")
    assert (nothing.returncode, nothing.stdout) == (2, "")
    assert "no command “nothing”" in nothing.stderr
    assert f"The data lie in {tmp_path}/spadille." in installed(XDG_DATA_HOME=str(tmp_path)).stdout
    folder = str(lay_out(tmp_path / "served"))
    first = ("first_organiser", "--club", "Stilling", "--username", "alice")
    assert installed("--data", folder, *first, SPADILLE_PASSWORD="tre gode ord").stderr == ""
    checked = installed("--data", folder, "check")
    assert checked.stdout == "System check identified no issues (0 silenced).\n"
    told, port = ("--data", folder, "serve", "--host", "127.0.0.1"), str(free_port())
    server = installed(*told, ask=subprocess.Popen, PORT=port, BACKUP_MINUTES="0")
    try:
        wait_for(f"http://127.0.0.1:{port}")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/clubs/login/") as page:
            shown = page.read().decode()
        assert f"spadille --data {folder} changepassword anna" in shown
    finally:
        server.terminate()
        server.wait(PATIENCE)
