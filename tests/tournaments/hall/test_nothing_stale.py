"""Each kind of change arrives on each live page: what is kept of it is what would be drawn from nothing.

Pages of the hall come from a cache; parts of the desk's come as the rows that changed since the page's own version.
"""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.utils import timezone

from clubs.members import Details, change_member
from core.serving.streams import Drawn, attribute
from tests.factories import browser_of, first_round, first_table, make_tournament, play_out, report
from tournaments.entries.entering import bring_back, enter_guest, rename_guest, withdraw
from tournaments.ledger.table_actions import agree, raise_flag, settle_flag
from tournaments.lifecycle.ending import call_off, take_up_again
from tournaments.lifecycle.playing import (
    close_round,
    end_table_early,
    pause_clock,
    reopen_round,
    resume_table,
    start_clock,
)
from tournaments.lifecycle.rulings import cancel_penalty, penalise
from tournaments.models import Flag, Penalty, Table, Tournament

SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}
PAGES = (
    "", "standings/", "seats/", "tables/", "round/1/", "round/1/table/1/", "player/1/", "story/", "story/2/",
    "projector/",
)  # fmt: skip
# A clock shows the seconds that are left.
TIME = re.compile(r"\d\d[:.]\d\d(?:[:.]\d\d)?")


def tables(tournament):
    found = Table.objects.filter(round=first_round(tournament)).select_related("round__tournament")
    return list(found.order_by("number"))


def _report(tournament, **_by):
    report(tables(tournament)[1], 1, SOLO)


def _correct(tournament, **_by):
    report(first_table(tournament), 1, SOLO | {"outcome": "kodille"}, base=1, reason="misread")


def _play_out(tournament, **_by):
    for deal in range(1, 5):
        report(tables(tournament)[1], deal, SOLO)


def _penalise(tournament, **by):
    entry = tournament.entries.get(number=2)
    penalise(entry, tokens=-5, reason="late", round_=first_round(tournament), **by)


def _cancel_penalty(_tournament, **by):
    cancel_penalty(Penalty.objects.get(), reason="was there", **by)


def _withdraw(tournament, **by):
    withdraw(tournament.entries.get(number=8), reason="ill", **by)


def _close(tournament, **by):
    close_round(first_round(tournament), force_reason="the hall closes", **by)


def _call_off(tournament, **by):
    _close(tournament, **by)
    call_off(Tournament.objects.get(pk=tournament.pk), reason="snow", **by)


def _bring_back(tournament, **by):
    bring_back(tournament.entries.get(number=8), **by)


def _enter_guest(tournament, **by):
    enter_guest(tournament, "Ulla Vest", **by)


def _rename_guest(tournament, **by):
    rename_guest(tournament.entries.get(player__name="Ulla Vest"), "Ulla Nord", **by)


def _rename_member(tournament, **by):
    membership = tournament.entries.get(number=1).player.memberships.get()
    change_member(membership, Details("Vera Friis", membership.number, membership.joined), **by)


def _call(tournament, now, **_by):
    raise_flag(first_table(tournament), Flag.Kind.CALL, deal=None, words="the scores", now=now)


def _settle(_tournament, account, now):
    settle_flag(Flag.objects.get(), account, now=now)


def _agree(tournament, now, **_by):
    for seat in tables(tournament)[1].seats.all():
        agree(seat, now=now)


def _report_all(tournament, **_by):
    play_out(tables(tournament)[1])


def _start_clock(tournament, **by):
    start_clock(first_round(tournament), minutes=60, **by)


def _pause_clock(tournament, **by):
    pause_clock(first_round(tournament), **by)


def _end_table(tournament, **by):
    end_table_early(first_table(tournament), reason="late", **by)


def _resume_table(tournament, **by):
    resume_table(first_table(tournament), **by)


def _reopen_round(tournament, **by):
    reopen_round(first_round(tournament), reason="a deal was misread", **by)


def _take_up_again(tournament, **by):
    take_up_again(tournament, **by)


def _settle_all(tournament, account, **_by):
    """All calls at once, as the desk does; Undo opens them again."""
    sent = {"flag": Flag.objects.get().pk}
    return browser_of(account).post(f"/desk/t/{tournament.code}/settled/", sent, follow=True)


def _undo(tournament, **by):
    page = _settle_all(tournament, **by).content.decode()
    (address,) = re.findall(r'class="message success undo" action="([^"]+)"', page)
    browser_of(by["account"]).post(address)


# Each change, after another one where it needs one.
CHANGES = [
    (None, _report),
    (None, _correct),
    (None, _play_out),
    (None, _penalise),
    (None, _cancel_penalty),
    (None, _withdraw),
    (_withdraw, _bring_back),
    (None, _enter_guest),
    (_enter_guest, _rename_guest),
    (None, _rename_member),
    (None, _call),
    (_call, _settle),
    (_call, _settle_all),
    (_call, _undo),
    (_report_all, _agree),
    (None, _start_clock),
    (_start_clock, _pause_clock),
    (None, _end_table),
    (_end_table, _resume_table),
    (None, _close),
    (_close, _reopen_round),
    (None, _call_off),
    (_call_off, _take_up_again),
]


@pytest.fixture
def tournament(club, alice):
    made = make_tournament(8, club=club, deals_per_round=4)
    report(first_table(made), 1, SOLO)
    entry = made.entries.get(number=1)
    penalise(entry, tokens=-3, reason="late", round_=None, account=alice, now=timezone.now())
    return made


def read(client, tournament):
    """The live part of every page, without times."""
    address = f"/t/{tournament.code}/"
    answers = {page: client.get(address + page, headers={"HX-Request": "true"}) for page in PAGES}
    assert {page: answer.status_code for page, answer in answers.items()} == dict.fromkeys(PAGES, 200)
    return {page: TIME.sub("", answer.content.decode()) for page, answer in answers.items()}


DESK = (
    "",
    "board/",
    "board/?view=list",
    "round/1/",
    "standings/",
    "clock/",
    "check-in/",
    "finish/",
    "now/?at=/desk/",
)
TOKEN = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")[^"]*')
SAYS_VERSION = re.compile(r' data-(?:sum|version)="[^"]*"')


# What htmx takes out of a page whose part is not rendered alone.
OF_PAGE = re.compile(r'<div id="(?:list|finish)" .*(?=</main>)', re.DOTALL)


def read_desk(browser, tournament, sums=None):
    """The live part of every page of the desk that has one; with the checksums of earlier ones what changes these."""
    answers = {}
    for page in DESK:
        headers = {"HX-Request": "true"} | ({"X-Sum": sums[page]} if sums else {})
        answers[page] = browser.get(f"/desk/t/{tournament.code}/{page}", headers=headers)
    return {page: answer for page, answer in answers.items() if answer.status_code == 200}


def applied(before, answer):
    """The part that a page shows after an answer, as static/js/live_rows.js changes it."""
    if not answer.headers["Content-Type"].startswith("application/json"):
        return answer.content.decode()
    drawn, told = Drawn(before), answer.json()
    rows = [
        row
        for one in told["rows"]
        for row in ([one] if isinstance(one, str) else drawn.rows[one[0] : sum(one)])
    ]
    frame = drawn.frame.split("\0")
    return "".join(text + row for text, row in zip(frame, [*rows, ""], strict=True))


def plain(pages):
    """The live parts of these pages, without what another rendering of the same has too."""
    parts = {
        page: "".join(OF_PAGE.findall(html)) if html.startswith("<!doctype") else html
        for page, html in pages.items()
    }
    return {page: TIME.sub("", TOKEN.sub("", SAYS_VERSION.sub("", part))) for page, part in parts.items()}


@pytest.mark.parametrize(
    ("given", "change"), CHANGES, ids=[change.__name__.strip("_") for _given, change in CHANGES]
)
def test_a_change_is_on_every_page_at_once(given, change, tournament, alice, as_alice, client):
    by = {"account": alice, "now": timezone.now()}
    if given:
        given(Tournament.objects.get(pk=tournament.pk), **by)
    before = read(client, tournament)
    desk_before = {page: answer.content.decode() for page, answer in read_desk(as_alice, tournament).items()}
    version = Tournament.objects.get(pk=tournament.pk).version
    change(Tournament.objects.get(pk=tournament.pk), **by)
    assert Tournament.objects.get(pk=tournament.pk).version > version, "open pages do not hear of it"
    after = read(client, tournament)
    sums = dict.fromkeys(DESK, "") | {page: attribute(html, "sum") for page, html in desk_before.items()}
    answers = read_desk(as_alice, tournament, sums)
    cache.clear()
    assert after == read(client, tournament)
    whole = {page: answer.content.decode() for page, answer in read_desk(as_alice, tournament).items()}
    shown = {page: applied(desk_before.get(page, ""), answer) for page, answer in answers.items()}
    assert plain(shown) == plain(whole)
    assert (plain(after), plain(whole)) != (plain(before), plain(desk_before))
