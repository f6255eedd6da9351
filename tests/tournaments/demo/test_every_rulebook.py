"""Every rulebook through a whole evening: set up, drawn, reported, read on sheets, taken out and in, recounted."""

from __future__ import annotations

import re
from itertools import islice
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.html import escape

from scoring import get_rulebook, rulebooks
from scoring.notation import read_words
from scoring.seats import Seating, dealer_of
from scoring.settlement import problems
from tests.factories import first_round, first_table, make_player, make_tournament
from tests.languages import LANGUAGES
from tests.tournaments.exports.test_transfer import forget
from tests.tournaments.offered import offered_reports
from tournaments.entries import entering
from tournaments.exports.tournament_file import export_tournament, import_tournament
from tournaments.ledger import Author, Submission, record
from tournaments.ledger.queries import TablePool
from tournaments.ledger.scoresheet import score_sheet
from tournaments.lifecycle.drawing import draw
from tournaments.models import Tournament
from tournaments.paper.kinds import KINDS, Order
from tournaments.standings.players import standings
from tournaments.web.deal_form import example_of

BOOKS = [book.id for book in rulebooks()]
TABLES = [(book.id, players) for book in rulebooks() for players in book.players]
DEALS = 80  # as many as a round may have


@pytest.fixture
def table_by_these_rules(request, club, alice):
    """A table of so many players by these rules, in a round that runs."""
    rulebook, players = request.param
    deals = {"deals_per_round": DEALS, "deals_at_three": DEALS}
    tournament = make_tournament(players, club=club, account=alice, rulebook=rulebook, **deals)
    return first_table(tournament)


def reported(table):
    """Report what the rules offer, one deal after another; returns the promised tokens by deal."""
    tournament = table.round.tournament
    book, players = get_rulebook(tournament.rulebook), table.seats.count()
    pool = book.pool.each_deal(players) if book.pool else 0
    promised, submissions = {}, []
    for deal in range(1, DEALS + 1):
        seating = Seating(players, dealer_of(deal, players))
        offered = next(islice(offered_reports(book, seating, pool), deal - 1, None), None)
        if offered is None:
            break
        result, promised[deal] = offered
        submissions.append(Submission(key=uuid4(), deal=deal, base=0, result=result))
        pool -= sum(promised[deal])
    for answer, submission in zip(
        record(table, submissions, Author("captain"), now=timezone.now()), submissions, strict=True
    ):
        assert (answer.status, answer.problems) == ("accepted", ()), submission.result
    return promised


def test_the_set_up_offers_every_rulebook_in_words(as_alice):
    page = as_alice.get(reverse("tournament_new")).content.decode()
    for book in rulebooks():
        assert f'value="{book.id}"' in page
        assert escape(book.name) in page


@pytest.mark.slow
@pytest.mark.parametrize("rulebook", BOOKS)
def test_a_tournament_of_every_rulebook_is_set_up_and_drawn(as_alice, alice, club, rulebook):
    url = reverse("tournament_new")
    typed = {
        "name": "Prøve",
        "host": club.pk,
        "date": "2026-11-21",
        "draw_mode": "whole",
        "rounds_planned": "2",
    }
    shown = as_alice.post(url, typed | {"rulebook": rulebook, "show_options": "1"})
    fields = {field.html_name: field.value() for field in shown.context["form"]}
    sent = {name: "" if value is None else str(value) for name, value in fields.items()}
    as_alice.post(url, sent | {"code": "ABCDEF"})
    tournament = Tournament.objects.get(code="ABCDEF")
    assert tournament.rulebook == rulebook
    now = timezone.now()
    for number in range(11):
        entry = entering.enter(tournament, make_player(f"P{number}", club), club=club, account=alice, now=now)
        entering.check_in(entry, present=True, account=alice, now=now)
    draw(tournament, seed=4, account=alice, now=now)
    sizes = {table.seats.count() for table in first_round(tournament).tables.all()}
    assert sizes <= set(get_rulebook(rulebook).players)
    for name in ("desk_draw", "desk_draw_explained", "desk_tournament"):
        assert as_alice.get(reverse(name, args=[tournament.code])).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "table_by_these_rules", TABLES, indirect=True, ids=lambda param: f"{param[0]}-{param[1]}"
)
def test_what_is_offered_is_accepted_and_settled_as_promised(table_by_these_rules, as_alice, client, capsys):
    promised = reported(table_by_these_rules)
    sheet = score_sheet(table_by_these_rules)
    assert {line.number: list(line.tokens) for line in sheet.lines if line.reported} == promised
    tournament = table_by_these_rules.round.tournament
    # All that the players lack lies in the pool; without one they lack nothing, unless one alone scores.
    if sheet.pool:
        assert isinstance(sheet.pool, TablePool)
        assert sheet.pool.gaps == []
        assert sum(sheet.totals) + sheet.pool.remaining == 0
    elif sheet.rulebook.zero_sum:
        assert sum(sheet.totals) == 0
    tournament.refresh_from_db()
    assert {row.number: row.tokens for row in standings(tournament).rows} == {
        seat.number: total for seat, total in zip(sheet.seats, sheet.totals, strict=True)
    }
    call_command("verify")
    assert "every total agrees" in capsys.readouterr().out
    _pages_and_paper(table_by_these_rules, as_alice, client)
    text = export_tournament(tournament)
    forget(tournament)
    assert export_tournament(import_tournament(text)) == text


def _pages_and_paper(table, as_alice, client):
    """Every page that shows the table, and its sheets on paper that go by the rules."""
    code, where = table.round.tournament.code, (1, table.number)
    for name, args in (
        ("desk_table", (code, *where)),
        ("desk_deal", (code, *where, 2)),
        ("desk_round", (code, 1)),
    ):
        assert as_alice.get(reverse(name, args=args)).status_code == 200
    for name, args in (("hall_table", (code, *where)), ("hall_player", (code, 1)), ("hall", (code,))):
        assert client.get(reverse(name, args=args)).status_code == 200
    assert client.get(f"/c/{table.secret}/").status_code == 200
    order = Order(first_round(table.round.tournament), "http://192.168.1.24:8000", timezone.now())
    sheet = score_sheet(table)
    # What is said of a table is said by its rules; of all other sheets only the standings ask for them. How it is set
    # on paper is the same for all.
    for kind in ("blank", "filled", "standings"):
        text = "".join(render_to_string(page.template, page.context) for page in KINDS[kind].pages(order))
        if kind in ("blank", "filled"):
            assert ("Left in the pool" in text) == (sheet.pool is not None)
            assert ("sit clockwise" in text) == (sheet.rulebook.direction == "clockwise")


@pytest.mark.slow
@pytest.mark.parametrize(
    "table_by_these_rules", TABLES, indirect=True, ids=lambda param: f"{param[0]}-{param[1]}"
)
def test_a_stored_deal_stands_in_the_desks_fields_and_means_the_same_when_sent_back(
    table_by_these_rules, as_alice
):
    reported(table_by_these_rules)
    where = (table_by_these_rules.round.tournament.code, 1, table_by_these_rules.number)
    lines = [line for line in score_sheet(table_by_these_rules).lines[::8] if line.reported]
    assert lines
    for line in lines:
        url = reverse("desk_deal", args=[*where, line.number])
        form = as_alice.get(url).context["form"]
        sent = {field.html_name: field.value() for field in form}
        sent = {name: value for name, value in sent.items() if value is not None and value is not False}
        answer = as_alice.post(url, sent | {"check": "1"})
        effect = answer.context["effect"]
        assert effect is not None, answer.context["form"].errors
        assert not effect.changes, line.report.result


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("rulebook", "players", "options"),
    [*((*table, {}) for table in TABLES), ("ombre_two", 2, {"as_for_three": True})],
)
def test_the_lines_that_the_desk_gives_as_examples_can_be_read(rulebook, players, options, language):
    book, seating = get_rulebook(rulebook, options), Seating(players, 1)
    with translation.override(language):
        said = example_of(book, seating)
    lines = re.findall("[“”](.+?)”", said)
    assert lines
    for line in lines:
        result = read_words(line, seating, book)
        assert result.all_passed or result.contract in book.by_id
        assert [
            found for found in problems(result, seating, book) if found.field in ("declarer", "won_by")
        ] == []
