"""Founding and changing clubs, a union's clubs, and the table of members."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from clubs.clubs import free_slug
from clubs.models import Account, Club, Membership, Role
from tests.factories import affiliate, make_account, make_club, make_player


@pytest.fixture
def as_owner(db) -> Client:
    client = Client()
    client.force_login(Account.objects.create_user("owner", is_superuser=True))
    return client


def found(page) -> list[str]:
    return [row.record.player.name for row in page.context["table"].paginated_rows]


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Stilling", "stilling-2"),
        ("Østjysk L'Hombre Klub", "oestjysk-l-hombre-klub"),
        ("new", "new-2"),
        ("Login", "login-2"),
        ("🂡", "club"),
        ("x" * 120, "x" * 35),
    ],
)
def test_a_club_gets_an_address_of_its_own(club, name, slug) -> None:
    assert free_slug(name) == slug


def test_the_owner_adds_a_club(as_owner) -> None:
    said = {"name": " Viby  L'Hombre ", "town": "Viby", "name_style": "initial"}
    assert as_owner.post("/clubs/new/", said).headers["Location"] == "/clubs/viby-l-hombre/"
    club = Club.objects.get()
    assert (club.name, club.town, club.name_style) == ("Viby L'Hombre", "Viby", "initial")
    assert not club.unions.exists()


def test_a_unions_organiser_adds_a_club_to_it(club) -> None:
    union = make_club("Union")
    affiliate(club, union)
    client = Client()
    client.force_login(make_account("uwe", union))
    said = {"name": "Viby", "name_style": "full"}
    assert "union" in client.post("/clubs/new/", said).context["form"].errors
    foreign = make_club("Foreign")
    assert "union" in client.post("/clubs/new/", said | {"union": foreign.pk}).context["form"].errors
    client.post("/clubs/new/", said | {"union": union.pk})
    assert Club.objects.get(name="Viby").unions.get() == union


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "stilling"}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"town": "x" * 81}, "town"),
        ({"name_style": "secret"}, "name_style"),
    ],
)
def test_a_wrong_club_keeps_what_was_typed(as_owner, club, said, field) -> None:
    said = {"name": "Viby", "town": "Aarhus", "name_style": "full"} | said
    page = as_owner.post("/clubs/new/", said)
    assert list(page.context["form"].errors) == [field]
    assert f'value="{said["town"]}"' in page.content.decode()
    assert Club.objects.count() == 1


def test_changing_a_club_keeps_its_address_and_its_union(as_alice, club) -> None:
    affiliate(club, make_club("Union"))
    as_alice.post("/clubs/stilling/edit/", {"name": "Stilling og omegn", "name_style": "number"})
    club.refresh_from_db()
    assert (club.name, club.slug, club.name_style, club.unions.get().name) == (
        "Stilling og omegn",
        "stilling",
        "number",
        "Union",
    )


def test_a_unions_page_shows_its_clubs_with_their_members(club, as_owner) -> None:
    union = make_club("Union")
    affiliate(club, union)
    for number in (1, 2):
        make_player(f"Player {number}", club, number)
    Membership.objects.filter(number=1).update(left=date(2024, 1, 1))
    page = as_owner.get("/clubs/union/")
    assert [(shown.name, shown.members) for shown in page.context["clubs"]] == [("Stilling", 1)]
    assert reverse("club", args=["stilling"]) in page.content.decode()


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["Bo Krogh", "Zita Dam", "Ærø Holm", "Øjvind Lund"]),
        ("?q=ØJVIND", ["Øjvind Lund"]),
        ("?q=aeroe", ["Ærø Holm"]),
        ("?q=12", ["Zita Dam"]),
        ("?q=1", []),
        ("?q=nobody", []),
        ("?who=former", ["Anna Gået"]),
        ("?who=all", ["Anna Gået", "Bo Krogh", "Zita Dam", "Ærø Holm", "Øjvind Lund"]),
        ("?sort=-name", ["Øjvind Lund", "Ærø Holm", "Zita Dam", "Bo Krogh"]),
        ("?sort=number", ["Ærø Holm", "Zita Dam", "Bo Krogh", "Øjvind Lund"]),
        ("?sort=password", ["Bo Krogh", "Zita Dam", "Ærø Holm", "Øjvind Lund"]),
        ("?page=99&who=x%00", ["Anna Gået", "Bo Krogh", "Zita Dam", "Ærø Holm", "Øjvind Lund"]),
    ],
)
def test_members_are_searched_and_sorted(as_alice, club, query, names) -> None:
    for number, name in (
        (13, "Bo Krogh"),
        (12, "Zita Dam"),
        (11, "Ærø Holm"),
        (14, "Øjvind Lund"),
        (15, "Anna Gået"),
    ):
        make_player(name, club, number)
    Membership.objects.filter(number=15).update(left=date(2024, 1, 1))
    assert found(as_alice.get(f"/clubs/stilling/{query}")) == names


def test_who_leaves_some_day_is_a_member_until_then(as_alice, club) -> None:
    make_player("Anna", club, 1).memberships.update(left=date(2999, 1, 1))
    assert found(as_alice.get("/clubs/stilling/")) == ["Anna"]


def test_fifty_members_are_shown_on_a_page(as_alice, club) -> None:
    for number in range(1, 53):
        make_player(f"Player {number:02}", club, number)
    assert len(found(as_alice.get("/clubs/stilling/"))) == 50
    second = as_alice.get("/clubs/stilling/?sort=name&page=2")
    assert found(second) == ["Player 51", "Player 52"]
    assert 'aria-current="page">2<' in second.content.decode()
    assert 'aria-sort="ascending"' in second.content.decode()


def test_the_page_asks_the_database_as_often_for_many_members_as_for_one(
    as_alice, club, django_assert_num_queries
) -> None:
    make_player("Anna", club, 1)
    with CaptureQueriesContext(
        connection,
    ) as few:
        as_alice.get("/clubs/stilling/")
    for number in range(2, 12):
        make_player(f"Player {number}", club, number)
    with django_assert_num_queries(len(few)):
        as_alice.get("/clubs/stilling/")


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", 'Ole "Skak" Ø\'Hara 🂡', "x" * 200])
def test_a_strange_name_stays_text_on_every_page(as_alice, club, name) -> None:
    member = make_player(name, club, 1).memberships.get()
    for address in ("", f"members/{member.pk}/", f"members/{member.pk}/edit/", f"members/{member.pk}/leave/"):
        page = as_alice.get(f"/clubs/stilling/{address}").content.decode()
        assert escape(name) in page
        assert "<script>alert" not in page


def test_a_helper_sees_no_buttons_that_are_not_for_them(club) -> None:
    client = Client()
    client.force_login(make_account("helper", club, Role.Kind.HELPER))
    make_player("Anna", club, 1)
    page = client.get("/clubs/stilling/").content.decode()
    assert "Anna" in page
    assert not any(address in page for address in ("/import/", "/roles/", "/members.csv", "/edit/", "/new/"))


def test_a_club_says_where_it_is_counted_and_whether_search_engines_may_list_it(as_alice, club) -> None:
    form = as_alice.get("/clubs/stilling/edit/").context["form"]
    assert (form["statistics"].value(), form["is_findable"].value()) == ("everywhere", False)
    said = {"name": club.name, "name_style": "full"}
    as_alice.post("/clubs/stilling/edit/", said | {"statistics": "club", "is_findable": "on"})
    club.refresh_from_db()
    assert (club.statistics, club.is_findable) == ("club", True)
    as_alice.post("/clubs/stilling/edit/", said | {"is_findable": "on"})
    club.refresh_from_db()
    assert club.statistics == "club", "a form that does not say leaves it"
    page = as_alice.post("/clubs/stilling/edit/", said | {"statistics": "secret"})
    assert list(page.context["form"].errors) == ["statistics"]


def ways(browser, club):
    """The ways from a club's page: those in sight, and those under More."""
    text = browser.get(reverse("club", args=[club.slug])).content.decode()
    nav = text[text.index('<ul class="ways-list">') :].partition("</nav>")[0]
    in_sight, more = nav.split('<details class="more-ways">')
    return in_sight.count("<li>"), more.count("<li>")


def test_a_clubs_page_begins_with_five_ways_and_more(as_alice, as_helper, club):
    assert ways(as_alice, club) == (5, 16)
    assert ways(as_helper, club) == (2, 4)


def test_achievements_are_off_until_a_club_wants_them():
    assert Club().shows_achievements is False
