"""What is written into the database by SQL is named by `verify`, or said in the docs not to be of the record."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.apps import apps
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone

from clubs.clubs import log_change
from clubs.models import Account, Affiliation, Membership
from tests.factories import (
    affiliate,
    decide_as_it_stands,
    first_round,
    first_table,
    make_championship,
    make_club,
    make_player,
    make_tournament,
    report,
    tampering,
)
from tournaments.changes.register import KINDS, chain_all_that_stands, orphans, register_differences
from tournaments.lifecycle.rulings import penalise
from tournaments.models import (
    Application,
    Award,
    Entry,
    Flag,
    MergedPlayer,
    OldEvent,
    OldPlace,
    Qualifier,
    Quota,
    RegisterLink,
    Season,
    Team,
    Tournament,
)

pytestmark = pytest.mark.databases

PROMISES = Path(__file__).resolve().parents[4] / "docs/explanation/promises.md"
SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.fixture
def record(club, alice):
    """A club with a row of everything: a played evening, teams, a season, a championship, old results."""
    now = timezone.now()
    season = Season.objects.create(host=club, name="2026", starts=date(2026, 1, 1), ends=date(2026, 12, 31))
    one = make_tournament(8, club=club, account=alice, season=season)
    for table in first_round(one).tables.select_related("round__tournament"):
        report(table, 1, SOLO)
    entries = list(one.entries.order_by("number"))
    namesake = make_player(entries[0].player.name, club, 77)
    penalise(entries[0], tokens=-5, reason="late", round_=None, account=alice, now=now)
    for number in (1, 2):
        Team.objects.create(tournament=one, number=number, name=f"Hold {number}")
    decide_as_it_stands(one)
    championship = make_championship(club)
    Tournament.objects.filter(pk=one.pk).update(stage=championship.stages.get(number=1))
    Quota.objects.create(stage=championship.stages.get(number=1), number=1, source="hand", places=2)
    Qualifier.objects.create(
        stage=championship.stages.get(number=1), player=entries[1].player, by_hand=1, said_at=now
    )
    Award.objects.create(season=season, title="Klubmester", player=entries[1].player)
    old = OldEvent.objects.create(
        host=club, kind="title", name="1998", year=1998, entered_at=now, entered_by="Alice"
    )
    OldPlace.objects.create(event=old, place=1, name="Anna Holm", player=entries[0].player)
    MergedPlayer.objects.create(number=4711, player=entries[2].player)
    table = first_table(one)
    Flag.objects.create(table=table, kind="call", words="Come", raised_at=now)
    log_change(club, alice, "{member} is a member", now=now, member=namesake)
    Application.objects.create(
        tournament=one, number=1, typed="1", name="Gerda", salt="s", key_hash="h", asked_at=now
    )
    return one


def run(sql: str) -> None:
    """An edit as a shell of the database makes it: it looks at no reference."""
    with connection.cursor() as cursor:
        cursor.execute(sql)


def said_of(tournament: Tournament) -> list[str]:
    """All that `verify` says."""
    try:
        call_command("verify", "--all")
    except CommandError as error:
        return [str(error)]
    return []


# What is chained: one edit a line. `{one}` is the tournament's key.
SEEN = {
    "a log line's author": (
        "UPDATE tournaments_logentry SET author = 'Eve' WHERE id = (SELECT min(id) FROM tournaments_logentry)"
    ),
    "the set-up": "UPDATE tournaments_tournament SET entry_fee = 4200 WHERE id = {one}",
    "a seat": "UPDATE tournaments_seat SET tokens = tokens + 1 WHERE id = (SELECT min(id) FROM tournaments_seat)",
    "a ruling": "UPDATE tournaments_penalty SET tokens = -50",
    "a ruling removed": "DELETE FROM tournaments_penalty",
    "a round": "UPDATE tournaments_round SET state = 'closed' WHERE tournament_id = {one}",
    "the host": "UPDATE tournaments_tournament SET host_id = (SELECT max(id) FROM clubs_club) WHERE id = {one}",
    "the season of an evening": "UPDATE tournaments_tournament SET season_id = NULL WHERE id = {one}",
    "the stage of an evening": "UPDATE tournaments_tournament SET stage_id = NULL WHERE id = {one}",
    "a season's rule": "UPDATE tournaments_season SET rule = 'average'",
    "a season's points": "UPDATE tournaments_season SET place_points = '[1]'",
    "a season's best evenings": "UPDATE tournaments_season SET best_of = 3",
    "a season removed": "UPDATE tournaments_season SET removed_at = '2026-01-01 00:00:00'",
    "an award's title": "UPDATE tournaments_award SET title = 'Jokum'",
    "an award's person": "UPDATE tournaments_award SET player_id = (SELECT max(id) FROM clubs_player)",
    "an award removed": "DELETE FROM tournaments_award",
    "an award made up": (
        "INSERT INTO tournaments_award (season_id, title, player_id, words, number)"
        " SELECT season_id, 'Champion', player_id, '', 9 FROM tournaments_award"
    ),
    "an old event's year": "UPDATE tournaments_oldevent SET year = 1999",
    "an old event's name": "UPDATE tournaments_oldevent SET name = 'Other'",
    "an old place": "UPDATE tournaments_oldplace SET place = 2",
    "an old place's name": "UPDATE tournaments_oldplace SET name = 'Eve'",
    "old places removed": "DELETE FROM tournaments_oldplace",
    "how many qualify": "UPDATE tournaments_quota SET places = 9",
    "who takes part": "UPDATE tournaments_qualifier SET answer = 'no'",
    "a championship's name": "UPDATE tournaments_championship SET name = 'Other'",
    "a stage": "UPDATE tournaments_stage SET each = 9 WHERE number = 1",
    "a stage's per cent": "UPDATE tournaments_stage SET carried = 50 WHERE number = 1",
    "a merge redirected": "UPDATE tournaments_mergedplayer SET player_id = (SELECT max(id) FROM clubs_player)",
    "a merge removed": "DELETE FROM tournaments_mergedplayer",
    "a person put for a namesake": (
        "UPDATE tournaments_entry SET player_id = (SELECT max(id) FROM clubs_player"
        " WHERE name = (SELECT name FROM clubs_player p WHERE p.id = tournaments_entry.player_id))"
        " WHERE tournament_id = {one} AND number = 1"
    ),
    "a team's name": "UPDATE tournaments_team SET name = 'Other' WHERE number = 1",
    "a membership's number": (
        "UPDATE clubs_membership SET number = 999 WHERE id = (SELECT min(id) FROM clubs_membership)"
    ),
    "a membership's days": (
        "UPDATE clubs_membership SET joined = '2001-01-01' WHERE id = (SELECT min(id) FROM clubs_membership)"
    ),
    "a membership removed": "DELETE FROM clubs_membership WHERE id = (SELECT max(id) FROM clubs_membership)",
    "a role": "UPDATE clubs_role SET kind = 'helper'",
    "a role removed": "DELETE FROM clubs_role",
    "an account made superuser": "UPDATE clubs_account SET is_superuser = {true}",
    "an account closed": "UPDATE clubs_account SET is_active = {false}",
    "a club's name": "UPDATE clubs_club SET name = 'Other' WHERE id = (SELECT min(id) FROM clubs_club)",
    "a club's union": ("UPDATE clubs_affiliation SET union_id = (SELECT max(id) FROM clubs_club)"),
    "a club's log emptied": "DELETE FROM clubs_clublogentry",
    "a line of a club's log": "UPDATE clubs_clublogentry SET author = 'Eve'",
    "what a line of a club's log says": "UPDATE clubs_clublogentry SET params = '{{}}'",
    "the register cut off": (
        "DELETE FROM tournaments_registerlink"
        " WHERE number = (SELECT max(number) FROM tournaments_registerlink)"
    ),
    "the register's end moved": "UPDATE tournaments_registerhead SET count = count - 1",
    "the register taken away": "DELETE FROM tournaments_registerhead",
    "a link of the register": "UPDATE tournaments_registerlink SET content = '{{}}' WHERE number = 1",
}
# What is not of the record: the words under which `promises.md` says so.
NOT_OF_THE_RECORD = {
    "who has agreed to a sheet": (
        "UPDATE tournaments_seat SET agreed_at = '2026-01-01 00:00:00'",
        "signatures on the phone",
    ),
    "a call to the desk": ("UPDATE tournaments_flag SET words = 'Other'", "calls to the desk"),
    "a wish to enter": ("UPDATE tournaments_application SET name = 'Eve'", "applications from home"),
    "a member's address": ("UPDATE clubs_player SET email = 'eve@x.example'", "addresses, telephone numbers"),
    "which club a player plays for": (
        "UPDATE tournaments_entry SET club_id = NULL WHERE number = 2",
        "the club that a player plays for",
    ),
    "the round's clock": ("UPDATE tournaments_round SET clock_minutes = 9", "the clock"),
    "a password": ("UPDATE clubs_account SET password = 'x'", "passwords"),
    "a letter": ("DELETE FROM clubs_letter", "letters"),
}


def formatted(sql: str, record: Tournament) -> str:
    is_sqlite = connection.vendor == "sqlite"
    return sql.format(one=record.pk, true="1" if is_sqlite else "TRUE", false="0" if is_sqlite else "FALSE")


def said_after(edits: dict[str, str], record: Tournament) -> dict[str, list[str]]:
    """What `verify` says after each edit of the same record, which is rolled back again."""
    found = {}
    for what, sql in edits.items():
        cache.clear()
        with transaction.atomic():
            with tampering():
                run(formatted(sql, record))
            found[what] = said_of(record)
            transaction.set_rollback(True)
    cache.clear()
    assert said_of(record) == []
    return found


def test_every_edit_by_sql_is_named(record, club):
    make_player("Zita", club, 88)
    affiliate(club, make_club("Union"))
    other = type(club).objects.create(name="Zealand", slug="zealand")
    assert other.pk
    found = said_after(SEEN, record)
    assert [what for what, said in found.items() if not said] == []


def test_what_is_not_of_the_record_is_said_so_in_the_docs(record):
    found = said_after({what: sql for what, (sql, _words) in NOT_OF_THE_RECORD.items()}, record)
    assert {what: said for what, said in found.items() if said} == {}
    promises = " ".join(PROMISES.read_text("utf-8").split())
    assert [words for _sql, words in NOT_OF_THE_RECORD.values() if words not in promises] == []


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_a_whole_tournament_that_is_deleted_is_named_and_what_it_leaves_behind(record, capsys):
    with connection.cursor() as cursor, tampering():
        cursor.execute("PRAGMA foreign_keys = OFF")
        cursor.execute("DELETE FROM tournaments_tournament WHERE id = %s", [record.pk])
        found, left = list(register_differences()), list(orphans())
        with pytest.raises(CommandError):
            call_command("verify", "--all")
        cursor.execute("DELETE FROM tournaments_tournament")
        _empty_what_is_left(cursor)
        cursor.execute("PRAGMA foreign_keys = ON")
    assert f"tournament {record.pk}: is gone" in " ".join(found)
    assert any(
        one.startswith("tournaments_entry: 8 row(s) point to rows of tournaments_tournament") for one in left
    )


def _empty_what_is_left(cursor) -> None:
    for table in connection.introspection.table_names():
        if table.startswith(("tournaments_", "clubs_", "jobs_")):
            cursor.execute(f'DELETE FROM "{table}"')


def test_whatever_the_program_writes_is_in_the_register_in_whatever_way_it_is_written(record, club):
    player = make_player("Ane", club, 99)
    Membership.objects.filter(player=player).update(number=100)
    membership = Membership.objects.get(player=player)
    membership.number = 101
    Membership.objects.bulk_update([membership], ["number"])
    membership.delete()
    Account.objects.create_user("olga", password="a long password")
    Team.objects.filter(number=1).update(name="Nye")
    Entry.objects.filter(tournament=record, number=1).update(player=player)
    Season.objects.update(rule="average")
    Season.with_removed.update(removed_at=timezone.now())
    Award.objects.all().delete()
    type(club).objects.bulk_create([type(club)(name="Zealand", slug="zealand")])
    affiliate(club, type(club).objects.get(name="Zealand"))
    Affiliation.objects.update(gives="names")
    club.roles.update(kind="helper")
    assert list(register_differences()) == []


def test_what_is_written_without_what_is_chained_adds_no_link(record, club):
    count = RegisterLink.objects.count()
    Tournament.objects.filter(pk=record.pk).update(version=99)
    Season.objects.update(version=99)
    entry = record.entries.get(number=1)
    entry.fee_paid = True
    entry.save(update_fields=["fee_paid"])
    account = Account.objects.get(username="alice")
    account.save(update_fields=["last_login"])
    assert RegisterLink.objects.count() == count


def test_what_an_earlier_spadille_kept_begins_the_register(record):
    with tampering():
        RegisterLink.objects.all().delete()
        run("DELETE FROM tournaments_registerhead")
    assert "register: it was taken away" in list(register_differences())
    chain_all_that_stands()
    assert list(register_differences()) == []
    assert said_of(record) == []


# Fields of these rows that are not chained, and why.
LEFT_OUT = {
    "Club": "town name_style shows_rating shows_achievements gives_cards statistics is_findable language colour crest"
    " erase_after position neighbours_km",
    "ClubLogEntry": "account",  # its name is kept as the author
    "Account": "password last_login first_name last_name email date_joined password_is_temporary made_by",
    "PlayerMerge": "name",  # which is forgotten with who is erased
    "Season": "version",
    "OldEvent": "entered_at entered_by",
    "Statement": "reminders reminded_at",  # the union's log has reminders
    "Transfer": "asked_by asked_at answered_by answered_at",  # the clubs' logs have them
}


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if kind.model != "Tournament"], ids=lambda kind: kind.model
)
def test_every_field_of_a_row_in_the_register_is_chained_or_left_out_on_purpose(kind):
    fields = {
        field.attname
        for field in apps.get_model(kind.app, kind.model)._meta.concrete_fields
        if not field.primary_key
    }
    left_out = {
        field if field != "account" else "account_id" for field in LEFT_OUT.get(kind.model, "").split()
    }
    left_out = {"made_by_id" if field == "made_by" else field for field in left_out}
    assert fields == {*kind.fields, *left_out}
