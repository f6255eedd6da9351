"""Transfers: asked for by adding somebody, answered by the old club or the union; silence is a yes."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from clubs.mail.kinds import render_letter
from clubs.models import Account, Affiliation, Club, Letter, Membership, Player, Transfer
from clubs.register import SILENCE, answer_by_silence, answer_transfer, last_played, request_transfer
from core.errors import UserError
from tests.evenings import make_evening
from tests.factories import affiliate, browser_of, make_account, make_club, make_player, make_tournament
from tests.pages import words
from tests.tournaments.seasons.test_season import make_teams
from tournaments.entries import entering
from tournaments.entries.merging import merge
from tournaments.entries.personal_data import erase
from tournaments.models import Match, Round, Seat, Tournament

DAY = date(2026, 11, 1)


@pytest.fixture
def union(club) -> Club:
    union = make_club("Fyns Forbund")
    affiliate(club, union)
    return union


@pytest.fixture
def viby(union) -> Club:
    return make_club("Viby", union)


@pytest.fixture
def orla(viby) -> Membership:
    """A member of Viby, whom Stilling would like to have."""
    player = make_player("Orla Iversen", viby, 7)
    Player.objects.filter(pk=player.pk).update(email="orla@example.dk", phone="12 34 56 78")
    return Membership.objects.select_related("player", "club").get(player=player)


@pytest.fixture
def vera(viby) -> Account:
    """Organises Viby."""
    return make_account("vera", viby)


def add(browser, membership, **said):
    typed = {"name": "orla iversen", "joined": DAY.isoformat(), "who": f"same-{membership.pk}"}
    return browser.post("/clubs/stilling/members/new/", typed | said)


def ask(club, alice, membership, **said) -> Transfer:
    how = {"day": DAY, "number": None, "account": alice, "now": timezone.now()} | said
    return request_transfer(membership, club, **how)


def test_adding_a_member_of_another_club_asks_for_a_transfer(as_alice, club, orla) -> None:
    page = add(as_alice, orla, who="").content.decode()
    assert "orla iversen, known to the union: ask for a transfer" in page
    for untold in ("Viby", "orla@example.dk", "12 34 56 78"):
        assert untold not in page
    answer = add(as_alice, orla, number="12")
    assert answer.headers["Location"] == "/clubs/stilling/transfers/"
    transfer = Transfer.objects.get()
    assert (transfer.player, transfer.origin, transfer.club, transfer.day, transfer.number, transfer.state) == (
        orla.player, orla.club, club, DAY, 12, "asked",
    )  # fmt: skip
    assert not club.memberships.exists()


def test_the_old_club_says_yes_at_its_desk(club, alice, orla, vera) -> None:
    transfer = ask(club, alice, orla, number=12)
    browser = browser_of(vera)
    assert "asks for the transfer of Orla Iversen" in words(browser.get("/desk/").content.decode())
    assert "asks for the transfer of Orla Iversen" in words(
        browser.get("/clubs/viby/transfers/").content.decode()
    )
    browser.post(f"/clubs/viby/transfers/{transfer.pk}/answer/", {"yes": ""})
    orla.refresh_from_db()
    new = club.memberships.get()
    assert (orla.left, new.joined, new.player, new.number) == (DAY, DAY, orla.player, 12)
    assert Player.objects.get().email == "orla@example.dk"
    transfer.refresh_from_db()
    assert (transfer.state, transfer.answered_by) == ("done", "Vera")
    # On each day they are a member of one club.
    for day in (DAY - timedelta(days=1), DAY, DAY + timedelta(days=1)):
        assert Membership.objects.on(day).count() == 1


def test_a_no_changes_nothing_and_the_club_may_ask_again(club, alice, orla, vera) -> None:
    transfer = ask(club, alice, orla)
    browser_of(vera).post(f"/clubs/viby/transfers/{transfer.pk}/answer/", {"no": ""})
    transfer.refresh_from_db()
    assert transfer.state == "refused"
    assert (orla.player.memberships.get().left, club.memberships.exists()) == (None, False)
    assert ask(club, alice, orla).state == "asked"


@pytest.mark.parametrize(("gives", "status"), [("everything", 302), ("names", 302), ("nothing", 403)])
def test_a_union_of_both_clubs_may_answer(club, alice, orla, union, gives, status) -> None:
    transfer = ask(club, alice, orla)
    Affiliation.objects.filter(club=orla.club).update(gives=gives)
    answer = browser_of(make_account("ulla", union)).post(
        f"/clubs/viby/transfers/{transfer.pk}/answer/", {"yes": ""}
    )
    assert answer.status_code == status
    assert club.memberships.exists() == (status == 302)


def test_nobody_else_answers(club, alice, as_alice, as_charlie, orla) -> None:
    transfer = ask(club, alice, orla)
    address = f"/clubs/viby/transfers/{transfer.pk}/answer/"
    helper = browser_of(make_account("helle", orla.club, "helper"))
    stranger = browser_of(make_account("sven", make_club("Odder")))
    other_union = make_club("Danmark")
    affiliate(make_club("Ribe"), other_union)
    of_other_union = browser_of(make_account("dan", other_union))
    for browser in (as_alice, as_charlie, helper, stranger, of_other_union):
        assert browser.post(address, {"yes": ""}).status_code == 403
        # Nor by an address that names a club of theirs.
        assert browser.post(f"/clubs/odder/transfers/{transfer.pk}/answer/", {"yes": ""}).status_code in {
            403,
            404,
        }
    assert "/login/" in Client().post(address, {"yes": ""}).headers["Location"]
    transfer.refresh_from_db()
    assert transfer.state == "asked"


def test_two_answers_at_once_count_once(club, alice, orla, vera) -> None:
    transfer = ask(club, alice, orla)
    answer_transfer(transfer, yes=True, account=vera, now=timezone.now())
    with pytest.raises(UserError, match="already been answered"):
        answer_transfer(transfer, yes=False, account=vera, now=timezone.now())
    page = browser_of(vera).post(f"/clubs/viby/transfers/{transfer.pk}/answer/", {"no": ""}, follow=True)
    assert "already been answered" in page.content.decode()
    assert club.memberships.count() == 1


def test_two_weeks_of_silence_are_a_yes_without_email_and_phone(club, alice, orla) -> None:
    now = timezone.now()
    transfer = ask(club, alice, orla, now=now)
    answer_by_silence(now + SILENCE - timedelta(seconds=1))
    assert not club.memberships.exists()
    answer_by_silence(now + SILENCE)
    answer_by_silence(now + SILENCE)
    transfer.refresh_from_db()
    assert (transfer.state, transfer.answered_by, club.memberships.count()) == ("done", "", 1)
    player = Player.objects.get()
    assert (player.name, player.email, player.phone) == ("Orla Iversen", "", "")


def test_the_request_can_be_withdrawn_by_the_club_that_asks(as_alice, club, alice, orla, vera) -> None:
    transfer = ask(club, alice, orla)
    browser_of(vera).post(f"/clubs/viby/transfers/{transfer.pk}/withdraw/")
    transfer.refresh_from_db()
    assert transfer.state == "asked"
    as_alice.post(f"/clubs/stilling/transfers/{transfer.pk}/withdraw/")
    transfer.refresh_from_db()
    assert transfer.state == "withdrawn"
    assert words(browser_of(vera).get("/desk/").content.decode()).count("asks for the transfer") == 0


def test_no_transfer_is_dated_before_what_was_played_for_the_old_club(
    as_alice, club, alice, orla, vera
) -> None:
    four = [
        orla.player,
        *(make_player(name, orla.club, 20 + at) for at, name in enumerate(("Bo", "Ea", "Ib"))),
    ]
    played = make_evening(four, orla.club, vera, date=DAY + timedelta(days=3))
    type(played).objects.filter(pk=played.pk).update(state="running")
    page = add(as_alice, orla)
    assert list(page.context["form"].errors) == ["joined"]
    assert not Transfer.objects.exists()
    transfer = ask(club, alice, orla, day=DAY + timedelta(days=4))
    # They play again before the answer: the new club has them from the day after.
    type(played).objects.filter(pk=played.pk).update(date=DAY + timedelta(days=10))
    answer_transfer(transfer, yes=True, account=vera, now=timezone.now())
    assert club.memberships.get().joined == DAY + timedelta(days=11)
    assert orla.player.memberships.get(club=orla.club).left == DAY + timedelta(days=11)


def test_no_transfer_is_dated_before_a_league_match_that_was_played(club, by_alice) -> None:
    """A match has a day of its own, which may be months after the day of its tournament."""
    league = make_teams(club, by_alice, teams=4, date=DAY - timedelta(days=60))
    match = Match.objects.filter(round__tournament=league, round__number=2).first()
    seat = Seat.objects.filter(table__match=match).order_by("pk").first()
    player, began = seat.entry.player, timezone.make_aware(datetime.combine(DAY, time(20)))
    key = (player.pk, seat.entry.club_id)

    def last(**fields) -> date | None:
        Match.objects.filter(pk=match.pk).update(**fields)
        Round.objects.filter(pk=match.round_id).update(
            started_at=began if fields.get("day") is None else None
        )
        return last_played([player.pk]).get(key)

    assert last(day=DAY) is None, "nothing of it has been played"
    Tournament.objects.filter(pk=league.pk).update(state="running")
    assert last(day=DAY) == league.date, "what is only drawn is not played"
    assert last(day=DAY, started_at=began) == DAY
    assert last(day=DAY, postponed_to=DAY + timedelta(days=7)) == DAY + timedelta(days=7)
    # Past midnight they sit down on the next day; what is typed in much later was played on its day.
    assert last(day=DAY, postponed_to=None, started_at=began + timedelta(hours=5)) == DAY + timedelta(days=1)
    assert last(day=DAY, started_at=began + timedelta(days=5)) == DAY
    # An evening without matches of their own days: the day of the round.
    Round.objects.filter(pk=match.round_id).update(date=DAY + timedelta(days=3))
    assert last(day=None, started_at=None) == DAY + timedelta(days=3)
    # Who withdraws later, or is entered for an evening to come, has played all the same.
    seat.entry.status = "withdrawn"
    seat.entry.save()
    coming = make_tournament(
        0, club=club, account=by_alice["account"], drawn=False, date=DAY + timedelta(days=30)
    )
    entering.enter(coming, player, club=club, **by_alice)
    assert last(day=DAY, started_at=began) == DAY

    membership = Membership.objects.select_related("player", "club").get(player=player)
    by_viby = {"number": None, "account": by_alice["account"], "now": timezone.now()}
    with pytest.raises(UserError, match="after this day"):
        request_transfer(membership, make_club("Viby"), day=DAY, **by_viby)


def test_a_transfer_is_not_before_they_joined(as_alice, orla) -> None:
    page = add(as_alice, orla, joined="1990-01-01")
    assert list(page.context["form"].errors) == ["joined"]


def test_two_clubs_cannot_ask_for_one_person_at_a_time(club, alice, orla, union) -> None:
    ask(club, alice, orla)
    odder = make_club("Odder", union)
    with pytest.raises(UserError, match="already waiting"):
        ask(odder, make_account("olga", odder), orla)
    with pytest.raises(IntegrityError), transaction.atomic():
        Transfer.objects.create(
            player=orla.player, origin=orla.club, club=odder, day=DAY, asked_by="x", asked_at=timezone.now()
        )


def test_a_number_that_is_taken_meanwhile_is_left_out(club, alice, orla, vera) -> None:
    transfer = ask(club, alice, orla, number=12)
    make_player("Anna", club, 12)
    answer_transfer(transfer, yes=True, account=vera, now=timezone.now())
    assert orla.player.memberships.get(club=club).number is None


def test_who_is_joined_with_another_person_or_erased_takes_the_transfer_along(
    club, alice, orla, vera
) -> None:
    first = ask(club, alice, orla)
    twin = make_player("Orla Iversen", orla.club, 8)
    second = ask(club, alice, twin.memberships.get())
    merge(twin, orla.player, account=vera, now=timezone.now())
    assert [one.pk for one in twin.transfers.all()] == [first.pk]
    assert not Transfer.objects.filter(pk=second.pk).exists()
    erase(twin, account=vera, now=timezone.now(), today=timezone.localdate())
    assert not Transfer.objects.exists()


def test_organisers_are_written_to_without_names(club, alice, orla, vera, union, post_office) -> None:
    vera.email = "vera@example.dk"
    vera.save()
    alice.email = "alice@example.dk"
    alice.save()
    ulla = make_account("ulla", union)
    ulla.email = "ulla@example.dk"
    ulla.save()
    transfer = ask(club, alice, orla)
    assert set(Letter.objects.values_list("to", flat=True)) == {"vera@example.dk", "ulla@example.dk"}
    answer_transfer(transfer, yes=True, account=vera, now=timezone.now())
    assert set(Letter.objects.filter(facts__state="done").values_list("to", flat=True)) == {
        "alice@example.dk"
    }
    # Each is in the list of the readers' own club: no club sees the addresses of another's organisers.
    assert set(Letter.objects.values_list("to", "club__name")) == {
        ("vera@example.dk", "Viby"), ("ulla@example.dk", "Fyns Forbund"), ("alice@example.dk", "Stilling"),
    }  # fmt: skip
    for letter in Letter.objects.all():
        rendered = render_letter(letter) if letter.facts["state"] == "done" else None
        assert rendered is None or "Orla" not in rendered.subject + rendered.text
