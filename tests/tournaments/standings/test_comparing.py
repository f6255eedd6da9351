"Tables of three and four compared: the sum, the average per deal played, a factor."

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from django.urls import reverse

from tests.factories import make_tournament, play_out, report
from tournaments.changes.versions import announce
from tournaments.domain.comparison import Comparison, plain_factor, read_factor
from tournaments.domain.terms import signed
from tournaments.exports.verify.recount import differences
from tournaments.ledger import Author
from tournaments.lifecycle.money import reckon
from tournaments.models import Table, Tournament
from tournaments.standings.players import Counted, standings


@pytest.mark.parametrize(
    ("typed", "factor"),
    [("3/4", "3/4"), ("0,75", "3/4"), ("0.75", "3/4"), (" 6 / 8 ", "3/4"), ("1", "1"), ("1,25", "5/4")],
)
def test_a_factor_is_read_as_people_write_it(typed, factor):
    assert plain_factor(read_factor(typed)) == factor


@pytest.mark.parametrize(
    "typed", ["", "0", "3/0", "-1", "11", "three", "1/100", "3/4/5", "٣/٤", "0.7500000001"]
)
def test_what_is_no_factor_is_refused(typed):
    with pytest.raises(ValueError, match="no factor"):
        read_factor(typed)


@pytest.mark.parametrize(
    ("comparison", "result"),
    [
        (Comparison(), 9),
        (Comparison("average"), Fraction(9, 40)),
        (Comparison("factor", Fraction(3, 4)), Fraction(15, 2)),
    ],
)
def test_a_result_is_exact(comparison, result):
    assert comparison.result(tokens=10, at_three=6, rulings=-1, deals=40) == result


def test_without_a_deal_there_is_nothing_to_average():
    assert Comparison("average").result(tokens=0, at_three=0, rulings=-2, deals=0) == -2


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (3, "+3"), (0, "0"), (Fraction(0), "0.00"), (Fraction(1, 3), "+0.33"), (Fraction(-5, 2), "−2.50"),
        (Fraction(1, 200), "+0.01"), (Fraction(-1, 1000), "0.00"), (Fraction(4), "+4.00"),
    ],
)  # fmt: skip
def test_amounts_that_are_not_whole_tokens_are_shown_with_two_decimals(amount, words):
    assert signed(amount) == words


@pytest.fixture
def played(club, alice):
    """Seven players, 8 deals at the table of four and 9 at the table of three; forehand wins each."""
    tournament = make_tournament(
        7,
        1,
        club=club,
        comparison="average",
        three_factor="2/3",
        deals_per_round=8,
        deals_at_three=9,
        stake=100,
    )
    for table in Table.objects.filter(round__tournament=tournament):
        play_out(table)
    tournament.refresh_from_db()
    return tournament


def by_seat(tournament):
    """Entry -> (players at the table, tokens), read from the reports one by one."""
    tokens = {}
    for table in Table.objects.filter(round__tournament=tournament):
        seats = list(table.seats.order_by("position"))
        for seat in seats:
            won = sum(deal.current.tokens[seat.position] for deal in table.dealt.select_related("current"))
            tokens[seat.entry_id] = (len(seats), won)
    return tokens


def test_standings_by_the_average_divide_by_the_deals_that_the_player_was_dealt(played):
    # At the table of four everybody sits out two of eight deals.
    assert {row.deals for row in standings(played).rows} == {6, 9}
    expected = {
        pk: Fraction(tokens, 6 if players == 4 else 9) for pk, (players, tokens) in by_seat(played).items()
    }
    rows = standings(played).rows
    assert {row.entry_id: row.total for row in rows} == expected
    assert [row.total for row in rows] == sorted(expected.values(), reverse=True)


@pytest.mark.parametrize(("comparison", "factor"), [("factor", Fraction(2, 3)), ("sum", Fraction(1))])
def test_standings_by_a_factor_weigh_tables_of_three_alone(played, comparison, factor):
    played.comparison = comparison
    played.version += 1
    expected = {
        pk: tokens * factor if players == 3 else tokens for pk, (players, tokens) in by_seat(played).items()
    }
    rows = standings(played).rows
    assert {row.entry_id: row.total for row in rows} == expected
    assert {type(row.total) for row in rows} == ({int} if comparison == "sum" else {Fraction})


def test_the_files_say_what_the_page_says_and_how_it_was_compared(client, played):
    rows = standings(played).rows
    told = json.loads(client.get(reverse("hall_standings_file", args=[played.code, "json"])).content)
    assert (told["places_by"], told["factor_at_three"]) == ("average", None)
    assert [line["total"] for line in told["standings"]] == [round(float(row.total), 4) for row in rows]
    assert [line["tokens"] for line in told["standings"]] == [row.tokens for row in rows]
    csv = client.get(reverse("hall_standings_file", args=[played.code, "csv"])).content.decode("utf-8-sig")
    assert csv.count("\r\n") == len(rows) + 1
    for name in ("standings", "projector", "hall_rules"):
        page = client.get(reverse(name, args=[played.code])).content.decode()
        assert "average per deal played" in page
    assert client.get(reverse("hall_standings_file", args=[played.code, "doc"])).status_code == 404


def test_the_ledger_and_what_is_paid_do_not_change(played):
    tokens = {pk: won for pk, (_players, won) in by_seat(played).items()}
    assert not list(differences(played))
    assert {line.row.entry_id: line.by_tokens for line in reckon(played).balances} == {
        pk: won * 100 for pk, won in tokens.items()
    }


def test_a_table_whose_totals_alone_are_known_counts_with_all_its_deals(club, alice):
    tournament = make_tournament(4, club=club, deals_per_round=8)
    table = Table.objects.select_related("round__tournament").get(round__tournament=tournament)
    totals = {"ruled": [3, -1, -1, -1], "totals_only": True}
    assert report(table, 1, totals, author=Author("desk", alice), reason="lost").status == "accepted"
    tournament.refresh_from_db()
    assert {row.deals for row in standings(tournament).rows} == {6}


def least_share(tournament, share, deals_of_the_first):
    """The standings by averages where the first in them was dealt so many deals."""
    tournament.least_share, tournament.version = share, tournament.version + 1
    counted = Counted([tournament], with_games=False)
    first = standings(tournament).rows[0].entry_id
    for row in counted.rows[tournament.pk].values():
        row.deals = deals_of_the_first if row.entry_id == first else 9
    return first, counted.standings(tournament.pk, moved=False).rows


@pytest.mark.parametrize(("share", "deals", "place"), [(0, 1, 1), (50, 4, 7), (50, 5, 1), (100, 9, 1)])
def test_who_was_dealt_too_few_deals_is_placed_after_all_others(played, share, deals, place):
    first, rows = least_share(played, share, deals)
    found = next(row for row in rows if row.entry_id == first)
    assert (found.rank, found.has_enough_deals) == (place, place == 1)
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    assert min(row.gap for row in rows) == 0


def test_the_share_is_said_in_the_rules_and_stands_beside_the_name(client, played):
    Tournament.objects.filter(pk=played.pk).update(least_share=90)
    announce(played.pk)
    played.refresh_from_db()
    at_four = [row for row in standings(played).rows if row.deals == 6]
    assert [row.has_enough_deals for row in at_four] == [False] * 4
    assert {row.rank for row in at_four} == {4}
    page = client.get(reverse("standings", args=[played.code])).content.decode()
    assert page.count("too few deals") == 4
    rules = client.get(reverse("hall_rules", args=[played.code])).content.decode()
    assert "fewer than 90 per cent" in rules


@pytest.mark.parametrize("sums", ["sum", "factor"])
def test_sums_ask_for_no_share_of_the_deals(played, sums):
    played.comparison = sums
    _first, rows = least_share(played, 100, 1)
    assert all(row.has_enough_deals for row in rows)
