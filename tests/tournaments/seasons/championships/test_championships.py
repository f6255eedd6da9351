"""A championship from two groups to the final: who goes on, with what, in which group; recounted from the reports."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from tests.evenings import play_evening, tokens_by_player
from tests.factories import TO_THE_FINAL, make_tournament, stage
from tests.pages import texts_of
from tournaments.domain.terms import signed
from tournaments.entries import entering
from tournaments.entries import teams as making
from tournaments.exports.verify.recount import differences
from tournaments.hall.seasons import shown_stages
from tournaments.lifecycle.drawing import draw
from tournaments.models import Championship, Entry, Stage, Tournament
from tournaments.seasons import championships
from tournaments.seasons.championships import StageTable
from tournaments.standings.players import standings
from tournaments.standings.teams import team_standings

DAY = date(2026, 9, 5)


def typed(stages=TO_THE_FINAL, **fields):
    form = {"name": "DM 2026", "date": "2026-09-05"} | fields
    for number, one in enumerate(stages, start=1):
        form |= {f"stage-{number}-{name}": value for name, value in one.items()}
    return form


def url(name, championship, *which):
    return reverse(name, args=[championship.host.slug, championship.pk, *which])


def by_place(tournament, tokens):
    """Player -> tokens, counted independently, best first; who has as many as another stands as the lot says."""
    entries = dict(tournament.entries.values_list("pk", "player"))
    lots = [entries[row.entry_id] for row in standings(tournament).rows]
    return sorted(tokens.items(), key=lambda line: (-line[1], lots.index(line[0])))


def best_six(groups):
    """An independent count: the best two of each group, then the next best two of all, with their tokens."""
    by_group = [by_place(group, tokens_by_player(group)) for group in groups]
    first = [line for group in by_group for line in group[:2]]
    rest = sorted((line for group in by_group for line in group[2:]), key=lambda line: -line[1])
    return dict([*first, *rest[:2]])


@pytest.mark.slow
def test_a_championship_from_its_making_to_the_final(as_alice, client, alice, club, groups):
    as_alice.post(reverse("club_championship_new", args=[club.slug]), typed())
    championship = club.championships.get()
    as_alice.post(url("club_championship_groups", championship), {"group": [group.code for group in groups]})
    page = as_alice.get(url("club_championship", championship))
    expected = best_six(groups)
    assert {party.key for _one, party, *_rest in page.context["going"]} == set(expected)
    as_alice.post(url("club_championship_next", championship, 1), {"day": "2026-09-12"})
    semifinals = list(Tournament.objects.filter(stage__number=2).order_by("pk"))
    sent = {
        entry.player_id: Fraction(entry.carried, 100)
        for entry in Entry.objects.filter(tournament__in=semifinals)
    }
    assert sent == {player: Fraction(tokens, 2) for player, tokens in expected.items()}
    # Seeds 1, 4, 5 and 2, 3, 6.
    assert [tournament.entries.count() for tournament in semifinals] == [3, 3]
    assert [tournament.name for tournament in semifinals] == [
        "DM 2026: Semifinale A",
        "DM 2026: Semifinale B",
    ]
    assert {(one.stake, *one.tie_breaks, one.deals_per_round) for one in semifinals} == {(25, "lot", 4)}
    now = timezone.now()
    for seed, tournament in enumerate(semifinals, start=7):
        for entry in tournament.entries.all():
            entering.check_in(entry, present=True, account=alice, now=now)
        draw(tournament, seed=1, account=alice, now=now)
        play_evening(tournament, alice, seed=seed)
    totals = {}
    for tournament in semifinals:
        tournament.refresh_from_db()
        won = tokens_by_player(tournament)
        expected = {player: tokens + sent[player] for player, tokens in won.items()}
        players = dict(tournament.entries.values_list("pk", "player"))
        rows = standings(tournament).rows
        assert {players[row.entry_id]: row.total for row in rows} == expected
        assert [row.total for row in rows] == sorted(expected.values(), reverse=True)
        assert not list(differences(tournament))
        totals |= dict(by_place(tournament, expected)[:2])
        assert "Carried over" in client.get(reverse("standings", args=[tournament.code])).content.decode()
    as_alice.post(url("club_championship_next", championship, 2), {"day": "2026-09-13"})
    final = Tournament.objects.get(stage__number=3)
    carried = {entry.player_id: Fraction(entry.carried, 100) for entry in final.entries.all()}
    assert carried == totals
    hall = client.get(championship.get_absolute_url()).content.decode()
    assert hall.count("✓") == 6 + 4
    assert hall.count("as one of the best runners-up") == 2
    standing = client.get(reverse("standings", args=[groups[0].code])).content.decode()
    assert standing.count("✓") == 2
    assert standing.count("line-below") == 1
    assert "Champion" not in hall
    for entry in final.entries.all():
        entering.check_in(entry, present=True, account=alice, now=now)
    draw(final, seed=1, account=alice, now=now)
    won = standings(play_evening(final, alice, seed=9)).rows[0].name
    assert f"Champion: <strong>{won}</strong>" in client.get(championship.get_absolute_url()).content.decode()
    pdf = client.get(reverse("hall_championship_pdf", args=[championship.pk]))
    (on_paper,) = texts_of(pdf.content)  # all five groups, in the order of play
    names = [stage.name for stage in championship.stages.order_by("number")]
    assert [on_paper.count(name) > 0 for name in names] == [True] * 3
    assert sorted(names, key=on_paper.index) == names
    assert f"Champion: {won}" in on_paper


def test_who_is_to_play_is_said_before_the_next_stage_begins(as_alice, client, championship):
    as_alice.post(url("club_championship_next", championship, 1), {"day": "2026-09-12"})
    hall = client.get(championship.get_absolute_url()).content.decode()
    assert hall.count("Playing, with tokens carried over") == 2
    for tournament in Tournament.objects.filter(stage__number=2):
        waiting = client.get(reverse("standings", args=[tournament.code])).content.decode()
        assert ("nobody is here yet" in waiting, "everyone is level" in waiting) == (True, False)
        for entry in tournament.entries.all():
            along = Fraction(entry.carried, 100)
            shown = f" <small>{signed(along)}</small>" if along else ""
            assert f"<li>{entry.shown_name}{shown}</li>" in hall


def test_who_does_not_take_part_is_passed_over_and_who_withdraws_is_replaced(
    as_alice, alice, championship, groups
):
    table = StageTable(championship.stages.get(number=1))
    line = [one.contender.key for one in table.line()]
    everybody = list(table.parties)
    out = line[0]
    as_alice.post(
        url("club_championship_next", championship, 1), {"day": "2026-09-12", "shown": line, "goes": line[1:]}
    )
    going = set(Entry.objects.filter(tournament__stage__number=2).values_list("player", flat=True))
    assert out not in going
    assert len(going) == 6
    (left,) = set(everybody) - going - {out}
    # Nobody is moved up before somebody has withdrawn.
    with_nobody = StageTable(championship.stages.get(number=1))
    assert with_nobody.next_in_line == []
    entry = Entry.objects.filter(tournament__stage__number=2, player__in=going).first()
    entering.withdraw(entry, reason="ill", account=alice, now=timezone.now())
    page = as_alice.get(url("club_championship", championship))
    assert "Next in line:" in page.content.decode()
    as_alice.post(url("club_championship_move_up", championship, 1))
    moved = Entry.objects.get(tournament__stage__number=2, player=left)
    assert moved.tournament == entry.tournament
    assert moved.carried == 50 * tokens_of(groups, left)
    assert StageTable(championship.stages.get(number=1)).next_in_line == []
    (_table, shown), *_later = shown_stages(championship)
    ways = {line.party.key: line.way for _group, lines in shown for line in lines}
    told = {entry.player_id: "withdrew", out: "declined", left: "moved up"}
    assert told.items() <= ways.items()
    assert {ways[player] for player in ways.keys() - told.keys()} == {"group", "next"}
    hall = as_alice.get(championship.get_absolute_url()).content.decode()
    assert hall.count("✓") == 6
    assert [hall.count(words) for words in ("withdrew", "does not take part", "✓ moved up")] == [
        1,
        1,
        1,
    ]


def tokens_of(groups, player):
    return next(tokens[player] for tokens in map(tokens_by_player, groups) if player in tokens)


def test_the_next_stage_is_made_once_and_only_of_finished_groups(as_alice, alice, championship, groups):
    Tournament.objects.filter(pk=groups[0].pk).update(state="running")
    first = championship.stages.get(number=1)
    with pytest.raises(NotPossible, match="Finish all groups"):
        championships.make_next(first, day=DAY, out=(), account=alice, now=timezone.now())
    Tournament.objects.filter(pk=groups[0].pk).update(state="finished")
    for _click in range(2):
        as_alice.post(url("club_championship_next", championship, 1), {"day": "2026-09-12"})
    assert Tournament.objects.filter(stage__number=2).count() == 2


@pytest.mark.slow
def test_the_next_stage_waits_for_every_group_and_comes_after_them(as_alice, alice, championship, groups):
    first = championship.stages.get(number=1)
    line = [one.contender.key for one in StageTable(first).line()]
    sent = {"day": "2026-09-04", "shown": line, "goes": line[1:]}
    page = as_alice.post(url("club_championship_next", championship, 1), sent)
    assert page.context["form"].errors == {"day": ["That is before the stage they come from."]}
    assert page.context["left_out"] == {line[0]}
    assert 'value="2026-09-04"' in page.content.decode()
    for typed_day in ("04-09-2026", "4.9.2026"):  # where the browser knows no dates
        page = as_alice.post(url("club_championship_next", championship, 1), sent | {"day": typed_day})
        assert 'value="2026-09-04"' in page.content.decode()
    Tournament.objects.filter(pk=groups[1].pk).update(stage=None)
    with pytest.raises(NotPossible, match="1 group is missing"):
        championships.make_next(first, day=DAY, out=(), account=alice, now=timezone.now())
    page = as_alice.post(url("club_championship_next", championship, 1), sent | {"day": "2026-09-12"})
    assert "1 group is missing" in page.content.decode()
    assert (page.context["form"]["day"].value(), page.context["left_out"]) == ("2026-09-12", {line[0]})
    assert not Tournament.objects.filter(stage__number=2).exists()


def test_pairs_go_on_as_pairs_with_their_match_points(alice, client, club):
    group = make_tournament(
        8, 3, club=club, format="pairs", drawn=False, deals_per_round=4, date=DAY, draw_seed=None
    )
    now = timezone.now()
    making.put_together(group, account=alice, now=now)
    draw(group, seed=3, account=alice, now=now)
    play_evening(group, alice, seed=11)
    made = Championship.objects.create(host=club, name="DM for par", date=DAY)
    for number, one in enumerate([stage("Gruppe", each=2), stage("Finale", carried=50)], start=1):
        Stage.objects.create(championship=made, number=number, **one)
    first = made.stages.get(number=1)
    Tournament.objects.filter(pk=group.pk).update(stage=first)
    ranked = team_standings(Tournament.objects.get(pk=group.pk)).rows
    (final,) = championships.make_next(first, day=DAY, out=(), account=alice, now=now)
    teams = list(final.teams.order_by("number"))
    assert [team.name for team in teams] == [row.name for row in ranked[:2]]
    assert [team.members.count() for team in teams] == [2, 2]
    halves = {row.name: (half(row.points), half(row.tokens)) for row in ranked[:2]}
    assert {row.name: (row.points, row.tokens) for row in team_standings(final).rows} == halves
    assert any(points for points, _tokens in halves.values())
    assert "of which carried over" in client.get(reverse("standings", args=[final.code])).content.decode()
    assert "Carried over" in client.get(made.get_absolute_url()).content.decode()


def half(amount):
    """Half of it as a whole number, away from 0 where it is none."""
    return (abs(amount) + 1) // 2 * (1 if amount >= 0 else -1)
