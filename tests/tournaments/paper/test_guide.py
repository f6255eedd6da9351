"""The captain's guide: one page in each language, out of the manual, with the way in."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from tests.factories import first_table, make_tournament
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


@pytest.mark.parametrize(
    ("language", "folder"), [("en", FOLDER), *((code, FOLDER / code) for code in TRANSLATIONS)]
)
def test_what_the_guide_tells_to_press_stands_so_on_the_pages(client, db, language, folder):
    pressed = re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", (folder / "captain.md").read_text())
    secret = first_table(make_tournament(4)).secret
    pages = [
        unescape(client.get(address, headers={"accept-language": language}).content.decode())
        for address in (f"/c/{secret}/", "/")
    ]
    assert len(pressed) == 4
    assert [words for words in pressed if not any(said(words, page) for page in pages)] == []


def said(words, page):
    """Whether a button, a link or one of the words that scripts say is just this."""
    return re.search(rf'[">]\s*{re.escape(words)}\s*["<]', page)


def test_there_is_none_in_a_language_that_the_program_does_not_speak(client, db):
    assert client.get(reverse("captain_guide", args=["fr"])).status_code == 404


def test_it_is_offered_where_sheets_are_printed(as_alice, club):
    tournament = make_tournament(4, club=club, started=False)
    page = as_alice.get(reverse("desk_print", args=[tournament.code])).content.decode()
    assert [code for code in LANGUAGES if reverse("captain_guide", args=[code]) not in page] == []
