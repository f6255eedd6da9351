"""In the middle of a round the dealer is moved, two seats swapped, a deal put in or taken out: all after it changes."""

from __future__ import annotations

import pytest
from django.db import IntegrityError
from django.utils import timezone

from core.errors import NotPossible
from tests.factories import first_table, make_tournament, play_out, report, won
from tournaments.exports.verify.recount import differences
from tournaments.ledger import KEEP, TAKE_BACK, Outlook, agree, change_seats, raise_flag
from tournaments.ledger.scoresheet import score_sheet
from tournaments.models import Flag, Report, SeatChange, Table

pytestmark = pytest.mark.databases
# A wins a game where C sits out, and so on: the declarer gets 2, two others pay 1, who sits out pays nothing.
DEALER_MOVED = {"deal": 2, "dealer": 2}


def play(table, *declarers):
    """Report deals from 1 on: who declares and wins each; None where all pass."""
    for deal, declarer in enumerate(declarers, start=1):
        answer = report(table, deal, None if declarer is None else won(declarer))
        assert answer.status == "accepted", answer.problems


def change(table, what, account=None, resolved=None):
    table = Table.objects.select_related("round__tournament", "match").get(pk=table.pk)
    seen = Outlook(table, what).seen
    return change_seats(
        table,
        what,
        seen=seen,
        resolved=resolved or {},
        reason="sat down wrong",
        account=account,
        now=timezone.now(),
    )


def told(table):
    """Of each deal that is reported: number, dealer, who sits out, tokens."""
    table.refresh_from_db()
    return [
        (line.number, line.dealer, line.sits_out, line.tokens)
        for line in score_sheet(table).lines
        if line.reported
    ]


def tokens(table):
    return list(table.seats.order_by("position").values_list("tokens", flat=True))


def wrong(table):
    return [str(difference) for difference in differences(table.round.tournament)]


def test_another_dealer_from_a_deal_on_settles_what_comes_after_it_again(table_of_12_deals):
    play(table_of_12_deals, 1, 2, 3, None)
    assert told(table_of_12_deals) == [
        (1, 0, 2, (-1, 2, 0, -1)),
        (2, 1, 3, (-1, -1, 2, 0)),
        (3, 2, 0, (0, -1, -1, 2)),
        (4, 3, 1, (0, 0, 0, 0)),
    ]
    outlook = Outlook(table_of_12_deals, DEALER_MOVED)
    assert outlook.totals == [(-2, -2), (0, 1), (1, 1), (1, 0)]
    assert [line.deal for line in outlook.resettled] == [2, 3, 4]
    change(table_of_12_deals, DEALER_MOVED)
    assert told(table_of_12_deals) == [
        (1, 0, 2, (-1, 2, 0, -1)),
        (2, 2, 0, (0, -1, 2, -1)),
        (3, 3, 1, (-1, 0, -1, 2)),
        (4, 0, 2, (0, 0, 0, 0)),
    ]
    assert tokens(table_of_12_deals) == [-2, 1, 1, 0]
    assert wrong(table_of_12_deals) == []


def test_nothing_is_overwritten_and_who_why_and_when_is_written_down(table_of_12_deals, alice):
    play(table_of_12_deals, 1, 2, 3)
    change(table_of_12_deals, DEALER_MOVED, alice)
    versions = Report.objects.filter(table=table_of_12_deals, deal_number=2).order_by("revision")
    assert [(one.revision, one.dealer, one.tokens, one.reason) for one in versions] == [
        (1, 1, [-1, -1, 2, 0], ""),
        (2, 2, [0, -1, 2, -1], "sat down wrong"),
    ]
    written = SeatChange.objects.get()
    assert (written.sequence, written.change, written.reason, written.author) == (
        1,
        DEALER_MOVED,
        "sat down wrong",
        "Alice",
    )
    line = table_of_12_deals.round.tournament.log.order_by("pk").last()
    assert line.params | {"player": ""} == {
        "deal": 2,
        "player": "",
        "reason": "sat down wrong",
        "round": 1,
        "table": 1,
    }


def test_two_who_change_seats_deal_and_sit_out_for_their_new_chairs(table_of_12_deals):
    play(table_of_12_deals, 1, 2, None)
    change(table_of_12_deals, {"deal": 2, "swap": [1, 3]})
    # B and D sit opposite each other: from deal 2 on D deals where B did, and B sits out where D did.
    assert told(table_of_12_deals) == [
        (1, 0, 2, (-1, 2, 0, -1)),
        (2, 3, 1, (-1, 0, 2, -1)),
        (3, 2, 0, (0, 0, 0, 0)),
    ]
    assert [line.dealer for line in score_sheet(table_of_12_deals).lines] == [
        0,
        3,
        2,
        1,
        0,
        3,
        2,
        1,
        0,
        3,
        2,
        1,
    ]
    assert wrong(table_of_12_deals) == []


def test_what_changed_can_be_taken_back_and_all_versions_stay(table_of_12_deals):
    play(table_of_12_deals, 1, 2, 3)
    before = told(table_of_12_deals)
    change(table_of_12_deals, DEALER_MOVED)
    change(table_of_12_deals, {"back": 0})
    assert told(table_of_12_deals) == before
    assert [change.change for change in SeatChange.objects.all()] == [DEALER_MOVED, {"back": 0}]
    assert Report.objects.filter(deal_number=2).count() == 3
    assert wrong(table_of_12_deals) == []
    with pytest.raises(NotPossible, match="already been undone"):
        change(table_of_12_deals, {"back": 0})


def test_a_deal_that_the_rules_do_not_allow_any_more_is_named_and_must_be_resolved(table_of_12_deals, alice):
    play(table_of_12_deals, 1, 2, 1)
    (line,) = Outlook(table_of_12_deals, DEALER_MOVED).impossible
    assert (line.deal, [problem.code for problem in line.problems]) == (3, ["declarer_sits_out"])
    with pytest.raises(NotPossible) as caught:
        change(table_of_12_deals, DEALER_MOVED, alice)
    assert caught.value.field == "deal_3"
    assert (told(table_of_12_deals)[1][1], SeatChange.objects.count()) == (1, 0)
    change(table_of_12_deals, DEALER_MOVED, alice, {3: TAKE_BACK})
    assert [deal for deal, *_rest in told(table_of_12_deals)] == [1, 2]
    assert wrong(table_of_12_deals) == []


def test_its_tokens_stay_by_a_ruling_of_the_organiser_and_not_of_the_captain(table_of_12_deals, alice):
    play(table_of_12_deals, 1, 2, 1)
    with pytest.raises(NotPossible):
        change(table_of_12_deals, DEALER_MOVED, None, {3: KEEP})
    change(table_of_12_deals, DEALER_MOVED, alice, {3: KEEP})
    assert told(table_of_12_deals)[2] == (3, 3, 1, (0, 2, -1, -1))
    assert Report.objects.get(deal_number=3, revision=2).result == {"ruled": [0, 2, -1, -1]}
    assert wrong(table_of_12_deals) == []


def test_a_forgotten_deal_is_put_in_and_the_later_ones_move_up(table_of_12_deals, alice):
    play(table_of_12_deals, 1, 2, None)
    raise_flag(table_of_12_deals, "later", deal=3, words="", now=timezone.now())
    change(table_of_12_deals, {"deal": 2, "insert": 1}, alice)
    # Deal 2 is open; what C won as deal 2 is deal 3, which C deals and A sits out.
    assert told(table_of_12_deals) == [
        (1, 0, 2, (-1, 2, 0, -1)),
        (3, 2, 0, (0, -1, 2, -1)),
        (4, 3, 1, (0, 0, 0, 0)),
    ]
    assert Flag.objects.get().deal == 4
    answer = report(table_of_12_deals, 2, won(0), base=2, reason="it was forgotten")
    assert answer.status == "accepted"
    assert tokens(table_of_12_deals) == [1, 0, 1, -2]
    assert wrong(table_of_12_deals) == []


def test_no_mark_moves_beyond_the_last_deal_and_a_call_from_there_is_still_one(table_of_12_deals, alice):
    play(table_of_12_deals, 1, 2)
    now = timezone.now()
    for deal in (11, 12):
        raise_flag(table_of_12_deals, "later", deal=deal, words="", now=now)
    raise_flag(table_of_12_deals, "call", deal=12, words="who led?", now=now)
    change(table_of_12_deals, {"deal": 2, "insert": 1}, alice)
    waiting = Flag.objects.filter(settled_at=None).values_list("kind", "deal", "words")
    assert sorted(waiting, key=str) == [("call", None, "who led?"), ("later", 12, "")]


def test_a_mark_for_later_is_past_when_the_deal_is_entered_but_not_what_was_asked_in_words(table_of_12_deals):
    now = timezone.now()
    for deal, words in ((2, ""), (2, "who dealt?"), (3, "")):
        raise_flag(table_of_12_deals, "later", deal=deal, words=words, now=now)
    report(table_of_12_deals, 1)
    report(table_of_12_deals, 2)
    waiting = Flag.objects.filter(settled_at=None).values_list("deal", "words")
    assert sorted(waiting) == [(2, "who dealt?"), (3, "")]


def test_a_deal_that_was_not_played_is_taken_out_and_the_later_ones_move_down(table_of_12_deals, alice):
    play(table_of_12_deals, 1, None, 1, 2)
    outlook = change(table_of_12_deals, {"deal": 2, "insert": -1}, alice)
    assert outlook.taken_out is not None
    assert told(table_of_12_deals) == [
        (1, 0, 2, (-1, 2, 0, -1)),
        (2, 1, 3, (-1, 2, -1, 0)),
        (3, 2, 0, (0, -1, 2, -1)),
    ]
    assert wrong(table_of_12_deals) == []


def test_what_is_put_in_and_taken_out_again_leaves_the_deals_as_they_were(table_of_12_deals, alice):
    play(table_of_12_deals, 1, 2, 3, 0)
    before = told(table_of_12_deals)
    change(table_of_12_deals, {"deal": 3, "insert": 1}, alice)
    assert [deal for deal, *_rest in told(table_of_12_deals)] == [1, 2, 4, 5]
    change(table_of_12_deals, {"deal": 3, "insert": -1}, alice)
    assert told(table_of_12_deals) == before


def test_the_last_deal_does_not_fall_out_unsaid(alice, club):
    table = first_table(make_tournament(4, account=alice, club=club, deals_per_round=4))
    play(table, None, None, None, 2)
    with pytest.raises(NotPossible) as caught:
        change(table, {"deal": 2, "insert": 1}, alice)
    assert caught.value.field == "deal_5"
    change(table, {"deal": 2, "insert": 1}, alice, {5: TAKE_BACK})
    assert [deal for deal, *_rest in told(table)] == [1, 3, 4]
    assert tokens(table) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("what", "field"),
    [
        ({"deal": 0, "dealer": 1}, "deal"),
        ({"deal": 13, "dealer": 1}, "deal"),
        ({"deal": 3, "dealer": 4}, "first"),
        ({"deal": 3, "dealer": 2}, "first"),
        ({"deal": 3, "swap": [1, 1]}, "second"),
        ({"deal": 3, "swap": [1, 5]}, "first"),
        ({"deal": 9, "insert": 1}, "deal"),
        ({"back": 0}, ""),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(table_of_12_deals, what, field):
    play(table_of_12_deals, 1, 2)
    with pytest.raises(NotPossible) as caught:
        Outlook(table_of_12_deals, what)
    assert caught.value.field == field


def test_who_looked_at_an_older_sheet_is_told_so(table_of_12_deals, alice):
    play(table_of_12_deals, 1, 2)
    seen = Outlook(table_of_12_deals, DEALER_MOVED).seen
    report(table_of_12_deals, 3)
    with pytest.raises(NotPossible, match="changed in the meantime"):
        change_seats(
            table_of_12_deals,
            DEALER_MOVED,
            seen=seen,
            resolved={},
            reason="why",
            account=alice,
            now=timezone.now(),
        )
    assert SeatChange.objects.count() == 0


def test_the_players_agree_again_to_a_sheet_that_changed(table_of_12_deals, alice):
    play_out(table_of_12_deals)
    for seat in table_of_12_deals.seats.all():
        agree(seat, now=timezone.now())
    change(table_of_12_deals, DEALER_MOVED, alice, dict.fromkeys(range(2, 13), TAKE_BACK))
    assert not table_of_12_deals.seats.exclude(agreed_at=None).exists()


def test_changes_have_an_order_that_the_database_keeps(table_of_12_deals):
    change(table_of_12_deals, {"deal": 3, "dealer": 0})
    with pytest.raises(IntegrityError):
        SeatChange.objects.create(table=table_of_12_deals, sequence=1, change={}, changed_at=timezone.now())


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ({"turns": []}, "changes of dealer and seats"),
        ({"turns": [{"deal": 2, "dealer": 3}]}, "changes of dealer and seats"),
        ({"first_dealer": 2}, "settled with another dealer"),
    ],
)
def test_the_recount_sees_who_was_made_the_dealer_by_hand(table_of_12_deals, alice, hand, said):
    play(table_of_12_deals, 1, 2, 3)
    change(table_of_12_deals, DEALER_MOVED, alice)
    Table.objects.filter(pk=table_of_12_deals.pk).update(**hand)
    assert any(said in text for text in wrong(table_of_12_deals))
