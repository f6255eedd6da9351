"""Serving a hall from a terminal: what the organiser types to begin and to end."""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError

from clubs.accounts import user_name_of
from clubs.models import Account
from core import platform
from core.serving import addresses, data_lock, options
from tests.bench.stage import family, memory, running, wait_for
from tests.factories import make_tournament
from tests.kept import lay_out
from tests.patience import PATIENCE, wait_until
from tests.services import free_port
from tournaments.exports.tournament_file import export_tournament
from tournaments.management.commands import serve


@pytest.fixture(autouse=True)
def _no_other_database(monkeypatch):
    """What is started here works on its own folder, whatever the tests run on."""
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("CACHE_URL", raising=False)


@pytest.fixture
def typed(monkeypatch):
    """Give answers at the terminal, in turn; gives what was not asked for."""

    def answer(*lines: str) -> list[str]:
        waiting = list(lines)
        monkeypatch.setattr("builtins.input", lambda _question: waiting.pop(0))
        monkeypatch.setattr("getpass.getpass", lambda _question: waiting.pop(0))
        return waiting

    return answer


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (["Stilling", "Anna Holm", "anna", "tre gode ord", "tre gode ord"], []),
        (
            ["", "Stilling", "Anna Holm", "anna", "tre gode ord", "tre gode ord"],
            ["Type the name of the club."],
        ),
        (["Stilling", "Anna Holm", "", "tre gode ord", "tre gode ord"], []),
        (["Stilling", " ", "Anna Holm", "anna", "tre gode ord", "tre gode ord"], ["Type your name."]),
        (
            ["Stilling", "Anna Holm", "anna holm", "anna", "tre gode ord", "tre gode ord"],
            ["Enter a valid username"],
        ),
        (
            ["Stilling", "Anna Holm", "anna", "kort", "tre gode ord", "tre gode ord"],
            ["at least 10 characters"],
        ),
        (
            ["Stilling", "Anna Holm", "anna", "tre gode ord", "tre gode or", "tre gode ord", "tre gode ord"],
            ["not the same"],
        ),
    ],
    ids=[
        "all is right",
        "no club",
        "the user name that is proposed",
        "no name",
        "a user name with a space",
        "a short password",
        "two passwords",
    ],
)
def test_only_the_answer_that_was_wrong_is_asked_for_again(db, typed, capsys, lines, wrong) -> None:
    waiting = typed(*lines)
    serve.Command().ask_first_organiser()
    assert waiting == []
    assert all(text in capsys.readouterr().out for text in wrong)
    account = Account.objects.get()
    assert (account.username, account.check_password("tre gode ord")) == ("anna", True)
    assert str(account) == "Anna Holm"
    assert account.roles.get().club.name == "Stilling"


@pytest.mark.parametrize(
    ("name", "proposed"), [("Anna Holm", "anna"), ("Søren Ærø", "soeren"), ("Åse", "aase"), ("山田 太郎", "")]
)
def test_a_user_name_is_proposed_that_can_be_typed(name, proposed):
    assert user_name_of(name) == proposed


@pytest.mark.parametrize(
    ("terminal", "language"),
    [
        ({"LANG": "da_DK.UTF-8"}, "da"),
        ({"LANG": "da_DK.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_first_start_speaks_the_terminals_language(monkeypatch, terminal, language) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in terminal.items():
        monkeypatch.setenv(name, value)
    assert serve.terminal_language() == language


@pytest.mark.parametrize("stop", [KeyboardInterrupt, EOFError], ids=["Ctrl-C", "Ctrl-D"])
def test_stopping_at_a_question_stores_nothing_and_says_so(db, monkeypatch, stop) -> None:
    def stopped(_question: str) -> str:
        raise stop

    monkeypatch.setattr("builtins.input", stopped)
    with pytest.raises(CommandError, match="Nothing has been saved;"):
        serve.Command().ask_first_organiser()
    assert not Account.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize("command", [["verify"], ["links"], ["export", "ABCDEF"], ["changepassword", "anna"]])
def test_a_command_says_that_the_folder_it_was_given_is_empty_and_leaves_no_database(
    tmp_path, command
) -> None:
    asked = subprocess.run(
        [sys.executable, "manage.py", *command],
        check=False,
        cwd=settings.BASE_DIR,
        env=os.environ | {"SPADILLE_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert asked.returncode == 1
    assert asked.stderr.startswith(f"CommandError: There is no Spadille data in {tmp_path}.")
    assert not list(tmp_path.glob("*.sqlite3*"))


@pytest.mark.slow
def test_a_tournament_is_taken_into_an_empty_folder(club, tmp_path) -> None:
    tournament = make_tournament(4, club=club)
    text = export_tournament(tournament)
    file, folder = tmp_path / "evening.json", tmp_path / "empty"
    file.write_text(text)
    said = [
        subprocess.run(
            [sys.executable, "manage.py", *command],
            check=True,
            cwd=settings.BASE_DIR,
            env=os.environ | {"SPADILLE_DATA": str(folder)},
            capture_output=True,
            text=True,
        ).stdout
        for command in (["import", str(file)], ["export", tournament.code])
    ]
    assert said == [f"Imported {tournament.name} ({tournament.code}).\n", text]


@pytest.fixture
def club_folder(tmp_path: Path) -> dict[str, str]:
    """The environment of a data folder whose first organiser has been asked for already."""
    environment = os.environ | {"SPADILLE_DATA": str(lay_out(tmp_path)), "PORT": str(free_port())}
    subprocess.run(
        [sys.executable, "manage.py", "first_organiser", "--club", "Stilling", "--username", "alice"],
        cwd=settings.BASE_DIR,
        env=environment | {"SPADILLE_PASSWORD": "tre gode ord"},
        check=True,
        capture_output=True,
    )
    return environment


@pytest.mark.parametrize(("cores", "processes"), [(1, 2), (2, 2), (3, 3), (4, 4), (64, 4)])
def test_pages_have_a_process_for_each_core_two_at_least_and_four_at_most(
    monkeypatch, cores, processes
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _process: set(range(cores)))
    assert options.processes() == processes


@pytest.mark.parametrize(
    ("allowed", "asked"),
    [
        ((1024, 1_048_576), (8192, 1_048_576)),
        ((1024, resource.RLIM_INFINITY), (8192, resource.RLIM_INFINITY)),
        ((1024, 4096), (4096, 4096)),
        ((65536, 65536), None),
        ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), None),
    ],
)
def test_a_process_may_hold_a_connection_for_each_phone_in_the_hall(monkeypatch, allowed, asked) -> None:
    told = []
    monkeypatch.setattr("resource.getrlimit", lambda _what: allowed)
    monkeypatch.setattr("resource.setrlimit", lambda _what, limits: told.append(limits))
    platform.allow_files(2 * options.MOST_CONNECTIONS)
    assert told == ([asked] if asked else [])


def named(server: int, name: str) -> list[int]:
    """The processes of a server that are called so."""
    found = []
    for one in family(server):
        with suppress(OSError):  # it has ended just now
            if Path(f"/proc/{one}/comm").read_text().strip() == name:
                found.append(one)
    return found


@pytest.mark.slow
def test_ctrl_c_at_the_terminal_stops_all_that_serves_and_nothing_was_warned_of(club_folder) -> None:
    server = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--host", "127.0.0.1"],
        cwd=settings.BASE_DIR,
        env=club_folder | {"PYTHONWARNINGS": "always"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        wait_for(f"http://127.0.0.1:{club_folder['PORT']}")
        said = b""
        # It is told once the server has been heard to answer, by a thread of its own.
        while b"Ctrl-C" not in said and (line := server.stdout.readline()):
            said += line
        # The process that printed the addresses has ended by then.
        wait_until(
            lambda: (
                len(family(server.pid)) == 1 + options.processes() + 2
                and named(server.pid, "spadille-backup")
            )
        )
        held = memory(server.pid)
        # Again and again, as whoever sees nothing happen does.
        for _time in range(3):
            os.killpg(server.pid, signal.SIGINT)
            time.sleep(0.02)
        # The pipe ends when the last process that holds it has ended: pages, sheets and all.
        said += server.communicate(timeout=PATIENCE)[0]
    finally:
        server.kill()
    assert server.returncode == 0
    assert held < 192
    *_lines, desk, only_here, stop = said.decode().splitlines()
    assert desk == f"The desk:  http://localhost:{club_folder['PORT']}/desk/"
    assert (only_here, stop) == (
        "Only this computer can reach it. Start without --host to let phones in too.",
        "Stop with Ctrl-C.",
    )
    assert "Warning" not in said.decode()


@pytest.mark.slow
def test_nobody_serves_a_folder_while_a_backup_is_restored_in_it(club_folder, settings) -> None:
    settings.DATA_DIR = Path(club_folder["SPADILLE_DATA"])
    with data_lock.nobody_serves():
        told = subprocess.run(
            [sys.executable, "manage.py", "serve", "--host", "127.0.0.1"],
            check=False,
            cwd=settings.BASE_DIR,
            env=club_folder,
            capture_output=True,
            text=True,
        )
    refused = "CommandError: A backup is being restored in this data folder. Wait until it is done.\n"
    assert (told.returncode, told.stdout, told.stderr) == (1, "", refused)


@pytest.mark.slow
def test_a_process_for_pages_that_was_killed_is_there_again_and_all_of_them_end_with_the_first(
    club_folder,
) -> None:
    with running(club_folder["SPADILLE_DATA"], BACKUP_MINUTES="0") as (address, server):
        first = named(server, "spadille-pages")
        for one in first:
            os.kill(one, signal.SIGKILL)
        wait_for(address)
        wait_until(
            lambda: (
                len(second := named(server, "spadille-pages")) >= len(first) and not set(first) & set(second)
            )
        )
        left = [os.pidfd_open(one) for one in family(server)[1:]]
        os.kill(server, signal.SIGKILL)
        assert all(select.select([one], [], [], PATIENCE)[0] for one in left)


@pytest.mark.slow
def test_jobs_that_were_killed_are_there_again_and_hold_nobodys_connections(club_folder) -> None:
    with running(club_folder["SPADILLE_DATA"], BACKUP_MINUTES="0") as (address, server):
        first = wait_until(lambda: named(server, "spadille-jobs"))
        os.kill(first[0], signal.SIGKILL)
        second = wait_until(lambda: [one for one in named(server, "spadille-jobs") if one not in first])
        wait_for(address)
        assert not sockets(second[0]) & sockets(server)


def sockets(process: int) -> set[str]:
    """What sockets a process has open."""
    files = [str(file.readlink()) for file in Path(f"/proc/{process}/fd").iterdir() if file.is_symlink()]
    return {file for file in files if file.startswith("socket:")}


SETTLED = """
import gc, os, sys
os.environ.pop("DATABASE_URL", None)
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
from core.serving.options import load_application
load_application(["jobs", "backup", "journal"])
from django.db import connection
from django.urls import reverse
from core.platform import may_copy
print(may_copy(), connection.connection, reverse("home"))
print(gc.isenabled(), gc.get_freeze_count() > 50_000)
print({"tournaments.reporting.captain_page", "tournaments.management.commands.jobs"} <= set(sys.modules))
large = "redis psycopg openpyxl icalendar markdown_it weasyprint pikepdf pydantic zxingcpp".split()
print(*set(large) & set(sys.modules))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cache", "libraries"), [("", b""), ("redis://localhost:1", b"redis")], ids=["in files", "redis"]
)
def test_who_is_forked_has_read_all_its_pages_but_no_large_library_and_has_no_threads(
    cache, libraries
) -> None:
    environment = os.environ | {"CACHE_URL": cache}
    told = subprocess.run(
        [sys.executable, "-c", SETTLED], stdout=subprocess.PIPE, check=True, env=environment
    )
    assert told.stdout == b"True None /\nTrue True\nTrue\n" + libraries + b"\n"


SPAWNED = """
import sys
from core import platform
platform.FORKS = platform.COPIES = False
from core.serving.server import serve
if __name__ == "__main__":
    serve("127.0.0.1", "it answers\\n")
"""


@pytest.mark.slow
def test_where_no_process_can_be_forked_uvicorn_serves_alone(club_folder, tmp_path) -> None:
    """As on Windows: each process reads the program by itself, and what runs beside them is a command of its own."""
    script = tmp_path / "spawned.py"
    script.write_text(SPAWNED)
    server = subprocess.Popen(
        [sys.executable, script],
        cwd=settings.BASE_DIR,
        env=club_folder | {"DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(settings.BASE_DIR)},
        stdout=subprocess.PIPE,
    )
    try:
        wait_for(f"http://127.0.0.1:{club_folder['PORT']}")
        assert server.stdout.readline() == b"it answers\n"
        wait_until(
            lambda: any(b"jobs" in Path(f"/proc/{one}/cmdline").read_bytes() for one in family(server.pid))
        )
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) == 0
    finally:
        server.kill()
        server.stdout.close()


def test_the_links_have_the_port_that_the_folder_is_served_on(settings, tmp_path, monkeypatch) -> None:
    settings.DATA_DIR, settings.PORT = tmp_path, 8000
    monkeypatch.delenv("PORT", raising=False)
    (tmp_path / "port").write_text("9005")
    assert data_lock.served_port() == 8000  # nobody serves: what was served before says nothing
    with data_lock.somebody_serves():
        assert data_lock.served_port() == 9005
        assert addresses.hall_address(data_lock.served_port()).endswith(":9005")
        monkeypatch.setenv("PORT", "8000")
        assert data_lock.served_port() == 8000  # asked for
