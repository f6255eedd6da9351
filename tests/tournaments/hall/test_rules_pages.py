"""The rules as everybody can read and print them: those in force, each rulebook's, and the full text."""

from __future__ import annotations

import io
import re
import shutil

import pypdf
import pytest
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape

from scoring import ENGINE_VERSION, rulebooks
from tests.factories import make_tournament
from tests.languages import TRANSLATIONS
from tests.pages import hall_page, texts_of, words
from tournaments.domain import rule_text as in_words_rule_text
from tournaments.domain.rule_text import FOLDER, paragraph_address, rule_text
from tournaments.lifecycle.rules_text import rule_sheet

BOOKS = [book.id for book in rulebooks()]


def pdf(answer):
    assert answer.headers["Content-Type"] == "application/pdf"
    return pypdf.PdfReader(io.BytesIO(answer.content))


def text_of(answer):
    return " ".join(" ".join(texts_of(answer.content)).split())


@pytest.mark.django_db
def test_every_rulebook_is_on_the_list_and_has_its_page(client):
    index = client.get(reverse("rules_index")).content.decode()
    for book in rulebooks():
        assert reverse("rules_sheet", args=[book.id]) in index
        page = client.get(reverse("rules_sheet", args=[book.id])).content.decode()
        assert reverse("rules_text", args=[book.id]) in page
        options = [spec for spec in book.option_specs if spec.section != "prices"]
        assert [spec.name for spec in options if escape(spec.title) not in page] == []
        assert "usually" not in page


@pytest.mark.parametrize("book", rulebooks(), ids=BOOKS)
def test_where_a_rulebook_is_from_is_said_in_danish(book):
    with translation.override("da"):
        said = rule_sheet(book).source
    assert (said == book.source) == (book.id == "union")  # which is Danish as it is


@pytest.mark.parametrize("language", TRANSLATIONS)  # whose words are longer than the English ones
@pytest.mark.parametrize("book", BOOKS)
def test_every_rulebook_is_one_page_of_paper(client, db, book, language):
    client.cookies["django_language"] = language
    answer = client.get(reverse("rules_sheet_pdf", args=[book]))
    assert len(pdf(answer).pages) == 1
    with translation.override(language):
        assert rule_sheet(next(each for each in rulebooks() if each.id == book)).name in text_of(answer)


def all_other_than_usual(book):
    """Every switch the other way, but those that go together are on, and every price a token dearer."""
    return {
        spec.name: True
        if spec.kind == "bool"
        else spec.values[-1]
        if spec.kind == "choice"
        else min(spec.default + 1, spec.maximum)
        for spec in book.option_specs
    }


@pytest.mark.slow
@pytest.mark.parametrize("book", rulebooks(), ids=BOOKS)
def test_rules_that_are_all_the_clubs_own_are_printed_in_letters_that_can_be_read(club, client, book):
    tournament = make_tournament(
        0, club=club, rulebook=book.id, options=all_other_than_usual(book), rules_name="Æ" * 80, stake=25
    )
    made = pdf(client.get(reverse("hall_rules_pdf", args=[tournament.code])))
    assert len(made.pages) <= 2
    assert min(sizes_of_type(made)) >= 7


def sizes_of_type(made):
    """In how many points letters are set, anywhere in a file."""
    sizes = set()
    for page in made.pages:
        page.extract_text(
            visitor_text=lambda text, matrix, text_matrix, _face, size: (
                sizes.add(round(size * abs(text_matrix[3] * matrix[3]), 1)) if text.strip() else None
            )
        )
    return sizes


@pytest.mark.slow
def test_the_printed_sheet_has_every_contract_option_and_what_the_tournament_adds(club, client):
    options = {"kaske": True, "grand": True, "mort": True, "mort_nolo": True}
    tournament = make_tournament(
        4, club=club, rulebook="rasle", options=options, rules_name="Stillings regler", stake=25
    )
    answer = client.get(reverse("hall_rules_pdf", args=[tournament.code]))
    said = text_of(answer)
    assert len(pdf(answer).pages) == 1
    assert "Kaske 8 or more any number 1 1 2" in said
    assert "Mort the whole talon" in said
    assert "Nolo ouvert none none 5 5 8" in said
    assert "▶ Kaske yes (usually no)" in said
    assert "Stillings regler · Rasle L'Hombre" in said
    assert "Stake 0.25 kroner per token" in said


def test_what_is_other_than_usual_is_marked_on_the_tournaments_page(club, client):
    tournament = make_tournament(4, club=club, options={"idle_settles": True, "forced_spadille": False})
    page = client.get(reverse("hall_rules", args=[tournament.code])).content.decode()
    marked = re.findall(r'class="differs">\s*<dt>(.*?)</dt>', page)
    assert marked == ["The player sitting out settles"]
    assert page.count('class="usual">usually no<') == 1


def test_the_page_says_what_the_club_calls_its_rules(club, client):
    tournament = make_tournament(4, club=club, rules_name="Stillings <regler>")
    page = client.get(reverse("hall_rules", args=[tournament.code])).content.decode()
    assert "<strong>Stillings &lt;regler&gt;</strong>" in page


@pytest.mark.parametrize("book", BOOKS)
def test_the_full_text_has_an_anchor_for_every_paragraph(client, db, book):
    page = client.get(reverse("rules_text", args=[book])).content.decode()
    anchors = re.findall(r'<h[23] id="p([\d.]+)">\1 ', page)
    assert len(anchors) == len(set(anchors)) > 30
    for section, heading in rule_text(book).sections:
        assert f'<a href="#{section}">{heading}</a>' in page


TRANSLATED = sorted((path.parent.name, path.stem) for path in FOLDER.glob("*/*.md"))


def paragraphs(text):
    """Number of each paragraph -> the options that it speaks of."""
    found = re.findall(r"^##+ ([\d.]+) .*?\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    return {number: sorted(re.findall(r"`(\w+)`", words)) for number, words in found}


def test_every_rulebook_is_told_in_every_language():
    assert {(language, book) for language in TRANSLATIONS for book in BOOKS} == set(TRANSLATED)


@pytest.mark.parametrize(("language", "book"), TRANSLATED)
def test_a_translated_text_has_the_same_paragraphs_about_the_same_options(language, book):
    english, told = FOLDER / f"{book}.md", FOLDER / language / f"{book}.md"
    assert paragraphs(told.read_text()) == paragraphs(english.read_text())


def test_the_full_text_is_in_the_readers_language_where_there_is_one(client, db):
    client.cookies["django_language"] = "da"
    page = client.get(reverse("rules_text", args=["union"])).content.decode()
    assert '<h3 id="p4.1">4.1 Alle passer</h3>' in page
    assert "”Tvungen spadille”" in page
    assert "på engelsk" not in page


def test_the_full_text_is_in_english_where_there_is_no_other(client, db, monkeypatch, tmp_path):
    shutil.copy(FOLDER / "ombre_two.md", tmp_path)
    monkeypatch.setattr(in_words_rule_text, "FOLDER", tmp_path)
    in_words_rule_text._read.cache_clear()
    client.cookies["django_language"] = "da"
    page = client.get(reverse("rules_text", args=["ombre_two"])).content.decode()
    in_words_rule_text._read.cache_clear()
    assert 'class="rule-text" lang="en"' in page
    assert "på engelsk" in page


@pytest.mark.parametrize("book", rulebooks(), ids=BOOKS)
def test_the_full_text_calls_options_as_the_reader_knows_them(client, db, book):
    page = client.get(reverse("rules_text", args=[book.id])).content.decode()
    assert [spec.name for spec in book.option_specs if f"<code>{spec.name}</code>" in page] == []


@pytest.mark.parametrize("book", rulebooks(), ids=BOOKS)
def test_every_options_paragraph_is_a_place_in_the_full_text(client, db, book):
    for spec in book.option_specs:
        address, _sharp, anchor = paragraph_address(spec.paragraph).partition("#")
        assert f'id="{anchor}"' in client.get(address).content.decode(), spec.name


@pytest.mark.parametrize("paragraph", ["", "union", "poker §1.1", "union §"])
def test_what_is_no_paragraph_has_no_address(paragraph):
    assert paragraph_address(paragraph) == ""


@pytest.mark.parametrize("name", ["rules_sheet", "rules_text", "rules_sheet_pdf"])
def test_a_rulebook_that_there_is_not_is_not_found(client, db, name):
    assert client.get(reverse(name, args=["poker"])).status_code == 404


def test_a_machine_that_cannot_make_pdfs_says_so_on_the_page(client, club, monkeypatch):
    from core.pdf.files import NO_PANGO, CannotMake
    from tournaments.hall import rules

    def cannot(*_arguments, **_named):
        raise CannotMake(NO_PANGO)

    monkeypatch.setattr(rules, "rules_pdf", cannot)
    tournament = make_tournament(4, club=club)
    answer = client.get(reverse("hall_rules_pdf", args=[tournament.code]), follow=True)
    assert answer.redirect_chain == [(reverse("hall_rules", args=[tournament.code]), 302)]
    assert "library for PDFs is missing" in answer.content.decode()


def test_the_page_says_which_version_of_the_rules_holds(club, client):
    tournament = make_tournament(4, club=club)
    address = reverse("hall_rules", args=[tournament.code])
    page = client.get(address).content.decode()
    assert f"These are the rules in version {ENGINE_VERSION}." in page
    assert "Who won the first five tricks" in page
    assert "It does not apply here." not in page
    type(tournament).objects.filter(pk=tournament.pk).update(
        rules_version="1.1", version=tournament.version + 1
    )
    page = client.get(address).content.decode()
    assert "These are the rules in version 1.1." in page
    assert "It does not apply here." in page


def test_switches_that_are_off_as_usual_take_one_line_of_the_paper_together(client, db):
    said = text_of(client.get(reverse("rules_sheet_pdf", args=["rasle"])))
    assert "Not here: Forced spadille (rasle §4.1) · Kaske (rasle §3.5)" in said
    assert "The player sitting out settles yes" in said


def test_the_rules_are_said_in_words_with_what_games_cost(club, client):
    tournament = make_tournament(4, club=club, rulebook="rasle", options={"kaske": True}, started=False)
    said = words(hall_page(client, tournament, "rules/"))
    assert "Kaske yes usually no After three passes a player may take eight talon cards" in said
    assert (
        "Simple nolo 2 2 3+ Cards exchanged: declarer any number, defenders none. A kodille costs 3," in said
    )
    assert "The organiser can still change these rules until the first round starts" in said
