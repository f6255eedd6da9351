"""Pairs and teams are put together, changed, split and withdrawn; what has been played stays."""

from __future__ import annotations

from random import Random

import pytest
from django.urls import reverse

from core.errors import NotPossible
from tests.factories import make_player, make_tournament
from tests.tournaments.attacks.test_changed_meanwhile import fields
from tournaments.changes.chain import chain_differences
from tournaments.entries import entering, teams
from tournaments.entries.teams import Lineup
from tournaments.ledger import queries
from tournaments.lifecycle import drawing
from tournaments.lifecycle.line_ups import line_up
from tournaments.lifecycle.playing import start_round
from tournaments.models import Entry, Tournament


@pytest.fixture
def pairs(club):
    return make_tournament(5, club=club, drawn=False, format="pairs")


def page(name, tournament, *which):
    return reverse(name, args=[tournament.code, *which])


def listed(tournament):
    return [
        (team.name, [entry.number for entry in team.members.all()]) for team in queries.teams_of(tournament)
    ]


def number(tournament, wanted):
    return tournament.entries.get(number=wanted)


def test_players_are_paired_up_in_the_order_of_entry_and_the_last_one_is_named(as_alice, pairs):
    as_alice.post(page("desk_put_together", pairs))
    assert listed(pairs) == [("Anna Holm / Bo Krogh", [1, 2]), ("Carl Dam / Dora Friis", [3, 4])]
    answer = as_alice.get(page("desk_teams", pairs))
    assert [entry.number for entry in answer.context["free"]] == [5]
    assert pairs.teams.first().club == pairs.host  # both play for it


def test_partners_are_drawn_by_lot_with_a_seed_that_anybody_can_use_again(as_alice, pairs, monkeypatch):
    monkeypatch.setattr("tournaments.desk.teams.secrets.randbelow", lambda _below: 4711)
    as_alice.post(page("desk_put_together", pairs), {"lot": ""})
    drawn = [1, 2, 3, 4, 5]
    Random(4711).shuffle(drawn)
    assert [members for _name, members in listed(pairs)] == [sorted(drawn[:2]), sorted(drawn[2:4])]
    assert any("with seed 4711" in entry.words for entry in pairs.log.all())


def test_a_pair_is_picked_and_one_who_lacks_a_partner_is_said_so(as_alice, pairs):
    sent = {"member_1": 5, "member_2": "", "name": "De glade", "division": 1, "club": ""}
    as_alice.post(page("desk_teams", pairs), sent)
    assert listed(pairs) == [("De glade", [5])]
    assert "lacks a player" in as_alice.get(page("desk_teams", pairs)).content.decode()
    as_alice.post(page("desk_team", pairs, 1), sent | {"member_2": 2})
    assert listed(pairs) == [("De glade", [2, 5])]
    assert "lacks a player" not in as_alice.get(page("desk_teams", pairs)).content.decode()


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"member_1": 3, "member_2": 3}, "member_2"),
        ({"member_1": "", "member_2": ""}, "member_1"),
        ({"member_1": 1, "member_2": 3}, "member_1"),  # in a pair already
        ({"member_1": 77, "member_2": 3}, "member_1"),
        ({"member_1": 3, "member_2": 4, "name": "Anna Holm / Bo Krogh"}, "name"),
        ({"member_1": 3, "member_2": 4, "division": 0}, "division"),
        ({"member_1": 3, "member_2": 4, "division": "x"}, "division"),
    ],
)
def test_what_cannot_be_is_said_at_the_field_and_nothing_typed_is_lost(
    as_alice, pairs, by_alice, sent, field
):
    teams.make_team(pairs, Lineup(members=[number(pairs, 1), number(pairs, 2)]), **by_alice)
    answer = as_alice.post(page("desk_teams", pairs), {"name": "", "division": 1, "club": ""} | sent)
    assert list(answer.context["form"].errors) == [field]
    assert pairs.teams.count() == 1


def test_groups_are_filled_by_turns_and_the_rounds_follow_from_the_largest(as_alice, club, by_alice):
    tournament = make_tournament(14, club=club, drawn=False, format="pairs")
    teams.put_together(tournament, **by_alice)
    as_alice.post(page("desk_all_meet", tournament))
    tournament.refresh_from_db()
    assert tournament.rounds_planned == 7  # seven pairs, one with a bye each round
    as_alice.post(page("desk_groups", tournament), {"groups": 2})
    assert list(tournament.teams.values_list("division", flat=True)) == [1, 2, 1, 2, 1, 2, 1]
    as_alice.post(page("desk_all_meet", tournament))
    tournament.refresh_from_db()
    assert tournament.rounds_planned == 3
    refused = as_alice.post(page("desk_groups", tournament), {"groups": 4})
    assert refused.context["groups"].errors == {"groups": ["A group needs at least two."]}


def test_a_pair_withdraws_with_its_players_and_comes_back(as_alice, pairs, by_alice):
    team = teams.put_together(pairs, **by_alice)[0]
    as_alice.post(page("desk_withdraw_team", pairs, 1), {"reason": "ill"})
    team.refresh_from_db()
    assert team.withdrawn
    assert {entry.status for entry in team.members.all()} == {Entry.Status.WITHDRAWN}
    as_alice.post(page("desk_team_back", pairs, 1))
    assert {entry.status for entry in team.members.all()} == {Entry.Status.PRESENT}
    assert queries.is_ready(queries.teams_of(pairs)[0])


def test_a_pair_put_together_by_mistake_is_dissolved(as_alice, pairs, by_alice):
    teams.put_together(pairs, **by_alice)
    as_alice.post(page("desk_dissolve", pairs, 1))
    assert listed(pairs) == [("Carl Dam / Dora Friis", [3, 4])]
    assert [entry.number for entry in queries.without_team(pairs)] == [1, 2, 5]


def test_a_button_of_a_pair_that_is_no_more_touches_none_that_has_its_number_now(as_alice, pairs, by_alice):
    teams.put_together(pairs, **by_alice)
    opened = fields(as_alice.get(page("desk_team", pairs, 2)).content.decode(), "team")
    as_alice.post(page("desk_dissolve", pairs, 2), opened)
    as_alice.post(page("desk_teams", pairs), {"member_1": 4, "member_2": 5, "division": 1})
    before = listed(pairs)
    assert [numbers for _name, numbers in before] == [[1, 2], [4, 5]]
    dissolved, changed = "It has been dissolved in the meantime.", "Something has changed in the meantime."
    for withdrawn, button in (
        (False, "desk_dissolve"),
        (False, "desk_withdraw_team"),
        (True, "desk_team_back"),
    ):
        pairs.teams.filter(number=2).update(withdrawn=withdrawn)
        for sent, words in ((opened, dissolved), (opened | {"team": "x"}, changed)):
            said = as_alice.post(page(button, pairs, 2), sent | {"reason": "ill"}, follow=True)
            assert words in said.content.decode()
            stands = pairs.teams.filter(withdrawn=True).exists()
            assert (listed(pairs), stands) == (before, withdrawn)
        assert as_alice.post(page(button, pairs, 9), {"reason": "ill"}).status_code == 404


def test_a_team_of_four_brings_reserves(as_alice, club):
    tournament = make_tournament(7, club=club, drawn=False, format="teams")
    sent = {f"member_{place}": place for place in (1, 2, 3, 4)} | {
        "reserve_1": 6,
        "name": "Nim",
        "division": 2,
    }
    as_alice.post(page("desk_teams", tournament), sent)
    team = tournament.teams.get()
    assert (team.name, team.division) == ("Nim", 2)
    assert [(entry.number, entry.reserve) for entry in team.members.order_by("number")] == [
        (1, False), (2, False), (3, False), (4, False), (6, True),
    ]  # fmt: skip


def test_a_reserve_who_is_left_out_again_is_left_out_in_the_chain_too(club, by_alice):
    tournament = make_tournament(7, club=club, drawn=False, format="teams", account=by_alice["account"])
    members = [number(tournament, place) for place in (1, 2, 3, 4)]
    lineup = Lineup(members=members, reserves=[number(tournament, 6)])
    team = teams.make_team(tournament, lineup, **by_alice)
    teams.change_team(team, Lineup(members=members), **by_alice)
    assert not team.members.filter(reserve=True).exists()
    assert list(chain_differences(tournament)) == []


@pytest.mark.parametrize("sits", [6, 1])
def test_nobody_who_sits_at_a_table_is_left_out_reserves_neither(as_alice, club, by_alice, sits):
    tournament = make_tournament(10, club=club, drawn=False, format="teams", account=by_alice["account"])
    members = [number(tournament, place) for place in (1, 2, 3, 4)]
    lineup = Lineup(name="Nim", members=members, reserves=[number(tournament, 6)])
    team = teams.make_team(tournament, lineup, **by_alice)
    teams.make_team(tournament, Lineup(members=[number(tournament, n) for n in (7, 8, 9, 10)]), **by_alice)
    drawing.draw(tournament, seed=1, **by_alice)
    match = tournament.rounds.get(number=1).matches.get()
    if sits == 6:
        line_up(match, team, [number(tournament, n) for n in (6, 2, 3, 4)], **by_alice)
    start_round(match.round, **by_alice)
    at = {place: place for place in (1, 2, 3, 4)} | ({1: 5} if sits == 1 else {})
    sent = {f"member_{place}": who for place, who in at.items()} | {"name": "Nim", "division": 1}
    answer = as_alice.post(page("desk_team", tournament, 1), sent)
    name = tournament.entries.get(number=sits).player.name
    said = f"{name} is sitting at a table; wait until the round is closed."
    assert answer.context["form"].errors == {"member_1": [said]}
    assert answer.context["form"]["name"].value() == "Nim"  # what was typed stays
    assert team.members.count() == 5


def test_a_guest_plays_in_a_pair_that_plays_for_no_club(pairs, by_alice):
    guest = entering.enter(pairs, make_player("Gæst"), club=None, **by_alice)
    team = teams.make_team(pairs, Lineup(members=[number(pairs, 5), guest]), **by_alice)
    assert (team.name, team.club) == ("Erik Lund / Gæst", None)
    assert not queries.is_ready(queries.teams_of(pairs)[0])  # the guest is not checked in


def test_where_everybody_plays_for_themselves_there_are_no_pairs(as_alice, club, by_alice):
    tournament = make_tournament(8, club=club, drawn=False)
    assert as_alice.get(page("desk_teams", tournament)).status_code == 404
    with pytest.raises(NotPossible):
        teams.put_together(tournament, **by_alice)


def test_a_stranger_puts_nobody_together(as_charlie, pairs):
    assert as_charlie.post(page("desk_put_together", pairs)).status_code == 403
    assert not pairs.teams.exists()


def test_a_finished_tournament_changes_no_pairs(pairs, by_alice):
    Tournament.objects.filter(pk=pairs.pk).update(state=Tournament.State.FINISHED)
    with pytest.raises(NotPossible):
        teams.put_together(pairs, **by_alice)


def test_namesakes_are_paired_up_too_and_names_are_not_too_long(club, by_alice):
    tournament = make_tournament(0, club=club, format="pairs")
    for name in ("Bo Krogh", "Anna Holm", "Bo Krogh", "Anna Holm", "Bo " + "x" * 90, "Anna " + "y" * 90):
        entering.enter(tournament, make_player(name), club=club, **by_alice)
    teams.put_together(tournament, **by_alice)
    names = ["Bo Krogh / Anna Holm", "Bo Krogh / Anna Holm (2)", "Bo / Anna"]
    assert list(tournament.teams.values_list("name", flat=True)) == names


def next_step(client, tournament):
    return client.get(page("desk_tournament", tournament)).context["steps"].next.key


def test_the_overview_asks_for_pairs_before_the_draw(as_alice, pairs, by_alice):
    assert next_step(as_alice, pairs) == "teams"
    teams.put_together(pairs, **by_alice)
    assert next_step(as_alice, pairs) == "teams"  # one is left over
    entering.withdraw(number(pairs, 5), reason="no partner", **by_alice)
    assert next_step(as_alice, pairs) == "draw"
    entering.withdraw(number(pairs, 4), reason="ill", **by_alice)
    assert next_step(as_alice, pairs) == "teams"


def test_the_draw_names_the_missing_step(as_alice, pairs, by_alice):
    link = f'href="{page("desk_teams", pairs)}">Form the pairs'
    assert link in as_alice.get(page("desk_draw", pairs)).content.decode()
    entering.withdraw(number(pairs, 5), reason="no partner", **by_alice)
    teams.put_together(pairs, **by_alice)
    assert link not in as_alice.get(page("desk_draw", pairs)).content.decode()


def test_the_draw_says_how_many_rounds_are_enough(as_alice, club, by_alice):
    tournament = make_tournament(8, 11, club=club, drawn=False, format="pairs")
    teams.put_together(tournament, **by_alice)
    draw = page("desk_draw", tournament)
    assert "3 rounds are enough for everyone to meet; 11 are planned" in as_alice.get(draw).content.decode()
    answer = as_alice.post(page("desk_all_meet", tournament), {"from": "draw"}, follow=True)
    assert answer.redirect_chain == [(draw, 302)]
    assert "are enough" not in answer.content.decode()
