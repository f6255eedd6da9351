"""Who left all clubs years ago is proposed for erasing; an organiser decides, and nobody is erased by the clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from clubs.models import Club, ClubLogEntry, Membership, Player
from core.errors import UserError
from tests.evenings import make_evening
from tests.factories import affiliate, make_account, make_club, make_player, make_tournament
from tests.pages import text, words
from tournaments.entries import entering
from tournaments.entries.erasing import keep_person, proposals_of, propose_erasures, years_before
from tournaments.entries.personal_data import erase
from tournaments.management.commands import jobs
from tournaments.models import ErasureProposal, Round, Tournament

pytestmark = pytest.mark.databases

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
TODAY = date(2026, 11, 28)
FIVE_YEARS_AGO = date(2021, 11, 28)
ERASURES = "/clubs/stilling/erasures/"


@pytest.fixture
def anna(club):
    """A former member who left on the day five years ago."""
    anna = make_player("Anna Holm", club, 1)
    Membership.objects.filter(player=anna).update(left=FIVE_YEARS_AGO)
    return anna


def proposed(now=NOW):
    propose_erasures(now)
    return [(one.player.name, one.club.name, one.left) for one in ErasureProposal.objects.all()]


def test_who_left_all_clubs_five_years_ago_is_proposed_and_nobody_is_erased(club, anna):
    make_player("Bo", club, 2)
    assert proposed(NOW - timedelta(days=1)) == []
    for _again in range(2):
        assert proposed() == [("Anna Holm", "Stilling", FIVE_YEARS_AGO)]
    assert Player.objects.filter(name="Anna Holm").exists()
    assert propose_erasures in {done for again in jobs.DUE for done in again.does}


@pytest.mark.parametrize(
    ("own", "of_union", "is_due"),
    [
        (None, None, True),
        (6, None, False),
        (None, 6, False),
        (5, 6, True),
        (0, None, False),
        (None, 0, False),
    ],
)
def test_the_club_decides_after_how_many_years_else_its_union(club, anna, own, of_union, is_due):
    union = make_club("Unionen")
    affiliate(club, union)
    Club.objects.filter(pk=club.pk).update(erase_after=own)
    Club.objects.filter(pk=union.pk).update(erase_after=of_union)
    assert bool(proposed()) is is_due


def test_the_club_that_they_left_last_decides(anna):
    viby = make_club("Viby")
    later = FIVE_YEARS_AGO + timedelta(days=400)
    Membership.objects.create(player=anna, club=viby, joined=date(2015, 1, 1), left=later)
    assert proposed() == []
    Club.objects.filter(pk=viby.pk).update(erase_after=2)
    assert proposed() == [("Anna Holm", "Viby", later)]


def test_a_proposal_follows_the_club_that_they_left_last(anna):
    assert proposed() == [("Anna Holm", "Stilling", FIVE_YEARS_AGO)]
    viby, earlier = make_club("Viby"), FIVE_YEARS_AGO - timedelta(days=9)
    ErasureProposal.objects.update(kept_until=TODAY, kept_by="Alice")
    Membership.objects.filter(player=anna).update(club=viby, left=earlier)
    assert proposed() == [("Anna Holm", "Viby", earlier)]
    assert ErasureProposal.objects.get().kept_by == "Alice"


def test_who_is_in_no_list_of_the_club_any_more_is_not_on_its_page(as_alice, club, anna):
    propose_erasures(timezone.now())
    Membership.objects.filter(player=anna).update(club=make_club("Viby"))
    page = as_alice.get(ERASURES)
    assert page.status_code == 200
    assert "Anna Holm" not in text(page)


def test_who_is_a_member_elsewhere_or_has_played_since_is_not_proposed(club, anna):
    assert proposed()
    tournament = make_tournament(0, club=club, drawn=False, date=FIVE_YEARS_AGO + timedelta(days=1))
    entry = entering.enter(tournament, anna, club=None, account=None, now=NOW)
    assert proposed() == []
    entry.delete()
    assert proposed()
    Membership.objects.create(player=anna, club=make_club("Viby"), joined=date(2025, 1, 1))
    assert proposed() == []


def test_the_last_match_of_a_league_counts_and_not_its_first_day(club, anna, as_alice, alice):
    """A league goes on for months after the day that the tournament has."""
    first, last = FIVE_YEARS_AGO - timedelta(days=60), FIVE_YEARS_AGO + timedelta(days=1)
    four = [anna, *(make_player(name, club, 20 + at) for at, name in enumerate(("Bo", "Ea", "Ib")))]
    league = make_evening(four, club, alice, date=first)
    assert proposed()
    page = as_alice.get(ERASURES)
    assert page.context["people"][0][1] == first
    Tournament.objects.filter(pk=league.pk).update(state="running")
    Round.objects.filter(tournament=league).update(date=last, started_at=NOW)
    assert as_alice.get(ERASURES).context["people"][0][1] == last
    assert proposed() == []


def test_who_is_kept_is_proposed_again_a_year_later(club, anna, alice):
    propose_erasures(NOW)
    proposal = ErasureProposal.objects.get()
    keep_person(proposal, account=alice, now=NOW)
    keep_person(proposal, account=alice, now=NOW + timedelta(days=1))
    propose_erasures(NOW + timedelta(days=364))
    assert not proposals_of(club, TODAY + timedelta(days=364)).exists()
    assert proposals_of(club, TODAY + timedelta(days=365)).get() == proposal
    assert ClubLogEntry.objects.filter(text__startswith="Keeps the former member").count() == 1


def test_who_has_been_erased_meanwhile_is_not_kept(anna, alice):
    propose_erasures(NOW)
    proposal = ErasureProposal.objects.get()
    ErasureProposal.objects.all().delete()
    with pytest.raises(UserError, match="already been decided"):
        keep_person(proposal, account=alice, now=NOW)
    assert not ClubLogEntry.objects.exists()


@pytest.mark.parametrize(
    ("day", "years", "before"),
    [
        (date(2024, 2, 29), 1, date(2023, 2, 28)),
        (date(2024, 2, 29), 4, date(2020, 2, 29)),
        (date(2026, 11, 28), -1, date(2027, 11, 28)),
    ],
)
def test_years_are_those_of_the_calendar(day, years, before):
    assert years_before(day, years) == before


def test_who_is_erased_is_proposed_no_more(anna, alice):
    assert proposed()
    erase(anna, account=alice, today=TODAY, now=NOW)
    assert not ErasureProposal.objects.exists()
    assert proposed() == []


def test_an_organiser_keeps_or_erases_on_the_page(as_alice, club, anna):
    propose_erasures(timezone.now())
    page = as_alice.get(ERASURES)
    there = anna.memberships.get()
    assert "Anna Holm left Stilling on 28 November 2021" in words(page.content.decode())
    assert f"/clubs/stilling/members/{there.pk}/erase/" in page.content.decode()
    keep = f"{ERASURES}{ErasureProposal.objects.get().pk}/keep/"
    for _twice in range(2):
        assert "Anna Holm is kept for another year." in text(as_alice.post(keep, follow=True))
    assert "Anna Holm" not in text(as_alice.get(ERASURES))
    assert ClubLogEntry.objects.filter(text__startswith="Keeps the former member").count() == 1
    assert ErasureProposal.objects.get().kept_by == "Alice"


def test_a_union_sees_those_of_clubs_that_give_it_everything(client, club, anna):
    union, viby = make_club("Unionen"), make_club("Viby")
    affiliate(club, union)
    client.force_login(make_account("ulla", union))
    propose_erasures(timezone.now())
    assert "Anna Holm" in text(client.get("/clubs/unionen/erasures/"))
    club.affiliations.update(gives="names")
    assert "Anna Holm" not in text(client.get("/clubs/unionen/erasures/"))
    client.force_login(make_account("viggo", viby))
    keep = f"/clubs/viby/erasures/{ErasureProposal.objects.get().pk}/keep/"
    assert client.post(keep).status_code == 404


@pytest.mark.parametrize(
    ("typed", "stored"), [("", None), ("0", 0), ("7", 7), ("51", 3), ("-1", 3), ("x", 3)]
)
def test_the_club_chooses_the_years_on_its_page(as_alice, club, typed, stored):
    Club.objects.filter(pk=club.pk).update(erase_after=3)
    page = as_alice.get("/clubs/stilling/edit/")
    form = page.context["form"]
    sent = {name: form[name].value() or "" for name in form.fields} | {"erase_after": typed}
    sent = {name: value for name, value in sent.items() if value is not False}
    as_alice.post("/clubs/stilling/edit/", sent)
    club.refresh_from_db()
    assert club.erase_after == stored
