"""A change behind the program's back shows in a recount."""

from __future__ import annotations

from concurrent.futures.process import BrokenProcessPool
from threading import Thread

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core.platform import COPIES
from core.sql import FEW, KeySet, key_set
from tests.factories import drop_trigger, first_table, make_club, make_tournament, report, tampering
from tests.patience import PATIENCE
from tournaments.exports.verify import derived
from tournaments.exports.verify.jobs import one_after_the_other
from tournaments.exports.verify.recount import Recount, Recounted
from tournaments.lifecycle.rulings import cancel_penalty, penalise
from tournaments.models import Deal, KeptYear, Penalty, Rating, RatingState, Seat, Table, Tournament
from tournaments.models.append_only import UPDATED, protect_reports
from tournaments.people.club_years import ALL
from tournaments.seasons.rating import MODEL
from tournaments.seasons.ratings import hosts_of
from tournaments.standings import statistics

pytestmark = pytest.mark.databases

SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.fixture
def corrected_table(club, alice):
    table = first_table(make_tournament(4, club=club))
    report(table, 1, SOLO)
    report(table, 2)
    report(table, 1, {"all_passed": True}, base=1, reason="nobody bid")
    report(table, 1, SOLO, base=2, reason="but they did")
    return table


def tamper(sql):
    """Change a report in the database itself, and cover the tracks."""
    with tampering() as cursor:
        cursor.execute(sql)


def test_a_clean_ledger_verifies(corrected_table, capsys):
    call_command("verify")
    assert capsys.readouterr().out == "1 tournament(s), 4 report(s): every total agrees.\n"


def test_changed_tokens_of_a_report_show(corrected_table):
    tamper("UPDATE tournaments_report SET tokens = '[9, -9, 0, 0]' WHERE sequence = 4")
    with pytest.raises(CommandError, match=r"report 4 .* is not what was recorded"):
        call_command("verify")


def test_changed_tokens_of_a_seat_show(corrected_table):
    Seat.objects.filter(table=corrected_table, position=1).update(tokens=99)
    with pytest.raises(CommandError, match=r"seat 1 has \+99 tokens, its reports give \+6"):
        call_command("verify")


def test_a_deal_that_counts_an_old_report_shows(corrected_table):
    Deal.objects.filter(number=1).update(current=corrected_table.reports.get(sequence=1))
    with pytest.raises(CommandError, match="a deal does not count its newest report"):
        call_command("verify")


def test_a_report_cut_off_the_end_shows(corrected_table):
    Table.objects.filter(pk=corrected_table.pk).update(reports_count=5)
    with pytest.raises(CommandError, match="the chain ends at report 4"):
        call_command("verify")


@pytest.mark.parametrize("column", ["declarer = 2", "contract = 'game'"])
def test_a_deal_that_is_counted_as_anothers_game_shows(corrected_table, column):
    tamper(f"UPDATE tournaments_report SET {column} WHERE sequence = 4")
    with pytest.raises(CommandError, match="deal 1 counts as another declarer's or another contract"):
        call_command("verify")


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (lambda rulings: rulings.update(tokens=-1), "ruling 1: tokens is -1, decided was -5"),
        (lambda rulings: rulings.delete(), r"ruling 1: is gone; step [0-9]+ decided: entry 1, .*tokens -5$"),
        (
            lambda rulings: rulings.update(cancelled_at=timezone.now()),
            "ruling 1: cancelled at is .*, decided was None",
        ),
    ],
    ids=["changed", "removed", "cancelled"],
)
def test_a_ruling_that_is_not_what_was_written_down_shows(corrected_table, alice, change, shown):
    entry, now = corrected_table.seats.get(position=0).entry, timezone.now()
    for tokens in (-5, 3):
        penalise(entry, tokens=tokens, reason="late", round_=None, account=alice, now=now)
    cancel_penalty(Penalty.objects.get(tokens=3), reason="was not", account=alice, now=now)
    call_command("verify")
    change(Penalty.objects.filter(tokens=-5))
    with pytest.raises(CommandError, match=shown):
        call_command("verify")


def test_an_unknown_tournament_is_told(corrected_table):
    with pytest.raises(CommandError, match="no tournament NOBODY"):
        call_command("verify", "NOBODY")


def test_a_database_that_lets_reports_be_changed_shows(corrected_table):
    with connection.cursor() as cursor:
        drop_trigger(cursor, UPDATED)
    with pytest.raises(CommandError, match=r"the trigger report_is_never_updated .* is missing"):
        call_command("verify")
    protect_reports()
    call_command("verify")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE {} SET tokens = '[]'",
        "DELETE FROM {}",
        pytest.param("TRUNCATE {} CASCADE", marks=pytest.mark.postgresql),  # SQLite has no such statement
    ],
)
def test_the_database_itself_refuses_to_change_a_report(corrected_table, change):
    connection.check_constraints()  # those that wait for the end of the transaction
    for protected in ("tournaments_report", "tournaments_chainlink"):
        said = pytest.raises(DatabaseError, match="never")
        with said, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change.format(protected).replace("tokens", "hash"))
    assert corrected_table.reports.count() == 4


@pytest.mark.slow  # processes begin, as they do where there is much to recount
@pytest.mark.django_db(transaction=True)
def test_a_recount_looks_at_one_moment_and_nobody_who_reports_waits_for_it(corrected_table, monkeypatch):
    key, seen = corrected_table.round.tournament_id, []

    def reported_meanwhile(self, most):
        def report_one():
            report(corrected_table, 3, SOLO)
            connection.close()

        other = Thread(target=report_one)
        other.start()
        other.join(PATIENCE)
        seen.append((other.is_alive(), corrected_table.reports.count()))
        return recounted(self, most)

    recounted = Recount.recounted
    monkeypatch.setattr(Recount, "recounted", reported_meanwhile)
    assert list(one_after_the_other([key])) == [Recounted([], [])]
    monkeypatch.undo()
    assert seen == [(False, 4)]
    assert corrected_table.reports.count() == 5
    assert list(one_after_the_other([key])) == [Recounted([], [])]


@pytest.mark.django_db(transaction=True)
def test_ratings_are_looked_at_as_they_are_at_one_moment(club, corrected_table, monkeypatch):
    of_nobody = rated_by_hand(club, corrected_table)
    (found,) = derived._ratings_of(club.pk)
    assert found.startswith("ratings: Stilling: kept is ")

    def gone_meanwhile(state):
        def remove():
            of_nobody.delete()
            connection.close()

        other = Thread(target=remove)
        other.start()
        other.join(PATIENCE)
        return unsettled_from(state)

    unsettled_from = derived.unsettled_from
    monkeypatch.setattr(derived, "unsettled_from", gone_meanwhile)
    assert derived._ratings_of(club.pk) == [found]
    monkeypatch.undo()
    assert derived._ratings_of(club.pk) == []


def rated_by_hand(club, table):
    """A rating that no game gives."""
    entry = table.seats.get(position=0).entry
    RatingState.objects.create(club=club, hosts=hosts_of(club), model=MODEL)
    known = {"date": entry.tournament.date, "mu": 1, "sigma": 1, "tables": 1}
    return Rating.objects.create(whole=club, player=entry.player, entry=entry, **known)


# Those who test have threads; what is copied here does not wait for them.
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
@pytest.mark.django_db(transaction=True)
def test_several_processes_find_the_same_in_the_same_order(corrected_table, alice, monkeypatch, capsys):
    for number in range(9):
        club = make_club(f"Klub {number}")
        report(first_table(make_tournament(4, club=club, account=alice)), 1, SOLO)
    Seat.objects.filter(position=1, tokens=6).update(tokens=99)
    # What is kept of many together, and does not follow from what they came to.
    entry, of_nobody = corrected_table.seats.get(position=0).entry, {"evenings": 0, "versions": 0, "said": {}}
    KeptYear.objects.create(around=club, year=ALL, own=[[entry.player_id]], **of_nobody)
    rated_by_hand(club, corrected_table)

    def found(*options):
        with pytest.raises(CommandError) as told:
            call_command("verify", *options)
        return str(told.value), told.value.returncode, capsys.readouterr().err.splitlines()

    first, everything = found(), found("--all")
    assert (first[1], everything[:2], len(everything[2])) == (1, ("22 difference(s).", 1), 22)
    assert everything[2][20].startswith("ratings: Klub 8: kept is ")
    assert everything[2][21] == "Klub 8: all years kept for its history otherwise than the results give"
    monkeypatch.setattr("tournaments.exports.verify.jobs.MANY", 0)
    monkeypatch.setattr(
        "tournaments.exports.verify.jobs.settle_garbage", lambda: None
    )  # of all tests to come
    for copied in {False, COPIES}:  # each has read the program by itself, or all are copies of one that has
        monkeypatch.setattr("tournaments.exports.verify.jobs.may_copy", lambda copied=copied: copied)
        assert found("--all") == everything
    monkeypatch.setattr("tournaments.exports.verify.jobs.MANY", 100)
    monkeypatch.setattr("tournaments.management.commands.verify.MANY", 0)
    assert "10 of 10 tournaments recounted" in found("--all")[2]


def test_what_is_stored_of_many_tournaments_is_read_at_once(corrected_table, alice):
    made = [make_tournament(4, club=make_club(f"Klub {number}"), account=alice) for number in range(3)]
    report(first_table(made[1]), 1, SOLO)
    Seat.objects.filter(table__round__tournament__in=made, position=1).update(tokens=99)
    keys = [corrected_table.round.tournament_id, *(one.pk for one in made)]

    def asked(keys):
        statistics._reported.clear()
        with CaptureQueriesContext(connection) as queries:
            recounts = Recount(keys)
            tables = [[at.table.round.tournament_id for at in tables] for _key, tables in recounts._tables]
            list(Recount(keys).recounted())
        assert tables == [[key] for key in keys]
        return len(queries)

    assert asked(keys) == asked(keys[:1])
    # Who has seen enough of one is told of the next all the same.
    found = [[text.partition(":")[0] for text in one.differences] for one in Recount(keys).recounted(most=1)]
    assert found == [[], *([f"{one.code} round 1 table 1"] for one in made)]


def test_what_is_asked_for_by_many_keys_is_found_as_by_a_list_of_them(corrected_table):
    numbers = [seat.pk for seat in corrected_table.seats.all()][1:]
    many = key_set([*numbers, *range(10**9, 10**9 + FEW)])
    assert (type(many), key_set(numbers)) == (KeySet, numbers)
    for lookup in ("pk__in", "table__seats__in"):
        by_list, by_many = (Seat.objects.filter(**{lookup: keys}) for keys in (numbers, many))
        assert list(by_many.values_list("pk")) == list(by_list.values_list("pk")) != []
    assert Seat.objects.filter(pk__in=key_set(range(10**9, 10**9 + FEW + 1))).count() == 0


def test_one_that_cannot_be_counted_keeps_nothing_of_the_others(corrected_table, alice):
    damaged = make_tournament(4, club=make_club("Klub"), account=alice)
    report(first_table(damaged), 1, SOLO)
    Seat.objects.filter(round__tournament=damaged, position=1).delete()  # who declared
    keys = [corrected_table.round.tournament_id, damaged.pk]
    first, second = Recount(keys).recounted(most=1)
    assert (first.differences, len(second.differences)) == ([], 1)
    assert second.differences[0].startswith(f"{damaged.code} round 1 table 1: ")


def test_one_that_was_taken_out_of_the_database_by_hand_meanwhile_keeps_nothing_of_the_others(
    corrected_table,
):
    here, gone = corrected_table.round.tournament_id, make_tournament(4, club=make_club("Klub"))
    with transaction.atomic():
        Tournament.objects.filter(pk=gone.pk)._raw_delete("default")  # its entries stay
        assert [one.differences for one in Recount([here, gone.pk]).recounted()] == [[]]
        transaction.set_rollback(True)


@pytest.mark.parametrize(
    ("stops", "said", "status"),
    [
        (KeyboardInterrupt, "Stopped before the end", 130),
        (BrokenProcessPool, "A worker process was killed", 1),
    ],
)
def test_a_recount_that_is_stopped_does_not_say_that_all_agrees(
    corrected_table, monkeypatch, capsys, stops, said, status
):
    def stopped(*_asked, **_how):
        yield Recounted([], [])
        raise stops

    monkeypatch.setattr("tournaments.management.commands.verify.recount_all", stopped)
    with pytest.raises(CommandError, match=said) as told:
        call_command("verify")
    assert (told.value.returncode, capsys.readouterr().out) == (status, "")
