"""What a captain's phone tells once its table is done: thanks, places, and why they may still change."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from tests.factories import first_table, make_tournament, play_out, report
from tournaments import ledger
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Table, Tournament
from tournaments.reporting.captain_state import table_ending

pytestmark = pytest.mark.django_db


def signed(table: Table) -> None:
    for seat in table.seats.all():
        seat.table = table
        ledger.agree(seat, now=timezone.now())


def ending(table: Table) -> dict:
    return table_ending(Table.objects.select_related("round__tournament__host").get(pk=table.pk))


def test_the_tables_four_stand_with_their_places(client) -> None:
    tournament = make_tournament(8, 1, deals_per_round=4)
    table, other = tournament.rounds.get().tables.order_by("number")
    play_out(table)
    play_out(other)
    end = client.get(f"/c/{table.secret}/next").json()["end"]
    assert (end["thanks"], end["is_last"]) == ("Thank you for tonight, table 1", True)
    names = {seat.entry.shown_name for seat in table.seats.all()}
    assert {place["name"] for place in end["places"]} == names
    places = [int(place["place"].rstrip(".=")) for place in end["places"]]
    assert places == sorted(places)
    assert sum(int(place["total"].replace("−", "-")) for place in end["places"]) == 0


@pytest.mark.parametrize(
    ("others_signed", "said"),
    [
        (0, "Provisional: 2 tables are still playing."),
        (1, "Provisional: 1 table is still playing."),
        (2, "Provisional until the organiser confirms the places."),
    ],
)
def test_until_when_places_are_provisional_is_said(others_signed, said) -> None:
    tournament = make_tournament(12, 1, deals_per_round=4)
    table, *others = tournament.rounds.get().tables.order_by("number")
    for one in (table, *others):
        play_out(one)
    for one in (table, *others[:others_signed]):
        signed(one)
    assert ending(table)["provisional"] == said


def test_after_a_round_that_is_not_the_last_nobody_is_thanked_for_the_evening() -> None:
    table = first_table(make_tournament(8, 2, deals_per_round=4))
    play_out(table)
    end = ending(table)
    assert (end["thanks"], end["note"]) == ("Thank you, table 1", "Your standing after round 1:")
    assert end["is_last"] is False


def test_the_link_of_the_last_round_leads_to_the_standings_and_names_the_winner(client, alice) -> None:
    tournament = make_tournament(4, 1, account=alice, deals_per_round=4)
    table = first_table(tournament)
    solo = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
    for deal in range(1, 5):
        report(table, deal, solo if deal == 1 else None)
    close_round(table.round, account=alice, now=timezone.now(), force_reason="late")
    page = client.get(f"/c/{table.secret}/").content.decode()
    assert "Thank you for tonight, table 1" in page
    assert "Where do I sit" not in page
    assert f"/t/{tournament.code}/standings/" in page
    assert page.index("Thank you for tonight") < page.index('class="placed"') < page.index("standings/")
    finish(Tournament.objects.get(), account=alice, now=timezone.now())
    page = client.get(f"/c/{table.secret}/").content.decode()
    winner = table.seats.get(position=1).entry.shown_name
    assert (f"{winner} won</h1>" in page, "Provisional" in page) == (True, False)


def test_the_link_of_an_earlier_round_leads_to_the_next_seat(client, alice) -> None:
    tournament = make_tournament(8, 2, account=alice, deals_per_round=4)
    table = first_table(tournament)
    close_round(table.round, account=alice, now=timezone.now(), force_reason="late")
    page = client.get(f"/c/{table.secret}/").content.decode()
    assert "Round 1 is closed</h1>" in page
    assert "Where do I sit next?" in page


def test_once_play_is_over_the_link_of_every_round_leads_to_how_it_ended(client, alice) -> None:
    tournament = make_tournament(8, 2, account=alice, deals_per_round=4)
    first, last = tournament.rounds.order_by("number")
    for number, round_ in enumerate((first, last), 1):
        if number > 1:
            start_round(round_, account=alice, now=timezone.now())
        for one in round_.tables.all():
            play_out(one)
        close_round(round_, account=alice, now=timezone.now(), force_reason="late")
    finish(Tournament.objects.get(), account=alice, now=timezone.now())
    table = first_table(tournament)
    page = client.get(f"/c/{table.secret}/").content.decode()
    assert ("Where do I sit" in page, "is closed</h1>" in page) == (False, False)
    assert (" won</h1>" in page or " share the win</h1>" in page, f"/t/{tournament.code}/story/" in page) == (
        True,
        True,
    )
    numbers = table.seats.values_list("entry__number", flat=True)
    assert all(f"/t/{tournament.code}/player/{number}/card/" in page for number in numbers)


def test_before_the_next_round_each_row_has_the_next_seat(client, alice) -> None:
    tournament = make_tournament(8, 2, account=alice, deals_per_round=4)
    table = first_table(tournament)
    close_round(table.round, account=alice, now=timezone.now(), force_reason="late")
    page = client.get(f"/c/{table.secret}/").content.decode()
    assert page.count("<small>Round 2: table ") == table.seats.count()


def test_when_it_is_final_the_hosts_next_evening_is_named(alice) -> None:
    tournament = make_tournament(4, 1, account=alice, deals_per_round=4)
    table = first_table(tournament)
    play_out(table)
    day = tournament.date
    later = make_tournament(0, club=tournament.host, account=alice, date=day + timedelta(14))
    make_tournament(0, club=tournament.host, account=alice, date=day + timedelta(30))
    assert "Next evening" not in ending(table)["note"]
    close_round(table.round, account=alice, now=timezone.now(), force_reason="late")
    finish(Tournament.objects.get(pk=tournament.pk), account=alice, now=timezone.now())
    said = f"Next evening: {date_format(later.date, 'DATE_FORMAT')}."
    total = ending(table)["places"][0]["total"]
    assert ending(table)["note"] == f"Winning total: {total}. The final standings. {said}"
    Tournament.objects.filter(date__gt=day).update(called_off_at=timezone.now())
    assert ending(table)["note"].endswith("The final standings.")
