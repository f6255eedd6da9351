"""Requests that no browser of ours sends: each is answered in words, and none is a fault of the program."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from core.jobs.models import Job
from core.serving.addresses import lan_address
from tests.every_address import addresses
from tests.factories import first_table, make_tournament, play_out, report
from tournaments import ledger
from tournaments.lifecycle.playing import close_round, revoke_link

HUGE = "9" * 5000  # more digits than Python turns into a number


@pytest.fixture
def running(alice):
    return make_tournament(account=alice)


@pytest.mark.parametrize(
    "host",
    ["localhost:99999", "192.168.1.5:70000", "[a:b]", "[:1]", "a" * 4000, f"{'.'.join(['a' * 49] * 5)}:8000"],
)
def test_a_host_that_is_no_address_goes_into_no_code(as_alice, running, settings, host):
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = "", ["*"]
    page = as_alice.get(
        reverse("desk_tournament", args=[running.code]), headers={"host": host}
    ).content.decode()
    assert f"http://{lan_address()}" in page
    assert host not in page


@pytest.mark.parametrize("number", [HUGE, "99999", "²", "-1", "x"])
def test_sheets_of_a_table_that_no_round_has(as_alice, running, number):
    url = reverse("desk_print_ask", args=[running.code, 1, "blank"])
    answer = as_alice.post(url, {"table": number})
    (choice,) = [one for one in answer.context["choices"] if one.form.errors]
    assert (choice.kind.code, list(choice.form.errors)) == ("blank", ["table"])
    assert not Job.objects.exists()


@pytest.mark.slow
@pytest.mark.databases
def test_no_search_is_too_long_for_the_database(as_alice, running, club):
    """SQLite refuses patterns above 50,000 bytes, and more than 1,000 conditions."""
    sought = dict.fromkeys(("q", "name", "seek"), f"{'a' * 50_001}{' a' * 2000}")
    ids = {"code": running.code, "slug": club.slug, "secret": "nobody-knows"}
    pages = {
        name: address for name, address in addresses() if ".pdf" not in address and "picture" not in address
    }
    answers = {
        name: as_alice.get(address.format(**ids), sought).status_code for name, address in pages.items()
    }
    assert {name: status for name, status in answers.items() if status >= 500} == {}


@pytest.mark.parametrize("page", ["0", "-1", "x", "99", HUGE, ""])
@pytest.mark.parametrize("rows", ["0", "-1", "x", HUGE])
def test_a_page_that_a_list_has_not_is_a_page_that_it_has(as_alice, running, club, page, rows):
    for url in (reverse("desk_entries", args=[running.code]), reverse("club", args=[club.slug])):
        response = as_alice.get(url, {"page": page, "per_page": rows, "sort": "-nonsense"})
        assert response.status_code == 200
        assert "Anna Holm" in response.content.decode()


def test_a_buttons_address_opened_as_a_page_shows_its_page_and_says_that_nothing_was_saved(as_alice, running):
    """As after a session that ended: signing in leads to the address of the button that was pressed."""
    address = reverse("desk_withdraw", args=[running.code, 1])
    page = as_alice.get(address, follow=True)
    assert page.redirect_chain == [(reverse("desk_entry", args=[running.code, 1]), 302)]
    assert "was not saved" in page.content.decode()
    danish = as_alice.get(address, headers={"accept-language": "da"}, follow=True)
    assert '<html lang="da">' in danish.content.decode()


@pytest.mark.parametrize("name", ["desk_tournament", "desk_entries", "desk_board", "desk_print", "desk_log"])
def test_nobody_keeps_a_page_of_the_desk(as_alice, running, name):
    assert "no-store" in as_alice.get(reverse(name, args=[running.code]))["Cache-Control"]


def test_a_taken_away_list_has_formulas_disarmed_and_guests_named_so(as_alice, running):
    as_alice.post(reverse("desk_add_guest", args=[running.code]), {"name": "=1+1"})
    file = as_alice.get(reverse("desk_entries_export", args=[running.code, "csv"]))
    assert b"".join(file.streaming_content).decode().splitlines()[-1] == "9,'=1+1,guest,entered"


def test_a_yes_is_to_the_sheet_that_was_seen(running):
    """Between reading the sheet and the yes, a correction came in."""
    table = first_table(running)
    play_out(table)
    seat = table.seats.get(position=1)
    report(table, 1, {"all_passed": True}, base=1, reason="misread")
    with pytest.raises(NotPossible, match="The sheet has changed in the meantime"):
        ledger.agree(seat, now=timezone.now())
    assert table.seats.exclude(agreed_at=None).count() == 0


@pytest.mark.parametrize("state", ["open", "revoked", "closed", "unknown"])
def test_no_page_of_a_captains_link_tells_the_link_to_anybody(client, running, alice, state):
    table, now = first_table(running), timezone.now()
    secret = table.secret
    if state == "revoked":
        revoke_link(table, account=alice, now=now)
    if state == "closed":
        close_round(table.round, account=alice, now=now, force_reason="late")
    page = client.get(reverse("captain", args=["x" + secret if state == "unknown" else secret]))
    # Neither sends the address; a dead page's forms need the origin.
    assert page["Referrer-Policy"] == ("no-referrer" if state == "open" else "strict-origin")
    assert "no-store" in page["Cache-Control"]
    assert "noindex" in page["X-Robots-Tag"]


@pytest.mark.parametrize("name", ["captain_slip", "captain_photograph"])
def test_what_a_captain_fills_in_tells_the_link_to_nobody_either(client, running, name):
    page = client.get(reverse(name, args=[first_table(running).secret]))
    assert (page.status_code, page["Referrer-Policy"]) == (200, "strict-origin")
    assert "no-store" in page["Cache-Control"]
    assert "noindex" in page["X-Robots-Tag"]
