"""Entering members: found, ticked, and entered under their club."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Affiliation, Membership, Player, Role
from tests.factories import affiliate, browser_of, make_account, make_club, make_player, make_tournament
from tournaments.desk.people import entries, forms
from tournaments.lifecycle.officials import give
from tournaments.models import Application


@pytest.fixture
def tournament(club):
    return make_tournament(0, club=club, date=date(2026, 11, 21))


def page(name, tournament):
    return reverse(name, args=[tournament.code])


def membership(name, club, number=None):
    return make_player(name, club, number).memberships.get()


def test_ticked_members_are_entered_under_their_club(as_alice, tournament, club):
    anna, bo, carl = (membership(name, club) for name in ("Anna Holm", "Bo Krogh", "Carl Dam"))
    url = page("desk_add_members", tournament)
    answer = as_alice.post(url, {"member": [anna.pk, carl.pk]})
    assert answer.headers["Location"] == page("desk_entries", tournament)
    assert list(tournament.entries.values_list("player__name", "club__name", "status")) == [
        ("Anna Holm", "Stilling", "entered"),
        ("Carl Dam", "Stilling", "entered"),
    ]
    assert [member.player.name for member in as_alice.get(url).context["members"]] == ["Bo Krogh"]
    assert bo.player.entries.count() == 0


def test_members_who_have_come_are_checked_in_with_the_same_button(as_alice, tournament, club):
    anna = membership("Anna Holm", club)
    answer = as_alice.post(page("desk_add_members", tournament), {"member": [anna.pk], "here": "1"})
    assert answer.headers["Location"] == page("desk_check_in", tournament)
    assert tournament.entries.get().status == "present"


def test_sending_the_ticks_twice_enters_nobody_twice(as_alice, tournament, club):
    anna = membership("Anna Holm", club)
    as_alice.post(page("desk_add_members", tournament), {"member": [anna.pk]})
    answer = as_alice.post(page("desk_add_members", tournament), {"member": [anna.pk]})
    assert answer.status_code == 200
    assert answer.context["nobody_ticked"]
    assert tournament.entries.count() == 1


@pytest.mark.parametrize("ticks", [[], ["x"], ["999999999999999999999"], ["-1", "\x00"]])
def test_ticking_nobody_is_said_and_the_search_stays(as_alice, tournament, club, ticks):
    membership("Anna Holm", club)
    answer = as_alice.post(page("desk_add_members", tournament), {"member": ticks, "q": "ann", "here": "1"})
    assert answer.context["nobody_ticked"]
    assert (answer.context["q"], answer.context["here"]) == ("ann", True)
    assert not tournament.entries.exists()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("østerg", ["Øjvind Østergaard"]),
        ("OESTERGAARD", ["Øjvind Østergaard"]),
        ("12", ["Anna Holm"]),
        ("anna holm", ["Anna Holm"]),
        ("nobody", []),
        ("", ["Anna Holm", "Øjvind Østergaard"]),
    ],
)
def test_a_search_keeps_what_is_ticked(as_alice, tournament, club, query, found):
    membership("Anna Holm", club, 12)
    membership("Øjvind Østergaard", club)
    ticked = membership("Åse Dam", club)
    answer = as_alice.get(page("desk_add_members", tournament), {"q": query, "member": ticked.pk})
    assert [member.player.name for member in answer.context["members"]] == [*found, "Åse Dam"]
    assert ticked.pk in answer.context["ticked"]


def test_of_many_the_first_are_listed_and_who_is_ticked_or_sought_is_among_them(
    as_alice, tournament, club, monkeypatch
):
    monkeypatch.setattr(entries, "MOST_LISTED", 2)
    anna, bo, _carl, dora = (membership(name, club) for name in ("Anna", "Bo", "Carl", "Dora"))
    url = page("desk_add_members", tournament)
    listed = as_alice.get(url, {"member": dora.pk})
    assert listed.context["members"] == [anna, bo, dora]
    assert "The first 2 are listed." in listed.content.decode()
    sought = as_alice.get(url, {"q": f"dor {club.name[:4]}"})
    assert sought.context["members"] == [dora]
    assert "are listed." not in sought.content.decode()


def test_members_of_the_unions_other_clubs_may_be_ticked_and_strangers_not(alice):
    union = make_club("Union")
    host, other, outside = make_club("Host", union), make_club("Other", union), make_club("Outside")
    for name, club in (("Anna", host), ("Bo", other), ("Carl", union), ("Dora", outside)):
        make_player(name, club)
    gone = membership("Erik", host)
    gone.left = date(2026, 1, 1)
    gone.save()
    tournament = make_tournament(0, club=host)
    found = forms.candidates(tournament, today=date(2026, 11, 21))
    assert [member.player.name for member in found] == ["Anna", "Bo", "Carl"]


@pytest.mark.parametrize(
    ("hosts", "organises", "role", "lists"),
    [
        ("Host", "Host", "organiser", False),
        ("Host", "Host", "helper", False),
        ("Union", "Union", "organiser", True),
        ("Union", "Union", "helper", False),
        ("Union", None, "organiser", False),  # an official of the tournament
        ("Union", None, "helper", False),
    ],
)
def test_members_of_other_clubs_are_found_by_their_whole_name_alone(db, hosts, organises, role, lists):
    """A club gives names and numbers to its union, and not to every helper of its neighbours."""
    union = make_club("Union")
    clubs = {"Union": union, "Host": make_club("Host", union), "Other": make_club("Other", union)}
    Affiliation.objects.update(gives="names")
    make_player("Anna Holm", clubs[hosts])
    bo = make_player("Bo Krogh", clubs["Other"], 7).memberships.get()
    owner = make_account("owner", clubs["Union"])
    tournament = make_tournament(0, club=clubs[hosts], account=owner, drawn=False)
    vera = make_account("vera", clubs.get(organises), role)
    if organises is None:
        give(tournament, vera, role, account=owner, now=timezone.now())
    browser = browser_of(vera)
    address = page("desk_add_members", tournament)

    def found(**sent):
        return [one.player.name for one in browser.get(address, sent).context["members"]]

    both = ["Anna Holm", "Bo Krogh"] if lists else ["Anna Holm"]
    assert found() == both
    assert found(member=bo.pk) == both, "a number in the address names nobody"
    for query in ("Bo", "bo kro", "7", "other"):
        assert found(q=query) == (["Bo Krogh"] if lists else [])
    ((_member, tick),) = browser.get(address, {"q": "bo KROGH"}).context["ticks"]
    assert set(found(q="Anna", member=tick)) == {"Anna Holm", "Bo Krogh"}, (
        "a tick stays when another is sought"
    )
    browser.post(address, {"member": tick})
    assert tournament.entries.get().player == bo.player


def test_a_bare_number_invites_nobody_of_another_club(alice, club):
    union, other = make_club("Union"), make_club("Other")
    for one in (club, other):
        affiliate(one, union)
    Affiliation.objects.update(gives="names")
    bo = make_player("Bo Krogh", other, 7).memberships.get()
    tournament = make_tournament(0, club=club, account=alice, drawn=False)
    browser, address = browser_of(alice), page("desk_invite_member", tournament)
    refused = browser.post(address, {"member": bo.pk}, follow=True).content.decode()
    assert "Bo Krogh" not in refused
    assert not Application.objects.filter(tournament=tournament).exists()
    ((_member, tick),) = browser.get(address, {"q": "Bo Krogh"}).context["found"]
    browser.post(address, {"member": tick})
    assert Application.objects.get(tournament=tournament).player == bo.player


def test_a_player_of_two_clubs_is_listed_once_for_the_host(alice):
    union = make_club("Union")
    host, other = make_club("Host", union), make_club("Other", union)
    anna = make_player("Anna", other)
    for club in (union, host):
        Membership.objects.create(player=anna, club=club, joined=date(2020, 1, 1))
    for organiser, expected in ((host, "Host"), (other, "Other")):
        found = forms.candidates(make_tournament(0, club=organiser, account=alice), today=date(2026, 11, 21))
        assert [member.club.name for member in found] == [expected]
    found = forms.candidates(make_tournament(0, club=union, account=alice), today=date(2026, 11, 21))
    assert [member.club.name for member in found] in (["Host"], ["Other"])


@pytest.mark.parametrize("in_order", [forms.MOST_SORTED, 0])
def test_the_first_of_many_are_the_same_as_the_first_of_all_put_in_order(alice, monkeypatch, in_order):
    monkeypatch.setattr(forms, "MOST_SORTED", in_order)
    union = make_club("Union")
    host, other = make_club("Host", union), make_club("Other", union)
    for name, club in (("Carl", host), ("Åse", other), ("Bo", union), ("Anna", other), ("Dora Bo", host)):
        make_player(name, club)
    Membership.objects.create(player=Player.objects.get(name="Bo"), club=host, joined=date(2020, 1, 1))

    def first(query, club="", most=9):
        clubs = forms.clubs_near(host)
        asked = {"most": most, "today": date(2026, 11, 21)}
        found = forms.search_candidates(tournament, query, club, clubs, **asked)
        return [(member.player.name, member.club.name) for member in found]

    tournament = make_tournament(0, club=host, account=alice)
    assert first("") == [
        ("Anna", "Other"), ("Bo", "Host"), ("Carl", "Host"), ("Dora Bo", "Host"), ("Åse", "Other")
    ]  # fmt: skip
    assert first("", most=2) == [("Anna", "Other"), ("Bo", "Host")]
    assert first("bo") == [("Bo", "Host"), ("Dora Bo", "Host")]
    assert first("", club="other") == [("Anna", "Other"), ("Åse", "Other")]
    assert first("", club="nowhere") == first("bo", club="other") == []


def test_a_club_without_members_is_told_so_and_led_to_import_or_guests(as_alice, tournament, club):
    said = as_alice.get(page("desk_add_members", tournament)).content.decode()
    assert "Stilling has no members yet." in said
    assert "All members are entered." not in said
    for address in (reverse("import_upload", args=[club.slug]), page("desk_add_guest", tournament)):
        assert f'href="{address}"' in said


def test_every_member_is_entered_is_said_where_there_are_members(as_alice, tournament, club):
    as_alice.post(page("desk_add_members", tournament), {"member": [membership("Anna Holm", club).pk]})
    said = as_alice.get(page("desk_add_members", tournament)).content.decode()
    assert "All members are entered." in said
    assert "no members yet" not in said


def test_a_helper_is_not_sent_to_an_import_that_refuses_them(client, tournament, club):
    client.force_login(make_account("helga", club, Role.Kind.HELPER))
    said = client.get(page("desk_add_members", tournament)).content.decode()
    assert "Stilling has no members yet." in said
    assert reverse("import_upload", args=[club.slug]) not in said
