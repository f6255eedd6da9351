"""A union, its clubs and captains in a real browser: teams, officials, halls, objections, who qualifies, the year."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from clubs.register import invite_club
from tests.browser.test_axe import REACHING_OUT, WIDE, wrong
from tests.evenings import make_evening, play_evening
from tests.factories import (
    affiliate,
    decide_as_it_stands,
    first_table,
    make_account,
    make_championship,
    make_club,
    make_player,
    make_tournament,
    player_name,
)
from tests.tournaments.lifecycle.test_home_matches import TODAY
from tests.tournaments.seasons.test_season import make_teams
from tournaments.entries.teams import database_clock
from tournaments.lifecycle.objections import Subject, make_objection
from tournaments.lifecycle.team_entries import link_for, set_deadline
from tournaments.models import Objection, Official, Season, TeamEntry, Tournament
from tournaments.standings.players import standings

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def union(club, alice):
    """The union of Alice's club; Ulla organises it."""
    union = make_club("Fyns Forbund")
    affiliate(club, union)
    make_account("ulla", union)
    return union


@pytest.fixture
def by_ulla(union):
    return {"account": union.roles.get().account, "now": timezone.now()}


@pytest.fixture
def desk(open_page):
    """Open a page of the desk as somebody who has signed in."""

    def opened(path, username="ulla", *, phone=False):
        page = open_page(f"/clubs/login/?next={path}", phone=phone)
        page.get_by_label("User name").fill(username)
        page.get_by_label("Password").fill("a long password")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_label("Password")).to_have_count(0)
        return page

    return opened


@pytest.fixture
def league(union, by_ulla):
    """A league in which clubs enter teams for two more days."""
    tournament = make_tournament(
        0, club=union, account=by_ulla["account"], drawn=False, name="Fynsserien", format="teams"
    )
    set_deadline(tournament, teams_until=database_clock() + timedelta(days=2), most_of_club=0, **by_ulla)
    tournament.refresh_from_db()
    return tournament


def choose(page, *names, first=1):
    """Choose players for a team's places, one after another."""
    for place, name in enumerate(names, start=first):
        page.get_by_label(f"Player {place}", exact=True).select_option(label=name)


def test_a_club_enters_a_team_at_its_desk_and_by_link_until_the_deadline(
    league, club, desk, open_page, live_server
):
    for number in range(1, 9):
        make_player(f"Spiller {number}", club, number)
    page = desk("/clubs/stilling/teams/", "alice")
    page.get_by_role("link", name="Fynsserien").click()
    page.get_by_label("Name of the team").fill("Stilling 1")
    page.get_by_label("Home venue").fill("Kroen")
    choose(page, "Spiller 1 (1)", "Spiller 2 (2)", "Spiller 3 (3)")
    page.get_by_role("button", name="Enter the team").click()
    # Three of four: refused at the field that is empty, and nothing that was typed or chosen is lost.
    fourth = page.get_by_label("Player 4", exact=True)
    expect(page.locator(".field", has=fourth)).to_contain_text(
        "A team here has 4 players: choose one here, too."
    )
    expect(page.get_by_label("Name of the team")).to_have_value("Stilling 1")
    expect(page.get_by_label("Home venue")).to_have_value("Kroen")
    expect(page.get_by_label("Player 3", exact=True).locator("option:checked")).to_have_text("Spiller 3 (3)")
    choose(page, "Spiller 4 (4)", first=4)
    page.get_by_role("button", name="Enter the team").click()
    expect(page.get_by_text("The team has been entered.")).to_be_visible()
    expect(page.get_by_role("link", name="Stilling 1")).to_be_visible()
    # Another team by the link, on a phone without an account; a second one when the time is up.
    phone = open_page(f"/c/teams/{link_for(league, club).secret}/", phone=True)
    phone.get_by_label("Name of the team").fill("Stilling 2")
    choose(phone, *(f"Spiller {number} ({number})" for number in range(5, 9)))
    phone.get_by_role("button", name="Enter the team").tap()
    expect(phone.get_by_text("The team has been entered.")).to_be_visible()
    Tournament.objects.filter(pk=league.pk).update(teams_until=database_clock() - timedelta(seconds=2))
    phone.get_by_role("link", name="Stilling 2").tap()
    expect(phone.get_by_text("Only the union’s organisers can change anything now.")).to_be_visible()
    expect(phone.get_by_role("button", name="Save")).to_have_count(0)
    phone.get_by_role("link", name="Teams of Stilling").tap()
    expect(phone.get_by_role("button", name="Enter the team")).to_have_count(0)
    # What changes later is a ruling with its reason, which the club reads.
    ruling = desk(reverse("desk_team_entry", args=[league.code, 2]))
    ruling.get_by_role("link", name="Change the team by a ruling").click()
    ruling.get_by_label("Name of the team").fill("Stilling B")
    ruling.get_by_role("button", name="Save the ruling").click()
    expect(ruling.locator(".field", has=ruling.get_by_label("Reason"))).to_contain_text(
        "Say why, in a few words."
    )
    expect(ruling.get_by_label("Name of the team")).to_have_value("Stilling B")
    ruling.get_by_label("Reason").fill("Holdet hed det ved tilmeldingen")
    ruling.get_by_role("button", name="Save the ruling").click()
    expect(ruling.get_by_role("heading", name="2 · Stilling B")).to_be_visible()
    expect(ruling.get_by_text("Holdet hed det ved tilmeldingen")).to_be_visible()
    page.goto(f"{live_server.url}/clubs/stilling/teams/{league.code}/2/")
    expect(page.get_by_text("Holdet hed det ved tilmeldingen")).to_be_visible()
    assert list(TeamEntry.objects.values_list("name", flat=True)) == ["Stilling 1", "Stilling B"]


def test_an_official_is_made_works_and_gives_the_role_up(league, club, alice, desk):
    page = desk(reverse("desk_officials", args=[league.code]))
    page.get_by_role("button", name="Add the official").click()
    expect(page.get_by_text("Choose a colleague.")).to_be_visible()
    page.get_by_label("Colleague").select_option(label="Alice (alice)")
    page.get_by_role("radio", name="organiser").first.check()
    page.get_by_role("button", name="Add the official").click()
    expect(page.get_by_text("Alice now has the role.")).to_be_visible()
    hers = desk("/desk/", "alice")
    hers.get_by_role("link", name="Fynsserien").first.click()
    expect(hers.get_by_role("region", name="The evening now")).to_contain_text("Fynsserien")
    hers.go_back()
    hers.get_by_role("button", name="Give up").click()
    expect(hers.get_by_text("You no longer have a role at Fynsserien.")).to_be_visible()
    assert not Official.objects.exists()


def test_tables_of_one_hall_are_shown_printed_and_named(club, alice, desk, open_page):
    evening = make_tournament(8, account=alice)
    page = desk(reverse("desk_halls", args=[evening.code]), "alice")
    for number, (name, place) in enumerate((("Sal A", "Søndergade 5"), ("Sal B", "Skolen")), start=1):
        hall = page.get_by_role("group", name=f"Hall {number}")
        hall.get_by_label("Name").fill(name)
        hall.get_by_label("Place or address").fill(place)
    page.get_by_role("button", name="Save").click()
    hall = page.get_by_role("group", name="Hall 1")
    expect(hall).to_contain_text("How many tables does this hall have?")
    expect(hall.get_by_label("Name")).to_have_value("Sal A")
    for number in (1, 2):
        page.get_by_role("group", name=f"Hall {number}").get_by_label("Tables").fill("1")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("listitem").filter(has_text="Sal B")).to_contain_text("tables 2 to 2")
    page.goto(page.url.replace("/halls/", "/board/"))
    page.get_by_role("link", name="Sal B", exact=True).click()
    expect(page.locator("#table-2")).to_be_visible()
    expect(page.locator("#table-1")).to_have_count(0)
    page.goto(page.url.partition("/board/")[0] + "/print/?hall=2")
    expect(page.get_by_role("navigation", name="Halls").locator("[aria-current=page]")).to_have_text("Sal B")
    assert set(page.locator("input[name=hall]").evaluate_all("all => all.map(one => one.value)")) == {"2"}
    wall = open_page(f"/t/{evening.code}/projector/?hall=2", size=(1920, 1080))
    expect(wall.get_by_role("heading", level=1)).to_contain_text("Sal B")
    phone = open_page(f"/c/{first_table(evening).secret}/", phone=True)
    expect(phone.locator(".at-table")).to_have_text("Table 1 · ")
    phone.get_by_role("link", name="Sheet").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Sal A: Table 1")


def test_an_objection_by_link_waits_at_the_finish_until_it_is_answered(club, alice, desk, open_page):
    by = {"account": alice, "now": timezone.now()}
    tournament = make_teams(club, by, teams=2, date=TODAY())
    team = tournament.teams.get(number=1)
    phone = open_page(reverse("team_line_up", args=[team.secret]), phone=True)
    phone.get_by_role("link", name="Objections").tap()
    phone.get_by_label("What it is about").select_option(label="a deal")
    phone.get_by_label("Round").select_option(label="1")
    phone.get_by_label("What is wrong").fill("Spillet blev vundet")
    phone.get_by_role("button", name="Send the objection").tap()
    table = phone.locator(".field", has=phone.get_by_label("Table"))
    expect(table).to_contain_text("Type the number of the table.")
    expect(phone.get_by_label("What is wrong")).to_have_value("Spillet blev vundet")
    phone.get_by_label("Table").fill("1")
    phone.get_by_label("Deal", exact=True).fill("3")
    phone.get_by_role("button", name="Send the objection").tap()
    expect(phone.get_by_text("Your objection has been sent to the organiser.")).to_be_visible()
    page = desk(reverse("desk_objections_made", args=[tournament.code]), "alice")
    expect(page.get_by_role("heading", name=f"1: {team}, a deal, round 1, table 1, deal 3")).to_be_visible()
    page.get_by_role("button", name="Reject the objection").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Answer").fill("Spillet er rigtigt")
    page.get_by_role("button", name="Reject the objection").click()
    expect(page.get_by_text("The objection has been decided.")).to_be_visible()
    expect(page.get_by_text("No objection is open.")).to_be_visible()
    phone.reload()
    expect(phone.get_by_text("Spillet er rigtigt")).to_be_visible()
    assert [one.state for one in Objection.objects.all()] == ["rejected"]


def test_who_qualifies_why_who_is_next_and_who_said_no(club, alice, desk):
    players = [make_player(player_name(index), club, index + 1) for index in range(8)]
    evening = make_evening(players, club, alice, date=date(2026, 9, 5), name="Efterår", tie_breaks=["lot"])
    ranked = sorted(standings(play_evening(evening, alice, seed=5)).rows, key=lambda row: row.rank)
    names = dict(evening.entries.values_list("number", "player__name"))
    best = [names[row.number] for row in ranked]
    stage = make_championship(club).stages.get(number=1)
    page = desk(reverse("club_qualified", args=[club.slug, stage.championship_id, 1]), "alice")
    page.get_by_role("link", name="Choose where they come from").click()
    first = page.get_by_role("region", name="Source 1")
    first.get_by_label("Places from").select_option(label="Efterår · 5 September 2026")
    first.get_by_label("How many").fill("2")
    page.get_by_role("button", name="Save").click()
    card = page.get_by_role("region", name="1. Efterår")
    expect(card).to_contain_text(f"{best[0]} {club} place 1 in “Efterår”")
    expect(card).to_contain_text(f"Next in line: {best[2]}")
    page.get_by_role("button", name=f"{best[0]} does not take part").click()
    expect(card).to_contain_text(f"place 3 in “Efterår”; instead of {best[0]}, who does not take part")
    expect(card.get_by_role("heading", name="Passed over")).to_be_visible()
    page.get_by_role("button", name=f"Take back {best[0]}’s answer").click()
    expect(card).to_contain_text(f"Next in line: {best[2]}")
    pdf = page.request.get(page.url + "qualified.pdf")
    assert (pdf.status, pdf.body()[:4]) == (200, b"%PDF")


def test_clubs_by_their_best_and_the_year_with_what_clashes(club, union, alice, desk, open_page):
    players = [make_player(player_name(index), club, index + 1) for index in range(4)]
    season = Season.objects.create(host=club, name="2026", starts=date(2026, 1, 1), ends=date(2026, 12, 31))
    evening = make_evening(
        players, club, alice, date=date(2026, 12, 26), name="Julespil", place="Kroen", season=season
    )
    play_evening(evening, alice)
    page = open_page(f"/season/{season.pk}/clubs/")
    expect(page.get_by_role("row").filter(has_text="Stilling")).to_contain_text("1")
    page.get_by_label("Players of each club who count").fill("5")
    page.get_by_role("button", name="Show").click()
    # Four players are fewer than five: the club has no place.
    expect(page.get_by_role("row").filter(has_text="Stilling").get_by_role("cell").first).not_to_have_text(
        "1"
    )
    other = Tournament.objects.create(host=club, name="Anden juledag", date=date(2026, 12, 26), place="Kroen")
    decide_as_it_stands(other)
    year = desk("/clubs/fyns-forbund/year/?year=2026")
    year.get_by_role("link", name="With the clubs’ evenings").click()
    clashes = year.get_by_role("region", name="Clashes")
    expect(clashes).to_contain_text("Sat 26 December Boxing Day (DK SE NO): Anden juledag, Julespil")
    expect(clashes).to_contain_text("Stilling hosts several on the same day: Anden juledag, Julespil")
    pdf = year.request.get(year.url.replace("/year/", "/year/year.pdf"))
    assert (pdf.status, pdf.body()[:4]) == (200, b"%PDF")


@pytest.mark.slow
def test_pages_with_much_in_them_fit_a_phone_and_can_be_read_by_all(
    club, union, alice, as_alice, open_looked_at, live_server
):
    """Long names of clubs and halls, and letters of twice the size: nothing is cut, overlaps or reaches out."""
    now = timezone.now()
    invite_club(make_club("Landsforeningen af L’Hombreklubber"), club.name, account=alice, now=now)
    first, second = (make_player("Anna Frandsen", club, number) for number in (101, 102))
    tables = {"place": "L’Hombreklubbens forsamlingshus", "tables": 1}
    halls = [{"name": f"L’Hombreklubbens sal {letter}", **tables} for letter in "ABC"]
    evening = make_tournament(12, club=club, account=alice, halls=halls)
    make_objection(
        evening, evening.entries.get(number=1), Subject("standings"), words="Nej", account=alice, now=now
    )
    paths = [
        f"/clubs/stilling/{page}"
        for page in ("unions/", f"doubles/{first.pk}/{second.pk}/", "doubles/", "year/?clubs")
    ]
    paths += [
        f"/desk/t/{evening.code}/{page}/" for page in ("halls", "board", "print", "officials", "objections")
    ]
    page = open_looked_at(phone=True)
    page.context.add_cookies(
        [{"name": "sessionid", "value": as_alice.cookies["sessionid"].value, "url": live_server.url}]
    )
    assert {as_alice.get(path).status_code for path in paths} == {200}
    said = {}
    for path in paths:
        page.goto(live_server.url + path)
        # Links of the desk's pages are for a mouse, too: there their size is not asked for.
        if found := wrong(page, phone=False) + page.evaluate(REACHING_OUT, WIDE):
            said[path] = found
    assert said == {}
