"""Every list that can be taken away as a file, in both languages: separators, decimals, headings, formulas."""

from __future__ import annotations

import csv
import io
import re
from datetime import date
from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, override, pgettext

from clubs.models import Role
from clubs.register import keep_count
from tests.evenings import close_round, make_evening, play_evening, play_folders
from tests.every_address import addresses
from tests.factories import affiliate, make_club, make_player, tables_of
from tests.tournaments.seasons.test_season import make_teams
from tournaments.lifecycle.playing import start_round
from tournaments.models import Entry, OldEvent, OldPlace, Season
from tournaments.people.points_lists import publish, store_rule
from tournaments.seasons.dues import charges_of, fees_of, make_statements, store_fees
from tournaments.seasons.points import Rule

FORMULA = "=1+1"
# Of headings that one English word is for in several places.
CONTEXTS = "matches", "of games", "tokens a deal, on average"


@pytest.fixture
def files(club, alice):
    """An address of each kind of file, behind it a name that is a formula and amounts that are no whole numbers."""
    players = [
        make_player(FORMULA if index == 0 else f"Spiller {index}", club, index + 101) for index in range(8)
    ]
    season = Season.objects.create(
        host=club, name="2026", starts=date(2026, 1, 1), ends=date(2026, 12, 31), rule="average"
    )
    evening = make_evening(
        players,
        club,
        alice,
        name=FORMULA,
        boards=True,
        season=season,
        date=date(2026, 9, 1),
        deals_per_round=4,
    )
    Entry.objects.filter(tournament=evening).update(carried=950)
    start_round(evening.rounds.get(), account=alice, now=timezone.now())
    for table in tables_of(evening):
        play_folders(table)
    close_round(evening, alice)
    by = {"account": alice, "now": timezone.now()}
    teams = make_teams(club, by, teams=3)
    teams.teams.filter(number=1).update(name=FORMULA)
    play_evening(make_evening(players, club, alice, date=date(2026, 9, 8)), alice)
    old = OldEvent.objects.create(
        host=club, kind="title", name=FORMULA, year=1988, entered_at=timezone.now(), entered_by="alice"
    )
    OldPlace.objects.create(event=old, place=1, name=FORMULA, tokens=90)
    rule = Rule({"union": [(4, [5, 3, 1])]}, {"union": Fraction(3, 2)}, [(36, Fraction(1))])
    store_rule(club, rule, **by)
    union = _union_with_statements(club, by)
    published, _is_new = publish(club, date(2026, 9, 8), **by)  # later the evenings would count less and less
    return {
        "hall_points_file": reverse("hall_points_file", args=[club.slug, published.pk, "csv"]),
        "hall_points_clubs_file": reverse("hall_points_clubs_file", args=[club.slug, published.pk, "csv"]),
        "hall_season_clubs_file": reverse("hall_season_clubs_file", args=[season.pk, "csv"]),
        "hall_tournament_clubs_file": reverse("hall_tournament_clubs_file", args=[evening.code, "csv"]),
        "members_export": reverse("members_export", args=[club.slug, "csv"]),
        "club_log_file": reverse("club_log_file", args=[club.slug, "csv"]) + f"?tournament={teams.code}",
        "desk_entries_export": reverse("desk_entries_export", args=[evening.code, "csv"]),
        "desk_money_file": reverse("desk_money_file", args=[evening.code, "csv"]),
        "hall_standings_file": reverse("hall_standings_file", args=[evening.code, "csv"]),
        "hall_teams_file": reverse("hall_teams_file", args=[teams.code, "csv"]),
        "hall_season_file": reverse("hall_season_file", args=[season.pk, "csv"]),
        "hall_comparison": reverse("hall_comparison", args=[evening.code, 1]),
        "hall_duplicate": reverse("hall_duplicate", args=[evening.code]),
        "hall_explorer_file": reverse("hall_explorer_file", args=["csv"]),
        "hall_club_explorer_file": reverse("hall_club_explorer_file", args=[club.slug, "csv"]),
        "hall_person_explorer_file": reverse("hall_person_explorer_file", args=[players[1].pk, "csv"]),
        "club_old_file": reverse("club_old_file", args=[club.slug, "csv"]),
        "club_dues_file": reverse("club_dues_file", args=[union.slug, "csv"]),
    }


def _union_with_statements(club, by):
    """A union that Alice organises too, and to which the club owes an amount that is no whole number of kroner."""
    union = make_club("Fyns Forbund")
    affiliate(club, union)
    Role.objects.create(account=by["account"], club=union, kind=Role.Kind.ORGANISER)
    fees = {
        "per_member": 7550,
        "least": 0,
        "per_team": 0,
        "votes": [[1, 1]],
        "days": 30,
        "pay_to": "1234 567",
    }
    store_fees(union, fees, **by)
    count = keep_count(union, timezone.localdate(by["now"]), **by)
    make_statements(count, charges_of(count, fees_of(union)), **by)
    return union


def rows_of(browser, address, language):
    answer = browser.get(address, headers={"accept-language": language})
    data = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert answer["Content-Type"].startswith("text/csv")
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig")), delimiter="," if language == "en" else ";"))


def said_in_danish(heading):
    with override("da"):
        return {gettext(heading), *(pgettext(context, heading) for context in CONTEXTS)}


@pytest.mark.slow
def test_every_file_is_written_by_one_convention(as_alice, files):
    decimals = 0
    for name, address in files.items():
        english, danish = rows_of(as_alice, address, "en"), rows_of(as_alice, address, "da")
        assert len(english) == len(danish) > 1, name
        assert len({len(row) for row in danish}) == 1, name  # every row has a cell for each heading
        for heading, dansk in zip(english[0], danish[0], strict=True):
            assert re.search(r"\d", heading) or dansk in said_in_danish(heading), (name, heading)
        cells = [cell for row in (*english, *danish) for cell in row]
        assert not any(cell.startswith(("=", "@")) for cell in cells), name
        for one, other in zip(english[1:], danish[1:], strict=True):
            numbers = [cell for cell in one if re.fullmatch(r"-?\d+\.\d+", cell)]
            assert [cell for cell in other if re.fullmatch(r"-?\d+,\d+", cell)] == [
                cell.replace(".", ",") for cell in numbers
            ], name
            assert not any(re.fullmatch(r"-?\d+\.\d+", cell) for cell in other), name
            decimals += len(numbers)
    assert decimals > 8  # the carried totals alone are as many
    assert any(
        "'=1+1" in cell for row in rows_of(as_alice, files["hall_standings_file"], "da") for cell in row
    )


# Whose "kind" is one of paper, or of a change.
NO_FILES = {"desk_print_ask", "desk_seats_change", "captain_seats_change"}
# The same in every language, for other programs: see tests of feeds.
FOR_PROGRAMS = {"club_file", "hall_rating_file", "hall_results_file", "hall_season_results"}


def test_no_file_is_left_out(files):
    offered = {name for name, address in addresses() if address.endswith((".csv", "/csv", "/csv/"))}
    assert offered - NO_FILES - FOR_PROGRAMS == files.keys()
