"""The first steps of a new club, and sample players: made by one button, removed by one, and nobody else with them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Membership, Player, RoleOffer, SampleClub
from clubs.roles import home_of
from tests.factories import make_account, make_player, make_tournament
from tournaments.demo.play import PLAYERS, sample_of, why_not
from tournaments.desk.setup.new import FirstSteps, first_steps
from tournaments.entries import entering
from tournaments.models import Entry, Report, Tournament

REMOVED = "have been removed"


@pytest.fixture
def sample(as_alice, alice):
    as_alice.post(reverse("desk_sample"))
    return sample_of(alice)


def remove(browser, sample):
    return browser.post(reverse("club_sample_remove", args=[sample.club.slug]), follow=True).content.decode()


def test_three_steps_are_ticked_as_they_are_done(as_alice, alice, club):
    page = as_alice.get(reverse("desk")).content.decode()
    assert (page.count('class="onboard"'), page.count("done</span>")) == (1, 0)
    Membership.objects.create(player=make_player("Rita Real"), club=club, joined=timezone.localdate())
    assert first_steps(alice) == FirstSteps(club, None, members=True)
    bob = make_account("bob")
    RoleOffer.objects.create(
        account=bob, club=club, kind="helper", offered_by="alice", offered_at=timezone.now()
    )
    assert first_steps(alice) == FirstSteps(club, None, members=True, helpers=True)
    make_tournament(0, club=club, drawn=False, started=False)
    assert first_steps(alice).club is None
    bob.offers.all().delete()
    assert first_steps(alice).club is None, "who is alone has taken all the steps"
    assert 'class="onboard"' not in as_alice.get(reverse("desk")).content.decode()


def test_the_steps_are_gone_once_an_evening_has_begun_and_a_club_without_members_has_them_on_its_page(
    as_alice, alice, club
):
    assert 'class="onboard"' in as_alice.get(club.get_absolute_url()).content.decode()
    make_tournament(4, club=club, account=alice)
    assert first_steps(alice) == FirstSteps(None, None)


def test_a_helper_is_shown_no_steps(as_helper):
    assert 'class="onboard"' not in as_helper.get(reverse("desk")).content.decode()
    assert as_helper.post(reverse("desk_sample")).status_code == 403


def test_sample_players_play_at_once_and_are_made_once(as_alice, alice, club, sample):
    again = as_alice.post(reverse("desk_sample"))
    (evening,) = Tournament.objects.all()
    assert again["Location"] == reverse("desk_board", args=[evening.code])
    assert (evening.is_running, evening.host, evening.entries.count()) == (True, sample.club, PLAYERS)
    assert Report.objects.exists()
    assert home_of(alice) == club  # a new evening is not proposed to be theirs
    assert first_steps(alice) == FirstSteps(club, sample)


def test_one_button_removes_them_from_every_list_and_frees_the_name(as_alice, alice, club, sample):
    real = make_tournament(4, club=club, account=alice)
    name = sample.club.name
    assert REMOVED in remove(as_alice, sample)
    assert [club] == list(Club.objects.filter(roles__account=alice))
    desk = as_alice.get(reverse("desk")).content.decode()
    assert (name in desk, real.name in desk) == (False, True)
    assert name not in as_alice.get(reverse("home")).content.decode()
    assert not Membership.objects.filter(club=sample.club, left=None).exists()
    assert as_alice.get(reverse("club_sample_remove", args=[sample.club.slug])).status_code == 404
    as_alice.post(reverse("desk_sample"))
    assert sample_of(alice).club.name == name


def test_the_programs_owner_is_shown_no_club_that_was_removed(as_alice, alice, sample):
    remove(as_alice, sample)
    alice.is_superuser = True
    alice.save()
    sample.refresh_from_db()
    assert str(sample.club.name) not in as_alice.get(reverse("clubs")).content.decode()


def is_refused(browser, sample, *names):
    page = remove(browser, sample)
    return REMOVED not in page and all(name in page for name in names) and sample_of_club(sample)


def sample_of_club(sample):
    return SampleClub.objects.filter(pk=sample.pk, removed_at=None).exists()


def test_they_stay_while_a_guest_is_among_them(as_alice, by_alice, sample):
    evening = Tournament.objects.get()
    guest = entering.enter_guest(evening, "Gert Guest", **by_alice)
    assert is_refused(as_alice, sample, "Gert Guest")
    entering.withdraw(guest, reason="not real", **by_alice)
    assert REMOVED in remove(as_alice, sample)


def test_they_stay_while_somebody_real_is_a_member_of_their_club(as_alice, sample):
    real = Membership.objects.create(
        player=make_player("Rita Real"), club=sample.club, joined=timezone.localdate()
    )
    assert is_refused(as_alice, sample, str(real.player))
    real.delete()
    assert why_not(sample) == ""


@pytest.mark.parametrize("how", ["entered", "member"])
def test_they_stay_while_one_of_them_is_in_a_real_club(as_alice, by_alice, club, sample, how):
    player = sample.players.first()
    if how == "entered":
        real = make_tournament(0, club=club, drawn=False, started=False)
        entering.enter(real, player, club=None, **by_alice)
    else:
        Membership.objects.create(player=player, club=club, joined=timezone.localdate())
    assert is_refused(as_alice, sample, str(player))
    assert Entry.objects.filter(tournament__host=sample.club).count() == PLAYERS


def test_nobody_else_removes_them(client, sample):
    client.force_login(make_account("charlie"))
    assert client.post(reverse("club_sample_remove", args=[sample.club.slug])).status_code == 403
    assert Player.objects.filter(memberships__club=sample.club, memberships__left=None).count() == PLAYERS


def test_an_evening_of_ones_own_comes_before_that_of_sample_players(as_alice, club, sample):
    def tonight():
        return as_alice.get(reverse("desk")).context["tonight"]

    tried = Tournament.objects.get()
    assert tonight() == tried
    make_tournament(0, club=club, drawn=False, started=False, date=timezone.localdate() + timedelta(days=1))
    assert tonight() == tried
    own = make_tournament(0, club=club, drawn=False, started=False, date=timezone.localdate())
    assert tonight() == own
