"""The manual: each page's “?” leads to what it is for, in every language, out of one text."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.every_address import addresses
from tests.languages import TRANSLATIONS
from tournaments.web.manual import CHAPTER_OF, FOLDER, PARTS

CHAPTERS = [name for chapters in PARTS.values() for name in chapters]
ADDRESSES = dict(addresses())
# What answers no page of its own: files, and what phones and machines ask.
NO_PAGE = {name for name, address in ADDRESSES.items() if "." in address.rpartition("/")[2]}
NO_PAGE |= {
    *"health metrics set_language logout hall_version hall_events captain_events hall_time hall_printed_sheet".split(),
    *"desk_job_file desk_photograph desk_now hall_phone_ask hall_phone_stop".split(),
    "hall_phone_told",
    "phone_moved",
}
# Buttons, which lead back to the page that they stand on.
NO_PAGE |= {
    *"union_gets union_leave union_accept union_decline transfer_answer transfer_withdraw".split(),
    *"club_register_number club_register_count club_double_apart club_erasure_keep".split(),
    *"club_dues_paid club_dues_remind".split(),
    *"member_return role_offer_take_back club_championship_put_back club_season_put_back".split(),
    *"club_season_no_award desk_take_up_again desk_mark_present desk_mark_paid desk_bring_back".split(),
    *"desk_put_together desk_team_back desk_let_meet desk_first_dealer desk_agree_all desk_agree".split(),
    *"desk_settle_flag desk_resume_table desk_set_all_aside desk_take_in desk_set_aside".split(),
    *"desk_wait_again desk_with_its_round desk_resume_match desk_take_award_back desk_money_tick".split(),
    *"desk_attach_photograph desk_substitute_back desk_slip_check desk_sample desk_all_signed".split(),
    *"club_old_delete club_old_put_back program_key_end webhook_remove webhook_again".split(),
    *"club_news_hide desk_settle_all desk_undo desk_clock_step desk_clock_lengthen".split(),
    *"desk_paper_again desk_paper_away desk_paper_check".split(),
}
# A captain's page has no room for more, and its own words for everything; the manual is not about itself.
OTHERS = {
    name
    for name, address in ADDRESSES.items()
    if address.startswith("/c/{secret}") or name == "captain_worker"
}
OTHERS |= {"manual", "manual_chapter"}
# Programs read what `/api/v1/openapi.json` says of each.
OTHERS |= {name for name in ADDRESSES if name.startswith("api_")} - {"api_about"}


def test_every_page_has_its_chapter():
    assert ADDRESSES.keys() - CHAPTER_OF.keys() - NO_PAGE - OTHERS == set(), (
        "new pages: which chapter tells of them?"
    )
    assert (CHAPTER_OF.keys() | NO_PAGE) - ADDRESSES.keys() == set(), "these addresses are no more"


def test_a_page_stands_in_one_chapter():
    named = [name for chapters in PARTS.values() for names in chapters.values() for name in names.split()]
    assert len(named) == len(set(named))


@pytest.mark.parametrize(
    "folder", [FOLDER, *(FOLDER / code for code in TRANSLATIONS)], ids=["en", *TRANSLATIONS]
)
def test_every_chapter_is_written_and_no_other(folder):
    assert sorted(path.stem for path in folder.glob("*.md")) == sorted(CHAPTERS)


def shape(text: str) -> tuple[int, ...]:
    """How many headings, points and bold words a chapter has."""
    return tuple(
        len(re.findall(sign, text, re.MULTILINE)) for sign in ("^# ", "^- ", r"^\d\. ", r"\*\*[^*]+\*\*")
    )


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_chapter_says_as_much_in_every_language(language):
    told = {name: shape((FOLDER / language / f"{name}.md").read_text()) for name in CHAPTERS}
    assert told == {name: shape((FOLDER / f"{name}.md").read_text()) for name in CHAPTERS}


def test_the_mark_on_a_page_leads_to_its_chapter_in_the_readers_language(db, client, alice):
    client.force_login(alice)
    page = client.get(reverse("desk")).content.decode()
    address = reverse("manual_chapter", args=["desk"])
    assert f'href="{address}" data-help' in page
    assert "<h1>The desk</h1>" in client.get(address).content.decode()
    client.cookies["django_language"] = "da"
    danish = (FOLDER / "da/desk.md").read_text().partition("\n")[0].removeprefix("# ")
    assert f"<h1>{danish}</h1>" in client.get(address).content.decode()


def test_hall_and_clubs_have_the_mark_too_and_so_has_a_page_that_is_not_there(db, client, club, alice):
    client.force_login(alice)
    chapters = {"/": "hall", "/rules/": "rules", club.get_absolute_url(): "club", "/t/nobody/": "hall"}
    for address, chapter in chapters.items():
        assert f'href="{reverse("manual_chapter", args=[chapter])}"' in client.get(address).content.decode()


def test_the_manual_lists_every_chapter_and_knows_no_other(db):
    front = Client().get(reverse("manual")).content.decode()
    assert [name for name in CHAPTERS if reverse("manual_chapter", args=[name]) not in front] == []
    assert Client().get(reverse("manual_chapter", args=["nothing"])).status_code == 404
