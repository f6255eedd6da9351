"""Two clicks, or two organisers, on the same button: what the second finds gone or done already is said in words."""

from __future__ import annotations

import json
from threading import Barrier, Thread
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from tests.factories import first_round, first_table, make_tournament
from tournaments.lifecycle.drawing import discard_draw
from tournaments.lifecycle.playing import close_round, revoke_link, start_round
from tournaments.models import RevokedSecret, Table

pytestmark = pytest.mark.databases


@pytest.fixture
def drawn(alice):
    return make_tournament(account=alice, started=False)


@pytest.mark.parametrize("step", [start_round, close_round])
def test_a_round_whose_draw_was_discarded_meanwhile(drawn, alice, step):
    round_ = first_round(drawn)
    discard_draw(drawn, account=alice, now=timezone.now())
    with pytest.raises(NotPossible, match="The draw has changed in the meantime;"):
        step(round_, account=alice, now=timezone.now())


def test_a_link_of_a_table_whose_draw_was_discarded_meanwhile(drawn, alice):
    table = first_table(drawn)
    discard_draw(drawn, account=alice, now=timezone.now())
    with pytest.raises(NotPossible, match="The draw has changed in the meantime;"):
        revoke_link(table, account=alice, now=timezone.now())


def test_a_report_to_a_table_whose_draw_is_discarded_meanwhile(client, drawn, alice, monkeypatch):
    table = first_table(drawn)

    def found_just_before(secret, **options):
        discard_draw(drawn, account=alice, now=timezone.now())
        return table

    monkeypatch.setattr("tournaments.reporting.captain_page.table_by_secret", found_just_before)
    item = {"key": str(uuid4()), "deal": 1, "base": 0, "result": {"all_passed": True}}
    answer = client.post(
        reverse("captain_reports", args=[table.secret]),
        json.dumps({"reports": [item]}),
        content_type="application/json",
    )
    assert (answer.status_code, answer.json()["error"]) == (404, "unknown")


def test_two_who_replace_the_same_link_make_one_new_link(drawn, alice):
    one, other = first_table(drawn), first_table(drawn)
    replaced = revoke_link(one, account=alice, now=timezone.now())
    assert revoke_link(other, account=alice, now=timezone.now()).secret == replaced.secret
    assert RevokedSecret.objects.count() == 1
    again = revoke_link(Table.objects.get(pk=one.pk), account=alice, now=timezone.now())
    assert again.secret != replaced.secret


@pytest.mark.django_db(transaction=True)
def test_a_guest_entered_by_two_clicks_is_one_guest(alice):
    tournament = make_tournament(account=alice, drawn=False)
    client = Client()
    client.force_login(alice)
    barrier, statuses = Barrier(4), []

    def click():
        clicking = Client()
        clicking.cookies = client.cookies
        barrier.wait()
        try:
            url = reverse("desk_add_guest", args=[tournament.code])
            statuses.append(clicking.post(url, {"name": "Zoë Gæst", "here": "on"}).status_code)
        finally:
            connection.close()

    clicks = [Thread(target=click) for _ in range(4)]
    for thread in clicks:
        thread.start()
    for thread in clicks:
        thread.join()
    assert sorted(statuses) == [200, 200, 200, 302]
    assert tournament.entries.filter(player__name="Zoë Gæst").count() == 1
