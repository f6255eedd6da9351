"""A language is offered once its catalogue is there, with no line of code; how complete it is can be asked."""

from __future__ import annotations

import subprocess
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from core.languages import languages
from tests.languages import LANGUAGES, TRANSLATIONS

# Of a language that Django does not know either: what it is called in itself stands in the head.
FAROESE = """
msgid ""
msgstr ""
"Language: fo\\n"
"X-Name: føroyskt\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Rules of the game"
msgstr "Spølreglur"

#, fuzzy
msgid "Hall"
msgstr "Hús"

msgid "one deal"
msgid_plural "%(count)s deals"
msgstr[0] "eitt spæl"
msgstr[1] ""
"""


@pytest.fixture
def faroese(tmp_path, settings):
    folder = tmp_path / "fo" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text(FAROESE, "utf-8")
    subprocess.run(["msgfmt", "-o", folder / "django.mo", folder / "django.po"], check=True)
    settings.LOCALE_PATHS = [tmp_path]
    settings.LANGUAGES = languages(tmp_path)


def told(*asked: str) -> list[str]:
    call_command("languages", *asked, stdout=(out := StringIO()))
    return out.getvalue().splitlines()


def test_the_languages_are_english_and_those_of_the_catalogues_by_their_own_names(settings):
    assert {"da", "en", "sv"} <= set(LANGUAGES)
    assert dict(settings.LANGUAGES)["sv"] == "Svenska"
    assert [name for _code, name in settings.LANGUAGES] == sorted(dict(settings.LANGUAGES).values())


@pytest.mark.parametrize("asked", ["nb-NO,nb;q=0.9,no;q=0.8,nn;q=0.7,en-US;q=0.6", "nn", "no,en;q=0.5"])
def test_norwegian_browsers_get_danish(asked, db):
    page = Client().get("/", headers={"accept-language": asked})
    assert page.headers["content-language"] == "da"


def test_who_asks_for_english_before_norwegian_gets_english(db):
    page = Client().get("/", headers={"accept-language": "en-GB,nb;q=0.9"})
    assert page.headers["content-language"] == "en"


def test_a_new_language_is_offered_and_what_it_lacks_is_english(faroese, db, settings):
    assert settings.LANGUAGES == [("en", "English"), ("fo", "Føroyskt")]
    client = Client()
    assert 'value="fo" lang="fo">Føroyskt<' in client.get("/rules/").content.decode()
    client.cookies["django_language"] = "fo"
    page = client.get("/rules/").content.decode()
    assert '<html lang="fo">' in page
    assert "<h1>Spølreglur</h1>" in page
    assert client.get("/manual/desk/").content.decode().count("<h1>The desk</h1>") == 1


def test_how_complete_it_is_can_be_asked_and_what_is_missing(faroese):
    summary, *missing = told("fo")
    assert summary.startswith("fo (Føroyskt): texts 1 of 3, chapters of the manual 0 of ")
    assert missing[:2] == ["  texts: Hall", "  texts: one deal"]
    assert "  rulebooks: union" in missing
    assert "  words on slips: spade game" in missing
    with pytest.raises(CommandError, match="no folder locale/xx"):
        told("xx")


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_nothing_but_new_texts_is_missing_in_what_is_offered(language):
    [_summary, *missing] = told(language)
    assert [line for line in missing if not line.startswith("  texts: ")] == []
