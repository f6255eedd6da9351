"""A published site on another machine: by SFTP only what changed, by rsync, and nobody else's folder is emptied."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import paramiko
import pytest
from django.db.models import F
from django.utils import timezone

from tests.services import free_port
from tests.tournaments.exports.site.conftest import ENGLISH
from tests.tournaments.exports.site.crawling import dead_links
from tests.tournaments.running.sftp_server import Machine
from tournaments.exports.site.addresses import Kept, write_kept
from tournaments.exports.site.publishing import publish
from tournaments.exports.site.remote_copy import COPIED, MARK, CannotCopy, Place, copied_to, place_named
from tournaments.models import Tournament


@pytest.mark.django_db
def test_a_site_is_copied_by_sftp_and_then_only_what_changed(site, evenings, tmp_path, monkeypatch):
    key, there = paramiko.ECDSAKey.generate(), tmp_path / "machine" / "www"
    there.mkdir(parents=True)
    home = tmp_path / "home" / ".ssh"
    home.mkdir(parents=True)
    key.write_private_key_file(str(home / "id_ecdsa"))
    monkeypatch.setenv("HOME", str(home.parent))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    machine = Machine(tmp_path / "machine", key)
    known = f"[127.0.0.1]:{machine.port} {machine.key.get_name()} {machine.key.get_base64()}\n"
    (home / "known_hosts").write_text(known)
    place = Place(site, f"sftp://bob@127.0.0.1:{machine.port}/www")
    try:
        here = {
            path.relative_to(site) for path in site.rglob("*") if path.is_file() and path.parts[-1][0] != "."
        }
        assert copied_to(place) == f"{len(here)} files copied to {place.away}."
        assert {path.relative_to(there) for path in there.rglob("*") if path.is_file()} == here | {
            Path(COPIED)
        }
        assert copied_to(place) == f"{place.away} is as it was."
        Tournament.objects.filter(pk=evenings[1].pk).update(
            called_off_at=timezone.now(), version=F("version") + 1
        )
        publish(site, ENGLISH)
        copied_to(place)
        assert dead_links(there) == []
        assert not (there / "t" / evenings[1].code / "index.html").exists()
        with pytest.raises(CannotCopy):
            copied_to(Place(site, "sftp://bob@127.0.0.1:1/www"))
    finally:
        machine.close()


def test_what_is_named_to_copy_to_is_a_folder_or_a_machine(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _name: "/usr/bin/rsync")
    away = {
        to: place_named(to).away for to in ("www", "/srv/www", "a@b.example:www", "rsync://b/www", "-e:sh")
    }
    assert away == {"www": "", "/srv/www": "", "a@b.example:www": "a@b.example:www", "rsync://b/www": "rsync://b/www",
                    "-e:sh": "-e:sh"}  # fmt: skip
    for nowhere in (
        "a@b:", "bb:/", "bb:~", "bb:~/", "bb:~bob/.", "bb:./", "bb:www/..", "bb::", "a@[::1]:", "rsync://b", "rsync://b/",
    ):  # fmt: skip
        with pytest.raises(CannotCopy, match="names no folder"):
            place_named(nowhere)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(CannotCopy, match="rsync is not installed"):
        place_named("a@b.example:www")


@pytest.mark.parametrize(
    ("there", "status", "problem"),
    [
        ("", 0, None),
        ("index.html\nspadille-site.txt", 0, None),
        ("my letters", 0, "would be deleted"),
        ("not spadille-site.txt", 0, "would be deleted"),
        ("link_stat failed: No such file or directory (2)", 23, None),
        ("change_dir failed: Permission denied (13)", 23, "denied"),
        ("no such machine", 255, "no such machine"),
    ],
)
def test_rsync_empties_no_folder_that_is_somebody_elses(tmp_path, monkeypatch, there, status, problem):
    asked = []

    def run(told, **_options):
        asked.append(told[1:])
        if len(asked) > 1:
            return SimpleNamespace(returncode=0, stdout="", stderr="")
        lines = [f"-rw-r--r--  1,024 2026/11/23 12:00:00 {name}" for name in (".", *there.splitlines())]
        said = {"stdout": "", "stderr": there} if status else {"stdout": "\n".join(lines), "stderr": ""}
        return SimpleNamespace(returncode=status, **said)

    monkeypatch.setattr(subprocess, "run", run)
    place = Place(tmp_path, "-e:sh")
    if problem:
        with pytest.raises(CannotCopy, match=problem):
            copied_to(place)
    else:
        assert copied_to(place) == "Copied to -e:sh."
    # Nothing that is named is an option, and the mark is there before anything else.
    sent = [["--", str(tmp_path / MARK), "-e:sh/"], ["--", f"{tmp_path}/", "-e:sh/"]]
    assert [told[-3:] for told in asked[1:]] == ([] if problem else sent)


# What an own rsync of the machine serves: a folder that may be written, and a greeting that is no file of it.
DAEMON = """
port = {port}
address = 127.0.0.1
use chroot = no
uid = {user}
gid = {group}
motd file = {folder}/motd
[www]
path = {folder}/www
read only = no
"""


def answers(port):
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def daemon(tmp_path):
    """(address, folder) of rsync's own server, begun for a test."""
    folder, port = tmp_path / "daemon", free_port()
    (folder / "www").mkdir(parents=True)
    (folder / "motd").write_text("Welcome\nto this machine\n")
    (folder / "conf").write_text(DAEMON.format(port=port, folder=folder, user=os.getuid(), group=os.getgid()))
    rsync = shutil.which("rsync")
    assert rsync, "make test installs it"
    told = [rsync, "--daemon", "--no-detach", f"--config={folder}/conf", f"--log-file={folder}/log"]
    with subprocess.Popen(told) as process:
        while not answers(port):
            assert process.poll() is None, (folder / "log").read_text()
            time.sleep(0.02)
        yield f"rsync://127.0.0.1:{port}/www", folder / "www"
        process.terminate()


def test_rsync_itself_brings_a_site_leaves_what_is_somebody_elses_and_says_what_it_cannot(daemon, tmp_path):
    address, there = daemon
    here = tmp_path / "site"

    def told(files):
        shutil.rmtree(here, ignore_errors=True)
        for name, text in files.items():
            (here / name).parent.mkdir(parents=True, exist_ok=True)
            (here / name).write_text(text)
        write_kept(here, {"": Kept(others=files)})

    def lies(folder):
        found = {path for path in folder.rglob("*") if path.is_file()}
        return {path.relative_to(folder).as_posix(): path.read_text() for path in found if path.name != MARK}

    place = Place(here, f"{address}/site")
    for files in (
        {"index.html": "one", "t/A/index.html": "x", "æ ø '/index.html": "odd"},
        {"index.html": "two", "t/B/index.html": "y"},
    ):
        told(files)
        assert copied_to(place) == f"Copied to {place.away}."
        assert lies(there / "site") == files
    assert (there / "site/t/B/index.html").stat().st_mode & 0o777 == 0o644
    (there / "mine").mkdir()
    (there / "mine/letter").write_text("mine")
    with pytest.raises(CannotCopy, match="would be deleted"):
        copied_to(Place(here, f"{address}/mine"))
    assert lies(there / "mine") == {"letter": "mine"}
    with pytest.raises(CannotCopy, match="Unknown module"):
        copied_to(Place(here, f"{address}er/site"))
