"""A table of four where the dealer sits out, as in tresillo: from seats and phone to paper, statistics and recount."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from core.pdf.files import pdf_of
from scoring import get_rulebook
from scoring.notation import read_words, write_words
from scoring.seats import Role
from tests.factories import first_table, make_tournament, report
from tournaments.demo.play import results
from tournaments.exports.verify.recount import differences
from tournaments.ledger.deal_sums import deals_at, read_at
from tournaments.ledger.scoresheet import score_sheet
from tournaments.ledger.seating import seating_at
from tournaments.models import PrintedSheet, Seat, Table, Tournament
from tournaments.paper.kinds import KINDS, Order
from tournaments.reporting.captain_state import table_state
from tournaments.reporting.reader.layout import read_layout
from tournaments.standings.players import standings
from tournaments.standings.statistics import deals_of, statistics

OPTIONS = {"sits_out": "dealer"}
ENTRADA = {"contract": "entrada", "trump": "H", "outcome": "won", "pool": 5, "estuches": 2}


@pytest.fixture
def table(club):
    return first_table(make_tournament(4, club=club, rulebook="renegado", options=OPTIONS, deals_per_round=8))


def sitting(table):
    return [seat.entry for seat in table.seats.order_by("position")]


def test_the_dealer_deals_pays_and_receives(table):
    assert report(table, 1, ENTRADA | {"declarer": 1}).status == "accepted"
    # The dealer's ante of 5, and 5 and two estuches like each of the others.
    assert [seat.tokens for seat in table.seats.order_by("position")] == [-12, 26, -7, -7]


def test_the_dealer_is_no_declarer_but_of_mort(table):
    refused = report(table, 1, ENTRADA | {"declarer": 0})
    assert (refused.status, [problem.code for problem in refused.problems]) == (
        "refused",
        ["declarer_sits_out"],
    )
    assert report(table, 1, ENTRADA | {"declarer": 0, "contract": "mort"}).status == "accepted"


def test_the_phone_is_told_who_deals_and_sits_out(table):
    told = table_state(table, now=timezone.now())
    assert told["seatings"] == [
        {"roles": ["IDLE", "FH", "MH", "BH"], "sits_out": 0},
        {"roles": ["BH", "IDLE", "FH", "MH"], "sits_out": 1},
        {"roles": ["MH", "BH", "IDLE", "FH"], "sits_out": 2},
        {"roles": ["FH", "MH", "BH", "IDLE"], "sits_out": 3},
    ]
    antes = dict(zip(told["choices"]["roles"], told["choices"]["antes"], strict=True))
    assert antes == {"FH": 0, "MH": 0, "BH": 0, "IDLE": -5}


def test_the_sheet_has_one_letter_for_both(table):
    assert [(line.dealer, line.sits_out) for line in score_sheet(table).lines] == [
        (deal % 4, deal % 4) for deal in range(8)
    ]


def test_two_who_change_seats_sit_out_when_they_deal(table):
    table.turns = [{"deal": 3, "swap": [2, 3]}]
    seatings = [seating_at(table, 4, deal) for deal in range(1, 9)]
    assert [seating.sits_out for seating in seatings] == [0, 1, 3, 2, 0, 1, 3, 2]
    assert all(seating.sits_out == seating.dealer for seating in seatings)


def test_a_line_of_the_slip_names_the_seats_that_play(table):
    seating, book = seating_at(table, 4, 1), get_rulebook("renegado", OPTIONS)
    result = read_words("B entrada h kodille 2-5-2 estuches 1", seating, book)
    assert [(role.value, count) for role, count in result.tricks] == [("FH", 2), ("MH", 5), ("BH", 2)]
    assert seating.positions[result.declarer] == 1
    assert write_words(result, seating, book) == "B entrada h kodille 2-5-2 estuches 1"


def test_all_rooms_count_the_same_deals(table):
    book = get_rulebook("renegado", OPTIONS)
    for deal, result in enumerate(results(book, 4, 8, seed=5), start=1):
        assert report(table, deal, result).status == "accepted"
    for seat in Seat.objects.filter(table=table):
        assert statistics(deals_of(seat.entry), book.contracts).tokens == seat.tokens
        assert {deal.role for deal in deals_of(seat.entry) if (deal.number - 1) % 4 == seat.position} == {
            Role.IDLE
        }
    # Each of four has been dealt cards in six of the eight deals.
    assert {row.deals for row in standings(fresh(table)).rows} == {6}
    here = list(deals_at(Table.objects.filter(pk=table.pk)))
    assert [one.roles for one in here] == [one.roles for one in read_at(table, table.reports.all())]
    assert [one.roles.index("IDLE") for one in here] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert list(differences(fresh(table))) == []
    call_command("verify", stdout=StringIO())


def fresh(table):
    return Tournament.objects.get(pk=table.round.tournament_id)


def test_the_ticked_sheet_has_no_box_for_who_deals_without_mort(club):
    options = OPTIONS | {"mort": False}
    made = make_tournament(4, club=club, rulebook="renegado", options=options, deals_per_round=8)
    table = first_table(made)
    pages = KINDS["ticked"].pages(Order(table.round, "http://192.168.1.24:8000", timezone.now()))
    assert pdf_of(pages, "Sheet").startswith(b"%PDF")
    layout = read_layout(PrintedSheet.objects.get(table=table).layout)
    assert [(row.dealer, row.without) for row in layout.rows] == [
        (deal % 4, (str(deal % 4),)) for deal in range(8)
    ]
