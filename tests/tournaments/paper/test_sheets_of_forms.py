"""Score sheets that are written from a form are those that are laid out each: words, places, tags and pixels.

An upgrade of WeasyPrint that draws otherwise fails here.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest
from django.utils import timezone, translation

from clubs.models import Player
from core.pdf import form_pages, forms, render
from core.pdf.forms import forms_of
from core.pdf.page import numbered_pages
from tests.evenings import play_round
from tests.factories import first_round, make_tournament
from tests.tournaments.paper.test_sheets_stamped import MOST_PIXELS, differences, pixels_of, tags_of, words_of
from tournaments.models import Deal, Seat
from tournaments.paper.page import Occasion
from tournaments.paper.score import blank_pages, filled_pages
from tournaments.paper.ticked import ticked_pages

KINDS = {
    "four": {"players": 16, "deals_per_round": 40},
    "three": {"players": 9, "deals_per_round": 30, "deals_at_three": 30},
    "two pages": {"players": 16, "deals_per_round": 44},
    "pool": {"players": 16, "deals_per_round": 24, "rulebook": "renegado"},
    "five and a pool": {"players": 20, "deals_per_round": 20, "rulebook": "ombre_five"},
}
NAMES = [
    "Bo Ås",
    "Søren Æbelø-Gyldenløve",
    "Marie-Louise Østergaard & Co.",
    "Jens",
    "Ågot Þorvaldsdóttir Bjørnsen-Hansen",
    "Zoë O’Neill “Zo”",
    "Anna Maria Kristensen von Lind",
]


def pages_of(tournament, language="en", *, make=None):
    round_ = first_round(tournament)
    occasion = Occasion(round_, timezone.now())
    tables = round_.tables.select_related("round__tournament__host").order_by("number")
    with translation.override(language):
        if make:
            return [page for table in tables for page in make(table, occasion, "http://10.0.0.1:8000")]
        return [page for table in tables for page in filled_pages(table, occasion)]


def both_ways(pages, folder, language="en"):
    """The files of these pages, from forms and with each page laid out."""
    files = [Path(folder, name) for name in ("forms.pdf", "each.pdf")]
    with translation.override(language):
        for file, chosen in zip(
            files, (pages, [replace(page, has_slots=False) for page in pages]), strict=True
        ):
            render.write(chosen, "Sheets", file)
    return files


def in_lines(word):
    text, left, top, *_corner = word
    return text, round(top), left


def assert_alike(file, other):
    places, wanted = (sorted(words_of(each), key=in_lines) for each in (file, other))
    assert [text for text, *_box in places] == [text for text, *_box in wanted]
    for (text, *box), (_text, *expected) in zip(places, wanted, strict=True):
        assert box == pytest.approx(expected, abs=0.05), text
    assert tags_of(file) == tags_of(other)
    assert differences(pixels_of(file), pixels_of(other)) <= MOST_PIXELS


def in_forms(pages):
    """The numbers of the pages that are written from forms, form by form."""
    return [[page.number for page in form.pages] for form in forms_of(*numbered_pages(pages))]


@pytest.fixture
def played(alice, monkeypatch):
    """A function that plays a round whose players have names of every length, and whose tables differ a little."""

    monkeypatch.setattr(forms, "FEWEST", 2)

    def play(players, **fields):
        tournament = make_tournament(players, account=alice, started=False, **fields)
        for player, name in zip(Player.objects.order_by("pk"), cycle(NAMES)):
            player.name = name
            player.save()
        round_ = first_round(tournament)
        play_round(round_, alice)
        first, second, *_others = round_.tables.order_by("number")
        Deal.objects.filter(table=first, number=2).delete()
        Seat.objects.filter(table=second, position=1).update(agreed_at=timezone.now())
        return tournament

    return play


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "language"), [*((kind, "en") for kind in KINDS), ("four", "da"), ("pool", "sv")]
)
def test_sheets_written_from_a_form_are_those_that_are_laid_out(played, tmp_path, kind, language):
    pages = pages_of(played(**KINDS[kind]), language)
    assert in_forms(pages)
    assert_alike(*both_ways(pages, tmp_path, language))


@pytest.mark.django_db
@pytest.mark.parametrize("make", [blank_pages, ticked_pages])
@pytest.mark.parametrize(("kind", "language"), [*((kind, "en") for kind in KINDS), ("four", "da")])
def test_blank_sheets_have_their_own_codes(played, tmp_path, kind, language, make):
    pages = pages_of(played(**KINDS[kind]), language, make=make)
    assert in_forms(pages)
    assert_alike(*both_ways(pages, tmp_path, language))


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["山田太郎", "محمد الأمين", "Nguyễn Ạnh", "🂡 Ace", "W" * 80])
def test_a_sheet_with_a_name_that_a_form_does_not_know_is_laid_out(played, tmp_path, name):
    tournament = played(24, deals_per_round=8)
    seat = Seat.objects.get(table__round__tournament=tournament, table__number=2, position=0)
    Player.objects.filter(entries=seat.entry).update(name=name)
    pages = pages_of(tournament)
    assert 2 not in [number for form in in_forms(pages) for number in form]
    assert_alike(*both_ways(pages, tmp_path))


@pytest.mark.django_db
def test_where_forms_are_drawn_otherwise_each_page_is_laid_out(played, tmp_path, monkeypatch):
    pages = pages_of(played(16, deals_per_round=8))
    monkeypatch.setattr(form_pages, "LINK", "/Span")
    assert_alike(*both_ways(pages, tmp_path))


@pytest.mark.django_db
@pytest.mark.parametrize(("most", "lasts"), [(1, [6]), (0, [2, 4, 6])])
def test_a_document_holds_few_pages_that_are_laid_out_each(played, monkeypatch, most, lasts):
    monkeypatch.setattr(render, "MOST_OTHERS", most)
    monkeypatch.setattr(render, "PAGES_A_DOCUMENT", 2)
    numbered, of = numbered_pages(pages_of(played(24, deals_per_round=4)))
    assert [last for _file, (last, _page) in render._files_of(numbered, of, "Sheets", print)] == lasts
