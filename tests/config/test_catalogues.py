"""How translations are written: one kind of quotation marks, a minus that is no hyphen, no word that was given up."""

from __future__ import annotations

import re

import pytest

from tests.config.test_glossary import texts_in
from tests.languages import TRANSLATIONS

TAGS = re.compile(r"<[^>]*>")
# What is quoted, and all marks of any kind: none may be left over.
QUOTED = {"da": re.compile(r"”[^”]*”"), "sv": re.compile(r"”[^”]*”")}
USUAL_QUOTED = re.compile(r"“[^“”]*”")
MARK = re.compile(r'[“”"„«»]|\\"|\'\'')
HYPHEN_FOR_MINUS = r"(?<![\w+-])-\d"
# What a native reader has stumbled over, and what it is called instead.
GIVEN_UP = {
    "da": {
        HYPHEN_FOR_MINUS: "a minus (−)",
        r"\bset efter\b": "gennemgået",
        r"\btournée|tourné respekt": "tourné-respekt",
        r"\bcrocodile": "krokodille",
        r"\bvoles? tabt\b": "vole mislykket",
        r"\bførste fem stik\b": "de fem første stik",
        r"\bantal runder: ": "a plural",
        r"\w\((er?|ne|r)\)": "a plural",
        r"\bhan\b|\bham\b|\bhans\b": "a sentence without",
        r"\bskan(nes)?\b": "scan",
        r"\bopsatte\b": "oprettede",
        r"\bdrop(pet)?\b": "kassér(et)",
        r"^Hvem der [^?]*, har den\b": "den, der",
        r"\bmed til Excel\b": "gem til Excel",
    },
    "sv": {
        HYPHEN_FOR_MINUS: "a minus (−)",
        r"\bvänligen\b": "without",
        r"\bhan\b|\bhon\b|\bhen\b|\bhans\b|\bhennes\b": "a sentence without",
        r"\w\((er|ar|or|n)\)": "a plural",
        r"\bcrocodile": "krokodil",
        r"(?<!bords)(?<!lag)\bkaptenens länk": "bordskaptenens länk",
        r"\bspelgiv": "giv",
        r"\bsedel|\bsedlar": "lapp",
        r"\bregnskab|\brunde\b|\bspil\b|\bhold\b(?! i)|\bplads": "Danish",
    },
}


@pytest.mark.parametrize(
    ("language", "given_up"), [(language, word) for language in GIVEN_UP for word in GIVEN_UP[language]]
)
def test_no_text_says_what_was_given_up(language, given_up):
    assert [
        said
        for _english, said in texts_in(language)
        if re.search(given_up, TAGS.sub("", said), re.IGNORECASE)
    ] == []


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_quotation_mark_has_its_other_half(language):
    quoted = QUOTED.get(language, USUAL_QUOTED)
    left_over = [quoted.sub("", TAGS.sub("", said)) for _english, said in texts_in(language)]
    assert [text for text in left_over if MARK.search(text)] == []
