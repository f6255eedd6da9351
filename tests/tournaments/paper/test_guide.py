"""The captain's guide: one page in each language, out of the manual, with the way in."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.factories import make_tournament
from tests.languages import LANGUAGES, TRANSLATIONS
from tests.pages import texts_of
from tournaments.web.manual import FOLDER


@pytest.mark.parametrize(
    ("language", "folder"), [("en", FOLDER), *((code, FOLDER / code) for code in TRANSLATIONS)]
)
def test_the_guide_is_the_manuals_chapter_on_one_page(client, db, language, folder):
    answer = client.get(reverse("captain_guide", args=[language]))
    (page,) = texts_of(answer.content)
    text = " ".join(page.split())
    title, *lines = (folder / "captain.md").read_text().replace("*", "").splitlines()
    assert title.removeprefix("# ") in text
    assert [line for line in lines if line and line.split(". ", 1)[-1].split(".")[0] not in text] == []
    assert reverse("captain_code") in text


def test_there_is_none_in_a_language_that_the_program_does_not_speak(client, db):
    assert client.get(reverse("captain_guide", args=["fr"])).status_code == 404


def test_it_is_offered_where_sheets_are_printed(as_alice, club):
    tournament = make_tournament(4, club=club, started=False)
    page = as_alice.get(reverse("desk_print", args=[tournament.code])).content.decode()
    assert [code for code in LANGUAGES if reverse("captain_guide", args=[code]) not in page] == []
