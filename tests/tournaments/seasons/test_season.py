"""A season of eleven teams, home and away, from set-up to the final table, recounted by a few lines here."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.db.models import Model
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from tests.factories import decide_as_it_stands, made_once, make_player, make_tournament, player_name
from tests.pages import SET_UP
from tests.tournaments.lifecycle.test_setup_formats import SEASON
from tournaments.entries import entering
from tournaments.entries import teams as making
from tournaments.exports.verify.recount import differences, team_differences
from tournaments.ledger import Author, Submission, record
from tournaments.ledger.queries import open_tables
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.line_ups import line_up, seats_of
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.lifecycle.rulings import award, end_match, penalise, postpone, set_dates
from tournaments.models import Entry, Match, Report, Tournament
from tournaments.standings.players import standings
from tournaments.standings.teams import counted_of_teams, team_standings

TEAMS, FIRST_DAY = 11, date(2026, 9, 1)


def make_teams(club, by, *, teams=TEAMS, reserves=(), drawn=True, **fields):
    """A tournament of so many teams of four, all of whom are here, and some with a reserve."""
    what = f"teams {teams} {reserves} {drawn} {sorted(fields.items())}"
    rows = [value for value in fields.values() if isinstance(value, Model)]
    return made_once(
        what,
        [club, by["account"], *rows],
        lambda: _make_teams(club, by, teams=teams, reserves=reserves, drawn=drawn, **fields),
    )


def _make_teams(club, by, *, teams, reserves, drawn, **fields):
    fields = {"format": "teams", "deals_per_round": 4} | fields
    tournament = make_tournament(4 * teams, club=club, drawn=False, **fields)
    making.put_together(tournament, **by)
    for number in reserves:
        team = tournament.teams.get(number=number)
        player = make_player(player_name(4 * teams + number), club)
        reserve = entering.enter(tournament, player, club=club, **by)
        Entry.objects.filter(pk=reserve.pk).update(team=team, reserve=True)
    if reserves:
        decide_as_it_stands(tournament)
    making.plan_all_meetings(tournament, **by)
    tournament.refresh_from_db()
    if drawn:
        draw(tournament, seed=7, **by)
    return tournament


def play(table, *, deals=None):
    """Report so many deals of a table, all by default: games won and lost by turns that no two tables share."""
    sent = []
    for number in range(1, (deals or table.deals) + 1):
        luck = table.number * 5 + table.round.number * 7 + number * 3
        game = {
            "contract": ("simple_game", "solo")[luck % 2],
            "declarer": (number - 1 + (1, 3)[luck % 3 % 2]) % 4,
            "trump": "H",
            "outcome": ("won", "won", "bete")[luck % 3],
        }
        sent.append(Submission(uuid4(), number, 0, game))
    answers = record(table, sent, Author("captain"), now=timezone.now())
    assert {answer.status for answer in answers} == {"accepted"}
    if deals is None:
        table.seats.update(agreed_at=timezone.now())


def final_table(tournament):
    """Match points, tokens and rulings by team, from the reports alone."""
    points, tokens, met = defaultdict(int), defaultdict(int), defaultdict(int)
    for match in Match.objects.filter(round__tournament=tournament, away__isnull=False):
        home, away = match.home.number, match.away.number
        tables = list(match.tables.order_by("number"))
        newest = {
            (report.table_id, report.deal_number): report.tokens
            for report in Report.objects.filter(table__in=tables).order_by("sequence")
        }
        scored = [0, 0]
        for (table, _deal), amounts in newest.items():
            for position, amount in enumerate(amounts):
                scored[(position + (table != tables[0].pk)) % 2] += amount
        if match.is_awarded:
            won = [match.awarded_home, match.awarded_away]
            scored = [0, 0]
        else:
            won = [1, 1] if scored[0] == scored[1] else [2, 0] if scored[0] > scored[1] else [0, 2]
        for team, side in ((home, 0), (away, 1)):
            points[team] += won[side]
            tokens[team] += scored[side]
            met[team] += 1
    for penalty in tournament.penalties.filter(cancelled_at=None):
        tokens[penalty.team.number if penalty.team else penalty.entry.team.number] += penalty.tokens
    return {team: (points[team], tokens[team], met[team]) for team in sorted(points)}


@pytest.fixture
def season(as_alice, club, by_alice):
    """Eleven teams set up on the page, put together, and their 22 rounds drawn, one a week."""
    typed = SET_UP | SEASON | {"host": club.pk, "points_won": "2", "bye_teams": "0", "by_average": ""}
    as_alice.post(reverse("tournament_new"), typed | {"deals_per_round": "4", "rounds_planned": "1"})
    tournament = Tournament.objects.get()
    for index in range(4 * TEAMS + 1):
        player = make_player(player_name(index), club, index + 1)
        entry = entering.enter(tournament, player, club=club, **by_alice)
        entering.check_in(entry, present=True, **by_alice)
    making.put_together(tournament, **by_alice)
    assert making.plan_all_meetings(tournament, **by_alice) == 22
    tournament.refresh_from_db()
    draw(tournament, seed=11, **by_alice)
    days = {number: FIRST_DAY + timedelta(weeks=number) for number in range(1, 23)}
    set_dates(tournament, days, **by_alice)
    return tournament


def play_round(round_, by):
    start_round(round_, **by)
    for table in round_.tables.select_related("round__tournament", "match"):
        if table.is_open and not table.match.waits:
            play(table)


def test_the_recount_sees_match_points_that_do_not_follow(club, by_alice):
    tournament = make_teams(club, by_alice, teams=3)
    round_ = tournament.rounds.get(number=1)
    play_round(round_, by_alice)
    tournament.refresh_from_db()
    shown = counted_of_teams(tournament)
    assert list(team_differences(tournament, shown)) == []
    shown.rows[0].points += 1
    (difference,) = team_differences(tournament, shown)
    assert difference.startswith(f"no. {shown.rows[0].number} has ")


@pytest.mark.slow
def test_a_season_of_eleven_teams_from_set_up_to_the_final_table(season, by_alice):
    waiting = {}
    for round_ in season.rounds.order_by("number"):
        first, second, third, *_more = round_.matches.filter(away__isnull=False).order_by("number")
        (bye,) = round_.matches.filter(away=None)
        four = [seat.entry for seat in seats_of(first, first.home)]
        if round_.number == 2:  # somebody is away: a player of the team that has a bye sits in
            stand_in, helped = bye.home.members.first(), first.home
            line_up(first, helped, [stand_in, *four[1:]], **by_alice)
        if round_.number == 3:
            postponed = postpone(second, date(2026, 12, 24), **by_alice)
        if round_.number == 5:
            awarded = award(third, {"home": 0, "away": 2}, reason="did not turn up", **by_alice)
        play_round(round_, by_alice)
        if round_.number == 4:
            penalise(bye.home, tokens=-1, reason="late", round_=round_, **by_alice)
            penalise(four[1], tokens=-2, reason="led out of turn", round_=None, **by_alice)
        close_round(round_, **by_alice)
        season.refresh_from_db()
        waiting[round_.number] = len(team_standings(season).waiting)
    assert waiting == {number: int(number >= 3) for number in range(1, 23)}

    assert set(open_tables()) == set(postponed.tables.all())
    with pytest.raises(NotPossible, match="still to be played"):
        finish(season, **by_alice)
    for table in open_tables().select_related("round__tournament", "match"):
        play(table)
    end_match(postponed, **by_alice)
    assert not open_tables().exists()
    finish(season, **by_alice)

    season.refresh_from_db()
    table = team_standings(season)
    rows = {row.number: row for row in table.rows}
    counted = final_table(season)
    assert {number: (row.points, row.tokens, row.played) for number, row in rows.items()} == counted
    assert list(rows) == sorted(rows, key=lambda number: counted[number], reverse=True)
    assert not table.provisional
    assert {(row.played, row.byes, row.won + row.drawn + row.lost) for row in table.rows} == {(20, 2, 20)}
    assert sum(row.penalties for row in table.rows) == -3
    lent = [player for player in rows[helped.number].players if player.substitute]
    assert [(player.number, player.matches, player.deals) for player in lent] == [(stand_in.number, 1, 4)]
    idle = [seat.entry.number for seat in seats_of(awarded, awarded.home)]
    alone = {row.number: row.rounds[4] for row in standings(season).rows}
    assert [alone[number] for number in idle] == [None] * 4
    assert list(differences(season)) == []
