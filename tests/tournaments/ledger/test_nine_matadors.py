"""Nine matadors, where a tournament notes them: offered on the phone and at the desk, asked back, and on the sheet."""

from __future__ import annotations

import pytest
from django.urls import reverse

from scoring import get_rulebook
from tests.factories import first_table, make_tournament, report
from tournaments.reporting.captain_state import offers

pytestmark = pytest.mark.django_db
NOTED = {"nine_matadors": True}
SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}


def test_who_held_them_is_read_on_the_sheet_and_costs_nothing(client, club):
    table = first_table(make_tournament(4, club=club, rulebook="rasle", options=NOTED))
    report(table, 1, SOLO | {"nine_matadors": 3})
    report(table, 2, SOLO | {"declarer": 2})
    sheet = client.get(
        reverse("hall_table", args=[table.round.tournament.code, 1, table.number])
    ).content.decode()
    holder = table.seats.get(position=3).entry.shown_name
    assert sheet.count(f"nine matadors: {holder}") >= 1
    assert "line=B+solo+h+won+nine+matadors+D" in sheet


@pytest.mark.parametrize(("options", "asked"), [(NOTED, True), ({}, False)])
def test_they_are_asked_for_only_where_the_rules_note_them(as_alice, club, options, asked):
    table = first_table(make_tournament(4, club=club, rulebook="rasle", options=options))
    address = reverse("desk_deal", args=[table.round.tournament.code, 1, table.number, 1])
    assert ("nine_matadors" in as_alice.get(address).context["form"].fields) is asked
    told = offers(get_rulebook("rasle", options), 4, "en")
    assert (told["names"].get("matadors_MH") == "nine matadors: {MH}") is asked


def test_the_phone_asks_back(club):
    told = offers(get_rulebook("rasle", NOTED), 4, "en")
    game = next(row for row in told["contracts"] if row["id"] == "simple_game")
    asked = [extra["ask"] for extra in game["extras"] if extra["code"].startswith("matadors_")]
    assert asked == ["Nine matadors are rare. Is that right?"] * 3
