"""What is on a table's score sheet, before it is laid out."""

import re
from uuid import uuid4

import pytest
import segno
from django.utils import timezone

from tests.factories import first_table, make_tournament, play_out, report
from tournaments.ledger import Author, Submission, record
from tournaments.lifecycle.rulings import cancel_penalty, penalise
from tournaments.paper.page import Occasion
from tournaments.paper.score import blank_pages, filled_pages, page_count

pytestmark = pytest.mark.django_db

BASE = "http://192.168.1.24:8000"


@pytest.fixture
def table_of_8_deals(alice):
    return first_table(make_tournament(deals_per_round=8))


def occasion(table):
    return Occasion(table.round, timezone.now())


def blank(table):
    return blank_pages(table, occasion(table), BASE)


def filled(table):
    return filled_pages(table, occasion(table))


def notes(page):
    return [f"{note.about} {note.text}".strip() for note in page.context["notes"]]


def test_a_blank_sheet_has_the_captains_way_in(table_of_8_deals):
    (page,) = blank(table_of_8_deals)
    link = f"{BASE}/c/{table_of_8_deals.secret}/"
    assert page.context["link"] == segno.make(link, error="m", micro=False).svg_data_uri(
        border=0, scale=2, nl=False
    )
    assert page.context["code"] == table_of_8_deals.code
    assert page.context["code_address"] == "192.168.1.24:8000/c"


def test_a_filled_sheet_gives_the_secret_away_to_nobody(table_of_8_deals):
    play_out(table_of_8_deals)
    (page,) = filled(table_of_8_deals)
    assert "link" not in page.context
    assert table_of_8_deals.secret not in str(page.context)
    assert table_of_8_deals.code not in str(page.context)


def test_a_blank_sheet_is_blank_even_when_deals_are_reported(table_of_8_deals):
    play_out(table_of_8_deals)
    (page,) = blank(table_of_8_deals)
    assert [line.split() for line in page.context["light"]][:3] == [
        ["1", "C"],
        ["2", "D"],
        ["3", "A"],
    ]
    assert page.context["discs"] == list("ABCDABCD")
    assert page.context["heavy"] == []


def test_a_filled_sheet_runs_up_to_the_tokens_of_the_seats(table_of_8_deals):
    play_out(table_of_8_deals)
    (page,) = filled(table_of_8_deals)
    last = page.context["heavy"][-1].split()
    total = page.context["heavy_feet"][0].split()
    seats = [seat.tokens for seat in table_of_8_deals.seats.all()]
    assert last == total == [f"{tokens:+d}".replace("-", "−") if tokens else "0" for tokens in seats]


def test_players_are_named_by_letter_in_the_lines(table_of_8_deals):
    play_out(table_of_8_deals)
    first = filled(table_of_8_deals)[0].context["light"][0].split()
    assert first == ["1", "C", "B", "Game", "♥", "won", "−1", "+2", "−1"]


def test_a_corrected_deal_is_marked_and_its_reason_said(table_of_8_deals):
    play_out(table_of_8_deals)
    report(table_of_8_deals, 3, base=1, reason="Anna had passed")
    (page,) = filled(table_of_8_deals)
    assert page.context["light"][2].split()[:2] == ["*3", "A"]
    (note,) = notes(page)
    assert note.startswith("Deal 3 corrected at ")
    assert note.endswith("(captain): Anna had passed")


def test_a_deal_taken_back_has_an_empty_line_and_a_note(table_of_8_deals):
    report(table_of_8_deals, 1)
    taken_back = Submission(key=uuid4(), deal=1, base=1, result=None, reason="wrong table")
    record(table_of_8_deals, [taken_back], Author("captain"), now=timezone.now())
    (page,) = filled(table_of_8_deals)
    assert page.context["light"][0].split() == ["*1", "C"]
    _incomplete, note = notes(page)
    assert note.startswith("Deal 1 undone at ")
    assert note.endswith("(captain): wrong table")


def test_penalties_stand_below_the_total_and_are_explained(table_of_8_deals, alice):
    play_out(table_of_8_deals)
    seat = table_of_8_deals.seats.get(position=1)
    now = timezone.now()
    penalise(seat.entry, tokens=-3, reason="Came late", round_=table_of_8_deals.round, account=alice, now=now)
    cancelled = penalise(
        seat.entry, tokens=-9, reason="A mistake", round_=table_of_8_deals.round, account=alice, now=now
    )
    cancel_penalty(cancelled, reason="wrong player", account=alice, now=now)
    (page,) = filled(table_of_8_deals)
    totals, penalties, together = (line.split() for line in page.context["heavy_feet"])
    assert penalties == ["0", "−3", "0", "0"]
    assert [totals[0], totals[2:]] == [together[0], together[2:]]
    assert notes(page) == [f"{seat.entry.shown_name} −3 Came late (ruled by Alice)"]


def test_an_incomplete_sheet_says_so(table_of_8_deals):
    report(table_of_8_deals, 1)
    (page,) = filled(table_of_8_deals)
    assert notes(page) == ["Not complete 1 of 8 deals reported."]


@pytest.mark.parametrize(("deals", "pages"), [(4, 1), (40, 1), (41, 2), (80, 2)])
def test_more_than_forty_deals_take_two_pages(alice, deals, pages):
    table = first_table(make_tournament(players=4, deals_per_round=deals))
    assert page_count(table) == len(blank(table)) == len(filled(table)) == pages


def test_the_second_page_begins_with_what_the_first_one_ends_with(alice):
    table = first_table(make_tournament(players=4, deals_per_round=44))
    play_out(table)
    first, second = filled(table)
    assert first.context["heavy_feet"][0].split() == second.context["heavy"][0].split()
    assert first.context["deals_here"] == (1, 22)
    assert second.context["deals_here"] == (23, 44)
    assert [first.context["is_last"], second.context["is_last"]] == [False, True]


def test_many_notes_get_a_page_of_their_own(alice):
    table = first_table(make_tournament(players=4))
    play_out(table)
    for deal in range(1, 9):
        report(
            table,
            deal,
            base=1,
            reason="the captain had written it down on paper, and wrongly; " * 14,
        )
    sheet, extra = filled(table)
    assert sheet.context["notes"] == []
    assert extra.template == "paper/score.html#notes"
    assert sum(note.about.startswith("Deal ") for note in extra.context["notes"]) == 8


def test_a_table_of_three_has_no_fourth_column(alice):
    tournament = make_tournament(players=3)
    (page,) = blank(first_table(tournament))
    assert [seat.letter for seat in page.context["seats"]] == ["A", "B", "C"]
    assert "sits_out" not in {name for name, *_where in page.context["headings"]}
    assert len(page.context["light"]) == tournament.deals_at_three


def test_long_names_are_printed_smaller_and_told_apart_above_their_columns(table_of_8_deals):
    names = [
        "Karen Jensen",
        "Karen M. C. Overgaard-Jensen-Madsen",
        "Ib Overgaard-Jensen",
        "Ib Overgaard-Madsen",
    ]
    seats = table_of_8_deals.seats.select_related("entry__player").order_by("position")
    for seat, name in zip(seats, names, strict=True):
        seat.entry.player.name = name
        seat.entry.player.save()
    (page,) = blank(type(table_of_8_deals).objects.get(pk=table_of_8_deals.pk))
    shown = page.context["seats"]
    assert [seat.name for seat in shown] == names
    heads = [" ".join(seat.head.lines) for seat in shown]
    assert heads == ["Karen J.", "Karen O.", "Ib Overgaard-J.", "Ib Overgaard- M."]
    assert shown[0].listed > shown[1].listed


def test_the_first_dealer_of_a_table_deals_first_on_paper(table_of_8_deals):
    table_of_8_deals.first_dealer = 2
    table_of_8_deals.save()
    (page,) = blank(table_of_8_deals)
    assert page.context["discs"] == list("CDABCDAB")
    assert page.context["light"][0].split() == ["1", "A"]


@pytest.mark.parametrize(("deals", "tallest"), [(4, 20.0), (12, 20.0), (40, 20.0)])
def test_lines_grow_until_the_page_is_full(alice, deals, tallest):
    """12 deals left half of a page empty."""
    table = first_table(make_tournament(players=4, deals_per_round=deals))
    (page,) = blank(table)
    row = float(re.search(r"\.deals\{line-height:([\d.]+)mm", page.styles)[1])
    assert row == pytest.approx(min(tallest, (219 - 3 * 6.6) / deals), abs=0.01)


def test_a_few_notes_stand_below_forty_deals_and_lines_make_room(alice):
    table = first_table(make_tournament(players=4))
    play_out(table)
    for deal in range(1, 9):
        report(table, deal, base=1, reason="the captain had pressed the wrong player")
    (page,) = filled(table)
    assert len(page.context["notes"]) == 8
