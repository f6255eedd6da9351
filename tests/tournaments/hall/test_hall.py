"""The hall: what a stranger sees, and what it costs to show it to everybody."""

from __future__ import annotations

import re
from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.utils import timezone
from django.utils.html import escape

from clubs.models import Club, Player
from tests.factories import (
    first_round,
    first_table,
    make_club,
    make_player,
    make_tournament,
    play_out,
    report,
)
from tournaments import rounds
from tournaments.entries import entering
from tournaments.ledger import Author, Submission, record
from tournaments.ledger.scoresheet import COLUMNS
from tournaments.models import Tournament
from tournaments.words.terms import MINUS

PAGES = ("", "standings/", "seats/", "seats/?name=a", "tables/", "projector/", "rules/")
EVERY_PAGE = (*PAGES, "round/1/", "round/1/table/1/", "player/1/")
HTMX = {"HX-Request": "true"}
GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}


def page(client, tournament, path="", **headers):
    answer = client.get(f"/t/{tournament.code}/{path}", headers=headers)
    assert answer.status_code == 200, path
    return answer.content.decode()


def words(html):
    """What is read on a page, without tags and with single blanks."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@pytest.fixture
def running(club):
    return make_tournament(8, club=club)


@pytest.fixture
def finished(club, alice):
    tournament = make_tournament(4, club=make_club("Finland"), account=alice, name="Unionsmesterskab")
    for table in first_round(tournament).tables.select_related("round__tournament"):
        play_out(table, agreed=True)
    now = timezone.now()
    rounds.close_round(first_round(tournament), account=alice, now=now)
    return rounds.finish(tournament, account=alice, now=now)


def in_state(state, request, club):
    match state:
        case "setup":
            return make_tournament(8, club=club, drawn=False)
        case "empty":
            return make_tournament(0, club=club, drawn=False)
        case "drawn":
            return make_tournament(8, club=club, started=False)
        case _:
            return request.getfixturevalue(state)


# Whatever state a tournament is in


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("empty", "Play has not begun 0 players are entered."),
        ("setup", "Play has not begun 8 players are entered."),
        ("drawn", "Round 1 begins soon Find your seat"),
        ("running", "Round 1 of 1 is being played 0 of 80 deals are reported"),
        ("finished", "The tournament is finished Best placed"),
    ],
)
def test_the_overview_says_what_happens_now(state, said, request, club, client):
    assert said in words(page(client, in_state(state, request, club)))


@pytest.mark.parametrize("state", ["empty", "setup", "drawn", "running", "finished"])
def test_every_page_stands_alone_and_its_live_part_too(state, request, club, client):
    tournament = in_state(state, request, club)
    mark = f'data-live data-version="{Tournament.objects.get(pk=tournament.pk).version}"'
    for path in PAGES:
        whole, part = page(client, tournament, path), page(client, tournament, path, **HTMX)
        assert (whole.count(mark), part.count(mark)) == (1, 1), path
        assert ("<html" in whole, "<html" in part) == (True, False), path
        assert part.strip() in whole, path


def test_pages_keep_the_content_security_policy(running, client):
    report(first_table(running), 1, GAME)
    for path in EVERY_PAGE:
        html = page(client, running, path)
        assert re.findall(r'\sstyle="|\son\w+="|<style', html) == [], path
        assert re.findall(r"<script(?![^>]* src=)", html) == [], path


def test_a_code_is_read_in_capitals_or_not(running, client):
    assert client.get(f"/t/{running.code.lower()}/").status_code == 200


def test_what_there_is_not_is_not_found(running, client):
    for path in ("NOPE99/", "NOPE99/version", "{}/round/9/", "{}/round/1/table/9/", "{}/player/99/"):
        assert client.get("/t/" + path.format(running.code)).status_code == 404, path


def test_nothing_in_the_hall_can_be_changed(running, client):
    for path in (*EVERY_PAGE, "version"):
        assert client.post(f"/t/{running.code}/{path}").status_code == 405, path


# The front door


def test_the_front_door_shows_what_is_played_what_is_coming_and_what_has_been(
    running, finished, club, client
):
    today = timezone.localdate()
    make_tournament(0, club=club, drawn=False, name="Juleturnering", date=today + timedelta(days=9))
    make_tournament(0, club=club, drawn=False, name="Never held", date=today - timedelta(days=9))
    said = words(client.get("/").content.decode())
    order = ["Being played now", running.name, "Coming", "Juleturnering", "Played", "Finland", finished.name]
    assert [said.index(name) for name in order] == sorted(said.index(name) for name in order)
    assert "Never held" not in said


def test_past_tournaments_stand_club_by_club_the_newest_first_and_the_oldest_on_demand(club, client):
    other = make_club("Aarup")
    for day in range(1, 32):
        Tournament.objects.create(host=club, name=f"Evening {day}", date=date(2025, 1, day), state="finished")
    for year in (2020, 2026):
        Tournament.objects.create(
            host=other, name=f"Aarup Open {year}", date=date(year, 1, 1), state="finished"
        )
    recent, whole = client.get("/").content.decode(), client.get("/?all").content.decode()
    assert re.findall(r"Aarup Open \d+|Evening \d+", recent) == [
        *(f"Evening {day}" for day in range(31, 2, -1)), "Aarup Open 2026",
    ]  # fmt: skip
    assert "Aarup Open 2020" in whole
    assert ('href="?all"' in recent, "Evening 1<" in recent) == (True, False)
    assert ('href="?all"' in whole, "Evening 1<" in whole) == (False, True)


def test_an_empty_house_says_so(db, client):
    assert "No tournament has been announced yet." in words(client.get("/").content.decode())


# What it costs


def test_the_version_costs_one_query_and_no_session(running, as_charlie, django_assert_num_queries):
    with django_assert_num_queries(1):
        answer = as_charlie.get(f"/t/{running.code}/version")
    assert answer.json() == {"version": running.version}
    assert answer.headers["Cache-Control"] == "no-store"
    assert not answer.cookies


def test_what_another_process_draws_is_waited_for_and_not_drawn_twice(running, client, monkeypatch):
    path = f"/t/{running.code}/standings/"
    drawn = client.get(path, headers={"HX-Request": "true"})
    key = f"hall:{running.pk}:standings::en"
    kept = cache.get(key)
    cache.delete(key)
    cache.add(f"{key}:turn", 1)
    monkeypatch.setattr("tournaments.hall.live.time.sleep", lambda _moment: cache.set(key, kept))
    monkeypatch.setattr("tournaments.hall.live.render_to_string", None)
    assert client.get(path, headers={"HX-Request": "true"}).content == drawn.content


def test_a_process_that_was_killed_while_it_drew_holds_nobody_up_for_long(running, client, monkeypatch):
    now = iter(range(100))
    monkeypatch.setattr("tournaments.hall.live.time.monotonic", lambda: next(now))
    cache.add(f"hall:{running.pk}:standings::en:turn", 1)
    assert client.get(f"/t/{running.code}/standings/").status_code == 200


@pytest.mark.parametrize("players", [4, 16])
def test_standings_are_counted_once_a_change_for_everybody(club, players, client, django_assert_num_queries):
    tournament = make_tournament(players, club=club)
    with django_assert_num_queries(13):
        page(client, tournament, "standings/")
    with django_assert_num_queries(1):
        page(client, tournament, "standings/")


def test_a_page_that_has_not_changed_is_not_sent_again(running, client):
    client.get("/")  # the token's cookie is set with the first page
    etags = {path: client.get(f"/t/{running.code}/{path}").headers["ETag"] for path in EVERY_PAGE}
    for path, etag in etags.items():
        again = client.get(f"/t/{running.code}/{path}", headers={"If-None-Match": etag})
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", etag), path
    report(first_table(running), 1, GAME)
    for path, etag in etags.items():
        changed = client.get(f"/t/{running.code}/{path}", headers={"If-None-Match": etag})
        assert changed.status_code == 200, path


def test_a_page_in_another_language_is_another_page(running, client):
    address = f"/t/{running.code}/standings/"
    client.get(address)
    etag = client.get(address).headers["ETag"]
    danish = client.get(address, headers={"If-None-Match": etag, "Accept-Language": "da"})
    assert (danish.status_code, danish.headers["Content-Language"]) == (200, "da")


def test_what_is_kept_for_all_has_no_visitors_words_in_it(running, client):
    assert "visitor" not in page(client, running, "standings/?visitor=1", **HTMX)
    assert f'hx-get="/t/{running.code}/seats/?name=bo"' in page(client, running, "seats/?name=bo", **HTMX)


def test_pages_travel_compressed(running, client):
    answer = client.get(f"/t/{running.code}/standings/", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"


# Where do I sit?


def test_the_seat_finder_says_table_seat_turn_and_company_in_large(running, client):
    table = first_table(running)
    names = [seat.entry.player.name for seat in table.seats.select_related("entry__player")]
    said = words(page(client, running, f"seats/?name={names[1]}"))
    assert f"{names[1]} Round 1 Table 1 seat B deals second with {names[0]} (A), {names[2]} (C)" in said


def test_the_next_rounds_seat_is_shown_once_it_is_drawn(club, client):
    tournament = make_tournament(4, 2, club=club)
    said = words(page(client, tournament, "seats/?name=anna"))
    assert said.index("Round 1 Table 1") < said.index("Next: round 2 Table 1")
    assert "The seats of round 2 are drawn." in words(page(client, tournament))


def test_without_a_name_everybody_is_listed(running, client):
    said = words(page(client, running, "seats/"))
    listed = [f"Table {table}, {letter}" for table in (1, 2) for letter in "ABCD"]
    assert sorted(re.findall(r"Table \d+, [A-D]", said)) == listed


def test_a_name_that_fits_nobody_is_kept_and_said(running, client):
    html = page(client, running, "seats/?name=%3Cb%3EZorro")
    assert 'value="&lt;b&gt;Zorro"' in html
    assert "Nobody here is called “&lt;b&gt;Zorro”" in html


def test_a_name_that_fits_many_asks_for_more(club, client):
    tournament = make_tournament(16, club=club)
    assert "players fit" not in words(page(client, tournament, "seats/?name=spiller"))
    said = words(page(client, tournament, "seats/?name=r"))
    assert "13 players fit. Type a little more of the name." in said


# Standings


def test_standings_show_rounds_penalties_and_why_equals_are_told_apart(club, alice, client):
    tournament = make_tournament(4, club=club, tie_breaks=["games_won"])
    table = first_table(tournament)
    report(table, 1, GAME)
    entry = [seat.entry for seat in table.seats.order_by("position")]
    rounds.penalise(entry[1], tokens=-2, reason="suit", round_=None, account=alice, now=timezone.now())
    header, *lines = re.findall(r"<tr[^>]*>(.*?)</tr>", page(client, tournament, "standings/"), re.DOTALL)
    assert words(header) == "# Place Name Total Gap Last deal Round 1 Penalties Deals Told apart by"
    sat_out, declarer, *defenders = (entry[place].player.name for place in (2, 1, 0, 3))
    under = re.compile(r'<small class="under">(.*?)</small>')
    assert [words(under.sub("", line)) for line in lines] == [
        f"1 {declarer} 0 0 ↑3 +2 {MINUS}2 1 games won 1",
        f"2 {sat_out} 0 0 ↓1 0 0 games won 0",
        *(f"3= {name} {MINUS}1 1 ↓2 {MINUS}1 1" for name in sorted(defenders)),
    ]
    # What a phone has no columns for stands below the name.
    assert [words(under.search(line)[1]) for line in lines[:3]] == [
        f"R1 +2 · Pen. {MINUS}2 · Deals 1 · games won 1", "R1 0 · Deals 0 · games won 0", f"R1 {MINUS}1 · Deals 1",
    ]  # fmt: skip


def test_standings_are_provisional_while_a_round_is_played_and_final_at_the_end(running, finished, client):
    assert "Round 1 is being played: these standings are provisional." in words(
        page(client, running, "standings/")
    )
    assert "The standings are final." in words(page(client, finished, "standings/"))


def test_players_who_are_equal_share_the_place(running, client):
    ranks = re.findall(r'class="rank">(?:<span[^>]*>)?(\d+=?)<', page(client, running, "standings/"))
    assert ranks == ["1="] * 8


def test_a_deal_reported_is_in_the_next_standings(running, client):
    before = page(client, running, "standings/", **HTMX)
    report(first_table(running), 1, GAME)
    after = page(client, running, "standings/", **HTMX)
    assert ("+2" in before, "+2" in after) == (False, True)


# Tables and their sheets


def test_tables_show_who_sits_there_and_how_far_they_are(running, client):
    report(first_table(running), 1, GAME)
    said = words(page(client, running, "tables/"))
    assert ("Table 1 1 of 40 deals" in said, "Table 2 0 of 40 deals" in said) == (True, True)


def test_a_sheet_has_the_columns_of_the_paper_in_their_order(running, client):
    html = page(client, running, "round/1/table/1/")
    head = re.search(r"<thead>\s*<tr>(.*?)</tr>", html, re.DOTALL)[1]
    *columns, on_phones = re.findall(
        r"<th[^>]*>.*?</th>", head.partition('<th scope="colgroup"')[0], re.DOTALL
    )
    assert words(on_phones) == "Result"  # what was played, in one cell where there is no room for more
    players = re.findall(r'<th scope="colgroup"[^>]*>(.*?)</th>', head, re.DOTALL)
    titles = [words(cell) for cell in [*columns, *players]]
    names = [seat.entry.player.name for seat in first_table(running).seats.select_related("entry__player")]
    letters = [f"{letter} {name}" for letter, name in zip("ABCD", names, strict=True)]
    assert (
        titles == [str(column.title) for column in COLUMNS if column.key not in ("folder", "pool")] + letters
    )


def test_nobody_sits_out_on_the_sheet_of_a_table_of_three(club, client):
    assert "Sits out" not in page(client, make_tournament(3, club=club), "round/1/table/1/")


def test_a_line_of_the_sheet_reads_like_the_paper(running, client):
    report(first_table(running), 1, GAME)
    line = re.search(
        r'<tbody>\s*<tr id="line-1">(.*?)</tr>', page(client, running, "round/1/table/1/"), re.DOTALL
    )[1]
    on_phones = re.search(r'<td class="said">.*?</td>', line)[0]
    assert words(on_phones) == "B Game ♥ won"
    assert (
        words(line.replace(on_phones, ""))
        == f"1 A C B Game ♥ won {MINUS}1 {MINUS}1 +2 +2 0 {MINUS}1 {MINUS}1"
    )


def test_a_correction_shows_both_versions_and_the_reason_but_not_who_sat_at_the_desk(running, alice, client):
    table = first_table(running)
    report(table, 1, GAME)
    report(table, 1, GAME | {"outcome": "bete"}, base=1, reason="<misread>", author=Author("desk", alice))
    html = page(client, running, "round/1/table/1/")
    said = words(html)
    assert said.index("Game in hearts, won") < said.index("Game in hearts, bête")
    assert "desk · because: &lt;misread&gt;" in said
    assert str(alice) not in said
    assert 'href="#deal-1"' in html


def test_a_deal_taken_back_stays_visible_as_a_correction(running, client):
    table = first_table(running)
    report(table, 1, GAME)
    answer = report(table, 1, GAME | {"outcome": "bete"}, base=1, reason="misread")
    assert answer.status == "accepted"
    taken_back = report_back(table, base=2)
    assert taken_back.status == "accepted"
    said = words(page(client, running, "round/1/table/1/"))
    assert "taken back" in said
    assert "0 of 40 deals are reported" in said


def report_back(table, base):
    back = Submission(key=uuid4(), deal=1, base=base, result=None, reason="never played")
    return record(table, [back], Author("captain"), now=timezone.now())[0]


@pytest.mark.parametrize("deals", [1, 3])
def test_a_sheet_takes_the_same_queries_however_many_corrections(
    running, deals, client, django_assert_num_queries
):
    table = first_table(running)
    for deal in range(1, deals + 1):
        report(table, deal, GAME | {"declarer": deal % 4})
        report(table, deal, base=1, reason="misread")
    with django_assert_num_queries(6):
        page(client, running, "round/1/table/1/")


# A player's page


def test_a_players_page_has_seats_curve_and_statistics(running, client):
    table = first_table(running)
    report(table, 1, GAME)
    entry = table.seats.get(position=1).entry
    html = page(client, running, f"player/{entry.number}/")
    said = words(html)
    assert "Place 1 Total +2" in said
    assert "Round 1: table 1 , seat B being played +2" in said
    assert "After 1 deals +2; the highest was +2, the lowest 0." in said
    assert "Declared 1 won 1 +2 +2.00" in said
    assert "Game 1 of 1 +2" in said
    assert html.count('<svg class="plot"') == html.count("<title id=") == html.count("<desc id=") == 1
    assert html.count(f"/t/{running.code}/round/1/table/1/#line-1") == 2, (
        "its mark on the curve, and in the table"
    )


def test_a_penalty_is_on_the_players_page_with_its_reason(running, alice, client):
    entry = running.entries.get(number=1)
    rounds.penalise(
        entry,
        tokens=-1,
        reason="named the suit",
        round_=first_round(running),
        account=alice,
        now=timezone.now(),
    )
    assert f"{MINUS}1, round 1: named the suit" in words(page(client, running, "player/1/"))


def test_who_has_no_seat_yet_is_told_so(club, client):
    tournament = make_tournament(4, club=club, drawn=False)
    assert "has no seat yet." in words(page(client, tournament, "player/1/"))


@pytest.mark.parametrize("deals", [1, 3])
def test_a_players_page_takes_the_same_queries_for_any_number_of_deals(
    running, deals, client, django_assert_num_queries
):
    for deal in range(1, deals + 1):
        report(first_table(running), deal)
    number = first_table(running).seats.get(position=0).entry.number
    with django_assert_num_queries(21):
        page(client, running, f"player/{number}/")


# Rules and the wall


def test_the_rules_are_said_in_words_with_what_games_cost(club, client):
    tournament = make_tournament(4, club=club, rulebook="rasle", options={"kaske": True}, started=False)
    said = words(page(client, tournament, "rules/"))
    assert "Kaske yes usually no After three passes a player may take eight talon cards" in said
    assert (
        "Simple nolo 2 2 3+ Cards exchanged: declarer any number, defenders none. A kodille costs 3," in said
    )
    assert "The organiser may still change these rules" in said


def test_the_wall_shows_seats_before_the_first_deal_then_standings_and_progress(club, alice, client):
    tournament = make_tournament(8, club=club, started=False)
    titles = r"<h2>([^<]*)"
    assert [title.strip() for title in re.findall(titles, page(client, tournament, "projector/"))] == [
        "Seats of round 1"
    ]
    rounds.start_round(first_round(tournament), account=alice, now=timezone.now())
    assert [title.strip() for title in re.findall(titles, page(client, tournament, "projector/"))] == [
        "Seats of round 1",
        "Round 1: 0 of 80 deals are reported",
    ]
    report(first_table(tournament), 1, GAME)
    assert [title.strip() for title in re.findall(titles, page(client, tournament, "projector/"))] == [
        "Standings while round 1 is played",
        "Round 1: 1 of 80 deals are reported",
    ]


# Names


def test_names_are_shown_as_the_club_has_agreed_and_nothing_else_of_a_person(running, client):
    Player.objects.update(email="somebody@example.org", phone="+45 12345678")
    Club.objects.update(name_style=Club.NameStyle.INITIAL)
    report(first_table(running), 1, GAME)
    for path in EVERY_PAGE:
        html = page(client, running, path)
        assert re.findall(r"Holm|Krogh|example\.org|12345678", html) == [], path
    assert "Anna H." in page(client, running, "standings/")


@pytest.mark.parametrize("name", ['"><script>alert(1)</script>', 'O\'Brien & "Søn" 🃏', "Æ" * 200])
def test_any_name_is_shown_as_it_is_written(name, club, alice, client):
    tournament = make_tournament(3, club=club, started=False, drawn=False)
    now = timezone.now()
    entry = entering.enter(tournament, make_player(name, club), club=club, account=alice, now=now)
    entering.check_in(entry, present=True, account=alice, now=now)
    rounds.draw(tournament, seed=1, account=alice, now=now)
    rounds.start_round(first_round(tournament), account=alice, now=now)
    for path in EVERY_PAGE:
        assert "<script>" not in page(client, tournament, path), path
    assert escape(name) in page(client, tournament, "standings/")
