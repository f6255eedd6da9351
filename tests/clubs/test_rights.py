"""Who may see and do what in a club. Charlie has an account and no role: he learns nothing."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from clubs import accounts
from clubs.models import MemberImport, Membership, Role, RoleOffer
from tests.factories import affiliate, make_account, make_club, make_player
from tests.pages import words

SECRETS = ("Anna Hemmelig", "anna@example.dk", "12 34 56 78")

HELPERS_TOO = ["/clubs/stilling/", "/clubs/stilling/members/{member}/"]
ORGANISERS_ONLY = [
    "/clubs/stilling/edit/",
    "/clubs/stilling/members/new/",
    "/clubs/stilling/members/{member}/edit/",
    "/clubs/stilling/members/{member}/leave/",
    "/clubs/stilling/members.csv",
    "/clubs/stilling/members.xlsx",
    "/clubs/stilling/import/",
    "/clubs/stilling/roles/",
    "/clubs/stilling/roles/new/",
]
POSTS = [
    "/clubs/stilling/edit/",
    "/clubs/stilling/members/new/",
    "/clubs/stilling/members/{member}/edit/",
    "/clubs/stilling/members/{member}/leave/",
    "/clubs/stilling/members/{member}/return/",
    "/clubs/stilling/import/",
    "/clubs/stilling/roles/new/",
    "/clubs/stilling/roles/{role}/",
    "/clubs/stilling/roles/{role}/remove/",
    "/clubs/stilling/roles/{role}/password/",
    "/clubs/stilling/roles/offers/{offer}/",
]


@pytest.fixture
def ids(club, alice) -> dict[str, int]:
    anna = make_player("Anna Hemmelig", club, 12)
    anna.email, anna.phone = "anna@example.dk", "12 34 56 78"
    anna.save()
    asked = accounts.offer(club, make_account("otto"), "helper", account=alice, now=timezone.now())
    return {"member": anna.memberships.get().pk, "role": alice.roles.get().pk, "offer": asked.pk}


def client_of(who: str, club) -> Client:
    """A browser of nobody, Charlie, a helper, an organiser here, in the union or next door, or the owner."""
    client = Client()
    if who == "union":
        affiliate(club, make_club("Union"))
    homes = {"helper": club, "organiser": club, "union": club.unions.first(), "owner": None, "charlie": None}
    if who == "neighbour":
        homes[who] = make_club("Viby")
    if who != "nobody":
        account = make_account(who, homes[who], "helper" if who == "helper" else "organiser")
        account.is_superuser = who == "owner"
        account.save()
        client.force_login(account)
    return client


@pytest.mark.slow
@pytest.mark.parametrize("address", HELPERS_TOO + ORGANISERS_ONLY)
@pytest.mark.parametrize(
    ("who", "may_help", "may_organise"),
    [
        ("nobody", 302, 302),
        ("charlie", 403, 403),
        ("neighbour", 403, 403),
        ("helper", 200, 403),
        ("organiser", 200, 200),
        ("union", 200, 200),
        ("owner", 200, 200),
    ],
)
def test_who_may_open_a_clubs_pages(club, ids, who, may_help, may_organise, address) -> None:
    response = client_of(who, club).get(address.format(**ids))
    assert response.status_code == (may_help if address in HELPERS_TOO else may_organise)
    if response.status_code != 200:
        assert not any(secret in response.content.decode() for secret in SECRETS)


@pytest.mark.parametrize("address", POSTS)
@pytest.mark.parametrize("who", ["nobody", "charlie", "neighbour", "helper"])
def test_who_may_not_change_a_club_changes_nothing(club, ids, who, address) -> None:
    asked = RoleOffer.objects.count()
    before = list(Membership.objects.values()), list(Role.objects.filter(club=club).values("kind"))
    client = client_of(who, club)
    said = {
        "name": "Changed",
        "joined": "2026-01-01",
        "left": "2026-01-01",
        "kind": "helper",
        "username": "x",
    }
    assert client.post(address.format(**ids), said).status_code in {302, 403}
    assert RoleOffer.objects.count() == asked
    Role.objects.filter(account__username=who).delete()
    assert (list(Membership.objects.values()), list(Role.objects.filter(club=club).values("kind"))) == before


@pytest.mark.parametrize("address", POSTS)
def test_every_change_takes_the_forms_token(club, alice, ids, address) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    response = client.post(address.format(**ids), {})
    assert response.status_code == 403
    assert "Please try again" in response.content.decode()


@pytest.mark.parametrize(
    "address", ["members/{member}/", "members/{member}/edit/", "members/{member}/leave/"]
)
def test_another_clubs_member_is_not_found_through_ones_own(club, alice, ids, address) -> None:
    viby = make_club("Viby")
    Role.objects.create(club=viby, account=make_account("vera"), kind="organiser")
    client = Client()
    client.force_login(Role.objects.get(club=viby).account)
    response = client.get(f"/clubs/viby/{address.format(**ids)}")
    assert response.status_code == 404
    assert not any(secret in response.content.decode() for secret in SECRETS)


def test_a_players_memberships_in_clubs_that_are_not_mine_are_not_shown(as_alice, club, ids) -> None:
    player = Membership.objects.get(pk=ids["member"]).player
    for name in ("Viby", "Hemmelig Klub"):
        player.memberships.create(club=make_club(name), joined="2020-01-01")
    Role.objects.create(club=player.memberships.get(club__name="Viby").club, account=club.roles.get().account)
    page = as_alice.get(f"/clubs/stilling/members/{ids['member']}/").content.decode()
    assert "Viby" in page
    assert "Hemmelig Klub" not in page


def test_an_uploaded_list_is_its_uploaders_only(as_alice, club, alice) -> None:
    bob = make_account("bob", club)
    waiting = MemberImport.objects.create(
        club=club,
        account=bob,
        file_name="x",
        contents={"columns": [["name", "Navn"]], "ignored": [], "lines": [[2, ["Hemmelig"]]]},
        joined="2026-01-01",
        made_at="2026-01-01T00:00Z",
    )
    response = as_alice.get(f"/clubs/stilling/import/{waiting.pk}/", follow=True)
    assert response.redirect_chain[-1][0] == "/clubs/stilling/"
    assert "Hemmelig" not in response.content.decode()


def test_my_clubs_are_those_i_have_a_role_in(as_charlie, as_alice, club) -> None:
    assert "Stilling" not in as_charlie.get("/clubs/").content.decode()
    assert "Stilling" in as_alice.get("/clubs/").content.decode()


@pytest.mark.parametrize(
    ("who", "status"), [("nobody", 302), ("charlie", 403), ("organiser", 403), ("union", 200), ("owner", 200)]
)
def test_who_may_add_a_club(club, who, status) -> None:
    assert client_of(who, club).get("/clubs/new/").status_code == status


def test_a_unions_helper_sees_no_member_list_of_its_clubs(club, ids) -> None:
    union = make_club("Union")
    affiliate(club, union)
    make_player("Ulla Union", union, 3)
    helper = Client()
    helper.force_login(make_account("ulla", union, "helper"))
    assert helper.get(f"/clubs/stilling/members/{ids['member']}/").status_code == 403
    for address in ("/clubs/stilling/", "/clubs/stilling/?who=all&q=anna", "/desk/find/?q=anna"):
        page = helper.get(address)
        assert page.status_code == 200
        assert not any(secret in page.content.decode() for secret in SECRETS)
    assert "Ulla Union" in helper.get("/clubs/union/").content.decode()  # of the union itself


def test_a_unions_page_counts_the_people_of_its_clubs(club) -> None:
    union = make_club("Union")
    viby = make_club("Viby", union)
    affiliate(club, union)
    anna = make_player("Anna", club, 1)
    anna.memberships.create(club=viby, joined="2020-01-01")
    make_player("Bo", viby, 2)
    make_player("Carl", viby, 3).memberships.update(left="2021-01-01")
    organiser = Client()
    organiser.force_login(make_account("ulla", union))
    page = words(organiser.get("/clubs/union/").content.decode())
    assert "Its clubs have 2 members" in page
    assert "0 persons" not in page
    make_player("Dora", union, 4)
    assert "1 person" in words(organiser.get("/clubs/union/").content.decode())
