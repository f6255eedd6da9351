"""A new database is made in few steps, and is what the long way, migration by migration since 0.1, comes to.

That way itself: on SQLite in test_upgrade.py and test_upgrade_of_a_union.py, on PostgreSQL here.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.apps import apps as all_apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from core.backup.backups import kind_here
from core.journal import restore
from core.journal.format import migrations_now
from tests import schema
from tests.kept import run_tool
from tournaments.management.commands import prepare

EVERY = MigrationLoader(None, replace_migrations=False)
SQUASHED = {name: step.replaces for name, step in EVERY.disk_migrations.items() if step.replaces}
REPLACED = sorted(old for all_of_it in SQUASHED.values() for old in all_of_it)


@pytest.mark.parametrize("squashed", sorted(SQUASHED), ids=".".join)
def test_the_program_knows_the_same_tables_by_either_way(squashed):
    def tables_after(name):
        return {key: of for key, of in EVERY.project_state([name]).models.items() if key[0] == squashed[0]}

    assert tables_after(squashed) == tables_after(SQUASHED[squashed][-1])


def test_nothing_that_makes_a_new_database_is_outside_of_its_one_transaction():
    new = EVERY.disk_migrations.keys() - set(REPLACED)
    assert [name for name in sorted(new) if not EVERY.disk_migrations[name].atomic] == []


def planned(monkeypatch, applied):
    """What is still to be done where these were."""
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda _self: dict.fromkeys(applied))
    executor = MigrationExecutor(connection)
    executor.loader.check_consistent_history(connection)
    return [
        (step.app_label, step.name)
        for step, _back in executor.migration_plan(executor.loader.graph.leaf_nodes())
    ]


@pytest.mark.parametrize("stands_at", REPLACED, ids=".".join)
def test_a_database_goes_on_by_the_old_migrations_wherever_it_stands(stands_at, monkeypatch):
    applied = set(EVERY.graph.forwards_plan(stands_at))
    plan = planned(monkeypatch, applied)
    begun = {app for app, _name in applied}
    assert not [name for name in plan if name in SQUASHED and name[0] in begun]
    done = [old for name in plan for old in SQUASHED.get(name, [name])]
    assert not applied & {*done}
    assert applied | {*done} == EVERY.disk_migrations.keys() - SQUASHED.keys()


def test_one_that_has_been_through_all_of_them_has_nothing_to_do(monkeypatch):
    assert planned(monkeypatch, EVERY.disk_migrations.keys() - SQUASHED.keys()) == []


def tell(sentence):
    with connection.cursor() as cursor:
        cursor.execute(sentence)


@pytest.fixture
def new_database(django_db_setup, django_db_blocker, tmp_path, settings, monkeypatch):
    """Let the program work on a database in which nothing is yet; behind the test it is that of the tests again."""
    settings.DATA_DIR = tmp_path
    told, tests = connection.settings_dict, connection.settings_dict["NAME"]
    on_sqlite = connection.vendor == "sqlite"
    new = str(tmp_path / "new.sqlite3") if on_sqlite else f"{tests}_new"
    with django_db_blocker.unblock():
        if not on_sqlite:
            tell(f'DROP DATABASE IF EXISTS "{new}"')  # of a run that was killed
            tell(f'CREATE DATABASE "{new}"')
        connection.close()
        told["NAME"] = new
        try:
            yield new
        finally:
            connection.close()
            told["NAME"] = tests
            if not on_sqlite:
                tell(f'DROP DATABASE "{new}"')


def tables_now():
    return connection.introspection.table_names()


@pytest.mark.databases
def test_of_a_first_start_that_is_killed_nothing_is_left_and_the_next_begins_anew(new_database, monkeypatch):
    """After the tables were made, and before that was written down."""

    def migrate_only(command, **options):
        if command == "migrate":
            call_command(command, **options)

    def killed(_self, step):
        if (step.app_label, step.name) in SQUASHED:
            assert len(tables_now()) > 15
            raise KeyboardInterrupt
        return written(_self, step)

    written = MigrationExecutor.record_migration
    monkeypatch.setattr(prepare, "call_command", migrate_only)
    with monkeypatch.context() as dying:
        dying.setattr(MigrationExecutor, "record_migration", killed)
        with pytest.raises(KeyboardInterrupt):
            call_command("prepare", verbosity=0)
    assert tables_now() == []
    call_command("prepare", verbosity=0)
    assert MigrationRecorder(connection).applied_migrations().keys() == EVERY.disk_migrations.keys()
    connection.check_constraints()
    with connection.cursor() as cursor:  # references are looked at again
        if connection.vendor == "sqlite":
            assert cursor.execute("PRAGMA foreign_keys").fetchone() == (1,)


def found(**migrations):
    """A journal whose rows are stored as after these."""
    return SimpleNamespace(targets=sorted(migrations.items()))


def test_a_journal_of_a_version_within_what_is_one_step_now_finds_its_tables(new_database):
    old = found(
        auth="0012_alter_user_first_name_max_length",
        clubs="0002_club_log",
        contenttypes="0002_remove_content_type_name",
        sessions="0001_initial",
        gone="0007_of_a_library_that_is_no_longer_used",
    )
    restore.make_room(old)
    assert sorted(migrations_now().items()) == [target for target in old.targets if target[0] != "gone"]
    club = restore._apps_of(old.targets).get_model("clubs", "Club")
    assert "colour" not in {field.name for field in club._meta.fields}
    assert club.objects.count() == 0
    # One that is at the end of such steps, and has others before it.
    newer = found(jobs="0003_longer_languages", clubs="0015_public_news")
    restore.make_room(newer)
    assert migrations_now().items() >= {*newer.targets}
    assert "tournaments" not in migrations_now()
    club = restore._apps_of(newer.targets).get_model("clubs", "Club")
    assert "colour" in {field.name for field in club._meta.fields}
    # And one of this version, which is made as any new database is.
    today = found(**dict(sorted(EVERY.disk_migrations)))
    restore.make_room(today)
    assert sorted(migrations_now().items()) == today.targets
    assert restore._apps_of(today.targets) is all_apps


@pytest.mark.postgresql
@pytest.mark.slow
def test_the_long_way_comes_to_the_same_on_postgresql(new_database):
    """By the migrations of a version before, as its journal is brought back, and on from there."""
    before = found(tournaments="0030_round_clock", clubs="0009_crests", jobs="0001_initial")
    restore.make_room(before)
    assert migrations_now().items() >= {*before.targets}
    call_command("migrate", verbosity=0)
    by_steps = built_now(new_database)
    kind_here().empty(connection)
    call_command("migrate", verbosity=0)
    assert built_now(new_database) == by_steps


def built_now(name):
    return schema.of_postgresql(run_tool("pg_dump", name, "--schema-only", "--no-owner").stdout.decode())
