"""The page of the look's parts shows what there is: classes that style sheets know, by the program's own templates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from tests.evenings import make_evening, play_evening
from tests.factories import make_player, player_name
from tournaments.hall.design import FACES, MEDIA, ROWS, rules_for, rules_under

SOURCE = Path(settings.STATICFILES_DIRS[0])
CSS = SOURCE / "css"
WRITTEN = re.compile(r'class="([^"]*)"')
# What says in words what a part is; nothing is drawn by it.
SAID = {"no-list", "paused", "plays"}
DJANGOS = {"errorlist"}


def styled(names) -> set[str]:
    """The classes that these style sheets name."""
    text = "\n".join((CSS / f"{name}.css").read_text() for name in names)
    text = re.sub(r"/\*.*?\*/|url\([^)]*\)", "", text, flags=re.DOTALL)
    return {name for rule in re.findall(r"([^{}]+)\{", text) for name in re.findall(r"\.([a-z][\w-]*)", rule)}


@pytest.mark.parametrize("face", FACES)
def test_what_the_page_shows_is_what_style_sheets_know(as_alice, face):
    html = "".join(as_alice.get(f"/design/?face={face}&rows={rows}").content.decode() for rows in ROWS[:3])
    shown = {name for written in WRITTEN.findall(html) for name in written.split()}
    assert shown - styled(sheet.stem for sheet in CSS.glob("*.css")) - SAID == set()


def test_what_style_sheets_know_is_written_on_some_page():
    folders = (
        settings.BASE_DIR / "templates",
        settings.BASE_DIR / "tournaments",
        settings.BASE_DIR / "clubs",
        SOURCE / "js",
    )
    texts = [
        file.read_text()
        for folder in folders
        for kind in ("*.html", "*.py", "*.js", "*.md")
        for file in folder.rglob(kind)
    ]
    text = "\n".join(texts)
    words = set(re.findall(r"[a-z][\w-]*", text)) | DJANGOS
    begun = set(
        re.findall(r"([a-z][\w-]*)(?=\{[\w{%])", text)
    )  # of what a template or a script writes the rest

    def is_written(name: str) -> bool:
        whole = (name.startswith(one) and (one[-1] == "-" or name[len(one) :].isdigit()) for one in begun)
        return name in words or any(whole)

    unknown = {
        sheet.stem: sorted(name for name in styled([sheet.stem]) if not is_written(name))
        for sheet in CSS.glob("*.css")
    }
    assert {name: some for name, some in unknown.items() if some} == {}


@pytest.mark.parametrize("rows", ROWS)
def test_as_many_rows_as_are_asked_for(as_alice, rows):
    html = as_alice.get(f"/design/?rows={rows}").content.decode()
    assert html.count('<td class="rank">') == rows


@pytest.mark.parametrize("medium", MEDIA)
@pytest.mark.parametrize("face", FACES)
def test_what_is_said_of_a_medium_is_shown_as_if_it_were_that_one(as_alice, face, medium):
    assert f"as={medium}" in as_alice.get(f"/design/?face={face}&as={medium}").content.decode()
    answer = as_alice.get(f"/design/?css&face={face}&as={medium}")
    assert (answer["Content-Type"], answer.content.decode()) == ("text/css", rules_for(face, medium))
    assert "@media" not in answer.content.decode()


def test_the_rules_of_a_medium_are_those_between_its_braces():
    css = "a { b: c; } @media print { d { e: f; } g::h { i: j; } } k { l: m; } @media print { n { o: p; } }"
    assert list(rules_under("print", css)) == ["d { e: f; } g::h { i: j; }", "n { o: p; }"]
    assert list(rules_under("(forced-colors: active)", css)) == []


# Classes by which a script or another sheet finds a part, and which a page need not know.
HOOKS = {"corner", "fallen", "mine-place", "mine-total"}


@pytest.mark.django_db
def test_pages_of_an_evening_that_is_over_have_the_sheets_of_all_they_show(client, club, alice):
    people = [make_player(player_name(index), club) for index in range(8)]
    tournament = play_evening(make_evening(people, club, alice, rounds_planned=2), alice)
    known = styled(sheet.stem for sheet in CSS.glob("*.css"))
    for name in ("hall", "hall_story", "standings", "hall_cards"):
        html = client.get(reverse(name, args=[tournament.code])).content.decode()
        shown = {one for written in WRITTEN.findall(html) for one in written.split()}
        linked = re.findall(r"css/([a-z_]+)[\w.]*\.css", html)
        assert (shown & known) - styled(linked) - HOOKS == set(), name
