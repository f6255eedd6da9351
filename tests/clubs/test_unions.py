"""Clubs in unions: a club may belong to several, and decides what each gets."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from clubs.models import Affiliation, AffiliationOffer, Club, Gives, Role
from clubs.register import accept_invitation, invite_club, leave_union
from clubs.register_models import clubs_in
from clubs.roles import clubs_of, clubs_seen_by
from core.errors import UserError
from tests.factories import affiliate, make_account, make_club, make_player, make_tournament
from tests.pages import words
from tournaments.desk.people.forms import candidates
from tournaments.models import Season
from tournaments.seasons.ratings import around, hosts_of


@pytest.fixture
def fyn(club) -> Club:
    """A union that the club gives everything."""
    fyn = make_club("Fyn")
    affiliate(club, fyn)
    return fyn


@pytest.fixture
def danmark(club) -> Club:
    """A union with a club of its own, which has invited the club."""
    danmark = make_club("Danmark")
    affiliate(make_club("Viby"), danmark)
    return danmark


def browser_of(name: str, club: Club, kind: str = Role.Kind.ORGANISER) -> Client:
    browser = Client()
    browser.force_login(make_account(name, club, kind))
    return browser


def offer_of(danmark, club, uwe="uwe") -> AffiliationOffer:
    return invite_club(danmark, club.name, account=make_account(uwe, danmark), now=timezone.now())


def test_a_club_belongs_to_two_unions_and_decides_what_each_gets(as_alice, club, fyn, danmark) -> None:
    offer = offer_of(danmark, club)
    assert "Danmark invites Stilling to join the union" in as_alice.get("/desk/").content.decode()
    page = words(as_alice.get("/clubs/stilling/unions/").content.decode())
    assert "Fyn" in page
    assert "Join the union" in page
    assert not danmark.clubs.filter(pk=club.pk).exists()
    as_alice.post(f"/clubs/stilling/unions/offers/{offer.pk}/accept/", {"gives": "names"})
    assert [union.name for union in club.unions] == ["Fyn", "Danmark"]
    assert club.affiliations.get(union=danmark).gives == Gives.NAMES
    assert not AffiliationOffer.objects.exists()
    assert "Stilling joined the union Danmark" in str(club.log.first())


def test_a_union_gets_no_more_than_the_club_gives(club, fyn, as_alice) -> None:
    ulla = make_account("ulla", fyn)
    browser = Client()
    browser.force_login(ulla)
    assert browser.get("/clubs/stilling/").status_code == 200
    affiliation = club.affiliations.get()
    for gives in ("names", "nothing"):
        as_alice.post(f"/clubs/stilling/unions/{affiliation.pk}/", {"gives": gives})
        assert browser.get("/clubs/stilling/").status_code == 403
        assert club not in clubs_of(ulla)
        assert club not in clubs_seen_by(ulla)
    as_alice.post(f"/clubs/stilling/unions/{affiliation.pk}/", {"gives": "all of it"})
    assert club.affiliations.get().gives == "nothing"


def test_who_gives_nothing_has_no_members_to_tick_at_the_unions_tournament(club, fyn, alice) -> None:
    make_player("Anna", club, 1)
    tournament = make_tournament(0, club=fyn, account=alice)
    today = timezone.localdate()
    for gives, names in (("everything", ["Anna"]), ("names", ["Anna"]), ("nothing", [])):
        Affiliation.objects.update(gives=gives)
        assert [one.player.name for one in candidates(tournament, today=today)] == names


def test_a_club_that_only_the_union_organises_needs_an_organiser_first(club, fyn) -> None:
    club.roles.all().delete()
    browser = browser_of("ulla", fyn)
    affiliation = club.affiliations.get()
    for address, said in ((f"{affiliation.pk}/", {"gives": "names"}), (f"{affiliation.pk}/leave/", {})):
        page = browser.post(f"/clubs/stilling/unions/{address}", said, follow=True).content.decode()
        assert "needs an organiser of its own first" in page
    assert club.affiliations.get().gives == Gives.EVERYTHING
    assert club.affiliations.get().left is None


def test_leaving_ends_what_the_union_may_and_coming_back_the_same_day_undoes_it(as_alice, club, fyn) -> None:
    affiliation = club.affiliations.get()
    as_alice.post(f"/clubs/stilling/unions/{affiliation.pk}/leave/")
    assert not club.unions.exists()
    assert not fyn.clubs.exists()
    assert list(clubs_in(fyn)) == []
    ulla = make_account("ulla", fyn)
    assert club not in clubs_of(ulla)
    offer = invite_club(fyn, "Stilling", account=ulla, now=timezone.now())
    accept_invitation(offer, Gives.NOTHING, account=ulla, now=timezone.now())
    assert Affiliation.objects.get() == affiliation
    assert (Affiliation.objects.get().left, Affiliation.objects.get().gives) == (None, Gives.NOTHING)


def test_a_club_that_leaves_in_mid_season_keeps_its_evenings_there(as_alice, alice, club, fyn) -> None:
    today = timezone.localdate()
    days = {"starts": today - timedelta(days=90), "ends": today + timedelta(days=90)}
    season = Season.objects.create(host=fyn, name="Fyns turnering", **days)
    tournament = make_tournament(4, club=club, account=alice, season=season, drawn=False)
    leave_union(club.affiliations.get(), account=alice, now=timezone.now())
    page = as_alice.get(f"/desk/t/{tournament.code}/setup/")
    form = page.context["form"]
    assert form["season"].value() in (season, season.pk)
    sent = {field.html_name: field.value() for field in form if field.value() not in (None, False, "")}
    sent |= {"season": season.pk, "host": club.pk, "name": "Renamed", "seen": form["seen"].value()}
    sent["date"] = tournament.date.isoformat()
    as_alice.post(f"/desk/t/{tournament.code}/setup/", sent)
    tournament.refresh_from_db()
    assert (tournament.name, tournament.season) == ("Renamed", season)


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("Nobody", "There is no club with this name here."),
        ("Danmark", "A club cannot be its own union."),
        ("viby", "Viby already belongs to Danmark."),
        ("Fyn", "Fyn is itself a union with clubs."),
    ],
)
def test_who_cannot_be_invited(club, fyn, danmark, name, refusal) -> None:
    browser = browser_of("uwe", danmark)
    page = browser.post("/clubs/danmark/unions/", {"club": name})
    assert page.context["form"].errors == {"club": [refusal]}
    assert not AffiliationOffer.objects.exists()


def test_a_club_in_a_union_is_no_union_itself(club, fyn, alice) -> None:
    make_club("Odder")
    with pytest.raises(UserError, match="itself belongs to a union"):
        invite_club(club, "Odder", account=alice, now=timezone.now())


def test_an_invitation_is_for_the_club_alone(club, danmark) -> None:
    offer = offer_of(danmark, club)
    union = Client()
    union.force_login(danmark.roles.get().account)
    assert (
        union.post(f"/clubs/stilling/unions/offers/{offer.pk}/accept/", {"gives": "everything"}).status_code
        == 403
    )
    assert (
        union.post(f"/clubs/danmark/unions/offers/{offer.pk}/accept/", {"gives": "everything"}).status_code
        == 404
    )
    neighbour = browser_of("nora", make_club("Odder"))
    assert (
        neighbour.post(f"/clubs/odder/unions/offers/{offer.pk}/accept/", {"gives": "names"}).status_code
        == 404
    )
    assert not club.unions.exists()
    union.post(f"/clubs/danmark/unions/offers/{offer.pk}/decline/")
    assert not AffiliationOffer.objects.exists()


def test_an_invitation_accepted_twice_joins_once(as_alice, alice, club, danmark) -> None:
    offer = offer_of(danmark, club)
    accept_invitation(offer, Gives.NAMES, account=alice, now=timezone.now())
    with pytest.raises(UserError, match="already belongs"):
        accept_invitation(offer, Gives.NAMES, account=alice, now=timezone.now())
    assert (
        as_alice.post(f"/clubs/stilling/unions/offers/{offer.pk}/accept/", {"gives": "names"}).status_code
        == 404
    )
    assert Affiliation.objects.filter(club=club).count() == 1


def test_the_database_has_one_affiliation_at_a_time(club, fyn) -> None:
    with pytest.raises(IntegrityError):
        affiliate(club, fyn)


def test_ratings_are_counted_in_the_union_that_a_club_joined_first(club, fyn, danmark) -> None:
    Affiliation.objects.create(club=club, union=danmark, joined=timezone.localdate())
    assert around(club) == fyn
    assert club.pk in hosts_of(fyn)
    assert club.pk not in hosts_of(danmark)
    Affiliation.objects.filter(union=fyn).update(left=timezone.localdate())
    assert around(club) == danmark
    assert club.pk in hosts_of(danmark)


def test_the_api_names_all_unions_of_a_club(client, club, fyn, danmark) -> None:
    affiliate(club, danmark)
    told = client.get("/api/v1/clubs/stilling").json()
    assert told["union"]["name"] == "Fyn"
    assert [one["name"] for one in told["unions"]] == ["Fyn", "Danmark"]
    listed = client.get("/api/v1/clubs").json()["items"]
    assert {one["name"]: one["is_union"] for one in listed} == {"Fyn": True, "Danmark": True}
