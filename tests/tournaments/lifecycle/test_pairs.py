"""Evenings of pairs: who meets whom and where, what comes of a late pair, and what a match brings."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

import pytest
from django.db.models import Model
from django.urls import reverse

from core.errors import NotPossible
from tests.evenings import play_round
from tests.factories import first_table, made_once, make_player, make_tournament, report
from tournaments.boards.results import lines_of
from tournaments.desk.draw.meetings_text import meetings_in_words
from tournaments.entries import entering, teams
from tournaments.exports.verify.recount import differences
from tournaments.ledger import queries
from tournaments.ledger.scoresheet import score_sheet
from tournaments.lifecycle.drawing import discard_draw, draw
from tournaments.lifecycle.money import reckon
from tournaments.lifecycle.playing import start_round
from tournaments.models import Match, Round, Seat
from tournaments.reporting.slip_grid import TypedLine, read_grid
from tournaments.standings.statistics import deals_of


def make_pairs(count, club, by, *, drawn=True, **fields):
    """A tournament of so many pairs, all of them here, with the rounds in which all meet all."""
    what = f"pairs {count} {drawn} {sorted(fields.items())}"
    rows = [value for value in fields.values() if isinstance(value, Model)]
    return made_once(
        what, [club, by["account"], *rows], lambda: _make_pairs(count, club, by, drawn=drawn, **fields)
    )


def _make_pairs(count, club, by, *, drawn, **fields):
    tournament = make_tournament(2 * count, club=club, drawn=False, format="pairs", **fields)
    teams.put_together(tournament, **by)
    teams.plan_all_meetings(tournament, **by)
    tournament.refresh_from_db()
    if drawn:
        draw(tournament, seed=7, **by)
    return tournament


def met(tournament):
    return Counter(
        frozenset(ends)
        for ends in Match.objects.filter(round__tournament=tournament, away__isnull=False).values_list(
            "home__number", "away__number"
        )
    )


@pytest.mark.parametrize(("count", "rounds_", "byes"), [(6, 5, 0), (5, 5, 5)])
def test_all_pairs_meet_once_at_a_table_each_partners_facing(club, by_alice, count, rounds_, byes):
    tournament = make_pairs(count, club, by_alice)
    assert tournament.rounds.count() == rounds_
    assert len(met(tournament)) == count * (count - 1) // 2
    assert set(met(tournament).values()) == {1}
    over = Match.objects.filter(round__tournament=tournament, away=None)
    assert sorted(over.values_list("home__number", flat=True)) == list(range(1, byes + 1))
    for seat in Seat.objects.filter(round__tournament=tournament).select_related("entry", "table__match"):
        match = seat.table.match
        assert seat.entry.team_id == (match.away_id if seat.position % 2 else match.home_id)


def test_groups_meet_among_themselves_and_the_larger_plays_longer(club, by_alice):
    tournament = make_pairs(7, club, by_alice, drawn=False)
    teams.split_into_groups(tournament, 2, **by_alice)  # four and three
    teams.plan_all_meetings(tournament, **by_alice)
    draw(tournament, seed=7, **by_alice)
    pairs = list(tournament.teams.all())
    together = {
        frozenset((a.number, b.number)) for a in pairs for b in pairs if a.division == b.division and a != b
    }
    assert set(met(tournament)) == together


def test_who_did_not_come_is_not_drawn_and_who_comes_late_meets_the_others(club, by_alice):
    tournament = make_pairs(6, club, by_alice, drawn=False)
    late = tournament.teams.get(number=6)
    late.members.update(status="entered")
    draw(tournament, seed=7, **by_alice)
    assert all(6 not in ends for ends in met(tournament))
    start_round(tournament.rounds.get(number=1), **by_alice)
    late.members.update(status="present")
    draw(tournament, seed=None, **by_alice)
    assert max(met(tournament).values()) == 1
    assert tournament.rounds.filter(state=Round.State.DRAWN).count() == 4
    assert sum(6 in ends for ends in met(tournament)) >= 3


def late_pair(club, by):
    """Seven pairs have played two rounds of seven when an eighth comes."""
    tournament = make_pairs(8, club, by, drawn=False, deals_per_round=4)
    late = tournament.teams.get(number=8)
    late.members.update(status="entered")
    tournament.rounds_planned = 7
    tournament.save(update_fields=["rounds_planned"])
    draw(tournament, seed=7, **by)
    for number in (1, 2):
        play_round(tournament.rounds.get(number=number), by["account"])
    late.members.update(status="present")
    return tournament


def meetings_said(tournament):
    return [(said.title, said.value, said.good) for said in meetings_in_words(tournament)]


def test_the_eighth_pair_after_two_of_seven_rounds_misses_two_meetings_and_no_draw_has_fewer(club, by_alice):
    tournament = late_pair(club, by_alice)
    draw(tournament, seed=None, **by_alice)
    assert meetings_said(tournament)[:2] == [
        ("Meetings", "2 meetings are missing for a full round robin", True),
        ("Byes", "0 to 1 times each", True),
    ]
    assert tournament.rounds.count() == 7


def test_a_draw_that_misses_more_says_how_many_cannot_be_avoided(club, by_alice):
    tournament = late_pair(club, by_alice)
    draw(tournament, seed=None, **by_alice)
    last = tournament.rounds.get(number=7)
    for match in last.matches.all()[:2]:
        Seat.objects.filter(table__match=match).delete()
        match.tables.all().delete()
        Match.objects.create(round=last, number=match.number + 4, home=match.away)
        Match.objects.filter(pk=match.pk).update(away=None)
    meetings, byes, _homes = meetings_said(tournament)
    assert meetings == (
        "Meetings",
        "4 meetings are missing for a full round robin; at least 2 cannot be avoided",
        False,
    )
    assert not byes[2]  # shared as evenly as may be, there are more of them than need be
    for round_ in tournament.rounds.filter(state=Round.State.DRAWN):
        round_.state = Round.State.CLOSED
        round_.save(update_fields=["state"])
    assert meetings_said(tournament)[0] == meetings  # what has been played was as bad as it was


def test_a_substitute_in_a_pair_has_the_seats_of_who_left(club, by_alice):
    tournament = make_pairs(4, club, by_alice)
    team = queries.teams_of(tournament)[0]
    gone, stays = queries.regulars(team)
    newcomer = make_newcomer(tournament, by_alice)
    teams.change_team(team, teams.Lineup(members=[newcomer, stays]), **by_alice)
    assert newcomer.seats.count() == 3
    assert gone.seats.count() == 0


def make_newcomer(tournament, by):
    entry = entering.enter(tournament, make_player("Afløser"), club=None, **by)
    return entering.check_in(entry, present=True, **by)


def test_a_discarded_draw_leaves_no_match(club, by_alice):
    tournament = make_pairs(4, club, by_alice)
    discard_draw(tournament, **by_alice)
    assert not Match.objects.exists()


def test_one_pair_alone_cannot_be_drawn(club, by_alice):
    tournament = make_pairs(2, club, by_alice, drawn=False)
    tournament.teams.get(number=2).members.update(status="entered")
    with pytest.raises(NotPossible):
        draw(tournament, seed=7, **by_alice)


@pytest.fixture
def pairs_table(club, by_alice):
    """Table 1 of a running round: Anna deals first."""
    tournament = make_pairs(2, club, by_alice)
    start_round(tournament.rounds.get(), **by_alice)
    return first_table(tournament)


SOLO = {"contract": "solo", "trump": "H", "outcome": "won"}


@pytest.mark.parametrize(
    ("declarer", "tokens", "sits_out"),
    [(1, [-3, 6, -3, 0], 3), (3, [-3, 0, -3, 6], 1), (0, [6, -3, 0, -3], 2)],
)
def test_the_declarers_partner_sits_out_and_the_other_pair_pays(pairs_table, declarer, tokens, sits_out):
    assert report(pairs_table, 1, SOLO | {"declarer": declarer}).status == "accepted"
    line = score_sheet(pairs_table).lines[0]
    assert (list(line.tokens), line.sits_out) == (tokens, sits_out)
    assert list(differences(pairs_table.round.tournament)) == []


def test_the_sheet_says_who_played_whose_hand_and_counts_it_as_theirs(pairs_table):
    names = [seat.entry.shown_name for seat in pairs_table.seats.order_by("position")]
    report(pairs_table, 1, SOLO | {"declarer": 1, "tricks": {"1": 5, "2": 4, "0": 0}, "outcome": None})
    line = score_sheet(pairs_table).lines[0]
    assert line.remark == f"{names[2]} for {names[3]}, 5-4-0"
    kinds = [deals_of(seat.entry)[0].kind for seat in pairs_table.seats.order_by("position")]
    assert kinds == ["defended", "declared", "defended", "sat_out"]


def test_who_gave_up_the_hand_takes_no_trick_and_who_sits_out_declares_nothing(pairs_table):
    names = [seat.entry.shown_name for seat in pairs_table.seats.order_by("position")]
    refused = report(pairs_table, 1, SOLO | {"declarer": 1, "tricks": {"1": 5, "3": 4}, "outcome": None})
    assert refused.status == "refused"
    assert names[3] in refused.problems[0].message
    assert report(pairs_table, 1, SOLO | {"declarer": 2}).status == "refused"


def test_a_prize_is_the_pairs_and_its_two_players_share_it(pairs_table, by_alice):
    tournament = pairs_table.round.tournament
    tournament.entry_fee, tournament.prize_shares = 1001, [75]
    tournament.save()
    tournament.entries.update(fee_paid=True)
    report(pairs_table, 1, SOLO | {"declarer": 1})
    tournament.refresh_from_db()
    winners = pairs_table.seats.get(position=1).entry.team.members.order_by("number")
    prizes = {balance.row.number: balance.prize for balance in reckon(tournament).balances}
    assert {number for number, prize in prizes.items() if prize} == {entry.number for entry in winners}
    assert [prizes[entry.number] for entry in winners] == [1502, 1501]  # of 3003 øre


def test_the_rules_page_and_the_referee_tell_of_the_take_over(client, pairs_table):
    tournament = pairs_table.round.tournament
    rules = client.get(reverse("hall_rules", args=[tournament.code])).content.decode()
    assert "takes them over before the exchange (§1.5)" in rules
    report(pairs_table, 1, SOLO | {"declarer": 1})
    sheet = client.get(reverse("hall_table", args=[tournament.code, 1, 1])).content.decode()
    why = unescape(re.search(r'href="([^"]*/referee/result/\?[^"]+)"', sheet)[1])
    answer = client.get(why).content.decode()
    assert "has taken over the hand of middlehand" in answer


def test_a_slip_is_typed_with_the_hand_taken_over(pairs_table):
    names = [seat.entry.shown_name for seat in pairs_table.seats.order_by("position")]
    line = read_grid(score_sheet(pairs_table), {1: TypedLine("B solo h won 5-4-0")})[0]
    assert (line.problem, line.tokens) == ("", (-3, 6, -3, 0))
    assert f"{names[2]} for {names[3]}" in line.said


def test_on_boards_who_took_a_hand_over_is_compared_with_those_who_held_it(club, by_alice):
    tournament = make_pairs(4, club, by_alice, boards=True, deals_per_round=4)
    round_ = start_round(tournament.rounds.get(number=1), **by_alice)
    for table in round_.tables.select_related("round__tournament"):
        dealer = score_sheet(table).lines[0].dealer
        report(table, 1, SOLO | {"declarer": (dealer + 1) % 4})
    lines = lines_of([round_])
    assert len(lines) == 2
    for line in lines:
        assert [place.tokens for place in line.places] == [
            6,
            -3,
            -3,
            0,
        ]  # forehand, middlehand, dealer, partner
        assert all(place.compared.difference == 0 for place in line.places[:3])
