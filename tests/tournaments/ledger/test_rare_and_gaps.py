"""What the desk is shown without asking: rare deals until somebody has looked at them, and pools that do not follow."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_round, first_table, make_tournament, report
from tournaments.desk.evening.board import board_lines
from tournaments.desk.evening.readiness import waiting_at
from tournaments.ledger import Author, Submission, raise_flag, record
from tournaments.ledger.queries import board, rulebook_of
from tournaments.ledger.scoresheet import flag_words, score_sheet
from tournaments.models import Flag

OUVERT = {"contract": "nolo_ouvert", "declarer": 1, "outcome": "won"}
SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.fixture
def table_of_four(club, alice):
    return first_table(make_tournament(4, club=club, account=alice))


@pytest.fixture
def pooled(club, alice):
    """A table of three with a pool: two deals passed out."""
    table = first_table(make_tournament(3, club=club, account=alice, rulebook="renegado", deals_at_three=6))
    report(table, 1, {"all_passed": True, "pool": 5})
    report(table, 2, {"all_passed": True, "pool": 10})
    return table


def open_flags(table):
    return list(Flag.objects.filter(table=table, settled_at=None).values_list("kind", "deal"))


def line_of(table):
    (line,) = board_lines(board(first_round(table.round.tournament)), timezone.now())
    return line


def where(table):
    return [table.round.tournament.code, table.round.number, table.number]


# Rare deals


def test_a_rare_deal_of_a_captains_is_marked_and_does_not_press(table_of_four):
    answer = report(table_of_four, 1, OUVERT)
    assert [warning.is_warning for warning in answer.warnings] == [True]
    assert open_flags(table_of_four) == [("rare", 1)]
    line = line_of(table_of_four)
    rulebook = rulebook_of(table_of_four.round.tournament)
    assert [flag_words(rulebook, flag, line.row.names) for flag in line.flags] == [
        "Nolo ouvert is rare. Is that right?"
    ]
    assert not line.needs_organiser


def test_a_rare_deal_that_the_table_was_asked_about_is_no_open_question(table_of_four):
    answer = report(table_of_four, 1, OUVERT, asked=True)
    assert [warning.is_warning for warning in answer.warnings] == [True]
    assert open_flags(table_of_four) == []


def test_of_a_deal_reported_twice_at_once_the_last_version_is_asked_about_or_not(table_of_four):
    bete = OUVERT | {"outcome": "bete"}
    for first, second, left in ((True, False, [("rare", 1)]), (False, True, [])):
        sent = [
            Submission(uuid4(), 1, table_of_four.reports.count(), OUVERT, reason="a", asked=first),
            Submission(uuid4(), 1, table_of_four.reports.count() + 1, bete, reason="b", asked=second),
        ]
        statuses = [
            answer.status for answer in record(table_of_four, sent, Author("captain"), now=timezone.now())
        ]
        assert (statuses, open_flags(table_of_four)) == (["accepted", "accepted"], left)


def test_a_usual_deal_is_not_marked(table_of_four):
    report(table_of_four, 1, SOLO)
    assert open_flags(table_of_four) == []


def test_what_the_desk_typed_it_has_looked_at(table_of_four, alice):
    report(table_of_four, 1, OUVERT, author=Author("desk", alice))
    assert open_flags(table_of_four) == []


def test_the_mark_stays_until_the_desk_has_looked(table_of_four, as_alice):
    report(table_of_four, 1, OUVERT)
    there = reverse("desk_table", args=[table_of_four.round.tournament.code, 1, table_of_four.number])
    (note,) = waiting_at(table_of_four.round)
    assert note == f'1 rare deal has not been checked. <a href="{there}">Table {table_of_four.number}</a>'
    round_ = reverse("desk_round", args=where(table_of_four)[:2])
    assert "1 rare deal to check" in as_alice.get(round_).content.decode()
    for page in (f"{round_}?view=list", reverse("desk_table", args=where(table_of_four))):
        assert "Checked" in as_alice.get(page).content.decode()
    flag = Flag.objects.get()
    as_alice.post(reverse("desk_settle_flag", args=[*where(table_of_four), flag.pk]))
    assert open_flags(table_of_four) == []


def test_each_button_of_the_board_has_an_id_of_its_own(table_of_four, as_alice):
    """What waits stands beside the tables and in the table's line: a refreshed page keeps the focus by the id."""
    raise_flag(table_of_four, Flag.Kind.CALL, deal=None, words="who led?", now=timezone.now())
    text = as_alice.get(reverse("desk_round", args=where(table_of_four)[:2]) + "?view=list").content.decode()
    ids = re.findall(r' id="([^"]+)"', text)
    assert text.count(">Settled<") == 2
    assert sorted(ids) == sorted(set(ids))


def test_a_correction_ends_the_mark(table_of_four):
    report(table_of_four, 1, OUVERT)
    report(table_of_four, 1, SOLO, base=1, reason="typed wrong")
    assert open_flags(table_of_four) == []


def test_a_rare_correction_is_marked_once(table_of_four):
    report(table_of_four, 1, OUVERT)
    report(table_of_four, 1, OUVERT | {"outcome": "bete"}, base=1, reason="typed wrong")
    assert open_flags(table_of_four) == [("rare", 1)]


def test_the_phone_is_not_told_its_own_rare_deals(table_of_four, client):
    report(table_of_four, 1, OUVERT)
    assert client.get(f"/c/{table_of_four.secret}/state").json()["flags"] == []


# Pools


def test_a_pool_that_follows_is_not_mentioned(pooled, as_alice, capsys):
    assert not line_of(pooled).row.gaps
    assert (
        "the pool is reported" not in as_alice.get(reverse("desk_table", args=where(pooled))).content.decode()
    )
    call_command("verify")
    assert "Notice" not in capsys.readouterr().out


def test_a_pool_typed_otherwise_is_named_with_both_numbers(pooled, as_alice, client, capsys):
    report(pooled, 3, {"all_passed": True, "pool": 20})
    said = "Deal 3: the pool is reported as 20, but according to the previous deal it should be 15."
    assert [str(gap) for gap in line_of(pooled).row.gaps] == [said]
    assert line_of(pooled).needs_organiser
    for page in (
        as_alice.get(reverse("desk_round", args=where(pooled)[:2])),
        as_alice.get(reverse("desk_table", args=where(pooled))),
        client.get(reverse("hall_table", args=where(pooled))),
    ):
        assert said in page.content.decode()
    call_command("verify")
    out = capsys.readouterr().out
    assert "deal 3 was settled with 20 in the pool, from the deal before follow 15" in out
    assert "every total agrees" in out


def test_a_correction_shows_where_the_next_deals_pool_no_longer_follows(pooled):
    lost = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "bete", "estuches": 1, "pool": 5}
    report(pooled, 1, lost, base=1, reason="it was played")
    (gap,) = score_sheet(pooled).pool.gaps
    assert (gap.deal, gap.reported) == (2, 10)
    assert gap.follows == 5 - sum(score_sheet(pooled).lines[0].tokens)


def test_a_report_without_its_pool_is_refused_at_that_field(pooled):
    answer = report(pooled, 3, SOLO | {"estuches": 1})
    assert (answer.status, [problem.field for problem in answer.problems]) == ("refused", ["pool"])


def test_the_desk_begins_with_the_pool_that_follows(pooled, as_alice):
    form = as_alice.get(reverse("desk_deal", args=[*where(pooled), 3])).context["form"]
    assert form["pool"].value() == 15


def test_a_line_of_notation_may_leave_the_pool_to_its_field(pooled, as_alice):
    url = reverse("desk_deal", args=[*where(pooled), 3])
    form = as_alice.get(url).context["form"]
    sent = {"base": "0", "key": str(form["key"].value()), "pool": "15", "line": "- pass"}
    as_alice.post(url, sent)
    assert score_sheet(pooled).lines[2].report.result == {"all_passed": True, "pool": 15}


def test_a_ruling_at_a_table_with_a_pool_need_not_add_up(pooled, alice):
    answer = report(pooled, 3, {"ruled": [5, -5, -5]}, author=Author("desk", alice))
    assert answer.status == "accepted"
    pool = score_sheet(pooled).pool
    assert (pool.follows(4), pool.gaps) == (20, [])
