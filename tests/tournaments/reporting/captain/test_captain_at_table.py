"""What a table does besides reporting deals: agree, call the desk, say who deals first and which phone enters."""

from __future__ import annotations

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from tests.factories import play_out, report
from tournaments import ledger
from tournaments.domain.terms import CALLS
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.scoresheet import flag_words
from tournaments.ledger.table_actions import MOST_EVER, MOST_OPEN_CALLS, settle_flag
from tournaments.lifecycle.playing import close_round, end_table_early
from tournaments.models import Flag, Table


def state(client, table, query: str = "") -> dict[str, object]:
    return client.get(f"/c/{table.secret}/state{query}").json()


def post(client, table, path, body):
    return client.post(f"/c/{table.secret}/{path}", json.dumps(body), content_type="application/json")


# Agreement


def test_each_player_agrees_to_the_tokens_they_saw(client, bobs_table) -> None:
    play_out(bobs_table)
    for seat in bobs_table.seats.all():
        response = post(client, bobs_table, "agree", {"position": seat.position, "tokens": seat.tokens})
        assert response.status_code == 200
    assert all(seat["agreed"] for seat in state(client, bobs_table)["seats"])


def test_a_yes_to_other_tokens_than_the_sheets_is_not_taken(client, bobs_table) -> None:
    play_out(bobs_table)
    seat = bobs_table.seats.first()
    response = post(client, bobs_table, "agree", {"position": 0, "tokens": seat.tokens + 1})
    assert (response.status_code, response.json()["field"]) == (409, "tokens")
    assert not bobs_table.seats.exclude(agreed_at=None).exists()


def test_nobody_agrees_to_an_unfinished_sheet(client, bobs_table) -> None:
    report(bobs_table, 1)
    response = post(client, bobs_table, "agree", {"position": 0, "tokens": 0})
    assert response.status_code == 409
    assert response.json()["message"] == "Not every deal has been reported yet."


def test_a_yes_can_be_taken_back_and_a_correction_takes_all_back(client, bobs_table) -> None:
    play_out(bobs_table, agreed=True)
    assert post(client, bobs_table, "agree", {"position": 1, "agreed": False}).status_code == 200
    assert [seat["agreed"] for seat in state(client, bobs_table)["seats"]] == [True, False, True, True]
    report(bobs_table, 1, base=1, reason="it was passed out")
    assert not any(seat["agreed"] for seat in state(client, bobs_table)["seats"])


@pytest.mark.parametrize("position", [None, -1, 4, "0", True, 1.0, [0], 10**30])
def test_only_a_seat_of_the_table_agrees(client, bobs_table, position) -> None:
    response = post(client, bobs_table, "agree", {"position": position, "tokens": 0})
    assert response.status_code == 400
    assert post(client, bobs_table, "first-dealer", {"position": position}).status_code == 400


# The desk is called


def test_the_organiser_is_called_with_a_few_words_once(client, bobs_table) -> None:
    call = {"kind": "call", "deal": None, "words": "who deals?"}
    assert post(client, bobs_table, "flag", call).status_code == 200
    assert post(client, bobs_table, "flag", call).status_code == 200
    assert [(flag.kind, flag.words) for flag in Flag.objects.all()] == [("call", "who deals?")]
    assert state(client, bobs_table)["flags"] == [{"kind": "call", "deal": None, "words": "who deals?"}]


def test_a_deal_is_marked_for_later(client, bobs_table) -> None:
    assert post(client, bobs_table, "flag", {"kind": "later", "deal": 3}).status_code == 200
    assert state(client, bobs_table)["flags"] == [{"kind": "later", "deal": 3, "words": ""}]


def test_a_mark_is_taken_back_and_twice_is_once(client, bobs_table) -> None:
    post(client, bobs_table, "flag", {"kind": "later", "deal": 3})
    post(client, bobs_table, "flag", {"kind": "later", "deal": 4, "words": "who dealt?"})
    for _time in range(2):
        back = {"kind": "later", "deal": 3, "settled": True}
        assert post(client, bobs_table, "flag", back).status_code == 200
        assert state(client, bobs_table)["flags"] == [{"kind": "later", "deal": 4, "words": "who dealt?"}]
    post(client, bobs_table, "flag", {"kind": "later", "deal": 3})
    assert [flag["deal"] for flag in state(client, bobs_table)["flags"]] == [3, 4]


def test_a_call_is_taken_back_by_its_words_and_no_other_goes_with_it(client, bobs_table) -> None:
    for words in ("The cards are wrong", "Please come over"):
        post(client, bobs_table, "flag", {"kind": "call", "words": words})
    back = {"kind": "call", "words": "Please come over", "settled": True}
    for _twice in range(2):
        assert post(client, bobs_table, "flag", back).status_code == 200
    assert [flag.words for flag in bobs_table.flags.filter(settled_at=None)] == ["call_cards"]


def test_a_tapped_call_is_read_in_the_readers_language(client, bobs_table, alice) -> None:
    danish, swedish = {"HTTP_ACCEPT_LANGUAGE": "da"}, {"HTTP_ACCEPT_LANGUAGE": "sv"}
    page = client.get(reverse("captain", args=[bobs_table.secret]), **danish).content.decode()
    for code, words in CALLS.items():
        with translation.override("da"):
            tapped = gettext(words)
        assert f"<span>{tapped}</span>" in page
        post(client, bobs_table, "flag", {"kind": "call", "words": tapped})
        flag = bobs_table.flags.get(settled_at=None)
        assert flag.words == code
        with translation.override("sv"):
            read = gettext(words)
            assert flag_words(rulebook_of(bobs_table.round.tournament), flag, []) == read
        shown = client.get(f"/c/{bobs_table.secret}/state", **swedish).json()
        assert [call["words"] for call in shown["flags"]] == [read]
        settle_flag(flag, alice, now=timezone.now())
        with translation.override("sv"):
            assert read in bobs_table.round.tournament.log.latest("pk").words
        post(client, bobs_table, "flag", {"kind": "call", "words": tapped})
        post(client, bobs_table, "flag", {"kind": "call", "words": read, "settled": True})
        assert not bobs_table.flags.filter(settled_at=None).exists()


def test_a_call_stored_in_words_is_read_in_the_readers_language_and_taken_back(client, bobs_table) -> None:
    """Earlier versions stored them so."""
    flag = bobs_table.flags.create(kind="call", words="Kom herover", raised_at=timezone.now())
    assert [call["words"] for call in state(client, bobs_table)["flags"]] == ["Please come over"]
    post(client, bobs_table, "flag", {"kind": "call", "words": "Kom herover", "settled": True})
    flag.refresh_from_db()
    assert flag.settled_at


def test_a_call_that_is_sent_again_after_the_desk_settled_it_calls_nobody(client, bobs_table, alice) -> None:
    """The answer was lost on the way: the phone cannot know."""
    call = {"kind": "call", "deal": None, "words": "cards are missing", "key": str(uuid4())}
    post(client, bobs_table, "flag", call)
    ledger.settle_flag(Flag.objects.get(), alice, now=timezone.now())
    assert post(client, bobs_table, "flag", call).status_code == 200
    assert state(client, bobs_table)["flags"] == []
    assert post(client, bobs_table, "flag", call | {"key": str(uuid4())}).status_code == 200
    assert len(state(client, bobs_table)["flags"]) == 1


def test_another_call_under_the_same_key_is_heard_too(client, bobs_table) -> None:
    key = str(uuid4())
    for _time in range(2):
        for words in ("who deals?", "cards are missing"):
            post(client, bobs_table, "flag", {"kind": "call", "words": words, "key": key})
    assert {flag["words"] for flag in state(client, bobs_table)["flags"]} == {
        "who deals?",
        "cards are missing",
    }
    assert Flag.objects.count() == 2


@pytest.mark.parametrize(("kind", "most"), [("call", MOST_OPEN_CALLS), ("later", 40)])
def test_so_many_wait_for_the_organiser_and_no_more(client, bobs_table, alice, kind, most) -> None:
    def ask(number: int) -> HttpResponse:
        return post(client, bobs_table, "flag", {"kind": kind, "deal": 1 + number % 40, "words": str(number)})

    assert {ask(number).status_code for number in range(most)} == {200}
    answer = ask(most)
    assert (answer.status_code, answer.json()["error"]) == (429, "no_room")
    assert (
        answer.json()["message"]
        == "Too much from this table is waiting for the organiser; this stays on the phone."
    )
    assert ask(0).status_code == 200  # which waits already
    ledger.settle_flag(Flag.objects.first(), alice, now=timezone.now())
    assert ask(most).status_code == 200
    assert Flag.objects.filter(settled_at=None).count() == most


def test_marks_that_come_and_go_end_some_time(client, bobs_table) -> None:
    Flag.objects.bulk_create(
        Flag(table=bobs_table, kind="later", deal=1, raised_at=timezone.now(), settled_at=timezone.now())
        for _mark in range(MOST_EVER)
    )
    assert post(client, bobs_table, "flag", {"kind": "later", "deal": 3}).status_code == 429


@pytest.mark.parametrize(
    ("call", "status"),
    [
        ({"kind": "dance", "words": ""}, 409),
        ({"kind": "call", "words": "", "key": "x"}, 400),
        ({"kind": "call", "words": "", "key": 7}, 400),
        ({"kind": "dance", "words": "", "settled": True}, 400),
        ({"kind": "call", "words": "x" * 201}, 409),
        ({"kind": "later", "deal": 41}, 409),
        ({"kind": 7}, 400),
        ({"kind": "call", "words": None}, 400),
        ({"kind": "call", "words": "\ud800"}, 400),
        ({"kind": "call", "words": "\x00"}, 400),
        ({"kind": "later", "deal": "3"}, 400),
        ({"kind": "later", "deal": True}, 400),
        ([], 400),
    ],
)
def test_a_strange_call_is_answered_in_words(client, bobs_table, call, status) -> None:
    response = post(client, bobs_table, "flag", call)
    assert response.status_code == status
    assert response.json()["message"]
    assert not Flag.objects.exists()


# Who deals first


def test_the_first_dealer_is_set_before_deal_1_only(client, bobs_table) -> None:
    assert post(client, bobs_table, "first-dealer", {"position": 2}).status_code == 200
    told = state(client, bobs_table)
    assert (told["table"]["first_dealer"], told["deals"][0]["dealer"]) == (2, 2)
    report(bobs_table, 1)
    response = post(client, bobs_table, "first-dealer", {"position": 0})
    assert (response.status_code, response.json()["field"]) == (409, "first_dealer")


@pytest.mark.parametrize("path", ["agree", "flag", "first-dealer"])
def test_what_changes_something_is_posted_and_a_closed_round_takes_nothing(
    client, bobs_table, alice, path
) -> None:
    assert client.get(f"/c/{bobs_table.secret}/{path}").status_code == 405
    close_round(bobs_table.round, account=alice, now=timezone.now(), force_reason="late")
    assert post(client, bobs_table, path, {"position": 0, "tokens": 0, "kind": "call"}).status_code == 410


def test_a_table_ended_early_takes_agreement_but_no_deals(client, bobs_table, alice) -> None:
    report(bobs_table, 1)
    end_table_early(bobs_table, reason="it got late", account=alice, now=timezone.now())
    assert state(client, bobs_table)["table"]["ended"] is True
    assert post(client, bobs_table, "agree", {"position": 0, "tokens": 0}).status_code == 200


# Which phone enters


def test_the_first_phone_enters_and_a_second_is_told_of_it_and_may_take_over(client, bobs_table) -> None:
    assert post(client, bobs_table, "phone", {"phone": "bobs"}).json() == {"phone": "bobs"}
    assert post(client, bobs_table, "phone", {"phone": "carls"}).json() == {"phone": "bobs"}
    seen = state(client, bobs_table)
    assert seen["phone"] == "bobs"
    assert post(client, bobs_table, "phone", {"phone": "carls", "take": True}).json() == {"phone": "carls"}
    assert state(client, bobs_table, f"?v={seen['version']}&seq={seen['sequence']}")["phone"] == "carls"


def test_a_phone_that_has_gone_gives_way_to_the_next(client, bobs_table) -> None:
    post(client, bobs_table, "phone", {"phone": "bobs"})
    Table.objects.update(phone_seen_at=timezone.now() - timedelta(minutes=4))
    assert state(client, bobs_table)["phone"] == ""
    assert post(client, bobs_table, "phone", {"phone": "carls"}).json() == {"phone": "carls"}


def test_a_phone_that_says_again_that_it_is_there_wakes_nobody(client, bobs_table) -> None:
    post(client, bobs_table, "phone", {"phone": "bobs"})
    version = state(client, bobs_table)["version"]
    post(client, bobs_table, "phone", {"phone": "bobs"})
    assert state(client, bobs_table, "")["version"] == version


def test_any_phone_with_the_link_may_report_whoever_enters(client, bobs_table) -> None:
    post(client, bobs_table, "phone", {"phone": "bobs"})
    assert report(bobs_table, 1).status == "accepted"


@pytest.mark.parametrize("name", [None, 7, "", "x" * 37, "\ud800", "a b", []])
def test_a_phone_has_a_plain_name(client, bobs_table, name) -> None:
    assert post(client, bobs_table, "phone", {"phone": name}).status_code == 400
