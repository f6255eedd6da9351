"""Everything for a round as one document, and what changed since it was printed."""

from dataclasses import replace

import pytest
from django.urls import reverse
from django.utils import timezone

from core.jobs.models import Job
from core.jobs.queue import do_here
from tests.factories import first_round, make_player, make_tournament
from tests.pages import texts_of
from tournaments.entries import entering
from tournaments.lifecycle.seat_changes import sit_at_threes, swap
from tournaments.models import Round
from tournaments.paper import notices
from tournaments.paper.printing import changed_tables

pytestmark = pytest.mark.django_db


def print_of(browser, tournament, kind="everything", number=1, **fields):
    """The file that the button makes, done."""
    answer = browser.post(reverse("desk_print_ask", args=[tournament.code, number, kind]), fields)
    job = Job.objects.order_by("-pk")[0]
    assert answer.url == reverse("desk_job", args=[job.pk])
    return do_here(job) if job.is_waiting else job


def print_page(browser, tournament, number=1):
    page = reverse("desk_print", args=[tournament.code])
    return " ".join(browser.get(f"{page}?round={number}").content.decode().split())


def parts(job):
    return job.about["parts"]


def test_everything_is_one_document_in_the_order_of_use(as_helper, alice):
    tournament = make_tournament(8, account=alice, started=False)
    job = print_of(as_helper, tournament)
    pages = texts_of(job.path.read_bytes())
    heads = ["Table 1", "Table 2", "Seats by name", "Seats by table", "Anna Holm", "Rules in force"]
    assert [head in page for head, page in zip(heads, pages, strict=True)] == [True] * 6
    assert "everything-for-the-round" in job.file_name
    assert "Everything for round 1" in print_page(as_helper, tournament)


def test_rules_on_two_pages_count_as_two(as_helper, alice, monkeypatch):
    variants = notices._variants

    def in_tall_rows(*asked):
        pages, title = variants(*asked)
        return [replace(pages[-1], styles=".rules-sheet tr { line-height: 11mm }")], title

    monkeypatch.setattr(notices, "_variants", in_tall_rows)
    tournament = make_tournament(8, account=alice, started=False)
    job = print_of(as_helper, tournament, chosen="1", leave_out=["names", "tables", "place-cards"])
    pages = texts_of(job.path.read_bytes())
    assert len(pages) == job.total == 4
    assert "Page 1 of 4" in pages[0]
    assert "Page 2 of 4" in pages[1]
    assert "Pages 3–4 of 4" in pages[3]


def test_later_rounds_have_no_place_cards_and_no_rules_unless_they_are_chosen(as_alice, alice, undrawn):
    tournament = make_tournament(8, 2, account=alice)
    assert parts(print_of(as_alice, tournament, number=2)) == ["blank", "names", "tables"]
    chosen = print_of(as_alice, tournament, number=2, chosen="1", leave_out=["names", "tables"])
    assert parts(chosen) == ["blank", "place-cards", "rules"]


def test_something_has_to_be_left_to_print(as_alice, alice):
    tournament = make_tournament(8, account=alice)
    page = reverse("desk_print_ask", args=[tournament.code, 1, "everything"])
    everything = ["blank", "names", "tables", "place-cards", "rules"]
    answer = as_alice.post(page, {"chosen": "1", "leave_out": everything})
    assert "Leave at least something to print." in answer.content.decode()
    assert as_alice.post(page, {"chosen": "1", "leave_out": ["nonsense"]}).status_code == 200
    assert not Job.objects.exists()


def test_two_taps_make_one_document(as_alice, alice):
    tournament = make_tournament(8, account=alice)
    page = reverse("desk_print_ask", args=[tournament.code, 1, "everything"])
    assert as_alice.post(page).url == as_alice.post(page).url
    assert Job.objects.count() == 1


def test_only_the_tables_that_changed_are_printed_again(as_alice, alice, by_alice, undrawn):
    tournament = make_tournament(11, account=alice, started=False)
    round_ = first_round(tournament)
    print_of(as_alice, tournament)
    assert changed_tables(round_) is None
    assert "Only table" not in print_page(as_alice, tournament)
    late = entering.enter(tournament, make_player("Ulla Vest"), club=None, **by_alice)
    entering.check_in(late, present=True, **by_alice)
    (table,) = sit_at_threes(late, **by_alice)
    assert changed_tables(round_).tables == [table.number]
    text = print_page(as_alice, tournament)
    assert f"Table {table.number} has changed since it was printed at" in text
    assert f"<button>Only table {table.number}</button>" in text
    job = print_of(as_alice, tournament, "blank", only=str(table.number))
    assert job.about["only"] == [table.number]
    text = job.path.read_text()
    codes = {each.number: each.code in text for each in round_.tables.all()}
    assert [number for number, is_printed in codes.items() if is_printed] == [table.number]
    assert changed_tables(round_) is None


def test_a_swap_changes_both_tables_and_printing_one_leaves_the_other(as_alice, alice, by_alice, undrawn):
    tournament = make_tournament(12, account=alice, started=False)
    round_ = first_round(tournament)
    print_of(as_alice, tournament, "ticked")
    one, other = (table.seats.get(position=1) for table in round_.tables.order_by("number")[:2])
    swap(round_, one, other, **by_alice)
    assert changed_tables(round_).tables == [1, 2]
    print_of(as_alice, tournament, "blank", table="1")
    assert changed_tables(round_).tables == [2]


@pytest.mark.parametrize("only", ["99", "1 nonsense", "1 1 99"])
def test_tables_that_are_not_there_are_refused_with_a_message(as_alice, alice, only):
    tournament = make_tournament(8, account=alice)
    page = reverse("desk_print_ask", args=[tournament.code, 1, "blank"])
    assert "The round has no table with this number." in as_alice.post(page, {"only": only}).content.decode()
    assert not Job.objects.exists()


@pytest.fixture
def checked_in(club):
    return make_tournament(8, club=club, drawn=False)


def draw_and_print(browser, tournament, drawn="none", **fields):
    page = reverse("desk_draw_and_print", args=[tournament.code])
    return browser.post(page, {"drawn": drawn, **fields}, follow=True)


def test_draw_and_print_is_one_and_two_taps_draw_once(as_helper, checked_in):
    first = draw_and_print(as_helper, checked_in)
    drawn = Round.objects.get().pk
    second = draw_and_print(as_helper, checked_in)
    job = Job.objects.get()
    assert first.redirect_chain == second.redirect_chain == [(reverse("desk_job", args=[job.pk]), 302)]
    assert (Round.objects.get().pk, job.about["sheet"]) == (drawn, "everything")
    assert "has changed since" not in second.content.decode()


def test_what_cannot_be_drawn_is_said_on_the_page_of_the_draw(as_alice, club):
    tournament = make_tournament(2, club=club, drawn=False)
    answer = draw_and_print(as_alice, tournament)
    assert answer.request["PATH_INFO"] == reverse("desk_draw", args=[tournament.code])
    assert not Job.objects.exists()


def test_a_seed_that_is_none_is_said_at_its_field(as_alice, checked_in):
    wrong = draw_and_print(as_alice, checked_in, seed="-3")
    assert "field-error" in wrong.content.decode()
    assert not Round.objects.exists()


def test_a_draw_that_is_out_of_date_is_looked_at_again_before_it_is_printed(as_alice, club, by_alice):
    tournament = make_tournament(8, club=club, started=False)
    late = entering.enter(tournament, make_player("Ulla Vest"), club=None, **by_alice)
    entering.check_in(late, present=True, now=timezone.now(), account=by_alice["account"])
    answer = draw_and_print(as_alice, tournament, drawn="none")
    assert "The draw has changed since you opened the page." in answer.content.decode()
    assert not Job.objects.exists()


def test_back_from_the_file_leads_to_the_draw(as_alice, checked_in):
    page = reverse("desk_draw_and_print", args=[checked_in.code])
    assert as_alice.get(page).url == reverse("desk_draw", args=[checked_in.code])
