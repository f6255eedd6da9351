"""Questions whose sentence is thought about once are answered as if they were asked anew each time."""

from __future__ import annotations

import threading

import pytest
from django.db import connections, transaction
from django.db.models import Count
from django.db.transaction import TransactionManagementError
from django.http import Http404

from clubs.models import Player
from core.sql import prepared_query
from tests.factories import make_club, make_player, make_tournament
from tournaments.changes.locks import locked
from tournaments.models import Entry, Tournament

# A column of PostgreSQL holds less than one of SQLite.
pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@prepared_query
def _entries(player, tournament):
    return Entry.objects.filter(player=player, tournament=tournament).select_related(
        "player", "tournament__host"
    )


@prepared_query
def _by_code(code):
    return Tournament.objects.filter(code=code)


@prepared_query
def _counted(host):
    return (
        Tournament.objects.filter(host=host)
        .values("host")
        .annotate(all=Count("pk"))
        .values_list("all", "date")
    )


@prepared_query
def _numbered(tournament, number):
    return Entry.objects.filter(tournament=tournament, number=number)


@prepared_query
def _everybody():
    return Player.objects.order_by("-pk").values_list("pk", flat=True)


def test_each_key_has_its_own_answer_and_rows_are_those_of_the_model(club, alice, django_assert_num_queries):
    one, other = make_tournament(4, club=club), make_tournament(8, club=make_club("Naboen"), account=alice)
    for tournament in (one, other, one):
        for entry in tournament.entries.all():
            (found,) = _entries(entry.player_id, tournament.pk)
            assert (type(found), found, found.pk) == (Entry, entry, entry.pk)
            with django_assert_num_queries(0):
                assert (found.player.pk, found.tournament.host) == (entry.player_id, tournament.host)
        assert _by_code(tournament.code) == [tournament]
        assert _counted(tournament.host_id) == [(1, tournament.date)]
        assert [_numbered(tournament.pk, number)[0].number for number in (1, 4)] == [1, 4]
    assert _entries(one.entries.first().player_id, other.pk) == []
    assert [_numbered(one.pk, number) for number in (5, 2**15, 2**40)] == [[]] * 3
    assert _by_code("nobody") == []
    assert _by_code.first("nobody") is None
    assert [_by_code.first(one.code), _by_code.or_404(other.code)] == [one, other]
    with pytest.raises(Http404):
        _by_code.or_404("nobody")
    assert _entries(one.entries.first().player_id, 10**30) == []


def test_what_has_changed_is_seen_and_each_thread_asks_by_itself(club):
    make_player("Anna", club)
    assert len(_everybody()) == 1
    make_player("Bob", club)
    assert _everybody() == sorted(Player.objects.values_list("pk", flat=True), reverse=True)
    sentences = [_everybody.known.sentence]
    thread = threading.Thread(target=lambda: sentences.append(getattr(_everybody.known, "sentence", None)))
    thread.start()
    thread.join()
    assert sentences[0].is_for(connections)
    assert sentences[1] is None


def test_a_question_that_does_not_ask_for_a_key_is_none():
    with pytest.raises(TypeError, match="each of its keys"):
        prepared_query(lambda _player: Player.objects.all())(1)


def test_a_question_that_needs_more_than_one_sentence_is_none(club):
    with pytest.raises(TypeError, match="prefetch_related"):
        prepared_query(lambda key: Player.objects.filter(pk=key).prefetch_related("memberships"))(1)


def test_nothing_is_held_outside_of_a_transaction_however_often_it_is_asked(club, monkeypatch):
    tournament = make_tournament(4, club=club)
    for _time in range(2):
        with transaction.atomic():
            assert locked(tournament) == tournament
        with monkeypatch.context() as outside:
            outside.setattr(connections["default"], "in_atomic_block", False)
            with pytest.raises(TransactionManagementError, match="outside of a"):
                locked(tournament)
