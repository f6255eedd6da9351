"""How the Danish is written: one kind of quotation marks, a minus that is no hyphen, and no word that was given up."""

from __future__ import annotations

import re

import pytest

from tests.config.test_glossary import danish_texts

TAGS = re.compile(r"<[^>]*>")
QUOTED = re.compile(r"“[^“”]*”")
# What a native reader has stumbled over, and what it is called instead.
GIVEN_UP = {
    "«|»|„|''": "“ and ”",
    r"(?<![\w+-])-\d": "a minus (−)",
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
}


@pytest.mark.parametrize("given_up", GIVEN_UP)
def test_no_text_says_what_was_given_up(given_up):
    assert [
        danish
        for _english, danish in danish_texts()
        if re.search(given_up, TAGS.sub("", danish), re.IGNORECASE)
    ] == []


def test_every_quotation_mark_has_its_other_half():
    left_over = [QUOTED.sub("", TAGS.sub("", danish)) for _english, danish in danish_texts()]
    assert [text for text in left_over if re.search(r'[“”"]|\\"', text)] == []
