"""Alice organises, Bob captains (he needs no account), Charlie is a stranger with an account of his own."""

from __future__ import annotations

import gc
import itertools
import os
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from _pytest import runner
from django.conf import settings as program
from django.db import connection
from django.test import Client
from django.utils import timezone, translation
from hypothesis import HealthCheck, settings

from clubs.models import Role
from config.room import with_room
from tests.emptied import empty_after_tests
from tests.factories import browser_of, make_account, make_club
from tests.kept import begin_with_what_is_kept
from tests.marked import is_left_out, of_another_database
from tests.patience import PATIENCE
from tests.tape import recorder

if TYPE_CHECKING:
    from clubs.models import Account, Club
    from tests.post_office import PostOffice


# A busy machine is not a slow rule. The examples are the same each time, so that no change is held up by what was there
# before it; others are searched for by `pytest --hypothesis-profile=search`.
ABOUT_SPEED = set(HealthCheck) - {HealthCheck.function_scoped_fixture, HealthCheck.differing_executors}
settings.register_profile("here", deadline=None, derandomize=True, suppress_health_check=ABOUT_SPEED)
settings.register_profile("search", settings.get_profile("here"), derandomize=False)
settings.load_profile("here")


def pytest_configure(config):
    """Let workers take files as they are sorted here, not those with many tests before those with long ones.

    What holds for every test is set once: a request that an earlier test's page still sends must find it too, or what
    it finds would be kept for the tests behind it.
    """
    if getattr(config.option, "dist", "no") == "no":  # who shares tests out reads none
        gc.disable()
    config.option.loadscopereorder = False
    plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
    program.STORAGES = program.STORAGES | {"staticfiles": {"BACKEND": plain}}
    program.PASSWORD_AGAIN_MINUTES = 0  # browsers of tests are signed in without a password
    program.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Each client would else list every file that there is.
    program.WHITENOISE_AUTOREFRESH = True


def pytest_ignore_collect(collection_path, config):
    return is_left_out(collection_path, config.option.markexpr) or None


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config, items):
    """What needs real transactions, of threads or processes, may go otherwise on another database.

    What is of another database alone is left out. Whatever the order is else, files with slow tests come first, so that
    no worker waits for another's last one.
    """
    for item in items:
        marker = item.get_closest_marker("django_db")
        is_real = "transactional_db" in item.fixturenames or (marker and marker.kwargs.get("transaction"))
        if is_real or item.get_closest_marker("postgresql"):
            item.add_marker("databases")
    if elsewhere := of_another_database(items, connection.vendor):
        config.hook.pytest_deselected(items=elsewhere)
        items[:] = [item for item in items if item not in elsewhere]
    yield
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


_run = with_room(runner.pytest_runtest_protocol)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """A test calls as deep as a page does."""
    return _run(item, nextitem)


def pytest_collection_finish(session):
    """The tests, and all that they import, live to the end: no search for garbage goes through them, nor has until now.

    What a request leaves in circles is little: it is looked for less often than usual.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    gc.enable()


@pytest.fixture(scope="session")
def _folder_of_each(tmp_path_factory) -> Callable[[str], Path]:
    """Make a folder of this name, with a number: pytest's own lists all that were made before, and links the newest."""
    place, numbers = tmp_path_factory.mktemp("tests"), itertools.count(1)

    def made(name: str) -> Path:
        folder = place / f"{name}{next(numbers)}"
        folder.mkdir()
        return folder

    return made


@pytest.fixture
def tmp_path(request, _folder_of_each) -> Path:
    """An empty folder of this test's own."""
    return _folder_of_each(re.sub(r"\W", "_", request.node.name)[:30])


@pytest.fixture(autouse=True)
def _plain_settings(settings, tmp_path):
    """Tests touch nobody's data."""
    settings.MEDIA_ROOT = tmp_path
    # Each test has its own: in memory, or in Redis where the tests run on that.
    if settings.CACHES["default"]["BACKEND"].endswith("LocMemCache"):
        in_memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
        settings.CACHES = {name: in_memory | {"LOCATION": f"{name}{tmp_path}"} for name in settings.CACHES}
    else:
        # What one process of the tests clears is its own too: Redis has sixteen drawers, servers take the first. A
        # busy machine's Redis is waited for: it would count as away, and what was stored as not there.
        patient = {"OPTIONS": {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}}
        drawer = 1 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
        settings.CACHES = {
            name: cache
            | {"KEY_PREFIX": f"{name}{tmp_path}", "LOCATION": re.sub(r"/0$", f"/{drawer}", cache["LOCATION"])}
            | patient
            for name, cache in settings.CACHES.items()
        }


@pytest.fixture(autouse=True)
def _template_string_if_invalid_marker():
    """Pytest-django's own asks for `monkeypatch`, in every test, for a marker that none of ours has."""


@pytest.fixture(autouse=True)
def _what_was_made_before_is_made_again(request):
    """Where a fixture may change the program itself, all that a test begins with is made by that program."""
    known = request.node._fixtureinfo.name2fixturedefs.values()
    ours = (one for fixtures in known for one in fixtures if one.func.__module__.startswith("tests."))
    recorder.is_on = not any("monkeypatch" in one.argnames for one in ours)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    """Where the test itself may, what it makes besides is: its fixtures were ready before."""
    if "monkeypatch" in item.fixturenames:
        recorder.is_on = False


@pytest.fixture
def made_now():
    """For a test that asks what came before what: what it begins with is not of a minute ago."""
    recorder.is_on = False


@pytest.fixture(autouse=True)
def _in_english():
    """Whatever language the page was in that an earlier test asked for last."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings):
    """Here each worker has told its own database's name; what is in it is made once for all of them."""
    begin_with_what_is_kept()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Tests with real transactions are cleaned up by emptying every table: for that alone reports may be deleted."""
    from django.contrib.auth.management import create_permissions
    from django.contrib.contenttypes.management import create_contenttypes
    from django.db.models.signals import post_migrate

    # Nothing here asks for Django's permissions: they need not be written again after each of those tests.
    assert post_migrate.disconnect(
        dispatch_uid=f"{create_permissions.__module__}.{create_permissions.__name__}"
    )
    assert post_migrate.disconnect(create_contenttypes)

    with django_db_blocker.unblock():
        empty_after_tests()


@pytest.fixture
def patch_display():
    """A MonkeyPatch of what only reads, shows or prints: no stored row depends on it, and `tests.tape` stays on."""
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture
def undrawn(patch_display):
    """Sheets are what is printed on them, as text: drawing letters takes long, and is the same whoever asks.

    With the title, the contents and, of a sheet that is to fit, all variants: whatever may tell somebody anything.
    """
    from core.pdf import files
    from core.pdf.page import render_page

    def drawn(pages, title):
        said = (page.name + render_page(page, 1, 1) for page in pages)
        return "".join(["%PDF", title, *said]).encode()

    def write(pages, title, target, *, tell=None, folded=False):
        target.write_bytes(drawn(pages, title))

    def that_fits(pages, title):
        return pages[0]

    drawer = SimpleNamespace(write=write, fitting=drawn, that_fits=that_fits)
    patch_display.setattr(files, "_engine", lambda: drawer)


@pytest.fixture
def club(db) -> Club:
    return make_club("Stilling")


@pytest.fixture
def alice(club) -> Account:
    """Organiser of `club`."""
    return make_account("alice", club)


@pytest.fixture
def by_alice(alice) -> dict[str, Any]:
    """What every step is told: who asks, and when."""
    return {"account": alice, "now": timezone.now()}


@pytest.fixture
def charlie(db) -> Account:
    """An account with no role anywhere."""
    return make_account("charlie")


@pytest.fixture(scope="session")
def _post_office():
    from tests.post_office import PostOffice

    office = PostOffice().opened()
    yield office
    office.close()


@pytest.fixture
def post_office(_post_office, settings, db) -> PostOffice:
    """A mail server that Spadille sends its letters by: see `clubs.mail.sending.send_due`."""
    _post_office.tidy()
    settings.MAIL_SERVER, settings.EMAIL_FROM = _post_office.server, "Spadille <spadille@example.dk>"
    settings.PUBLIC_URL = "https://lhombre.example.dk"
    return _post_office


@pytest.fixture
def client(db) -> Client:
    """A browser of nobody's; a request asks for the state of a connection that an earlier test has left open."""
    return Client()


@pytest.fixture
def as_alice(alice) -> Client:
    return browser_of(alice)


@pytest.fixture
def as_helper(club) -> Client:
    """Helga helps at `club`: the door is hers, and what an evening needs."""
    return browser_of(make_account("helga", club, Role.Kind.HELPER))


@pytest.fixture
def as_charlie(charlie) -> Client:
    return browser_of(charlie)
