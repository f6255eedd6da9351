"""The page for the next organiser: what is due when, who may do what, and the notes."""

from __future__ import annotations

import re
from datetime import date, time, timedelta

import pytest
from django.db.models import Q
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from time_machine import travel

from clubs.models import MemberCount, Transfer
from tests.factories import make_account, make_club, make_player, make_tournament
from tests.pages import texts_of, words_at
from tests.tournaments.seasons.test_season import make_teams, play
from tournaments.lifecycle.home_matches import give_own_days, start_match
from tournaments.lifecycle.officials import give
from tournaments.lifecycle.rulings import end_match, set_dates
from tournaments.models import HandOver, Match, Season, Statement, Tournament
from tournaments.models.club import MOST_NOTE, MOST_NOTE_LINES
from tournaments.seasons.year import Due, due_in

DURING = "2026-11-21 12:00:00+00:00"
NOTES = {"keys": "Hall: Anna\nCash box: Bo", "things": "", "backup": "Stick in the cash box", "more": ""}


def here(club, name="club_hand_over") -> str:
    return reverse(name, args=[club.slug])


@travel(DURING, tick=False)
def test_what_is_due_is_listed_by_day(club, season) -> None:
    coming = {"date": date(2026, 12, 3), "begins_at": time(19), "place": "Kroen"}
    make_tournament(0, club=club, name="Aften 4", **coming)
    make_tournament(0, club=club, name="Aflyst", date=date(2026, 12, 4), called_off_at="2026-11-01T12:00:00Z")
    make_tournament(0, club=club, name="Gammel", date=date(2026, 11, 20))
    viby = make_club("Viby")
    Transfer.objects.create(
        player=make_player("Anna", club, 1), origin=club, club=viby, day=date(2026, 12, 1), asked_by="vera",
        asked_at=timezone.now() - timedelta(days=20),
    )  # fmt: skip
    Season.objects.create(host=club, name="Forbi", starts=date(2026, 1, 1), ends=date(2026, 11, 20))
    assert [(one.day, one.text) for one in due_in(club, timezone.now())] == [
        (date(2026, 11, 15), "Answer Viby, which asks for a transfer"),
        (date(2026, 12, 3), "Aften 4, 19:00, Kroen"),
        (date(2026, 12, 31), "“Efterår 2026” ends"),
    ]


def test_the_matches_of_a_running_league_are_due(club, by_alice) -> None:
    """Those to come and those that are overdue, for the host and for the teams' clubs; none that was played."""
    today = timezone.localdate()
    league = make_teams(club, by_alice, teams=4, date=today, begins_at=time(19), name="Liga")
    set_dates(league, {number: today + timedelta(weeks=number - 1) for number in (1, 2, 3)}, **by_alice)
    give_own_days(league, **by_alice)
    viby = make_club("Viby")
    league.teams.filter(number=2).update(club=viby, place="Kroen")
    assert len(due_in(club, timezone.now())) == 6
    started, other = Match.objects.filter(round__tournament=league, round__number=1)
    start_match(started, **by_alice)
    for table in started.tables.select_related("round__tournament", "match"):
        play(table)
    end_match(started, **by_alice)
    due = [one.text for one in due_in(club, timezone.now() + timedelta(days=3))]
    assert len(due) == 5
    assert f"Liga: {other}, 19:00" in due[0]
    own = Match.objects.filter(
        Q(home__club=viby) | Q(away__club=viby), ended_at=None, round__tournament=league
    )
    assert sorted(one.text.partition(", 19:00")[0] for one in due_in(viby, timezone.now())) == sorted(
        f"Liga: {match}" for match in own
    )


def test_the_statements_that_clubs_have_not_paid_are_due_at_their_union(club) -> None:
    union = make_club("Unionen")
    made = {"made_by": "ulla", "made_at": timezone.now()}
    count = MemberCount.objects.create(union=union, day=date(2026, 10, 1), rows=[], **made)
    day = date(2026, 11, 1)
    for number, paid in ((1, False), (2, True), (3, False)):
        Statement.objects.create(
            union=union, club=make_club(f"Klub {number}"), count=count, number=number, members=2, teams=0, votes=1,
            per_member=7500, for_members=15000, per_team=0, for_teams=0, total=15000, due=day,
            state=Statement.State.PAID if paid else Statement.State.OPEN, paid_on=day if paid else None, **made,
        )  # fmt: skip
    (due,) = due_in(union, timezone.now())
    assert due == Due(day, "2 clubs have not paid their statements: 300.00 kr. (Klub 1, Klub 3)")


@travel(DURING, tick=False)
def test_notes_are_kept_and_printed_on_one_page(as_alice, club, season) -> None:
    assert as_alice.post(here(club), NOTES).status_code == 302
    assert "Stick in the cash box" in as_alice.get(here(club)).content.decode()
    (page,) = texts_of(as_alice.get(here(club, "club_hand_over_pdf")).content)
    for part in (
        "Hall: Anna",
        "Cash box: Bo",
        "Organiser: Alice",
        "“Efterår 2026” ends",
        "Who has which key",
    ):
        assert part in page


@travel(DURING, tick=False)
def test_the_longest_notes_are_printed_whole_on_two_pages(as_alice, club) -> None:
    for day in range(1, 32):
        make_tournament(0, club=club, name=f"Aften {day}", date=date(2026, 12, day))
    line = "w" * (MOST_NOTE // MOST_NOTE_LINES - 1)
    longest = {name: "\n".join([f"{name[:4]}{line[5:]}"] * MOST_NOTE_LINES) for name in NOTES}
    assert as_alice.post(here(club), longest).status_code == 302
    first, second = texts_of(as_alice.get(here(club, "club_hand_over_pdf")).content)
    assert "Aften 25" in first
    assert [second.count(name[:4] + "www") for name in NOTES] == [MOST_NOTE_LINES] * 4
    assert "Page 2 of 2" in second


@travel(DURING, tick=False)
def test_notes_of_the_widest_letters_are_on_as_many_pages_as_they_need(as_alice, club) -> None:
    few, rest = "W\n" * (MOST_NOTE_LINES - 1), MOST_NOTE - 2 * MOST_NOTE_LINES
    assert as_alice.post(here(club), dict.fromkeys(NOTES, few + "W" * rest)).status_code == 302
    pages = texts_of(as_alice.get(here(club, "club_hand_over_pdf")).content)
    assert [page.count("W\nW\n") > 0 for page in pages] == [False, True, True]
    # Each of the four headings begins with one, too.
    assert sum(page.count("W") for page in pages[1:]) == 4 * (rest + MOST_NOTE_LINES)


def listed(page: str) -> tuple[int, int]:
    """How many evenings a page lists, and how many more it says there are."""
    more = re.search(r"and (\d+) more", page)
    return page.count("Aften "), int(more[1]) if more else 0


@travel(DURING, tick=False)
@pytest.mark.parametrize(
    ("length", "shown"),
    [
        pytest.param(1, (31, 0), id="lines of their own"),
        pytest.param(9, (18, 13), id="two lines each"),
        pytest.param(20, (9, 22), id="as long as can be"),
    ],
)
def test_as_much_of_what_is_due_is_printed_as_the_page_has_room_for(as_alice, club, length, shown) -> None:
    for day in range(1, 32):
        words = "Kroen " * length
        make_tournament(
            0, club=club, name=f"Aften {day} {words}"[:120], date=date(2026, 12, day), place=words
        )
    (page, *_rest) = texts_of(as_alice.get(here(club, "club_hand_over_pdf")).content)
    assert listed(page) == shown


@travel(DURING, tick=False)
def test_the_desk_lists_the_next_of_what_is_due_and_counts_the_others(as_alice, club) -> None:
    for day in range(1, 32):
        make_tournament(0, club=club, name=f"Aften {day}", date=date(2026, 12, day))
    assert listed(words_at(as_alice, here(club))) == (25, 6)


@pytest.mark.parametrize("wrong", ["x" * (MOST_NOTE + 1), "x\n" * (MOST_NOTE_LINES + 1)])
def test_a_note_that_is_too_long_is_said_at_its_field(as_alice, club, wrong) -> None:
    page = as_alice.post(here(club), NOTES | {"keys": wrong})
    assert list(page.context["form"].errors) == ["keys"]
    assert not HandOver.objects.exists()


@travel(DURING, tick=False)
def test_who_types_over_a_colleagues_change_is_asked_first(as_alice, club) -> None:
    seen = as_alice.get(here(club)).context["form"].stored_mark
    as_alice.post(here(club), NOTES | {"seen": seen})
    as_alice.post(here(club), NOTES | {"keys": "Carl has them all", "seen": seen})
    assert HandOver.objects.get().keys == NOTES["keys"]


def test_helpers_and_strangers_do_not_see_it(club, as_charlie) -> None:
    helper = Client()
    helper.force_login(make_account("hans", club, "helper"))
    for browser in (helper, as_charlie):
        for name in ("club_hand_over", "club_hand_over_pdf"):
            assert browser.get(here(club, name)).status_code == 403


def test_the_clubs_page_leads_to_it(as_alice, club) -> None:
    assert "For the next organiser" in words_at(as_alice, f"/clubs/{club.slug}/")


@travel(DURING, tick=False)
def test_officials_with_rights_now_are_on_the_page_with_what_they_are_for(
    as_alice, alice, club, season
) -> None:
    cup = make_tournament(0, club=club, account=alice, name="Pokal", drawn=False)
    over = make_tournament(0, club=club, account=alice, name="Gammel pokal", drawn=False)
    by = {"account": alice, "now": timezone.now()}
    for name, of, kind in (
        ("otto", cup, "organiser"),
        ("vera", season, "helper"),
        ("gammel", over, "helper"),
    ):
        give(of, make_account(name), kind, **by)
    Tournament.objects.filter(pk=over.pk).update(called_off_at=timezone.now() - timedelta(days=31))
    (page,) = texts_of(as_alice.get(here(club, "club_hand_over_pdf")).content)
    assert "Officials: Otto (organiser, Pokal), Vera (helper, Efterår 2026)" in " ".join(page.split())
