"""What every report asks in SQL is read as Django reads it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from uuid import uuid4

import pytest

from core.canonical_json import AsStored, moment
from core.sql import bulk_insert, fetch_models
from tests.factories import first_table, make_tournament, report
from tournaments.changes.locks import share
from tournaments.models import Report, Round, Seat, Table, Tournament

pytestmark = pytest.mark.databases


def values(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.fixture
def table(club):
    tournament = make_tournament(4, club=club, stake=25, prize_shares=[50, 30], tie_breaks=["lot"])
    table = first_table(tournament)
    report(table, 1)
    report(table, 1, None, base=1, reason="misheard")
    return table


@pytest.mark.parametrize("model", [Table, Tournament, Round, Seat, Report])
def test_every_field_of_every_row_is_what_django_reads(table, model):
    found = fetch_models(model, f"SELECT * FROM {model._meta.db_table} ORDER BY id", [])
    assert [values(row) for row in found] == [values(row) for row in model.objects.order_by("pk")]
    assert all(type(row) is model and not row._state.adding for row in found)
    assert not any(row.get_deferred_fields() for row in found)


def test_rows_that_are_inserted_together_are_stored_as_they_are(table):
    strange = "%s %% 'one' \"two\" \\ {3} [] ,, å 🂡 \u2028"
    results = [None, {"contract": strange, "deep": [{strange: [1, -2, 0.5, True, None]}]}, {}]
    made = [
        Report(
            table=table,
            deal_number=5 + place,
            revision=1,
            key=uuid4(),
            sequence=10 + place,
            result=result,
            dealer=place,
            outcome=strange[:20],
            declarer=place or None,
            tokens=[place, -place],
            parts=[{"name": strange}],
            source="captain",
            author=strange,
            reason="",
            made_at=datetime(1890, 1, 2, 3, 4, 5, 123_456, tzinfo=UTC) if place else None,
            recorded_at=datetime(2026, 3, 4, 5, 6, 7, place, tzinfo=timezone(timedelta(hours=2))),
            previous_hash="a" * 64,
            hash="b" * 64,
        )
        for place, result in enumerate(results)
    ]
    bulk_insert(made)
    stored = Report.objects.filter(sequence__gte=10).order_by("sequence")
    assert [values(row) for row in stored] == [values(row) for row in made]


def test_what_is_not_asked_for_is_read_later_and_what_is_no_field_is_there_too(table):
    (found,) = fetch_models(
        Table, "SELECT number, 7 AS lucky, id FROM tournaments_table WHERE id = %s", [table.pk]
    )
    assert (found.pk, found.number, found.lucky) == (table.pk, 1, 7)
    assert "secret" in found.get_deferred_fields()
    assert found.secret == table.secret
    found.number = 9
    found.save(update_fields=["number"])
    assert Table.objects.get().number == 9


def test_a_table_that_is_shared_comes_with_its_round_and_tournament(table, django_assert_num_queries):
    found, stored = share(table.pk), values(Tournament.objects.get())
    with django_assert_num_queries(0):
        assert values(found.round.tournament) == stored
        told = found.round.number, found.round.state, found.round.tournament_id, found.round.pk
    assert told == (1, Round.State.RUNNING, table.round.tournament_id, table.round_id)
    with pytest.raises(Table.DoesNotExist):
        share(0)


@pytest.mark.parametrize(
    "at",
    [
        datetime(2026, 11, 23, 18, 0, tzinfo=UTC),
        datetime(2026, 11, 23, 18, 0, 59, 500_000, tzinfo=UTC),
        datetime(2026, 11, 23, 18, 0, 0, 120, tzinfo=UTC),
        datetime(1890, 1, 2, 3, 4, 5, 123_456, tzinfo=UTC),
        datetime.max.replace(tzinfo=UTC) - timedelta(days=1),
    ],
    ids=str,
)
def test_a_moment_is_read_and_chained_as_it_was_stored(table, at):
    Tournament.objects.update(created_at=at)
    ((read, text),) = Tournament.objects.values_list("created_at", AsStored("created_at"))
    assert (read, read.tzinfo) == (at, UTC)
    assert moment(text) == moment(read) == at.isoformat()
