"results of : entered, imported, shown as such, removed, put back, and forgotten with a person."

from __future__ import annotations

from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from clubs.models import ClubLogEntry
from core.errors import NotPossible
from tests.factories import make_player
from tests.pages import text, words
from tournaments.entries import personal_data
from tournaments.entries.merging import merge
from tournaments.models import OldEvent, OldPlace
from tournaments.models.names import NAMELESS
from tournaments.people.old_results import make_plan, old_titles, take_in
from tournaments.people.old_rows import read_old_file, typed_to_csv

TODAY = date(2026, 11, 23)
TABLE = """Klubmestre siden 1985;;;;
År;Turnering;Plads;Navn;Jetoner
1985;Klubmesterskab;1;Holm, Anna;+212
;;2;Bo Krogh;−15
1986;Klubmesterskab;1.;CARL DAM;
1986;Klubmesterskab;to;Dora Friis;10
1987;Klubmesterskab;1;;12
2185;Klubmesterskab;1;Dora Friis;1,5
"""


@pytest.fixture
def anna(club):
    return make_player("Anna Holm", club, 12)


def stored(client, club, answer, **choices):
    """Store what a page shows, as its button would."""
    shown = answer.context
    sent = {"kind": shown["kind"], "seen": shown["plan"].mark, "table": shown["table"]}
    sent |= {"given": shown["upload"].pk} if shown["upload"] else {}
    return client.post(f"/clubs/{club.slug}/old-results/store/", sent | choices, follow=True)


def imported(client, club, table=TABLE, kind="title", name="mestre.csv"):
    file = SimpleUploadedFile(name, table if isinstance(table, bytes) else table.encode())
    return client.post(f"/clubs/{club.slug}/old-results/import/", {"kind": kind, "file": file})


def test_a_table_is_read_row_by_row_with_what_is_wrong_at_its_heading():
    rows = read_old_file(TABLE.encode(), TODAY)
    assert [(row.row, row.year, row.event, row.place, row.name, row.tokens) for row in rows[:3]] == [
        ("3", 1985, "Klubmesterskab", 1, "Anna Holm", 212),
        ("4", 1985, "Klubmesterskab", 2, "Bo Krogh", -15),
        ("5", 1986, "Klubmesterskab", 1, "CARL DAM", None),
    ]
    assert [[problem.column for problem in row.problems] for row in rows] == [
        [], [], [], ["Plads"], ["Navn"], ["År"],
    ]  # fmt: skip


def test_typed_standings_are_places_in_their_order_and_who_shares_one_stands_on_a_line():
    lines = "1. Anna Holm 212\nBo Krogh / Carl Dam; 10\n\nDora Friis"
    rows = read_old_file(typed_to_csv("DM", 1990, date(1990, 5, 6), lines), TODAY)
    assert [(row.place, row.name, row.tokens, row.day) for row in rows] == [
        (1, "Anna Holm", 212, date(1990, 5, 6)),
        (2, "Bo Krogh", 10, date(1990, 5, 6)),
        (2, "Carl Dam", 10, date(1990, 5, 6)),
        (4, "Dora Friis", None, date(1990, 5, 6)),
    ]


def test_a_table_is_looked_at_and_stored_and_shown_as_from_before_the_program(as_alice, club, anna):
    looked = imported(as_alice, club)
    assert not OldEvent.objects.exists()
    assert [line.player and line.player.player for line in looked.context["plan"].accepted_lines] == [
        anna.pk, None, None,
    ]  # fmt: skip
    assert len(looked.context["plan"].refused) == 3
    parts = {mark: "1" for mark, *_counts in looked.context["plan"].lacking}
    stored(as_alice, club, looked, **parts)
    stored(as_alice, club, looked, **parts)  # a second click
    assert list(OldPlace.objects.values_list("event__year", "place", "name", "player", "tokens")) == [
        (1985, 1, "Anna Holm", anna.pk, 212),
        (1986, 1, "CARL DAM", None, None),
        (1985, 2, "Bo Krogh", None, -15),
    ]
    assert ClubLogEntry.objects.filter(text__contains="from before Spadille").count() == 2
    told = words(text(as_alice.get(f"/club/{club.slug}/history/")))
    assert "1985 Klubmesterskab from before Spadille Anna Holm" in told
    assert [str(one) for one in old_titles(anna)] == ["1. Anna Holm"]
    again = as_alice.get(f"/clubs/{club.slug}/old-results/results.csv").content
    assert [row.name for row in read_old_file(again, TODAY)] == ["Anna Holm", "Bo Krogh", "CARL DAM"]


def test_an_evening_of_old_stands_among_the_winners(as_alice, club, anna):
    form = {
        "kind": "evening",
        "name": "Julefrokost",
        "year": "1999",
        "date": "1999-12-03",
        "standings": "Anna Holm 40",
    }
    stored(as_alice, club, as_alice.post(f"/clubs/{club.slug}/old-results/new/", form))
    stored(as_alice, club, imported(as_alice, club))  # titles, that she has won too
    history = as_alice.get(f"/club/{club.slug}/history/")
    (won,) = history.context["winners"]
    assert [(line.who.name, line.wins, line.before) for line in history.context["fame"]] == [
        ("Anna Holm", 1, 1)
    ]
    assert "Titles are listed under champions." in text(history)
    assert (won.name, won.is_old, [(one.name, tokens) for one, tokens in won.first]) == (
        "Julefrokost", True, [("Anna Holm", 40)],
    )  # fmt: skip
    of_year = as_alice.get(f"/club/{club.slug}/history/?year=2001")
    assert of_year.context["winners"] == []


def test_what_cannot_be_is_said_at_its_field_with_all_that_was_typed(as_alice, club):
    wrong = {"kind": "title", "name": "DM", "year": "1990", "date": "1991-05-06", "standings": "Anna"}
    page = as_alice.post(f"/clubs/{club.slug}/old-results/new/", wrong)
    assert page.context["form"].errors == {"date": ["The date is in a different year."]}
    assert "Anna</textarea>" in text(page)
    page = imported(as_alice, club, "")
    assert page.context["form"].errors["file"]


def test_it_is_removed_and_put_back_and_nobody_else_may(as_alice, as_helper, as_charlie, club, anna):
    looked = imported(as_alice, club)
    stored(as_alice, club, looked, **{mark: "1" for mark, *_counts in looked.context["plan"].lacking})
    event = OldEvent.objects.get(year=1985)
    at = f"/clubs/{club.slug}/old-results/"
    for other in (as_helper, as_charlie):
        assert other.post(f"{at}{event.pk}/delete/").status_code == 403
    as_alice.post(f"{at}{event.pk}/delete/")
    assert [one.year for one in as_alice.get(f"/club/{club.slug}/history/").context["champions"]] == [1986]
    assert old_titles(anna) == []
    as_alice.post(f"{at}{event.pk}/put-back/")
    assert [one.year for one in as_alice.get(f"/club/{club.slug}/history/").context["champions"]] == [
        1986,
        1985,
    ]


def test_who_is_erased_is_taken_out_there_too(as_alice, alice, club, anna):
    stored(as_alice, club, imported(as_alice, club))
    alone = OldPlace.objects.get(name="Bo Krogh")
    bo = make_player("Bo Krogh", club, 7)
    assert personal_data.known_of(anna)["results_from_before_the_program"] == [
        {"club": club.name, "event": "Klubmesterskab", "year": 1985, "place": 1, "tokens": 212}
    ]
    for player in (anna, bo):
        personal_data.erase(player, account=alice, today=TODAY, now=timezone.now())
    alone.refresh_from_db()
    assert alone.name == NAMELESS
    told = words(text(as_alice.get(f"/club/{club.slug}/history/")))
    assert "Anna" not in told
    assert NAMELESS not in told


def test_one_person_of_two_has_the_old_results_of_both(as_alice, by_alice, club, anna):
    stored(as_alice, club, imported(as_alice, club))
    other = make_player("Anne Holm", club, 13)
    merge(other, anna, **by_alice)
    assert [one.event.year for one in old_titles(other)] == [1985]


def test_a_doubtful_name_is_linked_only_where_somebody_says_so(as_alice, club):
    known = make_player("Karl Dam", club, 3)
    looked = imported(as_alice, club)
    (asked,) = looked.context["asked"]
    assert asked.row.name == "CARL DAM"
    (like,) = asked.doubts
    parts = {mark: "1" for mark, *_counts in looked.context["plan"].lacking}
    stored(as_alice, club, looked, **{asked.key: like.choice}, **parts)
    assert OldPlace.objects.get(event__year=1986).player == known


def test_what_two_store_at_one_moment_is_stored_once(alice, club):
    rows = lambda: read_old_file(typed_to_csv("DM", 1990, None, "Anna Holm 212"), TODAY)  # noqa: E731
    plans = [make_plan(club, alice, rows()) for _ in range(2)]
    take_in(club, plans[0], "title", account=alice, now=timezone.now())
    with pytest.raises(NotPossible):
        take_in(club, plans[1], "title", account=alice, now=timezone.now())
    assert OldEvent.objects.count() == 1


def test_who_has_changed_between_the_look_and_the_step_is_shown_once_more(as_alice, club, anna, alice):
    looked = imported(as_alice, club, "Year;Event;Place;Name\n1985;DM;1;Anna Holm\n")
    personal_data.erase(anna, account=alice, today=TODAY, now=timezone.now())
    again = stored(as_alice, club, looked)
    assert "Something has changed in the meantime" in text(again)
    assert not OldEvent.objects.exists()
    stored(as_alice, club, again)
    assert OldPlace.objects.get().player is None
