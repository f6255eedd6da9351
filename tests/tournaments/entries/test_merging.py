"""Somebody who stands in the members' list twice becomes one person, with everything of both."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Membership, Player
from core.errors import NotPossible
from tests.evenings import make_evening, play_evening
from tests.factories import affiliate, made_once, make_account, make_club, make_player
from tests.pages import text, words
from tournaments.entries.merging import merge
from tournaments.exports.verify.recount import differences
from tournaments.models import Award, Entry, MergedPlayer, Season
from tournaments.people.person import over_the_years
from tournaments.seasons.ratings import ratings

pytestmark = pytest.mark.databases


@pytest.fixture
def twice(club, alice):
    """Anna Holm, who has played the first evening, and Anna Holm Jensen, who has played the second: one human."""
    others = [make_player(name, club, number) for number, name in enumerate(("Bo", "Carl", "Dora"), 2)]
    anna, again = make_player("Anna Holm", club), make_player("Anna Holm Jensen", club, 9)
    Player.objects.filter(pk=again.pk).update(email="anna@example.dk", has_objected=False)
    again.refresh_from_db()

    def play():
        for player, day in ((anna, date(2025, 3, 1)), (again, date(2026, 3, 1))):
            made = play_evening(make_evening([player, *others], club, alice, date=day), alice, seed=day.year)
        return made

    players = [anna, again, *others]
    made_once("twice", [club, alice, *players, *(player.memberships.get() for player in players)], play)
    return anna, again


def address(player, other=None):
    member = Membership.objects.get(player=player)
    page = reverse("member_same", args=[member.club.slug, member.pk])
    return f"{page}?other={Membership.objects.get(player=other).pk}" if other else page


def test_two_lines_of_the_list_become_one_person(as_alice, twice, club):
    anna, again = twice
    season = Season.objects.create(host=club, name="Vinter", starts="2025-09-01", ends="2026-05-01")
    Award.objects.create(season=season, player=again, title="Jokum")
    before = {entry.pk: (entry.number, entry.tournament_id) for entry in Entry.objects.all()}
    tables = ratings(club)[anna.pk].tables + ratings(club)[again.pk].tables
    assert "Anna Holm Jensen" in text(as_alice.get(address(anna)))
    asked = words(text(as_alice.get(address(anna, again))))
    assert "1 evening of Anna Holm Jensen moves to Anna Holm, with its results" in asked
    assert "For 60 days this can be undone" in asked
    as_alice.post(address(anna, again))
    assert not Player.objects.filter(pk=again.pk).exists()
    assert {entry.pk: (entry.number, entry.tournament_id) for entry in Entry.objects.all()} == before
    anna.refresh_from_db()
    held = anna.memberships.get()
    assert (anna.name, anna.email, held.number) == ("Anna Holm", "anna@example.dk", 9)
    assert [one.day.year for one in over_the_years(anna).evenings] == [2025, 2026]
    assert anna.awards.get().title == "Jokum"
    assert ratings(club)[anna.pk].tables == tables
    for evening in club.tournaments.all():
        assert [str(one) for one in differences(evening)] == []
        assert "Anna Holm" in text(as_alice.get(reverse("standings", args=[evening.code])))
    assert "listed twice" in text(as_alice.get(reverse("club_log", args=[club.slug])))
    moved = club.tournaments.get(date__year=2026)
    assert "listed twice" in text(as_alice.get(reverse("desk_log", args=[moved.code])))


def test_who_were_at_one_evening_are_two(as_alice, twice):
    anna, _again = twice
    bo = Player.objects.get(name="Bo")
    page = as_alice.post(address(anna, bo), follow=True)
    assert "both played in Efterårsturnering on 1 March 2025: they are two people." in text(page)
    assert Player.objects.count() == 5
    assert "they are two people" in text(as_alice.get(address(anna, bo), follow=True))


def test_another_clubs_member_is_asked_for_there(as_alice, twice):
    anna, again = twice
    viby = make_club("Viby")
    Membership.objects.create(player=again, club=viby, joined=date(2020, 1, 1))
    stilling = Membership.objects.get(player=again, club__slug="stilling").pk
    page = as_alice.post(f"{address(anna)}?other={stilling}", follow=True)
    assert "is also a member of Viby, which you do not organise" in text(page)
    assert Player.objects.filter(pk=again.pk).exists()


@pytest.mark.parametrize("other", ["", "0", "999999", "x", "self"])
def test_nobody_is_made_one_with_nobody(as_alice, twice, other):
    anna, _again = twice
    own = str(Membership.objects.get(player=anna).pk)
    page = f"{address(anna)}?other={other.replace('self', own)}"
    assert as_alice.get(page).status_code == 200
    assert "First choose the other entry." in text(as_alice.post(page, follow=True))
    assert Player.objects.count() == 5


def test_who_wants_no_page_wants_none_as_one_person(as_alice, twice):
    anna, again = twice
    Player.objects.filter(pk=again.pk).update(has_objected=True)
    page = address(anna, again)
    as_alice.post(page)
    anna.refresh_from_db()
    assert anna.has_objected
    # The second of two clicks finds nobody to be one with.
    assert "First choose the other entry." in text(as_alice.post(page, follow=True))


def test_both_numbers_lead_to_the_one_page(as_alice, client, twice):
    anna, again = twice
    bo = Player.objects.get(name="Bo")
    as_alice.post(address(anna, again))
    kept, gone = anna.pk, again.pk
    moved = {
        f"/person/{gone}/?year=2025": f"/person/{kept}/?year=2025",
        f"/person/{gone}/evenings/": f"/person/{kept}/evenings/",
        f"/person/{gone}/met/": f"/person/{kept}/met/",
        f"/person/{gone}/picture.png": f"/person/{kept}/picture.png",
        f"/person/{gone}/explorer/games.csv": f"/person/{kept}/explorer/games.csv",
        f"/person/{gone}/with/{bo.pk}/": f"/person/{kept}/with/{bo.pk}/",
        f"/person/{bo.pk}/with/{gone}/": f"/person/{bo.pk}/with/{kept}/",
        f"/person/{kept}/with/{gone}/": f"/person/{kept}/",
    }
    for old, new in moved.items():
        answer = client.get(old)
        assert (answer.status_code, answer["Location"]) == (301, new)
        assert client.get(new).status_code == 200
    # The page of the evening has the number that they had there.
    evening = Entry.objects.get(player=anna, tournament__date__year=2026)
    page = client.get(f"/t/{evening.tournament.code}/player/{evening.number}/").content.decode()
    assert f'href="/person/{kept}/"' in page
    # Somebody who has no page is led to by none of their numbers.
    anna.refresh_from_db()
    anna.has_objected = True
    anna.save()
    assert {client.get(old).status_code for old in moved} == {404}
    assert client.get(f"/person/{2**70}/").status_code == 404


def test_who_is_one_with_another_again_leads_to_who_is_left(client, twice, club, alice):
    anna, again = twice
    third = make_player("A. Holm", club, 77)
    when = {"account": alice, "now": timezone.now()}
    merge(again, anna, **when)
    merge(third, again, **when)
    assert MergedPlayer.objects.filter(player=third).count() == 2
    assert client.get(f"/person/{anna.pk}/")["Location"] == f"/person/{third.pk}/"


@pytest.mark.parametrize("turned", [False, True], ids=["the same once more", "the other way around"])
def test_of_two_who_make_them_one_at_once_one_wins_and_the_other_is_told(
    as_alice, twice, alice, club, turned
):
    """Both have read them before either is done: what is kept is of the first, and nothing is moved again."""
    anna, again = twice
    when = {"account": alice, "now": timezone.now()}
    merge(*(Player.objects.get(pk=one.pk) for one in (anna, again)), **when)
    before = [[*model.objects.order_by("pk").values()] for model in (Player, Membership, Entry, MergedPlayer)]
    with pytest.raises(NotPossible, match="Anna Holm Jensen is no longer in the list"):
        merge(*((again, anna) if turned else (anna, again)), **when)
    assert before == [
        [*model.objects.order_by("pk").values()] for model in (Player, Membership, Entry, MergedPlayer)
    ]


def test_a_line_that_is_no_more_says_so(as_alice, twice, club):
    anna, again = twice
    page, other = address(again), Membership.objects.get(player=anna).pk
    as_alice.post(address(anna, again))
    for ask in (as_alice.get, as_alice.post):
        assert "This entry no longer exists." in text(ask(f"{page}?other={other}", follow=True))
    assert Player.objects.count() == 4


def test_a_union_finds_former_members_of_its_other_clubs_and_joins_the_two_lines(club):
    union = make_club("Fyns Forbund")
    affiliate(club, union)
    viby = make_club("Viby", union)
    orla, again = make_player("Orla Iversen", club, 3), make_player("Orla Iversen", viby, 7)
    again.memberships.update(left=date(2026, 5, 1))
    stranger = make_player("Orla Iversen", make_club("Odder"), 9)
    as_union = Client()
    as_union.force_login(make_account("uwe", union))
    found = as_union.get(address(orla)).context["found"]
    assert [one.player for one in found] == [again]
    assert "Viby · No. 7" in words(text(as_union.get(address(orla))))
    as_union.post(address(orla, again))
    assert {one.club for one in orla.memberships.all()} == {club, viby}
    assert Player.objects.filter(pk=stranger.pk).exists()


def test_a_club_finds_nobody_of_another_club(as_alice, club):
    union = make_club("Fyns Forbund")
    affiliate(club, union)
    orla, other = (
        make_player("Orla Iversen", club, 3),
        make_player("Orla Iversen", make_club("Viby", union), 7),
    )
    assert list(as_alice.get(address(orla)).context["found"]) == []
    as_alice.post(address(orla, other))
    assert Player.objects.filter(pk=other.pk).exists()
