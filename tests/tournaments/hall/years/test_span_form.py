"""The span that a page over the years is asked for: what is offered, what is read, what is said of it."""

from __future__ import annotations

from datetime import date

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string

from tests.factories import make_club, make_tournament
from tournaments.hall.years.span_form import SpanForm
from tournaments.models import Season, Tournament
from tournaments.people.span import Span


@pytest.fixture
def evenings(club, alice):
    season = Season.objects.create(host=club, name="Vinter", starts="2024-09-01", ends="2025-05-01")
    make_tournament(0, club=club, account=alice, date=date(2022, 3, 1))
    make_tournament(0, club=club, account=alice, date=date(2024, 11, 5), season=season)
    make_tournament(0, club=make_club("Viby"), account=alice, date=date(2025, 1, 7), rulebook="rasle")
    return Tournament.objects.all()


def asked(evenings, query="", **kept):
    form = SpanForm(QueryDict(query), evenings, **kept)
    form.is_valid()
    return form


def labels(form, name):
    return [str(label) for _value, label in form.fields[name].choices]


def test_what_was_played_is_offered_and_what_is_alike_is_not(evenings):
    form = asked(evenings)
    assert labels(form, "year") == ["all", "2025", "2024", "2023", "2022"]
    assert labels(form, "club") == ["all", "Stilling", "Viby"]
    assert [*form.fields] == ["season", "year", "rulebook", "club", "first", "last"]
    assert (form.span, form.summary, form.query) == (Span(), "All years", "")
    assert [*asked(evenings.filter(date__year=2022)).fields] == []
    assert [*asked(evenings.none()).fields] == []


def test_a_span_is_read_and_said(evenings, club):
    season = Season.objects.get()
    form = asked(evenings, f"season={season.pk}&club={club.pk}&first=01-01-2024&format=pairs")
    assert form.span == Span(season=season.pk, club=club.pk, first=date(2024, 1, 1), format="pairs")
    assert form.summary == "Vinter · since 01/01/2024 · pairs (makkerpar) · Stilling"
    assert asked(evenings, form.query[1:]).span == form.span
    assert asked(evenings, "year=1987&last=2025-01-01").summary == "1987 · until 01/01/2025"


@pytest.mark.parametrize(
    ("query", "field", "kept"),
    [
        ("season=77", "season", ""),
        ("season=x", "season", ""),
        ("year=77", "year", ""),
        ("year=20244", "year", ""),
        ("rulebook=whist", "rulebook", ""),
        ("format=threes", "format", ""),
        ("club=0", "club", ""),
        ("club=99999999999", "club", ""),
        ("first=yesterday", "first", 'type="text" name="first" value="yesterday"'),
        ("first=2025-02-30", "first", 'value="2025-02-30"'),
        ("first=2025-02-01&last=2025-01-01", "last", 'value="2025-01-01"'),
    ],
)
def test_what_cannot_be_read_is_said_at_its_field_and_kept(evenings, query, field, kept):
    form = asked(evenings, query + "&curve=month", kept=["curve"])
    assert [*form.errors] == [field]
    html = render_to_string("hall/years/of_club.html#span", {"span_form": form})
    assert '<details class="span" open>' in html
    assert form.data[field][:40] in html
    assert kept in html
    assert '<input type="hidden" name="curve" value="month">' in html


def test_of_hundreds_of_seasons_the_clubs_own_are_offered(evenings, monkeypatch, club):
    monkeypatch.setattr("tournaments.hall.years.span_form.MOST_SEASONS", 1)
    other = Season.objects.create(
        host=make_club("Aarhus"), name="Nyest", starts="2025-09-01", ends="2026-05-01"
    )
    Tournament.objects.filter(date__year=2025).update(season=other)
    assert labels(asked(evenings, "season="), "season") == ["all", "Nyest"]
    assert labels(asked(evenings, f"club={club.pk}"), "season") == ["all", "Vinter"]
