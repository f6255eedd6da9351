"""A changed name is on the hall's pages at once, though they are kept until their tournament changes."""

from __future__ import annotations

from django.utils import timezone

from clubs.member_import import confirm, dry_run, store_upload
from clubs.models import Club, Player
from tests.factories import make_club, make_player, make_tournament


def standings(client, tournament):
    return client.get(f"/t/{tournament.code}/standings/").content.decode()


def test_a_club_that_names_its_players_otherwise_is_heeded_at_once(club, client):
    tournament = make_tournament(3, club=club)
    assert "Anna Holm" in standings(client, tournament)
    club.name_style = Club.NameStyle.INITIAL
    club.save()
    assert ("Anna Holm" in standings(client, tournament), "Anna H." in standings(client, tournament)) == (
        False,
        True,
    )


def test_a_player_who_is_renamed_has_the_new_name_at_once(club, client):
    tournament = make_tournament(3, club=club)
    assert "Anna Holm" in standings(client, tournament)
    player = Player.objects.get(name="Anna Holm")
    player.name = "Anna Bjerg"
    player.save()
    assert ("Holm" in standings(client, tournament), "Anna Bjerg" in standings(client, tournament)) == (
        False,
        True,
    )


def test_a_player_whom_a_member_list_renames_has_the_new_name_at_once(club, client, alice):
    tournament = make_tournament(3, club=club)
    assert "Anna Holm" in standings(client, tournament)
    lines, now = b"Nr;Navn\n1;Anna HOLM\n", timezone.now()
    upload = store_upload(club, alice, "list.csv", lines, joined=tournament.date, now=now)
    confirm(upload, {}, dry_run(upload).fingerprint, now)
    assert "Anna HOLM" in standings(client, tournament)


def test_those_who_are_in_no_tournament_change_none(club):
    tournament = make_tournament(3, club=club)
    player, other = make_player("Zorro"), make_club("Aarup")
    player.save()
    other.save()
    version = tournament.version
    tournament.refresh_from_db()
    assert tournament.version == version
