"""My row: said once, kept on this device alone, marked in its place and at the foot, with where I sit next."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.factories import first_table, make_tournament, play_out, report
from tournaments.domain.terms import signed
from tournaments.ledger.seating import next_seats, next_seats_from
from tournaments.lifecycle.playing import close_round
from tournaments.standings.players import standings

pytestmark = pytest.mark.browser

SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}


def test_a_player_says_once_who_they_are_and_has_their_row_with_the_next_seat(
    open_page, transactional_db, alice
):
    tournament = make_tournament(8, 2, account=alice)
    table = first_table(tournament)
    entry = table.seats.get(position=1).entry
    page = open_page(f"/t/{tournament.code}/standings/", phone=True)
    sent = []
    page.on("request", lambda request: sent.append(f"{request.url} {request.post_data} {request.headers}"))
    mine = page.get_by_role("complementary", name="My row")
    page.get_by_label("Who are you?").select_option(entry.shown_name)
    expect(mine).to_contain_text(entry.shown_name)
    expect(mine).to_contain_text(next_seats(tournament, [entry.pk])[entry.number])
    page.reload()
    expect(mine).to_be_in_viewport()
    expect(mine).to_contain_text(next_seats(tournament, [entry.pk])[entry.number])
    expect(page.locator("tr.mine-here")).to_contain_text(entry.shown_name)
    # It follows the deals, in its place and at the foot.
    report(table, 1, SOLO)
    expect(mine.locator(".mine-total")).to_have_text("+6")
    expect(page.locator("tr.mine-here .total")).to_have_text("+6")
    assert not [one for one in sent if entry.shown_name in one or f"/player/{entry.number}/" in one]
    # On the player's own page it is known too, and can be taken back.
    mine.get_by_role("link").click()
    page.get_by_role("button", name="This is me", pressed=True).click()
    page.go_back()
    expect(page.get_by_label("Who are you?")).to_be_visible()


def test_after_play_the_readers_row_stands_below_who_won_and_is_marked_among_the_rest(
    open_page, transactional_db, alice
):
    tournament = make_tournament(8, 1, account=alice, deals_per_round=4)
    for table in tournament.rounds.get().tables.select_related("round__tournament"):
        play_out(table, agreed=True)
    close_round(tournament.rounds.get(), account=alice, now=timezone.now())
    last = standings(tournament).rows[-1]
    page = open_page(f"/t/{tournament.code}/", phone=True)
    mine = page.get_by_role("complementary", name="My row")
    expect(page.locator(".won")).to_be_visible()
    expect(mine).to_be_hidden()  # nobody has said who they are
    page.goto(f"{page.url}standings/")
    page.get_by_label("Who are you?").select_option(last.name)
    page.go_back()
    expect(mine).to_contain_text(last.name)
    expect(mine.locator(".mine-total")).to_have_text(signed(last.total))
    expect(page.locator(".won + #mine")).to_be_visible()
    expect(page.locator(".leading .mine-here")).to_contain_text(last.name)


def test_while_play_runs_the_readers_row_stands_below_who_leads_and_follows_the_deals(
    open_page, transactional_db, alice
):
    tournament = make_tournament(8, 2, account=alice)
    table = first_table(tournament)
    report(table, 1, SOLO)
    leader, *_others, last = [row.name for row in standings(tournament).rows]
    page = open_page(f"/t/{tournament.code}/standings/", phone=True)
    overview = page.url.removesuffix("standings/")
    mine = page.get_by_role("complementary", name="My row")

    def total_of(name):
        return {row.name: signed(row.total) for row in standings(tournament).rows}[name]

    page.get_by_label("Who are you?").select_option(last)
    page.goto(overview)
    expect(page.locator("[aria-labelledby=leading] > #mine")).to_be_visible()
    expect(mine).to_contain_text(last)
    expect(mine.locator(".mine-total")).to_have_text(total_of(last))
    report(table, 2, SOLO)
    expect(mine.locator(".mine-total")).to_have_text(total_of(last))
    expect(page.locator("#mine")).to_have_count(1)
    # Who is among the first is marked there, and not said twice.
    page.goto(f"{overview}standings/")
    mine.get_by_role("button", name="Not me").click()
    page.get_by_label("Who are you?").select_option(leader)
    page.goto(overview)
    expect(page.locator(".leading .mine-here")).to_contain_text(leader)
    expect(mine).to_be_hidden()


def test_when_all_have_said_yes_the_captains_phone_says_where_each_sits_next(
    open_page, transactional_db, alice
):
    tournament = make_tournament(8, 2, account=alice, deals_per_round=4)
    table = first_table(tournament)
    play_out(table)
    page = open_page(f"/c/{table.secret}/#agree", phone=True)
    page.get_by_role("button", name="All agree").click()
    expect(page.locator("#agree-next li")).to_have_text(next_seats_from(table))
