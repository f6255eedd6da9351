"""A tournament in several halls: set up at the desk, and named wherever a seat is."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_tournament
from tests.pages import words
from tournaments.lifecycle.creating import KEPT
from tournaments.lifecycle.halls import lacking_places
from tournaments.models import Round, Table, Tournament
from tournaments.paper import seat_plans
from tournaments.paper.kinds import EVERYTHING, KINDS, Order
from tournaments.paper.printing import seat_marks

pytestmark = pytest.mark.databases

TWO = [{"name": "Sal A", "place": "Søndergade 5", "tables": 1}, {"name": "Sal B", "place": "", "tables": 1}]


@pytest.fixture
def evening(alice):
    return make_tournament(8, account=alice)


@pytest.fixture
def in_two(evening):
    Tournament.objects.filter(pk=evening.pk).update(halls=TWO)
    evening.refresh_from_db()
    return evening


def page_of(tournament):
    return reverse("desk_halls", args=[tournament.code])


def send(client, tournament, *lines, seen=None, **more):
    """The form of the halls: each line has name, place and tables."""
    if seen is None:
        seen = client.get(page_of(tournament)).context["seen"]
    sent = {"hall-TOTAL_FORMS": len(lines), "hall-INITIAL_FORMS": 0, "seen": seen} | more
    for index, (name, place, tables) in enumerate(lines):
        sent |= {f"hall-{index}-name": name, f"hall-{index}-place": place, f"hall-{index}-tables": tables}
    return client.post(page_of(tournament), sent)


A, B, EMPTY = ("Sal A", "Søndergade 5", "1"), ("Sal B", "", "1"), ("", "", "")


def test_halls_are_set_up_and_removed_again(as_alice, evening):
    answer = send(as_alice, evening, A, B, EMPTY)
    assert answer.status_code == 302
    evening.refresh_from_db()
    assert evening.halls == TWO
    assert evening.log.first().words == "The halls are now: Sal A (1–1), Sal B (2–2)"
    assert send(as_alice, evening, EMPTY, EMPTY, moves="on").status_code == 302
    evening.refresh_from_db()
    assert (evening.halls, evening.log.first().words) == ([], "There are no halls any more")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([("Sal A", "", "")], "How many tables does this hall have?"),
        ([("", "Søndergade 5", "2")], "Type the name of the hall, or empty the line."),
        ([("Sal A", "", "0")], "At least 1."),
        ([("Sal A", "", "501")], "At most 500."),
        ([("Sal A", "", "many")], "Type a whole number."),
        ([("x" * 31, "", "1")], "this has 31"),
        ([A, ("sal a", "", "2")], "Two halls have the same name."),
        ([(f"Sal {number}", "", "1") for number in range(17)], "Please submit at most 16 forms."),
    ],
)
def test_bad_input_is_said_and_stays_in_the_form(as_alice, evening, lines, said):
    answer = send(as_alice, evening, *lines)
    page = answer.content.decode()
    assert said in words(page)
    assert all(f'value="{part}"' in page for line in lines for part in line if part)
    evening.refresh_from_db()
    assert evening.halls == []


def test_who_saves_second_sees_what_the_first_has_saved(as_alice, evening):
    seen = as_alice.get(page_of(evening)).context["seen"]
    send(as_alice, evening, A, B, seen=seen)
    answer = send(as_alice, evening, ("Sal C", "", "2"), seen=seen)
    page = answer.content.decode()
    assert "Someone else has changed the halls" in page
    assert ("Sal B" in page, 'value="Sal C"' in page) == (True, True)
    # Saved again, it is what counts; drawn tables that move are asked about first.
    again = send(as_alice, evening, ("Sal C", "", "2"), seen=answer.context["seen"])
    assert "Tables 1, 2 are drawn and would be in another hall." in again.content.decode()
    send(as_alice, evening, ("Sal C", "", "2"), moves="on")
    evening.refresh_from_db()
    assert [hall.name for hall in evening.hall_list] == ["Sal C"]


def test_a_second_click_changes_nothing(as_alice, evening):
    seen = as_alice.get(page_of(evening)).context["seen"]
    for _click in range(2):
        assert send(as_alice, evening, A, B, seen=seen).status_code == 302
    assert evening.log.filter(text__startswith="The halls").count() == 1


def test_fewer_places_than_tables_is_said_before_the_draw(as_alice, alice):
    undrawn = make_tournament(8, account=alice, drawn=False)
    Tournament.objects.filter(pk=undrawn.pk).update(halls=TWO[:1])
    undrawn.refresh_from_db()
    said = "2 tables are needed, and the halls have 1. The others would be in Sal A."
    assert lacking_places(undrawn) == (2, 1, "Sal A")
    assert said in words(as_alice.get(reverse("desk_draw", args=[undrawn.code])).content.decode())
    Tournament.objects.filter(pk=undrawn.pk).update(halls=TWO)
    undrawn.refresh_from_db()
    assert lacking_places(undrawn) is None


def test_seats_name_their_hall_on_every_page(as_alice, in_two):
    table = Table.objects.get(round__tournament=in_two, round__number=1, number=2)
    at = [in_two.code, 1, 2]
    number = table.seats.first().entry.number
    pages = {
        as_alice: [("desk_table", at), ("desk_draw", [in_two.code]), ("desk_board", [in_two.code])],
        Client(): [
            ("hall_table", at),
            ("hall_tables", [in_two.code]),
            ("seats", [in_two.code]),
            ("hall_player", [in_two.code, number]),
            ("projector", [in_two.code]),
            ("captain", [table.secret]),
        ],
    }
    captains = Client().get(reverse("captain", args=[table.secret])).content.decode()
    assert captains.count("Sal B: Table 2") == 1  # in its head; the line above the entry has no room for it
    without = [
        name
        for browser, names in pages.items()
        for name, args in names
        if "Sal B" not in browser.get(reverse(name, args=args), follow=True).content.decode()
    ]
    assert without == []


def test_who_looks_for_their_seat_reads_where_its_hall_is(in_two):
    table = Table.objects.get(round__tournament=in_two, round__number=1, number=1)
    number = table.seats.first().entry.number
    page = words(Client().get(reverse("seats", args=[in_two.code]), {"name": number}).content.decode())
    assert "Sal A: Table 1 seat A deals first Søndergade 5" in page
    assert [in_two.place_at(number) for number in (1, 2)] == ["Søndergade 5", in_two.place]


def test_the_board_and_the_projector_of_one_hall(as_alice, in_two):
    board = reverse("desk_board", args=[in_two.code])
    for hall, tables in (("1", [1]), ("2", [2]), ("9", [1, 2])):
        shown = as_alice.get(f"{board}?hall={hall}").context["page"]
        assert [row.table.number for row in shown] == tables
    wall = reverse("projector", args=[in_two.code])
    page = words(Client().get(f"{wall}?hall=2").content.decode())
    assert ("Table 2, A" in page, "Table 1, A" in page) == (True, False)
    assert "Sal B: Table 2, A" in words(Client().get(wall).content.decode())


def names_in(pages):
    return {name for page in pages for column in page.context["columns"] for name, *_seat in column}


def test_what_is_printed_for_a_hall_is_of_that_hall_alone(in_two, by_alice):
    round_ = Round.objects.select_related("tournament__host").get(tournament=in_two, number=1)
    orders = {hall: Order(round_, "http://x", by_alice["now"], hall=hall) for hall in (None, 1, 2)}
    assert [len(KINDS["blank"].pages(order)) for order in orders.values()] == [2, 1, 1]
    all_of_them, first, second = (names_in(KINDS["names"].pages(order)) for order in orders.values())
    assert (len(all_of_them), len(first), len(second)) == (8, 4, 4)
    assert first | second == all_of_them
    tables = [
        [
            (table["number"], table["hall"])
            for page in KINDS["tables"].pages(order)
            for table in page.context["tables"]
        ]
        for order in orders.values()
    ]
    assert tables == [[(1, "Sal A"), (2, "Sal B")], [(1, "Sal A")], [(2, "Sal B")]]
    assert {page.name for page in KINDS[EVERYTHING].pages(orders[2])} & {"Table 1"} == set()
    stops = [stop for way in seat_plans.ways_of(in_two) for stop in way.stops if stop.table]
    assert {(stop.table, stop.hall) for stop in stops} == {(1, "Sal A"), (2, "Sal B")}


def test_the_list_of_all_rounds_leaves_room_for_the_halls_above_it(in_two, monkeypatch, by_alice):
    monkeypatch.setattr(seat_plans, "LINES", 8 * 6.0)
    (page,) = KINDS["all-rounds"].pages(Order(in_two.rounds.get(number=1), "http://x", by_alice["now"]))
    assert len(page.context["lines"]) == 8
    assert f"height: {(48 - 2 * seat_plans.HALL_LINE) / 8:.2f}mm" in page.styles


def test_the_print_page_asks_for_one_hall(as_alice, in_two, undrawn):
    page = f"{reverse('desk_print', args=[in_two.code])}?round=1&hall=2"
    assert 'name="hall" value="2"' in as_alice.get(page).content.decode()
    ask = reverse("desk_print_ask", args=[in_two.code, 1, "names"])
    assert as_alice.post(ask, {"hall": "3"}).status_code == 200
    assert as_alice.post(ask, {"hall": "2"}).status_code == 302


def test_sheets_count_as_changed_when_their_table_is_in_another_hall(in_two):
    round_ = in_two.rounds.get(number=1)
    before = seat_marks(round_)
    Tournament.objects.filter(pk=in_two.pk).update(halls=[TWO[0] | {"tables": 2}])
    after = seat_marks(Round.objects.get(tournament=in_two, number=1))
    assert [before[number] == after[number] for number in ("1", "2")] == [True, False]


def test_a_copy_is_played_in_the_same_halls():
    assert "halls" in KEPT


def test_the_api_names_the_halls(in_two):
    browser = Client()
    found = browser.get(f"/api/v1/tournaments/{in_two.code}").json()
    assert found["halls"][1] == {"name": "Sal B", "place": "", "first": 2, "last": 2}
    tables = browser.get(f"/api/v1/tournaments/{in_two.code}/rounds/1/tables").json()["items"]
    assert [table["hall"] for table in tables] == ["Sal A", "Sal B"]
