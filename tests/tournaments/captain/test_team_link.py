"""A team's own link: its captain lines it up, and a replaced link is dead."""

from __future__ import annotations

from django.urls import reverse

from tournaments import rounds


def a_match(tournament, number=3):
    return tournament.rounds.get(number=number).matches.filter(away__isnull=False).first()


def test_a_teams_captain_lines_it_up_by_its_link(client, five_teams):
    match = a_match(five_teams)
    team, reserve = five_teams.teams.get(number=1), five_teams.entries.get(reserve=True)
    match = next(found for found in rounds.line_ups_to_come(team) if found.round.is_drawn)
    seats = [seat.entry.number for seat in rounds.seats_of(match, team)]
    address = reverse("team_line_up", args=[team.secret])
    assert reserve.player.name in client.get(address).content.decode()
    sent = {
        f"match{match.pk}-player_{place}": number
        for place, number in enumerate([reserve.number, *seats[1:]], 1)
    }
    client.post(address, sent)
    assert [seat.entry.number for seat in rounds.seats_of(match, team)] == [reserve.number, *seats[1:]]
    assert "the team’s own line-up" in five_teams.log.first().words
    assert five_teams.entries.get(reserve=True).status == "present"


def test_a_replaced_link_is_dead_and_says_nothing(as_alice, client, five_teams):
    team = five_teams.teams.get(number=1)
    sent = {"secret": team.secret}
    for _twice in range(2):
        as_alice.post(reverse("desk_team_link", args=[five_teams.code, 1]), sent)
    assert client.get(reverse("team_line_up", args=[team.secret])).status_code == 404
    assert five_teams.log.filter(text="{team} has a new link").count() == 1
    team.refresh_from_db()
    assert team.secret in as_alice.get(reverse("desk_team_link", args=[five_teams.code, 1])).content.decode()
