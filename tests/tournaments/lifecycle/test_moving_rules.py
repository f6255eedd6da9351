"""A running tournament is moved to newer rules: the effect is shown before, every deal told again, and the way back.

The change is a real one: since 1.2 eight of nine tricks with the first five are a tout that failed, which was a game
won before; and a first five won for a bonus is a try for tout where more was played.
"""

from __future__ import annotations

import json

import pytest
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from scoring import ENGINE_VERSION
from tests.factories import decide_as_it_stands, first_round, first_table, make_club, make_tournament, report
from tests.tournaments.exports.test_transfer import forget
from tournaments.changes.chain import chain_differences
from tournaments.entries import teams
from tournaments.exports.tournament_file import export_tournament, import_tournament
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.lifecycle.rules_versions import MOVED, RulesOutlook, move_rules, versions_offered
from tournaments.models import Report, Tournament
from tournaments.reporting.captain_state import table_state
from tournaments.standings.players import standings

BEFORE = "1.1"
SOLO = {"contract": "solo", "declarer": 1, "trump": "H"}
# Eight tricks with the first five: won and two tokens from each, three by the older rules.
TRIED = SOLO | {"first_five_by": 1, "tricks": {"0": 0, "1": 8, "3": 1}}
WON = SOLO | {"declarer": 3, "outcome": "won"}
# Stopped with every trick so far the declarer's, who led to the sixth: whether it was a tout is not told.
CLAIMED = SOLO | {"first_five_by": 1, "tricks": {"0": 0, "1": 6, "3": 0}, "played_out": False}


def played_by_older(club, alice, *, players=4, **fields):
    """A tournament that began by version 1.1, its first table fresh from the database."""
    tournament = make_tournament(players, club=club, account=alice, rules_name="", **fields)
    Tournament.objects.filter(pk=tournament.pk).update(rules_version=BEFORE)
    decide_as_it_stands(Tournament.objects.get(pk=tournament.pk))
    return first_table(Tournament.objects.get(pk=tournament.pk))


@pytest.fixture
def older_table(club, alice):
    """A table of four with three deals reported by version 1.1, of which one comes to something else by 1.2."""
    table = played_by_older(club, alice)
    report(table, 1, TRIED)
    report(table, 2, WON | {"declarer": 0})
    report(table, 3)
    return table


def fresh(table):
    return Tournament.objects.get(pk=table.round.tournament_id)


def move(table, alice, version=ENGINE_VERSION, seen=None):
    tournament = fresh(table)
    seen = RulesOutlook(tournament, version).state_mark if seen is None else seen
    return move_rules(tournament, version, seen=seen, account=alice, now=timezone.now())


def counts(table):
    return {deal.number: deal.current.tokens for deal in table.dealt.select_related("current")}


def page(table, version=ENGINE_VERSION):
    return reverse("desk_rules_version", args=[table.round.tournament.code, version])


def totals(tournament):
    return {row.number: (row.rank, row.total) for row in standings(tournament).rows}


# What would follow


def test_the_newest_version_is_offered_to_a_tournament_of_an_older_one_that_is_not_finished(
    older_table, club, alice
):
    assert versions_offered(fresh(older_table)) == [ENGINE_VERSION]
    elsewhere = make_club("Rasle")
    assert versions_offered(make_tournament(4, club=elsewhere, account=alice)) == []
    Tournament.objects.filter(pk=fresh(older_table).pk).update(state="finished")
    assert versions_offered(fresh(older_table)) == []


def test_a_version_that_reads_nothing_of_the_rulebook_otherwise_is_not_offered(older_table):
    Tournament.objects.filter(pk=fresh(older_table).pk).update(rules_version="1.0")
    assert versions_offered(fresh(older_table)) == [ENGINE_VERSION]
    Tournament.objects.filter(pk=fresh(older_table).pk).update(rules_version=ENGINE_VERSION)
    older_table.round.tournament.log.create(at=timezone.now(), text=MOVED, params={"was": ENGINE_VERSION})
    assert versions_offered(fresh(older_table)) == []


def test_only_deals_that_come_to_something_else_are_concerned(older_table):
    outlook = RulesOutlook(fresh(older_table), ENGINE_VERSION)
    assert [(one.deal, one.report.tokens, list(one.judged.tokens)) for one in outlook.deals] == [
        (1, [-3, 6, 0, -3], [-2, 4, 0, -2])
    ]
    assert outlook.impossible == []


def test_places_are_shown_as_they_will_be(older_table, alice):
    before = totals(fresh(older_table))
    shown = {
        one.after.number: ((one.before.rank, one.before.total), (one.after.rank, one.after.total))
        for one in RulesOutlook(fresh(older_table), ENGINE_VERSION).places
    }
    move(older_table, alice)
    after = totals(fresh(older_table))
    changed = {
        number: (before[number], after[number]) for number in before if before[number] != after[number]
    }
    assert shown == changed
    assert len(changed) > 1


@pytest.mark.parametrize(
    "comparison", [{"comparison": "factor", "three_factor": "0.75"}, {"comparison": "average"}]
)
def test_places_are_shown_as_the_tournament_compares(club, alice, comparison):
    table = played_by_older(club, alice, players=7, **comparison)
    small = table.round.tables.get(number=2)
    small = type(table).objects.select_related("round__tournament").get(pk=small.pk)
    three = SOLO | {"first_five_by": 1, "tricks": {"0": 0, "1": 8, "2": 1}}
    report(small, 1, three)
    before = totals(fresh(table))
    shown = {
        one.after.number: (one.after.rank, one.after.total)
        for one in RulesOutlook(fresh(table), "1.2").places
    }
    move(table, alice)
    after = totals(fresh(table))
    assert shown == {number: row for number, row in after.items() if row != before[number]}


def test_matches_are_shown_with_what_they_come_to(club, alice):
    table = played_by_pairs(club, alice)
    report(table, 1, TRIED | {"tricks": {"1": 8}})
    outlook = RulesOutlook(fresh(table), ENGINE_VERSION)
    ((match),) = outlook.matches
    assert (match.round, match.before, match.after) == (1, (-6, 6), (-4, 4))


def played_by_pairs(club, alice):
    tournament = make_tournament(4, club=club, account=alice, drawn=False, format="pairs", takes_over=True)
    now = timezone.now()
    teams.put_together(tournament, account=alice, now=now)
    teams.plan_all_meetings(tournament, account=alice, now=now)
    draw(tournament, seed=7, account=alice, now=now)
    start_round(first_round(tournament), account=alice, now=now)
    Tournament.objects.filter(pk=tournament.pk).update(rules_version=BEFORE)
    decide_as_it_stands(Tournament.objects.get(pk=tournament.pk))
    return first_table(tournament)


# Moving


def test_moving_tells_the_deals_again_and_nothing_is_lost(older_table, alice):
    before = counts(older_table)
    move(older_table, alice)
    assert fresh(older_table).rules_version == ENGINE_VERSION
    assert counts(older_table) == before | {1: [-2, 4, 0, -2]}
    told = list(
        Report.objects.filter(deal_number=1).order_by("revision").values_list("revision", "tokens", "reason")
    )
    assert told == [(1, [-3, 6, 0, -3], ""), (2, [-2, 4, 0, -2], "other_rules")]
    assert Report.objects.exclude(deal_number=1).count() == 2
    line = fresh(older_table).log.first()
    assert line.words == (
        f"Now played by version {ENGINE_VERSION} of the rules instead of 1.1; deals scoring differently: 1"
    )


def test_verify_finds_nothing_after_it_and_after_the_way_back(older_table, alice):
    for version in (ENGINE_VERSION, BEFORE, ENGINE_VERSION):
        move(older_table, alice, version)
        assert list(differences(fresh(older_table))) == []
    report(older_table, 5, TRIED)
    assert list(differences(fresh(older_table))) == []


def test_a_version_put_there_by_hand_is_found(older_table):
    Tournament.objects.filter(pk=fresh(older_table).pk).update(rules_version=ENGINE_VERSION)
    assert [place for place, _text in chain_differences(fresh(older_table))] == ["set-up"]


def test_the_way_back_is_offered_and_brings_what_was(older_table, alice):
    before = counts(older_table), totals(fresh(older_table))
    move(older_table, alice)
    assert versions_offered(fresh(older_table)) == [BEFORE]
    move(older_table, alice, BEFORE)
    assert (counts(older_table), totals(fresh(older_table))) == before
    assert versions_offered(fresh(older_table)) == [ENGINE_VERSION]


def test_a_closed_round_is_told_again_too(older_table, alice):
    close_round(first_round(fresh(older_table)), account=alice, now=timezone.now(), force_reason="late")
    move(older_table, alice)
    assert counts(older_table)[1] == [-2, 4, 0, -2]
    assert list(differences(fresh(older_table))) == []


def test_phones_are_told_the_whole_table_with_what_it_offers(client, older_table, alice):
    older_table.refresh_from_db()
    known = {"v": older_table.version, "seq": older_table.reports_count}
    move(older_table, alice)
    address = reverse("captain_state", args=[older_table.secret])
    told = client.get(address, known).json()
    assert (told["partial"], "choices" in told) == (False, True)
    older_table = first_table(fresh(older_table))
    again = table_state(older_table, now=timezone.now())
    assert [deal.get("tokens") for deal in told["deals"]] == [deal.get("tokens") for deal in again["deals"]]
    assert told["deals"][0]["reason"] == "another version of the rules"
    assert client.get(address, {"v": told["version"], "seq": told["sequence"]}).status_code == 204


def test_a_moved_tournament_is_saved_and_taken_in(older_table, alice):
    move(older_table, alice)
    tournament = fresh(older_table)
    text = export_tournament(tournament)
    assert json.loads(text)["tournament"]["rules_version"] == ENGINE_VERSION
    forget(tournament)
    again = import_tournament(text)
    assert (again.rules_version, versions_offered(again)) == (ENGINE_VERSION, [BEFORE])
    assert list(differences(again)) == []


# What cannot be


def test_a_deal_that_the_other_rules_refuse_is_named_and_nothing_is_moved(older_table, alice):
    report(older_table, 5, CLAIMED)
    outlook = RulesOutlook(fresh(older_table), ENGINE_VERSION)
    assert [(one.deal, [problem.code for problem in one.problems]) for one in outlook.impossible] == [
        (5, ["tout_undecided"])
    ]
    with pytest.raises(NotPossible, match="These rules reject some deals"):
        move(older_table, alice)
    assert fresh(older_table).rules_version == BEFORE


def test_a_report_in_between_shows_it_anew(older_table, alice):
    seen = RulesOutlook(fresh(older_table), ENGINE_VERSION).state_mark
    report(older_table, 4)
    with pytest.raises(NotPossible, match="Something has been reported in the meantime"):
        move(older_table, alice, seen=seen)
    assert (fresh(older_table).rules_version, Report.objects.count()) == (BEFORE, 4)


@pytest.mark.parametrize(
    ("version", "text"),
    [(BEFORE, "already played by version 1.1"), ("1.0", "cannot be played by version 1.0"),
     ("9.9", "cannot be played by version 9.9")],
)  # fmt: skip
def test_a_version_that_is_not_offered_is_refused(older_table, alice, version, text):
    with pytest.raises(NotPossible, match=text):
        move(older_table, alice, version, seen="")


def test_a_finished_evening_stays(older_table, alice):
    Tournament.objects.filter(pk=fresh(older_table).pk).update(state="finished")
    with pytest.raises(NotPossible, match="its rules cannot be changed"):
        move(older_table, alice)


# At the desk


def test_the_set_up_says_that_there_is_a_newer_version_and_leads_to_what_would_change(as_alice, older_table):
    setup = as_alice.get(reverse("tournament_setup", args=[fresh(older_table).code])).content.decode()
    assert f"It is played by version 1.1 of the rules; version {ENGINE_VERSION} is now available." in setup
    assert page(older_table) in setup
    shown = as_alice.get(page(older_table)).content.decode()
    assert (
        "Who won the first five tricks, and who led to the sixth, is worked out from the tricks where possible;"
        in shown
    )
    assert "Round 1, table 1, deal 1" in shown
    assert "Round 1, table 1, deal 2" not in shown
    ((deal),) = as_alice.get(page(older_table)).context["deals"]
    assert deal.then == deal.was + ", tout failed"
    assert [(before, after) for _name, before, after in deal.tokens] == [(-3, -2), (6, 4), (-3, -2)]


def test_it_is_moved_by_one_press_and_a_second_does_nothing(as_alice, older_table):
    seen = {"seen": as_alice.get(page(older_table)).context["outlook"].state_mark}
    after = as_alice.post(page(older_table), seen, follow=True)
    assert f"The tournament is now played by version {ENGINE_VERSION} of the rules." in after.content.decode()
    twice = as_alice.post(page(older_table), seen, follow=True)
    assert f"It is already played by version {ENGINE_VERSION} of the rules." in twice.content.decode()
    assert twice.redirect_chain[-1][0] == reverse("tournament_setup", args=[fresh(older_table).code])
    assert (Report.objects.count(), fresh(older_table).log.filter(text=MOVED).count()) == (4, 1)
    assert "It used to be played by version 1.1 of the rules" in twice.content.decode()


def test_after_a_report_in_between_the_page_is_shown_anew(as_alice, older_table):
    seen = {"seen": as_alice.get(page(older_table)).context["outlook"].state_mark}
    report(older_table, 5, TRIED)
    again = as_alice.post(page(older_table), seen, follow=True)
    assert "Something has been reported in the meantime" in again.content.decode()
    assert [deal.deal for deal in again.context["deals"]] == [1, 5]


def test_refused_deals_are_shown_and_there_is_no_button(as_alice, older_table):
    report(older_table, 5, CLAIMED)
    shown = as_alice.get(page(older_table)).content.decode()
    assert "Deals these rules reject" in shown
    assert f"Play by version {ENGINE_VERSION} from now on" not in shown


def test_where_nothing_is_offered_it_leads_back_to_the_set_up(as_alice, older_table):
    answer = as_alice.get(page(older_table, "1.0"), follow=True)
    assert "There is no other version of the rules" in answer.content.decode()


def test_it_is_the_organisers_alone(as_helper, as_charlie, client, older_table):
    for somebody in (as_helper, as_charlie):
        assert somebody.get(page(older_table)).status_code == 403
        assert somebody.post(page(older_table), {"seen": "x"}).status_code == 403
    assert client.get(page(older_table)).status_code == 302
    assert fresh(older_table).rules_version == BEFORE
