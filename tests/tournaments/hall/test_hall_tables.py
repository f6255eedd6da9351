"""Tables in the hall and their sheets, which read like the paper."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.factories import first_table, make_tournament, report
from tests.pages import hall_page, words
from tournaments.domain.terms import MINUS
from tournaments.ledger import Author, Submission, record
from tournaments.ledger.scoresheet import COLUMNS

GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}


def test_tables_show_who_sits_there_and_how_far_they_are(running, client):
    report(first_table(running), 1, GAME)
    said = words(hall_page(client, running, "tables/"))
    assert ("Table 1 1 of 40 deals" in said, "Table 2 0 of 40 deals" in said) == (True, True)


def test_a_sheet_has_the_columns_of_the_paper_in_their_order(running, client):
    html = hall_page(client, running, "round/1/table/1/")
    head = re.search(r"<thead>\s*<tr>(.*?)</tr>", html, re.DOTALL)[1]
    *columns, on_phones = re.findall(
        r"<th[^>]*>.*?</th>", head.partition('<th scope="colgroup"')[0], re.DOTALL
    )
    assert words(on_phones) == "Result"  # what was played, in one cell where there is no room for more
    players = re.findall(r'<th scope="colgroup"[^>]*>(.*?)</th>', head, re.DOTALL)
    titles = [words(cell) for cell in [*columns, *players]]
    names = [seat.entry.player.name for seat in first_table(running).seats.select_related("entry__player")]
    letters = [f"{letter} {name}" for letter, name in zip("ABCD", names, strict=True)]
    assert (
        titles == [str(column.title) for column in COLUMNS if column.key not in ("folder", "pool")] + letters
    )


def test_nobody_sits_out_on_the_sheet_of_a_table_of_three(club, client):
    assert "Sits out" not in hall_page(client, make_tournament(3, club=club), "round/1/table/1/")


def test_a_line_of_the_sheet_reads_like_the_paper(running, client):
    report(first_table(running), 1, GAME)
    line = re.search(
        r'<tbody>\s*<tr id="line-1">(.*?)</tr>', hall_page(client, running, "round/1/table/1/"), re.DOTALL
    )[1]
    on_phones = re.search(r'<td class="said">.*?</td>', line)[0]
    assert words(on_phones) == "B Game ♥ won"
    assert (
        words(line.replace(on_phones, ""))
        == f"1 A C B Game ♥ won {MINUS}1 {MINUS}1 +2 +2 0 {MINUS}1 {MINUS}1"
    )


def test_a_correction_shows_both_versions_and_the_reason_but_not_who_sat_at_the_desk(running, alice, client):
    table = first_table(running)
    report(table, 1, GAME)
    report(table, 1, GAME | {"outcome": "bete"}, base=1, reason="<misread>", author=Author("desk", alice))
    html = hall_page(client, running, "round/1/table/1/")
    said = words(html)
    assert said.index("Game in hearts, won") < said.index("Game in hearts, bête")
    assert "desk · reason: <misread>" in said
    assert str(alice) not in said
    assert 'href="#deal-1"' in html


def test_a_deal_taken_back_stays_visible_as_a_correction(running, client):
    table = first_table(running)
    report(table, 1, GAME)
    answer = report(table, 1, GAME | {"outcome": "bete"}, base=1, reason="misread")
    assert answer.status == "accepted"
    taken_back = report_back(table, base=2)
    assert taken_back.status == "accepted"
    said = words(hall_page(client, running, "round/1/table/1/"))
    assert "undone" in said
    assert "0 of 40 deals reported" in said


def report_back(table, base):
    back = Submission(key=uuid4(), deal=1, base=base, result=None, reason="never played")
    return record(table, [back], Author("captain"), now=timezone.now())[0]


@pytest.mark.parametrize("deals", [1, 3])
def test_a_sheet_takes_the_same_queries_however_many_corrections(
    running, deals, client, django_assert_num_queries
):
    table = first_table(running)
    for deal in range(1, deals + 1):
        report(table, deal, GAME | {"declarer": deal % 4})
        report(table, deal, base=1, reason="misread")
    with django_assert_num_queries(6):
        hall_page(client, running, "round/1/table/1/")
