"""Money at the desk: from a finished tournament to the last payment ticked off."""

from __future__ import annotations

import json
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from tests.factories import first_table, make_tournament, play_out, report
from tests.tournaments.desk.money.pages import FEE, STAKE, make_list, page, printed, text_of, tick
from tests.tournaments.exports.test_transfer import forget
from tournaments.desk import money as desk_money
from tournaments.entries import entering
from tournaments.exports.tournament_file import BadFile, export_tournament, import_tournament
from tournaments.lifecycle import money
from tournaments.lifecycle.payments import BOX
from tournaments.models import LogEntry, Tournament


def test_balances_are_tokens_times_stake_prizes_and_a_fee_owed_and_the_box_has_the_rest(finished):
    reckoning = money.reckon(finished)
    due = reckoning.due
    # 40000 øre in the pool, 5000 of them owed: 20000 for the first, 12000 and 4000 are shared by six equals.
    assert due[2] == 4 * STAKE + 20_000
    won = {balance.row.number: balance.prize for balance in reckoning.balances}
    assert sorted(won[number] for number in range(3, 9)) == [2666, 2666, 2667, 2667, 2667, 2667]
    assert due[8] == won[8] - FEE
    assert due[1] == -3 * STAKE
    assert due[BOX] == FEE - (4 - 3) * STAKE - 36_000
    assert sum(due.values()) == 0
    assert reckoning.in_the_box == 8 * FEE - STAKE - 36_000


def test_who_withdrew_without_paying_owes_no_fee_and_who_has_not_come_neither(alice):
    tournament = make_tournament(account=alice, entry_fee=FEE)
    now = timezone.now()
    entering.withdraw(tournament.entries.get(number=1), reason="ill", account=alice, now=now)
    entering.enter_guest(tournament, "Ib", account=alice, now=now)
    tournament.refresh_from_db()
    reckoning = money.reckon(tournament)
    assert (reckoning.fees_owed, reckoning.pool, reckoning.box) == (7, 7 * FEE, 7 * FEE)


def test_what_lies_in_a_tables_pool_is_the_boxs(alice):
    tournament = make_tournament(3, account=alice, rulebook="renegado", deals_at_three=9, stake=STAKE)
    assert report(first_table(tournament), 1, {"all_passed": True, "pool": 5}).status == "accepted"
    tournament.refresh_from_db()
    due = money.reckon(tournament).due
    assert sorted(due.values()) == [-5 * STAKE, 0, 0, 5 * STAKE]
    assert due[BOX] == 5 * STAKE


def test_prizes_are_set_by_the_organiser_and_what_is_wrong_stays_in_the_field(as_alice, as_helper, played):
    url = reverse("desk_money", args=[played.code])
    wrong = as_alice.post(url, {"unit": "shares", "by_place": "60 50"}).content.decode()
    assert "Type whole percentages by place, such as 50, 30 and 20, adding up to at most 100" in wrong
    assert re.findall(r'name="by_place" value="([^"]*)"', wrong) == ["60", "50", "", "", ""]
    as_alice.post(url, {"unit": "shares", "by_place": "60% 40%"})
    played.refresh_from_db()
    assert played.prize_shares == [60, 40]
    as_helper.post(url, {"unit": "shares", "by_place": "100"})
    played.refresh_from_db()
    assert played.prize_shares == [60, 40]
    assert "240.00" in page(as_alice, played)
    assert "1 has not paid" in page(as_alice, played)


@pytest.mark.parametrize(
    ("typed", "amounts", "said"),
    [
        ("300 200 100", [30_000, 20_000, 10_000], "The prizes exceed the entry fees by 200.00 kroner"),
        ("1.500 kr., 2,50 kr.", [150_000, 250], "The prizes exceed the entry fees by 1,102.50 kroner"),
        ("200; 100,-", [20_000, 10_000], "Stays in the club’s cash box</span> <strong>100.00"),
    ],
)
def test_prizes_of_fixed_amounts_may_be_more_than_the_fees(as_alice, played, typed, amounts, said):
    url = reverse("desk_money", args=[played.code])
    as_alice.post(url, {"unit": "amounts", "by_place": typed})
    played.refresh_from_db()
    assert (played.prize_shares, played.prize_amounts) == ([], amounts)
    assert said in page(as_alice, played)
    won = sum(balance.prize for balance in money.reckon(played).balances)
    assert won == sum(amounts)
    as_alice.post(url, {"unit": "shares", "by_place": "50"})
    played.refresh_from_db()
    assert (played.prize_shares, played.prize_amounts) == ([50], [])


@pytest.mark.parametrize("typed", ["300 x", "0", "-5", "1 " * 51, "99999999"])
def test_what_are_no_amounts_stays_in_the_field(as_alice, played, typed):
    answer = as_alice.post(reverse("desk_money", args=[played.code]), {"unit": "amounts", "by_place": typed})
    assert "Type kroner by place" in answer.content.decode()
    assert answer.context["form"]["by_place"].value() == typed
    played.refresh_from_db()
    assert played.prize_amounts == []


def test_no_list_before_the_end(as_alice, played):
    assert "Finish the tournament first" in make_list(as_alice, played)
    assert not played.payments.exists()


def test_after_play_the_page_begins_with_who_gets_and_owes_and_its_form_of_prizes_is_folded(
    as_alice, finished
):
    shown = page(as_alice, finished)
    assert "6 players get money, 2 owe. The payment list has not been made yet." in shown
    first, payments, balances, prizes, folded = (
        shown.index(each)
        for each in (
            "6 players get",
            'id="payments"',
            'id="balances-title"',
            'id="pool-title"',
            "<details> <summary>Change the prizes",
        )
    )
    assert first < payments < balances < prizes < folded


def test_a_stake_has_a_column_where_something_is_added_to_it(as_alice, finished):
    heading = '<th scope="col">Stake</th>'
    assert heading in page(as_alice, finished)
    Tournament.objects.filter(pk=finished.pk).update(prize_shares=[], prize_amounts=[], entry_fee=0)
    shown = page(as_alice, finished)
    assert heading not in shown
    assert 'class="amount minus"' in shown


def test_a_list_settles_everything_and_is_ticked_off_by_whoever_is_at_the_desk(as_alice, as_helper, finished):
    assert "A shorter list is not possible" in make_list(as_alice, finished)
    payments = money.payment_list(finished)
    assert not any(money.still_due(money.reckon(finished).due, money.list_payments(finished)).values())
    assert len(payments) == 8
    shown = tick(as_helper, finished, 1)
    assert "7 payments are still to be made" in shown
    payment = finished.payments.get(number=1)
    assert (payment.paid_at is not None, payment.ticked_by) == (True, "Helga")
    tick(as_helper, finished, 1)  # twice is once
    tick(as_alice, finished, 1, paid="0")
    assert finished.payments.get(number=1).paid_at is None
    said = LogEntry.objects.filter(tournament=finished, text__startswith="Payment").order_by("pk")
    assert [line.author for line in said] == ["Helga", "Alice"]
    assert said[0].words.startswith("Payment 1: ")


def test_with_the_cashier_there_is_a_line_a_player_and_the_list_keeps_to_it(as_alice, finished):
    make_list(as_alice, finished, "cashier")
    payments = money.payment_list(finished)
    due = money.reckon(finished).due
    assert [(payment.payer or payment.payee).number for payment in payments] == list(range(1, 9))
    assert not any(money.still_due(due, money.list_payments(finished)).values())
    shown = page(as_alice, finished)
    assert "<strong>Bo Krogh</strong> gets" in shown
    assert "<strong>Hanne Toft</strong> pays" in shown
    assert 'value="cashier" checked' in shown
    paid_in = sum(-amount for number, amount in due.items() if number != BOX and amount < 0)
    assert f"the cashier receives {paid_in / 100:.2f} and pays out {(paid_in - due[BOX]) / 100:.2f}" in shown
    text = text_of(printed(as_alice, finished, "list"))
    assert "everyone settles with the club’s cashier" in text
    assert f"{paid_in / 100:.2f}" in text


def test_another_way_to_settle_can_be_chosen_and_has_to_be_known(as_alice, finished):
    make_list(as_alice, finished, "cashier")
    make_list(as_alice, finished, "each_other")
    assert any(payment.payer and payment.payee for payment in money.payment_list(finished))
    assert 'value="each_other" checked' in page(as_alice, finished)
    assert "Choose how everyone settles" in make_list(as_alice, finished, "x")


def test_a_fee_that_was_settled_with_the_payments_is_not_taken_twice(as_alice, alice, finished):
    make_list(as_alice, finished, "cashier")
    late = finished.entries.get(number=8)
    tick(as_alice, finished, 8)
    with pytest.raises(NotPossible, match="payment 8"):
        entering.mark_paid(late, paid=True, account=alice, now=timezone.now())
    tick(as_alice, finished, 8, paid="0")
    assert entering.mark_paid(late, paid=True, account=alice, now=timezone.now()).fee_paid


def test_what_has_been_paid_counts_when_the_list_is_made_anew(as_alice, alice, finished):
    make_list(as_alice, finished)
    ticked = finished.payments.get(number=2)
    tick(as_alice, finished, 2)
    entering.mark_paid(finished.entries.get(number=8), paid=True, account=alice, now=timezone.now())
    assert "have changed since the list was made" in page(as_alice, finished)
    make_list(as_alice, finished)
    payments = money.payment_list(finished)
    assert [payment.number for payment in payments][:2] == [2, 9]
    assert payments[0].amount == ticked.amount
    assert not any(money.still_due(money.reckon(finished).due, money.list_payments(finished)).values())
    assert "have changed since" not in page(as_alice, finished)
    assert "The payment list has been made again;" in tick(as_alice, finished, 1)


def test_a_number_of_a_list_that_was_replaced_never_means_another_payment(as_alice, alice, finished):
    """Not even where there was nothing to pay in between: a page that is open still, or a paper, says it."""
    make_list(as_alice, finished, "cashier")
    was = finished.payments.count()
    money.set_prizes(finished, shares=[], amounts=[], account=alice, now=timezone.now())
    Tournament.objects.filter(pk=finished.pk).update(stake=0, entry_fee=0)
    make_list(as_alice, finished, "cashier")
    assert not finished.payments.exists()
    Tournament.objects.filter(pk=finished.pk).update(stake=STAKE)
    make_list(as_alice, finished, "cashier")
    assert finished.payments.first().number == was + 1
    assert "The payment list has been made again;" in tick(as_alice, finished, 1)


def test_helpers_make_no_list_and_strangers_see_none(as_helper, as_charlie, finished):
    assert as_helper.post(reverse("desk_money_list", args=[finished.code])).status_code == 403
    assert as_charlie.get(reverse("desk_money", args=[finished.code])).status_code == 403
    assert as_charlie.post(reverse("desk_money_print", args=[finished.code, "list"])).status_code == 403


def test_the_list_goes_with_the_tournaments_file(as_alice, finished):
    make_list(as_alice, finished)
    tick(as_alice, finished, 1)
    text = export_tournament(finished)
    forget(finished)
    taken_in = import_tournament(text)
    assert export_tournament(taken_in) == text
    assert (taken_in.prize_shares, taken_in.prize_amounts) == ([50, 30, 10], [])
    assert taken_in.payments.get(number=1).ticked_by == "Alice"


@pytest.mark.parametrize(
    "spoiled",
    [{"amount": 0}, {"payer": None, "payee": None}, {"payer": 99}, {"payer": 1, "payee": 1}, {"number": 2}],
)
def test_a_file_with_payments_that_cannot_be_is_not_taken_in(as_alice, finished, spoiled):
    make_list(as_alice, finished)
    data = json.loads(export_tournament(finished))
    data["payments"][0] |= spoiled
    forget(finished)
    with pytest.raises(BadFile):
        import_tournament(json.dumps(data))


def test_a_tournament_without_money_says_so(as_alice, alice):
    tournament = make_tournament(account=alice)
    play_out(first_table(tournament))
    assert "Nobody owes anything" in page(as_alice, tournament)


def test_the_overview_says_what_the_fees_have_come_to_and_leads_to_the_money(as_helper, played):
    text = " ".join(as_helper.get(reverse("desk_tournament", args=[played.code])).content.decode().split())
    paid = played.entries.filter(fee_paid=True).count()
    assert f"{paid} of {played.entries.count()} have paid the entry fee" in text
    assert reverse("desk_money", args=[played.code]) in text


def test_of_many_a_part_is_shown_a_player_is_found_and_the_file_has_all(as_alice, finished, monkeypatch):
    make_list(as_alice, finished, "cashier")
    whole = page(as_alice, finished)
    monkeypatch.setattr(desk_money, "ON_A_PAGE", 3)
    address = reverse("desk_money", args=[finished.code])

    def shown(**asked):
        context = as_alice.get(address, asked).context
        return [balance.name for balance in context["balances"]], [
            line["payment"].number for line in context["lines"]
        ]

    parts = [shown(page=number) for number in (1, 2, 3)]
    rows = money.reckon(finished).balances
    assert [name for names, _payments in parts for name in names] == [balance.name for balance in rows]
    assert [payments for _names, payments in parts] == [[1, 2, 3]] * 3
    assert shown(list=3)[1] == [7, 8]
    assert shown(q="bo KROGH") == (["Bo Krogh"], [2])
    assert shown(q="nobody") == ([], [])
    ticked = as_alice.post(
        reverse("desk_money_tick", args=[finished.code, 2]), {"paid": "1", "q": "bo K", "list": "1"}
    )
    assert ticked.headers["Location"] == f"{address}?q=bo+K&list=1#payments"
    part = page(as_alice, finished)
    for sum_of_all in re.findall(r"<tfoot>.*?</tfoot>", whole, re.DOTALL):
        assert sum_of_all in part
    file = as_alice.get(reverse("desk_money_file", args=[finished.code, "csv"]))
    lines = b"".join(file.streaming_content).decode("utf-8-sig").splitlines()
    assert len(lines) == 9
    assert lines[1].split(",")[2] == rows[0].name
