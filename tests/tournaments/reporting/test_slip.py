"""A whole slip typed in the grid: by Alice at the desk, by Bob with the table's link, never by Charlie."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from clubs.models import Role
from scoring import get_rulebook, rulebooks
from scoring.notation import read_words
from scoring.seats import Seating
from tests.factories import first_round, first_table, make_account, make_tournament, report
from tests.languages import LANGUAGES
from tournaments.exports.verify.recount import differences
from tournaments.ledger import Author
from tournaments.ledger.scoresheet import score_sheet
from tournaments.lifecycle.playing import close_round, revoke_link
from tournaments.models import KeptReport, Report
from tournaments.reporting.slip_page import TypedLine, as_it_stands, legend_of, read_grid

GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.fixture
def tournament(club):
    return make_tournament(4, club=club, rulebook="union", deals_per_round=8)


@pytest.fixture
def union_table(tournament):
    return first_table(tournament)


def url(table, name="desk_slip"):
    return reverse(name, args=[table.round.tournament.code, table.round.number, table.number])


def captains_url(table, name="captain_slip"):
    return reverse(name, args=[table.secret])


def sent(*lines, paper=(), **fields):
    """What the page sends: lines and the paper's totals from deal 1 on."""
    typed = {f"line-{deal}": line for deal, line in enumerate(lines, start=1)}
    totals = {f"paper-{deal}": total for deal, total in enumerate(paper, start=1)}
    return {"key": str(uuid4()), "seen": "0,0,0,0,0,0,0,0", "reason": ""} | typed | totals | fields


def counting(table):
    """Deal -> the result that counts."""
    return {deal.number: deal.current.result for deal in table.dealt.select_related("current")}


def checked(client, table, *lines, **fields):
    """What is said of each line when it is left."""
    return client.post(url(table, "desk_slip_check"), sent(*lines, **fields)).json()["lines"]


# Who may


def test_helpers_type_slips_and_strangers_do_not(as_charlie, club, union_table):
    helper = Client()
    helper.force_login(make_account("helga", club, Role.Kind.HELPER))
    for name in ("desk_slip", "desk_slip_check"):
        assert as_charlie.post(url(union_table, name), sent("B game h won")).status_code == 403
        assert Client().post(url(union_table, name), sent("B game h won")).status_code == 302
    assert counting(union_table) == {}
    assert helper.post(url(union_table), sent("B game h won")).status_code == 302
    assert counting(union_table) == {1: GAME}


@pytest.mark.parametrize(("name", "status"), [("captain_slip", 302), ("captain_slip_check", 404)])
def test_an_unknown_link_types_nothing(db, client, name, status):
    answer = client.post(reverse(name, args=["nobody-knows-this"]), sent("B game h won"))
    assert answer.status_code == status
    assert not Report.objects.exists()


# Line by line


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("B game h won", "Bo Krogh: Game in hearts, won"),
        ("b spil h vundet", "Bo Krogh: Game in hearts, won"),
        ("1 B spil h v", "Bo Krogh: Game in hearts, won"),
        ("- pass", "all passed"),
    ],
)
def test_a_line_is_read_aloud_as_it_is_left(as_alice, union_table, line, said):
    names = [seat.name for seat in score_sheet(union_table).seats]
    (first, *rest) = checked(as_alice, union_table, line)
    assert first["said"] == said.replace("Bo Krogh", names[1])
    assert first["problem"] == ""
    assert {other["said"] for other in rest} == {""}
    assert counting(union_table) == {}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("B game x won", "“x” at column 8 is not understood."),
        ("2 B game h won", "This line is for deal 2, but this is the row of deal 1."),
        ("E game h won", "“E” at column 1 is not a seat at this table."),
        ("B game h", "Say how the deal ended: won, bête or kruk."),
        ("x" * 121, "A line has at most 120 characters."),
        ("B", "The line ends too early, at column 2."),
        ("\x00", "is not a seat at this table"),
    ],
)
def test_a_line_that_cannot_be_says_why(as_alice, union_table, line, problem):
    first = checked(as_alice, union_table, line)[0]
    assert problem in first["problem"]
    assert first["tokens"] == first["running"] == []


def test_running_totals_follow_the_lines_above(as_alice, union_table):
    # Who sits out deals: B plays for A, who pays like the others.
    lines = checked(as_alice, union_table, "B game h won", "", "- pass", "D game s won")
    sums = [[int(amount.replace("−", "-")) for amount in line["running"]] for line in lines]
    assert [sum(row) for row in sums] == [0] * 8
    assert sums[0] == sums[2] != sums[3]
    assert sums[1] == sums[4] == []


def test_the_first_difference_to_the_paper_is_marked_and_no_other(as_alice, union_table):
    here = [line["running"] for line in checked(as_alice, union_table, "B game h won", "- pass", "- pass")]
    right = " ".join(here[0])
    wrong = " ".join(["+90", *here[1][1:]])
    lines = checked(as_alice, union_table, "B game h won", "- pass", "- pass", paper=(right, wrong, wrong))
    assert [line["paper_problem"] for line in lines[:3]] == [
        "",
        f"A: +90 on paper, {here[1][0]} here",
        "",
    ]


@pytest.mark.parametrize("paper", ["1 2 3", "a b c d", "1.5 2 3 4"])
def test_totals_on_paper_are_a_number_for_each_player(as_alice, union_table, paper):
    first = checked(as_alice, union_table, "- pass", paper=(paper,))[0]
    assert first["paper_problem"] == "Type 4 totals with spaces between them."


def test_paper_is_not_compared_below_a_line_that_is_wrong(as_alice, union_table):
    lines = checked(as_alice, union_table, "nonsense", "- pass", paper=("", "7 7 7 7"))
    assert lines[1]["paper_problem"] == ""


# Storing


def test_a_good_slip_is_stored_and_the_desk_sees_the_sheet(as_alice, union_table):
    answer = as_alice.post(url(union_table), sent("B game h won", *["- pass"] * 7))
    assert answer.headers["Location"] == url(union_table, "desk_table")
    assert counting(union_table) == {1: GAME} | {deal: {"all_passed": True} for deal in range(2, 9)}
    assert set(union_table.reports.values_list("source", "author")) == {("desk", "Alice")}
    assert list(differences(union_table.round.tournament)) == []


def test_wrong_lines_stay_as_typed_and_the_good_ones_are_stored(as_alice, union_table):
    answer = as_alice.post(url(union_table), sent("B game h won", "C gmae h won", "- pass"))
    assert counting(union_table).keys() == {1, 3}
    page = answer.content.decode()
    assert 'value="C gmae h won"' in page
    assert "“gmae” at column 3 is not a contract." in page
    assert "2 deals are saved." in page
    assert "1 line has not been saved" in page


def test_what_is_reported_already_is_filled_in(as_alice, union_table):
    report(union_table, 1, GAME)
    assert 'value="B game h won"' in as_alice.get(url(union_table)).content.decode()


def test_a_page_sent_twice_is_stored_once(as_alice, union_table):
    twice = sent("B game h won", "- pass")
    for _time in range(2):
        assert as_alice.post(url(union_table), twice).status_code == 302
    assert union_table.reports.count() == 2


def test_a_changed_deal_needs_a_reason_and_gets_it(as_alice, union_table):
    report(union_table, 1, GAME)
    seen = "1,0,0,0,0,0,0,0"
    page = as_alice.post(url(union_table), sent("B game d won", "- pass", seen=seen)).content.decode()
    assert "Say why the deal is corrected, in a few words." in page
    assert 'value="B game d won"' in page
    assert counting(union_table) == {1: GAME, 2: {"all_passed": True}}
    answer = as_alice.post(url(union_table), sent("B game d won", "- pass", seen="1,1", reason="misread"))
    assert answer.status_code == 302
    assert counting(union_table)[1] == GAME | {"trump": "D"}
    assert list(union_table.reports.values_list("deal_number", "reason")) == [
        (1, ""),
        (2, ""),
        (1, "misread"),
    ]


def test_an_emptied_line_does_not_take_a_deal_back(as_alice, union_table):
    report(union_table, 1, GAME)
    page = as_alice.post(url(union_table), sent("", seen="1")).content.decode()
    assert "an empty line does not undo it. It is: B game h won" in page
    assert counting(union_table) == {1: GAME}


def test_a_ruling_stays_under_its_empty_line(as_alice, alice, union_table):
    report(union_table, 1, {"ruled": [3, -1, -1, -1]}, author=Author("desk", alice), reason="a card too many")
    assert as_alice.post(url(union_table), sent("", "- pass", seen="1")).status_code == 302
    assert counting(union_table) == {1: {"ruled": [3, -1, -1, -1]}, 2: {"all_passed": True}}


def test_a_deal_changed_meanwhile_is_shown_and_not_overwritten(as_alice, union_table):
    report(union_table, 1, GAME)
    page = as_alice.post(url(union_table), sent("B game d won", seen="0")).content.decode()
    assert "Changed while you were typing;" in page
    assert counting(union_table) == {1: GAME}
    assert 'name="seen" value="1,0,' in page
    assert as_alice.post(url(union_table), sent("B game d won", seen="1", reason="paper")).status_code == 302
    assert counting(union_table)[1]["trump"] == "D"


@pytest.mark.parametrize(("line", "seen"), [("", "0"), ("B game h won", "1")])
def test_a_line_that_nobody_touched_takes_what_was_reported_meanwhile(as_alice, union_table, line, seen):
    report(union_table, 1, GAME)
    report(union_table, 1, GAME | {"trump": "C"}, base=1, reason="misheard")
    assert as_alice.post(url(union_table), sent(line, seen=seen)).status_code == 302
    assert counting(union_table)[1]["trump"] == "C"
    assert union_table.reports.count() == 2


@pytest.mark.parametrize("fields", [{"key": "x"}, {"key": ""}, {"reason": "x" * 300}])
def test_a_page_that_was_tampered_with_keeps_what_was_typed(as_alice, union_table, fields):
    answer = as_alice.post(url(union_table), sent("B game h won", **fields))
    assert answer.status_code == 200
    assert 'value="B game h won"' in answer.content.decode()
    assert counting(union_table) == {}


@pytest.mark.parametrize("seen", ["", "x,y", "-1", "9" * 400, "²", ",,,"])
def test_revisions_that_cannot_be_read_overwrite_nothing(as_alice, union_table, seen):
    report(union_table, 1, GAME)
    as_alice.post(url(union_table), sent("B game d won", seen=seen, reason="why not"))
    assert counting(union_table) == {1: GAME}


def test_nothing_is_stored_in_a_closed_round_and_nothing_typed_is_lost(as_alice, alice, union_table):
    close_round(
        first_round(union_table.round.tournament), account=alice, force_reason="late", now=timezone.now()
    )
    page = as_alice.post(url(union_table), sent("B game h won")).content.decode()
    assert "The round is not running: reopen it to correct a deal." in page
    assert 'value="B game h won"' in page


# The captain


def test_the_captain_types_the_slip_afterwards(client, union_table):
    assert client.get(captains_url(union_table)).headers["Referrer-Policy"] == "strict-origin"
    answer = client.post(captains_url(union_table), sent("B game h won", *["- pass"] * 7))
    assert answer.headers["Location"] == reverse("captain", args=[union_table.secret]) + "#sheet"
    assert counting(union_table)[1] == GAME
    assert set(union_table.reports.values_list("source", "author")) == {("captain", "")}


def test_the_captains_lines_are_checked_without_being_stored(client, union_table):
    answer = client.post(captains_url(union_table, "captain_slip_check"), sent("B game h won"))
    assert answer.json()["lines"][0]["problem"] == ""
    assert counting(union_table) == {}


def test_a_captain_who_comes_too_late_is_told_that_it_is_kept(client, alice, union_table):
    close_round(
        first_round(union_table.round.tournament), account=alice, force_reason="late", now=timezone.now()
    )
    page = client.post(captains_url(union_table), sent("B game h won")).content.decode()
    assert "1 deal does not count yet: it is set aside for the organiser to accept." in page
    assert KeptReport.objects.get().item["result"] == GAME
    assert client.get(captains_url(union_table)).headers["Location"] == reverse(
        "captain", args=[union_table.secret]
    )


def test_lines_sent_before_the_round_starts_are_kept_for_the_organiser(client, club):
    early = first_table(make_tournament(4, club=club, started=False))
    page = client.post(captains_url(early), sent("B game h won")).content.decode()
    assert "1 deal does not count yet: it is set aside for the organiser to accept." in page
    assert KeptReport.objects.get().why == "early"


def test_lines_sent_by_a_replaced_link_are_kept_for_the_organiser(client, alice, union_table):
    old = captains_url(union_table)
    revoke_link(union_table, account=alice, now=timezone.now())
    page = client.post(old, sent("B game h won")).content.decode()
    assert "deal does not count yet" in page
    assert (KeptReport.objects.get().why, counting(union_table)) == ("revoked", {})


# Every rulebook


@pytest.mark.parametrize("book", [book.id for book in rulebooks()])
def test_every_rulebook_has_a_legend_whose_words_are_its_own_in_every_language(book):
    players = {"ombre_two": 2, "ombre_five": 5}.get(book, 4)
    rulebook, seating = get_rulebook(book), Seating(players, players - 1)
    for language in LANGUAGES:
        with override(language):
            contracts, *others = (words for _heading, words in legend_of(rulebook, players).groups)
        ids = [row.id for row in rulebook.contracts_at(players)]
        assert len({typed for _meaning, typed in contracts}) == len(contracts), language
        assert all(typed for words in others for _meaning, typed in words), language
        for contract, (_meaning, typed) in zip(ids, contracts, strict=False):  # behind them: all passed
            for word in typed.split(" · "):
                assert read_words(f"A {word}", seating, rulebook).contract == contract, word


def test_a_pool_follows_from_the_lines_above(club):
    table = first_table(make_tournament(4, club=club, rulebook="renegado", deals_per_round=8))
    sheet = score_sheet(table)
    lines = read_grid(
        sheet, {1: TypedLine("B entrada h puesta estuches 2"), 2: TypedLine("C entrada h won estuches 2")}
    )
    pools = [line.result["pool"] for line in lines[:2]]
    assert [line.problem for line in lines[:2]] == ["", ""]
    assert pools[0] == sheet.pool.antes < pools[1]
    report(table, 1, lines[0].result)
    assert pools[1] == score_sheet(table).pool.for_entry(2)


def test_the_grid_reads_back_what_is_reported_as_unchanged(union_table):
    report(union_table, 1, GAME)
    report(union_table, 2)
    sheet = score_sheet(union_table)
    assert [line.result for line in read_grid(sheet, as_it_stands(sheet))] == [None] * 8


def named(table, *names):
    for seat, name in zip(
        table.seats.select_related("entry__player").order_by("position"), names, strict=True
    ):
        seat.entry.player.name = name
        seat.entry.player.save()


def declared(table, line, deal=1):
    """Who declares, and what is wrong, by a line of the grid."""
    sheet = score_sheet(table)
    (found,) = [one for one in read_grid(sheet, {deal: TypedLine(line)}) if one.deal == deal]
    return (found.result or {}).get("declarer"), found.problem


def test_a_first_name_is_read_as_the_player_who_has_it(union_table):
    named(union_table, "Anna Holm", "Bo Krogh", "Åse Dam", "Dora Friis")
    assert declared(union_table, "bo game h won") == (1, "")
    assert declared(union_table, "1 BO game h won") == (1, "")
    assert declared(union_table, "Ase solo h won", deal=2) == (2, "")
    assert declared(union_table, "b game h won") == (1, "")  # a letter alone is the seat's
    assert declared(union_table, "Bo game x won") == (None, "“x” at column 9 is not understood.")


def test_a_first_name_that_two_have_is_no_seat_and_a_word_of_the_notation_no_name(union_table):
    named(union_table, "Anna Holm", "Anna Krogh", "Tout Dam", "Solo Friis")
    assert declared(union_table, "anna game h won") == (
        None,
        "“anna” at column 1 is not a seat at this table.",
    )
    assert declared(union_table, "b solo h won") == (1, "")


def test_a_line_that_is_refused_says_how_it_was_read(union_table):
    declarer, problem = declared(union_table, "b nolo h v")
    assert declarer is None
    assert problem.endswith(" Read as: B nolo h won"), problem


@pytest.mark.parametrize(
    ("language", "line", "warned"),
    [
        ("da", "b solo k", ["”k” læses som kodille; der er ikke angivet nogen trumf."]),
        ("da", "b solo klør k", []),
        ("da", "b solo v", []),
        ("en", "b solo k", []),  # no suit begins so
    ],
)
def test_a_letter_that_may_be_a_suit_says_how_it_was_read(union_table, language, line, warned):
    with override(language):
        (first, *_rest) = read_grid(score_sheet(union_table), {1: TypedLine(line)})
    assert (first.problem, [text for text in first.warnings if "læses" in text]) == ("", warned)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_example_stands_in_the_first_line_that_is_empty_and_is_a_line(as_alice, union_table, language):
    with override(language):
        for rulebook in rulebooks():
            players = max(rulebook.players)
            line = legend_of(rulebook, players).line
            assert read_words(line, rulebook.seating(players, players - 1), rulebook).contract, rulebook.id
    page = as_alice.get(url(union_table)).content.decode()
    assert page.count('placeholder="') == 1 + union_table.deals
