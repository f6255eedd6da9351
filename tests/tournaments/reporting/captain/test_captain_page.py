"""The captain's page, and the ways to it: the link, and the short code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from tests.factories import first_round, first_table, make_tournament
from tournaments.lifecycle.playing import close_round, reopen_round, revoke_link, start_round
from tournaments.reporting.captain_page import LATE_MODULES, LATER, LATER_MODULES, MODULES


def state(client, table, query: str = "") -> dict[str, object]:
    return client.get(f"/c/{table.secret}/state{query}").json()


# The way in


def test_the_link_opens_the_table_and_tells_nobody(client, bobs_table) -> None:
    response = client.get(f"/c/{bobs_table.secret}/")
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    assert response["Referrer-Policy"] == "no-referrer"
    assert "noindex" in response["X-Robots-Tag"]


def test_the_page_has_no_inline_script_or_style(client, bobs_table) -> None:
    page = client.get(f"/c/{bobs_table.secret}/").content.decode()
    scripts = [tag.split(">")[0] for tag in page.split("<script")[1:]]
    assert all("src=" in tag or 'type="application/json"' in tag for tag in scripts)
    assert "<style" not in page
    assert "style=" not in page


def test_the_page_asks_for_all_its_modules_at_once() -> None:
    folder = Path(settings.BASE_DIR) / "static/js/captain"
    started = {"js/captain/main.js", "js/captain/late.js", "js/captain/worker.js"}
    named = [*MODULES, LATER, *LATER_MODULES, *started]
    files = ["js/answers.js", *(f"js/captain/{path.name}" for path in folder.glob("*.js"))]
    assert sorted(files) == sorted(named)
    assert set(LATE_MODULES) < {*MODULES, *LATER_MODULES}


ELEMENTS = {
    "a": "HTMLAnchorElement", "button": "HTMLButtonElement", "form": "HTMLFormElement", "input": "HTMLInputElement",
    "link": "HTMLLinkElement", "script": "HTMLScriptElement",
    "tbody": "HTMLTableSectionElement", "textarea": "HTMLTextAreaElement",
    "tfoot": "HTMLTableSectionElement", "thead": "HTMLTableSectionElement",
}  # fmt: skip


def members(interface: str) -> dict[str, str]:
    """What the scripts' types say that something has: types by name, a "?" behind what may be missing."""
    folder = Path(settings.BASE_DIR) / "static/js/captain"
    types = "".join(path.read_text() for path in folder.glob("*.d.ts"))
    [body] = re.findall(rf"interface {interface}\b[^{{]*\{{\n(.*?)\n\}}", types, re.DOTALL)
    return dict(re.findall(r'^  "?([\w-]+\??)"?: (.+);', body, re.MULTILINE))


def test_the_scripts_know_every_element_of_the_page_by_its_name_and_kind(client, bobs_table) -> None:
    """So that a script asks for none that is not there: `byId` takes no other (`make js`)."""
    page = client.get(f"/c/{bobs_table.secret}/").content.decode()
    there = {
        name: ELEMENTS.get(tag, "HTMLElement")
        for tag, name in re.findall(r"""<(\w+)\b[^>]*?\sid=["']([\w-]+)["']""", page)
    }
    missing = set(members("Ids").items()) - there.items()
    assert missing == set()
    assert len(members("Ids")) > 80


def test_the_server_tells_all_that_the_scripts_take_for_told(client, bobs_table) -> None:
    told = state(client, bobs_table)
    choices = told["choices"]
    [contract, *_others] = choices["contracts"]
    parts = {
        "State": told, "Facts": told["table"], "Seat": told["seats"][0], "Seating": told["seatings"][0],
        "Choices": choices, "Contract": contract, "Patch": contract["results"][0], "Extra": contract["extras"][0],
    }  # fmt: skip
    lacking = {
        name: must
        for name, part in parts.items()
        if (must := {member for member in members(name) if not member.endswith("?")} - part.keys())
    }
    assert lacking == {}


def test_the_page_shows_names_but_neither_phone_nor_address(client, bobs_table) -> None:
    player = bobs_table.seats.first().entry.player
    player.phone, player.email = "12 34 56 78", "anna@example.org"
    player.save()
    page = client.get(f"/c/{bobs_table.secret}/").content.decode()
    assert player.name in page
    assert "12 34 56 78" not in page
    assert "anna@example.org" not in page


@pytest.mark.parametrize("name", ["</script><script>alert(1)</script>", 'Ole "Skakbræt" Ø. 🂡', "x" * 200])
def test_a_strange_name_stays_text(client, bobs_table, name) -> None:
    player = bobs_table.seats.first().entry.player
    player.name = name
    player.save()
    page = client.get(f"/c/{bobs_table.secret}/").content.decode()
    assert "<script>alert" not in page
    assert state(client, bobs_table)["seats"][0]["name"] == name


def test_an_unknown_link_says_so_and_offers_the_code(client, db) -> None:
    response = client.get("/c/nobody-knows-it/")
    assert response.status_code == 404
    assert 'href="/c/"' in response.content.decode()
    assert client.get("/c/nobody-knows-it/state").status_code == 404


def test_a_replaced_link_says_what_to_do(client, bobs_table, alice) -> None:
    old = bobs_table.secret
    revoke_link(bobs_table, account=alice, now=timezone.now())
    response = client.get(f"/c/{old}/")
    assert response.status_code == 410
    assert "replaced" in response.content.decode()
    answer = client.get(f"/c/{old}/state")
    assert (answer.status_code, answer.json()["error"]) == (410, "revoked")


def test_a_closed_rounds_link_leads_to_the_sheet_in_the_hall(client, bobs_table, alice) -> None:
    close_round(bobs_table.round, account=alice, now=timezone.now(), force_reason="late")
    response = client.get(f"/c/{bobs_table.secret}/")
    assert response.status_code == 410
    assert f"/t/{bobs_table.round.tournament.code}/round/1/table/1/" in response.content.decode()
    answer = client.get(f"/c/{bobs_table.secret}/state")
    assert (answer.status_code, answer.json()["error"]) == (410, "closed")


def test_a_reopened_rounds_link_lives_again(client, bobs_table, alice) -> None:
    close_round(bobs_table.round, account=alice, now=timezone.now(), force_reason="late")
    reopen_round(bobs_table.round, reason="a mistake", account=alice, now=timezone.now())
    assert client.get(f"/c/{bobs_table.secret}/").status_code == 200


@pytest.mark.parametrize("typed", ["{}", " {} ", "{lower}", "{spaced}", "{dashed}"])
def test_the_code_is_read_as_people_type_it(client, bobs_table, typed) -> None:
    code = bobs_table.code
    text = typed.format(code, lower=code.lower(), spaced=" ".join(code), dashed=f"{code[:3]}-{code[3:]}")
    response = client.get("/c/", {"code": text})
    assert response.status_code == 302
    assert response["Location"] == f"/c/{bobs_table.secret}/"


def test_a_wrong_code_stays_in_its_field_with_the_reason(client, bobs_table) -> None:
    response = client.get("/c/", {"code": "WRONG<1"})
    assert response.status_code == 404
    page = response.content.decode()
    assert 'value="WRONG&lt;1"' in page
    assert 'role="alert"' in page


def test_ten_wrong_codes_a_minute_are_enough(client, bobs_table) -> None:
    cache.clear()
    for _unused in range(10):
        client.get("/c/", {"code": "WRONG1"})
    response = client.get("/c/", {"code": bobs_table.code})
    assert response.status_code == 404
    assert "Wait a minute" in response.content.decode()


def test_a_page_that_waits_has_the_words_of_all_rules_since_they_may_still_change(client, alice):
    tournament = make_tournament(players=4, account=alice, started=False)
    address = f"/c/{first_table(tournament).secret}/"
    assert '"choose_pool"' in client.get(address).content.decode()
    assert '"dealer_sits_out"' in client.get(address).content.decode()
    start_round(first_round(tournament), account=alice, now=timezone.now())
    assert '"choose_pool"' not in client.get(address).content.decode()
