"""Pages and steps as a browser asks for them, each cold."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from openpyxl import Workbook

from core.jobs.models import Job
from core.jobs.queue import do_here
from core.pdf.files import load, write_pdf
from tests.bench.cold import cold, settle_down
from tests.bench.pages import Figure
from tests.bench.years.found import Found
from tests.bench.years.people import name_of
from tournaments.changes.versions import announce
from tournaments.models import RatedEvening, Season
from tournaments.paper.yearbook import yearbook_pages
from tournaments.paper.yearbook_data import yearbook_contents
from tournaments.people.club_years import keep_what_is_lacking
from tournaments.seasons.ratings import update_ratings
from tournaments.seasons.results import count_what_is_lacking

IMPORTED = 500


def asked() -> Iterator[Figure]:
    """Every page of the table, in its order."""
    count_what_is_lacking()
    keep_what_is_lacking()
    found = Found()
    settle_down()
    for part in (_ratings, _people, _histories, _calendars, _tournaments, _members, _explorers, _yearbooks):
        yield from part(found)


def get(browser: Client, address: str) -> bytes:
    answer = browser.get(address)
    if answer.status_code != 200:
        raise RuntimeError(f"{address}: {answer.status_code}")
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def page(
    what: str,
    was: float,
    wanted: float,
    address: str,
    browser: Client,
    like: str | Callable[[], object] = "/",
) -> Figure:
    """A page, asked for cold; `like` is one of the same kind, asked before, so that its templates are read."""
    look = partial(get, browser, address)
    before = partial(get, browser, like) if isinstance(like, str) else like
    return Figure(what, was, wanted, cold(look, before), shortest_page())


@cache
def shortest_page() -> float:
    """What a page costs that shows nothing."""
    ask = partial(get, Client(), reverse("health"))
    return cold(ask, ask)


def rows_written(table: str) -> float:
    """What it costs to read all rows of a table, and to write them down, with no program between."""

    def write() -> None:
        with connection.cursor() as cursor, Path(os.devnull).open("w") as nowhere:
            cursor.execute(f"SELECT * FROM {table}")
            csv.writer(nowhere).writerows(cursor.fetchall())

    return cold(write)


def _ratings(found: Found) -> Iterator[Figure]:
    browser, entry = found.browser, found.busiest
    rating, another = (reverse("hall_rating", args=[club.slug]) for club in (found.union, found.large_club))
    yield page("rating list of the union, cold", 14.7, 0.15, rating, browser, another)
    yield Figure(
        "rating list, kept",
        9.3,
        0.02,
        cold(partial(get, browser, rating), partial(get, browser, rating)),
        shortest_page(),
    )

    def changed() -> None:
        get(browser, rating)
        announce(entry.tournament_id)

    yield Figure(
        "rating list after the newest evening has changed",
        14.7,
        0.15,
        cold(partial(get, browser, rating), changed),
        shortest_page(),
    )
    oldest = RatedEvening.objects.filter(whole=found.union).order_by("date", "pk").first()

    def corrected() -> None:
        get(browser, rating)
        RatedEvening.objects.filter(pk=oldest.pk).update(games="other games")
        announce(oldest.tournament_id)

    seconds = cold(partial(get, browser, rating), corrected)
    yield Figure("rating list after the oldest evening has changed", 11, 0.1, seconds, shortest_page())
    seconds = cold(partial(update_ratings, found.union), corrected)
    yield Figure("all ratings recalculated after that, by a job", 11, 6, seconds)
    curve = reverse("hall_player_rating", args=[entry.tournament.code, entry.number])
    yield page("rating curve, cold", 5.3, 0.15, curve, browser)
    own = reverse("member_data", args=[entry.club.slug, entry.player_id])
    yield page("a person's own data file", 9.5, 1.0, own, browser)
    ladder, another = (
        reverse("hall_season", args=[season.pk]) for season in (found.longest_season, found.shortest_season)
    )
    yield page("season ladder of 400 evenings", 3.3, 0.1, ladder, browser, another)


def _explorers(found: Found) -> Iterator[Figure]:
    """Questions of a million and a half deals, and of the one who has played most."""
    union, browser = reverse("hall_club_explorer", args=[found.union.slug]), Client()
    own = reverse("hall_person_explorer", args=[found.busiest.player_id])
    another = f"{union}?contract=nolo&by=seat&then=year&year=2007"
    asked = {
        "explorer: solo in hearts by backhand": f"{union}?contract=solo&trump=H&seat=BH&by=",
        "explorer: the union's games by contract": union,
        "explorer: by year and contract": f"{union}?by=year&then=contract",
        "explorer: the union's rules since 2010": f"{union}?rulebook=union&first=2010-01-01",
        "explorer: of who has played most": own,
    }
    for what, address in asked.items():
        yield page(what, 0, 0.3, address, browser, another)


def _people(found: Found) -> Iterator[Figure]:
    """Who has played most, as a person over the years, and with whom they have shared most tables."""
    most, browser = found.busiest.player_id, Client()
    other = found.met_most(most)
    own, another = (reverse("person", args=[player]) for player in (most, other))
    yield page("a person's page over the years", 0, 0.15, own, browser, another)
    both, turned = (reverse("person_with", args=pair) for pair in ([most, other], [other, most]))
    yield page("two people head to head", 0, 0.1, both, browser, turned)


def _yearbooks(found: Found) -> Iterator[Figure]:
    def make() -> None:
        season = Season.objects.select_related("host").get(pk=found.longest_season.pk)
        pages = yearbook_pages(yearbook_contents(season), timezone.localtime())
        with TemporaryDirectory() as folder:
            write_pdf(pages, season.name, Path(folder, "yearbook.pdf"))

    yield Figure("yearbook of a season of 400 evenings", 0, 20, cold(make, load))


def _histories(found: Found) -> Iterator[Figure]:
    """A club and its union over the years: what is kept of each year is read."""
    pairs = (("the union", found.union, found.large_club), ("a club", found.large_club, found.union))
    for whose, club, another in pairs:
        for name, what in (("hall_history", "history"), ("hall_records", "records")):
            address, like = (reverse(name, args=[one.slug]) for one in (club, another))
            yield page(f"{what} of {whose}", 0, 0.15, address, Client(), like)
    clubs, like = (reverse("hall_clubs", args=[one.slug]) for one in (found.union, found.large_club))
    yield page("clubs compared", 0, 0.15, clubs, Client(), like)


def _calendars(found: Found) -> Iterator[Figure]:
    def of_union(name: str, what: str, was: float) -> Figure:
        address, another = (reverse(name, args=[club.slug]) for club in (found.union, found.large_club))
        return page(what, was, 0.15, address, Client(), another)

    def of_desk(name: str, what: str, was: float, wanted: float) -> Figure:
        browser, address = found.browser, reverse(name)

        def of_a_beginner() -> None:
            browser.force_login(found.beginner())
            get(browser, address)
            browser.force_login(found.account)

        return page(what, was, wanted, address, browser, of_a_beginner)

    yield page("calendar: the front page", 1.0, 0.15, "/", Client())
    yield of_union("hall_club", "calendar: the union's page", 1.0)
    yield of_union("hall_calendar", "calendar as a file", 0)
    yield of_desk("desk", "the organiser's desk", 0, 0.15)
    yield of_desk("tournament_new", "form of a new tournament", 0.44, 0.05)


def _tournaments(found: Found) -> Iterator[Figure]:
    browser = found.browser
    small = found.crowd(8).code

    def of(name: str, players: int, what: str, was: float, wanted: float, who: Client) -> Figure:
        address = reverse(name, args=[found.crowd(players).code])
        return page(what, was, wanted, address, who, reverse(name, args=[small]))

    yield of("desk_draw", 1000, "draw page of 1,000 players", 1.1, 0.15, browser)
    yield of("desk_money", 5000, "money page of 5,000 players", 1.9, 0.3, browser)
    yield of("desk_money", 20_000, "money page of 20,000 players", 33, 1.2, browser)
    yield of("seats", 5000, "seat finder of 5,000", 1.6, 0.15, Client())
    yield of("desk_check_in", 5000, "check-in of 5,000", 1.3, 0.15, browser)
    yield of("standings", 1000, "standings of 1,000 players, cold", 0.13, 0.05, Client())
    yield of("standings", 5000, "standings of 5,000 players, cold", 0.83, 0.25, Client())
    yield of("desk_board", 4000, "board of 1,000 tables", 0.95, 0.2, browser)


def _members(found: Found) -> Iterator[Figure]:
    browser, club = found.browser, found.large_club
    new = reverse("member_new", args=[club.slug])
    values = {"name": "Nelly Nymand", "joined": date(2026, 11, 22).isoformat()}
    enter: Callable[[], object] = partial(browser.post, new, values)
    seconds = cold(enter, partial(get, browser, new))
    yield Figure("new member in a club of 100,000", 9, 0.1, seconds, shortest_page())
    upload = reverse("import_upload", args=[club.slug])
    seconds = cold(partial(_dry_run, browser, club.slug), partial(get, browser, upload))
    yield Figure("dry run of 500 rows there", 11.7, 1.0, seconds, shortest_page())
    entering = reverse("desk_add_members", args=[found.crowd(8).code])
    large = f"{entering}?club={club.slug}"
    yield page("members to enter there", 7.8, 0.1, large, browser, entering)
    floor = rows_written("clubs_membership JOIN clubs_player ON clubs_player.id = player_id")
    for kind, was, wanted in (("csv", 4.2, 2.0), ("xlsx", 12.6, 6.0)):
        address = reverse("members_export", args=[club.slug, kind])
        what = f"export of 100,000 members, {kind.upper()}"
        seconds = cold(partial(_export, browser, address), partial(get, browser, "/"))
        yield Figure(what, was, wanted, seconds, floor)


def _export(browser: Client, address: str) -> None:
    """A file that is made while one waits, or by a job, which is done here."""
    answer = browser.get(address)
    if answer.status_code == 302 and do_here(Job.objects.latest("pk")).state == Job.State.DONE:
        return
    if answer.status_code != 200:
        raise RuntimeError(f"{address}: {answer.status_code}")


def _dry_run(browser: Client, slug: str) -> None:
    book = Workbook()
    book.active.append(["Navn", "Telefon"])
    for number in range(IMPORTED):
        book.active.append([name_of(30_000 + 7 * number), f"{20_000_000 + number}"])
    file = io.BytesIO()
    book.save(file)
    file.seek(0)
    file.name = "liste.xlsx"
    answer = browser.post(
        reverse("import_upload", args=[slug]), {"file": file, "joined": "2026-11-22"}, follow=True
    )
    if answer.status_code != 200 or "import/" not in answer.redirect_chain[-1][0]:
        raise RuntimeError(f"the list was not taken: {answer.redirect_chain}")
