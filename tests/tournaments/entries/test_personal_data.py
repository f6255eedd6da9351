"""A player may have all that is known of them, and may be forgotten; the ledger stays as it was."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Account, Membership, Player
from core.former_texts import current_text
from tests.factories import (
    affiliate,
    first_round,
    first_table,
    make_account,
    make_club,
    make_player,
    make_tournament,
    play_out,
)
from tournaments import ledger
from tournaments.entries import entering
from tournaments.entries.personal_data import nameless
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.playing import close_round
from tournaments.lifecycle.rulings import penalise
from tournaments.lifecycle.seat_changes import play_on_for
from tournaments.models import (
    Flag,
    HandOver,
    LogEntry,
    Payment,
    Photograph,
    PlayerMerge,
    Report,
    SheetPicture,
    Tournament,
)
from tournaments.seasons.year import store_notes

pytestmark = pytest.mark.databases

ANNA = "Anna Holm"


@pytest.fixture
def played(club, alice):
    """A tournament of one round that Anna has played, been fined in, and been called names in."""
    tournament, now = make_tournament(4, club=club), timezone.now()
    table = first_table(tournament)
    play_out(table, agreed=True)
    ledger.raise_flag(table, "call", deal=None, words=f"{ANNA} is late", now=now)
    entry = tournament.entries.get(player__name=ANNA)
    penalise(entry, tokens=-2, reason="late", round_=table.round, account=alice, now=now)
    Player.objects.filter(name=ANNA).update(email="anna@example.dk", phone="12 34")
    return tournament


@pytest.fixture
def closed(played, alice):
    close_round(first_round(played), account=alice, now=timezone.now())
    played.refresh_from_db()
    return played


def address(name, club="stilling"):
    return reverse(name, args=[club, Membership.objects.get(player__name=ANNA, club__slug=club).pk])


def test_the_file_holds_all_that_is_known(as_alice, played):
    file = as_alice.get(address("member_data"))
    assert "attachment" in file["Content-Disposition"]
    said = json.loads(file.content)
    assert (said["name"], said["email"], said["phone"]) == (ANNA, "anna@example.dk", "12 34")
    assert said["memberships"] == [{"club": "Stilling", "number": 1, "joined": "2020-01-01", "left": None}]
    (evening,) = said["tournaments"]
    assert (evening["code"], evening["number"], evening["seats"][0]["table"]) == (played.code, 1, 1)
    assert [(ruling["tokens"], ruling["reason"]) for ruling in evening["rulings"]] == [(-2, "late")]


def test_whoever_erases_somebody_is_told_of_the_photographs_of_their_sheets(as_alice, played):
    table, by = first_table(played), {"attached_by": "Alice", "attached_at": timezone.now()}
    link = reverse("desk_table", args=[played.code, 1, 1])
    assert link not in as_alice.get(address("member_erase")).content.decode()
    for name in "ab":
        table.photographs.create(file=f"{name}.jpg", **by)
    assert as_alice.get(address("member_erase")).content.decode().count(link) == 1
    said = json.loads(as_alice.get(address("member_data")).content)["photographs_of_sheets_of_their_tables"]
    assert [(one["code"], one["round"], one["table"]) for one in said] == [(played.code, 1, 1)] * 2


def test_whoever_erases_somebody_is_led_to_pictures_set_aside_and_told_whom_else_to_ask(
    as_alice, played, monkeypatch
):
    table = first_table(played)
    now = timezone.now()
    played.sheet_pictures.create(file="set.jpg", table=table, state="aside", sent_at=now)
    by = {"attached_by": "Alice", "attached_at": now}
    table.photographs.create(file="slip.jpg", **by)
    other = make_tournament(4, club=make_club("Naboen"))
    seat = first_table(other).seats.first()
    other.entries.filter(pk=seat.entry_id).update(
        player=Player.objects.get(name=ANNA, memberships__club=played.host)
    )
    first_table(other).photographs.create(file="theirs.jpg", **by)
    monkeypatch.setattr("tournaments.desk.people.personal_data.MOST_NAMED", 0)
    page = as_alice.get(address("member_erase"))
    assert page.context["more_photographed"] == 1
    monkeypatch.undo()
    page = as_alice.get(address("member_erase"))
    text = page.content.decode()
    assert [*page.context["photographed"]] == [table]
    assert [reverse("desk_paper", args=[one.code]) in text for one in (played, other)] == [True, False]
    assert reverse("desk_table", args=[other.code, 1, 1]) not in text
    assert [club.name for club in page.context["to_be_asked"]] == ["Naboen"]
    told = json.loads(as_alice.get(address("member_data")).content)
    assert [one["code"] for one in told["photographs_of_sheets_that_were_set_aside"]] == [played.code]
    # Once she is erased they are offered still: there at once, from the club's page, and to whoever would erase N.N.
    for played_at in (table, first_table(other)):
        by = {"account": Account.objects.get(username="alice"), "now": now}
        close_round(played_at.round, **by, force_reason="late")
    gone, erased = address("member_erase"), reverse("club_erased", args=["stilling"])
    assert as_alice.get(erased).context["photographed"].count() == 0
    after = as_alice.post(gone, {"name": ANNA}, follow=True)
    assert [after.redirect_chain, as_alice.get(gone).url] == [[(erased, 302)], erased]
    assert erased in as_alice.get(reverse("club", args=["stilling"])).content.decode()
    assert [*after.context["photographed"]] == [table]
    assert reverse("desk_paper", args=[played.code]) in after.content.decode()
    assert [club.name for club in after.context["to_be_asked"]] == ["Naboen"]
    # Whoever is to be asked finds theirs, and what is removed is on no list.
    neighbour = Client()
    neighbour.force_login(make_account("nina", other.host))
    theirs = neighbour.get(reverse("club_erased", args=[other.host.slug]))
    assert [*theirs.context["photographed"], *theirs.context["to_be_asked"]] == [first_table(other)]
    # Both are lists of pages, as long as there are years of them.
    anna = Player.objects.get(entries__tournament=other, memberships__club=played.host)
    for name in ("Tredje", "Fjerde"):
        more = make_tournament(4, club=make_club(name), account=make_account(name))
        more.entries.filter(pk=first_table(more).seats.first().entry_id).update(player=anna)
        more.sheet_pictures.create(file=f"{name}.jpg", table=first_table(more), state="aside", sent_at=now)
    Tournament.objects.filter(host__name="Fjerde").update(host=played.host)
    monkeypatch.setattr("tournaments.desk.people.personal_data.ON_A_PAGE", 1)
    first, second = as_alice.get(erased), as_alice.get(erased, {"aside": 2, "ask": 2})
    assert {*first.context["set_aside"], *second.context["set_aside"]} == {
        *Tournament.objects.filter(host=played.host)
    }
    assert [club.name for club in (*first.context["to_be_asked"], *second.context["to_be_asked"])] == [
        "Naboen",
        "Tredje",
    ]
    assert all(f'href="?{list_}=2"' in first.content.decode() for list_ in ("aside", "ask"))
    Photograph.objects.all().delete()
    SheetPicture.objects.all().delete()
    assert "There are none." in as_alice.get(erased).content.decode()


def test_who_is_erased_is_nameless_everywhere_and_no_token_changes(as_alice, closed):
    reports = list(Report.objects.values_list("hash", flat=True))
    answer = as_alice.post(address("member_erase"), {"name": "anna  holm"})
    assert answer.status_code == 302
    assert not Player.objects.filter(name=ANNA).exists()
    player = Player.objects.get(name="N.N.")
    assert (player.email, player.phone) == ("", "")
    held = player.memberships.get()
    assert (held.number, held.left) == (None, timezone.localdate())
    assert list(Report.objects.values_list("hash", flat=True)) == reports
    assert list(differences(closed)) == []
    pages = [
        reverse("hall", args=[closed.code]),
        reverse("standings", args=[closed.code]),
        reverse("hall_player", args=[closed.code, 1]),
        reverse("hall_table", args=[closed.code, 1, 1]),
        reverse("desk_log", args=[closed.code]),
        reverse("desk_table", args=[closed.code, 1, 1]),
        reverse("desk_penalties", args=[closed.code]),
        reverse("club", args=["stilling"]),
    ]
    for page in pages:
        body = as_alice.get(page).content.decode()
        assert (page, "Holm" in body, "Anna" in body) == (page, False, False)
    assert LogEntry.objects.filter(text="Erased the personal details of no. {number}").count() == 1


@pytest.mark.parametrize(
    ("texts", "now"),
    [
        (
            ["Erased who a member was, as they asked", "Erased a member’s personal details at their request"],
            "Erased a member’s personal details",
        ),
        (
            [
                "Erased who had asked for a place, as they asked",
                "Erased the personal details of someone who had asked for a place, at their request",
            ],
            "Erased the personal details of someone who had asked for a place",
        ),
        (
            [
                "Erased who no. {number} is, as they asked",
                "Erased the personal details of no. {number} at their request",
            ],
            "Erased the personal details of no. {number}",
        ),
    ],
)
def test_lines_of_erasing_with_former_words_are_shown_with_those_of_today(texts, now):
    assert [current_text(text) for text in texts] == [now, now]


def test_who_is_erased_is_nameless_in_the_notes_for_the_next_organiser(as_alice, alice, closed):
    """In each form that is known, of the club, of its union and of where they were a guest; nobody else's name."""
    union, guest_at, elsewhere = make_club("Fyns Forbund"), make_club("Odder"), make_club("Ribe")
    affiliate(closed.host, union)
    anna = Player.objects.get(name=ANNA)
    make_tournament(0, club=guest_at).entries.create(player=anna, club=closed.host, number=1)
    PlayerMerge.objects.create(
        kept=anna.pk, gone=make_player("Ane Holm", elsewhere, 9).pk, name="Ane Holm", moved={}, merged_by="alice",
        merged_at=timezone.now(),
    )  # fmt: skip
    keys = "Hall: Anna Holm, anna\nholm\nBox: ANNA HOLM’s; Anna Holms; Anna H.; Ane Holm\nAnna Holmgaard, Johanna Holm"
    gone = "Hall: N.N., N.N.\nBox: N.N.’s; N.N.s; N.N.; N.N.\nAnna Holmgaard, Johanna Holm"
    for club in (closed.host, union, guest_at, elsewhere):
        notes = {"keys": keys, "things": "", "backup": "Holm has it", "more": keys}
        store_notes(club, notes, account=alice, now=timezone.now())
    answer = as_alice.post(address("member_erase"), {"name": ANNA})
    assert answer.status_code == 302
    assert {held.club.name: (held.keys, held.backup, held.more) for held in HandOver.objects.all()} == {
        "Stilling": (gone, "Holm has it", gone),
        "Fyns Forbund": (gone, "Holm has it", gone),
        "Odder": (gone, "Holm has it", gone),
        "Ribe": (keys, "Holm has it", keys),
    }


@pytest.mark.parametrize(
    "left_there", [{"email": "nn@example.dk"}, {"phone": "12 34"}, {"number": 7}, {"left": None}], ids=str
)
def test_who_is_called_nameless_and_is_known_still_can_be_erased(as_alice, club, left_there):
    player = make_player("N.N.", club)
    of_player = {key: value for key, value in left_there.items() if key in ("email", "phone")}
    Player.objects.filter(pk=player.pk).update(**of_player)
    held = {"left": timezone.localdate(), "number": None, **left_there}
    player.memberships.update(**{key: held[key] for key in ("left", "number")})
    page = reverse("member_erase", args=[club.slug, player.memberships.get().pk])
    assert as_alice.get(page).status_code == 200
    # Nor is a placeholder who has left one club and is known elsewhere among who was erased, with what names them.
    player.memberships.create(club=make_club("Den anden"), joined="2020-01-01", left="2021-01-01")
    assert nameless() == []
    assert as_alice.post(page, {"name": "N.N."}).status_code == 302
    assert nameless() == [player]
    player.refresh_from_db()
    held = player.memberships.get(club=club)
    assert (player.email, player.phone, held.number, held.left) == ("", "", None, timezone.localdate())
    assert as_alice.get(page).url == reverse("club_erased", args=[club.slug])


def test_who_left_a_table_in_the_middle_of_a_round_is_nameless_there_too(as_alice, club, alice):
    tournament, by = make_tournament(4, club=club, account=alice), {"account": alice, "now": timezone.now()}
    table = first_table(tournament)
    ledger.raise_flag(table, "call", deal=None, words=f"{ANNA} is ill", now=by["now"])
    newcomer = entering.enter(tournament, make_player("Ulla Vest"), club=None, **by)
    newcomer = entering.check_in(newcomer, present=True, **by)
    seat = table.seats.get(entry__player__name=ANNA)
    play_on_for(table, seat.position, newcomer, deal=3, leaves=True, reason="ill", **by)
    play_out(table, agreed=True)
    close_round(first_round(tournament), **by)
    assert as_alice.post(address("member_erase"), {"name": ANNA}).status_code == 302
    assert list(Flag.objects.values_list("words", flat=True)) == ["N.N. is ill"]
    assert list(differences(tournament)) == []


def test_nobody_is_erased_by_a_slip(as_alice, closed):
    page = as_alice.post(address("member_erase"), {"name": "Anna Hansen"})
    assert page.status_code == 409
    assert "Type the name exactly as shown here, so that no one else is erased" in page.content.decode()
    assert 'value="Anna Hansen"' in page.content.decode()
    assert Player.objects.filter(name=ANNA).exists()


def test_nobody_is_erased_while_they_play(as_alice, played):
    page = as_alice.post(address("member_erase"), {"name": ANNA})
    assert (page.status_code, "Wait until the round is closed" in page.content.decode()) == (409, True)


def test_another_clubs_member_is_not_erased_by_us(as_alice, closed):
    player = Player.objects.get(name=ANNA)
    Membership.objects.create(club=make_club("Rasle"), player=player, joined="2024-01-01")
    page = as_alice.post(address("member_erase"), {"name": ANNA})
    assert (page.status_code, "is also a member of Rasle" in page.content.decode()) == (409, True)


@pytest.mark.parametrize("name", ["member_data", "member_erase"])
def test_a_stranger_gets_neither(as_charlie, client, club, name):
    make_player(ANNA, club)
    assert as_charlie.get(address(name)).status_code == 403
    assert client.get(address(name)).headers["Location"].startswith("/clubs/login/")


def test_who_has_payments_that_are_not_ticked_off_is_erased_only_when_that_is_said(as_alice, closed):
    entry = closed.entries.get(player__name=ANNA)
    Payment.objects.create(tournament=closed, number=1, payer=entry, amount=500)
    asked = as_alice.get(address("member_erase")).content.decode()
    assert closed.name in asked
    refused = as_alice.post(address("member_erase"), {"name": ANNA})
    assert refused.status_code == 409
    assert Player.objects.filter(name=ANNA).exists()
    answer = as_alice.post(address("member_erase"), {"name": ANNA, "unpaid": "on"}, follow=True)
    assert "Erased: results show N.N. instead of the player’s name</" in answer.content.decode()


def test_payments_that_are_ticked_off_keep_nobody_from_being_erased(as_alice, closed):
    entry = closed.entries.get(player__name=ANNA)
    Payment.objects.create(tournament=closed, number=1, payer=entry, amount=500, paid_at=timezone.now())
    assert as_alice.post(address("member_erase"), {"name": ANNA}).status_code == 302
