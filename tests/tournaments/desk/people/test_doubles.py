"""Who may be one person in two lists is proposed with what speaks for and against, joined, and taken apart again."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from clubs.models import Account, Affiliation, ClubLogEntry, Membership, Player
from tests.factories import affiliate, make_account, make_club, make_player, make_tournament
from tests.pages import text
from tests.tournaments.entries.merged import rows_of_people
from tournaments.entries import entering, merging
from tournaments.entries.merging import find_doubles
from tournaments.models import PlayerMerge, TwoPeople
from tournaments.models.people import UNDONE_WITHIN

pytestmark = pytest.mark.databases

DOUBLES = "/clubs/fyns-forbund/doubles/"


@pytest.fixture
def union(club):
    """A union that gets names alone of Stilling and Viby."""
    union = make_club("Fyns Forbund")
    for one in (club, make_club("Viby")):
        affiliate(one, union)
    Affiliation.objects.update(gives="names")
    return union


@pytest.fixture
def viby(union):
    return union.clubs.get(name="Viby")


@pytest.fixture
def ulla(union):
    return make_account("ulla", union)


@pytest.fixture
def as_ulla(ulla):
    browser = Client()
    browser.force_login(ulla)
    return browser


@pytest.fixture
def two(club, viby):
    return make_player("Anna Holm", club, 1), make_player("Anna Holm", viby, 9)


def enter(player, day, club, **fields):
    account = Account.objects.order_by("pk").first()
    tournament = make_tournament(0, club=club, account=account, drawn=False, date=day, **fields)
    return entering.enter(tournament, player, club=None, account=None, now=timezone.now())


def proposed(union):
    return [(one.one.name, one.other.name, one.speaks_for, one.speaks_against) for one in find_doubles(union)]


@pytest.mark.parametrize("other", ["Viggo Ostergard", "Vigo Östergård", "Østergard Viggo"])
def test_a_name_that_is_only_spelled_in_another_way_is_proposed_to_the_union(union, club, viby, other):
    make_player("Viggo Østergaard", club, 11)
    make_player(other, viby, 12)
    (found,) = find_doubles(union)
    assert found.speaks_for == ["Their names are spelled differently, but sound the same."]


def test_people_of_one_name_are_proposed(union, two):
    assert proposed(union) == [("Anna Holm", "Anna Holm", ["They have the same name."], [])]


@pytest.mark.parametrize(
    ("other", "fields", "said"),
    [
        ("Holm Anna", {}, ["They have the same name."]),
        ("Anne Holm", {"email": "A@x.dk"}, ["Their names are alike.", "They have the same email."]),
        (
            "Anne Holm",
            {"phone": "+45 20304050"},
            ["Their names are alike.", "They have the same phone number."],
        ),
        ("Bo Lund", {"email": "A@x.dk"}, ["They have the same email."]),
        ("Holm Anna", {"birth_year": 1950}, ["They have the same name.", "They were born in the same year."]),
        ("Anne Holm", {"birth_year": 1950}, None),
        ("Anne Holm", {}, None),
        ("Bo Lund", {"phone": "20304050"}, None),
        ("Bo Lund", {}, None),
    ],
)
def test_a_name_alone_that_is_only_alike_is_not_enough(union, two, other, fields, said):
    Player.objects.filter(pk=two[0].pk).update(email="a@x.dk", phone="20 30 40 50", birth_year=1950)
    Player.objects.filter(pk=two[1].pk).update(name=other, **fields)
    assert [one[2] for one in proposed(union)] == ([said] if said else [])


@pytest.mark.parametrize(("sharing", "pairs"), [(2, 1), (4, 6), (5, 0)])
def test_an_email_that_many_share_makes_nobody_one_person(union, club, sharing, pairs):
    for number, name in enumerate(["Bo Lund", "Karen Vig", "Ejnar Toft", "Ulla Sand", "Jytte Mørk"], 1):
        player = make_player(name, club, number)
        Player.objects.filter(pk=player.pk).update(email="a@x.dk" if number <= sharing else "")
    assert [one[2] for one in proposed(union)] == [["They have the same email."]] * pairs


def test_a_number_of_one_club_and_a_move_are_evidence(union, viby, two):
    first, second = two
    Player.objects.filter(pk=second.pk).update(name="Anne Holm")
    Membership.objects.filter(player=first).update(
        club=viby, number=9, joined=date(2020, 1, 1), left=date(2024, 1, 1)
    )
    Membership.objects.filter(player=second).update(joined=date(2024, 2, 1))
    ((_one, _other, speaks_for, against),) = proposed(union)
    assert speaks_for == [
        "Their names are alike.",
        "They had the same number in Viby.",
        "Left Viby on 1 January 2024, joined Viby on 1 February 2024.",
    ]
    assert against == []


def test_evenings_on_one_day_and_one_club_at_one_time_speak_against_and_come_last(union, club, viby, two):
    make_player("Bo Lund", club, 2), make_player("Bo Lund", viby, 2)
    day = date(2026, 9, 1)
    for player, host in zip(two, (club, viby), strict=True):
        enter(player, day, host)
    Membership.objects.create(player=two[1], club=club, number=30, joined=date(2021, 1, 1))
    last = proposed(union)[-1]
    assert [one[0] for one in proposed(union)] == ["Bo Lund", "Anna Holm"]
    assert last[3] == [
        "Both are entered in a tournament on the same day: 1 September 2026.",
        "Both were members of Stilling at the same time.",
    ]


def test_people_of_one_name_who_were_born_in_different_years_are_told_of(union, two):
    for player, year in zip(two, (1950, 1982), strict=True):
        Player.objects.filter(pk=player.pk).update(birth_year=year)
    assert proposed(union)[0][3] == ["They were born in different years."]


def test_who_played_in_one_tournament_is_not_proposed(union, club, two):
    entry = enter(two[0], date(2026, 9, 1), club)
    entering.enter(entry.tournament, two[1], club=None, account=None, now=timezone.now())
    assert proposed(union) == []


def test_a_club_that_gives_no_names_is_not_looked_through(union, viby, two):
    Affiliation.objects.filter(club=viby).update(gives="nothing")
    assert proposed(union) == []


def test_a_club_finds_who_is_twice_in_its_own_list(club, as_alice):
    make_player("Bo Lund", club, 2), make_player("Bo Lund", club, 3)
    assert "Both were members of Stilling at the same time" in text(as_alice.get("/clubs/stilling/doubles/"))


def page_of(two):
    return f"{DOUBLES}{two[0].pk}/{two[1].pk}/"


def test_they_are_compared_joined_and_taken_apart(union, as_ulla, two):
    before = rows_of_people()
    assert page_of(two) in as_ulla.get(DOUBLES).content.decode()
    shown = text(as_ulla.get(page_of(two)))
    assert "Stilling, No. 1" in shown
    assert "Viby, No. 9" in shown
    assert "The same name" not in shown
    assert "Anna Holm is now one person." in text(as_ulla.post(page_of(two), follow=True))
    merged = PlayerMerge.objects.get()
    assert (merged.desk, merged.kept, merged.gone) == (union, two[0].pk, two[1].pk)
    logs = ClubLogEntry.objects.filter(text__contains="listed twice")
    assert sorted(logs.values_list("club__name", flat=True)) == ["Fyns Forbund", "Stilling", "Viby"]
    undo = f"{DOUBLES}undo/{merged.pk}/"
    assert undo in as_ulla.get(DOUBLES).content.decode()
    assert "two people after all?" in text(as_ulla.get(undo))
    assert "are two people again" in text(as_ulla.post(undo, follow=True))
    assert rows_of_people() == before


def test_emails_and_phones_are_not_shown_to_a_union_that_gets_names(as_ulla, two):
    Player.objects.update(email="anna@example.org", phone="20304050")
    shown = as_ulla.get(page_of(two)).content.decode()
    assert "They have the same email." in shown
    assert "anna@example.org" not in shown
    assert "20304050" not in shown


def test_a_double_tap_joins_once_and_an_undo_of_what_is_undone_is_told(as_ulla, two):
    as_ulla.post(page_of(two))
    assert "They have already been merged." in text(as_ulla.post(page_of(two), follow=True))
    undo = f"{DOUBLES}undo/{PlayerMerge.objects.get().pk}/"
    as_ulla.post(undo)
    for ask in (as_ulla.post, as_ulla.get):
        assert "Ulla undid this on" in text(ask(undo, follow=True))
    assert Player.objects.filter(name="Anna Holm").count() == 2


def test_what_came_since_is_named_before_and_after(as_ulla, club, two):
    as_ulla.post(page_of(two))
    enter(two[0], date(2026, 9, 1), club, name="Høst")
    undo = f"{DOUBLES}undo/{PlayerMerge.objects.get().pk}/"
    said = "Høst has been entered since, and stays with Anna Holm."
    assert said in text(as_ulla.get(undo))
    assert said in text(as_ulla.post(undo, follow=True))


def test_after_sixty_days_there_is_no_button_and_the_reason(as_ulla, two):
    as_ulla.post(page_of(two))
    PlayerMerge.objects.update(merged_at=timezone.now() - UNDONE_WITHIN - timedelta(minutes=1))
    undo = f"{DOUBLES}undo/{PlayerMerge.objects.get().pk}/"
    listed = as_ulla.get(DOUBLES)
    assert "more than 60 days ago" in text(listed)
    assert undo not in listed.content.decode()
    assert "more than 60 days ago" in text(as_ulla.post(undo, follow=True))
    assert Player.objects.filter(name="Anna Holm").count() == 1


def test_who_is_two_people_is_not_proposed_again(union, as_ulla, two):
    for one, other in (two, two[::-1]):
        as_ulla.post(f"{DOUBLES}{one.pk}/{other.pk}/apart/")
    assert (TwoPeople.objects.count(), proposed(union)) == (1, [])
    assert ClubLogEntry.objects.filter(text="{member} and {other} are two people").count() == 1


def test_a_member_of_a_club_outside_the_union_is_not_joined_by_it(as_ulla, two):
    stranger = make_club("Odense")
    Membership.objects.create(player=two[1], club=stranger, joined=date(2020, 1, 1))
    assert "is also a member of Odense" in text(as_ulla.get(page_of(two)))
    assert "is also a member of Odense" in text(as_ulla.post(page_of(two), follow=True))
    assert not PlayerMerge.objects.exists()


def test_on_a_members_page_a_union_joins_whom_it_may_join(as_ulla, union, two):
    own = make_player("Anna Holm", union, 3).memberships.get()
    of_both = Membership.objects.create(player=two[1], club=union, joined=date(2020, 1, 1))
    page = f"/clubs/fyns-forbund/members/{own.pk}/same/?other={of_both.pk}"
    asked = as_ulla.get(page)
    assert "which you do not organise" not in text(asked)
    assert "They are the same person" in text(asked)
    assert "Anna Holm is now one person." in text(as_ulla.post(page, follow=True))


def test_a_page_of_people_who_are_not_the_unions_is_not_there(as_ulla, two):
    stranger = make_player("Anna Holm")
    for one, other in ((two[0], stranger), (two[0], two[0])):
        page = f"{DOUBLES}{one.pk}/{other.pk}/"
        assert [as_ulla.get(page).status_code, as_ulla.post(page).status_code] == [404, 404]
        assert as_ulla.post(f"{page}apart/").status_code == 404


@pytest.mark.parametrize("number", ["0", "9" * 30])
def test_numbers_that_nobody_has_are_not_there(as_ulla, two, number):
    there = two[0].pk
    for page in (f"{there}/{number}/", f"{number}/{there}/", f"{number}/{there}/apart/", f"undo/{number}/"):
        assert as_ulla.post(DOUBLES + page).status_code == 404
    for page in (f"register/people/{number}/", f"erasures/{number}/keep/", f"members/{number}/main/"):
        assert as_ulla.post(f"/clubs/fyns-forbund/{page}").status_code == 404


def test_a_club_does_not_undo_what_the_union_has_joined(as_ulla, as_alice, two):
    as_ulla.post(page_of(two))
    merged = PlayerMerge.objects.get()
    assert as_alice.post(f"/clubs/stilling/doubles/undo/{merged.pk}/").status_code == 404
    assert as_alice.post(f"{DOUBLES}undo/{merged.pk}/").status_code == 403


def test_evenings_are_read_of_those_alone_who_may_be_one_person(club, union, two, monkeypatch):
    """Many have similar names: their evenings would be most of all that there are."""
    make_player("Anne Holm", club, 2)
    read = []
    monkeypatch.setattr(merging, "_read_evenings", lambda _people, of: read.append(set(of)))
    assert [(one.one.pk, one.other.pk) for one in find_doubles(union)] == [
        tuple(sorted(one.pk for one in two))
    ]
    assert read == [{one.pk for one in two}]
