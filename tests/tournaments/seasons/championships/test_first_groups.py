"""A championship's first groups, drawn: seeded by rating, by place, by lot; shown first, made as shown."""

from __future__ import annotations

import pytest
from django.urls import reverse

from core.errors import NotPossible
from tests.evenings import make_evening, play_evening
from tests.factories import make_championship, make_player, make_tournament, player_name, stage
from tests.tournaments.seasons.championships.test_championships import DAY
from tournaments.entries import entering, teams
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.ending import take_up_again
from tournaments.models import Entry, Season, Team, Tournament
from tournaments.seasons import championships
from tournaments.seasons.first_groups import (
    By,
    Seeding,
    draw_groups,
    groups_of,
    mark,
    ranks_in,
    seeded,
    sources_for,
)
from tournaments.seasons.ratings import ratings
from tournaments.standings.players import standings

GROUPS = [stage("Grupper", groups=2, sessions=2, each=2), stage("Finale")]


@pytest.fixture
def players(club):
    return [make_player(player_name(index), club, index + 1) for index in range(10)]


@pytest.fixture
def played(players, club, alice):
    """Eight of the ten have played an evening; the other two have no place and no rating."""
    evening = make_evening(
        players[:8], club, alice, rounds_planned=2, date=DAY.replace(month=3), tie_breaks=["lot"]
    )
    return play_evening(evening, alice)


@pytest.fixture
def championship(club):
    return make_championship(club, GROUPS)


@pytest.fixture
def source(players, club, by_alice):
    """All ten are entered; some are here, some have paid."""
    tournament = Tournament.objects.create(
        host=club, name="Tilmelding", date=DAY, rulebook="rasle", entry_fee=5000, deals_at_three=30
    )
    for number, player in enumerate(players, start=1):
        entry = entering.enter(tournament, player, club=club, **by_alice)
        if number < 4:
            entering.check_in(entry, present=True, **by_alice)
            entering.mark_paid(entry, paid=True, **by_alice)
    return tournament


def page(championship):
    return reverse("club_championship_draw", args=[championship.host.slug, championship.pk])


def players_of(line):
    return [one.who.player_id for one in line]


def test_by_place_the_line_is_that_of_the_standings_and_who_has_none_stands_below(
    championship, source, played, players
):
    line = seeded(source, Seeding(By.PLACE, 1, played), championship=championship)
    rank = {row.number: row.rank for row in standings(played).rows}
    ranks = [rank[entry.number] for entry in played.entries.all()]
    assert [int(one.worth_text) for one in line[:8]] == sorted(ranks)
    assert set(players_of(line[8:])) == {player.pk for player in players[8:]}
    assert [one.worth for one in line[8:]] == [None, None]


def test_by_rating_the_line_falls_and_by_lot_it_is_the_seeds(championship, source, played, club):
    line = seeded(source, Seeding(By.RATING, 1), championship=championship)
    points = ratings(club)
    known = [points[player].points for player in players_of(line[:8])]
    assert known == sorted(known, reverse=True)
    assert [one.worth for one in line[8:]] == [None, None]
    lots = [
        players_of(seeded(source, Seeding(By.LOT, seed), championship=championship)) for seed in (1, 1, 2)
    ]
    assert lots[0] == lots[1] != lots[2]
    assert sorted(lots[0]) == sorted(lots[2])


def test_a_seasons_places_seed_too(championship, source, played, club):
    season = Season.objects.create(
        host=club, name="2026", starts=DAY.replace(month=1), ends=DAY.replace(month=12)
    )
    Tournament.objects.filter(pk=played.pk).update(season=season)
    assert ranks_in(season).keys() == set(played.entries.values_list("player", flat=True))
    line = seeded(source, Seeding(By.PLACE, 1, season), championship=championship)
    assert [one.worth is None for one in line] == [False] * 8 + [True] * 2


@pytest.mark.slow
def test_the_groups_are_shown_and_made_as_they_were_shown(
    as_alice, client, championship, source, played, players
):
    asked = {"source": source.code, "by": "place", "place_in": played.code, "seed": ""}
    shown = as_alice.post(page(championship), asked)
    assert Tournament.objects.filter(stage__championship=championship).count() == 0
    context = shown.context
    groups = [[one.who.player_id for one in group] for _letter, group in context["groups"]]
    line = [player for row in zip(*groups, strict=True) for player in row]
    assert sorted(line) == sorted(player.pk for player in players)
    assert [[one.seed for one in group] for _letter, group in context["groups"]] == [
        [1, 4, 5, 8, 9],
        [2, 3, 6, 7, 10],
    ]
    seed = context["form"]["seed"].value()
    made = as_alice.post(page(championship), asked | {"seed": seed, "seen": context["seen"], "make": "1"})
    assert made.status_code == 302
    tournaments = list(Tournament.objects.filter(stage=championship.stages.get(number=1)).order_by("pk"))
    assert [[entry.player_id for entry in one.entries.all()] for one in tournaments] == groups
    assert {
        (one.rulebook, one.entry_fee, one.rounds_planned, one.deals_per_round) for one in tournaments
    } == {("rasle", 5000, 2, 4)}
    paid = Entry.objects.filter(tournament__in=tournaments, fee_paid=True, status="present")
    assert set(paid.values_list("player", flat=True)) == {player.pk for player in players[:3]}
    assert {
        line.words for one in tournaments for line in one.log.filter(text__contains="seed of the draw")
    } == {f"Drawn into its group by place in “{played}”; seed of the draw: {seed}"}
    source.refresh_from_db()
    assert source.is_called_off
    assert [list(differences(one)) for one in (source, *tournaments)] == [[], [], []]
    assert "drawn into the groups of a championship" in client.get(source.get_absolute_url()).content.decode()
    again = as_alice.post(page(championship), asked | {"seed": seed, "seen": context["seen"], "make": "1"})
    assert again.status_code == 200  # pressed twice: they are there
    assert Tournament.objects.filter(stage__championship=championship).count() == 2


def test_who_comes_meanwhile_is_seen_before_the_groups_are_made(
    as_alice, championship, source, by_alice, club
):
    asked = {"source": source.code, "by": "lot", "seed": "5"}
    shown = as_alice.post(page(championship), asked)
    entering.enter(source, make_player("Sen Gæst", club, 99), club=club, **by_alice)
    answer = as_alice.post(page(championship), asked | {"seen": shown.context["seen"], "make": "1"})
    assert "Something has changed in the meantime" in answer.content.decode()
    assert sum(len(group) for _letter, group in answer.context["groups"]) == 11
    assert not Tournament.objects.filter(stage__championship=championship).exists()


def test_pairs_stay_together_and_stand_by_the_mean_of_their_players(
    championship, played, players, club, by_alice
):
    source = make_tournament(0, club=club, drawn=False, format="pairs", date=DAY)
    for player in players:
        entering.enter(source, player, club=club, **by_alice)
    teams.put_together(source, **by_alice)
    line = seeded(source, Seeding(By.PLACE, 1, played), championship=championship)
    assert [one.worth for one in line[:4]] == sorted((one.worth for one in line[:4]), reverse=True)
    assert line[4].worth is None
    championship_groups = {one.name for one in line}
    groups = groups_of(line, championship.stages.get(number=1))
    made = draw_groups(championship, source, Seeding(By.PLACE, 1, played), seen=mark(groups), **by_alice)
    assert {team.name for team in Team.objects.filter(tournament__in=made)} == championship_groups
    assert all(team.members.count() == 2 for team in Team.objects.filter(tournament__in=made))


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"by": "place"}, "place_in"),
        ({"by": "weight"}, "by"),
        ({"source": "NOSUCH"}, "source"),
        ({"source": ""}, "source"),
        ({"seed": "many"}, "seed"),
        ({"seed": "-1"}, "seed"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(as_alice, championship, source, played, wrong, field):
    answer = as_alice.post(page(championship), {"source": source.code, "by": "lot", "seed": "1"} | wrong)
    assert field in answer.context["form"].errors
    assert not answer.context["groups"]


def test_too_few_for_so_many_groups_is_said(as_alice, championship, source):
    source.entries.filter(number__gt=4).update(status="withdrawn")
    answer = as_alice.post(page(championship), {"source": source.code, "by": "lot"})
    assert answer.context["form"].errors["source"] == ["2 groups need at least 6; 4 are entered."]


def test_only_what_has_not_begun_is_offered_and_ratings_only_where_they_are_shown(
    as_alice, championship, source, played, club, by_alice
):
    assert sources_for(championship) == [source]
    form = as_alice.get(page(championship)).context["form"]
    assert [way for way, _name in form.fields["by"].choices] == ["rating", "place", "lot"]
    club.shows_rating = False
    club.save()
    form = as_alice.get(page(championship)).context["form"]
    assert [way for way, _name in form.fields["by"].choices] == ["place", "lot"]
    Tournament.objects.filter(pk=source.pk).update(state="running")
    assert (
        "First set up one tournament with all players, pairs or teams entered;"
        in as_alice.get(page(championship)).content.decode()
    )


def test_the_tournament_they_were_entered_in_can_be_taken_up_again(as_alice, championship, source, by_alice):
    asked = {"source": source.code, "by": "lot", "seed": "5"}
    seen = as_alice.post(page(championship), asked).context["seen"]
    as_alice.post(page(championship), asked | {"seen": seen, "make": "1"})
    source.refresh_from_db()
    take_up_again(source, **by_alice)
    source.refresh_from_db()
    assert (source.is_called_off, source.called_off_text) == (False, "")


def test_only_organisers_of_the_club_draw(as_helper, as_charlie, championship, source):
    asked = {"source": source.code, "by": "lot", "make": "1"}
    assert as_helper.post(page(championship), asked).status_code == 403
    assert as_charlie.post(page(championship), asked).status_code == 403
    assert not Tournament.objects.filter(stage__championship=championship).exists()


def test_every_stage_is_played_as_the_first_groups_are(club, championship, by_alice):
    """What decides how a table plays is copied, or the final would be another game."""
    model = make_tournament(0, club=club, drawn=False, format="teams", takes_over=True)
    made = championships.make_group(championship.stages.get(number=2), model, 0, DAY)
    played_by = (
        "rulebook",
        "options",
        "format",
        "takes_over",
        "meetings",
        "match_points",
        "boards",
        "tie_breaks",
    )
    assert [getattr(made, name) for name in played_by] == [getattr(model, name) for name in played_by]


def test_a_draw_of_groups_that_are_there_is_refused(championship, source, by_alice):
    other = make_tournament(0, club=championship.host, drawn=False, date=DAY)
    championships.choose_groups(championship, [other.code], **by_alice)
    with pytest.raises(NotPossible, match="The first groups already exist"):
        draw_groups(championship, source, Seeding(By.LOT, 1), seen="", **by_alice)
