"""Codes made by lot: one that is taken is not given again, wherever codes are given."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from core import text
from tests.factories import first_table, make_club, make_tournament
from tests.tournaments.exports.test_transfer import forget
from tournaments.entries import teams
from tournaments.exports.tournament_file import export_tournament, import_tournament
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import revoke_link
from tournaments.models import Table, Tournament
from tournaments.models.events import free_codes

TAKEN = "TAKEN2"


@pytest.fixture
def lots(monkeypatch):
    """What comes out first whenever a code is made by lot; then whatever comes."""

    def come_out(*codes):
        waiting = list(codes)
        made = text.make_code
        monkeypatch.setattr(text, "make_code", lambda: waiting.pop(0) if waiting else made())

    return come_out


@pytest.fixture
def taken(alice):
    """A table, and a tournament, that have the code."""
    tournament = make_tournament(4, club=make_club("Viby"), account=alice)
    Table.objects.filter(round__tournament=tournament).update(code=TAKEN)
    Tournament.objects.filter(pk=tournament.pk).update(code=TAKEN)
    tournament.refresh_from_db()
    return tournament


def test_no_code_is_given_that_is_taken_or_given_just_now(taken, lots):
    lots(TAKEN, "AAAAAA", "AAAAAA", TAKEN, "AAAAAA", "BBBBBB", "CCCCCC")
    assert set(free_codes(Table, 3)) == {"AAAAAA", "BBBBBB", "CCCCCC"}


@pytest.mark.parametrize("in_pairs", [False, True])
def test_a_draw_whose_tables_would_have_a_code_that_is_taken(taken, lots, club, alice, in_pairs):
    drawn = make_tournament(8, club=club, drawn=False, format="pairs" if in_pairs else "individual")
    if in_pairs:
        teams.put_together(drawn, account=alice, now=timezone.now())
    lots(TAKEN, "AAAAAA", "AAAAAA", "AAAAAA")
    draw(drawn, seed=8, account=alice, now=timezone.now())
    codes = list(Table.objects.filter(round__tournament=drawn).values_list("code", flat=True))
    assert TAKEN not in codes
    assert len(set(codes)) == len(codes) > 1


def test_a_new_link_whose_code_is_taken(taken, lots, club, alice):
    table = first_table(make_tournament(4, club=club, account=alice))
    lots(TAKEN)
    assert revoke_link(table, account=alice, now=timezone.now()).code != TAKEN


def test_a_new_tournament_whose_code_is_taken(taken, lots, as_alice):
    lots(TAKEN, "AAAAAA")
    assert as_alice.get(reverse("tournament_new")).context["code"] == "AAAAAA"


def test_a_tournament_taken_in_whose_table_has_a_code_that_is_taken(alice, club):
    tournament = make_tournament(4, club=club, account=alice)
    text, code = export_tournament(tournament), first_table(tournament).code
    forget(tournament)
    there = make_tournament(4, club=make_club("Viby"), account=alice)
    Table.objects.filter(round__tournament=there).update(code=code)
    assert first_table(import_tournament(text)).code != code
