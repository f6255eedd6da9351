"""Sentences of SQL that are told together are done one after the other, on both databases."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction

from core.sql import Statement, execute_batch
from tests.factories import make_tournament
from tournaments.models import Tournament

pytestmark = pytest.mark.databases

VERSION = "SELECT version, id FROM tournaments_tournament WHERE id = %s"
RAISE = "UPDATE tournaments_tournament SET version = version + %s WHERE id = %s"
NOBODY = "SELECT id, '50 %%; no end' AS said FROM tournaments_tournament WHERE id = 0"


@pytest.fixture
def tournament(club):
    return make_tournament(4, club=club)


def test_each_sees_what_was_stored_before_it_and_gives_its_own_rows(tournament):
    pk, version = tournament.pk, Tournament.objects.get().version
    read, add = Statement(VERSION, [pk]), Statement(RAISE, [2, pk])
    for _time in range(2):  # the second time their columns are known
        told = execute_batch(read, add, Statement(NOBODY, []), read, add, read)
        assert [one.columns for one in told] == [
            ("version", "id"), (), ("id", "said"), ("version", "id"), (), ("version", "id")
        ]  # fmt: skip
        raised = [[(version + more, pk)] for more in (0, 2, 4)]
        assert [one.rows for one in told] == [raised[0], [], [], raised[1], [], raised[2]]
        version += 4


def test_on_postgresql_they_are_one_way_there_and_back(tournament, django_assert_num_queries):
    with django_assert_num_queries(3 if connection.vendor == "sqlite" else 1):
        execute_batch(*[Statement(VERSION, [tournament.pk])] * 3)
    with django_assert_num_queries(0):
        assert execute_batch() == []


def test_of_those_after_one_that_fails_none_is_done_and_with_the_step_none_is_stored(tournament):
    before, add = Tournament.objects.get().version, Statement(RAISE, [1, tournament.pk])
    with pytest.raises(DatabaseError), transaction.atomic():
        execute_batch(add, Statement("UPDATE tournaments_nowhere SET id = %s", [7]), add)
    assert Tournament.objects.get().version == before
