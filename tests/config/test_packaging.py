"""The Debian package and the container: what they are made of says the same, and their settings are those there are.

That they install, serve, upgrade and go again is proven by `.ci/bare-package`, in systems that have nothing else.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.metadata import distributions
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from core.management.commands.notices import in_words, notices

ROOT = Path(__file__).parents[2]
DEBIAN = ROOT / ".package/debian"
PROVED = (ROOT / ".ci/bare-package").read_text("utf-8")
MADE = (ROOT / ".package/deb").read_text("utf-8")
# They say which licence they have, and bring no text of it.
WITHOUT_TEXT = {"dj-email-url", "tdewolff-minify"}


def loaded(path: Path):
    """A command of ours, as a module: its name has no ending."""
    loader = SourceFileLoader(path.name.replace("-", "_"), str(path))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def of_unit(name: str) -> list[str]:
    return re.findall(rf"^{name}=(.*)$", (DEBIAN / "spadille.service").read_text("utf-8"), re.MULTILINE)


@pytest.fixture(scope="module")
def container() -> list[tuple[str, str]]:
    """The steps of the Containerfile that leads to what is run, and of those before it."""
    lines = (ROOT / "Containerfile").read_text("utf-8").splitlines()
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines if line and line[0] != "#"]


def test_what_the_container_runs_to_be_made_is_what_is_run_in_bare_roots(container):
    (made, user, installed) = (said for step, said in container if step == "RUN")
    assert made == "/srv/spadille/.package/build"
    assert f'inside "$root" {made}\n' in PROVED
    assert user.startswith("useradd --system --uid 970 --user-group --home-dir /var/lib/spadille ")
    script, package, client, *cleaning = shlex.split(installed)
    assert (script, package) == ("/srv/packages/install", "/srv/packages/*.deb")
    assert client == "postgresql-client"  # its pg_dump makes the backups
    assert f'install=(inside "$root" {script})' in PROVED
    assert cleaning == ["&&", "rm", "-r", "/srv/packages", "/var/lib/apt/lists/*"]
    # What is laid out is the same there.
    copied = [said.split() for step, said in container if step == "COPY"]
    assert copied == [
        [".", "/srv/spadille"],
        ["--from=made", "/srv/spadille/dist/*.deb", "/srv/spadille/.package/install", "/srv/packages/"],
    ]
    assert '"$here/.package/install" "$root/srv/packages"' in PROVED


def test_the_container_runs_as_the_unit_does(container):
    said = dict(container)
    environment = dict(part.split("=", 1) for part in said["ENV"].split())
    assert f"SPADILLE_DATA={environment['SPADILLE_DATA']}" in of_unit("Environment")
    assert said["VOLUME"] == said["WORKDIR"] == environment["SPADILLE_DATA"] == of_unit("WorkingDirectory")[0]
    assert said["VOLUME"] == "/var/lib/" + of_unit("StateDirectory")[0]
    assert [said["USER"]] == of_unit("User") == of_unit("Group")
    assert said["EXPOSE"] == environment["PORT"] == "8000"
    started = json.loads(said["ENTRYPOINT"]) + json.loads(said["CMD"])
    assert " ".join(started[:2]) == of_unit("ExecStart")[0]
    healthy = json.loads(said["HEALTHCHECK"].partition("CMD ")[2])
    assert healthy == ["/usr/lib/spadille/bin/healthy"]
    assert '"$package/debian/"{spadille,healthy} "$venv/bin"' in MADE
    ignored = (ROOT / ".containerignore").read_text("utf-8")
    assert (ROOT / ".dockerignore").read_text("utf-8") == ignored
    assert {".git", "data", "dist", ".venv*"} < set(ignored.splitlines())


def test_the_debian_package_needs_what_make_installs():
    needed = re.findall(r"^RUN_PACKAGES := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)[
        0
    ].split()
    depends = re.findall(r"^Depends: (.*)$", (DEBIAN / "control").read_text("utf-8"), re.MULTILINE)[0]
    assert {*needed} - {"python3-venv"} < set(depends.split(", "))


def test_the_packages_settings_are_all_there_are_and_none_is_said():
    table = ROOT / "docs/reference/settings.md"
    told = subprocess.run(
        [sys.executable, ROOT / ".package/settings", table], check=True, capture_output=True, text=True
    ).stdout
    there = re.findall(r"^\| `([A-Z_]+)` \|", table.read_text("utf-8"), re.MULTILINE)
    assert re.findall(r"^#([A-Z_]+)=$", told, re.MULTILINE) == [
        name for name in there if name not in ("SPADILLE_COMMAND", "SPADILLE_DATA")
    ]
    assert [line for line in told.splitlines() if line and line[0] != "#"] == []
    assert max(map(len, told.splitlines())) <= 110


def test_the_services_settings_are_read_as_systemd_reads_them():
    lines = [
        "# PORT=1\n",
        "; PORT=2\n",
        "\n",
        "PORT=9000\n",
        "DATABASE_URL=postgres:///spadille?host=/run/postgresql&a=b\n",
        ' EMAIL_FROM = "Spadille <spadille@example.dk>" \n',
        "SECRET_KEY='a b'\n",
        "TOLD=don't\n",
        "NONE=\n",
    ]
    assert dict(loaded(DEBIAN / "spadille-service").settings(lines)) == {
        "PORT": "9000",
        "DATABASE_URL": "postgres:///spadille?host=/run/postgresql&a=b",
        "EMAIL_FROM": "Spadille <spadille@example.dk>",
        "SECRET_KEY": "a b",
        "TOLD": "don't",
        "NONE": "",
    }


def test_every_library_says_its_licence():
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    named = {
        canonicalize_name(Requirement(line.rstrip("\\ ")).name)
        for line in lock.splitlines()
        if line[:1].isalnum()
    }
    ours = [notice for notice in notices() if canonicalize_name(notice.name) in named]
    assert (
        len(ours)
        == len(named & {canonicalize_name(there.metadata["Name"]) for there in distributions()})
        > 50
    )
    assert {notice.name for notice in ours if not notice.licence} <= {"pysqlite3"}, "its text says it"
    assert {canonicalize_name(notice.name) for notice in ours if not notice.texts} <= WITHOUT_TEXT
    told = "\n".join(in_words())
    for words in (
        "\nDjango 5.2.",
        "Django Software Foundation",
        "\nnumpy: licenses/LICENSE.txt\n",
        "GNU LESSER GENERAL",
    ):
        assert words in told


def test_npm_needs_no_home(tmp_path):
    """A cache in a home that cannot be created made npm loop for ever."""
    home = tmp_path / "gone"
    environment = {name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MFLAGS"}}
    make = ["make", "--silent", f"VENV={sys.prefix}", "--eval", "cache: ; @$(NPM) config get cache", "cache"]
    ran = subprocess.run(
        make, cwd=ROOT, env=environment | {"HOME": str(home)}, capture_output=True, text=True, check=True
    )
    assert ran.stdout == f"{sys.prefix}/.npm\n"
    assert not home.exists()


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_a_package_for_another_processor_has_what_that_one_needs(machine):
    """pip asks the machine that it runs on which processor it has: so the lock is rewritten for the other one."""
    (rule,) = re.findall(r'sed "(s/platform_machine.*)" "\$lock"', MADE)
    lock = ROOT / "requirements.lock"
    rule = rule.replace("$machine", machine)
    rewritten = subprocess.run(["sed", rule, lock], check=True, capture_output=True, text=True).stdout
    assert "platform_machine" not in rewritten
    assert needs(rewritten) == needs(lock.read_text(), platform_machine=machine)


def needs(lock: str, **environment: str) -> list[str]:
    pins = [Requirement(line.removesuffix(" \\")) for line in lock.splitlines() if line[:1].isalnum()]
    return [pin.name for pin in pins if not pin.marker or pin.marker.evaluate(environment)]


def test_a_package_does_not_list_what_it_leaves_out(tmp_path):
    """The checksum of a script depends on the folder where it was made: two packages would differ in it."""
    (rule,) = re.findall(r"RECORD' -exec sed -i -E '([^']+)'", MADE)
    kept = ["django/bin/django-admin.py,sha256=a,1", "share/x.py,sha256=b,1", "django/__init__.py,sha256=c,1"]
    gone = [
        "../../../bin/django-admin,sha256=d,1",
        "../../bin/qr,sha256=e,1",
        "../../../share/man/man1/qr.1,,",
    ]
    gone += ["spadille-1.dist-info/direct_url.json,sha256=f,1"]
    record = tmp_path / "RECORD"
    record.write_text("".join(f"{line}\n" for line in [*gone, *kept]))
    subprocess.run(["sed", "-i", "-E", rule, record], check=True)
    assert record.read_text().splitlines() == kept
