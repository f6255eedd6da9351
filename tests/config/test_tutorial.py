"""The first evening, as it is told: each button by the words that stand on it."""

import re

import pytest
from django.conf import settings

TUTORIAL = settings.BASE_DIR / "docs" / "tutorial"
SAID_BY = ("templates", "tournaments/desk", "tournaments/management/commands")


def slanted(name):
    """What stands on buttons and links, as one page of the tutorial has it, in one line each."""
    text = re.sub(r"\*\*[^*]+\*\*", "", (TUTORIAL / name).read_text("utf-8"))
    return [" ".join(found.split()) for found in re.findall(r"\*([^*]+)\*", text)][
        1:
    ]  # the first is an example


@pytest.fixture(scope="module")
def source():
    files = (file for place in SAID_BY for file in (settings.BASE_DIR / place).rglob("*.*"))
    return "\n".join(file.read_text("utf-8") for file in files if file.suffix in {".html", ".py"})


def on_the_screen(words):
    """The words as a template or a text has them, from quote or tag to quote, tag or colon; numbers are filled in."""
    counted = re.sub(r"\d+", r"(?:{{ \\w+ }}|%\\(\\w+\\)[ds])", re.escape(words))
    return re.compile(rf'["}}]{counted}[":{{]')


def test_every_button_that_the_tutorial_names_stands_so_on_the_screen(source):
    missing = [words for words in slanted("first-evening.md") if not on_the_screen(words).search(source)]
    assert missing == []


@pytest.mark.parametrize("language", ["da", "sv"])
def test_the_tutorial_names_as_many_buttons_in_other_languages_each_as_it_is_translated(language):
    found = slanted(f"first-evening.{language}.md")
    assert len(found) == len(slanted("first-evening.md")) > 20
    texts = (settings.BASE_DIR / "locale" / language / "LC_MESSAGES" / "django.po").read_text("utf-8")
    said = set(re.findall(r'^msgstr(?:\[\d\])? "(.+)"$', texts, re.MULTILINE))
    assert [words for words in found if re.sub(r"\d+", "%(number)d", words) not in said] == []
