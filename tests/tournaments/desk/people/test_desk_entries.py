"""Who plays: typing guests, checking in at the door, fees, withdrawing, and the list."""

from __future__ import annotations

import csv
import io
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from openpyxl import load_workbook

from clubs.models import Role
from tests.factories import make_account, make_player, make_tournament
from tournaments.entries import entering
from tournaments.models import Entry, Tournament

HTMX = {"HX-Request": "true"}


@pytest.fixture
def tournament(club):
    return make_tournament(0, club=club, entry_fee=5000, date=date(2026, 11, 21))


@pytest.fixture
def helga(club):
    """A helper of `club`: the door is hers."""
    client = Client()
    client.force_login(make_account("helga", club, Role.Kind.HELPER))
    return client


@pytest.fixture
def bo(tournament, alice, club):
    """An entry, no. 1."""
    return entering.enter(
        tournament, make_player("Bo Krogh", club, 7), club=club, account=alice, now=timezone.now()
    )


def page(name, tournament, *which):
    return reverse(name, args=[tournament.code, *which])


def said(answer):
    return [str(message) for message in answer.context["messages"]]


# Guests


def test_a_guest_is_entered_by_name_alone(helga, tournament):
    answer = helga.post(
        page("desk_add_guest", tournament), {"name": "  Jens   Gæst ", "here": "on"}, follow=True
    )
    entry = tournament.entries.get()
    assert (str(entry), entry.club, entry.status, entry.number) == ("Jens Gæst", None, "present", 1)
    assert said(answer) == ["Jens Gæst is entered as no. 1."]


def test_sending_a_guest_twice_makes_one_and_says_so(helga, tournament):
    url = page("desk_add_guest", tournament)
    helga.post(url, {"name": "Jens Gæst"})
    answer = helga.post(url, {"name": "jens gaest"})
    assert [entry.number for entry in answer.context["entered"]] == [1]
    assert answer.context["form"]["name"].value() == "jens gaest"
    assert tournament.entries.count() == 1
    helga.post(url, {"name": "Jens Gæst", "somebody_else": "1"})
    assert tournament.entries.count() == 2


def test_a_guest_who_is_a_member_is_pointed_out(helga, tournament, club):
    anna = make_player("Anna Holm", club).memberships.get()
    answer = helga.post(page("desk_add_guest", tournament), {"name": "anna holm", "here": "on"})
    assert answer.context["members"] == [anna]
    assert not tournament.entries.exists()


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("", "Type the guest’s name."),
        ("   ", "Type the guest’s name."),
        ("\u0007", "Type the guest’s name."),
        ("x" * 201, "At most 200 characters; this has 201."),
    ],
)
def test_a_name_that_is_none_is_said_at_the_field(helga, tournament, name, error):
    answer = helga.post(page("desk_add_guest", tournament), {"name": name, "here": "on"})
    assert answer.context["form"].errors["name"] == [error]
    assert answer.context["form"]["here"].value() is True
    assert not tournament.entries.exists()


@pytest.mark.parametrize("name", ['Bo "Bobo" O\'Krogh', "Ærøskøbing 🂡", "<b>Bo</b>", "Ø" * 200])
def test_any_name_of_a_guest_is_shown_as_typed(helga, tournament, name):
    helga.post(page("desk_add_guest", tournament), {"name": name, "here": "on"})
    shown = helga.get(page("desk_check_in", tournament))
    assert [entry.player.name for entry in shown.context["entries"]] == [name]
    assert b"<b>Bo</b>" not in shown.content


def test_a_guests_mistyped_name_is_put_right(helga, tournament):
    helga.post(page("desk_add_guest", tournament), {"name": "Jnes Gæst"})
    helga.post(page("desk_rename_guest", tournament, 1), {"name": "Jens Gæst"})
    assert str(tournament.entries.get()) == "Jens Gæst"
    assert tournament.log.first().words == "The guest Jnes Gæst is now called Jens Gæst"


def test_a_members_name_is_not_changed_at_the_door(helga, tournament, bo):
    answer = helga.post(page("desk_rename_guest", tournament, 1), {"name": "Bob"})
    assert "change the name there" in answer.context["rename"].errors["name"][0]
    bo.player.refresh_from_db()
    assert bo.player.name == "Bo Krogh"


# At the door


def test_a_row_says_what_it_asks_for_so_pressing_twice_is_pressing_once(helga, tournament, bo):
    url = page("desk_mark_present", tournament, 1)
    for _press in range(2):
        assert (
            helga.post(url, {"present": "1"}).headers["Location"]
            == f"{page('desk_check_in', tournament)}#entry-1"
        )
        bo.refresh_from_db()
        assert bo.status == Entry.Status.PRESENT
    helga.post(url, {"present": "0"})
    bo.refresh_from_db()
    assert bo.status == Entry.Status.ENTERED


def test_htmx_gets_the_row_and_the_counts_alone(helga, tournament, bo):
    answer = helga.post(page("desk_mark_present", tournament, 1), {"present": "1"}, headers=HTMX)
    text = answer.content.decode()
    assert "<html" not in text
    assert 'id="entry-1" class="is-here"' in text
    assert 'id="counts" hx-swap-oob="true"' in text
    assert answer.context["counts"]["present"] == 1


def test_fees_are_ticked_off_and_added_up(helga, tournament, bo):
    helga.post(page("desk_add_guest", tournament), {"name": "Jens"})
    for number in (1, 2):
        helga.post(page("desk_mark_paid", tournament, number), {"paid": "1"})
    helga.post(page("desk_mark_paid", tournament, 2), {"paid": "0"})
    counts = helga.get(page("desk_check_in", tournament)).context["counts"]
    assert (counts["paid"], counts["kroner"]) == (1, "50.00")


def test_where_there_is_no_fee_nothing_is_said_of_it(as_alice, club):
    tournament = make_tournament(4, club=club, started=False)
    assert b"paid" not in as_alice.get(page("desk_check_in", tournament)).content
    assert b"paid" not in as_alice.get(page("desk_entries", tournament)).content


def test_who_has_played_is_not_checked_out_and_that_is_said_in_the_row(helga, club):
    tournament = make_tournament(4, club=club)
    answer = helga.post(page("desk_mark_present", tournament, 1), {"present": "0"}, headers=HTMX)
    assert answer.context["refused"] == "Anna Holm has already played; withdraw them instead."
    assert answer.context["entry"].status == "present"
    plain = helga.post(page("desk_mark_present", tournament, 1), {"present": "0"}, follow=True)
    assert said(plain) == ["Anna Holm has already played; withdraw them instead."]


def test_a_late_player_is_entered_while_rounds_run(helga, club):
    tournament = make_tournament(4, 2, club=club)
    helga.post(page("desk_add_guest", tournament), {"name": "Sent Kommer", "here": "on"})
    assert tournament.entries.get(number=5).status == "present"


def test_a_finished_tournament_takes_nobody(helga, club):
    tournament = make_tournament(4, club=club)
    Tournament.objects.update(state="finished")
    answer = helga.post(page("desk_add_guest", tournament), {"name": "Sent Kommer"})
    assert answer.context["form"].non_field_errors() == ["The tournament is finished."]
    assert tournament.entries.count() == 4


@pytest.mark.parametrize(
    "name", ["desk_mark_present", "desk_mark_paid", "desk_withdraw", "desk_bring_back", "desk_rename_guest"]
)
def test_looking_changes_nothing(helga, tournament, bo, name):
    before = tournament.entries.values().get(number=1)
    assert helga.get(page(name, tournament, 1)).headers["Allow"] == "POST"
    assert tournament.entries.values().get(number=1) == before


@pytest.mark.parametrize("number", [2, 0, 99999, 10**30])
def test_a_number_that_nobody_has_is_not_found(helga, tournament, bo, number):
    assert helga.get(page("desk_entry", tournament, number)).status_code == 404
    assert helga.post(page("desk_mark_present", tournament, number), {"present": "1"}).status_code == 404


# Withdrawing


def test_withdrawing_asks_why_and_can_be_taken_back(helga, tournament, bo):
    url = page("desk_withdraw", tournament, 1)
    refused = helga.post(url, {"reason": "  "})
    assert refused.context["withdraw"].errors["reason"] == ["Say why, in a few words."]

    helga.post(url, {"reason": "ill"})
    bo.refresh_from_db()
    assert bo.status == Entry.Status.WITHDRAWN
    assert tournament.log.first().words == "Bo Krogh withdrew: ill"
    door = helga.get(page("desk_check_in", tournament)).context
    assert (list(door["entries"]), list(door["withdrawn"])) == ([], [bo])

    helga.post(page("desk_bring_back", tournament, 1))
    bo.refresh_from_db()
    assert bo.status == Entry.Status.PRESENT


# The list


@pytest.fixture
def three(tournament, alice, club):
    for name, number in (("Åse Dam", 1), ("Bo Krogh", 2), ("=cmd()", 3)):
        entering.enter(
            tournament, make_player(name, club, number), club=club, account=alice, now=timezone.now()
        )
    return tournament


def names_in(answer):
    return [row.record.player.name for row in answer.context["table"].page.object_list]


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({}, ["Åse Dam", "Bo Krogh", "=cmd()"]),
        ({"sort": "name"}, ["=cmd()", "Bo Krogh", "Åse Dam"]),
        ({"sort": "-name"}, ["Åse Dam", "Bo Krogh", "=cmd()"]),
        ({"sort": "-number"}, ["=cmd()", "Bo Krogh", "Åse Dam"]),
        ({"q": "krogh"}, ["Bo Krogh"]),
        ({"q": "2"}, ["Bo Krogh"]),
        ({"q": "stilling", "page": "99"}, ["Åse Dam", "Bo Krogh", "=cmd()"]),
        ({"sort": "nonsense", "page": "x"}, ["Åse Dam", "Bo Krogh", "=cmd()"]),
    ],
)
def test_the_list_is_sorted_and_searched(as_alice, three, asked, names):
    assert names_in(as_alice.get(page("desk_entries", three), asked)) == names


def test_the_csv_opens_in_a_spreadsheet_and_runs_nothing(as_alice, three):
    answer = as_alice.get(page("desk_entries_export", three, "csv"))
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(text))) == [
        ["No.", "Name", "Club", "Status", "Fee"],
        ["1", "Åse Dam", "Stilling", "entered", "not paid"],
        ["2", "Bo Krogh", "Stilling", "entered", "not paid"],
        ["3", "'=cmd()", "Stilling", "entered", "not paid"],
    ]


def test_the_xlsx_has_the_same_rows(as_alice, three):
    answer = as_alice.get(page("desk_entries_export", three, "xlsx"))
    sheet = load_workbook(io.BytesIO(b"".join(answer.streaming_content))).active
    rows = list(sheet.values)
    assert rows[0] == ("No.", "Name", "Club", "Status", "Fee")
    assert rows[3] == (3, "=cmd()", "Stilling", "entered", "not paid")


def test_there_is_no_other_kind_of_file(as_alice, three):
    assert as_alice.get(page("desk_entries_export", three, "exe")).status_code == 404


PAGES = ("desk_entries", "desk_add_members", "desk_add_guest", "desk_check_in")


@pytest.mark.parametrize("name", PAGES)
def test_strangers_see_no_names(as_charlie, client, three, name):
    url = page(name, three)
    assert client.get(url).headers["Location"].startswith(reverse("login"))
    assert as_charlie.get(url).status_code == 403
    assert as_charlie.post(url, {"name": "x"}).status_code == 403


@pytest.mark.parametrize("name", PAGES)
def test_a_helper_may_do_what_the_door_needs(helga, three, name):
    assert helga.get(page(name, three)).status_code == 200


@pytest.mark.parametrize("players", [4, 40])
def test_the_door_asks_the_database_as_often_for_many_players(
    as_alice, club, players, django_assert_max_num_queries
):
    tournament = make_tournament(players, club=club, started=False, drawn=False)
    with django_assert_max_num_queries(15):
        as_alice.get(page("desk_check_in", tournament))
