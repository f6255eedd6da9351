"""Pasted names become members and tonight's entries in one step; an evening is repeated with one button."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Membership
from tests.factories import affiliate, make_club, make_player, make_tournament
from tournaments.models import Tournament

NAMES = "Anna Holm\nBo Krogh\nCarl Dam\n\nDora Friis\n"


def paste(browser, club, names=NAMES):
    return browser.post(reverse("club_tonight", args=[club.slug]), {"names": names}, follow=True)


def hidden(answer):
    """The hidden fields of the page's button."""
    text = answer.content.decode()
    return dict(re.findall(r'name="(code|seen)" value="([^"]*)"', text))


def heading(answer):
    return " ".join(re.search(r'<h1 id="next">([^<]*)</h1>', answer.content.decode())[1].split())


def test_names_become_members_and_entries_in_one_step(as_alice, club):
    answer = paste(as_alice, club)
    assert heading(answer) == "4 play tonight, 3 rounds."
    assert not Membership.objects.exists(), "nothing is stored before the button"
    fields = hidden(answer)
    for _tap in range(2):
        done = as_alice.post(answer.request["PATH_INFO"], fields, follow=True)
    tournament = Tournament.objects.get()
    assert done.request["PATH_INFO"] == reverse("desk_check_in", args=[tournament.code])
    assert (tournament.host, tournament.date, tournament.code) == (club, timezone.localdate(), fields["code"])
    names = list(tournament.entries.order_by("number").values_list("player__name", flat=True))
    assert sorted(names) == ["Anna Holm", "Bo Krogh", "Carl Dam", "Dora Friis"]
    assert set(tournament.entries.values_list("club", flat=True)) == {club.pk}
    assert Membership.objects.filter(club=club).count() == 4


def test_only_those_who_were_pasted_are_entered(as_alice, club):
    for name in ("Viggo Bak", "Anna Holm"):
        make_player(name, club)
    answer = paste(as_alice, club, "Anna Holm\nBo Krogh\nCarl Dam")
    as_alice.post(answer.request["PATH_INFO"], hidden(answer))
    assert Tournament.objects.get().entries.count() == 3
    assert Membership.objects.count() == 4


def test_a_name_that_may_be_somebody_known_is_asked_about_first(as_alice, club):
    union = make_club("Union")
    affiliate(club, union)
    make_player("Anna Holm", union)
    left = make_player("Bo Krogh", club)
    Membership.objects.filter(player=left).update(left=date(2021, 1, 1))
    answer = paste(as_alice, club)
    assert "/import/" in answer.request["PATH_INFO"]
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("names", ["", "   \n", "\x00"])
def test_no_names_are_said_at_the_field(as_alice, club, names):
    answer = paste(as_alice, club, names)
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert not Tournament.objects.exists()


def test_what_has_changed_since_is_looked_at_again(as_alice, club):
    answer = paste(as_alice, club)
    again = as_alice.post(
        answer.request["PATH_INFO"], hidden(answer) | {"seen": "something else"}, follow=True
    )
    assert "The members have changed since you saw this." in again.content.decode()
    assert not Tournament.objects.exists()
    assert not Membership.objects.exists()


def test_a_list_is_its_owners_and_its_clubs(as_alice, as_charlie, client, club):
    address = paste(as_alice, club).request["PATH_INFO"]
    assert as_charlie.get(address).status_code == 403
    assert client.get(address).headers["Location"].startswith(reverse("login"))
    other = make_club("Viby")
    assert as_alice.get(address.replace(club.slug, other.slug)).status_code == 403
    assert as_charlie.post(reverse("club_tonight", args=[club.slug]), {"names": NAMES}).status_code == 403
    assert Club.objects.count() == 2


def test_the_desk_of_a_club_without_members_begins_with_the_names(as_alice, club):
    text = as_alice.get(reverse("desk")).content.decode()
    assert f'action="{reverse("club_tonight", args=[club.slug])}"' in text
    make_player("Viggo Bak", club)
    assert "Who is playing tonight?" not in as_alice.get(reverse("desk")).content.decode()


# Repeating


@pytest.fixture
def last(club):
    made = make_tournament(
        8, 2, club=club, started=False, name="Klubaften 12", entry_fee=5000, deals_per_round=24
    )
    Tournament.objects.filter(pk=made.pk).update(state=Tournament.State.FINISHED, prize_shares=[60, 40])
    return made


def repeat(browser, last, code="ABCDEF"):
    return browser.post(reverse("desk_repeat", args=[last.code]), {"code": code}, follow=True)


def test_an_evening_is_repeated_with_its_settings_and_players_once(as_alice, last):
    text = as_alice.get(reverse("desk")).content.decode()
    assert "<b>Klubaften 13</b>" in text
    code = hidden(as_alice.get(reverse("desk")))["code"]
    for _tap in range(2):
        answer = repeat(as_alice, last, code)
    made = Tournament.objects.exclude(pk=last.pk).get()
    assert answer.request["PATH_INFO"] == reverse("desk_check_in", args=[made.code])
    said = (made.name, made.rounds_planned, made.entry_fee, made.deals_per_round, made.prize_shares)
    assert said == ("Klubaften 13", 2, 5000, 24, [60, 40])
    assert made.entries.count() == 8
    assert not made.entries.playing().exists()
    assert "Repeat the last evening" not in as_alice.get(reverse("desk")).content.decode()


@pytest.mark.parametrize("code", ["", "nonsense", "\x00", "abc def"])
def test_a_code_that_is_none_gets_another(as_alice, last, code):
    repeat(as_alice, last, code)
    assert Tournament.objects.count() == 2


def test_a_helper_repeats_nothing(as_helper, as_charlie, last):
    for browser in (as_helper, as_charlie):
        assert browser.post(reverse("desk_repeat", args=[last.code])).status_code == 403
    assert Tournament.objects.count() == 1
