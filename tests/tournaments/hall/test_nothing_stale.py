"""Each kind of change arrives on each live page: what is kept of it is what would be drawn from nothing."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.utils import timezone

from tests.factories import first_round, first_table, make_tournament, report
from tournaments.entries.entering import withdraw
from tournaments.lifecycle.ending import call_off
from tournaments.lifecycle.playing import close_round
from tournaments.lifecycle.rulings import cancel_penalty, penalise
from tournaments.models import Penalty, Table, Tournament

SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
PAGES = (
    "", "standings/", "seats/", "tables/", "round/1/", "round/1/table/1/", "player/1/", "story/", "story/2/",
    "projector/",
)  # fmt: skip
# A clock shows the seconds that are left.
TIME = re.compile(r"\d\d[:.]\d\d(?:[:.]\d\d)?")


def tables(tournament):
    found = Table.objects.filter(round=first_round(tournament)).select_related("round__tournament")
    return list(found.order_by("number"))


def _report(tournament, **_by):
    report(tables(tournament)[1], 1, SOLO)


def _correct(tournament, **_by):
    report(first_table(tournament), 1, SOLO | {"outcome": "kodille"}, base=1, reason="misread")


def _play_out(tournament, **_by):
    for deal in range(1, 5):
        report(tables(tournament)[1], deal, SOLO)


def _penalise(tournament, **by):
    entry = tournament.entries.get(number=2)
    penalise(entry, tokens=-5, reason="late", round_=first_round(tournament), **by)


def _cancel_penalty(_tournament, **by):
    cancel_penalty(Penalty.objects.get(), reason="was there", **by)


def _withdraw(tournament, **by):
    withdraw(tournament.entries.get(number=8), reason="ill", **by)


def _close(tournament, **by):
    close_round(first_round(tournament), force_reason="the hall closes", **by)


def _call_off(tournament, **by):
    _close(tournament, **by)
    call_off(Tournament.objects.get(pk=tournament.pk), reason="snow", **by)


CHANGES = (_report, _correct, _play_out, _penalise, _cancel_penalty, _withdraw, _close, _call_off)


@pytest.fixture
def tournament(club, alice):
    made = make_tournament(8, club=club, deals_per_round=4)
    report(first_table(made), 1, SOLO)
    entry = made.entries.get(number=1)
    penalise(entry, tokens=-3, reason="late", round_=None, account=alice, now=timezone.now())
    return made


def read(client, tournament):
    """The live part of every page, without times."""
    address = f"/t/{tournament.code}/"
    answers = {page: client.get(address + page, headers={"HX-Request": "true"}) for page in PAGES}
    assert {page: answer.status_code for page, answer in answers.items()} == dict.fromkeys(PAGES, 200)
    return {page: TIME.sub("", answer.content.decode()) for page, answer in answers.items()}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__.strip("_"))
def test_a_change_is_on_every_page_at_once(change, tournament, alice, client):
    before = read(client, tournament)
    change(Tournament.objects.get(pk=tournament.pk), account=alice, now=timezone.now())
    after = read(client, tournament)
    cache.clear()
    assert after == read(client, tournament)
    assert after["standings/"] != before["standings/"]
