"""Names and reasons as somebody types them who means harm: what is seen is what was meant, and nothing else moves.

Tried: markup in names, reasons, calls to the desk, file names (shown as text everywhere); letters that turn the writing
round, that nobody sees, that pile up over other lines (found: taken as they came; now left out); formulas (disarmed in
every file); XML bombs and outside entities in an XLSX (nothing comes of them); lines of 300 kB on a slip (refused).
"""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from core.text import clean_text
from core.throttle import WRONG_TRIES_A_MINUTE, by_address, count_attempt, is_throttled
from tests.factories import first_table, make_tournament, report
from tournaments.models import Flag, Report

TURNED = "\N{RIGHT-TO-LEFT OVERRIDE}"
UNSEEN = "\N{ZERO WIDTH SPACE}"
MARKUP = "<img src=x onerror=alert(1)>"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (f"Anna {TURNED}mloH", "Anna mloH"),
        (f"An{UNSEEN}na Holm", "Anna Holm"),
        ("So\N{SOFT HYPHEN}ren", "Soren"),
        (f"{UNSEEN}{TURNED}", ""),
        ("Zoe\u0308" + "\u0301" * 50, "Zoe\u0308\u0301\u0301"),
        ("Zoë Đặng-Sørensen 🂡", "Zoë Đặng-Sørensen 🂡"),
        ("Anna\x00\x1bHolm\r\n", "Anna Holm"),
    ],
)
def test_a_name_has_no_letter_that_is_not_seen_or_moves_others(typed, kept):
    assert clean_text(typed) == kept


@pytest.mark.parametrize("name", [f"{UNSEEN}", f" {TURNED} "])
def test_a_guest_without_a_name_to_be_seen_is_asked_for_one(as_alice, alice, name):
    tournament = make_tournament(4, account=alice)
    answer = as_alice.post(reverse("desk_add_guest", args=[tournament.code]), {"name": name, "here": "on"})
    assert "Type the guest’s name." in answer.content.decode()


def test_what_a_captain_writes_is_shown_as_text_and_turns_nothing_round(as_alice, alice):
    table = first_table(make_tournament(4, account=alice))
    said = {"kind": "call", "deal": None, "words": f"{MARKUP}{TURNED}here"}
    Client().post(reverse("captain_flag", args=[table.secret]), said, content_type="application/json")
    report(table, 1)
    item = {
        "key": "11111111-1111-4111-8111-111111111111",
        "deal": 1,
        "base": 1,
        "reason": f"{TURNED}{MARKUP}",
    }
    item["result"] = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
    url = reverse("captain_reports", args=[table.secret])
    Client().post(url, {"reports": [item]}, content_type="application/json")
    assert (Flag.objects.get().words, Report.objects.latest("pk").reason) == (f"{MARKUP}here", MARKUP)
    tournament, place = table.round.tournament, [table.round.number, table.number]
    for name, args in (("desk_board", []), ("desk_table", place), ("desk_log", []), ("hall_table", place)):
        page = as_alice.get(reverse(name, args=[tournament.code, *args])).content.decode()
        assert MARKUP not in page
        assert TURNED not in page


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("", "unix:", True),
    ],
)
def test_guessing_from_one_network_of_ipv6_is_one_guessers(one, other, together):
    for _try in range(WRONG_TRIES_A_MINUTE):
        count_attempt(by_address("code", one))
    assert is_throttled(by_address("code", other)) is together


@pytest.mark.parametrize("length", [str(13 * 1024 * 1024), "9" * 5000, "-1", "x"])
def test_what_is_too_large_is_refused_before_it_is_laid_on_the_disk(client, db, length):
    answer = client.post("/clubs/login/", {"username": "x"}, CONTENT_LENGTH=length)
    assert answer.status_code == 413
    assert "This is too large" in answer.content.decode()
