"""A makkerpar evening from set-up to the final table, reported by bots and recounted by a few lines here."""

from __future__ import annotations

from collections import defaultdict
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.pages import set_up_together
from tournaments.demo.play import results
from tournaments.exports.verify.recount import differences
from tournaments.ledger import Author, Submission, record
from tournaments.ledger.queries import rulebook_of
from tournaments.models import Deal, Entry, Report
from tournaments.standings.teams import team_standings


def page(name, tournament, *which):
    return reverse(name, args=[tournament.code, *which])


def play_round(client, tournament, number):
    """Bots play a round; its captains report, everybody agrees, the round is closed."""
    client.post(page("desk_start_round", tournament, number))
    for table in tournament.rounds.get(number=number).tables.select_related("round__tournament"):
        played = results(
            rulebook_of(tournament), 4, table.deals, seed=table.number * 7 + number, in_pairs=True
        )
        sent = [Submission(uuid4(), deal, 0, result) for deal, result in enumerate(played, start=1)]
        answers = record(table, sent, Author("captain"), now=timezone.now())
        assert {answer.status for answer in answers} == {"accepted"}
        table.seats.update(agreed_at=timezone.now())
    client.post(page("desk_close_round", tournament, number))
    tournament.refresh_from_db()


def final_table(tournament):
    """(points, tokens) by pair, from the newest reports alone: who sits north and south, who east and west."""
    table = defaultdict(lambda: [0, 0])
    scores = defaultdict(lambda: [0, 0])
    newest = {}
    for report in Report.objects.filter(table__round__tournament=tournament).order_by("sequence"):
        newest[report.table_id, report.deal_number] = report.tokens
    for (table_id, _deal), (north, east, south, west) in newest.items():
        scores[table_id][0] += north + south
        scores[table_id][1] += east + west
    for table_id, sides in scores.items():
        seats = Entry.objects.filter(seats__table=table_id).order_by("seats__position")
        pairs = [entry.team.number for entry in seats[:2]]
        for pair, mine, theirs in zip(pairs, sides, sides[::-1], strict=True):
            table[pair][0] += 2 if mine > theirs else 1 if mine == theirs else 0
            table[pair][1] += mine
    return table


@pytest.mark.slow
@pytest.mark.parametrize(("pairs", "rounds"), [(6, 5), (5, 5)])
def test_an_evening_of_pairs_from_set_up_to_the_final_table(as_alice, client, club, pairs, rounds):
    tournament = set_up_together(as_alice, club, "pairs", 2 * pairs, deals_per_round="4")
    assert tournament.rounds_planned == tournament.rounds.count() == rounds
    drawn = as_alice.get(page("desk_draw", tournament)).content.decode()
    assert "everyone meets everyone 1 time" in drawn
    for number in range(1, rounds + 1):
        play_round(as_alice, tournament, number)
    as_alice.post(page("desk_finish", tournament), {"minutes": "0"})
    tournament.refresh_from_db()
    assert tournament.is_finished
    assert list(differences(tournament)) == []

    counted = final_table(tournament)
    rows = team_standings(tournament).rows
    assert {row.number: [row.points, row.tokens] for row in rows} == counted
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
    assert [row.byes for row in rows] == [pairs % 2] * pairs
    assert sum(row.tokens for row in rows) == 0
    (podium,) = as_alice.get(page("desk_finish", tournament)).context["podiums"]
    assert [place.number for place in podium.places] == [row.number for row in rows if row.rank <= 3]
    assert [place.total for place in podium.places] == [str(row.points) for row in rows if row.rank <= 3]

    # Nobody ever declared against the partner: who was opposite the declarer sat out, and neither paid nor got.
    for deal in Deal.objects.filter(table__round__tournament=tournament).select_related("current"):
        if deal.current.declarer is not None:
            assert deal.current.tokens[(deal.current.declarer + 2) % 4] == 0

    best = rows[0]
    for name, which in (("standings", ()), ("hall_matches", ()), ("hall", ()), ("projector", ())):
        shown = client.get(page(name, tournament, *which)).content.decode()
        assert best.name in shown, name
    player = Entry.objects.filter(team__number=best.number).first()
    shown = client.get(page("hall_player", tournament, player.number)).content.decode()
    assert f"place {best.rank}, {best.points} match points" in shown
