"""The locks install on any later day, by the pip of every supported system: newer releases change nothing.

The index is a folder with a page for each package, as PyPI has: a list of empty wheels that have the names, versions
and requirements of the real ones. Each also has a newer release.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Mapping
from email.message import Message
from importlib.metadata import PackageMetadata, distributions
from pathlib import Path

import pytest
from django.conf import settings
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(settings.BASE_DIR)
LOCKS = ("requirements.lock", "requirements-build.lock", "requirements-dev.lock")
PIPS = Path(sys.prefix) / ".pips"
# The oldest pip of each supported system, with the newest Python that it runs under.
SYSTEMS = {"23.0.1": (3, 11), "24.0": (3, 12), "25.1.1": (3, 14)}
NEWER = "9999.1"
# Whatever pip is told on this machine.
NOWHERE_ELSE = {
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_NO_INDEX": "",
    "PIP_FIND_LINKS": "",
    "PIP_EXTRA_INDEX_URL": "",
}


def locked(lock: str) -> list[Requirement]:
    """What a lock names for this Python on this machine."""
    lines = (ROOT / lock).read_text("utf-8").splitlines()
    named = [Requirement(line.rstrip("\\ ")) for line in lines if line[:1].isalnum()]
    return [one for one in named if not one.marker or one.marker.evaluate()]


def make_wheel(
    folder: Path,
    name: str,
    version: str,
    real: Message | PackageMetadata,
    modules: Mapping[str, str] | None = None,
) -> str:
    """Write a wheel with the requirements of a real package, empty but for `modules`; returns its SHA-256."""
    stem = f"{re.sub('[-.]', '_', name)}-{version}"
    fields = [f"{key}: {value}" for key, value in real.items() if key in ("Requires-Dist", "Provides-Extra")]
    metadata = "\n".join(["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *fields, ""])
    path = folder / f"{stem}-py3-none-any.whl"
    about = f"{stem}.dist-info"
    files = {
        f"{about}/METADATA": metadata,
        f"{about}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/RECORD": "",
        **(modules or {}),
    }
    with zipfile.ZipFile(path, "w") as wheel:
        for file, text in files.items():  # a ZipInfo has a fixed date: every lock gets the same bytes
            wheel.writestr(zipfile.ZipInfo(file), text)
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def empty_environment(tmp_path_factory) -> Path:
    """An environment without a pip: where else a copy of it lies, it is one there."""
    folder = tmp_path_factory.mktemp("environment") / "empty"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return folder


@pytest.fixture
def pip_there(empty_environment, pip, tmp_path) -> list[str | Path]:
    """The command by which a pip works on a new environment, in the folder `env`.

    It is what `pip --python` runs once it has been loaded itself, which takes as long as all that it does then.
    """
    folder = shutil.copytree(empty_environment, tmp_path / "env", symlinks=True)
    return [folder / "bin/python", pip]


def installed_in(environment: Path) -> list[str]:
    """What is installed in an environment, as name==version."""
    (packages,) = environment.glob("lib/python*/site-packages")
    return [f"{one.metadata['Name']}=={one.version}" for one in distributions(path=[str(packages)])]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """An index of wheels, and in it each lock with the hashes of these wheels."""
    folder = tmp_path_factory.mktemp("index")
    real = {canonicalize_name(one.metadata["Name"]): one.metadata for one in distributions()}
    for lock in LOCKS:
        lines = []
        for one in locked(lock):
            (only,) = one.specifier
            name = canonicalize_name(one.name)
            place = folder / name
            place.mkdir(exist_ok=True)
            digest = make_wheel(place, one.name, only.version, real[name])
            make_wheel(place, one.name, NEWER, real[name])
            links = "".join(f'<a href="{wheel.name}">{wheel.name}</a>' for wheel in place.glob("*.whl"))
            (place / "index.html").write_text(f"<!DOCTYPE html>{links}")
            lines.append(f"{one.name}=={only.version} --hash=sha256:{digest}\n")
        (folder / lock).write_text("".join(lines))
    return folder


@pytest.fixture(
    scope="module", params=[version for version, newest in SYSTEMS.items() if sys.version_info[:2] <= newest]
)
def pip(request, tmp_path_factory):
    """The folder of one pip, which a Python runs."""
    folder = tmp_path_factory.mktemp("pip")
    shutil.unpack_archive(PIPS / f"pip-{request.param}-py3-none-any.whl", folder, "zip")
    return folder / "pip"


def test_the_pips_are_those_that_are_downloaded():
    named = [
        Requirement(line.split(" --hash")[0]) for line in (ROOT / "tests/pips.lock").read_text().splitlines()
    ]
    assert [str(one.specifier) for one in named] == [f"=={version}" for version in SYSTEMS]


@pytest.mark.slow
@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_installs_though_everything_has_a_newer_release(lock, pip_there, index, tmp_path):
    environment = os.environ | NOWHERE_ELSE | {"PIP_INDEX_URL": index.as_uri(), "OPTIONS": "--no-compile"}
    command = [ROOT / ".package/install-lock", index / lock, *pip_there]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr
    assert sorted(installed_in(tmp_path / "env")) == sorted(
        f"{one.name}{one.specifier}" for one in locked(lock)
    )


def test_what_has_no_wheel_is_refused_and_not_built(pip_there, tmp_path):
    """A build would run whatever the newest setuptools does."""
    with tarfile.open(tmp_path / "sourced-1.0.tar.gz", "w:gz") as archive:
        for name, text in {
            "PKG-INFO": "Metadata-Version: 2.1\nName: sourced\nVersion: 1.0\n",
            "setup.py": "1/0",
        }.items():
            member = tarfile.TarInfo(f"sourced-1.0/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    digest = hashlib.sha256((tmp_path / "sourced-1.0.tar.gz").read_bytes()).hexdigest()
    (tmp_path / "lock").write_text(f"sourced==1.0 --hash=sha256:{digest}\n")
    environment = os.environ | {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
    command = [ROOT / ".package/install-lock", tmp_path / "lock", *pip_there]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "No matching distribution found for sourced==1.0" in ran.stderr


@pytest.mark.slow
def test_the_upgrade_in_the_docs_replaces_a_wheel_of_the_same_version(pip_there, tmp_path):
    pages = [(ROOT / "docs/how-to" / page).read_text("utf-8") for page in ("upgrade.md", "upgrade.da.md")]
    command, danish = (re.findall(r"`pip (install [^`]*)spadille-….whl`", page) for page in pages)
    assert command == danish
    environment = os.environ | {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    for state in ("before", "after"):
        folder = tmp_path / state
        folder.mkdir()
        make_wheel(folder, "spadille", "2026.12.dev0", Message(), {"spadille.py": f"print('{state}')"})
        (wheel,) = folder.iterdir()
        arguments = [*command[0].split(), wheel] if state == "after" else ["install", wheel]
        subprocess.run([*pip_there, *arguments], env=environment, capture_output=True, check=True)
    told = subprocess.run(
        [tmp_path / "env/bin/python", "-m", "spadille"], capture_output=True, text=True, check=True
    )
    assert told.stdout == "after\n"


def test_every_requirement_has_an_upper_bound():
    """A wheel is installed, and built, on any later day with the newest release that it allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    named = [
        *project["project"]["dependencies"],
        *(one for extra in project["project"]["optional-dependencies"].values() for one in extra),
        *project["build-system"]["requires"],
        *project["dependency-groups"]["build"],
    ]
    assert [one for one in named if "<" not in str(Requirement(one).specifier)] == []
    assert project["build-system"]["requires"] == project["dependency-groups"]["build"]
