"""What it costs to show the hall to everybody: drawn and counted once a change."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from tests.factories import make_tournament
from tests.pages import hall_page

HTMX = {"HX-Request": "true"}


def test_the_version_costs_one_query_and_no_session(running, as_charlie, django_assert_num_queries):
    with django_assert_num_queries(1):
        answer = as_charlie.get(f"/t/{running.code}/version")
    assert answer.json() == {"version": running.version}
    assert answer.headers["Cache-Control"] == "no-store"
    assert not answer.cookies


def test_what_another_process_draws_is_waited_for_and_not_drawn_twice(running, client, monkeypatch):
    path = f"/t/{running.code}/standings/"
    drawn = client.get(path, headers={"HX-Request": "true"})
    key = f"hall:{running.pk}:standings::en"
    kept = cache.get(key)
    cache.delete(key)
    cache.add(f"{key}:turn", 1)
    monkeypatch.setattr("tournaments.hall.live.time.sleep", lambda _moment: cache.set(key, kept))
    monkeypatch.setattr("tournaments.hall.live.render_to_string", None)
    assert client.get(path, headers={"HX-Request": "true"}).content == drawn.content


def test_a_process_that_was_killed_while_it_drew_holds_nobody_up_for_long(running, client, monkeypatch):
    now = iter(range(100))
    monkeypatch.setattr("tournaments.hall.live.time.monotonic", lambda: next(now))
    cache.add(f"hall:{running.pk}:standings::en:turn", 1)
    assert client.get(f"/t/{running.code}/standings/").status_code == 200


@pytest.mark.parametrize("players", [4, 16])
def test_standings_are_counted_once_a_change_for_everybody(club, players, client, django_assert_num_queries):
    tournament = make_tournament(players, club=club)
    with django_assert_num_queries(15):
        hall_page(client, tournament, "standings/")
    with django_assert_num_queries(1):
        hall_page(client, tournament, "standings/")


def test_what_is_kept_for_all_has_no_visitors_words_in_it(running, client):
    assert "visitor" not in hall_page(client, running, "standings/?visitor=1", **HTMX)
    assert f'data-live="/t/{running.code}/seats/?name=bo"' in hall_page(
        client, running, "seats/?name=bo", **HTMX
    )
