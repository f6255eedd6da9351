"""A championship from two groups to the final: who goes on, with what, in which group; recounted from the reports."""

from __future__ import annotations

import json
from datetime import date
from fractions import Fraction
from io import BytesIO

import pypdf
import pytest
from django.urls import reverse
from django.utils import timezone

from tests.evenings import make_evening, play_evening, tokens_by_player
from tests.factories import decide_as_it_stands, make_club, make_player, make_tournament, player_name
from tests.tournaments.files.test_transfer import forget
from tournaments import rounds
from tournaments.championships import stages as championships
from tournaments.championships import steps
from tournaments.championships.by_lot import left_out_by_lot
from tournaments.championships.stages import Group, Party, StageTable
from tournaments.entries import entering
from tournaments.files.recount import differences
from tournaments.files.transfer import export_tournament, import_tournament, unlike_the_file
from tournaments.hall.championship import shown_stages
from tournaments.models import Championship, Entry, Stage, Tournament
from tournaments.standings.players import standings
from tournaments.steps.refusals import NotPossible
from tournaments.teams import making
from tournaments.teams.standings import team_standings
from tournaments.words.terms import signed

DAY = date(2026, 9, 5)


def stage(name, **fields):
    usual = {"groups": 1, "sessions": 1, "deals": 4, "carried": 0, "each": 0, "next_best": 0}
    return {"name": name} | usual | fields


STAGES = [
    stage("Grupper", groups=2, each=2, next_best=2),
    stage("Semifinale", groups=2, carried=50, each=2),
    stage("Finale", carried=100),
]


def typed(stages=STAGES, **fields):
    form = {"name": "DM 2026", "date": "2026-09-05"} | fields
    for number, one in enumerate(stages, start=1):
        form |= {f"stage-{number}-{name}": value for name, value in one.items()}
    return form


@pytest.fixture
def groups(club, alice):
    """Two groups of five and four players each, played."""
    players = [make_player(player_name(index), club, index + 1) for index in range(8)]
    return [
        play_evening(
            make_evening(some, club, alice, date=DAY, name=f"Gruppe {letter}", stake=25, tie_breaks=["lot"]),
            alice,
            seed=100 * number,
        )
        for number, (letter, some) in enumerate((("A", players[:4]), ("B", players[4:])))
    ]


@pytest.fixture
def championship(club, groups):
    made = Championship.objects.create(host=club, name="DM 2026", date=DAY)
    for number, one in enumerate(STAGES, start=1):
        Stage.objects.create(championship=made, number=number, **one)
    Tournament.objects.filter(pk__in=[group.pk for group in groups]).update(stage=made.stages.get(number=1))
    return made


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
        rounds.draw(tournament, seed=1, account=alice, now=now)
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
        assert "Taken along" in client.get(reverse("standings", args=[tournament.code])).content.decode()
    as_alice.post(url("club_championship_next", championship, 2), {"day": "2026-09-13"})
    final = Tournament.objects.get(stage__number=3)
    carried = {entry.player_id: Fraction(entry.carried, 100) for entry in final.entries.all()}
    assert carried == totals
    hall = client.get(championship.get_absolute_url()).content.decode()
    assert hall.count("✓") == 6 + 4
    assert hall.count("as one of the next best") == 2
    standing = client.get(reverse("standings", args=[groups[0].code])).content.decode()
    assert standing.count("✓") == 2
    assert standing.count("line-below") == 1
    assert "Champion" not in hall
    for entry in final.entries.all():
        entering.check_in(entry, present=True, account=alice, now=now)
    rounds.draw(final, seed=1, account=alice, now=now)
    won = standings(play_evening(final, alice, seed=9)).rows[0].name
    assert f"Champion: <strong>{won}</strong>" in client.get(championship.get_absolute_url()).content.decode()
    pdf = client.get(reverse("hall_championship_pdf", args=[championship.pk]))
    (paper,) = pypdf.PdfReader(BytesIO(pdf.content)).pages  # all five groups, in the order of play
    on_paper = paper.extract_text()
    names = [stage.name for stage in championship.stages.order_by("number")]
    assert [on_paper.count(name) > 0 for name in names] == [True] * 3
    assert sorted(names, key=on_paper.index) == names
    assert f"Champion: {won}" in on_paper


def test_who_is_to_play_is_said_before_the_next_stage_begins(as_alice, client, championship):
    as_alice.post(url("club_championship_next", championship, 1), {"day": "2026-09-12"})
    hall = client.get(championship.get_absolute_url()).content.decode()
    assert hall.count("These play, with what they take along") == 2
    for tournament in Tournament.objects.filter(stage__number=2):
        waiting = client.get(reverse("standings", args=[tournament.code])).content.decode()
        assert ("nobody is here yet" in waiting, "stands equal" in waiting) == (True, False)
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
    assert [hall.count(words) for words in ("withdrew", "does not take part", "✓ moved up")] == [1, 1, 1]


def tokens_of(groups, player):
    return next(tokens[player] for tokens in map(tokens_by_player, groups) if player in tokens)


def test_the_next_stage_is_made_once_and_only_of_finished_groups(as_alice, alice, championship, groups):
    Tournament.objects.filter(pk=groups[0].pk).update(state="running")
    first = championship.stages.get(number=1)
    with pytest.raises(NotPossible, match="Finish all groups"):
        steps.make_next(first, day=DAY, out=(), account=alice, now=timezone.now())
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
    assert page.context["form"].errors == {"day": ["That is before the stage from which they come."]}
    assert page.context["left_out"] == {line[0]}
    assert 'value="2026-09-04"' in page.content.decode()
    for typed_day in ("04-09-2026", "4.9.2026"):  # where the browser knows no dates
        page = as_alice.post(url("club_championship_next", championship, 1), sent | {"day": typed_day})
        assert 'value="2026-09-04"' in page.content.decode()
    Tournament.objects.filter(pk=groups[1].pk).update(stage=None)
    with pytest.raises(NotPossible, match="1 group is missing"):
        steps.make_next(first, day=DAY, out=(), account=alice, now=timezone.now())
    page = as_alice.post(url("club_championship_next", championship, 1), sent | {"day": "2026-09-12"})
    assert "1 group is missing" in page.content.decode()
    assert (page.context["form"]["day"].value(), page.context["left_out"]) == ("2026-09-12", {line[0]})
    assert not Tournament.objects.filter(stage__number=2).exists()


def test_nobody_plays_in_two_groups_and_no_more_groups_are_chosen_than_there_are(
    alice, club, championship, groups
):
    twice = groups[0].entries.first().player
    third = make_evening(
        [twice, *(make_player(f"Ny {n}", club, 30 + n) for n in range(3))], club, alice, date=DAY
    )
    codes = [group.code for group in groups]
    for chosen, why in (
        ([*codes, third.code], "has 2 groups"),
        ([codes[0], third.code], f"In more than one group: {twice.name}"),
    ):
        with pytest.raises(NotPossible, match=why):
            steps.choose_groups(championship, chosen, account=alice, now=timezone.now())
    assert {group.stage_id for group in Tournament.objects.filter(code__in=codes)} == {
        championship.stages.get(number=1).pk
    }


@pytest.mark.parametrize(
    ("stages", "fields", "number", "field"),
    [
        (STAGES, {"name": ""}, None, "name"),
        (STAGES, {"date": "1026-09-05"}, None, "date"),
        ([stage(""), stage(""), stage("")], {}, 0, "name"),
        ([stage("Grupper"), stage("Finale"), stage("")], {}, 0, "each"),
        ([stage("Grupper", each=1), stage("Finale", carried=101), stage("")], {}, 1, "carried"),
        ([stage("Finale", groups=0), stage(""), stage("")], {}, 0, "groups"),
        ([stage("Finale", deals="x"), stage(""), stage("")], {}, 0, "deals"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(as_alice, club, stages, fields, number, field):
    answer = as_alice.post(reverse("club_championship_new", args=[club.slug]), typed(stages, **fields))
    form = answer.context["form"] if number is None else answer.context["stages"][number]
    assert list(form.errors) == [field]
    assert not club.championships.exists()


def test_a_stage_that_has_been_made_cannot_be_left_out(as_alice, championship):
    as_alice.post(url("club_championship_next", championship, 1), {"day": "2026-09-12"})
    page = url("club_championship_edit", championship)
    answer = as_alice.post(page, typed([STAGES[0], stage(""), stage(""), stage("")]))
    assert "cannot be left out" in answer.content.decode()
    assert championship.stages.count() == 3
    as_alice.post(page, typed([*STAGES, stage("")], name="DM"))
    championship.refresh_from_db()
    assert championship.name == "DM"


def test_only_the_clubs_organisers_change_it(as_charlie, as_alice, championship):
    other = Championship.objects.create(host=make_club("Nim"), name="Nims", date=DAY)
    for name in ("club_championship", "club_championship_edit", "club_championship_delete"):
        assert as_charlie.get(url(name, championship)).status_code == 403
        assert as_alice.get(url(name, other)).status_code == 403


def test_a_removed_championship_is_nowhere_until_it_is_put_back(as_alice, client, championship, groups):
    standing = reverse("standings", args=[groups[0].code])
    marks = ("DM 2026: Grupper", "✓")
    before = client.get(standing).content.decode()
    as_alice.post(url("club_championship_delete", championship))
    shown = [client.get(standing), client.get(reverse("hall_club", args=[championship.host.slug]))]
    assert not any("DM 2026" in page.content.decode() for page in shown)
    assert client.get(championship.get_absolute_url()).status_code == 404
    # Its groups are free for another; what is not taken by another is there again.
    other = Championship.objects.create(host=championship.host, name="DM 2027", date=DAY)
    Stage.objects.create(championship=other, number=1, **stage("Finale"))
    as_alice.post(url("club_championship_groups", other), {"group": [groups[1].code]})
    back = as_alice.post(url("club_championship_put_back", championship), follow=True)
    assert [group.tournament for group in back.context["tables"][0].groups] == [groups[0]]
    as_alice.post(url("club_championship_delete", other))
    as_alice.post(url("club_championship_groups", championship), {"group": [group.code for group in groups]})
    after = client.get(standing).content.decode()
    assert [after.count(mark) for mark in marks] == [before.count(mark) for mark in marks] == [1, 2]


def test_a_tournaments_file_names_its_stage_and_carries_what_was_taken_along(club):
    final = Stage.objects.create(
        championship=Championship.objects.create(host=club, name="DM", date=DAY), number=3, **STAGES[2]
    )
    tournament = make_tournament(4, club=club, drawn=False, stage=final)
    tournament.entries.update(carried=-350)
    decide_as_it_stands(tournament)
    text = export_tournament(tournament)
    forget(tournament)
    taken = import_tournament(text)
    assert taken.stage == final
    assert {row.total for row in standings(taken).rows} == {Fraction(-7, 2)}
    assert export_tournament(taken) == text
    # Where it is not there, or has no such stage.
    forget(taken)
    final.delete()
    taken = import_tournament(text)
    assert taken.stage is None
    assert "no such stage" in "".join(unlike_the_file(text, taken))
    forget(taken)
    Championship.objects.all().delete()
    taken = import_tournament(text)
    assert [stage.name for stage in Championship.objects.get().stages.all()] == ["Finale"]
    assert export_tournament(taken) == text


def test_a_file_that_has_only_its_stages_name_finds_it(club, championship, groups):
    data = json.loads(export_tournament(Tournament.objects.get(pk=groups[0].pk)))
    data["series"] = {
        "season": None,
        "stage": {"host": club.slug, "championship": "DM 2026", "number": 1},
    }
    forget(groups[0])
    assert import_tournament(json.dumps(data)).stage == championship.stages.get(number=1)


def test_pairs_go_on_as_pairs_with_their_match_points(alice, client, club):
    group = make_tournament(
        8, 3, club=club, format="pairs", drawn=False, deals_per_round=4, date=DAY, draw_seed=None
    )
    now = timezone.now()
    making.put_together(group, account=alice, now=now)
    rounds.draw(group, seed=3, account=alice, now=now)
    play_evening(group, alice, seed=11)
    made = Championship.objects.create(host=club, name="DM for par", date=DAY)
    for number, one in enumerate([stage("Gruppe", each=2), stage("Finale", carried=50)], start=1):
        Stage.objects.create(championship=made, number=number, **one)
    first = made.stages.get(number=1)
    Tournament.objects.filter(pk=group.pk).update(stage=first)
    ranked = team_standings(Tournament.objects.get(pk=group.pk)).rows
    (final,) = steps.make_next(first, day=DAY, out=(), account=alice, now=now)
    teams = list(final.teams.order_by("number"))
    assert [team.name for team in teams] == [row.name for row in ranked[:2]]
    assert [team.members.count() for team in teams] == [2, 2]
    halves = {row.name: (half(row.points), half(row.tokens)) for row in ranked[:2]}
    assert {row.name: (row.points, row.tokens) for row in team_standings(final).rows} == halves
    assert any(points for points, _tokens in halves.values())
    assert "of it taken along" in client.get(reverse("standings", args=[final.code])).content.decode()
    assert "Taken along" in client.get(made.get_absolute_url()).content.decode()


def half(amount):
    """Half of it as a whole number, away from 0 where it is none."""
    return (abs(amount) + 1) // 2 * (1 if amount >= 0 else -1)


def party(key, total, rank, *, shared=False, number=1):
    return Party(key, number, f"Spiller {key}", "", rank, shared, (total,), withdrawn=False, lot=-key)


@pytest.mark.parametrize(
    ("groups", "each", "next_best", "left_out"),
    [
        ([[party(number, 9, 1, shared=True) for number in (1, 2, 3)]], 2, 0, {1: [3], 2: [3]}),
        ([[party(1, 9, 1), party(2, 5, 2), party(3, 5, 3)]], 2, 0, {}),
        ([[party(1, 9, 1), party(2, 5, 2)], [party(3, 8, 1), party(4, 5, 2)]], 1, 1, {2: [4]}),
        ([[party(1, 9, 1), party(2, 5, 2)], [party(3, 9, 1), party(4, 4, 2)]], 1, 1, {}),
    ],
)  # fmt: skip
def test_who_was_left_out_by_the_lot_alone_is_named(club, groups, each, next_best, left_out):
    made = Championship.objects.create(host=club, name="DM", date=DAY)
    first = Stage.objects.create(
        championship=made, number=1, **stage("Gruppe", each=each, next_best=next_best)
    )
    table = StageTable(first)
    table.groups = [Group(make_tournament(0, club=club, drawn=False), some, "") for some in groups]
    found = left_out_by_lot(table, table.line())
    assert {key: [other.key for other in others] for key, others in found.items()} == left_out


def test_the_desk_says_that_the_lot_decided_and_counts_all_who_are_entered(
    as_alice, championship, monkeypatch
):
    group = [party(number, 9, 1, shared=True) for number in range(1, 4)]
    monkeypatch.setattr(championships, "parties_of", lambda _tournament: group)
    Stage.objects.filter(championship=championship, number=1).update(each=2, next_best=0)
    Tournament.objects.filter(name="Gruppe B").update(stage=None)
    page = as_alice.get(url("club_championship", championship)).content.decode()
    assert page.count("Spiller 3 shares place 1; the lot decided") == 2
    assert "4 players entered" in page
