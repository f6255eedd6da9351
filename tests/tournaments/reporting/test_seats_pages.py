"""Dealer and seats in the middle of a round, at the desk and on the captain's phone: shown before it is stored."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_table, make_tournament, report, won
from tests.pages import text
from tournaments.lifecycle.playing import close_round, revoke_link
from tournaments.models import Deal, Report, SeatChange, Table

MOVED = {"deal": "2", "first": "2", "reason": "dealt out of turn"}


@pytest.fixture
def table_of_12_deals(alice, club):
    return first_table(make_tournament(4, account=alice, club=club, deals_per_round=12))


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture(params=["desk", "captain"])
def door(request, as_alice, table_of_12_deals):
    """Asks for a page of one kind of change, or posts to it: at the desk, or with the captain's link."""

    def ask(kind, data=None, **asked):
        if request.param == "desk":
            browser = as_alice
            address = reverse(
                "desk_seats_change",
                args=[table_of_12_deals.round.tournament.code, 1, table_of_12_deals.number, kind],
            )
        else:
            browser, address = (
                Client(),
                reverse("captain_seats_change", args=[table_of_12_deals.secret, kind]),
            )
        return browser.get(address, asked) if data is None else browser.post(address, data)

    ask.by = request.param
    return ask


def shown(answer):
    return re.search(r'name="shown" value="([^"]*)"', text(answer))[1]


def dealers(table):
    table.refresh_from_db()
    return dict(Report.objects.filter(current_of__table=table).values_list("deal_number", "dealer"))


def test_what_follows_is_shown_before_anything_is_stored(door, table_of_12_deals):
    report(table_of_12_deals, 1, won(1))
    report(table_of_12_deals, 2, won(2))
    page = text(door("dealer"))
    assert 'value="3"' in page  # the deal that is played now
    answer = door("dealer", MOVED)
    assert "Consequences" in text(answer)
    assert SeatChange.objects.count() == 0
    said = re.sub(r"<[^>]+>|\s+", " ", text(answer))
    assert re.search(r"2 +B +C +D +A", said), said  # dealer B is C now, and A sits out in place of D
    answer = door("dealer", MOVED | {"shown": shown(answer)})
    assert answer.status_code == 302
    assert dealers(table_of_12_deals) == {1: 0, 2: 2}
    assert SeatChange.objects.get().author == ("Alice" if door.by == "desk" else "")


def test_what_was_altered_after_it_was_shown_is_shown_again(door, table_of_12_deals):
    report(table_of_12_deals, 1, won(1))
    mark = shown(door("dealer", MOVED))
    again = door("dealer", MOVED | {"deal": "4", "shown": mark})
    assert "Consequences" in text(again)
    assert SeatChange.objects.count() == 0
    report(table_of_12_deals, 2)
    assert "Consequences" in text(door("dealer", MOVED | {"shown": mark}))
    assert SeatChange.objects.count() == 0


def test_pressing_twice_changes_once(door, table_of_12_deals):
    report(table_of_12_deals, 1, won(1))
    mark = {"shown": shown(door("dealer", MOVED))}
    assert door("dealer", MOVED | mark).status_code == 302
    assert "already deals deal 2" in text(door("dealer", MOVED | mark))
    assert SeatChange.objects.count() == 1


def test_a_deal_that_cannot_be_any_more_is_named_and_asked_about(door, table_of_12_deals):
    report(table_of_12_deals, 1)
    report(table_of_12_deals, 2, won(0))
    answer = door("dealer", MOVED)
    assert "Deal 2: " in text(answer)
    assert "cannot be declarer" in text(answer)
    assert ("by a ruling" in text(answer)) == (door.by == "desk")
    refused = door("dealer", MOVED | {"shown": shown(answer)})
    assert "Decide what happens to deal 2" in text(refused)
    assert door("dealer", MOVED | {"shown": shown(refused), "deal_2": "back"}).status_code == 302
    assert Deal.objects.get(number=2).current.result is None


def test_a_forgotten_deal_is_put_in_and_entered_next(door, table_of_12_deals):
    report(table_of_12_deals, 1)
    report(table_of_12_deals, 2, won(2))
    data = {"deal": "2", "reason": "forgotten"}
    answer = door("insert", data | {"shown": shown(door("insert", data))})
    assert answer["Location"].endswith("deal/2/" if door.by == "desk" else "#enter-2")
    assert Deal.objects.get(number=3).current.result["declarer"] == 2


def test_two_seats_are_swapped_and_swapped_back(door, table_of_12_deals):
    report(table_of_12_deals, 1)
    data = {"deal": "2", "first": "1", "second": "3", "reason": "wrong chairs"}
    door("swap", data | {"shown": shown(door("swap", data))})
    report(table_of_12_deals, 2, won(2))
    assert dealers(table_of_12_deals) == {1: 0, 2: 3}
    back = {"reason": "they had not"}
    door("back-0", back | {"shown": shown(door("back-0", back))})
    assert dealers(table_of_12_deals) == {1: 0, 2: 1}
    assert [change.change for change in SeatChange.objects.all()][1:] == [{"back": 0}]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"deal": "", "first": "2"}, "Type the number of a deal, 1 to 12."),
        ({"deal": "13", "first": "2"}, "Type the number of a deal, 1 to 12."),
        ({"deal": "٣x", "first": "2"}, "Type the number of a deal, 1 to 12."),
        ({"deal": "2", "first": ""}, "Choose the player."),
        ({"deal": "2", "first": "7"}, "Choose the player."),
        ({"deal": "2", "first": "2", "reason": ""}, "Say why, in a few words."),
        ({"deal": "2", "first": "1"}, "already deals deal 2."),
    ],
)
def test_bad_input_is_told_at_its_field_and_nothing_typed_is_lost(door, table_of_12_deals, data, said):
    answer = door("dealer", {"reason": "dealt out of turn"} | data)
    assert said in text(answer)
    assert f'value="{data["deal"]}"' in text(answer) or not data["deal"]
    assert data.get("reason") == "" or 'value="dealt out of turn"' in text(answer)


@pytest.mark.parametrize(
    "kind", ["back-0", "back-x", "back-²", "back-" + "9" * 5000, "rotate", "substitute-"]
)
def test_there_is_no_other_kind_of_change(door, kind):
    assert door(kind).status_code == 404


@pytest.mark.parametrize("deal", ["9" * 5000, "13", "0", "²", ""])
def test_a_link_that_names_no_deal_of_the_table_asks_about_the_one_that_is_played_now(
    door, table_of_12_deals, deal
):
    report(table_of_12_deals, 1)
    assert 'value="2"' in text(door("dealer", deal=deal))


def test_a_closed_round_is_not_changed(door, table_of_12_deals, alice, now):
    close_round(table_of_12_deals.round, account=alice, now=now, force_reason="the bell")
    answer = door("dealer", MOVED)
    if door.by == "captain":
        assert answer.status_code == 302
    else:
        assert door("dealer", MOVED | {"shown": shown(answer)}).status_code == 200
    assert SeatChange.objects.count() == 0


def test_every_sheet_says_what_was_changed(door, table_of_12_deals, client):
    report(table_of_12_deals, 1)
    door("dealer", MOVED | {"shown": shown(door("dealer", MOVED))})
    code = table_of_12_deals.round.tournament.code
    name = table_of_12_deals.seats.get(position=2).entry.shown_name
    said = f"{name} deals deal 2, and the turn continues from there."
    assert said in text(client.get(reverse("hall_table", args=[code, 1, table_of_12_deals.number])))
    assert said in text(client.get(reverse("captain_slip", args=[table_of_12_deals.secret])))
    assert said in text(client.get(reverse("captain_seats", args=[table_of_12_deals.secret])))


def test_the_tables_page_at_the_desk_leads_there_and_a_helper_may(as_helper, table_of_12_deals):
    page = as_helper.get(
        reverse("desk_table", args=[table_of_12_deals.round.tournament.code, 1, table_of_12_deals.number])
    )
    address = reverse(
        "desk_seats", args=[table_of_12_deals.round.tournament.code, 1, table_of_12_deals.number]
    )
    assert address in text(page)
    assert as_helper.get(address).status_code == 200


def test_a_dead_link_leads_to_the_page_that_says_so(client, table_of_12_deals, alice, now):
    secret = table_of_12_deals.secret
    revoke_link(table_of_12_deals, account=alice, now=now)
    assert client.get(reverse("captain_seats", args=[secret])).status_code == 302
    assert client.get(reverse("captain_seats_change", args=["nonsense", "dealer"])).status_code == 302


def test_where_the_cards_are_in_folders_the_dealer_is_not_moved(as_alice, club, alice):
    tournament = make_tournament(4, account=alice, club=club, deals_per_round=12, boards=True)
    table = Table.objects.get(round__tournament=tournament)
    address = reverse("desk_seats_change", args=[tournament.code, 1, table.number, "dealer"])
    assert "The folders decide who deals" in text(as_alice.post(address, MOVED))
