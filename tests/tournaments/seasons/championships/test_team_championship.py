"""A championship of teams of four, from its groups to the final: recounted from the reports of every stage."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from tests.factories import decide_as_it_stands, make_club, stage
from tests.tournaments.exports.test_transfer import forget
from tests.tournaments.seasons.championships.test_championships import half, typed, url
from tests.tournaments.seasons.test_season import final_table, make_teams, play_round
from tournaments.entries import teams
from tournaments.exports.tournament_file import export_tournament, import_tournament
from tournaments.exports.verify.recount import differences, team_differences
from tournaments.ledger import queries
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round
from tournaments.models import Championship, Entry, Tournament
from tournaments.seasons import championships
from tournaments.seasons.championships import StageTable
from tournaments.standings.teams import counted_of_teams, team_standings

DAY = date(2026, 9, 5)
STAGES = [
    stage("Indledende", groups=2, each=1, next_best=1),
    stage("Finale", carried=50, sessions=2),
]


def played(tournament, by):
    """The tournament after all of its rounds that are drawn."""
    for round_ in tournament.rounds.order_by("number"):
        play_round(round_, by)
        close_round(tournament.rounds.get(pk=round_.pk), **by)
    finish(Tournament.objects.get(pk=tournament.pk), **by)
    return Tournament.objects.get(pk=tournament.pk)


@pytest.fixture
def groups(club, by_alice):
    """Two groups of three teams each, one team with a reserve, who have met in two of the union's clubs."""
    made = [
        make_teams(
            make_club(name, club),
            by_alice,
            teams=3,
            reserves=[1],
            name=name,
            date=DAY,
            account=by_alice["account"],
        )
        for name in ("Viby", "Nim")
    ]
    for letter, tournament in zip("AB", made, strict=True):
        for team in tournament.teams.all():
            team.name = f"Hold {letter}{team.number}"
            team.save()
    return [played(tournament, by_alice) for tournament in made]


@pytest.fixture
def championship(as_alice, club, groups):
    as_alice.post(
        reverse("club_championship_new", args=[club.slug]), typed([*STAGES, stage("")], name="Hold-DM")
    )
    made = club.championships.get()
    as_alice.post(url("club_championship_groups", made), {"group": [group.code for group in groups]})
    return made


def by_name(group):
    """An independent count: team's name -> match points and tokens."""
    counted = final_table(group)
    return {team.name: counted[team.number][:2] for team in group.teams.filter(withdrawn=False)}


def best_three(groups):
    """The best of each group, then the best of the others, with their match points and tokens."""
    ranked = [sorted(by_name(group).items(), key=lambda line: line[1], reverse=True) for group in groups]
    first = [lines[0] for lines in ranked]
    rest = sorted((line for lines in ranked for line in lines[1:]), key=lambda line: line[1], reverse=True)
    return dict([*first, rest[0]]), rest[1][0]


@pytest.mark.slow
def test_teams_play_from_their_groups_to_the_final(as_alice, client, championship, groups, by_alice):
    expected, next_in_line = best_three(groups)
    page = as_alice.get(url("club_championship", championship))
    assert {party.name for _one, party, *_rest in page.context["going"]} == set(expected)
    as_alice.post(url("club_championship_next", championship, 1), {"day": "2026-09-12"})
    final = Tournament.objects.get(stage__number=2)
    assert {team.name for team in final.teams.all()} == set(expected)
    assert final.entries.filter(reserve=False).count() == 12
    hall = client.get(championship.get_absolute_url()).content.decode()
    assert [hall.count(f">{name}") for name in expected] == [2, 2, 2]
    # A team is renamed, and is still the one that came from its group; another withdraws.
    renamed, gone, third = final.teams.order_by("number")
    old_name = renamed.name
    stayed = list(queries.regulars(renamed))
    teams.change_team(renamed, teams.Lineup("De Røde", renamed.club, members=stayed), **by_alice)
    teams.withdraw_team(gone, reason="mangler en", **by_alice)
    first = championship.stages.get(number=1)
    assert [StageTable(first).parties[one.contender.key].name for one in StageTable(first).next_in_line] == [
        next_in_line
    ]
    as_alice.post(url("club_championship_move_up", championship, 1))
    assert [team.name for team in final.teams.filter(withdrawn=False)] == [
        "De Røde",
        third.name,
        next_in_line,
    ]
    along = {name: tuple(map(half, line)) for group in groups for name, line in by_name(group).items()}
    along["De Røde"] = along.pop(old_name)
    Entry.objects.filter(tournament=final, team__withdrawn=False).update(status=Entry.Status.PRESENT)
    decide_as_it_stands(final)
    teams.plan_all_meetings(final, **by_alice)
    draw(Tournament.objects.get(pk=final.pk), seed=5, **by_alice)
    final = played(Tournament.objects.get(pk=final.pk), by_alice)
    won = by_name(final)
    standing = {row.name: (row.points, row.tokens) for row in team_standings(final).rows if not row.withdrawn}
    assert standing == {
        name: (points + along[name][0], tokens + along[name][1]) for name, (points, tokens) in won.items()
    }
    assert list(standing.values()) == sorted(standing.values(), reverse=True)
    assert not list(differences(final))
    assert not list(team_differences(final, counted_of_teams(final)))
    hall = client.get(championship.get_absolute_url()).content.decode()
    assert [hall.count(words) for words in ("✓", "withdrew", "✓ moved up")] == [3, 1, 1]
    assert "De Røde" in hall
    assert client.get(reverse("hall_championship_pdf", args=[championship.pk])).content.startswith(b"%PDF")
    # All of it goes to another Spadille, and is a championship there too.
    texts = [export_tournament(tournament) for tournament in Tournament.objects.order_by("pk")]
    forget(final)
    championship.delete()
    assert [export_tournament(import_tournament(text)) for text in texts] == texts
    first = StageTable(Championship.objects.get().stages.get(number=1))
    assert {first.parties[key].name for key, there in first.entered.items() if not there} == {gone.name}


@pytest.mark.slow
def test_teams_of_a_stage_made_by_an_earlier_spadille_are_known_by_their_names(championship, by_alice):
    first = championship.stages.get(number=1)
    first.tournaments.update(boards=True, board_sets=2)
    (final,) = championships.make_next(first, day=DAY, out=(), **by_alice)
    assert (final.boards, final.board_sets) == (True, 2)
    entered = StageTable(first).entered
    final.teams.update(origin="")
    assert StageTable(first).entered == entered
    assert len(entered) == 3
